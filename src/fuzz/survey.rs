//! A [`Survey`] is what the sessions of a campaign did and did not come to, by contract, function and block, at one moment. It holds
//! values, and says nothing that is not known: a function whose calls were few is not said to revert, and a block is unreachable only
//! where that is proved. What stands in the way to a line is asked of the sessions when somebody wants to know (`unreached.rs`), as long
//! as there are any: a survey keeps none of them alive.

use super::{
    call_records::CallRecord,
    outlines::Outlines,
    session::Session,
    target::{At, asserting},
    worlds::Worlds,
};
use crate::{
    code::{BlockId, ProgramId, ProgramOutline, Programs, Stage},
    compile::{Build, Source, SourceRange},
    corpus::{ReachedBy, Share},
    harness::Harness,
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::{Arc, PoisonError, Weak},
};

/// Calls of a function from which on it is told that all of them reverted; chosen by hand.
pub(super) const MANY_CALLS: u64 = 100;

/// The state of a block of code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum BlockState {
    /// A run entered it.
    Reached,
    /// Neither reached nor proved to be unreachable.
    Open,
    /// No call of the program enters it, in any state.
    Unreachable,
}

/// What was and was not reached.
#[derive(Debug, Clone, Default)]
pub struct Survey {
    /// Each contract that has a session on the newest build.
    pub contracts: Vec<ContractSurvey>,
    /// Each program that these sessions may run.
    pub programs: BTreeMap<ProgramId, ProgramSurvey>,
}

/// What was and was not reached of a contract.
#[derive(Debug, Clone)]
pub struct ContractSurvey {
    /// Its harness, as [`Progress`](super::Progress) has it.
    pub harness: Arc<Harness>,
    /// Transactions executed.
    pub executions: u64,
    /// Those of them that succeeded.
    pub succeeded: u64,
    /// Why it is no longer fuzzed, if so.
    pub given_up: Option<String>,
    /// Edges of the branches in its source, as [`Progress`](super::Progress) has them.
    pub branches: Share,
    /// Whether it has assertions, and it is proved that none of them can fail, whatever is called.
    pub assertions_hold: bool,
    /// The functions and modifiers in its code, in the order of their sources.
    pub functions: Vec<FunctionSurvey>,
    /// What else can be asked about it, as long as it is fuzzed, in the world in which most of it was reached.
    pub(super) session: Weak<Session>,
}

/// What was and was not reached of a function, in one contract.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionSurvey {
    /// Its definition.
    pub definition: SourceRange,
    /// The best state of its blocks.
    pub state: BlockState,
    /// Edges of the branches in it.
    pub branches: Share,
    /// How calls of it reverted, if there were many and all of them did.
    pub always_reverted: Option<AlwaysReverted>,
}

/// How all calls of a function reverted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AlwaysReverted {
    /// How the first one ended: `revert "early"`.
    pub first: String,
    /// The last branch of the source that it decided, if it decided any.
    pub at: Option<SourceRange>,
    /// Whether all of them decided that one last.
    pub all_there: bool,
}

/// What was and was not reached of a program, in any session.
#[derive(Debug, Clone)]
pub struct ProgramSurvey {
    /// The build that it belongs to.
    pub build: Arc<Build>,
    /// Its lines and functions.
    pub outline: Arc<ProgramOutline>,
    /// The state of each of its blocks.
    pub blocks: Vec<BlockState>,
}

/// What was and was not reached of a file.
#[derive(Debug, Clone)]
pub struct FileSurvey<'a> {
    /// The file, as it was compiled.
    pub source: &'a Source,
    /// The best state of the blocks of each line with code, by line, from 1.
    pub lines: BTreeMap<u32, BlockState>,
}

impl Survey {
    /// The files with code that are wanted, in the order of their paths.
    pub fn files(&self, is_wanted: impl Fn(&Path) -> bool) -> Vec<FileSurvey<'_>> {
        let mut files: BTreeMap<&Path, FileSurvey<'_>> = BTreeMap::new();
        let mut wanted: BTreeMap<&Path, bool> = BTreeMap::new();
        for ProgramSurvey { build, outline, blocks } in self.programs.values() {
            for ((source, line), state) in outline.line_states(|block| blocks.get(block.0 as usize).copied()) {
                let source: &Source = build.source(source);
                if !*wanted.entry(&source.path).or_insert_with(|| is_wanted(&source.path)) {
                    continue;
                }
                let file = || FileSurvey { source, lines: BTreeMap::new() };
                let known = files.entry(&source.path).or_insert_with(file).lines.entry(line).or_insert(state);
                *known = (*known).min(state);
            }
        }
        files.into_values().collect()
    }

    /// Of these contracts. Where some are of an older build, since the campaign turns to a new one, those of the newest count.
    pub(super) fn of(contracts: &[Worlds<'_>], outlines: &Outlines) -> Self {
        let all = || contracts.iter().flat_map(Worlds::sessions);
        let Some(newest) = all().max_by_key(|session| session.generation) else { return Self::default() };
        let programs = newest.harness.programs.clone();
        let is_newest = |session: &Session| Arc::ptr_eq(&session.harness.programs, &programs);
        let mut survey = Self::default();
        for worlds in contracts.iter().filter(|worlds| is_newest(worlds.first())) {
            survey.contracts.push(worlds.survey(outlines));
        }
        for session in all().filter(|session| is_newest(session)) {
            for id in session.harness.code() {
                survey.add(session, *id, outlines);
            }
        }
        survey
    }

    fn add(&mut self, session: &Session, id: ProgramId, outlines: &Outlines) {
        let harness = &session.harness;
        let program = self.programs.entry(id).or_insert_with(|| ProgramSurvey {
            build: harness.build.clone(),
            outline: outlines.of(&harness.build, &harness.programs, id),
            blocks: vec![BlockState::Open; harness.programs.get(id).blocks.len()],
        });
        for (state, block) in program.blocks.iter_mut().zip((0..).map(BlockId)) {
            // What is proved of a program holds in all sessions.
            *state = match session.state_of((id, block)) {
                BlockState::Open => *state,
                known => known,
            };
        }
    }
}

