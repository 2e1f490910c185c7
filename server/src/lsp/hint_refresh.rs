//! [`HintRefresh`] decides when the client is to ask for inlay hints again: when findings are others, or values are shown elsewhere, and
//! at most once a second. After an edit the client asks by itself.

use super::{
    pace::{Pace, are_same},
    project::results::Results,
};
use std::{collections::BTreeSet, sync::Arc, time::Instant};

/// What the client was last told to ask for.
#[derive(Debug, Default)]
pub(super) struct HintRefresh {
    /// The findings, and whether each is shown with all its values and whether it is the shortest.
    known: BTreeSet<(String, bool, bool)>,
    seen: Vec<Arc<Results>>,
    pace: Pace,
}

impl HintRefresh {
    /// Whether the client is to ask now.
    pub(super) fn tell(&mut self, now: Instant, results: Vec<Arc<Results>>) -> bool {
        if !are_same(&self.seen, &results) {
            self.pace.set_news(shown(&results) != self.known);
            self.seen = results;
        }
        let tells = self.pace.tell(now);
        if tells {
            self.known = shown(&self.seen);
        }
        tells
    }

    /// When the client can be told to ask, if it has to be.
    pub(super) fn due(&self) -> Option<Instant> {
        self.pace.due()
    }
}

fn shown(results: &[Arc<Results>]) -> BTreeSet<(String, bool, bool)> {
    let of_project = |results: &Arc<Results>| {
        let shows_all = results.shows_all_values();
        results.findings().map(|it| (it.id.clone(), shows_all, it.shrunk)).collect::<Vec<_>>()
    };
    results.iter().flat_map(of_project).collect()
}
