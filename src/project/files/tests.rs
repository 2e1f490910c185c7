use super::*;
use crate::project::tree::Tree;

/// The fuzzed files of the project at the tree's root.
fn files(tree: &str) -> Vec<String> {
    let tree = Tree::new(tree);
    tree.show(&tree.load("").files())
}

const NONE: [&str; 0] = [];

#[test]
fn a_foundry_project() {
    assert_eq!(
        files(
            "//- foundry.toml\n//- src/B.sol\n//- src/A.sol\n//- src/deep/C.sol\n//- src/A.t.sol\n//- src/A.s.sol\n//- src/lib/Math.sol
//- src/notes.md\n//- src/.hidden/H.sol\n//- src/.#A.sol\n//- test/A.t.sol\n//- test/Mock.sol\n//- script/D.s.sol\n//- lib/d/src/D.sol
//- out/A.sol/A.json\n//- other/O.sol"
        ),
        ["src/A.sol", "src/B.sol", "src/deep/C.sol", "src/lib/Math.sol"]
    );
}

#[test]
fn a_foundry_project_whose_source_is_its_root() {
    assert_eq!(
        files(
            "//- foundry.toml\n[profile.default]\nsrc = '.'\nout = 'build'\n//- A.sol\n//- sub/B.sol\n//- test/T.sol\n//- script/S.sol
//- lib/d/src/D.sol\n//- node_modules/x/X.sol\n//- sub/node_modules/x/X.sol\n//- build/E.sol\n//- cache/F.sol\n//- .git/G.sol"
        ),
        ["A.sol", "sub/B.sol"]
    );
}

#[test]
fn a_hardhat_project() {
    assert_eq!(
        files(
            "//- hardhat.config.js\n//- contracts/A.sol\n//- contracts/test/Mock.sol\n//- contracts/A.t.sol\n//- test/T.sol
//- node_modules/x/X.sol\n//- artifacts/contracts/A.sol/A.json"
        ),
        ["contracts/A.sol", "contracts/test/Mock.sol"]
    );
}

#[test]
fn a_plain_folder() {
    assert_eq!(
        files(
            "//- A.sol\n//- sub/B.sol\n//- test/T.sol\n//- lib/L.sol\n//- node_modules/x/X.sol\n//- out/O.sol\n//- A.t.sol"
        ),
        ["A.sol", "sub/B.sol"]
    );
}

#[test]
fn what_exclude_matches_is_left_out() {
    assert_eq!(
        files(
            "//- foundry.toml\n//- bellwether.toml\nexclude = ['src/mocks', '*Old.sol']\n//- src/A.sol\n//- src/mocks/M.sol\n//- src/x/AOld.sol"
        ),
        ["src/A.sol"]
    );
}

#[test]
fn nested_projects_are_not_ours() {
    assert_eq!(
        files("//- A.sol\n//- p/foundry.toml\n//- p/src/P.sol\n//- q/deep/hardhat.config.js\n//- q/deep/Q.sol"),
        ["A.sol"]
    );
}

#[test]
fn a_source_within_another_is_listed_once() {
    let tree = Tree::new("//- src/A.sol\n//- src/b/B.sol");
    let mut project = tree.load("");
    project.sources = vec![tree.path("src/b"), tree.path("src"), tree.path("src/A.sol")];
    assert_eq!(tree.show(&project.files()), ["src/A.sol", "src/b/B.sol"]);
}

#[test]
fn folders_called_like_contracts_and_missing_folders_do_no_harm() {
    assert_eq!(files("//- A.sol/B.sol\n//- C.sol/"), ["A.sol/B.sol"]);
    assert_eq!(files("//- foundry.toml"), NONE);
}

#[cfg(unix)]
#[test]
fn links_are_followed_but_not_in_circles() {
    let tree = Tree::new(
        "//- p/foundry.toml\n//- p/src/A.sol\n//- p/src/a-loop -> .\n//- p/src/up -> ../..\n//- p/src/all -> /\n//- p/src/shared -> ../../shared
//- p/src/twice -> ../../shared\n//- p/src/broken.sol -> nowhere\n//- p/src/L.sol -> ../../shared/S.sol\n//- shared/S.sol",
    );
    assert_eq!(tree.show(&tree.load("p").files()), ["p/src/A.sol", "p/src/L.sol", "p/src/shared/S.sol"]);
}

