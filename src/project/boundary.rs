//! A [`Boundary`] is the set of folders to which a project's own files may have regression tests written: the workspace, and
//! folders that the user has named. It follows symbolic links, because one in a repository can lead anywhere. It restricts
//! writing only.

use super::paths::absolute;
use std::path::{Path, PathBuf};

/// Folders, without symbolic links in their paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Boundary(Vec<PathBuf>);

impl Boundary {
    /// The workspace around a project's root. Where none is known, the git work tree around it, and else the root alone.
    pub(super) fn around(root: &Path, workspace: Option<&Path>) -> Self {
        let work_tree = || root.ancestors().find(|folder| folder.join(".git").exists());
        let outer = workspace.map(absolute).or_else(|| work_tree().map(Path::to_path_buf));
        let real_root = real(root).unwrap_or_else(|| root.to_path_buf());
        // A root that a link leads to from the workspace, or that is above the workspace, stands for itself.
        let folder = outer.and_then(|outer| real(&outer)).filter(|outer| real_root.starts_with(outer));
        Self(vec![folder.unwrap_or(real_root)])
    }

    /// Adds a folder that the user has named.
    pub(super) fn allow(&mut self, folder: &Path) {
        self.0.extend(real(folder));
    }

    /// Whether a path, which need not exist, is inside, symbolic links considered.
    pub(super) fn holds(&self, path: &Path) -> bool {
        real(path).is_some_and(|path| self.0.iter().any(|folder| path.starts_with(folder)))
    }
}

/// A clean path with its symbolic links followed, as far as it exists. None if a link on it leads nowhere: what is written
/// through that could be anywhere.
fn real(path: &Path) -> Option<PathBuf> {
    for ancestor in path.ancestors() {
        if let Ok(real) = ancestor.canonicalize() {
            return Some(real.join(path.strip_prefix(ancestor).ok()?));
        }
        if ancestor.is_symlink() {
            return None;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::tree::Tree;

    #[test]
    fn the_workspace_is_the_boundary_or_else_the_work_tree_or_else_the_root() {
        let tree = Tree::new("//- w/p/a/\n//- w/q/\n//- other/");
        let inside = |workspace: Option<&str>, path: &str| {
            let workspace = workspace.map(|workspace| tree.path(workspace));
            Boundary::around(&tree.path("w/p"), workspace.as_deref()).holds(&tree.path(path))
        };
        for (workspace, holds, not) in [
            (None, "other/x", "../x"),
            (Some("w"), "w/q/new/x", "other/x"),
            (Some("w/p"), "w/p/new/x", "w/q/x"),
            (Some("w/p/a"), "w/p/x", "w/q/x"),
            (Some("other"), "w/p/x", "other/x"),
            (Some("w/../w"), "w/q", "other"),
        ] {
            assert!(inside(workspace, holds), "{workspace:?} {holds}");
            assert!(!inside(workspace, not), "{workspace:?} {not}");
        }
        let plain = Tree::without_git("//- p/\n//- q/");
        let boundary = Boundary::around(&plain.path("p"), None);
        assert!(boundary.holds(&plain.path("p/test")) && !boundary.holds(&plain.path("q")));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_is_inside_if_what_it_leads_to_is() {
        let tree =
            Tree::new("//- w/in -> real\n//- w/real/\n//- w/out -> ../other\n//- other/\n//- w/nowhere -> ../absent");
        let mut boundary = Boundary::around(&tree.path("w"), Some(&tree.path("w")));
        for (path, inside) in
            [("w/in/x", true), ("w/out", false), ("w/out/x", false), ("w/nowhere", false), ("w/nowhere/x", false)]
        {
            assert_eq!(boundary.holds(&tree.path(path)), inside, "{path}");
        }
        boundary.allow(&tree.path("other"));
        assert!(boundary.holds(&tree.path("w/out/x")) && !boundary.holds(&tree.path("x")));
    }

    #[cfg(unix)]
    #[test]
    fn a_root_that_the_workspace_links_to_stands_for_itself() {
        let tree = Tree::new("//- w/p -> ../elsewhere/p\n//- elsewhere/p/\n//- elsewhere/q/");
        let boundary = Boundary::around(&tree.path("w/p"), Some(&tree.path("w")));
        assert!(boundary.holds(&tree.path("w/p/test")) && !boundary.holds(&tree.path("elsewhere/q")));
    }
}
