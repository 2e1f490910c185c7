//! A [`Check`] is one thing that was looked at: how it is, and if it is not well, what to do.

use serde_json::{Value, json};

/// How something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    /// As it should be.
    Ok,
    /// Not there, and not needed.
    Note,
    /// Something may go wrong, or is not done as somebody wrote it.
    Warning,
    /// Something does not work.
    Problem,
}

/// One thing that was looked at.
#[derive(Debug, Clone)]
pub(super) struct Check {
    /// A name that stays: `project`, `solc`, `cache`.
    pub(super) about: &'static str,
    pub(super) state: State,
    /// How it is, in words that follow the name.
    pub(super) said: String,
    /// What to do; empty where nothing is to be done.
    pub(super) remedy: String,
}

impl Check {
    pub(super) fn ok(about: &'static str, said: impl Into<String>) -> Self {
        Self { about, state: State::Ok, said: said.into(), remedy: String::new() }
    }

    pub(super) fn note(about: &'static str, said: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { about, state: State::Note, said: said.into(), remedy: remedy.into() }
    }

    pub(super) fn warning(about: &'static str, said: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { about, state: State::Warning, said: said.into(), remedy: remedy.into() }
    }

    pub(super) fn problem(about: &'static str, said: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { about, state: State::Problem, said: said.into(), remedy: remedy.into() }
    }

    /// A line, and one below it for what to do.
    pub(super) fn to_text(&self, colored: bool) -> String {
        let (mark, color) = match self.state {
            State::Ok => ("✓", "32"),
            State::Note => ("–", "2"),
            State::Warning => ("!", "33"),
            State::Problem => ("✗", "31"),
        };
        let mark = if colored { format!("\x1b[{color}m{mark}\x1b[0m") } else { mark.to_owned() };
        let remedy = if self.remedy.is_empty() { String::new() } else { format!("  → {}\n", self.remedy) };
        format!("{mark} {}: {}\n{remedy}", self.about, self.said)
    }

    pub(super) fn to_json(&self) -> Value {
        let state = match self.state {
            State::Ok => "ok",
            State::Note => "note",
            State::Warning => "warning",
            State::Problem => "problem",
        };
        let remedy = (!self.remedy.is_empty()).then_some(&self.remedy);
        json!({ "about": self.about, "state": state, "message": self.said, "remedy": remedy })
    }
}
