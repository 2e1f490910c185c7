//! Moved blocks: the last call in other blocks that whoever proposes one may choose.

use super::confirmed::Trial;
use crate::{
    evm::{Call, FailureKind, Moment, Outcome, Snapshot, Status, block_hash},
    harness::Action,
    input::{InstanceId, Transaction},
    oracle::{
        evidence::{Evidence, Getter, Replay},
        violation::Violation,
    },
    world::{ACTORS, World},
};
use alloy_primitives::{Address, B256, U256};
use std::collections::BTreeSet;

/// Seconds that a block may be earlier or later, and blocks that a call may wait; chosen by hand. A proposer chooses within one
/// slot, and whoever sends a transaction chooses when.
const MOST: i64 = 15;

/// What is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mover {
    /// The time of the block.
    Seconds,
    /// Its number, and with it what it says of randomness.
    Blocks,
}

/// Another block in which the last call pays others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moved {
    /// The block.
    pub moment: Moment,
    /// Seconds or blocks between the two; negative if the other one is earlier.
    pub by: i64,
    /// Somebody who is paid in one of the two only.
    pub who: Address,
    /// Whether they are paid in the block of the sequence.
    pub is_paid: bool,
    /// The token that they are paid in; none for ether.
    pub token: Option<Address>,
}

impl Trial<'_> {
    /// Another block in which the last call pays others, if that goes back and forth from block to block, or is decided by a hash of
    /// what the block says, and the transactions that show it. None if it changes once, as at a deadline, or only how much is paid. Who
    /// paid in by the same call may be anybody: each of them is somebody else, too.
    pub fn moved(&mut self, mover: Mover, violation: &Violation) -> Option<(Moved, Vec<Transaction>)> {
        let shown = self.sequence.transactions.clone();
        if shown.last()?.reaction.is_some() {
            return None;
        }
        let token = match self.end(shown.clone(), violation)?.shown? {
            FailureKind::TokenMove { token, .. } => Some(token),
            _ => None,
        };
        let by_others = self.paid_in_by_others(&shown);
        std::iter::once(shown).chain(by_others).find_map(|transactions| {
            let last = transactions.last()?.clone();
            let before = self.end(transactions.clone(), violation)?.before;
            Some((self.moved_on(mover, token, &before, &last)?, transactions))
        })
    }

    /// The transactions, in which the same payment is made by another user each time; none if that is the same.
    fn paid_in_by_others(&self, transactions: &[Transaction]) -> Option<Vec<Transaction>> {
        let users: Vec<Address> = World::senders();
        let mut others = transactions.to_vec();
        for index in 0..others.len() {
            let is_same = |other: &&Transaction| other.call == transactions[index].call;
            let earlier = transactions[..index].iter().filter(is_same).count();
            if !transactions[index].value.is_zero() {
                others[index].sender = users[earlier % users.len()];
            }
        }
        (others != transactions).then_some(others)
    }

    fn moved_on(
        &mut self,
        mover: Mover,
        token: Option<Address>,
        before: &Snapshot,
        last: &Transaction,
    ) -> Option<Moved> {
        let now = self.harness.call(Action::Call(last), before.moment()).moment;
        let mut blocks: Vec<(i64, Moment)> = mover.others(now, before.moment()).chain([(0, now)]).collect();
        blocks.sort_unstable_by_key(|(by, _)| *by);
        let paid = blocks
            .into_iter()
            .filter_map(|(by, moment)| Some((by, moment, self.paid_at(before, last, moment, token)?)));
        let paid: Vec<(i64, Moment, BTreeSet<Address>)> = paid.collect();
        // What is earned with time is paid to one sooner and to the other later, each of them from some block on.
        let changes_of = |account: Address| {
            let has = |(.., paid): &(i64, Moment, BTreeSet<Address>)| paid.contains(&account);
            paid.windows(2).filter(|pair| has(&pair[0]) != has(&pair[1])).count()
        };
        let changes = ACTORS.iter().map(|actor| changes_of(actor.address)).max().unwrap_or(0);
        let (.., here) = paid.iter().find(|(by, ..)| *by == 0)?;
        if changes == 0 || changes == 1 && !self.hashes_block(mover, before, last, now) {
            return None;
        }
        let others = paid.iter().filter(|(.., there)| there != here);
        let (by, moment, there) = others.min_by_key(|(by, ..)| (by.unsigned_abs(), *by < 0))?;
        let who = *here.symmetric_difference(there).next()?;
        Some(Moved { moment: *moment, by: *by, who, is_paid: here.contains(&who), token })
    }

    /// Whether the last call computes a hash of what is moved, as for a number that nobody can guess. That a mapping has it as a key is
    /// none of these.
    fn hashes_block(&mut self, mover: Mover, before: &Snapshot, last: &Transaction, now: Moment) -> bool {
        let words = mover.words(now);
        let has = |bytes: &[u8]| words.iter().any(|word| bytes.windows(32).any(|part| part == word.as_slice()));
        let is_slot = |word: &[u8]| word[..24].iter().all(|byte| *byte == 0) && !has(word);
        let is_key = |bytes: &[u8]| bytes.len() == 64 && is_slot(&bytes[32..]);
        self.preimages(before, last).iter().any(|preimage| has(&preimage.bytes) && !is_key(&preimage.bytes))
    }

    /// Who has more ether after the last call in a block, what the sender pays left aside, or more of a token; none if it fails there.
    fn paid_at(
        &mut self,
        before: &Snapshot,
        last: &Transaction,
        moment: Moment,
        token: Option<Address>,
    ) -> Option<BTreeSet<Address>> {
        let mut call = self.harness.call(Action::Call(last), before.moment());
        call.moment = moment;
        let outcome = self.executor.run(before, &call);
        let after = self.executor.after();
        let is_paid = |account: &Address| is_paid_in(token, *account, &call, &outcome, [before, after]);
        let paid = || ACTORS.iter().map(|actor| actor.address).filter(is_paid).collect();
        (outcome.status == Status::Success).then(paid)
    }
}

