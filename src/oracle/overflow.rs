//! `overflow`: a result that does not fit its type goes around, where nobody checks it (SWC-101): below 0.8, in `unchecked` blocks, in
//! assembly, and in conversions to narrower types. It is proven by another run: with the number of the type that is nearest to the
//! exact result, the same call stores, pays, passes or logs something else, or is refused. Where a branch tests right there whether the
//! result went around, nothing is claimed.
//!
//! Nothing is claimed either of numbers that nobody has: amounts of more than [`MAX_BITS`] bits that no caller passes or that only the
//! deployer hands out, and moments that are generations away. Counters that go around on purpose (the price accumulators of exchanges)
//! need those.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{Arrival, StrangerPower, Strangers, Trial, unbounded},
    violation::{Cause, Place, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    code::{ArithmeticSite, Program, Programs},
    compile::{Build, IntegerType, Jump, Operation, OperationKind, SourceId},
    evm::{Call, CallTarget, Failure, FailureKind, START, Wrap},
    project::Level,
    world::is_deployer,
};
use alloy_primitives::U256;

const META: OracleMeta = oracle_meta! {
    id: "overflow",
    title: "Unchecked arithmetic wraps around",
    swc: "101",
    level: Level::Error,
    description: "The result of unchecked arithmetic, or of a conversion, does not fit its type and is used nevertheless",
};

/// Bits of an amount that somebody may have: 5 · 10^15 units of a token with 18 decimals. Chosen by hand.
const MAX_BITS: usize = 112;
/// Bits that a word has at least which is passed and multiplied: a number divides others by chance where it is small. Chosen by hand.
const MIN_FACTOR_BITS: usize = 64;
/// Blocks before a cut in which the call is looked for that it was made for; chosen by hand.
const MAX_WAY_BACK: usize = 8;
/// Seconds after the start in which code may run that is deployed today: thirty years, chosen by hand.
const MAX_AGE: u64 = 30 * 365 * 24 * 3600;

#[derive(Debug)]
pub(super) struct Overflow;

