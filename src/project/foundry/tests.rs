use foundry_compilers::artifacts::EvmVersion;
use semver::Version;

use super::*;
use crate::project::{model::CompilerConfig, solc::SolcChoice};
use crate::project::{sample_settings::SETTINGS, tree::Tree};

/// A Foundry project with this configuration and a `src` folder.
fn with(toml: &str) -> (Tree, Project) {
    let tree = Tree::new(&format!("//- src/A.sol\n//- foundry.toml\n{toml}"));
    let project = tree.load("");
    (tree, project)
}

fn error(toml: &str) -> String {
    let tree = Tree::new(&format!("//- src/A.sol\n//- foundry.toml\n{toml}"));
    let error = Project::load_with_profile(&tree.path(""), None, None, &SETTINGS).unwrap_err().to_string();
    error.replace(&format!("{}/", tree.path("").display()), "")
}

#[test]
fn an_empty_file_has_forges_defaults() {
    let (tree, project) = with("");
    assert_eq!(project.layout, Layout::Foundry);
    assert_eq!(tree.show(&project.sources), ["src"]);
    assert_eq!(tree.show([&project.tests]), ["test"]);
    assert_eq!(tree.show(&project.scripts), ["script"]);
    assert_eq!(tree.show(&project.libraries), ["lib"]);
    assert_eq!(tree.show(&project.outputs), ["out", "cache", "artifacts"]);
    assert_eq!(
        project.compiler,
        CompilerConfig { optimizer: Some(false), optimizer_runs: Some(200), ..CompilerConfig::default() }
    );
    assert_eq!((project.remappings, project.warnings), (vec![], vec![]));
}

#[test]
fn everything_that_matters_is_read() {
    let (tree, project) = with(
        "[profile.default]
        src = 'code'
        test = 'code/test'
        script = './tools'
        libs = ['deps', '../shared']
        out = 'build'
        cache_path = '.forge'
        solc = '0.8.28'
        evm_version = 'Paris'
        optimizer = true
        optimizer_runs = 1_000_000
        via_ir = true
        include_paths = ['inc']
        remappings = ['@a/=deps/a/contracts/']
        [fuzz]
        runs = 1000
        [profile.default.fmt]
        line_length = 100
        [unknown]
        key = 1979-05-27\n//- code/B.sol",
    );
    assert_eq!(tree.show(&project.sources), ["code"]);
    assert_eq!(tree.show([&project.tests]), ["code/test"]);
    assert_eq!(tree.show(&project.scripts), ["tools"]);
    assert_eq!(project.libraries, [tree.path("deps"), tree.path("").parent().unwrap().join("shared")]);
    assert_eq!(tree.show(&project.outputs), ["build", ".forge", "out", "cache", "artifacts"]);
    assert_eq!(tree.show(&project.include_paths), ["inc"]);
    assert_eq!(tree.show_remappings(&project), ["@a/=deps/a/contracts/"]);
    let expected = CompilerConfig {
        listed: Vec::new(),
        solc: Some(SolcChoice::Version(Version::new(0, 8, 28))),
        evm_version: Some(EvmVersion::Paris),
        optimizer: Some(true),
        optimizer_runs: Some(1_000_000),
        via_ir: true,
    };
    assert_eq!((project.compiler, project.warnings), (expected, vec![]));
}

#[test]
fn keys_are_taken_in_every_case_as_forge_does() {
    let (_, project) = with("[profile.default]\nviaIR = true\noptimizer-runs = 7\nevmVersion = 'paris'");
    assert_eq!(
        (project.compiler.via_ir, project.compiler.optimizer_runs, project.compiler.evm_version),
        (true, Some(7), Some(EvmVersion::Paris))
    );
}

