//! The [`SearchPath`] lists the folders in which programs are looked for: PATH without folders of untrusted workspaces. Every
//! process that we start gets it as its own PATH, because many programs (npm is one) are scripts that have `env` look for their
//! interpreter. It starts nothing itself.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

/// The programs that are looked for on PATH to compile with.
const PROGRAMS: [&str; 3] = ["solc", "node", "npm"];

/// The workspaces that are open, and how many projects of each are trusted and are not.
#[derive(Debug, Clone, Default)]
pub(super) struct Workspaces {
    open: Arc<Mutex<BTreeMap<PathBuf, Count>>>,
}

#[derive(Debug, Default)]
struct Count {
    trusted: usize,
    untrusted: usize,
}

/// A project's place among the workspaces, for as long as this lives.
#[derive(Debug)]
pub(super) struct Membership {
    workspaces: Workspaces,
    folders: Vec<PathBuf>,
    trusted: bool,
}

/// The folders in which programs are looked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SearchPath {
    folders: Vec<PathBuf>,
    forbidden: Vec<PathBuf>,
}

impl Workspaces {
    /// Notes that a project is in these folders, and whether they are trusted.
    pub(super) fn join(&self, folders: impl IntoIterator<Item = PathBuf>, trusted: bool) -> Membership {
        let folders: Vec<PathBuf> = folders.into_iter().collect();
        for folder in &folders {
            let mut open = self.open();
            let count = open.entry(folder.clone()).or_default();
            *(if trusted { &mut count.trusted } else { &mut count.untrusted }) += 1;
        }
        Membership { workspaces: self.clone(), folders, trusted }
    }

    /// The search path for projects that are trusted, or for those that are not. For the latter every workspace is left out: also what
    /// is in a trusted one was not brought here for them.
    pub(super) fn search_path(&self, trusted: bool) -> SearchPath {
        let is_forbidden = |count: &Count| !trusted || count.untrusted > 0 && count.trusted == 0;
        let open = self.open();
        let forbidden: Vec<PathBuf> =
            open.iter().filter(|(_, count)| is_forbidden(count)).map(|(folder, _)| folder.clone()).collect();
        drop(open);
        SearchPath::new(std::env::var_os("PATH").unwrap_or_default(), forbidden, trusted)
    }

    fn open(&self) -> MutexGuard<'_, BTreeMap<PathBuf, Count>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Membership {
    /// Whether the project's workspace is trusted.
    pub(super) fn is_trusted(&self) -> bool {
        self.trusted
    }
}

impl Drop for Membership {
    fn drop(&mut self) {
        let mut open = self.workspaces.open();
        for folder in &self.folders {
            let Some(count) = open.get_mut(folder) else { continue };
            *(if self.trusted { &mut count.trusted } else { &mut count.untrusted }) -= 1;
            if count.trusted + count.untrusted == 0 {
                open.remove(folder);
            }
        }
    }
}

impl SearchPath {
    /// The folders of `path` that are absolute (others mean whatever folder a process happens to run in) and outside of the
    /// `forbidden` ones. Without trust, `node_modules/.bin` folders are left out too: npm and npx put those of every folder around a
    /// project on PATH.
    fn new(path: OsString, forbidden: impl IntoIterator<Item = PathBuf>, trusted: bool) -> Self {
        // A folder has two spellings where a link leads to it.
        let spelled = |folder: PathBuf| [folder.canonicalize().ok(), Some(folder)].into_iter().flatten();
        let mut search = Self { folders: Vec::new(), forbidden: forbidden.into_iter().flat_map(spelled).collect() };
        let is_of_packages = |folder: &Path| folder.ends_with(Path::new("node_modules").join(".bin"));
        search.folders = std::env::split_paths(&path)
            .filter(|folder| folder.is_absolute() && (trusted || !is_of_packages(folder)) && !search.forbids(folder))
            .collect();
        search
    }

    /// Whether a file or folder is in a forbidden folder, itself or by a link.
    fn forbids(&self, path: &Path) -> bool {
        let real = path.canonicalize();
        let spellings = [Some(path), real.as_deref().ok()];
        spellings.into_iter().flatten().any(|path| self.forbidden.iter().any(|folder| path.starts_with(folder)))
    }

    /// The first program of this name.
    pub(super) fn find(&self, name: &str) -> Option<PathBuf> {
        let file = file_name(name);
        self.folders.iter().map(|folder| folder.join(&file)).find(|path| path.is_file() && !self.forbids(path))
    }

