//! A build, as the thread that makes it and the thread that owns the state speak of it: an [`BuildOrder`] goes one way, a [`Built`] comes back.

use crate::lsp::client::settings::ClientSettings;
use bellwether::{
    compile::Build,
    fuzz::Campaign,
    project::{Project, ProjectError},
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

/// How much a project is.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// All of a folder.
    Folder(PathBuf),
    /// One file that belongs to no project.
    File(PathBuf),
}

impl Extent {
    /// The folder or the file.
    pub(crate) fn path(&self) -> &Path {
        match self {
            Self::Folder(path) | Self::File(path) => path,
        }
    }
}

/// What is around a project.
#[derive(Debug, Clone)]
pub(crate) struct Enclosing {
    /// The client's folder around it, if there is one.
    pub(crate) folder: Option<PathBuf>,
    /// What is trusted as a whole, or not: that folder, or the project's own, whichever is around the other.
    pub(crate) trusted_as: PathBuf,
}

/// What is to be done.
#[derive(Debug)]
pub(crate) struct BuildOrder {
    /// The number of the build: greater than any before.
    pub(crate) generation: u64,
    /// The editor's settings, over which the project's own do not go.
    pub(crate) settings: ClientSettings,
    /// Whether what the workspace names may be executed.
    pub(crate) trusted: bool,
    /// Whether a campaign starts paused.
    pub(crate) paused: bool,
    /// Whether findings and corpus are to be forgotten, in memory and on disk.
    pub(crate) forget: bool,
}

/// What became of an order.
#[derive(Debug)]
pub(crate) struct Built {
    /// Of which one.
    pub(crate) generation: u64,
    /// The build, or why there is none.
    pub(crate) outcome: Result<Success, BuildFailure>,
    /// How long it took.
    pub(crate) took: Duration,
}

/// A build, and what fuzzes it.
#[derive(Debug)]
pub(crate) struct Success {
    /// The build.
    pub(crate) compiled: Compiled,
    /// What fuzzes it, unless nothing is to.
    pub(crate) campaign: Option<Arc<Campaign>>,
    /// Whether the campaign turns to this build now. Not if nothing changed that it could notice.
    pub(crate) rebases: bool,
}

/// A build and all that it was made of. It never changes, and keeps nothing running: whoever reads may hold it for as long as it likes.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The project, as it was read for this build.
    pub(crate) project: Arc<Project>,
    /// What the compiler made of it.
    pub(crate) build: Arc<Build>,
    /// Texts of files that did not make it into the build, because they have errors.
    pub(crate) texts: BTreeMap<PathBuf, String>,
    /// What was not executed or followed because the workspace is not trusted, and how to allow it.
    pub(crate) held_back: Vec<String>,
}

/// Why there is no build.
#[derive(Debug)]
pub(crate) enum BuildFailure {
    /// The project cannot be read.
    Project(ProjectError),
    /// A defect of ours.
    Panic(String),
    /// The files changed while it was made, and it may have seen half of one. Another one follows.
    Superseded,
}
