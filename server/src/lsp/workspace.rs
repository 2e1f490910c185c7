//! The [`Workspace`] holds the folders that the client has open. It finds the projects in them, and the project of a file;
//! opening them is decided elsewhere. Walking through folders may take long, so it is done on threads of its own.

use super::{
    event::ServerEvent,
    project::build::{Enclosing, Extent},
    uri::path_of,
};
use bellwether::project::{CONFIG_FILE, Project};
use serde_json::{Value, json};
use std::{
    path::{Path, PathBuf},
    sync::mpsc::Sender,
};
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams, Registration,
    WatchKind, WorkspaceFolder,
    notification::{DidChangeWatchedFiles, Notification},
};

/// Files other than contracts that change what is built.
const CONFIGURATION: [&str; 3] = ["foundry.toml", "remappings.txt", CONFIG_FILE];

/// The client's folders.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    folders: Vec<PathBuf>,
    /// Whether `initializationOptions` hold any settings. An empty object, which Emacs always sends, holds none, and neither
    /// does trust alone.
    pub(super) has_options: bool,
    /// Whether the first settings were requested and have not come yet. No project is opened before.
    pub(super) awaits_settings: bool,
    /// The number of folders that are being searched.
    searching: usize,
}

impl Workspace {
    /// The folders of `initialize`, in any of the ways in which clients have told them over time.
    pub(super) fn of(params: &InitializeParams) -> Self {
        #[allow(deprecated, reason = "older clients know no workspace folders")]
        let root =
            || params.root_uri.as_ref().and_then(path_of).or_else(|| params.root_path.as_deref().map(PathBuf::from));
        let folders = match &params.workspace_folders {
            Some(folders) => folders.iter().filter_map(|folder| path_of(&folder.uri)).collect(),
            None => root().into_iter().collect(),
        };
        let says = |options: &Value| {
            !options.is_null() && options.as_object().is_none_or(|object| object.keys().any(|key| key != "trusted"))
        };
        let has_options = params.initialization_options.as_ref().is_some_and(says);
        Self { folders, has_options, ..Self::default() }
    }

    /// Searches all folders for projects. The results come as events.
    pub(super) fn discover_all(&mut self, events: &Sender<ServerEvent>) {
        for folder in self.folders.clone() {
            self.discover(folder, events);
        }
    }

    fn discover(&mut self, folder: PathBuf, events: &Sender<ServerEvent>) {
        let (events, searched) = (events.clone(), folder.clone());
        let search = move || {
            let mut roots = Project::projects_under(&folder);
            if roots.is_empty() {
                roots.push(Project::find_root(&folder, Some(&folder)));
            }
            // Nobody listens any more when the server ends.
            let _ = events.send(ServerEvent::Discovered { folder, roots });
        };
        match std::thread::Builder::new().name("discover".to_owned()).spawn(search) {
            Ok(_) => self.searching += 1,
            Err(error) => {
                tracing::error!("cannot start the thread that looks for projects in {}: {error}", searched.display());
            }
        }
    }

    /// Searches for projects around a file again: a new configuration file makes another project.
    pub(super) fn discover_around(&mut self, path: &Path, events: &Sender<ServerEvent>) {
        if let Some(folder) = self.around(path).cloned() {
            self.discover(folder, events);
        }
    }

    /// Notes that a folder was searched. Returns whether it is still open.
    pub(super) fn discovered(&mut self, folder: &Path) -> bool {
        self.searching -= 1;
        self.folders.iter().any(|open| open == folder)
    }

    /// Opens folders, and looks for the projects in them.
    pub(super) fn add(&mut self, folders: &[WorkspaceFolder], events: &Sender<ServerEvent>) {
        for folder in paths_of(folders) {
            if !self.folders.contains(&folder) {
                self.folders.push(folder.clone());
                self.discover(folder, events);
            }
        }
    }

    /// Closes folders. The result tells whether a path was in one of them and is in no other one.
    pub(super) fn remove(&mut self, folders: &[WorkspaceFolder]) -> impl Fn(&Path) -> bool {
        let removed = paths_of(folders);
        self.folders.retain(|folder| !removed.contains(folder));
        move |path: &Path| removed.iter().any(|folder| path.starts_with(folder)) && self.around(path).is_none()
    }

    /// The project of a file, as its extent; `None` if that is not known yet, or if it is not ours.
    pub(super) fn extent_of(&self, path: &Path) -> Option<Extent> {
        let is_dependency = path.components().any(|part| part.as_os_str() == "node_modules");
        let is_searching = self.awaits_settings || self.searching > 0;
        if is_searching || !is_solidity(path) || is_dependency {
            return None;
        }
        if let Some(folder) = self.around(path) {
            return Some(Extent::Folder(Project::find_root(path, Some(folder))));
        }
        match Project::open(path, None) {
            Ok(project) if project.sources == [path] => Some(Extent::File(path.to_owned())),
            Ok(project) => Some(Extent::Folder(project.root)),
            Err(error) => {
                tracing::warn!("{error}");
                None
            }
        }
    }

