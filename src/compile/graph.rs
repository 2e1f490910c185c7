//! A [`Graph`] holds the sources of a project and what they import, found by following imports from the project's own
//! files. It resolves and reads; it neither picks a compiler nor compiles.

use super::{
    build::{Diagnostic, Severity},
    cache::hash,
    closures::{Closures, FileId},
    span::Span,
};
use crate::project::{MAX_MIB, Project, read_bytes};
use foundry_compilers::{ProjectPathsConfig, artifacts::remappings::Remapping, resolver::parse::SolData};
use semver::VersionReq;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::ErrorKind,
    path::{Path, PathBuf},
    sync::Arc,
};

/// One file of the graph.
#[derive(Debug, Clone)]
pub(super) struct File {
    /// Absolute path.
    pub(super) path: PathBuf,
    /// The text.
    pub(super) text: Arc<str>,
    /// A hash over name and text.
    pub(super) digest: String,
    /// The versions that its pragma allows.
    pub(super) requirement: Option<VersionReq>,
    /// Names of the files that it imports.
    pub(super) imports: BTreeSet<String>,
    /// Whether it is outside the set of files whose contracts are fuzzed.
    pub(super) foreign: bool,
}

/// An import that leads to no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MissingImport {
    /// The name of the file that has it.
    pub(super) importer: String,
    /// Its range there.
    pub(super) span: Span,
    /// The imported path, as written.
    pub(super) target: String,
}

/// Sources by name, and what went wrong while reading them.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Every file that could be read, by its name in the compiler's input.
    pub(super) files: BTreeMap<String, File>,
    /// Files that cannot be read or whose imports cannot be found, by name.
    pub(super) broken: BTreeMap<String, Vec<Diagnostic>>,
    /// Imports that lead nowhere; each is also told among the broken files.
    pub(super) missing: Vec<MissingImport>,
    /// Remappings for the compiler, relative to the root, those of libraries that imports needed included.
    pub(super) remappings: Vec<Remapping>,
    /// The closure of each file.
    pub(super) closures: Closures,
}

impl Graph {
    /// Follows imports from the project's files, its tests included. In a workspace that is not `trusted` nothing outside of its own folders is read.
    pub(super) fn read(project: &Project, trusted: bool) -> Self {
        let files = project.files_and_tests();
        Self::follow(project, trusted, files, &BTreeMap::new())
    }

    /// The same from these files alone, with these texts in place of what is on disk.
    pub(super) fn read_texts(project: &Project, trusted: bool, texts: &BTreeMap<PathBuf, Arc<str>>) -> Self {
        Self::follow(project, trusted, texts.keys().cloned().collect(), texts)
    }

    fn follow(project: &Project, trusted: bool, files: Vec<PathBuf>, texts: &BTreeMap<PathBuf, Arc<str>>) -> Self {
        let paths = paths_config(project);
        let bounds = (!trusted).then(|| project.own_folders());
        let mut graph = Self { remappings: relative_remappings(project), ..Self::default() };
        let mut queue: Vec<(PathBuf, bool)> = files.into_iter().map(|path| (path, false)).collect();
        let mut edges: Vec<(MissingImport, String)> = Vec::new();
        let mut unreadable: BTreeMap<String, Diagnostic> = BTreeMap::new();
        while let Some((path, foreign)) = queue.pop() {
            let name = source_name(&project.root, &path);
            if let Some(known) = graph.files.get_mut(&name) {
                known.foreign &= foreign;
                continue;
            }
            if !unreadable.contains_key(&name) {
                let text = texts.get(&path).map(|text| Ok(text.to_string()));
                match text.unwrap_or_else(|| read_source(&path, bounds.as_deref())) {
                    Ok(text) => {
                        graph.add(project, &paths, (name, path, foreign), text, &mut queue, &mut edges);
                        continue;
                    }
                    Err(error) => drop(unreadable.insert(name.clone(), error)),
                }
            }
            // For a file that is only imported, the error is reported at each import: the file itself may be anywhere.
            if let Some(error) = unreadable.get(&name).filter(|_| !foreign) {
                graph.broken.insert(name, vec![error.clone()]);
            }
        }
        graph.tell_unreadable(&edges, &unreadable);
        graph.tell_missing();
        graph.remappings.sort_by(|a, b| (&a.context, &a.name, &a.path).cmp(&(&b.context, &b.name, &b.path)));
        let imports = graph.files.iter().map(|(name, file)| (name.as_str(), &file.imports));
        graph.closures = Closures::of(&imports.collect());
        graph
    }

