//! The same targets on a build with the same code: their blocks stay the same, only their lines move.

use super::{Target, Targets};
use crate::{code::Lines, compile::SourceId, harness::Harness};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
    },
};

impl Targets {
    /// These targets on a build that runs the same code.
    pub(in crate::fuzz) fn migrate_to(&self, before: &Harness, harness: &Harness) -> Self {
        let sources: BTreeSet<SourceId> = self.list.iter().map(|target| target.source).collect();
        let unmoved = sources.into_iter().map(|source| {
            let was = before.build.source(source);
            let is = harness.build.source_at(&was.path)?;
            (harness.build.source(is).text == was.text).then_some((source, is))
        });
        let list = match unmoved.collect::<Option<BTreeMap<SourceId, SourceId>>>() {
            Some(sources) => self.list.iter().map(|it| Target { source: sources[&it.source], ..it.clone() }).collect(),
            None => self.placed_in(harness),
        };
        Self {
            list,
            at: self.at.clone(),
            named: self.named,
            states: Mutex::new(self.states()),
            open: AtomicUsize::new(self.open()),
            version: AtomicU64::new(self.version()),
            proved: AtomicBool::new(self.proved.load(Ordering::Relaxed)),
        }
    }

    /// The targets at their lines in the new build.
    fn placed_in(&self, harness: &Harness) -> Vec<Target> {
        let lines = Lines::of(&harness.build, &harness.programs);
        let place = |target: &Target| {
            let line = target.blocks.iter().find_map(|(program, block)| lines.main_line(*program, *block));
            let outer = || target.blocks.first().map(|(program, block)| lines.outer_line(*program, *block));
            let (source, line) = line.or_else(outer).unwrap_or((target.source, target.line));
            Target { source, line, ..target.clone() }
        };
        self.list.iter().map(place).collect()
    }
}