#[test]
fn the_optimizer_follows_its_runs() {
    for (toml, optimizer, runs) in [
        ("", false, 200),
        ("optimizer = true", true, 200),
        ("optimizer_runs = 7", true, 7),
        ("optimizer_runs = 0", false, 0),
        ("optimizer = false\noptimizer_runs = 7", false, 7),
    ] {
        let (_, project) = with(&format!("[profile.default]\n{toml}"));
        assert_eq!(
            (project.compiler.optimizer, project.compiler.optimizer_runs),
            (Some(optimizer), Some(runs)),
            "{toml}"
        );
    }
}

#[test]
fn solc_by_version_range_or_path_and_by_its_older_name() {
    let (tree, project) = with("[profile.default]\nsolc = './bin/solc'");
    assert_eq!(project.compiler.solc, Some(SolcChoice::Path(tree.path("bin/solc"))));
    let (_, project) = with("[profile.default]\nsolc = '^0.8.20'");
    assert!(matches!(project.compiler.solc, Some(SolcChoice::Requirement(_))));
    let (_, project) = with("[profile.default]\nsolc_version = '0.8.20'\nauto_detect_solc = false");
    assert_eq!(project.compiler.solc, Some(SolcChoice::Version(Version::new(0, 8, 20))));
    let (_, project) = with("[profile.default]\nsolc_version = '0.8.20'\nsolc = '0.8.21'");
    assert_eq!(project.compiler.solc, Some(SolcChoice::Version(Version::new(0, 8, 21))));
}

#[test]
fn a_profile_lies_over_default() {
    let tree = Tree::new(
        "//- ci/A.sol\n//- foundry.toml\n[profile.default]\nsrc = 'src'\nvia_ir = true\nremappings = ['a/=x/']
[profile.ci]\nsrc = 'ci'\nremappings = ['b/=y/']",
    );
    let project = Project::load_with_profile(&tree.path(""), None, Some("ci"), &SETTINGS).unwrap();
    assert_eq!(tree.show(&project.sources), ["ci"]);
    assert!(project.compiler.via_ir);
    assert_eq!(tree.show_remappings(&project), ["b/=y/"], "lists are replaced as a whole");
    assert_eq!(project.warnings, []);
}

#[test]
fn a_profile_that_is_not_there_is_told_and_default_serves() {
    let tree = Tree::new("//- src/A.sol\n//- foundry.toml\n[profile.default]\nvia_ir = true");
    let project = Project::load_with_profile(&tree.path(""), None, Some("ci"), &SETTINGS).unwrap();
    assert!(project.compiler.via_ir);
    assert_eq!(
        tree.show_warnings(&project),
        ["foundry.toml: there is no `[profile.ci]`, which FOUNDRY_PROFILE names; `default` is used"]
    );
    let project = Project::load_with_profile(&tree.path(""), None, Some("default"), &SETTINGS).unwrap();
    assert_eq!(project.warnings, []);
}

#[test]
fn folders_are_detected_as_forge_does() {
    for (files, source, libraries) in [
        ("//- src/A.sol\n//- lib/x/X.sol", "src", vec!["lib"]),
        ("//- contracts/A.sol\n//- node_modules/x/X.sol", "contracts", vec!["node_modules"]),
        ("//- contracts/A.sol\n//- src/A.sol\n//- node_modules/x/\n//- lib/y/", "src", vec!["lib", "node_modules"]),
    ] {
        let tree = Tree::new(&format!("{files}\n//- foundry.toml\n[profile.default]"));
        let project = tree.load("");
        assert_eq!(tree.show(&project.sources), [source], "{files}");
        assert_eq!(tree.show(&project.libraries), libraries, "{files}");
    }
}

#[test]
fn a_file_beside_a_hardhat_configuration_decides() {
    let tree =
        Tree::new("//- foundry.toml\n//- hardhat.config.ts\nexport default { solidity: '0.5.0' }\n//- contracts/A.sol");
    let project = tree.load("");
    assert_eq!((project.layout, project.compiler.solc), (Layout::Foundry, None));
    assert_eq!(tree.show(&project.sources), ["contracts"]);
}

