//! A [`Build`] is the result of one compilation of a project: sources with their syntax trees, contracts with their bytecode,
//! and the compiler's diagnostics. It is immutable, and knows nothing of how it was made.

use super::{
    ast::{Ast, ContractKind},
    span::{LineIndex, Span},
};
use crate::project::{PropertyConfigs, TestConfig};
use alloy_json_abi::JsonAbi;
use alloy_primitives::{Address, Bytes};
use foundry_compilers::artifacts::{EvmVersion, StorageLayout};
use semver::Version;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
};

/// Index of a source in [`Build::sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(pub u32);

/// A range in the text of a source.
pub type SourceRange = (SourceId, Span);

/// Index of a contract in [`Build::contracts`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ContractId(pub u32);

/// The result of one compilation.
#[derive(Debug, Default)]
pub struct Build {
    /// Hash over compiler versions, settings and sources: two builds with one id behave alike.
    pub id: String,
    /// The project's root, absolute.
    pub root: PathBuf,
    /// How forge runs tests.
    pub test_config: TestConfig,
    /// How Echidna and Medusa call contracts with properties.
    pub properties: PropertyConfigs,
    /// Every source that took part, sorted by name.
    pub sources: Vec<Arc<Source>>,
    /// Every contract that has an ABI, sorted by source and name.
    pub contracts: Vec<Arc<Contract>>,
    /// Errors and warnings, of this compilation and of files that did not change since an earlier one.
    pub diagnostics: Vec<Diagnostic>,
    /// Names of the project's own sources that gave no code because they, or what they import, have errors.
    pub failed: BTreeSet<String>,
    /// The reasons for which files are not part of it, one line for each.
    pub left_out: Vec<LeftOut>,
    /// Sentences on what was done otherwise than configured, such as the use of another compiler where the first one failed.
    pub notes: Vec<String>,
    /// Those of `failed` that only wait for a compiler, by the version that is being fetched for them.
    pub pending: BTreeMap<Version, BTreeSet<String>>,
    /// The names of the tests that the next build compiles, among those of the files without code: see
    /// [`Compiler::build_before_tests`](super::Compiler::build_before_tests).
    pub later: BTreeSet<String>,
}

impl Build {
    /// The source with this id.
    pub fn source(&self, id: SourceId) -> &Arc<Source> {
        &self.sources[id.0 as usize]
    }

    /// The contract with this id.
    pub fn contract(&self, id: ContractId) -> &Arc<Contract> {
        &self.contracts[id.0 as usize]
    }

    /// The range of the name in the definition of a contract. If the compiler gave no syntax tree, it is the first occurrence of
    /// the name in the file.
    pub fn name_span(&self, contract: ContractId) -> Span {
        let contract = self.contract(contract);
        let (text, start) = (&self.source(contract.source).text, contract.span.start as usize);
        let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let is_word = |at: usize| {
            let (before, after) = (&text[..at], &text[at + contract.name.len()..]);
            !before.ends_with(is_letter) && !after.starts_with(is_letter)
        };
        let behind = text.get(start..).unwrap_or_default();
        let words = behind.match_indices(&contract.name).map(|(at, _)| start + at);
        let name = |at: usize| Span::new(at as u32, (at + contract.name.len()) as u32);
        words.into_iter().find(|at| is_word(*at)).map_or(Span::default(), name)
    }

    /// The name of the custom error with this selector, of any contract.
    pub fn error_name(&self, selector: [u8; 4]) -> Option<&str> {
        let mut errors = self.contracts.iter().flat_map(|contract| contract.abi.errors());
        errors.find(|error| error.selector() == selector).map(|error| error.name.as_str())
    }

    /// The id of the source at this absolute path.
    pub fn source_at(&self, path: &Path) -> Option<SourceId> {
        // Sorted by name; where a name is another one than the path below the root, all are looked at.
        let name = path.strip_prefix(&self.root).ok().and_then(Path::to_str);
        let found = name.and_then(|name| self.sources.binary_search_by(|source| source.name.as_str().cmp(name)).ok());
        let found = found.filter(|at| self.sources[*at].path == path);
        let is_it = |source: &Arc<Source>| source.path.as_os_str() == path.as_os_str();
        found.or_else(|| self.sources.iter().position(is_it)).map(|index| SourceId(index as u32))
    }

    /// The contracts that a source defines.
    pub fn contracts_in(&self, source: SourceId) -> impl Iterator<Item = &Arc<Contract>> {
        let first = self.contracts.partition_point(|contract| contract.source < source);
        self.contracts[first..].iter().take_while(move |contract| contract.source == source)
    }

    /// Of each source, whether it is this one, or imports it, directly or not.
    pub fn dependents_of(&self, source: SourceId) -> Vec<bool> {
        let mut importers = vec![Vec::new(); self.sources.len()];
        for (importer, at) in self.sources.iter().zip((0..).map(SourceId)) {
            importer.imports.iter().for_each(|imported| importers[imported.0 as usize].push(at));
        }
        let (mut dependents, mut queue) = (vec![false; self.sources.len()], vec![source]);
        while let Some(id) = queue.pop() {
            if !std::mem::replace(&mut dependents[id.0 as usize], true) {
                queue.extend(&importers[id.0 as usize]);
            }
        }
        dependents
    }

    /// All contract ids, in order.
    pub fn contract_ids(&self) -> impl Iterator<Item = ContractId> + use<> {
        (0..self.contracts.len() as u32).map(ContractId)
    }