    /// As the value of PATH. A script finds an interpreter in the folder of `first` before any other.
    pub(super) fn variable(&self, first: Option<&Path>) -> OsString {
        let first = first.and_then(Path::parent).map(Path::to_path_buf);
        let folders = first.into_iter().chain(self.folders.iter().cloned());
        // Folders from a PATH, or with a program in them, have names that are valid in a PATH.
        std::env::join_paths(folders).unwrap_or_default()
    }

    /// The command that starts a program in a folder, with this path as its PATH.
    pub(super) fn command(&self, program: &Path, folder: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(folder).env("PATH", self.variable(self.find("node").as_deref()));
        command
    }
}

/// A program is looked for with the ending that it has on this system.
fn file_name(name: &str) -> String {
    match name {
        // npm is a script, which Windows starts by another ending.
        "npm" if cfg!(windows) => "npm.cmd".to_owned(),
        _ => format!("{name}{}", std::env::consts::EXE_SUFFIX),
    }
}

/// The command that starts the program `name` in `folder`, found on PATH and with a PATH of its own: both without folders of
/// `untrusted`, and without any that is not absolute. None if there is no such program.
pub fn command(name: &str, folder: &Path, untrusted: Option<&Path>) -> Option<Command> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let search = SearchPath::new(path, untrusted.map(Path::to_path_buf), untrusted.is_none());
    Some(search.command(&search.find(name)?, folder))
}

/// The programs for compiling (`solc`, `node`, `npm`) that would be taken from these folders because they are on PATH there, before
/// any other.
pub fn programs_in(folders: &[&Path]) -> Vec<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = SearchPath::new(path.clone(), [], true);
    let outside = SearchPath::new(path, folders.iter().map(|folder| folder.to_path_buf()), true);
    PROGRAMS.into_iter().filter_map(|name| all.find(name)).filter(|program| outside.forbids(program)).collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder with a workspace `w` and a system folder `bin`, both with a program, and links between them.
    fn folders() -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, program) in [("w/bin", "node"), ("bin", "npm"), ("bin", "node"), ("links", "solc")] {
            std::fs::create_dir_all(folder.path().join(name)).unwrap();
            std::fs::write(folder.path().join(name).join(program), "").unwrap();
        }
        symlink(folder.path().join("w/bin"), folder.path().join("into")).unwrap();
        symlink(folder.path().join("w/bin/node"), folder.path().join("links/node")).unwrap();
        folder
    }

    fn search(folder: &Path, path: &[&str], trusted: bool) -> SearchPath {
        let entries = path.iter().map(|entry| match entry.strip_prefix("./") {
            Some(_) => PathBuf::from(entry),
            None => folder.join(entry),
        });
        SearchPath::new(std::env::join_paths(entries).unwrap(), [folder.join("w")], trusted)
    }

    #[test]
    fn folders_of_an_untrusted_workspace_are_left_out_however_they_are_spelled() {
        let folder = folders();
        let all = ["./bin", "w/bin", "into", "links", "w", "bin", "elsewhere/node_modules/.bin"];
        let left = |trusted| {
            let left = search(folder.path(), &all, trusted).folders;
            left.iter().map(|left| left.strip_prefix(folder.path()).unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(left(false), ["links", "bin"].map(PathBuf::from));
        assert_eq!(left(true), ["links", "bin", "elsewhere/node_modules/.bin"].map(PathBuf::from));
    }

    #[test]
    fn a_program_that_is_a_link_into_the_workspace_is_not_found_and_scripts_find_the_one_outside_first() {
        let folder = folders();
        let search = search(folder.path(), &["w/bin", "links", "bin"], false);
        let node = search.find("node");
        assert_eq!(node, Some(folder.path().join("bin/node")));
        let path = search.variable(node.as_deref());
        let first = std::env::split_paths(&path).next();
        assert_eq!(first, Some(folder.path().join("bin")));
    }

    #[test]
    fn trust_is_counted_by_workspace_and_ends_with_the_project() {
        let workspaces = Workspaces::default();
        let forbidden = |trusted| workspaces.search_path(trusted).forbidden;
        let (a, b) = (PathBuf::from("/nowhere/a"), PathBuf::from("/nowhere/b"));
        let of_a = workspaces.join([a.clone()], true);
        let of_b = workspaces.join([b.clone()], false);
        assert_eq!(forbidden(true), std::slice::from_ref(&b));
        assert_eq!(forbidden(false), [a.clone(), b.clone()], "what is in a trusted workspace is not for others");
        // Trusted meanwhile: its projects follow one after the other.
        let second = workspaces.join([b.clone()], true);
        assert_eq!(forbidden(true), [] as [PathBuf; 0]);
        drop((of_a, of_b, second));
        assert_eq!(forbidden(false), [] as [PathBuf; 0]);
    }
}
