//! What a run says of itself to the machines that it shares with.

use crate::exchange::{Blocks, GrowthPoint, Joined, Machine, MachineContract};
use bellwether::{
    code::{Program, Stage},
    fuzz::{BlockState, Campaign, Survey},
    harness::Harness,
};
use std::time::{Duration, Instant};

/// How often it is gathered, chosen by hand: more often than it is sent.
const INTERVAL: Duration = Duration::from_secs(2);

/// What a run says of itself, of all its projects together.
#[derive(Debug)]
pub(super) struct News {
    seed: u64,
    started: Instant,
    told: Option<Instant>,
    /// How far the projects are that had their turn.
    before: Reached,
}

impl News {
    /// Of a run with this seed, which begins to fuzz.
    pub(super) fn new(seed: u64) -> Self {
        Self { seed, started: Instant::now(), told: None, before: Reached::default() }
    }

    /// Tells how far a campaign is, if it is time to.
    pub(super) fn tell(&mut self, joined: &Joined, campaign: &Campaign) {
        if self.told.is_none_or(|told| told.elapsed() >= INTERVAL) {
            self.told = Some(Instant::now());
            self.say(joined, Reached::by(campaign).and(&self.before));
        }
    }

    /// Tells how far a campaign came at its end.
    pub(super) fn end(&mut self, joined: &Joined, campaign: &Campaign) {
        self.before = Reached::by(campaign).and(&self.before);
        self.say(joined, self.before.clone());
    }

    fn say(&self, joined: &Joined, reached: Reached) {
        joined.say(|machine| {
            machine.seed = self.seed;
            reached.enter(self.started.elapsed(), machine);
        });
    }
}

/// How far projects are.
#[derive(Debug, Clone, Default)]
struct Reached {
    contracts: Vec<MachineContract>,
    /// Transactions that ran again what was found before or elsewhere.
    replayed: u64,
    /// The ids of findings.
    findings: Vec<String>,
}

impl Reached {
    /// How far a campaign is.
    fn by(campaign: &Campaign) -> Self {
        let (progress, survey) = (campaign.progress(), campaign.survey());
        let contracts = progress.iter().map(|progress| {
            let key = progress.harness.key();
            let (program, reached) = blocks(&survey, &progress.harness);
            MachineContract {
                name: key.name,
                file: key.file,
                executions: progress.executions,
                covered: progress.branches.covered,
                known: progress.branches.known,
                code: format!("{:016x}", program.hash()),
                blocks: program.code_blocks().len() as u32,
                reached,
            }
        });
        let found = campaign.findings();
        let found = found.iter().filter(|finding| finding.ignored.is_none()).map(|finding| finding.id.clone());
        Self {
            contracts: contracts.collect(),
            replayed: progress.iter().map(|progress| progress.rerun).sum(),
            findings: found.collect(),
        }
    }

    /// Both together. Where there is too much to be said, what comes first is said.
    fn and(mut self, other: &Self) -> Self {
        self.contracts.extend_from_slice(&other.contracts);
        self.replayed += other.replayed;
        self.findings.extend_from_slice(&other.findings);
        self
    }

    /// Enters it into what a machine says, so long after it began to fuzz.
    fn enter(self, since: Duration, machine: &mut Machine) {
        machine.seconds = since.as_secs();
        machine.growth.add(GrowthPoint {
            seconds: machine.seconds,
            covered: self.contracts.iter().map(|contract| contract.covered).sum(),
            findings: self.findings.len() as u32,
        });
        machine.executions = self.contracts.iter().map(|contract| contract.executions).sum();
        machine.replayed = self.replayed;
        machine.contracts = self.contracts;
        machine.findings = self.findings;
    }
}

/// The deployed code of a contract, and which of its blocks were reached.
fn blocks<'a>(survey: &Survey, harness: &'a Harness) -> (&'a Program, Blocks) {
    let id = harness.programs.id(harness.contract, Stage::Runtime);
    let program = harness.programs.get(id);
    let states = survey.programs.get(&id).into_iter().flat_map(|surveyed| &surveyed.blocks);
    let states = states.take(program.code_blocks().len());
    (program, Blocks::of(states.map(|state| *state == BlockState::Reached)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reached(name: &str, executions: u64, covered: u32) -> Reached {
        let contract = MachineContract { name: name.to_owned(), executions, covered, ..MachineContract::default() };
        Reached { contracts: vec![contract], replayed: executions / 10, findings: vec![format!("finding of {name}")] }
    }

    #[test]
    fn a_run_over_several_projects_counts_them_together() {
        let mut machine = Machine::default();
        reached("First", 1000, 20).enter(Duration::from_secs(10), &mut machine);
        let before = reached("First", 3000, 30);
        reached("Second", 0, 0).and(&before).enter(Duration::from_secs(20), &mut machine);
        reached("Second", 2000, 5).and(&before).enter(Duration::from_secs(25), &mut machine);
        assert_eq!((machine.executions, machine.replayed, machine.seconds), (5000, 500, 25));
        assert_eq!(machine.executions / machine.seconds, 200);
        let names: Vec<&str> = machine.contracts.iter().map(|contract| contract.name.as_str()).collect();
        assert_eq!((names, machine.findings.len()), (vec!["Second", "First"], 2));
        let points: Vec<_> = machine.growth.points().iter().map(|it| (it.seconds, it.covered, it.findings)).collect();
        assert_eq!(points, [(10, 20, 1), (20, 30, 2), (25, 35, 2)]);
    }
}
