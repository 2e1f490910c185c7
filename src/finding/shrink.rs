//! A [`Shrinker`] makes a failing sequence short, then simple: first calls are removed, then what people do who are called, then people
//! and words that belong together are replaced together, then every word is moved toward zero, and senders, ether and time toward their
//! defaults. What makes no difference gets one form, so that a defect has one story whoever finds it. A candidate is kept only if it still shows the very same
//! violation, so shrinking cannot drift to another bug.
//!
//! It can be interrupted at any transaction and continued later. It works in steps, and remembers the answers of the
//! interrupted step, so that it gets back to the same candidate without running anything twice.

mod accounts;
mod caller;
mod functions;
mod hashed;
mod large;
mod together;

use crate::{
    harness::{Harness, HarnessKind},
    input::{
        BlockWords, CallId, Deed, EnvStep, Field, FunctionKind, Position, Reaction, Sequence, Setup, SetupStep, Shape,
        Transaction, Type, Value, ValuePart, set_word, words,
    },
    world::World,
};
use alloy_primitives::{Address, U256};
use caller::Caller;
use std::collections::BTreeSet;

/// Candidates that are tried at most; chosen by hand.
const MAX_TRIES: usize = 4000;
/// The largest word that is tried for itself in a test; chosen by hand.
const MOST_FOLDED: u64 = 20;
/// Where words begin to be large; chosen by hand.
const LARGE: u64 = 1 << 16;
/// Remainders that are tried for a large word; chosen by hand.
const MAX_REMAINDERS: usize = 32;
/// The step after the last round.
const ROUNDING: usize = usize::MAX;
/// Steps of a setup from which on several are removed at once; chosen by hand.
const FEW_STEPS: usize = 8;

/// The smallest sequence found for which `fails` still holds. `fails` must hold for `sequence`.
pub fn shrink(harness: &Harness, sequence: &Sequence, mut fails: impl FnMut(&Sequence) -> bool) -> Sequence {
    let mut shrinker = Shrinker::of(sequence.clone());
    while !shrinker.run(harness, |candidate| Some(fails(candidate))) {}
    shrinker.best
}

/// A sequence that is being shrunk.
#[derive(Debug, Clone)]
pub struct Shrinker {
    /// The smallest sequence found by the steps that are done.
    best: Sequence,
    /// The smallest sequence at the beginning of this round: a round that changes nothing is the last one.
    before: Sequence,
    /// The next step of the round.
    step: usize,
    /// Whether each candidate of this step failed, in the order of trying.
    answers: Vec<bool>,
    /// Candidates tried so far, in all steps.
    tries: usize,
}

impl Shrinker {
    /// A shrinker that has tried nothing yet.
    pub fn of(sequence: Sequence) -> Self {
        Self { before: sequence.clone(), best: sequence, step: 0, answers: Vec::new(), tries: 0 }
    }

    /// The smallest failing sequence so far.
    pub fn best(&self) -> &Sequence {
        &self.best
    }

    /// Tries smaller sequences until none of them fails, too many were tried, or `fails` gives no answer, which interrupts
    /// it. Returns whether it has finished.
    pub fn run(&mut self, harness: &Harness, mut fails: impl FnMut(&Sequence) -> Option<bool>) -> bool {
        loop {
            let mut attempt = Attempt {
                harness,
                best: self.best.clone(),
                fails: &mut fails,
                answers: &mut self.answers,
                asked: 0,
                tries: &mut self.tries,
                interrupted: false,
            };
            let is_last = attempt.make_step(self.step);
            if attempt.interrupted {
                return false;
            }
            self.best = attempt.best;
            self.answers.clear();
            if self.step == ROUNDING || self.tries >= MAX_TRIES {
                return true;
            }
            self.step += 1;
            if is_last {
                self.step = if self.best == self.before { ROUNDING } else { 0 };
                self.before = self.best.clone();
            }
        }
    }
}

/// One step, from its beginning. The answers up to the interruption are known.
struct Attempt<'a, F> {
    harness: &'a Harness,
    best: Sequence,
    fails: &'a mut F,
    answers: &'a mut Vec<bool>,
    /// The number of candidates so far in this attempt.
    asked: usize,
    tries: &'a mut usize,
    interrupted: bool,
}

