//! A [`Toolchain`] finds a compiler for a set of requirements, fetching one if need be, and keeps those found. Every
//! way that was tried is remembered, so that a failure can say what to do.

use super::{releases, solc::Solc};
use crate::project::SolcChoice;
use semver::{Comparator, Op, Version, VersionReq};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    process::Command,
    sync::{Arc, Mutex, PoisonError, mpsc},
    time::Duration,
};

/// The script that runs a solc package; written beside the packages.
const WORKER_SCRIPT: &str = include_str!("solc_worker.js");

/// How long a download by svm may take: its own limit is ten minutes, too long for somebody who waits for a squiggle.
const SVM_PATIENCE: Duration = Duration::from_secs(60);

/// No compiler was found. Lists what was tried.
#[derive(Debug, Clone, thiserror::Error)]
#[error(
    "no solc for {wanted}; tried: {}. Install one (`svm install`, or any solc on PATH), or node and npm so that it can be fetched, \
     or set `solc` in bellwether.toml to an executable",
    attempts.join("; ")
)]
pub struct NoCompiler {
    /// What was asked for.
    pub wanted: String,
    /// Each way that was tried, with why it failed.
    pub attempts: Vec<String>,
}

/// Compilers, found and kept.
#[derive(Debug)]
pub(super) struct Toolchain {
    /// Where npm packages and the worker script go.
    folder: PathBuf,
    /// The workspace whose executables are not run.
    distrusted: Option<PathBuf>,
    found: Mutex<BTreeMap<String, Arc<Solc>>>,
}

impl Toolchain {
    /// Keeps packages in `folder`. With a `distrusted` workspace, no path that is set is executed, and nothing inside of the
    /// workspace.
    pub(super) fn new(folder: PathBuf, distrusted: Option<PathBuf>) -> Self {
        sweep(&folder);
        Self { folder, distrusted, found: Mutex::default() }
    }

    /// The first that meets `choice` and all `requirements`, in this order: the path that was set, svm's, PATH, our
    /// cache, svm's download, npm.
    pub(super) fn find(
        &self,
        choice: Option<&SolcChoice>,
        requirements: &[VersionReq],
    ) -> Result<Arc<Solc>, NoCompiler> {
        let mut requirements = requirements.to_vec();
        match choice {
            Some(SolcChoice::Path(path)) => return self.at_path(path),
            Some(SolcChoice::Version(version)) => requirements.push(exactly(version)),
            Some(SolcChoice::Requirement(requirement)) => requirements.push(requirement.clone()),
            None => {}
        }
        let matches = |version: &Version| {
            let plain = Version::new(version.major, version.minor, version.patch);
            requirements.iter().all(|requirement| requirement.matches(&plain))
        };
        let mut attempts = Vec::new();

        match svm::installed_versions().unwrap_or_default().into_iter().filter(|v| matches(v)).max() {
            Some(version) => match self
                .keep(&format!("svm {version}"), || Solc::native(&svm::version_binary(&version.to_string())))
            {
                Ok(solc) => return Ok(solc),
                Err(error) => attempts.push(format!("svm's {version}: {error}")),
            },
            None => attempts.push("svm has none installed that fits".to_owned()),
        }
        match self.on_path("solc") {
            Some(path) => match self.keep("PATH", || Solc::native(&path)) {
                Ok(solc) if matches(solc.version()) => return Ok(solc),
                Ok(solc) => attempts.push(format!("solc on PATH is {}", solc.version())),
                Err(error) => attempts.push(format!("solc on PATH: {error}")),
            },
            None => attempts.push("there is no solc on PATH".to_owned()),
        }
        match self.cached().into_iter().filter(|v| matches(v)).max() {
            Some(version) => match self.load(&version) {
                Ok(solc) => return Ok(solc),
                Err(error) => attempts.push(format!("the package {version} in our cache: {error}")),
            },
            None => attempts.push(format!("{} holds none that fits", self.folder.display())),
        }
        let Some(version) = releases::newest(&requirements) else {
            attempts.push("no release from 0.4.11 on meets every pragma".to_owned());
            return Err(no_compiler(&requirements, attempts));
        };
        match download(&version)
            .and_then(|path| self.keep(&format!("svm {version}"), || Solc::native(&path)).map_err(|e| e.to_string()))
        {
            Ok(solc) => return Ok(solc),
            Err(error) => attempts.push(format!("download of {version} by svm: {error}")),
        }
        match self.install(&version).and_then(|()| self.load(&version).map_err(|error| error.to_string())) {
            Ok(solc) => Ok(solc),
            Err(error) => {
                attempts.push(format!("npm package solc@{version}: {error}"));
                Err(no_compiler(&requirements, attempts))
            }
        }
    }

