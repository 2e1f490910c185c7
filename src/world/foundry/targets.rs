//! What a test contract says about its invariants: which contracts and functions they call, and who calls. It is asked as forge asks it,
//! by calling `targetContracts()` and the like right after `setUp()`.

use crate::evm::{Call, CallTarget, DEFAULT_SENDER, Executor, Snapshot, Status};
use alloy_dyn_abi::{DynSolType, DynSolValue};
use alloy_primitives::{Address, Selector, U256, keccak256};
use std::collections::{BTreeMap, BTreeSet};

/// What invariants call, as far as the test contract says it.
#[derive(Debug, Default)]
pub(super) struct Targets {
    /// Contracts; all if nothing is said of contracts, artifacts and selectors.
    pub(super) contracts: BTreeSet<Address>,
    /// Contracts that are not called.
    pub(super) excluded: BTreeSet<Address>,
    /// Functions of contracts; all of a contract for which there are none.
    pub(super) selectors: BTreeMap<Address, BTreeSet<[u8; 4]>>,
    /// Functions that are not called.
    pub(super) excluded_selectors: BTreeMap<Address, BTreeSet<[u8; 4]>>,
    /// Senders; everybody if there are none.
    pub(super) senders: BTreeSet<Address>,
    /// Who never sends.
    pub(super) excluded_senders: BTreeSet<Address>,
    /// Names of contracts that are called, with the functions that are; all if there are none.
    pub(super) artifacts: BTreeMap<String, BTreeSet<[u8; 4]>>,
    /// Names of contracts that are not called.
    pub(super) excluded_artifacts: BTreeSet<String>,
    /// Interfaces by which contracts are called.
    pub(super) interfaces: BTreeMap<Address, BTreeSet<String>>,
}

impl Targets {
    /// Asks the test contract.
    pub(super) fn ask(executor: &mut Executor, state: &Snapshot, test: Address) -> Self {
        let mut ask = |name: &str, ty: &str| list(executor, state, test, name, ty);
        let addresses = |values: Vec<DynSolValue>| values.iter().filter_map(DynSolValue::as_address).collect();
        let texts = |values: Vec<DynSolValue>| values.iter().filter_map(|it| it.as_str().map(str::to_owned)).collect();
        let contracts = addresses(ask("targetContracts", "address[]"));
        let excluded = addresses(ask("excludeContracts", "address[]"));
        let senders = addresses(ask("targetSenders", "address[]"));
        let excluded_senders = addresses(ask("excludeSenders", "address[]"));
        let excluded_artifacts = texts(ask("excludeArtifacts", "string[]"));
        let selectors = by_key(ask("targetSelectors", "(address,bytes4[])[]"), DynSolValue::as_address, selector);
        let excluded_selectors =
            by_key(ask("excludeSelectors", "(address,bytes4[])[]"), DynSolValue::as_address, selector);
        let name = |value: &DynSolValue| value.as_str().map(str::to_owned);
        let mut artifacts = by_key(ask("targetArtifactSelectors", "(string,bytes4[])[]"), name, selector);
        for artifact in ask("targetArtifacts", "string[]").iter().filter_map(name) {
            artifacts.entry(artifact).or_default();
        }
        let interfaces = by_key(ask("targetInterfaces", "(address,string[])[]"), DynSolValue::as_address, name);
        Self {
            contracts,
            excluded,
            selectors,
            excluded_selectors,
            senders,
            excluded_senders,
            artifacts,
            excluded_artifacts,
            interfaces,
        }
    }

    /// Whether invariants call a function of a contract, which is known to forge by this name and its file: `src/Vault.sol:Vault`.
    pub(super) fn calls(&self, contract: Address, (file, name): (&str, &str), function: [u8; 4]) -> bool {
        let names = [name.to_owned(), format!("{file}:{name}")];
        let of_artifact = || names.iter().find_map(|name| self.artifacts.get(name));
        let is_excluded = self.excluded.contains(&contract)
            || names.iter().any(|name| self.excluded_artifacts.contains(name))
            || self.excluded_selectors.get(&contract).is_some_and(|excluded| excluded.contains(&function));
        if is_excluded {
            return false;
        }
        if let Some(selectors) = self.selectors.get(&contract) {
            return selectors.contains(&function);
        }
        if let Some(selectors) = of_artifact() {
            return selectors.is_empty() || selectors.contains(&function);
        }
        self.contracts.contains(&contract) || self.interfaces.contains_key(&contract) || self.says_nothing()
    }

    /// Whether all contracts are called: a selector narrows its own one only.
    pub(super) fn says_nothing(&self) -> bool {
        self.contracts.is_empty() && self.artifacts.is_empty() && self.interfaces.is_empty()
    }
}

/// The items of a list that a function of the test contract returns; none if it has no such function.
fn list(executor: &mut Executor, state: &Snapshot, test: Address, name: &str, ty: &str) -> Vec<DynSolValue> {
    let selector = keccak256(format!("{name}()"));
    let call = Call {
        sender: DEFAULT_SENDER,
        target: CallTarget::Account(test, selector[..4].to_vec().into()),
        value: U256::ZERO,
        moment: state.moment(),
        scripted: None,
    };
    let outcome = executor.run(state, &call);
    if outcome.status != Status::Success {
        return Vec::new();
    }
    let list = DynSolType::parse(ty).ok().and_then(|ty| ty.abi_decode(&outcome.output).ok());
    match list {
        Some(DynSolValue::Array(items)) => items,
        _ => Vec::new(),
    }
}

fn selector(value: &DynSolValue) -> Option<[u8; 4]> {
    value.as_fixed_bytes().and_then(|(word, _)| Selector::try_from(word.get(..4)?).ok()).map(|selector| selector.0)
}

/// What pairs of a key and a list say, by key.
fn by_key<K: Ord, V: Ord>(
    pairs: Vec<DynSolValue>,
    key: impl Fn(&DynSolValue) -> Option<K>,
    item: impl Fn(&DynSolValue) -> Option<V>,
) -> BTreeMap<K, BTreeSet<V>> {
    let mut all: BTreeMap<K, BTreeSet<V>> = BTreeMap::new();
    for pair in pairs {
        if let DynSolValue::Tuple(members) = &pair
            && let [first, DynSolValue::Array(items)] = members.as_slice()
            && let Some(first) = key(first)
        {
            all.entry(first).or_default().extend(items.iter().filter_map(&item));
        }
    }
    all
}
