//! A [`Price`] is what an hour of a machine costs.

use std::time::Duration;

const SECONDS_PER_HOUR: f64 = 3600.0;

/// What an hour of a machine costs, in whatever currency.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Price(pub(crate) f64);

impl Price {
    /// What so much time costs.
    pub(super) fn of(self, time: Duration) -> f64 {
        time.as_secs_f64() / SECONDS_PER_HOUR * self.0
    }

    /// The time that an amount pays for; none if that is no time, or too much.
    pub(crate) fn time_for(self, amount: f64) -> Option<Duration> {
        Duration::try_from_secs_f64(amount / self.0 * SECONDS_PER_HOUR).ok()
    }
}