#[test]
fn roles_in_a_foundry_project() {
    let tree = Tree::new(
        "//- foundry.toml\n//- src/\n//- nested/foundry.toml\n//- src/nested/bellwether.toml\n//- lib/\n//- node_modules/",
    );
    let project = tree.load("");
    for (file, role) in [
        ("src/A.sol", FileRole::Contract),
        ("src/not/yet/there/A.sol", FileRole::Contract),
        ("src/A.t.sol", FileRole::Test),
        ("src/A.s.sol", FileRole::Script),
        ("src/node_modules/x/X.sol", FileRole::Dependency),
        ("test/A.t.sol", FileRole::Test),
        ("test/Mock.sol", FileRole::Test),
        ("test/Deploy.s.sol", FileRole::Script),
        ("script/D.sol", FileRole::Script),
        ("lib/d/src/D.sol", FileRole::Dependency),
        ("lib/d/test/D.t.sol", FileRole::Dependency),
        ("node_modules/x/X.sol", FileRole::Dependency),
        ("out/A.sol", FileRole::Dependency),
        ("elsewhere/A.sol", FileRole::Dependency),
        ("nested/src/N.sol", FileRole::Dependency),
        ("src/nested/N.sol", FileRole::Dependency),
        ("src/../test/../src/A.sol", FileRole::Contract),
        ("../other/src/A.sol", FileRole::Dependency),
        ("srcs/A.sol", FileRole::Dependency),
    ] {
        assert_eq!(project.role(&tree.path(file)), role, "{file}");
    }
}

#[test]
fn the_innermost_folder_decides_and_sources_come_before_others() {
    let tree = Tree::new(
        "//- foundry.toml\n[profile.default]\nsrc = 'a'\ntest = 'a'\nscript = 'a/b'\nlibs = ['a/b/c']\n//- a/b/c/",
    );
    let project = tree.load("");
    for (file, role) in [
        ("a/A.sol", FileRole::Contract),
        ("a/A.t.sol", FileRole::Test),
        ("a/b/A.sol", FileRole::Script),
        ("a/b/c/A.sol", FileRole::Dependency),
    ] {
        assert_eq!(project.role(&tree.path(file)), role, "{file}");
    }
}

#[test]
fn the_folder_for_regression_tests_joins_the_layouts_own() {
    let tree = Tree::new("//- A.sol\n//- bellwether.toml\ntest.directory = 'spec/found'");
    let project = tree.load("");
    assert_eq!(tree.show([&project.tests]), ["spec/found"]);
    for (file, role) in
        [("spec/found/A.sol", FileRole::Test), ("test/A.sol", FileRole::Test), ("spec/A.sol", FileRole::Contract)]
    {
        assert_eq!(project.role(&tree.path(file)), role, "{file}");
    }
}

#[test]
fn excluded_files_keep_their_role() {
    let tree = Tree::new("//- foundry.toml\n//- bellwether.toml\nexclude = ['src/x/**']\n//- src/x/A.sol");
    let project = tree.load("");
    let file = tree.path("src/x/A.sol");
    assert_eq!((project.role(&file), project.excluded(&file)), (FileRole::Contract, true));
    assert!(!project.excluded(&tree.path("src/A.sol")));
}

#[test]
fn relative_paths() {
    let tree = Tree::new("//- p/foundry.toml\n//- p/src/A.sol");
    let project = tree.load("p");
    assert_eq!(project.relative(&tree.path("p/src/A.sol")), "src/A.sol");
    assert_eq!(project.relative(&tree.path("p/src/../src/A.sol")), "src/A.sol");
    assert_eq!(project.relative(&tree.path("q/A.sol")), slashed(&tree.path("q/A.sol")));
}

#[cfg(unix)]
#[test]
fn a_root_reached_by_a_link_knows_its_files_by_both_names() {
    let tree = Tree::new("//- real/foundry.toml\n//- real/src/A.sol\n//- link -> real");
    let project = tree.load("link");
    assert_eq!(tree.show(&project.files()), ["link/src/A.sol"]);
    for name in ["link", "real"] {
        let file = tree.path(&format!("{name}/src/A.sol"));
        assert_eq!(
            (project.role(&file), project.relative(&file)),
            (FileRole::Contract, "src/A.sol".to_owned()),
            "{name}"
        );
    }
}
