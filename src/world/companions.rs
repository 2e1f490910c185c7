//! The [`Companions`] of a contract: the other instances that its world needs, as the types of parameters tell. A parameter of type
//! `IERC20`, or an `address` that the source uses as one, is given a contract of the build that has its functions, and a stand-in
//! where there is none. Nothing is deployed here.

use super::{
    actors::ACTORS,
    blueprint::{Blueprint, holds_minimal_proxy},
    configured,
    ground::World,
    implementations::created_implementation,
    registration::registers,
    wanted_type::{ANYTHING, IMPLEMENTATION, declared, exactly, only_contract},
};
use crate::{
    code::{Kept, Programs, Stage},
    compile::{Build, ContractId},
    input::{BlockReads, CallTable, Fitting, Function, FunctionKind, Instance, InstanceId, Interface, Parameter, Type},
    project::WorldConfig,
};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, address};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The most instances of one world; chosen by hand. Synthetix, which finds its parts through a registry, needs as many.
const MAX_INSTANCES: usize = 48;
/// The most contracts that the instances of a world are expected to create; chosen by hand.
const MAX_CREATED_KINDS: usize = 6;

/// What the companions are chosen from.
#[derive(Clone, Copy)]
pub(super) struct Choice<'a> {
    pub(super) build: &'a Build,
    pub(super) programs: &'a Programs,
    /// Contracts that could not be deployed.
    pub(super) refused: &'a BTreeSet<ContractId>,
    /// The functions that are called on addresses of which nothing is known, where such addresses are to be contracts.
    pub(super) asked: Option<&'a JsonAbi>,
    /// What a person says about the world of this contract.
    pub(super) configured: (ContractId, &'a WorldConfig),
}

/// Contracts of the project that are tried where any contract may do; chosen by hand.
const MAX_ANYTHING: usize = 2;

/// What parameters are called that take the address of code to be delegated to.
const CODE_NAMES: [&str; 8] = ["impl", "logic", "code", "target", "singleton", "master", "delegate", "library"];

/// The instances of a world, the main one first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Companions {
    pub(super) blueprints: Vec<Blueprint>,
    /// Their interfaces.
    interfaces: Vec<Arc<Interface>>,
    /// The instances that fit each type that a parameter has.
    fitting: BTreeMap<String, Vec<InstanceId>>,
    /// The instances that are looked up by name, as far as there was room for them.
    pub(super) kept: Vec<(String, Option<InstanceId>)>,
    /// The instances that call the main one and are called back.
    pub(super) callers: Vec<InstanceId>,
    /// The addresses of the instances that have to be at one.
    placed: BTreeMap<InstanceId, Address>,
    /// The address of the main instance, where another instance creates it.
    pub(super) created_at: Option<Address>,
}

impl Companions {
    /// The instances of the world of `main`, which a `factory` creates if there is one.
    pub(super) fn of(main: ContractId, factory: Option<ContractId>, choice: Choice<'_>) -> Self {
        let mut companions = Self {
            blueprints: Vec::new(),
            interfaces: Vec::new(),
            fitting: BTreeMap::new(),
            kept: Vec::new(),
            callers: Vec::new(),
            placed: BTreeMap::new(),
            created_at: None,
        };
        match factory {
            None => drop(companions.add(Blueprint::Contract(main), choice)),
            Some(factory) => {
                companions.add(Blueprint::Created(main), choice);
                companions.add(Blueprint::Contract(factory), choice);
            }
        }
        if choice.asked.is_some() {
            companions.provide_anything(main, choice);
        }
        companions.complete(0, factory, choice);
        companions.provide_callers(main, factory, choice);
        if companions.interfaces.iter().any(|interface| interface.functions.iter().any(registers)) {
            companions.provide_kept(factory, choice);
        }
        companions.provide_literals(factory, choice);
        companions.expect_created(main, choice);
        companions.fit_all(choice);
        companions
    }

