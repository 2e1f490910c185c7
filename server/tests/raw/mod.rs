//! A [`Raw`] is a client without manners: it says what it is told to, in any bytes, and reads only when it is told to. Beside it is what
//! the system knows of processes.

#![allow(dead_code, reason = "each test uses a part")]

use crate::client::{end_of, is_shrunk, poll::poll_until};
use serde_json::{Value, json};
use std::{
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio},
};

pub(crate) struct Raw {
    process: Child,
    /// None once it is closed.
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    requests: u64,
    /// Messages that were read.
    pub(crate) read: usize,
}

/// The command that starts the server.
pub(crate) fn server() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
    command.args(["lsp", "--log", "warn"]);
    command
}

impl Raw {
    /// Starts the server in this way, and says nothing yet.
    pub(crate) fn start(command: Command) -> Self {
        Self::start_with_log(command, Stdio::null())
    }

    /// The same, with something else for standard error. It is not read.
    pub(crate) fn start_with_log(mut command: Command, log: Stdio) -> Self {
        let mut process = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(log).spawn().unwrap();
        let (input, output) = (process.stdin.take(), process.stdout.take().unwrap());
        Self { process, input, output: BufReader::new(output), requests: 0, read: 0 }
    }

    /// The process that was started.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Sends a request, and gives its id.
    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        json!(self.requests)
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// Ends the server's input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads the next message; none at the end.
    pub(crate) fn next(&mut self) -> Option<Value> {
        let mut header = String::new();
        if self.output.read_line(&mut header).unwrap() == 0 {
            return None;
        }
        let length = header.strip_prefix("Content-Length: ").unwrap().trim_end().parse::<usize>().unwrap();
        let mut body = vec![0; length + 2];
        self.output.read_exact(&mut body).unwrap();
        self.read += 1;
        Some(serde_json::from_slice(&body[2..]).unwrap())
    }

    /// Reads on to the first message that is meant.
    pub(crate) fn until(&mut self, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            let message = self.next().expect("the server ended");
            if is_meant(&message) {
                return message;
            }
        }
    }

    /// Reads on to the answer to a request.
    pub(crate) fn answer(&mut self, id: &Value) -> Value {
        self.until(|message| message.get("method").is_none() && message["id"] == *id)
    }

    /// Reads on to diagnostics of a file whose findings are shrunk.
    pub(crate) fn diagnostics(&mut self, uri: &str) -> Vec<Value> {
        let is_meant = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics"
                && message["params"]["uri"] == uri
                && is_shrunk(message["params"]["diagnostics"].as_array().unwrap())
        };
        self.until(is_meant)["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// Kills the process, and waits until it is gone.
    pub(crate) fn kill(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Waits until the process ends. Its input stays open.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        end_of(&mut self.process)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What `/proc` says of a process: name, state, parent. None if it is gone.
fn stat(process: u32) -> Option<(String, String, u32)> {
    let text = std::fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let (name, rest) = text.split_once('(')?.1.rsplit_once(')')?;
    let mut fields = rest.split_whitespace();
    Some((name.to_owned(), fields.next()?.to_owned(), fields.next()?.parse().ok()?))
}

/// Processes that this one started and that still run.
pub(crate) fn children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    numbers.filter(|process| stat(*process).is_some_and(|(_, state, of)| of == parent && state != "Z")).collect()
}

/// Waits until none of these processes runs any more.
pub(crate) fn wait_until_gone(processes: &[u32]) {
    let runs = |process: &u32| stat(*process).is_some_and(|(_, state, _)| state != "Z");
    poll_until(format_args!("the end of {processes:?}"), || !processes.iter().any(runs));
}

/// The memory that a process holds, in kB.
pub(crate) fn resident(process: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

/// What VS Code says first, of this folder.
pub(crate) fn initialize(folder: &Path, options: Value, capabilities: Value, process: u32) -> Value {
    json!({
        "processId": process,
        "capabilities": capabilities,
        "workspaceFolders": [{ "uri": format!("file://{}", folder.display()), "name": "workspace" }],
        "initializationOptions": options,
    })
}
