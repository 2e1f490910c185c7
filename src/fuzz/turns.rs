//! A [`Round`] and [`Turns`] decide which waiting task runs next. Each task has a [`Rank`]. Of every eight slices five go to
//! the first rank, two to the second and one to the rest; every other one of the rest goes to tests and mocks. If no task of a
//! rank waits, the first rank with one takes the slice, so that no thread is idle and no task starves. A pool has one round for
//! all of its campaigns; each campaign has its own turns. Slices are counted, never timed.
//!
//! Within a rank tasks take turns. The longer a contract has shown no new code, the more rounds it waits for its next turn, so that
//! slices go where there is something to be found; and where products wait, tests and mocks get some of their slices.

use super::session::Session;
use crate::{compile::Build, harness::Harness};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc};

/// The priority of a contract, by the files that the user works on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It is in the open file.
    Looked,
    /// It is in the file that changed last, or imports it.
    Changed,
    /// Everything else that is a product.
    Rest,
    /// Support code of the products: tests, mocks, examples.
    Support,
}

/// One in this many slices of [`Rank::Rest`] goes to support code, which is one in sixteen of all. Chosen by hand.
const SUPPORT: usize = 2;

/// Support code gets a slice of the products for each so many rounds that they waited, if it waited one round itself. Chosen by
/// hand: where no product has shown anything new for long, support code that does gets every other slice.
const IDLE: u64 = 15;

/// The ranks of eight slices, repeated. Chosen by hand.
const ROUND: [Rank; 8] =
    [Rank::Looked, Rank::Looked, Rank::Changed, Rank::Looked, Rank::Rest, Rank::Looked, Rank::Changed, Rank::Looked];

/// The files that the user works on. By default there are none, and all contracts have the same rank.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// The path of the open file.
    pub looked: Option<PathBuf>,
    /// The path of the file that changed last.
    pub changed: Option<PathBuf>,
}

impl Rank {
    /// All ranks, highest first.
    pub(super) const ALL: [Self; 4] = [Self::Looked, Self::Changed, Self::Rest, Self::Support];
}

/// Counts slices, and gives the rank of the next one.
#[derive(Debug, Default)]
pub(super) struct Round {
    slices: usize,
    /// The rounds that products waited, because they showed nothing new, since support code had a slice.
    idle: u64,
}

impl Round {
    /// The rank of the next slice: the one in the round, or else the highest in which a task waits. `rounds` are those that the
    /// next task of a rank waited. `None` if no task waits.
    pub(super) fn next(&mut self, rounds: impl Fn(Rank) -> Option<u64>) -> Option<Rank> {
        let turn = ROUND[self.slices % ROUND.len()];
        let is_supports = turn == Rank::Rest && (self.slices / ROUND.len()) % SUPPORT == SUPPORT - 1;
        let support = is_supports.then_some(Rank::Support);
        let next = support.into_iter().chain([turn]).chain(Rank::ALL).find(|rank| rounds(*rank).is_some())?;
        self.slices += 1;
        if next != Rank::Rest {
            return Some(next);
        }
        if rounds(Rank::Support).is_some_and(|rounds| self.idle >= rounds * IDLE) {
            self.idle = 0;
            return Some(Rank::Support);
        }
        // An item that was ranked again waited no round.
        self.idle += rounds(next)?.saturating_sub(1);
        Some(next)
    }
}

impl Focus {
    /// The ranks of contracts, by the sources of a build.
    fn ranks(&self, build: &Build) -> Vec<Rank> {
        let changed = self.changed.as_ref().and_then(|changed| build.source_at(changed));
        let affected = changed.map_or_else(Vec::new, |changed| build.dependents_of(changed));
        let rank = |at: usize| {
            if self.looked.as_ref() == Some(&build.sources[at].path) {
                Rank::Looked
            } else if affected.get(at) == Some(&true) {
                Rank::Changed
            } else {
                Rank::Rest
            }
        };
        (0..build.sources.len()).map(rank).collect()
    }
}

/// The ranks of contracts by a [`Focus`], for each build that has fuzzers: usually one.
#[derive(Debug, Default)]
pub(super) struct Ranks {
    focus: Focus,
    by_build: Vec<(Arc<Build>, Vec<Rank>)>,
}

