//! A [`Lane`] is one worker's way through a session: its generator of chance and its copy of the corpus.
//! One lane with one seed always does the same.

mod aim;
mod goal;
mod grant;

use super::{
    corpus::{Corpus, Entry, MAX_DEPTH, State, Taken},
    feed::Shared,
    missed::{Missed, Side},
    session::Session,
};
use crate::{
    compile::ContractId,
    evm::{Executor, Observation, SlotWrite, Snapshot, Status, World, spread},
    input::{Deployment, Dictionary, FunctionId, Generator, Sequence, Transaction, Type, Value},
    oracle::Bench,
    subject::{Deployed, Subject},
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use grant::Writer;
use rand::{RngExt, SeedableRng, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    sync::Arc,
};

/// How many deployments with other arguments are fuzzed side by side.
const ROOTS: usize = 8;
/// How often a constructor is tried with other arguments before the contract is given up.
const MAX_DEPLOYMENTS: u32 = 4_000;
/// So much gas is spent on constructors that refuse: one that loops until its gas is gone takes a second each time.
const MAX_DEPLOYMENT_GAS: u64 = 4_000_000_000;
/// So many deployments are tried before the loop begins with what stands.
const EAGER_DEPLOYMENTS: u32 = 64;
/// Once in so many steps another deployment is tried.
const REDEPLOY: u32 = 512;
/// How often an entry's last transaction is mutated when it is picked.
const ENERGY: u32 = 16;
/// Longest walk from a state.
const MAX_WALK: u32 = 6;
/// Of a thousand transactions, so many aim at a side that was just missed: more while that takes sides, fewer while it does not.
const MOST_AIMED: u64 = 700;
const FIRST_AIMED: u64 = 400;
const LEAST_AIMED: u64 = 150;
/// While new code is reached without aiming, at least once in so many transactions, nothing is aimed at.
const PATIENCE: u64 = 12;
/// So many transactions back the shares are counted.
const WINDOW: u64 = 20_000;
/// Words learned at run time below this are everywhere anyway.
const LEAST_LEARNED: u64 = 256;
/// Arguments are taken from so many calls back.
const RELATED: usize = 4;
/// Of the states, so many of the latest are preferred.
const LATEST: usize = 24;

/// How many transactions may still be run, and who may stop it before.
pub(super) struct Allowance<'a> {
    left: u64,
    stop: &'a dyn Fn() -> bool,
}

impl Allowance<'_> {
    fn is_spent(&self) -> bool {
        self.left == 0 || (self.stop)()
    }

    fn spend(&mut self) {
        self.left -= 1;
    }
}

/// What a lane is running; the whole sequence is made of it only when it is asked for.
enum Trying {
    Nothing,
    Deployment(Deployment),
    Call(Arc<State>, Transaction),
}

/// One worker's part of a session.
pub struct Lane {
    session: Arc<Session>,
    index: usize,
    bench: Bench,
    rng: ChaCha8Rng,
    generator: Generator,
    roots: Vec<Arc<State>>,
    corpus: Corpus,
    heard: u64,
    /// The evictions that it has followed.
    evictions: u64,
    replays: VecDeque<Sequence>,
    missed: Missed,
    /// Of a thousand transactions, so many aim at what was missed.
    aimed: u64,
    /// Transactions since new code was reached.
    stale: u64,
    /// Transactions so far, and those that aimed.
    spent: u64,
    spent_aiming: u64,
    /// Transactions that what is being aimed at may still cost.
    fuel: u32,
    /// How often a function was seen to need another state.
    demands: BTreeMap<FunctionId, u32>,
    /// Slots that such functions need to be different.
    wanted: BTreeSet<(Address, U256)>,
    /// Who changed which slot.
    writers: HashMap<(Address, U256), Vec<Writer>>,
    /// Parts of the contract's own slots that hold several variables, as shift and width in bits.
    packed: HashMap<U256, Vec<(usize, usize)>>,
    /// What the dispatcher compares calldata with.
    selectors: HashSet<U256>,
    /// Preimages of hashes.
    hashes: HashMap<U256, Vec<u8>>,
    /// States that more calls led to are not kept.
    max_depth: usize,
    /// Spent on deployments so far.
    deployment_gas: u64,
    /// What is being tried, to be reported if it panics.
    trying: Trying,
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("session", &self.session).field("index", &self.index).finish_non_exhaustive()
    }
}

