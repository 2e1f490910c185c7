//! `compile` turns a [`Project`] into a [`Build`]: it finds a compiler for each file, compiles what changed since the last
//! build, and reads the output. It does not look into bytecode (that is `code`).

mod address_flow;
mod assemble;
mod ast;
mod batch;
mod build;
mod cache;
mod closures;
mod comments;
mod compiled;
mod decisions;
mod declarations;
mod fetch;
mod forgotten;
mod graph;
mod known_files;
mod left_out;
mod message;
mod needed;
mod operations;
mod placements;
mod process;
mod progress;
mod releases;
mod search_path;
mod slot_expression;
mod solc;
mod span;
mod standard_json;
mod storage_layout;
mod toolchain;
mod tree;
mod versions;

pub use address_flow::{AddressFlow, Holder, Parameters, Uses, used_as};
pub use ast::{Ast, ContractKind, Enum, Node, NodeKind};
pub use build::{
    Build, Bytecode, Contract, ContractId, Diagnostic, Jump, LeftOut, Link, Severity, Source, SourceElement, SourceId,
    SourceRange,
};
pub use cache::project_folder;
pub(crate) use cache::{hash, tagged};
pub use comments::Comments;
pub use decisions::{Decider, Decision};
pub use declarations::{ContractDeclaration, Declarations, StructDeclaration, VariableDeclaration, is_gap};
pub(crate) use forgotten::{StoredFile, folders, surplus};
pub use needed::{NeededCompiler, WantedCompiler};
pub use operations::{IntegerType, Operation, OperationKind};
pub use placements::{
    MemberWrite, Placements, PointerPlacement, RawAccess, SlotCall, SlotConstant, SlotMention, SlotParameter,
    StructUse, WrittenHash,
};
pub use progress::{CompileStage, Listener};
pub use search_path::{command, programs_in};
pub use slot_expression::{SlotExpression, SlotOperator, SlotValue};
pub use solc::{Files, NO_ANSWER, SolcError, Timeouts};
pub use span::{LineIndex, Span};
pub use standard_json::read_source_map;
pub use storage_layout::value_bytes;
pub use toolchain::{NoCompiler, Toolchain};
pub(crate) use toolchain::{sweep, write_atomically};

use crate::project::{Project, PropertyConfigs, SolcChoice, TestConfig};
use assemble::{Assembler, CompiledProject};
use batch::{Batch, Failures, Output};
use cache::Cache;
use closures::FileId;
use graph::Graph;
use known_files::KnownFiles;
use left_out::Reasons;
use message::Message;
use progress::StageReporter;
use semver::{Version, VersionReq};
use solc::Solc;
use standard_json::CodeGeneration;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap, VecDeque},
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};
use toolchain::{CompilerLookup, ProjectToolchain};

/// What tells a build from others: what its files were compiled from, and how its tests are run.
fn build_id(project: &Project, keys: &BTreeSet<String>) -> String {
    let configured = (&project.test_config, &project.properties);
    let configured =
        (configured != (&TestConfig::default(), &PropertyConfigs::default())).then(|| format!("{configured:?}"));
    cache::hash(keys.iter().chain(&configured).map(String::as_str))
}

/// The folder of the cache that compilers from npm are kept in.
const PACKAGES: &str = "solc";

/// The default folder for compilers and compiled files: the platform's cache folder.
pub fn default_cache() -> PathBuf {
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("bellwether")
}

/// The cache folder that a project's settings name, or else [`default_cache`].
pub fn cache_folder(project: &Project) -> PathBuf {
    project.config.cache.as_ref().map_or_else(default_cache, |cache| project.root.join(cache))
}

/// Compiles one project repeatedly, and reuses what did not change.
#[derive(Debug)]
pub struct Compiler {
    toolchain: ProjectToolchain,
    trusted: bool,
    cache: Cache,
    failures: Failures,
    assembler: Assembler,
    stages: StageReporter,
    /// The files of the last build that left out no tests.
    last: KnownFiles,
}

/// A file of the project's own for which a compiler is still looked for.
struct PendingFile {
    id: FileId,
    requirements: Vec<VersionReq>,
    /// The releases that were not tried yet, the best first; none where the project names the compiler.
    candidates: VecDeque<Version>,
    how: CodeGeneration,
    /// The errors of the first compiler that was tried.
    first: Option<FailedAttempt>,
}

/// Why a file does not compile.
struct FailedAttempt {
    solc: Version,
    errors: Arc<[Message]>,
}

/// Why a file has no compiler.
enum Unavailable {
    /// This release is being fetched.
    Pending(Version),
    Missing(NoCompiler),
}

