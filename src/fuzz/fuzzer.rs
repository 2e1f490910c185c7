//! A [`Fuzzer`] is one worker's part of a session: its random number generator, its copy of the corpus, and the state of the
//! search and the schedule. A single fuzzer is deterministic for a given seed. Each of its steps is a stage (`stages/`).

use super::{
    call_records::CallRecords, guidance::Guidance, property_reads::PropertyReads, rerun::Rerun, session::Session,
    share::SearchShare, unanswered::Unanswered, unpaid::UnpaidCall, wanted_keys::WantedKeys, withdrawals::Withdrawals,
};
use crate::{
    code::Stage,
    compile::ContractId,
    corpus::{LocalCorpus, State},
    evm::{SlotWrite, spread},
    harness::{Checkpoints, Harness, HarnessKind},
    input::{CallId, Dictionary, Generator, InstanceId, Sequence, Setup, Transaction},
    oracle::OracleSet,
    search::{PackedSlots, Search},
    tuning::Tuning,
    world::{STRANGERS_CONTRACT, World},
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The setup or call that a fuzzer is running. The whole sequence is built from it only on request.
pub(super) enum InFlight {
    Nothing,
    Setup(Setup),
    Call(Arc<State>, Transaction),
}

/// One worker's part of a session.
pub struct Fuzzer {
    pub(super) session: Arc<Session>,
    pub(super) index: usize,
    pub(super) tuning: Arc<Tuning>,
    pub(super) oracles: OracleSet,
    pub(super) rng: ChaCha8Rng,
    pub(super) generator: Generator,
    /// States right after a setup, each with other arguments.
    pub(super) roots: Vec<Arc<State>>,
    pub(super) corpus: LocalCorpus,
    /// Its position in the shared corpus: everything before it was polled.
    pub(super) cursor: u64,
    /// The number of evictions that it has followed.
    evictions: u64,
    pub(super) search: Search,
    pub(super) share: SearchShare,
    pub(super) guidance: Guidance,
    /// Transactions since new code was last reached.
    pub(super) stale: u64,
    /// Transactions since it was created; the clock of waiting objectives.
    pub(super) clock: u64,
    /// The words that the dispatcher compares calldata with.
    pub(super) selectors: HashSet<U256>,
    /// The maximum number of calls before a state that is kept.
    pub(super) max_depth: usize,
    /// Gas that was spent on deployments.
    pub(super) deployment_gas: u64,
    /// The states along the first setup that was run.
    pub(super) first_setup: Checkpoints,
    /// Steps of setups that were run.
    pub(super) setup_steps: usize,
    /// The instance that stands for the contract at each address where a run created one.
    pub(super) created_kinds: HashMap<Address, Option<InstanceId>>,
    /// Functions whose calls are known by hashes that they computed.
    pub(super) hashing: HashSet<CallId>,
    /// Hashes under which calls looked for something.
    pub(super) wanted_keys: WantedKeys,
    /// What each property depends on.
    pub(super) property_reads: BTreeMap<CallId, PropertyReads>,
    /// States in which properties may say something else, each with what the call to it wrote.
    pub(super) unchecked: Vec<(Arc<State>, Vec<SlotWrite>)>,
    /// How calls ended since the last slice, where there are properties.
    pub(super) records: CallRecords,
    /// Calls in which somebody without code is called, run again with a contract there.
    pub(super) unanswered: Rerun<Unanswered>,
    /// Calls in which a contract has too little ether, run again after a payment.
    pub(super) unpaid: Rerun<UnpaidCall>,
    /// How ether was paid in and out.
    pub(super) withdrawals: Withdrawals,
    /// Whether the last step replayed a sequence of other code.
    pub(super) replayed: bool,
    /// Whether the contract falls to other machines, with which this one shares.
    pub(super) falls_elsewhere: bool,
    /// The setup or call that is being run, reported if it panics.
    pub(super) in_flight: InFlight,
}

impl std::fmt::Debug for Fuzzer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Fuzzer").field("session", &self.session).field("index", &self.index).finish_non_exhaustive()
    }
}

impl Fuzzer {
    /// The fuzzer `index` of a session.
    pub fn new(session: Arc<Session>, index: usize) -> Self {
        let harness = &session.harness;
        let mut generator = Generator::new(harness.calls.clone(), harness.senders(), World::senders());
        if session.techniques.dictionary {
            generator.dictionary = dictionary(&session);
        }
        let is_test = harness.kind() == HarnessKind::Test;
        let tuning = if is_test { Arc::new(session.tuning.of_tests()) } else { session.tuning.clone() };
        let max_depth = harness.calls.rules().max_calls.map_or(tuning.max_depth, |calls| calls.min(tuning.max_depth));
        Self {
            tuning,
            oracles: session.oracles(),
            // Fuzzers of one session, and sessions of one campaign, draw different numbers.
            rng: ChaCha8Rng::seed_from_u64(session.seed ^ number(index, harness)),
            generator,
            roots: Vec::new(),
            corpus: LocalCorpus::new(session.tuning.clone()),
            cursor: 0,
            evictions: 0,
            search: Search::new(
                session.techniques.search(),
                packed(harness),
                session.tuning.clone(),
                session.meter.clone(),
            ),
            share: SearchShare::new(session.tuning.clone()),
            guidance: Guidance::new(&session),
            stale: 0,
            clock: 0,
            selectors: selectors(harness),
            max_depth,
            deployment_gas: 0,
            first_setup: Checkpoints::default(),
            setup_steps: 0,
            created_kinds: HashMap::default(),
            hashing: HashSet::default(),
            wanted_keys: WantedKeys::default(),
            property_reads: BTreeMap::new(),
            unchecked: Vec::new(),
            records: CallRecords::default(),
            unanswered: Rerun::default(),
            unpaid: Rerun::default(),
            withdrawals: Withdrawals::default(),
            replayed: false,
            falls_elsewhere: false,
            in_flight: InFlight::Nothing,
            session,
            index,
        }
    }

