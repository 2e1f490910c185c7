//! The [`Workspace`] is the folders that the client has open. Here the projects in them are found, and events about files find the
//! projects that they concern. Walking through folders is done on threads of its own: it may take long.

use super::{
    builder::{self, Builder, Place},
    event::{Event, ProjectId},
    project::FuzzedProject,
    state::{State, path_of},
};
use bellwether::project::{CONFIG_FILE, Project};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use tower_lsp_server::ls_types::{
    DidChangeWatchedFilesRegistrationOptions, FileSystemWatcher, GlobPattern, InitializeParams, Registration, Uri,
    WorkspaceFolder,
    notification::{DidChangeWatchedFiles, Notification},
};

/// Files other than contracts that change what is built.
const CONFIGURATION: [&str; 3] = ["foundry.toml", "remappings.txt", CONFIG_FILE];

/// The client's folders.
#[derive(Debug, Default)]
pub(super) struct Workspace {
    folders: Vec<PathBuf>,
    /// Whether the client said anything of settings in `initializationOptions`. An empty object, which Emacs always sends, says nothing, nor
    /// does trust alone.
    pub(super) has_options: bool,
    /// Whether the first settings were asked for and have not come yet. No project is opened before.
    pub(super) awaits_settings: bool,
    /// How many folders are being searched.
    searching: usize,
    next: usize,
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

    /// The innermost folder around a path.
    fn around(&self, path: &Path) -> Option<&PathBuf> {
        self.folders.iter().filter(|folder| path.starts_with(folder)).max_by_key(|folder| folder.components().count())
    }

    /// What is around a project.
    fn of_place(&self, place: &Place) -> builder::Workspace {
        let folder = self.around(place.path()).cloned();
        let own = match place {
            Place::Root(root) => root,
            Place::File(file) => file.parent().unwrap_or(file),
        };
        let trusted_as = folder.clone().unwrap_or_else(|| own.to_owned());
        builder::Workspace { folder, trusted_as }
    }
}

/// Has the client tell us of changes that no editor makes, such as a checkout.
pub(super) fn watchers() -> Registration {
    let globs = ["**/*.sol".to_owned(), format!("**/{{{},hardhat.config.*}}", CONFIGURATION.join(","))];
    let watchers = globs.map(|glob| FileSystemWatcher { glob_pattern: GlobPattern::String(glob), kind: None }).into();
    let options = serde_json::to_value(DidChangeWatchedFilesRegistrationOptions { watchers })
        .unwrap_or(json!({ "watchers": [] }));
    let method = DidChangeWatchedFiles::METHOD.to_owned();
    Registration { id: "bellwether/files".to_owned(), method, register_options: Some(options) }
}

fn is_solidity(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "sol")
}

fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    CONFIGURATION.contains(&name.as_ref()) || name.starts_with("hardhat.config.")
}

impl State {
    /// Looks for projects in all folders, and for those of the open files.
    pub(super) fn discover_all(&mut self) {
        for folder in self.workspace.folders.clone() {
            self.discover(folder);
        }
        self.ensure_projects();
    }

    fn discover(&mut self, folder: PathBuf) {
        let (events, searched) = (self.events.clone(), folder.clone());
        let search = move || {
            let mut roots = Project::projects_under(&folder);
            if roots.is_empty() {
                roots.push(Project::find_root(&folder, Some(&folder)));
            }
            // Nobody listens any more when the server ends.
            let _ = events.send(Event::Discovered { folder, roots });
        };
        match std::thread::Builder::new().name("discover".to_owned()).spawn(search) {
            Ok(_) => self.workspace.searching += 1,
            Err(error) => tracing::error!("no thread to look for projects in {}: {error}", searched.display()),
        }
    }

    /// Opens the projects of a folder.
    pub(super) fn discovered(&mut self, folder: &Path, roots: Vec<PathBuf>) {
        self.workspace.searching -= 1;
        if self.workspace.folders.iter().any(|open| open == folder) {
            roots.into_iter().for_each(|root| self.open_project(Place::Root(root)));
        }
        self.ensure_projects();
    }

    /// Opens the projects of all open files.
    fn ensure_projects(&mut self) {
        let open: Vec<PathBuf> = self.documents.paths().cloned().collect();
        open.iter().for_each(|path| self.ensure_project(path));
    }

