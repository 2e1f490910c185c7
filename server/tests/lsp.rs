//! The language server as an editor sees it: the real executable, real pipes, real compilers. What is awaited is an event, never a
//! span of time.

mod client;
#[cfg(unix)]
#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;

use client::{
    Client,
    project::{FIX, Project, place, position, replacement},
    uri, vscode,
};
use expect_test::expect;
use serde_json::{Value, json};

/// Asserts that the real forge passes so many tests of the project, and fails so many.
#[cfg(unix)]
fn check_forge(project: &Project, passed: usize, failed: usize) {
    let outcome = forge::forge_test(&project.root(), &["0.8.37"], &[]);
    assert_eq!((outcome.passed.len(), outcome.failed.len()), (passed, failed), "{}", outcome.output);
}

/// Forge is not run there.
#[cfg(not(unix))]
fn check_forge(_: &Project, _: usize, _: usize) {}

#[test]
fn a_day_in_the_vault() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    let text = client.open(&vault);

    // Found, on the noted line, with the calls that prove it.
    let found = client.diagnostics(&vault);
    let finding = &found[0];
    expect![[r#"
        [
          {
            "range": "77:8-77:66",
            "severity": 1,
            "code": "assertion",
            "codeDescription": {
              "href": "file://$CACHE/docs/oracles/assertion.md"
            },
            "source": "bellwether",
            "message": "assertion can fail: deposit{value: 1 wei}() → requestWithdrawal(1) → skim()",
            "relatedInformation": [
              {
                "location": {
                  "uri": "file://$ROOT/src/Vault.sol",
                  "range": "6:0-6:16"
                },
                "message": "1. owner: new Vault(owner) → ok"
              },
              {
                "location": {
                  "uri": "file://$ROOT/src/Vault.sol",
                  "range": "38:4-38:41"
                },
                "message": "2. owner: deposit{value: 1 wei}() → ok"
              },
              {
                "location": {
                  "uri": "file://$ROOT/src/Vault.sol",
                  "range": "48:4-48:82"
                },
                "message": "3. owner: requestWithdrawal(1) → ok"
              },
              {
                "location": {
                  "uri": "file://$ROOT/src/Vault.sol",
                  "range": "73:4-73:56"
                },
                "message": "4. owner: skim() → panic 0x01: assertion failed"
              }
            ],
            "data": "9277804e2726d70f"
          }
        ]
    "#]]
    .assert_eq(&project.text_of(&json!(found)));
    assert_eq!(finding["range"]["start"], position(&text, "assert(address(this)"));

    // Told on hover, and nowhere else.
    let hover = client.request("textDocument/hover", place(&vault, &position(&text, "assert(address(this)")));
    assert_eq!(hover["contents"]["kind"], "markdown");
    expect![[r#"
        **assertion can fail** · `Vault` · assertion

        `0 >= 1`: `address(this).balance` is 0, `totalShares + totalQueued` is 1. An assertion states what always holds.

        1. **owner** deploys `new Vault(owner)` → ok
        2. **owner** calls `deposit{value: 1 wei}()` → ok
           - `totalShares`: 0 → 1
           - `sharesOf[owner]`: 0 → 1
           - `balance`: 0 → 1 wei
        3. **owner** calls `requestWithdrawal(1)` → ok
           - `totalShares`: 1 → 0
           - `totalQueued`: 0 → 1
           - `sharesOf[owner]`: 1 → 0
           - `queuedOf[owner]`: 0 → 1
        4. **owner** calls `skim()` → panic 0x01: assertion failed

        *Found after … with seed 1.*
    "#]]
    .assert_eq(&project.text_of(&hover["contents"]["value"]));
    assert_eq!(client.request("textDocument/hover", place(&vault, &position(&text, "contract Vault"))), Value::Null);

    // Written as a test by the client.
    let params = json!({ "textDocument": { "uri": uri(&vault) }, "range": finding["range"], "context": { "diagnostics": [finding] } });
    let actions = client.request("textDocument/codeAction", params.clone());
    let action = &actions[0];
    assert_eq!((&action["title"], &action["kind"]), (&json!("Generate regression test"), &json!("quickfix")));
    assert_eq!(action["diagnostics"], json!([finding]));
    assert_eq!(action["edit"]["documentChanges"][0]["kind"], "create");
    assert_eq!(action["command"]["command"], "bellwether.showRegressionTest");
    project.apply(&action["edit"]);
    let test = std::fs::read_to_string(project.path("test/Vault.bellwether.t.sol")).unwrap();
    expect![[r#"
        // SPDX-License-Identifier: UNLICENSED
        pragma solidity ^0.8.20;

        import {Vault} from "../src/Vault.sol";

        interface Vm {
            function chainId(uint256 id) external;
            function coinbase(address account) external;
            function deal(address account, uint256 balance) external;
            function fee(uint256 amount) external;
            function prank(address sender) external;
            function prank(address sender, address origin) external;
            function prevrandao(uint256 word) external;
            function roll(uint256 number) external;
            function warp(uint256 timestamp) external;
        }

        // What Bellwether found in Vault. A test fails as long as its defect is there.
        contract VaultBellwetherTest {
            Vm constant vm = Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);

            address constant owner = 0x000000000000000000000000000000000000F00D;
            address constant alice = 0x00000000000000000000000000000000000A11cE;
            address constant bob = 0x0000000000000000000000000000000000000B0b;
            address constant carol = 0x00000000000000000000000000000000000ca401;

            function setUp() public {
                vm.chainId(1);
                vm.warp(1_700_000_000);
                vm.roll(18_500_000);
                vm.deal(owner, 1_000_000 ether);
                vm.deal(alice, 1_000_000 ether);
                vm.deal(bob, 1_000_000 ether);
                vm.deal(carol, 1_000_000 ether);
            }

            // Finding 9277804e2726d70f: assertion can fail, src/Vault.sol:78.
            //   1. owner: new Vault(owner) → ok
            //   2. owner: deposit{value: 1 wei}() → ok
            //        totalShares: 0 → 1
            //        sharesOf[owner]: 0 → 1
            //        balance: 0 → 1 wei
            //   3. owner: requestWithdrawal(1) → ok
            //        totalShares: 1 → 0
            //        totalQueued: 0 → 1
            //        sharesOf[owner]: 1 → 0
            //        queuedOf[owner]: 0 → 1
            //   4. owner: skim() → panic 0x01: assertion failed
            function test_regression_assertion_skim() public {
                address target;
                vm.prank(owner);
                try new Vault(owner) returns (Vault deployed) {
                    target = address(deployed);
                } catch {
                    return; // The constructor refuses this now.
                }
                bool success;
                bytes memory result;

                vm.prank(owner);
                (success,) = target.call{value: 1 wei}(abi.encodeWithSignature("deposit()"));

                vm.prank(owner);
                (success,) = target.call(abi.encodeWithSignature("requestWithdrawal(uint256)", uint256(1)));

                bytes memory panic = abi.encodeWithSignature("Panic(uint256)", 0x01);
                vm.prank(owner);
                (success, result) = target.call(abi.encodeWithSignature("skim()"));
                require(success || keccak256(result) != keccak256(panic), "assertion can fail: src/Vault.sol:78");
            }
        }
    "#]]
    .assert_eq(&test);
    check_forge(&project, 0, 1);
    let again = client.request("textDocument/codeAction", params);
    assert!(again[0]["disabled"]["reason"].is_string() && again[0]["edit"].is_null(), "{again}");

    // Unsaved, it stays; saved, it is gone.
    let (change, fixed) = replacement(&text, FIX.0, FIX.1);
    client.change(&vault, change);
    client.save(&vault, &fixed);
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    check_forge(&project, 1, 0);

    client.shut_down();
}

#[test]
fn a_test_file_that_cannot_be_read_is_never_written_over() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    std::fs::create_dir_all(project.path("test")).unwrap();
    std::fs::write(project.path("test/Vault.bellwether.t.sol"), b"// caf\xe9\ncontract Mine {}\n").unwrap();
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&vault);
    let finding = client.diagnostics(&vault)[0].clone();
    let params = json!({ "textDocument": { "uri": uri(&vault) }, "range": finding["range"], "context": { "diagnostics": [finding] } });
    let actions = client.request("textDocument/codeAction", params);
    let reason =
        "test/Vault.bellwether.t.sol is not UTF-8 (line 1), so no test can be added to it; repair it, or move it away";
    assert_eq!((&actions[0]["disabled"]["reason"], &actions[0]["edit"]), (&json!(reason), &Value::Null));
    client.shut_down();
}

#[test]
fn targets_are_shown_when_somebody_asks_until_they_ask_again_or_save() {
    let source = "pragma solidity ^0.8.20;
contract Gate {
    function enter(uint256 key) external pure returns (uint256 room) {
        if (keccak256(abi.encode(key)) == bytes32(uint256(1))) {
            room = 2;
        }
    }
}
";
    let project = Project::files(&[("foundry.toml", ""), ("src/Gate.sol", source)]);
    let gate = project.path("src/Gate.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&gate);
    // Who asks for targets while there are none is told so.
    client.status_with(|status| status["targets"]["open"].as_u64() > Some(0), "targets of the first build");
    let (change, saved) = replacement(source, "room = 2;", "room = 3;");
    client.change(&gate, change);
    client.save(&gate, &saved);

    let toggle = |client: &mut Client| {
        client.request("workspace/executeCommand", json!({ "command": "bellwether.showTargets" }));
    };
    toggle(&mut client);
    let is_target =
        |shown: &[Value]| matches!(shown, [only] if only["range"]["start"] == position(&saved, "room = 3;"));
    let target = client.diagnostics_with(&gate, "the changed line as a target", is_target).remove(0);
    for (field, value) in [
        ("severity", json!(4)),
        ("source", json!("bellwether")),
        ("code", json!("target")),
        ("message", json!("not reached yet")),
    ] {
        assert_eq!(target[field], value, "{target}");
    }
    let status = client.status_with(|status| status["targets"]["open"] == 1, "one open target");
    assert_eq!(status["findings"], 0, "a target is no finding");
    toggle(&mut client);
    assert_eq!(client.diagnostics(&gate), [] as [Value; 0]);
    toggle(&mut client);
    assert_eq!(client.diagnostics(&gate), [target]);
    client.save(&gate, &saved);
    assert_eq!(client.diagnostics(&gate), [] as [Value; 0]);
    client.shut_down();
}

#[test]
fn what_is_looked_at_is_guessed_until_it_is_told() {
    // Equal ones would be copies, and what becomes of one would be told of the other.
    let source = |name: &str, function: &str| {
        format!(
            "pragma solidity ^0.8.20; contract {name} {{ function {function}() external pure {{ assert(false); }} }}"
        )
    };
    let sources = [source("A", "f"), source("B", "g")];
    let project = Project::files(&[("foundry.toml", ""), ("src/A.sol", &sources[0]), ("src/B.sol", &sources[1])]);
    let (a, b) = (project.path("src/A.sol"), project.path("src/B.sol"));
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&a);
    client.open(&b);
    for path in [&a, &b] {
        assert_eq!(client.diagnostics(path).len(), 1);
    }
    client.notify("bellwether/activeEditor", json!({ "uri": uri(&a) }));
    client.request("textDocument/hover", place(&b, &json!({ "line": 0, "character": 0 })));
    client.save(&b, &sources[1].replace("assert(false)", "assert(true)"));
    assert_eq!(client.diagnostics(&b), [] as [Value; 0]);
    // Nonsense and nothing change nothing else.
    client.notify("bellwether/activeEditor", json!({ "uri": null }));
    client.save(&a, &sources[0].replace("assert(false)", "assert(true)"));
    assert_eq!(client.diagnostics(&a), [] as [Value; 0]);
    let log = client.shut_down();
    let focus: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once("focus looked=")?.1)).collect();
    let last = |focus: &str| focus.ends_with("changed=\"A.sol\"");
    assert!(focus[0].starts_with("\"B.sol\""), "guessed: {focus:#?}");
    assert!(focus.contains(&"\"A.sol\" changed=\"B.sol\""), "told: {focus:#?}");
    assert!(focus.last().is_some_and(|it| it.starts_with("\"-\"") && last(it)), "nothing: {focus:#?}");
}

