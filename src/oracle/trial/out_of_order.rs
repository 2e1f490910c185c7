//! Calls back that gain nothing, and still find state that is not up to date: they leave a word, or read one, that the same calls made
//! one after the other do not come to.

use super::confirmed::Trial;
use crate::{
    evm::{CallEvent, CallTree, Preimage, Snapshot, Status},
    harness::Action,
    input::{CallId, Deed, EnvStep, FunctionKind, Reaction, Transaction, Type},
    oracle::violation::Violation,
    world::users,
};
use alloy_primitives::{Address, Bytes, U256};
use std::collections::BTreeSet;

/// Functions that only read, and are asked while a call is open, at most; chosen by hand.
const MAX_GETTERS: usize = 32;

/// What a call back comes to, and no order of the same calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OutOfOrder {
    /// A word of storage.
    Left {
        /// Whose storage it is.
        account: Address,
        /// The slot.
        slot: U256,
        /// What is there in the end.
        left: U256,
        /// What is there if the call back is made afterwards.
        in_turn: U256,
        /// The hashes that the calls compute.
        preimages: Vec<Preimage>,
    },
    /// What a function returns that only reads.
    Told {
        /// The function.
        getter: CallId,
        /// What it returns meanwhile, before and after the call that is open.
        told: [U256; 3],
    },
}

impl Trial<'_> {
    /// What somebody who calls back where the violation is leaves, or is told, that the same calls made one after the other do not come
    /// to, and the transactions in which they do.
    pub fn out_of_order(&mut self, violation: &Violation) -> Option<(OutOfOrder, Vec<Transaction>)> {
        let shown = self.sequence.transactions.clone();
        let (person, answer) = self.called(&shown, violation)?;
        let (last, first) = shown.split_last()?;
        let deeds = match last.reaction.as_deref() {
            Some(reaction) if last.calls_back() => vec![reaction.deed.clone()],
            _ => {
                let plain = [first, &[Transaction { reaction: None, ..last.clone() }]].concat();
                let held = self.held(person);
                self.deeds(&plain, person, &held).into_iter().chain(self.getters(last, person)).collect()
            }
        };
        deeds.into_iter().find_map(|deed| {
            let reaction = Some(Box::new(Reaction { account: person, deed, answer }));
            let attempt = [first, &[Transaction { reaction, ..last.clone() }]].concat();
            Some((self.comes_to(&attempt, person, violation)?, attempt))
        })
    }

    /// Calls of the functions that only read and return a number, of everybody or of the account that they are asked for.
    fn getters(&self, outer: &Transaction, person: Address) -> Vec<Deed> {
        let calls = &self.harness.calls;
        let is_getter = |call: &&CallId| {
            let function = calls.function(**call);
            function.kind == FunctionKind::Function
                && !function.can_change_state()
                && !calls.is_created(call.target)
                && matches!(&function.outputs[..], [only] if matches!(only.ty, Type::Uint(_) | Type::Int(_)))
                && function.inputs.iter().all(|input| input.ty.is_address())
                && function.inputs.len() <= 1
        };
        let getters = calls.calls().iter().filter(is_getter).take(MAX_GETTERS);
        let getters = getters.map(|call| {
            let function = calls.function(*call);
            let getter = Transaction::with_nothing(*call, person, calls);
            let mut getter = Transaction { env: outer.env, ..getter };
            for (field, _) in getter.words(calls) {
                if field.leaf(function).is_some() {
                    getter.set_word(function, &field, person.into_word().into());
                }
            }
            Deed::Call(Box::new(getter))
        });
        getters.collect()
    }

    fn comes_to(&mut self, attempt: &[Transaction], person: Address, violation: &Violation) -> Option<OutOfOrder> {
        let ended = self.end(attempt.to_vec(), violation).filter(|ended| ended.shown.is_some())?;
        let last = attempt.last()?;
        let inner = last.reaction.as_deref().map(|reaction| &reaction.deed);
        if let Some(Deed::Call(getter)) = inner
            && !self.harness.calls.function(getter.call).can_change_state()
        {
            return self.is_told(getter, &ended.before, last, &ended.after);
        }
        // Who lends or sells something and is paid meanwhile goes on only then, and who calls back may do it with what they just got.
        let open = attempt.len() - 1;
        if !self.succeeds_without_call_back(attempt, open, violation)
            || !self.call_back_succeeds_first(attempt, open, violation)
        {
            return None;
        }
        let changed = ended.before.changes(&ended.after);
        let in_turn = self.in_turn(attempt, attempt.len() - 1, violation);
        let is_script = |account: Address| users().any(|user| user == account) || account == person;
        let (account, slot, _, left) = changed.into_iter().find(|(account, slot, _, left)| {
            !is_script(*account) && in_turn.iter().all(|other| other.after.slot(*account, *slot) != *left)
        })?;
        let in_turn = in_turn.first()?.after.slot(account, slot);
        Some(OutOfOrder::Left { account, slot, left, in_turn, preimages: self.preimages(&ended.before, last) })
    }

    /// What a function returns while a call is open, if that is neither what it returns before nor what it returns after it, and part of
    /// what it reads is as it will be, and part still as it was. A lock, and a word that is written once more later, are no lies.
    fn is_told(
        &mut self,
        getter: &Transaction,
        before: &Snapshot,
        open: &Transaction,
        after: &Snapshot,
    ) -> Option<OutOfOrder> {
        let target = self.harness.calls.instance(getter.call.target).address;
        let (data, account) = (Bytes::from(getter.calldata(&self.harness.calls)), getter.sender);
        let call = self.harness.call(Action::Call(open), before.moment());
        let (meanwhile, seen) = self.in_detail(|trial| {
            trial.executor.run(before, &call);
            let calls = &trial.executor.observation().calls;
            let asked = calls
                .nodes()
                .iter()
                .position(|node| node.success && (node.caller, node.target, &node.input) == (account, target, &data))?;
            Some((word(&calls.nodes()[asked].output)?, Seen::by(calls, asked)))
        })?;
        let at_once = Transaction { env: EnvStep::default(), ..getter.clone() };
        let earlier = self.told(before, getter)?;
        let later = self.told(after, &at_once)?;
        let is_other = meanwhile != earlier && meanwhile != later;
        let differs = |slot: &&(Address, U256)| before.differs_at(after, [**slot]);
        let stale = seen.stale.iter().find(differs)?;
        let is_new = seen.new.iter().filter(differs).any(|slot| slot != stale) || {
            let paid = before.with_balance(target, after.balance(target));
            self.told(&paid, getter) != Some(earlier)
        };
        (is_other && is_new).then_some(OutOfOrder::Told { getter: getter.call, told: [meanwhile, earlier, later] })
    }

    /// The number that a call returns on a state.
    fn told(&mut self, state: &Snapshot, getter: &Transaction) -> Option<U256> {
        let outcome = self.executor.run(state, &self.harness.call(Action::Call(getter), state.moment()));
        word(&outcome.output).filter(|_| outcome.status == Status::Success)
    }
}

