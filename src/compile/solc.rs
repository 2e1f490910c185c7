//! A [`Solc`] is one compiler, ready to use: a native executable, or the npm package kept loaded in a node process. It takes
//! standard JSON and returns standard JSON, and does not look into it. If the compiler dies it is run once more; it is not
//! waited for longer than the [`Timeouts`]; and the process of an unused package is ended.

use super::{
    process::{Process, Processes, RunError, how_it_ended},
    search_path::Workspaces,
};
use semver::Version;
use serde_json::Value;
use std::{
    fmt,
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{ChildStdout, Command, Stdio},
    sync::{
        Mutex, MutexGuard, PoisonError, TryLockError,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    time::{Duration, Instant},
};

/// How long other programs may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    /// For a compiler to start and tell its version.
    pub start: Duration,
    /// For a compiler's answer, without the time that a large input adds.
    pub answer: Duration,
    /// For the node process of a package before it is ended, while nobody asks it.
    pub rest: Duration,
    /// For each way to fetch a compiler.
    pub fetch: Duration,
    /// Before a compiler that could not be fetched is tried again.
    pub refetch: Duration,
}

impl Default for Timeouts {
    /// Chosen by hand, each many times what is usual: a package loads within a second, a save compiles within seconds, and a
    /// compiler of 10 to 30 MB is fetched within half a minute. A process that rests costs some hundred MB and starts again within
    /// a second.
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(30), answer: seconds(120), rest: seconds(60), fetch: seconds(90), refetch: seconds(300) }
    }
}

/// Bytes of input for each further second that an answer may take: 500 kB of sources, a large repository, add two minutes.
/// Chosen by hand, for compiling through the IR in WebAssembly.
const BYTES_PER_SECOND: usize = 4 << 10;

/// The code of a diagnostic that says that a compiler gave no answer.
pub const NO_ANSWER: &str = "no-answer";

/// The reason why a compiler gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolcError {
    /// The process could not be started.
    #[error("{program} cannot be started: {source}; check that it is installed and executable")]
    Start {
        /// The program.
        program: String,
        /// Why not.
        source: std::io::Error,
    },
    /// Something in the input made it throw; its process still runs.
    #[error("solc {version} failed with an internal error: {message}")]
    Threw {
        /// Which compiler.
        version: String,
        /// Its message.
        message: String,
    },
    /// Its output is not an answer.
    #[error("solc {version} gave no usable answer: {message}")]
    Silent {
        /// Which compiler.
        version: String,
        /// A description of the output.
        message: String,
    },
    /// Its process ended, and a fresh one did so too.
    #[error(
        "solc {version} {how} while it compiled {files}, and once more when it was started again. If memory is short, close other \
         programs; the next save tries again. Until then the last code that compiled is fuzzed"
    )]
    Died {
        /// Which compiler.
        version: String,
        /// How it ended.
        how: String,
        /// The files that it compiled.
        files: Files,
    },
    /// It did not answer in time, and was ended.
    #[error(
        "solc {version} gave no answer within {} s while it compiled {files}, and was ended. The next save starts it again; until then \
         the last code that compiled is fuzzed",
        limit.as_secs_f32()
    )]
    Hung {
        /// Which compiler.
        version: String,
        /// How long it was waited for.
        limit: Duration,
        /// The files that it compiled.
        files: Files,
    },
}

/// The files that a compiler was asked to compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Files(Vec<String>);

impl Files {
    /// The files for which a standard JSON input requests code, or, if there are none, any output.
    fn of(input: &Value) -> Self {
        let selection = input.pointer("/settings/outputSelection").and_then(Value::as_object);
        let files = || selection.into_iter().flatten();
        let has_code = |outputs: &Value| outputs["*"].as_array().is_some_and(|outputs| !outputs.is_empty());
        let with_code: Vec<String> =
            files().filter(|(_, outputs)| has_code(outputs)).map(|(name, _)| name.clone()).collect();
        Self(if with_code.is_empty() { files().map(|(name, _)| name.clone()).collect() } else { with_code })
    }
}

impl fmt::Display for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [] => f.write_str("nothing"),
            [one] => f.write_str(one),
            [one, other] => write!(f, "{one} and {other}"),
            [one, others @ ..] => write!(f, "{one} and {} other files", others.len()),
        }
    }
}

