//! A [`Prepared`] project is compiled and can be fuzzed. What becomes of it goes into the report.

use super::{arguments::Arguments, budget::Budget, news::News, progress::Progress};
use crate::{
    committed::Committed,
    corpus::open_store,
    exchange::Joined,
    output,
    roots::{folder_in_corpus, project_name},
    trust,
};
use anyhow::{Context, Result};
use bellwether::{
    compile::{Build, Compiler, Timeouts, Toolchain, cache_folder},
    corpus::store::CorpusStore,
    finding::Finding,
    fuzz::{Campaign, Event, Lines},
    project::Project,
    report::{Known, Report},
    world::unknown_contracts,
};
use std::{
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

/// The interval at which a run looks at the clock and shows its progress, chosen by hand: short enough to look alive.
const TICK: Duration = Duration::from_millis(100);
/// Why a contract had no turn, where nothing else is the reason.
const TOO_LITTLE: &str = "the run ended before its turn; allow more `--executions` or `--seconds`";

/// A project that was compiled.
pub(super) struct Prepared {
    /// Its root as it was given.
    name: String,
    /// Whether there is no other project in this run.
    alone: bool,
    pub(super) project: Project,
    pub(super) build: Arc<Build>,
    /// The number of contracts that are to be fuzzed.
    pub(super) contracts: u64,
    /// Their names in the form of `--contract`, where they are not all of the project.
    pub(super) chosen: Option<Vec<String>>,
    /// What is to be reached.
    pub(super) targets: Vec<Lines>,
}

/// What holds for all projects of a run.
pub(super) struct Run<'a> {
    pub(super) arguments: &'a Arguments,
    pub(super) seed: u64,
    pub(super) interrupted: &'a AtomicBool,
    /// Why a finding is known, if it is.
    pub(super) known: &'a dyn Fn(&Finding) -> Option<Known>,
    /// Where what is found is shared, if it is.
    pub(super) joined: Option<&'a Joined>,
}

impl Run<'_> {
    /// How long the machines that share can go on until they have cost what they may, if that is limited.
    pub(super) fn affordable(&self) -> Option<Duration> {
        let (limit, account) = (self.arguments.max_cost?, self.joined?.account()?);
        Some(account.time_until(limit.amount, Instant::now()))
    }

    fn has_spent_all(&self) -> bool {
        self.affordable().is_some_and(|time| time.is_zero())
    }

    /// Why the run has to end before all of its projects had their turn, if it has to.
    pub(super) fn why_ended(&self, report: &Report) -> Option<&'static str> {
        if self.interrupted.load(Ordering::SeqCst) {
            Some("the run was interrupted before its turn")
        } else if self.arguments.fail_fast && report.found_something() {
            Some("the run stopped at its first finding (`--fail-fast`), before this contract's turn")
        } else if self.has_spent_all() {
            Some("the machines that share had cost what they may (`--max-cost`) before its turn")
        } else {
            None
        }
    }
}

impl Prepared {
    /// Compiles the project at `given`, and reports what cannot be.
    pub(super) fn new(
        arguments: &Arguments,
        toolchain: &Toolchain,
        given: &Path,
        alone: bool,
        report: &mut Report,
    ) -> Result<Self> {
        let mut project = trust::open(given, arguments.trust)?;
        arguments.configure(&mut project)?;
        let name = project_name(given, &project);
        trust::tell_warnings(&project);
        let cache = cache_folder(&project);
        let progress = Progress::new(arguments, &name, alone);
        let compiler = Compiler::sharing(toolchain, &cache, &project.root, &project.root, arguments.trust);
        let build = Arc::new(compiler.with_listener(progress.compiling()).build(&project));
        progress.end();
        unknown_contracts(&build, &project.config).iter().for_each(trust::tell_warning);
        report.add_left_out(&name, &project, &build);
        build.notes.iter().for_each(|note| output::note(&format!("note: {name}/{note}")));
        let contracts = arguments.options(0, None)?.contracts_of(&build).len() as u64;
        Ok(Self { name, alone, project, build, contracts, chosen: None, targets: Vec::new() })
    }

    /// Whether it has contracts, and none that can be deployed.
    pub(super) fn has_only_parts(&self) -> bool {
        let build = &self.build;
        let mut own =
            build.contract_ids().map(|id| build.contract(id)).filter(|it| !build.source(it.source).foreign).peekable();
        own.peek().is_some() && !own.any(|contract| contract.is_deployable())
    }

