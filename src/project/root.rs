//! Finds roots, the folders that hold a project's configuration: upwards from a file and downwards from a folder, by the names
//! of configuration files alone. None of these files is read.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::paths::{absolute, is_in_node_modules};

/// The files that make a folder a project's root.
const MARKERS: [&str; 6] = [
    "bellwether.toml",
    "foundry.toml",
    "hardhat.config.ts",
    "hardhat.config.js",
    "hardhat.config.cjs",
    "hardhat.config.mjs",
];

/// Folders that tools write to, those of Foundry and Hardhat first. A configuration in one is a copy, or somebody's package, and not the user's project.
pub(super) const BUILD_FOLDERS: [&str; 6] = ["out", "cache", "artifacts", "target", "dist", "build"];
/// Folders of dependencies.
const DEPENDENCIES: [&str; 2] = ["node_modules", "lib"];

/// Whether the folder holds a configuration file, and is no build folder.
pub(super) fn is_root(folder: &Path) -> bool {
    has_marker(folder) && !folder.file_name().is_some_and(|name| BUILD_FOLDERS.iter().any(|build| *build == name))
}

/// Whether the folder holds a configuration file.
fn has_marker(folder: &Path) -> bool {
    MARKERS.iter().any(|marker| folder.join(marker).is_file())
}

/// The folder's Hardhat configuration file, if it has one.
pub(super) fn hardhat_config(folder: &Path) -> Option<PathBuf> {
    let names = MARKERS.iter().filter(|marker| marker.starts_with("hardhat."));
    names.map(|name| folder.join(name)).find(|file| file.is_file())
}

/// Whether the name is a hidden file's or folder's.
pub(super) fn is_hidden(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'))
}

/// The root of the project that `path` belongs to, a file or folder that need not exist.
///
/// That is the nearest ancestor (or `path` itself) with a configuration file. A project below another one's `lib` or
/// `node_modules` is a dependency, and its files belong to the outer project, unless it was itself given as `path` or is the
/// workspace. The search ends at the enclosing git work tree or at the workspace, whichever is further up, and never goes above
/// the home directory. Where there is no configuration, the workspace that contains `path` is the root, or else `path`'s own
/// folder.
pub(super) fn find_root(path: &Path, workspace: Option<&Path>) -> PathBuf {
    let path = absolute(path);
    let is_folder = path.is_dir();
    let start = if is_folder { &path } else { path.parent().unwrap_or(&path) };
    if is_folder && has_marker(start) {
        return start.to_path_buf();
    }
    let workspace = workspace.map(absolute).filter(|workspace| start.starts_with(workspace));
    let end = last_folder(start, workspace.as_deref());

    let mut found: Option<&Path> = None;
    for folder in start.ancestors() {
        let is_candidate = match found {
            None => true,
            Some(inner) => {
                workspace.as_ref().is_none_or(|workspace| folder.starts_with(workspace)) && is_vendored(inner, folder)
            }
        };
        if is_candidate && is_root(folder) {
            found = Some(folder);
        }
        if folder == end {
            break;
        }
    }
    found.map(Path::to_path_buf).or(workspace).unwrap_or_else(|| start.to_path_buf())
}

/// The roots of all projects below a folder that is none itself, sorted; projects inside of projects are not listed, nor what is
/// in hidden, dependency and build folders. Empty if the folder is a root itself.
pub(super) fn projects_under(folder: &Path) -> Vec<PathBuf> {
    let mut roots = Vec::new();
    let folder = absolute(folder);
    if has_marker(&folder) {
        return roots;
    }
    let mut open = vec![folder];
    while let Some(folder) = open.pop() {
        // Symbolic links are not followed: what they lead to is found where it is.
        let folders = fs::read_dir(&folder).into_iter().flatten().flatten();
        for entry in folders.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
            let path = entry.path();
            let name = entry.file_name();
            if is_hidden(&path) || BUILD_FOLDERS.iter().chain(&DEPENDENCIES).any(|passed| *passed == name) {
                continue;
            }
            if is_root(&path) {
                roots.push(path);
            } else {
                open.push(path);
            }
        }
    }
    roots.sort();
    roots
}

