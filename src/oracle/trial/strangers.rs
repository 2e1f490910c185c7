//! Strangers: what was done, done by people without a role.

use super::confirmed::Trial;
use crate::{
    evm::{FailureKind, Snapshot},
    harness::{Action, Checkpoints, Harness},
    input::{Deed, FunctionKind, Instance, Origin, Sequence, Setup, Transaction},
    oracle::violation::Violation,
    world::{STRANGERS_CONTRACT, World, is_deployer, users},
};
use alloy_primitives::{Address, U256};
use std::{collections::BTreeSet, ops::ControlFlow};

/// What people without a role can do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum StrangerPower {
    /// Not all of them get there.
    #[default]
    None,
    /// Each of them gets there, and what it is about stays the same.
    Reach,
    /// Each of them gets there, and chooses the account that it is about.
    Choose,
}

/// What people without a role can do, and how.
#[derive(Debug, Clone, Default)]
pub struct Strangers {
    /// What they can do.
    pub power: StrangerPower,
    /// The transactions in which one of them does it.
    pub attack: Vec<Transaction>,
}

/// Whose calls somebody else makes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Replaced {
    Everyone,
    LastSender,
    LastCall,
    /// Everyone who pays nothing in. What users pay in, the deployer pays for them; what the deployer pays in stays as it is, since only
    /// they may be able to.
    Callers,
    /// The last sender, who changes places with the user if that is one of the others: a victim stays a victim. What somebody else does
    /// for the last sender stays as it is.
    LastSenderInTurn,
}

/// Whose calls are made by each of the users.
const REPLACED: [Replaced; 4] = [Replaced::Everyone, Replaced::LastSender, Replaced::LastCall, Replaced::Callers];

/// The same where what one of the others did may be what is needed.
pub(super) const REPLACED_IN_TURN: [Replaced; 5] =
    [Replaced::Everyone, Replaced::LastSender, Replaced::LastCall, Replaced::Callers, Replaced::LastSenderInTurn];

/// Other accounts that are passed at most to see whether what is passed decides; chosen by hand.
const MAX_RENAMED: usize = 4;

/// An account that nobody has, without code.
const NOBODY: Address = Address::new([
    0xb1, 0x6b, 0x00, 0xb5, 0x9d, 0x2f, 0x4e, 0x71, 0xc3, 0x08, 0x5a, 0x66, 0xe7, 0x12, 0x9c, 0x40, 0x7d, 0xf3, 0x28,
    0x95,
]);

