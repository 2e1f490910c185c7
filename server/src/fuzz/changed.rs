//! What changed: the lines of Solidity files that differ from a commit.
//!
//! A repository may be anybody's, and its configuration and attributes name programs: filters, text conversions, hooks, a file system
//! monitor, a program that shows differences, one that fetches. `git diff` runs them. So git is only asked which files there are and
//! what was committed (`rev-parse`, `ls-tree`, `ls-files`, `cat-file`), and the lines are compared here with the files as they are on
//! disk.

use anyhow::{Context, Result, anyhow, bail};
use bellwether::compile::{self, Comments};
use imara_diff::{Algorithm, Diff, InternedInput};
use std::{
    collections::BTreeMap,
    io::{Seek, Write},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::Stdio,
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
    let Comparison { revision, option, otherwise, .. } = comparison;
    let git = |arguments: &[&str], input: Stdio| git(root, comparison, arguments, input);
    let unknown = || match *revision {
        "HEAD" => {
            format!("{option} compares with the last commit; run it in a git repository with one, or {otherwise}")
        }
        _ => format!("{option}: there is no such commit here; name one that is, fetch it with git, or {otherwise}"),
    };
    // What begins with a dash would be an option of git.
    let is_revision = !revision.is_empty() && !revision.starts_with('-');
    anyhow::ensure!(is_revision, unknown());
    let commit = format!("{revision}^{{commit}}");
    let commit = git(&["rev-parse", "--verify", "--quiet", &commit], Stdio::null()).with_context(unknown)?;
    let commit = String::from_utf8_lossy(&commit);
    let committed = committed(&git(&["ls-tree", "-r", "-z", commit.trim()], Stdio::null())?);
    let texts = texts(committed.values(), comparison, git)?;
    let mut changed = Vec::new();
    for ((file, _), text) in committed.iter().zip(&texts) {
        let path = root.join(file);
        // A file that is gone has no lines.
        if path.is_file() {
            let now = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            let hunks = if comparison.skips_comments { hunks(&code(text), &code(&now)) } else { hunks(text, &now) };
            changed.extend(hunks.into_iter().map(|lines| (path.clone(), lines)));
        }
    }
    let known = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.sol"];
    let known = git(&known, Stdio::null())?;
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

/// The hashes of the Solidity files that `git ls-tree` lists, by their paths. Links and submodules are left out.
fn committed(tree: &[u8]) -> BTreeMap<String, String> {
    let file = |entry: String| {
        let (facts, path) = entry.split_once('\t')?;
        let hash = facts.strip_prefix("100644 blob ").or_else(|| facts.strip_prefix("100755 blob "))?;
        path.ends_with(".sol").then(|| (path.to_owned(), hash.to_owned()))
    };
    names(tree).filter_map(file).collect()
}

/// The parts of a list in which each ends with a zero byte.
fn names(list: &[u8]) -> impl Iterator<Item = String> {
    list.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(|name| String::from_utf8_lossy(name).into_owned())
}

/// The contents of blobs, in this order.
fn texts<'a>(
    hashes: impl Iterator<Item = &'a String>,
    Comparison { option, otherwise, .. }: &Comparison<'_>,
    git: impl Fn(&[&str], Stdio) -> Result<Vec<u8>>,
) -> Result<Vec<Vec<u8>>> {
    let hashes: Vec<&String> = hashes.collect();
    // From a file, since git begins to answer before it has read all.
    let mut list = tempfile::tempfile().context("no temporary file can be made")?;
    hashes.iter().try_for_each(|hash| writeln!(list, "{hash}")).and_then(|()| list.rewind())?;
    let output = git(&["cat-file", "--batch"], list.into())?;
    let mut rest = output.as_slice();
    let mut next = || {
        let header = rest.split(|byte| *byte == b'\n').next()?;
        let size: usize = std::str::from_utf8(header).ok()?.rsplit_once("blob ")?.1.parse().ok()?;
        let start = header.len() + 1;
        let text = rest.get(start..start + size)?;
        rest = rest.get(start + size + 1..)?;
        Some(text.to_owned())
    };
    let missing = |hash: &String| {
        anyhow!(
            "{option}: what was committed is not in this repository (blob {hash}), as after a partial clone; fetch it with git, or \
             {otherwise}"
        )
    };
    hashes.iter().map(|hash| next().ok_or_else(|| missing(hash))).collect()
}

/// What git says to standard output. Without trust, no git that is in the repository is run.
fn git(folder: &Path, comparison: &Comparison<'_>, arguments: &[&str], input: Stdio) -> Result<Vec<u8>> {
    let Comparison { otherwise, trusted, .. } = comparison;
    let work_tree = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
    let output = compile::command("git", folder, (!trusted).then_some(work_tree))
        .with_context(|| format!("there is no git on PATH; install it, or {otherwise}"))?
        // The one program of the repository's configuration that listing files would run.
        .args(["--no-pager", "-c", "core.fsmonitor=false"])
        .args(arguments)
        // Nor is anything fetched, which would run what the configuration names for it.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .stdin(input)
        .output()
        .with_context(|| format!("git cannot be started; install it, or {otherwise}"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        let said = said.lines().next_back().map_or("there is no commit", |line| line.trim_start_matches("fatal: "));
        bail!("{}: {said}", folder.display());
    }
    Ok(output.stdout)
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

    #[test]
    fn a_tree_lists_files_links_and_submodules() {
        let tree = b"100644 blob 1a\tsrc/A.sol\x00100755 blob 2b\ta b\tc.sol\x00120000 blob 3c\tlink.sol\x00160000 commit 4d\tlib.sol\x00\
                     100644 blob 5e\tREADME.md\0";
        let expected =
            [("a b\tc.sol", "2b"), ("src/A.sol", "1a")].map(|(path, hash)| (path.to_owned(), hash.to_owned()));
        assert_eq!(committed(tree), BTreeMap::from(expected));
    }
}
