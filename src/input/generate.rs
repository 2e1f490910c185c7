//! A [`Generator`] draws whole calls for one world (arguments, sender, ether, time) and changes one parameter of a call. It
//! knows which senders exist and what they can pay. It does not know sequences, energy or coverage.

use std::sync::Arc;

use alloy_primitives::{Address, U256};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::calls::{CallId, CallTable, Delays, InstanceId};
use super::dictionary::Dictionary;
use super::env::EnvStep;
use super::interface::Function;
use super::mutate::mutate;
use super::number;
use super::setup::Deployment;
use super::transaction::{Deed, Field, Transaction};
use super::types::Type;
use super::value::{self, Fitting, Value, ValueSource, arguments};

/// One ether in wei.
const ETHER: u128 = 1_000_000_000_000_000_000;

/// The longest time that passes in one step, in seconds: ten years, chosen by hand.
pub const MAX_SECONDS: u64 = 10 * 365 * 86_400;

/// The blocks of [`MAX_SECONDS`].
const MAX_BLOCKS: u64 = MAX_SECONDS / EnvStep::BLOCK_TIME;

/// Periods that contracts wait for, in seconds: a block, minutes, hours, days, weeks, a month, a year.
const TIMES: [u64; 12] = [1, 12, 60, 300, 3_600, 21_600, 86_400, 172_800, 604_800, 1_209_600, 2_592_000, 31_536_000];

/// The source of calls in one world.
#[derive(Clone, Debug)]
pub struct Generator {
    /// The calls of the world.
    pub calls: Arc<CallTable>,
    /// The senders. Never empty in a world; if it is, the zero address sends.
    pub senders: Vec<Address>,
    /// The addresses that exist, for arguments: senders, attackers, contracts.
    pub accounts: Vec<Address>,
    /// The addresses of the instances that fit each contract type.
    pub fitting: Fitting,
    /// Values that the contract treats specially. New ones may be inserted at any time.
    pub dictionary: Dictionary,
    /// The most ether that one call sends, in wei: 10,000 ether unless changed.
    pub max_value: U256,
}

/// The time before a call that comes without anything else: none, half of the time.
fn bare_step<R: Rng + ?Sized>(rng: &mut R, most: Delays) -> EnvStep {
    if most == Delays::default() || rng.random() {
        return EnvStep::default();
    }
    let (seconds, blocks) = (rng.random_range(0..=most.seconds), rng.random_range(0..=most.blocks));
    EnvStep { seconds, blocks, ..EnvStep::default() }
}

impl Generator {
    /// A generator with an empty dictionary.
    #[must_use]
    pub fn new(calls: Arc<CallTable>, senders: Vec<Address>, accounts: Vec<Address>) -> Self {
        let max_value = U256::from(10_000 * ETHER);
        let absent = |address: &Address| {
            let mut all = (0..).map(InstanceId).zip(calls.instances());
            all.any(|(id, instance)| instance.address == *address && calls.is_created(id))
        };
        let mut fitting = calls.fitting().clone();
        fitting.values_mut().for_each(|addresses| addresses.retain(|address| !absent(address)));
        Self { calls, senders, accounts, fitting, dictionary: Dictionary::default(), max_value }
    }

    /// Notes that a run created a contract like this instance, so that arguments name it.
    pub fn know_created(&mut self, id: InstanceId, address: Address) {
        if self.accounts.contains(&address) {
            return;
        }
        self.accounts.push(address);
        let like = self.calls.instance(id).address;
        for (name, fitting) in self.calls.fitting() {
            if fitting.contains(&like) {
                self.fitting.entry(name.clone()).or_default().push(address);
            }
        }
    }

    /// A deployment of the main instance.
    pub fn deployment<R: Rng + ?Sized>(&self, rng: &mut R) -> Deployment {
        self.deployment_of(rng, InstanceId::MAIN)
    }

    /// A deployment of an instance.
    pub fn deployment_of<R: Rng + ?Sized>(&self, rng: &mut R, id: InstanceId) -> Deployment {
        let instance = self.calls.instance(id);
        let constructor = &instance.interface.constructor;
        Deployment {
            instance: id,
            arguments: arguments(&constructor.inputs, rng, &ValueSource { is_strict: true, ..self.source() }),
            sender: self.sender(rng),
            value: if constructor.is_payable() { self.ether(rng) } else { U256::ZERO },
        }
    }

