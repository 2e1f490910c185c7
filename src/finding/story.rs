//! A [`Story`] is a sequence in readable form: the sender, call, time and ether of each step, the changes, and the failure
//! of the last call.

use super::slots::{Slots, number};
use crate::{
    compile::{SourceId, Span},
    evm::{Executor, Outcome, Preimage, Snapshot, Status},
    harness::{self, Action, Harness},
    input::{
        BlockWords, Deed, Deployment, EnvStep, FunctionKind, InstanceId, Origin, Sequence, SetupStep, Transaction,
        brief::short,
        print::{amount, brief, display_call, duration},
    },
    world::{Account, World},
};
use alloy_primitives::{Address, U256};
use foundry_compilers::artifacts::StorageLayout;
use std::{cell::RefCell, collections::BTreeMap, fmt::Write};

/// A variable that a call changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its name: `balances[alice]`.
    pub name: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// The call in readable form: `deposit{value: 1 ether}(5)`.
    pub call: String,
    /// The name of the sender.
    pub sender: String,
    /// The time before it, empty if none: `1 day`.
    pub wait: String,
    /// The variables that it changed; if it failed, those that it had changed until then.
    pub changes: Vec<Change>,
    /// The result: `ok`, `panic 0x01`, `revert Unauthorized()`.
    pub result: String,
    /// The result for people: `panic 0x01: assertion failed`.
    pub ending: String,
    /// Whether it failed, so that nothing of what it changed stays.
    pub failed: bool,
    /// The definition of the function.
    pub definition: Option<(SourceId, Span)>,
    /// Whether it belongs to the setup.
    pub is_setup: bool,
}

/// A sequence in readable form.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Story {
    /// The deployment, then each transaction.
    pub steps: Vec<Step>,
}

impl Step {
    /// The changes that it made, a line each: `total: 0 → 1`, `until it failed, total: 1 → 0`.
    pub fn told_changes(&self) -> impl Iterator<Item = String> {
        let told = |Change { name, before, after }: &Change| format!("{}{name}: {before} → {after}", self.until());
        self.changes.iter().map(told)
    }

    /// What stands in front of a change that does not stay.
    fn until(&self) -> &'static str {
        if self.failed { "until it failed, " } else { "" }
    }
}

impl Story {
    /// The calls after the setup in one line; the last step of the setup, if there is no other.
    pub fn calls(&self, separator: &str) -> String {
        let setup = self.steps.iter().filter(|step| step.is_setup).count();
        let skip = setup.min(self.steps.len().saturating_sub(1));
        self.steps.iter().skip(skip).map(|step| step.call.as_str()).collect::<Vec<_>>().join(separator)
    }

    /// Numbered lines of plain text, indented by two spaces.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let wait = if step.wait.is_empty() { String::new() } else { format!("after {}, ", step.wait) };
            let _ = writeln!(text, "  {}. {wait}{}: {} → {}", number + 1, step.sender, step.call, step.ending);
            for change in step.told_changes() {
                let _ = writeln!(text, "       {change}");
            }
        }
        text
    }

    /// The same as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let wait = if step.wait.is_empty() { String::new() } else { format!("*{} later*, ", step.wait) };
            let verb = if step.call.starts_with("new ") { "deploys" } else { "calls" };
            let _ =
                writeln!(text, "{}. {wait}**{}** {verb} `{}` → {}", number + 1, step.sender, step.call, step.ending);
            for Change { name, before, after } in &step.changes {
                let _ = writeln!(text, "   - {}`{name}`: {before} → {after}", step.until());
            }
        }
        text
    }
}

/// The calls of a world's setup, one line each, without what stand-ins answer at first. Who sends one is told where it is not the
/// deployer.
pub fn told_setup_calls(harness: &Harness) -> Vec<String> {
    let name = |address: Address| name(harness, address);
    let calls = harness.setup.steps().iter().filter_map(|step| match step {
        SetupStep::Call(call) if harness.calls.function(call.call).kind != FunctionKind::Answer => Some(call),
        _ => None,
    });
    let told = |transaction: &Transaction| {
        let told = call(harness, transaction, &name);
        match transaction.sender == World::owner() {
            true => told,
            false => format!("{}: {told}", sender(&name, transaction.sender)),
        }
    };
    calls.map(told).collect()
}

