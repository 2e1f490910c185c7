//! What changed: the lines of Solidity files that differ from the last commit.
//!
//! A repository may be anybody's, and its configuration and attributes name programs: filters, text conversions, hooks, a file system
//! monitor, a program that shows differences, one that fetches. `git diff` runs them. So git is only asked which files there are and
//! what was committed (`rev-parse`, `ls-tree`, `ls-files`, `cat-file`), and the lines are compared here with the files as they are on
//! disk.

use anyhow::{Context, Result, anyhow, bail};
use bellwether::compile;
use imara_diff::{Algorithm, Diff, InternedInput};
use std::{
    collections::BTreeMap,
    io::{Seek, Write},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::Stdio,
};

/// The lines of Solidity files below a folder that differ from git HEAD; files that are not part of it, and are not ignored, count
/// whole. Where lines are gone, those on both sides of the gap count.
pub(super) fn changed(root: &Path, trusted: bool) -> Result<Vec<(PathBuf, RangeInclusive<usize>)>> {
    let git = |arguments: &[&str], input: Stdio| git(root, trusted, arguments, input);
    let head = git(&["rev-parse", "--verify", "--quiet", "HEAD"], Stdio::null()).context(
        "--target changed compares with the last commit; run it in a git repository with one, or name lines",
    )?;
    let head = String::from_utf8_lossy(&head);
    let committed = committed(&git(&["ls-tree", "-r", "-z", head.trim()], Stdio::null())?);
    let texts = texts(committed.values(), git)?;
    let mut changed = Vec::new();
    for ((file, _), text) in committed.iter().zip(&texts) {
        let path = root.join(file);
        // A file that is gone has no lines.
        if path.is_file() {
            let now = std::fs::read(&path).with_context(|| format!("{} cannot be read", path.display()))?;
            changed.extend(hunks(text, &now).into_iter().map(|lines| (path.clone(), lines)));
        }
    }
    let known = ["ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.sol"];
    let known = git(&known, Stdio::null())?;
    let new = names(&known).filter(|file| !committed.contains_key(file) && root.join(file).is_file());
    changed.extend(new.map(|file| (root.join(file), 1..=usize::MAX)));
    Ok(changed)
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
            "--target changed: what was committed is not in this repository (blob {hash}), as after a partial clone; fetch it with \
             git, or name lines"
        )
    };
    hashes.iter().map(|hash| next().ok_or_else(|| missing(hash))).collect()
}

/// What git says to standard output. Without trust, no git that is in the repository is run.
fn git(folder: &Path, trusted: bool, arguments: &[&str], input: Stdio) -> Result<Vec<u8>> {
    let work_tree = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
    let output = compile::command("git", folder, (!trusted).then_some(work_tree))
        .context("there is no git on PATH; install it, or name lines")?
        // The one program of the repository's configuration that listing files would run.
        .args(["--no-pager", "-c", "core.fsmonitor=false"])
        .args(arguments)
        // Nor is anything fetched, which would run what the configuration names for it.
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_ALLOW_PROTOCOL", "none")
        .stdin(input)
        .output()
        .context("git cannot be started; install it, or name lines")?;
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
    fn a_tree_lists_files_links_and_submodules() {
        let tree = b"100644 blob 1a\tsrc/A.sol\x00100755 blob 2b\ta b\tc.sol\x00120000 blob 3c\tlink.sol\x00160000 commit 4d\tlib.sol\x00\
                     100644 blob 5e\tREADME.md\0";
        let expected =
            [("a b\tc.sol", "2b"), ("src/A.sol", "1a")].map(|(path, hash)| (path.to_owned(), hash.to_owned()));
        assert_eq!(committed(tree), BTreeMap::from(expected));
    }
}
