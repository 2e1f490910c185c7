//! Compilation as a project meets it: versions, imports, libraries, errors that stop only what needs them, and a cache
//! that keeps what did not change.

mod support;

use bellwether::compile::{Build, ContractKind, Severity};
use support::sandbox::Sandbox;

fn errors(build: &Build) -> Vec<String> {
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| format!("{}: {}", error.file.file_name().unwrap().to_string_lossy(), error.message)).collect()
}

fn names(build: &Build) -> Vec<&str> {
    build.contracts.iter().map(|contract| contract.name.as_str()).collect()
}

#[test]
fn each_file_gets_the_compiler_that_its_pragma_asks_for() {
    let mut sandbox = Sandbox::new(
        "//- Old.sol\npragma solidity ^0.4.24;\ncontract Old { function f() public pure returns (uint) { return 1; } }\n\
         //- New.sol\npragma solidity ^0.8.20;\ncontract New { function f() public pure returns (uint) { return 1; } }\n",
    );
    let build = sandbox.build();
    assert_eq!(errors(&build), Vec::<String>::new());
    let versions: Vec<_> =
        build.contracts.iter().map(|contract| (contract.name.as_str(), contract.solc.minor)).collect();
    assert_eq!(versions, [("New", 8), ("Old", 4)]);
}

#[test]
fn a_bad_file_stops_only_what_needs_it() {
    let mut sandbox = Sandbox::new(
        "//- Good.sol\npragma solidity ^0.8.20;\ncontract Good {}\n\
         //- Broken.sol\npragma solidity ^0.8.20;\ncontract Broken { uint x = \"text\"; }\n\
         //- Needs.sol\npragma solidity ^0.8.20;\nimport {Broken} from \"./Broken.sol\";\ncontract Needs is Broken {}\n\
         //- Lost.sol\npragma solidity ^0.8.20;\nimport \"./Nowhere.sol\";\ncontract Lost {}\n\
         //- Never.sol\npragma solidity ^0.9.0;\ncontract Never {}\n",
    );
    let build = sandbox.build();
    assert_eq!(names(&build), ["Good"]);
    let failed: Vec<_> = build.failed.iter().map(String::as_str).collect();
    assert_eq!(failed, ["Broken.sol", "Lost.sol", "Needs.sol", "Never.sol"]);
    let errors = errors(&build);
    assert_eq!(errors.len(), 3, "{errors:#?}");
    assert!(errors[0].starts_with("Broken.sol: Type literal_string"), "{errors:#?}");
    assert!(errors[1].starts_with("Lost.sol: import \"./Nowhere.sol\" cannot be found"), "{errors:#?}");
    assert!(errors[2].starts_with("Never.sol: no solc for"), "{errors:#?}");
}

#[test]
fn an_error_points_at_its_bytes_in_a_file_with_crlf_and_emoji() {
    let source = "pragma solidity ^0.8.20;\r\n// 🦀🦀\r\ncontract A {\r\n    uint x = \"text\";\r\n}\r\n";
    let mut sandbox = Sandbox::new("");
    sandbox.write("A.sol", source);
    let build = sandbox.build();
    let error = build.diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error).unwrap();
    assert_eq!(error.span.unwrap().text(source), "\"text\"");
}

#[test]
fn what_did_not_change_is_not_compiled_again_and_keeps_its_warnings() {
    let mut sandbox = Sandbox::new(
        "//- A.sol\npragma solidity ^0.8.20;\ncontract A { function f(uint unused) public {} }\n\
         //- B.sol\npragma solidity ^0.8.20;\ncontract B {}\n",
    );
    let warnings = |build: &Build| {
        build.diagnostics.iter().filter(|d| d.severity == Severity::Warning && d.file.ends_with("A.sol")).count()
    };
    let first = sandbox.build();
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B { uint public x; }\n");
    let second = sandbox.build();
    assert!(warnings(&first) > 0);
    assert_eq!(warnings(&first), warnings(&second));
    assert_ne!(first.id, second.id);
    let code = |build: &Build, name| build.contract(build.find_contract("", name).unwrap()).runtime.code.clone();
    assert_eq!(code(&first, "A"), code(&second, "A"));
    assert_ne!(code(&first, "B"), code(&second, "B"));
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B {}\n");
    assert_eq!(sandbox.build().id, first.id, "an edit that is undone is the build that was");
}

