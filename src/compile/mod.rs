//! `compile` turns a [`Project`] into a [`Build`]: it finds a compiler for each file, compiles what changed since the
//! last time, and reads what comes out. It does not look into bytecode (that is `code`).

mod ast;
mod build;
mod cache;
mod forgotten;
mod graph;
mod releases;
mod solc;
mod span;
mod standard_json;
mod toolchain;

pub use ast::{Ast, Enum, Node, NodeKind};
pub use build::{
    Build, Bytecode, Contract, ContractId, ContractKind, Diagnostic, Jump, Link, Severity, Source, SourceElement,
    SourceId,
};
pub use cache::project_folder;
pub(crate) use cache::{hash, tagged};
pub(crate) use forgotten::{StoredFile, folders, surplus};
pub use solc::SolcError;
pub use span::{LineIndex, Span};
pub use standard_json::read_source_map;
pub use toolchain::NoCompiler;
pub(crate) use toolchain::{sweep, write_atomically};

use crate::project::{Project, Role};
use cache::{Cache, CompiledFile};
use graph::Graph;
use semver::{Version, VersionReq};
use serde_json::Value;
use solc::Solc;
use standard_json::Request;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
    sync::Arc,
    time::Instant,
};
use toolchain::Toolchain;

/// How often a batch is cut down to what compiles before it is given up.
const MAX_CUTS: usize = 8;

/// Where compilers and compiled files are kept when nothing else is said: the platform's cache folder.
pub fn default_cache() -> PathBuf {
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("bellwether")
}

/// The cache folder that a project's settings name, or else [`default_cache`].
pub fn cache_folder(project: &Project) -> PathBuf {
    project.config.cache.as_ref().map_or_else(default_cache, |cache| project.root.join(cache))
}

/// Compiles one project again and again.
#[derive(Debug)]
pub struct Compiler {
    toolchain: Toolchain,
    cache: Cache,
}

/// A file of the project's own, and all that it imports.
type Root = (String, BTreeSet<String>);

/// A file that is to be compiled: its key covers all that can change what comes out.
struct Unit {
    name: String,
    closure: BTreeSet<String>,
    with_code: bool,
    key: String,
}

impl Compiler {
    /// A compiler for the project at `root` that keeps what it needs below `cache`. In a workspace that is not
    /// `trusted` no executable that the workspace names is run.
    pub fn new(cache: &Path, root: &Path, trusted: bool) -> Self {
        Self {
            toolchain: Toolchain::new(cache.join("solc"), (!trusted).then(|| root.to_owned())),
            cache: Cache::new(&project_folder(cache, root)),
        }
    }

    /// Compiles what changed. What goes wrong becomes a diagnostic of the build: the rest is still compiled.
    pub fn build(&mut self, project: &Project) -> Build {
        let graph = Graph::read(project);
        let mut diagnostics: Vec<Diagnostic> = graph.broken.values().flatten().cloned().collect();
        // Also what could not even be read: what it was before goes on.
        let mut failed: BTreeSet<String> = graph.broken.keys().cloned().collect();
        let mut batches: BTreeMap<String, (Arc<Solc>, Vec<Root>)> = BTreeMap::new();

        for (name, file) in graph.files.iter().filter(|(_, file)| !file.foreign) {
            let Ok(closure) = graph.closure(name) else {
                failed.insert(name.clone());
                continue;
            };
            let requirements: Vec<VersionReq> =
                closure.iter().filter_map(|name| graph.files.get(name)?.requirement.clone()).collect::<Vec<_>>();
            let choice = project.compiler.solc.as_ref();
            match self.toolchain.find(choice, &requirements) {
                Ok(solc) => {
                    let key = solc.version().to_string();
                    batches.entry(key).or_insert_with(|| (solc, Vec::new())).1.push((name.clone(), closure));
                }
                Err(error) => {
                    failed.insert(name.clone());
                    let message = error.to_string();
                    diagnostics.push(Diagnostic {
                        file: file.path.clone(),
                        span: None,
                        severity: Severity::Error,
                        code: None,
                        message,
                    });
                }
            }
        }

        let mut compiled: BTreeMap<String, Arc<CompiledFile>> = BTreeMap::new();
        let mut keys = BTreeSet::new();
        for (solc, roots) in batches.into_values() {
            self.batch(
                project,
                &graph,
                &solc,
                roots,
                &mut Outcome {
                    compiled: &mut compiled,
                    diagnostics: &mut diagnostics,
                    failed: &mut failed,
                    keys: &mut keys,
                },
            );
        }
        self.cache.retain(&keys);
        let id = cache::hash(keys.iter().map(String::as_str));
        assemble(project, &graph, id, &compiled, diagnostics, failed)
    }

