//! What a contract is to Foundry: one with tests, one that only serves tests, or neither.

use crate::{
    compile::{Build, ContractId},
    code::{Programs, Stage},
    evm::CHEATCODES,
};

/// What a contract is to Foundry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TestRole {
    /// It has tests, and is deployed without arguments.
    Suite,
    /// It has none and needs cheatcodes, as handlers, base contracts and scripts do: it is called in the worlds of tests.
    Helper,
    /// Any other contract.
    None,
}

/// What a contract is to Foundry. It is a suite if it is deployed without arguments, has a property of a test, and either a `setUp()` or
/// what forge-std and ds-test give to tests.
pub fn test_role(build: &Build, programs: &Programs, id: ContractId) -> TestRole {
    let abi = &build.contract(id).abi;
    let has = |name: &str| abi.functions.contains_key(name);
    let takes_nothing = abi.constructor.as_ref().is_none_or(|constructor| constructor.inputs.is_empty());
    let is_tested = abi.functions.keys().any(|name| is_test_name(name));
    let uses_cheatcodes = || {
        let runtime = programs.get(programs.id(id, Stage::Runtime));
        let creation = programs.get(programs.id(id, Stage::Creation));
        let word = CHEATCODES.into_word().into();
        runtime.constants().contains(&word) || creation.constants().contains(&word)
    };
    let is_marked = has("setUp") || has("IS_TEST");
    if takes_nothing && is_tested && (is_marked || uses_cheatcodes()) {
        TestRole::Suite
    } else if has("IS_TEST") || has("IS_SCRIPT") || uses_cheatcodes() {
        TestRole::Helper
    } else {
        TestRole::None
    }
}

/// Whether a function of this name is a property of a test contract.
fn is_test_name(name: &str) -> bool {
    ["test", "invariant", "statefulFuzz", "check_", "prove_", "proveFail"].iter().any(|prefix| name.starts_with(prefix))
}
