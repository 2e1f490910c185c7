//! Rebasing moves the sessions of a campaign to a new build. If a contract runs the same code as before, whatever its name,
//! file and lines are now, its session continues and only the findings are replayed. If the code changed, a new session replays
//! the old corpus, entries that reached new code first, with the changed blocks as targets. A new contract is seeded with the
//! corpus of a removed or changed contract that shares functions with it.
//!
//! Sessions that the last change ended are kept as retired sessions: if the next change undoes it, they continue.
//!
//! The findings of the old build are replayed and reported first; no fuzzer runs before that.

use super::{
    campaign::Campaign,
    event::Event,
    options::Options,
    oversize::oversize,
    session::Session,
    sessions::{Sessions, is_product, rank_support},
    target::Targets,
    task::{self, Task},
};
use crate::{
    code::{CodeChange, ContractLineage, Programs},
    compile::{Build, ContractId},
    corpus::exchange::Topic,
    finding::Finding,
    harness::{Harness, HarnessKind, Key},
    input::Sequence,
    project::Config,
    world::WorldError,
};
use rayon::iter::{IntoParallelRefIterator, ParallelIterator};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::{Arc, PoisonError},
};

/// Contracts of a first build that are fuzzed at once, while the worlds of others are still planned. Chosen by hand: so many large
/// worlds take a few tenths of a second.
const FIRST_CONTRACTS: usize = 8;

/// A contract of the new build.
struct Contract {
    key: Key,
    harness: Arc<Harness>,
    lineage: Lineage,
}

/// The relation of a contract to the sessions of earlier builds.
enum Lineage {
    /// It has no earlier session.
    New,
    /// It runs the same code as this session.
    Same(Arc<Session>),
    /// It ran other code in this session.
    Changed(Arc<Session>),
    /// It runs the code of a retired session again. The second session is the one that it had meanwhile.
    Restored(Arc<Session>, Option<Arc<Session>>),
    /// It is new but shares functions with contracts that were removed or changed: the corpus and findings of the one that
    /// shares most.
    Seeded(Vec<Sequence>, Vec<Arc<Finding>>),
}

/// A rebase to one build.
struct Rebase<'a> {
    campaign: &'a Campaign,
    options: Options,
    config: &'a Config,
    build: &'a Arc<Build>,
    programs: Arc<Programs>,
    generation: u64,
    /// The change from each build that a session was on, usually one, by its programs.
    changes: Vec<(Arc<Programs>, Arc<CodeChange>)>,
    retired: Sessions,
    /// Sessions that this build ends.
    ended: Sessions,
    /// Restored retired sessions, which have no fuzzers any more.
    back: Vec<Arc<Session>>,
    /// Contracts without a world of their own, and why.
    worldless: Vec<(ContractId, String)>,
    /// Contracts that the `setUp()` of a test contract makes.
    made: BTreeSet<ContractId>,
}