impl Oracle for Overflow {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { arithmetic: true, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        // What the deployer may do is no attack, and a test that shows it would stay red.
        let call = execution.call;
        if is_deployer(call.sender) || call.moment.timestamp > START.timestamp + MAX_AGE {
            return;
        }
        for (index, failure) in execution.observation().failures.iter().enumerate() {
            if let FailureKind::Wrap(wrap) = failure.kind
                && is_ordinary(&wrap, call)
                && let Some(place) = place(execution.build, execution.programs, failure)
                && !is_declared(execution.build, place)
            {
                violations.add_failure(index, place, cause(wrap.kind));
            }
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let difference = trial.unbounded(violation)?;
        // Who has a role is trusted with amounts.
        let Strangers { power, attack } = trial.strangers_in_turn(violation);
        if power == StrangerPower::None || !trial.is_shown_with_ordinary_numbers(MAX_BITS, attack, violation) {
            return None;
        }
        let is_told = matches!(difference.arrival, Arrival::Logged | Arrival::Passed);
        // What is narrowed may be a mark or a part of something else.
        let is_minor = is_told || difference.wrap.kind == OperationKind::Narrow;
        let most = if is_minor { Level::Warning } else { Level::Error };
        Some(Weight::at_most(most, Grounds::Wraps(Box::new(difference))))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let (build, programs) = (&replay.harness.build, &replay.harness.programs);
        let is_own = |failure: &&Failure| {
            matches!(failure.kind, FailureKind::Wrap(_)) && place(build, programs, failure) == Some(violation.place)
        };
        let failure = replay.failures.iter().find(is_own).ok_or("nothing wraps around any more")?;
        unbounded::left(replay, failure, violation.place)
            .ok_or("what wraps around is only passed to contracts that no test knows")
    }
}

/// What functions are called whose arithmetic is meant to go around.
const MEANT: [&str; 5] = ["wrap", "unchecked", "unsafe", "overflow", "raw"];

/// Whether it is said to be meant: by the name of its function, or by a comment beside it or right above, "overflow is desired".
fn is_declared(build: &Build, place: Place) -> bool {
    let function = place.names(build).function.to_lowercase();
    if MEANT.iter().any(|word| function.contains(word)) {
        return true;
    }
    let text = &build.source(place.source).text;
    let (start, end) = (place.span.start as usize, place.span.end as usize);
    let (Some(before), Some(after)) = (text.get(..start), text.get(end..)) else { return false };
    let mut above = before.rsplit('\n').take(2);
    let own = above.next().unwrap_or_default();
    let above = above.next().unwrap_or_default();
    let below = after.split('\n').next().unwrap_or_default();
    let comment = |line: &str| line.split_once("//").map(|(_, comment)| comment.to_lowercase()).unwrap_or_default();
    let is_whole = above.trim_start().starts_with("//");
    let comments = [own, below, if is_whole { above } else { "" }].map(comment).concat();
    ["overflow", "underflow", "wrap"].iter().any(|word| comments.contains(word))
        && ["desired", "acceptable", "intended", "intentional", "expected", "purpose"]
            .iter()
            .any(|word| comments.contains(word))
}

fn cause(kind: OperationKind) -> Cause {
    Cause::Other(match kind {
        OperationKind::Add => "sum can wrap around",
        OperationKind::Subtract => "difference can wrap around",
        OperationKind::Multiply => "product can wrap around",
        OperationKind::Power => "power can wrap around",
        OperationKind::Narrow => "conversion can lose digits",
    })
}

/// Whether somebody may have these numbers: amounts that exist, or words that the caller passes.
fn is_ordinary(wrap: &Wrap, call: &Call) -> bool {
    let data = match &call.target {
        CallTarget::Account(_, data) => data.get(4..).unwrap_or_default(),
        CallTarget::Create(..) => &[],
    };
    // What is passed may have been moved by an amount, or have been multiplied with one, such as a price.
    let is_near = |passed: U256, word: U256| passed.abs_diff(word).bit_len() <= MAX_BITS;
    let is_multiple = |passed: U256, word: U256| {
        let [most, least] = [MAX_BITS, MIN_FACTOR_BITS];
        passed.bit_len() >= least && (word % passed).is_zero() && (word / passed).bit_len() <= most
    };
    let is_made_of = |passed: U256, word: U256| is_near(passed, word) || is_multiple(passed, word);
    let is_passed = |word: &U256| data.chunks_exact(32).any(|passed| is_made_of(U256::from_be_slice(passed), *word));
    let numbers = wrap.operands.iter().zip(wrap.numbers());
    let mut large = numbers.filter(|(_, number)| number.magnitude.bit_len() > MAX_BITS).peekable();
    large.peek().is_none() || large.any(|(word, _)| is_passed(word))
}

/// The conversion for which the function was called that cuts, by the last call on the way there.
fn called_for<'a>(
    build: &'a Build,
    program: &Program,
    failure: &Failure,
    sought: (OperationKind, IntegerType),
) -> Option<(SourceId, &'a Operation)> {
    let way = failure.history.iter().rev().take(MAX_WAY_BACK).map(|block| program.block(*block).last);
    let calls = way.filter(|pc| program.element(*pc).is_some_and(|element| element.jump == Jump::In));
    calls.filter_map(|pc| program.range(pc)).find_map(|(source, span)| {
        let operations = build.source(source).ast.operations.iter();
        let is_it = |known: &&Operation| known.side_of == Some(span) && (known.kind, known.ty) == sought;
        let mut sides = operations.filter(is_it);
        sides.next().filter(|_| sides.next().is_none()).map(|operation| (source, operation))
    })
}

/// Where it is in the source. Where the code tells only which function was called, that is the place, unless it has one operation of
/// that kind only, or the way shows for which one a function of the compiler's own was called.
fn place(build: &Build, programs: &Programs, failure: &Failure) -> Option<Place> {
    let arithmetic = programs.arithmetic(build).of_program(failure.program)?;
    let ArithmeticSite { kind, ty, place, .. } = *arithmetic.site(failure.pc as usize)?;
    if let Some((source, span)) = place {
        return Some(Place::of(build, source, span));
    }
    if let Some((source, operation)) = called_for(build, programs.get(failure.program), failure, (kind, ty)) {
        return Some(Place::of(build, source, operation.span));
    }
    let contract = build.contract(programs.get(failure.program).contract);
    let functions = programs.definitions(build).with_selector(failure.selector?);
    let own = functions.iter().filter(|(source, _)| !build.source(*source).foreign);
    let (source, function) =
        own.max_by_key(|(source, span)| *source == contract.source && contract.span.contains(*span))?;
    let operations = build.source(*source).ast.operations.iter();
    let is_it = |known: &&Operation| known.unchecked && (known.kind, known.ty) == (kind, ty);
    let mut inside = operations.filter(|known| is_it(known) && function.contains(known.span));
    let only = inside.next().filter(|_| inside.next().is_none());
    Some(Place::of(build, *source, only.map_or(*function, |only| only.span)))
}
