//! What outlives the server: after its end, or after it was killed, the next one shows what was found without fuzzing for it.

mod client;
#[cfg(target_os = "linux")]
mod raw;

use client::{
    Client,
    poll::poll_until,
    project::{FIX, Project},
    uri,
};
use serde_json::{Value, json};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

/// What is kept in a cache, of one kind.
fn kept_in(cache: &Path, kind: &str) -> BTreeSet<PathBuf> {
    let mut folders = vec![cache.join("projects")];
    let mut files = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.parent().unwrap().ends_with(kind) && path.extension().is_some_and(|ending| ending == "json")
            {
                files.insert(path);
            }
        }
    }
    files
}

fn kept(project: &Project, kind: &str) -> BTreeSet<PathBuf> {
    kept_in(&project.cache(), kind)
}

/// Settings with which nothing is fuzzed unless it is asked for.
fn at_rest(project: &Project) -> Value {
    let mut options = project.options();
    options["run"] = json!("manual");
    options
}

/// What the file's finding says, its id among it.
fn said(finding: &Value) -> [&Value; 4] {
    [&finding["message"], &finding["range"], &finding["data"], &finding["relatedInformation"]]
}

#[test]
fn what_was_found_is_shown_by_the_next_server_without_fuzzing() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let found = client.diagnostics(&vault);
    client.shut_down();
    assert_eq!(kept(&project, "findings").len(), 1);
    assert!(kept(&project, "corpus").len() > 3);

    let mut client = Client::open_folder(&project.root(), at_rest(&project));
    let back = client.diagnostics(&vault);
    assert_eq!((back.len(), said(&back[0])), (1, said(&found[0])));
    client.status("paused");
    assert!(client.statuses.iter().all(|status| status["state"] != "fuzzing"), "{:?}", client.statuses);
    let place = json!({ "textDocument": { "uri": uri(&vault) }, "position": back[0]["range"]["start"] });
    let hover = client.request("textDocument/hover", place);
    assert!(hover["contents"]["value"].as_str().unwrap().contains("transactions, with seed 1."), "{hover}");
    client.shut_down();

    // Mended while no server runs, it is not shown, and not kept any more.
    let text = std::fs::read_to_string(&vault).unwrap();
    std::fs::write(&vault, text.replace(FIX.0, FIX.1)).unwrap();
    let mut client = Client::open_folder(&project.root(), at_rest(&project));
    client.status("paused");
    poll_until("the end of what is mended", || kept(&project, "findings").is_empty());
    client.shut_down();
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_that_is_killed_leaves_what_it_found() {
    use raw::{Raw, children, initialize, server, wait_until_gone};
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut raw = Raw::start(server());
    let own = raw.id();
    let id = raw.ask("initialize", initialize(&project.root(), project.options(), client::vscode(), own));
    raw.answer(&id);
    raw.notify("initialized", json!({}));
    let found = raw.diagnostics(&uri(&vault));
    poll_until("files of what is found, written at once", || {
        let findings = kept(&project, "findings");
        let is_shrunk =
            |path: &PathBuf| std::fs::read_to_string(path).is_ok_and(|text| !text.contains("\"shrunk\": false"));
        findings.len() == 1 && findings.iter().all(is_shrunk) && kept(&project, "corpus").len() > 3
    });
    let workers = children(own);
    raw.kill();
    wait_until_gone(&workers);

    let mut client = Client::open_folder(&project.root(), at_rest(&project));
    let back = client.diagnostics(&vault);
    assert_eq!((back.len(), said(&back[0])), (1, said(&found[0])));
    client.shut_down();
}

#[test]
fn what_is_damaged_in_the_cache_is_said_and_does_no_harm() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.diagnostics(&vault);
    client.shut_down();
    // How far the second of the two contracts had come by then is a matter of time.
    let mut damaged = BTreeSet::new();
    for (number, file) in kept(&project, "corpus").iter().enumerate() {
        let text = std::fs::read(file).unwrap();
        std::fs::write(file, &text[..text.len() * (number % 3) / 3]).unwrap();
        damaged.extend(file.ancestors().nth(2).map(Path::to_owned));
    }
    let mut client = Client::open_folder(&project.root(), at_rest(&project));
    assert_eq!(client.diagnostics(&vault).len(), 1, "the finding is whole");
    client.status("paused");
    client.wait_for_complaints(damaged.len());
    let said = std::mem::take(&mut client.complaints);
    let is_told =
        |said: &String| said.contains("damaged or not written by Bellwether, and left alone; the first: corpus");
    assert!(said.iter().all(is_told), "once for each contract: {said:?}");
    client.shut_down();
}

/// Where a folder should be is a file, so that nobody can write below it, not even root.
#[test]
fn where_the_cache_cannot_be_written_memory_serves_and_that_is_said_once() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    std::fs::write(project.cache().join("projects"), "").unwrap();
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = std::fs::read_to_string(&vault).unwrap();
    assert_eq!(client.diagnostics(&vault).len(), 1);
    for lines in 1..4 {
        client.save(&vault, &("\n".repeat(lines) + &text));
        assert_eq!(client.diagnostics(&vault).len(), 1, "carried from build to build");
    }
    client.save(&vault, &text.replace(FIX.0, FIX.1));
    assert_eq!(client.diagnostics(&vault).len(), 0);
    client.wait_for_complaint("and end with this process");
    let said = std::mem::take(&mut client.complaints);
    let of = |words: &str| said.iter().filter(|line| line.contains(words)).count();
    assert_eq!(
        (of("kept in memory only"), of("corpus and findings")),
        (2, 1),
        "of compiled files, and of these: {said:?}"
    );
    client.shut_down();
    assert!(project.cache().join("projects").is_file());
}

#[test]
fn what_is_cleared_is_gone_on_disk_and_found_anew() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), at_rest(&project));
    client.status("paused");
    client.request("workspace/executeCommand", json!({ "command": "bellwether.resume" }));
    let found = client.diagnostics(&vault);
    assert_eq!(found.len(), 1);
    poll_until("the files of the finding", || !kept(&project, "findings").is_empty());
    client.request("workspace/executeCommand", json!({ "command": "bellwether.clear" }));
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    assert_eq!((kept(&project, "findings").len(), kept(&project, "corpus").len()), (0, 0));
    client.status("paused");
    client.request("workspace/executeCommand", json!({ "command": "bellwether.resume" }));
    let again = client.diagnostics(&vault);
    assert_eq!(said(&again[0])[..2], said(&found[0])[..2]);
    client.shut_down();
    assert_eq!(kept(&project, "findings").len(), 1);
}

#[test]
fn another_cache_folder_gets_what_is_known() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.diagnostics(&vault);
    poll_until("the files of the finding", || {
        kept(&project, "findings").len() == 1 && kept(&project, "corpus").len() > 3
    });
    let other = project.cache().with_file_name("other");
    std::fs::create_dir(&other).unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(bellwether::compile::default_cache().join("solc"), other.join("solc")).unwrap();
    let mut settings = project.options();
    settings["cache"] = json!(other);
    settings["oracles"] = json!({ "assertion": "warning" });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "bellwether": settings } }));
    assert_eq!(client.diagnostics(&vault)[0]["severity"], 2);
    client.shut_down();
    let names = |cache: &Path, kind| -> BTreeSet<_> {
        kept_in(cache, kind).iter().map(|path| path.file_name().unwrap().to_owned()).collect()
    };
    for kind in ["corpus", "findings"] {
        let before = names(&project.cache(), kind);
        assert!(!before.is_empty() && names(&other, kind).is_superset(&before), "{kind}");
    }
}
