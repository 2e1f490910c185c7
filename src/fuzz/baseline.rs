//! The [`Baseline`] is the older build that storage layouts are compared with: what may have been deployed. That is the last commit if it
//! is known, or else the first build in which a contract was seen.

use super::{campaign::Campaign, session::Session};
use crate::{
    code::{Layout, Programs},
    compile::Build,
    finding::{Discovery, LAST_COMMIT, upgrade_findings},
    harness::{Harness, Key},
    oracle::{LAYOUT_CHANGE, is_layout_change},
    project::{Config, Level},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{Arc, MutexGuard, PoisonError},
};

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
    fn of(&mut self, harness: &Arc<Harness>, config: &Config) -> Option<(Arc<Harness>, &'static str)> {
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
}

impl Campaign {
    /// Sets the build of the last commit, with which the next builds' storage layouts are compared; without one, it is the first build
    /// in which a contract was seen.
    pub fn set_committed(&self, committed: Option<Arc<Build>>) {
        let is_known = |baseline: &Baseline| match (&baseline.committed, &committed) {
            (Some(known), Some(build)) => Arc::ptr_eq(&known.build, build),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let mut baseline = self.lock_baseline();
        if !is_known(&baseline) {
            baseline.committed = committed.map(|build| {
                let programs = Arc::new(Programs::of(&build));
                Committed { build, programs, planned: BTreeMap::new() }
            });
        }
    }

    /// Compares the layout of a session's contract with that of its older build, and reports what stored words do not survive.
    pub(super) fn compare_layout(&self, session: &Session, config: &Config) {
        let harness = &session.harness;
        let level = config.level(LAYOUT_CHANGE);
        if level == Level::Off || !Layout::is_upgradeable(&harness.build, harness.contract) {
            return;
        }
        let Some((before, since)) = self.lock_baseline().of(harness, config) else { return };
        if Arc::ptr_eq(&before, harness) {
            return;
        }
        let elapsed = Some(session.shared.started.elapsed());
        let discovery = Discovery { seed: session.seed, executions: session.executions(), elapsed };
        for finding in upgrade_findings(&before, harness, since, level, discovery) {
            session.publish(Arc::new(finding.under(config)));
        }
    }

    /// The ids of the findings on layouts.
    pub(super) fn layout_findings(&self) -> BTreeSet<String> {
        let sessions: Vec<Arc<Session>> = self.sessions().values().cloned().collect();
        let findings = sessions.iter().flat_map(|session| session.findings());
        findings.filter(|finding| is_layout_change(&finding.violation)).map(|finding| finding.id.clone()).collect()
    }

    /// Forgets how contracts were first seen.
    pub(super) fn forget_first_layouts(&self) {
        self.lock_baseline().first.clear();
    }

    fn lock_baseline(&self) -> MutexGuard<'_, Baseline> {
        self.baseline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
