//! A [`Refusal`] is a deployment that failed. Of all that were tried, [`Refusals`] keeps one that ended at a check which no
//! other has passed, and explains it to the user: how it ends, and which parameters have to be contracts. That a parameter has
//! to be one is never guessed from its type: the deployment is replayed with code at the address that the parameter holds, and
//! that code alone has to make it pass the check.

use crate::{
    code::ProgramId,
    evm::{Branch, Executor, Outcome, Status},
    finding,
    harness::{Action, Harness},
    input::{Deployment, Parameter, Position, Type, ValuePart, set_word, words},
};
use alloy_primitives::{Address, Bytes, U256, hex, keccak256};
use std::collections::BTreeSet;

/// The maximum number of addresses in constructor arguments that are examined: each costs a handful of runs. Chosen by hand.
const MAX_PLACES: usize = 16;
/// The highest address that counts as a precompile of Ethereum. Those of rollups begin above it (RIP-7212).
const LAST_PRECOMPILE: Address = Address::with_last_byte(0xff);
/// The maximum number of functions of one contract that are named. Chosen by hand.
const MAX_NAMED: usize = 3;

/// Code that is put at an address for an experiment: it does nothing, returns the word 1, or returns the words 32 and 0, which
/// are an empty string or array.
const STAND_INS: [&[u8]; 3] =
    [&[0x00], &hex!("6001 6000 52 6020 6000 f3"), &hex!("6020 6000 52 6000 6020 52 6040 6000 f3")];

/// A deployment that failed.
#[derive(Debug)]
pub(super) struct Refusal {
    deployment: Deployment,
    /// How it ended, for the user.
    reason: String,
    /// Whether an argument is a precompile, which can be called although its address has no code.
    names_precompile: bool,
    run: Run,
}

impl Refusal {
    /// The refusal of the deployment that the executor has just run.
    pub(super) fn new(harness: &Harness, deployment: Deployment, outcome: &Outcome, executor: &Executor) -> Self {
        let names_precompile = places(harness, &deployment).iter().any(|place| place.address <= LAST_PRECOMPILE);
        Self { reason: reason(harness, outcome), deployment, names_precompile, run: Run::new(outcome, executor) }
    }

    /// Whether it came further than another one, and so explains more.
    fn surpasses(&self, other: &Self) -> bool {
        if self.names_precompile != other.names_precompile {
            other.names_precompile
        } else {
            self.run.passes(&other.run)
        }
    }
}

/// The deployments of a contract that failed.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    count: u32,
    furthest: Option<Box<Refusal>>,
}

impl Refusals {
    /// Adds a refusal. Of several that came equally far the first is kept.
    pub(super) fn add(&mut self, refusal: Box<Refusal>) {
        self.count += 1;
        if self.furthest.as_ref().is_none_or(|furthest| refusal.surpasses(furthest)) {
            self.furthest = Some(refusal);
        }
    }

    /// Why no deployment succeeds, in one line: `token_ must be a contract: revert "token is not a contract"`.
    pub(super) fn explain(&self, harness: &Harness) -> String {
        let Some(Refusal { deployment, reason, .. }) = self.furthest.as_deref() else {
            return "its constructor was not tried".to_owned();
        };
        let needed = needed_contracts(harness, deployment);
        match &needed[..] {
            [] if self.count == 1 => format!("its constructor always fails: {reason}"),
            [] => format!("its constructor refused all {} deployments that were tried: {reason}", self.count),
            [one] if one.functions.is_empty() => format!("{} must be a contract: {reason}", one.parameter),
            [one] => format!("{} must be a contract with {}: {reason}", one.parameter, listed(&one.functions)),
            several => {
                let several: Vec<String> = several.iter().map(Needed::with_functions).collect();
                format!("{} must be contracts: {reason}", listed(&several))
            }
        }
    }
}

/// A parameter that has to be a contract.
struct Needed {
    /// Its name in Solidity: `token_`, `config.token`, `tokens[1]`.
    parameter: String,
    /// The functions that the constructor calls on it.
    functions: Vec<String>,
}

