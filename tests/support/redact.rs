//! Text that is compared whole must not hold what differs from run to run: folders, times, and after how many transactions the search came
//! upon something, which any change of the engine moves.

use bellwether::compile::default_cache;
use std::path::Path;

/// What stands between these two is replaced by `…`.
const MEASURED: [(&str, &str); 4] =
    [("found after ", "; id"), ("Found after ", " with seed"), (" transactions in ", " ·"), ("lookahead ", "\n")];

/// The text with `$ROOT` for a folder, `$CACHE` for the user's cache, and `…` for what is measured.
pub fn redact(text: &str, root: &Path) -> String {
    let text = text.replace(&*root.to_string_lossy(), "$ROOT").replace(&*default_cache().to_string_lossy(), "$CACHE");
    MEASURED.iter().fold(text, |text, (start, end)| cut(&text, start, end))
}

fn cut(text: &str, start: &str, end: &str) -> String {
    let mut parts = text.split(start);
    let mut rest = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        rest.push_str(start);
        match part.find(end) {
            Some(at) => rest.extend(["…", &part[at..]]),
            None => rest.push_str(part),
        }
    }
    rest
}
