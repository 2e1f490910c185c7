//! The data of a [`Project`]. It is found and read elsewhere: in the file of its layout, and in the parent module.

use super::{
    boundary::Boundary, config::Config, solc::SolcChoice, stated::PropertyConfigs, test_config::TestConfig,
    warning::ProjectWarning,
};
use foundry_compilers::artifacts::{EvmVersion, remappings::Remapping};
use std::path::{Path, PathBuf};

/// The file of our own settings, at a project's root.
pub const CONFIG_FILE: &str = "bellwether.toml";

/// The tool whose conventions a project follows.
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

/// The compiler's configuration in a project; `None` is the compiler's default.
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
    /// The tool whose conventions hold.
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
    /// The compiler's configuration.
    pub compiler: CompilerConfig,
    /// How forge runs tests.
    pub test_config: TestConfig,
    /// How Echidna and Medusa call contracts with properties.
    pub properties: PropertyConfigs,
    /// Our own settings: `bellwether.toml`, with what [`Project::configure`] laid over it.
    pub config: Config,
    /// The parts of the configuration that could not be used as written.
    pub warnings: Vec<ProjectWarning>,
    /// The folders to which the project's own files may have tests written.
    pub(super) boundary: Boundary,
}

impl Project {
    /// A plain project with nothing in it, for the layouts to fill in.
    pub(super) fn empty(root: &Path) -> Self {
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
            test_config: TestConfig::default(),
            properties: PropertyConfigs::default(),
            config: Config::default(),
            warnings: Vec::new(),
            boundary: Boundary::default(),
        }
    }
}
