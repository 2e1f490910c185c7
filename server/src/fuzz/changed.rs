//! What changed: the lines of Solidity files that differ from a commit, compared here with the files as they are on disk.

use crate::repository::{Repository, names};
use anyhow::{Context, Result};
use bellwether::compile::Comments;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::{
    ops::RangeInclusive,
    path::{Path, PathBuf},
};

/// What the files are compared with, and for whom.
#[derive(Debug, Clone, Copy)]
pub(super) struct Comparison<'a> {
    /// The revision, as git reads it.
    pub(super) revision: &'a str,
    /// The option that asks for it, as it was given.
    pub(super) option: &'a str,
    /// What to do where git cannot tell, as it follows "or".
    pub(super) otherwise: &'a str,
    /// Whether a git that is in the repository may be run.
    pub(super) trusted: bool,
    /// Whether a change of a comment is none.
    pub(super) skips_comments: bool,
}

/// The lines of Solidity files below a folder that differ from a revision; files that are not part of it, and are not ignored, count
/// whole. Where lines are gone, those on both sides of the gap count.
pub(super) fn changed(root: &Path, comparison: &Comparison<'_>) -> Result<Vec<(PathBuf, RangeInclusive<usize>)>> {
    let Comparison { revision, option, otherwise, trusted, .. } = comparison;
    let repository = Repository { folder: root, trusted: *trusted };
    let unknown = || match *revision {
        "HEAD" => {
            format!("{option} compares with the last commit; run it in a git repository with one, or {otherwise}")
        }
        _ => {
            format!("{option}: there is no such commit here; name another one, fetch this one with git, or {otherwise}")
        }
    };
    // What begins with a dash would be an option of git.
    let is_revision = !revision.is_empty() && !revision.starts_with('-');
    anyhow::ensure!(is_revision, unknown());
    let commit = repository.commit(revision).with_context(unknown)?;
    let committed = repository
        .sources(&commit)
        .with_context(|| format!("{option}: the commit cannot be read; repair that, or {otherwise}"))?;
    let mut changed = Vec::new();
    for (file, text) in &committed {
        let path = root.join(file);
        // A file that is gone has no lines.
        if path.is_file() {
            let now = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let hunks = if comparison.skips_comments { hunks(&code(text), &code(&now)) } else { hunks(text, &now) };
            changed.extend(hunks.into_iter().map(|lines| (path.clone(), lines)));
        }
    }
    let known = repository.ask(&["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.sol"])?;
    let new = names(&known).filter(|file| !committed.contains_key(file) && root.join(file).is_file());
    changed.extend(new.map(|file| (root.join(file), 1..=usize::MAX)));
    Ok(changed)
}

/// A text without its comments and without the space at the ends of lines.
fn code(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let lines = Comments::of(&text).blanked(&text);
    lines.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").into_bytes()
}

/// The new lines where two texts differ, from 1. Line endings do not count: git converts them.
fn hunks(old: &[u8], new: &[u8]) -> Vec<RangeInclusive<usize>> {
    fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
    }
    let mut input = InternedInput::default();
    input.update_before(lines(old));
    input.update_after(lines(new));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    let lines = |hunk: imara_diff::Hunk| {
        let (start, end) = (hunk.after.start as usize, hunk.after.end as usize);
        if start == end { start.max(1)..=start + 1 } else { start + 1..=end }
    };
    diff.hunks().map(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_are_new_lines_and_both_sides_of_a_gap() {
        let old = "a\nb\nc\nd\ne\n";
        for (new, lines) in [
            (old, vec![]),
            ("a\nx\nc\nd\ne\n", vec![2..=2]),
            ("a\nx\ny\nc\nd\nz\n", vec![2..=3, 6..=6]),
            ("a\nd\ne\n", vec![1..=2]),
            ("c\nd\ne\n", vec![1..=1]),
            ("a\nb\nc\n", vec![3..=4]),
            ("a\nb\nc\nd\ne\nf", vec![6..=6]),
            ("a\nb\nc\nd\ne", vec![]),
            ("a\r\nb\r\nc\r\nd\r\ne\r\n", vec![]),
            ("a\r\nb\r\nx\r\nd\r\ne\r\n", vec![3..=3]),
            ("--- a\n+++ b\nb\nc\nd\ne\n", vec![1..=2]),
        ] {
            assert_eq!(hunks(old.as_bytes(), new.as_bytes()), lines, "{new:?}");
        }
    }

    #[test]
    fn a_comment_is_no_code() {
        let same = [("a; // b\nc;", "a;\nc;"), ("/* a\n b */\nc;", "\n// d\nc;"), ("a;\r\nb; ", "a;\nb;")];
        for (old, new) in same {
            assert_eq!(hunks(&code(old.as_bytes()), &code(new.as_bytes())), [], "{old:?}");
        }
        assert_eq!(hunks(&code(b"a;\nb; // c"), &code(b"a;\nd; // c")), [2..=2]);
    }
}
