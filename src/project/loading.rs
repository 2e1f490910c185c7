//! Loads the projects of a [`Tree`], and shows what was read, for tests.

use std::sync::LazyLock;

use super::{
    level::Level,
    model::Project,
    paths::slashed,
    settings::{Setting, Settings},
    tree::Tree,
};

/// The settings of a program with two oracles.
pub(super) static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    Settings::with_levels([
        Setting::level("oracles.assertion", Level::Error, "The first."),
        Setting::level("oracles.checked-arithmetic", Level::Off, "The second."),
    ])
});

impl Tree {
    /// Loads the project at a folder, whatever profile the environment asks for.
    pub(super) fn load(&self, relative: &str) -> Project {
        Project::load_with_profile(&self.path(relative), None, None, &SETTINGS).unwrap()
    }

    /// Remappings as `context:name=target`, with targets relative to the tree.
    pub(super) fn show_remappings(&self, project: &Project) -> Vec<String> {
        let root = format!("{}/", slashed(self.root()));
        project.remappings.iter().map(|remapping| remapping.to_string().replace(&root, "")).collect()
    }

    /// Warnings as `file:line: message`, with files relative to the tree.
    pub(super) fn show_warnings(&self, project: &Project) -> Vec<String> {
        let root = format!("{}/", slashed(self.root()));
        project.warnings.iter().map(|warning| warning.to_string().replace(&root, "")).collect()
    }
}