/// A call as a story tells it.
pub(crate) fn told_call(harness: &Harness, transaction: &Transaction) -> String {
    call(harness, transaction, &|address| name(harness, address))
}

/// Replays the sequence from a clean world and describes each step.
pub fn tell(harness: &Harness, sequence: &Sequence) -> Story {
    tell_each(harness, sequence, &mut harness.executor(), |_| {})
}

/// Like [`tell`], with this executor, and passes each step to `each`.
pub(super) fn tell_each(
    harness: &Harness,
    sequence: &Sequence,
    executor: &mut Executor,
    mut each: impl FnMut(&harness::Step<'_>),
) -> Story {
    executor.set_detailed(true);
    let mut story = Story::default();
    let mut preimages = Vec::new();
    let created = RefCell::new(CreatedNames::default());
    let name = |address: Address| created.borrow().account(harness, address);
    harness.run(executor, sequence, |step| {
        each(step);
        preimages.extend(step.executor.observation().preimages.iter().cloned());
        story.steps.push(Step {
            call: match step.action {
                Action::Deploy(deployment) => creation(harness, deployment, &name),
                Action::Call(call) => self::call(harness, call, &name),
            },
            is_setup: story.steps.len() < sequence.setup.steps().len(),
            sender: sender(&name, step.action.sender()),
            wait: step.action.transaction().map(wait).unwrap_or_default(),
            changes: {
                created.borrow_mut().note(harness, step.after);
                changes(harness, &preimages, step, &created.borrow(), &name)
            },
            result: result(harness, step.outcome),
            ending: ending(harness, step.outcome),
            failed: step.outcome.status != Status::Success,
            definition: step.action.transaction().and_then(|call| harness.definition(call.call)),
        });
    });
    story
}

/// A slot of an account, with its words before and after.
type SlotChange = (Address, U256, U256, U256);

/// The slots that a step changed; if it failed, those that it had changed until then.
fn changed_slots(step: &harness::Step<'_>) -> Vec<SlotChange> {
    if step.outcome.status == Status::Success {
        return step.before.changes(step.after);
    }
    let writes = &step.executor.observation().writes;
    let last: BTreeMap<(Address, U256), U256> =
        writes.iter().map(|write| ((write.address, write.slot), write.value)).collect();
    let changes = last.into_iter().map(|((of, slot), after)| (of, slot, step.before.slot(of, slot), after));
    changes.filter(|(_, _, before, after)| before != after).collect()
}

/// The changes of a step: slots by the names of their variables, each in the layout of the instance that owns the storage,
/// then the balances of instances. What a failed call created has no name, and is left out.
fn changes(
    harness: &Harness,
    preimages: &[Preimage],
    step: &harness::Step<'_>,
    created: &CreatedNames,
    name: &dyn Fn(Address) -> Option<String>,
) -> Vec<Change> {
    let mut changes = Vec::new();
    let calls = &harness.calls;
    let owner = |address: Address| match calls.at(address) {
        Some(InstanceId::MAIN) => String::new(),
        _ => format!("{}: ", name(address).unwrap_or_else(|| short(&address.to_string()))),
    };
    let failed = step.outcome.status != Status::Success;
    for (address, slot, before, after) in changed_slots(step) {
        let Some(ToldStorage { kind, layout }) = created.storage(harness, address) else { continue };
        if failed && kind.is_none() {
            continue;
        }
        let named = Slots { layout, preimages, name }.describe(slot, before, after);
        changes.extend(named.into_iter().map(|(name, before, after)| Change {
            name: format!("{}{name}", owner(address)),
            before,
            after,
        }));
    }
    for instance in calls.instances() {
        let (before, after) = (step.before.balance(instance.address), step.after.balance(instance.address));
        if before != after {
            let name = format!("{}balance", owner(instance.address));
            let [before, after] = [before, after].map(|wei| short(&amount(wei)));
            changes.push(Change { name, before, after });
        }
    }
    changes
}

/// A storage that is told.
pub(super) struct ToldStorage<'a> {
    /// Whose it is; none for an account that the world does not know.
    pub(super) kind: Option<InstanceId>,
    /// The layout, where it is known.
    pub(super) layout: Option<&'a StorageLayout>,
}

