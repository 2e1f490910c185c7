//! A [`Repository`] is what git knows of a folder: the last commit, and the Solidity files in it.
//!
//! A repository may be anybody's, and its configuration and attributes name programs: filters, text conversions, hooks, a file system
//! monitor, a program that shows differences, one that fetches. `git diff` runs them. So git is only asked which files there are and
//! what was committed (`rev-parse`, `ls-tree`, `ls-files`, `cat-file`).

use anyhow::{Context, Result, anyhow, bail};
use bellwether::compile;
use std::{
    collections::BTreeMap,
    io::{Seek, Write},
    path::Path,
    process::Stdio,
};

/// A folder in a git repository.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repository<'a> {
    /// The folder.
    pub(crate) folder: &'a Path,
    /// Whether a git that is in the repository may be run.
    pub(crate) trusted: bool,
}

impl Repository<'_> {
    /// The hash of the last commit.
    pub(crate) fn head(self) -> Result<String> {
        self.commit("HEAD")
    }

    /// The hash of the commit that a revision names. One that begins with a dash would be an option of git.
    pub(crate) fn commit(self, revision: &str) -> Result<String> {
        let hash = self.ask(&["rev-parse", "--verify", "--quiet", &format!("{revision}^{{commit}}")])?;
        Ok(String::from_utf8_lossy(&hash).trim().to_owned())
    }

    /// The Solidity files of a commit below the folder, by their paths from there. Links and submodules are left out.
    pub(crate) fn sources(self, commit: &str) -> Result<BTreeMap<String, Vec<u8>>> {
        let hashes = hashes(&self.ask(&["ls-tree", "-r", "-z", commit])?);
        let texts = self.texts(hashes.values())?;
        Ok(hashes.into_keys().zip(texts).collect())
    }

    /// What git says to standard output.
    pub(crate) fn ask(self, arguments: &[&str]) -> Result<Vec<u8>> {
        self.run(arguments, Stdio::null())
    }

    /// The contents of blobs, in this order.
    fn texts<'a>(self, hashes: impl Iterator<Item = &'a String>) -> Result<Vec<Vec<u8>>> {
        let hashes: Vec<&String> = hashes.collect();
        // From a file, since git begins to answer before it has read all.
        let mut list = tempfile::tempfile().context("a temporary file cannot be made")?;
        hashes.iter().try_for_each(|hash| writeln!(list, "{hash}")).and_then(|()| list.rewind())?;
        let output = self.run(&["cat-file", "--batch"], list.into())?;
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
            anyhow!("this repository lacks a committed file (blob {hash}), as after a partial clone; fetch it with git")
        };
        hashes.iter().map(|hash| next().ok_or_else(|| missing(hash))).collect()
    }

    /// What git says to standard output. Without trust, no git that is in the repository is run.
    fn run(self, arguments: &[&str], input: Stdio) -> Result<Vec<u8>> {
        let Self { folder, trusted } = self;
        let work_tree = folder.ancestors().find(|folder| folder.join(".git").exists()).unwrap_or(folder);
        let output = compile::command("git", folder, (!trusted).then_some(work_tree))
            .context("there is no git on PATH; install it")?
            // The one program of the repository's configuration that listing files would run.
            .args(["--no-pager", "-c", "core.fsmonitor=false"])
            .args(arguments)
            // Nor is anything fetched, which would run what the configuration names for it.
            .env("GIT_NO_LAZY_FETCH", "1")
            .env("GIT_ALLOW_PROTOCOL", "none")
            .stdin(input)
            .output()
            .context("git cannot be started; install it")?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            let said = said.lines().next_back().map_or("there is no commit", |line| line.trim_start_matches("fatal: "));
            bail!("{}: {said}", folder.display());
        }
        Ok(output.stdout)
    }
}

/// The hashes of the Solidity files that `git ls-tree` lists, by their paths. Links and submodules are left out.
fn hashes(tree: &[u8]) -> BTreeMap<String, String> {
    let file = |entry: String| {
        let (facts, path) = entry.split_once('\t')?;
        let hash = facts.strip_prefix("100644 blob ").or_else(|| facts.strip_prefix("100755 blob "))?;
        path.ends_with(".sol").then(|| (path.to_owned(), hash.to_owned()))
    };
    names(tree).filter_map(file).collect()
}

/// The parts of a list in which each ends with a zero byte.
pub(crate) fn names(list: &[u8]) -> impl Iterator<Item = String> {
    list.split(|byte| *byte == 0).filter(|name| !name.is_empty()).map(|name| String::from_utf8_lossy(name).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_lists_files_links_and_submodules() {
        let tree = b"100644 blob 1a\tsrc/A.sol\x00100755 blob 2b\ta b\tc.sol\x00120000 blob 3c\tlink.sol\x00160000 commit 4d\tlib.sol\x00\
                     100644 blob 5e\tREADME.md\0";
        let expected =
            [("a b\tc.sol", "2b"), ("src/A.sol", "1a")].map(|(path, hash)| (path.to_owned(), hash.to_owned()));
        assert_eq!(hashes(tree), BTreeMap::from(expected));
    }
}
