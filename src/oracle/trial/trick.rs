//! Tricks: somebody who may be paid calls a contract of somebody else, which makes the call in their name.

use super::{confirmed::Trial, theft::taken};
use crate::{
    evm::FailureKind,
    input::{Deed, EnvStep, Reaction, Transaction},
    oracle::violation::Violation,
    world::users,
};
use alloy_primitives::{Address, U256};

/// Ether that a user takes in the name of somebody who calls a contract of theirs.
#[derive(Debug, Clone)]
pub struct Trick {
    /// How much, in wei.
    pub taken: U256,
    /// Who calls the user's contract.
    pub tricked: Address,
    /// The transactions: in the last one, the user's contract is called.
    pub attack: Vec<Transaction>,
}

impl Trial<'_> {
    /// The ether that a user takes where the violation is whose contract is called by whoever sent the last call, and not if a third
    /// person calls it: nothing else differs than `tx.origin`.
    pub fn trick(&mut self, violation: &Violation) -> Option<Trick> {
        self.shorten(violation);
        let shortened = self.sequence.transactions.clone();
        let (last, before) = shortened.split_last()?;
        let (tricked, own) = (last.sender, own_call(last)?);
        let takes_part = |account: Address| account == tricked || before.iter().any(|it| it.sender == account);
        let mut others = users().filter(|user| !takes_part(*user));
        let (user, third) = (others.next()?, others.next()?);
        let FailureKind::CallOut { to, .. } = self.end(shortened.clone(), violation)?.shown? else {
            return None;
        };
        let mut own = Transaction { sender: user, env: EnvStep::default(), ..own.clone() };
        self.rename(&mut own, to, user);
        let mut attack = |caller: Address| {
            let reaction = Some(Box::new(Reaction::new(user, Deed::Call(Box::new(own.clone())))));
            let called = Transaction { sender: caller, env: last.env, at: Some(user), reaction, ..own.clone() };
            let attack: Vec<Transaction> = before.iter().cloned().chain([called]).collect();
            let ended = self.end(attack.clone(), violation)?;
            let is_paid = matches!(ended.shown, Some(FailureKind::CallOut { to, .. }) if to == user);
            let taken = taken(user, &ended.before, &ended.after).filter(|taken| is_paid && !taken.is_zero())?;
            Some((attack, taken))
        };
        let (shown, taken) = attack(tricked)?;
        attack(third).is_none().then_some(Trick { taken, tricked, attack: shown })
    }
}

/// The call that is to be made for somebody else: the transaction itself, or what the contract that it calls makes of it. None of it pays.
fn own_call(last: &Transaction) -> Option<&Transaction> {
    let call = match &last.reaction {
        None => last,
        Some(reaction) if last.at == Some(reaction.account) => match &reaction.deed {
            Deed::Call(call) => call,
            _ => return None,
        },
        Some(_) => return None,
    };
    (call.value.is_zero() && last.value.is_zero()).then_some(call)
}