/// Builds whose ranks are kept at most: contracts of files that do not compile belong to older builds. Chosen by hand.
const MAX_BUILDS: usize = 4;

impl Ranks {
    pub(super) fn by(focus: Focus) -> Self {
        Self { focus, by_build: Vec::new() }
    }

    /// The path of the open file.
    pub(super) fn looked(&self) -> Option<&PathBuf> {
        self.focus.looked.as_ref()
    }

    /// The rank of a session. Support code in the open or changed file is ranked like a product.
    pub(super) fn of(&mut self, session: &Session) -> Rank {
        match self.of_subject(&session.harness) {
            Rank::Rest if session.is_support() => Rank::Support,
            rank => rank,
        }
    }

    fn of_subject(&mut self, harness: &Harness) -> Rank {
        let known = self.by_build.iter().position(|(build, _)| Arc::ptr_eq(build, &harness.build));
        let at = known.unwrap_or_else(|| {
            self.by_build.truncate(MAX_BUILDS - 1);
            self.by_build.insert(0, (harness.build.clone(), self.focus.ranks(&harness.build)));
            0
        });
        self.by_build[at].1[harness.compiled().source.0 as usize]
    }
}

/// Waiting items by rank. An item that is pushed after so many rounds waits until each of the others had so many turns.
#[derive(Debug)]
pub(super) struct Turns<T> {
    waiting: [BTreeMap<Turn, T>; Rank::ALL.len()],
    /// The round of each rank.
    rounds: [u64; Rank::ALL.len()],
    arrivals: u64,
}

/// When an item is next: in which round, and in order of arrival.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Turn {
    round: u64,
    arrival: u64,
    /// The rounds after which it is.
    pub(super) rounds: u64,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { waiting: std::array::from_fn(|_| BTreeMap::new()), rounds: Default::default(), arrivals: 0 }
    }
}

impl<T> Turns<T> {
    /// Adds an item to a rank, whose turn is after so many rounds.
    pub(super) fn push(&mut self, rank: Rank, rounds: u64, waiting: T) {
        let turn = Turn { round: self.rounds[rank as usize] + rounds, arrival: self.arrivals, rounds };
        self.arrivals += 1;
        self.waiting[rank as usize].insert(turn, waiting);
    }

    /// The first turn of a rank whose item `may_go`.
    pub(super) fn first(&self, rank: Rank, may_go: impl Fn(&T) -> bool) -> Option<Turn> {
        self.waiting[rank as usize].iter().find(|(_, item)| may_go(item)).map(|(turn, _)| *turn)
    }

    /// Removes the item that has a turn of a rank.
    pub(super) fn take(&mut self, rank: Rank, turn: Turn) -> Option<T> {
        let round = &mut self.rounds[rank as usize];
        *round = turn.round.max(*round);
        self.waiting[rank as usize].remove(&turn)
    }

    /// Removes all items.
    pub(super) fn drain(&mut self) -> impl Iterator<Item = T> {
        self.waiting.iter_mut().flat_map(|waiting| std::mem::take(waiting).into_values())
    }

