//! The [`Baseline`] is the older build that storage layouts are compared with: what may have been deployed. That is the last commit if it
//! is known, or else the first build in which a contract was seen.

use crate::{
    code::Programs,
    compile::Build,
    finding::LAST_COMMIT,
    harness::{Harness, Key},
    project::Config,
};
use std::{collections::BTreeMap, sync::Arc};

/// Older builds of upgradeable contracts.
#[derive(Debug, Default)]
pub(super) struct Baseline {
    /// The build of the last commit.
    committed: Option<Committed>,
    /// Contracts as they were first seen.
    first: BTreeMap<Key, Arc<Harness>>,
}

/// The build of the last commit.
#[derive(Debug)]
struct Committed {
    build: Arc<Build>,
    programs: Arc<Programs>,
    /// The contracts whose world was planned.
    planned: BTreeMap<Key, Option<Arc<Harness>>>,
}

impl Baseline {
    /// The older build of a contract, and what it is in words. `None` if it is new.
    pub(super) fn of(&mut self, harness: &Arc<Harness>, config: &Config) -> Option<(Arc<Harness>, &'static str)> {
        let key = harness.key();
        let Some(Committed { build, programs, planned }) = &mut self.committed else {
            let first = self.first.entry(key).or_insert_with(|| harness.clone()).clone();
            return Some((first, "the first build of this session"));
        };
        let contract = build.find_contract(&key.file, &key.name)?;
        let same = build.id == harness.build.id;
        let plan = || Harness::with_config(build.clone(), programs.clone(), contract, config).ok().map(Arc::new);
        let before = if same { None } else { planned.entry(key).or_insert_with(plan).clone() };
        before.map(|before| (before, LAST_COMMIT))
    }

    /// Sets the build of the last commit, or none.
    pub(super) fn set_committed(&mut self, committed: Option<Arc<Build>>) {
        let is_known = match (&self.committed, &committed) {
            (Some(known), Some(build)) => Arc::ptr_eq(&known.build, build),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        if !is_known {
            self.committed = committed.map(|build| {
                let programs = Arc::new(Programs::of(&build));
                Committed { build, programs, planned: BTreeMap::new() }
            });
        }
    }

    /// Forgets how contracts were first seen.
    pub(super) fn forget_first(&mut self) {
        self.first.clear();
    }
}
