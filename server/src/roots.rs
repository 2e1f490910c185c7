//! The projects that paths on the command line mean, and where each of them is in a corpus folder.

use anyhow::{Result, bail};
use bellwether::{compile::project_folder, project::Project};
use std::path::{Path, PathBuf};

/// The roots of the projects that paths mean: a folder that holds several projects means all of them, and a `.sol` file is one of itself.
pub(crate) fn roots(given: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut roots = Vec::new();
    for path in given {
        if !path.exists() {
            bail!("{}: no such file or folder; give a project's folder or a .sol file", path.display());
        }
        if path.is_file() {
            if path.extension().is_none_or(|extension| extension != "sol") {
                bail!("{}: not a .sol file; give a project's folder or a .sol file", path.display());
            }
            roots.push(path.clone());
            continue;
        }
        let base = std::path::absolute(path)?;
        let inside = Project::projects_under(&base);
        if inside.is_empty() {
            roots.push(path.clone());
        } else {
            roots.extend(inside.into_iter().map(|root| path.join(root.strip_prefix(&base).unwrap_or(&root))));
        }
    }
    Ok(roots)
}

/// The root of a project as it was given: `fixtures/vault`.
pub(crate) fn project_name(given: &Path, project: &Project) -> String {
    let folder = if given.is_file() { given.parent().unwrap_or(Path::new(".")) } else { given };
    let same = std::fs::canonicalize(folder).ok() == std::fs::canonicalize(&project.root).ok();
    let shown =
        if same && !folder.as_os_str().is_empty() { folder.to_owned() } else { relative_to_here(&project.root) };
    shown.to_string_lossy().replace('\\', "/")
}

fn relative_to_here(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    match path.strip_prefix(&here) {
        Ok(inside) if inside.as_os_str().is_empty() => PathBuf::from("."),
        Ok(inside) => inside.to_owned(),
        Err(_) => path.to_owned(),
    }
}

/// The folder of a project of this name in a corpus folder: where it is below the current one, so that it is the same on every machine.
pub(crate) fn folder_in_corpus(project: &Project, name: &str) -> PathBuf {
    let whole = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (here, root) = (std::env::current_dir().unwrap_or_default(), whole(&project.root));
    match root.strip_prefix(whole(&here)) {
        Ok(inside) => inside.to_owned(),
        // Elsewhere, two may have one name.
        Err(_) => project_folder(Path::new(""), Path::new(name)),
    }
}