    /// A transaction with this call.
    pub fn transaction<R: Rng + ?Sized>(&self, rng: &mut R, call: CallId) -> Transaction {
        let function = self.calls.function(call);
        let is_property = self.calls.property(call).is_some();
        let bare = self.calls.rules().bare;
        if is_property || bare.is_some() {
            let arguments = arguments(&function.inputs, rng, &self.source());
            let caller = self.calls.rules().caller.filter(|_| is_property);
            let sender = caller.unwrap_or_else(|| self.sender(rng));
            return Transaction {
                call,
                arguments,
                sender,
                value: U256::ZERO,
                env: bare.filter(|_| !is_property).map_or_else(EnvStep::default, |most| bare_step(rng, most)),
                at: None,
                reaction: None,
            };
        }
        // A function that is not payable reverts on ether; whether it does is tried once in a hundred calls.
        let pays = function.is_payable() || rng.random_range(0..100u32) == 0;
        let mut arguments = arguments(&function.inputs, rng, &self.source());
        if call.target != InstanceId::MAIN {
            self.concern_main(rng, function, &mut arguments);
        }
        self.hand_on(rng, &function.inputs, &mut arguments, self.calls.instance(call.target).address);
        Transaction {
            call,
            arguments,
            sender: self.sender(rng),
            value: if pays { self.ether(rng) } else { U256::ZERO },
            env: if rng.random_range(0..8u32) == 0 { self.env_step(rng) } else { EnvStep::default() },
            at: None,
            reaction: None,
        }
    }

    /// Half of the time, makes a call of another instance concern the main one: tokens are sent to it, and approved for it.
    fn concern_main<R: Rng + ?Sized>(&self, rng: &mut R, function: &Function, arguments: &mut [Value]) {
        let addresses: Vec<usize> =
            (0..arguments.len()).filter(|at| function.inputs[*at].ty == Type::Address).collect();
        if let Some(at) = addresses.choose(rng)
            && rng.random()
        {
            arguments[*at] = Value::Address(self.calls.main().address);
        }
    }

    /// A call of any function, drawn uniformly in a world of one instance; `None` if there is none.
    pub fn any_transaction<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Transaction> {
        let call = self.call_of(rng, self.calls.calls())?;
        Some(self.transaction(rng, call))
    }

    /// One of `calls`: of a world of several instances, half of the time one of the main instance.
    fn call_of<R: Rng + ?Sized>(&self, rng: &mut R, calls: &[CallId]) -> Option<CallId> {
        if self.calls.instances().len() == 1 {
            return calls.choose(rng).copied();
        }
        let of_main = self.calls.of_main(calls);
        let calls = if !of_main.is_empty() && rng.random() { of_main } else { calls };
        calls.choose(rng).copied()
    }

    /// A call of any function that may change state, drawn like any call; `None` if there is none.
    pub fn state_changing_transaction<R: Rng + ?Sized>(&self, rng: &mut R) -> Option<Transaction> {
        let call = self.call_of(rng, self.calls.state_changing())?;
        Some(self.transaction(rng, call))
    }

    /// Changes exactly one parameter of a call, and tells which: a leaf or a length of an argument, the sender, the
    /// ether, or the seconds or blocks before it, which begin and end together. Time can always be changed, so something always is, except
    /// in a property without arguments, and where calls are bare. Where somebody reacts who is called, what they do is changed now and then
    /// instead, which is no field of the call.
    pub fn mutate_transaction<R: Rng + ?Sized>(&self, rng: &mut R, transaction: &mut Transaction) -> Option<Field> {
        if self.mutate_reaction(rng, transaction) {
            return None;
        }
        Some(self.mutate_call(rng, transaction))
    }

