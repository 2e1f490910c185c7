//! [`ContractTypes`] tells which contracts of a build fit a contract type, and as which types its sources use addresses. It is made
//! once for a build.

use super::memo::Memo;
use crate::compile::{AddressFlow, Build, ContractId, Holder, Parameters, SourceId, Uses, used_as};
use alloy_primitives::Address;
use std::{
    cmp::Reverse,
    collections::{BTreeSet, HashMap},
    sync::Arc,
};

/// Four-byte selectors.
type Selectors = BTreeSet<[u8; 4]>;

/// An address that is kept under a constant name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The name.
    pub name: String,
    /// The contract type that it is used as.
    pub used_as: Option<String>,
}

/// A parameter by its function's name, how many parameters that has, and its index.
type Place = (String, usize, usize);

/// An index of the types of contracts.
#[derive(Debug, Default)]
pub struct ContractTypes {
    /// For each contract, the selectors of its functions.
    selectors: Vec<Selectors>,
    by_name: HashMap<String, Vec<ContractId>>,
    /// For each source asked for, the sources that it imports, directly or not, itself first.
    closures: Memo<SourceId, Arc<[SourceId]>>,
    /// The contracts that fit each type asked for.
    fitting: Memo<String, Arc<[ContractId]>>,
    /// What the sources of a contract do with what a parameter holds.
    parameters: Memo<(ContractId, Place), Arc<Uses>>,
    /// What a source and those that it imports do with what a holder of every source holds.
    holders: Memo<(SourceId, Holder), Arc<Uses>>,
    /// The constant names in a source and those that it imports.
    keys: Memo<SourceId, Arc<[String]>>,
    /// The addresses in a source and those that it imports.
    literals: Memo<SourceId, Arc<[(Address, String)]>>,
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
    pub fn fitting(&self, build: &Build, name: &str) -> Arc<[ContractId]> {
        self.fitting.get(name.to_owned(), |name| {
            let fits = |id: &ContractId| build.contract(*id).is_deployable() && self.fits(build, *id, name);
            let mut found: Vec<ContractId> = build.contract_ids().filter(fits).collect();
            found.sort_by_key(|id| {
                let contract = build.contract(*id);
                let functions = &self.selectors[id.0 as usize];
                let can_be_filled = contract.abi.functions().any(|function| FILLS.contains(&function.name.as_str()))
                    || contract.abi.constructor.as_ref().is_some_and(|constructor| !constructor.inputs.is_empty());
                (
                    Reverse(contract.name == *name),
                    build.source(contract.source).foreign,
                    Reverse(can_be_filled),
                    functions.len(),
                    *id,
                )
            });
            found.into()
        })
    }

    /// The contract type that the address in a parameter of a function, or of the constructor where `function` is
    /// `constructor`, is used as in the world of `main`. The function is that of `contract` or of a base.
    pub fn of_parameter(
        &self,
        build: &Build,
        [main, contract]: [ContractId; 2],
        (function, count, index): (&str, usize, usize),
    ) -> Option<String> {
        let place = (function.to_owned(), count, index);
        let uses = self
            .parameters
            .get((contract, place), |(contract, place)| Arc::new(self.uses_of_parameter(build, *contract, place)));
        self.used_in(build, main, &uses)
    }

    /// The contract type that an address is used as by sources that know it, or else by those of `main`, which are given it.
    fn used_in(&self, build: &Build, main: ContractId, uses: &Uses) -> Option<String> {
        let elsewhere = |holder: &Holder| self.largest(&self.uses(build, main, holder.clone()).types);
        self.largest(&uses.types).or_else(|| uses.given_as.iter().find_map(elsewhere))
    }

    /// What the sources of a contract do with what a parameter holds.
    fn uses_of_parameter(&self, build: &Build, contract: ContractId, (function, count, index): &Place) -> Uses {
        let compiled = build.contract(contract);
        let closure = self.closure(build, compiled.source);
        let mut found = Uses::default();
        for (at, source) in closure.iter().enumerate() {
            let is_it = |found: &&Parameters| {
                found.function == *function
                    && found.parameters.len() == *count
                    && (function != "constructor" || found.contract == compiled.name)
            };
            let functions = build.source(*source).ast.addresses.functions.iter().filter(is_it);
            for (_, number) in functions.filter_map(|function| function.parameters.get(*index)) {
                let uses = follow(build, &closure, at, Holder::Local(*number));
                found.given_as.extend(uses.given_as);
                if self.largest(&uses.types).is_some() {
                    return Uses { types: uses.types, ..found };
                }
            }
        }
        found
    }

