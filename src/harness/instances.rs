//! The contracts of a world: the one that is fuzzed, and those that constructors require by type. A parameter of type
//! `Token` requires the project's contract `Token` if that can be deployed; parameters of interface or plain address types
//! are not resolved here.

use crate::{
    code::Programs,
    compile::{Build, Contract, ContractId},
    input::{Instance, InstanceId, Interface},
    world::{ACTORS, World},
};
use alloy_json_abi::InternalType;
use std::sync::Arc;

/// The most instances of one world; chosen by hand. The largest systems of real projects have some thirty contracts.
const MAX_INSTANCES: usize = 32;

/// The contracts of the world of `main`, which comes first, and their instances.
pub(super) fn instances(build: &Build, programs: &Programs, main: ContractId) -> (Vec<ContractId>, Vec<Instance>) {
    let mut contracts = vec![main];
    let mut wants: Vec<Vec<Option<InstanceId>>> = Vec::new();
    while let Some(contract) = contracts.get(wants.len()) {
        let wanted: Vec<Option<ContractId>> = wanted_by(build, build.contract(*contract));
        let mut place = |wanted: ContractId| {
            let at = contracts.iter().position(|known| *known == wanted).or_else(|| {
                (contracts.len() < MAX_INSTANCES).then(|| {
                    contracts.push(wanted);
                    contracts.len() - 1
                })
            })?;
            Some(InstanceId(at as u16))
        };
        wants.push(wanted.into_iter().map(|wanted| wanted.and_then(&mut place)).collect());
    }
    let definitions = programs.definitions(build);
    let members = |internal: &str| definitions.members(internal.strip_prefix("enum ").unwrap_or(internal));
    let mut instances: Vec<Instance> = Vec::new();
    for ((contract, wants), at) in contracts.iter().zip(wants).zip(0..) {
        let compiled = build.contract(*contract);
        let instance = Instance {
            name: name(&compiled.name, &instances),
            contract: compiled.name.clone(),
            address: World::address(InstanceId(at)),
            interface: Arc::new(Interface::new(&compiled.abi, &members)),
            layout: compiled.storage.clone(),
            wants,
        };
        instances.push(instance);
    }
    (contracts, instances)
}

/// For each parameter of the constructor, the contract that its type names: one of the project's own, with a unique name,
/// that can be deployed.
fn wanted_by(build: &Build, contract: &Contract) -> Vec<Option<ContractId>> {
    let inputs = contract.abi.constructor.as_ref().map_or(&[][..], |constructor| &constructor.inputs);
    let named = |name: &str| {
        let mut found = build.contract_ids().filter(|id| {
            let contract = build.contract(*id);
            contract.name == name && contract.is_deployable() && !build.source(contract.source).foreign
        });
        found.next().filter(|_| found.next().is_none())
    };
    let wanted = |internal: Option<&InternalType>| match internal {
        Some(InternalType::Contract(name)) => named(name),
        _ => None,
    };
    inputs.iter().map(|input| wanted(input.internal_type.as_ref())).collect()
}

/// The main instance is named like its contract; another one like its contract with small first letters, with a number if
/// that name is taken.
fn name(contract: &str, others: &[Instance]) -> String {
    if others.is_empty() {
        return contract.to_owned();
    }
    let small = contract.chars().take_while(|letter| letter.is_uppercase()).count();
    // `USDToken` becomes `usdToken`, `Token` becomes `token`, `WETH` becomes `weth`.
    let small = if small > 1 && small < contract.len() { small - 1 } else { small };
    let plain = contract[..small].to_lowercase() + &contract[small..];
    let is_taken = |name: &str| {
        others.iter().any(|other| other.name.eq_ignore_ascii_case(name))
            || ACTORS.iter().any(|actor| actor.name == name)
    };
    if !is_taken(&plain) {
        return plain;
    }
    (2..).map(|number| format!("{plain}{number}")).find(|name| !is_taken(name)).unwrap_or(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::CallTable;

    #[test]
    fn instances_are_named_like_their_contracts() {
        let mut others: Vec<Instance> = Vec::new();
        for (contract, expected) in [
            ("Market", "Market"),
            ("Token", "token"),
            ("USDToken", "usdToken"),
            ("WETH", "weth"),
            ("Token", "token2"),
            ("Token", "token3"),
            ("Alice", "alice2"),
            ("market", "market2"),
        ] {
            let name = name(contract, &others);
            assert_eq!(name, expected);
            others.push(Instance { name, ..CallTable::sample(&[]).main().clone() });
        }
    }
}
