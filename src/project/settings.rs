//! A [`Setting`] is one key that a person can set, and [`Settings`] is the table of them. The table drives parsing and checking
//! here, and the extension's `package.json` and the documentation are compared with it. The levels of oracles are added from
//! above (`oracle/settings.rs`). Values that were set are in a [`Config`](super::Config).

use super::{
    choices::{CompilerDiagnostics, Run},
    document::{DocumentNode, Value},
    level::Level,
};

/// The prefix of the keys of oracles' levels; the name of the oracle follows.
pub(super) const LEVELS: &str = "oracles.";

/// One key of `bellwether.toml`, and of the editor's settings with `bellwether.` before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The key, dotted, without the prefix.
    pub key: &'static str,
    /// The values that it accepts.
    pub kind: SettingKind,
    /// The default, as JSON text; `null` where it depends on the machine or the project.
    pub default: &'static str,
    /// One sentence for the settings page.
    pub description: &'static str,
    /// The programs that read it.
    pub scope: Scope,
}

/// The values that a setting accepts. `null`, and for texts and paths the empty text, mean unset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
    /// `true` or `false`.
    Boolean,
    /// A whole number, at least `least`.
    Integer {
        /// The smallest accepted value.
        least: u64,
    },
    /// One of these names.
    Choice(&'static [&'static str]),
    /// Any text.
    Text,
    /// A path; relative ones count from the project's root.
    Path,
    /// A list of glob patterns.
    Globs,
    /// A table of texts.
    Texts,
    /// A table that has a [`WorldConfig`](super::WorldConfig) for contracts by name.
    Worlds,
    /// A list of tables, each an [`IgnoreRule`](super::IgnoreRule).
    Ignores,
    /// A list of tables, each a [`LevelRule`](super::LevelRule).
    Levels,
}

/// The programs that read a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// The engine and the server: valid in `bellwether.toml` and in an editor.
    Everywhere,
    /// The server, from the editor's user alone: not valid in `bellwether.toml`, which anybody may have written.
    User,
    /// The editor's client: not valid in `bellwether.toml`.
    Editor,
}

impl Setting {
    /// The setting of an oracle's level.
    pub const fn level(key: &'static str, default: Level, description: &'static str) -> Self {
        let default = match default {
            Level::Error => "\"error\"",
            Level::Warning => "\"warning\"",
            Level::Information => "\"information\"",
            Level::Hint => "\"hint\"",
            Level::Off => "\"off\"",
        };
        setting(key, SettingKind::Choice(Level::NAMES), default, description)
    }

    /// The project's own setting of that exact key.
    pub(super) fn own(key: &str) -> Option<&'static Self> {
        FUZZING.iter().chain(PROJECT).find(|setting| setting.key == key)
    }

    /// The default as a JSON value.
    pub fn default_value(&self) -> serde_json::Value {
        // The table below is checked by a test to hold nothing but JSON.
        serde_json::from_str(self.default).unwrap_or_default()
    }
}

impl SettingKind {
    /// Whether the value is of this kind.
    pub(super) fn accepts(self, node: &DocumentNode) -> bool {
        match self {
            Self::Boolean => node.boolean().is_some(),
            Self::Integer { least } => {
                node.integer().is_some_and(|n| n >= i128::from(least) && n <= i128::from(u64::MAX))
            }
            Self::Choice(names) => node.text().is_some_and(|text| names.contains(&text)),
            Self::Text | Self::Path => node.text().is_some(),
            Self::Globs => node.texts().is_some(),
            Self::Worlds => {
                let is_table = |node: &DocumentNode| matches!(node.value, Value::Table(_));
                is_table(node) && node.entries().iter().all(|(_, world)| is_table(world))
            }
            Self::Ignores | Self::Levels => match &node.value {
                Value::List(items) => items.iter().all(|item| matches!(item.value, Value::Table(_))),
                _ => false,
            },
            Self::Texts => {
                matches!(node.value, Value::Table(_)) && node.entries().iter().all(|(_, n)| n.text().is_some())
            }
        }
    }
}

/// The accepted values, as they follow "must be".
impl std::fmt::Display for SettingKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Boolean => f.write_str("`true` or `false`"),
            Self::Integer { least } => write!(f, "a whole number, {least} or more"),
            Self::Choice(names) => {
                write!(f, "one of {}", names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", "))
            }
            Self::Text => f.write_str("a string"),
            Self::Path => f.write_str("a path"),
            Self::Globs => f.write_str("a list of glob patterns"),
            Self::Texts => f.write_str("a table of strings"),
            Self::Worlds => f.write_str("a table with a table for each contract"),
            Self::Ignores => f.write_str("a list of tables, each with `oracle`, `file` and `reason`"),
            Self::Levels => f.write_str("a list of tables, each with a place and `oracles`"),
        }
    }
}

const fn setting(key: &'static str, kind: SettingKind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, kind, default, description, scope: Scope::Everywhere }
}

const fn user(key: &'static str, kind: SettingKind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, kind, default, description, scope: Scope::User }
}

const fn editor(key: &'static str, kind: SettingKind, default: &'static str, description: &'static str) -> Setting {
    Setting { key, kind, default, description, scope: Scope::Editor }
}

/// A table of settings, in the order in which documents list them.
#[derive(Debug)]
pub struct Settings(Vec<Setting>);

impl Settings {
    /// The project's own settings, and between those on how to fuzz and the others the levels of oracles.
    pub fn with_levels(levels: impl IntoIterator<Item = Setting>) -> Self {
        Self(FUZZING.iter().copied().chain(levels).chain(PROJECT.iter().copied()).collect())
    }