impl Lane {
    /// The lane `index` of a session, which first runs `replays` again.
    pub fn new(session: Arc<Session>, index: usize, replays: Vec<Sequence>) -> Self {
        let subject = &session.subject;
        let senders = World::senders();
        let mut generator = Generator::new(subject.interface.clone(), senders.clone(), senders);
        if session.techniques.dictionary {
            generator.dictionary = dictionary(&session);
        }
        Self {
            bench: session.bench(),
            // Lanes of one session, and sessions of one campaign, draw different numbers.
            rng: ChaCha8Rng::seed_from_u64(session.seed ^ number(index, subject.contract)),
            generator,
            roots: Vec::new(),
            corpus: Corpus::default(),
            heard: 0,
            evictions: 0,
            replays: replays.into(),
            missed: Missed::default(),
            aimed: FIRST_AIMED,
            stale: 0,
            spent: 0,
            spent_aiming: 0,
            selectors: selectors(subject),
            fuel: 0,
            demands: BTreeMap::new(),
            wanted: BTreeSet::new(),
            writers: HashMap::default(),
            packed: packed(subject),
            hashes: HashMap::default(),
            max_depth: MAX_DEPTH,
            deployment_gas: 0,
            trying: Trying::Nothing,
            session,
            index,
        }
    }

    /// Keeps no state but those right after deployment, so that every sequence is one call.
    #[must_use]
    pub fn stateless(mut self) -> Self {
        self.max_depth = 0;
        self
    }

    /// The session it belongs to.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// What was being run when a panic ended it.
    pub(super) fn trying(&self) -> Option<Sequence> {
        match &self.trying {
            Trying::Nothing => None,
            Trying::Deployment(deployment) => {
                Some(Sequence { deployment: deployment.clone(), transactions: Vec::new() })
            }
            Trying::Call(state, transaction) => Some(state.sequence_with(transaction)),
        }
    }

    /// Fuzzes until `usual` transactions are spent or `stop` says so. What has been begun by then is brought to its end,
    /// with at most `most` transactions in all. Returns how many were spent.
    pub fn run(&mut self, executor: &mut Executor, usual: u64, most: u64, stop: &dyn Fn() -> bool) -> u64 {
        let (news, heard) = self.session.news(self.index, self.heard);
        self.heard = heard;
        for shared in news {
            match shared {
                Shared::Entry(entry) => {
                    self.missed.add(&entry, &self.session.coverage, |side| is_written(&self.session, side));
                    self.corpus.keep(entry);
                }
                Shared::State(state) => {
                    let rng = &mut self.rng;
                    self.corpus.keep_state(state, |count| rng.random_range(0..count));
                }
            }
        }
        let most = most.max(usual);
        let mut allowance = Allowance { left: most, stop };
        while most - allowance.left < usual && !allowance.is_spent() && self.session.undeployable().is_none() {
            self.follow_evictions();
            let before = allowance.left;
            self.step(executor, &mut allowance);
            self.spent += before - allowance.left;
            if self.spent > WINDOW {
                // What was long ago counts less and less.
                (self.spent, self.spent_aiming) = (self.spent / 2, self.spent_aiming / 2);
            }
        }
        // Nothing is being tried now, and what was holds on to the states that led to it.
        self.trying = Trying::Nothing;
        self.follow_evictions();
        most - allowance.left
    }

    /// Lets go of what the session does not keep any more.
    fn follow_evictions(&mut self) {
        if self.evictions != self.session.evictions() {
            self.evictions = self.session.evictions();
            let kept = self.session.kept();
            self.corpus.retain(&kept);
            self.missed.retain(&kept);
        }
    }