#[test]
fn beside_its_diagnostic_a_hover_tells_only_what_that_does_not() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut options = project.options();
    options["diagnosticsInHover"] = json!(true);
    let mut client = Client::open_folder(&project.root(), options);
    let found = client.diagnostics(&vault);
    let message = "assertion can fail: deposit{value: 1 wei}() → requestWithdrawal(1) → skim()\n\
                   0 >= 1: address(this).balance is 0, totalShares + totalQueued is 1";
    assert_eq!(found[0]["message"], message);
    let calls = found[0]["relatedInformation"].as_array().unwrap().iter();
    let calls: Vec<&str> = calls.map(|related| related["message"].as_str().unwrap()).collect();
    expect![[r#"
        1. owner: new Vault(owner) → ok
        2. owner: deposit{value: 1 wei}() → ok
             totalShares: 0 → 1
             sharesOf[owner]: 0 → 1
             balance: 0 → 1 wei
        3. owner: requestWithdrawal(1) → ok
             totalShares: 1 → 0
             totalQueued: 0 → 1
             sharesOf[owner]: 1 → 0
             queuedOf[owner]: 0 → 1
        4. owner: skim() → panic 0x01: assertion failed"#]]
    .assert_eq(&calls.join("\n"));
    let hover = client.request("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
    expect![[r#"
        An assertion states what always holds.

        *Found after … with seed 1.*
    "#]]
    .assert_eq(&project.text_of(&hover["contents"]["value"]));
    client.shut_down();
}

/// How many threads of a process fuzz, where the system tells.
fn fuzzing_threads(process: u32) -> Option<usize> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).ok()?.flatten();
    let names = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("comm")).ok());
    Some(names.filter(|name| name.starts_with("fuzz-")).count())
}