    /// Adds the contracts that the instances expect at addresses that stand in their sources.
    fn provide_literals(&mut self, factory: Option<ContractId>, choice: Choice<'_>) {
        let Choice { build, programs, .. } = choice;
        let mut at = 0;
        while let Some(blueprint) = self.blueprints.get(at) {
            at += 1;
            let Some(contract) = blueprint.contract() else { continue };
            let pushes = |address: &Address| {
                let word = address.into_word().into();
                let holds = |stage| programs.get(programs.id(contract, stage)).constants().contains(&word);
                holds(Stage::Creation) || holds(Stage::Runtime)
            };
            for (address, used_as) in programs.contract_types(build).literals(build, contract).iter() {
                let is_there = self.placed.values().any(|placed| placed == address);
                if is_there || is_special(*address) || !pushes(address) || self.blueprints.len() >= MAX_INSTANCES {
                    continue;
                }
                let before = self.blueprints.len();
                let id = self.add(blueprint_of(used_as, &candidates(used_as, choice)), choice);
                self.placed.insert(id, *address);
                self.complete(before, factory, choice);
            }
        }
    }

    /// Adds what the instances from an index on want, and what is wanted by what is added.
    fn complete(&mut self, from: usize, factory: Option<ContractId>, choice: Choice<'_>) {
        let (main, _) = choice.configured;
        let mut at = from;
        while let Some(interface) = self.interfaces.get(at).cloned() {
            // Whoever creates the main instance passes on what its constructor takes.
            let is_created = self.blueprints[at] == Blueprint::Created(main);
            let mut wanted = if is_created { BTreeMap::new() } else { counted(&interface.constructor) };
            if at == 0 || (at == 1 && factory.is_some()) {
                for function in &interface.functions {
                    for (name, count) in counted(function) {
                        let most = wanted.entry(name).or_default();
                        *most = count.max(*most);
                    }
                }
            }
            for (name, count) in wanted {
                self.provide(&name, count, main, at, choice);
            }
            at += 1;
        }
    }

    /// Adds the contracts that the main one calls back when they call it. A stand-in calls nobody.
    fn provide_callers(&mut self, main: ContractId, factory: Option<ContractId>, choice: Choice<'_>) {
        let Choice { build, programs, .. } = choice;
        for name in programs.contract_types(build).of_callers(build, main) {
            if candidates(&name, choice).iter().all(|contract| *contract == main) {
                continue;
            }
            let before = self.blueprints.len();
            self.provide(&name, 1, main, 0, choice);
            self.complete(before, factory, choice);
            let others = (0..).map(InstanceId).zip(&self.blueprints).skip(1);
            let caller = others.into_iter().find(|(_, blueprint)| can_be_given(blueprint, &name, choice));
            let caller = caller.map(|(id, _)| id).filter(|id| !self.callers.contains(id));
            self.callers.extend(caller);
        }
    }

    /// Adds the contracts that the instances look up by name.
    fn provide_kept(&mut self, factory: Option<ContractId>, choice: Choice<'_>) {
        let Choice { build, programs, configured: (main, _), .. } = choice;
        let mut at = 0;
        while let Some(blueprint) = self.blueprints.get(at) {
            let contract = blueprint.contract().unwrap_or(main);
            for kept in &programs.contract_types(build).kept(build, [main, contract]) {
                if !self.kept.iter().any(|(name, _)| *name == kept.name) {
                    let instance = self.provide_named(kept, factory, choice);
                    self.kept.push((kept.name.clone(), instance));
                }
            }
            at += 1;
        }
    }

    /// The instance that is looked up by a name, which is added if it is not there. None if nothing is known of it, or if there is
    /// no room.
    fn provide_named(&mut self, kept: &Kept, factory: Option<ContractId>, choice: Choice<'_>) -> Option<InstanceId> {
        let named = exactly(&kept.name);
        let wanted = if candidates(&named, choice).is_empty() { kept.used_as.as_ref()? } else { &named };
        let before = self.blueprints.len();
        let (main, _) = choice.configured;
        self.provide(wanted, 1, main, before, choice);
        self.complete(before, factory, choice);
        let found = self.blueprints.iter().position(|blueprint| can_be_given(blueprint, wanted, choice));
        found.map(|at| InstanceId(at as u16))
    }

