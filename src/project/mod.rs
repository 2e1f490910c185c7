//! A [`Project`] is a folder of contracts with its configuration: its layout (Foundry, Hardhat or plain), folders, remappings,
//! the compiler it asks for, and our own settings, the [`Config`]. This module finds and reads configuration by a given table
//! of [`Settings`]; `oracle/settings.rs` adds [`Project::load`] and its like, which pass the complete one. It opens no Solidity
//! file, runs nothing (a Hardhat configuration is read as text), writes nothing, and reads no environment variable but
//! `FOUNDRY_PROFILE`.

mod boundary;
mod choices;
mod config;
mod document;
mod error;
mod evm;
mod exclude;
mod files;
mod foundry;
mod foundry_toml;
mod hardhat;
mod hints;
mod javascript;
mod level;
#[cfg(test)]
mod loading;
mod model;
mod names;
mod nearest;
mod paths;
mod products;
mod regular_file;
mod remappings;
mod root;
mod rules;
#[cfg(test)]
mod sample_settings;
mod settings;
mod solc;
mod stated;
mod test_config;
#[cfg(test)]
mod tree;
mod trust;
mod warning;
mod world;

use std::path::{Path, PathBuf};

pub use foundry_compilers::artifacts::{EvmVersion, remappings::Remapping};

pub(crate) use self::nearest::suggestion;
use self::{
    boundary::Boundary,
    document::DocumentNode,
    paths::{absolute, resolve},
    remappings::Remappings,
};
pub use self::{
    choices::{CompilerDiagnostics, Run},
    config::Config,
    error::ProjectError,
    exclude::check as check_glob,
    level::Level,
    model::{CONFIG_FILE, CompilerConfig, FileRole, Layout, Project},
    products::Products,
    regular_file::{MAX_MIB, read_bytes, read_text},
    rules::{IgnoreRule, LevelRule, PlaceNames, PlaceRule},
    settings::{Scope, Setting, SettingKind, Settings},
    solc::SolcChoice,
    stated::{FunctionFilter, PropertyConfig, PropertyConfigs, TestMode},
    test_config::TestConfig,
    warning::ProjectWarning,
    world::{WorldConfig, Written},
};

impl Project {
    /// The root of the project that `path` belongs to, a file or folder that need not exist.
    ///
    /// That is the nearest folder from `path` upwards that holds a `bellwether.toml`, `foundry.toml` or `hardhat.config.*`. A
    /// project below another one's `lib` or `node_modules` is a dependency, and its files belong to the outer project, unless
    /// it was itself given as `path` or is the workspace. The search ends at the enclosing git work tree or at the workspace,
    /// whichever is further up, and never goes above the home directory. Without any configuration, the root is the workspace
    /// if that contains `path`, else `path` itself or, for a file, its folder.
    pub fn find_root(path: &Path, workspace: Option<&Path>) -> PathBuf {
        root::find_root(path, workspace)
    }

    /// The roots of all projects below a folder that is none itself, sorted. Projects nested in projects are not listed, nor what
    /// is in hidden, dependency and build folders, such as `node_modules`, `lib`, `out` and `dist`. Empty if the folder is a project
    /// itself, or holds none.
    pub fn projects_under(folder: &Path) -> Vec<PathBuf> {
        root::projects_under(folder)
    }

    /// Reads the project at a root by this table of settings: [`Project::load_in`].
    ///
    /// # Errors
    /// As [`Project::load`].
    pub fn load_with(root: &Path, workspace: Option<&Path>, settings: &Settings) -> Result<Self, ProjectError> {
        Self::load_with_profile(root, workspace, std::env::var("FOUNDRY_PROFILE").ok().as_deref(), settings)
    }