/// What a call reads that was written in the same transaction.
#[derive(Debug, Default)]
struct Seen {
    /// Slots that were written before.
    new: BTreeSet<(Address, U256)>,
    /// Slots that are written afterwards.
    stale: BTreeSet<(Address, U256)>,
}

impl Seen {
    fn by(calls: &CallTree, asked: usize) -> Self {
        let (nodes, events) = (calls.nodes(), calls.events());
        let (mut read, mut written) = (BTreeSet::new(), [BTreeSet::new(), BTreeSet::new()]);
        let mut is_over = false;
        // The calls that are open, each with the number of its events that have passed.
        let mut open = vec![(0, 0)];
        while let Some((call, passed)) = open.last_mut() {
            let (call, event) = (*call, events.get(*call).and_then(|events| events.get(*passed)));
            *passed += 1;
            match event {
                None => {
                    open.pop();
                    is_over |= call == asked;
                }
                Some(CallEvent::Call(inner)) => open.push((*inner, 0)),
                Some(CallEvent::Storage(at)) => {
                    let access = nodes[call].storage[*at];
                    let slot = (nodes[call].target, access.slot);
                    match access.stored {
                        Some(_) => written[usize::from(is_over)].insert(slot),
                        None if open.iter().any(|(call, _)| *call == asked) => read.insert(slot),
                        None => false,
                    };
                }
                Some(CallEvent::Log(_)) => {}
            }
        }
        let [before, after] = written;
        let new = read.iter().filter(|slot| before.contains(*slot) && !after.contains(*slot)).copied().collect();
        let stale = read.iter().filter(|slot| after.contains(*slot) && !before.contains(*slot)).copied().collect();
        Self { new, stale }
    }
}

/// The number that a call returned.
fn word(output: &[u8]) -> Option<U256> {
    (output.len() == 32).then(|| U256::from_be_slice(output))
}