    /// Compiles all files of one compiler version, leaving out those that do not compile.
    fn batch(
        &mut self,
        project: &Project,
        graph: &Graph,
        solc: &Arc<Solc>,
        mut roots: Vec<Root>,
        outcome: &mut Outcome<'_>,
    ) {
        let settings = standard_json::settings(project, graph, solc.version());
        let mut libraries: BTreeSet<String> = BTreeSet::new();
        for _ in 0..MAX_CUTS {
            let units = units(graph, solc.version(), &settings, &roots, &libraries);
            let mut missing = Vec::new();
            let mut found = Vec::new();
            for unit in units {
                match self.cache.get(&unit.key) {
                    Some(file) => found.push((unit, file)),
                    None => missing.push(unit),
                }
            }
            let broken = match self.compile_missing(project, graph, solc, &settings, missing, &mut found) {
                Ok(broken) => broken,
                Err(error) => {
                    self.toolchain.forget(solc);
                    let message = error.to_string();
                    outcome.diagnostics.push(Diagnostic {
                        file: project.root.clone(),
                        span: None,
                        severity: Severity::Error,
                        code: None,
                        message,
                    });
                    outcome.failed.extend(roots.into_iter().map(|(name, _)| name));
                    return;
                }
            };
            if !broken.is_empty() {
                // The errors stop only what needs the files that have them.
                let names: BTreeSet<String> =
                    broken.iter().map(|error| graph::source_name(&project.root, &error.file)).collect();
                outcome.diagnostics.extend(broken);
                let (cut, kept): (Vec<_>, Vec<_>) =
                    roots.into_iter().partition(|(_, closure)| !closure.is_disjoint(&names));
                // An error without a place stops the whole batch.
                let (cut, kept) = if cut.is_empty() { (kept, Vec::new()) } else { (cut, kept) };
                outcome.failed.extend(cut.into_iter().map(|(name, _)| name));
                roots = kept;
                if roots.is_empty() {
                    return;
                }
                continue;
            }
            let linked = libraries_without_code(&found);
            if !linked.is_subset(&libraries) {
                libraries.extend(linked);
                continue;
            }
            for (unit, file) in found {
                outcome.keys.insert(unit.key);
                outcome.diagnostics.extend(file.warnings.iter().cloned());
                outcome.compiled.insert(unit.name, file);
            }
            return;
        }
        tracing::warn!(solc = %solc.version(), "errors kept appearing; this compiler's files are left out of the build");
        outcome.failed.extend(roots.into_iter().map(|(name, _)| name));
    }

