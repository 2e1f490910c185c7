//! Loads the projects of a [`Tree`], and shows what was read, for tests.

use super::{model::Project, paths::slashed, sample_settings::SETTINGS, tree::Tree};

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
