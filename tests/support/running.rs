//! A campaign with one worker that is turned to one build after another, and what it told.

use super::sandbox::Sandbox;
use bellwether::{
    compile::Build,
    finding::Finding,
    fuzz::{Campaign, Event, Options, Progress},
};
use std::sync::{Arc, mpsc};

/// Transactions without news after which tests call a contract quiet. Chosen by hand: the engine's own default is fifty times as many.
pub const QUIET_AFTER: u64 = 20_000;

/// Options of a campaign with one worker that rests when nothing new is found.
pub fn until_quiet(seed: u64) -> Options {
    Options { workers: 1, seed, until_quiet: true, quiet_after: QUIET_AFTER, ..Options::default() }
}

/// A campaign that stops when nothing new is found.
pub struct Running {
    pub campaign: Campaign,
    pub events: mpsc::Receiver<Event>,
}

impl Running {
    pub fn start(seed: u64) -> Self {
        Self::start_with(until_quiet(seed))
    }

    /// Of this seed; it turned to what is there, as its first generation, and finds nothing new any more.
    pub fn at_rest(seed: u64, sandbox: &mut Sandbox) -> Self {
        let running = Self::start(seed);
        running.turn_to(sandbox, 1);
        running.rest(1);
        running
    }

    pub fn start_with(options: Options) -> Self {
        let (send, events) = mpsc::channel();
        let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
        Self { campaign, events }
    }

    /// Builds what is there now, and turns to it.
    pub fn turn_to(&self, sandbox: &mut Sandbox, generation: u64) -> Arc<Build> {
        let build = sandbox.build();
        let config = sandbox.project().config;
        self.campaign.rebase(&build, &config, generation);
        build
    }

    /// The first finding, once it is shrunk.
    pub fn found(&self) -> Arc<Finding> {
        loop {
            match self.events.recv().unwrap() {
                Event::Shrunk { finding, .. } => return finding,
                Event::Quiet { .. } => panic!("nothing found"),
                _ => {}
            }
        }
    }

    /// What was told up to now, without waiting.
    pub fn told(&self) -> Vec<Event> {
        self.events.try_iter().collect()
    }

    /// Waits until nothing new is found on this build.
    pub fn rest(&self, of: u64) {
        while !matches!(self.events.recv().unwrap(), Event::Quiet { generation } if generation == of) {}
    }

    /// How far the contract of this name is.
    pub fn progress(&self, contract: &str) -> Progress {
        let all = self.campaign.progress().into_iter();
        let mut of_name = all.filter(|progress| progress.harness.compiled().name == contract);
        of_name.next().unwrap_or_else(|| panic!("{contract} is not fuzzed"))
    }

    /// How far it is, as numbers: executions, paths, sides of branches and instructions.
    pub fn numbers(&self, contract: &str) -> (u64, usize, u32, u32) {
        let progress = self.progress(contract);
        (progress.executions, progress.paths, progress.branches.covered, progress.instructions.covered)
    }

    /// The ids of what is found, with the line and the contract of each.
    pub fn findings(&self) -> Vec<(u32, String)> {
        self.campaign.findings().iter().map(|finding| (finding.lines.line, finding.contract.clone())).collect()
    }
}

/// The generations of what was told, by kind: `found 2`, `fixed 2`, `quiet 1`.
pub fn kinds(told: &[Event]) -> Vec<String> {
    let kind = |event: &Event| match event {
        Event::Found { generation, .. } => format!("found {generation}"),
        Event::Shrunk { generation, .. } => format!("shrunk {generation}"),
        Event::Fixed { generation, .. } => format!("fixed {generation}"),
        Event::Quiet { generation } => format!("quiet {generation}"),
        Event::Undeployable { generation, .. } => format!("undeployable {generation}"),
        other => format!("{other:?}"),
    };
    told.iter().map(kind).collect()
}
