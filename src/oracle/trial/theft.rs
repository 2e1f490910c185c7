//! Theft: a user without a role and without a stake takes ether that is not theirs.

use super::{
    books::is_kept_under,
    confirmed::Trial,
    ended::Ended,
    strangers::{REPLACED_IN_TURN, Replaced, StrangerPower},
};
use crate::{
    evm::{FailureKind, Snapshot, Status},
    input::{BlockWords, EnvStep, Field, FunctionKind, Transaction},
    oracle::violation::Violation,
    world::{ACTORS, INITIAL_BALANCE, is_deployer, users},
};
use alloy_primitives::{Address, U256};
use std::collections::{BTreeMap, BTreeSet};

/// Blocks in which a theft has to succeed if the thief paid something in; chosen by hand: a bet with two ends is won in all of them
/// once in 256 times.
const BLOCKS: u8 = 8;
/// How many times as much the thief, and everybody else, pays in to see what a profit follows; chosen by hand: two numbers that differ.
const STAKES: u64 = 3;
const PAYMENTS: u64 = 8;
/// Numbers of what was made that are tried, at most, and the largest; chosen by hand.
const MAX_NUMBERS: usize = 4;
pub(super) const MAX_NUMBER: U256 = U256::from_limbs([64, 0, 0, 0]);
/// Seconds between them: an odd number, so that a bet on the time is lost in some. Chosen by hand.
const SECONDS: u64 = 13;

/// Ether or tokens that a user takes.
#[derive(Debug, Clone)]
pub struct Theft {
    /// The contract that keeps the tokens; none for ether.
    pub token: Option<Address>,
    /// How much, in wei or in the token's smallest unit.
    pub taken: U256,
    /// How much of what is there.
    pub share: Share,
    /// Whether only the first of the users can do it.
    pub only_first: bool,
    /// The transactions in which they do it.
    pub attack: Vec<Transaction>,
}

/// How much of the ether that is there somebody takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Share {
    /// As much as they say.
    Chosen,
    /// As much as they say, and more than they paid in.
    BeyondStake,
    /// All of it, or all that others paid in.
    All,
    /// What is written down as another account's.
    OfAnother,
    /// As much each time that they make the same call.
    EachTime,
    /// As much more than they paid in each time that they make the same calls.
    EachRound,
}

