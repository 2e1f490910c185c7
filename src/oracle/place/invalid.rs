//! The place of an INVALID, which solc before 0.8 puts behind every check of its own and every `assert`. It maps to the
//! expression that it checks, also in optimized code, as long as the code is not shared with another place: see [`Standing`].
//!
//! The kind of check follows from the syntax tree, if an expression that has such a check is exactly at this place. An enum's
//! range is checked wherever a value is used, and is recognised by the comparison with the number of members. Only a call of a
//! function pointer jumps to the INVALID.

use super::{
    guard::{call_of_guard, is_guard},
    standing::{RunningFunction, Standing, Walker, place, shared},
    syntax::{Syntax, function_around},
};
use crate::{
    code::{Block, BlockId, Exit, Program, ProgramId},
    compile::{Build, NodeKind, SourceRange, Span},
    evm::Failure,
    oracle::{
        execution::Execution,
        violation::{Cause, Place},
    },
};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::collections::{BTreeMap, BTreeSet};

/// A place, with the kind of expression there as far as it is known.
pub(super) type FoundPlace = Option<(Place, Option<NodeKind>)>;

/// Program, byte offset, the block before it, the selector of the call, and where the frame stands.
type InvalidKey = (ProgramId, u32, Option<BlockId>, Option<[u8; 4]>, Standing);

/// Expressions to whose place their check maps.
const CHECKS: [NodeKind; 5] =
    [NodeKind::Assert, NodeKind::Division, NodeKind::Index, NodeKind::Pop, NodeKind::Conversion];
/// The text in a contract's settings that shows that no code is shared.
const UNOPTIMIZED: &str = "\"optimizer\":{\"enabled\":false";
/// Places that are remembered; chosen by hand.
const MAX_KNOWN: usize = 4096;

/// The places of INVALIDs found so far, and the indices that are needed to find them.
#[derive(Debug)]
pub(super) struct Invalids {
    syntax: Syntax,
    shared: BTreeMap<ProgramId, BTreeSet<SourceRange>>,
    selected: BTreeMap<(ProgramId, Option<[u8; 4]>), Vec<SourceRange>>,
    known: BTreeMap<InvalidKey, FoundPlace>,
}

impl Invalids {
    pub(super) fn new(build: &Build) -> Self {
        let syntax = Syntax::of(build);
        Self { syntax, shared: BTreeMap::new(), selected: BTreeMap::new(), known: BTreeMap::new() }
    }

    /// The place of a failure and what fails there.
    pub(super) fn find(&mut self, execution: &Execution<'_>, failure: &Failure) -> Option<(Place, Cause)> {
        let build = execution.build;
        let program = execution.programs.get(failure.program);
        let (failing, way) = failure.history.split_last()?;
        let shared = &*self.shared.entry(failure.program).or_insert_with(|| shared(build, program, &self.syntax));
        if self.selected.len() > MAX_KNOWN {
            // A contract with a fallback function is called with any selector.
            self.selected.clear();
        }
        let selected = self
            .selected
            .entry((failure.program, failure.selector))
            .or_insert_with(|| self.syntax.selected(build, program, failure.selector));
        let optimized = !build.contract(program.contract).settings.contains(UNOPTIMIZED);
        let walker = Walker { build, program, syntax: &self.syntax, selected };
        let mut standing = Standing { function: RunningFunction::Outermost, borrowed: None };
        if optimized || place(program, failure.pc).is_none() {
            standing = walker.walk(way);
        }
        let before = way.last().copied();
        let key = (failure.program, failure.pc, before, failure.selector, standing);
        let found = match self.known.get(&key) {
            Some(known) => *known,
            None => {
                let look =
                    InvalidSearch { build, program, syntax: &self.syntax, selected, shared, optimized, standing };
                let found = look.locate(failure.pc, *failing, before);
                if self.known.len() < MAX_KNOWN {
                    self.known.insert(key, found);
                }
                found
            }
        };
        found.map(|(place, kind)| match kind {
            Some(NodeKind::Assert) if is_guard(build, &place) => (call_of_guard(&walker, way, place), Cause::Guard),
            _ => (place, Cause::Invalid(kind)),
        })
    }
}

/// The search for the place of one INVALID.
struct InvalidSearch<'a> {
    build: &'a Build,
    program: &'a Program,
    syntax: &'a Syntax,
    selected: &'a [SourceRange],
    shared: &'a BTreeSet<SourceRange>,
    /// Whether code may be shared.
    optimized: bool,
    standing: Standing,
}