#[test]
fn code_of_an_import_that_did_not_change_keeps_its_places_and_its_tree() {
    for solc in ["0.4.26", "0.5.17", "0.8.37"] {
        let imported =
            format!("pragma solidity {solc};\ncontract Base {{ function f() public {{ assert(1 == 2); }} }}\n");
        let importer = format!("pragma solidity {solc};\nimport \"./Base.sol\";\ncontract Main is Base {{}}\n");
        let mut sandbox = Sandbox::new(&format!("//- Base.sol\n{imported}//- Main.sol\n{importer}"));
        sandbox.build();
        sandbox.write("Main.sol", &format!("// moved\n{importer}"));
        let build = sandbox.build();
        assert_eq!(errors(&build), Vec::<String>::new(), "{solc}");
        let base = build.source_at(&sandbox.root().join("Base.sol")).unwrap();
        assert!(build.source(base).ast.nodes.iter().any(|node| node.name == "f"), "{solc}");
        let main = build.contract(build.find_contract("Main.sol", "Main").unwrap());
        let texts: Vec<_> = main.runtime.map.iter().filter(|element| element.source == Some(base)).collect();
        assert!(texts.iter().any(|element| element.span.text(&imported) == "assert(1 == 2)"), "{solc}");
    }
}

#[test]
fn a_comment_changes_no_byte_of_code() {
    let mut sandbox = Sandbox::single("contract A { uint public x; }");
    let before = sandbox.build();
    sandbox.write(
        "A.sol",
        "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n// a comment\ncontract A { uint public x; }",
    );
    let after = sandbox.build();
    assert_eq!(before.contracts[0].runtime.code, after.contracts[0].runtime.code);
}

#[test]
fn libraries_of_dependencies_come_with_code_to_be_linked() {
    let mut sandbox = Sandbox::new(
        "//- foundry.toml\n[profile.default]\n\
         //- src/A.sol\npragma solidity ^0.8.20;\nimport {Lib} from \"dep/Lib.sol\";\n\
         contract A { function f(uint x) external pure returns (uint) { return Lib.twice(x); } }\n\
         //- lib/dep/src/Lib.sol\npragma solidity ^0.8.20;\n\
         library Lib { function twice(uint x) public pure returns (uint) { return 2 * x; } }\n",
    );
    let build = sandbox.build();
    assert_eq!(errors(&build), Vec::<String>::new());
    let a = build.contract(build.find_contract("src/A.sol", "A").unwrap());
    let lib = build.contract(build.find_contract("lib/dep/src/Lib.sol", "Lib").unwrap());
    assert_eq!(a.runtime.links.len(), 1);
    assert_eq!((lib.kind, lib.runtime.code.is_empty()), (ContractKind::Library, false));
}

#[test]
fn an_import_from_node_modules_needs_no_remapping() {
    let mut sandbox = Sandbox::new(
        "//- hardhat.config.js\nmodule.exports = { solidity: \"0.8.37\" };\n\
         //- contracts/A.sol\npragma solidity ^0.8.20;\nimport \"@scope/pkg/token/B.sol\";\ncontract A is B {}\n\
         //- node_modules/@scope/pkg/token/B.sol\npragma solidity ^0.8.20;\nimport \"../utils/C.sol\";\ncontract B is C {}\n\
         //- node_modules/@scope/pkg/utils/C.sol\npragma solidity ^0.8.20;\ncontract C { uint public x; }\n",
    );
    let build = sandbox.build();
    assert_eq!(errors(&build), Vec::<String>::new());
    assert_eq!(names(&build), ["A", "B", "C"]);
    let with_code = build.contracts.iter().filter(|contract| contract.is_deployable());
    assert_eq!(with_code.map(|contract| contract.name.as_str()).collect::<Vec<_>>(), ["A"], "what is fuzzed");
}

#[test]
fn kinds_and_immutables_are_known() {
    let mut sandbox = Sandbox::single(
        "interface I { function f() external; }\nabstract contract B { function g() public virtual; }\n\
         library L { function h() internal {} }\n\
         contract C { uint immutable x; constructor(uint y) { x = y; } function get() public view returns (uint) { return x; } }",
    );
    let build = sandbox.build();
    let kinds: Vec<_> = build
        .contracts
        .iter()
        .map(|contract| (contract.name.as_str(), contract.kind, contract.is_deployable()))
        .collect();
    assert_eq!(
        kinds,
        [
            ("B", ContractKind::Abstract, false),
            ("C", ContractKind::Contract, true),
            ("I", ContractKind::Interface, false),
            ("L", ContractKind::Library, false),
        ]
    );
    assert_eq!(build.contracts[1].immutables.len(), 1);
}

