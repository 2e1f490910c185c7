//! A [`Batch`] compiles the files that share a compiler and its settings. If there are errors, it finds the files that cause
//! them by compiling files apart from each other, and compiles all others. The result for a file is remembered by its content,
//! so that the search is not repeated while nothing changes.

use super::{
    build::Diagnostic,
    cache::{Cache, hash},
    closures::FileId,
    compiled::CompiledFile,
    graph::{File, Graph},
    message::Message,
    progress::{CompileStage, StageReporter},
    solc::{Solc, SolcError},
    standard_json::{self, CodeGeneration, Request},
    storage_layout,
};
use crate::project::{FileRole, Project};
use fixedbitset::FixedBitSet;
use serde_json::Value;
use std::{
    cell::RefCell,
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
    time::Instant,
};

/// Files whose output is requested at once, at most; chosen by hand. One answer for thousands of files takes gigabytes in the
/// compiler and here.
const FILES_AT_ONCE: usize = 256;
/// The same through the IR, by which each contract takes seconds, and is compiled again for each other one that creates it. What was
/// answered is kept if the next answer does not come. Chosen by hand.
const FILES_AT_ONCE_THROUGH_IR: usize = 8;
/// The same for tests: each creates most of a project's contracts.
const TESTS_AT_ONCE_THROUGH_IR: usize = 1;
/// Compilations of parts of a batch to find the files that cause an error, at most; chosen by hand.
const MAX_ATTEMPTS: usize = 512;

/// Errors by the key of the file that they keep from compiling.
#[derive(Debug, Default)]
pub(super) struct Failures {
    known: HashMap<String, Arc<[Message]>>,
    used: RefCell<BTreeSet<String>>,
}

impl Failures {
    fn get(&self, key: &str) -> Option<Arc<[Message]>> {
        let found = self.known.get(key)?;
        self.used.borrow_mut().insert(key.to_owned());
        Some(found.clone())
    }

    fn insert(&mut self, key: String, errors: Arc<[Message]>) {
        self.used.get_mut().insert(key.clone());
        self.known.insert(key, errors);
    }

    /// Forgets the errors that the last build did not look up.
    pub(super) fn retain_used(&mut self) {
        let used = std::mem::take(self.used.get_mut());
        self.known.retain(|key, _| used.contains(key));
    }
}

/// The result of a batch for one file.
#[derive(Debug)]
pub(super) struct Output {
    pub(super) key: String,
    pub(super) file: Arc<CompiledFile>,
    /// Whether its contracts were compiled because the file was asked for, and not only because another file needs it.
    pub(super) asked_for: bool,
}

/// The result of a batch.
#[derive(Debug, Default)]
pub(super) struct BatchOutcome {
    /// The compiled files, imports included.
    pub(super) compiled: BTreeMap<FileId, Output>,
    /// The files that were asked for and do not compile.
    pub(super) failed: BTreeMap<FileId, Arc<[Message]>>,
    /// Why the compiler gave no answer for the rest.
    pub(super) unanswered: Option<SolcError>,
}

impl BatchOutcome {
    /// Whether a file was asked for, and compiled.
    pub(super) fn has_code(&self, id: FileId) -> bool {
        self.compiled.get(&id).is_some_and(|output| output.asked_for)
    }
}

/// Files of one compiler with one set of settings.
pub(super) struct Batch<'a> {
    project: &'a Project,
    graph: &'a Graph,
    solc: &'a Solc,
    settings: Value,
    /// The settings of code generation, as each contract records them.
    code_settings: Arc<str>,
    cache: &'a mut Cache,
    failures: &'a mut Failures,
    keys: HashMap<(FileId, bool), String>,
    /// The compiler and its settings, as parts of keys.
    stem: [String; 2],
    /// Libraries that are linked. They need code, even if they belong to a dependency.
    libraries: BTreeSet<FileId>,
    /// Files that are known to compile when nothing imports them.
    sound: BTreeSet<FileId>,
    compiled: Vec<FileId>,
    failed: BTreeMap<FileId, Arc<[Message]>>,
    attempts: usize,
    stages: StageReporter,
}