impl Needed {
    fn with_functions(&self) -> String {
        if self.functions.is_empty() {
            return self.parameter.clone();
        }
        format!("{} ({})", self.parameter, self.functions.join(", "))
    }
}

/// `a`, `a and b`, `a, b and c`.
fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

/// How a deployment ended, with the names of errors from anywhere in the build.
fn reason(harness: &Harness, outcome: &Outcome) -> String {
    let told = finding::ending(harness, outcome);
    let data = &outcome.output;
    if told != "revert" || outcome.status != Status::Revert {
        return told;
    }
    let Some(selector) = data.first_chunk::<4>() else { return "revert without a reason".to_owned() };
    harness.build.error_name(*selector).map_or_else(
        || format!("revert with data {}", Bytes::copy_from_slice(selector)),
        |error| format!("revert {error}"),
    )
}

/// An address in the constructor's arguments.
struct Place {
    argument: usize,
    position: Position,
    name: String,
    /// The address itself.
    address: Address,
}

/// The nonzero addresses in a deployment's arguments, in order.
fn places(harness: &Harness, deployment: &Deployment) -> Vec<Place> {
    let inputs = &harness.interface().constructor.inputs;
    let mut places = Vec::new();
    for (argument, (value, input)) in deployment.arguments.iter().zip(inputs).enumerate() {
        for (position, word) in words(value, &input.ty) {
            if let Some(name) = address_name(input, &position).filter(|_| !word.is_zero()) {
                places.push(Place { argument, position, name, address: Address::from_word(word.into()) });
            }
        }
    }
    places.truncate(MAX_PLACES);
    places
}

/// The name of the address at a position; `None` if the position holds something else.
fn address_name(parameter: &Parameter, position: &Position) -> Option<String> {
    let (mut ty, mut name) = (&parameter.ty, parameter.name.clone());
    for index in &position.path {
        match ty {
            Type::Array(inner) | Type::FixedArray(inner, _) => {
                ty = inner;
                name += &format!("[{index}]");
            }
            Type::Tuple { fields, .. } => {
                let field = fields.get(*index as usize)?;
                ty = &field.ty;
                name += &format!(".{}", field.name);
            }
            _ => return None,
        }
    }
    (ty.is_address() && position.part == ValuePart::Word).then_some(name)
}

/// An address that occurs nowhere else, so that a call to it must take it from the arguments.
fn unheard_of(number: usize) -> Address {
    Address::from_word(keccak256(format!("an argument of a constructor, {number}")))
}

/// The data by which the ends of two runs are compared.
#[derive(Debug)]
struct Run {
    success: bool,
    /// The last branch, which decided how the run ended.
    last: Option<Branch>,
    branches: Vec<Branch>,
    /// The address and the selector of each call.
    called: Vec<(Address, Option<[u8; 4]>)>,
}

impl Run {
    /// The run that the executor has just finished.
    fn new(outcome: &Outcome, executor: &Executor) -> Self {
        let observation = executor.observation();
        Self {
            success: outcome.status == Status::Success,
            last: observation
                .branches
                .last()
                .copied()
                .filter(|_| observation.branches.len() as u64 == observation.length),
            branches: observation.branches.clone(),
            called: observation.calls.nodes().iter().map(|call| (call.code, call.selector())).collect(),
        }
    }

    /// Whether this run passed the check at which the other one failed: it took the other direction of that branch more often.
    fn passes(&self, failed: &Self) -> bool {
        let Some(last) = failed.last else { return false };
        let other =
            |branch: &&Branch| (branch.program, branch.pc, branch.taken) == (last.program, last.pc, !last.taken);
        self.success || self.branches.iter().filter(other).count() > failed.branches.iter().filter(other).count()
    }
}

/// Runs one deployment with code at some of the addresses that it names.
struct Experiment<'a> {
    harness: &'a Harness,
    executor: Executor,
    deployment: Deployment,
    places: Vec<Place>,
}

