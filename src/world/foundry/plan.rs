//! The plan of a test contract's world: the contract is deployed, `setUp()` is called, and what that created becomes instances. There is
//! nothing to vary in such a setup.

use super::targets::Targets;
use crate::{
    code::{Programs, Stage},
    compile::{Build, ContractId},
    evm::{DEFAULT_SENDER, Executor, Outcome, Snapshot, Status, TEST_ADDRESS, TraceStep},
    input::{
        BlockReads, CallId, CallRules, CallTable, Delays, Deployment, EnvStep, Fitting, FunctionId, Instance,
        InstanceId, Interface, Origin, Property, PropertyKind, Setup, SetupStep, Transaction,
    },
    project::{TestConfig, WorldConfig},
    world::{
        action::Action,
        blueprint::{Blueprint, minimal_proxy_of},
        companions::{Choice, interface, name},
        ground::{World, WorldError},
        plan::Plan,
    },
};
use alloy_primitives::{Address, U256};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// Kinds of contracts that calls create, at most; chosen by hand.
const MAX_CREATED_KINDS: usize = 8;

/// Plans the world of a test contract.
pub(in crate::world) fn plan(
    build: &Arc<Build>,
    programs: &Arc<Programs>,
    main: ContractId,
) -> Result<Plan, WorldError> {
    let (refused, config) = (BTreeSet::new(), WorldConfig::default());
    let choice = Choice { build, programs, refused: &refused, asked: None, configured: (main, &config) };
    let contract = build.contract(main);
    let test = Instance {
        name: contract.name.clone(),
        contract: contract.name.clone(),
        address: TEST_ADDRESS,
        interface: Arc::new(interface(main, choice)),
        layout: contract.storage.clone(),
        origin: Origin::Deployed,
    };
    let mut blueprints = vec![Blueprint::Contract(main)];
    let properties = properties(&test.interface);
    let config = test_config(build, main, &properties, &test.interface);
    let world = World::of_tests(build, programs, &blueprints, config)?;
    let table = CallTable::new(vec![test.clone()], Fitting::new(), BlockReads::default());
    let setup = setup(&test.interface);
    let (mut executor, state) = set_up(&world, &table, &setup, build, programs)?;

    let mut instances = vec![test];
    let names = names_in_storage(build, programs, main, &state);
    let mut created: Vec<Address> = state.created().collect();
    created.reverse();
    for address in created.into_iter().filter(|address| *address != TEST_ADDRESS) {
        let named = names.get(&address);
        let Some(of) = contract_at(&state, address, named.and_then(|(_, ty)| *ty), build, programs) else { continue };
        let contract = build.contract(of);
        let name = named.map(|(name, _)| name.as_str()).unwrap_or(&contract.name);
        instances.push(Instance {
            name: self::name(name, &instances),
            contract: contract.name.clone(),
            address,
            interface: Arc::new(interface(of, choice)),
            layout: contract.storage.clone(),
            origin: Origin::SetUp,
        });
        blueprints.push(Blueprint::SetUp(of));
    }
    let targets = Targets::ask(&mut executor, &state, TEST_ADDRESS);
    for (instance, blueprint) in instances.iter_mut().zip(&mut blueprints) {
        let names = targets.interfaces.get(&instance.address).into_iter().flatten();
        if let Some(of) = names.filter_map(|name| artifact(build, name)).next() {
            instance.interface = Arc::new(interface(of, choice));
            *blueprint = Blueprint::SetUp(of);
        }
    }
    if targets.says_nothing() {
        for of in created_later(&blueprints, build, programs) {
            let contract = build.contract(of);
            instances.push(Instance {
                name: self::name(&contract.name, &instances),
                contract: contract.name.clone(),
                address: World::address(InstanceId(instances.len() as u16)),
                interface: Arc::new(interface(of, choice).with_constructor_of(None)),
                layout: contract.storage.clone(),
                origin: Origin::Created,
            });
            blueprints.push(Blueprint::Created(of));
        }
    }
    let is_person = |address: &Address| {
        let is_word = address.into_word()[12..30].iter().all(|byte| *byte == 0);
        !is_word && !state.has_code(*address) && *address != DEFAULT_SENDER
    };
    let people = names.into_iter().filter(|(address, _)| is_person(address));
    let people: Vec<_> =
        people.map(|(address, (name, _))| (address, format!("{}.{name}", instances[0].contract))).collect();
    let rules = rules(&instances, &blueprints, &targets, build, (properties, config));
    let fitting = fitting(&instances, &blueprints, build, programs);
    let calls = CallTable::new(instances, fitting, BlockReads::default()).with_rules(rules);
    let world = World::of_tests(build, programs, &blueprints, config)?.with_people(people.into_iter());
    Ok(Plan { world, calls, setup, configured_calls: 1, blueprints })
}

