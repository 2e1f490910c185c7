//! A [`Graph`] holds the sources of a project and what they import, found by following imports from the project's own
//! files. It resolves and reads; it neither picks a compiler nor compiles.

use super::{Diagnostic, Severity, Span};
use crate::project::Project;
use foundry_compilers::{ProjectPathsConfig, artifacts::remappings::Remapping, resolver::parse::SolData};
use semver::VersionReq;
use std::{
    collections::{BTreeMap, BTreeSet},
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
    /// What its pragma asks for.
    pub(super) requirement: Option<VersionReq>,
    /// Names of the files that it imports.
    pub(super) imports: BTreeSet<String>,
    /// Whether it is outside the set of files whose contracts are fuzzed.
    pub(super) foreign: bool,
}

/// Sources by name, and what went wrong while reading them.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// Every file that could be read, by its name in the compiler's input.
    pub(super) files: BTreeMap<String, File>,
    /// Files that cannot be read or whose imports cannot be found, by name.
    pub(super) broken: BTreeMap<String, Vec<Diagnostic>>,
    /// Remappings for the compiler, relative to the root, those of libraries that imports needed included.
    pub(super) remappings: Vec<Remapping>,
}

impl Graph {
    /// Follows imports from the project's files.
    pub(super) fn read(project: &Project) -> Self {
        let paths = paths_config(project);
        let mut graph = Self { remappings: relative_remappings(project), ..Self::default() };
        let mut queue: Vec<(PathBuf, bool)> = project.files().into_iter().map(|path| (path, false)).collect();
        while let Some((path, foreign)) = queue.pop() {
            let name = source_name(&project.root, &path);
            if let Some(known) = graph.files.get_mut(&name) {
                known.foreign &= foreign;
                continue;
            }
            if graph.broken.contains_key(&name) {
                continue;
            }
            let text = match std::fs::read(&path).map(String::from_utf8) {
                Ok(Ok(text)) => text,
                Ok(Err(error)) => {
                    let at = error.utf8_error().valid_up_to() as u32;
                    let message = format!("byte {at} is not UTF-8: save the file as UTF-8");
                    graph.broken.entry(name).or_default().push(error_at(&path, Some(Span::new(at, at + 1)), message));
                    continue;
                }
                Err(error) => {
                    let message = format!("cannot be read: {error}");
                    graph.broken.entry(name).or_default().push(error_at(&path, None, message));
                    continue;
                }
            };
            let data = SolData::parse(&text, &path);
            let mut imports = BTreeSet::new();
            for import in &data.imports {
                let target = import.data().path();
                match resolve(&paths, project, &path, target) {
                    Some(found) => {
                        let found_name = source_name(&project.root, &found);
                        graph.remap_library_import(&name, target, &found_name);
                        imports.insert(found_name);
                        queue.push((found, true));
                    }
                    None => {
                        let range = import.span();
                        let message = format!(
                            "import \"{}\" cannot be found: install what it names, or add a remapping for it",
                            target.display()
                        );
                        let span = Span::new(range.start as u32, range.end as u32);
                        graph.broken.entry(name.clone()).or_default().push(error_at(&path, Some(span), message));
                    }
                }
            }
            let requirement = data.version_req.clone();
            graph.files.insert(name, File { path, text: text.into(), requirement, imports, foreign });
        }
        graph.remappings.sort_by(|a, b| (&a.context, &a.name, &a.path).cmp(&(&b.context, &b.name, &b.path)));
        graph
    }

    /// The file and all that it imports, directly or not; or the names of the broken files among them.
    pub(super) fn closure(&self, name: &str) -> Result<BTreeSet<String>, BTreeSet<String>> {
        let (mut seen, mut broken) = (BTreeSet::new(), BTreeSet::new());
        let mut queue = vec![name];
        while let Some(name) = queue.pop() {
            if self.broken.contains_key(name) {
                broken.insert(name.to_owned());
            }
            if seen.insert(name.to_owned()) {
                queue.extend(self.files.get(name).into_iter().flat_map(|file| file.imports.iter().map(String::as_str)));
            }
        }
        if broken.is_empty() { Ok(seen) } else { Err(broken) }
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

/// What solc does with an import that is not relative: the longest context, then the longest prefix, wins.
fn apply_remappings(remappings: &[Remapping], importer: &str, import: &str) -> String {
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
    let in_library = || project.libraries.iter().map(|library| library.join(import)).find(|path| path.is_file());
    let found = if relative {
        Some(beside()).filter(|path| path.is_file()).or_else(by_rules)
    } else {
        by_rules()
            .filter(|path| path.is_file())
            .or_else(|| Some(in_root()).filter(|path| path.is_file()))
            .or_else(in_library)
    }?;
    found.is_file().then(|| std::path::absolute(normalize(&found)).unwrap_or(found))
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
