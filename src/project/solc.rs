//! A [`SolcChoice`] is the compiler that a project asks for, as written in its configuration. It is found, installed and run
//! elsewhere.

use std::path::{Path, PathBuf};

use semver::{Version, VersionReq};

use super::paths::resolve;

/// The compiler that a project asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SolcChoice {
    /// Exactly this release.
    Version(Version),
    /// Any release in this range.
    Requirement(VersionReq),
    /// This executable: absolute, or a bare name to be looked up on `PATH`.
    Path(PathBuf),
}

impl SolcChoice {
    /// The range, if it is one.
    pub(crate) fn requirement(&self) -> Option<&VersionReq> {
        match self {
            Self::Requirement(requirement) => Some(requirement),
            Self::Version(_) | Self::Path(_) => None,
        }
    }

    /// Reads `0.8.28`, `v0.8.28+commit.7893614a`, `^0.8.20`, `>=0.8.0 <0.9.0`, `0.8`, `./bin/solc`, `~/bin/solc` or `solc`.
    /// Relative paths count from `base`.
    ///
    /// # Errors
    /// For what looks like a version and is none: the reason, in words that follow the key's name.
    pub fn parse(text: &str, base: &Path) -> Result<Self, String> {
        let text = text.trim();
        if text.contains(['/', '\\']) {
            let home = text.strip_prefix("~/").and_then(|rest| Some(std::env::home_dir()?.join(rest)));
            return Ok(Self::Path(home.unwrap_or_else(|| resolve(base, text))));
        }
        let release = text.strip_prefix('v').unwrap_or(text).split('+').next().unwrap_or_default();
        if let Ok(version) = Version::parse(release) {
            return Ok(Self::Version(version));
        }
        if text.starts_with(|c: char| c.is_ascii_digit() || "^~<>=*".contains(c)) {
            return VersionReq::parse(&with_commas(text)).map(Self::Requirement).map_err(|error| {
                format!("must be a version (`0.8.28`), a range (`^0.8.20`) or a path, not {text:?} ({error})")
            });
        }
        let file = resolve(base, text);
        Ok(Self::Path(if file.is_file() { file } else { text.into() }))
    }
}

/// npm and Solidity separate the parts of a range by spaces, Cargo by commas.
fn with_commas(range: &str) -> String {
    let mut commas = String::new();
    for part in range.split([' ', '\t', ',']).filter(|part| !part.is_empty()) {
        if !commas.is_empty() && !commas.ends_with(['<', '>', '=', '^', '~']) {
            commas.push_str(", ");
        }
        commas.push_str(part);
    }
    commas
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> SolcChoice {
        SolcChoice::parse(text, Path::new("/p")).unwrap()
    }

    #[test]
    fn versions() {
        for text in ["0.8.28", "v0.8.28", " 0.8.28 ", "0.8.28+commit.7893614a.Linux.g++"] {
            assert_eq!(parse(text), SolcChoice::Version(Version::new(0, 8, 28)), "{text}");
        }
    }

    #[test]
    fn ranges() {
        for (text, inside, outside) in [
            ("^0.8.20", "0.8.28", "0.8.19"),
            (">=0.8.0 <0.8.10", "0.8.9", "0.8.10"),
            (">= 0.8.0, < 0.8.10", "0.8.9", "0.8.10"),
            ("0.8", "0.8.1", "0.7.6"),
            ("0.8.x", "0.8.1", "0.9.0"),
            ("=0.8.4", "0.8.4", "0.8.5"),
        ] {
            let SolcChoice::Requirement(range) = parse(text) else { panic!("{text}") };
            assert!(range.matches(&Version::parse(inside).unwrap()), "{text} takes {inside}");
            assert!(!range.matches(&Version::parse(outside).unwrap()), "{text} refuses {outside}");
        }
    }

    #[test]
    fn paths() {
        for (text, path) in [
            ("./bin/solc", "/p/bin/solc"),
            ("../solc", "/solc"),
            ("/usr/bin/solc-0.8.28", "/usr/bin/solc-0.8.28"),
            ("0.8.28/solc", "/p/0.8.28/solc"),
            ("solc", "solc"),
        ] {
            assert_eq!(parse(text), SolcChoice::Path(path.into()), "{text}");
        }
    }

    #[test]
    fn a_bare_name_that_is_a_file_of_the_project_is_that_file() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("mysolc"), "").unwrap();
        assert_eq!(SolcChoice::parse("mysolc", folder.path()), Ok(SolcChoice::Path(folder.path().join("mysolc"))));
    }

    #[test]
    fn what_looks_like_a_version_and_is_none_is_refused() {
        for text in ["^x", "0.8.20 || 0.8.21", ">=", "0.8.a"] {
            let reason = SolcChoice::parse(text, Path::new("/p")).unwrap_err();
            assert!(reason.starts_with("must be a version"), "{text}: {reason}");
        }
    }
}
