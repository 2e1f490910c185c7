//! Why a line was not reached, in words: what is proved of it, the branch in front of it that always went the other way, the calls of
//! its function that all reverted, and how many transactions were run.

use super::{
    obstacles::{ClosestCall, Never, Obstacle},
    survey::{AlwaysReverted, BlockState, ContractSurvey, FunctionSurvey, ProgramSurvey, Survey, own_programs},
};
use crate::{
    code::{BlockId, ProgramId},
    compile::{Build, Decider, SourceId, SourceRange, Span},
    finding::Compared,
    input::{
        brief::short,
        print::{grouped, on_one_line},
    },
};
use std::{collections::BTreeMap, path::Path};

/// Characters of a text of the source that are told at most; chosen by hand.
const MAX_TEXT: usize = 80;

impl Survey {
    /// Why a line, from 1, of a file was not reached, in sentences with Markdown's backquotes. None where it has no code, was reached, or
    /// where nothing was run yet.
    pub fn why_not_reached(&self, path: &Path, line: u32) -> Option<String> {
        let on_line = |(id, program): (&ProgramId, _)| Some((*id, on_line(program, path, line)?));
        let on_line: OnLine = self.programs.iter().filter_map(on_line).collect();
        let state = on_line.values().map(|(state, _)| *state).min()?;
        let runs = |contract: &&ContractSurvey| contract.harness.code().iter().any(|id| on_line.contains_key(id));
        let here: Vec<&ContractSurvey> = self.contracts.iter().filter(runs).collect();
        let transactions = here.iter().map(|contract| contract.executions).sum::<u64>();
        if state == BlockState::Reached || transactions == 0 {
            return None;
        }
        let obstacle = here.iter().find_map(|contract| {
            let obstacle = contract.obstacle(&on_line, state)?;
            Some(told_obstacle(&contract.harness.build, path, line, &obstacle))
        });
        if state == BlockState::Unreachable {
            let proved = "Cannot be reached: proved within this world.";
            return Some(obstacle.map_or_else(|| proved.to_owned(), |why| format!("{proved} {why}")));
        }
        let plural = if transactions == 1 { "" } else { "s" };
        let count = grouped(&transactions.to_string(), '\u{202f}');
        let reverting = here.iter().find_map(|contract| contract.told_reverting(path, line));
        let sentences = [Some(format!("Not reached yet, in {count} transaction{plural}.")), obstacle, reverting];
        Some(sentences.into_iter().flatten().collect::<Vec<_>>().join(" "))
    }
}

/// The best state of a line's blocks in each program, and the blocks that are in it.
type OnLine = BTreeMap<ProgramId, (BlockState, Vec<BlockId>)>;

/// The best state of a line's blocks in a program, and those that are in it.
fn on_line(program: &ProgramSurvey, path: &Path, line: u32) -> Option<(BlockState, Vec<BlockId>)> {
    let source = program.build.source_at(path)?;
    let blocks = program.outline.lines.get(&(source, line))?;
    let state_of = |block: &BlockId| program.blocks.get(block.0 as usize).copied();
    let state = blocks.iter().filter_map(state_of).min()?;
    Some((state, blocks.iter().filter(|block| state_of(block) == Some(state)).copied().collect()))
}

impl ContractSurvey {
    /// What stands in the way to a line in its own code.
    fn obstacle(&self, on_line: &OnLine, state: BlockState) -> Option<Obstacle> {
        let session = self.session.upgrade()?;
        // What is in both programs is told as deployed.
        let mut own = own_programs(&session.harness).into_iter().rev();
        own.find_map(|id| session.obstacle(id, &on_line.get(&id)?.1, state))
    }

    /// How all calls reverted of the function that a line is in, if they did.
    fn told_reverting(&self, path: &Path, line: u32) -> Option<String> {
        let build = &self.harness.build;
        let of = build.source_at(path)?;
        let is_in = |function: &&FunctionSurvey| {
            let ((source, span), lines) = (function.definition, &build.source(of).lines);
            source == of && (lines.line(span.start)..=lines.line(span.end)).contains(&line)
        };
        let function = self.functions.iter().find(is_in)?;
        let AlwaysReverted { first, at, all_there } = function.always_reverted.as_ref()?;
        let name = &build.source(of).ast.function_at(function.definition.1)?.name;
        let place = at.map(|at| format!(" {} {}", side_of(build, at), place(build, path, line, at)));
        let place = place.unwrap_or_default();
        Some(match all_there {
            true => format!("Every call of `{name}` reverted{place}, the first one with {first}."),
            false => format!("Every call of `{name}` reverted, the first one{place} with {first}."),
        })
    }
}

/// Where a call reverts that decided this branch last: a check reverts by itself.
fn side_of(build: &Build, (source, span): SourceRange) -> &'static str {
    match build.source(source).ast.decision_at(span).map(|decision| decision.decider) {
        Some(Decider::Condition | Decider::FirstOfTwo | Decider::Call) => "after",
        Some(Decider::Check) | None => "at",
    }
}

/// A branch that always went the other way, as it is told at a line.
fn told_obstacle(build: &Build, path: &Path, line: u32, obstacle: &Obstacle) -> String {
    let Obstacle { branch, never, proved, closest } = obstacle;
    let (source, whole) = *branch;
    let text = |span: Span| quoted(build, source, span);
    let place = |span: Span| match place(build, path, line, (source, span)) {
        here if here.starts_with("this") => String::new(),
        there => format!(" in {there}"),
    };
    let was = if *proved { "is" } else { "was" };
    let sentence = match *never {
        Never::Was(condition, value) => format!("{}{} {was} never {value}.", text(condition), place(condition)),
        Never::Ended(call, true) => format!("{}{} never succeeded.", text(call), place(call)),
        Never::Ended(call, false) => format!("{}{} never failed.", text(call), place(call)),
        Never::Succeeded => format!("{}{} failed each time.", text(whole), place(whole)),
        Never::WentThere => format!("{}{} always went another way.", text(whole), place(whole)),
    };
    match closest.as_ref().and_then(told_closest) {
        Some(closest) => format!("{sentence} {closest}"),
        None => sentence,
    }
}

/// The call that came closest of those that are known, with what it compared.
fn told_closest(ClosestCall { call, compared }: &ClosestCall) -> Option<String> {
    let compared = match compared.as_ref()? {
        Compared::Sides(sides, _) => {
            let told = sides.iter().filter(|side| side.expression != side.value);
            let told: Vec<String> =
                told.map(|side| format!("`{}` was {}", side.expression, short(&side.value))).collect();
            format!("where {}", told.join(" and "))
        }
        Compared::Words(words) => {
            let [one, other] = words.each_ref().map(|word| short(word));
            format!("which compared {one} with {other}")
        }
    };
    Some(format!("The closest call known is `{call}`, {compared}."))
}

/// A line of the source, as it is told at another one: `this line`, `line 7`, `line 7 of Base.sol`.
fn place(build: &Build, path: &Path, line: u32, (source, span): SourceRange) -> String {
    let source = build.source(source);
    let there = source.lines.line(span.start);
    match (source.path == path, there == line) {
        (true, true) => "this line".to_owned(),
        (true, false) => format!("line {there}"),
        (false, _) => {
            let file = source.path.file_name().unwrap_or_default().to_string_lossy();
            format!("line {there} of {file}")
        }
    }
}

/// A text of the source, in one line.
fn quoted(build: &Build, source: SourceId, span: Span) -> String {
    let text = on_one_line(span.text(&build.source(source).text));
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    }
}