#[test]
fn the_oldest_and_the_newest_compilers_give_code_and_places() {
    for (version, creation) in [
        ("0.4.11", "function A() {}"),
        ("0.4.26", "constructor() public {}"),
        ("0.5.17", ""),
        ("0.6.12", ""),
        ("0.7.6", ""),
        ("0.8.37", ""),
    ] {
        let mut sandbox = Sandbox::new(&format!(
            "//- A.sol\npragma solidity {version};\ncontract A {{ uint x; {creation} function set(uint y) public {{ assert(y != 7); x = y; }} }}\n"
        ));
        let build = sandbox.build();
        assert_eq!(errors(&build), Vec::<String>::new(), "{version}");
        let contract = &build.contracts[0];
        assert!(!contract.runtime.code.is_empty() && !contract.runtime.map.is_empty(), "{version}");
        assert_eq!(contract.abi.functions().count(), 1, "{version}");
    }
}

#[test]
fn whatever_a_file_is_only_what_needs_it_is_left_out() {
    let mut sandbox = Sandbox::new(
        "//- foundry.toml\n[profile.default]\n\
         //- src/Good.sol\npragma solidity ^0.8.20;\ncontract Good { function f() external pure { assert(false); } }\n\
         //- src/Open.sol\npragma solidity ^0.8.20;\ncontract Open {\n\
         //- src/NeedsOpen.sol\npragma solidity ^0.8.20;\nimport \"./Open.sol\";\ncontract NeedsOpen {}\n\
         //- src/Empty.sol\n\
         //- src/NeedsFolder.sol\npragma solidity ^0.8.20;\nimport \"./Folder.sol\";\ncontract NeedsFolder {}\n\
         //- src/Folder.sol/Inner.sol\npragma solidity ^0.8.20;\ncontract Inner {}\n\
         //- src/Left.sol\npragma solidity ^0.8.20;\nimport \"./Right.sol\";\ncontract Left {}\n\
         //- src/Right.sol\npragma solidity ^0.8.20;\nimport \"./Left.sol\";\ncontract Right { Left left; }\n\
         //- src/Older.sol\npragma solidity 0.7.6;\ncontract Older {}\n\
         //- src/Torn.sol\npragma solidity 0.7.6;\nimport \"./Good.sol\";\ncontract Torn {}\n",
    );
    let file = |name: &str| sandbox.root().join("src").join(name);
    std::fs::write(file("Latin.sol"), b"pragma solidity ^0.8.20;\n// \xe9\ncontract Latin {}").unwrap();
    std::fs::write(file("NeedsLatin.sol"), "pragma solidity ^0.8.20;\nimport \"./Latin.sol\";\ncontract NeedsLatin {}")
        .unwrap();
    std::os::unix::fs::symlink(file("Nowhere.sol"), file("Dangling.sol")).unwrap();
    std::os::unix::fs::symlink(file("Turn.sol"), file("Return.sol")).unwrap();
    std::os::unix::fs::symlink(file("Return.sol"), file("Turn.sol")).unwrap();
    std::os::unix::fs::symlink(sandbox.root().join("src"), file("again")).unwrap();
    std::fs::write(file("NeedsTurn.sol"), "pragma solidity ^0.8.20;\nimport \"./Turn.sol\";\ncontract NeedsTurn {}")
        .unwrap();

    let build = sandbox.build();
    assert_eq!(names(&build), ["Inner", "Good", "Left", "Older", "Right"]);
    let failed: Vec<_> = build.failed.iter().map(|name| name.trim_start_matches("src/")).collect();
    assert!(
        ["Latin.sol", "NeedsFolder.sol", "NeedsLatin.sol", "NeedsOpen.sol", "NeedsTurn.sol", "Open.sol", "Torn.sol"]
            .iter()
            .all(|name| failed.contains(name)),
        "{failed:?}"
    );
    for (name, words) in [
        ("Latin.sol", "is not UTF-8"),
        ("NeedsFolder.sol", "\"./Folder.sol\" cannot be found"),
        ("NeedsTurn.sol", "\"./Turn.sol\" cannot be found"),
        ("Open.sol", "declaration expected"),
        ("Torn.sol", "no solc for"),
    ] {
        let errors = errors(&build);
        let said = |error: &String| error.starts_with(&format!("{name}: ")) && error.contains(words);
        assert!(errors.iter().any(said), "{name}: {words}: {errors:#?}");
    }
    // What did compile is in the cache, and is fuzzed.
    sandbox.restart();
    assert_eq!(sandbox.build().id, build.id);
    let ended = support::campaign::fuzz_build(&build, &bellwether::project::Config::default(), 1, 200);
    assert_eq!(ended.findings.len(), 1);
}

