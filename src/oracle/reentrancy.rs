//! `reentrancy`: whoever is called calls back while the contract's state is not up to date (SWC-107). It is proven by running the same
//! calls one after the other: there they gain less ether, or the books say less under their name. Where nobody gains anything, a number
//! that a function returns meanwhile and that never holds is a warning, and a word that those calls do not leave is for information.

use super::{
    attack,
    evidence::{Evidence, Getter, Replay, StoredWord},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::{OutOfOrder, Reentry, Trial, orders},
    violation::{Cause, Violation},
    violations::Violations,
    weight::{Grounds, Weight},
};
use crate::{
    evm::{Call, CallNode, FailureKind, Instruments, Snapshot, Status},
    harness::Action,
    input::{Deed, Transaction},
    project::Level,
    world::{ACTORS, INITIAL_BALANCE, attacker, is_actor, users},
};
use alloy_primitives::{Address, U256};

const META: OracleMeta = oracle_meta! {
    id: "reentrancy",
    title: "A call can be re-entered for a gain",
    swc: "107",
    level: Level::Error,
    description: "A contract that is called can call back before its caller's state is up to date, and gain by it",
};

#[derive(Debug)]
pub(super) struct Reentrancy;

/// Payments to one user in one transaction from which on it may be a gain whatever they paid in before.
const SEVERAL: usize = 2;

/// What is wrong where somebody is paid, and where a function of theirs is called.
const PAID: &str = "call can be re-entered for a gain";
const HOOKED: &str = "call of a hook can be re-entered for a gain";
/// What is wrong where the books say more under the name of somebody who is paid.
const NOTED: &str = "payment can be re-entered for a gain";
/// What is wrong where nobody gains anything.
const OUT_OF_ORDER: &str = "call can be re-entered while state is not up to date";

/// Whether users called back, and are paid several times, or have, with one who is paid now, more ether together than they began with.
fn gains(execution: &Execution<'_>, paid: Address) -> bool {
    let called_back: Vec<Address> = users().filter(|user| execution.called_back(*user)).collect();
    let together = called_back.iter().copied().chain((!called_back.contains(&paid)).then_some(paid));
    let (count, wealth) = together
        .fold((0, U256::ZERO), |(count, sum), user| (count + 1, sum.saturating_add(execution.balance_after(user))));
    // The calls of a transaction in which somebody reacts are kept.
    let is_payment = |call: &&CallNode| call.depth > 0 && call.target == paid && call.success && !call.value.is_zero();
    let payments = execution.calls().nodes().iter().filter(is_payment).count();
    !called_back.is_empty() && (payments >= SEVERAL || wealth > INITIAL_BALANCE * U256::from(count))
}