    /// Finds a root and reads the project there by this table of settings: [`Project::open`].
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn open_with(path: &Path, workspace: Option<&Path>, settings: &Settings) -> Result<Self, ProjectError> {
        let path = absolute(path);
        if !path.exists() {
            return Err(ProjectError::Missing { path });
        }
        let root = Self::find_root(&path, workspace);
        let mut project = Self::load_with(&root, workspace, settings)?;
        let in_workspace = workspace.is_some_and(|workspace| path.starts_with(absolute(workspace)));
        if path.is_file() && path.extension().is_some_and(|it| it == "sol") && !in_workspace && !root::is_root(&root) {
            project.sources = vec![path];
        }
        Ok(project)
    }

    /// Lays settings over those of `bellwether.toml`, and applies them: an editor's, or the command line's. Nothing is taken
    /// back: settings that have changed are laid over a project loaded anew.
    pub fn configure(&mut self, stronger: Config) {
        if let Some(directory) = &stronger.test_directory {
            self.boundary.allow(&resolve(&self.root, directory));
        }
        self.lay_over(stronger);
    }

    /// Whether a regression test may be written to a file: it is inside of the workspace or of the folder that the user has named,
    /// symbolic links considered.
    pub fn may_write_test(&self, file: &Path) -> bool {
        self.boundary.holds(file)
    }

    fn lay_over(&mut self, stronger: Config) {
        self.config = std::mem::take(&mut self.config).overlay(stronger);
        if let Some(solc) = &self.config.solc {
            match SolcChoice::parse(solc, &self.root) {
                Ok(choice) => self.compiler.solc = Some(choice),
                Err(reason) => {
                    let message = format!("`solc` {reason}; it is ignored");
                    self.warnings.push(ProjectWarning { file: None, line: None, message });
                }
            }
        }
        if let Some(directory) = &self.config.test_directory {
            self.tests = resolve(&self.root, directory);
            if !self.test_folders.contains(&self.tests) {
                self.test_folders.push(self.tests.clone());
            }
        }
    }

    /// The folders that came with the project, with links resolved: its root, the git work tree around it, and the `node_modules`
    /// of folders above. What the project's own configuration names is not among them, since it may name any folder.
    pub fn own_folders(&self) -> Vec<PathBuf> {
        let modules = root::hoisted_node_modules(&self.root);
        let folders = std::iter::once(self.root.as_path()).chain(root::work_tree(&self.root));
        folders.chain(modules.iter().map(PathBuf::as_path)).filter_map(|folder| folder.canonicalize().ok()).collect()
    }

    fn load_with_profile(
        root: &Path,
        workspace: Option<&Path>,
        profile: Option<&str>,
        settings: &Settings,
    ) -> Result<Self, ProjectError> {
        let root = absolute(root);
        if !root.exists() {
            return Err(ProjectError::Missing { path: root });
        }
        if !root.is_dir() {
            return Err(ProjectError::NotAFolder { path: root });
        }
        let mut project = if root.join(foundry_toml::FILE).is_file() {
            foundry::load(&root, profile)?
        } else if let Some(file) = root::hardhat_config(&root) {
            hardhat::load(&root, &file)
        } else {
            Self::plain(&root)
        };
        // A configuration says where its tool writes; a folder without one may hold any tool's output.
        let outputs =
            if project.layout == Layout::Plain { &root::BUILD_FOLDERS[..] } else { &root::BUILD_FOLDERS[..3] };
        for name in outputs {
            let folder = root.join(name);
            if !project.outputs.contains(&folder) {
                project.outputs.push(folder);
            }
        }
        for folder in root::hoisted_node_modules(&root) {
            if !project.libraries.contains(&folder) {
                project.libraries.push(folder);
            }
        }
        project.boundary = Boundary::around(&root, workspace);
        project.confine_tests();
        let (properties, mut said) = PropertyConfigs::read(&root);
        project.properties = properties;
        project.warnings.append(&mut said);
        project.read_config(settings);
        project.tell_missing_sources();
        Ok(project)
    }