#[test]
fn each_project_of_a_workspace_is_fuzzed_until_its_folder_is_closed() {
    let source = |name: &str| {
        format!("pragma solidity ^0.8.20; contract {name} {{ function f() external pure {{ assert(false); }} }}")
    };
    let project = Project::files(&[
        ("one/foundry.toml", ""),
        ("two/bellwether.toml", "colour = 1\n"),
        ("src/Loose.sol", &source("Loose")),
    ]);
    project.write("one/src/One.sol", &source("One"));
    project.write("two/Two.sol", &source("Two"));
    let mut client = Client::open_folder(&project.root(), project.options());
    let (one, two, toml) =
        (project.path("one/src/One.sol"), project.path("two/Two.sol"), project.path("two/bellwether.toml"));
    assert_eq!(client.diagnostics(&one).len(), 1);
    assert_eq!(client.diagnostics(&two).len(), 1);
    assert!(client.diagnostics(&toml)[0]["message"].as_str().unwrap().contains("`colour`"));
    // Two projects that each ask for one worker share it.
    assert!(fuzzing_threads(client.id()).is_none_or(|threads| threads == 1));

    let folder = json!({ "uri": uri(&project.root()), "name": "workspace" });
    client.notify("workspace/didChangeWorkspaceFolders", json!({ "event": { "added": [], "removed": [folder] } }));
    for path in [one, two, toml] {
        assert_eq!(client.diagnostics(&path), [] as [Value; 0]);
    }
    client.shut_down();
}

