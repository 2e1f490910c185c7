use crate::project::tree::Tree;

/// The remappings of the project whose files these are, a Foundry one unless it says otherwise.
fn remappings(files: &str) -> Vec<String> {
    let tree = Tree::new(&format!("//- src/A.sol\n//- foundry.toml\n[profile.default]\n{files}"));
    tree.show_remappings(&tree.load(""))
}

#[test]
fn the_text_file_wins_over_foundry_toml_as_in_forge_and_both_over_detection() {
    assert_eq!(
        remappings(
            "remappings = ['a/=toml/', 'b/=toml/']
//- remappings.txt\na/=text/\n//- lib/a/src/X.sol\n//- lib/b/src/X.sol\n//- lib/c/src/X.sol"
        ),
        ["a/=text/", "b/=toml/", "c/=lib/c/src/"]
    );
}

#[test]
fn targets_become_absolute_and_slashes_are_added() {
    assert_eq!(
        remappings("remappings = ['a=lib/a', 'b/=/abs/b', ':c=./x/../c', 'd/D.sol=lib/D.sol', ' e/ = lib/e/ ']"),
        ["d/D.sol=lib/D.sol", "a/=lib/a/", "b/=/abs/b/", "c/=c/", "e/=lib/e/"]
    );
}

#[test]
fn contexts_count_from_the_root() {
    assert_eq!(
        remappings("remappings = ['lib/x/:a/=lib/a1/', './lib/y:a/=lib/a2/', 'a/=lib/a3/']"),
        ["lib/x/:a/=lib/a1/", "lib/y:a/=lib/a2/", "a/=lib/a3/"]
    );
}

#[test]
fn longer_prefixes_and_contexts_come_first() {
    assert_eq!(
        remappings("remappings = ['@oz/=a/', '@oz/utils/=b/', 'src/x/:@oz/=c/', 'src/:@oz/utils/=d/']"),
        ["src/x/:@oz/=c/", "src/:@oz/utils/=d/", "@oz/utils/=b/", "@oz/=a/"]
    );
}

#[test]
fn the_first_of_two_for_one_prefix_stays() {
    assert_eq!(remappings("remappings = ['a/=x/', 'a=y/']"), ["a/=x/"]);
}

#[test]
fn folders_suggest_remappings() {
    assert_eq!(
        remappings(
            "//- lib/dep/src/D.sol\n//- lib/dep/lib/inner/src/I.sol\n//- lib/js/contracts/J.sol
//- node_modules/@openzeppelin/contracts/token/T.sol\n//- lib/empty/README.md"
        ),
        [
            "@openzeppelin/=node_modules/@openzeppelin/",
            "inner/=lib/dep/lib/inner/src/",
            "dep/=lib/dep/src/",
            "js/=lib/js/contracts/"
        ]
    );
}

#[test]
fn detection_can_be_switched_off() {
    assert_eq!(remappings("auto_detect_remappings = false\n//- lib/dep/src/D.sol"), [] as [&str; 0]);
}

#[test]
fn a_configured_prefix_covers_what_is_detected_below_it() {
    assert_eq!(
        remappings("remappings = ['@oz/=x/']\n//- lib/@oz/src/D.sol\n//- lib/b/src/B.sol"),
        ["@oz/=x/", "b/=lib/b/src/"]
    );
}

#[test]
fn libraries_bring_their_own_remappings_and_folders() {
    assert_eq!(
        remappings(
            "//- lib/dep/foundry.toml\n[profile.default]\nsrc = 'code'\nremappings = ['in/=lib/in-1/', 'ctx/:k/=v/']\n//- lib/dep/code/
//- lib/dep/remappings.txt\ntxt/=lib/t/
//- lib/dep/lib/deep/foundry.toml\n[profile.default]\nremappings = ['far/=lib/far/']
//- lib/broken/foundry.toml\n[profile\n//- lib/broken/src/B.sol"
        ),
        [
            "lib/dep/ctx/:k/=lib/dep/v/",
            "broken/=lib/broken/src/",
            "deep/=lib/dep/lib/deep/src/",
            "dep/=lib/dep/code/",
            "far/=lib/dep/lib/deep/lib/far/",
            "txt/=lib/dep/lib/t/",
            "in/=lib/dep/lib/in-1/",
        ]
    );
}

#[test]
fn the_nearest_of_two_libraries_of_a_name_wins() {
    assert_eq!(
        remappings("//- lib/a/src/A.sol\n//- lib/b/src/B.sol\n//- lib/b/lib/a/src/A.sol"),
        ["a/=lib/a/src/", "b/=lib/b/src/"]
    );
}

#[test]
fn no_library_takes_the_name_of_the_projects_own_folders() {
    assert_eq!(remappings("script = 'tools'\n//- lib/tools/src/T.sol\n//- lib/t/src/T.sol"), ["t/=lib/t/src/"]);
}

#[test]
fn lines_that_are_none_are_told_and_skipped() {
    let tree =
        Tree::new("//- foundry.toml\n//- src/A.sol\n//- remappings.txt\na/=x/\n\n# note\r\nb/=y/\r\nc/C.sol=z/\n=q/");
    let project = tree.load("");
    assert_eq!(tree.show_remappings(&project), ["a/=x/", "b/=y/"]);
    assert_eq!(
        tree.show_warnings(&project),
        [
            "remappings.txt:3: not a remapping: \"# note\"; write `prefix/=folder/` (it is ignored)",
            "remappings.txt:5: a file cannot be remapped to a folder: \"c/C.sol=z/\" (it is ignored)",
            "remappings.txt:6: not a remapping: \"=q/\"; write `prefix/=folder/` (it is ignored)",
        ]
    );
}

#[cfg(unix)]
#[test]
fn libraries_that_link_in_circles_end() {
    // What is detected in a folder that links to its own parent is foundry-compilers' choice (nothing).
    remappings("//- lib/a/foundry.toml\n//- lib/a/src/A.sol\n//- lib/a/lib -> ../../lib");
}