impl<'a> Batch<'a> {
    pub(super) fn new(
        project: &'a Project,
        graph: &'a Graph,
        solc: &'a Solc,
        how: CodeGeneration,
        cache: &'a mut Cache,
        failures: &'a mut Failures,
    ) -> Self {
        let settings = standard_json::settings(project, graph, solc.version(), how);
        Self {
            stem: [solc.version().to_string(), settings.to_string()],
            code_settings: standard_json::code_settings(project, solc.version(), how).to_string().into(),
            project,
            graph,
            solc,
            settings,
            cache,
            failures,
            keys: HashMap::new(),
            libraries: BTreeSet::new(),
            sound: BTreeSet::new(),
            compiled: Vec::new(),
            failed: BTreeMap::new(),
            attempts: 0,
            stages: StageReporter::default(),
        }
    }

    /// Reports its progress to `stages`.
    pub(super) fn telling(mut self, stages: &StageReporter) -> Self {
        self.stages = stages.clone();
        self
    }

    /// Compiles these files. If the compiler gives no answer, those are compiled that it had answered for before.
    pub(super) fn run(mut self, files: Vec<FileId>) -> BatchOutcome {
        let unanswered = self.solve(files.clone()).err();
        if unanswered.is_some() {
            self.compiled = files.into_iter().filter(|id| self.find(*id, true).is_some()).collect();
        }
        BatchOutcome { unanswered, ..self.finish() }
    }

    fn solve(&mut self, files: Vec<FileId>) -> Result<(), SolcError> {
        let mut open = Vec::new();
        for id in files {
            let key = self.key(id, true);
            match self.failures.get(&key) {
                Some(errors) => drop(self.failed.insert(id, errors)),
                None => open.push(id),
            }
        }
        if open.is_empty() {
            return Ok(());
        }
        let errors = self.attempt(&open, true)?;
        if errors.is_empty() {
            self.compiled.append(&mut open);
            return Ok(());
        }
        if self.attempts >= MAX_ATTEMPTS {
            let message = "was left out: other files have errors that could not be told apart; repair those first";
            let errors: Arc<[Message]> = [Message::without_place(self.project, message.to_owned())].into();
            self.failed.extend(open.into_iter().map(|id| (id, errors.clone())));
            return Ok(());
        }
        self.blame(open, &errors)
    }

    /// Splits files that do not compile together into those that do and those that do not.
    fn blame(&mut self, files: Vec<FileId>, errors: &[Message]) -> Result<(), SolcError> {
        if let [only] = files[..] {
            self.fail(only, errors);
            return Ok(());
        }
        let placed: BTreeSet<FileId> = errors.iter().filter_map(|error| error.at).collect();
        let takes_in_any = |of: &BTreeSet<FileId>, id: &FileId| of.iter().any(|at| self.graph.takes_in(*id, *at));
        let (suspects, others): (Vec<_>, Vec<_>) = files.into_iter().partition(|id| takes_in_any(&placed, id));
        if suspects.is_empty() {
            // An error without a place.
            return self.halve(others);
        }
        let broken = self.broken_by_themselves(&placed, &suspects)?;
        let (lost, open): (Vec<_>, Vec<_>) =
            suspects.into_iter().partition(|id| broken.keys().any(|at| self.graph.takes_in(*id, *at)));
        for id in &lost {
            let inside = broken.iter().filter(|(at, _)| self.graph.takes_in(*id, **at));
            let errors: Vec<Message> = inside.flat_map(|(_, errors)| errors.iter().cloned()).collect();
            self.remember(*id, errors.into());
        }
        if !lost.is_empty() {
            return self.solve(open.into_iter().chain(others).collect());
        }
        // The files that have the errors compile by themselves: one that imports them is to blame.
        self.solve(others)?;
        let named: BTreeSet<FileId> = errors.iter().flat_map(|error| &error.also_at).map(|(id, _)| *id).collect();
        let (first, second): (Vec<_>, Vec<_>) = open.into_iter().partition(|id| named.contains(id));
        if first.is_empty() || second.is_empty() {
            return self.halve(if first.is_empty() { second } else { first });
        }
        self.solve(second)?;
        self.solve(first)
    }

    /// The files, among those that contain errors, that do not compile by themselves, each with its errors.
    fn broken_by_themselves(
        &mut self,
        placed: &BTreeSet<FileId>,
        suspects: &[FileId],
    ) -> Result<BTreeMap<FileId, Arc<[Message]>>, SolcError> {
        let mut broken = BTreeMap::new();
        for id in placed {
            if !suspects.iter().any(|suspect| self.graph.takes_in(*suspect, *id)) || self.sound.contains(id) {
                continue;
            }
            let asked_for = suspects.contains(id);
            let key = self.key(*id, asked_for);
            let errors = match self.failures.get(&key) {
                Some(errors) => errors,
                None => self.attempt(&[*id], asked_for)?.into(),
            };
            if errors.is_empty() {
                self.sound.insert(*id);
            } else {
                self.failures.insert(key, errors.clone());
                broken.insert(*id, errors);
            }
        }
        Ok(broken)
    }