#[test]
fn columns_are_the_clients_own() {
    let line = "/* \u{1F514} \u{e9} */ assert(times <= 12);";
    let source = format!(
        "pragma solidity ^0.8.20;\r\ncontract Bell {{\r\nfunction ring(uint256 times) external pure {{\r\n{line}\r\n}} }}\r\n"
    );
    let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Bell.sol", &source)]);
    let bell = project.path("src/Bell.sol");
    let before = &line[..line.find("assert").unwrap()];
    for (encoding, column) in
        [("utf-8", before.len()), ("utf-16", before.encode_utf16().count()), ("utf-32", before.chars().count())]
    {
        let mut capabilities = vscode();
        capabilities["general"]["positionEncodings"] = json!([encoding]);
        let mut client = Client::start();
        let answer = client.initialize(capabilities, Some(&project.root()), project.options());
        assert_eq!(answer["capabilities"]["positionEncoding"], encoding);
        client.notify("initialized", json!({}));
        let found = client.diagnostics(&bell);
        let start = json!({ "line": 3, "character": column });
        assert_eq!(found[0]["range"]["start"], start, "{encoding}");
        // The same when it is open, and asked about.
        client.open(&bell);
        let hover = client.request("textDocument/hover", place(&bell, &start));
        assert_eq!(hover["range"]["start"], start, "{encoding}");
        client.shut_down();
    }
}

