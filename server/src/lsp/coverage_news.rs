//! [`CoverageNews`] decides which coverage the client is told of its own accord: that of open files in projects with
//! `bellwether.coverage`, where it is something else than before, and at most once a second.

use super::{
    client::coverage::FileCoverage,
    coverage,
    documents::Documents,
    pace::{Pace, are_same},
    project::results::Results,
};
use std::{collections::BTreeMap, path::PathBuf, sync::Arc, time::Instant};

/// What the client was last told.
#[derive(Debug, Default)]
pub(super) struct CoverageNews {
    /// The coverage of each file of which it was told any.
    told: BTreeMap<PathBuf, FileCoverage>,
    /// The results and documents that this was made of.
    seen: (Vec<Arc<Results>>, Arc<Documents>),
    /// When to tell that there are others.
    pace: Pace,
}

impl CoverageNews {
    /// The coverage to tell now.
    pub(super) fn tell(
        &mut self,
        now: Instant,
        mut results: Vec<Arc<Results>>,
        documents: &Arc<Documents>,
    ) -> Vec<FileCoverage> {
        results.retain(|results| is_shown(results));
        let (seen, seen_documents) = &self.seen;
        let moved = !results.is_empty() && !Arc::ptr_eq(seen_documents, documents);
        self.pace.set_news(moved || !are_same(seen, &results));
        if !self.pace.tell(now) {
            return Vec::new();
        }
        let mut shown = coverage::of_files(&results, documents, |path| documents.get(path).is_some());
        // What is not shown any more is taken back.
        for path in self.told.keys().filter(|path| documents.get(path).is_some()) {
            if !shown.contains_key(path) {
                shown.extend(coverage::none(documents, path).map(|none| (path.clone(), none)));
            }
        }
        let news = shown.iter().filter(|(path, coverage)| self.told.get(*path) != Some(coverage));
        let news = news.map(|(_, coverage)| coverage.clone()).collect();
        self.told = shown;
        self.seen = (results, documents.clone());
        news
    }

    /// When there is something to tell, if there is.
    pub(super) fn due(&self) -> Option<Instant> {
        self.pace.due()
    }
}

fn is_shown(results: &Results) -> bool {
    results.compiled.as_ref().is_some_and(|compiled| compiled.project.config.coverage == Some(true))
}