impl Trial<'_> {
    /// What people without a role can do: whether the violation is shown as well if any of the users does what was done, in the world
    /// as it is planned, and whether the account that it is about is what they pass, or they themselves.
    ///
    /// Everything is sent by the one user, or what the last sender sent, or only the last call. Who is replaced is replaced in what the
    /// user passes, too. What others did before stays: an owner may have allowed it.
    pub fn strangers(&mut self, violation: &Violation) -> Strangers {
        self.strangers_who(violation, &REPLACED)
    }

    /// The same where what one of the others did may be what is needed, such as ether that they paid in: each of the users does it to each.
    pub fn strangers_in_turn(&mut self, violation: &Violation) -> Strangers {
        self.strangers_who(violation, &REPLACED_IN_TURN)
    }

    pub(super) fn strangers_who(&mut self, violation: &Violation, all: &[Replaced]) -> Strangers {
        let planned = &self.harness.setup;
        let own = &self.sequence.setup;
        // A setup that was shortened may lack the call that gives the contract its owner.
        let is_whole = own != planned && own.steps().len() >= planned.steps().len();
        let setups = [Some(planned.clone()), is_whole.then(|| own.clone())];
        let mut best = Strangers::default();
        for setup in setups.into_iter().flatten() {
            for replaced in all.iter().copied() {
                let strangers = self.strangers_in(&setup, replaced, violation);
                if strangers.power > best.power {
                    best = strangers;
                }
                if best.power == StrangerPower::Choose {
                    return best;
                }
            }
        }
        best
    }

    fn strangers_in(&mut self, setup: &Setup, replaced: Replaced, violation: &Violation) -> Strangers {
        let mut attacks = Vec::new();
        for user in users() {
            let attack = Sequence { setup: setup.clone(), transactions: self.sent_by(user, replaced) };
            let Some(account) = self.account_shown(&attack, violation) else { return Strangers::default() };
            attacks.push((user, attack, account));
        }
        // What somebody else names a user in may be a gift to them, or a leave.
        let is_named = |(user, attack, _): &(Address, Sequence, Option<Address>)| {
            attack.transactions.iter().any(|transaction| self.gives(transaction, *user))
        };
        // Whoever passes their own address does not choose it, if that is one that somebody else allowed.
        let passes_itself = |(user, attack, _): &(Address, Sequence, Option<Address>)| {
            let mut own = attack.transactions.iter().filter(|transaction| transaction.sender == *user);
            own.any(|transaction| transaction.names(*user, &self.harness.calls))
        };
        let are_named =
            attacks.iter().all(|attack| attack.2 == Some(attack.0) && !(passes_itself(attack) && is_named(attack)));
        let at = attacks.iter().position(|attack| !is_named(attack)).unwrap_or(0);
        // One of the users may have a role, which lets only them choose.
        let chooses = are_named
            || attacks.iter().all(|(user, attack, account)| {
                account.is_some_and(|account| self.is_chosen(*user, attack, account, violation))
            });
        let Some((_, attack, _)) = attacks.into_iter().nth(at) else { return Strangers::default() };
        let power = if chooses { StrangerPower::Choose } else { StrangerPower::Reach };
        Strangers { power, attack: attack.transactions }
    }

    /// Whether another account takes the place of this one if a user passes it instead, and nobody else named it before: an owner may
    /// have listed it.
    fn is_chosen(&mut self, user: Address, attack: &Sequence, account: Address, violation: &Violation) -> bool {
        let instances = self.harness.calls.instances().iter().map(|instance| instance.address);
        let is_named = |other: Address| {
            let mut all = attack.transactions.iter().filter(|transaction| transaction.sender != user);
            all.any(|transaction| transaction.names(other, &self.harness.calls))
        };
        let others = [NOBODY, STRANGERS_CONTRACT].into_iter().chain(instances);
        let others = others.filter(|other| *other != account && !is_named(*other));
        let others: Vec<Address> = others.take(MAX_RENAMED).collect();
        others.into_iter().any(|other| {
            let mut renamed = attack.clone();
            let own = renamed.transactions.iter_mut().filter(|transaction| transaction.sender == user);
            let is_passed = own.fold(false, |passed, transaction| self.rename(transaction, account, other) | passed);
            is_passed && self.account_shown(&renamed, violation) == Some(Some(other))
        })
    }

    /// The transactions, with somebody else in the place of senders.
    pub(super) fn sent_by(&self, user: Address, replaced: Replaced) -> Vec<Transaction> {
        let mut transactions = self.sequence.transactions.clone();
        if matches!(replaced, Replaced::LastSenderInTurn) {
            self.change_places(&mut transactions, user);
            return transactions;
        }
        let last = transactions.len().saturating_sub(1);
        let senders: BTreeSet<Address> = transactions.iter().map(|transaction| transaction.sender).collect();
        let last_sender = transactions.last().map(|transaction| transaction.sender);
        let is_replaced = |index: usize, sender: Address| match replaced {
            Replaced::Everyone | Replaced::Callers => true,
            Replaced::LastSender | Replaced::LastSenderInTurn => Some(sender) == last_sender,
            Replaced::LastCall => index == last,
        };
        for (index, transaction) in transactions.iter_mut().enumerate() {
            let sender = transaction.sender;
            let is_paid_for = matches!(replaced, Replaced::Callers) && !transaction.value.is_zero();
            if is_paid_for && is_deployer(sender) {
                continue;
            }
            if is_replaced(index, sender) {
                for replaced in senders.iter().filter(|other| is_replaced(index, **other)) {
                    self.rename(transaction, *replaced, user);
                }
                transaction.sender = if is_paid_for { World::owner() } else { user };
                if let Some(reaction) = &mut transaction.reaction
                    && senders.contains(&reaction.account)
                    && is_replaced(index, reaction.account)
                {
                    let replaced = std::mem::replace(&mut reaction.account, user);
                    if let Deed::Call(call) = &mut reaction.deed {
                        self.rename(call, replaced, user);
                    }
                }
            }
        }
        transactions
    }

    /// Has the last sender and a user change places.
    fn change_places(&self, transactions: &mut [Transaction], user: Address) {
        let Some(last_sender) = transactions.last().map(|last| last.sender) else { return };
        let is_user = users().any(|other| other == last_sender);
        let other = |account: Address| match account {
            it if it == last_sender => user,
            it if it == user && is_user => last_sender,
            it => it,
        };
        for transaction in transactions {
            let is_own = [last_sender, user].contains(&transaction.sender);
            if is_own || !transaction.names(last_sender, &self.harness.calls) {
                self.rename_all(transaction, other);
                transaction.sender = other(transaction.sender);
                if let Some(reaction) = &mut transaction.reaction {
                    reaction.account = other(reaction.account);
                    if let Deed::Call(call) = &mut reaction.deed {
                        self.rename_all(call, other);
                    }
                }
            }
        }
    }

    /// Passes another account wherever a transaction passes this one. Returns whether it did. What a stand-in answers is nobody's choice.
    pub(super) fn rename(&self, transaction: &mut Transaction, from: Address, to: Address) -> bool {
        self.rename_all(transaction, |account| if account == from { to } else { account })
    }

    /// The same of several accounts at once.
    fn rename_all(&self, transaction: &mut Transaction, to: impl Fn(Address) -> Address) -> bool {
        let calls = &self.harness.calls;
        let renamed = |word: U256| {
            let account = (word.bit_len() <= 160).then(|| Address::from_word(word.into()))?;
            Some(to(account)).filter(|to| *to != account).map(|to| to.into_word().into())
        };
        calls.function(transaction.call).kind != FunctionKind::Answer && transaction.replace_arguments(calls, renamed)
    }

    /// Whether something is to be lost there for anybody but the caller: it was there after the setup, and is no contract that keeps
    /// nothing and is behind a proxy because it has to run in the place of others.
    fn is_at_stake(harness: &Harness, start: &Snapshot, account: Address) -> bool {
        let is_proxy = |instance: &Instance| instance.address == account && matches!(instance.origin, Origin::Proxy(_));
        let is_proxied = harness.calls.instances().iter().any(is_proxy);
        let kept = || harness.world.genesis.changes(start).into_iter().filter(|(of, ..)| *of == account).count();
        // The proxy itself keeps whose code it runs.
        start.has_code(account) && (!is_proxied || kept() > 1)
    }

    /// The account that decides what happens, if the last call of a sequence shows the violation and something is at stake.
    fn account_shown(&mut self, sequence: &Sequence, violation: &Violation) -> Option<Option<Address>> {
        let mut found = None;
        let start = self.harness.state_after(&mut self.executor, &sequence.setup, &mut self.checkpoints)?;
        let Self { harness, executor, judge, checkpoints, .. } = self;
        let _ = harness.run_while(executor, sequence, checkpoints, |step| {
            if step.left == 0 {
                let mut shown = judge(step.executor, step.outcome).into_iter();
                let failures = &step.executor.observation().failures;
                let kind = |index: usize| failures.get(index).map(|failure| failure.kind);
                found = shown.find(|(_, shown)| shown == violation).map(|(index, _)| kind(index));
            }
            ControlFlow::Continue(())
        });
        let (affected, decisive) = (found?.and_then(FailureKind::affected), found?.and_then(FailureKind::decisive));
        let is_at_stake = affected.is_none_or(|account| {
            let is_new = !start.has_code(account);
            Self::is_at_stake(harness, &start, account)
                || is_new && self.is_taken_from_others(sequence, account, decisive)
        });
        is_at_stake.then_some(decisive)
    }

    /// Whether the last sender decides what happens to a contract that somebody else had created: in a call of somebody else, and it is there
    /// without any call of theirs as well.
    fn is_taken_from_others(&mut self, sequence: &Sequence, account: Address, decisive: Option<Address>) -> bool {
        let Some(taker) = sequence.transactions.last().map(|last| last.sender) else { return false };
        if decisive != Some(taker) {
            return false;
        }
        let others = sequence.transactions.iter().filter(|transaction| transaction.sender != taker);
        let by_others = Sequence { setup: sequence.setup.clone(), transactions: others.cloned().collect() };
        self.creator(sequence, account).is_some_and(|creator| creator != taker)
            && self.creator(&by_others, account).is_some()
    }

    /// Who sends the call after which a contract is there; none if it is not there after any.
    fn creator(&mut self, sequence: &Sequence, account: Address) -> Option<Address> {
        let mut creator = None;
        let _ = self.harness.run_while(&mut self.executor, sequence, &mut Checkpoints::default(), |step| {
            match step.action {
                Action::Call(call) if step.after.has_code(account) => {
                    creator = Some(call.sender);
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            }
        });
        creator
    }
}