/// The parameters that have to be contracts for the deployment to come further, as far as runs show that, each with the
/// functions called on it.
fn needed_contracts(harness: &Harness, deployment: &Deployment) -> Vec<Needed> {
    let places = places(harness, deployment);
    let mut executor = harness.executor();
    executor.set_detailed(true);
    let mut experiment = Experiment { harness, executor, deployment: deployment.clone(), places };
    let before = experiment.run(&BTreeSet::new(), STAND_INS[0]);
    experiment.stand_apart();
    let mut failed = experiment.run(&BTreeSet::new(), STAND_INS[0]);
    // The replaced addresses must not have changed the outcome.
    if before.success || failed.success || before.last.map(site) != failed.last.map(site) {
        return Vec::new();
    }
    // A check for one contract may be followed by a check for another.
    let (mut needed, mut stand_in) = (BTreeSet::new(), STAND_INS[0]);
    while let Some((more, with)) = experiment.needed(&needed, &failed) {
        (needed, stand_in) = (more, with);
        failed = experiment.run(&needed, stand_in);
        if failed.success {
            break;
        }
    }
    let run = experiment.run(&needed, stand_in);
    needed.iter().map(|at| experiment.told(*at, &run)).collect()
}

fn site(branch: Branch) -> (ProgramId, u32, bool) {
    (branch.program, branch.pc, branch.taken)
}

impl Experiment<'_> {
    /// Puts a distinct address into each place. They keep the order of the original addresses, which a constructor may check.
    fn stand_apart(&mut self) {
        let mut addresses: Vec<Address> = (0..self.places.len()).map(unheard_of).collect();
        addresses.sort_unstable();
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|at| self.places[*at].address);
        for (at, address) in order.into_iter().zip(addresses) {
            let place = &mut self.places[at];
            let ty = &self.harness.interface().constructor.inputs[place.argument].ty;
            let word = U256::from_be_slice(address.as_slice());
            if set_word(&mut self.deployment.arguments[place.argument], ty, &place.position, word) {
                place.address = address;
            }
        }
    }

    /// The places that have to be contracts, including the known ones, for a run to pass the check at which one failed; and the
    /// code with which it does. `None` if no code helps.
    fn needed(&mut self, known: &BTreeSet<usize>, failed: &Run) -> Option<(BTreeSet<usize>, &'static [u8])> {
        let all: BTreeSet<usize> = (0..self.places.len()).collect();
        let stand_in = STAND_INS.into_iter().find(|code| self.run(&all, code).passes(failed))?;
        let mut needed = all;
        for at in 0..self.places.len() {
            if !known.contains(&at) {
                needed.remove(&at);
                if !self.run(&needed, stand_in).passes(failed) {
                    needed.insert(at);
                }
            }
        }
        (needed.len() > known.len()).then_some((needed, stand_in))
    }

    /// Deploys with this code at these places.
    fn run(&mut self, with_code: &BTreeSet<usize>, code: &'static [u8]) -> Run {
        let mut state = self.harness.world.genesis.clone();
        for at in with_code {
            state = state.with_code(self.places[*at].address, Bytes::from_static(code));
        }
        let outcome = self.executor.run(&state, &self.harness.call(Action::Deploy(&self.deployment), state.moment()));
        Run::new(&outcome, &self.executor)
    }

    /// The parameter at a place, with the functions that a run called there.
    fn told(&self, place: usize, run: &Run) -> Needed {
        let Place { name, address, .. } = &self.places[place];
        let contracts = &self.harness.build.contracts;
        let mut names: Vec<String> = Vec::new();
        for (_, selector) in run.called.iter().filter(|(target, _)| target == address) {
            let mut functions = contracts.iter().flat_map(|contract| contract.abi.functions());
            let name = functions.find(|function| Some(function.selector().0) == *selector).map(|it| it.signature());
            names.extend(name.filter(|name| !names.contains(name)));
        }
        names.truncate(MAX_NAMED);
        Needed { parameter: name.clone(), functions: names }
    }
}