    /// Changes what somebody does who is called, in a third of the calls in which somebody does something that can be changed: a word of
    /// the call that they make, the whole call, or the word that they answer with.
    fn mutate_reaction<R: Rng + ?Sized>(&self, rng: &mut R, transaction: &mut Transaction) -> bool {
        let Some(reaction) = transaction.reaction.as_deref_mut() else { return false };
        if rng.random_range(0..3u32) > 0 {
            return false;
        }
        match &mut reaction.deed {
            Deed::Call(call) => {
                let function = self.calls.function(call.call);
                match rng.random_range(0..8u32) {
                    0 => {
                        let other = self.state_changing_transaction(rng);
                        let Some(other) = other.filter(|other| !self.calls.is_created(other.call.target)) else {
                            return false;
                        };
                        **call = Transaction { sender: reaction.account, env: EnvStep::default(), ..other };
                        true
                    }
                    1 if function.is_payable() => {
                        self.mutate_value(rng, call);
                        true
                    }
                    _ => self.mutate_argument(rng, function, &mut call.arguments).is_some(),
                }
            }
            Deed::Answer => {
                let old = reaction.answer.unwrap_or_default();
                let drawn = |rng: &mut R| number::number(rng, 256, &self.dictionary);
                reaction.answer = Some(number::step(rng, old, 256, &self.dictionary, drawn));
                true
            }
            Deed::Refuse | Deed::BurnGas | Deed::Bomb | Deed::Repeat => false,
        }
    }

    fn mutate_call<R: Rng + ?Sized>(&self, rng: &mut R, transaction: &mut Transaction) -> Field {
        let function = self.calls.function(transaction.call);
        let payable = function.is_payable();
        if self.calls.property(transaction.call).is_some() {
            return self.mutate_argument(rng, function, &mut transaction.arguments).unwrap_or(Field::Sender);
        }
        if let Some(most) = self.calls.rules().bare {
            if most != Delays::default() && rng.random_range(0..4u32) == 0 {
                transaction.env = bare_step(rng, most);
                return Field::Seconds;
            }
            let from_sender = rng.random_range(0..8u32) == 0;
            let argument = |rng: &mut R, transaction: &mut Transaction| {
                self.mutate_argument(rng, function, &mut transaction.arguments)
            };
            let field = if from_sender { None } else { argument(rng, transaction) };
            return field.or_else(|| self.mutate_sender(rng, transaction)).unwrap_or(Field::Sender);
        }
        // The choice may not apply (no argument, not payable, one sender): then the next one is tried.
        let mut choice = rng.random_range(0..100u32);
        for _ in 0..4 {
            let field = match choice {
                0..76 => self.mutate_argument(rng, function, &mut transaction.arguments),
                76..86 if payable && !self.max_value.is_zero() => Some(self.mutate_value(rng, transaction)),
                76..86 if !payable && !transaction.value.is_zero() => {
                    transaction.value = U256::ZERO;
                    Some(Field::Value)
                }
                76..94 => self.mutate_sender(rng, transaction),
                _ => Some(self.mutate_env(rng, &mut transaction.env)),
            };
            if let Some(field) = field {
                return field;
            }
            choice = rng.random_range(76..100u32);
        }
        self.mutate_env(rng, &mut transaction.env)
    }

    /// Sets the word of a field, within what this world allows: an existing sender, no more ether than there is and
    /// none where it is refused, ten years. `false`, with nothing changed, otherwise.
    pub fn set_word(&self, transaction: &mut Transaction, field: &Field, word: U256) -> bool {
        let function = self.calls.function(transaction.call);
        let is_property = self.calls.property(transaction.call).is_some();
        let allowed = match field {
            Field::Argument { .. } => true,
            _ if is_property => false,
            Field::Value | Field::Seconds | Field::Blocks | Field::Prevrandao | Field::BaseFee | Field::Coinbase
                if self.calls.rules().bare.is_some() =>
            {
                word.is_zero()
            }
            Field::Value => word.is_zero() || (function.is_payable() && word <= self.max_value),
            Field::Sender => self.senders.iter().any(|sender| U256::from_be_slice(sender.as_slice()) == word),
            Field::Seconds => word <= U256::from(MAX_SECONDS),
            Field::Blocks => word <= U256::from(MAX_BLOCKS),
            Field::Prevrandao | Field::BaseFee | Field::Coinbase => true,
        };
        allowed && transaction.set_word(function, field, word)
    }

    /// Whether this world has the ether and the time of a call.
    pub fn allows(&self, transaction: &Transaction) -> bool {
        let Transaction { value, env, .. } = transaction;
        *value <= self.max_value && env.seconds <= MAX_SECONDS && env.blocks <= MAX_BLOCKS
    }