    /// Whether a contract, or one whose source it imports, uses its deployer as a contract.
    pub fn uses_deployer(&self, build: &Build, contract: ContractId) -> bool {
        let closure = self.closure(build, build.contract(contract).source);
        let uses = |at| follow(build, &closure, at, Holder::Deployer).types;
        (0..closure.len()).any(|at| self.largest(&uses(at)).is_some())
    }

    /// The contract types that a contract, or one whose source it imports, uses its callers as.
    pub fn of_callers(&self, build: &Build, contract: ContractId) -> BTreeSet<String> {
        let closure = self.closure(build, build.contract(contract).source);
        let flows = closure.iter().map(|source| &build.source(*source).ast.addresses);
        flows.flat_map(|flow| flow.uses_of(&Holder::Caller)).map(str::to_owned).collect()
    }

    /// The contract type that the address in a member of a struct is used as.
    pub fn of_member(&self, build: &Build, contract: ContractId, member: &str) -> Option<String> {
        self.largest(&self.uses(build, contract, Holder::Named(member.to_owned())).types)
    }

    /// The addresses that a contract keeps under constant names, in the world of `main`.
    pub fn kept(&self, build: &Build, [main, contract]: [ContractId; 2]) -> Vec<Kept> {
        let kept = |name: &String| {
            let uses = self.uses(build, contract, Holder::Key(name.clone()));
            Kept { name: name.clone(), used_as: self.used_in(build, main, &uses) }
        };
        self.keys(build, contract).iter().map(kept).collect()
    }

    /// The constant names under which the sources of a contract keep addresses, its own first.
    pub fn keys(&self, build: &Build, contract: ContractId) -> Arc<[String]> {
        self.keys.get(build.contract(contract).source, |source| {
            let closure = self.closure(build, *source);
            let all = closure.iter().flat_map(|source| &build.source(*source).ast.addresses.keys);
            let mut seen = BTreeSet::new();
            all.filter(|name| seen.insert(*name)).cloned().collect()
        })
    }

    /// The addresses that stand in the sources of a contract, each with the contract type that it is used as.
    pub fn literals(&self, build: &Build, contract: ContractId) -> Arc<[(Address, String)]> {
        self.literals.get(build.contract(contract).source, |source| {
            let closure = self.closure(build, *source);
            let flows = closure.iter().map(|source| &build.source(*source).ast.addresses);
            let addresses: BTreeSet<Address> = flows.flat_map(AddressFlow::literals).collect();
            let used_as =
                |address| Some((address, self.largest(&self.uses(build, contract, Holder::Literal(address)).types)?));
            addresses.into_iter().filter_map(used_as).collect()
        })
    }

    /// What the sources of a contract do with what a holder of every source holds.
    fn uses(&self, build: &Build, contract: ContractId, holder: Holder) -> Arc<Uses> {
        self.holders.get((build.contract(contract).source, holder), |(source, holder)| {
            Arc::new(follow(build, &self.closure(build, *source), 0, holder.clone()))
        })
    }

    /// The one of some types that has the most functions.
    fn largest(&self, types: &BTreeSet<String>) -> Option<String> {
        let size = |name: &str| {
            self.named(name).iter().map(|id| self.selectors[id.0 as usize].len()).max().unwrap_or_default()
        };
        let types = types.iter().filter(|name| size(name) > 0);
        types.max_by_key(|name| (size(name), Reverse(*name))).cloned()
    }

    /// A source and those that it imports, directly or not.
    fn closure(&self, build: &Build, source: SourceId) -> Arc<[SourceId]> {
        self.closures.get(source, |source| {
            let (mut found, mut seen) = (vec![*source], BTreeSet::from([*source]));
            let mut next = 0;
            while let Some(id) = found.get(next).copied() {
                next += 1;
                found.extend(build.source(id).imports.iter().filter(|imported| seen.insert(**imported)));
            }
            found.into()
        })
    }
}

/// What sources do with what a holder holds, which one of them declares.
fn follow(build: &Build, closure: &[SourceId], declaring: usize, holder: Holder) -> Uses {
    let mut flows: Vec<&AddressFlow> = closure.iter().map(|source| &build.source(*source).ast.addresses).collect();
    flows.swap(0, declaring);
    used_as(&flows, holder)
}

/// Functions by which a token comes to have holders.
const FILLS: [&str; 5] = ["mint", "deposit", "faucet", "issue", "setBalance"];
