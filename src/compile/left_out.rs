//! Gathers the reasons for which files are not part of a build, each a [`LeftOut`], once however many files it concerns: a
//! package that is not installed, a compiler that cannot be had, an error in a file that others import.

use super::{
    build::{Diagnostic, LeftOut, Severity},
    closures::FileId,
    graph::{Graph, MissingImport, apply_remappings},
    message::Message,
    solc::NO_ANSWER,
    span::Span,
};
use crate::project::{Project, read_text};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};

/// Gathers reasons while a project is compiled.
pub(super) struct Reasons<'a> {
    project: &'a Project,
    graph: &'a Graph,
    /// The files without a compiler, by the reason why there is none.
    compilers: BTreeMap<String, BTreeSet<FileId>>,
    errors: BTreeMap<FileId, Arc<[Message]>>,
    /// Messages about compilers that gave no answer.
    silent: BTreeSet<String>,
}

impl<'a> Reasons<'a> {
    pub(super) fn new(project: &'a Project, graph: &'a Graph) -> Self {
        Self { project, graph, compilers: BTreeMap::new(), errors: BTreeMap::new(), silent: BTreeSet::new() }
    }

    /// Adds a file that has no compiler.
    pub(super) fn no_compiler(&mut self, id: FileId, why: String) {
        self.compilers.entry(why).or_default().insert(id);
    }

    /// Adds a compiler that gave no answer.
    pub(super) fn no_answer(&mut self, why: String) {
        self.silent.insert(why);
    }

    /// Adds a file that does not compile.
    pub(super) fn does_not_compile(&mut self, id: FileId, errors: Arc<[Message]>) {
        self.errors.insert(id, errors);
    }

    /// The diagnostics, at their places.
    pub(super) fn diagnostics(&self) -> Vec<Diagnostic> {
        let of_graph = self.graph.broken.values().flatten().cloned();
        let compilers = self.compilers.iter().flat_map(|(why, files)| {
            files.iter().map(|id| Diagnostic {
                file: self.graph.file(*id).path.clone(),
                span: None,
                severity: Severity::Error,
                code: None,
                message: why.clone(),
            })
        });
        let errors = self.errors.values().flat_map(|errors| errors.iter().map(|error| error.diagnostic.clone()));
        let silent = self.silent.iter().map(|why| Diagnostic {
            file: self.project.root.clone(),
            span: None,
            severity: Severity::Error,
            code: Some(NO_ANSWER.to_owned()),
            message: why.clone(),
        });
        of_graph.chain(compilers).chain(errors).chain(silent).collect()
    }

    /// One line for each reason, in the order of the files in which they show.
    pub(super) fn lines(&self) -> Vec<LeftOut> {
        let mut lines = self.missing_packages();
        lines.extend(self.broken_files());
        for (why, files) in &self.compilers {
            let Some(first) = files.first() else { continue };
            let message = format!(
                "{}{why}",
                if files.len() > 1 { waiting(files.len()) + " for a compiler: " } else { String::new() }
            );
            lines.push(LeftOut { file: self.graph.file(*first).path.clone(), span: None, message });
        }
        lines.extend(self.compile_errors());
        let root = &self.project.root;
        lines.extend(self.silent.iter().map(|why| LeftOut { file: root.clone(), span: None, message: why.clone() }));
        lines.sort_by(|a, b| (&a.file, a.span, &a.message).cmp(&(&b.file, b.span, &b.message)));
        lines
    }