    /// The special values of this world.
    #[must_use]
    pub fn source(&self) -> ValueSource<'_> {
        ValueSource {
            dictionary: &self.dictionary,
            accounts: &self.accounts,
            fitting: &self.fitting,
            is_strict: false,
            is_uniform: self.calls.rules().bare.is_some(),
        }
    }

    fn sender<R: Rng + ?Sized>(&self, rng: &mut R) -> Address {
        self.senders.choose(rng).copied().unwrap_or_default()
    }

    /// An amount of ether for a payable function: none, half of the time.
    fn ether<R: Rng + ?Sized>(&self, rng: &mut R) -> U256 {
        let value = match rng.random_range(0..100u32) {
            0..50 => U256::ZERO,
            50..58 => U256::ONE,
            58..66 => U256::from(rng.random_range(2..=1_000u32)),
            66..84 => {
                let unit = [ETHER, ETHER / 10, ETHER / 100, ETHER * 10][rng.random_range(0..4u32) as usize];
                U256::from(unit) * U256::from(rng.random_range(1..=10u32))
            }
            84..94 => number::number(rng, 96, &self.dictionary),
            94..97 => self.max_value,
            _ => number::random(rng, 256),
        };
        self.affordable(value)
    }

    /// The amount, reduced to at most [`Generator::max_value`].
    fn affordable(&self, value: U256) -> U256 {
        match self.max_value.checked_add(U256::ONE) {
            Some(modulus) if value > self.max_value => value % modulus,
            _ => value,
        }
    }

    /// Some time, with the blocks that usually pass in it.
    fn env_step<R: Rng + ?Sized>(&self, rng: &mut R) -> EnvStep {
        EnvStep::of_seconds(self.seconds(rng))
    }

    /// Some seconds up to weeks, rarely years, and constants of the code that may be times.
    fn seconds<R: Rng + ?Sized>(&self, rng: &mut R) -> u64 {
        match rng.random_range(0..10u32) {
            0..4 => *TIMES.choose(rng).unwrap_or(&1) + rng.random_range(0..2u64),
            4..7 => {
                let drawn = (0..4).filter_map(|_| self.dictionary.choose(rng));
                let time = drawn.filter_map(|word| u64::try_from(word).ok()).find(|s| (1..MAX_SECONDS).contains(s));
                time.unwrap_or(86_400)
            }
            7 => rng.random_range(1..=60u64),
            8 => rng.random_range(1..=86_400u64),
            _ => rng.random_range(1..=4 * 604_800u64),
        }
    }

    fn mutate_argument<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        function: &Function,
        arguments: &mut [Value],
    ) -> Option<Field> {
        let count = arguments.len().min(function.inputs.len());
        if count == 0 {
            return None;
        }
        let first = rng.random_range(0..count as u32) as usize;
        let mut places = (0..count).map(|i| (first + i) % count);
        let index = places.find(|i| !function.inputs[*i].ty.is_constant())?;
        let position = mutate(&mut arguments[index], &function.inputs[index].ty, rng, &self.source())?;
        Some(Field::Argument { index: u16::try_from(index).ok()?, position })
    }

    fn mutate_value<R: Rng + ?Sized>(&self, rng: &mut R, transaction: &mut Transaction) -> Field {
        let old = transaction.value;
        let drawn = if rng.random_range(0..3u32) == 0 {
            self.ether(rng)
        } else {
            let stepped = number::step(rng, old, 96, &self.dictionary, |rng| number::number(rng, 96, &self.dictionary));
            self.affordable(stepped)
        };
        transaction.value = match drawn {
            new if new != old => new,
            U256::ZERO => U256::ONE,
            _ => old - U256::ONE,
        };
        Field::Value
    }

    fn mutate_sender<R: Rng + ?Sized>(&self, rng: &mut R, transaction: &mut Transaction) -> Option<Field> {
        let others = self.senders.iter().filter(|sender| **sender != transaction.sender).count();
        let chosen = rng.random_range(0..others.max(1) as u32) as usize;
        transaction.sender = *self.senders.iter().filter(|sender| **sender != transaction.sender).nth(chosen)?;
        Some(Field::Sender)
    }

    /// Changes a word of the block, half of the time, if the code reads any. Otherwise no random number is drawn.
    fn mutate_block<R: Rng + ?Sized>(&self, rng: &mut R, env: &mut EnvStep) -> Option<Field> {
        let fields: Vec<Field> = self.calls.block_reads.fields().collect();
        let field = fields.choose(rng)?.clone();
        if rng.random() {
            return None;
        }
        let block = &mut env.block;
        match field {
            Field::Prevrandao => block.prevrandao = Some(number::number(rng, 256, &self.dictionary)),
            Field::BaseFee => block.base_fee = u64::try_from(number::number(rng, 64, &self.dictionary)).ok(),
            _ => block.coinbase = Some(value::address(rng, &self.source())),
        }
        *env = env.with_block(env.block);
        Some(field)
    }

    /// Changes the seconds or the blocks, not both, as long as some of both pass: predictions learn from one parameter at a
    /// time.
    fn mutate_env<R: Rng + ?Sized>(&self, rng: &mut R, env: &mut EnvStep) -> Field {
        if let Some(field) = self.mutate_block(rng, env) {
            return field;
        }
        let blocks = rng.random_range(0..4u32) == 0;
        let (old, most) = if blocks { (env.blocks, MAX_BLOCKS) } else { (env.seconds, MAX_SECONDS) };
        let new = match rng.random_range(0..4u32) {
            0 => 0,
            1 => {
                let step = number::step(rng, U256::from(old), 32, &self.dictionary, |_| U256::ZERO);
                u64::try_from(step).unwrap_or(0)
            }
            _ if blocks => self.env_step(rng).blocks,
            _ => self.seconds(rng),
        };
        let new = match new.min(most) {
            new if new != old => new,
            0 => 1,
            _ => old - 1,
        };
        if blocks {
            *env = env.with_blocks(new);
            Field::Blocks
        } else {
            *env = env.with_seconds(new);
            Field::Seconds
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::input::transaction::Reaction;

    fn bank() -> Generator {
        let calls = CallTable::sample(&[
            "constructor(address owner)",
            "function deposit() payable",
            "function transfer(address to, uint256 amount)",
            "function total() view returns (uint256)",
            "receive() external payable",
        ]);
        let senders = [0x11, 0x22, 0x33].map(Address::repeat_byte).to_vec();
        Generator::new(Arc::new(calls), senders.clone(), senders)
    }

    #[test]
    fn ether_goes_where_it_is_taken() {
        let (bank, mut rng) = (bank(), ChaCha8Rng::seed_from_u64(1));
        let mut paid = |signature| {
            let function = bank.calls.main().interface.by_signature(signature).expect("a function").id;
            let calls = (0..1_000).map(|_| bank.transaction(&mut rng, CallId::main(function)));
            calls.filter(|call| call.value > U256::ZERO && call.value <= bank.max_value).count()
        };
        let (deposit, transfer) = (paid("deposit()"), paid("transfer(address,uint256)"));
        assert!((400..600).contains(&deposit) && transfer < 30, "{deposit} {transfer}");
    }

    #[test]
    fn time_mostly_stands_still_but_reaches_what_the_code_waits_for() {
        let (mut bank, mut rng) = (bank(), ChaCha8Rng::seed_from_u64(1));
        bank.dictionary = Dictionary::from_words([U256::from(1_234_567), U256::MAX]);
        let delays: Vec<_> = (0..2_000).filter_map(|_| bank.any_transaction(&mut rng)).map(|t| t.env).collect();
        let none = delays.iter().filter(|delay| **delay == EnvStep::default()).count();
        assert!((1_600..1_850).contains(&none), "{none}");
        assert!(delays.contains(&EnvStep::of_seconds(1_234_567)));
        assert!(delays.iter().all(|delay| delay.seconds <= MAX_SECONDS && delay.is_possible()));
    }

    #[test]
    fn a_mutation_changes_one_field() {
        let (bank, mut rng) = (bank(), ChaCha8Rng::seed_from_u64(1));
        for _ in 0..5_000 {
            let before = bank.any_transaction(&mut rng).expect("a call");
            let mut after = before.clone();
            let field = bank.mutate_transaction(&mut rng, &mut after).expect("nobody reacts");
            assert!(after.env.is_possible(), "{after:?}");
            let mut changed = before.words(&bank.calls);
            changed.retain(|(field, word)| after.word(field) != Some(*word));
            let is_time = |field: &Field| matches!(field, Field::Seconds | Field::Blocks);
            // Seconds and blocks begin and end together.
            let together =
                |other: &Field| is_time(other) && is_time(&field) && before.env.blocks.min(after.env.blocks) == 0;
            assert!(changed.iter().any(|(changed, _)| *changed == field), "{before:?} {after:?}");
            assert!(changed.iter().all(|(other, _)| *other == field || together(other)), "{before:?} {after:?}");
            let word = before.word(&field).expect("a word");
            assert!(bank.set_word(&mut after, &field, word) || before.value != U256::ZERO);
            assert!(field == Field::Value || is_time(&field) || after == before);
            assert!(after.env.is_possible(), "{after:?}");
        }
    }

    #[test]
    fn the_same_seed_draws_the_same_calls() {
        let draw = || {
            let (bank, mut rng) = (bank(), ChaCha8Rng::seed_from_u64(7));
            let mut call = bank.any_transaction(&mut rng).expect("a call");
            (0..50).for_each(|_| drop(bank.mutate_transaction(&mut rng, &mut call)));
            (bank.deployment(&mut rng), call)
        };
        assert_eq!(draw(), draw());
    }

    #[test]
    fn words_stay_within_the_world() {
        let (bank, mut rng) = (bank(), ChaCha8Rng::seed_from_u64(1));
        let deposit = CallId::main(bank.calls.main().interface.by_signature("deposit()").expect("a function").id);
        let mut call = bank.transaction(&mut rng, deposit);
        let cases = [
            (Field::Sender, U256::from(0x44), false),
            (Field::Sender, bank.senders[1].into_word().into(), true),
            (Field::Value, bank.max_value, true),
            (Field::Value, bank.max_value + U256::ONE, false),
            (Field::Seconds, U256::MAX, false),
        ];
        for (field, word, allowed) in cases {
            assert_eq!(bank.set_word(&mut call, &field, word), allowed, "{field:?} {word}");
        }
    }

    #[test]
    fn what_somebody_does_who_is_called_is_changed_now_and_then() {
        let calls = CallTable::sample(&["function lend()", "function settle(uint256 code) payable"]);
        let bank = Generator::new(Arc::new(calls), vec![Address::repeat_byte(1), Address::repeat_byte(2)], vec![]);
        let [lend, settle] = [0, 1].map(|index| CallId::main(bank.calls.main().interface.functions[index].id));
        let account = Address::repeat_byte(3);
        let call_back = Transaction { value: U256::ONE, ..Transaction::with_nothing(settle, account, &bank.calls) };
        let reacting = |deed: Deed| {
            let reaction = Some(Box::new(Reaction::new(account, deed)));
            Transaction { reaction, ..Transaction::with_nothing(lend, Address::repeat_byte(1), &bank.calls) }
        };
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut changed = |before: &Transaction| {
            let mut after = before.clone();
            let field = bank.mutate_transaction(&mut rng, &mut after);
            assert_eq!(field.is_none(), after.reaction != before.reaction, "one thing changes");
            assert_eq!(
                field.is_none(),
                Transaction { reaction: None, ..after.clone() } == Transaction { reaction: None, ..before.clone() }
            );
            after
        };
        let calling = reacting(Deed::Call(Box::new(call_back.clone())));
        let all: Vec<Transaction> =
            (0..300).filter_map(|_| changed(&calling).call_back().cloned()).filter(|call| *call != call_back).collect();
        assert!(all.iter().all(|call| call.sender == account));
        assert!(all.iter().any(|call| call.call == lend));
        assert!(all.iter().any(|call| call.call == settle && call.arguments != call_back.arguments));
        assert!(all.iter().any(|call| call.call == settle && call.value > U256::ONE));
        let answering = reacting(Deed::Answer);
        let answers = (0..30).filter_map(|_| changed(&answering).reaction?.answer);
        assert!(answers.count() > 3);
        let refusing = reacting(Deed::Refuse);
        assert!((0..30).all(|_| changed(&refusing).reaction == refusing.reaction));
    }
}
