//! Solc's standard JSON: makes the input for a set of files, and reads the output. The settings are chosen so that the same
//! sources give the same bytes on every machine, and comments do not affect them.

use super::{
    build::{Bytecode, Jump, Link, SourceElement, SourceId},
    graph::Graph,
    span::Span,
};
use crate::project::Project;
use alloy_primitives::Bytes;
use foundry_compilers::artifacts::{self, EvmVersion, sourcemap};
use semver::Version;
use serde_json::{Map, Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The files of an input, by the output that is requested for them.
pub(super) struct Request<'a> {
    /// All sources in the input.
    pub(super) sources: &'a BTreeSet<String>,
    /// The sources with any output. The rest is only imported, and its output is known already.
    pub(super) wanted: &'a BTreeSet<String>,
    /// The sources whose contracts are compiled to code.
    pub(super) with_code: &'a BTreeSet<String>,
    /// Whether the syntax trees of the other sources are needed, too.
    pub(super) all_trees: bool,
}

/// The EVM version that the project asks for, as far as this compiler knows it; else the compiler's own default.
pub(super) fn evm_version(project: &Project, solc: &Version) -> EvmVersion {
    let wanted = project.compiler.evm_version.unwrap_or_else(|| default_evm_version(solc));
    wanted.normalize_version_solc(&plain(solc)).unwrap_or(wanted)
}

/// The default EVM version of a solc release (its release notes).
fn default_evm_version(solc: &Version) -> EvmVersion {
    match (solc.minor, solc.patch) {
        (..=4, ..=20) => EvmVersion::Homestead,
        (..=4, _) | (5, ..=4) => EvmVersion::Byzantium,
        (5, ..=13) => EvmVersion::Petersburg,
        (5..=7, _) | (8, ..=6) => EvmVersion::Istanbul,
        (8, ..=9) => EvmVersion::Berlin,
        (8, ..=17) => EvmVersion::London,
        (8, ..=19) => EvmVersion::Paris,
        (8, ..=24) => EvmVersion::Shanghai,
        (8, ..=29) => EvmVersion::Cancun,
        (8, ..=30) => EvmVersion::Prague,
        _ => EvmVersion::Osaka,
    }
}

fn plain(version: &Version) -> Version {
    Version::new(version.major, version.minor, version.patch)
}

/// How code is generated. A function with more variables than the stack can reach does not compile as configured, but may with
/// the optimizer, or through the IR.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum CodeGeneration {
    /// As the project asks for.
    Configured,
    /// With the optimizer.
    Optimized,
    /// With the optimizer, through the IR.
    ThroughIr,
}

impl CodeGeneration {
    /// The next one to try if the stack is too deep with this one.
    pub(super) fn next(self, project: &Project, solc: &Version) -> Option<Self> {
        let (optimized, ir) = (project.compiler.optimizer.unwrap_or(false), project.compiler.via_ir);
        // Before 0.8.13 the IR is experimental.
        let has_ir = plain(solc) >= Version::new(0, 8, 13);
        match self {
            Self::Configured if !optimized => Some(Self::Optimized),
            Self::Configured | Self::Optimized if has_ir && !(ir && optimized) => Some(Self::ThroughIr),
            _ => None,
        }
    }

    /// In words that follow "compiled".
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::Configured => "as configured",
            Self::Optimized => "with the optimizer",
            Self::ThroughIr => "with the optimizer, through the IR (`via_ir`)",
        }
    }
}

/// Everything in the settings but which files give code: part of the build's identity.
pub(super) fn settings(project: &Project, graph: &Graph, solc: &Version, how: CodeGeneration) -> Value {
    let mut settings = Map::new();
    let remappings: Vec<String> = graph.remappings.iter().map(ToString::to_string).collect();
    settings.insert("remappings".to_owned(), json!(remappings));
    for (key, value) in code_settings(project, solc, how).as_object().into_iter().flatten() {
        settings.insert(key.clone(), value.clone());
    }
    // Before 0.4.21 solc knows no such setting.
    if plain(solc) >= Version::new(0, 4, 21) {
        settings.insert("evmVersion".to_owned(), json!(evm_version(project, solc).to_string()));
    }
    // The hash of the metadata covers comments: without it a comment changes no byte.
    if plain(solc) >= Version::new(0, 6, 0) {
        settings.insert("metadata".to_owned(), json!({ "bytecodeHash": "none" }));
    }
    Value::Object(settings)
}

