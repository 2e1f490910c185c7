//! What a benchmark reports, line by line, and searches side by side.

use std::{
    collections::BTreeMap,
    io::Write,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

const THREADS: usize = 2;

/// A line of the report, at once.
pub fn line(text: &str) {
    let mut out = std::io::stdout().lock();
    // Nobody reads on: there is nobody to tell.
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}

/// A line about what is being done.
pub fn say(text: &str) {
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// A probability in words.
pub fn probability(p: f64) -> String {
    if p < 0.001 { "< 0.001".to_owned() } else { format!("{p:.3}") }
}

/// Does `work` for each number below `count`, several at a time; what came of it, in order.
pub fn parallel<T: Send>(count: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(BTreeMap::new());
    thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = work(number);
                    done.lock().unwrap_or_else(PoisonError::into_inner).insert(number, result);
                }
            });
        }
    });
    done.into_inner().unwrap_or_else(PoisonError::into_inner).into_values().collect()
}
