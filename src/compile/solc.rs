//! A [`Solc`] is one compiler, ready to be asked: a native executable, or the npm package kept loaded in a node
//! process. It takes standard JSON and gives standard JSON; what is in it is not its business.

use foundry_compilers::solc::Solc as NativeSolc;
use semver::Version;
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    sync::Mutex,
};

/// Why a compiler gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolcError {
    /// The process could not be started.
    #[error("{program} cannot be started: {source}; check that it is installed and executable")]
    Start {
        /// What was to be started.
        program: String,
        /// Why not.
        source: std::io::Error,
    },
    /// It ended, or said something that is no answer.
    #[error("solc {version} gave no answer: {message}")]
    Silent {
        /// Which compiler.
        version: String,
        /// What was seen instead.
        message: String,
    },
}

/// One compiler.
#[derive(Debug)]
pub(super) enum Solc {
    /// An executable, started for each compilation.
    Native(Box<NativeSolc>),
    /// The npm package in a node process that lives as long as this value.
    Package { version: Version, worker: Mutex<Worker> },
}

impl Solc {
    /// The executable at `path`, asked for its version.
    pub(super) fn native(path: &Path) -> Result<Self, SolcError> {
        NativeSolc::new(path)
            .map(|solc| Self::Native(Box::new(solc)))
            .map_err(|error| SolcError::Silent { version: path.display().to_string(), message: error.to_string() })
    }

    /// Loads the npm package in `folder` with the worker script at `script`, which `node` runs.
    pub(super) fn package(node: &Path, script: &Path, folder: &Path) -> Result<Self, SolcError> {
        let (worker, version) = Worker::start(node, script, folder)?;
        Ok(Self::Package { version, worker: Mutex::new(worker) })
    }

    /// The version, with its commit.
    pub(super) fn version(&self) -> &Version {
        match self {
            Self::Native(solc) => &solc.version,
            Self::Package { version, .. } => version,
        }
    }

    /// Compiles one standard JSON input.
    pub(super) fn compile(&self, input: &Value) -> Result<Value, SolcError> {
        let silent = |message: String| SolcError::Silent { version: self.version().to_string(), message };
        match self {
            Self::Native(solc) => {
                let output = solc.compile_output(input).map_err(|error| silent(error.to_string()))?;
                serde_json::from_slice(&output).map_err(|error| silent(error.to_string()))
            }
            Self::Package { worker, .. } => {
                let mut worker = worker.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                worker.ask(input).map_err(silent)
            }
        }
    }
}

/// A node process with a compiler loaded. Ends with this value, and with this process: the end of its input ends it.
#[derive(Debug)]
pub(super) struct Worker {
    process: Child,
    requests: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
    asked: u64,
}

impl Worker {
    fn start(node: &Path, script: &Path, folder: &Path) -> Result<(Self, Version), SolcError> {
        let mut process = Command::new(node)
            .arg(script)
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|source| SolcError::Start { program: node.display().to_string(), source })?;
        let silent = |message: String| SolcError::Silent { version: folder.display().to_string(), message };
        let (Some(requests), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(silent("its pipes are missing".to_owned()));
        };
        let mut worker = Self { process, requests: Some(requests), answers: BufReader::new(answers), asked: 0 };
        let ready = worker.line().map_err(silent)?;
        let version = ready.get("version").and_then(Value::as_str).and_then(|text| Version::parse(text).ok());
        version.map(|version| (worker, version)).ok_or_else(|| silent(format!("it said {ready}")))
    }

    fn ask(&mut self, input: &Value) -> Result<Value, String> {
        self.asked += 1;
        let mut request = json!({ "id": self.asked, "input": input }).to_string();
        request.push('\n');
        let pipe = self.requests.as_mut().ok_or("it was stopped")?;
        pipe.write_all(request.as_bytes()).and_then(|()| pipe.flush()).map_err(|error| error.to_string())?;
        let mut answer = self.line()?;
        match answer.get_mut("output").map(Value::take) {
            Some(output) => Ok(output),
            None => Err(answer.get("error").and_then(Value::as_str).unwrap_or("an answer without output").to_owned()),
        }
    }

    fn line(&mut self) -> Result<Value, String> {
        let mut line = String::new();
        match self.answers.read_line(&mut line) {
            Ok(0) => Err("the process ended".to_owned()),
            Ok(_) => serde_json::from_str(&line).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Closing its input asks it to end; killing makes sure. Reaping leaves no zombie behind a server that lives on.
        self.requests.take();
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