    fn halve(&mut self, mut files: Vec<FileId>) -> Result<(), SolcError> {
        let second = files.split_off(files.len() / 2);
        self.solve(files)?;
        self.solve(second)
    }

    /// Records that a file does not compile. If the compiler places an error in a file that compiles by itself, such as a base
    /// contract with a function that is overridden wrongly, the error is reported in the file that causes it.
    fn fail(&mut self, id: FileId, errors: &[Message]) {
        let file = self.graph.file(id);
        let moved = errors.iter().map(|error| {
            let mut error = error.clone();
            let elsewhere = error.at.filter(|at| *at != id && self.sound.contains(at));
            if let Some(at) = elsewhere {
                let line = error.diagnostic.span.map_or(1, |span| line_of(self.graph.file(at), span.start));
                let message =
                    format!("{} (reported at {}:{line})", error.diagnostic.message, self.graph.closures.name(at));
                let span = error.also_at.iter().find(|(also, _)| *also == id).map(|(_, span)| *span);
                error.diagnostic = Diagnostic { file: file.path.clone(), span, message, ..error.diagnostic };
                error.at = Some(id);
            } else if error.at.is_none() {
                error.diagnostic.file.clone_from(&file.path);
                error.at = Some(id);
            }
            error
        });
        let moved = moved.collect();
        self.remember(id, moved);
    }

    fn remember(&mut self, id: FileId, errors: Arc<[Message]>) {
        let key = self.key(id, true);
        self.failures.insert(key, errors.clone());
        self.failed.insert(id, errors);
    }

    /// Compiles files and their imports, except for what was compiled before; returns the errors.
    fn attempt(&mut self, files: &[FileId], asked_for: bool) -> Result<Vec<Message>, SolcError> {
        self.attempts += 1;
        let all = self.graph.closures.union(files.iter().copied());
        let mut with_code = FixedBitSet::with_capacity(all.len());
        with_code.extend(files.iter().copied().filter(|_| asked_for));
        loop {
            with_code.extend(self.libraries.iter().copied().filter(|id| all.contains(*id)));
            let wanted = all.ones().map(|id| (id, with_code.contains(id)));
            let missing: Vec<_> = wanted.filter(|(id, code)| self.find(*id, *code).is_none()).collect();
            let (mut errors, mut done) = (Vec::new(), 0);
            let files = missing.len();
            for part in self.parts(missing) {
                self.stages.tell(CompileStage::Compiling { done, files });
                errors.extend(self.compile(&part)?);
                done += part.len();
            }
            let linked = self.libraries_without_code(&with_code);
            if !errors.is_empty() || linked.is_empty() {
                return Ok(errors);
            }
            self.libraries.extend(linked);
        }
    }

    /// Files whose output is requested at once, in order. Through the IR tests come last: they take longest.
    fn parts(&self, missing: Vec<(FileId, bool)>) -> Vec<Vec<(FileId, bool)>> {
        let split = |files: Vec<(FileId, bool)>, at_once: usize| -> Vec<_> {
            files.chunks(at_once).map(<[_]>::to_vec).collect()
        };
        if self.settings["viaIR"] != true {
            return split(missing, FILES_AT_ONCE);
        }
        let is_test = |(id, _): &(FileId, bool)| self.project.role(&self.graph.file(*id).path) == FileRole::Test;
        let (tests, others): (Vec<_>, Vec<_>) = missing.into_iter().partition(is_test);
        let others = split(others, FILES_AT_ONCE_THROUGH_IR);
        others.into_iter().chain(split(tests, TESTS_AT_ONCE_THROUGH_IR)).collect()
    }

