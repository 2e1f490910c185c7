//! Verdicts on pairs of storage layouts, each compared with that of `@openzeppelin/upgrades-core`, pair by pair; and the places of
//! variables, compared with the compiler's.

mod support;

use bellwether::code::{ChangeKind, Layout};
use serde_json::{Value, json};
use std::{
    io::Write,
    path::PathBuf,
    process::{Command, Stdio},
};
use support::{
    forge::{cache, lock},
    sandbox::Sandbox,
};

/// The judge, and the compiler that it runs with.
const JUDGE: &str = "@openzeppelin/upgrades-core@1.46.0";
const SOLC: &str = "0.8.30";

/// Pairs of layouts: a name, the members of the contract `Vault` before and after, and the changes that stored words do not survive.
/// What stands before a line of dashes belongs above the contract.
const PAIRS: &[(&str, &str, &str, &[&str])] = &[
    ("nothing", "address owner; bool paused;", "address owner; bool paused;", &[]),
    ("append", "address owner;", "address owner; bool paused; uint256 fee;", &[]),
    (
        "insert in front",
        "address owner; bool paused;",
        "uint256 fee; address owner; bool paused;",
        &["fee inserted", "owner moved", "paused moved"],
    ),
    (
        "insert in the middle",
        "address owner; uint256 total;",
        "address owner; uint256 fee; uint256 total;",
        &["fee inserted", "total moved"],
    ),
    ("insert into a hole", "address owner; uint256 total;", "address owner; bool paused; uint256 total;", &[]),
    ("delete in front", "address owner; uint256 total;", "uint256 total;", &["owner deleted", "total moved"]),
    ("delete at the end", "address owner; uint256 total;", "address owner;", &["total deleted"]),
    (
        "swap",
        "address owner; address admin;",
        "address admin; address owner;",
        &["owner deleted", "admin moved", "owner inserted"],
    ),
    ("swap of three", "address a; uint256 b; bool c;", "bool c; uint256 b; address a;", &["c replaced", "a replaced"]),
    ("rename", "address owner;", "address admin;", &["admin renamed"]),
    ("annotated rename", "address owner;", "/// @custom:oz-renamed-from owner\naddress admin;", &[]),
    (
        "rename annotated with another name",
        "address owner;",
        "/// @custom:oz-renamed-from boss\naddress admin;",
        &["admin renamed"],
    ),
    (
        "annotation that stays",
        "/// @custom:oz-renamed-from boss\naddress owner;",
        "/// @custom:oz-renamed-from boss\naddress owner;",
        &[],
    ),
    (
        "annotation that is new for the same name",
        "address owner;",
        "/// @custom:oz-renamed-from boss\naddress owner;",
        &["owner renamed"],
    ),
    ("retype", "uint256 fee;", "int256 fee;", &["fee retyped"]),
    ("annotated retype", "uint8 paused;", "/// @custom:oz-retyped-from uint8\nbool paused;", &[]),
    (
        "retype annotated with another type",
        "uint8 paused;",
        "/// @custom:oz-retyped-from uint16\nbool paused;",
        &["paused retyped"],
    ),
    (
        "annotated retype of another size",
        "uint8 fee;",
        "/// @custom:oz-retyped-from uint8\nuint256 fee;",
        &["fee moved"],
    ),
    ("shorter number", "uint256 fee;", "uint128 fee;", &["fee retyped"]),
    ("replace", "address owner;", "uint256 total;", &["total replaced"]),
    ("address to payable", "address owner;", "address payable owner;", &["owner retyped"]),
    ("address to contract", "interface IToken {}\n---\naddress token;", "interface IToken {}\n---\nIToken token;", &[]),
    (
        "contract to contract",
        "interface IToken {} interface IOther {}\n---\nIToken token;",
        "interface IToken {} interface IOther {}\n---\nIOther token;",
        &[],
    ),
    (
        "constants and immutables keep nothing",
        "address owner;",
        "uint256 constant FEE = 1; uint256 immutable start = 1; address owner;",
        &[],
    ),
    ("transient variables keep nothing", "address owner;", "uint256 transient lock; address owner;", &[]),
    // Gaps.
    (
        "gap that shrinks by what is put in front",
        "uint256 a; uint256[50] __gap;",
        "uint256 a; uint256 b; uint256[49] __gap;",
        &[],
    ),
    (
        "gap that shrinks by less",
        "uint256 a; uint256[50] __gap; uint256 z;",
        "uint256 a; uint256 b; uint256[50] __gap; uint256 z;",
        &["__gap moved", "z moved"],
    ),
    (
        "gap that shrinks by more",
        "uint256 a; uint256[50] __gap; uint256 z;",
        "uint256 a; uint256 b; uint256[48] __gap; uint256 z;",
        &["__gap retyped", "z moved"],
    ),
    (
        "gap that shrinks for packed variables",
        "uint256 a; uint256[50] __gap;",
        "uint256 a; address b; bool c; uint256[49] __gap;",
        &[],
    ),
    ("gap that is used up", "uint256 a; uint256[1] __gap; uint256 z;", "uint256 a; uint256 b; uint256 z;", &[]),
    (
        "gap with a name of its own",
        "uint256[3] __gap_vault; uint256 z;",
        "uint256 a; uint256[2] __gap_vault; uint256 z;",
        &[],
    ),
    ("gap that grows", "uint256[3] __gap;", "uint256[4] __gap;", &["__gap retyped"]),
    ("what is no gap", "uint256[3] reserved;", "uint256[2] reserved;", &["reserved retyped"]),
    (
        "gap of a base",
        "contract Base { uint256 a; uint256[2] private __gap; }\n---is Base\nuint256 z;",
        "contract Base { uint256 a; uint256 b; uint256[1] private __gap; }\n---is Base\nuint256 z;",
        &[],
    ),
    (
        "base without a gap that grows",
        "contract Base { uint256 a; }\n---is Base\nuint256 z;",
        "contract Base { uint256 a; uint256 b; }\n---is Base\nuint256 z;",
        &["b inserted", "z moved"],
    ),
    (
        "gaps of two bases",
        "contract A { uint256[2] private __gap; } contract B { uint256[2] private __gap; }\n---is A, B\nuint256 z;",
        "contract A { uint256[2] private __gap; } contract B { uint256 b; uint256[1] private __gap; }\n---is A, B\nuint256 z;",
        &[],
    ),
    (
        "bases in another order",
        "contract A { uint256 a; } contract B { address b; }\n---is A, B\n",
        "contract A { uint256 a; } contract B { address b; }\n---is B, A\n",
        &["a deleted", "b moved", "a inserted"],
    ),
    (
        "the same variables through a base",
        "address owner; bool paused;",
        "contract Base { address owner; }\n---is Base\nbool paused;",
        &[],
    ),
    // Structs.
    (
        "member that is appended to a struct in storage",
        "struct P { uint256 a; } P p; uint256 z;",
        "struct P { uint256 a; uint256 b; } P p; uint256 z;",
        &["p retyped", "z moved"],
    ),
    (
        "member that is appended to the struct of a mapping",
        "struct P { uint256 a; } mapping(address => P) ps;",
        "struct P { uint256 a; uint256 b; } mapping(address => P) ps;",
        &[],
    ),
    (
        "member that is inserted into the struct of a mapping",
        "struct P { uint256 a; } mapping(address => P) ps;",
        "struct P { address o; uint256 a; } mapping(address => P) ps;",
        &["ps retyped"],
    ),
    (
        "member that is appended to the struct of a list",
        "struct P { uint256 a; } P[] ps;",
        "struct P { uint256 a; uint256 b; } P[] ps;",
        &["ps retyped"],
    ),
    (
        "member that has another name",
        "struct P { uint256 a; } mapping(address => P) ps;",
        "struct P { uint256 b; } mapping(address => P) ps;",
        &["ps retyped"],
    ),
    (
        "struct of another name",
        "struct P { uint256 a; } mapping(address => P) ps;",
        "struct Q { uint256 a; } mapping(address => Q) ps;",
        &[],
    ),
    (
        "struct within a struct",
        "struct I { uint256 a; } struct P { I i; } mapping(address => P) ps;",
        "struct I { uint256 a; uint256 b; } struct P { I i; } mapping(address => P) ps;",
        &["ps retyped"],
    ),
    (
        "mapping within a mapping",
        "struct P { uint256 a; } mapping(address => mapping(address => P)) ps;",
        "struct P { uint256 a; uint256 b; } mapping(address => mapping(address => P)) ps;",
        &[],
    ),
    (
        "hole in a struct that is filled",
        "struct P { bool a; uint256 b; } P p;",
        "struct P { bool a; bool c; uint256 b; } P p;",
        &[],
    ),
    // Enums, mappings, lists, value types, functions.
    ("member that is appended to an enum", "enum S { A, B } S s;", "enum S { A, B, C } S s;", &[]),
    ("member that is inserted into an enum", "enum S { A, B } S s;", "enum S { C, A, B } S s;", &["s retyped"]),
    ("member of an enum that is gone", "enum S { A, B } S s;", "enum S { A } S s;", &["s retyped"]),
    ("members of an enum in another order", "enum S { A, B } S s;", "enum S { B, A } S s;", &["s retyped"]),
    ("enum to number", "enum S { A, B } S s;", "uint8 s;", &["s retyped"]),
    ("another key", "mapping(address => uint256) m;", "mapping(uint256 => uint256) m;", &["m retyped"]),
    ("another value", "mapping(address => uint256) m;", "mapping(address => int256) m;", &["m retyped"]),
    ("mapping to list", "mapping(uint256 => uint256) m;", "uint256[] m;", &["m retyped"]),
    ("longer list", "uint256[2] a; uint256 z;", "uint256[3] a; uint256 z;", &["a retyped", "z moved"]),
    ("longer list in a mapping", "mapping(address => uint256[2]) a;", "mapping(address => uint256[3]) a;", &[]),
    ("list of another type", "uint256[] a;", "uint128[] a;", &["a retyped"]),
    ("text to bytes", "string s;", "bytes s;", &["s retyped"]),
    (
        "value type of the same size",
        "type Shares is uint128;\n---\nShares s;",
        "type Units is uint128;\n---\nUnits s;",
        &[],
    ),
    (
        "value type of another size",
        "type Shares is uint128;\n---\nShares s;",
        "type Units is uint64;\n---\nUnits s;",
        &["s retyped"],
    ),
    ("value type to what it stands for", "type Shares is uint128;\n---\nShares s;", "uint128 s;", &["s retyped"]),
    ("another kind of function", "function() external f;", "function() internal f;", &["f retyped"]),
    // Layouts at a slot, and namespaces.
    ("layout at a slot", "---layout at 100\naddress owner;", "---layout at 100\naddress owner; bool paused;", &[]),
    (
        "layout at another slot",
        "---layout at 100\naddress owner;",
        "---layout at 200\naddress owner;",
        &["owner moved"],
    ),
    (
        "append to a namespace",
        "/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 a; }",
        "/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 a; uint256 b; }",
        &[],
    ),
    (
        "insert into a namespace",
        "/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 a; }",
        "/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 b; uint256 a; }",
        &["b inserted", "a moved"],
    ),
    (
        "namespace that is new",
        "address owner;",
        "address owner;\n/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 a; }",
        &[],
    ),
    (
        "namespace that is gone",
        "/// @custom:storage-location erc7201:vault.main\nstruct Main { uint256 a; }",
        "/// @custom:storage-location erc7201:vault.more\nstruct Main { uint256 a; }",
        &["erc7201:vault.main is gone"],
    ),
    (
        "namespaces one by one",
        "/// @custom:storage-location erc7201:one\nstruct One { uint256 a; }\n/// @custom:storage-location erc7201:two\nstruct Two { uint256 a; }",
        "/// @custom:storage-location erc7201:two\nstruct Two { uint256 a; uint256 c; }\n/// @custom:storage-location erc7201:one\nstruct One { int256 a; }",
        &["a retyped"],
    ),
    (
        "namespace of a base",
        "contract Base {\n/// @custom:storage-location erc7201:base\nstruct Main { uint256 a; } }\n---is Base\nuint256 z;",
        "contract Base {\n/// @custom:storage-location erc7201:base\nstruct Main { address o; uint256 a; } }\n---is Base\nuint256 z;",
        &["o inserted", "a moved"],
    ),
];