/// The intermediate results of one build.
struct Compilation<'a> {
    reasons: Reasons<'a>,
    compiled: BTreeMap<FileId, Output>,
    /// Files that were compiled otherwise than configured, by how.
    notes: BTreeMap<String, BTreeSet<FileId>>,
    /// The files that wait for a compiler that is being fetched.
    pending: BTreeMap<Version, BTreeSet<String>>,
}

impl Compiler {
    /// A compiler for the project at `root` with a toolchain of its own. It stores its files below `cache` and waits for
    /// compilers that have to be fetched. Unless the workspace is `trusted`, nothing in it is executed.
    pub fn new(cache: &Path, root: &Path, trusted: bool) -> Self {
        Self::sharing(&Toolchain::waiting(Timeouts::default()), cache, root, root, trusted)
    }

    /// A compiler for one of several projects that share a toolchain. `workspace` is the folder that is trusted or not: the root, or
    /// one around it.
    pub fn sharing(toolchain: &Toolchain, cache: &Path, root: &Path, workspace: &Path, trusted: bool) -> Self {
        let folders = BTreeSet::from([root.to_owned(), workspace.to_owned()]);
        Self {
            toolchain: toolchain.of_project(cache.join(PACKAGES), folders, trusted),
            trusted,
            cache: Cache::new(&project_folder(cache, root)),
            failures: Failures::default(),
            assembler: Assembler::default(),
            stages: StageReporter::default(),
            last: KnownFiles::default(),
        }
    }

    /// Reports the stages of each build to `listener`.
    #[must_use]
    pub fn with_listener(mut self, listener: Listener) -> Self {
        self.stages = StageReporter::to(listener);
        self.toolchain.stages = self.stages.clone();
        self
    }

    /// Compiles what changed. An error becomes a diagnostic of the build, and the rest is still compiled.
    pub fn build(&mut self, project: &Project) -> Build {
        let graph = Graph::read(project, self.trusted);
        self.build_graph(project, &graph, BTreeSet::new())
    }

    /// The same without the tests that a change concerns, unless nothing but tests changed since the last whole build: many of them may
    /// take long, and whoever changed a contract waits for that. [`Build::later`] has their names; they keep their last good code until
    /// [`build`](Self::build) compiles them.
    pub fn build_before_tests(&mut self, project: &Project) -> Build {
        let graph = Graph::read(project, self.trusted);
        let later = self.last.outdated_tests(project, &graph);
        self.build_graph(project, &graph, later)
    }

    /// Compiles these of the project's own files, by their paths, with these texts in place of what is on disk, such as those of a
    /// commit. What they import and is not among them is read as it is.
    pub fn build_texts(&mut self, project: &Project, texts: &BTreeMap<PathBuf, Arc<str>>) -> Build {
        let graph = Graph::read_texts(project, self.trusted, texts);
        self.build_graph(project, &graph, BTreeSet::new())
    }

    fn build_graph(&mut self, project: &Project, graph: &Graph, later: BTreeSet<String>) -> Build {
        self.toolchain.begin();
        let mut compilation = Compilation {
            reasons: Reasons::new(project, graph),
            compiled: BTreeMap::new(),
            notes: BTreeMap::new(),
            pending: BTreeMap::new(),
        };
        let own = graph.files.iter().filter(|(_, file)| !file.foreign).map(|(name, _)| name.as_str());
        // Files that could not be read keep their last good code, too.
        let mut failed: BTreeSet<String> = graph.broken.keys().cloned().collect();
        let (whole, broken): (Vec<_>, Vec<_>) = own.partition(|name| graph.is_whole(name));
        failed.extend(broken.into_iter().map(str::to_owned));
        let whole = whole.into_iter().filter(|name| !later.contains(*name)).collect();
        failed.extend(later.iter().cloned());
        if later.is_empty() {
            self.last = KnownFiles::of(graph);
        }
        let mut open: Vec<PendingFile> = units(project, graph, whole);
        while !open.is_empty() {
            open = self.round(project, graph, open, &mut compilation, &mut failed);
        }
        self.failures.retain_used();
        let keys: BTreeSet<String> = compilation.compiled.values().map(|output| output.key.clone()).collect();
        self.cache.retain(&keys);
        let mut diagnostics = compilation.reasons.diagnostics();
        diagnostics.extend(compilation.compiled.values().flat_map(|output| output.file.warnings.iter().cloned()));
        let parts = CompiledProject {
            id: build_id(project, &keys),
            diagnostics,
            failed,
            left_out: compilation.reasons.lines(),
            notes: compilation.notes.iter().map(|(what, files)| note(graph, what, files)).collect(),
            pending: compilation.pending,
            later,
            compiled: compilation.compiled,
        };
        self.assembler.assemble(project, graph, parts)
    }

