//! A [`Config`] holds the settings of a person: `bellwether.toml` and an editor's settings, both read through one table of
//! [`Settings`]. Every field may be unset. It holds no defaults that depend on the machine, and nothing of the project's own
//! files. A mistake in it is a warning, never an error.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::{
    choices::{CompilerDiagnostics, Run},
    document::{DocumentNode, Value},
    exclude,
    level::Level,
    nearest::suggestion,
    products::Products,
    rules::{IgnoreRule, LevelRule},
    settings::{LEVELS, Scope, Setting, Settings, WITHOUT_EFFECT},
    solc::SolcChoice,
    warning::ProjectWarning,
    world::{WorldConfig, Written},
};

/// Settings; `None` and missing entries are unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// `run`; unset means [`Run::OnSave`].
    pub run: Option<Run>,
    /// `workers`: fuzzing threads, 1 or more.
    pub workers: Option<usize>,
    /// `budget.seconds`: seconds of fuzzing per save; 0 and unset mean no limit but quiet.
    pub budget_seconds: Option<u64>,
    /// `pauseOnBattery`; unset means that power is not looked at.
    pub pause_on_battery: Option<bool>,
    /// `memory`: MiB for the corpus; see [`Config::memory_mib`].
    pub memory: Option<u64>,
    /// `oracles.<name>`, by name; see `Config::level`, which knows the defaults.
    pub oracles: BTreeMap<String, Level>,
    /// `levels`: other levels at some places; the last one that fits counts. See `Config::level_at`.
    pub levels: Option<Vec<LevelRule>>,
    /// `ignore`: findings that are meant.
    pub ignore: Option<Vec<IgnoreRule>>,
    /// `exclude`: glob patterns from the project's root.
    pub exclude: Option<Vec<String>>,
    /// `include`: glob patterns from the project's root; see [`Config::products`].
    pub include: Option<Vec<String>>,
    /// `codeLens`; unset means that there are lenses.
    pub code_lens: Option<bool>,
    /// `inlayValues`; unset means that values stand only beside the lines of findings.
    pub inlay_values: Option<bool>,
    /// `coverage`; unset means that editors are not told which lines were reached.
    pub coverage: Option<bool>,
    /// `compilerDiagnostics`; unset means [`CompilerDiagnostics::Errors`].
    pub compiler_diagnostics: Option<CompilerDiagnostics>,
    /// `cache`, as written: relative paths count from the project's root.
    pub cache: Option<PathBuf>,
    /// `solc`, as written: a version, a range or a path. [`Project`](super::Project) resolves it into its compiler's configuration.
    pub solc: Option<String>,
    /// `seed`.
    pub seed: Option<u64>,
    /// `test.directory`, as written: relative paths count from the project's root.
    pub test_directory: Option<PathBuf>,
    /// `exchange`, as written: where other machines share what they find.
    pub exchange: Option<String>,
    /// `shareFindings`; unset means that nothing is sent there.
    pub share_findings: Option<bool>,
    /// `world.<contract>`, by the contract's name.
    pub world: BTreeMap<String, WorldConfig>,
}

impl Config {
    /// Reads the text of a `bellwether.toml`. `file` only names it in the warnings.
    ///
    /// Unknown keys and wrong values are warnings with their line, and are left unset; a file that is not TOML is one warning.
    pub fn read_toml(text: &str, file: &Path, settings: &Settings) -> (Self, Vec<ProjectWarning>) {
        let mut reading = Reading::new(Some(file), settings);
        match DocumentNode::from_toml(text) {
            Ok(node) => reading.table(&node, ""),
            Err((line, message)) => {
                let message = format!("is not valid TOML: {message}; no setting of this file is in force until it is");
                reading.warn(Some(line), message);
            }
        }
        (reading.config, reading.warnings)
    }

    /// Takes an editor's settings: nested (`{"budget": {"seconds": 5}}`), flat (`{"budget.seconds": 5}`), with or without the
    /// prefix `bellwether`. `null` anywhere means unset. Unknown keys and wrong values are warnings without file and line.
    pub fn read_json(json: &serde_json::Value, settings: &Settings) -> (Self, Vec<ProjectWarning>) {
        let mut reading = Reading::new(None, settings);
        let node = DocumentNode::from_json(json);
        match node.value {
            Value::Table(_) => reading.table(&node, ""),
            Value::Nothing => {}
            _ => reading.warn(None, format!("settings must be an object, not {}; they are ignored", node.describe())),
        }
        (reading.config, reading.warnings)
    }