/// The contracts that the calls of a story created, each with the instance that stands for its kind, and its name.
#[derive(Debug, Default)]
pub(super) struct CreatedNames(BTreeMap<Address, (InstanceId, String)>);

impl CreatedNames {
    /// Names the contracts that a state lists and that have no name yet.
    pub(super) fn note(&mut self, harness: &Harness, state: &Snapshot) {
        let mut new: Vec<Address> = state.created().filter(|at| !self.0.contains_key(at)).collect();
        new.retain(|at| harness.calls.at(*at).is_none());
        new.reverse();
        for at in new {
            if let Some(id) = harness.created_kind(&state.code(at)) {
                let plain = &harness.calls.instance(id).name;
                let number = self.0.values().filter(|(kind, _)| *kind == id).count() + 1;
                let name = if number == 1 { plain.clone() } else { format!("{plain}{number}") };
                self.0.insert(at, (id, name));
            }
        }
    }

    /// The name of an account, also of one that was created meanwhile.
    pub(super) fn account(&self, harness: &Harness, address: Address) -> Option<String> {
        name(harness, address).or_else(|| self.name(address))
    }

    /// The storage of an account, if it is told: the script of an attacker and the answers of a stand-in are told by the call.
    pub(super) fn storage<'a>(&self, harness: &'a Harness, address: Address) -> Option<ToldStorage<'a>> {
        let calls = &harness.calls;
        let kind = calls.at(address).or_else(|| self.kind(address));
        let is_script = matches!(World::account(address, calls), Account::Actor(_))
            || kind.is_some_and(|id| calls.instance(id).origin == Origin::StandIn);
        let layout = kind.and_then(|id| calls.instance(id).layout.as_deref());
        (!is_script).then_some(ToldStorage { kind, layout })
    }

    fn name(&self, address: Address) -> Option<String> {
        self.0.get(&address).map(|(_, name)| name.clone())
    }

    fn kind(&self, address: Address) -> Option<InstanceId> {
        self.0.get(&address).map(|(id, _)| *id)
    }
}

/// The result of a call, in the words of the JSON output: `ok`, `panic 0x01`, `revert Reason`, `halt ...`.
fn result(harness: &Harness, outcome: &Outcome) -> String {
    outcome.told(|selector| error(harness, selector))
}

/// The result of a call for people: what a panic means stands beside it.
pub(crate) fn ending(harness: &Harness, outcome: &Outcome) -> String {
    outcome.told_in_words(|selector| error(harness, selector))
}

fn error(harness: &Harness, selector: [u8; 4]) -> Option<String> {
    let mut errors = harness.compiled().abi.errors();
    errors.find(|error| error.selector() == selector).map(|error| error.name.clone())
}

/// A call, and what somebody does who is called during it.
pub(super) fn call(harness: &Harness, call: &Transaction, name: &dyn Fn(Address) -> Option<String>) -> String {
    let told = plain_call(harness, call, name);
    let Some(reaction) = &call.reaction else { return told };
    let who = sender(name, reaction.account);
    // Whoever reacts may be called first of all, with whatever data.
    let told = if call.at == Some(reaction.account) { format!("a call of {who}") } else { told };
    let deed = match &reaction.deed {
        Deed::Refuse => "refuses".to_owned(),
        Deed::BurnGas => "uses up all gas".to_owned(),
        Deed::Bomb => "returns more bytes than the gas that is left can copy".to_owned(),
        Deed::Answer => "accepts".to_owned(),
        Deed::Repeat => "calls it again".to_owned(),
        Deed::Call(own) => format!("calls {}", plain_call(harness, own, name)),
    };
    let answer = reaction.answer.map(|word| format!(", and answers {}", short(&number(word)))).unwrap_or_default();
    format!("{told} ({who}, when called, {deed}{answer})")
}

/// A call, with the name of its target where that is not the main instance: `token.mint(alice, 5)`, or `feed.price() returns 7`
/// where it says what a stand-in answers from then on.
fn plain_call(harness: &Harness, call: &Transaction, name: &dyn Fn(Address) -> Option<String>) -> String {
    let instance = harness.calls.instance(call.call.target);
    let function = harness.calls.function(call.call);
    if function.kind == FunctionKind::Answer {
        let answers = call.arguments.iter().zip(&function.inputs);
        let answers: Vec<String> = answers.map(|(value, input)| brief(value, &input.ty, name)).collect();
        return format!("{}.{}() returns {}", instance.name, function.name, answers.join(", "));
    }
    let told = called_through(harness, call, name).unwrap_or_else(|| display_call(call, &harness.calls, name));
    match call.call.target {
        InstanceId::MAIN => told,
        _ => {
            let at = call.at.and_then(name);
            format!("{}.{told}", at.as_ref().unwrap_or(&instance.name))
        }
    }
}