impl Campaign {
    /// Moves every session to a new build. Findings are replayed before this returns; those that still fail and those that are
    /// fixed have been reported by then. Contracts whose sources failed to compile keep their last session; sessions whose code
    /// did not change continue.
    pub fn rebase(&self, build: &Arc<Build>, config: &Config, generation: u64) {
        let _turning = self.begin_turning();
        self.queue.begin(generation);
        let layouts = self.layout_findings();
        let numbered = self.numbering.lock().unwrap_or_else(PoisonError::into_inner).programs(build);
        let (options, programs) = (self.options(), Arc::new(numbered));
        let retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut turn = Rebase {
            campaign: self,
            options,
            config,
            build,
            programs,
            generation,
            changes: Vec::new(),
            retired,
            ended: Sessions::new(),
            back: Vec::new(),
            worldless: Vec::new(),
            made: BTreeSet::new(),
        };
        let (mut old, mut sessions) = (self.sessions().clone(), Sessions::new());

        let (first, rest) = turn.parts(&old);
        let count = first.len() + rest.len();
        let mut contracts = turn.contracts(&first, &mut old);
        if rest.is_empty() {
            turn.add_set_up_worlds(&sessions, &mut contracts, &mut old);
        }
        turn.open(contracts, &mut sessions);
        for (key, session) in old {
            if turn.is_of_last_good_code(&key, &session) {
                let harness = session.harness.clone();
                let lineage = turn.lineage(&key, Some(session), &harness);
                let session = turn.session(harness, lineage);
                self.compare_layout(&session, config);
                sessions.insert(key, session);
            } else {
                turn.tell_fixed(session.findings().iter().map(|finding| finding.id.clone()).collect());
                turn.ended.insert(key, session);
            }
        }
        if !turn.ended.is_empty() || !turn.back.is_empty() {
            *self.retired.lock().unwrap_or_else(PoisonError::into_inner) = std::mem::take(&mut turn.ended);
        }
        self.queue.expect_more(!rest.is_empty());
        turn.start(&sessions, &sessions, count);
        let fixed = &layouts - &self.layout_findings();
        turn.tell_fixed(fixed.into_iter().collect());
        if !rest.is_empty() {
            // The first contracts are being fuzzed by now.
            let mut later = Sessions::new();
            let mut contracts = turn.contracts(&rest, &mut Sessions::new());
            turn.add_set_up_worlds(&sessions, &mut contracts, &mut Sessions::new());
            turn.open(contracts, &mut later);
            sessions.extend(later.clone());
            self.queue.expect_more(false);
            turn.start(&sessions, &later, count);
        }
    }
}