    /// The project's own files.
    fn own(&self) -> impl Iterator<Item = &'a str> {
        self.graph.files.iter().filter(|(_, file)| !file.foreign).map(|(name, _)| name.as_str())
    }

    /// The number of the project's own files that import any of these.
    fn count_waiting(&self, importers: &BTreeSet<&str>) -> usize {
        let closures = &self.graph.closures;
        let ids: Vec<FileId> = importers.iter().filter_map(|name| closures.id(name)).collect();
        let takes_in_any =
            |name: &&str| closures.id(name).is_some_and(|own| ids.iter().any(|id| self.graph.takes_in(own, *id)));
        self.own().filter(takes_in_any).count()
    }

    fn missing_packages(&self) -> Vec<LeftOut> {
        let mut packages: BTreeMap<String, Vec<&MissingImport>> = BTreeMap::new();
        for import in self.graph.missing.iter().filter(|import| !import.target.starts_with('.')) {
            packages.entry(package_of(&import.target)).or_default().push(import);
        }
        let line = |(package, imports): (String, Vec<&MissingImport>)| {
            let importers: BTreeSet<&str> = imports.iter().map(|import| import.importer.as_str()).collect();
            let files = waiting(self.count_waiting(&importers));
            let place = apply_remappings(&self.graph.remappings, &imports[0].importer, &imports[0].target);
            let message = match submodule(&self.project.root, &package, &place) {
                Some(folder) => {
                    format!("`{folder}` is empty: {files} for it; run `git submodule update --init --recursive`")
                }
                None => format!("`{package}` is missing: {files} for it; {}", install(&self.project.root, &package)),
            };
            let first = imports[0];
            LeftOut { file: self.graph.files[&first.importer].path.clone(), span: Some(first.span), message }
        };
        packages.into_iter().map(line).collect()
    }

    /// Files that cannot be read, and imports of files that are not there.
    fn broken_files(&self) -> Vec<LeftOut> {
        let packages: BTreeSet<(&str, Span)> = self
            .graph
            .missing
            .iter()
            .filter(|import| !import.target.starts_with('.'))
            .map(|import| (import.importer.as_str(), import.span))
            .collect();
        let mut lines = Vec::new();
        for (name, errors) in &self.graph.broken {
            let others = self.count_waiting(&BTreeSet::from([name.as_str()])).saturating_sub(1);
            for error in errors {
                if error.span.is_some_and(|span| packages.contains(&(name.as_str(), span))) {
                    continue;
                }
                let message = with_importers(&error.message, others);
                lines.push(LeftOut { file: error.file.clone(), span: error.span, message });
            }
        }
        lines
    }

    fn compile_errors(&self) -> Vec<LeftOut> {
        type ErrorSite<'a> = (&'a Path, Option<Span>, &'a str);
        let mut errors: BTreeMap<ErrorSite<'_>, BTreeSet<FileId>> = BTreeMap::new();
        for (id, messages) in &self.errors {
            for Message { diagnostic, .. } in messages.iter() {
                let place = (diagnostic.file.as_path(), diagnostic.span, diagnostic.message.as_str());
                errors.entry(place).or_default().insert(*id);
            }
        }
        let mut told: BTreeSet<&Path> = BTreeSet::new();
        let mut lines = Vec::new();
        for ((file, span, message), files) in &errors {
            let others = files.iter().filter(|id| self.graph.file(**id).path != *file).count();
            // Once for each file is enough.
            let others = if told.insert(file) { others } else { 0 };
            lines.push(LeftOut { file: file.to_path_buf(), span: *span, message: with_importers(message, others) });
        }
        lines
    }
}

fn waiting(files: usize) -> String {
    if files == 1 { "1 file waits".to_owned() } else { format!("{files} files wait") }
}

fn with_importers(message: &str, others: usize) -> String {
    match others {
        0 => message.to_owned(),
        1 => format!("{message} (1 file that imports this one is left out, too)"),
        _ => format!("{message} ({others} files that import this one are left out, too)"),
    }
}

/// The package that an import names: `@scope/name`, or all before the first slash.
fn package_of(target: &str) -> String {
    let mut segments = target.split('/');
    match (segments.next(), segments.next()) {
        (Some(scope), Some(name)) if scope.starts_with('@') => format!("{scope}/{name}"),
        (Some(first), _) => first.to_owned(),
        (None, _) => target.to_owned(),
    }
}

