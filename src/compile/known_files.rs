//! The [`KnownFiles`] of a build tell which files changed since, and so which tests a change concerns.

use super::graph::Graph;
use crate::project::{FileRole, Project};
use fixedbitset::FixedBitSet;
use std::collections::{BTreeSet, HashMap};

/// The digests of the files of a build, by their names; none before the first build.
#[derive(Debug, Default)]
pub(super) struct KnownFiles(HashMap<String, String>);

impl KnownFiles {
    pub(super) fn of(graph: &Graph) -> Self {
        Self(graph.files.iter().map(|(name, file)| (name.clone(), file.digest.clone())).collect())
    }

    /// The project's tests that take in a file which changed; none if no contract of the project's own does. None if this is the first build,
    /// either, but for a project that is compiled through the IR: its tests can take minutes.
    pub(super) fn outdated_tests(&self, project: &Project, graph: &Graph) -> BTreeSet<String> {
        if self.0.is_empty() && !project.compiler.via_ir {
            return BTreeSet::new();
        }
        let mut changed = FixedBitSet::with_capacity(graph.files.len());
        let is_changed = |(name, digest): (&String, &String)| self.0.get(name) != Some(digest);
        let digests = graph.files.iter().map(|(name, file)| (name, &file.digest));
        changed.extend(digests.filter(|file| is_changed(*file)).filter_map(|(name, _)| graph.closures.id(name)));
        let own = graph.files.iter().filter(|(_, file)| !file.foreign);
        let is_outdated = |name: &str| graph.closures.of_file(name).is_some_and(|all| !all.is_disjoint(&changed));
        let outdated = own.filter(|(name, _)| is_outdated(name));
        let (tests, others): (Vec<_>, Vec<_>) =
            outdated.partition(|(_, file)| project.role(&file.path) == FileRole::Test);
        if others.is_empty() { BTreeSet::new() } else { tests.into_iter().map(|(name, _)| name.clone()).collect() }
    }
}
