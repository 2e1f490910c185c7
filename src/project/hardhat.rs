//! `hardhat.config.*`, read as text and never executed: the compiler's version and settings and the folders, as far as they stand
//! there as literals. What is computed is left to the files' pragmas and Hardhat's defaults, with a warning.

use std::{fs, path::Path};

use super::{
    document,
    evm::parse_evm_version,
    javascript::{Literal, Script},
    model::{CompilerConfig, Layout, Project},
    paths::resolve,
    remappings::Remappings,
    solc::SolcChoice,
    warning::ProjectWarning,
};

/// The largest configuration that is read, in bytes; chosen by hand.
const MAX_CONFIG_BYTES: u64 = 1 << 20;

/// The project whose root holds the given Hardhat configuration. What cannot be read is a warning.
pub(super) fn load(root: &Path, file: &Path) -> Project {
    let mut project = Project { layout: Layout::Hardhat, ..Project::empty(root) };
    let mut warn = |line: Option<usize>, message: String| {
        project.warnings.push(ProjectWarning { file: Some(file.to_path_buf()), line, message });
    };
    let text = match fs::metadata(file).and_then(|metadata| match metadata.len() {
        0..=MAX_CONFIG_BYTES => document::read(file),
        _ => Err(std::io::Error::other("it is larger than 1 MiB")),
    }) {
        Ok(text) => text,
        Err(error) => {
            warn(None, format!("cannot be read: {error}; Hardhat's defaults are used"));
            String::new()
        }
    };
    let script = Script::new(&text);

    if let Some((solidity, line)) = script.property("solidity") {
        let mut unread = |what: &str| {
            warn(Some(line), format!("{what}; each file's pragma decides (`solc` in bellwether.toml pins one)"));
        };
        project.compiler = compiler(&solidity, &mut unread);
    }
    let paths = script.property("paths").map_or(Literal::Unknown, |(paths, _)| paths);
    let folder = |text: &str| resolve(root, text);
    let sources = folders(paths.get("sources"));
    project.sources =
        if sources.is_empty() { vec![folder("contracts")] } else { sources.into_iter().map(folder).collect() };
    // Hardhat 3 has one folder for each kind of test.
    let tests = paths.get("tests").map(|tests| tests.get("solidity").unwrap_or(tests));
    project.tests = folder(tests.and_then(Literal::text).unwrap_or("test"));
    project.test_folders = vec![project.tests.clone()];
    for (key, default) in [("artifacts", "artifacts"), ("cache", "cache")] {
        project.outputs.push(folder(paths.get(key).and_then(Literal::text).unwrap_or(default)));
    }
    project.libraries = vec![folder("node_modules")];

    let mut remappings = Remappings::new(root);
    remappings.read_text_file(&mut project.warnings);
    project.remappings = remappings.finish();
    project
}

/// The compiler that `solidity:` asks for. `unread` is called with a description of each part that could not be read.
fn compiler(solidity: &Literal, unread: &mut dyn FnMut(&str)) -> CompilerConfig {
    // Hardhat 3 has build profiles, of which `default` is built by default.
    let solidity = solidity.get("profiles").and_then(|profiles| profiles.get("default")).unwrap_or(solidity);
    let compilers: Vec<&Literal> = match (solidity.get("compilers"), solidity) {
        (Some(Literal::List(compilers)), _) | (None, Literal::List(compilers)) => compilers.iter().collect(),
        (Some(other), _) => vec![other],
        (None, one) => vec![one],
    };
    // One version for all files can be pinned; where there are several, each file's pragma knows which it needs.
    let overrides: Vec<&Literal> = match solidity.get("overrides") {
        Some(Literal::Object(overrides)) => overrides.iter().map(|(_, compiler)| compiler).collect(),
        other => other.into_iter().collect(),
    };
    let versions: Vec<Option<&str>> = compilers
        .iter()
        .chain(&overrides)
        .map(|compiler| compiler.text().or_else(|| compiler.get("version")?.text()))
        .collect();
    let mut solc = None;
    if let [first, others @ ..] = versions.as_slice()
        && others.iter().all(|other| other == first)
    {
        let version = first.and_then(|version| semver::Version::parse(version.trim()).ok());
        solc = version.map(SolcChoice::Version);
        if solc.is_none() {
            unread("the version in `solidity` is computed, and this file is never executed");
        }
    }
    // Settings that all compilers share hold for all files.
    let shared = |path: &[&str]| {
        let follow = |compiler: &&Literal| path.iter().try_fold(*compiler, |literal, name| literal.get(name)).cloned();
        let mut values = compilers.iter().map(follow);
        let first = values.next().flatten()?;
        values.all(|value| value.as_ref() == Some(&first)).then_some(first)
    };
    let is = |literal: Option<Literal>| {
        literal.and_then(|literal| match literal {
            Literal::Boolean(boolean) => Some(boolean),
            _ => None,
        })
    };
    let evm_version = shared(&["settings", "evmVersion"]).and_then(|name| {
        let parsed = name.text().map_or_else(|| Err("is computed".to_owned()), parse_evm_version);
        parsed.inspect_err(|reason| unread(&format!("`evmVersion` {reason}"))).ok()
    });
    let listed = versions.iter().filter_map(|version| semver::Version::parse(version.as_ref()?.trim()).ok());
    let listed = if solc.is_none() { listed.collect() } else { Vec::new() };
    CompilerConfig {
        listed,
        solc,
        evm_version,
        optimizer: is(shared(&["settings", "optimizer", "enabled"])),
        optimizer_runs: match shared(&["settings", "optimizer", "runs"]) {
            Some(Literal::Number(runs)) => u32::try_from(runs).ok(),
            _ => None,
        },
        via_ir: is(shared(&["settings", "viaIR"])).unwrap_or(false),
    }
}

/// One folder, or a list of them.
fn folders(literal: Option<&Literal>) -> Vec<&str> {
    match literal {
        Some(Literal::List(items)) => items.iter().filter_map(Literal::text).collect(),
        Some(one) => one.text().into_iter().collect(),
        None => Vec::new(),
    }
}

#[cfg(test)]
mod tests;
