//! Words that change together in a sequence that is made simple: because they are equal, or because their ratio, their sum or their
//! difference is what matters.

use super::{Attempt, LARGE, Toward, caller::Caller};
use crate::input::{
    CallId, CallTable, Field, Position, Sequence, Transaction, Type, ValuePart, replace_text, set_word, text_of, words,
};
use alloy_primitives::{U256, U512};
use std::collections::BTreeMap;

/// Numbers of a sequence beyond which none is balanced or scaled with others; chosen by hand.
const MAX_BALANCED: usize = 8;

/// Numbers are about as large if they differ by so many bits; chosen by hand.
const NEAR_BITS: usize = 8;

/// Numbers up to this one are scaled to each smaller one; chosen by hand.
const MAX_COUNTED: u64 = 64;

/// The byte that says least.
const SIMPLE: u8 = b'a';

/// Numbers up to this one are as simple as they get.
const SMALL: U256 = U256::from_limbs([2, 0, 0, 0]);

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Lowers numbers that occur in several places, everywhere at once: what was paid in and what is paid out may have to be
    /// equal, or what a token was deployed with and what is burnt of it.
    pub(super) fn lower_together(&mut self) {
        let calls = self.harness.calls.clone();
        let mut places: BTreeMap<U256, Vec<Place>> = BTreeMap::new();
        for (nth, deployment) in self.best.setup.deployments().enumerate() {
            let inputs = &calls.instance(deployment.instance).interface.constructor.inputs;
            for (argument, (parameter, value)) in inputs.iter().zip(&deployment.arguments).enumerate() {
                for (position, word) in words(value, &parameter.ty) {
                    let leaf = parameter.ty.leaf(&position.path).filter(|_| position.part == ValuePart::Word);
                    if word > SMALL && matches!(leaf, Some(Type::Uint(_))) {
                        places.entry(word).or_default().push(Place::Deployment(nth, argument, position));
                    }
                }
            }
        }
        for (index, transaction) in self.best.transactions.iter().enumerate() {
            for caller in [Caller::Sender, Caller::Called] {
                let Some(call) = caller.call(transaction) else { continue };
                for (field, word) in call.words(&calls) {
                    if word > SMALL && is_number(call, &calls, &field) {
                        places.entry(word).or_default().push(Place::Call(index, caller, field));
                    }
                }
            }
        }
        for (start, places) in places.into_iter().filter(|(_, places)| places.len() > 1) {
            self.descend(
                Toward::Zero,
                |_| Some(start),
                |best, word| places.iter().all(|place| place.set(best, &calls, word)),
            );
        }
    }

    /// Moves numbers of calls with their sum or their difference kept: what is paid in twice may have to wrap around together, and what is
    /// paid out may have to be one less than what was paid in.
    pub(super) fn balance(&mut self) {
        let calls = self.harness.calls.clone();
        let places = self.numbers(&calls);
        for (at, one) in places.iter().enumerate() {
            for other in &places[at + 1..] {
                self.balance_pair(one, other, &calls);
            }
        }
    }

    /// Makes numbers of calls small with their products kept: what is paid for a short time may be as much as little that is paid for a long
    /// one, and many times a small amount wraps around as few times a large one.
    pub(super) fn trade(&mut self) {
        let calls = self.harness.calls.clone();
        let numbers = self.numbers(&calls);
        let delays = (0..self.best.transactions.len()).map(|index| Place::Call(index, Caller::Sender, Field::Seconds));
        let delays: Vec<Place> = delays.collect();
        for one in &numbers {
            for other in numbers.iter().chain(&delays).filter(|other| *other != one) {
                self.trade_pair(one, other, &calls);
            }
        }
    }

    fn trade_pair(&mut self, one: &Place, other: &Place, calls: &CallTable) {
        let [Some(left), Some(right)] = [one, other].map(|place| place.word(&self.best)) else { return };
        if left <= SMALL || right <= SMALL {
            return;
        }
        let product = U512::from(left) * U512::from(right);
        for least in [1_u64, 2] {
            let (quotient, rest) = product.div_rem(U512::from(least));
            let more = quotient + U512::from(!rest.is_zero());
            let mut candidate = self.best.clone();
            if more <= U512::from(U256::MAX)
                && one.set(&mut candidate, calls, U256::from(least))
                && other.set(&mut candidate, calls, U256::from(more))
                && self.keep(candidate)
            {
                return;
            }
        }
    }

    /// The places of the numbers of all calls, and of those that are made back; none if there are too many.
    fn numbers(&self, calls: &CallTable) -> Vec<Place> {
        let mut places = Vec::new();
        for (index, transaction) in self.best.transactions.iter().enumerate() {
            for caller in [Caller::Sender, Caller::Called] {
                let Some(call) = caller.call(transaction) else { continue };
                let numbers = call.words(calls).into_iter();
                let numbers = numbers.filter(|(field, _)| is_number(call, calls, field));
                places.extend(numbers.map(|(field, _)| Place::Call(index, caller, field)));
            }
        }
        if places.len() > MAX_BALANCED { Vec::new() } else { places }
    }

    /// Moves numbers of calls with their ratios kept, until one of them is a small or a round number: a price is paid for an amount.
    pub(super) fn scale(&mut self) {
        let calls = self.harness.calls.clone();
        let places = self.numbers(&calls);
        for place in &places {
            let Some(from) = place.word(&self.best) else { continue };
            let mut simpler = simpler_numbers(from);
            let Some(to) = simpler.find(|to| self.keep_scaled(&places, from, *to, &calls)) else {
                self.lower_scaled(&places, from, &calls);
                continue;
            };
            let ten = U256::from(10);
            if from <= U256::from(MAX_COUNTED) {
                continue;
            }
            // Between this number and the next smaller one there are two that are nearly as round.
            if to >= ten {
                let _ =
                    [2, 5].into_iter().any(|some| self.keep_scaled(&places, to, to / ten * U256::from(some), &calls));
            }
        }
    }

    /// Lowers all numbers with their ratios kept as far as it goes, if it goes at all.
    fn lower_scaled(&mut self, places: &[Place], from: U256, calls: &CallTable) {
        let half = from / U256::from(2);
        if from <= U256::from(MAX_COUNTED) || !self.keep_scaled(places, from, half, calls) {
            return;
        }
        let (mut low, mut high) = (U256::ZERO, half);
        while high - low > U256::ONE {
            let middle = low + (high - low) / U256::from(2);
            if self.keep_scaled(places, high, middle, calls) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// All numbers as they are where this one becomes another one: those about as large alone, or large ones without the small ones, which
    /// are mostly counted.
    fn keep_scaled(&mut self, places: &[Place], from: U256, to: U256, calls: &CallTable) -> bool {
        let is_near = |word: U256| word.bit_len().abs_diff(from.bit_len()) <= NEAR_BITS;
        let is_large = |word: U256| word >= U256::from(LARGE) || from < U256::from(LARGE);
        let scaled = |word: U256, up: bool| {
            let product = U512::from(word) * U512::from(to);
            let (quotient, rest) = product.div_rem(U512::from(from));
            U256::from(quotient + U512::from(up && !rest.is_zero()))
        };
        let groups: [&dyn Fn(U256) -> bool; 2] = [&is_near, &is_large];
        groups.into_iter().flat_map(|group| [(group, false), (group, true)]).any(|(is_scaled, up)| {
            let mut candidate = self.best.clone();
            let is_set = places.iter().all(|place| match place.word(&self.best) {
                Some(word) if word > SMALL && is_scaled(word) => place.set(&mut candidate, calls, scaled(word, up)),
                _ => true,
            });
            is_set && self.keep(candidate)
        })
    }

    fn balance_pair(&mut self, one: &Place, other: &Place, calls: &CallTable) {
        let [Some(left), Some(right)] = [one, other].map(|place| place.word(&self.best)) else { return };
        let is_of_one_function = one.parameter(&self.best) == other.parameter(&self.best);
        let mut attempt = |left: Option<U256>, right: Option<U256>| {
            let mut candidate = self.best.clone();
            let (Some(left), Some(right)) = (left, right) else { return false };
            one.set(&mut candidate, calls, left) && other.set(&mut candidate, calls, right) && self.keep(candidate)
        };
        // Of two calls of one function, the smaller number comes first.
        if left > right && is_of_one_function && attempt(Some(right), Some(left)) {
            return;
        }
        for least in (0..=2).map(U256::from).take_while(|least| *least < left) {
            let lower = left.min(right).saturating_sub(least);
            if attempt(Some(least), right.checked_add(left - least))
                || attempt(left.checked_sub(lower), right.checked_sub(lower))
            {
                return;
            }
        }
        if left <= SMALL {
            return;
        }
        if right > SMALL && (0..=2).map(U256::from).any(|least| attempt(left.checked_add(right - least), Some(least))) {
            return;
        }
        // Where the first cannot be small, equal ones are the simplest, and then neighbours.
        let between = left.abs_diff(right);
        if right > SMALL && between > U256::ONE {
            let half = left.min(right) + (between >> 1);
            attempt(Some(half), Some(half + U256::from(between.bit(0))));
        }
    }

    /// Has what a contract was deployed with paid in by the first call that pays something anyway: one amount is simpler than two.
    pub(super) fn pay_by_calls(&mut self) {
        let Some(payment) = self.best.transactions.iter().position(|transaction| !transaction.value.is_zero()) else {
            return;
        };
        for nth in 0..self.best.setup.deployments().count() {
            let mut candidate = self.best.clone();
            let Some(deployment) = candidate.setup.deployments_mut().nth(nth) else { return };
            let paid = std::mem::take(&mut deployment.value);
            let payment = &mut candidate.transactions[payment];
            if let (false, Some(value)) = (paid.is_zero(), payment.value.checked_add(paid)) {
                payment.value = value;
                self.keep(candidate);
            }
        }
    }

    /// Shortens texts and bytes that occur in several places, everywhere at once.
    pub(super) fn shorten_together(&mut self) {
        let mut repeated: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
        for text in self.best.transactions.iter().flat_map(|call| &call.arguments).filter_map(text_of) {
            *repeated.entry(text.to_vec()).or_default() += 1;
        }
        for (mut now, _) in repeated.into_iter().filter(|(text, count)| !text.is_empty() && *count > 1) {
            loop {
                let halves = [0, now.len() / 2, now.len() - 1].map(|length| now[..length].to_vec());
                let simple = vec![SIMPLE; now.len()];
                let mut shorter =
                    [vec![SIMPLE]].into_iter().chain(halves).chain([simple]).filter(|text| {
                        *text != now && (text.len() < now.len() || now.iter().any(|byte| *byte != SIMPLE))
                    });
                let Some(next) = shorter.find(|next| self.replace_text(&now, next)) else { break };
                if next.is_empty() {
                    break;
                }
                now = next;
            }
        }
    }

    /// Whether it still fails with another text in the place of one, everywhere.
    fn replace_text(&mut self, was: &[u8], is: &[u8]) -> bool {
        let mut candidate = self.best.clone();
        let arguments = candidate.transactions.iter_mut().flat_map(|call| &mut call.arguments);
        let mut equal = arguments.filter(|value| text_of(value) == Some(was));
        equal.all(|value| replace_text(value, was, is)) && self.keep(candidate)
    }
}

/// The numbers that are simpler than this one: all smaller ones where there are few, else small ones and then powers of ten.
fn simpler_numbers(than: U256) -> Box<dyn Iterator<Item = U256>> {
    if than <= U256::from(MAX_COUNTED) {
        return Box::new((1..than.to::<u64>()).map(U256::from));
    }
    let ten = U256::from(10);
    let powers = std::iter::successors(Some(ten), move |power| power.checked_mul(ten));
    Box::new((1..10).map(U256::from).chain(powers).take_while(move |number| *number < than))
}

/// A place of a number in a sequence.
#[derive(Debug, PartialEq)]
enum Place {
    /// In the transaction with this index: whose call, and where in it.
    Call(usize, Caller, Field),
    /// In a deployment of the setup, by its number: which argument, and where in it.
    Deployment(usize, usize, Position),
}

impl Place {
    /// The word there, of a call.
    fn word(&self, sequence: &Sequence) -> Option<U256> {
        match self {
            Self::Call(index, caller, field) => caller.call(sequence.transactions.get(*index)?)?.word(field),
            Self::Deployment(..) => None,
        }
    }

    /// Which word of which function it is, of a call.
    fn parameter<'a>(&'a self, sequence: &Sequence) -> Option<(CallId, &'a Field)> {
        match self {
            Self::Call(index, caller, field) => Some((caller.call(sequence.transactions.get(*index)?)?.call, field)),
            Self::Deployment(..) => None,
        }
    }

    /// Puts another word there; `false` if it cannot be held.
    fn set(&self, sequence: &mut Sequence, calls: &CallTable, word: U256) -> bool {
        match self {
            Self::Call(index, caller, field) => {
                let call = caller.call_mut(&mut sequence.transactions[*index]);
                call.is_some_and(|call| call.set_word(calls.function(call.call), field, word))
            }
            Self::Deployment(nth, argument, position) => {
                let Some(deployment) = sequence.setup.deployments_mut().nth(*nth) else { return false };
                let parameter = &calls.instance(deployment.instance).interface.constructor.inputs[*argument];
                set_word(&mut deployment.arguments[*argument], &parameter.ty, position, word)
            }
        }
    }
}

/// Whether a field is an amount: ether, or an unsigned number.
pub(super) fn is_number(transaction: &Transaction, calls: &CallTable, field: &Field) -> bool {
    *field == Field::Value || matches!(field.leaf(calls.function(transaction.call)), Some(Type::Uint(_)))
}

/// Whether a field holds an address that people choose.
pub(super) fn is_address(transaction: &Transaction, calls: &CallTable, field: &Field) -> bool {
    *field == Field::Sender || field.leaf(calls.function(transaction.call)).is_some_and(Type::is_address)
}
