//! Upgrades: the storage layout of each contract, compared with that of its older build.

use super::{baseline::Baseline, campaign::Campaign, session::Session};
use crate::{
    code::Layout,
    compile::Build,
    finding::{Discovery, upgrade_findings},
    oracle::{LAYOUT_CHANGE, is_layout_change},
    project::{Config, Level},
};
use std::{
    collections::BTreeSet,
    sync::{Arc, MutexGuard, PoisonError},
};

impl Campaign {
    /// Sets the build of the last commit, with which the next builds' storage layouts are compared; without one, it is the first build
    /// in which a contract was seen.
    pub fn set_committed(&self, committed: Option<Arc<Build>>) {
        self.lock_baseline().set_committed(committed);
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
        self.lock_baseline().forget_first();
    }

    fn lock_baseline(&self) -> MutexGuard<'_, Baseline> {
        self.baseline.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