impl Session {
    /// What is known of a block.
    pub(super) fn state_of(&self, (program, block): At) -> BlockState {
        if self.coverage.alone().has_block(self.harness.contract, program, block) {
            BlockState::Reached
        } else if self.shared.unreachable().is_some_and(|blocks| blocks.contains(&(program, block))) {
            BlockState::Unreachable
        } else {
            BlockState::Open
        }
    }

    /// Proves which blocks of its own contract that no run entered cannot be entered.
    pub(super) fn prove_unreachable(&self) {
        let programs: &Programs = &self.harness.programs;
        let blocks = own_programs(&self.harness).into_iter();
        let blocks = blocks.flat_map(|id| programs.get(id).code_blocks().map(move |block| (id, block)));
        let open: Vec<At> = blocks.filter(|at| self.state_of(*at) == BlockState::Open).collect();
        // Asked once for all of them: what is known of a program's jumps may be forgotten after each question.
        let unreachable = self.look_ahead(|lookahead| {
            open.into_iter().filter(|(program, block)| !lookahead.is_reachable(*program, *block)).collect()
        });
        self.shared.set_unreachable(unreachable);
    }

    /// The functions of which there were many calls, and all of them reverted, with how the first one ended.
    fn reverting(&self) -> BTreeMap<SourceRange, AlwaysReverted> {
        let records = self.shared.call_records.lock().unwrap_or_else(PoisonError::into_inner);
        let told = |record: &CallRecord| self.always_reverted(record);
        let all = records.0.iter().filter_map(|(call, record)| Some((self.harness.definition(*call)?, told(record))));
        let all: Vec<(SourceRange, Option<AlwaysReverted>)> = all.collect();
        // Two contracts of the world may have the same function.
        let others: BTreeSet<SourceRange> =
            all.iter().filter(|(_, told)| told.is_none()).map(|(definition, _)| *definition).collect();
        let reverting = all.into_iter().filter(|(definition, _)| !others.contains(definition));
        reverting.filter_map(|(definition, told)| Some((definition, told?))).collect()
    }

    fn always_reverted(&self, record: &CallRecord) -> Option<AlwaysReverted> {
        let first = self.told(record.always_reverted(MANY_CALLS)?);
        let at = record.reverted_at.and_then(|(program, pc)| self.harness.programs.get(program).range(pc));
        Some(AlwaysReverted { first, at, all_there: !record.reverted_elsewhere })
    }
}

/// The programs of a contract: the constructor's, and the one that is deployed.
pub(super) fn own_programs(harness: &Harness) -> [ProgramId; 2] {
    [Stage::Creation, Stage::Runtime].map(|stage| harness.programs.id(harness.contract, stage))
}

impl Worlds<'_> {
    /// What is known of a block.
    fn state_of(&self, reached: &ReachedBy<'_>, (program, block): At) -> BlockState {
        if reached.has_block(self.first().harness.contract, program, block) {
            BlockState::Reached
        } else if self.is_unreachable((program, block)) {
            BlockState::Unreachable
        } else {
            BlockState::Open
        }
    }

    /// Whether it is proved of all assertions of the contract that they cannot fail.
    fn assertions_hold(&self) -> bool {
        let harness = &self.first().harness;
        let failing = |id: ProgramId| {
            let program = harness.programs.get(id);
            // What a constructor deploys is data to it.
            let code = program.code_blocks().len();
            let failing = asserting(program).into_iter().filter(move |block| (block.0 as usize) < code);
            failing.map(move |block| (id, block))
        };
        let mut failing = own_programs(harness).into_iter().flat_map(failing).peekable();
        let reached = self.reached();
        failing.peek().is_some() && failing.all(|at| self.state_of(&reached, at) == BlockState::Unreachable)
    }

    fn survey(&self, outlines: &Outlines) -> ContractSurvey {
        let (harness, reached) = (&self.first().harness, self.reached());
        let ran = self.sessions().iter().filter(|session| session.executions() > 0);
        let reverting: Vec<_> = ran.map(|session| session.reverting()).collect();
        // What succeeds in one world does not always revert.
        let always_reverted = |definition: &SourceRange| {
            let all: Option<Vec<&AlwaysReverted>> = reverting.iter().map(|of_world| of_world.get(definition)).collect();
            all?.into_iter().next().cloned()
        };
        let mut functions = BTreeMap::new();
        // What is in both is told as deployed.
        for id in own_programs(harness) {
            let outline = outlines.of(&harness.build, &harness.programs, id);
            for function in &outline.functions {
                let states = function.blocks.iter().map(|block| self.state_of(&reached, (id, *block)));
                let survey = FunctionSurvey {
                    definition: function.definition,
                    state: states.min().unwrap_or(BlockState::Open),
                    branches: reached.edges(harness.contract, id, function.branches.iter().copied()),
                    always_reverted: always_reverted(&function.definition),
                };
                functions.insert(function.definition, survey);
            }
        }
        ContractSurvey {
            harness: harness.clone(),
            executions: self.executions(),
            succeeded: self.succeeded(),
            given_up: self.given_up(),
            branches: reached.branches(harness.contract),
            assertions_hold: self.assertions_hold(),
            functions: functions.into_values().collect(),
            session: Arc::downgrade(self.farthest()),
        }
    }
}