/// The environment in which a compiler runs.
#[derive(Debug, Clone)]
pub(super) struct SolcEnvironment {
    pub(super) processes: Processes,
    pub(super) workspaces: Workspaces,
    /// Whether trusted projects use it. Others have processes of their own.
    pub(super) trusted: bool,
    /// The folder that it runs in. Not the user's: version managers take the version of `node`, and more, from files in the current folder.
    pub(super) folder: PathBuf,
    pub(super) limits: Timeouts,
    /// Notified when a process becomes idle, once nothing holds its lock.
    pub(super) rests: Sender<()>,
}

impl SolcEnvironment {
    fn command(&self, program: &Path) -> Command {
        self.workspaces.search_path(self.trusted).command(program, &self.folder)
    }
}

/// One compiler.
#[derive(Debug)]
pub(super) struct Solc {
    version: Version,
    kind: SolcKind,
    environment: SolcEnvironment,
}

#[derive(Debug)]
enum SolcKind {
    /// An executable, started for each compilation.
    Native(PathBuf),
    /// The npm package, which a node process keeps loaded.
    Package { package: Package, worker: Mutex<Option<Worker>> },
}

/// The files that are needed to load a package.
#[derive(Debug)]
pub(super) struct Package {
    pub(super) node: PathBuf,
    /// The worker script.
    pub(super) script: PathBuf,
    pub(super) folder: PathBuf,
}

/// The reason why one request got no answer.
enum AnswerError {
    /// The process ended, and how.
    Died(String),
    Hung,
    /// The compiler reported an error instead of an answer.
    Refused(String),
    /// The output is not an answer.
    Nonsense(String),
    Start(std::io::Error),
}

impl Solc {
    /// The executable at `path`, asked for its version.
    pub(super) fn native(path: &Path, environment: SolcEnvironment) -> Result<Self, SolcError> {
        let program = path.display().to_string();
        let silent = |message: String| SolcError::Silent { version: program.clone(), message };
        let mut command = environment.command(path);
        command.arg("--version");
        let limit = environment.limits.start;
        let output = environment.processes.run(command, Vec::new(), limit).map_err(|error| match error {
            RunError::Start(source) => SolcError::Start { program: program.clone(), source },
            RunError::Hung => silent(format!("it did not print its version within {} s", limit.as_secs_f32())),
        })?;
        let said = String::from_utf8_lossy(&output.stdout);
        let version = version_of(&said).ok_or_else(|| {
            let said = said.lines().next_back().filter(|line| !line.trim().is_empty());
            silent(match said {
                Some(line) => format!("it was asked for its version and said {line:?}"),
                None => format!("it was asked for its version and {} without output", how_it_ended(output.status)),
            })
        })?;
        Ok(Self { version, kind: SolcKind::Native(path.to_owned()), environment })
    }

    /// Loads an npm package.
    pub(super) fn package(package: Package, environment: SolcEnvironment) -> Result<Self, SolcError> {
        let (worker, version) = Worker::start(&package, &environment).map_err(|failure| match failure {
            AnswerError::Start(source) => SolcError::Start { program: package.node.display().to_string(), source },
            failure => {
                let version = package.folder.display().to_string();
                SolcError::Silent { version, message: failure.words(environment.limits.start) }
            }
        })?;
        Ok(Self { version, kind: SolcKind::Package { package, worker: Mutex::new(Some(worker)) }, environment })
    }

    /// The version, with its commit.
    pub(super) fn version(&self) -> &Version {
        &self.version
    }

    /// Compiles one standard JSON input. If the compiler dies it is run once more: the cause may have been outside, such as a
    /// shortage of memory.
    pub(super) fn compile(&self, input: &Value) -> Result<Value, SolcError> {
        let version = self.version.to_string();
        let files = || Files::of(input);
        let text = input.to_string();
        let limit = self.environment.limits.answer + Duration::from_secs((text.len() / BYTES_PER_SECOND) as u64);
        let answer = match self.ask(&text, limit) {
            Err(AnswerError::Died(how)) => {
                tracing::info!("solc {version} {how} while it compiled {}; it is started again", files());
                self.ask(&text, limit)
            }
            answer => answer,
        };
        answer.map_err(|failure| match failure {
            AnswerError::Died(how) => SolcError::Died { version, how, files: files() },
            AnswerError::Hung => SolcError::Hung { version, limit, files: files() },
            AnswerError::Refused(message) => SolcError::Threw { version, message },
            AnswerError::Nonsense(message) => SolcError::Silent { version, message },
            AnswerError::Start(source) => SolcError::Start { program: format!("solc {version}"), source },
        })
    }

