//! A [`Pace`] is when the client is told of news that results bring: while there is some, and at most once a second.

use super::project::results::Results;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// The least time between two times of telling.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

/// When the client was last told, and whether there is news since.
#[derive(Debug, Default)]
pub(super) struct Pace {
    told: Option<Instant>,
    has_news: bool,
}

impl Pace {
    /// Notes whether there is news.
    pub(super) fn set_news(&mut self, has_news: bool) {
        self.has_news = has_news;
    }

    /// Whether there is news to be told now; then it counts as told.
    pub(super) fn tell(&mut self, now: Instant) -> bool {
        let tells = self.has_news && self.due().is_none_or(|due| now >= due);
        if tells {
            (self.told, self.has_news) = (Some(now), false);
        }
        tells
    }

    /// When there is something to tell, if there is.
    pub(super) fn due(&self) -> Option<Instant> {
        self.told.filter(|_| self.has_news).map(|told| told + MIN_INTERVAL)
    }
}

/// Whether these are the same results, unchanged.
pub(super) fn are_same(before: &[Arc<Results>], now: &[Arc<Results>]) -> bool {
    before.len() == now.len() && before.iter().zip(now).all(|(before, now)| Arc::ptr_eq(before, now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn news_is_told_once_a_second_at_most() {
        let start = Instant::now();
        let mut pace = Pace::default();
        for (milliseconds, has_news, tells, due) in [
            (0, false, false, None),
            (0, true, true, None),
            (10, true, false, Some(1_000)),
            (900, false, false, None),
            (999, true, false, Some(1_000)),
            (1_000, true, true, None),
            (1_500, true, false, Some(2_000)),
        ] {
            let at = |milliseconds| start + Duration::from_millis(milliseconds);
            pace.set_news(has_news);
            assert_eq!((pace.tell(at(milliseconds)), pace.due()), (tells, due.map(at)), "after {milliseconds} ms");
        }
    }
}