impl Trial<'_> {
    /// The ether that any user takes where the violation is: of their choice, or all of it, although they paid nothing in, gave
    /// nothing up for it, and were given nothing. Who paid something in takes what is not theirs if they choose how much, end with more
    /// than they began with, and do it at once, in whatever block; or if the same call pays them again and again.
    pub fn theft(&mut self, violation: &Violation) -> Option<Theft> {
        self.shorten(violation);
        let mut ways = REPLACED_IN_TURN.into_iter();
        let mut attack = ways.find_map(|replaced| self.taken_as_nobody_gives(replaced, violation))?;
        let last = attack.last()?.clone();
        let thief = last.sender;
        let pays_in = |transaction: &Transaction| transaction.sender == thief && !transaction.value.is_zero();
        if attack.iter().any(pays_in) {
            attack = self.shortened(attack, violation);
        }
        let has_stake = attack.iter().any(pays_in);
        if self.is_dealt_with(&attack, violation, |transaction| !transaction.value.is_zero()) {
            return None;
        }
        if has_stake && !(self.is_done_at_once(&attack, violation) && self.takes_beyond_stake(&attack)) {
            return self.paid_again(&attack, None, violation);
        }
        let ended = self.end(attack.clone(), violation)?;
        let Some(FailureKind::CallOut { account: payer, .. }) = ended.shown else { return None };
        let taken = taken(thief, &ended.before, &ended.after).filter(|taken| !taken.is_zero())?;
        if self.gives_up(&ended, &last, thief) {
            return None;
        }
        let is_said = self.chooses_amount(&last, taken, |trial, other| trial.taken_by(&ended.before, other))
            || self.chose_amount(&attack, taken, violation, |_, ended| self::taken(thief, &ended.before, &ended.after));
        let is_chosen = match has_stake {
            // A part of what is there goes up with what others pay in, however it is asked for.
            true => {
                is_said && self.taken_of_twice(&attack, violation).is_none_or(|twice| twice == taken)
                    || self.multiplies_stake(&attack, taken, violation)
                    || self.multiplies_profit(&attack, violation)
            }
            false => is_said,
        };
        if has_stake && !is_chosen {
            return self.paid_again(&attack, None, violation).or_else(|| self.gains_each_round(&attack, violation));
        }
        let is_empty = ended.after.balance(payer).is_zero();
        let mut is_all = || {
            is_empty
                && (self.takes_all(&ended.before, &last, payer) || self.takes_all_payments(&attack, taken, violation))
        };
        let share = if has_stake {
            Share::BeyondStake
        } else if is_chosen {
            Share::Chosen
        } else if is_all() {
            Share::All
        } else if self.is_due_to_another(&ended, &attack, taken) {
            Share::OfAnother
        } else {
            return None;
        };
        let only_first = !has_stake && self.is_only_for_first(&attack, violation);
        Some(Theft { token: None, taken, share, only_first, attack })
    }

    /// The transactions in which each of the users does it in one way, if nobody else names the user who does. What the deployer allows
    /// before is left out.
    fn taken_as_nobody_gives(&mut self, replaced: Replaced, violation: &Violation) -> Option<Vec<Transaction>> {
        let strangers = self.strangers_who(violation, &[replaced]);
        if strangers.power != StrangerPower::Choose {
            return None;
        }
        let allows = |transaction: &Transaction| is_deployer(transaction.sender) && transaction.value.is_zero();
        let attack: Vec<Transaction> = strangers.attack.into_iter().filter(|it| !allows(it)).collect();
        let thief = attack.last()?.sender;
        if attack.iter().any(|transaction| self.gives(transaction, thief)) {
            return None;
        }
        self.prepared_first(attack, violation)
    }

    /// The same transactions with what the thief did not do before what they did, where that shows the violation as well. What stand-ins
    /// answer always comes first: that an answer changes after people acted on it is nobody's choice.
    pub(super) fn prepared_first(
        &mut self,
        attack: Vec<Transaction>,
        violation: &Violation,
    ) -> Option<Vec<Transaction>> {
        let thief = attack.last()?.sender;
        let calls = &self.harness.calls;
        let is_answer = |transaction: &Transaction| calls.function(transaction.call).kind == FunctionKind::Answer;
        let ordered = |first: &dyn Fn(&Transaction) -> u8| {
            let mut ordered = attack.clone();
            ordered.sort_by_key(|transaction| first(transaction));
            ordered
        };
        let answers_first = ordered(&|transaction| u8::from(!is_answer(transaction)));
        let all_first = ordered(&|transaction| match transaction {
            answer if is_answer(answer) => 0,
            other => 1 + u8::from(other.sender == thief),
        });
        let renumbered = [0, 1].map(|first| self.renumbered(&attack, &all_first, first));
        let orders = [Some(all_first)].into_iter().chain(renumbered).chain([Some(answers_first)]);
        orders.flatten().find(|attack| {
            let ended = self.end(attack.clone(), violation);
            ended.is_some_and(|ended| ended.shown.is_some())
        })
    }

    /// Transactions in another order, in which the thief names what they made by its new number, where what calls of a function make is
    /// numbered in turn from `first` on. None if that changes nothing.
    fn renumbered(&self, was: &[Transaction], ordered: &[Transaction], first: u64) -> Option<Vec<Transaction>> {
        let thief = was.last()?.sender;
        let numbers = |transactions: &[Transaction]| {
            let own = transactions.iter().enumerate().filter(|(_, transaction)| transaction.sender == thief);
            let before = |(at, own): (usize, &Transaction)| {
                transactions[..at].iter().filter(|transaction| transaction.call == own.call).count() as u64
            };
            own.map(|own| U256::from(first + before(own))).collect::<Vec<_>>()
        };
        let moved: BTreeMap<U256, U256> =
            numbers(was).into_iter().zip(numbers(ordered)).filter(|(was, is)| was != is).collect();
        let mut renumbered = ordered.to_vec();
        for transaction in renumbered.iter_mut().filter(|transaction| transaction.sender == thief) {
            transaction.replace_arguments(&self.harness.calls, |word| moved.get(&word).copied());
        }
        (renumbered != ordered).then_some(renumbered)
    }

    /// The transactions, in which somebody passes the next number in place of one of their small numbers: what calls of several functions
    /// make may be numbered together.
    fn counted_on(&self, transactions: &[Transaction], by: Address) -> Vec<Vec<Transaction>> {
        let calls = &self.harness.calls;
        let own = transactions.iter().filter(|transaction| transaction.sender == by);
        let words = own.flat_map(|transaction| transaction.words(calls)).map(|(_, word)| word);
        let numbers: BTreeSet<U256> = words.filter(|word| *word <= MAX_NUMBER).collect();
        let counted_on = numbers.into_iter().take(MAX_NUMBERS).map(|number| {
            let mut counted_on = transactions.to_vec();
            for transaction in counted_on.iter_mut().filter(|transaction| transaction.sender == by) {
                transaction.replace_arguments(calls, |word| (word == number).then(|| word + U256::ONE));
            }
            counted_on
        });
        counted_on.collect()
    }

    /// Goes on with those transactions of the sequence that the violation needs: what else happened before would hide who did what, and
    /// would be run again and again.
    pub(super) fn shorten(&mut self, violation: &Violation) {
        let transactions = self.shortened(self.sequence.transactions.clone(), violation);
        if transactions.len() < self.sequence.transactions.len()
            && let Some(ended) = self.end(transactions.clone(), violation)
            && let Some(last) = &mut self.last
        {
            last.before = ended.before;
            self.sequence.to_mut().transactions = transactions;
        }
    }

    /// The same transactions without those that the violation does not need: what somebody paid in beside would hide what they get
    /// for what they paid in.
    pub(super) fn shortened(&mut self, mut attack: Vec<Transaction>, violation: &Violation) -> Vec<Transaction> {
        for index in (0..attack.len().saturating_sub(1)).rev() {
            let mut shorter = attack.clone();
            shorter.remove(index);
            if self.end(shorter.clone(), violation).is_some_and(|ended| ended.shown.is_some()) {
                attack = shorter;
            }
        }
        attack
    }

    /// Whether somebody else names a user in what they pass: they may give them something.
    pub(super) fn gives(&self, transaction: &Transaction, to: Address) -> bool {
        transaction.sender != to && transaction.names(to, &self.harness.calls)
    }

    /// Whether something that is kept under a user's address is less after the last call than after the setup: tokens, or a
    /// right to be paid.
    pub(super) fn gives_up(&mut self, ended: &Ended, last: &Transaction, user: Address) -> bool {
        let Some(start) = self.last.as_ref().map(|last| last.start.clone()) else { return true };
        let preimages = self.preimages(&ended.before, last);
        let names_user = |slot: U256| {
            let hashes = preimages.iter().filter(|preimage| U256::from_be_bytes(preimage.hash.0) == slot);
            hashes.map(|preimage| &preimage.bytes).any(|bytes| bytes.windows(20).any(|bytes| bytes == user.as_slice()))
        };
        start.changes(&ended.after).into_iter().any(|(_, slot, was, is)| is < was && names_user(slot))
    }

    /// Whether the thief comes too late if somebody else prepared the same before, as where the first who calls becomes the owner. What
    /// they made has another number then.
    pub(super) fn is_only_for_first(&mut self, attack: &[Transaction], violation: &Violation) -> bool {
        let Some((last, before)) = attack.split_last() else { return false };
        let takes_part = |account: Address| attack.iter().any(|transaction| transaction.sender == account);
        let Some(rival) = users().find(|user| !takes_part(*user)) else { return false };
        let mut rivals: Vec<Transaction> = before.iter().filter(|it| it.sender == last.sender).cloned().collect();
        for transaction in &mut rivals {
            self.rename(transaction, last.sender, rival);
            transaction.sender = rival;
        }
        let Some(first) = before.iter().position(|transaction| transaction.sender == last.sender) else { return false };
        let too_late: Vec<Transaction> =
            attack[..first].iter().chain(&rivals).chain(&attack[first..]).cloned().collect();
        let renumbered = [0, 1].map(|first| self.renumbered(attack, &too_late, first)).into_iter().flatten();
        let counted_on = self.counted_on(&too_late, last.sender);
        std::iter::once(too_late)
            .chain(renumbered)
            .chain(counted_on)
            .all(|attack| self.end(attack, violation).is_some_and(|ended| ended.shown.is_none()))
    }

    /// Whether somebody else pays in only because of what the thief did before, as for something that they offer: they make a deal.
    pub(super) fn is_dealt_with(
        &mut self,
        attack: &[Transaction],
        violation: &Violation,
        pays_in: impl Fn(&Transaction) -> bool,
    ) -> bool {
        let Some(thief) = attack.last().map(|last| last.sender) else { return true };
        let Some(first) = attack.iter().position(|transaction| transaction.sender == thief) else { return false };
        let pays = |index: &usize| attack[*index].sender != thief && pays_in(&attack[*index]);
        (first..attack.len()).filter(pays).any(|index| {
            let others = attack[..=index].iter().filter(|transaction| transaction.sender != thief);
            self.end(others.cloned().collect(), violation).is_none_or(|ended| !ended.succeeds())
        })
    }

    /// Whether the thief takes the same multiple of another amount that they pay in.
    fn multiplies_stake(&mut self, attack: &[Transaction], amount: U256, violation: &Violation) -> bool {
        let Some(last) = attack.last() else { return false };
        let is_stake = |transaction: &Transaction| {
            let value = transaction.value;
            transaction.sender == last.sender && !value.is_zero() && amount > value && (amount % value).is_zero()
        };
        (0..attack.len()).filter(|index| is_stake(&attack[*index])).any(|index| {
            let (stake, mut other) = (attack[index].value, attack.to_vec());
            let other_stake = if stake > U256::ONE { stake - U256::ONE } else { U256::from(STAKES) };
            other[index].value = other_stake;
            // What there is for everybody is not to be the limit, and another part of it is theirs.
            for transaction in other.iter_mut().filter(|transaction| transaction.sender != last.sender) {
                transaction.value = transaction.value.saturating_mul(U256::from(2));
            }
            let ended = self.end(other, violation);
            let taken = ended.and_then(|ended| taken(last.sender, &ended.before, &ended.after));
            taken.is_some_and(|taken| Some(taken) == other_stake.checked_mul(amount / stake))
        })
    }

    /// Whether the thief ends with three times the profit for three times their stakes, where everybody else paid in eight times as much:
    /// a profit that follows their own stakes alone has no end, while a part of what others paid in would follow those.
    fn multiplies_profit(&mut self, attack: &[Transaction], violation: &Violation) -> bool {
        let Some(thief) = attack.last().map(|last| last.sender) else { return false };
        let mut larger = attack.to_vec();
        for transaction in &mut larger {
            let times = if transaction.sender == thief { STAKES } else { PAYMENTS };
            transaction.value = transaction.value.saturating_mul(U256::from(times));
        }
        let [profit, larger] = [attack.to_vec(), larger].map(|attack| self.profit(attack, thief, violation));
        profit.is_some_and(|profit| !profit.is_zero() && profit.checked_mul(U256::from(STAKES)) == larger)
    }

    /// What somebody has more after these transactions than after the setup.
    fn profit(&mut self, attack: Vec<Transaction>, of: Address, violation: &Violation) -> Option<U256> {
        let start = self.last.as_ref()?.start.clone();
        let ended = self.end(attack, violation).filter(Ended::succeeds)?;
        taken(of, &start, &ended.after)
    }

    /// Whether a thief who paid something in acts alone from their first call on, ends with more than they began with although no time
    /// passes, and does so in the next blocks as well: it is no bet that they won, and nothing that they earned.
    fn is_done_at_once(&mut self, attack: &[Transaction], violation: &Violation) -> bool {
        let Some(thief) = attack.last().map(|last| last.sender) else { return false };
        let Some(first) = attack.iter().position(|transaction| transaction.sender == thief) else { return false };
        if attack[first..].iter().any(|transaction| transaction.sender != thief) {
            return false;
        }
        (0..BLOCKS).all(|later| {
            let mut attack = attack.to_vec();
            for transaction in &mut attack[first..] {
                transaction.env = EnvStep::default();
            }
            let prevrandao = U256::from_be_bytes(alloy_primitives::keccak256([later]).0);
            let block = BlockWords { prevrandao: Some(prevrandao), ..BlockWords::default() };
            let blocks = u64::from(later) + 1;
            attack[first].env = EnvStep { seconds: SECONDS * blocks, blocks, block };
            let ended = self.end(attack, violation);
            ended.is_some_and(|ended| ended.shown.is_some() && ended.after.balance(thief) > INITIAL_BALANCE)
        })
    }

    /// Whether the thief takes more by the function that is called last than they paid in: what else they took is taken elsewhere.
    fn takes_beyond_stake(&mut self, attack: &[Transaction]) -> bool {
        let Some(last) = attack.last() else { return false };
        let (mut there, mut stake) = (U256::ZERO, U256::ZERO);
        self.each_step(attack.to_vec(), |call, step| {
            if call.sender == last.sender && step.outcome.status == Status::Success {
                stake = stake.saturating_add(call.value);
                if call.call == last.call {
                    let after = step.after.balance(last.sender).saturating_add(call.value);
                    there = there.saturating_add(after.saturating_sub(step.before.balance(last.sender)));
                }
            }
        });
        there > stake
    }

    /// Whether the amount follows a word of the call, given how much another call takes.
    pub(super) fn chooses_amount(
        &mut self,
        last: &Transaction,
        amount: U256,
        mut taken_by: impl FnMut(&mut Self, &Transaction) -> Option<U256>,
    ) -> bool {
        let function = self.harness.calls.function(last.call).clone();
        let words = last.words(&self.harness.calls).into_iter();
        // They say the amount, or how many of something that has a price.
        let is_factor = |word: U256| !word.is_zero() && (amount % word).is_zero();
        let said = words.filter(|(field, word)| matches!(field, Field::Argument { .. }) && is_factor(*word));
        said.collect::<Vec<_>>().into_iter().any(|(field, word)| {
            let (price, mut other) = (amount / word, last.clone());
            let number = if word > U256::ONE || amount == U256::ONE { word - U256::ONE } else { U256::from(2) };
            other.set_word(&function, &field, number) && taken_by(self, &other) == price.checked_mul(number)
        })
    }

    /// Whether the amount follows a word of an earlier call of the thief, given how much is taken in the end.
    pub(super) fn chose_amount(
        &mut self,
        attack: &[Transaction],
        amount: U256,
        violation: &Violation,
        mut taken_in: impl FnMut(&mut Self, &Ended) -> Option<U256>,
    ) -> bool {
        let Some((last, before)) = attack.split_last() else { return false };
        let others = [amount.saturating_sub(U256::ONE), amount.saturating_add(U256::ONE)];
        for (index, transaction) in before.iter().enumerate().filter(|(_, it)| it.sender == last.sender) {
            let function = self.harness.calls.function(transaction.call).clone();
            for (field, word) in transaction.words(&self.harness.calls) {
                if word != amount || !matches!(field, Field::Argument { .. }) {
                    continue;
                }
                let mut follows = |trial: &mut Self, number: U256| {
                    let mut other = attack.to_vec();
                    let is_said = other[index].set_word(&function, &field, number);
                    let ended = is_said.then(|| trial.end(other, violation)).flatten();
                    ended.is_some_and(|ended| taken_in(trial, &ended) == Some(number))
                };
                if others.iter().any(|other| follows(self, *other)) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the thief takes twice as much where others paid twice as much in.
    fn takes_all_payments(&mut self, attack: &[Transaction], amount: U256, violation: &Violation) -> bool {
        self.taken_of_twice(attack, violation) == Some(amount.saturating_mul(U256::from(2)))
    }

    /// What the thief takes where others pay twice as much in; none if others pay nothing, or it fails then.
    fn taken_of_twice(&mut self, attack: &[Transaction], violation: &Violation) -> Option<U256> {
        let thief = attack.last()?.sender;
        let mut richer = attack.to_vec();
        for transaction in richer.iter_mut().filter(|it| it.sender != thief) {
            transaction.value = transaction.value.saturating_mul(U256::from(2));
        }
        let ended = self.end(richer.clone(), violation).filter(|_| richer != attack)?;
        taken(thief, &ended.before, &ended.after).filter(|taken| !taken.is_zero())
    }

    /// Whether the last call takes exactly what was kept under the address of somebody else who sent nothing, and takes it off there.
    fn is_due_to_another(&mut self, ended: &Ended, attack: &[Transaction], amount: U256) -> bool {
        let Some(last) = attack.last() else { return false };
        let preimages = self.preimages(&ended.before, last);
        let thief = last.sender;
        let senders: Vec<Address> = attack.iter().map(|transaction| transaction.sender).collect();
        let instances = self.harness.calls.instances().iter().map(|instance| instance.address);
        let all: Vec<Address> = ACTORS.iter().map(|actor| actor.address).chain(instances).collect();
        let others = || all.iter().copied().filter(|it| *it != thief && !senders.contains(it));
        let is_of_another = |slot: U256| others().any(|other| is_kept_under(other, slot, &preimages));
        let changes = ended.before.changes(&ended.after);
        changes.into_iter().any(|(_, slot, was, is)| was.checked_sub(is) == Some(amount) && is_of_another(slot))
    }

    /// Whether the same call takes all of what is there when there is twice as much.
    fn takes_all(&mut self, before: &Snapshot, last: &Transaction, payer: Address) -> bool {
        let all = before.balance(payer).saturating_mul(U256::from(2));
        let richer = before.with_balance(payer, all);
        self.taken_by(&richer, last) == Some(all)
    }

    /// What the sender of a transaction has more after it.
    pub(super) fn taken_by(&mut self, before: &Snapshot, transaction: &Transaction) -> Option<U256> {
        let ended = self.ended_on(before, transaction)?;
        taken(transaction.sender, before, &ended.after)
    }
}

/// What an account has more; none if it has less.
pub(super) fn taken(by: Address, before: &Snapshot, after: &Snapshot) -> Option<U256> {
    after.balance(by).checked_sub(before.balance(by))
}
