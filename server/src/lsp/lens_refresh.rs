//! [`LensRefresh`] decides when the client is to ask for lenses again: when those of an open file say something else, and at most
//! once a second. After an edit or a save the client asks by itself.

use super::{documents::Documents, lenses, project::results::Results};
use bellwether::compile::Span;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::{Duration, Instant},
};

/// The least time between two requests to the client.
const MIN_INTERVAL: Duration = Duration::from_secs(1);

type Titles = BTreeMap<PathBuf, BTreeSet<(Span, String)>>;

/// What the client was last told to ask for.
#[derive(Debug, Default)]
pub(super) struct LensRefresh {
    /// What lenses said when the client last had reason to ask.
    known: Titles,
    /// When the client was last told to ask.
    told: Option<Instant>,
    /// The results that were looked at last.
    seen: Vec<Arc<Results>>,
    /// Whether they say something else than what is known.
    is_stale: bool,
}

impl LensRefresh {
    /// Whether the client is to ask now.
    pub(super) fn tell(&mut self, now: Instant, results: Vec<Arc<Results>>, documents: &Documents) -> bool {
        self.look(results, documents);
        if !self.is_stale || self.due().is_some_and(|due| now < due) {
            return false;
        }
        self.known = titles(&self.seen, documents);
        (self.told, self.is_stale) = (Some(now), false);
        true
    }

    /// When the client can be told to ask, if it has to be.
    pub(super) fn due(&self) -> Option<Instant> {
        self.told.filter(|_| self.is_stale).map(|told| told + MIN_INTERVAL)
    }

    fn look(&mut self, results: Vec<Arc<Results>>, documents: &Documents) {
        let opened: Vec<&PathBuf> = documents.paths().filter(|path| !self.known.contains_key(*path)).collect();
        let is_seen = |(old, new): (&Arc<Results>, &Arc<Results>)| Arc::ptr_eq(old, new);
        let changed = self.seen.len() != results.len() || !self.seen.iter().zip(&results).all(is_seen);
        if opened.is_empty() && !changed {
            return;
        }
        self.seen = results;
        let now = titles(&self.seen, documents);
        self.known.retain(|path, _| now.contains_key(path));
        // A client that opens a file asks by itself.
        for path in opened {
            self.known.extend(now.get(path).map(|titles| (path.clone(), titles.clone())));
        }
        self.is_stale = self.known != now;
    }
}

fn titles(results: &[Arc<Results>], documents: &Documents) -> Titles {
    let paths = documents.paths().map(PathBuf::as_path);
    let titles = lenses::titles(results.iter().map(|results| &**results), paths);
    titles.into_iter().map(|(path, titles)| (path.to_owned(), titles)).collect()
}
