//! What is read of a workspace: regular files of bounded size, and where nobody trusts it, none from outside.

mod support;

use bellwether::compile::{Build, Severity};
use std::fs::File;
use support::sandbox::Sandbox;

fn errors(build: &Build) -> Vec<String> {
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    errors.map(|error| format!("{}: {}", error.file.file_name().unwrap().to_string_lossy(), error.message)).collect()
}

/// The contracts that have code; of dependencies, only what can be called is known.
fn names(build: &Build) -> Vec<&str> {
    let with_code = build.contracts.iter().filter(|contract| !contract.creation.code.is_empty());
    with_code.map(|contract| contract.name.as_str()).collect()
}

fn importing(path: &str) -> String {
    format!(
        "//- A.sol\npragma solidity ^0.8.20;\nimport \"{path}\";\ncontract A {{}}\n//- B.sol\npragma solidity ^0.8.20;\ncontract B {{}}\n"
    )
}

#[cfg(target_os = "linux")]
#[test]
fn an_import_of_a_file_without_end_is_refused_where_it_stands() {
    let mut sandbox = Sandbox::new(&importing("/proc/self/pagemap"));
    let build = sandbox.build();
    assert_eq!(names(&build), ["B"]);
    assert_eq!(
        errors(&build),
        [
            "A.sol: import \"/proc/self/pagemap\" cannot be read: it is larger than 16 MiB; a source is a regular file of at most 16 MiB"
        ]
    );
}

#[test]
fn a_huge_file_and_a_pipe_hold_nothing_up() {
    let mut sandbox = Sandbox::new(&importing("./Pipe.sol"));
    let pipe = sandbox.root().join("Pipe.sol");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    File::create(sandbox.root().join("Sparse.sol")).unwrap().set_len(20 << 30).unwrap();
    let build = sandbox.build();
    assert_eq!(names(&build), ["B"]);
    let limit = "a source is a regular file of at most 16 MiB";
    assert_eq!(
        errors(&build),
        [
            format!(
                "A.sol: import \"./Pipe.sol\" cannot be read: it is a device, a pipe or a socket, not a regular file; {limit}"
            ),
            format!("Sparse.sol: cannot be read: it is larger than 16 MiB; {limit}"),
        ]
    );
}

#[test]
fn where_nobody_trusts_the_workspace_no_import_leads_out_of_it() {
    let outside = tempfile::tempdir().unwrap();
    std::fs::write(outside.path().join("Secret.sol"), "pragma solidity ^0.8.20;\ncontract Secret {}\n").unwrap();
    let secret = outside.path().canonicalize().unwrap().join("Secret.sol");
    let mut sandbox = Sandbox::new(&importing(&secret.display().to_string()));
    std::os::unix::fs::symlink(&secret, sandbox.root().join("Linked.sol")).unwrap();
    sandbox.write("lib/dep/Inside.sol", "pragma solidity ^0.8.20;\ncontract Inside {}\n");
    sandbox.write("C.sol", "pragma solidity ^0.8.20;\nimport \"dep/Inside.sol\";\ncontract C is Inside {}\n");
    assert_eq!(names(&sandbox.build()), ["A", "B", "C", "Secret"], "a trusted one may read what it names");
    sandbox.distrust();
    let build = sandbox.build();
    assert_eq!(names(&build), ["B", "C"]);
    let why = format!(
        "is not read: it leads to {}, outside of the workspace, which is not trusted; trust the workspace (`--trust` on the command \
         line), or copy the file into it",
        secret.display()
    );
    assert_eq!(errors(&build), [format!("A.sol: import \"{}\" {why}", secret.display()), format!("Linked.sol: {why}")]);
}

#[test]
fn a_changed_digit_in_a_cached_contract_hides_nothing() {
    let mut sandbox = Sandbox::single("contract A { function f() external pure { assert(false); } }");
    let first = sandbox.build();
    let folder = sandbox.cache();
    let mut changed = 0;
    for entry in walk(&folder.join("projects")) {
        let text = std::fs::read_to_string(&entry).unwrap();
        // INVALID and REVERT become STOP: whatever failed before now succeeds.
        let other = text.replace("fd5b", "005b").replace("fdfe", "0000");
        changed += usize::from(other != text);
        std::fs::write(&entry, other).unwrap();
    }
    assert!(changed > 0);
    sandbox.restart();
    let second = sandbox.build();
    assert_eq!(first.contracts[0].runtime.code, second.contracts[0].runtime.code);
}

fn walk(folder: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}