    /// One decision of the loop and what follows from it.
    fn step(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        if let Some(sequence) = self.replays.pop_front() {
            return self.replay(executor, sequence, allowance);
        }
        if self.roots.is_empty() {
            return self.first_deployments(executor, allowance);
        }
        if self.rng.random_range(0..REDEPLOY) == 0 && self.has_choice() {
            // A constructor may well refuse these arguments.
            let _ = self.deploy(executor);
        }
        if self.session.subject.interface.functions.is_empty() {
            // Nothing can be called; what the constructor does was seen.
            self.session.give_up("it has no function that can be called".to_owned());
            return;
        }
        if self.session.techniques.just_missed
            && !self.missed.is_empty()
            && self.stale >= PATIENCE
            && self.spent_aiming * 1_000 < self.aimed * self.spent
        {
            return self.aim(executor, allowance);
        }
        match self.rng.random_range(0..100_u32) {
            0..35 if !self.corpus.entries.is_empty() => self.mutate_entry(executor, allowance),
            35..50 if !self.corpus.entries.is_empty() => self.mutate_sequence(executor, allowance),
            50..70 => self.call_from_state(executor, allowance),
            _ => self.walk(executor, allowance),
        }
    }

    /// Tries constructor arguments until the contract stands.
    fn first_deployments(&mut self, executor: &mut Executor, allowance: &Allowance<'_>) {
        let mut why = String::new();
        let attempts = if self.has_choice() { MAX_DEPLOYMENTS } else { 1 };
        let mut tried = 0;
        for attempt in 0..attempts {
            if (allowance.stop)() || self.deployment_gas > MAX_DEPLOYMENT_GAS {
                break;
            }
            tried += 1;
            match self.deploy(executor) {
                Ok(()) if self.roots.len() >= ROOTS => return,
                Ok(()) => {}
                Err(reason) => why = reason,
            }
            // One that works is enough to begin with; others come on the way.
            if attempt >= EAGER_DEPLOYMENTS && !self.roots.is_empty() {
                return;
            }
        }
        if self.roots.is_empty() && !(allowance.stop)() {
            self.session.give_up(format!("its constructor does not succeed ({tried} tries; the last: {why})"));
        }
    }

    /// Whether two deployments can differ.
    fn has_choice(&self) -> bool {
        let constructor = &self.session.subject.interface.constructor;
        !constructor.inputs.is_empty() || constructor.is_payable()
    }

    fn deploy(&mut self, executor: &mut Executor) -> Result<(), String> {
        let mut deployment = self.generator.deployment(&mut self.rng);
        deployment.sender = World::owner();
        let subject = self.session.subject.clone();
        self.trying = Trying::Deployment(deployment.clone());
        let (outcome, deployed) = subject.deploy(executor, &deployment);
        self.deployment_gas = self.deployment_gas.saturating_add(outcome.gas);
        self.session.coverage.add(executor.observation());
        for violation in self.bench.judge(executor.observation()) {
            if self.session.claim(violation) {
                let sequence = Sequence { deployment: deployment.clone(), transactions: Vec::new() };
                self.session.confirm(&mut self.bench, &sequence, violation);
            }
        }
        let Some(Deployed { address, state }) = deployed else {
            return Err(crate::finding::result(&subject, &outcome));
        };
        self.know(address);
        let root = Arc::new(State::root(state, address, deployment, &self.session.meter));
        if self.roots.len() < ROOTS {
            self.roots.push(root);
        } else {
            let at = self.rng.random_range(0..ROOTS);
            self.roots[at] = root;
        }
        Ok(())
    }

    /// The contract is an account that arguments may name.
    fn know(&mut self, address: Address) {
        if !self.generator.accounts.contains(&address) {
            self.generator.accounts.push(address);
        }
    }

    /// Runs a sequence of an earlier build.
    fn replay(&mut self, executor: &mut Executor, sequence: Sequence, allowance: &mut Allowance<'_>) {
        let subject = self.session.subject.clone();
        let (_, deployed) = subject.deploy(executor, &sequence.deployment);
        let Some(Deployed { address, state }) = deployed else { return };
        self.know(address);
        let mut state = Arc::new(State::root(state, address, sequence.deployment, &self.session.meter));
        if self.roots.len() < ROOTS && !self.roots.iter().any(|root| root.deployment == state.deployment) {
            self.roots.push(state.clone());
        }
        for transaction in sequence.transactions {
            if allowance.is_spent() {
                return;
            }
            if let Some(next) = self.try_one(executor, &state, transaction, true, allowance) {
                state = next;
            }
        }
    }

