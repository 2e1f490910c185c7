//! [`Saves`] are times from `didSave` to the diagnostics that follow from it, of one file that is saved with a defect and without
//! in turn.

use crate::{
    client::{
        Client,
        project::{Project, replacement},
    },
    log::Times,
};
use serde_json::{Value, json};
use std::{
    path::PathBuf,
    time::{Duration, Instant},
};

/// How long is fuzzed before the next save.
const PAUSE: Duration = Duration::from_millis(500);
/// A line of the file counts its saves.
pub(crate) const MARK: &str = "// save ";

/// What makes a sound file a defective one, and back. The file on disk is sound at first.
#[derive(Clone, Copy)]
pub(crate) struct Edit {
    pub(crate) file: &'static str,
    pub(crate) sound: &'static str,
    pub(crate) defective: &'static str,
}

/// What was measured.
#[derive(Default)]
pub(crate) struct Saves {
    /// From saves with the defect until it is shown.
    pub(crate) found: Vec<Duration>,
    /// From saves without it until nothing is shown.
    pub(crate) cleared: Vec<Duration>,
    /// What the server says of the same saves.
    pub(crate) times: Times,
}

/// One server sees all saves.
pub(crate) fn of_one_server(project: &Project, edit: Edit, count: usize) -> Saves {
    let mut saves = Saves::default();
    let mut editor = Editor::open(project, edit, 1);
    for _ in 0..count {
        editor.save_both_ways(&mut saves);
    }
    saves.times = Times::after_the_first_build(&editor.close());
    saves
}

/// For each save with the defect a server is started, with a seed of its own.
pub(crate) fn of_new_servers(project: &Project, edit: Edit, count: usize) -> Saves {
    let mut saves = Saves::default();
    for seed in 1..=count {
        let mut editor = Editor::open(project, edit, seed);
        editor.save_both_ways(&mut saves);
        saves.times.append(Times::after_the_first_build(&editor.close()));
    }
    saves
}

/// An editor with one file open.
struct Editor {
    client: Client,
    edit: Edit,
    path: PathBuf,
    text: String,
}

impl Editor {
    fn open(project: &Project, edit: Edit, seed: usize) -> Self {
        let options = json!({ "cache": project.cache(), "workers": 1, "seed": seed });
        let mut client = Client::open_folder(&project.root(), options);
        let path = project.path(edit.file);
        let text = client.open(&path);
        client.status("fuzzing");
        Self { client, edit, path, text }
    }

    fn save_both_ways(&mut self, saves: &mut Saves) {
        let Edit { sound, defective, .. } = self.edit;
        saves.found.push(self.save(sound, defective, true));
        saves.cleared.push(self.save(defective, sound, false));
    }

    /// Replaces a piece of the text, and counts in its mark, so that no two saves are of the same text. The time from the save
    /// to what follows.
    fn save(&mut self, old: &str, new: &str, defective: bool) -> Duration {
        std::thread::sleep(PAUSE);
        let at = self.text.rfind(MARK).expect("the text has a mark");
        let mark = self.text[at..].trim_end().to_owned();
        let next = format!("{MARK}{}", mark[MARK.len()..].parse::<u32>().expect("the mark is a number") + 1);
        for (old, new) in [(old, new), (&mark, &next)] {
            let (change, text) = replacement(&self.text, old, new);
            self.client.change(&self.path, change);
            self.text = text;
        }
        let saved = Instant::now();
        self.client.save(&self.path, &self.text);
        while has_finding(&self.client.diagnostics(&self.path)) != defective {}
        saved.elapsed()
    }

    /// Ends the server and gives its log.
    fn close(mut self) -> String {
        self.client.discard_unread();
        self.client.shut_down()
    }
}

fn has_finding(diagnostics: &[Value]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic["code"] == "assertion")
}
