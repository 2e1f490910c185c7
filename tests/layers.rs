//! The engine's modules form layers, and the files of one module form layers of their own. Nothing here is built or run: the imports are
//! read off the source text.

#[path = "../server/tests/imports/mod.rs"]
mod imports;

use imports::Imports;
use std::{collections::BTreeSet, path::Path};

/// The modules of the engine, the lowest layer first. A module imports only from itself and from those before it.
const LAYERS: [&str; 16] = [
    "tuning",
    "project",
    "compile",
    "code",
    "evm",
    "input",
    "world",
    "harness",
    "solve",
    "lookahead",
    "oracle",
    "finding",
    "corpus",
    "search",
    "fuzz",
    "report",
];

fn imports() -> Imports {
    Imports::of_crate(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))
}

fn layer(module: &str) -> usize {
    LAYERS.iter().position(|layer| *layer == module).unwrap_or_else(|| panic!("{module} is in no layer"))
}

#[test]
fn modules_import_only_from_lower_layers() {
    let imports = imports();
    let upward: Vec<String> = imports
        .iter()
        .filter(|import| match (import.from.first(), import.to.first()) {
            (Some(from), Some(to)) => layer(from) < layer(to),
            // The root imports nothing, and nothing imports from it.
            (None, _) | (_, None) => true,
        })
        .map(ToString::to_string)
        .collect();
    assert!(upward.is_empty(), "imports from the same or a higher layer:\n{}", upward.join("\n"));
    let modules = imports.iter().flat_map(|import| [import.from[0].as_str(), import.to[0].as_str()]);
    let modules: BTreeSet<&str> = modules.collect();
    assert_eq!(modules, BTreeSet::from(LAYERS), "each layer was read");
}

#[test]
fn files_of_one_module_do_not_import_each_other_in_a_circle() {
    let circles = imports().circles();
    assert!(circles.is_empty(), "imports in a circle:\n{}", circles.join("\n\n"));
}