fn source(members: &str) -> String {
    let (above, rest) = members.split_once("---").unwrap_or(("", members));
    let (head, members) =
        if members.contains("---") { rest.split_once('\n').unwrap_or((rest, "")) } else { ("", rest) };
    let pragma = "// SPDX-License-Identifier: MIT\npragma solidity ";
    format!("{pragma}={SOLC};\n{above}\ncontract Vault {head} {{\n{members}\n}}\n")
}

/// The layouts of `Vault` in these sources, each of which stands alone.
fn layouts<'a>(sources: impl Iterator<Item = &'a String>) -> Vec<Layout> {
    let files: Vec<String> = (0..).zip(sources).map(|(at, source)| format!("//- {at:03}.sol\n{source}")).collect();
    let build = Sandbox::new(&files.concat()).build();
    assert!(!build.has_errors(), "{:?}", build.diagnostics);
    let layout = |at: usize| Layout::of(&build, build.find_contract(&format!("{at:03}.sol"), "Vault").unwrap());
    (0..files.len()).map(|at| layout(at).unwrap_or_else(|| panic!("no layout: {}", files[at]))).collect()
}

/// The changes in words.
fn told(before: &Layout, after: &Layout) -> Vec<String> {
    let changes = before.changes_to(after).into_iter().map(|change| {
        let namespace = change.namespace.as_deref();
        let field = match (change.after, change.before) {
            (Some(at), _) => after.fields_of(namespace)[at].name.clone(),
            (None, Some(at)) => before.fields_of(namespace)[at].name.clone(),
            (None, None) => change.namespace.clone().unwrap_or_default(),
        };
        let what = match change.kind {
            ChangeKind::Inserted => "inserted",
            ChangeKind::Deleted => "deleted",
            ChangeKind::Replaced => "replaced",
            ChangeKind::Renamed => "renamed",
            ChangeKind::Retyped => "retyped",
            ChangeKind::Moved => "moved",
            ChangeKind::NamespaceDeleted => "is gone",
        };
        format!("{field} {what}")
    });
    changes.collect()
}

