//! Who is to blame for an error: a file is left out of a build only for an error of its own, or of what it imports. What is left
//! out is told by its reason, one line for each.

mod support;

use bellwether::compile::{Build, Severity};
use support::sandbox::Sandbox;

fn names(build: &Build) -> Vec<&str> {
    build.contracts.iter().map(|contract| contract.name.as_str()).collect()
}

fn failed(build: &Build) -> Vec<&str> {
    build.failed.iter().map(String::as_str).collect()
}

/// `A.sol: ...` for each error.
fn errors(build: &Build) -> Vec<String> {
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| format!("{}: {}", error.file.file_name().unwrap().to_string_lossy(), error.message)).collect()
}

/// `A.sol: ...` for each reason.
fn left_out(build: &Build) -> Vec<String> {
    let lines = build.left_out.iter();
    lines.map(|line| format!("{}: {}", line.file.file_name().unwrap().to_string_lossy(), line.message)).collect()
}

#[test]
fn an_error_that_an_importer_causes_in_its_base_leaves_out_the_importer_alone() {
    let mut sandbox = Sandbox::new(
        "//- Base.sol\npragma solidity 0.8.37;\nabstract contract Base { function f() public view returns (uint) { return 1; } }\n\
         //- Good.sol\npragma solidity 0.8.37;\nimport \"./Base.sol\";\ncontract Good is Base {}\n\
         //- Other.sol\npragma solidity 0.8.37;\nimport \"./Good.sol\";\ncontract Other is Good {}\n\
         //- spec/Harness.sol\npragma solidity 0.8.37;\nimport \"../Good.sol\";\n\
         contract Harness is Good { function f() public view override returns (uint) { return 2; } }\n",
    );
    let build = sandbox.build();
    assert_eq!(names(&build), ["Base", "Good", "Other"]);
    assert_eq!(failed(&build), ["spec/Harness.sol"]);
    let expected = "Harness.sol: Trying to override non-virtual function. Did you forget to add \"virtual\"? (reported at Base.sol:2)";
    assert_eq!(errors(&build), [expected]);
    assert_eq!(left_out(&build), [expected]);
    let error = build.diagnostics.iter().find(|said| said.severity == Severity::Error).unwrap();
    let text = std::fs::read_to_string(sandbox.root().join("spec/Harness.sol")).unwrap();
    assert!(error.span.unwrap().text(&text).starts_with("function f()"), "{error:?}");
    // Once it is known, nothing is searched for again, and the answer is the same.
    assert_eq!(left_out(&sandbox.build()), [expected]);
    sandbox.restart();
    assert_eq!(sandbox.build().id, build.id);
}

#[test]
fn a_broken_base_leaves_out_all_that_import_it_and_is_told_once() {
    let mut sandbox = Sandbox::new(
        "//- Base.sol\npragma solidity 0.8.37;\ncontract Base { uint x = \"text\"; }\n\
         //- A.sol\npragma solidity 0.8.37;\nimport \"./Base.sol\";\ncontract A is Base {}\n\
         //- B.sol\npragma solidity 0.8.37;\nimport \"./A.sol\";\ncontract B is A {}\n\
         //- C.sol\npragma solidity 0.8.37;\ncontract C {}\n",
    );
    let build = sandbox.build();
    assert_eq!(names(&build), ["C"]);
    assert_eq!(failed(&build), ["A.sol", "B.sol", "Base.sol"]);
    assert_eq!(
        left_out(&build),
        ["Base.sol: Type literal_string \"text\" is not implicitly convertible to expected type uint256. \
          (2 files that import this one are left out, too)"]
    );
    sandbox.write("Base.sol", "pragma solidity 0.8.37;\ncontract Base { uint x = 1; }\n");
    assert_eq!(names(&sandbox.build()), ["A", "B", "Base", "C"]);
}

/// So many variables that are all needed at the end, more than the stack reaches.
fn deep(body: &str) -> String {
    let declared: String = (0..17).map(|n| format!("uint v{n} = x + {n}; ")).collect();
    let summed: Vec<String> = (0..17).map(|n| format!("v{n}")).collect();
    format!("function deep(uint x) public pure returns (uint) {{ {declared}{body} return {}; }}", summed.join(" + "))
}

#[test]
fn where_the_stack_is_too_deep_the_optimizer_and_then_the_ir_are_tried_and_that_is_said() {
    let mut sandbox = Sandbox::new(&format!(
        "//- Flat.sol\npragma solidity 0.8.37;\ncontract Flat {{ uint public x; }}\n\
         //- Deep.sol\npragma solidity 0.8.37;\ncontract Deep {{ {} }}\n",
        deep("")
    ));
    let build = sandbox.build();
    assert_eq!(errors(&build), Vec::<String>::new());
    assert_eq!(names(&build), ["Deep", "Flat"]);
    let settings: Vec<&str> = build.contracts.iter().map(|contract| &*contract.settings).collect();
    assert_eq!(
        settings,
        [
            "{\"optimizer\":{\"enabled\":true,\"runs\":200},\"viaIR\":true}",
            "{\"optimizer\":{\"enabled\":false,\"runs\":200}}"
        ]
    );
    assert_eq!(
        build.notes,
        ["Deep.sol: stack too deep as configured, so compiled with the optimizer, through the IR (`via_ir`)"]
    );
}