    /// The surroundings of a project.
    pub(super) fn enclosing(&self, extent: &Extent) -> Enclosing {
        let folder = self.around(extent.path()).cloned();
        let own = match extent {
            Extent::Folder(root) => root,
            Extent::File(file) => file.parent().unwrap_or(file),
        };
        let trusted_as = folder.clone().unwrap_or_else(|| own.to_owned());
        Enclosing { folder, trusted_as }
    }

    /// The innermost folder around a path.
    fn around(&self, path: &Path) -> Option<&PathBuf> {
        self.folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.components().count())
    }
}

fn paths_of(folders: &[WorkspaceFolder]) -> Vec<PathBuf> {
    folders.iter().filter_map(|folder| path_of(&folder.uri)).collect()
}

/// Asks the client to report changes that no editor makes, such as a checkout.
pub(super) fn watchers() -> Registration {
    let watcher = |glob, kind| FileSystemWatcher { glob_pattern: GlobPattern::String(glob), kind };
    let watchers = vec![
        watcher("**/*.sol".to_owned(), None),
        watcher(format!("**/{{{},hardhat.config.*}}", CONFIGURATION.join(",")), None),
        // A folder that is deleted is told as one event, whatever is in it.
        watcher("**".to_owned(), Some(WatchKind::Delete)),
    ];
    let options = serde_json::to_value(DidChangeWatchedFilesRegistrationOptions { watchers })
        .unwrap_or(json!({ "watchers": [] }));
    let method = DidChangeWatchedFiles::METHOD.to_owned();
    Registration { id: "bellwether/files".to_owned(), method, register_options: Some(options) }
}

/// Whether a change of this file can affect a build.
pub(super) fn is_input(path: &Path) -> bool {
    is_solidity(path) || is_configuration(path)
}

fn is_solidity(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "sol")
}

/// Whether a file configures a project.
pub(super) fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    CONFIGURATION.contains(&name.as_ref()) || name.starts_with("hardhat.config.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(params: Value) -> Vec<PathBuf> {
        Workspace::of(&serde_json::from_value(params).unwrap()).folders
    }

    #[test]
    fn folders_are_told_in_three_ways_and_the_newest_counts() {
        let folder = |path: &str| json!({ "uri": format!("file://{path}"), "name": "x" });
        for (params, found) in [
            (
                json!({ "capabilities": {}, "workspaceFolders": [folder("/a"), folder("/b")], "rootUri": "file:///c" }),
                vec!["/a", "/b"],
            ),
            (
                json!({ "capabilities": {}, "workspaceFolders": null, "rootUri": "file:///c", "rootPath": "/d" }),
                vec!["/c"],
            ),
            (json!({ "capabilities": {}, "rootUri": null, "rootPath": "/d" }), vec!["/d"]),
            (json!({ "capabilities": {}, "workspaceFolders": [], "rootUri": "file:///c" }), vec![]),
            (json!({ "capabilities": {} }), vec![]),
        ] {
            assert_eq!(folders(params.clone()), found.into_iter().map(PathBuf::from).collect::<Vec<_>>(), "{params}");
        }
    }

    #[test]
    fn options_that_say_nothing_are_none() {
        for (options, has) in [
            (json!(null), false),
            (json!({}), false),
            (json!({ "trusted": true }), false),
            (json!({ "workers": 1 }), true),
            (json!({ "workers": 1, "trusted": true }), true),
            (json!("nonsense"), true),
        ] {
            let params = json!({ "capabilities": {}, "initializationOptions": options });
            assert_eq!(Workspace::of(&serde_json::from_value(params).unwrap()).has_options, has, "{options}");
        }
    }

    #[test]
    fn the_innermost_folder_counts() {
        let workspace = Workspace { folders: vec!["/a".into(), "/a/b".into()], ..Workspace::default() };
        assert_eq!(workspace.around(Path::new("/a/b/C.sol")), Some(&"/a/b".into()));
        assert_eq!(workspace.around(Path::new("/a/bc/C.sol")), Some(&"/a".into()));
        assert_eq!(workspace.around(Path::new("/c")), None);
    }

    #[test]
    fn some_files_start_work_and_others_do_not() {
        for (name, starts) in [
            ("A.sol", true),
            ("A.t.sol", true),
            ("foundry.toml", true),
            ("remappings.txt", true),
            ("bellwether.toml", true),
            ("hardhat.config.ts", true),
            ("README.md", false),
            ("Cargo.toml", false),
        ] {
            let path = Path::new("/p").join(name);
            assert_eq!(is_input(&path), starts, "{name}");
        }
    }
}