#[test]
fn a_broken_file_is_an_error_with_line_and_remedy() {
    let message = error("[profile.default]\nsrc = 'src'\nlibs = [\n'lib'\n");
    assert!(message.starts_with("foundry.toml:"), "{message}");
    let message = error("# 😀\r\n[profile.default\r\nsrc = 'src'\r\n");
    assert!(message.starts_with("foundry.toml:2: is not valid TOML: "), "{message}");
    assert!(message.ends_with("; correct this line (`forge config` refuses it too)"), "{message}");
}

#[test]
fn a_value_of_the_wrong_kind_is_an_error_with_line_and_remedy() {
    let remedy = "; correct it, or remove the line for the default";
    for (toml, message) in [
        ("src = 1", "`src` must be a string, not 1"),
        ("libs = 'lib'", "`libs` must be a list of strings, not \"lib\""),
        ("via_ir = 'yes'", "`via_ir` must be `true` or `false`, not \"yes\""),
        ("optimizer_runs = -1", "`optimizer_runs` must be a whole number below 2^32, not -1"),
        ("remappings = { a = 'b' }", "`remappings` must be a list of strings, not a table"),
    ] {
        assert_eq!(
            error(&format!("[profile.default]\n\n{toml}\n")),
            format!("foundry.toml:3: {message}{remedy}"),
            "{toml}"
        );
    }
}

#[test]
fn a_version_that_is_none_is_an_error() {
    let message = error("[profile.default]\nsolc = '^x'");
    assert_eq!(
        message,
        "foundry.toml:2: `solc` must be a version (`0.8.28`), a range (`^0.8.20`) or a path, not \"^x\"; correct it, or remove the \
         line for the default"
    );
}

#[test]
fn what_can_be_worked_around_is_a_warning() {
    let (tree, project) = with(
        "[profile.default]\nextends = 'base.toml'\nevm_version = 'shangai'\nremappings = [\n  'good/=lib/good/',\n  'bad',\n]",
    );
    assert_eq!(tree.show_remappings(&project), ["good/=lib/good/"]);
    assert_eq!(
        tree.show_warnings(&project),
        [
            "foundry.toml:2: `extends` is not followed: repeat here the keys that matter for compiling",
            "foundry.toml:3: `evm_version` must be the name of an EVM version such as `cancun`, not \"shangai\"; did you mean \
             `shanghai`?; the compiler's default is used",
            "foundry.toml:6: not a remapping: \"bad\"; write `prefix/=folder/` (it is ignored)",
        ]
    );
}

#[test]
fn a_byte_order_mark_and_crlf_do_no_harm() {
    let (_, project) = with("\u{feff}[profile.default]\r\nvia_ir = true\r\n");
    assert!(project.compiler.via_ir);
}

#[test]
fn the_seed_of_forges_fuzzing_serves_where_there_is_no_other() {
    for (toml, seed) in [
        ("[fuzz]\nseed = 7", Some(7)),
        ("[fuzz]\nseed = '0xff'", Some(255)),
        ("[profile.default.fuzz]\nseed = '12'\n[fuzz]\nseed = 7", Some(12)),
        ("[fuzz]\nseed = '0x10000000000000005'", Some(5)),
        ("[fuzz]\nseed = 7\n//- bellwether.toml\nseed = 3", Some(3)),
        ("[fuzz]\nruns = 7", None),
    ] {
        let (_, project) = with(toml);
        assert_eq!((project.config.seed, project.warnings), (seed, vec![]), "{toml}");
    }
    let (tree, project) = with("[fuzz]\nruns = 7\nseed = 'x'");
    assert_eq!(
        tree.show_warnings(&project),
        ["foundry.toml:3: `seed` of `[fuzz]` is not used: write a number, such as `7` or `\"0x7\"`"]
    );
}
