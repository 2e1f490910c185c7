//! A [`Budget`] is what a run may still use. Projects take shares of it, one after the other.

use std::time::Duration;

/// The transactions and the time that are left, each if it is limited.
#[derive(Debug, Clone, Copy)]
pub(super) struct Budget {
    pub(super) executions: Option<u64>,
    pub(super) time: Option<Duration>,
}

impl Budget {
    /// The share of `contracts` contracts out of `all`.
    pub(super) fn share(&self, contracts: u64, all: u64) -> Self {
        let of = |whole: u64| (u128::from(whole) * u128::from(contracts) / u128::from(all.max(1))) as u64;
        Self {
            executions: self.executions.map(of),
            time: self.time.map(|time| Duration::from_micros(of(time.as_micros() as u64))),
        }
    }

    /// Allows no more than this time.
    pub(super) fn allow(&mut self, time: Duration) {
        self.time = Some(self.time.map_or(time, |left| left.min(time)));
    }

    /// Takes off what was used.
    pub(super) fn spend(&mut self, executions: u64, time: Duration) {
        self.executions = self.executions.map(|left| left.saturating_sub(executions));
        self.time = self.time.map(|left| left.saturating_sub(time));
    }
}
