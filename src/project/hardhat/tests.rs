use foundry_compilers::artifacts::EvmVersion;
use semver::Version;

use super::*;
use crate::project::tree::Tree;

/// A Hardhat project with this configuration and a `contracts` folder.
fn with(config: &str) -> (Tree, Project) {
    let tree = Tree::new(&format!("//- contracts/A.sol\n//- hardhat.config.ts\n{config}"));
    let project = tree.load("");
    (tree, project)
}

fn pinned(minor: u64, patch: u64) -> Option<SolcChoice> {
    Some(SolcChoice::Version(Version::new(0, minor, patch)))
}

#[test]
fn defaults() {
    let (tree, project) = with("");
    assert_eq!(project.layout, Layout::Hardhat);
    assert_eq!(tree.show(&project.sources), ["contracts"]);
    assert_eq!(tree.show([&project.tests]), ["test"]);
    assert_eq!(tree.show(&project.libraries), ["node_modules"]);
    assert_eq!((project.scripts, project.compiler), (None, CompilerConfig::default()));
    assert_eq!(project.warnings, []);
}

#[test]
fn the_version_alone() {
    let (_, project) = with("export default { solidity: '0.8.28' }");
    assert_eq!(project.compiler, CompilerConfig { solc: pinned(8, 28), ..CompilerConfig::default() });
}

#[test]
fn version_and_settings() {
    let expected = CompilerConfig {
        listed: Vec::new(),
        solc: pinned(7, 6),
        evm_version: Some(EvmVersion::Istanbul),
        optimizer: Some(true),
        optimizer_runs: Some(800),
        via_ir: true,
    };
    let one = "{ version: '0.7.6', settings: { optimizer: { enabled: true, runs: 800 }, viaIR: true, evmVersion: 'istanbul' } }";
    for solidity in [
        one.to_owned(),
        format!("{{ compilers: [{one}] }}"),
        format!("{{ compilers: [{one}], overrides: {{}} }}"),
        format!("{{ profiles: {{ default: {one}, production: {{ version: '0.8.1' }} }} }}"),
    ] {
        let (_, project) =
            with(&format!("const config: HardhatUserConfig = {{ solidity: {solidity} }};\nexport default config;"));
        assert_eq!(project.compiler, expected, "{solidity}");
        assert_eq!(project.warnings, [], "{solidity}");
    }
}

#[test]
fn several_versions_pin_none_and_keep_what_they_share() {
    let (_, project) = with(
        "module.exports = { solidity: { compilers: [
            { version: '0.8.20', settings: { optimizer: { enabled: true, runs: 200 } } },
            { version: '0.6.12', settings: { optimizer: { enabled: true, runs: 999 } } },
        ] } }",
    );
    let listed = vec![semver::Version::new(0, 8, 20), semver::Version::new(0, 6, 12)];
    assert_eq!(project.compiler, CompilerConfig { optimizer: Some(true), listed, ..CompilerConfig::default() });
    assert_eq!(project.warnings, []);
}

#[test]
fn overrides_pin_none_unless_they_are_of_the_same_version() {
    for (version, solc) in [("0.5.0", None), ("0.8.20", pinned(8, 20))] {
        let (_, project) = with(&format!(
            "const OLD = {{ version: '{version}', settings: {{ optimizer: {{ runs: 2 }} }} }}
            module.exports = {{ solidity: {{
                compilers: [{{ version: '0.8.20', settings: {{ optimizer: {{ runs: 1_000_000 }} }} }}],
                overrides: {{ 'contracts/Old.sol': OLD }},
            }} }}"
        ));
        assert_eq!(project.compiler.solc, solc);
        assert_eq!(project.compiler.optimizer_runs, Some(1_000_000));
        assert_eq!(project.warnings, []);
    }
}

#[test]
fn what_is_computed_is_a_warning_with_its_line() {
    let (tree, project) = with("module.exports = {\n  solidity: process.env.SOLC,\n}");
    assert_eq!(project.compiler, CompilerConfig::default());
    assert_eq!(
        tree.show_warnings(&project),
        [
            "hardhat.config.ts:2: the version in `solidity` is computed, and this file is never executed; each file's pragma decides \
          (`solc` in bellwether.toml pins one)"
        ]
    );
}

#[test]
fn folders_are_taken_from_paths() {
    let tree = Tree::new(
        "//- src/A.sol\n//- hardhat.config.js\nmodule.exports = { paths: { sources: './src', tests: './spec', cache: 'c' } }",
    );
    let project = tree.load("");
    assert_eq!(tree.show(&project.sources), ["src"]);
    assert_eq!(tree.show([&project.tests]), ["spec"]);
    assert_eq!(tree.show(&project.outputs), ["artifacts", "c", "out", "cache"]);

    let tree = Tree::new(
        "//- a/A.sol\n//- b/B.sol\n//- hardhat.config.js
export default { paths: { sources: ['a', 'b'], tests: { mocha: 'm', solidity: 's' } } }",
    );
    let project = tree.load("");
    assert_eq!(tree.show(&project.sources), ["a", "b"]);
    assert_eq!(tree.show([&project.tests]), ["s"]);
}

#[test]
fn remappings_txt_is_read() {
    let tree = Tree::new("//- hardhat.config.js\n//- contracts/A.sol\n//- remappings.txt\n@x/=node_modules/x-1/\n");
    assert_eq!(tree.show_remappings(&tree.load("")), ["@x/=node_modules/x-1/"]);
}

#[test]
fn a_missing_source_folder_is_told() {
    let tree = Tree::new("//- hardhat.config.cjs");
    let warnings = tree.show_warnings(&tree.load(""));
    assert_eq!(
        warnings,
        ["hardhat.config.cjs: there is no folder contracts to look for contracts in; make it, or name the right one (`paths.sources`)"]
            .map(|warning| warning.replace("folder contracts", &format!("folder {}", tree.path("contracts").display())))
            .map(|warning| warning.replace(&format!("{}/", tree.path("").display()), "")),
    );
}