/// A call of a fallback with the data of a function that another contract of the world has, as a proxy is called: that function, with
/// its arguments.
fn called_through(harness: &Harness, call: &Transaction, name: &dyn Fn(Address) -> Option<String>) -> Option<String> {
    let calls = &harness.calls;
    if calls.function(call.call).kind != FunctionKind::Fallback {
        return None;
    }
    let data = call.calldata(calls);
    let selector = *data.first_chunk::<4>()?;
    (0..).zip(calls.instances()).find_map(|(index, instance)| {
        instance.interface.by_selector(selector)?;
        let inner = Transaction::decode(&data, InstanceId(index), calls).ok()?;
        let inner = Transaction { value: call.value, ..inner };
        (inner.calldata(calls) == data).then(|| display_call(&inner, calls, name))
    })
}

pub(super) fn creation(harness: &Harness, deployment: &Deployment, name: &dyn Fn(Address) -> Option<String>) -> String {
    let instance = harness.calls.instance(deployment.instance);
    let inputs = instance.interface.constructor.inputs.iter();
    let arguments: Vec<_> =
        deployment.arguments.iter().zip(inputs).map(|(value, input)| brief(value, &input.ty, name)).collect();
    let value = if deployment.value.is_zero() {
        String::new()
    } else {
        format!("{{value: {}}}", short(&amount(deployment.value)))
    };
    let kind = match instance.origin {
        Origin::Deployed | Origin::Created | Origin::SetUp => String::new(),
        Origin::StandIn => " (a stand-in)".to_owned(),
        Origin::Proxy(implementation) => {
            format!(" (a proxy of {})", harness.calls.instance(implementation).name)
        }
    };
    let deployed = harness.deployed_contract(deployment.instance).map(|id| &harness.build.contract(id).name);
    format!("new {}{value}({}){kind}", deployed.unwrap_or(&instance.contract), arguments.join(", "))
}

/// The time and block before a call: `2 days`, `12 seconds, in a block with prevrandao 7`, or nothing.
pub(super) fn wait(call: &Transaction) -> String {
    let BlockWords { prevrandao, base_fee, coinbase } = call.env.block;
    let words = [
        prevrandao.map(|word| format!("prevrandao {}", short(&word.to_string()))),
        base_fee.map(|fee| format!("base fee {}", amount(U256::from(fee)))),
        coinbase.map(|address| format!("coinbase {address}")),
    ];
    let words: Vec<String> = words.into_iter().flatten().collect();
    if words.is_empty() { time(call) } else { format!("{}, in a block with {}", time(call), words.join(" and ")) }
}

/// The time that passes before a call.
fn time(call: &Transaction) -> String {
    match (call.env.seconds, call.env.blocks) {
        (0, 0) => String::new(),
        // A delay shrunk to the minimum is irrelevant; most delays match the usual length of their blocks.
        (0 | 1, blocks) if blocks > 1 => format!("{blocks} blocks"),
        (seconds, blocks) if blocks <= 1 || EnvStep::of_seconds(seconds).blocks == blocks => duration(seconds),
        (seconds, blocks) => format!("{} and {blocks} blocks", duration(seconds)),
    }
}

/// The name of an account of the world. The main instance is named like its contract, in lower case.
pub(super) fn name(harness: &Harness, address: Address) -> Option<String> {
    match World::account(address, &harness.calls) {
        Account::Actor(actor) => Some(actor.name.to_owned()),
        Account::Instance(InstanceId::MAIN) => Some(harness.compiled().name.to_lowercase()),
        Account::Instance(id) => Some(harness.calls.instance(id).name.clone()),
        Account::Literal(address) => harness.world.name(address).map(str::to_owned),
    }
}

pub(super) fn sender(name: &dyn Fn(Address) -> Option<String>, address: Address) -> String {
    name(address).unwrap_or_else(|| short(&address.to_string()))
}