    /// Adds what the instances may create: the contracts whose code they hold, and clones of instances.
    fn expect_created(&mut self, main: ContractId, choice: Choice<'_>) {
        let Choice { build, programs, .. } = choice;
        let deployed: Vec<ContractId> = self.blueprints.iter().filter_map(Blueprint::contract).collect();
        let mut kinds: Vec<ContractId> = Vec::new();
        for contract in &deployed {
            // Constructors create contracts, too. All creation code holds the code that it leaves behind.
            for stage in [Stage::Runtime, Stage::Creation] {
                let held = programs.embedded(programs.id(*contract, stage)).iter().map(|id| programs.get(*id));
                let held = held.filter(|held| stage == Stage::Runtime || held.stage == Stage::Creation);
                kinds.extend(held.map(|held| held.contract).filter(|held| build.contract(*held).is_deployable()));
            }
            if holds_minimal_proxy(&build.contract(*contract).runtime.code) {
                kinds.extend(&deployed);
            }
        }
        let mut seen = BTreeSet::from([main]);
        kinds.retain(|kind| seen.insert(*kind));
        for kind in kinds.into_iter().take(MAX_CREATED_KINDS) {
            self.add(Blueprint::Created(kind), choice);
        }
    }

    /// Adds a stand-in for anything, and some contracts that take nothing, for addresses of which nothing is known.
    fn provide_anything(&mut self, main: ContractId, choice: Choice<'_>) {
        let Choice { build, refused, .. } = choice;
        let main_interface = self.interfaces[0].as_ref().clone();
        self.interfaces[0] = Arc::new(main_interface.with_contract_types(
            &|function, _| (function.kind == FunctionKind::Constructor).then(|| ANYTHING.to_owned()),
            &|_| None,
        ));
        self.add(Blueprint::StandIn(ANYTHING.to_owned()), choice);
        let takes_nothing = |id: &ContractId| {
            let contract = build.contract(*id);
            *id != main
                && contract.is_deployable()
                && !refused.contains(id)
                && !build.source(contract.source).foreign
                && contract.abi.constructor.as_ref().is_none_or(|constructor| constructor.inputs.is_empty())
        };
        for contract in build.contract_ids().filter(takes_nothing).take(MAX_ANYTHING) {
            self.add(Blueprint::Contract(contract), choice);
        }
    }

    /// The stand-in for anything.
    pub(super) fn stand_in_for_anything(&self) -> Option<InstanceId> {
        let is_it = |blueprint: &Blueprint| *blueprint == Blueprint::StandIn(ANYTHING.to_owned());
        self.blueprints.iter().position(is_it).map(|at| InstanceId(at as u16))
    }

    /// Adds an instance.
    fn add(&mut self, blueprint: Blueprint, choice: Choice<'_>) -> InstanceId {
        self.interfaces.push(Arc::new(interface_of(&blueprint, choice)));
        self.blueprints.push(blueprint);
        InstanceId((self.blueprints.len() - 1) as u16)
    }

    /// Puts the main instance behind a proxy, which takes its place: what was to be the main instance is an implementation. The
    /// proxy is of a contract of the build, or a plain one.
    pub(super) fn put_behind_proxy(&mut self, main: ContractId, by: Option<ContractId>, choice: Choice<'_>) {
        let implementation = self.add(Blueprint::Contract(main), choice);
        let proxy = Blueprint::Proxy { implementation, contract: main, by };
        self.interfaces[0] = Arc::new(interface_of(&proxy, choice));
        self.blueprints[0] = proxy;
        self.fit_all(choice);
    }

    /// Adds an instance of a contract whose code the main one runs in its own place.
    pub(super) fn delegate_to(&mut self, main: ContractId, code: ContractId, choice: Choice<'_>) {
        let implementation = self.add(Blueprint::Contract(code), choice);
        self.blueprints[0] = Blueprint::Delegator { contract: main, implementation };
        let own = self.interfaces[0].as_ref().clone();
        let named = parameter_of_implementation(&own.constructor);
        let told = |name: &str, _: &Type| (Some(name) == named.as_deref()).then(|| IMPLEMENTATION.to_owned());
        let own = own.with_types_of_parameters(&told);
        self.interfaces[0] = Arc::new(match choice.build.contract(main).abi.fallback {
            Some(_) => own.with_functions_of(&self.interfaces[usize::from(implementation.0)]),
            None => own,
        });
        self.fit_all(choice);
    }