/// The folder with the judge's package, fetched the first time.
fn judge() -> PathBuf {
    let folder = cache().join("upgrades-core-1.46.0");
    let _lock = lock("upgrades-core");
    if !folder.is_dir() {
        let staging = tempfile::tempdir_in(cache()).unwrap();
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").unwrap();
        let output = Command::new("npm")
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error", JUDGE])
            .arg(format!("solc@{SOLC}"))
            .current_dir(staging.path())
            .output()
            .expect("npm is needed to fetch the judge");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::rename(staging.keep(), &folder).unwrap();
    }
    folder
}

/// What the judge says of each pair.
fn judged(pairs: &[(String, String)]) -> Vec<Vec<String>> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/layouts/judge.js");
    let mut node = Command::new("node")
        .arg(script)
        .arg(judge())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node is needed to run the judge");
    node.stdin.take().unwrap().write_all(serde_json::to_string(pairs).unwrap().as_bytes()).unwrap();
    let output = node.wait_with_output().unwrap();
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn verdicts_are_those_of_upgrades_core() {
    let pairs: Vec<(String, String)> =
        PAIRS.iter().map(|(_, before, after, _)| (source(before), source(after))).collect();
    let verdicts = judged(&pairs);
    assert_eq!(verdicts.len(), PAIRS.len());
    let (before, after) =
        (layouts(pairs.iter().map(|(before, _)| before)), layouts(pairs.iter().map(|(_, after)| after)));
    let mut wrong = Vec::new();
    for (((name, .., expected), verdict), (before, after)) in PAIRS.iter().zip(&verdicts).zip(before.iter().zip(&after))
    {
        let ours = told(before, after);
        if ours.is_empty() != verdict.is_empty() || ours != *expected {
            wrong.push(format!("{name}: {ours:?}, not {expected:?}; the judge says {verdict:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn structs_that_contain_themselves_are_compared() {
    // The judge refuses them.
    let node = "struct N { uint256 v; N[] next; } N root;";
    let sources =
        [node, &format!("{node} uint256 z;"), "struct N { address o; uint256 v; N[] next; } N root;"].map(source);
    let layouts = layouts(sources.iter());
    assert_eq!(told(&layouts[0], &layouts[1]), Vec::<String>::new());
    assert_eq!(told(&layouts[0], &layouts[2]), ["root retyped"]);
}

/// What a compiler tells of the storage of `Vault`, without its numbers for definitions.
fn told_storage(solc: &str) -> Value {
    let mut sandbox = Sandbox::new("");
    sandbox.write("foundry.toml", &format!("[profile.default]\nsolc = \"{solc}\"\n"));
    let pragma = "pragma solidity >=0.4.26 <0.6.0;\n";
    sandbox.write(
        "src/Base.sol",
        &format!(
            "{pragma}contract Owned {{ address owner; bool paused; uint8[3] small; }}
            contract Tagged {{ bytes3 tag; uint40 since; }}
            contract Early is Tagged {{ uint256 constant LIMIT = 7; uint96 fee; }}
            contract Late is Owned {{ enum State {{ Open, Closed }} State state; }}"
        ),
    );
    sandbox.write(
        "src/Vault.sol",
        &format!(
            "{pragma}import \"./Base.sol\";
            library Lists {{ struct List {{ uint256[] items; mapping(address => uint256) at; }} }}
            contract Vault is Early, Late {{
                struct Position {{ address whose; bool open; uint128 amount; uint128 since; Node[] nodes; }}
                struct Node {{ uint256 value; mapping(uint256 => Node) next; }}
                uint256 total; string name; bytes data; Vault parent;
                mapping(address => mapping(bytes32 => Position)) positions;
                Position[2] first; Lists.List list; State last;
                function (uint256) external returns (bool) outside; function () internal inside;
                uint64[5] packed; bytes31[2] wide; int24 tick; Position[] rest; uint8[2][3] grid;
            }}"
        ),
    );
    let build = sandbox.build();
    assert!(!build.has_errors(), "{solc}: {:?}", build.diagnostics);
    let contract = build.contract(build.find_contract("src/Vault.sol", "Vault").unwrap());
    assert!(contract.solc.to_string().starts_with(solc), "{}", contract.solc);
    without_numbers(&serde_json::to_value(contract.storage.as_deref()).unwrap())
}

/// A layout without the numbers of definitions, which differ from release to release, and the contracts that declare something.
fn without_numbers(told: &Value) -> Value {
    match told {
        Value::Object(members) => {
            let kept = members.iter().filter(|(key, _)| !matches!(key.as_str(), "astId" | "contract"));
            kept.map(|(key, value)| (plain(key), without_numbers(value))).collect()
        }
        Value::Array(items) => items.iter().map(without_numbers).collect(),
        Value::String(text) => json!(plain(text)),
        other => other.clone(),
    }
}

/// An identifier such as `t_struct(Position)12_storage` without its number.
fn plain(identifier: &str) -> String {
    let mut parts = identifier.split(')');
    let first = parts.next().unwrap_or("").to_owned();
    parts.fold(first, |text, part| text + ")" + part.trim_start_matches(|letter: char| letter.is_ascii_digit()))
}

#[test]
fn what_an_older_compiler_does_not_tell_of_storage_is_what_later_ones_tell() {
    let told = told_storage("0.5.17");
    assert_eq!(told["storage"].as_array().unwrap().len(), 22);
    for older in ["0.4.26", "0.5.0", "0.5.12"] {
        assert_eq!(told_storage(older), told, "{older}");
    }
}
