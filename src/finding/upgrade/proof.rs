//! Proves by running that an upgrade does not read what an older build wrote. The older build is set up, its storage is kept, and the
//! newer code runs on it: the upgrade. A word is put where the older layout has a variable, and the functions that return variables
//! are called before and after.

use crate::{
    code::{Clash, GetterArgument, Leaf},
    evm::{Executor, Outcome, Snapshot, Status},
    harness::{Action, Harness},
    input::{CallId, EnvStep, Function, FunctionKind, Mutability, Transaction, Type, Value},
    oracle::{Compared, StoredRead},
    world::{ACTORS, World},
};
use alloy_primitives::{Address, Bytes, I256, U256, b256};

/// The slots of ERC-1967, which belong to the proxy: implementation, admin, beacon.
const PROXY_SLOTS: [U256; 3] = [
    U256::from_be_bytes(b256!("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc").0),
    U256::from_be_bytes(b256!("0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103").0),
    U256::from_be_bytes(b256!("0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50").0),
];

/// An older build with what it stored, and a newer one that takes its place.
pub(super) struct Upgrade<'a> {
    before: Running<'a>,
    after: Running<'a>,
    /// What the newer build stores by itself.
    fresh: Snapshot,
}

/// A build that runs on a state.
struct Running<'a> {
    harness: &'a Harness,
    executor: Executor,
    state: Snapshot,
}

/// What two runs showed.
pub(super) struct Proof {
    /// The call that shows it.
    pub(super) call: Transaction,
    /// How a test sees it, if it does.
    pub(super) read: Option<StoredRead>,
    /// The runs, in a part of a sentence.
    pub(super) told: String,
}

/// A word in a slot, and the slots of lists that have to have an item.
struct Word {
    slot: U256,
    mask: U256,
    lists: Vec<U256>,
}

impl<'a> Upgrade<'a> {
    /// Sets both up, and puts the newer code where the older one stored its words. `None` if one cannot be set up.
    pub(super) fn of(before: &'a Harness, after: &'a Harness) -> Option<Self> {
        let before = Running::of(before)?;
        let mut after = Running::of(after)?;
        let fresh = after.state.clone();
        let (old, new) = (before.main(), after.main());
        for (address, slot, _, word) in before.harness.world.genesis.changes(&before.state) {
            if address == old && !PROXY_SLOTS.contains(&slot) {
                after.state = after.state.with_slot(new, slot, word);
            }
        }
        for (address, slot, ..) in after.harness.world.genesis.changes(&fresh) {
            if address == new && !PROXY_SLOTS.contains(&slot) {
                after.state = after.state.with_slot(new, slot, before.state.slot(old, slot));
            }
        }
        Some(Self { before, after, fresh })
    }

    /// Proves that a variable now reads what another one wrote: what its getter returns follows what the other one holds, and nothing
    /// else differs.
    pub(super) fn reads(&mut self, clash: &Clash) -> Option<Proof> {
        let stored = |word: &Word, running: &Running<'_>| running.state.slot(running.main(), word.slot);
        for call in self.readers(&clash.after) {
            let is_getter = self.after.function(&call).name == clash.after.getter();
            // Another function may return several variables: only the bytes that both have may differ then.
            let mask = clash.before.mask() & if is_getter { U256::MAX } else { clash.after.mask() };
            let word = Word::of(&clash.before, mask)?;
            let words = word.two(stored(&word, &self.before), &clash.before);
            let part = self.after.part(&call, &clash.after);
            let [one, other] = words.map(|value| part.of(&self.after.call_with(&call, &word, value)));
            let own = self.before.same(&call, self.after.harness);
            let is_news = match &own {
                Some(own) => {
                    let part = self.before.part(own, &clash.after);
                    let [one, other] = words.map(|value| part.of(&self.before.call_with(own, &word, value)));
                    one == other
                }
                None => is_getter,
            };
            if one != other && is_news {
                let told = format!(
                    "{} {} while `{}` holds {}, and {} while it holds {}",
                    self.after.told_call(&call),
                    self.after.told(&one),
                    clash.before.name,
                    shown(words[0], &clash.before),
                    self.after.told(&other),
                    shown(words[1], &clash.before),
                );
                let read = if part.is_whole() { self.read_of_two(&call, &word, &clash.before) } else { None };
                return Some(Proof { call, read, told });
            }
        }
        None
    }