    /// Mutates the last transaction of an entry, from the state before it.
    fn mutate_entry(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let entry = self.pick_entry();
        for _ in 0..ENERGY {
            if allowance.is_spent() {
                return;
            }
            let mut transaction = entry.transaction.clone();
            for _ in 0..=self.rng.random_range(0..4_u32) / 3 {
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
            }
            self.try_one(executor, &entry.state, transaction, false, allowance);
        }
    }

    /// Changes an earlier transaction of an entry: leaves it out, mutates it, puts another before it, or moves it.
    fn mutate_sequence(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let entry = self.pick_entry();
        let mut transactions = entry.state.sequence_with(&entry.transaction).transactions;
        let at = self.rng.random_range(0..transactions.len());
        match self.rng.random_range(0..4_u32) {
            0 if transactions.len() > 1 => {
                transactions.remove(at);
            }
            1 if transactions.len() > 1 => {
                let to = self.rng.random_range(0..transactions.len());
                transactions.swap(at, to);
            }
            2 if transactions.len() < self.max_depth => {
                if let Some(new) = self.state_changing() {
                    transactions.insert(at, new);
                }
            }
            _ => {
                self.generator.mutate_transaction(&mut self.rng, &mut transactions[at]);
            }
        }
        let mut state = entry.state.ancestor(at.min(entry.state.depth));
        let start = state.depth;
        for transaction in transactions.drain(start.min(transactions.len())..).collect::<Vec<_>>() {
            if allowance.is_spent() {
                return;
            }
            if let Some(next) = self.try_one(executor, &state, transaction, true, allowance) {
                state = next;
            }
        }
    }

    /// One call of any function, from a state.
    fn call_from_state(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let state = self.pick_state();
        if let Some(mut transaction) = self.generator.any_transaction(&mut self.rng) {
            self.relate(&state, &mut transaction);
            self.try_one(executor, &state, transaction, false, allowance);
        }
    }

    /// Several calls that change state, each from where the last one led, and then any call.
    fn walk(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        let mut state = self.pick_state();
        for _ in 0..self.rng.random_range(1..=MAX_WALK) {
            if allowance.is_spent() || state.depth >= self.max_depth {
                return;
            }
            let Some(mut transaction) = self.state_changing() else { break };
            self.relate(&state, &mut transaction);
            if let Some(next) = self.try_one(executor, &state, transaction, true, allowance) {
                state = next;
            }
        }
        if !allowance.is_spent()
            && let Some(mut transaction) = self.last_transaction()
        {
            self.relate(&state, &mut transaction);
            self.try_one(executor, &state, transaction, false, allowance);
        }
    }

    /// The call at the end of a walk: of a function that demands other states, if there is one, else of any.
    fn last_transaction(&mut self) -> Option<Transaction> {
        if self.demands.is_empty() || self.rng.random() {
            return self.generator.any_transaction(&mut self.rng);
        }
        let at = self.rng.random_range(0..self.demands.len());
        let function = *self.demands.keys().nth(at)?;
        Some(self.generator.transaction(&mut self.rng, function))
    }