/// The test contract is deployed, and set up if it says how.
fn setup(interface: &Interface) -> Setup {
    let deployment =
        Deployment { instance: InstanceId::MAIN, arguments: Vec::new(), sender: DEFAULT_SENDER, value: U256::ZERO };
    let call = |function: FunctionId| Transaction {
        call: CallId::main(function),
        arguments: Vec::new(),
        sender: DEFAULT_SENDER,
        value: U256::ZERO,
        env: EnvStep::default(),
        at: None,
        reaction: None,
    };
    let set_up = interface.by_signature("setUp()").map(|function| SetupStep::Call(call(function.id)));
    let steps = std::iter::once(SetupStep::Deploy(deployment)).chain(set_up).collect();
    Setup::new(steps).expect("the test contract is deployed once")
}

/// Runs the setup. Returns the state after it.
fn set_up(
    world: &World,
    calls: &CallTable,
    setup: &Setup,
    build: &Build,
    programs: &Arc<Programs>,
) -> Result<(Executor, Snapshot), WorldError> {
    let mut executor = world.executor(programs);
    let mut state = world.genesis.clone();
    for step in setup.steps() {
        let action = Action::of(step);
        let (outcome, after) = world.act(&mut executor, calls, action, &state);
        if outcome.status != Status::Success {
            let what = if action.transaction().is_some() { "setUp()" } else { "its constructor" };
            executor.set_detailed(true);
            executor.run(&state, &world.call(calls, action, state.moment()));
            let told = told(&outcome, build);
            let place = failing_place(&executor, build, programs);
            return Err(WorldError::SetUp { what: what.to_owned(), told, place });
        }
        state = after;
    }
    Ok((executor, state))
}

/// How a setup that fails ends, for people.
fn told(outcome: &Outcome, build: &Build) -> String {
    match outcome.told(|selector| build.error_name(selector).map(str::to_owned)) {
        told if told == "revert" && outcome.output.is_empty() => "revert without a reason".to_owned(),
        told => told,
    }
}

/// The last place in the project's own code before the last run failed: file and line.
fn failing_place(executor: &Executor, build: &Build, programs: &Programs) -> Option<(String, u32)> {
    let trace = &executor.observation().trace;
    let end = trace.iter().position(|step| *step == TraceStep::Leave(false)).unwrap_or(trace.len());
    let mut frames = Vec::new();
    let mut visits = Vec::new();
    for step in &trace[..end] {
        match step {
            TraceStep::Enter(program) => frames.push(*program),
            TraceStep::Block(block) => {
                visits.extend(frames.last().copied().flatten().map(|program| (program, *block)));
            }
            TraceStep::Leave(_) => drop(frames.pop()),
            TraceStep::CallWithoutFrame(_) => {}
        }
    }
    visits.into_iter().rev().find_map(|(program, block)| {
        let program = programs.get(program);
        let (source, span) = program.range(program.block(block).last)?;
        let source = build.source(source);
        let is_whole = source.ast.nodes.iter().any(|node| node.span == span && is_definition(node.kind));
        (!source.foreign && !is_whole).then(|| (source.name.clone(), source.lines.position(&source.text, span.start).0))
    })
}