    /// These settings with `stronger` over them: what it sets wins, oracles and the worlds of contracts one by one, lists as a
    /// whole.
    #[must_use]
    pub fn overlay(self, stronger: Self) -> Self {
        let mut oracles = self.oracles;
        oracles.extend(stronger.oracles);
        let mut world = self.world;
        world.extend(stronger.world);
        Self {
            run: stronger.run.or(self.run),
            workers: stronger.workers.or(self.workers),
            budget_seconds: stronger.budget_seconds.or(self.budget_seconds),
            pause_on_battery: stronger.pause_on_battery.or(self.pause_on_battery),
            memory: stronger.memory.or(self.memory),
            oracles,
            levels: stronger.levels.or(self.levels),
            ignore: stronger.ignore.or(self.ignore),
            exclude: stronger.exclude.or(self.exclude),
            include: stronger.include.or(self.include),
            code_lens: stronger.code_lens.or(self.code_lens),
            inlay_values: stronger.inlay_values.or(self.inlay_values),
            coverage: stronger.coverage.or(self.coverage),
            compiler_diagnostics: stronger.compiler_diagnostics.or(self.compiler_diagnostics),
            cache: stronger.cache.or(self.cache),
            solc: stronger.solc.or(self.solc),
            seed: stronger.seed.or(self.seed),
            test_directory: stronger.test_directory.or(self.test_directory),
            exchange: stronger.exchange.or(self.exchange),
            share_findings: stronger.share_findings.or(self.share_findings),
            world,
        }
    }

    /// The rules by which contracts are products, or only support them.
    pub fn products(&self) -> Products {
        Products::new(self.include.as_deref().unwrap_or_default())
    }

    /// The memory limit of the corpus in MiB: as set, else the table's default.
    pub fn memory_mib(&self) -> u64 {
        self.memory.unwrap_or_else(|| Setting::own("memory").and_then(|s| s.default_value().as_u64()).unwrap_or(1024))
    }
}

/// One pass over a document.
struct Reading<'a> {
    file: Option<&'a Path>,
    settings: &'a Settings,
    config: Config,
    warnings: Vec<ProjectWarning>,
}

impl<'a> Reading<'a> {
    fn new(file: Option<&'a Path>, settings: &'a Settings) -> Self {
        Self { file, settings, config: Config::default(), warnings: Vec::new() }
    }

    /// Goes through a table whose keys stand below `prefix` (empty, or ending in a dot).
    fn table(&mut self, node: &DocumentNode, prefix: &str) {
        for (name, child) in node.entries() {
            let whole = format!("{prefix}{name}");
            let key = whole.strip_prefix("bellwether.").unwrap_or(&whole);
            let below = format!("{key}.");
            if let Some(setting) = self.settings.of(key) {
                self.setting(setting, child);
            } else if key == "bellwether" && matches!(child.value, Value::Table(_)) {
                self.table(child, "");
            } else if !self.settings.iter().any(|setting| setting.key.starts_with(&below)) {
                self.unknown(key, child.line);
            } else if matches!(child.value, Value::Table(_)) {
                self.table(child, &below);
            } else if child.value != Value::Nothing {
                let message = format!("`{key}` must be a table of settings, not {}; it is ignored", child.describe());
                self.warn(child.line, message);
            }
        }
    }

    fn unknown(&mut self, key: &str, line: Option<usize>) {
        let message = match key.strip_prefix(LEVELS) {
            Some(oracle) => self.no_oracle(oracle, &format!(" (`{key}`)")),
            None if WITHOUT_EFFECT.contains(&key) => {
                format!("unknown setting `{key}`; it never had an effect, so remove it")
            }
            None => format!("unknown setting `{key}`{}", suggestion(key, self.settings.iter().map(|s| s.key))),
        };
        self.warn(line, message);
    }

    /// Says that there is no oracle of this name, which stands `place`, and which ones there are.
    fn no_oracle(&self, oracle: &str, place: &str) -> String {
        let meant = suggestion(oracle, self.settings.oracles());
        let names = || self.settings.oracles().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        let hint = if meant.is_empty() { format!("; this version has {}", names()) } else { meant };
        format!("there is no oracle `{oracle}`{place}{hint}")
    }

    fn setting(&mut self, setting: &Setting, node: &DocumentNode) {
        let empty =
            node.text().is_some_and(str::is_empty) && !matches!(setting.kind, super::settings::SettingKind::Choice(_));
        if node.value == Value::Nothing || empty {
            return;
        }
        if setting.scope == Scope::Editor {
            if self.file.is_some() {
                self.warn(
                    node.line,
                    format!("`{}` is read from the editor's settings only: set it there; it is ignored", setting.key),
                );
            }
            return;
        }
        if setting.scope == Scope::User && self.file.is_some() {
            let message =
                format!("`{}` is read from the editor's settings only: set it there; it is ignored", setting.key);
            return self.warn(node.line, message);
        }
        if !setting.kind.accepts(node) {
            let near = match setting.kind {
                super::settings::SettingKind::Choice(names) => {
                    node.text().map(|text| suggestion(text, names.iter().copied()))
                }
                _ => None,
            };
            let message = format!(
                "`{}` must be {}, not {}{}",
                setting.key,
                setting.kind,
                node.describe(),
                near.unwrap_or_else(|| "; it is ignored".to_owned())
            );
            return self.warn(node.line, message);
        }
        self.set(setting.key, node);
    }