    /// The contract named `name` in the source named `file`, or the only contract of that name where `file` is empty.
    pub fn find_contract(&self, file: &str, name: &str) -> Option<ContractId> {
        if !file.is_empty() {
            let wanted = (file, name);
            let first = self.contracts.partition_point(|contract| self.names_of(contract) < wanted);
            let found = self.contracts.get(first).filter(|contract| self.names_of(contract) == wanted);
            return found.map(|_| ContractId(first as u32));
        }
        self.contract_ids().find(|id| self.contract(*id).name == name)
    }

    fn names_of<'a>(&'a self, contract: &'a Contract) -> (&'a str, &'a str) {
        (&self.source(contract.source).name, &contract.name)
    }

    /// The identity of a contract from one build to the next: the name of its source, and its own. No other contract of the
    /// same build has both.
    pub fn qualified_name(&self, id: ContractId) -> (&str, &str) {
        self.names_of(self.contract(id))
    }

    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// One Solidity file as the compiler saw it.
#[derive(Debug)]
pub struct Source {
    /// Absolute path.
    pub path: PathBuf,
    /// Name in the compiler's input: relative to the root with forward slashes, absolute where it lies outside.
    pub name: String,
    /// The text, byte for byte as on disk.
    pub text: Arc<str>,
    /// Where its lines start.
    pub lines: LineIndex,
    /// The files that it imports directly.
    pub imports: Vec<SourceId>,
    /// Its syntax tree; empty where this compiler version gives none.
    pub ast: Arc<Ast>,
    /// Whether it is a dependency or a test, so that its contracts are not fuzzed themselves.
    pub foreign: bool,
    /// Whether it is for tests.
    pub is_test: bool,
}

impl Source {
    /// The code on a line, from 1, without the space around it; `None` if there is no such line.
    pub fn code_on(&self, line: u32) -> Option<Span> {
        let start = self.lines.start(line)?;
        let text = self.text[start as usize..].lines().next()?;
        let indent = text.len() - text.trim_start().len();
        Some(Span::new(start + indent as u32, start + text.trim_end().len().max(indent) as u32))
    }
}

/// One compiled contract.
#[derive(Debug)]
pub struct Contract {
    /// Its name.
    pub name: String,
    /// The source that defines it.
    pub source: SourceId,
    /// Where its definition stands in that source.
    pub span: Span,
    /// Contract, abstract, interface or library.
    pub kind: ContractKind,
    /// Its ABI.
    pub abi: JsonAbi,
    /// Creation code, without constructor arguments.
    pub creation: Bytecode,
    /// Runtime code, with zeros where immutables and library addresses go.
    pub runtime: Bytecode,
    /// Byte ranges `(start, length)` of immutables in the runtime code.
    pub immutables: Vec<(usize, usize)>,
    /// The storage layout, where the compiler gives one (0.5.13 and newer).
    pub storage: Option<Arc<StorageLayout>>,
    /// The compiler, with its commit.
    pub solc: Version,
    /// The EVM version that it was compiled for.
    pub evm_version: EvmVersion,
    /// The compiler's settings that affect the code, as JSON.
    pub settings: Arc<str>,
}

impl Contract {
    /// Whether it has code that can be deployed by itself.
    pub fn is_deployable(&self) -> bool {
        self.kind == ContractKind::Contract && !self.creation.code.is_empty()
    }

    /// Whether its code was made through the compiler's intermediate representation.
    pub fn is_through_ir(&self) -> bool {
        self.settings.contains("\"viaIR\":true")
    }
}

/// Code with what is needed to link it and to find its way back to the source.
#[derive(Debug, Clone, Default)]
pub struct Bytecode {
    /// The bytes; zeros where a library's address goes.
    pub code: Bytes,
    /// Places of library addresses.
    pub links: Vec<Link>,
    /// One element for each instruction, in order.
    pub map: Vec<SourceElement>,
}

impl Bytecode {
    /// The code with library addresses filled in. Unknown libraries stay zero.
    pub fn linked(&self, addresses: &BTreeMap<(String, String), Address>) -> Bytes {
        if self.links.is_empty() {
            return self.code.clone();
        }
        let mut code = self.code.to_vec();
        for link in &self.links {
            if let (Some(address), Some(place)) =
                (addresses.get(&(link.file.clone(), link.library.clone())), code.get_mut(link.offset..link.offset + 20))
            {
                place.copy_from_slice(address.as_slice());
            }
        }
        code.into()
    }
}

/// Where a library's address goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// The source name of the library.
    pub file: String,
    /// Its name.
    pub library: String,
    /// Byte offset of the 20 bytes.
    pub offset: usize,
}

/// How an instruction takes part in calls between functions of one contract.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Jump {
    /// Enters a function.
    In,
    /// Returns from one.
    Out,
    /// Neither.
    Regular,
}

/// The source range of one instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceElement {
    /// The source, or none for code that the compiler generated.
    pub source: Option<SourceId>,
    /// Byte range in it.
    pub span: Span,
    /// Its part in calls.
    pub jump: Jump,
}

/// How bad a diagnostic is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
pub enum Severity {
    /// No code comes out.
    Error,
    /// Worth a look.
    Warning,
    /// For information.
    Info,
}

/// A message of a compiler, or of the search for one, about a file.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Diagnostic {
    /// Absolute path of the file, or the root where no file can be named.
    pub file: PathBuf,
    /// Byte range, where known.
    pub span: Option<Span>,
    /// How bad.
    pub severity: Severity,
    /// The compiler's code, such as `2314`.
    pub code: Option<String>,
    /// In words.
    pub message: String,
}

/// A reason for which files are not part of a build, told once however many files it concerns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftOut {
    /// Absolute path of the file in which it shows first.
    pub file: PathBuf,
    /// Where in it, if that is known.
    pub span: Option<Span>,
    /// The problem, the number of files that wait for it, and what to do, in one line.
    pub message: String,
}
