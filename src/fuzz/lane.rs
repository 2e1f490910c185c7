//! A [`Lane`] is one worker's way through a session: its generator of chance and its copy of the corpus.
//! One lane with one seed always does the same.

mod attempt;
mod deploy;
mod explore;
mod follow;
mod grant;
mod hashes;
mod look;
mod loosen;
mod model;
mod probe;
mod pursuit;
mod wish;

use super::{
    corpus::{Corpus, Entry, MAX_DEPTH, State},
    feed::Shared,
    goal::{Goal, Side},
    missed::Missed,
    schedule::Schedule,
    session::Session,
};
use crate::{
    code::Stage,
    compile::ContractId,
    evm::{Executor, spread},
    input::{CallId, Dictionary, Generator, Sequence, Setup, Transaction},
    oracle::OracleSet,
    solve::WorkBudget,
    subject::Subject,
    world::World,
};
use alloy_primitives::{
    Address, U256,
    map::{HashMap, HashSet},
};
use grant::Writer;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Once in so many steps another deployment is tried.
const REDEPLOY: u32 = 512;
/// Of a thousand transactions, so many aim at a side that was just missed: more while that takes sides, fewer while it does not.
const MOST_AIMED: u64 = 700;
const FIRST_AIMED: u64 = 400;
const LEAST_AIMED: u64 = 150;
/// While new code is reached without aiming, at least once in so many transactions, nothing is aimed at.
const PATIENCE: u64 = 12;
/// So many transactions back the shares are counted.
const WINDOW: u64 = 20_000;

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
    Setup(Setup),
    Call(Arc<State>, Transaction),
}

/// One worker's part of a session.
pub struct Lane {
    session: Arc<Session>,
    index: usize,
    oracles: OracleSet,
    rng: ChaCha8Rng,
    generator: Generator,
    roots: Vec<Arc<State>>,
    corpus: Corpus,
    heard: u64,
    /// The evictions that it has followed.
    evictions: u64,
    missed: Missed,
    /// Whether the schedule turns to targets: somebody named them, and one is open.
    guided: bool,
    schedule: Schedule,
    /// What the schedule picked, and how often it is to be mutated still.
    picked: Option<(Arc<Entry>, u64)>,
    /// How often it looked ahead.
    looks: u64,
    /// The targets that what was missed is ordered by, and the entries that left the corpus by when the schedule heard of it.
    turned: Option<u64>,
    departed: u64,
    /// Of a thousand transactions, so many aim at what was missed.
    aimed: u64,
    /// Transactions since new code was reached.
    stale: u64,
    /// Transactions so far, and those that aimed.
    spent: u64,
    spent_aiming: u64,
    /// Transactions since it was made, which goals wait by.
    clock: u64,
    /// What the pursuit of a goal may still cost.
    fuel: WorkBudget,
    /// How often a function was seen to need another state.
    demands: BTreeMap<CallId, u32>,
    /// Slots that such functions need to be different.
    wanted: BTreeSet<(Address, U256)>,
    /// Who changed which slot.
    writers: HashMap<(Address, U256), Vec<Writer>>,
    /// Parts of the instances' slots that hold several variables, as shift and width in bits.
    packed: HashMap<(Address, U256), Vec<(usize, usize)>>,
    /// What the dispatcher compares calldata with.
    selectors: HashSet<U256>,
    /// Preimages of hashes.
    hashes: HashMap<U256, Vec<u8>>,
    /// States that more calls led to are not kept.
    max_depth: usize,
    /// Spent on deployments so far.
    deployment_gas: u64,
    /// Whether the last step was one for the corpus of other code.
    reruns: bool,
    /// What is being tried, to be reported if it panics.
    trying: Trying,
}

impl std::fmt::Debug for Lane {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Lane").field("session", &self.session).field("index", &self.index).finish_non_exhaustive()
    }
}