    /// Compiles what is missing and adds it to `found`; or gives the errors.
    fn compile_missing(
        &mut self,
        project: &Project,
        graph: &Graph,
        solc: &Arc<Solc>,
        settings: &Value,
        missing: Vec<Unit>,
        found: &mut Vec<(Unit, Arc<CompiledFile>)>,
    ) -> Result<Vec<Diagnostic>, SolcError> {
        if missing.is_empty() {
            return Ok(Vec::new());
        }
        let sources: BTreeSet<String> = missing.iter().flat_map(|unit| unit.closure.iter().cloned()).collect();
        let names = |only: fn(&Unit) -> bool| -> BTreeSet<String> {
            missing.iter().filter(|unit| only(unit)).map(|unit| unit.name.clone()).collect()
        };
        let (wanted, with_code) = (names(|_| true), names(|unit| unit.with_code));
        let request = Request { sources: &sources, wanted: &wanted, with_code: &with_code };
        let input = standard_json::input(graph, settings, &request);
        let started = Instant::now();
        let mut output = solc.compile(&input)?;
        tracing::debug!(solc = %solc.version(), files = sources.len(), changed = missing.len(), took = ?started.elapsed(), "solc answered");
        let said: Vec<Diagnostic> =
            standard_json::read_errors(&output).into_iter().map(|error| diagnostic(project, graph, error)).collect();
        if said.iter().any(|diagnostic| diagnostic.severity == Severity::Error) {
            return Ok(said.into_iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect());
        }
        let ids: BTreeMap<u32, String> = output
            .get("sources")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(name, source)| Some((source.get("id")?.as_u64()? as u32, name.clone())))
            .collect();
        for unit in missing {
            let ast = output.pointer(&pointer(&["sources", &unit.name, "ast"])).map(Ast::read).unwrap_or_default();
            let contracts = match output.pointer_mut(&pointer(&["contracts", &unit.name])).map(Value::take) {
                Some(Value::Object(contracts)) if unit.with_code => contracts.into_iter().collect(),
                _ => BTreeMap::new(),
            };
            let path = graph.files.get(&unit.name).map(|file| &file.path);
            let warnings = said.iter().filter(|diagnostic| Some(&diagnostic.file) == path).cloned().collect();
            let file = CompiledFile {
                ids: ids.clone(),
                ast: Arc::new(ast),
                contracts,
                warnings,
                solc: solc.version().clone(),
            };
            let file = self.cache.insert(unit.key.clone(), file);
            found.push((unit, file));
        }
        Ok(Vec::new())
    }
}

/// What batches add to.
struct Outcome<'a> {
    compiled: &'a mut BTreeMap<String, Arc<CompiledFile>>,
    diagnostics: &'a mut Vec<Diagnostic>,
    failed: &'a mut BTreeSet<String>,
    keys: &'a mut BTreeSet<String>,
}

/// The roots and all that they import, each with its key.
fn units(graph: &Graph, solc: &Version, settings: &Value, roots: &[Root], libraries: &BTreeSet<String>) -> Vec<Unit> {
    let (solc, settings) = (solc.to_string(), settings.to_string());
    let own: BTreeSet<&String> = roots.iter().map(|(name, _)| name).collect();
    let all: BTreeSet<&String> = roots.iter().flat_map(|(_, closure)| closure).collect();
    all.into_iter()
        .filter_map(|name| {
            let closure = graph.closure(name).ok()?;
            let with_code = own.contains(name) || libraries.contains(name);
            let mut parts =
                vec![solc.as_str(), settings.as_str(), name.as_str(), if with_code { "code" } else { "ast" }];
            for name in &closure {
                parts.extend([name.as_str(), graph.files.get(name).map_or("", |file| &file.text)]);
            }
            let key = cache::hash(parts);
            Some(Unit { name: name.clone(), closure, with_code, key })
        })
        .collect()
}

/// Files of libraries that have to be linked but were compiled without code.
fn libraries_without_code(found: &[(Unit, Arc<CompiledFile>)]) -> BTreeSet<String> {
    let links = found.iter().flat_map(|(_, file)| file.contracts.values()).flat_map(|contract| {
        ["/evm/bytecode/linkReferences", "/evm/deployedBytecode/linkReferences"]
            .into_iter()
            .filter_map(|path| contract.pointer(path)?.as_object())
            .flat_map(|files| files.keys().cloned())
    });
    let with_code: BTreeSet<&String> =
        found.iter().filter(|(unit, _)| unit.with_code).map(|(unit, _)| &unit.name).collect();
    links.filter(|file| !with_code.contains(file)).collect()
}

fn pointer(parts: &[&str]) -> String {
    parts.iter().map(|part| format!("/{}", part.replace('~', "~0").replace('/', "~1"))).collect()
}

