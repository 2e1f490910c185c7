//! A [`FoundryToml`] is a `foundry.toml`, read as forge 1.x reads it: the chosen profile over `default`, keys in any case, forge's own
//! defaults and its folder detection. Keys that have nothing to do with what is compiled, and the environment's `FOUNDRY_*` keys apart
//! from the profile, are passed over.

use alloy_primitives::U256;
use std::path::{Path, PathBuf};

use super::{
    document::{self, DocumentNode},
    error::ProjectError,
    evm::parse_evm_version,
    model::CompilerConfig,
    paths::resolve,
    solc::SolcChoice,
    test_config::TestConfig,
    warning::ProjectWarning,
};

/// The file's name.
pub(super) const FILE: &str = "foundry.toml";

/// A `foundry.toml`, with a profile chosen.
pub(super) struct FoundryToml {
    file: PathBuf,
    root: PathBuf,
    /// The tables that keys are looked up in, the first wins.
    profiles: Vec<DocumentNode>,
    /// The tables `[invariant]` and `[fuzz]`, which stand outside of all profiles.
    invariant: Option<DocumentNode>,
    fuzz: Option<DocumentNode>,
    /// The parts of the file that could not be used as written.
    pub(super) warnings: Vec<ProjectWarning>,
}

impl FoundryToml {
    /// Reads the file of a root. Without a profile, or where the profile is not there, `default` serves alone.
    pub(super) fn read(root: &Path, profile: Option<&str>) -> Result<Self, ProjectError> {
        let file = root.join(FILE);
        let text = document::read(&file).map_err(|source| ProjectError::Unreadable { file: file.clone(), source })?;
        let node = DocumentNode::from_toml(&text).map_err(|(line, message)| ProjectError::Syntax {
            file: file.clone(),
            line,
            message,
        })?;
        let mut toml = Self {
            file,
            root: root.to_path_buf(),
            profiles: Vec::new(),
            invariant: node.get("invariant").cloned(),
            fuzz: node.get("fuzz").cloned(),
            warnings: Vec::new(),
        };
        let all = node.get("profile");
        let profile = profile.filter(|name| !name.is_empty() && *name != "default");
        if let Some(name) = profile {
            match all.and_then(|all| all.get(name)) {
                Some(node) => toml.profiles.push(node.clone()),
                None => {
                    let message =
                        format!("there is no `[profile.{name}]`, which FOUNDRY_PROFILE names; `default` is used");
                    toml.warn(None, message);
                }
            }
        }
        toml.profiles.extend(all.and_then(|all| all.get("default")).cloned());
        if let Some(line) = toml.get("extends").map(|node| node.line) {
            toml.warn(line, "`extends` is not followed: repeat here the keys that matter for compiling".to_owned());
        }
        Ok(toml)
    }

    /// The folder of the contracts: as configured, else `src`, else `contracts` where only that is there.
    pub(super) fn source(&self) -> Result<PathBuf, ProjectError> {
        let js = !self.root.join("src").exists() && self.root.join("contracts").exists();
        self.folder("src", if js { "contracts" } else { "src" })
    }

    /// The library folders: as configured, else `lib`, and `node_modules` where that is there.
    pub(super) fn libraries(&self) -> Result<Vec<PathBuf>, ProjectError> {
        if let Some(configured) = self.folders("libs")? {
            return Ok(configured);
        }
        let (lib, modules) = (self.root.join("lib"), self.root.join("node_modules"));
        Ok(match (lib.exists(), modules.exists()) {
            (true, true) => vec![lib, modules],
            (false, true) => vec![modules],
            (_, false) => vec![lib],
        })
    }

    /// Calls `add` with each configured remapping, in order. What `add` finds wrong with one becomes a warning.
    pub(super) fn remappings(&mut self, mut add: impl FnMut(&str) -> Result<(), String>) -> Result<(), ProjectError> {
        self.texts("remappings")?;
        let Some(DocumentNode { value: document::Value::List(items), .. }) = self.get("remappings").cloned() else {
            return Ok(());
        };
        for item in items {
            if let Some(Err(reason)) = item.text().map(&mut add) {
                self.warn(item.line, reason);
            }
        }
        Ok(())
    }

