//! A [`CompiledFile`] is the compiler's output for one source, as it is kept from one build to the next. It refers to other
//! sources by name, since the compiler's numbers for them change.

use super::{ast::Ast, build::Diagnostic};
use semver::Version;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{collections::BTreeMap, sync::Arc};

/// The compiler's output for one source.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct CompiledFile {
    /// The source names behind the file ids of the source maps: those of its closure.
    pub(super) ids: BTreeMap<u32, String>,
    /// The syntax tree.
    pub(super) ast: Arc<Ast>,
    /// The compiler's output for each contract, if code was asked for.
    pub(super) contracts: BTreeMap<String, Value>,
    /// Warnings.
    pub(super) warnings: Vec<Diagnostic>,
    /// The compiler.
    pub(super) solc: Version,
    /// The settings that affect the code, as JSON.
    pub(super) settings: Arc<str>,
}

impl Default for CompiledFile {
    fn default() -> Self {
        Self {
            ids: BTreeMap::new(),
            ast: Arc::default(),
            contracts: BTreeMap::new(),
            warnings: Vec::new(),
            solc: Version::new(0, 0, 0),
            settings: "{}".into(),
        }
    }
}

impl CompiledFile {
    /// Takes a source's part out of the compiler's output.
    pub(super) fn read(output: &mut Value, name: &str, ids: BTreeMap<u32, String>, warnings: Vec<Diagnostic>) -> Self {
        let ast = output.get("sources").and_then(|sources| sources.get(name)?.get("ast"));
        let ast = Arc::new(ast.map(Ast::read).unwrap_or_default());
        let contracts = output.get_mut("contracts").and_then(|contracts| contracts.get_mut(name)).map(Value::take);
        let contracts = match contracts {
            Some(Value::Object(contracts)) => contracts.into_iter().collect(),
            _ => BTreeMap::new(),
        };
        Self { ids, ast, contracts, warnings, ..Self::default() }
    }

    /// The names of the sources whose libraries its code is linked to.
    pub(super) fn links(&self) -> impl Iterator<Item = &str> {
        self.contracts.values().flat_map(|contract| {
            ["bytecode", "deployedBytecode"]
                .into_iter()
                .filter_map(|code| contract.get("evm")?.get(code)?.get("linkReferences")?.as_object())
                .flat_map(|files| files.keys().map(String::as_str))
        })
    }
}
