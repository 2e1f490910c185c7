//! A [`BuildQueue`] decides when builds start. A request after a quiet period starts one at once. All requests that follow
//! soon, or while a build is made, are merged into one more build, which starts once no further request comes for a moment:
//! saving many files, or a formatter that saves again, costs one build.

use std::time::{Duration, Instant};

/// The time without a further request after which a pending build starts; chosen by hand.
const QUIET_PERIOD: Duration = Duration::from_millis(100);
/// The longest time that a pending build is delayed by further requests; chosen by hand. Somebody who saves all the time still
/// gets results.
const MAX_DELAY: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
pub(crate) struct BuildQueue {
    last: u64,
    state: QueueState,
    wanted: Option<PendingBuild>,
    /// The time of the last request.
    asked: Option<Instant>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum QueueState {
    /// The builder waits.
    #[default]
    Idle,
    /// The builder compiles.
    Compiling,
    /// The build is there, and the campaign turns to it.
    Turning,
}

/// A build that has not started.
#[derive(Debug, Clone, Copy)]
struct PendingBuild {
    /// The reason of the first request.
    reason: &'static str,
    /// The time at which it starts, if the builder is idle.
    due: Instant,
    /// The latest value of `due`.
    latest: Instant,
}

impl BuildQueue {
    /// Requests a build.
    pub(crate) fn ask(&mut self, reason: &'static str, now: Instant) {
        let silent = self.asked.replace(now).is_none_or(|asked| asked + QUIET_PERIOD <= now);
        self.wanted = Some(match self.wanted {
            Some(wanted) => PendingBuild { due: wanted.latest.min(now + QUIET_PERIOD), ..wanted },
            None if silent && self.state == QueueState::Idle => PendingBuild { reason, due: now, latest: now },
            None => PendingBuild { reason, due: now + QUIET_PERIOD, latest: now + MAX_DELAY },
        });
    }

    /// Starts the pending build if it is due. Returns its generation and reason.
    pub(crate) fn begin(&mut self, now: Instant) -> Option<(u64, &'static str)> {
        let reason = self.wanted.take_if(|wanted| self.state == QueueState::Idle && wanted.due <= now)?.reason;
        tracing::debug!(reason, "build");
        self.last += 1;
        self.state = QueueState::Compiling;
        Some((self.last, reason))
    }

    /// Notes that the build is there.
    pub(crate) fn built(&mut self) {
        self.state = QueueState::Turning;
    }

    /// The builder waits.
    pub(crate) fn done(&mut self) {
        self.state = QueueState::Idle;
    }

    /// The time at which the pending build is due.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.wanted.filter(|_| self.state == QueueState::Idle).map(|wanted| wanted.due)
    }

    /// Whether the builder is busy.
    pub(crate) fn busy(&self) -> bool {
        self.state != QueueState::Idle
    }

    /// Whether it is making a build.
    pub(crate) fn compiling(&self) -> bool {
        self.state == QueueState::Compiling
    }

    /// Whether a build is pending.
    pub(crate) fn has_pending(&self) -> bool {
        self.wanted.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// When builds begin, in milliseconds, if one is asked for at each of these times and each takes `build`.
    fn begun(asked: impl IntoIterator<Item = u64>, build: u64) -> Vec<u64> {
        let (start, mut queue, mut begun, mut ends) = (Instant::now(), BuildQueue::default(), Vec::new(), None);
        let asked: Vec<u64> = asked.into_iter().collect();
        for now in 0..5_000 {
            if ends == Some(now) {
                queue.built();
                queue.done();
            }
            let time = start + Duration::from_millis(now);
            if asked.contains(&now) {
                queue.ask("saved", time);
            }
            if let Some((generation, _)) = queue.begin(time) {
                begun.push(now);
                ends = Some(now + build);
                assert_eq!(generation, begun.len() as u64);
            }
            assert!(queue.due().is_none_or(|due| due > time), "begun when it was due");
        }
        begun
    }

    #[test]
    fn one_save_waits_for_nothing() {
        assert_eq!(begun([7], 30), [7]);
        assert_eq!(begun([7, 1_000, 2_000], 30), [7, 1_000, 2_000]);
    }

    #[test]
    fn twenty_saves_within_a_tenth_of_a_second_make_two_builds() {
        for (build, second) in [(1, 195), (5, 195), (30, 195), (195, 195), (1_000, 1_000)] {
            assert_eq!(begun((0..20).map(|number| number * 5), build), [0, second], "builds of {build} ms each");
        }
        assert_eq!(begun([0, 10], 1_000), [0, 1_000], "what waited long enough waits no more");
    }

    #[test]
    fn who_saves_all_the_time_gets_builds_all_the_same() {
        assert_eq!(begun((0..100).map(|number| number * 20), 30), [0, 520, 1_040, 1_560, 2_080]);
    }

    #[test]
    fn the_first_who_asked_says_why() {
        let (mut queue, now) = (BuildQueue::default(), Instant::now());
        queue.ask("opened", now);
        assert_eq!(queue.begin(now), Some((1, "opened")));
        queue.ask("saved", now);
        queue.ask("the settings changed", now);
        assert_eq!((queue.begin(now + MAX_DELAY), queue.compiling(), queue.has_pending()), (None, true, true));
        queue.built();
        assert_eq!((queue.busy(), queue.compiling(), queue.due()), (true, false, None));
        queue.done();
        assert_eq!(queue.begin(now + MAX_DELAY), Some((2, "saved")));
    }
}