    /// Keeps only the states right after deployment, so that every sequence is one call.
    #[must_use]
    pub fn stateless(mut self) -> Self {
        self.max_depth = 0;
        self
    }

    /// Continues in the session of the next build, which runs the same code. Findings and coverage that came too late for the
    /// hand-over are merged into it.
    pub(super) fn migrate_to(&mut self, session: Arc<Session>) {
        session.catch_up(&self.session);
        self.oracles = session.oracles().in_place_of(&mut self.oracles);
        self.generator.calls = session.harness.calls.clone();
        self.search.set_packed(packed(&session.harness));
        self.session = session;
    }

    /// The rounds until its next turn.
    pub(super) fn rounds(&self) -> u64 {
        let Tuning { idle_after, most_rounds, elsewhere_rounds, .. } = *self.tuning;
        let rounds = 1 + self.stale / idle_after.max(1);
        let rounds = if self.falls_elsewhere { rounds.saturating_mul(elsewhere_rounds.max(1)) } else { rounds };
        rounds.min(most_rounds.max(1))
    }

    /// The session of the fuzzer.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// The sequence that was being run, for the report of a panic.
    pub(super) fn in_flight(&self) -> Option<Sequence> {
        match &self.in_flight {
            InFlight::Nothing => None,
            InFlight::Setup(setup) => Some(Sequence { setup: setup.clone(), transactions: Vec::new() }),
            InFlight::Call(state, transaction) => Some(state.sequence_with(transaction)),
        }
    }

    /// Drops entries and states that the session has evicted.
    pub(super) fn follow_evictions(&mut self) {
        if self.evictions != self.session.shared.evictions() {
            self.evictions = self.session.shared.evictions();
            let kept = self.session.shared.kept();
            self.corpus.retain(&kept);
            self.search.retain(&kept, &self.session.meter);
            self.guidance.picked = None;
            let _ = self.unanswered.take();
            let _ = self.unpaid.take();
            let _ = self.withdrawals.take();
        }
    }
}

/// The selectors of all functions, as words.
fn selectors(harness: &Harness) -> HashSet<U256> {
    let functions = harness.calls.instances().iter().flat_map(|instance| &instance.interface.functions);
    let selectors = functions.filter_map(|function| function.selector);
    selectors.map(|selector| U256::from(u32::from_be_bytes(selector))).collect()
}

/// The slots that hold several variables, with the offset and size in bits of each.
fn packed(harness: &Harness) -> PackedSlots {
    let mut packed: PackedSlots = PackedSlots::default();
    for instance in harness.calls.instances() {
        let Some(layout) = &instance.layout else { continue };
        for variable in &layout.storage {
            let size = layout.types.get(&variable.storage_type).and_then(|ty| ty.number_of_bytes.parse::<usize>().ok());
            if let (Ok(slot), Some(bytes)) = (variable.slot.parse::<U256>(), size)
                && bytes < 32
            {
                packed.entry((instance.address, slot)).or_default().push((8 * variable.offset as usize, 8 * bytes));
            }
        }
    }
    packed
}

/// The words that the code of the subjects mentions, the strings of their sources, and the account of somebody's contract.
fn dictionary(session: &Session) -> Dictionary {
    let harness = &session.harness;
    let (build, programs) = (&harness.build, &harness.programs);
    let (mut words, mut strings) = (BTreeSet::new(), Vec::new());
    for contract in subjects(harness) {
        let own = [Stage::Creation, Stage::Runtime].map(|stage| programs.get(programs.id(contract, stage)));
        let constants = || own.iter().flat_map(|program| program.constants());
        let arithmetic = programs.arithmetic(build).of_program(programs.id(contract, Stage::Runtime));
        let telling = arithmetic.map(|arithmetic| arithmetic.telling_words(constants())).unwrap_or_default();
        words.extend(constants().copied().chain(telling));
        strings.extend(&build.source(build.contract(contract).source).ast.strings);
    }
    let mut dictionary = Dictionary::from_words(words);
    dictionary.insert_stranger(STRANGERS_CONTRACT);
    for string in strings {
        dictionary.insert_string(string.clone());
    }
    dictionary
}

/// The contracts that a session is about: its contract, and where that is a test contract, those that its tests call.
fn subjects(harness: &Harness) -> BTreeSet<ContractId> {
    let called = harness.calls.calls().iter().filter_map(|call| harness.contract_of(call.target));
    let called = called.filter(|_| harness.kind() == HarnessKind::Test);
    called.chain([harness.contract]).collect()
}

/// A number for each fuzzer of each contract, spread over all bits.
fn number(index: usize, harness: &Harness) -> u64 {
    let world = u64::from(harness.suite().is_some()) << 63;
    spread((index as u64 ^ (u64::from(harness.contract.0) << 32) ^ world).wrapping_add(0x9e37_79b9_7f4a_7c15))
}
