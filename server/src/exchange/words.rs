//! An error of a store in one line.

use std::error::Error;

/// An error in one line, with its causes.
pub(super) fn words(error: &dyn Error) -> String {
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_words = inner.to_string();
        if !words.contains(&inner_words) {
            words += &format!(": {inner_words}");
        }
        cause = inner.source();
    }
    words.split_whitespace().collect::<Vec<_>>().join(" ")
}
