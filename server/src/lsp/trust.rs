//! [`Trust`] decides whether programs that a workspace names may be executed: by the client's own word, or else by the user's
//! answer, which is remembered. A workspace without either is not trusted. The question is asked once for each workspace that
//! names anything, and its answer comes as an event.

use bellwether::compile;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Path, PathBuf},
};

/// The advice on how to allow what was not executed.
pub(super) const REMEDY: &str = "To allow it, trust the workspace in the editor where it has such a setting, or set `trusted` to `true` in \
                                 the `initializationOptions` that it sends.";

/// The possible answers.
pub(super) const YES: &str = "Trust";
pub(super) const NO: &str = "Don't Trust";

/// The trust in workspaces.
#[derive(Debug)]
pub(super) struct Trust {
    /// The client's word, for all of them.
    told: Option<bool>,
    /// The folder of the answers, which is never one that a workspace names.
    folder: PathBuf,
    answers: BTreeMap<PathBuf, bool>,
    /// Workspaces about which the user was asked in this session, or was told that they cannot be asked.
    raised: BTreeSet<PathBuf>,
}

impl Default for Trust {
    fn default() -> Self {
        Self {
            told: None,
            folder: compile::default_cache().join("trust"),
            answers: BTreeMap::new(),
            raised: BTreeSet::new(),
        }
    }
}

impl Trust {
    /// Sets the client's word in `initialize`, if there is one.
    pub(super) fn set_told(&mut self, told: Option<bool>) {
        self.told = told;
    }

    /// Whether a workspace is trusted.
    pub(super) fn is_trusted(&mut self, workspace: &Path) -> bool {
        self.told.or_else(|| self.answer_of(workspace)) == Some(true)
    }

    /// Whether the user has to be asked about a workspace that names something. True once for each.
    pub(super) fn raise(&mut self, workspace: &Path) -> bool {
        let is_open = self.told.is_none() && self.answer_of(workspace).is_none();
        is_open && self.raised.insert(workspace.to_owned())
    }

    /// Remembers an answer.
    pub(super) fn set_answer(&mut self, workspace: &Path, trusted: bool) {
        self.answers.insert(workspace.to_owned(), trusted);
        let file = self.file_of(workspace);
        let text = json!({ "workspace": workspace, "trusted": trusted }).to_string();
        if let Err(error) = std::fs::create_dir_all(&self.folder).and_then(|()| std::fs::write(&file, text)) {
            tracing::warn!("the answer cannot be kept in {}, so the question comes again: {error}", file.display());
        }
    }

    fn answer_of(&mut self, workspace: &Path) -> Option<bool> {
        if let Some(answer) = self.answers.get(workspace) {
            return Some(*answer);
        }
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(self.file_of(workspace)).ok()?).ok()?;
        let answer = kept["trusted"].as_bool().filter(|_| kept["workspace"] == json!(workspace))?;
        self.answers.insert(workspace.to_owned(), answer);
        Some(answer)
    }

    /// One file for each workspace, so that several servers can answer at the same time.
    fn file_of(&self, workspace: &Path) -> PathBuf {
        let key = compile::project_folder(Path::new(""), workspace);
        self.folder.join(key.file_name().unwrap_or_default()).with_extension("json")
    }
}

/// What the user answered about a workspace in an editor that has no such setting; none if nobody was asked.
pub(crate) fn remembered_trust(workspace: &Path) -> Option<bool> {
    Trust::default().answer_of(workspace)
}

/// Asks for trust in a workspace that names these things.
pub(super) fn question(workspace: &Path, held_back: &[String]) -> String {
    format!(
        "Bellwether: do you trust the authors of {}? The workspace brings programs of its own, which are not run until you do. {}",
        workspace.display(),
        held_back.join(" ")
    )
}

/// Says that a workspace is not trusted, and what that means for these things.
pub(super) fn warning<'a>(workspace: &Path, held_back: impl Iterator<Item = &'a String>) -> String {
    // Several projects of a workspace name the same.
    let held_back: BTreeSet<&str> = held_back.map(String::as_str).collect();
    let held_back: Vec<&str> = held_back.into_iter().collect();
    format!("Bellwether: {} is not trusted. {}", workspace.display(), held_back.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trust(folder: &Path) -> Trust {
        Trust { folder: folder.to_owned(), ..Trust::default() }
    }

    #[test]
    fn nobody_who_said_nothing_said_yes() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (Path::new("/w/a"), Path::new("/w/b"));
        let mut trust = trust(folder.path());
        assert!(!trust.is_trusted(a));
        assert_eq!((trust.raise(a), trust.raise(a), trust.raise(b)), (true, false, true), "once for each");
        for (told, trusted) in [(Some(true), true), (Some(false), false)] {
            trust.set_told(told);
            assert_eq!((trust.is_trusted(a), trust.raise(Path::new("/w/c"))), (trusted, false), "nobody is asked");
        }
    }

    #[test]
    fn answers_are_remembered_by_workspace_and_the_client_has_the_last_word() {
        let folder = tempfile::tempdir().unwrap();
        let (a, b) = (Path::new("/w/a"), Path::new("/w/b"));
        let mut first = trust(folder.path());
        first.set_answer(a, true);
        first.set_answer(b, false);
        let mut next = trust(folder.path());
        assert_eq!((next.is_trusted(a), next.is_trusted(b), next.is_trusted(Path::new("/w"))), (true, false, false));
        assert_eq!((next.raise(a), next.raise(b)), (false, false));
        next.set_told(Some(true));
        assert!(next.is_trusted(b));
        next.set_told(Some(false));
        assert!(!next.is_trusted(a));
    }

    #[test]
    fn an_answer_that_cannot_be_read_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let workspace = Path::new("/w/a");
        let mut trust = trust(folder.path());
        for text in ["", "{\"trusted\":true}", "{\"workspace\":\"/w/b\",\"trusted\":true}", "[true]"] {
            std::fs::write(trust.file_of(workspace), text).unwrap();
            assert!(!trust.is_trusted(workspace), "{text}");
        }
    }
}
