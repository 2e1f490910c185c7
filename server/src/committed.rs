//! [`Committed`] is what the upgradeable contracts of a project were in the last commit, compiled: the storage layouts that later ones are
//! compared with. It is compiled only if they differ from it.

use crate::repository::Repository;
use bellwether::{
    code::Layout,
    compile::{Build, Compiler},
    project::Project,
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

/// The last commit of a project, as far as it was read and compiled.
#[derive(Debug, Default)]
pub(crate) struct Committed {
    /// The commit, with the texts of its files by absolute path.
    texts: Option<(String, BTreeMap<PathBuf, Arc<str>>)>,
    /// What was compiled last, from these files of that commit.
    build: Option<(String, Vec<PathBuf>, Arc<Build>)>,
}

impl Committed {
    /// The upgradeable contracts of `build` as they were in the last commit: the same build, if they did not change. `None` if there is
    /// none, as outside of a repository. `compiler` makes one that knows no other build.
    pub(crate) fn of(
        &mut self,
        project: &Project,
        build: &Arc<Build>,
        trusted: bool,
        compiler: impl FnOnce() -> Compiler,
    ) -> Option<Arc<Build>> {
        let contracts = Layout::upgradeable(build);
        if contracts.is_empty() {
            return None;
        }
        let (commit, texts) = self.read(&project.root, trusted)?;
        let sources = contracts.iter().flat_map(|(_, sources)| sources);
        let sources: Vec<_> = sources.map(|id| build.source(*id)).collect();
        let committed = |path: &Path| texts.get(path);
        if !sources.iter().any(|source| committed(&source.path).is_some_and(|text| *text != source.text)) {
            return Some(build.clone());
        }
        let mut files: Vec<PathBuf> = sources.iter().map(|source| source.path.clone()).collect();
        files.retain(|path| texts.contains_key(path));
        files.sort();
        files.dedup();
        if let Some((of, known, build)) = &self.build
            && *of == commit
            && *known == files
        {
            return Some(build.clone());
        }
        let wanted = files.iter().map(|path| (path.clone(), texts[path].clone())).collect();
        let before = Arc::new(compiler().build_texts(project, &wanted));
        self.build = Some((commit, files, before.clone()));
        Some(before)
    }

    /// The last commit and the texts of its files. They are read once for each commit.
    fn read(&mut self, root: &Path, trusted: bool) -> Option<(String, BTreeMap<PathBuf, Arc<str>>)> {
        let repository = Repository { folder: root, trusted };
        let commit = repository.head().ok()?;
        if self.texts.as_ref().is_none_or(|(known, _)| *known != commit) {
            let sources = repository.sources(&commit);
            let sources =
                sources.inspect_err(|error| tracing::debug!("the last commit cannot be read: {error:#}")).ok()?;
            let text =
                |(file, bytes): (String, Vec<u8>)| Some((root.join(file), String::from_utf8(bytes).ok()?.into()));
            self.texts = Some((commit, sources.into_iter().filter_map(text).collect()));
        }
        self.texts.clone()
    }
}
