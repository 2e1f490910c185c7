//! A [`Project`] is a folder of contracts together with how they are to be read: its layout (Foundry, Hardhat or plain), folders,
//! remappings, the compiler it asks for, and our own settings, the [`Config`]. This module finds and reads configuration, by a table of
//! [`Settings`] that it is given (`oracle/settings.rs` has [`Project::load`] and its like, which hand down the whole one). It opens no Solidity file, runs nothing (a Hardhat configuration is read as text), writes nothing, and knows no environment variable
//! but `FOUNDRY_PROFILE`.

mod boundary;
mod config;
mod document;
mod error;
mod evm;
mod exclude;
mod files;
mod foundry;
mod hardhat;
mod hints;
mod javascript;
mod level;
mod names;
mod nearest;
mod paths;
mod products;
mod regular_file;
mod remappings;
mod root;
mod settings;
mod solc;
#[cfg(test)]
mod tree;
mod trust;
mod warning;

use std::path::{Path, PathBuf};

pub use foundry_compilers::artifacts::{EvmVersion, remappings::Remapping};

use self::{
    boundary::Boundary,
    document::DocumentNode,
    paths::{absolute, resolve},
    remappings::Remappings,
};
pub use self::{
    config::{CompilerDiagnostics, Config, Run},
    error::ProjectError,
    exclude::check as check_glob,
    level::Level,
    products::Products,
    regular_file::{MAX_MIB, read_bytes, read_text},
    settings::{Scope, Setting, SettingKind, Settings},
    solc::SolcChoice,
    warning::ProjectWarning,
};

/// The file of our own settings, at a project's root.
pub const CONFIG_FILE: &str = "bellwether.toml";

/// Which tool's conventions a project follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// There is a `foundry.toml` (perhaps beside a Hardhat configuration).
    Foundry,
    /// There is a `hardhat.config.*`.
    Hardhat,
    /// Neither: a folder with contracts, or a single file.
    Plain,
}

/// The part that a Solidity file plays in its project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileRole {
    /// The user's own code, which is fuzzed.
    Contract,
    /// A test.
    Test,
    /// A deployment script.
    Script,
    /// Everything else: compiled only where it is imported.
    Dependency,
}

/// How the project wants to be compiled; `None` is the compiler's default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CompilerConfig {
    /// The compiler, where the project chooses one; else each file's pragma does. An executable that a workspace names is to be
    /// run only if that workspace is trusted ([`Project::distrust`] leaves it out).
    pub solc: Option<SolcChoice>,
    /// The releases that it lists, where it leaves the choice among them to each file's pragma.
    pub listed: Vec<semver::Version>,
    /// The EVM version to compile for.
    pub evm_version: Option<EvmVersion>,
    /// Whether the optimizer runs.
    pub optimizer: Option<bool>,
    /// How often each opcode is expected to run in the contract's life: the optimizer's `runs`.
    pub optimizer_runs: Option<u32>,
    /// Whether code is generated through Yul.
    pub via_ir: bool,
}

/// A folder of contracts and its configuration. All paths are absolute and free of `.` and `..`; symbolic links are kept.
#[derive(Clone, Debug)]
pub struct Project {
    /// The folder that everything is relative to.
    pub root: PathBuf,
    /// Whose conventions hold.
    pub layout: Layout,
    /// The folders, or single files, whose contracts are fuzzed. They need not exist.
    pub sources: Vec<PathBuf>,
    /// The folder that regression tests are written to: `test.directory`, or else the layout's test folder. It need not exist. It is
    /// outside of the workspace only if the user's own settings name it.
    pub tests: PathBuf,
    /// Every folder whose files are tests: the layout's, and `tests`.
    pub test_folders: Vec<PathBuf>,
    /// The folder of deployment scripts.
    pub scripts: Option<PathBuf>,
    /// The folders in which an import such as `pkg/A.sol` is looked for, as `pkg/A.sol` or `pkg/src/A.sol`, in this order: the
    /// project's own (they need not exist), then existing `node_modules` of the folders above, nearest first.
    pub libraries: Vec<PathBuf>,
    /// Further folders for the compiler's include path.
    pub include_paths: Vec<PathBuf>,
    /// How import paths are rewritten. Targets are absolute, contexts relative to the root (as foundry-compilers compares
    /// them); names, targets and slashes are as forge normalises them. The first match is the one that solc would choose.
    pub remappings: Vec<Remapping>,
    /// Folders that tools write to: never sources.
    pub outputs: Vec<PathBuf>,
    /// How to compile.
    pub compiler: CompilerConfig,
    /// Our own settings: `bellwether.toml`, with what [`Project::configure`] laid over it.
    pub config: Config,
    /// What could not be used as written.
    pub warnings: Vec<ProjectWarning>,
    /// Where the project's own files may have tests written.
    boundary: Boundary,
}

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
        let mut project = if root.join(foundry::FILE).is_file() {
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
        project.read_config(settings);
        project.tell_missing_sources();
        Ok(project)
    }

    fn tell_missing_sources(&mut self) {
        let (file, key) = match self.layout {
            Layout::Foundry => (Some(self.root.join(foundry::FILE)), "src"),
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

    /// Sets aside a test folder of the layout that leads out of the workspace: nobody but the user decides that files are written there.
    fn confine_tests(&mut self) {
        if self.boundary.holds(&self.tests) {
            return;
        }
        let (file, key) = match self.layout {
            Layout::Foundry => (Some(self.root.join(foundry::FILE)), "test"),
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

    /// A plain project with nothing in it, for the layouts to fill in.
    fn empty(root: &Path) -> Self {
        Self {
            root: root.to_path_buf(),
            layout: Layout::Plain,
            sources: Vec::new(),
            tests: root.join("test"),
            test_folders: Vec::new(),
            scripts: None,
            libraries: Vec::new(),
            include_paths: Vec::new(),
            remappings: Vec::new(),
            outputs: Vec::new(),
            compiler: CompilerConfig::default(),
            config: Config::default(),
            warnings: Vec::new(),
            boundary: Boundary::default(),
        }
    }
}

#[cfg(test)]
mod tests;
