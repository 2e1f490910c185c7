//! [`SETTINGS`] is the whole table of settings: the project's own, and the level of each oracle. Reading a project takes the table as an
//! argument, because `project` stands below the oracles and must not know which there are; the functions here, which everybody
//! calls, hand it down.

use super::meta::OracleMeta;
use crate::project::{Config, Level, LevelRule, PlaceNames, Project, ProjectError, ProjectWarning, Setting, Settings};
use std::{path::Path, sync::LazyLock};

/// Every setting.
pub static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    Settings::with_levels(OracleMeta::all().map(|meta| Setting::level(meta.setting, meta.level, meta.description)))
});

impl Project {
    /// Reads the project at a root, with the profile that `FOUNDRY_PROFILE` names.
    ///
    /// # Errors
    /// If there is no such folder, or its `foundry.toml` cannot be used. Everything else is among the warnings.
    pub fn load(root: &Path) -> Result<Self, ProjectError> {
        Self::load_with(root, None, &SETTINGS)
    }

    /// The same in a workspace, inside of which regression tests go. Where none is known, that is the enclosing git work tree, or else
    /// the root.
    ///
    /// # Errors
    /// As [`Project::load`].
    pub fn load_in(root: &Path, workspace: Option<&Path>) -> Result<Self, ProjectError> {
        Self::load_with(root, workspace, &SETTINGS)
    }

    /// Finds the root of a file or folder and reads the project there. A `.sol` file outside of any project and of the workspace
    /// is a project of that one file.
    ///
    /// # Errors
    /// As [`Project::load`], and if `path` does not exist.
    pub fn open(path: &Path, workspace: Option<&Path>) -> Result<Self, ProjectError> {
        Self::open_with(path, workspace, &SETTINGS)
    }
}

impl Config {
    /// Reads the text of a `bellwether.toml`. `file` only names it in the warnings.
    pub fn from_toml(text: &str, file: &Path) -> (Self, Vec<ProjectWarning>) {
        Self::read_toml(text, file, &SETTINGS)
    }

    /// Takes an editor's settings, as [`Config::read_json`] reads them.
    pub fn from_json(json: &serde_json::Value) -> (Self, Vec<ProjectWarning>) {
        Self::read_json(json, &SETTINGS)
    }

    /// The level of an oracle: as set, else its default; [`Level::Off`] for a name that is no oracle's.
    pub fn level(&self, oracle: &str) -> Level {
        let default = || OracleMeta::of(oracle).map_or(Level::Off, |meta| meta.level);
        self.oracles.get(oracle).copied().unwrap_or_else(default)
    }

    /// The level of an oracle at a place: that of the last entry of `levels` that fits, else that of the project.
    pub fn level_at(&self, oracle: &str, place: &PlaceNames<'_>) -> Level {
        let sets = |rule: &LevelRule| rule.oracles.get(oracle).copied().filter(|_| rule.place.fits(place));
        self.levels.iter().flatten().rev().find_map(sets).unwrap_or_else(|| self.level(oracle))
    }

    /// Whether an oracle is switched on anywhere.
    pub fn looks_for(&self, oracle: &str) -> bool {
        let levels = self.levels.iter().flatten().filter_map(|rule| rule.oracles.get(oracle).copied());
        levels.chain([self.level(oracle)]).any(|level| level != Level::Off)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn unset_levels_are_those_of_the_oracles() {
        let config = Config::default();
        assert_eq!(config.level("assertion"), Level::Error);
        assert_eq!(config.level("no-such-oracle"), Level::Off);
        let (config, warnings) = Config::from_json(&serde_json::json!({ "oracles": { "assertion": "hint" } }));
        assert_eq!((config.level("assertion"), warnings), (Level::Hint, vec![]));
    }

    #[test]
    fn keys_are_unique_and_none_is_the_beginning_of_another() {
        let mut keys = BTreeSet::new();
        for one in SETTINGS.iter() {
            assert!(keys.insert(one.key), "{} twice", one.key);
            assert!(one.description.ends_with('.'), "{}: a sentence", one.key);
            // Otherwise `a = 1` and `a.b = 2` could not stand in one TOML file.
            for other in SETTINGS.iter() {
                assert!(!other.key.starts_with(&format!("{}.", one.key)), "{} and {}", one.key, other.key);
            }
        }
    }
}