#[test]
fn a_client_that_can_do_nothing_still_sees_findings() {
    // The first call that fails is the shortest, so that it is told once.
    let source = "pragma solidity ^0.8.20; contract A { function f() external pure { assert(false); } }";
    let project = Project::files(&[("A.sol", source)]);
    let file = project.path("A.sol");
    let mut client = Client::start();
    let answer = client.initialize(json!({}), Some(&project.root()), project.options());
    assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
    client.notify("initialized", json!({}));
    let text = client.open(&file);
    let found = client.diagnostics(&file);
    assert_eq!(found[0]["range"]["start"], position(&text, "assert(false)"));
    assert!(found[0].get("relatedInformation").is_none() && found[0].get("data").is_none(), "{found:#?}");
    let hover = client.request("textDocument/hover", place(&file, &found[0]["range"]["start"]));
    assert_eq!(hover["contents"]["kind"], "plaintext");
    let params =
        json!({ "textDocument": { "uri": uri(&file) }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    assert_eq!(client.request("textDocument/codeAction", params), Value::Null);
    client.shut_down();
}

#[test]
fn a_file_without_a_workspace_is_fuzzed_when_it_is_opened() {
    let project = Project::files(&[(
        "A.sol",
        "pragma solidity ^0.8.20; contract A { function f(uint8 n) external pure { assert(n != 7); } }",
    )]);
    project.write("Other.sol", "pragma solidity ^0.8.20; contract B { function f() external pure { assert(false); } }");
    let mut client = Client::start();
    client.initialize(vscode(), None, project.options());
    client.notify("initialized", json!({}));
    client.open(&project.path("A.sol"));
    assert_eq!(client.diagnostics(&project.path("A.sol"))[0]["message"], "assertion can fail: f(7)");
    client.shut_down();
}

#[test]
fn malformed_frames_end_nothing() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut client = Client::start();
    client.send_raw(b"Content-Length: nonsense\r\n\r\n");
    assert_eq!(client.try_request("textDocument/hover", json!({})).unwrap_err()["code"], -32002, "before initialize");
    client.initialize(vscode(), Some(&project.root()), project.options());
    client.notify("initialized", json!({}));
    let text = client.open(&vault);
    let found = client.diagnostics(&vault);

    for (frame, code) in [
        (&b"Content-Length: 7\r\n\r\n{\"a\": \r"[..], -32700),
        (b"Content-Length: 4\r\n\r\n\"\xff\xfe\"", -32700),
        (b"Content-Length: 2\r\n\r\n[]", -32600),
    ] {
        client.send_raw(frame);
        assert_eq!(client.answer(&Value::Null).unwrap_err()["code"], code, "{frame:?}");
    }
    client.send_raw(b"Content-Length: 99999999999\r\n\r\n");
    client.send_raw(b"what is this?\r\n\r\n");
    let hover = client.request("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
    assert!(hover["contents"]["value"].as_str().unwrap().contains("skim"));
    assert_eq!(client.try_request("no/such/method", json!({})).unwrap_err()["code"], -32601);
    assert!(client.try_request("textDocument/hover", json!({ "position": 5 })).is_err());

    // What went before and what goes on is as it was.
    let (change, fixed) = replacement(&text, FIX.0, FIX.1);
    client.change(&vault, change);
    client.save(&vault, &fixed);
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    // All were logged: two headers more than were answered, and the one before the start, when nobody could be told.
    assert!(client.complaints.len() >= 5, "{:#?}", client.complaints);
    client.complaints.clear();
    client.shut_down();
}

#[test]
fn settings_change_live_and_mistakes_name_the_key() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let mut options = project.options();
    options["oracels"] = json!({});
    options["trusted"] = json!(false);
    let mut client = Client::open_folder(&project.root(), options.clone());
    let shown = client.notification("window/showMessage");
    assert!(shown["message"].as_str().unwrap().contains("`oracels`"), "{shown}");
    let found = client.diagnostics(&vault);
    assert_eq!(found[0]["severity"], 1);

    // As VS Code pushes after `initialized`: nothing new, no work.
    options.as_object_mut().unwrap().remove("trusted");
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "bellwether": options } }));
    options.as_object_mut().unwrap().remove("oracels");
    options["oracles"] = json!({ "assertion": "warning" });
    client.notify("workspace/didChangeConfiguration", json!({ "settings": { "bellwether": options } }));
    assert_eq!(client.diagnostics(&vault)[0]["severity"], 2);

    // A push that says nothing is a reason to ask.
    options["oracles"] = json!({ "assertion": "off" });
    client.settings = options;
    client.notify("workspace/didChangeConfiguration", json!({ "settings": null }));
    assert_eq!(client.diagnostics(&vault), [] as [Value; 0]);
    assert_eq!(client.asked["workspace/configuration"], 1);
    let log = client.shut_down();
    assert_eq!(log.matches("compiled").count(), 3, "{log}");
}