/// The folder of a git submodule that was not fetched and would hold the package, or the file that the import is remapped to.
fn submodule(root: &Path, package: &str, place: &str) -> Option<String> {
    let modules = read_text(&root.join(".gitmodules")).ok()?;
    let folders = modules.lines().filter_map(|line| line.trim().strip_prefix("path")?.trim().strip_prefix('='));
    let is_empty = |folder: &Path| folder.read_dir().map_or(true, |mut entries| entries.next().is_none());
    folders
        .map(str::trim)
        .filter(|folder| Path::new(place).starts_with(folder) || Path::new(folder).ends_with(package))
        .find(|folder| is_empty(&root.join(folder)))
        .map(str::to_owned)
}

/// Libraries that Foundry installs from their repositories. On npm, packages of these names are by somebody else.
const OF_FOUNDRY: [(&str, &str); 2] = [("forge-std", "foundry-rs/forge-std"), ("ds-test", "dapphub/ds-test")];

/// The advice for a package that is not installed.
fn install(root: &Path, package: &str) -> String {
    let manifest = read_text(&root.join("package.json")).unwrap_or_default();
    let listed = manifest.contains(&format!("\"{package}\""));
    let (add, all) = if root.join("yarn.lock").is_file() {
        ("yarn add --dev", "yarn install")
    } else if root.join("pnpm-lock.yaml").is_file() {
        ("pnpm add --save-dev", "pnpm install")
    } else {
        ("npm install --save-dev", "npm install")
    };
    let of_foundry = OF_FOUNDRY.iter().find(|(name, _)| *name == package);
    if listed {
        format!("run `{all}`")
    } else if let Some((_, repository)) = of_foundry {
        format!("run `forge install {repository}`, or add a remapping for it")
    } else if !manifest.is_empty() || package.starts_with('@') {
        format!("run `{add} {package}`, or add a remapping for it")
    } else {
        "install it, or add a remapping for it".to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_what_can_be_installed() {
        assert_eq!(package_of("@openzeppelin/contracts/token/ERC20.sol"), "@openzeppelin/contracts");
        assert_eq!(package_of("forge-std/Test.sol"), "forge-std");
        assert_eq!(package_of("Token.sol"), "Token.sol");
    }

    #[test]
    fn a_library_of_foundry_is_not_taken_from_npm() {
        let folder = tempfile::tempdir().unwrap();
        let advice = |package| install(folder.path(), package);
        std::fs::write(folder.path().join("package.json"), "{ \"devDependencies\": { \"ds-test\": \"*\" } }").unwrap();
        assert_eq!(advice("forge-std"), "run `forge install foundry-rs/forge-std`, or add a remapping for it");
        assert_eq!(advice("solady"), "run `npm install --save-dev solady`, or add a remapping for it");
        assert_eq!(advice("ds-test"), "run `npm install`");
    }

    #[test]
    fn an_empty_submodule_is_found_by_its_name_or_by_where_the_import_leads() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::write(
            root.join(".gitmodules"),
            "[submodule \"a\"]\n\tpath = lib/forge-std\n[submodule \"b\"]\n\tpath = lib/oz\n[submodule \"c\"]\n\tpath = lib/full\n",
        )
        .unwrap();
        std::fs::create_dir_all(root.join("lib/oz")).unwrap();
        std::fs::create_dir_all(root.join("lib/full/src")).unwrap();
        let found = |package, place| submodule(root, package, place);
        assert_eq!(found("forge-std", "forge-std/Test.sol").as_deref(), Some("lib/forge-std"));
        assert_eq!(found("@openzeppelin/contracts", "lib/oz/contracts/A.sol").as_deref(), Some("lib/oz"));
        assert_eq!(found("full", "lib/full/src/A.sol"), None, "it is there, and lacks this file");
        assert_eq!(found("other", "other/A.sol"), None);
    }
}