    /// The setting of that exact key.
    pub fn of(&self, key: &str) -> Option<&Setting> {
        self.iter().find(|setting| setting.key == key)
    }

    /// All of them.
    pub fn iter(&self) -> std::slice::Iter<'_, Setting> {
        self.0.iter()
    }

    /// The names of the oracles that have a level.
    pub(super) fn oracles(&self) -> impl Iterator<Item = &'static str> {
        self.iter().filter_map(|setting| setting.key.strip_prefix(LEVELS))
    }
}

/// Settings that earlier versions listed although nothing read them. Using one is a warning that says that it can go.
pub(super) const WITHOUT_EFFECT: [&str; 1] = ["test.framework"];

/// The settings on how to fuzz.
#[rustfmt::skip]
const FUZZING: &[Setting] = &[
    setting("run", SettingKind::Choice(Run::NAMES), "\"onSave\"", "When to fuzz: after every save, only when asked, or never."),
    setting("workers", SettingKind::Integer { least: 1 }, "null", "Number of fuzzing threads. In an editor all open projects share them, and the largest number that one of them sets decides. Default: half of the cores in an editor, all of them on the command line."),
    setting("budget.seconds", SettingKind::Integer { least: 0 }, "0", "How long to fuzz after a save, in seconds. 0: until nothing new is found for a while."),
    setting("pauseOnBattery", SettingKind::Boolean, "false", "Pause fuzzing while the machine runs on battery. The power source is checked once a minute, and only while there is something to fuzz."),
    setting("memory", SettingKind::Integer { least: 64 }, "1024", "How much memory fuzzing may keep, in MiB, shared by all contracts. In an editor all open projects share it, too, and the largest number that one of them sets decides. When it is full, what is worth least is forgotten."),
];

/// The settings on the project and the editor.
#[rustfmt::skip]
const PROJECT: &[Setting] = &[
    setting("levels", SettingKind::Levels, "[]", "Levels of oracles at certain places: each entry has `oracles` (levels by oracle name) and at least one of `file` (a glob pattern), `contract`, `function` and `expression`. The last entry that matches counts."),
    setting("ignore", SettingKind::Ignores, "[]", "Findings to ignore: each entry has the `oracle`, the `file` (a glob pattern), the `reason`, and, if needed, `contract`, `function` and `expression`."),
    setting("exclude", SettingKind::Globs, "[]", "Files and folders whose contracts are not fuzzed, as glob patterns from the project's root."),
    setting("include", SettingKind::Globs, "[]", "Files and folders whose contracts are fuzzed as products although their names say test, mock, harness, example or script, as glob patterns from the project's root. Other contracts with such names get a small share of the time, and more of it once the rest shows nothing new; their findings, and those that only a call of their own functions shows, have the level `information` at most, unless an assertion or a property fails."),
    setting("codeLens", SettingKind::Boolean, "true", "Show above contracts and functions what was found, how much of them was reached, and what was not fuzzed."),
    setting("inlayValues", SettingKind::Boolean, "false", "Show values at the end of each line that the failing call of a finding ran: what the line compared, and what it wrote. The line of the finding itself shows them anyway, if the editor shows inlay hints."),
    setting("coverage", SettingKind::Boolean, "false", "Show beside each line whether it was reached, was not reached yet, cannot be reached, or is run by the call of a finding."),
    setting("compilerDiagnostics", SettingKind::Choice(CompilerDiagnostics::NAMES), "\"errors\"", "Which of the compiler's messages to show."),
    setting("cache", SettingKind::Path, "null", "Where builds, corpus and findings are kept. Default: the platform's cache folder."),
    setting("solc", SettingKind::Text, "null", "The compiler: a version (`0.8.28`), a range of versions (`^0.8.20`), or the path of an executable. Default: the project's own choice, else what each file's pragma asks for."),
    setting("seed", SettingKind::Integer { least: 0 }, "null", "The seed of the random generator. Default: a new one each time."),
    setting("world", SettingKind::Worlds, "{}", "What the world of a contract is made of, by the contract's name: `parameters` says which contract is used for which parameter, `calls` which calls are made before fuzzing starts."),
    setting("test.directory", SettingKind::Path, "null", "The folder that regression tests are written to. Default: the project's test folder. A folder outside of the workspace counts only in the editor's settings."),
    user("exchange", SettingKind::Text, "null", "Where machines that fuzz the same contracts share what they find: `nats://HOST/CAMPAIGN`, `s3://BUCKET/PREFIX` or a folder, as for `bellwether fuzz --join`. Sequences that other machines found are run here, and shown as findings if they fail here, too. Nothing is sent unless `shareFindings` is set."),
    user("shareFindings", SettingKind::Boolean, "false", "Send what is found here, as sequences of calls, to the place that `exchange` names."),
    editor("server.path", SettingKind::Path, "null", "The path of the `bellwether` executable. Default: the one in the extension, else the one on PATH."),
    editor("server.extraEnv", SettingKind::Texts, "{}", "Environment variables for the server."),
    editor("trace.server", SettingKind::Choice(&["off", "messages", "verbose"]), "\"off\"", "Log the messages between the editor and the server."),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_json_of_its_own_kind() {
        for setting in &Settings::with_levels([Setting::level("oracles.one", Level::Hint, "One.")]).0 {
            let default: serde_json::Value = serde_json::from_str(setting.default).expect(setting.key);
            assert!(default.is_null() || setting.kind.accepts(&DocumentNode::from_json(&default)), "{}", setting.key);
        }
    }
}
