use semver::Version;

use super::{sample_settings::SETTINGS, tree::Tree, *};

#[test]
fn a_plain_folder() {
    let tree = Tree::new("//- A.sol");
    let project = tree.load("");
    assert_eq!(project.layout, Layout::Plain);
    assert_eq!(project.sources, [tree.path("")]);
    assert_eq!(tree.show([&project.tests]), ["test"]);
    assert_eq!((project.scripts.as_ref(), project.libraries.len()), (None, 0));
    assert_eq!(project.compiler, CompilerConfig::default());
    assert_eq!((project.remappings, project.warnings), (vec![], vec![]));
}

#[test]
fn a_plain_folder_with_the_usual_folders() {
    let tree = Tree::new(
        "//- A.sol\n//- tests/T.sol\n//- script/S.sol\n//- node_modules/x/X.sol\n//- lib/d/src/D.sol\n//- remappings.txt\nq/=lib/q/",
    );
    let project = tree.load("");
    assert_eq!(tree.show([&project.tests]), ["tests"]);
    assert_eq!(tree.show(&project.scripts), ["script"]);
    assert_eq!(tree.show(&project.libraries), ["lib", "node_modules"]);
    assert_eq!(tree.show_remappings(&project), ["q/=lib/q/", "d/=lib/d/src/"]);
}

#[test]
fn our_own_file_alone_makes_a_plain_project() {
    let tree = Tree::new("//- bellwether.toml\nworkers = 2\n//- src/A.sol");
    let project = Project::open(&tree.path("src/A.sol"), None).unwrap();
    assert_eq!((project.layout, project.config.workers), (Layout::Plain, Some(2)));
    assert_eq!(project.sources, [tree.path("")]);
}

#[test]
fn packages_are_found_where_a_monorepo_hoists_them() {
    let tree = Tree::new(
        "//- node_modules/a/\n//- packages/node_modules/b/\n//- packages/h/hardhat.config.js\n//- packages/h/contracts/
//- packages/f/foundry.toml\n//- packages/f/src/\n//- packages/p/node_modules/",
    );
    let hoisted = ["packages/node_modules", "node_modules"];
    for (root, own) in [
        ("packages/h", "packages/h/node_modules"),
        ("packages/f", "packages/f/lib"),
        ("packages/p", "packages/p/node_modules"),
    ] {
        let project = tree.load(root);
        assert_eq!(tree.show(&project.libraries), [&[own], &hoisted[..]].concat(), "{root}");
    }
}

#[test]
fn our_settings_choose_the_compiler_over_foundry_toml() {
    let tree = Tree::new(
        "//- foundry.toml\n[profile.default]\nsolc = '0.8.20'\n//- src/\n//- bellwether.toml\nsolc = '0.8.28'",
    );
    assert_eq!(tree.load("").compiler.solc, Some(SolcChoice::Version(Version::new(0, 8, 28))));
}

#[test]
fn an_editors_settings_lie_over_the_file() {
    let tree = Tree::new("//- bellwether.toml\nsolc = './a/solc'\nworkers = 1\nseed = 3");
    let mut project = tree.load("");
    assert_eq!(project.compiler.solc, Some(SolcChoice::Path(tree.path("a/solc"))));
    project.configure(Config { solc: Some("b/solc".into()), workers: Some(4), ..Config::default() });
    assert_eq!(project.compiler.solc, Some(SolcChoice::Path(tree.path("b/solc"))));
    assert_eq!((project.config.workers, project.config.seed), (Some(4), Some(3)));

    project.configure(Config { solc: Some("^x".into()), ..Config::default() });
    assert_eq!(project.compiler.solc, Some(SolcChoice::Path(tree.path("b/solc"))));
    assert_eq!(project.warnings.len(), 1);
}

#[test]
fn mistakes_in_our_file_are_warnings() {
    let tree = Tree::new("//- bellwether.toml\nworkers = 2\nrnu = 'off'\n//- A.sol");
    let project = tree.load("");
    assert_eq!(tree.show_warnings(&project), ["bellwether.toml:2: unknown setting `rnu`; did you mean `run`?"]);
    assert_eq!(project.config.workers, Some(2));
}

#[test]
fn a_file_outside_of_any_project_is_a_project_of_its_own() {
    let tree = Tree::new("//- x/A.t.sol\n//- x/B.sol\n//- x/C.txt");
    let file = tree.path("x/A.t.sol");
    let project = Project::open(&file, None).unwrap();
    assert_eq!((&project.root, &project.sources), (&tree.path("x"), &vec![file.clone()]));
    assert_eq!((project.files(), project.role(&file)), (vec![file.clone()], FileRole::Contract));
    assert_eq!(project.role(&tree.path("x/B.sol")), FileRole::Dependency);

    let in_workspace = Project::open(&file, Some(&tree.path(""))).unwrap();
    assert_eq!((&in_workspace.root, &in_workspace.sources), (&tree.path(""), &vec![tree.path("")]));
    assert_eq!(Project::open(&tree.path("x"), None).unwrap().sources, [tree.path("x")]);
    assert_eq!(Project::open(&tree.path("x/C.txt"), None).unwrap().sources, [tree.path("x")]);
}