    fn tell_missing_sources(&mut self) {
        let (file, key) = match self.layout {
            Layout::Foundry => (Some(self.root.join(foundry_toml::FILE)), "src"),
            Layout::Hardhat => (root::hardhat_config(&self.root), "paths.sources"),
            Layout::Plain => return,
        };
        for source in self.sources.iter().filter(|source| !source.exists()) {
            let message = format!(
                "there is no folder {} to look for contracts in; make it, or name the right one (`{key}`)",
                source.display()
            );
            self.warnings.push(ProjectWarning { file: file.clone(), line: None, message });
        }
    }

    fn read_config(&mut self, settings: &Settings) {
        let file = self.root.join(CONFIG_FILE);
        if !file.is_file() {
            return;
        }
        match document::read(&file) {
            Ok(text) => {
                let (config, mut warnings) = Config::read_toml(&text, &file, settings);
                self.warnings.append(&mut warnings);
                let config = self.confined(config, &text, file);
                self.lay_over(config);
            }
            Err(error) => {
                let message = format!("cannot be read: {error}; make it a readable UTF-8 file (it is ignored)");
                self.warnings.push(ProjectWarning { file: Some(file), line: None, message });
            }
        }
    }

    /// Replaces a test folder of the layout that leads out of the workspace: only the user decides where files are written.
    fn confine_tests(&mut self) {
        if self.boundary.holds(&self.tests) {
            return;
        }
        let (file, key) = match self.layout {
            Layout::Foundry => (Some(self.root.join(foundry_toml::FILE)), "test"),
            Layout::Hardhat => (root::hardhat_config(&self.root), "paths.tests"),
            Layout::Plain => (None, "test"),
        };
        let refused = std::mem::replace(&mut self.tests, self.root.join("test"));
        if !self.boundary.holds(&self.tests) {
            // It is itself a link that leads out.
            self.tests.clone_from(&self.root);
        }
        self.tell_refused(key, file, None, &refused);
    }

    /// The settings of `bellwether.toml` without a `test.directory` that leads out of the workspace.
    fn confined(&mut self, mut config: Config, text: &str, file: PathBuf) -> Config {
        let outside = |directory: &PathBuf| !self.boundary.holds(&resolve(&self.root, directory));
        if let Some(refused) = config.test_directory.take_if(|directory| outside(directory)) {
            let node = DocumentNode::from_toml(text).ok();
            let line = node.as_ref().and_then(|node| node.get("test")?.get("directory")?.line);
            self.tell_refused("test.directory", Some(file), line, &resolve(&self.root, refused));
        }
        config
    }

    fn tell_refused(&mut self, key: &str, file: Option<PathBuf>, line: Option<usize>, refused: &Path) {
        let message = format!(
            "`{key}` leads out of the workspace, to {}, so regression tests go to {}; to have them elsewhere, set `test.directory` \
             in the editor, or give `bellwether test --out`",
            refused.canonicalize().as_deref().unwrap_or(refused).display(),
            self.tests.display()
        );
        self.warnings.push(ProjectWarning { file, line, message });
    }

    /// A folder without any tool's configuration: everything in it is source, but for what is usual for tests and dependencies.
    fn plain(root: &Path) -> Self {
        let existing = |name: &str| Some(root.join(name)).filter(|folder| folder.is_dir());
        let tests = existing("test").or_else(|| existing("tests")).unwrap_or_else(|| root.join("test"));
        let mut project = Self {
            sources: vec![root.to_path_buf()],
            test_folders: vec![tests.clone()],
            tests,
            scripts: existing("script"),
            libraries: existing("lib").into_iter().chain(existing("node_modules")).collect(),
            ..Self::empty(root)
        };
        let mut remappings = Remappings::new(root);
        remappings.read_text_file(&mut project.warnings);
        remappings.detect(existing("lib").as_slice(), &[]);
        project.remappings = remappings.finish();
        project
    }
}

#[cfg(test)]
mod tests;