impl Oracle for Reentrancy {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs { instruments: Instruments { calls_out: true, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        if execution.outcome.status != Status::Success {
            return;
        }
        // A call of somebody without code is one that they could answer; where somebody has code, they did.
        let is_attacked = ACTORS.iter().any(|actor| execution.before().has_code(actor.address));
        let is_sought = |kind| match kind {
            FailureKind::CallOut { to, may_act: true, .. } if is_attacked => gains(execution, to),
            FailureKind::CallOut { to, pays: true, may_act: true, .. } => is_actor(to),
            _ => false,
        };
        attack::tell(execution, violations, is_sought, PAID);
        // Who has no code could call back, and who reacts did.
        let may_call_back = |to: Address| match execution.call.scripted.as_deref() {
            Some(scripted) => scripted.account == to && execution.called_back(to),
            None => is_actor(to),
        };
        let is_paid = |kind| match kind {
            FailureKind::CallOut { to, pays: true, speaks: false, may_act: true, .. } => may_call_back(to),
            _ => false,
        };
        attack::tell(execution, violations, is_paid, NOTED);
        let is_called = |kind| match kind {
            FailureKind::CallOut { to, may_act: true, .. } => may_call_back(to),
            _ => false,
        };
        attack::tell(execution, violations, is_called, OUT_OF_ORDER);
        // They accept what is asked of them, or call back.
        let scripted = execution.call.scripted.as_deref().filter(|scripted| !attacker::lets_calls_fail(scripted));
        let hooked =
            scripted.filter(|scripted| attacker::only_answers(scripted) || execution.called_back(scripted.account));
        if let Some(hooked) = hooked {
            let is_hook = |kind| matches!(kind, FailureKind::CallOut { to, speaks: true, may_act: true, .. } if to == hooked.account);
            attack::tell(execution, violations, is_hook, HOOKED);
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        if violation.cause == Cause::Other(OUT_OF_ORDER) {
            let (found, attack) = trial.out_of_order(violation)?;
            // Other contracts go by what they are told.
            let most = match found {
                OutOfOrder::Told { .. } => Level::Warning,
                OutOfOrder::Left { .. } => Level::Information,
            };
            return Some(Weight::at_most(most, Grounds::OutOfOrder(Box::new(found))).shown_by(attack));
        }
        if is_of_books(violation) {
            let because = "No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all \
                           that is kept under their address: what they call back finds state that is not up to date yet.";
            let attack = trial.hooked(violation)?;
            return Some(Weight::at_most(Level::Error, Grounds::Always(because)).shown_by(attack));
        }
        let Reentry { gain, attack } = trial.reentry(violation)?;
        Some(Weight::at_most(Level::Error, Grounds::Reentered { gain }).shown_by(attack))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        if violation.cause == Cause::Other(OUT_OF_ORDER) {
            let seen = replay.told_meanwhile().or_else(|| replay.left_by_no_order());
            return seen.ok_or("what is left is kept by a contract that no test knows");
        }
        if is_of_books(violation) {
            return replay.raised().ok_or("what is gained is kept by a contract that no test knows");
        }
        let callers = users().filter(|user| attacker::has_succeeded(&replay.after, *user));
        let paid = users().find(|user| replay.pays(*user));
        let attacker = callers.clone().next().ok_or("nobody calls back any more")?;
        Ok(Evidence::Gains(attacker, paid.filter(|paid| *paid != attacker)))
    }
}

/// Whether what the books say is what is gained.
fn is_of_books(violation: &Violation) -> bool {
    [HOOKED, NOTED].map(Cause::Other).contains(&violation.cause)
}

impl Replay<'_> {
    /// A word of the contract that is greater after the call than if whoever is called only accepts.
    fn raised(&self) -> Option<Evidence> {
        let account = self.call.scripted.as_ref()?.account;
        let call = Call { scripted: Some(Box::new(attacker::answering(account))), ..self.call.clone() };
        let mut executor = self.harness.executor();
        executor.run(&self.before, &call);
        let accepted = executor.after();
        self.changed_words().find(|it| it.2 > accepted.slot(it.0, it.1)).and_then(|it| self.keeps(it))
    }

    /// The function that is asked while the call is open, and only reads.
    fn told_meanwhile(&self) -> Option<Evidence> {
        let Deed::Call(asked) = &self.transaction.as_ref()?.reaction.as_deref()?.deed else { return None };
        let calls = &self.harness.calls;
        let function = calls.function(asked.call);
        let selector = function.selector.filter(|_| !function.can_change_state())?;
        let key = asked.calldata(calls).get(4..36).map(U256::from_be_slice);
        Some(Evidence::Tells(Getter { instance: asked.call.target, selector, key }))
    }

    /// A word that the same calls made one after the other do not leave.
    fn left_by_no_order(&self) -> Option<Evidence> {
        let open = self.transaction.clone()?;
        let mut executor = self.harness.executor();
        let mut end = |calls: &Vec<Transaction>| {
            let mut state = self.before.clone();
            for call in calls {
                executor.run(&state, &self.harness.call(Action::Call(call), state.moment()));
                state = executor.after().clone();
            }
            state
        };
        let in_turn: Vec<Snapshot> = orders(self.harness, &[open], 0).iter().map(&mut end).collect();
        let is_new = |(of, slot, word): &(Address, U256, U256)| in_turn.iter().all(|end| end.slot(*of, *slot) != *word);
        self.changed_words().find(is_new).and_then(|it| self.keeps(it))
    }

    /// The words that the call changes in the storage of contracts of the world, those of the contract itself first.
    fn changed_words(&self) -> impl Iterator<Item = (Address, U256, U256)> {
        let main = self.harness.calls.main().address;
        let changes = self.before.changes(&self.after).into_iter();
        let is_known = |(of, ..): &(Address, U256, U256)| self.harness.calls.at(*of).is_some();
        let changes = changes.map(|(of, slot, _, word)| (of, slot, word)).filter(is_known);
        let (own, others): (Vec<_>, Vec<_>) = changes.partition(|(of, ..)| *of == main);
        own.into_iter().chain(others)
    }

    fn keeps(&self, (of, slot, word): (Address, U256, U256)) -> Option<Evidence> {
        Some(Evidence::Keeps(StoredWord { instance: self.harness.calls.at(of)?, slot, word }))
    }
}