/// `node_modules` of the folder's ancestors, nearest first, up to the enclosing git work tree: where packages of a monorepo are
/// hoisted to.
pub(super) fn hoisted_node_modules(root: &Path) -> Vec<PathBuf> {
    let end = last_folder(root, None);
    if root == end {
        return Vec::new();
    }
    let mut found = Vec::new();
    for ancestor in root.ancestors().skip(1) {
        let modules = ancestor.join("node_modules");
        // A project within a package within node_modules: the folder that it stands in.
        if ancestor.ends_with("node_modules") {
            found.push(ancestor.to_path_buf());
        } else if modules.is_dir() {
            found.push(modules);
        }
        if ancestor == end {
            break;
        }
    }
    found
}

/// The git work tree around a folder, unless that is the home directory: who keeps all of it in git has not cloned it for this
/// project.
pub(super) fn work_tree(root: &Path) -> Option<&Path> {
    let found = root.ancestors().find(|folder| folder.join(".git").exists() && !is_dependency(folder))?;
    (std::env::home_dir().as_deref() != Some(found)).then_some(found)
}

/// The topmost folder that a search upwards from `start` looks into.
fn last_folder<'a>(start: &'a Path, workspace: Option<&Path>) -> &'a Path {
    let work_tree = start.ancestors().find(|folder| folder.join(".git").exists() && !is_dependency(folder));
    let home = std::env::home_dir();
    let home = start.ancestors().find(|folder| Some(*folder) == home.as_deref());
    let workspace = start.ancestors().find(|folder| Some(*folder) == workspace);
    // Of work tree and workspace, both around `start`, the outer one; but nothing above the home directory.
    let outer = [work_tree, workspace].into_iter().flatten().min_by_key(|folder| folder.as_os_str().len());
    let top = || start.ancestors().last().unwrap_or(start);
    match (outer, home) {
        (Some(outer), Some(home)) if !outer.starts_with(home) => home,
        (outer, home) => outer.or(home).unwrap_or_else(top),
    }
}

/// Whether the folder is checked out or installed as a dependency: git submodules in `lib` have a `.git` of their own.
fn is_dependency(folder: &Path) -> bool {
    is_in_node_modules(folder) || folder.parent().is_some_and(|parent| parent.ends_with("lib"))
}

