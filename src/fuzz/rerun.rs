//! A [`Rerun`] is the call that is run again in the next step, in other circumstances, of all calls that one fuzzer has seen to depend on
//! them.

use crate::{fuzz::findings::is_due, input::CallId};
use std::collections::HashMap;

/// Calls that are run again: on a new path, and else for the less of the calls of a function the more there were.
#[derive(Debug)]
pub(super) struct Rerun<T> {
    next: Option<T>,
    times: HashMap<CallId, u64>,
}

impl<T> Default for Rerun<T> {
    fn default() -> Self {
        Self { next: None, times: HashMap::default() }
    }
}

impl<T> Rerun<T> {
    /// Notes a call of a function, which is made with the number of such calls so far, this one included; none if this one cannot be run
    /// in other circumstances.
    pub(super) fn note(&mut self, function: CallId, new_path: bool, call: impl FnOnce(u64) -> Option<T>) {
        let times = self.times.entry(function).or_default();
        *times += 1;
        if self.next.is_none() && (new_path || is_due(*times)) {
            self.next = call(*times);
        }
    }

    /// The call to run again, which is then forgotten.
    pub(super) fn take(&mut self) -> Option<T> {
        self.next.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::FunctionId;

    fn function(number: u16) -> CallId {
        CallId::main(FunctionId(number))
    }

    /// The numbers of the calls that are run again, of this many calls of one function.
    fn rerun(calls: u64, is_new: impl Fn(u64) -> bool) -> Vec<u64> {
        let mut rerun = Rerun::default();
        let noted = (1..=calls).filter_map(|call| {
            rerun.note(function(0), is_new(call), Some);
            rerun.take()
        });
        noted.collect()
    }

    #[test]
    fn the_more_calls_there_were_the_less_are_run_again() {
        assert_eq!(rerun(100, |_| false), [1, 2, 4, 8, 16, 27, 32, 64]);
    }

    #[test]
    fn a_call_on_a_new_path_is_run_again_always() {
        assert_eq!(rerun(8, |call| call > 5), [1, 2, 4, 6, 7, 8]);
    }

    #[test]
    fn each_function_counts_for_itself_and_one_call_waits_at_most() {
        let mut rerun = Rerun::default();
        rerun.note(function(0), false, |times| Some(("first", times)));
        rerun.note(function(1), true, |times| Some(("second", times)));
        assert_eq!(rerun.take(), Some(("first", 1)));
        assert_eq!(rerun.take(), None);
        rerun.note(function(1), false, |times| Some(("second", times)));
        assert_eq!(rerun.take(), Some(("second", 2)));
    }
}
