//! [`Artifacts`] are the compiled contracts that a test can ask for by name, with `getCode` and `deployCode`.

use crate::compile::{Build, Bytecode, Contract};
use alloy_primitives::{Address, Bytes};
use std::{collections::BTreeMap, sync::Arc};

/// Compiled contracts by name.
pub trait Artifacts: Send + Sync {
    /// The creation code of the contract that a name means: `File.sol:Name`, `Name`, `File.sol`, or the path of an artifact.
    ///
    /// # Errors
    ///
    /// A sentence: there is none of that name, or it is linked to a library that is not deployed.
    fn creation(&self, name: &str) -> Result<Bytes, String>;

    /// The deployed code of that contract, with zeros for immutables.
    ///
    /// # Errors
    ///
    /// As for [`creation`](Self::creation).
    fn runtime(&self, name: &str) -> Result<Bytes, String>;
}

/// The contracts of a build, linked to libraries that are deployed.
#[derive(Debug, Clone)]
pub struct BuildArtifacts {
    /// The build.
    pub build: Arc<Build>,
    /// The addresses of libraries, by file and name.
    pub libraries: BTreeMap<(String, String), Address>,
}

/// What a name says of a contract.
#[derive(Debug, PartialEq, Eq)]
struct Wanted<'a> {
    /// The end of its file's path.
    file: Option<&'a str>,
    name: Option<&'a str>,
    /// The release of the compiler, or its beginning.
    version: Option<&'a str>,
}

impl<'a> Wanted<'a> {
    /// Reads `src/File.sol:Name:0.8.23`, of which each part may be missing, or `out/File.sol/Name.0.8.23.json`.
    fn read(text: &'a str) -> Self {
        if let Some(path) = text.strip_suffix(".json") {
            let mut parts = path.rsplit('/');
            let (name, file) = (parts.next().unwrap_or_default(), parts.next());
            let (name, version) = name.split_once('.').map_or((name, None), |(name, version)| (name, Some(version)));
            return Self { file, name: Some(name), version };
        }
        let mut wanted = Self { file: None, name: None, version: None };
        for part in text.split(':') {
            if part.ends_with(".sol") || part.contains('/') {
                wanted.file = Some(part);
            } else if part.starts_with(|first: char| first.is_ascii_digit()) {
                wanted.version = Some(part);
            } else {
                wanted.name = Some(part);
            }
        }
        wanted
    }

    fn is(&self, contract: &Contract, file: &str) -> bool {
        let is_end = |end: &str| file.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let stem = |file: &'a str| file.rsplit('/').next().unwrap_or(file).trim_end_matches(".sol");
        let name = self.name.or_else(|| self.file.map(stem));
        name == Some(contract.name.as_str())
            && self.file.is_none_or(|file| is_end(file.trim_start_matches("./")))
            && self.version.is_none_or(|version| contract.solc.to_string().starts_with(version))
    }
}

impl BuildArtifacts {
    fn find(&self, name: &str) -> Result<&Arc<Contract>, String> {
        let wanted = Wanted::read(name);
        let contracts = self.build.contracts.iter().filter(|contract| {
            let file = &self.build.source(contract.source).name;
            wanted.is(contract, file) && !contract.creation.code.is_empty()
        });
        let found: Vec<&Arc<Contract>> = contracts.collect();
        match found.as_slice() {
            [] => Err(format!("no matching artifact found for \"{name}\"; it is not compiled, or has errors")),
            [contract] => Ok(contract),
            [first, rest @ ..] if rest.iter().all(|other| other.creation.code == first.creation.code) => Ok(first),
            several => {
                let file = |contract: &&Arc<Contract>| self.build.source(contract.source).name.clone();
                let files: Vec<String> = several.iter().map(file).collect();
                Err(format!("multiple matching artifacts found for \"{name}\": in {}", files.join(", ")))
            }
        }
    }

    fn linked(&self, contract: &Contract, code: &Bytecode) -> Result<Bytes, String> {
        let missing = code.links.iter().find(|link| {
            let key = (link.file.clone(), link.library.clone());
            !self.libraries.contains_key(&key)
        });
        match missing {
            Some(link) => Err(format!(
                "{} is linked to the library {} of {}, which is not deployed",
                contract.name, link.library, link.file
            )),
            None => Ok(code.linked(&self.libraries)),
        }
    }
}

impl Artifacts for BuildArtifacts {
    fn creation(&self, name: &str) -> Result<Bytes, String> {
        let contract = self.find(name)?;
        self.linked(contract, &contract.creation)
    }

    fn runtime(&self, name: &str) -> Result<Bytes, String> {
        let contract = self.find(name)?;
        self.linked(contract, &contract.runtime)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_in_each_of_their_forms() {
        let wanted = |file, name, version| Wanted { file, name, version };
        for (text, expected) in [
            ("A.sol:B", wanted(Some("A.sol"), Some("B"), None)),
            ("B", wanted(None, Some("B"), None)),
            ("A.sol", wanted(Some("A.sol"), None, None)),
            ("src/A.sol:B:0.8.23", wanted(Some("src/A.sol"), Some("B"), Some("0.8.23"))),
            ("A.sol:0.8.23", wanted(Some("A.sol"), None, Some("0.8.23"))),
            ("B:0.8.23", wanted(None, Some("B"), Some("0.8.23"))),
            ("out/A.sol/B.json", wanted(Some("A.sol"), Some("B"), None)),
            ("out/A.sol/B.0.8.23.json", wanted(Some("A.sol"), Some("B"), Some("0.8.23"))),
            ("", wanted(None, Some(""), None)),
        ] {
            assert_eq!(Wanted::read(text), expected, "{text}");
        }
    }
}
