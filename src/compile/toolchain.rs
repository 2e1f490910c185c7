//! A [`Toolchain`] finds a compiler for a set of requirements, fetches one if need be, and shares those it found among
//! projects. It remembers every way that it tried, so that a failure can say what to do.

use super::{
    fetch::{self, Fetch, Fetches, Npm, package_folder},
    process::Processes,
    progress::{CompileStage, StageReporter},
    releases,
    search_path::{Membership, Workspaces},
    solc::{Package, Solc, SolcEnvironment, SolcError, Timeouts},
};
use crate::project::SolcChoice;
use semver::{Comparator, Op, Version, VersionReq};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex, MutexGuard, PoisonError, Weak,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    time::{Duration, Instant},
};

/// The script that runs a solc package; written beside the packages.
const WORKER_SCRIPT: &str = include_str!("solc_worker.js");

/// No compiler was found. Lists what was tried.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "no solc for {wanted}; tried: {}. Install one (`svm install`, or any solc on PATH), or node and npm so that it can be fetched, \
     or set `solc` in bellwether.toml to an executable",
    attempts.join("; ")
)]
pub struct NoCompiler {
    /// The requested compiler.
    pub wanted: String,
    /// Each way that was tried, with why it failed.
    pub attempts: Vec<String>,
}

/// The compilers that are shared by all projects with a clone of this.
#[derive(Debug, Clone)]
pub struct Toolchain {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    processes: Processes,
    workspaces: Workspaces,
    limits: Timeouts,
    found: Mutex<BTreeMap<SolcKey, Arc<Slot>>>,
    fetches: Fetches,
    /// The time at which svm's server could not be reached, so that a machine without access to it does not wait for each
    /// version.
    svm_failed: Mutex<Option<Instant>>,
    rests: Sender<()>,
}

/// Holds a compiler, and is locked while it starts.
type Slot = Mutex<Option<Arc<Solc>>>;

/// A compiler, and whether it serves trusted projects: others have processes of their own.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct SolcKey {
    program: PathBuf,
    /// For a package, its folder.
    package: Option<PathBuf>,
    trusted: bool,
}

/// The result of a search for a compiler.
#[derive(Debug)]
pub(super) enum CompilerLookup {
    /// A compiler that meets all requirements.
    Found(Arc<Solc>),
    /// This version is being fetched.
    Pending(Version),
    /// There is none.
    Missing(NoCompiler),
}

impl Toolchain {
    /// A toolchain that blocks: a build waits for compilers that have to be fetched.
    pub fn waiting(limits: Timeouts) -> Self {
        Self::new(limits, None)
    }

    /// A toolchain that does not block: a build compiles what it can. Whenever a compiler was fetched, or could not be,
    /// `listener` is called on the thread that fetched it, and the next build finds the compiler.
    pub fn telling(limits: Timeouts, listener: impl Fn() + Send + Sync + 'static) -> Self {
        Self::new(limits, Some(Box::new(listener)))
    }

    fn new(limits: Timeouts, listener: Option<fetch::FetchListener>) -> Self {
        let (rests, resting) = channel();
        let shared = Arc::new(Shared {
            processes: Processes::default(),
            workspaces: Workspaces::default(),
            limits,
            found: Mutex::default(),
            fetches: Fetches::new(limits.refetch, listener),
            svm_failed: Mutex::default(),
            rests,
        });
        let weak = Arc::downgrade(&shared);
        if let Err(error) =
            std::thread::Builder::new().name("rest".to_owned()).spawn(move || end_rests(&weak, &resting))
        {
            tracing::warn!("cannot start the thread that ends idle compilers, so they stay: {error}");
        }
        Self { shared }
    }

    /// Ends all processes at once, busy ones included, and starts no more.
    pub fn stop(&self) {
        self.shared.processes.stop();
    }

    /// The toolchain as one project may use it. Packages are kept in `folder`; the project is in the `workspace` folders, from which
    /// nothing is executed unless it is trusted.
    pub(super) fn of_project(
        &self,
        folder: PathBuf,
        workspace: impl IntoIterator<Item = PathBuf>,
        trusted: bool,
    ) -> ProjectToolchain {
        sweep(&folder);
        let membership = self.shared.workspaces.join(workspace, trusted);
        ProjectToolchain {
            shared: self.shared.clone(),
            folder,
            membership,
            searched: Mutex::default(),
            failed: Mutex::default(),
            stages: StageReporter::default(),
        }
    }
}