    /// Adds a file, and queues what it imports.
    fn add(
        &mut self,
        project: &Project,
        paths: &ProjectPathsConfig,
        (name, path, foreign): (String, PathBuf, bool),
        text: String,
        queue: &mut Vec<(PathBuf, bool)>,
        edges: &mut Vec<(MissingImport, String)>,
    ) {
        let data = SolData::parse(&text, &path);
        let mut imports = BTreeSet::new();
        for import in &data.imports {
            let target = import.data().path();
            let statement = MissingImport {
                importer: name.clone(),
                span: Span::new(import.span().start as u32, import.span().end as u32),
                target: target.to_string_lossy().into_owned(),
            };
            let Some(found) = resolve(paths, project, &path, target) else {
                self.missing.push(statement);
                continue;
            };
            let found_name = source_name(&project.root, &found);
            self.remap_library_import(&name, target, &found_name);
            edges.push((statement, found_name.clone()));
            imports.insert(found_name);
            queue.push((found, true));
        }
        let (requirement, digest) = (data.version_req.clone(), hash([name.as_str(), &text]));
        self.files.insert(name, File { path, text: text.into(), digest, requirement, imports, foreign });
    }

    /// The file of this number.
    pub(super) fn file(&self, id: FileId) -> &File {
        &self.files[self.closures.name(id)]
    }

    /// Whether a file imports another one, directly or not, or is the same.
    pub(super) fn takes_in(&self, id: FileId, other: FileId) -> bool {
        self.closures.of_id(id).contains(other)
    }

    /// Whether a file, and all that it imports, could be read.
    pub(super) fn is_whole(&self, name: &str) -> bool {
        let is_read = |name: &str| !self.broken.contains_key(name);
        self.broken.is_empty()
            || self.closures.of_file(name).is_some_and(|closure| self.closures.names(closure).all(is_read))
    }

    /// Reports the reason at each import of a file that could not be read.
    fn tell_unreadable(&mut self, edges: &[(MissingImport, String)], unreadable: &BTreeMap<String, Diagnostic>) {
        for (MissingImport { importer, span, target }, imported) in edges {
            if let Some(why) = unreadable.get(imported) {
                let message = format!("import \"{target}\" {}", why.message);
                let error = error_at(&self.files[importer].path, Some(*span), message);
                self.broken.entry(importer.clone()).or_default().push(error);
            }
        }
    }

    fn tell_missing(&mut self) {
        self.missing.sort_by(|a, b| (&a.importer, a.span).cmp(&(&b.importer, b.span)));
        for MissingImport { importer, span, target } in &self.missing {
            let remedy = match target.starts_with('.') {
                true => "there is no such file; correct the path, or add the file",
                false => "install what it names, or add a remapping for it",
            };
            let message = format!("import \"{target}\" cannot be found: {remedy}");
            let error = error_at(&self.files[importer].path, Some(*span), message);
            self.broken.entry(importer.clone()).or_default().push(error);
        }
    }

    /// The compiler resolves an import by remappings alone; where a library folder answered it, say so to the compiler.
    fn remap_library_import(&mut self, importer: &str, import: &Path, found: &str) {
        let import = import.to_string_lossy().replace('\\', "/");
        if import.starts_with('.') || apply_remappings(&self.remappings, importer, &import) == found {
            return;
        }
        let mut segments = import.split('/');
        let package = match (segments.next(), segments.next()) {
            (Some(scope), Some(name)) if scope.starts_with('@') => format!("{scope}/{name}/"),
            (Some(first), Some(_)) => format!("{first}/"),
            _ => import.clone(),
        };
        let rest = import.strip_prefix(&package).unwrap_or("");
        let (name, path) = match found.strip_suffix(rest) {
            Some(folder) if !rest.is_empty() => (package, folder.to_owned()),
            _ => (import, found.to_owned()),
        };
        self.remappings.push(Remapping { context: None, name, path });
    }
}