/// Whether an account has more ether after a call, what it sends left aside.
fn is_paid(account: Address, call: &Call, before: &Snapshot, after: &Snapshot) -> bool {
    let sent = if account == call.sender { call.value } else { U256::ZERO };
    after.balance(account).saturating_add(sent) > before.balance(account)
}

/// The same, or whether it gets more of a token than it gives.
fn is_paid_in(
    token: Option<Address>,
    account: Address,
    call: &Call,
    outcome: &Outcome,
    states: [&Snapshot; 2],
) -> bool {
    let [before, after] = states;
    match token {
        Some(token) => outcome.gives_tokens(token, account),
        None => is_paid(account, call, before, after),
    }
}

impl Mover {
    /// Other blocks, each with how much later it is than `now`, the nearest first: none is earlier than the one before it.
    fn others(self, now: Moment, before: Moment) -> impl Iterator<Item = (i64, Moment)> {
        let others = (1..=MOST).flat_map(|by| [by, -by]).map(move |by| (by, self.moved(now, by)));
        others.filter(move |(_, other)| other.timestamp >= before.timestamp && other.number >= before.number)
    }

    /// What a block says of it, as words of 32 bytes: contracts hash those.
    fn words(self, now: Moment) -> Vec<B256> {
        let word = |number: u64| B256::from(U256::from(number));
        match self {
            Self::Seconds => vec![word(now.timestamp)],
            Self::Blocks => {
                let mut words = vec![word(now.number), block_hash(now.number.saturating_sub(1))];
                // Zeros are everywhere.
                words.extend((!now.prevrandao.is_zero()).then(|| B256::from(now.prevrandao)));
                words
            }
        }
    }

    /// The block that is so much later.
    fn moved(self, now: Moment, by: i64) -> Moment {
        match self {
            Self::Seconds => Moment { timestamp: now.timestamp.saturating_add_signed(by), ..now },
            Self::Blocks => {
                let number = now.number.saturating_add_signed(by);
                let prevrandao = alloy_primitives::keccak256(number.to_be_bytes()).into();
                Moment { number, prevrandao, ..now }
            }
        }
    }
}

impl Replay<'_> {
    /// Whether an account has more ether afterwards, what it sends left aside.
    pub(in crate::oracle) fn pays(&self, account: Address) -> bool {
        is_paid(account, &self.call, &self.before, &self.after)
    }

    /// Another block in which somebody who is paid is not, in ether or in a token.
    pub(in crate::oracle) fn moved(&self, mover: Mover, who: Address, token: Option<InstanceId>) -> Option<Evidence> {
        let mut executor = self.harness.executor();
        mover.others(self.call.moment, self.before.moment()).map(|(_, moment)| moment).find_map(|moment| {
            let call = Call { moment, ..self.call.clone() };
            let outcome = executor.run(&self.before, &call);
            let address = token.map(|token| self.harness.calls.instance(token).address);
            let is_paid = is_paid_in(address, who, &call, &outcome, [&self.before, executor.after()]);
            let tokens = token.map(|token| Getter::balance(token, who));
            (outcome.status == Status::Success && !is_paid).then_some(Evidence::Moved { moment, who, tokens })
        })
    }
}
