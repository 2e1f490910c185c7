//! Settings as an editor's user changes them: each takes effect in the running server, whichever way it comes, and costs
//! neither findings nor corpus.

mod client;

use bellwether::{oracle::SETTINGS, project::Scope};
use client::{Client, project::Project};
use serde_json::{Value, json};
use std::path::Path;

const COUNTER: &str = "pragma solidity ^0.8.20;
contract Counter {
    uint256 public count;
    function add(uint256 by) external { require(by <= 10); count += by; }
    function check() external view { assert(count != 20); }
    function sum(uint256 a, uint256 b) external pure returns (uint256) { return a + b; }
}
";

fn counter() -> Project {
    Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Counter.sol", COUNTER)])
}

fn push(client: &mut Client, settings: &Value) {
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "bellwether": settings } }));
}

/// Oracles and severities of a file's next diagnostics.
fn shown(client: &mut Client, path: &Path) -> Vec<(String, u64)> {
    let diagnostics = client.diagnostics(path);
    let of = |diagnostic: &Value| Some((diagnostic["code"].as_str()?.to_owned(), diagnostic["severity"].as_u64()?));
    diagnostics.iter().map(|diagnostic| of(diagnostic).unwrap_or_else(|| panic!("{diagnostic}"))).collect()
}

fn assertion(severity: u64) -> Vec<(String, u64)> {
    vec![("assertion".to_owned(), severity)]
}

#[test]
fn a_level_changes_what_is_shown_at_once_and_off_is_undone() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    let mut settings = project.options();
    for (level, severities) in [
        ("hint", assertion(4)),
        ("off", vec![]),
        ("information", assertion(3)),
        ("off", vec![]),
        ("error", assertion(1)),
    ] {
        settings["oracles"] = json!({ "assertion": level });
        push(&mut client, &settings);
        assert_eq!(shown(&mut client, &file), severities, "{level}");
    }
    // An oracle that was off judges from now on, also after everything had become quiet.
    client.status("quiet");
    settings["oracles"] = json!({ "checked-arithmetic": "warning" });
    push(&mut client, &settings);
    let both = shown(&mut client, &file);
    assert_eq!(both, [("assertion".to_owned(), 1), ("checked-arithmetic".to_owned(), 2)]);
    client.shut_down();
}

#[test]
fn workers_seed_and_memory_change_without_a_loss() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let found = client.diagnostics(&file);
    let mut settings = project.options();
    for (key, value) in [("workers", 3), ("memory", 64), ("workers", 1), ("seed", 9)] {
        settings[key] = json!(value);
        push(&mut client, &settings);
    }
    // Something that shows that all of it was taken in, and that the finding was there all the time.
    settings["oracles"] = json!({ "assertion": "warning" });
    push(&mut client, &settings);
    let mut warned = client.diagnostics(&file);
    assert_eq!(warned[0]["severity"], 2);
    warned[0]["severity"] = json!(1);
    assert_eq!(warned, found);
    let log = client.shut_down();
    // Told once by the loop, and once more when the other seed began: never "no longer fails".
    assert!(!log.contains("no longer fails"), "{log}");
    assert_eq!(log.matches("changed=true").count(), 2, "opened, and another seed\n{log}");
}

#[test]
fn run_off_hides_and_rests_and_manual_waits() {
    // Where a branch is open there is something to look for longer than it takes to say so.
    let never = "    function never(uint256 x) external { if (uint256(keccak256(abi.encode(x))) == 1) count = 1; }\n";
    let source = COUNTER.replace("    function sum", &format!("{never}    function sum"));
    let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Counter.sol", &source)]);
    let file = project.path("src/Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    let mut settings = project.options();
    settings["run"] = json!("off");
    push(&mut client, &settings);
    assert_eq!(shown(&mut client, &file), []);
    settings["run"] = json!("manual");
    push(&mut client, &settings);
    assert_eq!(shown(&mut client, &file), assertion(1), "known without fuzzing");
    client.status("paused");
    client.request("workspace/executeCommand", json!({ "command": "bellwether.resume" }));
    client.status("fuzzing");
    settings["budget"] = json!({ "seconds": 1 });
    push(&mut client, &settings);
    // What was asked for goes on, and the new budget ends it.
    client.status("quiet");
    client.shut_down();
}

#[test]
fn in_manual_mode_a_save_is_compiled_and_fuzzed_when_somebody_asks() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut settings = project.options();
    settings["run"] = json!("manual");
    let mut client = Client::open_folder(&project.root(), settings);
    client.status("paused");
    client.save(&file, &COUNTER.replace("external view", "extrnal view"));
    assert_eq!(client.diagnostics(&file)[0]["source"], "solc", "compiled");
    client.save(&file, COUNTER);
    assert_eq!(client.diagnostics(&file), [] as [Value; 0], "and not fuzzed");
    client.status("paused");
    client.request("workspace/executeCommand", json!({ "command": "bellwether.resume" }));
    assert_eq!(shown(&mut client, &file), assertion(1));
    client.shut_down();
}

