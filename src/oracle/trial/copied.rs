//! Copies: a call that is paid for what only its sender knew, made by somebody else who saw it before it was mined.

use super::{confirmed::Trial, ended::Ended, theft::taken};
use crate::{
    evm::{CallTarget, FailureKind},
    harness::Action,
    input::Transaction,
    oracle::violation::Violation,
    world::users,
};
use alloy_primitives::{Address, Bytes, U256};

/// Ether that a user takes who copies the call of somebody else.
#[derive(Debug, Clone)]
pub struct Copied {
    /// How much, in wei.
    pub taken: U256,
    /// Whose call is copied.
    pub author: Address,
    /// The transactions, of which the last one is the copy.
    pub attack: Vec<Transaction>,
}

impl Trial<'_> {
    /// The ether that a user takes where the violation is who makes the same call as the last one right before it. The author of that
    /// call gets nothing any more, and what is passed was known by its hash alone, so that nobody could have made the call who had not
    /// seen it.
    pub fn copied(&mut self, violation: &Violation) -> Option<Copied> {
        let original = self.sequence.transactions.last()?.clone();
        if !self.passes_secret(&original) {
            return None;
        }
        self.shorten(violation);
        let mut before = self.sequence.transactions.clone();
        before.pop();
        let takes_part = |account: &Address| before.iter().any(|transaction| transaction.sender == *account);
        let mut others = users().filter(|user| !takes_part(user));
        let (author, copier) = (others.next()?, others.next()?);
        let [own, copy] = [author, copier].map(|sender| Transaction { sender, ..original.clone() });
        let with = |calls: &[&Transaction]| -> Vec<Transaction> {
            before.iter().chain(calls.iter().copied()).cloned().collect()
        };
        self.paid(&with(&[&own]), author, violation)?;
        let attack = with(&[&copy]);
        let (ended, payer, taken) = self.paid(&attack, copier, violation)?;
        // That there is no more ether is not what keeps the author from it.
        let all = ended.before.balance(payer).saturating_add(ended.after.balance(payer));
        let is_paid_as_well =
            self.taken_by(&ended.after.with_balance(payer, all), &own).is_some_and(|own| !own.is_zero());
        (!is_paid_as_well).then_some(Copied { taken, author, attack })
    }

    /// How these transactions end, by which account somebody is paid where the violation is, and how much.
    fn paid(
        &mut self,
        transactions: &[Transaction],
        who: Address,
        violation: &Violation,
    ) -> Option<(Ended, Address, U256)> {
        let ended = self.end(transactions.to_vec(), violation)?;
        let Some(FailureKind::CallOut { account, to, .. }) = ended.shown else { return None };
        let taken = taken(who, &ended.before, &ended.after).filter(|taken| to == who && !taken.is_zero())?;
        Some((ended, account, taken))
    }

    /// Whether a call passes what was known by its hash alone: a part of it is hashed, and the hash is compared with one that is the same.
    /// No earlier call of the sequence passes it.
    fn passes_secret(&mut self, transaction: &Transaction) -> bool {
        let Some(before) = self.last.as_ref().map(|last| last.before.clone()) else { return false };
        let hashed = self.preimages(&before, transaction);
        let comparisons = &self.executor.observation().comparisons;
        let is_compared = |hash: U256| comparisons.iter().any(|it| it.left == hash && it.right == hash);
        let passed =
            |transaction: &Transaction| match self.harness.call(Action::Call(transaction), before.moment()).target {
                CallTarget::Account(_, data) => data,
                CallTarget::Create(..) => Bytes::default(),
            };
        let (last, earlier) = (passed(transaction), self.sequence.transactions.split_last());
        let earlier: Vec<Bytes> = earlier.map(|(_, earlier)| earlier.iter().map(passed).collect()).unwrap_or_default();
        let contains = |data: &Bytes, part: &[u8]| data.windows(part.len()).any(|bytes| bytes == part);
        hashed.iter().any(|preimage| {
            let part = &preimage.bytes[..];
            !part.is_empty()
                && is_compared(U256::from_be_bytes(preimage.hash.0))
                && contains(&last, part)
                && !earlier.iter().any(|data| contains(data, part))
        })
    }
}
