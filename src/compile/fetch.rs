//! [`Fetches`] downloads compilers, each on a thread of its own, and remembers those that could not be downloaded lately.
//! Nobody has to wait: a caller learns that a download is under way, and a listener is called when it ends. Which compiler is
//! needed is decided elsewhere.

use super::{
    process::{Processes, RunError},
    search_path::SearchPath,
    solc::Timeouts,
};
use semver::Version;
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, mpsc},
    time::{Duration, Instant},
};

/// The prefix of the folder that an interrupted install leaves behind.
pub(super) const STAGED: &str = "install-";

/// npm's retries of a request, and its timeout for one in milliseconds; chosen by hand. With its defaults it would try for over
/// five minutes.
const NPM_LIMITS: [&str; 2] = ["--fetch-retries=1", "--fetch-timeout=30000"];

/// Called when a compiler was fetched, or could not be.
pub(super) type FetchListener = Box<dyn Fn() + Send + Sync>;

/// A compiler to be fetched: the folder that packages are kept in, and the version.
type FetchKey = (PathBuf, Version);

/// The state of a download.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Fetch {
    /// It is under way.
    Running,
    /// It failed not long ago: each way that was tried, with why.
    Failed(Vec<String>),
}

#[derive(Clone)]
pub(super) struct Fetches {
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    refetch: Duration,
    listener: Option<FetchListener>,
}

#[derive(Debug, Default)]
struct State {
    running: BTreeSet<FetchKey>,
    failed: BTreeMap<FetchKey, (Instant, Vec<String>)>,
}

impl Fetches {
    /// A failed download is tried again after `refetch`. Without a listener, callers wait for downloads.
    pub(super) fn new(refetch: Duration, listener: Option<FetchListener>) -> Self {
        let (state, changed) = (Mutex::default(), Condvar::new());
        Self { shared: Arc::new(Shared { state, changed, refetch, listener }) }
    }

    /// Fetches a compiler by `fetch`, unless that is under way or failed lately. `fetch` returns each way that it tried if none
    /// works.
    pub(super) fn order(
        &self,
        wanted: FetchKey,
        fetch: impl FnOnce() -> Result<(), Vec<String>> + Send + 'static,
    ) -> Fetch {
        let mut state = self.shared.state();
        if state.running.contains(&wanted) {
            return Fetch::Running;
        }
        if let Some((at, attempts)) = state.failed.get(&wanted)
            && at.elapsed() < self.shared.refetch
        {
            return Fetch::Failed(attempts.clone());
        }
        state.failed.remove(&wanted);
        state.running.insert(wanted.clone());
        drop(state);
        let running = FetchGuard { shared: self.shared.clone(), wanted };
        let work = move || running.end(fetch());
        match std::thread::Builder::new().name("fetch".to_owned()).spawn(work) {
            Ok(_) => Fetch::Running,
            // The work was dropped, and has ended by that.
            Err(error) => Fetch::Failed(vec![format!("cannot start the thread that fetches it: {error}")]),
        }
    }

    /// Whether callers wait for downloads, because there is no listener.
    pub(super) fn are_awaited(&self) -> bool {
        self.shared.listener.is_none()
    }

    /// Waits until no download is under way. Each has its own timeout.
    pub(super) fn wait(&self) {
        let state = self.shared.state();
        drop(self.shared.changed.wait_while(state, |state| !state.running.is_empty()));
    }
}

impl fmt::Debug for Fetches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shared.state().fmt(f)
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A fetch that is under way, until this is dropped.
struct FetchGuard {
    shared: Arc<Shared>,
    wanted: FetchKey,
}

impl FetchGuard {
    fn end(self, result: Result<(), Vec<String>>) {
        if let Err(attempts) = result {
            self.shared.state().failed.insert(self.wanted.clone(), (Instant::now(), attempts));
        }
    }
}

impl Drop for FetchGuard {
    fn drop(&mut self) {
        self.shared.state().running.remove(&self.wanted);
        self.shared.changed.notify_all();
        if let Some(listener) = &self.shared.listener {
            listener();
        }
    }
}

/// The reason why svm fetched nothing.
#[derive(Debug)]
pub(super) struct SvmFailure {
    /// Whether its server did not answer, and so would not for other versions either.
    pub(super) is_unreachable: bool,
    pub(super) words: String,
}