/// How many threads of a process fuzz.
#[cfg(target_os = "linux")]
fn fuzzing_threads(process: u32) -> usize {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).unwrap().filter_map(Result::ok);
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    names.filter(|name| name.starts_with("fuzz-")).count()
}

#[cfg(target_os = "linux")]
#[test]
fn there_are_as_many_threads_as_are_wanted() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    assert_eq!(fuzzing_threads(client.process_id()), 1);
    let mut settings = project.options();
    for workers in [3, 2, 5, 1] {
        settings["workers"] = json!(workers);
        push(&mut client, &settings);
        // Threads tell nobody that they end.
        client::poll::poll_until(format_args!("{workers} threads"), || fuzzing_threads(client.process_id()) == workers);
    }
    client.shut_down();
}

/// A folder of the kernel's in which the machine has a battery.
#[cfg(target_os = "linux")]
struct Battery(tempfile::TempDir);

#[cfg(target_os = "linux")]
impl Battery {
    fn discharging() -> Self {
        let battery = Self(tempfile::tempdir().unwrap());
        std::fs::create_dir_all(battery.supply()).unwrap();
        std::fs::write(battery.supply().join("type"), "Battery\n").unwrap();
        battery.set("Discharging");
        battery
    }

    fn supply(&self) -> std::path::PathBuf {
        self.0.path().join("class/power_supply/BAT0")
    }

    fn set(&self, status: &str) {
        std::fs::write(self.supply().join("status"), format!("{status}\n")).unwrap();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn on_battery_it_rests_if_that_is_wanted() {
    let battery = Battery::discharging();
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut settings = project.options();
    settings["pauseOnBattery"] = json!(true);
    let start = |settings: &Value| {
        let mut client = Client::start_with(|command| {
            command.env("SYSFS_PATH", battery.0.path());
        });
        client.initialize(client::vscode(), Some(&project.root()), settings.clone());
        client.notify("initialized", json!({}));
        client
    };
    let is_fuzzed =
        |status: &Value| (status["state"] == "fuzzing" || status["state"] == "quiet") && status["message"].is_null();
    let mut client = start(&settings);
    assert_eq!(client.status("paused")["message"], "on battery");
    // Plugged in: the next save looks again.
    battery.set("Charging");
    client.save(&file, &format!("{COUNTER}// saved\n"));
    client.status_with(is_fuzzed, "fuzzing, and no word of a battery");
    assert_eq!(shown(&mut client, &file), assertion(1));
    client.shut_down();

    // Not wanted any more, it goes on at once; and it never rests where nobody wants it to.
    battery.set("Discharging");
    let mut client = start(&settings);
    client.status("paused");
    settings["pauseOnBattery"] = json!(false);
    push(&mut client, &settings);
    client.status_with(is_fuzzed, "fuzzing");
    assert_eq!(shown(&mut client, &file), assertion(1));
    client.shut_down();
}

#[test]
fn excluded_files_are_not_fuzzed_and_come_back() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    let mut settings = project.options();
    settings["exclude"] = json!(["src/Count*.sol"]);
    push(&mut client, &settings);
    assert_eq!(shown(&mut client, &file), []);
    push(&mut client, &project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    client.shut_down();
}

#[test]
fn the_file_of_settings_counts_when_it_is_saved_and_its_mistakes_have_lines() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let toml = project.path("bellwether.toml");
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(shown(&mut client, &file), assertion(1));
    client.save(&toml, "[oracles]\nassertion = \"hint\"\nasertion = \"off\"\n\n[budget]\nseconds = -1\n");
    assert_eq!(shown(&mut client, &file), assertion(4));
    let mistakes: Vec<(Value, String)> = client
        .diagnostics(&toml)
        .iter()
        .map(|said| (said["range"]["start"]["line"].clone(), said["message"].as_str().unwrap().to_owned()))
        .collect();
    assert_eq!((&mistakes[0].0, &mistakes[1].0), (&json!(2), &json!(5)), "{mistakes:?}");
    assert!(mistakes[0].1.contains("`asertion`") && mistakes[1].1.contains("`budget.seconds`"), "{mistakes:?}");

    // The editor's word goes over the file's.
    let mut settings = project.options();
    settings["oracles"] = json!({ "assertion": "warning" });
    push(&mut client, &settings);
    assert_eq!(shown(&mut client, &file), assertion(2));
    client.save(&toml, "");
    assert_eq!(client.diagnostics(&toml), [] as [Value; 0]);
    client.shut_down();
}

#[test]
fn pulled_settings_count_and_wrong_ones_name_their_keys() {
    let project = counter();
    let file = project.path("src/Counter.sol");
    let mut client = Client::start();
    client.settings = project.options();
    client.settings["oracles"] = json!({ "assertion": "hint" });
    client.settings["workers"] = json!("many");
    client.initialize(client::vscode(), Some(&project.root()), Value::Null);
    client.notify("initialized", json!({}));
    let shown_message = client.notification("window/showMessage");
    assert!(shown_message["message"].as_str().unwrap().contains("`workers`"), "{shown_message}");
    let mut last = shown(&mut client, &file);
    while last != assertion(4) {
        last = shown(&mut client, &file);
    }
    client.shut_down();
}

/// A compiler that leaves a trace when it is run.
#[cfg(unix)]
fn trap(project: &Project, name: &str) -> std::path::PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let sprung = project.path("sprung");
    project.write(name, &format!("#!/bin/sh\ntouch '{}'\necho 'Version: 0.8.30+commit.73712a01'\n", sprung.display()));
    std::fs::set_permissions(project.path(name), std::fs::Permissions::from_mode(0o755)).unwrap();
    sprung
}