    fn at_path(&self, path: &Path) -> Result<Arc<Solc>, NoCompiler> {
        let failed = |message: String| NoCompiler { wanted: path.display().to_string(), attempts: vec![message] };
        if self.distrusted.is_some() {
            return Err(failed("the workspace is not trusted, so the path that it names is not executed".to_owned()));
        }
        self.keep(&path.display().to_string(), || Solc::native(path)).map_err(|error| failed(error.to_string()))
    }

    fn on_path(&self, name: &str) -> Option<PathBuf> {
        self.on_path_as(&format!("{name}{}", std::env::consts::EXE_SUFFIX))
    }

    /// The first file of this name on PATH. Folders that are not absolute are left out, as they would be whatever folder we
    /// were started in; so is what a workspace that is not trusted put there, such as its `node_modules/.bin`.
    fn on_path_as(&self, file: &str) -> Option<PathBuf> {
        let folders = std::env::var_os("PATH")?;
        let is_safe = |path: &PathBuf| {
            let real = path.canonicalize().unwrap_or_else(|_| path.clone());
            let inside = |root: &PathBuf| {
                path.starts_with(root) || real.starts_with(root.canonicalize().as_ref().unwrap_or(root))
            };
            !self.distrusted.as_ref().is_some_and(inside)
        };
        let candidates =
            std::env::split_paths(&folders).filter(|folder| folder.is_absolute()).map(|folder| folder.join(file));
        candidates.filter(|path| path.is_file()).find(is_safe)
    }

    fn keep<E>(&self, key: &str, make: impl FnOnce() -> Result<Solc, E>) -> Result<Arc<Solc>, E> {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(solc) = found.get(key) {
            return Ok(solc.clone());
        }
        let solc = Arc::new(make()?);
        found.insert(key.to_owned(), solc.clone());
        Ok(solc)
    }

    /// Forgets a compiler that stopped answering, so that the next search starts it anew.
    pub(super) fn forget(&self, solc: &Arc<Solc>) {
        self.found.lock().unwrap_or_else(PoisonError::into_inner).retain(|_, kept| !Arc::ptr_eq(kept, solc));
    }

    fn package_folder(&self, version: &Version) -> PathBuf {
        self.folder.join(version.to_string()).join("node_modules").join("solc")
    }

    fn cached(&self) -> Vec<Version> {
        let entries = std::fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let versions = entries.filter_map(|entry| Version::parse(entry.file_name().to_str()?).ok());
        versions.filter(|version| self.package_folder(version).join("package.json").is_file()).collect()
    }

    fn load(&self, version: &Version) -> Result<Arc<Solc>, super::SolcError> {
        let script = self.folder.join("solc_worker.js");
        if std::fs::read_to_string(&script).ok().as_deref() != Some(WORKER_SCRIPT) {
            write_atomically(&script, WORKER_SCRIPT)
                .map_err(|source| super::SolcError::Start { program: script.display().to_string(), source })?;
        }
        let node = self.on_path("node").ok_or_else(|| super::SolcError::Start {
            program: "node".to_owned(),
            source: std::io::Error::new(std::io::ErrorKind::NotFound, "there is none on PATH"),
        })?;
        let solc =
            self.keep(&format!("npm {version}"), || Solc::package(&node, &script, &self.package_folder(version)))?;
        let loaded = solc.version();
        if (loaded.major, loaded.minor, loaded.patch) != (version.major, version.minor, version.patch) {
            let message = format!("the package holds {loaded}; name another version");
            return Err(super::SolcError::Silent { version: version.to_string(), message });
        }
        Ok(solc)
    }

