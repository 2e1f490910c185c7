//! A search: one worker fuzzes until a target is reached.

use crate::support::{Search, report::parallel, runs::Runs};
use bellwether::{
    code::{BlockId, ProgramId},
    fuzz::{Fuzzer, Session, Target, TargetState, Targets, Techniques},
    harness::Harness,
    project::Config,
};
use std::{sync::Arc, time::Instant};

/// Transactions between looks at whether it was reached.
const SLICE: u64 = 64;

/// What is to be reached.
#[derive(Clone)]
pub struct Goal {
    /// All targets.
    pub blocks: Vec<(ProgramId, BlockId)>,
    /// The line of the one that counts.
    pub line: u32,
}

/// Several seeds, side by side.
pub fn runs(harness: &Arc<Harness>, goal: &Goal, techniques: Techniques, cap: u64, seeds: u64) -> Runs {
    let searches = parallel(seeds as usize, |number| search(harness, goal, techniques, cap, number as u64 + 1));
    Runs::new(cap, &searches)
}

fn search(harness: &Arc<Harness>, goal: &Goal, techniques: Techniques, cap: u64, seed: u64) -> Search {
    let session = Session::new(harness.clone(), Config::default(), seed, 1, Arc::new(|_| {}));
    let session = session.with_techniques(techniques).with_targets(Targets::of_blocks(harness, goal.blocks.clone()));
    let session = Arc::new(session);
    let mut fuzzer = Fuzzer::new(session.clone(), 0);
    let counts = |target: &Target| target.line == goal.line && goal.blocks.contains(&target.blocks[0]);
    let at = session.targets.list().iter().position(counts).expect("it is a target");
    let mut executor = harness.executor();
    let started = Instant::now();
    loop {
        let state = session.targets.states()[at];
        let executions = session.executions();
        match state {
            TargetState::Reached { executions, elapsed } => return Search { found: true, executions, took: elapsed },
            TargetState::Open if executions < cap => {}
            TargetState::Open | TargetState::Unreachable => {
                return Search { found: false, executions, took: started.elapsed() };
            }
        }
        assert!(fuzzer.run(&mut executor, SLICE, u64::MAX, &|| false) > 0, "{:?}", session.undeployable());
    }
}
