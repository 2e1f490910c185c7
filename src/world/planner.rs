//! The planner finds a world for a contract. What the types of parameters ask for is tried out: companions that cannot be deployed
//! are replaced, an implementation that locks itself is put behind a proxy, and what a factory creates is created by one.
//!
//! The same build always gives the same plan: the words that are tried come from a generator with a fixed seed.

use super::{
    blueprint::Blueprint,
    companions::{Choice, Companions},
    configured,
    factories::factories,
    foundry::{self, is_suite},
    ground::{World, WorldError},
    implementations::implementations,
    plan::{Plan, Settled},
    proxies::{is_made_for_a_proxy, proxies},
    tried::TriedWorlds,
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    project::WorldConfig,
};
use alloy_json_abi::JsonAbi;
use std::{collections::BTreeSet, sync::Arc};

/// How often more functions of the stand-in for anything are learned; chosen by hand.
const MAX_ASKED: usize = 4;

/// Finds a world for a contract, as far as a person says what it is made of.
pub(super) fn find_plan(
    build: &Arc<Build>,
    programs: &Arc<Programs>,
    main: ContractId,
    config: &WorldConfig,
    tried: &mut TriedWorlds,
) -> Result<Plan, WorldError> {
    if is_suite(build, main) {
        return foundry::plan(build, programs, main);
    }
    configured::check(build, main, config)?;
    let mut planner = Planner { build, programs, main, config, refused: BTreeSet::new(), tried };
    let plain = planner.settled(Making::Deploy)?;
    // A constructor may keep its deployer, and call it later.
    if !plain.is_deployed || programs.contract_types(build).uses_deployer(build, main) {
        for factory in factories(build, programs, main) {
            let created = planner.settled(Making::Factory(factory))?;
            if created.is_deployed {
                return created.plan;
            }
        }
    }
    for code in implementations(build, programs, main) {
        let Ok(delegating) = planner.settled(Making::Delegator(code)) else { continue };
        if delegating.is_deployed {
            return delegating.plan;
        }
    }
    if !plain.is_deployed {
        if takes_addresses(build, main)
            && let Some(found) = planner.among_anything()?
        {
            return found.plan;
        }
    } else if plain.is_locked || is_made_for_a_proxy(build, main) {
        for by in proxies(build, programs, main).into_iter().map(Some).chain([None]) {
            // What cannot be linked is no proxy of this contract.
            let Ok(proxied) = planner.settled(Making::Proxy(by)) else { continue };
            if proxied.is_deployed && !proxied.is_locked {
                return proxied.plan;
            }
        }
    } else if !plain.refused.is_empty() {
        // What refuses every caller by itself, and nobody in the place of others, is meant to run there.
        let proxied = planner.settled(Making::Proxy(None))?;
        if proxied.is_deployed
            && proxied.refused.len() < plain.refused.len()
            && proxied.refused.is_subset(&plain.refused)
        {
            return proxied.plan;
        }
    }
    plain.plan
}

/// Tries out worlds for a contract.
struct Planner<'a> {
    build: &'a Build,
    programs: &'a Arc<Programs>,
    main: ContractId,
    config: &'a WorldConfig,
    /// Contracts that could not be deployed.
    refused: BTreeSet<ContractId>,
    /// The worlds that were tried out before.
    tried: &'a mut TriedWorlds,
}

impl Planner<'_> {
    /// A world in which addresses of which nothing is known are contracts. What its constructor asks of them is learned from
    /// deployments that fail.
    fn among_anything(&mut self) -> Result<Option<Settled>, WorldError> {
        let mut asked = JsonAbi::new();
        for _ in 0..MAX_ASKED {
            let settled = self.settled(Making::Among(&asked))?;
            if settled.is_deployed {
                return Ok(Some(settled));
            }
            let before = asked.functions().count();
            for function in settled.asked {
                asked.functions.entry(function.name.clone()).or_insert_with(|| vec![function]);
            }
            if asked.functions().count() == before {
                break;
            }
        }
        Ok(None)
    }

    /// A world in which the main instance is made in one way. Companions that cannot be deployed are replaced.
    fn settled(&mut self, making: Making<'_>) -> Result<Settled, WorldError> {
        let Self { build, programs, main, config, .. } = *self;
        loop {
            let (factory, asked) = match making {
                Making::Factory(factory) => (Some(factory), None),
                Making::Among(asked) => (None, Some(asked)),
                Making::Deploy | Making::Proxy(_) | Making::Delegator(_) => (None, None),
            };
            let choice = Choice { build, programs, refused: &self.refused, asked, configured: (main, config) };
            let mut companions = Companions::of(main, factory, choice);
            if let Making::Proxy(by) = making {
                companions.put_behind_proxy(main, by, choice);
            }
            if let Making::Delegator(code) = making {
                companions.delegate_to(main, code, choice);
            }
            let world = match World::new(build, programs, &companions.blueprints) {
                Ok(world) => world,
                Err(error) => {
                    let found = unlinkable(build, programs, main, &companions.blueprints);
                    if found.is_subset(&self.refused) {
                        return Err(error);
                    }
                    self.refused.extend(found);
                    continue;
                }
            };
            match self.tried.settle(companions, world, build, programs, config) {
                Ok(settled) => return Ok(settled),
                Err(contract) => {
                    if let Some(error) = configured::refused(build, contract, config) {
                        return Err(error);
                    }
                    self.refused.insert(contract);
                }
            }
        }
    }
}

/// The companions of a contract that are linked to libraries that cannot be deployed.
fn unlinkable(
    build: &Build,
    programs: &Arc<Programs>,
    main: ContractId,
    blueprints: &[Blueprint],
) -> BTreeSet<ContractId> {
    let companions = blueprints.iter().flat_map(Blueprint::code).filter(|contract| *contract != main);
    let cannot = |contract: &ContractId| World::new(build, programs, &[Blueprint::Contract(*contract)]).is_err();
    companions.filter(cannot).collect()
}

/// How the main instance is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Making<'a> {
    /// It is deployed.
    Deploy,
    /// A proxy is deployed in its place: of this contract, or a plain one.
    Proxy(Option<ContractId>),
    /// It is deployed, and runs the code of an instance of this contract in its own place.
    Delegator(ContractId),
    /// An instance of this contract creates it.
    Factory(ContractId),
    /// It is deployed, with contracts for all addresses, on which these functions are called.
    Among(&'a JsonAbi),
}

/// Whether a constructor takes addresses that are no more than that.
fn takes_addresses(build: &Build, main: ContractId) -> bool {
    let constructor = build.contract(main).abi.constructor.as_ref();
    constructor.is_some_and(|constructor| constructor.inputs.iter().any(|input| input.ty.starts_with("address")))
}