#[test]
fn where_nothing_helps_only_the_file_with_the_deep_stack_is_left_out() {
    let mut sandbox = Sandbox::new(&format!(
        "//- Flat.sol\npragma solidity 0.6.12;\ncontract Flat {{ uint public x; }}\n\
         //- Deep.sol\npragma solidity 0.6.12;\ncontract Deep {{ {} }}\n\
         //- Flatter.sol\npragma solidity 0.6.12;\nimport \"./Flat.sol\";\ncontract Flatter is Flat {{}}\n",
        deep("")
    ));
    let build = sandbox.build();
    assert_eq!(names(&build), ["Flat", "Flatter"]);
    assert_eq!(failed(&build), ["Deep.sol"]);
    let error = &errors(&build)[0];
    assert!(error.starts_with("Deep.sol: ") && error.contains("Stack too deep"), "{error}");
}

#[test]
fn an_open_pragma_falls_back_to_the_newest_series_that_compiles_the_file() {
    let old = "pragma solidity >=0.5.0;\ncontract Old { function f(uint x) public pure returns (int) { return int(uint8(x)) + int(-1 ** 2); }\n\
               function g() public { msg.sender.transfer(1); } }\n";
    let mut sandbox = Sandbox::new(&format!(
        "//- Old.sol\n{old}//- New.sol\npragma solidity >=0.5.0;\ncontract New {{ uint public x; }}\n"
    ));
    let versions = |build: &Build| -> Vec<String> {
        build.contracts.iter().map(|it| format!("{} 0.{}.{}", it.name, it.solc.minor, it.solc.patch)).collect()
    };
    let build = sandbox.build();
    assert_eq!(errors(&build), Vec::<String>::new());
    assert_eq!(versions(&build), ["New 0.8.37", "Old 0.7.6"]);
    assert_eq!(build.notes, ["Old.sol: solc 0.8.37 reports errors, so compiled with solc 0.7.6"]);
    // The release that the project installs is the one that it was written for.
    sandbox.write("package.json", "{\"devDependencies\": {\"solc\": \"0.5.17\"}}");
    let build = sandbox.build();
    assert_eq!(versions(&build), ["New 0.5.17", "Old 0.5.17"]);
    assert_eq!(build.notes, Vec::<String>::new());
}

#[test]
fn an_error_of_an_open_pragma_is_told_as_the_newest_compiler_tells_it() {
    let mut sandbox = Sandbox::new("//- A.sol\npragma solidity >=0.7.0;\ncontract A { uint x = \"text\"; }\n");
    let expected = "A.sol: Type literal_string \"text\" is not implicitly convertible to expected type uint256.";
    assert_eq!(errors(&sandbox.build()), [expected]);
}

#[test]
fn a_file_that_another_compiler_only_imports_keeps_its_own_code() {
    // Sorted as text, 0.8.4 comes after 0.8.37.
    let mut sandbox = Sandbox::new(
        "//- Base.sol\npragma solidity >=0.8.0;\ncontract Base { uint public x; }\n\
         //- Pinned.sol\npragma solidity 0.8.4;\nimport \"./Base.sol\";\ncontract Pinned is Base {}\n",
    );
    let build = sandbox.build();
    assert_eq!(names(&build), ["Base", "Pinned"]);
    assert_eq!(build.contracts[0].solc.patch, 37);
}

#[test]
fn what_is_missing_is_told_once_with_what_to_do() {
    let importer = |name: &str| {
        format!(
            "//- src/{name}.sol\npragma solidity ^0.8.20;\nimport \"@openzeppelin/contracts/{name}.sol\";\ncontract {name} {{}}\n"
        )
    };
    let mut sandbox = Sandbox::new(&format!(
        "//- foundry.toml\n[profile.default]\n//- package.json\n{{\"dependencies\": {{\"@openzeppelin/contracts\": \"5\"}}}}\n\
         //- .gitmodules\n[submodule \"lib/forge-std\"]\n\tpath = lib/forge-std\n\
         //- src/Uses.sol\npragma solidity ^0.8.20;\nimport \"forge-std/Test.sol\";\nimport \"./A.sol\";\ncontract Uses {{}}\n\
         //- src/Lost.sol\npragma solidity ^0.8.20;\nimport \"./Nowhere.sol\";\ncontract Lost {{}}\n\
         //- src/Good.sol\npragma solidity ^0.8.20;\ncontract Good {{}}\n{}{}",
        importer("A"),
        importer("B")
    ));
    let build = sandbox.build();
    assert_eq!(names(&build), ["Good"]);
    assert_eq!(
        left_out(&build),
        [
            "A.sol: `@openzeppelin/contracts` is missing: 3 files wait for it; run `npm install`",
            "Lost.sol: import \"./Nowhere.sol\" cannot be found: there is no such file; correct the path, or add the file",
            "Uses.sol: `lib/forge-std` is empty: 1 file waits for it; run `git submodule update --init --recursive`",
        ]
    );
}