#[test]
fn a_broken_configuration_is_shown_in_its_file() {
    let project = Project::fixture("vault");
    let vault = project.path("src/Vault.sol");
    let toml = project.path("foundry.toml");
    let mut client = Client::open_folder(&project.root(), project.options());
    let found = client.diagnostics(&vault);
    let good = std::fs::read_to_string(&toml).unwrap();
    client.save(&toml, &format!("{good}src = [\n"));
    let shown = client.diagnostics(&toml);
    assert_eq!((&shown[0]["source"], &shown[0]["severity"]), (&json!("bellwether"), &json!(1)), "{shown:#?}");
    client.complaints.clear();

    // The project as it was goes on; by the watcher's word it is read again.
    client.send_changed(&toml, &good);
    assert_eq!(client.diagnostics(&toml), [] as [Value; 0]);
    let hover = client.request("textDocument/hover", place(&vault, &found[0]["range"]["start"]));
    assert!(!hover.is_null());
    client.complaints.clear();
    client.shut_down();
}

#[test]
fn pausing_is_told_and_undone() {
    let project = Project::fixture("vault");
    let mut client = Client::open_folder(&project.root(), project.options());
    let vault = project.path("src/Vault.sol");
    client.diagnostics(&vault);
    client.request("workspace/executeCommand", json!({ "command": "bellwether.pause" }));
    client.status("paused");
    client.request("workspace/executeCommand", json!({ "command": "bellwether.resume" }));
    let status = client.status("fuzzing");
    assert_eq!((&status["contracts"], &status["findings"]), (&json!(2), &json!(1)));
    assert!(client.try_request("workspace/executeCommand", json!({ "command": "rm" })).is_err());
    client.shut_down();
}

#[test]
fn a_contract_that_cannot_be_deployed_is_told_and_the_others_are_fuzzed() {
    let project = Project::files(&[
        ("foundry.toml", "[profile.default]\n"),
        (
            "src/A.sol",
            "pragma solidity ^0.8.20; contract A { constructor() { revert(); } function f() external pure { assert(false); } }",
        ),
        ("src/B.sol", "pragma solidity ^0.8.20; contract B { function f() external pure { assert(false); } }"),
    ]);
    let mut client = Client::open_folder(&project.root(), project.options());
    assert_eq!(client.diagnostics(&project.path("src/B.sol"))[0]["message"], "assertion can fail: f()");
    let told = "A is not fuzzed: its constructor always fails: revert without a reason";
    client.status_with(
        |status| {
            (&status["message"], &status["contracts"], &status["notFuzzed"]) == (&json!(told), &json!(1), &json!(1))
        },
        "one contract that is fuzzed and one that is not",
    );
    assert_eq!(client.told, [told]);
    assert_eq!(client.diagnostics(&project.path("src/A.sol"))[0]["code"], "not-fuzzed");
    client.shut_down();
}