    fn ask(&self, input: &str, limit: Duration) -> Result<Value, AnswerError> {
        match &self.kind {
            SolcKind::Native(path) => self.run(path, input, limit),
            SolcKind::Package { package, worker } => {
                let mut kept = lock(worker);
                // A worker that fails is not kept, and ends here.
                let mut worker = match kept.take() {
                    Some(worker) => worker,
                    None => Worker::start(package, &self.environment)?.0,
                };
                let answer = worker.ask(input, limit);
                if matches!(answer, Ok(_) | Err(AnswerError::Refused(_))) {
                    *kept = Some(worker);
                    drop(kept);
                    // Nobody sees to it any more when all is being dropped.
                    let _ = self.environment.rests.send(());
                }
                answer
            }
        }
    }

    fn run(&self, path: &Path, input: &str, limit: Duration) -> Result<Value, AnswerError> {
        let mut command = self.environment.command(path);
        command.arg("--standard-json");
        let output =
            self.environment.processes.run(command, input.as_bytes().to_vec(), limit).map_err(|error| match error {
                RunError::Start(source) => AnswerError::Start(source),
                RunError::Hung => AnswerError::Hung,
            })?;
        serde_json::from_slice(&output.stdout).map_err(|error| {
            let complaint = String::from_utf8_lossy(&output.stderr);
            match complaint.lines().rev().find(|line| !line.trim().is_empty()) {
                _ if output.status.code().is_none() => AnswerError::Died(how_it_ended(output.status)),
                _ if output.status.success() => AnswerError::Nonsense(error.to_string()),
                Some(line) => AnswerError::Refused(line.trim().to_owned()),
                None => AnswerError::Died(how_it_ended(output.status)),
            }
        })
    }

    /// Ends the process if it was idle for long enough; else returns how long it may still idle. `None` if no process is idle.
    pub(super) fn end_rest(&self) -> Option<Duration> {
        let SolcKind::Package { worker, .. } = &self.kind else { return None };
        let mut kept = match worker.try_lock() {
            Ok(kept) => kept,
            Err(TryLockError::Poisoned(kept)) => kept.into_inner(),
            // It is at work, and tells when that is done.
            Err(TryLockError::WouldBlock) => return None,
        };
        let left = self.environment.limits.rest.saturating_sub(kept.as_ref()?.asked_at.elapsed());
        if left.is_zero() {
            tracing::debug!(solc = %self.version, "ended, because it was idle");
            *kept = None;
            return None;
        }
        Some(left)
    }
}

impl AnswerError {
    fn words(self, limit: Duration) -> String {
        match self {
            Self::Died(how) => format!("its process {how}"),
            Self::Hung => format!("it said nothing within {} s", limit.as_secs_f32()),
            Self::Refused(words) | Self::Nonsense(words) => words,
            Self::Start(error) => error.to_string(),
        }
    }
}

/// The version in what `solc --version` prints: the last line, `Version: 0.8.30+commit.73712a01.Linux.g++`.
fn version_of(said: &str) -> Option<Version> {
    let line = said.lines().rev().find(|line| !line.trim().is_empty())?;
    // Build metadata may hold no `+`.
    Version::parse(&line.trim().trim_start_matches("Version: ").replace(".g++", ".gcc")).ok()
}

/// A node process with a compiler loaded. Ends with this value, and with this process: the end of its input ends it, and if it was
/// stopped, the system ends it, as it does with every stopped process group that nobody is left to continue.
#[derive(Debug)]
struct Worker {
    process: Process,
    requests: Sender<Vec<u8>>,
    answers: Receiver<std::io::Result<String>>,
    asked: u64,
    asked_at: Instant,
}

