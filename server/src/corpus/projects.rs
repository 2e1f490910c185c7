//! The projects that a corpus is of, and where each of them is in it.

use crate::{
    roots::{folder_in_corpus, project_name, roots},
    trust,
};
use anyhow::Result;
use bellwether::{
    compile::{Build, Compiler, cache_folder},
    corpus::store::FORM,
    project::Project,
};
use std::{
    path::{Path, PathBuf},
    slice,
    sync::Arc,
};

/// A project whose corpus is read or written.
pub(super) struct CorpusProject {
    pub(super) project: Project,
    /// Its root as it is written into findings.
    pub(super) name: String,
    /// Its folder in a corpus folder.
    pub(super) folder: PathBuf,
    /// Whether no other project is meant.
    alone: bool,
}

impl CorpusProject {
    /// The projects that a path means, as `bellwether fuzz` takes it.
    pub(super) fn all(given: &PathBuf, trusted: bool) -> Result<Vec<Self>> {
        let roots = roots(slice::from_ref(given))?;
        roots.iter().map(|root| Self::open(root, roots.len() == 1, trusted)).collect()
    }

    fn open(root: &Path, alone: bool, trusted: bool) -> Result<Self> {
        let project = trust::open(root, trusted)?;
        trust::tell_warnings(&project);
        let name = project_name(root, &project);
        let folder = folder_in_corpus(&project, &name);
        Ok(Self { project, name, folder, alone })
    }

    /// Compiles it, as far as it compiles.
    pub(super) fn compile(&self, trusted: bool) -> Arc<Build> {
        let Self { project, .. } = self;
        Arc::new(Compiler::new(&cache_folder(project), &project.root, trusted).build(project))
    }

    /// Where its sequences are in a corpus folder. One that machines share has them at its top, wherever the project is; where several
    /// projects are meant, those at the top are of a project around them.
    pub(super) fn kept_in(&self, corpus: &Path) -> PathBuf {
        let own: PathBuf = corpus.join(&self.folder).components().collect();
        if !self.alone || own.join(FORM).is_dir() { own } else { corpus.to_owned() }
    }
}