    /// Makes sure that so many instances fit a type that the instance `at` wants.
    fn provide(&mut self, name: &str, count: usize, main: ContractId, at: usize, choice: Choice<'_>) {
        // A companion that wants the main instance has it.
        if at > 0 && fits(&self.blueprints[0], name, choice) {
            return;
        }
        let have = self.blueprints[1..].iter().filter(|blueprint| can_be_given(blueprint, name, choice)).count();
        if have >= count {
            return;
        }
        let mut candidates = candidates(name, choice);
        // Another instance of the contract itself comes last.
        candidates.sort_by_key(|contract| *contract == main);
        for _ in have..count {
            if self.blueprints.len() >= MAX_INSTANCES {
                return;
            }
            self.add(blueprint_of(name, &candidates), choice);
        }
    }

    /// Finds the instances that fit each type of any parameter.
    fn fit_all(&mut self, choice: Choice<'_>) {
        let functions =
            self.interfaces.iter().flat_map(|interface| interface.functions.iter().chain([&interface.constructor]));
        let names: BTreeSet<String> = functions.flat_map(|function| counted(function).into_keys()).collect();
        let fitting = |name: &String| {
            let instances = (0..).map(InstanceId).zip(&self.blueprints);
            let mut found: Vec<InstanceId> =
                instances.filter(|(_, blueprint)| fits(blueprint, name, choice)).map(|(id, _)| id).collect();
            // The main instance is its own argument only where nothing else is.
            if found.len() > 1 {
                found.retain(|id| {
                    *id != InstanceId::MAIN
                        || self.blueprints[0]
                            .contract()
                            .is_some_and(|contract| choice.build.contract(contract).name == *name)
                });
            }
            if name == ANYTHING {
                found.retain(|id| *id != InstanceId::MAIN);
            }
            // The implementation behind a proxy is nobody else's partner.
            let behind = self.blueprints.iter().filter_map(Blueprint::implementation);
            let behind: Vec<InstanceId> = behind.collect();
            if name == IMPLEMENTATION {
                return behind;
            }
            found.retain(|id| !behind.contains(id));
            found
        };
        self.fitting =
            names.iter().map(|name| (name.clone(), fitting(name))).filter(|(_, found)| !found.is_empty()).collect();
    }

    /// The instances in an order in which they can be deployed: those that a constructor wants come before it, as far as they do
    /// not want each other, and the main instance comes after all that do not want it.
    pub(super) fn deployment_order(&self) -> Vec<InstanceId> {
        let (mut seen, mut order) = (BTreeSet::new(), Vec::new());
        self.visit(InstanceId::MAIN, &mut seen, &mut order);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for id in (1..self.blueprints.len() as u16).map(InstanceId) {
            let mut found = Vec::new();
            self.visit(id, &mut seen, &mut found);
            for id in found {
                let wants = counted(&self.interfaces[usize::from(id.0)].constructor).into_keys();
                let wanted = wants.flat_map(|name| self.fitting.get(&name).cloned().unwrap_or_default());
                let needs_main = wanted.into_iter().any(|id| id == InstanceId::MAIN || after.contains(&id));
                if needs_main { after.push(id) } else { before.push(id) }
            }
        }
        let main = order.iter().position(|id| *id == InstanceId::MAIN).unwrap_or(order.len());
        order.splice(main..main, before);
        order.extend(after);
        order
    }

    fn visit(&self, id: InstanceId, seen: &mut BTreeSet<InstanceId>, order: &mut Vec<InstanceId>) {
        if !seen.insert(id) {
            return;
        }
        let at = usize::from(id.0);
        if let Some(implementation) = self.blueprints[at].implementation() {
            self.visit(implementation, seen, order);
        }
        for name in counted(&self.interfaces[at].constructor).into_keys() {
            for wanted in self.fitting.get(&name).into_iter().flatten() {
                self.visit(*wanted, seen, order);
            }
        }
        if !matches!(self.blueprints[at], Blueprint::Created(_)) {
            order.push(id);
        }
    }

    /// The calls of the world.
    pub(super) fn calls(&self, build: &Build) -> CallTable {
        CallTable::new(self.instances(build), self.fitting(), BlockReads::default())
    }

    /// The address of an instance.
    fn address(&self, id: InstanceId) -> Address {
        let created = self.created_at.filter(|_| id == InstanceId::MAIN);
        created.or_else(|| self.placed.get(&id).copied()).unwrap_or_else(|| World::address(id))
    }

