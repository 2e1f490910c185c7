//! [`Globs`] are the glob patterns of the settings `exclude` and `include`, compiled: sets of files of a project.

use globset::{Glob, GlobBuilder, GlobSet, GlobSetBuilder};

/// Patterns over paths relative to the project's root, with forward slashes.
#[derive(Clone, Debug)]
pub(super) struct Globs(GlobSet);

impl Globs {
    /// Compiles patterns; those that do not compile match nothing ([`check`] told their author).
    pub(super) fn new(patterns: &[String]) -> Self {
        let mut set = GlobSetBuilder::new();
        for glob in patterns.iter().filter_map(|pattern| compile(pattern).ok()) {
            set.add(glob);
        }
        Self(set.build().unwrap_or_default())
    }

    /// Whether the file, or a folder that it is in, matches one of the patterns.
    pub(super) fn matches(&self, relative: &str) -> bool {
        let ends = relative.match_indices('/').map(|(end, _)| end).chain([relative.len()]);
        !self.0.is_empty() && ends.into_iter().any(|end| self.0.is_match(&relative[..end]))
    }
}

/// Whether the pattern is a glob.
///
/// # Errors
/// A description of the mistake.
pub fn check(pattern: &str) -> Result<(), String> {
    compile(pattern).map(|_| ()).map_err(|error| error.kind().to_string())
}

/// `*` stays within a folder, `**` does not; a pattern without a slash matches at any depth, as in `.gitignore`.
fn compile(pattern: &str) -> Result<Glob, globset::Error> {
    let trimmed = pattern.trim_start_matches("./").trim_matches('/');
    let anywhere = if trimmed.contains('/') { "" } else { "**/" };
    GlobBuilder::new(&format!("{anywhere}{trimmed}")).literal_separator(true).build()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_patterns_match() {
        for (pattern, path, matched) in [
            ("src/mocks", "src/mocks/M.sol", true),
            ("src/mocks/", "src/mocks/deep/M.sol", true),
            ("./src/mocks/**", "src/mocks/M.sol", true),
            ("src/*/M.sol", "src/a/M.sol", true),
            ("src/*/M.sol", "src/a/b/M.sol", false),
            ("src/**/M.sol", "src/a/b/M.sol", true),
            ("Mock*.sol", "src/a/MockToken.sol", true),
            ("mocks", "src/mocks/M.sol", true),
            ("mocks", "src/mocksuite/M.sol", false),
            ("src/A.sol", "src/A.sol", true),
            ("src/A.sol", "src/B.sol", false),
            ("/src/A.sol", "src/A.sol", true),
            ("{a,b}/*.sol", "b/C.sol", true),
        ] {
            assert_eq!(Globs::new(&[pattern.to_owned()]).matches(path), matched, "{pattern} on {path}");
        }
    }

    #[test]
    fn a_bad_pattern_is_told_and_spoils_no_other() {
        assert!(check("src/[").is_err());
        assert!(check("src/**").is_ok());
        let globs = Globs::new(&["src/[".to_owned(), "src/A.sol".to_owned()]);
        assert!(globs.matches("src/A.sol") && !globs.matches("src/B.sol"));
    }

    #[test]
    fn no_pattern_excludes_nothing() {
        assert!(!Globs::new(&[]).matches("src/A.sol"));
    }
}
