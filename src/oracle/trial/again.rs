//! Claims that are paid again and again: the same call, or all calls of whoever claims something, made once more at the same time, brings as
//! much each time, and nothing is written down.

use super::{
    confirmed::Trial,
    ended::Ended,
    theft::{MAX_NUMBER, Share, Theft},
};
use crate::{
    evm::Snapshot,
    input::{EnvStep, Transaction},
    oracle::violation::Violation,
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// How many times a call is made once more. Chosen by hand: a gain that is the same three times has no end.
const TIMES: usize = 3;
/// How many times as much others pay in, or as often, so that there is enough for that. Chosen by hand.
const PAYMENTS: usize = 8;

/// What others pay in.
#[derive(Debug, Clone, Copy)]
enum Others {
    AsTheyAre,
    MoreOften,
    More,
    /// As often for what else has a number.
    ForMore,
}

impl Trial<'_> {
    /// Ether or tokens that the thief, who makes the last of these transactions, takes by making one of the calls several times: each
    /// time they get as much, in the end they have more than they began with, and no storage tells that they did it.
    pub(super) fn paid_again(
        &mut self,
        attack: &[Transaction],
        token: Option<Address>,
        violation: &Violation,
    ) -> Option<Theft> {
        let thief = attack.last().map(|last| last.sender);
        let is_free = |transaction: &Transaction| transaction.value.is_zero() && transaction.reaction.is_none();
        // What was made several times already is made once, and then again.
        let mut attack = attack.to_vec();
        attack.dedup_by(|one, other| is_free(other) && one == other && Some(other.sender) == thief);
        let is_free = |index: &usize| is_free(&attack[*index]);
        let free: Vec<usize> = (0..attack.len()).rev().filter(is_free).collect();
        let of_others = [Others::AsTheyAre, Others::MoreOften, Others::More, Others::ForMore];
        let ways = of_others.into_iter().flat_map(|others| free.iter().map(move |index| (*index, others)));
        ways.into_iter().find_map(|(index, others)| self.paid_each_time(&attack, index, others, token, violation))
    }

    /// The theft that it is to make one of these transactions several times.
    fn paid_each_time(
        &mut self,
        attack: &[Transaction],
        index: usize,
        others: Others,
        token: Option<Address>,
        violation: &Violation,
    ) -> Option<Theft> {
        let thief = attack.last()?.sender;
        let again = Transaction { sender: thief, env: EnvStep::default(), ..attack[index].clone() };
        let repeated = |times: usize| {
            let (first, rest) = attack.split_at(index + 1);
            [first, &vec![again.clone(); times], rest].concat()
        };
        let start = self.last.as_ref()?.start.clone();
        let had = self.wealth(&start, thief, token)?;
        let is_last = index + 1 == attack.len();
        let mut before: Option<(U256, Ended)> = None;
        let mut each = None;
        for times in 0..=TIMES {
            let ended = self.end(self.with_others(repeated(times), others, token), violation);
            let ended = ended.filter(Ended::succeeds)?;
            let has = self.wealth(&ended.after, thief, token)?;
            if let Some((had, known)) = before {
                let gain = has.checked_sub(had).filter(|gain| !gain.is_zero())?;
                let is_moved = Self::is_only_moved(&known.after, &ended.after, gain, (thief, token));
                // What was made again brings it at once, or a credit that is taken at the end.
                let is_here = is_last || self.paid_last(&ended, thief, token) != self.paid_last(&known, thief, token);
                if each.is_some_and(|each| each != gain) || !is_moved || !is_here {
                    return None;
                }
                each = Some(gain);
            }
            before = Some((has, ended));
        }
        // There may be enough without that the others pay more.
        let all =
            [Others::AsTheyAre, others].into_iter().flat_map(|others| (1..=TIMES).map(move |times| (times, others)));
        let attack = all.into_iter().find_map(|(times, others)| {
            let attack = self.with_others(repeated(times), others, token);
            let ended =
                self.end(attack.clone(), violation).filter(|ended| ended.succeeds() && ended.shown.is_some())?;
            (self.wealth(&ended.after, thief, token)? > had).then_some(attack)
        })?;
        Some(Theft { token, taken: each?, share: Share::EachTime, only_first: false, attack })
    }

    /// Ether that the thief takes who makes all of their own calls, with what they pay in, several times: each round ends with as much more
    /// than they had before it, and nothing that is stored tells that there was one. It has to be done at once.
    pub(super) fn gains_each_round(&mut self, attack: &[Transaction], violation: &Violation) -> Option<Theft> {
        let thief = attack.last()?.sender;
        let first = attack.iter().position(|transaction| transaction.sender == thief)?;
        let (others, own) = attack.split_at(first);
        let again: Vec<Transaction> =
            own.iter().map(|transaction| Transaction { env: EnvStep::default(), ..transaction.clone() }).collect();
        let rounds = |times: usize| [others, own, &vec![again.clone(); times].concat()].concat();
        [Others::AsTheyAre, Others::MoreOften, Others::More].into_iter().find_map(|others| {
            let mut before: Option<Ended> = None;
            let mut each = None;
            for times in 0..=TIMES {
                let ended = self.end(self.with_others(rounds(times), others, None), violation);
                let ended = ended.filter(Ended::succeeds)?;
                if let Some(before) = before {
                    let [had, has] = [&before, &ended].map(|ended| ended.after.balance(thief));
                    let gain = has.checked_sub(had).filter(|gain| !gain.is_zero())?;
                    let is_moved = Self::is_only_moved(&before.after, &ended.after, gain, (thief, None));
                    if each.is_some_and(|each| each != gain) || !is_moved {
                        return None;
                    }
                    each = Some(gain);
                }
                before = Some(ended);
            }
            Some(Theft {
                token: None,
                taken: each?,
                share: Share::EachRound,
                only_first: false,
                attack: attack.to_vec(),
            })
        })
    }

    /// The same transactions, in which everybody but the thief pays in what these others do.
    fn with_others(&self, attack: Vec<Transaction>, others: Others, token: Option<Address>) -> Vec<Transaction> {
        let Some(thief) = attack.last().map(|last| last.sender) else { return attack };
        let pays_in = |other: &Transaction| other.sender != thief && (token.is_some() || !other.value.is_zero());
        let free = match others {
            Others::ForMore => self.free_numbers(&attack),
            Others::AsTheyAre | Others::MoreOften | Others::More => Vec::new(),
        };
        let paid_in = attack.into_iter().flat_map(|mut transaction| match others {
            Others::More if pays_in(&transaction) => {
                transaction.value = transaction.value.saturating_mul(U256::from(PAYMENTS));
                if token.is_some() {
                    self.set_amounts(&mut transaction, |amount| amount.saturating_mul(U256::from(PAYMENTS)));
                }
                vec![transaction]
            }
            Others::MoreOften if pays_in(&transaction) => vec![transaction; PAYMENTS],
            Others::ForMore if pays_in(&transaction) => {
                let mut all = vec![transaction.clone()];
                let numbered = free.iter().map(|number| self.numbered(&transaction, *number));
                all.extend(numbered.filter(|other| *other != transaction));
                all
            }
            Others::AsTheyAre | Others::MoreOften | Others::More | Others::ForMore => vec![transaction],
        });
        paid_in.collect()
    }

    /// The lowest numbers that none of the transactions has among its words.
    fn free_numbers(&self, transactions: &[Transaction]) -> Vec<U256> {
        let words = transactions.iter().flat_map(|transaction| transaction.words(&self.harness.calls));
        let taken: BTreeSet<U256> = words.map(|(_, word)| word).collect();
        (0..).map(U256::from).filter(|number| !taken.contains(number)).take(TIMES).collect()
    }

    /// The same call for what has this number.
    fn numbered(&self, transaction: &Transaction, number: U256) -> Transaction {
        let mut numbered = transaction.clone();
        numbered.replace_arguments(&self.harness.calls, |word| (word <= MAX_NUMBER).then_some(number));
        numbered
    }

    /// Whether nothing differs between two states but that somebody else has so much less, and the thief so much more.
    fn is_only_moved(one: &Snapshot, other: &Snapshot, gain: U256, (thief, token): (Address, Option<Address>)) -> bool {
        let changes: Vec<_> = one.changes(other).into_iter().filter(|(account, ..)| *account != thief).collect();
        let is_payment = |was: U256, is: U256| is.checked_sub(was) == Some(gain);
        match (token, &changes[..]) {
            (None, []) => true,
            (Some(token), [(of, _, first, then), (also_of, _, second, later)]) => {
                [of, also_of].into_iter().all(|account| *account == token)
                    && (is_payment(*first, *then) && is_payment(*later, *second)
                        || is_payment(*then, *first) && is_payment(*second, *later))
            }
            _ => false,
        }
    }

    /// What the last call brings the thief.
    fn paid_last(&mut self, ended: &Ended, thief: Address, token: Option<Address>) -> Option<U256> {
        let [had, has] = [&ended.before, &ended.after].map(|state| self.wealth(state, thief, token));
        has?.checked_sub(had?)
    }

    /// The ether or tokens of an account.
    fn wealth(&mut self, state: &Snapshot, of: Address, token: Option<Address>) -> Option<U256> {
        match token {
            None => Some(state.balance(of)),
            Some(token) => self.tokens_of(token, state, of),
        }
    }
}