    pub(super) fn compiler(&mut self) -> Result<CompilerConfig, ProjectError> {
        // forge prefers `solc` to its older name where both are given.
        let key = if self.get("solc").is_some() { "solc" } else { "solc_version" };
        let solc = match self.text(key)? {
            Some(text) => Some(SolcChoice::parse(text, &self.root).map_err(|_| {
                self.wrong(key, "a version (`0.8.28`), a range (`^0.8.20`) or a path", format!("{text:?}"))
            })?),
            None => None,
        };
        let evm_version = match self.text("evm_version")?.map(parse_evm_version).transpose() {
            Ok(version) => version,
            Err(reason) => {
                let line = self.get("evm_version").and_then(|node| node.line);
                self.warn(line, format!("`evm_version` {reason}; the compiler's default is used"));
                None
            }
        };
        let runs = self.integer("optimizer_runs")?;
        // forge: asking for runs asks for the optimizer; asking for neither leaves it off (since 1.0).
        let optimizer = self.boolean("optimizer")?.unwrap_or(runs.is_some_and(|runs| runs > 0));
        Ok(CompilerConfig {
            solc,
            listed: Vec::new(),
            evm_version,
            optimizer: Some(optimizer),
            optimizer_runs: Some(runs.unwrap_or(200)),
            via_ir: self.boolean("via_ir")?.unwrap_or(false),
        })
    }

    /// How tests are run: `[invariant]` under the profiles' own tables, and the profiles' own keys.
    pub(super) fn test_config(&self) -> TestConfig {
        let of_profiles = self.profiles.iter().rev().filter_map(|profile| profile.get("invariant"));
        let config = self.invariant.iter().chain(of_profiles).fold(TestConfig::default(), TestConfig::with_table);
        let allows = self.get("allow_internal_expect_revert").and_then(DocumentNode::boolean).unwrap_or(false);
        TestConfig { allow_internal_expect_revert: allows, ..config }
    }

    /// The seed of `[fuzz]`: a number, also as text and in hexadecimal digits, of which the last 64 bits count here.
    pub(super) fn seed(&mut self) -> Option<u64> {
        let of_profiles = self.profiles.iter().filter_map(|profile| profile.get("fuzz"));
        let node = of_profiles.chain(&self.fuzz).find_map(|fuzz| fuzz.get("seed"))?;
        let said = node.integer().map(U256::from).or_else(|| node.text()?.trim().parse().ok());
        let line = node.line;
        if said.is_none() {
            self.warn(line, "`seed` of `[fuzz]` is not used: write a number, such as `7` or `\"0x7\"`".to_owned());
        }
        said.map(|seed| seed.as_limbs()[0])
    }

    fn get(&self, key: &str) -> Option<&DocumentNode> {
        let in_profile =
            |profile: &'_ DocumentNode| profile.entries().iter().position(|(name, _)| snake_case(name) == key);
        self.profiles.iter().find_map(|profile| in_profile(profile).map(|at| &profile.entries()[at].1))
    }

    /// The value of a key that must be of one kind.
    fn value<'a, T>(
        &'a self,
        key: &str,
        expected: &'static str,
        take: impl FnOnce(&'a DocumentNode) -> Option<T>,
    ) -> Result<Option<T>, ProjectError> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        take(node).map(Some).ok_or_else(|| self.wrong(key, expected, node.describe()))
    }

    fn text(&self, key: &str) -> Result<Option<&str>, ProjectError> {
        self.value(key, "a string", DocumentNode::text)
    }

    fn texts(&self, key: &str) -> Result<Option<Vec<&str>>, ProjectError> {
        self.value(key, "a list of strings", DocumentNode::texts)
    }

    pub(super) fn boolean(&self, key: &str) -> Result<Option<bool>, ProjectError> {
        self.value(key, "`true` or `false`", DocumentNode::boolean)
    }

    fn integer(&self, key: &str) -> Result<Option<u32>, ProjectError> {
        self.value(key, "a whole number below 2^32", |node| node.integer().and_then(|n| u32::try_from(n).ok()))
    }

    pub(super) fn folder(&self, key: &str, default: &str) -> Result<PathBuf, ProjectError> {
        Ok(resolve(&self.root, self.text(key)?.unwrap_or(default)))
    }

    pub(super) fn folders(&self, key: &str) -> Result<Option<Vec<PathBuf>>, ProjectError> {
        Ok(self.texts(key)?.map(|folders| folders.iter().map(|folder| resolve(&self.root, folder)).collect()))
    }

    fn wrong(&self, key: &str, expected: &'static str, found: String) -> ProjectError {
        ProjectError::Value {
            file: self.file.clone(),
            line: self.get(key).and_then(|node| node.line).unwrap_or(1),
            key: key.to_owned(),
            expected,
            found,
        }
    }

    fn warn(&mut self, line: Option<usize>, message: String) {
        self.warnings.push(ProjectWarning { file: Some(self.file.clone()), line, message });
    }
}

/// forge takes `viaIR`, `via-ir` and `via_ir` for one key.
fn snake_case(key: &str) -> String {
    let mut snake = String::new();
    let mut after_lower = false;
    for c in key.chars() {
        if c.is_ascii_uppercase() && after_lower {
            snake.push('_');
        }
        after_lower = c.is_ascii_lowercase() || c.is_ascii_digit();
        snake.push(if c == '-' { '_' } else { c.to_ascii_lowercase() });
    }
    snake
}