/// Whether `inner` is in a dependency folder of `outer`.
fn is_vendored(inner: &Path, outer: &Path) -> bool {
    inner.strip_prefix(outer).is_ok_and(|between| between.starts_with("lib") || is_in_node_modules(between))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::tree::Tree;

    /// Asserts the root of `path`, all relative to the tree.
    fn check(tree: &Tree, path: &str, workspace: Option<&str>, root: &str) {
        let workspace = workspace.map(|workspace| tree.path(workspace));
        let found = find_root(&tree.path(path), workspace.as_deref());
        assert_eq!(found, tree.path(root), "root of {path} in workspace {workspace:?}");
    }

    #[test]
    fn the_nearest_configuration_is_the_root() {
        for marker in MARKERS {
            let tree =
                Tree::new(&format!("//- a/{marker}\n//- a/src/deep/A.sol\n//- a/b/foundry.toml\n//- a/b/src/B.sol"));
            check(&tree, "a/src/deep/A.sol", None, "a");
            check(&tree, "a/src", None, "a");
            check(&tree, "a", None, "a");
            check(&tree, "a/b/src/B.sol", None, "a/b");
            check(&tree, "a/b/src/not-yet-there/C.sol", None, "a/b");
        }
    }

    #[test]
    fn without_configuration_the_workspace_or_the_own_folder_is_the_root() {
        let tree = Tree::new("//- w/x/A.sol\n//- other/");
        check(&tree, "w/x/A.sol", Some("w"), "w");
        check(&tree, "w/x/A.sol", Some("other"), "w/x");
        check(&tree, "w/x/A.sol", None, "w/x");
        check(&tree, "w/x", None, "w/x");
    }

    #[test]
    fn a_folder_called_like_a_configuration_file_is_none() {
        check(&Tree::new("//- a/foundry.toml/\n//- a/src/A.sol"), "a/src/A.sol", None, "a/src");
    }

    #[test]
    fn the_search_ends_at_the_git_work_tree() {
        let tree = Tree::new("//- foundry.toml\n//- w/.git/\n//- w/src/A.sol");
        check(&tree, "w/src/A.sol", None, "w/src");
        check(&tree, "w/src/A.sol", Some("w/src"), "w/src");
    }

    #[test]
    fn a_work_tree_within_the_workspace_may_belong_to_the_project_around_it() {
        let tree = Tree::new("//- w/foundry.toml\n//- w/modules/m/.git\n//- w/modules/m/A.sol");
        check(&tree, "w/modules/m/A.sol", Some("w"), "w");
        check(&tree, "w/modules/m/A.sol", None, "w/modules/m");
    }

    #[test]
    fn a_workspace_within_a_project_finds_the_project_in_the_same_work_tree_only() {
        let text = "//- p/foundry.toml\n//- p/src/A.sol";
        check(&Tree::new(text), "p/src/A.sol", Some("p/src"), "p");
        check(&Tree::without_git(text), "p/src/A.sol", Some("p/src"), "p/src");
        check(&Tree::without_git(text), "p/src/A.sol", None, "p");
    }

    #[test]
    fn a_dependency_belongs_to_the_project_around_it() {
        let tree = Tree::new(
            "//- p/foundry.toml\n//- p/lib/dep/foundry.toml\n//- p/lib/dep/.git\n//- p/lib/dep/src/D.sol
//- p/node_modules/@a/b/hardhat.config.js\n//- p/node_modules/@a/b/contracts/B.sol
//- p/packages/q/foundry.toml\n//- p/packages/q/src/Q.sol",
        );
        check(&tree, "p/lib/dep/src/D.sol", None, "p");
        check(&tree, "p/node_modules/@a/b/contracts/B.sol", None, "p");
        check(&tree, "p/packages/q/src/Q.sol", None, "p/packages/q");
        // Asked for by name.
        check(&tree, "p/lib/dep", None, "p/lib/dep");
        check(&tree, "p/lib/dep/src/D.sol", Some("p/lib/dep"), "p/lib/dep");
    }

    #[test]
    fn a_build_folder_is_no_project_of_its_own_unless_it_was_asked_for() {
        for build in BUILD_FOLDERS {
            let tree = Tree::new(&format!(
                "//- p/contracts/A.sol\n//- p/{build}/hardhat.config.js\n//- p/{build}/contracts/A.sol"
            ));
            assert_eq!(projects_under(&tree.path("p")), [] as [PathBuf; 0], "{build}");
            check(&tree, &format!("p/{build}/contracts/A.sol"), Some("p"), "p");
            check(&tree, &format!("p/{build}"), None, &format!("p/{build}"));
            assert_eq!(tree.show(&tree.load("p").files()), ["p/contracts/A.sol"], "{build}");
        }
    }

    #[test]
    fn paths_are_cleaned() {
        let tree = Tree::new("//- a/foundry.toml\n//- a/src/A.sol");
        check(&tree, "a/src/../src/./A.sol", Some("a/.."), "a");
    }

    #[test]
    fn all_projects_below_a_folder() {
        let tree = Tree::new(
            "//- z/foundry.toml\n//- z/nested/foundry.toml\n//- a/deep/hardhat.config.ts\n//- m/bellwether.toml
//- lib/x/foundry.toml\n//- node_modules/x/foundry.toml\n//- .hidden/foundry.toml\n//- target/foundry.toml
//- out/foundry.toml\n//- cache/foundry.toml\n//- artifacts/foundry.toml\n//- plain/A.sol",
        );
        let roots = |folder: &str| projects_under(&tree.path(folder));
        assert_eq!(roots(""), [tree.path("a/deep"), tree.path("m"), tree.path("z")]);
        assert_eq!(roots("z"), [] as [PathBuf; 0], "a project itself");
        assert_eq!(roots("plain"), [] as [PathBuf; 0]);
        assert_eq!(roots("no/such/folder"), [] as [PathBuf; 0]);
    }

    #[cfg(unix)]
    #[test]
    fn links_are_not_followed_downwards() {
        let tree = Tree::new("//- a/foundry.toml\n//- b/loop -> ..");
        assert_eq!(projects_under(&tree.path("")), [tree.path("a")]);
    }

    #[test]
    fn hoisted_packages_come_nearest_first_and_end_at_the_work_tree() {
        let tree =
            Tree::new("//- node_modules/x/\n//- g/.git/\n//- g/node_modules/y/\n//- g/p/node_modules/z/\n//- g/p/c/");
        assert_eq!(
            hoisted_node_modules(&tree.path("g/p/c")),
            [tree.path("g/p/node_modules"), tree.path("g/node_modules")]
        );
        assert_eq!(hoisted_node_modules(&tree.path("g")), [] as [PathBuf; 0]);
    }
}