    /// Stores a value that the table has accepted.
    fn set(&mut self, key: &str, node: &DocumentNode) {
        let text = node.text();
        let path = || text.map(PathBuf::from);
        let number = || node.integer().and_then(|n| u64::try_from(n).ok());
        match key {
            "run" => self.config.run = text.and_then(Run::from_name),
            "workers" => {
                self.config.workers = number().map(|n| usize::try_from(n).unwrap_or(usize::MAX));
            }
            "budget.seconds" => self.config.budget_seconds = number(),
            "pauseOnBattery" => self.config.pause_on_battery = node.boolean(),
            "memory" => self.config.memory = number(),
            "levels" => self.config.levels = Some(self.level_rules(node)),
            "ignore" => self.config.ignore = Some(self.ignore_rules(node)),
            "exclude" => self.config.exclude = Some(self.globs(key, node)),
            "include" => self.config.include = Some(self.globs(key, node)),
            "codeLens" => self.config.code_lens = node.boolean(),
            "inlayValues" => self.config.inlay_values = node.boolean(),
            "coverage" => self.config.coverage = node.boolean(),
            "compilerDiagnostics" => {
                self.config.compiler_diagnostics = text.and_then(CompilerDiagnostics::from_name);
            }
            "cache" => self.config.cache = path(),
            "solc" => match text.map(|text| (text, SolcChoice::parse(text, Path::new("")))) {
                Some((_, Err(reason))) => {
                    self.warn(node.line, format!("`solc` {reason}; it is ignored"));
                }
                Some((text, Ok(_))) => self.config.solc = Some(text.to_owned()),
                None => {}
            },
            "seed" => self.config.seed = number(),
            "exchange" => self.config.exchange = text.map(str::to_owned),
            "shareFindings" => self.config.share_findings = node.boolean(),
            "test.directory" => self.config.test_directory = path(),
            "world" => {
                for (contract, node) in node.entries() {
                    let world = self.world(contract, node);
                    if !world.parameters.is_empty() || !world.calls.is_empty() {
                        self.config.world.insert(contract.clone(), world);
                    }
                }
            }
            _ => {
                if let (Some(oracle), Some(level)) = (key.strip_prefix(LEVELS), text.and_then(Level::from_name)) {
                    self.config.oracles.insert(oracle.to_owned(), level);
                }
            }
        }
    }

    /// The world of a contract.
    fn world(&mut self, contract: &str, node: &DocumentNode) -> WorldConfig {
        const KEYS: [&str; 2] = ["parameters", "calls"];
        let mut world =
            WorldConfig { file: self.file.map(Path::to_path_buf), line: node.line, ..WorldConfig::default() };
        let written = |text: &str, node: &DocumentNode| Written { text: text.to_owned(), line: node.line };
        for (name, node) in node.entries() {
            let key = format!("world.{contract}.{name}");
            match (name.as_str(), &node.value) {
                (_, Value::Nothing) => {}
                ("parameters", Value::Table(parameters)) => {
                    for (parameter, node) in parameters {
                        match node.text() {
                            Some(text) => drop(world.parameters.insert(parameter.clone(), written(text, node))),
                            None => {
                                self.wrong(&format!("{key}.{parameter}"), "the name of a contract or `stand-in`", node)
                            }
                        }
                    }
                }
                ("calls", Value::List(calls)) => {
                    for node in calls {
                        match node.text() {
                            Some(text) => world.calls.push(written(text, node)),
                            None => self.wrong(&key, "a list of calls, each a string", node),
                        }
                    }
                }
                ("parameters", _) => self.wrong(&key, "a table of contracts by parameter", node),
                ("calls", _) => self.wrong(&key, "a list of calls", node),
                _ => self.warn(node.line, format!("unknown setting `{key}`{}", suggestion(name, KEYS))),
            }
        }
        world
    }

    fn wrong(&mut self, key: &str, expected: &str, node: &DocumentNode) {
        self.warn(node.line, format!("`{key}` must be {expected}, not {}; it is ignored", node.describe()));
    }

    /// The patterns that are valid globs; the others become warnings.
    fn globs(&mut self, key: &str, node: &DocumentNode) -> Vec<String> {
        let Value::List(items) = &node.value else {
            return Vec::new();
        };
        let mut globs = Vec::new();
        for item in items {
            let Some(pattern) = item.text().filter(|pattern| !pattern.trim().is_empty()) else {
                continue;
            };
            match exclude::check(pattern) {
                Ok(()) => globs.push(pattern.to_owned()),
                Err(reason) => {
                    self.warn(
                        item.line,
                        format!("`{key}`: {pattern:?} is not a glob pattern: {reason}; it is ignored"),
                    );
                }
            }
        }
        globs
    }

    fn warn(&mut self, line: Option<usize>, message: String) {
        self.warnings.push(ProjectWarning { file: self.file.map(Path::to_path_buf), line, message });
    }
}

mod rules;
#[cfg(test)]
mod tests;
