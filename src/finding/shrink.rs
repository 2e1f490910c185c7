//! Shrinking makes a failing sequence short, then simple: first calls go, then every word is brought toward zero, then
//! senders, ether and delays toward nothing special. Whatever it tries is kept only if it still shows the very same
//! violation, so it cannot drift to another bug.

use crate::{
    input::{Delay, Field, Part, Sequence, Transaction, Type, Value, set_word, words},
    subject::Subject,
};
use alloy_primitives::U256;

/// How many candidates are tried at most.
const MAX_TRIES: usize = 4000;

/// The smallest sequence found that `fails` still holds for. `fails` must hold for `sequence`.
pub fn shrink(subject: &Subject, sequence: &Sequence, fails: impl FnMut(&Sequence) -> bool) -> Sequence {
    let mut shrinker = Shrinker { subject, best: sequence.clone(), fails, tries: 0 };
    loop {
        let before = shrinker.best.clone();
        shrinker.drop_calls();
        shrinker.simplify_calls();
        shrinker.simplify_deployment();
        if shrinker.best == before || shrinker.tries >= MAX_TRIES {
            return shrinker.best;
        }
    }
}

struct Shrinker<'a, F> {
    subject: &'a Subject,
    best: Sequence,
    fails: F,
    tries: usize,
}

impl<F: FnMut(&Sequence) -> bool> Shrinker<'_, F> {
    /// Keeps the candidate if it is another one and still fails.
    fn keep(&mut self, candidate: Sequence) -> bool {
        if candidate == self.best || self.tries >= MAX_TRIES {
            return false;
        }
        self.tries += 1;
        let fails = (self.fails)(&candidate);
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Takes out runs of calls, long ones first, never the last call.
    fn drop_calls(&mut self) {
        let mut size = self.best.transactions.len().saturating_sub(1);
        while size > 0 {
            let mut start = 0;
            while start + size < self.best.transactions.len() {
                let mut candidate = self.best.clone();
                candidate.transactions.drain(start..start + size);
                // Time that passed stays passed.
                if !self.keep(candidate.clone()) && !self.keep(self.with_delay_moved(candidate, start, size)) {
                    start += 1;
                }
            }
            size /= 2;
        }
        // What fails in the constructor needs no call at all.
        if !self.best.transactions.is_empty() {
            self.keep(Sequence { transactions: Vec::new(), ..self.best.clone() });
        }
    }

    /// The candidate with the delay of the calls that were taken out added to the call behind them.
    fn with_delay_moved(&self, mut candidate: Sequence, start: usize, size: usize) -> Sequence {
        let gone = &self.best.transactions[start..start + size];
        if let Some(next) = candidate.transactions.get_mut(start) {
            for call in gone {
                next.delay.seconds = next.delay.seconds.saturating_add(call.delay.seconds);
                next.delay.blocks = next.delay.blocks.saturating_add(call.delay.blocks);
            }
        }
        candidate
    }

    fn simplify_calls(&mut self) {
        for index in 0..self.best.transactions.len() {
            self.edit(index, |call| call.delay = Delay::default());
            self.edit(index, |call| call.delay.blocks = 0);
            self.edit(index, |call| call.value = U256::ZERO);
            for sender in crate::evm::World::senders() {
                // The first sender that works is the simplest.
                if self.best.transactions[index].sender == sender || self.edit(index, |call| call.sender = sender) {
                    break;
                }
            }
            let function = self.subject.interface.function(self.best.transactions[index].function).clone();
            for (argument, parameter) in function.inputs.iter().enumerate() {
                let zero = parameter.ty.zero();
                self.edit(index, |call| call.arguments[argument] = zero);
                self.shorten(index, argument, &parameter.ty);
            }
            for (field, _) in self.best.transactions[index].words(&function) {
                if field == Field::Sender {
                    continue;
                }
                self.lower(index, |call| call.word(&field), |call, word| call.set_word(&function, &field, word));
            }
        }
    }

    fn simplify_deployment(&mut self) {
        let mut candidate = self.best.clone();
        candidate.deployment.value = U256::ZERO;
        self.keep(candidate);
        let parameters = self.subject.interface.constructor.inputs.clone();
        for (index, parameter) in parameters.iter().enumerate() {
            let Some(value) = self.best.deployment.arguments.get(index) else { continue };
            for (position, _) in words(value, &parameter.ty) {
                self.descend(
                    |best| crate::input::words::word(&best.deployment.arguments[index], &position),
                    |best, word| set_word(&mut best.deployment.arguments[index], &parameter.ty, &position, word),
                );
            }
        }
    }

    /// Elements of arrays, and bytes, go from the end.
    fn shorten(&mut self, index: usize, argument: usize, ty: &Type) {
        loop {
            let value = &self.best.transactions[index].arguments[argument];
            let longest = words(value, ty).into_iter().filter(|(position, word)| position.part == Part::Length && !word.is_zero()).next();
            let Some((position, length)) = longest else { return };
            let halves = [U256::ZERO, length / U256::from(2), length - U256::from(1)];
            let shorter = halves.into_iter().any(|length| {
                self.edit(index, |call| {
                    let value: &mut Value = &mut call.arguments[argument];
                    set_word(value, ty, &position, length);
                })
            });
            if !shorter {
                return;
            }
        }
    }

    fn edit(&mut self, index: usize, change: impl FnOnce(&mut Transaction)) -> bool {
        let mut candidate = self.best.clone();
        let Some(call) = candidate.transactions.get_mut(index) else { return false };
        change(call);
        self.keep(candidate)
    }

    fn lower(
        &mut self,
        index: usize,
        read: impl Fn(&Transaction) -> Option<U256>,
        write: impl Fn(&mut Transaction, U256) -> bool,
    ) {
        self.descend(
            |best| best.transactions.get(index).and_then(&read),
            |best, word| best.transactions.get_mut(index).is_some_and(|call| write(call, word)),
        );
    }

    /// Brings one word toward zero: zero and small numbers at once, then by halving the distance.
    fn descend(&mut self, read: impl Fn(&Sequence) -> Option<U256>, write: impl Fn(&mut Sequence, U256) -> bool) {
        let Some(start) = read(&self.best) else { return };
        let attempt = |shrinker: &mut Self, word: U256| {
            let mut candidate = shrinker.best.clone();
            write(&mut candidate, word) && shrinker.keep(candidate)
        };
        for small in (0..=2).map(U256::from) {
            if start <= small || attempt(self, small) {
                return;
            }
        }
        // `low` does not fail, the current word does: the border between them is the smallest of its kind.
        let (mut low, mut high) = (U256::from(2), start);
        while high - low > U256::from(1) {
            let middle = low + (high - low) / U256::from(2);
            if attempt(self, middle) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }
}