#[test]
fn a_file_of_a_project_opens_the_project() {
    let tree = Tree::new("//- foundry.toml\n//- src/A.sol");
    let project = Project::open(&tree.path("src/A.sol"), None).unwrap();
    assert_eq!(tree.show(&project.sources), ["src"]);
}

#[test]
fn what_is_not_there_is_an_error_that_says_what_to_give() {
    let tree = Tree::new("//- A.sol");
    let missing = tree.path("none");
    let remedy = "no such file or folder; give the path of a project, of a folder with contracts, or of a .sol file";
    assert_eq!(Project::open(&missing, None).unwrap_err().to_string(), format!("{}: {remedy}", missing.display()));
    assert_eq!(Project::load(&missing).unwrap_err().to_string(), format!("{}: {remedy}", missing.display()));
    assert!(matches!(Project::load(&tree.path("A.sol")), Err(ProjectError::NotAFolder { .. })));
}

#[test]
fn files_that_are_not_text() {
    let tree = Tree::new("//- hardhat.config.js\n//- contracts/\n//- bellwether.toml\n//- remappings.txt");
    for name in ["bellwether.toml", "remappings.txt", "hardhat.config.js"] {
        std::fs::write(tree.path(name), b"\xff\xfe\x00").unwrap();
    }
    let warnings = tree.show_warnings(&tree.load(""));
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings.iter().all(|warning| warning.contains(": cannot be read: ")), "{warnings:?}");

    std::fs::write(tree.path("foundry.toml"), b"\xff\xfe\x00").unwrap();
    let error = Project::load_with_profile(&tree.path(""), None, None, &SETTINGS).unwrap_err();
    assert!(error.to_string().ends_with("; make it a readable UTF-8 file, or remove it"), "{error}");
}

/// The folder for tests, and the warnings without what stands before the message.
fn tests_and_warnings(tree: &Tree, project: &Project) -> (String, Vec<String>) {
    let tests = tree.show([&project.tests]).remove(0);
    (
        tests,
        project
            .warnings
            .iter()
            .map(|warning| warning.to_string().replace(&*tree.path("").to_string_lossy(), ""))
            .collect(),
    )
}

#[test]
fn a_test_folder_outside_of_the_workspace_is_refused_unless_the_user_names_it() {
    for (files, warning) in [
        (
            "//- w/p/A.sol\n//- w/p/bellwether.toml\nworkers = 1\n[test]\ndirectory = '../../out'",
            "/w/p/bellwether.toml:3: `test.directory` leads out of the workspace, to /out,",
        ),
        (
            "//- w/p/src/A.sol\n//- w/p/foundry.toml\n[profile.default]\ntest = '../../out'",
            "/w/p/foundry.toml: `test` leads out of the workspace, to /out,",
        ),
        (
            "//- w/p/contracts/A.sol\n//- w/p/hardhat.config.js\nmodule.exports = { paths: { tests: '../../out' } };",
            "/w/p/hardhat.config.js: `paths.tests` leads out of the workspace, to /out,",
        ),
    ] {
        let tree = Tree::new(&format!("{files}\n//- w/other/"));
        let rest = " so regression tests go to /w/p/test; to have them elsewhere, set `test.directory` in the editor, or give \
                    `bellwether test --out`";
        let load = || Project::load_in(&tree.path("w/p"), Some(&tree.path("w"))).unwrap();
        assert_eq!(tests_and_warnings(&tree, &load()), ("w/p/test".to_owned(), vec![format!("{warning}{rest}")]));
        // The user's own settings decide, also when they name the same folder; other settings do not bring it back.
        for (directory, tests) in [(Some("../../out"), "out"), (None, "w/p/test")] {
            let mut project = load();
            let config = Config { test_directory: directory.map(Into::into), ..Config::default() };
            project.configure(config);
            assert_eq!(tree.show([&project.tests]), [tests], "{files}");
            assert_eq!(project.may_write_test(&tree.path("out/A.t.sol")), directory.is_some());
        }
        // Beside the root and in the workspace.
        let tree = Tree::new(&files.replace("../../out", "../other"));
        let project = Project::load_in(&tree.path("w/p"), Some(&tree.path("w"))).unwrap();
        assert_eq!(tests_and_warnings(&tree, &project), ("w/other".to_owned(), vec![]), "{files}");
        assert!(project.may_write_test(&tree.path("w/other/A.t.sol")));
    }
}

#[cfg(unix)]
#[test]
fn a_test_folder_that_is_a_link_out_of_the_workspace_is_refused_too() {
    let tree = Tree::new("//- out/\n//- w/A.sol\n//- w/test -> ../out");
    let project = Project::load_in(&tree.path("w"), Some(&tree.path("w"))).unwrap();
    let (tests, warnings) = tests_and_warnings(&tree, &project);
    assert_eq!(tests, "w");
    assert!(
        warnings[0].starts_with("`test` leads out of the workspace, to /out, so regression tests go to /w;"),
        "{warnings:?}"
    );
    assert!(!project.may_write_test(&tree.path("w/test/A.t.sol")));
}