#[test]
fn warnings_are_still_said_after_a_restart() {
    let mut sandbox = Sandbox::new("");
    let text = "pragma solidity ^0.8.20;\r\n// é\r\ncontract A { function f() external pure { uint unused; } }\r\n";
    sandbox.write("A.sol", text);
    let warned = |build: &Build| -> Vec<String> {
        let warnings = build.diagnostics.iter().filter(|said| said.severity == Severity::Warning);
        warnings.filter_map(|warning| Some(warning.span?.text(text).to_owned())).collect()
    };
    let build = sandbox.build();
    let first = warned(&build);
    assert!(first.contains(&"uint unused".to_owned()), "{:#?}", build.diagnostics);
    sandbox.restart();
    assert_eq!(warned(&sandbox.build()), first);
}

#[test]
fn tests_come_later_where_a_contract_changed_that_they_use() {
    let contract = |body: &str| format!("pragma solidity ^0.8.20;\ncontract Vault {{ {body} }}\n");
    let test = |name: &str, body: &str| {
        format!("pragma solidity ^0.8.20;\nimport \"../src/Vault.sol\";\ncontract {name} {{ {body} }}\n")
    };
    let other = "pragma solidity ^0.8.20;\ncontract OtherTest { function test() external {} }\n";
    let mut sandbox = Sandbox::new("//- foundry.toml\n[profile.default]\n");
    sandbox.write("src/Vault.sol", &contract("uint256 a;"));
    sandbox.write("test/Vault.t.sol", &test("VaultTest", "Vault vault = new Vault();"));
    sandbox.write("test/Other.t.sol", other);
    let told = |build: &Build| {
        let later: Vec<_> = build.later.iter().map(String::as_str).collect();
        format!("{}; later {}", names(build).join(" "), later.join(" "))
    };
    let all = "Vault OtherTest VaultTest; later ";
    assert_eq!(told(&sandbox.build_before_tests()), all, "the first build");

    sandbox.write("src/Vault.sol", &contract("uint256 b;"));
    let before = sandbox.build_before_tests();
    assert_eq!(told(&before), "Vault OtherTest; later test/Vault.t.sol");
    assert_eq!(before.failed, before.later, "they have no code");
    assert_eq!((errors(&before), before.left_out.len()), (Vec::new(), 0), "nobody is told of an error");
    assert_eq!(told(&sandbox.build_before_tests()), told(&before), "until they are compiled");
    assert_eq!(told(&sandbox.build()), all);
    assert_eq!(told(&sandbox.build_before_tests()), all, "nothing changed since");

    sandbox.write("test/Vault.t.sol", &test("VaultTest", "Vault vault;"));
    assert_eq!(told(&sandbox.build_before_tests()), all, "a test alone");
    sandbox.write("src/More.sol", &contract("").replace("Vault", "More"));
    assert_eq!(told(&sandbox.build_before_tests()), "More Vault OtherTest VaultTest; later ", "no test uses it");
}

#[test]
fn through_the_ir_tests_come_later_in_the_first_build_too() {
    let mut sandbox = Sandbox::new("//- foundry.toml\n[profile.default]\nvia_ir = true\n");
    sandbox.write("src/Vault.sol", "pragma solidity ^0.8.20;\ncontract Vault {}");
    sandbox.write(
        "test/Vault.t.sol",
        "pragma solidity ^0.8.20;\nimport \"../src/Vault.sol\";\ncontract VaultTest is Vault {}",
    );
    let before = sandbox.build_before_tests();
    assert_eq!((names(&before), before.later.len()), (vec!["Vault"], 1));
    assert_eq!(names(&sandbox.build()), ["Vault", "VaultTest"]);
}
