//! The parts of a project's own configuration that need trust: an executable (`solc`) and the folder that compilers are run
//! from (`cache`), since whoever wrote the project may not be whoever opened it. Settings of an editor or a command line are
//! those of their user, and need none.

use super::{
    foundry_toml,
    model::{CONFIG_FILE, Layout, Project},
    solc::SolcChoice,
    warning::ProjectWarning,
};
use std::path::PathBuf;

impl Project {
    /// Removes what only a trusted workspace may name. Each removal is a warning, with `remedy`, which says how to allow it.
    /// Call it before [`Project::configure`].
    pub fn distrust(&mut self, remedy: &str) {
        if let Some(SolcChoice::Path(path)) = &self.compiler.solc {
            let path = path.display();
            let message = format!(
                "`solc` names the executable {path}, which is not run because the workspace is not trusted; each file's pragma chooses the \
                 compiler. {remedy}"
            );
            let file = if self.config.solc.is_some() { self.root.join(CONFIG_FILE) } else { self.layout_file() };
            self.warnings.push(ProjectWarning { file: Some(file), line: None, message });
            self.compiler.solc = None;
            self.config.solc = None;
        }
        if let Some(cache) = self.config.cache.take() {
            let message = format!(
                "`cache` names {}, from where compilers would be run, so it is not used because the workspace is not trusted; the user's \
                 own cache folder is used. {remedy}",
                cache.display()
            );
            self.warnings.push(ProjectWarning { file: Some(self.root.join(CONFIG_FILE)), line: None, message });
        }
    }

    /// Whether the project's own files name anything that [`Project::distrust`] removes. Call it before [`Project::configure`].
    pub fn needs_trust(&self) -> bool {
        matches!(self.compiler.solc, Some(SolcChoice::Path(_))) || self.config.cache.is_some()
    }

    /// The file that says how to compile.
    fn layout_file(&self) -> PathBuf {
        match self.layout {
            Layout::Foundry => self.root.join(foundry_toml::FILE),
            Layout::Hardhat | Layout::Plain => {
                super::root::hardhat_config(&self.root).unwrap_or_else(|| self.root.join(CONFIG_FILE))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{config::Config, tree::Tree};
    use super::*;

    #[test]
    fn what_needs_trust_is_left_out_and_told_in_its_file() {
        for (files, file, words) in [
            (
                "//- foundry.toml\n[profile.default]\nsolc = \"tools/solc\"\n",
                "foundry.toml",
                "`solc` names the executable",
            ),
            ("//- bellwether.toml\nsolc = \"./solc\"\n", "bellwether.toml", "`solc` names the executable"),
            ("//- bellwether.toml\ncache = \"kept\"\n", "bellwether.toml", "`cache` names kept"),
            ("//- bellwether.toml\nsolc = \"solc\"\n", "bellwether.toml", "`solc` names the executable solc"),
        ] {
            let folder = Tree::new(files);
            let mut project = Project::load(&folder.path("")).unwrap();
            assert!(project.needs_trust(), "{files}");
            project.distrust("Allow it.");
            assert!(!project.needs_trust() && project.compiler.solc.is_none(), "{files}");
            let warning = project.warnings.pop().unwrap();
            assert!(warning.file.unwrap().ends_with(file), "{files}");
            assert!(warning.message.contains(words) && warning.message.ends_with("Allow it."), "{}", warning.message);
        }
    }

    #[test]
    fn versions_need_no_trust_and_what_a_user_sets_stays() {
        let folder = Tree::new("//- bellwether.toml\nsolc = \"0.8.20\"\n");
        let mut project = Project::load(&folder.path("")).unwrap();
        assert!(!project.needs_trust());
        project.distrust("Allow it.");
        assert!(project.compiler.solc.is_some() && project.warnings.is_empty(), "{:?}", project.warnings);
        project.configure(Config { solc: Some("/usr/bin/solc".to_owned()), ..Config::default() });
        assert_eq!(project.compiler.solc, Some(SolcChoice::Path("/usr/bin/solc".into())));
    }
}
