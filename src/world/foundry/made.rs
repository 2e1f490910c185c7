//! The world of a test contract, as one of the contracts sees it that its `setUp()` makes: that one is the main instance, and whatever the
//! setup made beside it is called as well. Of the test contract nothing is called but what makes the world.

use super::plan::fitting;
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{CHEATCODE_ADDRESS, TEST_ADDRESS},
    input::{BlockReads, CallId, CallRules, CallTable, InstanceId, Setup, SetupStep},
    world::{blueprint::Blueprint, ground::World, plan::Plan},
};
use alloy_primitives::Address;
use std::{collections::BTreeSet, sync::Arc};

/// What code hashes at runtime where the compiler did not compute the address of the cheatcodes.
const CHEATCODE_PHRASE: &[u8] = b"hevm cheat code";

/// The world that a test contract sets up, and its instances.
#[derive(Debug, Clone, Copy)]
pub struct SetUpWorld<'a> {
    /// The world, in which the test contract is the main instance.
    pub world: &'a World,
    /// Its calls.
    pub calls: &'a CallTable,
    /// The deployment of the test contract, and the call of `setUp()`.
    pub setup: &'a Setup,
    /// What each instance is made of.
    pub blueprints: &'a [Blueprint],
}

impl SetUpWorld<'_> {
    /// The same world with one of the contracts that are made in it as the main instance: the first one of several. `None` if none of it is
    /// made there.
    pub fn with_main(self, contract: ContractId, build: &Build, programs: &Arc<Programs>) -> Option<Plan> {
        let main = self.blueprints.iter().position(|blueprint| *blueprint == Blueprint::SetUp(contract))?;
        let others = (0..self.blueprints.len()).filter(|at| *at != main);
        let order: Vec<usize> = std::iter::once(main).chain(others).collect();
        let now = |was: InstanceId| {
            let at = order.iter().position(|old| *old == usize::from(was.0)).expect("every instance has a place");
            InstanceId(at as u16)
        };
        let instances: Vec<_> = order.iter().map(|was| self.calls.instances()[*was].clone()).collect();
        let blueprints: Vec<Blueprint> = order.iter().map(|was| self.blueprints[*was].clone()).collect();
        let steps = self.setup.steps().iter().cloned().map(|mut step| {
            match &mut step {
                SetupStep::Deploy(deployment) => deployment.instance = now(deployment.instance),
                SetupStep::Call(call) => call.call.target = now(call.call.target),
            }
            step
        });
        let setup = Setup::new(steps.collect()).expect("only the test contract is deployed");
        let fitting = fitting(&instances, &blueprints, build, programs);
        let calls = CallTable::new(instances, fitting, BlockReads::default());
        let rules = rules(&calls, &blueprints, self.world, programs);
        let world = self.world.of_what_is_made(&order);
        Some(Plan { world, calls: calls.with_rules(rules), setup, configured_calls: 1, blueprints })
    }
}

/// Everything is called that cannot cheat, by the actors, by the test contract, which deployed the others, and by the people whom it knows.
fn rules(calls: &CallTable, blueprints: &[Blueprint], world: &World, programs: &Programs) -> CallRules {
    let cheats = |blueprint: &Blueprint| {
        let code = |contract| programs.get(programs.id(contract, Stage::Runtime)).code.clone();
        blueprint.contract().is_some_and(|contract| may_cheat(&code(contract)))
    };
    let is_called: Vec<bool> = calls
        .instances()
        .iter()
        .zip(blueprints)
        .map(|(instance, blueprint)| instance.address != TEST_ADDRESS && !cheats(blueprint))
        .collect();
    let allowed = calls.calls().iter().copied().filter(|call: &CallId| is_called[usize::from(call.target.0)]);
    let known = World::senders();
    let people = world.people.iter().copied().filter(|it| !known.contains(it));
    let senders: Vec<Address> = known.iter().copied().chain([TEST_ADDRESS]).chain(people).collect();
    CallRules { allowed: Some(allowed.collect::<BTreeSet<_>>()), senders, ..CallRules::default() }
}

/// Whether code names the contract of the cheatcodes, so that it may reach states that no chain reaches.
fn may_cheat(code: &[u8]) -> bool {
    let has = |part: &[u8]| code.windows(part.len()).any(|window| window == part);
    has(CHEATCODE_ADDRESS.as_slice()) || has(CHEATCODE_PHRASE)
}