    /// Fuzzes until the share is spent, and returns what was spent: transactions and time.
    pub(super) fn fuzz(
        &self,
        run: &Run<'_>,
        share: &Budget,
        news: &mut News,
        report: &mut Report,
    ) -> Result<(u64, Duration)> {
        let Run { arguments, seed, interrupted, known, .. } = *run;
        let (send, events) = mpsc::channel();
        let listener = Arc::new(move |event| {
            // Nobody listens any more once the run is over.
            let _ = send.send(event);
        });
        let mut options = arguments.options(seed, share.executions)?;
        options.targets.clone_from(&self.targets);
        if let Some(chosen) = &self.chosen {
            options.contracts.clone_from(chosen);
        }
        options.archive = self.archive(arguments)?;
        options.exchange = run.joined.map(Joined::begin_project);
        let campaign = Campaign::start(options.clone(), listener).context("cannot start the threads that fuzz")?;
        let mut progress = Progress::new(arguments, &self.name, self.alone);
        campaign.set_committed(self.committed(arguments.trust));
        let started = Instant::now();
        campaign.rebase(&self.build, &self.project.config, 1);
        // Who ends waits for the workers to rest, since what was found is still shrunk; who interrupts does not.
        while !interrupted.load(Ordering::SeqCst) {
            match events.recv_timeout(TICK) {
                Ok(Event::Quiet { .. }) | Err(mpsc::RecvTimeoutError::Disconnected) => break,
                Ok(Event::Found { finding, .. }) => {
                    progress.found(&self.name, &finding);
                    if arguments.fail_fast && finding.is_serious() && known(&finding).is_none() {
                        campaign.end();
                    }
                }
                Ok(event) => report.add_event(&self.name, &event),
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
            progress.tick(&campaign, report, started);
            if let Some(joined) = run.joined {
                news.tell(joined, &campaign);
            }
            let is_over = share.time.is_some_and(|time| started.elapsed() >= time);
            if is_over || run.has_spent_all() {
                campaign.end();
            }
        }
        let elapsed = started.elapsed();
        // A finding that is just being confirmed is still waited for.
        campaign.pause_and_wait();
        for event in events.try_iter() {
            match event {
                Event::Found { finding, .. } => progress.found(&self.name, &finding),
                event => report.add_event(&self.name, &event),
            }
        }
        progress.end();
        let waited = run.why_ended(report).unwrap_or(TOO_LITTLE);
        let products = self.project.config.products();
        let executions = report.add_campaign(&self.name, &campaign, &products, elapsed, waited);
        if arguments.wants_coverage() {
            let contracts = options.contracts_of(&self.build);
            report.add_coverage(&self.name, &self.project, &self.build, &contracts, Some(&campaign));
        }
        report.mark_known(&self.name, known);
        report.add_ignores(&self.name, &self.project, &self.build, &campaign);
        if let Some(joined) = run.joined {
            news.end(joined, &campaign);
        }
        campaign.stop();
        Ok((executions, elapsed))
    }

    /// Reports that none of its contracts had a turn.
    pub(super) fn skip(&self, arguments: &Arguments, why: &str, report: &mut Report) -> Result<()> {
        let mut options = arguments.options(0, None)?;
        if let Some(chosen) = &self.chosen {
            options.contracts.clone_from(chosen);
        }
        let contracts = options.contracts_of(&self.build);
        if arguments.wants_coverage() {
            report.add_coverage(&self.name, &self.project, &self.build, &contracts, None);
        }
        for id in contracts {
            let abi = &self.build.contract(id).abi;
            if !abi.functions.is_empty() || abi.receive.is_some() || abi.fallback.is_some() {
                report.add_not_fuzzed(&self.name, &self.build, id, why);
            }
        }
        Ok(())
    }

    /// What its upgradeable contracts were in the last commit.
    fn committed(&self, trusted: bool) -> Option<Arc<Build>> {
        let (root, cache) = (&self.project.root, cache_folder(&self.project));
        let compiler = || Compiler::sharing(&Toolchain::waiting(Timeouts::default()), &cache, root, root, trusted);
        Committed::default().of(&self.project, &self.build, trusted, compiler)
    }

    /// Where its corpus and findings are kept, if that was asked for.
    fn archive(&self, arguments: &Arguments) -> Result<Option<Arc<CorpusStore>>> {
        let Some(folder) = &arguments.corpus else { return Ok(None) };
        let folder = folder.join(folder_in_corpus(&self.project, &self.name));
        Ok(Some(Arc::new(open_store(&folder, &self.name)?)))
    }
}
