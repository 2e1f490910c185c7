//! Worlds that were tried out for a contract, and how that ended. Trying out a world again, in which nothing is other than before,
//! ends in the same way. In a large world in which only the code of companions changed, the setup that was found is kept if all of
//! it still succeeds, the longest of several, although with the new code there might be a better one.

use super::{
    action::Action,
    blueprint::Blueprint,
    companions::Companions,
    draft::Draft,
    ground::World,
    plan::{Plan, Settled},
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    evm::{Executor, Snapshot, Status},
    input::{Setup, SetupStep},
    project::WorldConfig,
};
use alloy_json_abi::Function as AbiFunction;
use alloy_primitives::{Address, Bytes};
use std::{cmp::Reverse, collections::BTreeSet, sync::Arc};

/// Steps of a setup from which on it is kept as long as it succeeds; chosen by hand. To find a shorter one anew takes milliseconds.
const LARGE: usize = 32;

/// Setups that are kept of worlds with other code, so that one comes back when a change is undone; chosen by hand.
const MAX_SIMILAR: usize = 4;

/// The worlds that were tried out for one contract: for the last build, and for this one.
#[derive(Debug, Default)]
pub(super) struct TriedWorlds {
    before: Vec<Arc<Tried>>,
    now: Vec<Arc<Tried>>,
}

/// A world that was tried out, and how that ended.
#[derive(Debug)]
pub(super) struct Tried {
    ground: Ground,
    result: Result<Found, ContractId>,
}

/// What decides how trying out a world ends.
#[derive(Debug, PartialEq)]
struct Ground {
    companions: Companions,
    creations: Vec<Bytes>,
    genesis: Snapshot,
    config: WorldConfig,
}

/// What was found out about a world.
#[derive(Debug, Clone)]
struct Found {
    setup: Setup,
    configured_calls: usize,
    created_at: Option<Address>,
    is_deployed: bool,
    is_locked: bool,
    refused: BTreeSet<[u8; 4]>,
    asked: Vec<AbiFunction>,
}

impl TriedWorlds {
    /// With what was tried out for the last build.
    pub(super) fn after(before: Vec<Arc<Tried>>) -> Self {
        Self { before, now: Vec::new() }
    }

    /// What was tried out for this build, or is known from the last one and still holds.
    pub(super) fn into_tried(self) -> Vec<Arc<Tried>> {
        self.now
    }

    /// Tries a world out, unless it is known how that ends. The error is a companion's contract that cannot be deployed.
    pub(super) fn settle(
        &mut self,
        companions: Companions,
        world: World,
        build: &Build,
        programs: &Arc<Programs>,
        config: &WorldConfig,
    ) -> Result<Settled, ContractId> {
        let ground = Ground {
            companions: companions.clone(),
            creations: world.creations.clone(),
            genesis: world.genesis.clone(),
            config: config.clone(),
        };
        let similar = self.similar(&ground);
        self.now.extend(similar.iter().cloned());
        let known = self.before.iter().find(|tried| tried.ground == ground).cloned();
        if let Some(tried) = known {
            self.now.push(tried.clone());
            let found = tried.result.clone()?;
            return Ok(found.settled(&companions, world, build));
        }
        let mut founds = similar.iter().filter_map(|tried| tried.result.as_ref().ok());
        let holds = founds.find(|found| found.still_holds(&ground, &world, build, programs)).cloned();
        if let Some(found) = holds {
            self.now.push(Arc::new(Tried { ground, result: Ok(found.clone()) }));
            return Ok(found.settled(&companions, world, build));
        }
        let settled = Draft::new(companions, world, build, programs).settle(config);
        let result = match &settled {
            Ok(settled) => Found::of(settled).map(Ok),
            Err(contract) => Some(Err(*contract)),
        };
        self.now.extend(result.map(|result| Arc::new(Tried { ground, result })));
        settled
    }

    /// Worlds that differ from this one in the code of companions, those with the longest setups first.
    fn similar(&self, ground: &Ground) -> Vec<Arc<Tried>> {
        let is_similar = |tried: &&Arc<Tried>| tried.ground != *ground && tried.ground.has_the_same_main(ground);
        let mut similar: Vec<Arc<Tried>> = self.before.iter().filter(is_similar).cloned().collect();
        similar.sort_by_key(|tried| Reverse(tried.steps()));
        similar.truncate(MAX_SIMILAR);
        similar
    }
}

impl Tried {
    /// The steps of the setup that was found.
    fn steps(&self) -> usize {
        self.result.as_ref().map_or(0, |found| found.setup.steps().len())
    }
}

impl Ground {
    /// Whether a world differs from this one at most in the code of its companions.
    fn has_the_same_main(&self, other: &Self) -> bool {
        let blueprints = &self.companions.blueprints;
        let main = blueprints[0].contract();
        // The code of a created contract is a part of its factory's.
        let is_deployed = !matches!(blueprints[0], Blueprint::Created(_));
        let mut codes = blueprints.iter().zip(self.creations.iter().zip(&other.creations));
        is_deployed
            && self.companions == other.companions
            && self.config == other.config
            && codes.all(|(blueprint, (code, other))| code == other || blueprint.contract() != main)
    }
}

impl Found {
    /// What was found out; nothing if the world cannot be as it is configured.
    fn of(settled: &Settled) -> Option<Self> {
        let plan = settled.plan.as_ref().ok()?;
        Some(Self {
            setup: plan.setup.clone(),
            configured_calls: plan.configured_calls,
            created_at: settled.created_at,
            is_deployed: settled.is_deployed,
            is_locked: settled.is_locked,
            refused: settled.refused.clone(),
            asked: settled.asked.clone(),
        })
    }

    /// Whether the setup still makes the world now that the code of companions is another one.
    fn still_holds(&self, ground: &Ground, world: &World, build: &Build, programs: &Arc<Programs>) -> bool {
        let companions = self.companions(&ground.companions);
        let main = companions.blueprints[0].contract().expect("the main instance is of a contract");
        let calls = companions.calls(build);
        let mut executor = Executor::new(programs.clone(), build.contract(main).evm_version);
        executor.prefer(main);
        let mut state = ground.genesis.clone();
        let mut succeeds = |step: &SetupStep| {
            let (outcome, after) = world.act(&mut executor, &calls, Action::of(step), &state);
            state = after;
            outcome.status == Status::Success
        };
        self.is_deployed && self.setup.steps().len() >= LARGE && self.setup.steps().iter().all(&mut succeeds)
    }

    fn companions(&self, planned: &Companions) -> Companions {
        let mut companions = planned.clone();
        companions.created_at = self.created_at;
        companions
    }

    /// The world as it was found.
    fn settled(self, planned: &Companions, world: World, build: &Build) -> Settled {
        let companions = self.companions(planned);
        let Self { setup, configured_calls, created_at, is_deployed, is_locked, refused, asked } = self;
        let plan =
            Plan { world, calls: companions.calls(build), setup, configured_calls, blueprints: companions.blueprints };
        Settled { plan: Ok(plan), created_at, is_deployed, is_locked, refused, asked }
    }
}