impl Rebase<'_> {
    /// The contracts that are fuzzed, in two parts: those that are fuzzed at once, and those whose worlds are planned meanwhile.
    /// The second is empty unless all are new and there are many. With a budget of transactions all start at once, so that it is
    /// spent in the same way each time.
    fn parts(&self, old: &Sessions) -> (Vec<ContractId>, Vec<ContractId>) {
        let mut all = self.options.contracts_of(self.build);
        if !old.is_empty() || !self.retired.is_empty() || self.options.executions.is_some() {
            return (all, Vec::new());
        }
        let (looked, products) = (self.campaign.queue.looked(), self.config.products());
        all.sort_by_key(|id| {
            let (file, name) = self.build.qualified_name(*id);
            let path = &self.build.source(self.build.contract(*id).source).path;
            (looked.as_ref() != Some(path), products.support(file, name).is_some())
        });
        let rest = all.split_off(all.len().min(FIRST_CONTRACTS));
        (all, rest)
    }

    /// Whether a session goes on that the build has no contract for: its file does not compile now, or that of the test contract that sets
    /// its world up does not, while the contract is the same, or is compiled later. Then the last good code is still fuzzed.
    fn is_of_last_good_code(&self, key: &Key, session: &Session) -> bool {
        let fails = |file: &String| self.build.failed.contains(file);
        let is_same = || {
            let now = self.build.find_contract(&key.file, &key.name);
            now.is_some_and(|now| session.harness.runs_code_of(now, &self.programs))
        };
        let comes_later = |file: &String| self.build.later.contains(file);
        fails(&key.file) || key.suite.as_ref().is_some_and(|(file, _)| comes_later(file) || fails(file) && is_same())
    }

    /// Adds the contracts of the project that the `setUp()` of a test contract makes, each in the world of one such setup. Their sessions
    /// are beside those in the worlds of their own. Tells which contracts have no world at all.
    fn add_set_up_worlds(&mut self, opened: &Sessions, contracts: &mut Vec<Contract>, old: &mut Sessions) {
        let harnesses = contracts.iter().map(|contract| &contract.harness);
        let harnesses = opened.values().map(|session| &session.harness).chain(harnesses);
        let suites = harnesses.filter(|harness| harness.kind() == HarnessKind::Test);
        let mut suites: Vec<Arc<Harness>> = suites.cloned().collect();
        suites.extend(self.suites_beside(&suites));
        let products = self.config.products();
        let is_product = |id: &ContractId| is_product(self.build, &products, *id);
        for id in self.options.contracts_of(self.build).into_iter().filter(is_product) {
            let made = most_telling(&suites, id).and_then(|suite| Harness::made_in(suite, id));
            let Some(harness) = made.map(Arc::new) else { continue };
            let key = harness.key();
            let lineage = self.lineage(&key, old.remove(&key), &harness);
            contracts.push(Contract { key, harness, lineage });
            self.made.insert(id);
        }
        for session in opened.values().filter(|session| self.made.contains(&session.harness.contract)) {
            session.set_has_other_world();
        }
        for (contract, why) in std::mem::take(&mut self.worldless) {
            if !self.made.contains(&contract) {
                let (generation, build) = (self.generation, self.build.clone());
                (self.campaign.listener)(Event::Worldless { generation, build, contract, why });
            }
        }
    }

    /// The test contracts that are not fuzzed themselves, since only other contracts were named.
    fn suites_beside(&self, known: &[Arc<Harness>]) -> Vec<Arc<Harness>> {
        if self.options.contracts.is_empty() {
            return Vec::new();
        }
        let is_known = |id: ContractId| known.iter().any(|suite| suite.contract == id);
        let is_suite = |id: &ContractId| HarnessKind::of(self.build, *id) == HarnessKind::Test && !is_known(*id);
        let suites: Vec<ContractId> = self.build.contract_ids().filter(is_suite).collect();
        self.planned(&suites).into_iter().filter_map(|(_, planned)| planned.ok().map(Arc::new)).collect()
    }

    /// Opens a session for each of these contracts.
    fn open(&mut self, contracts: Vec<Contract>, sessions: &mut Sessions) {
        if let Some(exchange) = &self.options.exchange {
            exchange.subscribe(&contracts.iter().map(|contract| Topic::of(&contract.key)).collect::<Vec<_>>());
        }
        for Contract { key, harness, lineage } in contracts {
            // No test is meant for a chain, and what a test makes is told where it is fuzzed by itself.
            let is_test = harness.has_fixed_setup();
            if let Some(what) = oversize(&harness).filter(|_| !is_test) {
                (self.campaign.listener)(Event::Oversized {
                    generation: self.generation,
                    harness: harness.clone(),
                    what,
                });
            }
            let session = self.session(harness, lineage);
            if key.suite.is_none() {
                self.campaign.compare_layout(&session, self.config);
            }
            sessions.insert(key, session);
        }
    }

    /// Lets the fuzzers of these `new` sessions run, which are among all of them by now; there will be so many in the end.
    fn start(&self, sessions: &Sessions, new: &Sessions, count: usize) {
        let campaign = self.campaign;
        rank_support(sessions, self.config);
        campaign.share_memory(sessions, self.config);
        campaign.sessions().clone_from(sessions);
        let fuzzers = self.options.workers.max(1).div_ceil(count.max(sessions.len()).max(1));
        let waiting = campaign.queue.unpark();
        let busy = new.values().filter(|session| !session.is_quiet());
        let missing = busy.flat_map(|session| {
            let is_back = self.back.iter().any(|back| Arc::ptr_eq(back, session));
            if is_back { task::fuzzers(session, fuzzers) } else { task::missing_fuzzers(session, fuzzers) }
        });
        let mut tasks = in_turns(waiting.into_iter().chain(missing).collect(), sessions);
        tasks.extend(new.values().filter_map(task::shrink));
        campaign.queue.fill(self.generation, tasks);
    }

    /// These contracts, each with its lineage. Sessions left in `old` are of contracts that were removed or do not
    /// compile.
    fn contracts(&mut self, ids: &[ContractId], old: &mut Sessions) -> Vec<Contract> {
        let mut found: Vec<(Key, Arc<Harness>, Option<Arc<Session>>)> = Vec::new();
        for (id, planned) in self.planned(ids) {
            match planned {
                Ok(harness) => {
                    let key = harness.key();
                    let session = old.remove(&key);
                    found.push((key, Arc::new(harness), session));
                }
                Err(error) => self.worldless.push((id, error.to_string())),
            }
        }
        // What is made by a `setUp()` is looked at when all of those are known.
        let is_gone = |(key, _): &(&Key, &Arc<Session>)| key.suite.is_none() && !self.build.failed.contains(&key.file);
        let mut gone: Vec<(Key, Arc<Session>)> =
            old.iter().filter(is_gone).map(|(key, session)| (key.clone(), session.clone())).collect();
        // The rest may have another name or file now.
        let mut renamed = self.descendants(&gone);
        for (_, harness, session) in found.iter_mut().filter(|(.., session)| session.is_none()) {
            *session = renamed.remove(&harness.contract).and_then(|key| old.remove(&key));
        }
        gone.retain(|(key, _)| old.contains_key(key));
        let mut contracts: Vec<Contract> = found
            .into_iter()
            .map(|(key, harness, session)| {
                let lineage = self.lineage(&key, session, &harness);
                Contract { key, harness, lineage }
            })
            .collect();
        let changed = contracts.iter().filter_map(|contract| match &contract.lineage {
            Lineage::Changed(session) => Some(session.clone()),
            _ => None,
        });
        let seed_sources: Vec<Arc<Session>> = gone.into_iter().map(|(_, session)| session).chain(changed).collect();
        let seed_sources = SeedSources::of(seed_sources);
        for contract in &mut contracts {
            if matches!(contract.lineage, Lineage::New)
                && let Some(seed_source) = seed_sources.best_for(&contract.harness)
            {
                let mut corpus = seed_source.corpus_for(&contract.harness);
                corpus.retain(|sequence| !sequence.transactions.is_empty());
                contract.lineage = Lineage::Seeded(corpus, seed_source.findings());
            }
        }
        contracts
    }

    /// The worlds of the contracts that are fuzzed, or why there is none. They are planned on all cores.
    fn planned(&self, ids: &[ContractId]) -> Vec<(ContractId, Result<Harness, WorldError>)> {
        let (build, programs, config) = (self.build, &self.programs, self.config);
        let plans = &self.campaign.plans;
        let plan = |id| (id, Harness::planned_by(plans, build.clone(), programs.clone(), id, config));
        plans.retain(build);
        ids.par_iter().copied().map(plan).collect()
    }

    /// The contracts of the new build that descend from removed ones by another name or file, each with the key of its
    /// ancestor.
    fn descendants(&mut self, gone: &[(Key, Arc<Session>)]) -> BTreeMap<ContractId, Key> {
        let mut by_programs: Vec<(Arc<CodeChange>, BTreeMap<ContractId, Key>)> = Vec::new();
        for (key, before) in gone {
            let change = self.change(&before.harness);
            let at = by_programs.iter().position(|(known, _)| Arc::ptr_eq(known, &change));
            let at = at.unwrap_or_else(|| {
                by_programs.push((change, BTreeMap::new()));
                by_programs.len() - 1
            });
            by_programs[at].1.insert(before.harness.contract, key.clone());
        }
        let mut descendants = BTreeMap::new();
        for (change, mut before) in by_programs {
            for id in self.build.contract_ids() {
                if let ContractLineage::Old { contract, .. } | ContractLineage::Recompiled { contract } =
                    change.origin(id)
                    && let Some(key) = before.remove(&contract)
                {
                    descendants.entry(id).or_insert(key);
                }
            }
        }
        descendants
    }

    /// The lineage of a contract of the new build.
    fn lineage(&self, key: &Key, before: Option<Arc<Session>>, harness: &Harness) -> Lineage {
        let is_same = |session: &&Arc<Session>| {
            session.seed == self.options.seed
                && session.techniques == self.options.techniques
                && !session.is_left_alone()
                && !Campaign::switches_on(&session.config(), self.config)
                && harness.runs_the_same(&session.harness)
        };
        if let Some(before) = before.as_ref().filter(is_same) {
            return Lineage::Same(before.clone());
        }
        match (self.retired.get(key).filter(is_same), before) {
            (Some(restored), before) => Lineage::Restored(restored.clone(), before),
            (None, Some(before)) => Lineage::Changed(before),
            (None, None) => Lineage::New,
        }
    }

    /// The session on a contract, with the findings that still fail.
    fn session(&mut self, harness: Arc<Harness>, lineage: Lineage) -> Arc<Session> {
        let (session, before, findings) = match lineage {
            Lineage::Same(before) => {
                let session = before.migrate_to(harness, self.config.clone(), self.generation);
                let findings = before.take_findings();
                (session, Some(before), findings)
            }
            Lineage::Restored(restored, before) => {
                let session = Arc::new(restored.migrate_to(harness, self.config.clone(), self.generation));
                before.iter().for_each(|before| session.take_files_of(before));
                // They fail again, whether or not they failed meanwhile.
                self.know_worlds(&session);
                session.replay(&restored.findings());
                let findings = before.iter().flat_map(|before| before.findings()).collect::<Vec<_>>();
                self.tell_fixed(session.replay(&findings));
                session.tell_undeployable();
                self.ended.extend(before.map(|before| (before.harness.key(), before)));
                self.back.push(session.clone());
                return session;
            }
            Lineage::Changed(before) => {
                let change = self.change_to(&before.harness, &harness);
                let corpus = before.corpus_for(&harness);
                let targets = targets(&self.options, &before, &harness, &change);
                let session =
                    self.fresh(harness).with_earlier(&before, &change).with_corpus(corpus).with_part_of(&before);
                let findings = before.findings();
                self.ended.insert(before.harness.key(), before);
                (session.with_targets(targets), None, findings)
            }
            Lineage::Seeded(corpus, findings) => {
                let targets = self.options.targets_of(&harness);
                let session = Arc::new(self.loading(harness, corpus).with_targets(targets));
                // Whether they are fixed is reported by the session that found them.
                self.know_worlds(&session);
                session.replay(&findings);
                return session;
            }
            Lineage::New => {
                let targets = self.options.targets_of(&harness);
                (self.loading(harness, Vec::new()).with_targets(targets), None, Vec::new())
            }
        };
        let session = Arc::new(session);
        self.know_worlds(&session);
        self.tell_fixed(session.replay(&findings));
        if let Some(before) = before {
            session.tell_undeployable();
            before.hand_over(session.clone());
        }
        session
    }

    /// Notes whether the contract of a session is fuzzed in another world as well.
    fn know_worlds(&self, session: &Session) {
        if session.harness.suite().is_none() && self.made.contains(&session.harness.contract) {
            session.set_has_other_world();
        }
    }

    /// A session on a contract that is new in this process: it starts from the corpus store and this corpus.
    fn loading(&self, harness: Arc<Harness>, corpus: Vec<Sequence>) -> Session {
        let session = self.fresh(harness).with_archive(self.options.archive.as_ref());
        let session = session.with_exchange(self.options.exchange.as_ref());
        let mut kept = session.load_corpus();
        kept.sequences.extend(corpus);
        if kept.sequences.is_empty() {
            session.prune_unconfirmed(true);
        }
        session.replay_kept(&kept.findings);
        session.with_corpus(kept.sequences)
    }

    fn fresh(&self, harness: Arc<Harness>) -> Session {
        let listener = self.campaign.listener.clone();
        let session = Session::new(harness, self.config.clone(), self.options.seed, self.generation, listener);
        let session = session.with_techniques(self.options.techniques).with_quiet_after(self.options.quiet_after);
        session.with_replays_only(self.options.replays_only)
    }

    /// The change from a build that a session was on to the new build.
    fn change(&mut self, before: &Harness) -> Arc<CodeChange> {
        let known = self.changes.iter().find(|(programs, _)| Arc::ptr_eq(programs, &before.programs));
        if let Some((_, change)) = known {
            return change.clone();
        }
        let change = CodeChange::between((&before.build, &before.programs), (self.build, &self.programs));
        let change = Arc::new(change);
        self.changes.push((before.programs.clone(), change.clone()));
        change
    }

    /// The change from a harness to a new one, which may itself be of the old build.
    fn change_to(&mut self, before: &Harness, harness: &Harness) -> Arc<CodeChange> {
        if Arc::ptr_eq(&harness.programs, &self.programs) {
            return self.change(before);
        }
        Arc::new(CodeChange::between((&before.build, &before.programs), (&harness.build, &harness.programs)))
    }

    fn tell_fixed(&self, ids: Vec<String>) {
        for id in ids {
            (self.campaign.listener)(Event::Fixed { generation: self.generation, id });
        }
    }
}