    /// Compiles each file with the next compiler to try. Returns the files that have to be tried with another one.
    fn round(
        &mut self,
        project: &Project,
        graph: &Graph,
        units: Vec<PendingFile>,
        compilation: &mut Compilation<'_>,
        failed: &mut BTreeSet<String>,
    ) -> Vec<PendingFile> {
        self.toolchain.fetch_all(units.iter().filter_map(|unit| unit.candidates.front()));
        let mut batches: BTreeMap<(Version, CodeGeneration), (Arc<Solc>, Vec<PendingFile>)> = BTreeMap::new();
        for mut unit in units {
            match self.next_compiler(project, &mut unit, compilation) {
                Ok(solc) => {
                    let key = (solc.version().clone(), unit.how);
                    batches.entry(key).or_insert_with(|| (solc, Vec::new())).1.push(unit);
                }
                Err(why) => {
                    let name = graph.closures.name(unit.id).to_owned();
                    match (unit.first, why) {
                        (_, Unavailable::Pending(version)) => {
                            compilation.pending.entry(version).or_default().insert(name.clone());
                        }
                        (Some(errors), _) => compilation.reasons.does_not_compile(unit.id, errors.errors),
                        (None, Unavailable::Missing(error)) => {
                            compilation.reasons.no_compiler(unit.id, error.to_string())
                        }
                    }
                    failed.insert(name);
                }
            }
        }
        let mut again = Vec::new();
        for ((_, how), (solc, units)) in batches {
            let files = units.iter().map(|unit| unit.id).collect();
            let batch = Batch::new(project, graph, &solc, how, &mut self.cache, &mut self.failures);
            let mut outcome = batch.telling(&self.stages).run(files);
            for unit in units {
                match outcome.failed.remove(&unit.id) {
                    Some(errors) => match unit.after(project, solc.version(), errors) {
                        ControlFlow::Continue(unit) => again.push(unit),
                        ControlFlow::Break((id, errors)) => {
                            failed.insert(graph.closures.name(id).to_owned());
                            compilation.reasons.does_not_compile(id, errors);
                        }
                    },
                    None if outcome.has_code(unit.id) => compilation.note(&unit, solc.version()),
                    None => drop(failed.insert(graph.closures.name(unit.id).to_owned())),
                }
            }
            compilation.add(outcome.compiled);
            if let Some(error) = outcome.unanswered {
                self.toolchain.forget(&solc);
                compilation.reasons.no_answer(error.to_string());
            }
        }
        again
    }

    /// The next compiler to try for a file. If the release that it should have cannot be had, an installed one that fits is
    /// used.
    fn next_compiler(
        &self,
        project: &Project,
        unit: &mut PendingFile,
        compilation: &mut Compilation<'_>,
    ) -> Result<Arc<Solc>, Unavailable> {
        let find = |choice: Option<&SolcChoice>, requirements: &[VersionReq]| match self
            .toolchain
            .find(choice, requirements)
        {
            CompilerLookup::Found(solc) => Ok(solc),
            CompilerLookup::Pending(version) => Err(Unavailable::Pending(version)),
            CompilerLookup::Missing(error) => Err(Unavailable::Missing(error)),
        };
        let choice = project.compiler.solc.as_ref();
        let mut refused = None;
        while let Some(version) = unit.candidates.front().cloned() {
            let exactly = SolcChoice::Version(version.clone());
            let error = match find(Some(&exactly), &[]) {
                Err(Unavailable::Missing(error)) => error,
                found => return found,
            };
            let mut requirements = unit.requirements.clone();
            requirements.extend(VersionReq::parse(&format!("~{}.{}", version.major, version.minor)));
            if let Ok(solc) = find(choice, &requirements) {
                let what = format!("solc {version} is not available here, so solc {} is used", plain(solc.version()));
                compilation.notes.entry(what).or_default().insert(unit.id);
                return Ok(solc);
            }
            refused.get_or_insert(error);
            unit.candidates.pop_front();
        }
        match refused {
            Some(error) => Err(Unavailable::Missing(error)),
            None => find(choice, &unit.requirements),
        }
    }
}

impl PendingFile {
    /// The next attempt after a compiler refused the file; or, if there is none, the errors of the first.
    fn after(
        mut self,
        project: &Project,
        solc: &Version,
        errors: Arc<[Message]>,
    ) -> ControlFlow<(FileId, Arc<[Message]>), Self> {
        let too_deep = errors.iter().any(Message::is_stack_too_deep);
        let first = self.first.get_or_insert_with(|| FailedAttempt { solc: solc.clone(), errors }).errors.clone();
        if too_deep && let Some(how) = self.how.next(project, solc) {
            self.how = how;
            return ControlFlow::Continue(self);
        }
        self.how = CodeGeneration::Configured;
        self.candidates.pop_front();
        if self.candidates.is_empty() { ControlFlow::Break((self.id, first)) } else { ControlFlow::Continue(self) }
    }
}