/// The text of a source, or the reason why there is none. With `bounds`, only files in one of these folders are read.
fn read_source(path: &Path, bounds: Option<&[PathBuf]>) -> Result<String, Diagnostic> {
    if let Some(folders) = bounds {
        let real = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if !folders.iter().any(|folder| real.starts_with(folder)) {
            let message = format!(
                "is not read: it leads to {}, outside of the workspace, which is not trusted; trust the workspace \
                 (`--trust` on the command line), or copy the file into it",
                real.display()
            );
            return Err(error_at(path, None, message));
        }
    }
    let bytes = read_bytes(path).map_err(|error| {
        let is_limit = matches!(error.kind(), ErrorKind::FileTooLarge | ErrorKind::InvalidInput);
        let remedy =
            if is_limit { format!("; a source is a regular file of at most {MAX_MIB} MiB") } else { String::new() };
        error_at(path, None, format!("cannot be read: {error}{remedy}"))
    })?;
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to() as u32;
        error_at(path, Some(Span::new(at, at + 1)), format!("byte {at} is not UTF-8: save the file as UTF-8"))
    })
}

/// Resolves an import that is not relative as solc does: the longest context wins, then the longest prefix.
pub(super) fn apply_remappings(remappings: &[Remapping], importer: &str, import: &str) -> String {
    remappings
        .iter()
        .filter(|remapping| import.starts_with(&remapping.name))
        .filter(|remapping| remapping.context.as_deref().is_none_or(|context| importer.starts_with(context)))
        .max_by_key(|remapping| (remapping.context.as_ref().map_or(0, String::len), remapping.name.len()))
        .map_or_else(|| import.to_owned(), |remapping| format!("{}{}", remapping.path, &import[remapping.name.len()..]))
}

fn resolve(paths: &ProjectPathsConfig, project: &Project, importer: &Path, import: &Path) -> Option<PathBuf> {
    let folder = importer.parent()?;
    let relative = import.starts_with(".") || import.starts_with("..");
    let beside = || folder.join(import);
    let in_root = || project.root.join(import);
    let by_rules = || paths.resolve_import(folder, import).ok().map(|found| project.root.join(found));
    // A pipe or a device counts as well: reading it reports that it is none to be read.
    let is_there = |path: &PathBuf| path.metadata().is_ok_and(|metadata| !metadata.is_dir());
    let in_library = || project.libraries.iter().map(|library| library.join(import)).find(is_there);
    let found = if relative {
        Some(beside()).filter(is_there).or_else(by_rules)
    } else {
        by_rules().filter(is_there).or_else(|| Some(in_root()).filter(is_there)).or_else(in_library)
    }?;
    is_there(&found).then(|| std::path::absolute(normalize(&found)).unwrap_or(found))
}

/// Removes `.` and `..` without following links, as the compiler does with names.
fn normalize(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for part in path.components() {
        match part {
            std::path::Component::CurDir => {}
            std::path::Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

fn paths_config(project: &Project) -> ProjectPathsConfig {
    let sources = project.sources.first().cloned().unwrap_or_else(|| project.root.clone());
    let sources = if sources.is_file() { project.root.clone() } else { sources };
    ProjectPathsConfig::builder()
        .sources(sources)
        .tests(&project.tests)
        .libs(project.libraries.iter())
        .remappings(project.remappings.iter().cloned())
        .include_paths(project.include_paths.iter())
        .build_with_root(&project.root)
}

/// A source's name in the compiler's input: the same on every machine for files below the root.
pub(super) fn source_name(root: &Path, path: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).to_string_lossy().replace('\\', "/")
}

fn relative_remappings(project: &Project) -> Vec<Remapping> {
    let relative = |text: &str| {
        let relative = source_name(&project.root, Path::new(text));
        if text.ends_with('/') && !relative.is_empty() && !relative.ends_with('/') { relative + "/" } else { relative }
    };
    project
        .remappings
        .iter()
        .map(|remapping| Remapping {
            context: remapping.context.as_deref().filter(|context| !context.is_empty()).map(relative),
            name: remapping.name.clone(),
            path: relative(&remapping.path),
        })
        .collect()
}

fn error_at(path: &Path, span: Option<Span>, message: String) -> Diagnostic {
    Diagnostic { file: path.to_owned(), span, severity: Severity::Error, code: None, message }
}
