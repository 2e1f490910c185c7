//! [`LensRefresh`] decides when the client is to ask for lenses again: when those of an open file say something else, and at most
//! once a second. After an edit or a save the client asks by itself.

use super::{
    documents::Documents,
    lenses,
    pace::{Pace, are_same},
    project::results::Results,
};
use bellwether::compile::Span;
use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
    sync::Arc,
    time::Instant,
};

type Titles = BTreeMap<PathBuf, BTreeSet<(Span, String)>>;

/// What the client was last told to ask for.
#[derive(Debug, Default)]
pub(super) struct LensRefresh {
    /// What lenses said when the client last had reason to ask.
    known: Titles,
    /// The results that were looked at last.
    seen: Vec<Arc<Results>>,
    /// When to tell that they say something else than what is known.
    pace: Pace,
}

impl LensRefresh {
    /// Whether the client is to ask now.
    pub(super) fn tell(&mut self, now: Instant, results: Vec<Arc<Results>>, documents: &Documents) -> bool {
        self.look(results, documents);
        let tells = self.pace.tell(now);
        if tells {
            self.known = titles(&self.seen, documents);
        }
        tells
    }

    /// When the client can be told to ask, if it has to be.
    pub(super) fn due(&self) -> Option<Instant> {
        self.pace.due()
    }

    fn look(&mut self, results: Vec<Arc<Results>>, documents: &Documents) {
        let opened: Vec<&PathBuf> = documents.paths().filter(|path| !self.known.contains_key(*path)).collect();
        if opened.is_empty() && are_same(&self.seen, &results) {
            return;
        }
        self.seen = results;
        let now = titles(&self.seen, documents);
        self.known.retain(|path, _| now.contains_key(path));
        // A client that opens a file asks by itself.
        for path in opened {
            self.known.extend(now.get(path).map(|titles| (path.clone(), titles.clone())));
        }
        self.pace.set_news(self.known != now);
    }
}

fn titles(results: &[Arc<Results>], documents: &Documents) -> Titles {
    let paths = documents.paths().map(PathBuf::as_path);
    let titles = lenses::titles(results.iter().map(|results| &**results), paths);
    titles.into_iter().map(|(path, titles)| (path.to_owned(), titles)).collect()
}
