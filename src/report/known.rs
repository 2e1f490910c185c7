//! A finding is [`Known`] if it is not new to whoever asked for what is new only. It is told all the same.

/// Why a finding is not new.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Known {
    /// An earlier run found it.
    Baseline,
    /// Its code did not change since a revision.
    Unchanged,
}

impl Known {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Baseline => "baseline",
            Self::Unchanged => "unchanged",
        }
    }

    /// For people, in brackets behind the finding.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Baseline => "in the baseline",
            Self::Unchanged => "in code that did not change",
        }
    }
}
