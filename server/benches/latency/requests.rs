//! How long requests take while all cores fuzz: each kind is asked again and again, and the contract has more to be found than there is
//! time for.

use crate::{
    client::{Client, project::Project, uri},
    saves::Edit,
};
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// How often each request is made.
const TIMES: usize = 300;

/// The times of each request, by its method.
pub(crate) fn while_fuzzing(project: &Project, edit: Edit) -> Vec<(&'static str, Vec<Duration>)> {
    let path = project.path(edit.file);
    let sound = std::fs::read_to_string(&path).expect("the copy is readable");
    std::fs::write(&path, sound.replace(edit.sound, edit.defective)).expect("the copy is writable");
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let mut client =
        Client::open_folder(&project.root(), json!({ "cache": project.cache(), "workers": workers, "seed": 1 }));
    client.open(&path);
    let found = client.diagnostics(&path);
    let document = json!({ "uri": uri(&path) });
    let (range, at) = (&found[0]["range"], &found[0]["range"]["start"]);
    let whole = json!({ "start": { "line": 0, "character": 0 }, "end": range["end"] });
    let requests: [(&str, Value); 6] = [
        ("textDocument/hover", json!({ "textDocument": document, "position": at })),
        (
            "textDocument/codeAction",
            json!({ "textDocument": document, "range": range, "context": { "diagnostics": [] } }),
        ),
        ("textDocument/codeLens", json!({ "textDocument": document })),
        ("textDocument/inlayHint", json!({ "textDocument": document, "range": whole })),
        ("bellwether/coverage", json!({ "uri": uri(&path) })),
        ("bellwether/trace", json!({ "id": found[0]["data"] })),
    ];
    let times = requests.map(|(method, params)| {
        let times = (0..TIMES).map(|_| {
            let started = Instant::now();
            client.request(method, params.clone());
            started.elapsed()
        });
        (method, times.collect())
    });
    client.discard_unread();
    client.shut_down();
    std::fs::write(&path, sound).expect("the copy is writable");
    times.into()
}