/// Fetches a native compiler. svm panics on odd answers and has a time limit of ten minutes: on a thread of its own neither hurts.
pub(super) fn by_svm(version: &Version, limit: Duration) -> Result<(), SvmFailure> {
    let (send, receive) = mpsc::channel();
    let wanted = version.clone();
    let install = move || {
        // Another thread may have chosen it already.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let installed = svm::blocking_install(&wanted).map_err(|error| SvmFailure {
            is_unreachable: matches!(error, svm::SvmError::ReqwestError(_) | svm::SvmError::UnsuccessfulResponse(..)),
            words: error.to_string().lines().next().unwrap_or("failed").to_owned(),
        });
        send.send(installed.map(drop))
    };
    let failure = |is_unreachable, words| Err(SvmFailure { is_unreachable, words });
    if let Err(error) = std::thread::Builder::new().name("svm".to_owned()).spawn(install) {
        return failure(false, error.to_string());
    }
    match receive.recv_timeout(limit) {
        Ok(installed) => installed,
        Err(mpsc::RecvTimeoutError::Timeout) => failure(true, format!("no answer within {} s", limit.as_secs_f32())),
        Err(mpsc::RecvTimeoutError::Disconnected) => failure(false, "svm panicked".to_owned()),
    }
}

/// Where and how npm installs.
pub(super) struct Npm {
    pub(super) processes: Processes,
    pub(super) search: SearchPath,
    /// The folder that packages are kept in.
    pub(super) folder: PathBuf,
    pub(super) limits: Timeouts,
}

impl Npm {
    /// Installs a package in a folder of its own and then moves that into place, so that an interrupted install leaves nothing half-made, and
    /// no `.npmrc` of a workspace is read.
    pub(super) fn install(&self, version: &Version) -> Result<(), String> {
        let npm = self.search.find("npm").ok_or_else(|| "there is no npm on PATH".to_owned())?;
        if self.search.find("node").is_none() {
            return Err("there is no node on PATH".to_owned());
        }
        std::fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let staging = tempfile::Builder::new()
            .prefix(STAGED)
            .tempdir_in(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))?;
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").map_err(|error| error.to_string())?;
        let mut command = self.search.command(&npm, staging.path());
        command
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"])
            .args(NPM_LIMITS)
            .arg(format!("solc@{}", package_version(version)));
        let output = self.processes.run(command, Vec::new(), self.limits.fetch).map_err(|error| match error {
            RunError::Start(error) => format!("npm cannot be started: {error}"),
            RunError::Hung => format!("npm did not end within {} s", self.limits.fetch.as_secs_f32()),
        })?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(said.lines().next_back().unwrap_or("npm failed without a message").trim().to_owned());
        }
        let staged = staging.keep();
        if std::fs::rename(&staged, self.folder.join(version.to_string())).is_err() {
            // Another process was faster; its package serves as well.
            let _ = std::fs::remove_dir_all(&staged);
        }
        let installed = package_folder(&self.folder, version).is_dir();
        installed.then_some(()).ok_or_else(|| "the package holds no compiler".to_owned())
    }
}

/// The folder of a package below the folder that packages are kept in.
pub(super) fn package_folder(folder: &Path, version: &Version) -> PathBuf {
    folder.join(version.to_string()).join("node_modules").join("solc")
}

/// The package that really holds a version: npm's `0.8.7` was published with another compiler in it.
fn package_version(version: &Version) -> String {
    if *version == Version::new(0, 8, 7) { "0.8.7-fixed".to_owned() } else { version.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(patch: u64) -> FetchKey {
        (PathBuf::from("/cache"), Version::new(0, 8, patch))
    }

    #[test]
    fn all_run_at_once_and_who_waits_hears_of_failures() {
        let fetches = Fetches::new(Duration::from_secs(300), None);
        // Each waits for the other.
        let barrier = Arc::new(std::sync::Barrier::new(2));
        for patch in [1, 2] {
            let barrier = barrier.clone();
            let fetch = move || {
                barrier.wait();
                if patch == 1 { Ok(()) } else { Err(vec!["no network".to_owned()]) }
            };
            assert_eq!(fetches.order(wanted(patch), fetch), Fetch::Running);
        }
        fetches.wait();
        let again = || -> Result<(), Vec<String>> { panic!("a failure is remembered") };
        assert_eq!(fetches.order(wanted(2), again), Fetch::Failed(vec!["no network".to_owned()]));
    }

    #[test]
    fn who_asks_twice_is_told_that_it_is_under_way_and_hears_when_it_ends_even_by_a_panic() {
        let (done, heard) = mpsc::channel();
        let done = Mutex::new(done);
        let listener = Box::new(move || done.lock().unwrap().send(()).unwrap());
        let fetches = Fetches::new(Duration::ZERO, Some(listener));
        let (go, wait) = mpsc::channel::<()>();
        let first = fetches.order(wanted(1), move || panic!("svm does that: {:?}", wait.recv()));
        let second = fetches.order(wanted(1), || panic!("it is under way"));
        assert_eq!((first, second), (Fetch::Running, Fetch::Running));
        go.send(()).unwrap();
        heard.recv().unwrap();
        assert_eq!(fetches.order(wanted(1), || Err(Vec::new())), Fetch::Running, "no longer under way");
        heard.recv().unwrap();
        assert_eq!(fetches.order(wanted(1), || Ok(())), Fetch::Running, "a failure of long ago is forgotten");
        heard.recv().unwrap();
    }
}
