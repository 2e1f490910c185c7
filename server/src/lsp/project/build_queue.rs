//! [`BuildQueue`] are which builds are wanted and which one is made. What is asked for after a while of silence is made at once. Of all
//! that is asked for soon after that, or while a build is made, one build more is made, and only when no more is asked for a moment:
//! whoever saves many files, or has a formatter save once more, gets one build of all of them.

use std::time::{Duration, Instant};

/// So long nothing more may be asked for.
const QUIET_PERIOD: Duration = Duration::from_millis(100);
/// And so long it is waited for at most: who saves all the time sees something all the same.
const MAX_DELAY: Duration = Duration::from_millis(500);

#[derive(Debug, Default)]
pub(crate) struct BuildQueue {
    last: u64,
    state: QueueState,
    wanted: Option<PendingBuild>,
    /// When something was asked for last.
    asked: Option<Instant>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
enum QueueState {
    /// The builder waits.
    #[default]
    Idle,
    /// Nothing was built yet of the order that is made.
    Compiling,
    /// It was, and the campaign turns to it.
    Turning,
}

/// A build that is not begun yet.
#[derive(Debug, Clone, Copy)]
struct PendingBuild {
    /// Why, in the words of the first who asked.
    reason: &'static str,
    /// When it is begun, if the builder waits.
    due: Instant,
    /// The latest time for that.
    latest: Instant,
}

impl BuildQueue {
    /// Asks for a build.
    pub(crate) fn ask(&mut self, reason: &'static str, now: Instant) {
        let silent = self.asked.replace(now).is_none_or(|asked| asked + QUIET_PERIOD <= now);
        self.wanted = Some(match self.wanted {
            Some(wanted) => PendingBuild { due: wanted.latest.min(now + QUIET_PERIOD), ..wanted },
            None if silent && self.state == QueueState::Idle => PendingBuild { reason, due: now, latest: now },
            None => PendingBuild { reason, due: now + QUIET_PERIOD, latest: now + MAX_DELAY },
        });
    }

    /// What is to be made now, if it is time: its generation, and why.
    pub(crate) fn begin(&mut self, now: Instant) -> Option<(u64, &'static str)> {
        let reason = self.wanted.take_if(|wanted| self.state == QueueState::Idle && wanted.due <= now)?.reason;
        tracing::debug!(reason, "build");
        self.last += 1;
        self.state = QueueState::Compiling;
        Some((self.last, reason))
    }

    /// There is a build.
    pub(crate) fn built(&mut self) {
        self.state = QueueState::Turning;
    }

    /// The builder waits.
    pub(crate) fn done(&mut self) {
        self.state = QueueState::Idle;
    }

    /// When to look again: nothing tells when a moment is over.
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

    /// Whether another build is wanted.
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