impl Compilation<'_> {
    /// Adds the output of a batch. A file that was asked for may also be imported in other batches, in which it has no code.
    fn add(&mut self, compiled: BTreeMap<FileId, Output>) {
        for (id, output) in compiled {
            if output.asked_for || !self.compiled.contains_key(&id) {
                self.compiled.insert(id, output);
            }
        }
    }

    /// Records how the compilation of a file differs from what is configured.
    fn note(&mut self, unit: &PendingFile, solc: &Version) {
        let Some(first) = &unit.first else { return };
        let what = if unit.how == CodeGeneration::Configured {
            format!("solc {} reports errors, so compiled with solc {}", plain(&first.solc), plain(solc))
        } else {
            format!("stack too deep as configured, so compiled {}", unit.how.describe())
        };
        self.notes.entry(what).or_default().insert(unit.id);
    }
}

/// The project's own files that can be read, each with the compilers that it may be compiled with.
fn units(project: &Project, graph: &Graph, names: Vec<&str>) -> Vec<PendingFile> {
    let choice = project.compiler.solc.as_ref();
    let mut hints = None;
    let mut known: HashMap<Vec<String>, VecDeque<Version>> = HashMap::new();
    let unit = |name: &str| {
        let id = graph.closures.id(name)?;
        let closure = graph.closures.of_id(id).ones();
        let asked = closure.filter_map(|id| graph.file(id).requirement.clone());
        let unique: BTreeMap<String, VersionReq> = asked.map(|asked| (asked.to_string(), asked)).collect();
        let requirements: Vec<VersionReq> = unique.values().cloned().collect();
        let candidates = known.entry(unique.into_keys().collect()).or_insert_with(|| match choice {
            Some(SolcChoice::Path(_)) => VecDeque::new(),
            Some(SolcChoice::Version(version)) => {
                let fits = requirements.iter().all(|requirement| requirement.matches(version));
                fits.then(|| version.clone()).into_iter().collect()
            }
            Some(SolcChoice::Requirement(_)) | None => {
                let mut requirements = requirements.clone();
                requirements.extend(choice.and_then(SolcChoice::requirement).cloned());
                let hints = hints.get_or_insert_with(|| project.compiler_hints());
                versions::candidates(&requirements, hints).into()
            }
        });
        let candidates = candidates.clone();
        Some(PendingFile { id, requirements, candidates, how: CodeGeneration::Configured, first: None })
    };
    names.into_iter().filter_map(unit).collect()
}

/// The compilers that the project's own files want, and where they are. It is looked up only: nothing is started, fetched or compiled.
pub fn needed_compilers(project: &Project, trusted: bool, cache: &Path) -> Vec<NeededCompiler> {
    let graph = Graph::read(project, trusted);
    let own = graph.files.iter().filter(|(_, file)| !file.foreign).map(|(name, _)| name.as_str());
    let wanted = |unit: PendingFile| {
        let wanted = match (&project.compiler.solc, unit.candidates.front()) {
            (Some(SolcChoice::Path(path)), _) => WantedCompiler::Executable(path.clone()),
            (_, Some(version)) => WantedCompiler::Release(plain(version)),
            (choice, None) => {
                let asked = unit.requirements.iter().map(ToString::to_string);
                let set = match choice {
                    Some(SolcChoice::Version(version)) => Some(format!("`solc` {version}")),
                    Some(SolcChoice::Requirement(requirement)) => Some(format!("`solc` {requirement}")),
                    Some(SolcChoice::Path(_)) | None => None,
                };
                WantedCompiler::Impossible(asked.chain(set).collect::<Vec<_>>().join(" and "))
            }
        };
        (wanted, graph.closures.name(unit.id).to_owned())
    };
    let units = units(project, &graph, own.collect());
    needed::gather(units.into_iter().map(wanted), &cache.join(PACKAGES))
}

fn plain(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch)
}

/// A sentence about these files.
fn note(graph: &Graph, what: &str, files: &BTreeSet<FileId>) -> String {
    let first = files.first().map_or("", |id| graph.closures.name(*id));
    match files.len() {
        1 => format!("{first}: {what}"),
        2 => format!("{first} and 1 other file: {what}"),
        many => format!("{first} and {} other files: {what}", many - 1),
    }
}
