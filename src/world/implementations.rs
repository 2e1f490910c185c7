//! Implementations: the contracts of the build whose code a contract is meant to run in its own place.

use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
};
use alloy_json_abi::StateMutability;
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// Ends of names of proxies, and of what is behind them.
const PROXY_WORDS: [&str; 12] = [
    "proxy",
    "delegator",
    "delegate",
    "dispatcher",
    "shell",
    "forwarder",
    "logic",
    "implementation",
    "impl",
    "library",
    "upgradeable",
    "v",
];

/// The contracts whose code a contract may be meant to run in its own place, if it does so with that at an address that its constructor
/// takes: those of a like name, as `Vault` and `VaultProxy` have, or else the only other one in its source.
pub(super) fn implementations(build: &Build, programs: &Programs, main: ContractId) -> Vec<ContractId> {
    let contract = build.contract(main);
    let constructor = contract.abi.constructor.as_ref();
    let takes_code = constructor.is_some_and(|it| it.inputs.iter().any(|input| input.ty == "address"));
    if !takes_code || !programs.get(programs.id(main, Stage::Runtime)).has_opcode(opcode::DELEGATECALL) {
        return Vec::new();
    }
    let may_be = |id: &ContractId| {
        let other = build.contract(*id);
        let holds_main = programs.embedded(programs.id(*id, Stage::Runtime)).iter();
        *id != main
            && other.is_deployable()
            && !build.source(other.source).foreign
            && other.abi.functions().any(|function| !is_read_only(function.state_mutability))
            && holds_main.map(|id| programs.get(*id).contract).all(|held| held != main)
            && !programs.get(programs.id(*id, Stage::Runtime)).has_opcode(opcode::DELEGATECALL)
    };
    let all: Vec<ContractId> = build.contract_ids().filter(may_be).collect();
    let is_namesake = |id: &&ContractId| {
        let stem = stem(&contract.name);
        !stem.is_empty() && stem == self::stem(&build.contract(**id).name)
    };
    let namesakes: Vec<ContractId> = all.iter().filter(is_namesake).copied().collect();
    if !namesakes.is_empty() {
        return namesakes;
    }
    let beside: Vec<ContractId> = all.into_iter().filter(|id| build.contract(*id).source == contract.source).collect();
    if beside.len() == 1 { beside } else { Vec::new() }
}

/// The contract that a constructor creates and whose code its contract may run in its own place: the only one that it creates, of a contract
/// that delegates what it does not know.
pub(super) fn created_implementation(build: &Build, programs: &Programs, main: ContractId) -> Option<ContractId> {
    if build.contract(main).abi.fallback.is_none()
        || !programs.get(programs.id(main, Stage::Runtime)).has_opcode(opcode::DELEGATECALL)
    {
        return None;
    }
    let held_by = |stage| programs.embedded(programs.id(main, stage)).iter().map(|id| programs.get(*id).contract);
    let of_constructor: BTreeSet<ContractId> = held_by(Stage::Creation).filter(|held| *held != main).collect();
    let created: Vec<ContractId> =
        of_constructor.into_iter().filter(|held| held_by(Stage::Runtime).all(|other| other != *held)).collect();
    match created[..] {
        [only] => Some(only),
        _ => None,
    }
}

fn is_read_only(mutability: StateMutability) -> bool {
    matches!(mutability, StateMutability::Pure | StateMutability::View)
}

/// The name of a contract without what says that it is a proxy, or what is behind one.
fn stem(name: &str) -> String {
    let mut stem = name.to_lowercase();
    loop {
        let bare = stem.trim_end_matches(|it: char| it.is_ascii_digit());
        let shorter = PROXY_WORDS.iter().find_map(|word| bare.strip_suffix(word)).map(str::to_owned);
        match shorter {
            Some(shorter) => stem = shorter,
            None => return stem,
        }
    }
}