/// Ends compilers that were idle for long enough. Sleeps while none is idle.
fn end_rests(toolchain: &Weak<Shared>, resting: &Receiver<()>) {
    while resting.recv().is_ok() {
        while let Some(next) = toolchain.upgrade().and_then(|shared| shared.end_rests()) {
            if resting.recv_timeout(next) == Err(RecvTimeoutError::Disconnected) {
                return;
            }
        }
    }
}

impl Shared {
    /// When to look again.
    fn end_rests(&self) -> Option<Duration> {
        let slots: Vec<_> = lock(&self.found).values().cloned().collect();
        let kept = slots.iter().filter_map(|slot| slot.try_lock().ok()?.clone());
        kept.filter_map(|solc| solc.end_rest()).min()
    }

    /// Fetches a compiler, in a way that has not failed.
    fn fetch(&self, version: &Version, has_native: bool, npm: &Npm) -> Result<(), Vec<String>> {
        let mut attempts = Vec::new();
        if has_native {
            // It is there, and does not start.
        } else if lock(&self.svm_failed).is_some_and(|at| at.elapsed() < self.limits.refetch) {
            attempts.push(format!("download of {version} by svm: its server could not be reached a moment ago"));
        } else {
            tracing::info!(%version, "fetching solc by svm");
            match fetch::by_svm(version, self.limits.fetch) {
                Ok(()) => return Ok(()),
                Err(error) => {
                    if error.is_unreachable {
                        *lock(&self.svm_failed) = Some(Instant::now());
                    }
                    attempts.push(format!("download of {version} by svm: {}", error.words));
                }
            }
        }
        tracing::info!(%version, "fetching solc from npm");
        npm.install(version).map_err(|error| {
            attempts.push(format!("npm package solc@{version}: {error}"));
            tracing::warn!("solc {version} cannot be fetched: {}", attempts.join("; "));
            attempts
        })
    }
}

/// A [`Toolchain`] as one project may use it.
#[derive(Debug)]
pub(super) struct ProjectToolchain {
    shared: Arc<Shared>,
    /// Where npm packages and the worker script go.
    folder: PathBuf,
    membership: Membership,
    /// The results of this build's searches, by requirements: a project has many files, and few different requirements.
    searched: Mutex<BTreeMap<String, Result<Arc<Solc>, NoCompiler>>>,
    /// The compilers that could not be started in this build.
    failed: Mutex<BTreeMap<SolcKey, String>>,
    /// Receives the stages of fetching.
    pub(super) stages: StageReporter,
}

impl ProjectToolchain {
    /// Begins a build: compilers that could not be started before are tried again.
    pub(super) fn begin(&self) {
        lock(&self.failed).clear();
        lock(&self.searched).clear();
    }

