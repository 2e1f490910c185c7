//! [`Runs`] are what searches with several seeds came to. A search that was given up counts as its cap.

use super::{
    Search,
    statistics::{median, quartiles},
};

/// One search for each seed.
#[derive(Clone)]
pub struct Runs {
    cap: u64,
    /// Transactions until everything was found.
    executions: Vec<Option<u64>>,
    milliseconds: Vec<f64>,
}

impl Runs {
    /// Of these searches, each of which may take `cap` transactions.
    pub fn new(cap: u64, searches: &[Search]) -> Self {
        let executions =
            |search: &Search| Some(search.executions).filter(|executions| search.found && *executions <= cap);
        Self {
            cap,
            executions: searches.iter().map(executions).collect(),
            milliseconds: searches.iter().map(|search| search.took.as_secs_f64() * 1000.0).collect(),
        }
    }

    /// How many found everything, of how many.
    pub fn found(&self) -> String {
        format!("{}/{}", self.executions.iter().flatten().count(), self.executions.len())
    }

    /// Whether none did.
    pub fn are_in_vain(&self) -> bool {
        self.executions.iter().all(Option::is_none)
    }

    /// The transactions of each.
    pub fn executions(&self) -> Vec<f64> {
        self.executions.iter().map(|executions| executions.unwrap_or(self.cap) as f64).collect()
    }

    /// Their median.
    pub fn median(&self) -> f64 {
        median(self.executions())
    }

    /// Their median in words: with a `>` where the cap has a part in it.
    pub fn shown_median(&self) -> String {
        self.shown(self.median(), 0.5)
    }

    /// Their quartiles in words.
    pub fn shown_quartiles(&self) -> String {
        let (low, high) = quartiles(self.executions());
        format!("{}–{}", self.shown(low, 0.25), self.shown(high, 0.75))
    }

    /// Median and quartiles of the times.
    pub fn shown_milliseconds(&self) -> String {
        let (low, high) = quartiles(self.milliseconds.clone());
        format!("{:.1} | {low:.1}–{high:.1}", median(self.milliseconds.clone()))
    }

    /// The value below which this share is, which lies between two searches. Those that were given up come last.
    fn shown(&self, value: f64, share: f64) -> String {
        let found = self.executions.iter().flatten().count();
        let later = (share * (self.executions.len() - 1) as f64).ceil() as usize;
        format!("{}{value:.0}", if later < found { "" } else { ">" })
    }
}
