//! [`ContractTypes`] tells which contracts of a build fit a contract type, and as which types its sources use addresses. It is made
//! once for a build.

use crate::compile::{AddressFlow, Build, ContractId, Holder, SourceId, used_as};
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    sync::{Mutex, PoisonError},
};

/// Four-byte selectors.
type Selectors = BTreeSet<[u8; 4]>;

/// An index of the types of contracts.
#[derive(Debug, Default)]
pub struct ContractTypes {
    /// For each contract, the selectors of its functions.
    selectors: Vec<Selectors>,
    by_name: HashMap<String, Vec<ContractId>>,
    /// For each source asked for, the sources that it imports, directly or not, itself first.
    closures: Mutex<HashMap<SourceId, std::sync::Arc<[SourceId]>>>,
}

impl ContractTypes {
    /// Indexes a build.
    pub fn of(build: &Build) -> Self {
        let mut types = Self::default();
        for id in build.contract_ids() {
            let contract = build.contract(id);
            types.selectors.push(contract.abi.functions().map(|function| function.selector().0).collect());
            types.by_name.entry(contract.name.clone()).or_default().push(id);
        }
        types
    }

    /// The contracts, interfaces and libraries of this name.
    pub fn named(&self, name: &str) -> &[ContractId] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Whether a contract has every function of a type, by which name it may be called.
    pub fn fits(&self, build: &Build, contract: ContractId, name: &str) -> bool {
        let own = &self.selectors[contract.0 as usize];
        build.contract(contract).name == name
            || self.named(name).iter().any(|wanted| {
                let wanted = &self.selectors[wanted.0 as usize];
                !wanted.is_empty() && wanted.is_subset(own)
            })
    }

    /// The deployable contracts that fit a type, the best first: one of that name, then the project's own before those of tests
    /// and dependencies, then the one with the fewest functions beside those of the type.
    pub fn fitting(&self, build: &Build, name: &str) -> Vec<ContractId> {
        let fits = |id: &ContractId| build.contract(*id).is_deployable() && self.fits(build, *id, name);
        let mut found: Vec<ContractId> = build.contract_ids().filter(fits).collect();
        found.sort_by_key(|id| {
            let contract = build.contract(*id);
            let functions = &self.selectors[id.0 as usize];
            let can_be_filled = contract.abi.functions().any(|function| FILLS.contains(&function.name.as_str()))
                || contract.abi.constructor.as_ref().is_some_and(|constructor| !constructor.inputs.is_empty());
            (
                Reverse(contract.name == name),
                build.source(contract.source).foreign,
                Reverse(can_be_filled),
                functions.len(),
                *id,
            )
        });
        found
    }

    /// The contract type that the address in a parameter of a function, or of the constructor where `function` is
    /// `constructor`, is used as. The function is that of `contract` or of a base.
    pub fn of_parameter(
        &self,
        build: &Build,
        contract: ContractId,
        function: &str,
        count: usize,
        index: usize,
    ) -> Option<String> {
        let compiled = build.contract(contract);
        let closure = self.closure(build, compiled.source);
        let is_constructor = function == "constructor";
        for (at, source) in closure.iter().enumerate() {
            for found in &build.source(*source).ast.addresses.functions {
                let is_it = found.function == function
                    && found.parameters.len() == count
                    && (!is_constructor || found.contract == compiled.name);
                if is_it && let Some((_, number)) = found.parameters.get(index) {
                    let holder = Holder::Local(*number);
                    if let Some(name) = self.used_as(build, &closure, at, holder) {
                        return Some(name);
                    }
                }
            }
        }
        None
    }

    /// Whether a contract, or one whose source it imports, uses its deployer as a contract.
    pub fn uses_deployer(&self, build: &Build, contract: ContractId) -> bool {
        let closure = self.closure(build, build.contract(contract).source);
        (0..closure.len()).any(|at| self.used_as(build, &closure, at, Holder::Deployer).is_some())
    }

    /// The contract type that the address in a member of a struct is used as.
    pub fn of_member(&self, build: &Build, contract: ContractId, member: &str) -> Option<String> {
        let closure = self.closure(build, build.contract(contract).source);
        self.used_as(build, &closure, 0, Holder::Named(member.to_owned()))
    }

    /// The one of the types that an address is used as which has the most functions.
    fn used_as(&self, build: &Build, closure: &[SourceId], declaring: usize, holder: Holder) -> Option<String> {
        let mut flows: Vec<&AddressFlow> = closure.iter().map(|source| &build.source(*source).ast.addresses).collect();
        flows.swap(0, declaring);
        let size = |name: &str| {
            self.named(name).iter().map(|id| self.selectors[id.0 as usize].len()).max().unwrap_or_default()
        };
        let types = used_as(&flows, holder).into_iter().filter(|name| size(name) > 0);
        types.max_by_key(|name| (size(name), Reverse(name.clone())))
    }

    fn closure(&self, build: &Build, source: SourceId) -> std::sync::Arc<[SourceId]> {
        let mut closures = self.closures.lock().unwrap_or_else(PoisonError::into_inner);
        closures
            .entry(source)
            .or_insert_with(|| {
                let (mut found, mut seen) = (vec![source], BTreeSet::from([source]));
                let mut next = 0;
                while let Some(id) = found.get(next).copied() {
                    next += 1;
                    found.extend(build.source(id).imports.iter().filter(|imported| seen.insert(**imported)));
                }
                found.into()
            })
            .clone()
    }
}

/// Functions by which a token comes to have holders.
const FILLS: [&str; 5] = ["mint", "deposit", "faucet", "issue", "setBalance"];