    /// Runs npm in a folder of its own and then moves it into place, so that an interrupted install leaves nothing
    /// half-made, and no `.npmrc` of a workspace is read.
    fn install(&self, version: &Version) -> Result<(), String> {
        tracing::info!(%version, "fetching solc from npm");
        std::fs::create_dir_all(&self.folder).map_err(|error| format!("{}: {error}", self.folder.display()))?;
        let staging = tempfile::Builder::new()
            .prefix(STAGED)
            .tempdir_in(&self.folder)
            .map_err(|error| format!("{}: {error}", self.folder.display()))?;
        std::fs::write(staging.path().join("package.json"), "{\"private\":true}").map_err(|error| error.to_string())?;
        let npm = self.on_path_as(if cfg!(windows) { "npm.cmd" } else { "npm" });
        let output = Command::new(npm.ok_or_else(|| "there is no npm on PATH".to_owned())?)
            .args(["install", "--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--loglevel=error"])
            .arg(format!("solc@{}", package_version(version)))
            .current_dir(staging.path())
            .output()
            .map_err(|error| format!("npm cannot be started: {error}"))?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(said.lines().next_back().unwrap_or("npm failed without a word").trim().to_owned());
        }
        let target = self.folder.join(version.to_string());
        let staged = staging.keep();
        if std::fs::rename(&staged, &target).is_err() {
            // Another process was faster; its package serves as well.
            let _ = std::fs::remove_dir_all(&staged);
        }
        self.package_folder(version).is_dir().then_some(()).ok_or_else(|| "the package holds no compiler".to_owned())
    }
}

/// svm panics on odd answers and has a very long time limit: on a thread of its own neither hurts.
fn download(version: &Version) -> Result<PathBuf, String> {
    let (send, receive) = mpsc::channel();
    let wanted = version.clone();
    std::thread::Builder::new()
        .name("svm".to_owned())
        .spawn(move || send.send(svm::blocking_install(&wanted).map_err(|error| error.to_string())))
        .map_err(|error| error.to_string())?;
    receive
        .recv_timeout(SVM_PATIENCE)
        .map_err(|_| "no answer".to_owned())?
        .map_err(|error| error.lines().next().unwrap_or("failed").to_owned())
}

fn no_compiler(requirements: &[VersionReq], attempts: Vec<String>) -> NoCompiler {
    let wanted = requirements.iter().map(ToString::to_string).collect::<Vec<_>>().join(" and ");
    NoCompiler { wanted: if wanted.is_empty() { "any version".to_owned() } else { wanted }, attempts }
}

/// The package that really holds a version: npm's `0.8.7` was published with another compiler in it.
fn package_version(version: &Version) -> String {
    if *version == Version::new(0, 8, 7) { "0.8.7-fixed".to_owned() } else { version.to_string() }
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

/// What an interrupted install leaves behind.
const STAGED: &str = "install-";
/// What an interrupted write leaves behind.
const HALF_WRITTEN: &str = ".tmp";
/// Nobody still writes what was begun so long ago.
const ABANDONED: Duration = Duration::from_secs(60 * 60);

/// Removes from a folder of ours what processes left half-made that were killed over it. What is younger may still be in the making.
pub(crate) fn sweep(folder: &Path) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let age = entry.metadata().and_then(|metadata| metadata.modified()).map(|at| at.elapsed().unwrap_or_default());
        if !(name.starts_with(STAGED) || name.starts_with(HALF_WRITTEN)) || !age.is_ok_and(|age| age > ABANDONED) {
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