    /// Recomputes the rank of every item.
    pub(super) fn rank_again(&mut self, mut rank: impl FnMut(&T) -> Rank) {
        for waiting in std::mem::take(&mut self.waiting).into_iter().flat_map(BTreeMap::into_values) {
            self.push(rank(&waiting), 0, waiting);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order in which items get this many slices, if each returns after its slice.
    fn slices(waiting: &[(Rank, char)], count: usize) -> String {
        let waiting: Vec<_> = waiting.iter().map(|(rank, name)| (*rank, *name, 1)).collect();
        slices_after_rounds(&waiting, count)
    }

    /// The same, if the turn of each is after so many rounds.
    fn slices_after_rounds(waiting: &[(Rank, char, u64)], count: usize) -> String {
        let (mut turns, mut round) = (Turns::default(), Round::default());
        waiting.iter().for_each(|one| turns.push(one.0, one.2, *one));
        let mut order = String::new();
        for _ in 0..count {
            let rank = round.next(|rank| turns.first(rank, |_| true).map(|turn| turn.rounds)).unwrap();
            let next = turns.take(rank, turns.first(rank, |_| true).unwrap()).unwrap();
            order.push(next.1);
            turns.push(next.0, next.2, next);
        }
        order
    }

    #[test]
    fn of_eight_slices_five_go_to_the_first_two_to_the_second_and_one_to_the_rest() {
        use Rank::{Changed, Looked, Rest};
        for (waiting, order) in [
            (&[(Looked, 'a'), (Changed, 'b'), (Rest, 'c')][..], "aabacabaaabacaba"),
            (&[(Rest, 'c'), (Changed, 'b'), (Looked, 'a'), (Rest, 'd'), (Looked, 'A')], "aAbacAbaAabAdabA"),
            // If no item of a rank waits, the highest rank with one takes the slice.
            (&[(Changed, 'b'), (Rest, 'c')], "bbbbcbbb"),
            (&[(Looked, 'a'), (Rest, 'c')], "aaaacaaa"),
            (&[(Looked, 'a'), (Changed, 'b')], "aabaaaba"),
        ] {
            assert_eq!(slices(waiting, order.len()), order);
        }
    }

    #[test]
    fn of_sixteen_slices_one_goes_to_support() {
        use Rank::{Looked, Rest, Support};
        for (waiting, order) in [
            (&[(Support, 's'), (Rest, 'c')][..], "ccccccccccccsccc"),
            (&[(Looked, 'a'), (Rest, 'c'), (Support, 's')], "aaaacaaaaaaasaaa"),
            // If nothing else waits, support gets all slices.
            (&[(Support, 's'), (Support, 't')], "stst"),
        ] {
            assert_eq!(slices(waiting, order.len()), order);
        }
    }

    #[test]
    fn equals_take_turns() {
        for rank in Rank::ALL {
            assert_eq!(slices(&[(rank, 'a'), (rank, 'b'), (rank, 'c')], 10), "abcabcabca", "{rank:?}");
        }
    }

    #[test]
    fn who_shows_nothing_new_waits_more_rounds() {
        use Rank::Rest;
        for (waiting, order) in [
            (&[(Rest, 'a', 1), (Rest, 'b', 2)][..], "abaabaabaaba"),
            (&[(Rest, 'a', 1), (Rest, 'b', 4), (Rest, 'c', 2)], "acaabcaacaabca"),
            (&[(Rest, 'a', 3), (Rest, 'b', 3)], "abababab"),
        ] {
            assert_eq!(slices_after_rounds(waiting, order.len()), order);
        }
    }

    #[test]
    fn where_products_show_nothing_new_support_gets_more() {
        use Rank::{Rest, Support};
        let support = |rest: u64, support: u64| {
            let slices = slices_after_rounds(&[(Rest, 'c', rest), (Support, 's', support)], 160);
            slices.matches('s').count()
        };
        let found = [(1, 1), (4, 1), (16, 1), (64, 1), (64, 64)].map(|(rest, supports)| support(rest, supports));
        assert_eq!(found, [10, 35, 85, 85, 18], "of 160 slices");
    }

    #[test]
    fn who_is_ranked_again_waits_no_round() {
        let (mut turns, mut round) = (Turns::default(), Round::default());
        turns.push(Rank::Rest, 64, 'a');
        turns.rank_again(|_| Rank::Rest);
        let rank = round.next(|rank| turns.first(rank, |_| true).map(|turn| turn.rounds));
        assert_eq!((rank, round.idle), (Some(Rank::Rest), 0));
    }

    #[test]
    fn a_rank_can_change_while_others_wait() {
        let mut turns = Turns::default();
        "abc".chars().for_each(|name| turns.push(Rank::Rest, 1, name));
        turns.rank_again(|name| if *name == 'c' { Rank::Looked } else { Rank::Rest });
        let mut take = |rank, may_go: fn(&char) -> bool| {
            let turn = turns.first(rank, may_go)?;
            turns.take(rank, turn)
        };
        assert_eq!(take(Rank::Rest, |name| *name != 'a'), Some('b'));
        assert_eq!(take(Rank::Looked, |_| true), Some('c'));
        assert_eq!(take(Rank::Changed, |_| true), None);
        turns.rank_again(|_| Rank::Changed);
        assert_eq!([Rank::Looked, Rank::Rest].map(|rank| turns.first(rank, |_| true)), [None, None]);
        assert_eq!(turns.drain().collect::<String>(), "a");
    }
}
