//! The server's files stand in layers: no two of them import each other, directly or by way of others, and no two folders do.

mod imports;

use imports::Imports;
use std::path::{Path, PathBuf};

#[test]
fn no_circle_of_imports_in_the_server() {
    let imports = Imports::of_crate(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"));
    assert!(imports.iter().count() > 100, "only {} imports were read", imports.iter().count());
    let circles = imports.circles();
    assert!(circles.is_empty(), "imports in a circle:\n{}", circles.join("\n\n"));
}

/// The circles of a crate of these files.
fn circles(files: &[(&str, &str)]) -> Vec<String> {
    let files: Vec<(PathBuf, String)> = files.iter().map(|(path, text)| (path.into(), (*text).to_owned())).collect();
    Imports::of_files(&files).circles()
}

#[test]
fn a_circle_is_told_with_each_of_its_imports() {
    let a = ("a.rs", "//! A.\n\nuse crate::{b::{B, C as D}, e::*};\n");
    for (b, circle) in [
        ("use std::fmt;", None),
        ("use super::a::A;", Some("b.rs:1 names a")),
        ("fn f() { tracing::warn!(\"{}\", crate::a::A); }", Some("b.rs:1 names a")),
        ("#[cfg(test)]\nmod tests {\n    use super::{super::a, *};\n}", Some("b.rs:3 names a")),
        ("pub(in crate::a) struct B;", None),
        ("// use super::a::A;\n/* use super::a::A; /* */ use super::a::A; */", None),
        ("const TEXT: &str = \"use super::a::A; \\\"\"; const RAW: &str = r#\"use super::a::A;\"#;", None),
        ("fn f<'a>(a: &'a str) -> char { '\"' }\nuse super::a::A;", Some("b.rs:2 names a")),
        ("use a::A;", None), // another crate
    ] {
        let expected: Vec<String> = circle.map(|back| format!("a.rs:3 names b\n{back}")).into_iter().collect();
        assert_eq!(circles(&[("lib.rs", "mod a; mod b; mod e;"), a, ("b.rs", b), ("e.rs", "")]), expected, "{b}");
    }
}

#[test]
fn a_circle_may_be_long_and_may_be_one_of_folders() {
    let root = ("lib.rs", "mod a; mod b; mod c; use a::A;");
    let (a, c) = (("a.rs", "use super::b::x::X;"), ("c.rs", "use crate::a::A;"));
    let inside = [root, a, ("b/mod.rs", "mod x; mod y;"), ("b/x.rs", ""), ("b/y.rs", "use crate::c::C;"), c];
    assert_eq!(circles(&inside), ["a.rs:1 names b::x\nb/y.rs:1 names c\nc.rs:1 names a"]);
    let parent = [("lib.rs", "mod b;"), ("b.rs", "mod x;\nuse x::X;"), ("b/x.rs", "use super::B;")];
    assert_eq!(circles(&parent), ["b.rs:2 names b::x\nb/x.rs:1 names b"]);
}