#[test]
fn a_contract_that_is_not_fuzzed_says_so_on_its_name_until_it_is() {
    let source = "pragma solidity ^0.8.20;
// Pool takes a token.
contract Pool {
    constructor(address token_) {
        require(token_.code.length > 0, \"token is not a contract\");
        require(keccak256(msg.data) == 0, \"never\");
    }
    function f() external {}
}
";
    let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Pool.sol", source)]);
    let pool = project.path("src/Pool.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&pool);
    let note = client.diagnostics(&pool).remove(0);
    assert_eq!(note["range"]["start"], position(source, "Pool {"));
    assert_eq!(
        (&note["severity"], &note["source"], &note["code"], &note["message"]),
        (
            &json!(3),
            &json!("bellwether"),
            &json!("not-fuzzed"),
            &json!(
                "Pool is not fuzzed: token_ must be a contract: revert \"token is not a contract\". To have it fuzzed, add a \
                 test contract whose `setUp()` deploys it; to silence this note, add its file to `bellwether.exclude`."
            )
        )
    );
    let status = client.status("quiet");
    assert_eq!((&status["contracts"], &status["notFuzzed"], &status["findings"]), (&json!(0), &json!(1), &json!(0)));
    // What is fixed says nothing more.
    let mended =
        source.replace("token_.code.length > 0", "token_.code.length == 0").replace("== 0, \"never", "!= 0, \"never");
    client.save(&pool, &mended);
    assert_eq!(client.diagnostics(&pool), [] as [Value; 0]);
    client.shut_down();
}

#[test]
fn the_name_of_a_contract_tells_its_world() {
    let source = "pragma solidity ^0.8.20;
interface IFeed { function price() external view returns (uint256); }
contract Token { Pool pool; function connect(Pool pool_) external { pool = pool_; } }
contract Pool {
    constructor(Token token_, IFeed feed_) {}
    function f() external {}
}
";
    let project = Project::files(&[("foundry.toml", "[profile.default]\n"), ("src/Pool.sol", source)]);
    let pool = project.path("src/Pool.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&pool);
    client.status("quiet");
    let hover = client.request("textDocument/hover", place(&pool, &position(source, "Pool {\n")));
    expect![[r#"
        Fuzzed as `Pool(token_ = token, feed_ = a stand-in for IFeed)`

        with

        - `feed = a stand-in for IFeed`
        - `token = Token()`

        after

        - `token.connect(pool)`
    "#]]
    .assert_eq(hover["contents"]["value"].as_str().unwrap());
    assert_eq!(client.request("textDocument/hover", place(&pool, &position(source, "f() external"))), Value::Null);
    client.shut_down();
}

#[test]
fn the_name_of_a_contract_tells_the_world_that_a_test_sets_up_as_well() {
    let source = "pragma solidity ^0.8.20;
contract Token { address owner = msg.sender; }
contract Pool { constructor(Token token_) {} function f() external {} }
";
    let test = "pragma solidity ^0.8.20;
import {Pool, Token} from \"../src/Pool.sol\";
contract PoolTest {
    Token gold;
    Pool pool;
    function setUp() public { gold = new Token(); pool = new Pool(gold); }
    function test_pool() public {}
}
";
    let files = [("foundry.toml", "[profile.default]\n"), ("src/Pool.sol", source), ("test/Pool.t.sol", test)];
    let project = Project::files(&files);
    let pool = project.path("src/Pool.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.open(&pool);
    client.status("quiet");
    let hover = client.request("textDocument/hover", place(&pool, &position(source, "Pool {")));
    expect![[r#"
        Fuzzed as `Pool(token_ = token)`

        with

        - `token = Token()`

        And as `Pool, in the world that setUp() of PoolTest makes`

        with

        - `PoolTest = PoolTest()`
        - `gold = Token, as setUp() creates it`

        after

        - `forge: PoolTest.setUp()`
    "#]]
    .assert_eq(hover["contents"]["value"].as_str().unwrap());
    client.shut_down();
}

#[test]
fn what_fails_in_a_base_is_shown_once_for_the_base_whatever_its_children_find() {
    let base = "pragma solidity ^0.8.20; contract Base { function f(uint256 x) external pure { assert(x != 5); } }";
    // Their file comes first, and so would they.
    let children = "pragma solidity ^0.8.20; import \"./Base.sol\"; contract A is Base {} contract B is Base { uint256 public b; }";
    let project = Project::files(&[("foundry.toml", ""), ("src/Base.sol", base), ("src/A.sol", children)]);
    let file = project.path("src/Base.sol");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.diagnostics_with(&file, "a story of Base itself", |shown| {
        assert_eq!(shown.len(), 1, "{shown:#?}");
        shown[0]["relatedInformation"][0]["message"].as_str().unwrap().contains("new Base(")
    });
    client.status_with(|status| status["contracts"] == 3 && status["findings"] == 1, "one finding of three contracts");
    let hover = client.request("textDocument/hover", place(&file, &position(base, "assert(")));
    assert_eq!(hover["contents"]["value"].as_str().unwrap().matches("**assertion can fail**").count(), 1, "{hover}");
    client.shut_down();
}

#[test]
fn an_editor_that_is_killed_leaves_no_server_behind() {
    let project = Project::fixture("vault");
    let mut client = Client::open_folder(&project.root(), project.options());
    client.diagnostics(&project.path("src/Vault.sol"));
    let log = client.hang_up();
    assert!(log.contains("the client ended without asking the server to shut down"), "{log}");

    // And one that never says anything.
    Client::start().hang_up();
}