impl InvalidSearch<'_> {
    fn locate(&self, pc: u32, failing: BlockId, before: Option<BlockId>) -> FoundPlace {
        // A getter's failure is no defect of the contract.
        let is_getter = |at: SourceRange| match function_around(self.build, at) {
            Some(function) => self.syntax.exact_of(self.build, function, NodeKind::Getter).is_some(),
            None => !CHECKS.iter().any(|kind| self.syntax.exact_of(self.build, at, *kind).is_some()),
        };
        self.check(pc, failing, before).filter(|(place, _)| !is_getter((place.source, place.span)))
    }

    fn check(&self, pc: u32, failing: BlockId, before: Option<BlockId>) -> FoundPlace {
        let before = before.map(|id| self.program.block(id));
        let first = self.program.instructions_of(self.program.block(failing)).first();
        let jumped_to = first.is_some_and(|instruction| instruction.opcode == opcode::JUMPDEST);
        if let Some(call) = before.filter(|block| jumped_to && block.exit == Exit::Jump) {
            let at = place(self.program, call.last);
            if let Some(at) = at.filter(|at| self.syntax.exact_of(self.build, *at, NodeKind::Call).is_some()) {
                return self.tell(at, Some(NodeKind::Call), false);
            }
        }
        let guard = before.filter(|block| !jumped_to && block.exit == Exit::Branch);
        let of_enum = guard.is_some_and(|guard| self.compares_with_members(guard)).then_some(NodeKind::Conversion);
        let Some(at) = place(self.program, pc).or_else(|| place(self.program, guard?.last)) else {
            // The compiler's own code: it checks enums that it encodes, and what only it knows.
            return self
                .functions()
                .first()
                .map(|at| told(self.build, *at))
                .zip(of_enum)
                .map(|(at, kind)| (at, Some(kind)));
        };
        let exact = CHECKS.into_iter().find(|kind| self.syntax.exact_of(self.build, at, *kind).is_some());
        let kind = exact.or(of_enum).filter(|_| !self.is_assembly(at));
        self.tell(at, kind, exact.is_some())
    }

    /// The place of the code, or what can be said where the code has the place of another one.
    fn tell(&self, at: SourceRange, kind: Option<NodeKind>, is_exact: bool) -> FoundPlace {
        let Some(borrowed) = self.borrowed(at) else { return Some((told(self.build, at), kind)) };
        let functions = self.functions();
        // Where a function called another one that is not known, the place is not in its own code.
        let own = if self.standing.function == RunningFunction::Unknown { &[][..] } else { &functions };
        let all = self.syntax.with_modifiers(self.build, own);
        let inside = |range: SourceRange| all.iter().any(|of| of.0 == range.0 && of.1.contains(range.1));
        // The same text at the same distance from where the way was left.
        if let Some((from, to)) = borrowed
            && let Some(twin) = shift(at, from, to)
            && inside(twin)
            && self.text(twin) == self.text(at)
            && self.syntax.exact(self.build, twin).next().is_some()
        {
            return Some((told(self.build, twin), kind));
        }
        if let (Some(kind), true) = (kind, is_exact) {
            let mut candidates = all.iter().flat_map(|(source, span)| {
                let nodes = self.build.source(*source).ast.nodes.iter();
                nodes.filter(|node| node.kind == kind && span.contains(node.span)).map(|node| (*source, node.span))
            });
            if let (Some(only), None) = (candidates.next(), candidates.next()) {
                return Some((told(self.build, only), Some(kind)));
            }
        }
        let outer = functions.first().copied();
        let nearest = borrowed.map(|(from, _)| function_around(self.build, from).unwrap_or(from));
        outer.or(nearest).map(|at| (told(self.build, at), kind))
    }

    /// Whether the code may have the place of another one, and if it is known, where it was left for that.
    fn borrowed(&self, at: SourceRange) -> Option<Option<(SourceRange, SourceRange)>> {
        if !self.optimized {
            return None;
        }
        if let Some(borrowed) = self.standing.borrowed {
            return Some(Some((borrowed.from, borrowed.to)));
        }
        if self.standing.function != RunningFunction::Unknown {
            return None;
        }
        let function = function_around(self.build, at)?;
        let known = self.syntax.is_among(self.build, function, self.selected) || !self.shared.contains(&function);
        (!known).then_some(None)
    }

    /// The functions that may be running, as they are defined.
    fn functions(&self) -> Vec<SourceRange> {
        match self.standing.function {
            RunningFunction::Called(range) => vec![range],
            // Without a selector it may be a constructor, or what takes everything else.
            RunningFunction::Outermost | RunningFunction::Unknown => self.selected.to_vec(),
        }
    }

    fn text(&self, (source, span): SourceRange) -> &str {
        span.text(&self.build.source(source).text)
    }

    /// Whether the INVALID is written in assembly.
    fn is_assembly(&self, at: SourceRange) -> bool {
        let text = self.text(at);
        text.starts_with("assembly") || text.starts_with("invalid")
    }

    /// Whether a block ends by comparing a word with the number of an enum's members.
    fn compares_with_members(&self, guard: &Block) -> bool {
        let [rest @ .., _push, _jump] = self.program.instructions_of(guard) else { return false };
        let rest =
            &rest[rest.iter().rposition(|i| i.opcode != opcode::ISZERO).map_or(0, |last| last + 1).saturating_sub(3)..];
        let Some(compare) = rest.iter().rfind(|i| matches!(i.opcode, opcode::LT | opcode::GT)) else { return false };
        let more = u64::from(compare.opcode == opcode::GT);
        let members: BTreeSet<U256> = rest
            .iter()
            .filter_map(|i| i.pushed(&self.program.code))
            .flat_map(|pushed| [pushed.wrapping_add(U256::from(more)), pushed])
            .collect();
        let enums = self.build.sources.iter().flat_map(|source| &source.ast.enums);
        enums.map(|kind| U256::from(kind.members)).any(|count| members.contains(&count))
    }
}

fn told(build: &Build, (source, span): SourceRange) -> Place {
    Place::of(build, source, span)
}

/// The range that relates to `from` as `at` relates to `to`.
fn shift(at: SourceRange, from: SourceRange, to: SourceRange) -> Option<SourceRange> {
    if at.0 != to.0 {
        return None;
    }
    let start = (i64::from(at.1.start) - i64::from(to.1.start)) + i64::from(from.1.start);
    let start = u32::try_from(start).ok()?;
    Some((from.0, Span::new(start, start.checked_add(at.1.len())?)))
}
