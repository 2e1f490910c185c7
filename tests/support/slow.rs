//! The slow tier: tests with real editors, with code through the IR, and of long days. They run only if `BELLWETHER_SLOW=1` asks for them.

use std::{io::Write, panic::Location};

/// Whether slow tests are to run. Otherwise says on standard error which test is skipped and how to run it.
#[track_caller]
pub fn is_asked() -> bool {
    is_asked_for("")
}

/// The same for a part of a test, such as ` through the IR`.
#[track_caller]
pub fn is_asked_for(part: &str) -> bool {
    let is_asked = std::env::var_os("BELLWETHER_SLOW").is_some_and(|value| value == "1");
    if !is_asked {
        let (thread, caller) = (std::thread::current(), Location::caller());
        let test = thread.name().unwrap_or("a test");
        // Not through a printing macro: of those the harness shows nothing unless the test fails.
        let _ = writeln!(
            std::io::stderr(),
            "skipped {test}{part} ({}), which is slow: run it with BELLWETHER_SLOW=1 cargo test --workspace",
            caller.file()
        );
    }
    is_asked
}