fn is_definition(kind: crate::compile::NodeKind) -> bool {
    use crate::compile::NodeKind;
    matches!(kind, NodeKind::Contract | NodeKind::Function | NodeKind::Modifier)
}

/// The names of contracts whose addresses stand in variables of the test contract, with the contract that such a variable is of.
fn names_in_storage(
    build: &Build,
    programs: &Programs,
    main: ContractId,
    state: &Snapshot,
) -> BTreeMap<Address, (String, Option<ContractId>)> {
    let mut names = BTreeMap::new();
    let Some(layout) = &build.contract(main).storage else { return names };
    for variable in &layout.storage {
        let Some(ty) = layout.types.get(&variable.storage_type) else { continue };
        let of = ty.label.strip_prefix("contract ");
        if (of.is_none() && !ty.label.starts_with("address")) || ty.encoding != "inplace" {
            continue;
        }
        let Ok(slot) = variable.slot.parse::<U256>() else { continue };
        let word: U256 = state.slot(TEST_ADDRESS, slot) >> (8 * variable.offset as usize);
        let address = Address::from_word(word.into());
        let types = programs.contract_types(build);
        let of = of.and_then(|of| types.named(of.rsplit('.').next().unwrap_or(of)).first().copied());
        names.entry(address).or_insert((variable.label.trim_matches('_').to_owned(), of));
    }
    names
}

/// The contract that is used at an address: the one whose code it is, the one behind a minimal proxy, or, where that code has other
/// functions, as those of proxies do, the one that a variable with the address is of.
fn contract_at(
    state: &Snapshot,
    address: Address,
    declared: Option<ContractId>,
    build: &Build,
    programs: &Programs,
) -> Option<ContractId> {
    let code = state.code(address);
    let code = minimal_proxy_of(&code).map_or(code, |implementation| state.code(implementation));
    let own = programs.recognise(&code, Stage::Runtime).first().map(|id| programs.get(*id).contract);
    let has = |of: ContractId, selector: [u8; 4]| {
        build.contract(of).abi.functions().any(|function| function.selector().0 == selector)
    };
    let declared = declared.filter(|of| {
        let mut functions = build.contract(*of).abi.functions();
        own.is_none_or(|own| functions.any(|function| !has(own, function.selector().0)))
    });
    declared.or(own)
}

/// The contract that an artifact is of, by its name: `Vault`, or `src/Vault.sol:Vault`.
fn artifact(build: &Build, name: &str) -> Option<ContractId> {
    build.contract_ids().find(|id| {
        let (file, contract) = build.qualified_name(*id);
        name == contract || name.strip_prefix(file).and_then(|rest| rest.strip_prefix(':')) == Some(contract)
    })
}

/// The contracts that those of the setup can create when they are called.
fn created_later(blueprints: &[Blueprint], build: &Build, programs: &Programs) -> Vec<ContractId> {
    let there = blueprints.iter().skip(1).filter_map(Blueprint::contract);
    let held = there.flat_map(|contract| programs.embedded(programs.id(contract, Stage::Runtime)));
    let held: BTreeSet<ContractId> = held.map(|id| programs.get(*id).contract).collect();
    held.into_iter().filter(|held| build.contract(*held).is_deployable()).take(MAX_CREATED_KINDS).collect()
}

/// How a test contract is run: as the configuration says, and the comments in front of it and of its tests.
fn test_config(build: &Build, main: ContractId, properties: &[Property], interface: &Interface) -> TestConfig {
    let contract = build.contract(main);
    let source = build.source(contract.source);
    let is_test = |selector: Option<[u8; 4]>| {
        properties.iter().any(|property| interface.function(property.call.function).selector == selector)
    };
    let nodes = source.ast.nodes.iter().filter(|node| contract.span.contains(node.span));
    let tests = nodes.filter(|node| node.selector.is_some() && is_test(node.selector));
    let comments = std::iter::once(contract.span).chain(tests.map(|node| node.span));
    comments.fold(build.test_config, |config, span| config.with_comments(comments_before(&source.text, span.start)))
}