impl<F: FnMut(&Sequence) -> Option<bool>> Attempt<'_, F> {
    /// Makes one step of a round. Returns whether it is the last one.
    fn make_step(&mut self, step: usize) -> bool {
        match step {
            ROUNDING => self.round_large(),
            // What a test contract sets up is as it is.
            0 if self.harness.has_fixed_setup() => {}
            0 => self.drop_unused_instances(),
            1 => self.drop_calls(),
            2 => {
                self.drop_reactions();
                self.rename_accounts();
                self.rename_created();
                self.lower_together();
                self.scale();
                self.trade();
                self.balance();
                if !self.harness.has_fixed_setup() {
                    self.pay_by_calls();
                }
                self.shorten_together();
                self.lower_hashed();
                self.name_first_functions();
                self.order_calls();
            }
            _ if step - 3 < self.best.transactions.len() => self.simplify_call(step - 3),
            _ => {
                if !self.harness.has_fixed_setup() {
                    self.simplify_setup();
                }
                return true;
            }
        }
        false
    }

    /// Keeps the candidate if it differs and still fails.
    fn keep(&mut self, candidate: Sequence) -> bool {
        if self.interrupted || candidate == self.best {
            return false;
        }
        let fails = match self.answers.get(self.asked) {
            Some(known) => *known,
            None if *self.tries >= MAX_TRIES => return false,
            None => {
                let Some(fails) = (self.fails)(&candidate) else {
                    self.interrupted = true;
                    return false;
                };
                *self.tries += 1;
                self.answers.push(fails);
                fails
            }
        };
        self.asked += 1;
        if fails {
            self.best = candidate;
        }
        fails
    }

    /// Removes the instances of a large world that no call reaches, at once. Everything that follows replays the setup, too.
    fn drop_unused_instances(&mut self) {
        let steps = self.best.setup.steps();
        if steps.len() <= FEW_STEPS {
            return;
        }
        let mut executor = self.harness.executor();
        executor.set_detailed(true);
        let mut reached: Vec<BTreeSet<Address>> = Vec::new();
        self.harness.run(&mut executor, &self.best, |step| {
            let calls = step.executor.observation().calls.nodes().iter();
            reached.push(calls.flat_map(|call| [call.target, call.code]).collect());
        });
        let calls = &self.harness.calls;
        let address = |step: &SetupStep| match step {
            SetupStep::Deploy(deployment) => calls.instance(deployment.instance).address,
            SetupStep::Call(call) => call.at.unwrap_or_else(|| calls.instance(call.call.target).address),
        };
        let mut used: BTreeSet<Address> = reached.iter().skip(steps.len()).flatten().copied().collect();
        used.insert(calls.main().address);
        // What is used reaches others when it is deployed and called.
        loop {
            let before = used.len();
            for (step, reached) in steps.iter().zip(&reached) {
                if used.contains(&address(step)) {
                    used.extend(reached);
                }
            }
            if used.len() == before {
                break;
            }
        }
        let kept = steps.iter().filter(|step| used.contains(&address(step))).cloned().collect();
        if let Some(setup) = Setup::new(kept) {
            self.keep(Sequence { setup, ..self.best.clone() });
        }
    }

    /// Removes runs of calls, long ones first, never the last call.
    fn drop_calls(&mut self) {
        let mut size = self.best.transactions.len().saturating_sub(1);
        while size > 0 {
            let mut start = 0;
            while start + size < self.best.transactions.len() {
                let mut candidate = self.best.clone();
                candidate.transactions.drain(start..start + size);
                // Time that passed must still pass, and a counter that a removed call raised may have to be lowered
                // elsewhere.
                let shorter = self.keep(candidate.clone())
                    || self.keep(self.with_delay_moved(candidate.clone(), start, size))
                    || self.keep_renumbered(&candidate, size)
                    || (size == 1
                        && (self.keep_merged(&candidate, start)
                            || self.keep_with_one_step(&candidate)
                            || self.keep_with_extreme(&candidate)));
                if !shorter {
                    start += 1;
                }
            }
            size /= 2;
        }
        // A failure in the constructor needs no call at all.
        if !self.best.transactions.is_empty() {
            self.keep(Sequence { transactions: Vec::new(), ..self.best.clone() });
        }
    }

    /// The candidate with the delays of the removed calls added to the call after them.
    fn with_delay_moved(&self, mut candidate: Sequence, start: usize, size: usize) -> Sequence {
        let gone = &self.best.transactions[start..start + size];
        if let Some(next) = candidate.transactions.get_mut(start) {
            for call in gone {
                next.env.seconds = next.env.seconds.saturating_add(call.env.seconds);
                next.env.blocks = next.env.blocks.saturating_add(call.env.blocks);
            }
        }
        candidate
    }

    /// The candidate with an amount of the removed call, at `gone`, added to another call of the same function.
    fn keep_merged(&mut self, candidate: &Sequence, gone: usize) -> bool {
        let calls = self.harness.calls.clone();
        let removed = self.best.transactions[gone].clone();
        let function = calls.function(removed.call);
        let amounts = removed
            .words(&calls)
            .into_iter()
            .filter(|(field, word)| matches!(field, Field::Argument { .. } | Field::Value) && !word.is_zero());
        amounts.collect::<Vec<_>>().into_iter().any(|(field, amount)| {
            (0..candidate.transactions.len()).any(|index| {
                let mut candidate = candidate.clone();
                let call = &mut candidate.transactions[index];
                let sum = call.word(&field).and_then(|word| word.checked_add(amount));
                call.call == removed.call
                    && sum.is_some_and(|sum| call.set_word(function, &field, sum))
                    && self.keep(candidate)
            })
        })
    }

    /// The candidate, of which so many calls are gone, with the number of one thing smaller by as many wherever it is passed, or those of
    /// all things: what calls make is mostly numbered in turn.
    fn keep_renumbered(&mut self, candidate: &Sequence, gone: usize) -> bool {
        let calls = self.harness.calls.clone();
        let (least, most) = (U256::from(gone), U256::from(self.best.transactions.len()));
        let may_count =
            |(field, word): &(Field, U256)| matches!(field, Field::Argument { .. }) && (least..=most).contains(word);
        let all = candidate.transactions.iter().enumerate();
        let places: Vec<(usize, Field, U256)> = all
            .flat_map(|(at, call)| {
                call.words(&calls).into_iter().filter(may_count).map(move |(field, word)| (at, field, word))
            })
            .collect();
        let numbers: BTreeSet<U256> = places.iter().map(|(.., word)| *word).collect();
        let several = (numbers.len() > 1).then_some(None);
        numbers.into_iter().map(Some).chain(several).any(|number| {
            let mut renumbered = candidate.clone();
            let mut chosen = places.iter().filter(|(.., word)| number.is_none_or(|number| *word == number));
            let is_set = chosen.all(|(at, field, word)| {
                let call = &mut renumbered.transactions[*at];
                call.set_word(calls.function(call.call), field, *word - least)
            });
            is_set && self.keep(renumbered)
        })
    }

    /// The candidate with one of its arguments smaller by one, or larger.
    fn keep_with_one_step(&mut self, candidate: &Sequence) -> bool {
        let neighbours = |word: U256, _: Option<&Type>| vec![word.checked_sub(U256::ONE), word.checked_add(U256::ONE)];
        self.keep_with_other_word(candidate, neighbours)
    }

    /// The candidate with the least or the largest number as one of its arguments: what several calls add up to, one may pass.
    fn keep_with_extreme(&mut self, candidate: &Sequence) -> bool {
        let extremes = |_: U256, ty: Option<&Type>| match ty {
            Some(Type::Int(bits)) => {
                let most = (U256::ONE << (bits - 1)) - U256::ONE;
                vec![Some(!most), Some(most)]
            }
            Some(Type::Uint(bits)) => vec![Some(U256::MAX >> (256 - bits))],
            _ => Vec::new(),
        };
        self.keep_with_other_word(candidate, extremes)
    }

    /// The candidate with another word as one of its arguments.
    fn keep_with_other_word(
        &mut self,
        candidate: &Sequence,
        others: impl Fn(U256, Option<&Type>) -> Vec<Option<U256>>,
    ) -> bool {
        let calls = self.harness.calls.clone();
        (0..candidate.transactions.len()).any(|index| {
            let call = &candidate.transactions[index];
            let function = calls.function(call.call);
            call.words(&calls).into_iter().any(|(field, word)| {
                if !matches!(field, Field::Argument { .. }) {
                    return false;
                }
                others(word, field.leaf(function)).into_iter().flatten().any(|other| {
                    let mut candidate = candidate.clone();
                    candidate.transactions[index].set_word(function, &field, other) && self.keep(candidate)
                })
            })
        })
    }

    /// Removes what people do who are called, or has them only answer, or do it afterwards.
    fn drop_reactions(&mut self) {
        for index in 0..self.best.transactions.len() {
            let Some(reaction) = self.best.transactions[index].reaction.clone() else { continue };
            let mut candidate = self.best.clone();
            candidate.transactions[index].reaction = None;
            if self.keep(candidate.clone()) {
                continue;
            }
            self.simplify_answer(index);
            if self.only_answers(index) {
                continue;
            }
            if let Deed::Call(call) = reaction.deed {
                candidate.transactions.insert(index + 1, Transaction { sender: reaction.account, ..*call });
                self.keep(candidate);
            }
        }
    }

    /// Whether it still fails where somebody who called back, and whose answer matters, does nothing but answer.
    fn only_answers(&mut self, index: usize) -> bool {
        let reaction = self.best.transactions[index].reaction.as_deref();
        let does_both = reaction
            .is_some_and(|reaction| reaction.answer.is_some() && matches!(reaction.deed, Deed::Repeat | Deed::Call(_)));
        does_both && self.edit_reaction(index, |reaction| reaction.deed = Deed::Answer)
    }

    /// Lets whoever is called answer as the hooks of tokens do, or else with the lowest word with which it still fails.
    fn simplify_answer(&mut self, index: usize) {
        if !self.edit_reaction(index, |reaction| reaction.answer = None) {
            self.descend(
                Toward::Zero,
                |best| best.transactions.get(index)?.reaction.as_ref()?.answer,
                |best, word| {
                    let reaction = best.transactions.get_mut(index).and_then(|call| call.reaction.as_mut());
                    reaction.map(|reaction| reaction.answer = Some(word)).is_some()
                },
            );
        }
    }

    fn edit_reaction(&mut self, index: usize, change: impl FnOnce(&mut Reaction)) -> bool {
        self.edit(index, |call| {
            if let Some(reaction) = &mut call.reaction {
                change(reaction);
            }
        })
    }

    /// Puts neighbours into the order of the functions, where that makes no difference: sequences that differ in the order of independent
    /// calls alone are one story. The last call shows what fails.
    fn order_calls(&mut self) {
        let last = self.best.transactions.len().saturating_sub(1);
        for end in (1..last).rev() {
            for index in 0..end {
                let mut candidate = self.best.clone();
                let calls = &mut candidate.transactions;
                // Time passes before the same place.
                if calls[index].call > calls[index + 1].call && calls[index].env == calls[index + 1].env {
                    calls.swap(index, index + 1);
                    self.keep(candidate);
                }
            }
        }
    }

    /// Turns a fallback call without data into a plain transfer, if the contract accepts those.
    fn name_receive(&mut self, index: usize) {
        let calls = self.harness.calls.clone();
        let call = &self.best.transactions[index];
        let is_plain = calls.function(call.call).kind == FunctionKind::Fallback && call.calldata(&calls).is_empty();
        let target = call.call.target;
        let receive =
            calls.instance(target).interface.functions.iter().find(|function| function.kind == FunctionKind::Receive);
        if let (true, Some(receive)) = (is_plain, receive) {
            self.edit(index, |call| {
                call.call = CallId { target, function: receive.id };
                call.arguments.clear();
            });
        }
    }

    fn simplify_call(&mut self, index: usize) {
        if self.harness.calls.property(self.best.transactions[index].call).is_none() {
            self.simplify_circumstances(index);
        }
        self.simplify_arguments(index);
    }

    /// Everything of a call but its arguments.
    fn simplify_circumstances(&mut self, index: usize) {
        self.edit(index, |call| call.env = EnvStep::default());
        self.edit(index, |call| call.env.block = BlockWords::default());
        self.edit(index, |call| call.env.block.prevrandao = None);
        self.edit(index, |call| call.env.block.base_fee = None);
        self.edit(index, |call| call.env.block.coinbase = None);
        self.edit(index, |call| call.env = call.env.with_blocks(call.env.blocks.min(1)));
        self.edit(index, |call| call.value = U256::ZERO);
        self.name_receive(index);
        for sender in self.harness.senders() {
            // The first sender that works is the simplest.
            if self.best.transactions[index].sender == sender || self.edit(index, |call| call.sender = sender) {
                break;
            }
        }
    }

    fn simplify_arguments(&mut self, index: usize) {
        let function = self.harness.calls.function(self.best.transactions[index].call).clone();
        for (argument, parameter) in function.inputs.iter().enumerate() {
            if !parameter.ty.is_address() {
                let zero = parameter.ty.zero();
                self.edit(index, |call| call.arguments[argument] = zero);
            }
            self.shorten(index, argument, &parameter.ty);
        }
        for (field, _) in self.best.transactions[index].words(&self.harness.calls) {
            if field != Field::Sender {
                self.lower(index, Caller::Sender, &field);
            }
        }
        let call_back = self.best.transactions[index].call_back();
        for (field, _) in call_back.map(|call| call.words(&self.harness.calls)).unwrap_or_default() {
            if matches!(field, Field::Argument { .. } | Field::Value) {
                self.lower(index, Caller::Called, &field);
            }
        }
    }

    fn simplify_setup(&mut self) {
        // Of a large world, few instances are needed.
        let mut size = self.best.setup.steps().len() / FEW_STEPS;
        while size > 1 {
            self.drop_steps(size);
            size /= 2;
        }
        self.drop_steps(1);
        for nth in 0..self.best.setup.deployments().count() {
            self.simplify_deployment(nth);
        }
        for at in 0..self.best.setup.steps().len() {
            self.simplify_setup_call(at);
        }
    }

    /// Removes runs of steps of the setup, the last first.
    fn drop_steps(&mut self, size: usize) {
        let mut end = self.best.setup.steps().len();
        while end > 0 {
            let start = end.saturating_sub(size);
            if let Some(setup) = self.best.setup.without(start..end) {
                self.keep(Sequence { setup, ..self.best.clone() });
            }
            end = start;
        }
    }

    /// Lowers the words of a call of the setup.
    fn simplify_setup_call(&mut self, at: usize) {
        let Some(call) = self.best.setup.call(at) else { return };
        let calls = self.harness.calls.clone();
        let function = calls.function(call.call);
        for (field, _) in call.words(&calls) {
            let Field::Argument { index, position } = &field else { continue };
            let Some(input) = function.inputs.get(usize::from(*index)) else { continue };
            if input.ty.leaf(&position.path).is_some_and(Type::is_contract) {
                continue;
            }
            self.descend(
                Toward::of(&input.ty, position),
                |best| best.setup.call(at).and_then(|call| call.word(&field)),
                |best, word| best.setup.call_mut(at).is_some_and(|call| call.set_word(function, &field, word)),
            );
        }
    }

    /// Simplifies one deployment of the setup.
    fn simplify_deployment(&mut self, nth: usize) {
        const THERE: &str = "no deployment of a setup goes while it is made simple";
        let read = |best: &Sequence| best.setup.deployments().nth(nth).expect(THERE).clone();
        let mut candidate = self.best.clone();
        candidate.setup.deployments_mut().nth(nth).expect(THERE).value = U256::ZERO;
        self.keep(candidate);
        let deployment = read(&self.best);
        let parameters = self.harness.calls.instance(deployment.instance).interface.constructor.inputs.clone();
        for (index, (parameter, value)) in parameters.iter().zip(&deployment.arguments).enumerate() {
            for (position, _) in words(value, &parameter.ty) {
                if parameter.ty.leaf(&position.path).is_some_and(Type::is_contract) {
                    continue;
                }
                let shape = Toward::of(&parameter.ty, &position);
                self.descend(
                    shape,
                    |best| crate::input::words::word(&read(best).arguments[index], &position),
                    |best, word| {
                        let deployment = best.setup.deployments_mut().nth(nth).expect(THERE);
                        set_word(&mut deployment.arguments[index], &parameter.ty, &position, word)
                    },
                );
            }
        }
    }

    /// Removes elements of arrays, and bytes, from the end.
    fn shorten(&mut self, index: usize, argument: usize, ty: &Type) {
        loop {
            let value = &self.best.transactions[index].arguments[argument];
            let longest = words(value, ty)
                .into_iter()
                .find(|(position, word)| position.part == ValuePart::Length && !word.is_zero());
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

    /// Lowers one word of a call, or of the one that is made back during it.
    fn lower(&mut self, index: usize, caller: Caller, field: &Field) {
        let Some(call) = caller.call(&self.best.transactions[index]).map(|call| call.call) else { return };
        let harness = self.harness;
        let function = harness.calls.function(call);
        let toward = match field {
            Field::Argument { index, position } => {
                let input = function.inputs.get(usize::from(*index));
                if input.and_then(|input| input.ty.leaf(&position.path)).is_some_and(Type::is_contract) {
                    // Another address would be another world.
                    return;
                }
                input.map_or(Toward::Zero, |input| Toward::of(&input.ty, position))
            }
            _ => Toward::Zero,
        };
        self.descend(
            toward,
            |best| caller.call(best.transactions.get(index)?)?.word(field),
            |best, word| {
                let call = best.transactions.get_mut(index).and_then(|call| caller.call_mut(call));
                call.is_some_and(|call| call.set_word(function, field, word))
            },
        );
    }

    /// Moves one word toward its simplest value: small values at once, then by halving the distance.
    fn descend(
        &mut self,
        toward: Toward,
        read: impl Fn(&Sequence) -> Option<U256>,
        write: impl Fn(&mut Sequence, U256) -> bool,
    ) {
        let Some(start) = read(&self.best) else { return };
        let attempt = |this: &mut Self, word: U256| {
            let mut candidate = this.best.clone();
            write(&mut candidate, word) && this.keep(candidate)
        };
        if toward == Toward::Account {
            // A named account is clearer to a reader than a small number.
            for account in World::senders() {
                let word = U256::from_be_slice(account.as_slice());
                if start == word || attempt(self, word) {
                    return;
                }
            }
            attempt(self, U256::from_be_slice(Address::ZERO.as_slice()));
            return;
        }
        let negative = toward == Toward::SignedZero && start.bit(255);
        let sign = |magnitude: U256| if negative { U256::ZERO.wrapping_sub(magnitude) } else { magnitude };
        let size = sign(start);
        if negative && attempt(self, size) {
            // The positive number of the same size fails as well, and is simpler.
            return self.descend(Toward::Zero, read, write);
        }
        if toward == Toward::SignedZero && !negative && size >= U256::from(LARGE) {
            // A large positive number may stand for a small negative one.
            for small in (1..=3).map(U256::from) {
                if attempt(self, U256::ZERO.wrapping_sub(small)) {
                    return;
                }
            }
        }
        // Handlers take their arguments modulo something: large words then stand for small ones.
        let most = if self.harness.kind() == HarnessKind::Test { MOST_FOLDED } else { 2 };
        for small in (0..=most).map(U256::from) {
            if size <= small || attempt(self, sign(small)) {
                return;
            }
        }
        let most = U256::from(most);
        let mut remainders = self.remainders(size).into_iter().filter(|remainder| *remainder > most);
        let size = remainders.find(|remainder| attempt(self, sign(*remainder))).unwrap_or(size);
        // `low` does not fail, the current word does: the border between them is the smallest failing word of its kind.
        let (mut low, mut high) = (most, size);
        while high - low > U256::from(1) {
            let middle = low + (high - low) / U256::from(2);
            if attempt(self, sign(middle)) {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// What a large word may stand for, smallest first: what is left of it by a constant of the code, or by a mask of it.
    fn remainders(&self, size: U256) -> Vec<U256> {
        if size < U256::from(LARGE) {
            return Vec::new();
        }
        let code = self.harness.code().iter().flat_map(|id| self.harness.programs.get(*id).constants());
        let divisors = code.flat_map(|constant| {
            let next = constant.wrapping_add(U256::from(1));
            [*constant, if (*constant & next).is_zero() { next } else { U256::ZERO }]
        });
        let remainders = divisors.filter(|divisor| !divisor.is_zero()).map(|divisor| size % divisor);
        let small: BTreeSet<U256> = remainders.filter(|remainder| *remainder < U256::from(LARGE)).collect();
        small.into_iter().take(MAX_REMAINDERS).collect()
    }
}

/// The value that a word is moved toward.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Toward {
    /// Zero, from above.
    Zero,
    /// Zero, from either side.
    SignedZero,
    /// An account of the world.
    Account,
}

impl Toward {
    fn of(ty: &Type, position: &Position) -> Self {
        if ty.leaf(&position.path).is_some_and(Type::is_address) && position.part == ValuePart::Word {
            return Self::Account;
        }
        match crate::input::words::shape(ty, position) {
            Some(Shape::Signed(_)) => Self::SignedZero,
            _ => Self::Zero,
        }
    }
}