    /// The instances, named, each at its address.
    pub(super) fn instances(&self, build: &Build) -> Vec<Instance> {
        let mut instances: Vec<Instance> = Vec::new();
        for ((blueprint, interface), at) in self.blueprints.iter().zip(&self.interfaces).zip(0..) {
            let contract = blueprint.contract().map(|contract| build.contract(contract));
            let of = match blueprint {
                Blueprint::StandIn(name) if name.is_empty() => "StandIn",
                Blueprint::StandIn(name) => declared(name),
                _ => contract.map_or("", |contract| &contract.name),
            };
            // What passes on the arguments of its constructor is whoever creates it.
            let interface = match blueprint {
                Blueprint::Created(_) => Arc::new(interface.as_ref().clone().with_constructor_of(None)),
                _ => interface.clone(),
            };
            let instance = Instance {
                name: name(of, &instances),
                contract: of.to_owned(),
                address: self.address(InstanceId(at)),
                interface,
                layout: contract.and_then(|contract| contract.storage.clone()),
                origin: blueprint.origin(),
            };
            instances.push(instance);
        }
        instances
    }

    /// The addresses of the instances that fit each type.
    pub(super) fn fitting(&self) -> Fitting {
        let addresses = |ids: &Vec<InstanceId>| ids.iter().map(|id| self.address(*id)).collect();
        self.fitting.iter().map(|(name, ids)| (name.clone(), addresses(ids))).collect()
    }
}

/// The contracts that an instance of a type may be made of, the best first.
fn candidates(name: &str, choice: Choice<'_>) -> Vec<ContractId> {
    let types = choice.programs.contract_types(choice.build);
    let mut candidates = match only_contract(name) {
        Some(only) => {
            let is_deployable = |contract: &ContractId| choice.build.contract(*contract).is_deployable();
            types.named(only).iter().copied().filter(is_deployable).collect()
        }
        None => types.fitting(choice.build, name).to_vec(),
    };
    candidates.retain(|contract| !choice.refused.contains(contract));
    candidates
}

/// What an instance of a type is made of: the best candidate, or a stand-in.
fn blueprint_of(name: &str, candidates: &[ContractId]) -> Blueprint {
    candidates.first().map_or_else(|| Blueprint::StandIn(name.to_owned()), |best| Blueprint::Contract(*best))
}

/// Whether no contract of a project is at an address: precompiles and burnt addresses are small numbers, the cheatcodes of tests
/// have an address of their own, and `0xEeee…` stands for ether.
fn is_special(address: Address) -> bool {
    const CHEATCODES: Address = address!("0x7109709ECfa91a80626fF3989D68f67F5b1DD12D");
    let is_small = address[..12].iter().all(|byte| *byte == 0);
    is_small || address == CHEATCODES || address.iter().all(|byte| *byte == address[0])
}

/// How many instances of each type the parameters of a function want.
fn counted(function: &Function) -> BTreeMap<String, usize> {
    let mut counted = BTreeMap::new();
    for Parameter { ty, .. } in &function.inputs {
        for name in ty.contract_types() {
            *counted.entry(name.to_owned()).or_insert(0) += 1;
        }
    }
    counted
}

/// Whether an instance can be used as a type.
fn fits(blueprint: &Blueprint, name: &str, choice: Choice<'_>) -> bool {
    if name == ANYTHING {
        return true;
    }
    match blueprint {
        Blueprint::Contract(contract)
        | Blueprint::Proxy { contract, .. }
        | Blueprint::Delegator { contract, .. }
        | Blueprint::Created(contract)
        | Blueprint::SetUp(contract) => {
            if let Some(only) = only_contract(name) {
                return choice.build.contract(*contract).name == only;
            }
            choice.programs.contract_types(choice.build).fits(choice.build, *contract, name)
        }
        Blueprint::StandIn(of) => of == name,
    }
}

/// Whether an instance can be used as a type from the start: what a run creates is not there yet.
fn can_be_given(blueprint: &Blueprint, name: &str, choice: Choice<'_>) -> bool {
    !matches!(blueprint, Blueprint::Created(_)) && fits(blueprint, name, choice)
}

