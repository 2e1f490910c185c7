//! Waiting for what nothing tells of: processes that are not ours to wait for, threads of another process, files that it writes.

use std::{
    fmt::Display,
    time::{Duration, Instant},
};

/// Longer than anything takes but a defect, on a machine that is busy with other tests.
const PATIENCE: Duration = Duration::from_secs(240);

/// Time between two looks: short beside what is waited for, long enough to leave the processor to it.
const PAUSE: Duration = Duration::from_millis(5);

/// Looks again and again until there is something.
#[track_caller]
pub fn poll<T>(what: impl Display, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "waited in vain for {what}");
        std::thread::sleep(PAUSE);
    }
}

/// Looks again and again until it is so.
#[track_caller]
pub fn poll_until(what: impl Display, mut is_so: impl FnMut() -> bool) {
    poll(what, || is_so().then_some(()));
}