fn diagnostic(project: &Project, graph: &Graph, error: foundry_compilers::artifacts::Error) -> Diagnostic {
    use foundry_compilers::artifacts::Severity as Solc;
    let location = error.source_location.as_ref();
    let file = location
        .and_then(|location| graph.files.get(&location.file))
        .map_or_else(|| project.root.clone(), |file| file.path.clone());
    let span = location
        .filter(|location| location.start >= 0 && location.end >= location.start)
        .map(|location| Span::new(location.start as u32, location.end as u32));
    let severity = match error.severity {
        Solc::Error => Severity::Error,
        Solc::Warning => Severity::Warning,
        Solc::Info => Severity::Info,
    };
    Diagnostic { file, span, severity, code: error.error_code.map(|code| code.to_string()), message: error.message }
}

fn assemble(
    project: &Project,
    graph: &Graph,
    id: String,
    compiled: &BTreeMap<String, Arc<CompiledFile>>,
    mut diagnostics: Vec<Diagnostic>,
    failed: BTreeSet<String>,
) -> Build {
    let names: Vec<&String> = compiled.keys().filter(|name| graph.files.contains_key(*name)).collect();
    let ids: BTreeMap<&str, SourceId> =
        names.iter().enumerate().map(|(index, name)| (name.as_str(), SourceId(index as u32))).collect();
    let mut build = Build { id, root: project.root.clone(), failed, ..Build::default() };
    for name in names {
        let (file, compiled) = (&graph.files[name], &compiled[name]);
        let source = ids[name.as_str()];
        build.sources.push(Arc::new(Source {
            path: file.path.clone(),
            name: name.clone(),
            text: file.text.clone(),
            lines: LineIndex::new(&file.text),
            imports: file.imports.iter().filter_map(|name| ids.get(name.as_str()).copied()).collect(),
            ast: compiled.ast.clone(),
            foreign: file.foreign || project.role(&file.path) != Role::Contract,
        }));
        let sources = compiled.ids.iter().filter_map(|(id, name)| Some((*id, *ids.get(name.as_str())?))).collect();
        for (name, json) in &compiled.contracts {
            match contract(project, name, source, compiled, json, &sources) {
                Ok(contract) => build.contracts.push(Arc::new(contract)),
                Err(error) => diagnostics.push(Diagnostic {
                    file: file.path.clone(),
                    span: None,
                    severity: Severity::Error,
                    code: None,
                    message: format!("the ABI of {name} cannot be read: {error}"),
                }),
            }
        }
    }
    diagnostics
        .sort_by(|a, b| (&a.file, a.span, a.severity, &a.message).cmp(&(&b.file, b.span, b.severity, &b.message)));
    diagnostics.dedup();
    build.diagnostics = diagnostics;
    build
}

fn contract(
    project: &Project,
    name: &str,
    source: SourceId,
    compiled: &CompiledFile,
    json: &Value,
    sources: &BTreeMap<u32, SourceId>,
) -> Result<Contract, serde_json::Error> {
    let empty = Value::Null;
    let part = |path: &str| json.pointer(path).unwrap_or(&empty);
    let deployed = part("/evm/deployedBytecode");
    let definition = compiled.ast.nodes.iter().find(|node| node.kind == NodeKind::Contract && node.name == name);
    let kind =
        compiled.ast.contract_kinds.iter().find(|(of, _)| of == name).map_or(ContractKind::Contract, |(_, kind)| *kind);
    Ok(Contract {
        name: name.to_owned(),
        source,
        span: definition.map(|node| node.span).unwrap_or_default(),
        kind,
        abi: serde_json::from_value(part("/abi").clone())?,
        creation: standard_json::read_bytecode(part("/evm/bytecode"), sources),
        runtime: standard_json::read_bytecode(deployed, sources),
        immutables: standard_json::read_immutables(deployed),
        storage: serde_json::from_value(part("/storageLayout").clone()).ok(),
        solc: compiled.solc.clone(),
        evm_version: standard_json::evm_version(project, &compiled.solc),
        settings: standard_json::code_settings(project, &compiled.solc).to_string().into(),
    })
}