    fn open_project(&mut self, place: Place) {
        if self.projects.values().any(|project| project.place == place) {
            return;
        }
        let id = ProjectId(self.workspace.next);
        self.workspace.next += 1;
        let workspace = self.workspace.of_place(&place);
        let trusted_as = workspace.trusted_as.clone();
        let (toolchain, pool) = (self.toolchain.clone(), self.pool.clone());
        match Builder::start(id, place.clone(), workspace, toolchain, pool, self.events.clone()) {
            Ok(builder) => {
                tracing::info!("project {}", place.path().display());
                let trusted = self.trust.is_trusted(&trusted_as);
                let mut project = FuzzedProject::new(id, place, trusted_as, trusted, builder);
                project.request("opened", &self.settings, self.paused);
                self.projects.insert(id, project);
            }
            Err(error) => tracing::error!("no thread to build {}: {error}", place.path().display()),
        }
    }

    /// Opens the project of a file, if that is not one of those that are open.
    pub(super) fn ensure_project(&mut self, path: &Path) {
        let is_known = || self.projects.values().any(|project| project.builds(path));
        let is_dependency = path.components().any(|part| part.as_os_str() == "node_modules");
        let is_searching = self.workspace.awaits_settings || self.workspace.searching > 0;
        if is_searching || !is_solidity(path) || is_dependency || is_known() {
            return;
        }
        let place = match self.workspace.around(path) {
            Some(folder) => Place::Root(Project::find_root(path, Some(folder))),
            None => match Project::open(path, None) {
                Ok(project) if project.sources == [path] => Place::File(path.to_owned()),
                Ok(project) => Place::Root(project.root),
                Err(error) => return tracing::warn!("{error}"),
            },
        };
        self.open_project(place);
    }

    /// `workspace/didChangeWatchedFiles`.
    pub(super) fn files_changed(&mut self, uris: &[Uri]) {
        for path in uris.iter().filter_map(path_of) {
            self.rebuild_for(&path, "a file changed on disk");
            self.attention.changed(path);
        }
    }

    /// `workspace/didChangeWorkspaceFolders`.
    pub(super) fn folders_changed(&mut self, added: &[WorkspaceFolder], removed: &[WorkspaceFolder]) {
        let paths =
            |folders: &[WorkspaceFolder]| folders.iter().filter_map(|folder| path_of(&folder.uri)).collect::<Vec<_>>();
        let removed = paths(removed);
        self.workspace.folders.retain(|folder| !removed.contains(folder));
        let gone = |project: &FuzzedProject| {
            let path = project.place.path();
            removed.iter().any(|folder| path.starts_with(folder)) && self.workspace.around(path).is_none()
        };
        let ids: Vec<ProjectId> =
            self.projects.iter().filter(|(_, project)| gone(project)).map(|(id, _)| *id).collect();
        for project in ids.iter().filter_map(|id| self.projects.remove(id)).collect::<Vec<_>>() {
            // Its threads end by themselves.
            drop(project.close());
        }
        for folder in paths(added) {
            if !self.workspace.folders.contains(&folder) {
                self.workspace.folders.push(folder.clone());
                self.discover(folder);
            }
        }
        self.touch_all();
    }

    /// Builds all projects again.
    pub(super) fn rebuild_all(&mut self, reason: &'static str) {
        for project in self.projects.values_mut() {
            project.request(reason, &self.settings, self.paused);
        }
    }

    /// Builds the projects again for which this file matters: the innermost around it, and all that were built from it.
    pub(super) fn rebuild_for(&mut self, path: &Path, reason: &'static str) {
        let configures = is_configuration(path);
        if !configures && !is_solidity(path) {
            return;
        }
        let around = self.projects.iter().filter(|(_, project)| path.starts_with(project.place.path()));
        let innermost = around.max_by_key(|(_, project)| project.place.path().components().count()).map(|(id, _)| *id);
        for (id, project) in &mut self.projects {
            if Some(*id) == innermost || project.builds(path) {
                project.request(reason, &self.settings, self.paused);
            }
        }
        // A configuration where there was none makes another project.
        let is_root = |root: &Path| self.projects.values().any(|project| project.place.path() == root);
        if configures
            && path.parent().is_some_and(|folder| !is_root(folder))
            && let Some(folder) = self.workspace.around(path).cloned()
        {
            self.discover(folder);
        }
    }
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
            assert_eq!(is_solidity(&path) || is_configuration(&path), starts, "{name}");
        }
    }
}