impl Worker {
    fn start(package: &Package, environment: &SolcEnvironment) -> Result<(Self, Version), AnswerError> {
        let mut command = environment.command(&package.node);
        command.arg(&package.script).arg(&package.folder).stderr(Stdio::null());
        let process = environment.processes.start(command).map_err(AnswerError::Start)?;
        let (stdin, stdout) = process.pipes();
        let (Some(mut stdin), Some(stdout)) = (stdin, stdout) else {
            return Err(AnswerError::Nonsense("its pipes are missing".to_owned()));
        };
        // One that reads nothing must not hold up who writes.
        let (requests, to_write) = channel::<Vec<u8>>();
        let mut write =
            move || to_write.iter().try_for_each(|request| stdin.write_all(&request).and_then(|()| stdin.flush()));
        let (said, answers) = channel();
        for (name, work) in [
            ("solc-stdin", Box::new(move || drop(write())) as Box<dyn FnOnce() + Send>),
            ("solc-stdout", Box::new(move || read_lines(stdout, &said))),
        ] {
            std::thread::Builder::new().name(name.to_owned()).spawn(work).map_err(AnswerError::Start)?;
        }
        let mut worker = Self { process, requests, answers, asked: 0, asked_at: Instant::now() };
        let ready = worker.line(environment.limits.start)?;
        let version = ready.get("version").and_then(Value::as_str).and_then(|text| Version::parse(text).ok());
        version.map(|version| (worker, version)).ok_or_else(|| AnswerError::Nonsense(format!("it said {ready}")))
    }

    fn ask(&mut self, input: &str, limit: Duration) -> Result<Value, AnswerError> {
        self.asked += 1;
        let request = format!("{{\"id\":{},\"input\":{input}}}\n", self.asked);
        // If it does not read, its answer shows why.
        let _ = self.requests.send(request.into_bytes());
        let answer = self.line(limit);
        self.asked_at = Instant::now();
        let mut answer = answer?;
        match answer.get_mut("output").map(Value::take) {
            Some(output) => Ok(output),
            None => {
                let error = answer.get("error").and_then(Value::as_str).unwrap_or("an answer without output");
                Err(AnswerError::Refused(error.to_owned()))
            }
        }
    }

    fn line(&mut self, limit: Duration) -> Result<Value, AnswerError> {
        match self.answers.recv_timeout(limit) {
            Ok(Ok(line)) => serde_json::from_str(&line).map_err(|error| AnswerError::Nonsense(error.to_string())),
            Ok(Err(error)) => Err(AnswerError::Nonsense(error.to_string())),
            Err(RecvTimeoutError::Timeout) => Err(AnswerError::Hung),
            Err(RecvTimeoutError::Disconnected) => {
                Err(AnswerError::Died(self.process.end().map_or_else(|error| error.to_string(), how_it_ended)))
            }
        }
    }
}

/// Sends each line on until the process ends.
fn read_lines(stdout: ChildStdout, lines: &Sender<std::io::Result<String>>) {
    for line in BufReader::new(stdout).lines() {
        let is_last = line.is_err();
        if lines.send(line).is_err() || is_last {
            return;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn versions_as_executables_print_them() {
        for (said, version) in [
            (
                "solc, the solidity compiler commandline interface\nVersion: 0.8.30+commit.73712a01.Linux.g++\n",
                Some("0.8.30+commit.73712a01.Linux.gcc"),
            ),
            ("Version: 0.4.26+commit.4563c3fc.Emscripten.clang", Some("0.4.26+commit.4563c3fc.Emscripten.clang")),
            ("\n0.8.1\n\n", Some("0.8.1")),
            ("solc: command not found", None),
            ("", None),
        ] {
            assert_eq!(version_of(said).map(|version| version.to_string()).as_deref(), version, "{said:?}");
        }
    }

    #[test]
    fn files_are_those_that_give_code() {
        let code = json!({ "": ["ast"], "*": ["abi"] });
        let tree = json!({ "": ["ast"], "*": [] });
        for (selection, words) in [
            (json!({ "A.sol": code }), "A.sol"),
            (json!({ "A.sol": code, "B.sol": tree, "C.sol": code }), "A.sol and C.sol"),
            (json!({ "A.sol": code, "B.sol": code, "C.sol": code }), "A.sol and 2 other files"),
            (json!({ "B.sol": tree }), "B.sol"),
            (json!({}), "nothing"),
        ] {
            let input = json!({ "settings": { "outputSelection": selection } });
            assert_eq!(Files::of(&input).to_string(), words);
        }
    }
}