/// The test contract whose setup is the world of a contract, among those that make it: one that is named after it, the one that makes most
/// else, or the first.
fn most_telling(suites: &[Arc<Harness>], contract: ContractId) -> Option<&Harness> {
    let makes = |suite: &&Arc<Harness>| suite.members_made_by_setup().any(|made| made == contract);
    let rank = |suite: &&Arc<Harness>| {
        let is_named = suite.compiled().name.contains(&suite.build.contract(contract).name);
        (is_named, suite.members_made_by_setup().count())
    };
    // Of several that are alike the last one is taken, so the first of all comes last.
    suites.iter().rev().filter(makes).max_by_key(rank).map(|suite| &**suite)
}

/// The targets after a change: changed blocks, and blocks of targets that were open before and still exist. If there are none,
/// as after a change of settings, the targets of a first build. Targets that the user named replace all of these.
fn targets(options: &Options, before: &Session, harness: &Harness, change: &CodeChange) -> Targets {
    if !options.targets.is_empty() {
        return options.targets_of(harness);
    }
    let waiting = if before.targets.guide() { before.targets.open_blocks() } else { Vec::new() };
    let waiting: BTreeSet<_> = waiting.into_iter().collect();
    let code = harness.code();
    let changed = code.iter().flat_map(|id| change.changed_in(*id).iter().map(|block| (*id, *block)));
    let still = code.iter().flat_map(|id| {
        let blocks = harness.programs.get(*id).block_ids();
        blocks.map(move |block| (*id, block))
    });
    let still = still.filter(|(id, block)| change.old(*id, *block).is_some_and(|old| waiting.contains(&old)));
    let targets = Targets::of_blocks(harness, changed.chain(still));
    if targets.is_empty() { options.targets_of(harness) } else { targets }
}