    /// Runs the compiler, and keeps its output; or returns the errors.
    fn compile(&mut self, wanted: &[(FileId, bool)]) -> Result<Vec<Message>, SolcError> {
        let (project, graph) = (self.project, self.graph);
        let name = |id: FileId| graph.closures.name(id).to_owned();
        let sources = graph.closures.union(wanted.iter().map(|(id, _)| *id));
        let request = Request {
            sources: &sources.ones().map(name).collect(),
            wanted: &wanted.iter().map(|(id, _)| name(*id)).collect(),
            with_code: &wanted.iter().filter(|(_, code)| *code).map(|(id, _)| name(*id)).collect(),
            all_trees: !storage_layout::is_told_by(self.solc.version()),
        };
        let input = standard_json::input(graph, &self.settings, &request);
        let started = Instant::now();
        let mut output = match self.solc.compile(&input) {
            Err(SolcError::Threw { message, .. }) => return Ok(vec![Message::without_place(project, message)]),
            answer => answer?,
        };
        tracing::debug!(solc = %self.solc.version(), files = request.sources.len(), changed = wanted.len(), took = ?started.elapsed(), "solc answered");
        let (errors, warnings): (Vec<_>, Vec<_>) =
            Message::all(project, graph, &output).into_iter().partition(Message::is_error);
        if !errors.is_empty() {
            return Ok(errors);
        }
        if request.all_trees {
            storage_layout::add(&mut output);
        }
        let ids = source_ids(&output);
        let mut said: HashMap<FileId, Vec<Diagnostic>> = HashMap::new();
        for Message { diagnostic, at, .. } in warnings {
            said.entry(at.unwrap_or(usize::MAX)).or_default().push(diagnostic);
        }
        for &(id, code) in wanted {
            let inside = graph.closures.of_id(id).ones();
            let ids = inside.filter_map(|id| Some((*ids.get(graph.closures.name(id))?, name(id)))).collect();
            let warnings = said.remove(&id).unwrap_or_default();
            let file = CompiledFile::read(&mut output, graph.closures.name(id), ids, warnings);
            let file = CompiledFile { solc: self.solc.version().clone(), settings: self.code_settings.clone(), ..file };
            let key = self.key(id, code);
            self.cache.insert(key, file);
        }
        Ok(Vec::new())
    }

    /// A compiled file. One with code also serves where none is needed.
    fn find(&mut self, id: FileId, code: bool) -> Option<(String, Arc<CompiledFile>)> {
        let with_code = self.key(id, true);
        if let Some(file) = self.cache.get(&with_code) {
            return Some((with_code, file));
        }
        let without = self.key(id, false);
        let file = (!code).then(|| self.cache.get(&without)).flatten()?;
        Some((without, file))
    }

    /// A hash over everything that affects the output for a file.
    fn key(&mut self, id: FileId, code: bool) -> String {
        let (graph, stem) = (self.graph, &self.stem);
        let make = || {
            let digests = graph.closures.of_id(id).ones().map(|id| graph.file(id).digest.as_str());
            let head: [&str; 4] = [&stem[0], &stem[1], graph.closures.name(id), if code { "code" } else { "ast" }];
            hash(head.into_iter().chain(digests))
        };
        self.keys.entry((id, code)).or_insert_with(make).clone()
    }

    /// Files of libraries that the code of these files is linked to, and that have no code yet.
    fn libraries_without_code(&mut self, with_code: &FixedBitSet) -> BTreeSet<FileId> {
        let graph = self.graph;
        let found: Vec<_> = with_code.ones().filter_map(|id| self.find(id, true)).collect();
        let linked = found.iter().flat_map(|(_, file)| file.links());
        linked.filter_map(|name| graph.closures.id(name)).filter(|id| !with_code.contains(*id)).collect()
    }

    fn finish(mut self) -> BatchOutcome {
        let mut outcome = BatchOutcome::default();
        let asked_for: BTreeSet<FileId> = self.compiled.iter().copied().collect();
        let all = self.graph.closures.union(asked_for.iter().copied());
        for id in all.ones() {
            let is_asked_for = asked_for.contains(&id);
            let code = is_asked_for || self.libraries.contains(&id);
            if let Some((key, file)) = self.find(id, code).or_else(|| self.find(id, false)) {
                outcome.compiled.insert(id, Output { key, file, asked_for: is_asked_for });
            }
        }
        outcome.failed = self.failed;
        outcome
    }
}

/// The compiler's numbers of its sources, by name.
fn source_ids(output: &Value) -> HashMap<String, u32> {
    let sources = output.get("sources").and_then(Value::as_object).into_iter().flatten();
    sources.filter_map(|(name, source)| Some((name.clone(), source.get("id")?.as_u64()? as u32))).collect()
}

fn line_of(file: &File, offset: u32) -> usize {
    1 + file.text.bytes().take(offset as usize).filter(|byte| *byte == b'\n').count()
}
