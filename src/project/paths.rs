//! Paths as this module compares them: absolute, without `.` and `..`, by name alone. Symbolic links are kept as the user
//! wrote them, because editors and compilers' messages use those names too; nothing here resolves them.

use std::path::{Component, MAIN_SEPARATOR, Path, PathBuf};

/// The path from the file system's root, cleaned. A relative path counts from the current directory.
pub(super) fn absolute(path: &Path) -> PathBuf {
    clean(&std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf()))
}

/// Removes `.` and resolves `..` by name; a `..` above the file system's root is dropped.
pub(super) fn clean(path: &Path) -> PathBuf {
    let mut cleaned = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match cleaned.components().next_back() {
                Some(Component::Normal(_)) => {
                    cleaned.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => cleaned.push(".."),
            },
            other => cleaned.push(other),
        }
    }
    cleaned
}

/// `path` as seen from `base`: absolute paths stay, relative ones are joined; cleaned either way.
pub(super) fn resolve(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    clean(&base.join(path))
}

/// The path with forward slashes on every system.
pub(super) fn slashed(path: &Path) -> String {
    let text = path.to_string_lossy();
    if MAIN_SEPARATOR == '/' { text.into_owned() } else { text.replace(MAIN_SEPARATOR, "/") }
}

/// Whether the path goes through a `node_modules` folder, which belongs to npm wherever it is.
pub(super) fn is_in_node_modules(path: &Path) -> bool {
    path.components().any(|component| component.as_os_str() == "node_modules")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_resolved_by_name() {
        for (from, to) in
            [("/a/./b/../c", "/a/c"), ("/../a", "/a"), ("a/../../b", "../b"), ("/a/b/..", "/a"), ("./a", "a")]
        {
            assert_eq!(clean(Path::new(from)), Path::new(to), "{from}");
        }
    }

    #[test]
    fn absolute_targets_stay_and_relative_ones_are_joined() {
        assert_eq!(resolve(Path::new("/p"), "lib/x/../y"), Path::new("/p/lib/y"));
        assert_eq!(resolve(Path::new("/p"), "/q/./x"), Path::new("/q/x"));
    }

    #[test]
    fn node_modules_counts_at_any_depth_and_only_by_its_whole_name() {
        assert!(is_in_node_modules(Path::new("/p/node_modules/x/A.sol")));
        assert!(!is_in_node_modules(Path::new("/p/my_node_modules/x/A.sol")));
    }
}