/// Those of the settings that decide how code is made, beside the EVM version.
pub(super) fn code_settings(project: &Project, solc: &Version, how: CodeGeneration) -> Value {
    let mut settings = Map::new();
    let optimizer = project.compiler.optimizer.unwrap_or(false) || how >= CodeGeneration::Optimized;
    let via_ir = project.compiler.via_ir || how == CodeGeneration::ThroughIr;
    settings.insert(
        "optimizer".to_owned(),
        json!({
            "enabled": optimizer,
            "runs": project.compiler.optimizer_runs.unwrap_or(200),
        }),
    );
    if via_ir && plain(solc) >= Version::new(0, 7, 5) {
        settings.insert("viaIR".to_owned(), json!(true));
    }
    Value::Object(settings)
}

/// The whole input.
pub(super) fn input(graph: &Graph, settings: &Value, request: &Request<'_>) -> Value {
    let sources: Map<String, Value> = request
        .sources
        .iter()
        .filter_map(|name| graph.files.get(name).map(|file| (name.clone(), json!({ "content": &*file.text }))))
        .collect();
    let code = [
        "abi",
        "storageLayout",
        "evm.bytecode.object",
        "evm.bytecode.sourceMap",
        "evm.bytecode.linkReferences",
        "evm.deployedBytecode.object",
        "evm.deployedBytecode.sourceMap",
        "evm.deployedBytecode.linkReferences",
        "evm.deployedBytecode.immutableReferences",
    ];
    let wanted = request.wanted.iter().map(|name| {
        // Of dependencies, what can be called on their contracts is enough.
        let of_contracts = if request.with_code.contains(name) { &code[..] } else { &code[..1] };
        (name.clone(), json!({ "": ["ast"], "*": of_contracts }))
    });
    let others = request.sources.iter().filter(|name| request.all_trees && !request.wanted.contains(*name));
    let others = others.map(|name| (name.clone(), json!({ "": ["ast"] })));
    let selection: Map<String, Value> = others.chain(wanted).collect();
    let mut settings = settings.clone();
    settings["outputSelection"] = Value::Object(selection);
    json!({ "language": "Solidity", "sources": sources, "settings": settings })
}

/// Reads `evm.bytecode` or `evm.deployedBytecode`. `sources` translates the compilation's file ids.
pub(super) fn read_bytecode(json: &Value, sources: &BTreeMap<u32, SourceId>) -> Bytecode {
    let mut links = Vec::new();
    for (file, libraries) in json.get("linkReferences").and_then(Value::as_object).into_iter().flatten() {
        for (library, places) in libraries.as_object().into_iter().flatten() {
            for place in places.as_array().into_iter().flatten() {
                if let Some(offset) = place.get("start").and_then(Value::as_u64) {
                    links.push(Link { file: file.clone(), library: library.clone(), offset: offset as usize });
                }
            }
        }
    }
    let object = json.get("object").and_then(Value::as_str).unwrap_or("");
    let map = json.get("sourceMap").and_then(Value::as_str).unwrap_or("");
    Bytecode { code: read_code(object), links, map: read_source_map(map, sources) }
}

/// The bytes before the metadata hash in the code of compilers that always add one, up to a digit that is 0 or 1.
const METADATA: &[u8] = b"\x65bzzr";
/// The rest of these bytes; the hash of 32 bytes follows.
const HASH: &[u8] = b"\x58\x20";

/// Hex with placeholders (`__$…$__`, or `__Name____` of old) where library addresses go; those become zeros, and so does the hash
/// of the metadata, which covers comments.
fn read_code(object: &str) -> Bytes {
    let text = object.strip_prefix("0x").unwrap_or(object).as_bytes();
    let nibble = |byte: u8| (byte as char).to_digit(16).unwrap_or(0) as u8;
    let mut code = Vec::with_capacity(text.len() / 2);
    let mut at = 0;
    while at + 1 < text.len() {
        if text[at] == b'_' {
            code.extend([0; 20]);
            at += 40;
        } else {
            code.push(nibble(text[at]) << 4 | nibble(text[at + 1]));
            at += 2;
        }
    }
    let before = METADATA.len() + 1 + HASH.len();
    let is_metadata = |window: &[u8]| window.starts_with(METADATA) && window[METADATA.len() + 1..].starts_with(HASH);
    let found: Vec<usize> = code
        .windows(before + 32)
        .enumerate()
        .filter(|(_, window)| is_metadata(window))
        .map(|(at, _)| at + before)
        .collect();
    for hash in found {
        code[hash..hash + 32].fill(0);
    }
    code.into()
}