    /// Fetches these releases at the same time, if the build waits for them.
    pub(super) fn fetch_all<'a>(&self, releases: impl IntoIterator<Item = &'a Version>) {
        if self.shared.fetches.are_awaited() {
            for version in releases {
                self.find(Some(&SolcChoice::Version(version.clone())), &[]);
            }
            self.shared.fetches.wait();
        }
    }

    /// The first compiler that meets `choice` and all `requirements`, in this order: the configured path, svm's, PATH, our
    /// cache; else one that is fetched, by svm or by npm.
    pub(super) fn find(&self, choice: Option<&SolcChoice>, requirements: &[VersionReq]) -> CompilerLookup {
        let key = format!("{choice:?} {requirements:?}");
        if let Some(searched) = lock(&self.searched).get(&key) {
            return match searched {
                Ok(solc) => CompilerLookup::Found(solc.clone()),
                Err(error) => CompilerLookup::Missing(error.clone()),
            };
        }
        let search = self.search(choice, requirements);
        let result = match &search {
            CompilerLookup::Found(solc) => Ok(solc.clone()),
            CompilerLookup::Missing(error) => Err(error.clone()),
            // It may be there when the next file asks.
            CompilerLookup::Pending(_) => return search,
        };
        lock(&self.searched).insert(key, result);
        search
    }

    fn search(&self, choice: Option<&SolcChoice>, requirements: &[VersionReq]) -> CompilerLookup {
        let mut requirements = requirements.to_vec();
        match choice {
            Some(SolcChoice::Path(path)) => return self.at_path(path),
            Some(SolcChoice::Version(version)) => requirements.push(exactly(version)),
            Some(SolcChoice::Requirement(requirement)) => requirements.push(requirement.clone()),
            None => {}
        }
        let mut attempts = match self.installed(&requirements) {
            Ok(solc) => return CompilerLookup::Found(solc),
            Err(attempts) => attempts,
        };
        let Some(version) = releases::newest(&requirements) else {
            attempts.push("no release from 0.4.11 on meets every pragma".to_owned());
            return CompilerLookup::Missing(no_compiler(&requirements, attempts));
        };
        if package_folder(&self.folder, &version).is_dir() {
            // It is there, and was tried.
            return CompilerLookup::Missing(no_compiler(&requirements, attempts));
        }
        let has_native = svm::version_binary(&version.to_string()).is_file();
        let (shared, wanted) = (self.shared.clone(), version.clone());
        let npm = Npm {
            processes: shared.processes.clone(),
            search: shared.workspaces.search_path(self.membership.is_trusted()),
            folder: self.folder.clone(),
            limits: shared.limits,
        };
        let fetch = move || shared.fetch(&wanted, has_native, &npm);
        match self.shared.fetches.order((self.folder.clone(), version.clone()), fetch) {
            Fetch::Running => {
                self.stages.tell(CompileStage::Fetching { version: version.clone() });
                CompilerLookup::Pending(version)
            }
            Fetch::Failed(more) => CompilerLookup::Missing(no_compiler(&requirements, [attempts, more].concat())),
        }
    }

    /// An installed compiler; else each way that was tried.
    fn installed(&self, requirements: &[VersionReq]) -> Result<Arc<Solc>, Vec<String>> {
        let matches = |version: &Version| {
            let plain = Version::new(version.major, version.minor, version.patch);
            requirements.iter().all(|requirement| requirement.matches(&plain))
        };
        let mut attempts = Vec::new();
        match svm::installed_versions().unwrap_or_default().into_iter().filter(|v| matches(v)).max() {
            Some(version) => match self.native(&svm::version_binary(&version.to_string())) {
                Ok(solc) => return Ok(solc),
                Err(error) => attempts.push(format!("svm's {version}: {error}")),
            },
            None => attempts.push("svm has no version installed that fits".to_owned()),
        }
        match self.on_path("solc").map(|path| self.native(&path)) {
            Some(Ok(solc)) if matches(solc.version()) => return Ok(solc),
            Some(Ok(solc)) => attempts.push(format!("solc on PATH is {}", solc.version())),
            Some(Err(error)) => attempts.push(format!("solc on PATH: {error}")),
            None => attempts.push("there is no solc on PATH".to_owned()),
        }
        match self.packages().into_iter().filter(|v| matches(v)).max() {
            Some(version) => match self.package(&version) {
                Ok(solc) => return Ok(solc),
                Err(error) => attempts.push(format!("the package {version} in the cache: {error}")),
            },
            None => attempts.push(format!("{} holds no version that fits", self.folder.display())),
        }
        Err(attempts)
    }

    fn at_path(&self, path: &Path) -> CompilerLookup {
        // A bare name is looked up as all other programs are.
        let program =
            if path.is_absolute() { Some(path.to_owned()) } else { path.to_str().and_then(|name| self.on_path(name)) };
        let found = program
            .ok_or_else(|| "there is no program of this name on PATH".to_owned())
            .and_then(|path| self.native(&path));
        match found {
            Ok(solc) => CompilerLookup::Found(solc),
            Err(error) => {
                CompilerLookup::Missing(NoCompiler { wanted: path.display().to_string(), attempts: vec![error] })
            }
        }
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        self.shared.workspaces.search_path(self.membership.is_trusted()).find(name)
    }

    /// An executable.
    fn native(&self, path: &Path) -> Result<Arc<Solc>, String> {
        let key = SolcKey { program: path.to_owned(), package: None, trusted: self.membership.is_trusted() };
        self.keep(key, |environment| Solc::native(path, environment))
    }

    /// A package in our cache.
    fn package(&self, version: &Version) -> Result<Arc<Solc>, String> {
        let script = self.folder.join("solc_worker.js");
        if std::fs::read_to_string(&script).ok().as_deref() != Some(WORKER_SCRIPT) {
            write_atomically(&script, WORKER_SCRIPT).map_err(|error| format!("{}: {error}", script.display()))?;
        }
        let node = self.on_path("node").ok_or_else(|| "there is no node on PATH".to_owned())?;
        let folder = package_folder(&self.folder, version);
        let key =
            SolcKey { program: node.clone(), package: Some(folder.clone()), trusted: self.membership.is_trusted() };
        let solc = self.keep(key, |environment| Solc::package(Package { node, script, folder }, environment))?;
        let loaded = solc.version();
        if (loaded.major, loaded.minor, loaded.patch) != (version.major, version.minor, version.patch) {
            return Err(format!("the package holds {loaded}; name another version"));
        }
        Ok(solc)
    }

    /// The compiler under a key, which is started if need be. Other keys are not blocked meanwhile.
    fn keep(
        &self,
        key: SolcKey,
        make: impl FnOnce(SolcEnvironment) -> Result<Solc, SolcError>,
    ) -> Result<Arc<Solc>, String> {
        if let Some(error) = lock(&self.failed).get(&key) {
            return Err(error.clone());
        }
        let slot = lock(&self.shared.found).entry(key.clone()).or_default().clone();
        let mut kept = lock(&slot);
        if let Some(solc) = &*kept {
            return Ok(solc.clone());
        }
        let solc = std::fs::create_dir_all(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))
            .and_then(|()| make(self.environment()).map_err(|error| error.to_string()));
        match solc {
            Ok(solc) => {
                let solc = kept.insert(Arc::new(solc)).clone();
                drop(kept);
                // It may never be asked.
                let _ = self.shared.rests.send(());
                Ok(solc)
            }
            Err(error) => {
                lock(&self.failed).insert(key, error.clone());
                Err(error)
            }
        }
    }

    fn environment(&self) -> SolcEnvironment {
        SolcEnvironment {
            processes: self.shared.processes.clone(),
            workspaces: self.shared.workspaces.clone(),
            trusted: self.membership.is_trusted(),
            folder: self.folder.clone(),
            limits: self.shared.limits,
            rests: self.shared.rests.clone(),
        }
    }

    /// Forgets a compiler that gave no answer, so that the next search looks at all of them again.
    pub(super) fn forget(&self, solc: &Arc<Solc>) {
        lock(&self.searched).clear();
        lock(&self.shared.found).retain(|_, slot| {
            // One that is being started is another one.
            slot.try_lock().ok().and_then(|kept| kept.clone()).is_none_or(|kept| !Arc::ptr_eq(&kept, solc))
        });
    }

    fn packages(&self) -> Vec<Version> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let versions = entries.filter_map(|entry| Version::parse(entry.file_name().to_str()?).ok());
        versions.filter(|version| package_folder(&self.folder, version).join("package.json").is_file()).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn no_compiler(requirements: &[VersionReq], attempts: Vec<String>) -> NoCompiler {
    let wanted = requirements.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    NoCompiler { wanted: if wanted.is_empty() { "any version".to_owned() } else { wanted }, attempts }
}
fn exactly(version: &Version) -> VersionReq {
    let comparator = Comparator {
        op: Op::Exact,
        major: version.major,
        minor: Some(version.minor),
        patch: Some(version.patch),
        pre: semver::Prerelease::EMPTY,
    };
    VersionReq { comparators: vec![comparator] }
}

