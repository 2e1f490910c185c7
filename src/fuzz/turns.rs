//! [`Turns`] decide which of the lanes that wait goes next. Each has a [`Rank`], and of every eight slices five go to the
//! first rank, two to the second and one to the rest; where nobody of a rank waits, the next in line takes its slice, so
//! that no thread rests and nobody starves. It is counted, never timed. Within a rank it is first come, first served, and
//! where all have the same rank, as on the command line, nothing else counts.

use crate::{compile::Build, subject::Subject};
use std::{collections::VecDeque, path::PathBuf};

/// How near a contract is to what somebody is working on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Rank {
    /// It is in the file that is being looked at.
    Looked,
    /// It is in the file that changed last, or imports it.
    Changed,
    /// Everything else.
    Rest,
}

/// Whose turn it is, again and again.
const ROUND: [Rank; 8] =
    [Rank::Looked, Rank::Looked, Rank::Changed, Rank::Looked, Rank::Rest, Rank::Looked, Rank::Changed, Rank::Looked];

/// What somebody is working on, by paths. Nothing, the default, makes all contracts equal.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Focus {
    /// The file that is being looked at.
    pub looked: Option<PathBuf>,
    /// The file that changed last.
    pub changed: Option<PathBuf>,
}

impl Focus {
    /// The rank of a contract.
    pub(super) fn rank(&self, subject: &Subject) -> Rank {
        let (build, source): (&Build, _) = (&subject.build, subject.compiled().source);
        if self.looked.as_ref() == Some(&build.source(source).path) {
            Rank::Looked
        } else if self.changed.as_ref().is_some_and(|changed| build.depends_on(source, changed)) {
            Rank::Changed
        } else {
            Rank::Rest
        }
    }
}

/// Those who wait, in the order in which they came.
#[derive(Debug)]
pub(super) struct Turns<T> {
    waiting: [VecDeque<T>; 3],
    slices: usize,
}

impl<T> Default for Turns<T> {
    fn default() -> Self {
        Self { waiting: [VecDeque::new(), VecDeque::new(), VecDeque::new()], slices: 0 }
    }
}

impl<T> Turns<T> {
    pub(super) fn is_empty(&self) -> bool {
        self.waiting.iter().all(VecDeque::is_empty)
    }

    /// Lets it wait behind the others of its rank.
    pub(super) fn push(&mut self, rank: Rank, waiting: T) {
        self.waiting[rank as usize].push_back(waiting);
    }

    /// Who goes next.
    pub(super) fn pop(&mut self) -> Option<T> {
        let turn = ROUND[self.slices % ROUND.len()];
        let next = self.waiting[turn as usize].pop_front();
        let next = next.or_else(|| self.waiting.iter_mut().find_map(VecDeque::pop_front))?;
        self.slices += 1;
        Some(next)
    }

    /// Gives everybody who waits the rank that they have now.
    pub(super) fn rank_again(&mut self, rank: impl Fn(&T) -> Rank) {
        for waiting in std::mem::take(&mut self.waiting).into_iter().flatten() {
            self.push(rank(&waiting), waiting);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Who gets so many slices, when everybody comes back after each.
    fn slices(waiting: &[(Rank, char)], count: usize) -> String {
        let mut turns = Turns::default();
        waiting.iter().for_each(|one| turns.push(one.0, *one));
        let mut order = String::new();
        for _ in 0..count {
            let next = turns.pop().unwrap();
            order.push(next.1);
            turns.push(next.0, next);
        }
        order
    }

    #[test]
    fn of_eight_slices_five_go_to_the_first_two_to_the_second_and_one_to_the_rest() {
        use Rank::{Changed, Looked, Rest};
        for (waiting, order) in [
            (&[(Looked, 'a'), (Changed, 'b'), (Rest, 'c')][..], "aabacabaaabacaba"),
            (&[(Rest, 'c'), (Changed, 'b'), (Looked, 'a'), (Rest, 'd'), (Looked, 'A')], "aAbacAbaAabAdabA"),
            // Where nobody of a rank waits, the next in line goes.
            (&[(Changed, 'b'), (Rest, 'c')], "bbbbcbbb"),
            (&[(Looked, 'a'), (Rest, 'c')], "aaaacaaa"),
            (&[(Looked, 'a'), (Changed, 'b')], "aabaaaba"),
        ] {
            assert_eq!(slices(waiting, order.len()), order);
        }
    }

    #[test]
    fn equals_take_turns() {
        for rank in [Rank::Looked, Rank::Changed, Rank::Rest] {
            assert_eq!(slices(&[(rank, 'a'), (rank, 'b'), (rank, 'c')], 10), "abcabcabca", "{rank:?}");
        }
    }

    #[test]
    fn a_rank_can_change_while_others_wait() {
        let mut turns = Turns::default();
        "abc".chars().for_each(|name| turns.push(Rank::Rest, name));
        turns.rank_again(|name| if *name == 'c' { Rank::Looked } else { Rank::Rest });
        assert_eq!(turns.pop(), Some('c'));
        turns.rank_again(|_| Rank::Changed);
        assert_eq!((turns.pop(), turns.pop(), turns.pop()), (Some('a'), Some('b'), None));
        assert!(turns.is_empty());
    }
}