    /// A call that can change state: a new one, or one that took a new path before, changed in one place.
    fn state_changing(&mut self) -> Option<Transaction> {
        if !self.wanted.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            // Writers of what is demanded come first.
            let at = self.rng.random_range(0..self.wanted.len());
            let writers = self.wanted.iter().nth(at).and_then(|slot| self.writers.get(slot));
            if let Some(writer) = writers.and_then(|writers| writers.choose(&mut self.rng)) {
                let mut transaction = writer.transaction().clone();
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        if !self.corpus.entries.is_empty() && self.rng.random_range(0..3_u32) == 0 {
            let at = self.rng.random_range(0..self.corpus.entries.len());
            let known = &self.corpus.entries[at].transaction;
            if self.session.subject.interface.function(known.function).can_change_state() {
                let mut transaction = known.clone();
                self.generator.mutate_transaction(&mut self.rng, &mut transaction);
                return Some(transaction);
            }
        }
        self.generator.state_changing_transaction(&mut self.rng)
    }

    /// Makes a call belong to those before it: the same sender again, or an argument that an earlier call had, or sent,
    /// or that another parameter of this one has.
    fn relate(&mut self, state: &State, transaction: &mut Transaction) {
        if let Some((_, last)) = &state.from
            && self.rng.random_range(0..3_u32) == 0
        {
            transaction.sender = last.sender;
        }
        if transaction.arguments.is_empty() || self.rng.random_range(0..3_u32) != 0 {
            return;
        }
        let interface = &self.session.subject.interface;
        let at = self.rng.random_range(0..transaction.arguments.len());
        let wanted = &interface.function(transaction.function).inputs[at].ty;
        let mut values = Vec::new();
        let mut collect = |call: &Transaction, except: Option<usize>| {
            let parameters = interface.function(call.function).inputs.iter();
            for (index, (value, parameter)) in call.arguments.iter().zip(parameters).enumerate() {
                if parameter.ty == *wanted && Some(index) != except {
                    values.push(value.clone());
                }
            }
            match wanted {
                Type::Address => values.push(Value::Address(call.sender)),
                Type::Uint(256) if !call.value.is_zero() => values.push(Value::Uint(call.value, 256)),
                _ => {}
            }
        };
        collect(transaction, Some(at));
        let mut before = state;
        for _ in 0..RELATED {
            let Some((earlier, call)) = &before.from else { break };
            collect(call, None);
            before = earlier;
        }
        if let Some(value) = values.choose(&mut self.rng) {
            transaction.arguments[at] = value.clone();
        }
    }

    /// Of three entries the one that was picked least.
    fn pick_entry(&mut self) -> Arc<Entry> {
        let count = self.corpus.entries.len();
        let draws = [(); 3].map(|()| self.rng.random_range(0..count));
        let at = draws.into_iter().min_by_key(|at| self.corpus.picks[*at]).unwrap_or(0);
        self.corpus.picks[at] += 1;
        self.corpus.entries[at].clone()
    }

    /// A deployment, one of the latest states, or any.
    fn pick_state(&mut self) -> Arc<State> {
        let states = &self.corpus.states;
        let pool = match self.rng.random_range(0..4_u32) {
            0 => &self.roots[..],
            1 | 2 => &states[states.len().saturating_sub(LATEST)..],
            _ => &states[..],
        };
        pool.choose(&mut self.rng)
            .or_else(|| self.roots.first())
            .cloned()
            .expect("the loop starts after the first deployment")
    }

    /// The sides that a run came to and did not take, and that nobody took yet, with how far it was from each. Those of the
    /// dispatcher are taken by calling another function.
    fn missed_sides(&self, observation: &Observation) -> Vec<(Side, U256)> {
        let session = &self.session;
        let mut missed: Vec<(Side, U256)> = Vec::new();
        for branch in &observation.branches {
            let side = Side { program: branch.program, pc: branch.pc, taken: !branch.taken };
            if session.coverage.has_side(side.program, side.pc, side.taken) {
                continue;
            }
            let dispatches = self.selectors.contains(&branch.left) || self.selectors.contains(&branch.right);
            if dispatches && !is_written(session, side) {
                continue;
            }
            match missed.iter_mut().find(|(known, _)| *known == side) {
                Some((_, cost)) => *cost = branch.cost().min(*cost),
                None => missed.push((side, branch.cost())),
            }
        }
        missed
    }

    /// Words that a contract stored matter to it.
    fn learn_words(&mut self, writes: &[SlotWrite]) {
        for write in writes.iter().filter(|write| write.value >= U256::from(LEAST_LEARNED)) {
            self.generator.dictionary.insert(write.value);
        }
    }

    /// Runs a transaction on a state, judges and keeps what it shows. The state behind it, if it succeeded, may have
    /// changed something, and `go_on` or something new asks for it.
    fn try_one(
        &mut self,
        executor: &mut Executor,
        state: &Arc<State>,
        transaction: Transaction,
        go_on: bool,
        allowance: &mut Allowance<'_>,
    ) -> Option<Arc<State>> {
        allowance.spend();
        let session = self.session.clone();
        let subject = &session.subject;
        session.count();
        self.trying = Trying::Call(state.clone(), transaction.clone());
        let call = subject.call(state.address, &transaction, state.snapshot.moment());
        let outcome = executor.run(&state.snapshot, &call);
        let observation = executor.observation();

        for violation in self.bench.judge(observation) {
            if session.claim(violation) {
                let sequence = state.sequence_with(&transaction);
                session.confirm(&mut self.bench, &sequence, violation);
                session.refresh();
            }
        }

        let observation = executor.observation();
        let covers_more = session.coverage.add(observation);
        self.stale = if covers_more { 0 } else { self.stale + 1 };
        let (path, edges, length) = (observation.path, observation.edges, observation.length);
        let new_path = (covers_more || !session.knows_path(path))
            && self.corpus.wants(edges, length, covers_more)
            && session.add_path(path);
        if new_path || covers_more {
            session.refresh();
            let missed = self.missed_sides(executor.observation());
            let taken = Taken { path, edges, length, covers_more, missed };
            let entry = Arc::new(Entry::new(state.clone(), transaction.clone(), taken, &session.meter));
            self.missed.add(&entry, &session.coverage, |side| is_written(&session, side));
            self.corpus.keep(entry.clone());
            session.share(self.index, Shared::Entry(entry));
            self.follow_evictions();
        }

        let changes = outcome.status == Status::Success
            && subject.interface.function(transaction.function).can_change_state()
            && state.depth < self.max_depth;
        if !changes || !(go_on || new_path) {
            return None;
        }
        let snapshot = executor.commit();
        let writes = &executor.observation().writes;
        // What took a new path and changed something is worth starting from, whatever it changed.
        let is_new = self.corpus.is_new_state(&state.snapshot, &snapshot, writes)
            || (new_path && changes_storage(state, &snapshot, writes));
        self.note_writer(state, &transaction, &snapshot, writes);
        if is_new && session.techniques.dictionary {
            self.learn_words(writes);
        }
        let next = Arc::new(State::after(state, transaction, snapshot, &session.meter));
        if is_new {
            let rng = &mut self.rng;
            self.corpus.keep_state(next.clone(), |count| rng.random_range(0..count));
            session.share(self.index, Shared::State(next.clone()));
            self.follow_evictions();
        }
        Some(next)
    }
}

/// Whether somebody wrote the branch, and not the compiler.
fn is_written(session: &Session, side: Side) -> bool {
    super::coverage::is_written(session.subject.programs.get(side.program), side.pc)
}

/// The selectors of all functions, as words.
fn selectors(subject: &Subject) -> HashSet<U256> {
    let selectors = subject.interface.functions.iter().filter_map(|function| function.selector);
    selectors.map(|selector| U256::from(u32::from_be_bytes(selector))).collect()
}

fn changes_storage(before: &State, after: &Snapshot, writes: &[SlotWrite]) -> bool {
    writes.iter().any(|write| before.snapshot.slot(write.address, write.slot) != after.slot(write.address, write.slot))
}

/// Which slots hold several variables, and where in them.
fn packed(subject: &Subject) -> HashMap<U256, Vec<(usize, usize)>> {
    let mut packed: HashMap<U256, Vec<(usize, usize)>> = HashMap::default();
    let Some(layout) = &subject.compiled().storage else { return packed };
    for variable in &layout.storage {
        let size = layout.types.get(&variable.storage_type).and_then(|ty| ty.number_of_bytes.parse::<usize>().ok());
        if let (Ok(slot), Some(bytes)) = (variable.slot.parse::<U256>(), size)
            && bytes < 32
        {
            packed.entry(slot).or_default().push((8 * variable.offset as usize, 8 * bytes));
        }
    }
    packed
}

/// What the code and the source of a contract mention.
fn dictionary(session: &Session) -> Dictionary {
    let subject = &session.subject;
    let programs = &subject.programs;
    let own = programs.iter().filter(|(_, program)| program.contract == subject.contract);
    let mut dictionary = Dictionary::from_words(own.flat_map(|(_, program)| program.constants()));
    let source = subject.build.source(subject.compiled().source);
    for string in &source.ast.strings {
        dictionary.insert_string(string.clone());
    }
    dictionary
}

/// A number for each lane of each contract, far from the others.
fn number(lane: usize, contract: ContractId) -> u64 {
    spread((lane as u64 ^ (u64::from(contract.0) << 32)).wrapping_add(0x9e37_79b9_7f4a_7c15))
}