    /// Proves that a variable does not return what it returned before the upgrade.
    pub(super) fn differs(&mut self, kept: &Clash) -> Option<Proof> {
        let word = Word::of(&kept.before, kept.before.mask())?;
        let (own, call) = (self.before.getter(&kept.before)?, self.after.getter(&kept.after)?);
        let stored = self.before.state.slot(self.before.main(), word.slot);
        let [one, _] = word.two(stored, &kept.before);
        // A longer word only counts where the new type has no room for it.
        let is_cut = kept.after.mask().count_ones() < kept.before.mask().count_ones();
        let full = (stored & !word.mask) | word.mask;
        for value in [one].into_iter().chain(is_cut.then_some(full)) {
            let (own_part, part) = (self.before.part(&own, &kept.before), self.after.part(&call, &kept.after));
            let was = own_part.of(&self.before.call_with(&own, &word, value));
            let is = part.of(&self.after.call_with(&call, &word, value));
            if was.status == Status::Success && was.output != is.output {
                let told = format!(
                    "{} {} where it {} before the upgrade",
                    self.after.told_call(&call),
                    self.after.told(&is),
                    self.before.told(&was).replacen("returns", "returned", 1),
                );
                let output = <[u8; 32]>::try_from(was.output.as_ref()).ok().map(U256::from_be_bytes);
                let output = output.filter(|_| own_part.is_whole() && part.is_whole());
                let list = word.only_list();
                let read = output.zip(list).map(|(output, list)| StoredRead {
                    slot: word.slot,
                    list,
                    word: (self.fresh.slot(self.after.main(), word.slot) & !word.mask) | (value & word.mask),
                    compared: Compared::Output(output),
                });
                return Some(Proof { call, read, told });
            }
        }
        None
    }

    /// The calls that may return a variable: its getter first.
    fn readers(&self, leaf: &Leaf) -> Vec<Transaction> {
        let functions = &self.after.harness.calls.main().interface.functions;
        let is_plain = |function: &&Function| {
            function.kind == FunctionKind::Function
                && function.mutability == Mutability::View
                && function.inputs.is_empty()
        };
        let others = functions.iter().filter(is_plain).filter(|function| function.name != leaf.getter());
        self.after.getter(leaf).into_iter().chain(others.map(|function| plain_call(function, Vec::new()))).collect()
    }

    /// How a test sees that a call follows a word, if it does so in what the newer build stores by itself.
    fn read_of_two(&self, call: &Transaction, word: &Word, leaf: &Leaf) -> Option<StoredRead> {
        let words = word.two(self.fresh.slot(self.after.main(), word.slot), leaf);
        let mut fresh =
            Running { harness: self.after.harness, executor: self.after.harness.executor(), state: self.fresh.clone() };
        let [one, other] = words.map(|value| fresh.call_with(call, word, value));
        let list = word.only_list()?;
        let read = StoredRead { slot: word.slot, list, word: words[0], compared: Compared::With(words[1]) };
        (one.output != other.output).then_some(read)
    }
}

impl<'a> Running<'a> {
    fn of(harness: &'a Harness) -> Option<Self> {
        let mut executor = harness.executor();
        let (_, state) = harness.set_up(&mut executor, &harness.setup, |_| {});
        Some(Self { harness, executor, state: state? })
    }

    fn main(&self) -> Address {
        self.harness.calls.main().address
    }

    fn function(&self, call: &Transaction) -> &Function {
        self.harness.calls.function(call.call)
    }

    /// The outcome of a call while this value is stored.
    fn call_with(&mut self, call: &Transaction, word: &Word, value: U256) -> Outcome {
        let main = self.main();
        let mut state = self.state.with_slot(main, word.slot, value);
        for list in &word.lists {
            let length = state.slot(main, *list).max(U256::from(1));
            state = state.with_slot(main, *list, length);
        }
        let call = self.harness.call(Action::Call(call), state.moment());
        self.executor.run(&state, &call)
    }

    /// The call that returns a part of a variable, if the contract has its getter.
    fn getter(&self, leaf: &Leaf) -> Option<Transaction> {
        let is_it = |function: &&Function| {
            function.kind == FunctionKind::Function
                && function.name == leaf.getter()
                && function.inputs.len() == leaf.arguments.len()
        };
        let function = self.harness.calls.main().interface.functions.iter().find(is_it)?;
        let arguments = leaf.arguments.iter().zip(&function.inputs).map(|(argument, input)| match argument {
            GetterArgument::Key => key(&input.ty).map(|(value, _)| value),
            GetterArgument::Index(index) => Some(Value::Uint(U256::from(*index), 256)),
        });
        Some(plain_call(function, arguments.collect::<Option<_>>()?))
    }

    /// What of a call's result is a part of a variable: a member of a struct by its name, or all of it.
    fn part(&self, call: &Transaction, leaf: &Leaf) -> Part {
        let outputs = &self.function(call).outputs;
        let member = leaf.name.rsplit_once('.').map(|(_, member)| member);
        let at = member.and_then(|member| outputs.iter().position(|output| output.name == member));
        let at = at.filter(|at| outputs.len() > 1 && !outputs[*at].ty.is_dynamic());
        Part(at.map(|at| 32 * outputs[..at].iter().map(|output| output.ty.head_words()).sum::<usize>()))
    }