/// Sessions whose corpus can seed others, by the signatures of functions that can change state.
struct SeedSources {
    sessions: Vec<Arc<Session>>,
    with: HashMap<String, Vec<usize>>,
}

impl SeedSources {
    fn of(sessions: Vec<Arc<Session>>) -> Self {
        let mut with: HashMap<String, Vec<usize>> = HashMap::new();
        for (at, session) in sessions.iter().enumerate() {
            for function in session.harness.interface().functions.iter().filter(|function| function.can_change_state())
            {
                with.entry(function.signature.clone()).or_default().push(at);
            }
        }
        Self { sessions, with }
    }

    /// The session that shares most functions that can change state with a contract, if any does; the first of several.
    fn best_for(&self, harness: &Harness) -> Option<&Arc<Session>> {
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for function in &harness.interface().functions {
            for at in self.with.get(&function.signature).into_iter().flatten() {
                *shared.entry(*at).or_default() += 1;
            }
        }
        let best = shared.into_iter().rev().max_by_key(|(_, count)| *count)?;
        self.sessions.get(best.0)
    }
}

/// Orders tasks so that one fuzzer of each session comes first: with few workers every contract gets its turn.
fn in_turns(tasks: Vec<Task>, sessions: &Sessions) -> Vec<Task> {
    let places: HashMap<*const Session, usize> = sessions.values().map(Arc::as_ptr).zip(0..).collect();
    let place = |task: &Task| places.get(&Arc::as_ptr(task.session())).copied().unwrap_or(usize::MAX);
    let mut tasks: Vec<(usize, usize, Task)> = tasks.into_iter().map(|task| (0, place(&task), task)).collect();
    tasks.sort_by_key(|(_, place, task)| (*place, task.index));
    for at in 1..tasks.len() {
        if tasks[at].1 == tasks[at - 1].1 {
            tasks[at].0 = tasks[at - 1].0 + 1;
        }
    }
    tasks.sort_by_key(|(turn, place, _)| (*turn, *place));
    tasks.into_iter().map(|(.., task)| task).collect()
}
