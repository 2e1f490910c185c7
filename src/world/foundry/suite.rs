//! Which contracts are test contracts of Foundry.

use crate::{
    compile::{Build, ContractId},
    input::PropertyKind,
};

/// Whether a contract is a test contract: it is deployed without arguments, and has tests. Outside of files for tests, it has to say what it
/// is, too, as contracts do that inherit those of forge-std or ds-test, or to set itself up.
pub fn is_suite(build: &Build, id: ContractId) -> bool {
    let contract = build.contract(id);
    let has = |name: &str| contract.abi.functions.contains_key(name);
    let takes_nothing = contract.abi.constructor.as_ref().is_none_or(|constructor| constructor.inputs.is_empty());
    let is_tested = contract.abi.functions.keys().any(|name| PropertyKind::is_name_of_test(name));
    let is_marked = || has("setUp") || has("IS_TEST") || build.source(contract.source).is_test;
    contract.is_deployable() && takes_nothing && is_tested && is_marked()
}