/// The interface of an instance.
fn interface_of(blueprint: &Blueprint, choice: Choice<'_>) -> Interface {
    match blueprint {
        Blueprint::Contract(contract) | Blueprint::Created(contract) | Blueprint::SetUp(contract) => {
            let own = interface(*contract, choice);
            match created_implementation(choice.build, choice.programs, *contract) {
                Some(implementation) => own.with_functions_of(&interface(implementation, choice)),
                None => own,
            }
        }
        Blueprint::Delegator { contract, .. } => interface(*contract, choice),
        Blueprint::Proxy { contract, by, .. } => {
            let implementation = |_: &str, _: &Type| Some(IMPLEMENTATION.to_owned());
            let delegates = by.map(|by| interface(by, choice).with_types_of_parameters(&implementation));
            interface(*contract, choice).with_constructor_of(delegates)
        }
        Blueprint::StandIn(name) => answers(name, choice),
    }
}

/// The interface of a contract, in which addresses have the types that its sources use them as.
pub(super) fn interface(contract: ContractId, choice: Choice<'_>) -> Interface {
    let Choice { build, programs, configured: (main, config), .. } = choice;
    let types = programs.contract_types(build);
    let interface = Interface::new(&build.contract(contract).abi, &|internal| enum_members(internal, choice))
        .with_contract_types(
            &|function, index| {
                types.of_parameter(build, [main, contract], (&function.name, function.inputs.len(), index))
            },
            &|member| types.of_member(build, contract, member),
        );
    if contract != main {
        return interface;
    }
    interface.with_types_of_parameters(&|name, ty| configured::type_of(config, name, ty))
}

/// How many members an enum has, by its internal type.
fn enum_members(internal: &str, choice: Choice<'_>) -> Option<u16> {
    choice.programs.definitions(choice.build).members(internal.strip_prefix("enum ").unwrap_or(internal))
}

/// The name of the parameter that a constructor takes the address of the code in that its contract runs in its own place: the one that is
/// called so, or its only address.
fn parameter_of_implementation(constructor: &Function) -> Option<String> {
    let addresses = constructor.inputs.iter().filter(|input| input.ty.is_address());
    let names: Vec<&str> = addresses.map(|input| input.name.as_str()).collect();
    let is_called_so = |name: &&&str| CODE_NAMES.iter().any(|word| name.to_lowercase().contains(word));
    let only = || if let [only] = names[..] { Some(only) } else { None };
    names.iter().find(is_called_so).copied().or_else(only).filter(|name| !name.is_empty()).map(str::to_owned)
}

/// The interface of a stand-in for a type.
fn answers(name: &str, choice: Choice<'_>) -> Interface {
    let Choice { build, programs, .. } = choice;
    let members = |internal: &str| enum_members(internal, choice);
    if name == ANYTHING {
        return Interface::of_answers(choice.asked.unwrap_or(&JsonAbi::new()), &members);
    }
    let named = programs.contract_types(build).named(declared(name));
    let largest = named.iter().map(|id| &build.contract(*id).abi).max_by_key(|abi| abi.functions().count());
    Interface::of_answers(largest.unwrap_or(&JsonAbi::new()), &members)
}

/// The main instance is named like its contract; another one like its contract with small first letters, with a number if
/// that name is taken.
pub(super) fn name(contract: &str, others: &[Instance]) -> String {
    if others.is_empty() {
        return contract.to_owned();
    }
    let mut letters = contract.chars();
    // `IPriceFeed` stands for a price feed.
    let bare = match (letters.next(), letters.next(), letters.next()) {
        (Some('I'), Some(second), Some(third)) if second.is_uppercase() && !third.is_uppercase() => &contract[1..],
        _ => contract,
    };
    let small = bare.chars().take_while(|letter| letter.is_uppercase()).count();
    // `USDToken` becomes `usdToken`, `Token` becomes `token`, `WETH` becomes `weth`, `ERC20` becomes `erc20`.
    let is_word = bare[small..].starts_with(char::is_lowercase);
    let small = if small > 1 && is_word { small - 1 } else { small };
    let plain = bare[..small].to_lowercase() + &bare[small..];
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
            ("IPriceFeed", "priceFeed"),
            ("IERC20", "ierc20"),
            ("Index", "index"),
            ("ERC20", "erc20"),
        ] {
            let name = name(contract, &others);
            assert_eq!(name, expected);
            others.push(Instance { name, ..CallTable::sample(&[]).main().clone() });
        }
    }
}
