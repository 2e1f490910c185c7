//! The messages between the thread that makes builds and the thread that owns the state: a [`BuildOrder`] goes to the former, a
//! [`Built`] comes back.

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

/// The extent of a project.
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

/// The surroundings of a project.
#[derive(Debug, Clone)]
pub(crate) struct Enclosing {
    /// The client's folder around it, if there is one.
    pub(crate) folder: Option<PathBuf>,
    /// The folder that is trusted as a whole, or not: that folder, or the project's own, whichever contains the other.
    pub(crate) trusted_as: PathBuf,
}

/// An order to make a build.
#[derive(Debug)]
pub(crate) struct BuildOrder {
    /// The number of the build: greater than any before.
    pub(crate) generation: u64,
    /// The editor's settings, which go before the project's own.
    pub(crate) settings: ClientSettings,
    /// Whether programs that the workspace names may be executed.
    pub(crate) trusted: bool,
    /// Whether a campaign starts paused.
    pub(crate) paused: bool,
    /// Whether findings and corpus are to be forgotten, in memory and on disk.
    pub(crate) forget: bool,
}

/// The result of an order.
#[derive(Debug)]
pub(crate) struct Built {
    /// The number of the build.
    pub(crate) generation: u64,
    /// The build, or why there is none.
    pub(crate) outcome: Result<Success, BuildFailure>,
    /// The time it took.
    pub(crate) took: Duration,
}

/// A build, and its campaign.
#[derive(Debug)]
pub(crate) struct Success {
    /// The build.
    pub(crate) compiled: Compiled,
    /// The campaign; `None` if nothing is to be fuzzed.
    pub(crate) campaign: Option<Arc<Campaign>>,
    /// Whether the campaign turns to this build now. False if nothing changed that affects it.
    pub(crate) rebases: bool,
}

/// A build and everything that it was made of. It is immutable and keeps nothing running, so a reader may hold it for as long
/// as it likes.
#[derive(Debug)]
pub(crate) struct Compiled {
    /// The project, as it was read for this build.
    pub(crate) project: Arc<Project>,
    /// The result of compiling it.
    pub(crate) build: Arc<Build>,
    /// Texts of files that did not make it into the build, because they have errors.
    pub(crate) texts: BTreeMap<PathBuf, String>,
    /// Programs and folders that were not used because the workspace is not trusted, each with how to allow it.
    pub(crate) held_back: Vec<String>,
}

/// The reason why there is no build.
#[derive(Debug)]
pub(crate) enum BuildFailure {
    /// The project cannot be read.
    Project(ProjectError),
    /// A defect of ours.
    Panic(String),
    /// The files changed while it was made, and it may have seen half of one. Another one follows.
    Superseded,
}
