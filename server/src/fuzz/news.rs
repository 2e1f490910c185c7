//! What a run says of itself to the machines that it shares with.

use crate::exchange::{GrowthPoint, Joined, MachineContract};
use bellwether::{fuzz::Campaign, report::Report};
use std::time::{Duration, Instant};

/// How often it is gathered, chosen by hand: more often than it is sent.
const INTERVAL: Duration = Duration::from_secs(2);

/// What a run says of itself.
#[derive(Debug)]
pub(super) struct News {
    /// Transactions and findings of the projects before.
    executions: u64,
    findings: Vec<String>,
    started: Instant,
    told: Option<Instant>,
}

impl News {
    /// Of a run that has come so far.
    pub(super) fn new(before: &Report) -> Self {
        let findings = before.findings.iter().map(|reported| reported.finding.id.clone()).collect();
        Self { executions: before.executions(), findings, started: Instant::now(), told: None }
    }

    /// Tells how far a campaign is, if it is time to.
    pub(super) fn tell(&mut self, joined: &Joined, campaign: &Campaign, seed: u64) {
        if self.told.is_some_and(|told| told.elapsed() < INTERVAL) {
            return;
        }
        self.told = Some(Instant::now());
        let progress = campaign.progress();
        let contracts = progress.iter().map(|progress| {
            let key = progress.harness.key();
            let (covered, known) = (progress.branches.covered, progress.branches.known);
            MachineContract { name: key.name, file: key.file, executions: progress.executions, covered, known }
        });
        let contracts: Vec<_> = contracts.collect();
        let found = campaign.findings();
        let found = found.iter().filter(|finding| finding.ignored.is_none()).map(|finding| finding.id.clone());
        let findings: Vec<String> = self.findings.iter().cloned().chain(found).collect();
        let growth = GrowthPoint {
            seconds: self.started.elapsed().as_secs(),
            covered: contracts.iter().map(|contract| contract.covered).sum(),
            findings: findings.len() as u32,
        };
        joined.say(|machine| {
            machine.seed = seed;
            machine.seconds = growth.seconds;
            machine.growth.add(growth);
            machine.executions = self.executions + contracts.iter().map(|contract| contract.executions).sum::<u64>();
            machine.replayed = progress.iter().map(|progress| progress.rerun).sum();
            machine.contracts = contracts;
            machine.findings = findings;
        });
    }
}
