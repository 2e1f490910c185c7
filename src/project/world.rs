//! A [`WorldConfig`] is what a person says about the world of a contract: which contract is used for which parameter, and calls that
//! are made before fuzzing starts. It is read as it is written; what it names is looked up where the world is made.

use std::{collections::BTreeMap, path::PathBuf};

/// The world of one contract, as far as a person has a say in it. Keys of `[world.NAME]` in `bellwether.toml`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorldConfig {
    /// `parameters`: for a parameter by name, the name of a contract, or `stand-in`.
    pub parameters: BTreeMap<String, Written>,
    /// `calls`: the calls that are made in this order after the deployments.
    pub calls: Vec<Written>,
    /// The file that says so; `None` for an editor's settings.
    pub file: Option<PathBuf>,
    /// The line on which it starts, counted from 1; `None` in an editor's settings.
    pub line: Option<usize>,
}

/// A text of a configuration and the line it stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// The line, counted from 1; `None` in an editor's settings.
    pub line: Option<usize>,
}

impl WorldConfig {
    /// A place in it, for messages: `bellwether.toml:12`, or `bellwether.world` for an editor's settings.
    pub fn place(&self, written: &Written) -> String {
        let name = self.file.as_ref().and_then(|file| file.file_name()).map(|name| name.to_string_lossy());
        match (name, written.line) {
            (Some(name), Some(line)) => format!("{name}:{line}"),
            (Some(name), None) => name.into_owned(),
            (None, _) => "the setting `bellwether.world`".to_owned(),
        }
    }
}