#[cfg(unix)]
#[test]
fn an_untrusted_workspace_names_no_program_that_is_run() {
    for toml in
        [("foundry.toml", "[profile.default]\nsolc = \"tools/solc\"\n"), ("bellwether.toml", "solc = \"tools/solc\"\n")]
    {
        let project = counter();
        project.write(toml.0, toml.1);
        let sprung = trap(&project, "tools/solc");
        let mut options = project.options();
        options["trusted"] = json!(false);
        let mut client = Client::open_folder(&project.root(), options.clone());
        assert_eq!(shown(&mut client, &project.path("src/Counter.sol")), assertion(1), "by the next best compiler");
        let said = client.diagnostics(&project.path(toml.0));
        let message = said[0]["message"].as_str().unwrap();
        assert!(message.contains("not trusted") && message.contains("tools/solc"), "{message}");
        assert!(!sprung.exists(), "{} was run", toml.0);
        client.shut_down();

        // The trap is one: a trusted workspace runs it.
        options["trusted"] = json!(true);
        let mut client = Client::open_folder(&project.root(), options);
        client.status("error");
        assert!(sprung.exists());
        let shown = client.notification("window/showMessage")["message"].take();
        assert!(shown.as_str().unwrap().contains("solc 0.8.30+commit.73712a01 gave no usable answer"), "{shown}");
        client.complaints.clear();
        client.shut_down();
    }
}

#[cfg(unix)]
#[test]
fn an_untrusted_workspace_brings_no_compiler_of_its_own() {
    let project = counter();
    // In a cache that the workspace names, a package that claims to be a compiler; and a `solc` in its folders.
    project.write("bellwether.toml", "cache = \"cache\"\n");
    project.write("cache/solc/0.8.37/node_modules/solc/package.json", "{\"version\":\"0.8.37\"}");
    let sprung = trap(&project, "node_modules/.bin/solc");
    let package = format!("require('fs').writeFileSync({:?}, '');", sprung.display().to_string());
    project.write("cache/solc/0.8.37/node_modules/solc/soljson.js", &package);
    project.write("cache/solc/0.8.37/node_modules/solc/index.js", &package);
    let file = project.path("src/Counter.sol");
    let bin = project.path("node_modules/.bin");
    let path = std::env::join_paths(
        [bin, "node_modules/.bin".into()].into_iter().chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    let mut client = Client::start_with(|command| {
        command.env("PATH", path).current_dir(project.root());
    });
    client.initialize(client::vscode(), Some(&project.root()), json!({ "trusted": false, "workers": 1, "seed": 1 }));
    client.notify("initialized", json!({}));
    assert_eq!(shown(&mut client, &file), assertion(1), "compiled by another one");
    let said = client.diagnostics(&project.path("bellwether.toml"));
    assert!(said[0]["message"].as_str().unwrap().contains("`cache`"), "{said:#?}");
    assert!(!sprung.exists());
    client.shut_down();
}

/// A folder's `.vscode/settings.json` is written by whoever wrote the project.
#[test]
fn a_folder_cannot_set_what_only_the_user_decides() {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../vscode-extension/package.json");
    let manifest: Value = serde_json::from_str(&std::fs::read_to_string(manifest).unwrap()).unwrap();
    let declared = &manifest["contributes"]["configuration"]["properties"];
    let of_user: Vec<_> = SETTINGS.iter().filter(|setting| setting.scope == Scope::User).collect();
    assert!(!of_user.is_empty());
    for setting in of_user {
        assert_eq!(declared[format!("bellwether.{}", setting.key)]["scope"], "machine", "{}", setting.key);
    }
}