impl Lane {
    /// The lane `index` of a session.
    pub fn new(session: Arc<Session>, index: usize) -> Self {
        let subject = &session.subject;
        let senders = World::senders();
        let mut generator = Generator::new(subject.calls.clone(), senders.clone(), senders);
        if session.techniques.dictionary {
            generator.dictionary = dictionary(&session);
        }
        Self {
            oracles: session.oracles(),
            // Lanes of one session, and sessions of one campaign, draw different numbers.
            rng: ChaCha8Rng::seed_from_u64(session.seed ^ number(index, subject.contract)),
            generator,
            roots: Vec::new(),
            corpus: Corpus::default(),
            heard: 0,
            evictions: 0,
            missed: Missed::default(),
            guided: session.targets.guide(),
            schedule: Schedule::new(session.techniques.lookahead, session.techniques.rare_split_points),
            picked: None,
            looks: 0,
            turned: None,
            departed: 0,
            aimed: FIRST_AIMED,
            stale: 0,
            spent: 0,
            spent_aiming: 0,
            selectors: selectors(subject),
            clock: 0,
            fuel: WorkBudget::default(),
            demands: BTreeMap::new(),
            wanted: BTreeSet::new(),
            writers: HashMap::default(),
            packed: packed(subject),
            hashes: HashMap::default(),
            max_depth: MAX_DEPTH,
            deployment_gas: 0,
            reruns: false,
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

    /// Goes on in a session on the next build, which runs the same code: as if nothing had happened. What was found or reached
    /// too late to be told of the build before is taken along.
    pub(super) fn go_on(&mut self, session: Arc<Session>) {
        session.catch_up(&self.session);
        self.oracles = session.oracles();
        self.generator.calls = session.subject.calls.clone();
        self.packed = packed(&session.subject);
        self.session = session;
    }

    /// The session it belongs to.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// What was being run when a panic ended it.
    pub(super) fn trying(&self) -> Option<Sequence> {
        match &self.trying {
            Trying::Nothing => None,
            Trying::Setup(setup) => Some(Sequence { setup: setup.clone(), transactions: Vec::new() }),
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
                    self.note_missed(&entry);
                    self.keep_entry(entry);
                }
                Shared::State(state) => {
                    let rng = &mut self.rng;
                    self.corpus.keep_state(state, |count| rng.random_range(0..count));
                }
            }
        }
        executor.set_instruments(self.oracles.instruments());
        let most = most.max(usual);
        let mut allowance = Allowance { left: most, stop };
        while most - allowance.left < usual && !allowance.is_spent() && !self.session.is_undeployable() {
            self.follow_evictions();
            let before = allowance.left;
            self.step(executor, &mut allowance);
            self.spent += before - allowance.left;
            self.clock += before - allowance.left;
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
    pub(super) fn follow_evictions(&mut self) {
        if self.evictions != self.session.evictions() {
            self.evictions = self.session.evictions();
            let kept = self.session.kept();
            self.corpus.retain(&kept);
            self.missed.retain(&kept);
            self.picked = None;
        }
    }

    /// One decision of the loop and what follows from it.
    fn step(&mut self, executor: &mut Executor, allowance: &mut Allowance<'_>) {
        // Behind the first ones, what is run again takes turns with everything else.
        let rerun = &self.session.learned.rerun;
        self.reruns = !self.reruns || !rerun.may_wait() || self.roots.is_empty();
        if self.reruns
            && let Some(sequence) = rerun.next()
        {
            self.run_again(executor, sequence, allowance);
            if self.session.learned.rerun.is_done() {
                self.session.recalled(!self.roots.is_empty());
            }
            return;
        }
        if self.roots.is_empty() {
            return self.first_deployments(executor, allowance);
        }
        if self.rng.random_range(0..REDEPLOY) == 0 && self.has_choice() {
            // A constructor may well refuse these arguments.
            let _ = self.deploy(executor);
        }
        if self.session.subject.calls.calls().is_empty() {
            // Nothing can be called; what the constructor does was seen.
            self.session.give_up("nothing of it can be called; only its constructor was run".to_owned());
            return;
        }
        self.turn_to_targets();
        let may_aim = self.stale >= PATIENCE && self.spent_aiming * 1_000 < self.aimed * self.spent;
        if self.session.techniques.just_missed
            && self.missed.has_due(self.clock)
            && (may_aim || self.missed.is_near_target())
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
}

/// Whether somebody wrote what decides a goal, and not the compiler.
fn is_written(session: &Session, goal: Goal) -> bool {
    let (program, pc) = match goal {
        Goal::Side(Side { program, pc, .. }) | Goal::Turn { side: Side { program, pc, .. }, .. } => (program, pc),
        Goal::Write { program, pc } => (program, pc),
        Goal::Word { .. } => return true,
    };
    session.subject.programs.get(program).is_in_source(pc)
}

/// The selectors of all functions, as words.
fn selectors(subject: &Subject) -> HashSet<U256> {
    let functions = subject.calls.instances().iter().flat_map(|instance| &instance.interface.functions);
    let selectors = functions.filter_map(|function| function.selector);
    selectors.map(|selector| U256::from(u32::from_be_bytes(selector))).collect()
}

/// Which slots hold several variables, and where in them.
fn packed(subject: &Subject) -> HashMap<(Address, U256), Vec<(usize, usize)>> {
    let mut packed: HashMap<(Address, U256), Vec<(usize, usize)>> = HashMap::default();
    for instance in subject.calls.instances() {
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

/// What the code and the source of a contract mention.
fn dictionary(session: &Session) -> Dictionary {
    let subject = &session.subject;
    let programs = &subject.programs;
    let own = [Stage::Creation, Stage::Runtime].map(|stage| programs.get(programs.id(subject.contract, stage)));
    let mut dictionary = Dictionary::from_words(own.iter().flat_map(|program| program.constants()));
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