/// The lines of comments that stand right before a place.
fn comments_before(text: &str, at: u32) -> &str {
    let before = &text[..at as usize];
    let is_comment = |line: &&str| ["//", "/*", "*"].iter().any(|start| line.trim_start().starts_with(start));
    let lines = before.trim_end_matches([' ', '\t']).split_inclusive('\n').rev().take_while(is_comment);
    let length: usize = lines.map(str::len).sum();
    let end = before.trim_end_matches([' ', '\t']).len();
    &before[end - length..end]
}

/// What the functions of a test contract state.
fn properties(interface: &Interface) -> Vec<Property> {
    let property = |function: &crate::input::Function| {
        Some(Property { call: CallId::main(function.id), kind: PropertyKind::of_test(function)? })
    };
    interface.functions.iter().filter_map(property).collect()
}

/// Which calls there are, and who makes them.
fn rules(
    instances: &[Instance],
    blueprints: &[Blueprint],
    targets: &Targets,
    build: &Build,
    (properties, config): (Vec<Property>, TestConfig),
) -> CallRules {
    let has_invariants = properties.iter().any(|property| property.kind.holds_in_all_states());
    let mut allowed = BTreeSet::new();
    for ((target, instance), blueprint) in (0..).map(InstanceId).zip(instances).zip(blueprints) {
        let Some(contract) = blueprint.contract().filter(|_| has_invariants) else { continue };
        // The test contract itself is called only if it says so.
        let is_named =
            targets.contracts.contains(&instance.address) || targets.selectors.contains_key(&instance.address);
        if target == InstanceId::MAIN && !is_named {
            continue;
        }
        for function in &instance.interface.functions {
            if let Some(selector) = function.selector
                && function.can_change_state()
                && targets.calls(instance.address, build.qualified_name(contract), selector)
                && (target != InstanceId::MAIN || !is_of_tests(&function.name))
            {
                allowed.insert(CallId { target, function: function.id });
            }
        }
    }
    let all = || World::senders().into_iter().collect();
    let senders = if targets.senders.is_empty() { all() } else { targets.senders.clone() };
    let senders = senders.difference(&targets.excluded_senders).copied().collect();
    let bare = Some(Delays { seconds: config.max_time_delay, blocks: config.max_block_delay });
    let fail_on_revert = config.fail_on_revert;
    CallRules {
        properties,
        allowed: Some(allowed),
        caller: Some(DEFAULT_SENDER),
        senders,
        bare,
        fail_on_revert,
        ..CallRules::default()
    }
}

/// Whether forge calls a function of a test contract by itself.
fn is_of_tests(name: &str) -> bool {
    name == "setUp" || name == "afterInvariant" || PropertyKind::is_name_of_test(name)
}

/// The addresses of the instances that fit each contract type that is taken somewhere.
pub(super) fn fitting(instances: &[Instance], blueprints: &[Blueprint], build: &Build, programs: &Programs) -> Fitting {
    let types = programs.contract_types(build);
    let mut fitting = Fitting::new();
    let functions = instances.iter().flat_map(|instance| &instance.interface.functions);
    let wanted: BTreeSet<String> = functions
        .flat_map(|function| &function.inputs)
        .flat_map(|input| input.ty.contract_types())
        .map(|name| name.to_owned())
        .collect();
    for name in wanted {
        let contracts = types.fitting(build, &name);
        let fits = |blueprint: &Blueprint| blueprint.contract().is_some_and(|contract| contracts.contains(&contract));
        let there = instances.iter().zip(blueprints).filter(|(_, blueprint)| fits(blueprint));
        let addresses: Vec<Address> = there.map(|(instance, _)| instance.address).collect();
        if !addresses.is_empty() {
            fitting.insert(name, addresses);
        }
    }
    fitting
}