    /// The same call of this build, if it has that function.
    fn same(&self, call: &Transaction, of: &Harness) -> Option<Transaction> {
        let signature = &of.calls.function(call.call).signature;
        let function = self.harness.calls.main().interface.by_signature(signature)?;
        Some(plain_call(function, call.arguments.clone()))
    }

    fn told_call(&self, call: &Transaction) -> String {
        format!("`{}`", crate::finding::story::told_call(self.harness, call))
    }

    /// How a call ended, as it follows its name.
    fn told(&self, outcome: &Returned) -> String {
        match (&outcome.status, outcome.output.as_ref()) {
            (Status::Success, word) if word.len() == 32 => format!("returns {}", number(U256::from_be_slice(word))),
            (Status::Success, bytes) => format!("returns {}", alloy_primitives::hex::encode_prefixed(bytes)),
            _ => "fails".to_owned(),
        }
    }
}

/// The word of a result that is looked at, by its offset; all of it without one.
struct Part(Option<usize>);

/// How a call ended, and what it returned, as far as it is looked at.
#[derive(Debug, PartialEq, Eq)]
struct Returned {
    status: Status,
    output: Bytes,
}

impl Part {
    fn is_whole(&self) -> bool {
        self.0.is_none()
    }

    fn of(&self, outcome: &Outcome) -> Returned {
        let word = self.0.filter(|at| outcome.output.len() >= at + 32).map(|at| outcome.output.slice(at..at + 32));
        Returned { status: outcome.status.clone(), output: word.unwrap_or_else(|| outcome.output.clone()) }
    }
}

impl Word {
    /// The bytes of `mask` in the slot of a part of a variable, for the keys that its getter is called with.
    fn of(leaf: &Leaf, mask: U256) -> Option<Self> {
        let keys: Option<Vec<U256>> = leaf.keys().map(key_word).collect();
        let (slot, lists) = leaf.slot(&keys?)?;
        Some(Self { slot, mask, lists })
    }

    /// Two words that differ in these bytes: what is stored, or else what could be, and zero.
    fn two(&self, stored: U256, leaf: &Leaf) -> [U256; 2] {
        let rest = stored & !self.mask;
        let lowest = U256::from(1) << self.mask.trailing_zeros();
        let alice = U256::from_be_slice(ACTORS[1].address.as_slice()) << leaf.mask().trailing_zeros();
        let likely = if leaf.is_address() { [stored, alice, lowest] } else { [stored, lowest, lowest] };
        let one = likely.into_iter().map(|word| word & self.mask).find(|word| !word.is_zero()).unwrap_or(self.mask);
        [rest | one, rest]
    }

    /// The list that has to have an item, or that there is none; `None` for several, which no test prepares.
    fn only_list(&self) -> Option<Option<U256>> {
        (self.lists.len() < 2).then(|| self.lists.first().copied())
    }
}

/// A call of the deployer.
fn plain_call(function: &Function, arguments: Vec<Value>) -> Transaction {
    let (call, sender) = (CallId::main(function.id), World::owner());
    Transaction { call, arguments, sender, value: U256::ZERO, env: EnvStep::default(), at: None, reaction: None }
}

/// A key that a mapping is asked for, and its word.
fn key(ty: &Type) -> Option<(Value, U256)> {
    let alice = ACTORS[1].address;
    match ty {
        Type::Address | Type::Contract { .. } => Some((Value::Address(alice), U256::from_be_slice(alice.as_slice()))),
        Type::Uint(bits) => Some((Value::Uint(U256::from(1), *bits), U256::from(1))),
        Type::Int(bits) => Some((Value::Int(I256::ONE, *bits), U256::from(1))),
        Type::Bool => Some((Value::Bool(true), U256::from(1))),
        _ => None,
    }
}

/// The word of the key that [`key`] gives for the same type.
fn key_word(ty: &crate::code::StorageType) -> Option<U256> {
    use crate::code::StorageType;
    let alice = U256::from_be_slice(ACTORS[1].address.as_slice());
    match ty {
        StorageType::Contract => Some(alice),
        StorageType::Value(name, _) if name.starts_with("address") => Some(alice),
        StorageType::Value(name, _) if !name.starts_with("bytes") => Some(U256::from(1)),
        _ => None,
    }
}

/// A stored value as people read it.
fn shown(word: U256, leaf: &Leaf) -> String {
    let value = (word & leaf.mask()) >> leaf.mask().trailing_zeros();
    let named = ACTORS.iter().find(|actor| U256::from_be_slice(actor.address.as_slice()) == value);
    match named.filter(|_| leaf.is_address()) {
        Some(actor) => actor.name.to_owned(),
        None => number(value),
    }
}

fn number(word: U256) -> String {
    if word < U256::from(1_000_000_000_u64) { word.to_string() } else { format!("{word:#x}") }
}