/// The ending of files that an interrupted write leaves behind.
const HALF_WRITTEN: &str = ".tmp";
/// The age from which a half-written file is abandoned; chosen by hand.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Removes half-written files from a folder of ours, left by processes that were killed. Younger ones may still be in the
/// making.
pub(crate) fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed().unwrap_or_default());
        if !(name.starts_with(fetch::STAGED) || name.starts_with(HALF_WRITTEN)) || !age.is_ok_and(|age| age > ABANDONED)
        {
            continue;
        }
        let path = entry.path();
        let removed = if path.is_dir() { std::fs::remove_dir_all(&path) } else { std::fs::remove_file(&path) };
        if let Err(error) = removed {
            tracing::debug!(path = %path.display(), %error, "cannot be removed");
        }
    }
}

/// Writes beside the target and renames, so that a reader sees the old text or the new one.
pub(crate) fn write_atomically(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new().prefix(HALF_WRITTEN).tempfile_in(folder)?;
    std::io::Write::write_all(&mut file, text.as_bytes())?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn what_killed_processes_left_half_written_goes_and_what_is_being_written_stays() {
        let folder = tempfile::tempdir().unwrap();
        let long_ago = std::time::SystemTime::now() - std::time::Duration::from_secs(24 * 60 * 60);
        for (name, modified) in [
            (".tmpOld", Some(long_ago)),
            (".tmpNew", None),
            ("old.json", Some(long_ago)),
            ("install-1", Some(long_ago)),
        ] {
            let file = std::fs::File::create(folder.path().join(name)).unwrap();
            modified.map_or(Ok(()), |at| file.set_modified(at)).unwrap();
        }
        sweep(folder.path());
        let left = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(left.collect::<BTreeSet<_>>(), [".tmpNew", "old.json"].map(Into::into).into());
    }
}