/// Reads a source map (`s:l:f:j:m;…`, in which what is left out is as in the element before): one element for each instruction.
/// `sources` translates the compilation's file ids. A map that is none is an empty one.
pub fn read_source_map(text: &str, sources: &BTreeMap<u32, SourceId>) -> Vec<SourceElement> {
    let elements = sourcemap::parse(text).unwrap_or_default();
    elements
        .iter()
        .map(|element| SourceElement {
            source: element.index().and_then(|index| sources.get(&index).copied()),
            span: Span::new(element.offset(), element.offset().saturating_add(element.length())),
            jump: match element.jump() {
                sourcemap::Jump::In => Jump::In,
                sourcemap::Jump::Out => Jump::Out,
                sourcemap::Jump::Regular => Jump::Regular,
            },
        })
        .collect()
}

/// Byte ranges of immutables.
pub(super) fn read_immutables(deployed: &Value) -> Vec<(usize, usize)> {
    let references = deployed.get("immutableReferences").and_then(Value::as_object);
    let mut ranges: Vec<(usize, usize)> = references
        .into_iter()
        .flat_map(|references| references.values())
        .filter_map(Value::as_array)
        .flatten()
        .filter_map(|place| Some((place.get("start")?.as_u64()? as usize, place.get("length")?.as_u64()? as usize)))
        .collect();
    ranges.sort_unstable();
    ranges
}

/// Reads the `errors` of an output.
pub(super) fn read_errors(output: &Value) -> Vec<artifacts::Error> {
    let errors = output.get("errors").and_then(Value::as_array);
    errors.into_iter().flatten().filter_map(|error| serde_json::from_value(error.clone()).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn placeholders_of_both_kinds_become_zeros() {
        let modern = format!("6001__${}$__02", "a".repeat(34));
        let old = format!("6001__Lib{}02", "_".repeat(35));
        for object in [modern, old] {
            let code = read_code(&object);
            assert_eq!(code.len(), 23, "{object}");
            assert_eq!((code[1], code[2], code[22]), (1, 0, 2));
        }
    }

    #[test]
    fn a_broken_source_map_is_an_empty_one() {
        assert!(read_source_map("1:2:x;;", &BTreeMap::new()).is_empty());
    }

    fn files() -> BTreeMap<u32, SourceId> {
        (0..4).map(|id| (id, SourceId(id))).collect()
    }

    fn any_element() -> impl Strategy<Value = SourceElement> {
        (0..3u32, 0..9u32, prop::option::of(0..4u32), 0..3usize).prop_map(|(start, length, source, jump)| {
            SourceElement {
                source: source.map(SourceId),
                span: Span::new(start, start + length),
                jump: [Jump::In, Jump::Out, Jump::Regular][jump],
            }
        })
    }

    fn fields(element: &SourceElement) -> [String; 4] {
        let jump = match element.jump {
            Jump::In => "i",
            Jump::Out => "o",
            Jump::Regular => "-",
        };
        let file = element.source.map_or("-1".to_owned(), |source| source.0.to_string());
        [element.span.start.to_string(), element.span.len().to_string(), file, jump.to_owned()]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn what_is_left_out_is_as_before(elements in prop::collection::vec(any_element(), 1..20)) {
            let mut written = Vec::new();
            for (at, element) in elements.iter().enumerate() {
                let before = at.checked_sub(1).map(|at| fields(&elements[at]));
                let mut fields = fields(element);
                for (field, before) in fields.iter_mut().zip(before.iter().flatten()) {
                    if field == before {
                        field.clear();
                    }
                }
                written.push(fields.join(":").trim_end_matches(':').to_owned());
            }
            prop_assert_eq!(read_source_map(&written.join(";"), &files()), elements);
        }

        #[test]
        fn any_text_is_a_source_map_or_an_empty_one(text in "([0-9]{0,11}|[-:;io]|.){0,40}") {
            let elements = read_source_map(&text, &files());
            prop_assert!(elements.is_empty() || elements.len() == text.matches(';').count() + 1);
        }
    }
}
