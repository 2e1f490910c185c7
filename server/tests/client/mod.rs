//! A [`Client`] is an editor for tests: it runs the real server over real pipes, and is strict. It panics at anything that it did not
//! offer to understand, and when it is dropped without a shutdown or with a message left unread.

#![allow(dead_code, reason = "each test uses a part")]

mod offer;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../../tests/support/poll.rs"]
pub(crate) mod poll;
pub(crate) mod position;
pub(crate) mod project;

pub(crate) use offer::profile;

use offer::Offer;
use position::Encoding;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, VecDeque},
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, Sender, channel},
    thread::JoinHandle,
    time::{Duration, Instant},
};

/// Nothing takes so long but a defect: until a project is quiet a million transactions are run, at the lowest priority, on a machine that
/// may be busy with other tests and compilers.
pub(crate) const PATIENCE: Duration = Duration::from_secs(240);

pub(crate) struct Client {
    process: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    log: Option<JoinHandle<String>>,
    offer: Offer,
    /// How columns are counted, as agreed in `initialize`.
    pub(crate) encoding: Encoding,
    requests: i64,
    versions: BTreeMap<String, i32>,
    /// What came and was not read yet.
    unread: VecDeque<Value>,
    /// What came of `bellwether/coverage`, the last one last.
    pub(crate) coverages: Vec<Value>,
    /// What came of `bellwether/status`, the last one last.
    pub(crate) statuses: Vec<Value>,
    /// Requests that the server made, by method.
    pub(crate) asked: BTreeMap<String, usize>,
    /// Errors and warnings that the server logged. A test that expects some takes them.
    pub(crate) complaints: Vec<String>,
    /// Information that the server logged.
    pub(crate) told: Vec<String>,
    /// What the server had the client change. The client said that it did.
    pub(crate) edits: VecDeque<Value>,
    /// What the server had the client open.
    pub(crate) shown: VecDeque<Value>,
    /// Questions that the user was asked.
    pub(crate) questions: Vec<String>,
    /// The action that the user takes when asked; none dismisses the question.
    pub(crate) choice: Option<&'static str>,
    /// What `workspace/configuration` is answered with.
    pub(crate) settings: Value,
    /// Notifications are dropped as they come.
    is_leaving: bool,
}

/// Waits until a server ends, and tells how.
pub(crate) fn end_of(server: &mut Child) -> ExitStatus {
    // The standard library knows no wait with a limit.
    poll::poll("the end of the server", || server.try_wait().unwrap())
}

/// What VS Code can do.
pub(crate) fn vscode() -> Value {
    profile("vscode")["capabilities"].take()
}

impl Client {
    /// Starts the server, and says nothing yet.
    pub(crate) fn start() -> Self {
        Self::start_with(|_| {})
    }

    /// Starts the server in other surroundings.
    pub(crate) fn start_with(surround: impl FnOnce(&mut Command)) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bellwether"));
        surround(&mut command);
        let mut process = command
            .args(["lsp", "--log", "bellwether=debug"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (sender, messages) = channel();
        let output = BufReader::new(process.stdout.take().unwrap());
        std::thread::spawn(move || read_messages(output, &sender));
        let mut errors = process.stderr.take().unwrap();
        let log = std::thread::spawn(move || {
            let mut log = Vec::new();
            errors.read_to_end(&mut log).unwrap();
            String::from_utf8_lossy(&log).into_owned()
        });
        Self {
            input: process.stdin.take(),
            process,
            messages,
            log: Some(log),
            offer: Offer::new(json!({}), false),
            encoding: Encoding::default(),
            requests: 0,
            versions: BTreeMap::new(),
            unread: VecDeque::new(),
            coverages: Vec::new(),
            statuses: Vec::new(),
            asked: BTreeMap::new(),
            complaints: Vec::new(),
            told: Vec::new(),
            edits: VecDeque::new(),
            shown: VecDeque::new(),
            questions: Vec::new(),
            choice: None,
            settings: Value::Null,
            is_leaving: false,
        }
    }

    /// Starts the server and opens a folder as VS Code does.
    pub(crate) fn open_folder(folder: &Path, options: Value) -> Self {
        let mut client = Self::start();
        client.initialize(vscode(), Some(folder), options);
        client.notify("initialized", json!({}));
        client
    }

    /// The server's process.
    pub(crate) fn process_id(&self) -> u32 {
        self.process.id()
    }

    /// `initialize`, and what it is answered with.
    pub(crate) fn initialize(&mut self, capabilities: Value, folder: Option<&Path>, options: Value) -> Value {
        let client = json!({ "clientInfo": { "name": "test" }, "capabilities": capabilities });
        self.initialize_as(client, folder, options)
    }

    /// `initialize` as a certain client says it (see [`profile`]), and what it is answered with.
    pub(crate) fn initialize_as(&mut self, client: Value, folder: Option<&Path>, options: Value) -> Value {
        let has_finding_commands = options["findingCommands"] == json!(true);
        self.offer = Offer::new(client["capabilities"].clone(), has_finding_commands);
        let folders: Vec<Value> =
            folder.iter().map(|folder| json!({ "uri": uri(folder), "name": "workspace" })).collect();
        let mut params = client;
        params["processId"] = json!(std::process::id());
        params["workspaceFolders"] = json!(folders);
        params["initializationOptions"] = options;
        let answer = self.request("initialize", params);
        self.encoding = self.offer.accept(&answer);
        answer
    }

    /// Whether the client offered something, by its path in the capabilities.
    pub(crate) fn offers(&self, path: &str) -> bool {
        self.offer.has(path)
    }

    /// Whether the client offered to create files when an edit says so.
    pub(crate) fn creates_files(&self) -> bool {
        self.offer.lists("/workspace/workspaceEdit/resourceOperations", &json!("create"))
    }

    /// Sends a notification.
    pub(crate) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request and gives its result. An error fails the test.
    pub(crate) fn request(&mut self, method: &str, params: Value) -> Value {
        self.try_request(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// Sends a request and gives its result or its error.
    pub(crate) fn try_request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.requests += 1;
        let id = json!(self.requests);
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        let answer = self.answer(&id)?;
        self.offer.check_result(method, &answer);
        Ok(answer)
    }

    /// Waits for the answer to a request that was sent.
    pub(crate) fn answer(&mut self, id: &Value) -> Result<Value, Value> {
        let mut answer = self.wait(&format!("the answer to request {id}"), |message| {
            message.get("method").is_none() && message["id"] == *id
        });
        match answer.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(answer["result"].take()),
        }
    }

    /// Waits for the next diagnostics of a file whose findings are shrunk. Before that they may have come as they were found.
    pub(crate) fn diagnostics(&mut self, path: &Path) -> Vec<Value> {
        loop {
            let diagnostics = self.next_diagnostics(path);
            if is_shrunk(&diagnostics) {
                return diagnostics;
            }
        }
    }

    /// Waits for shrunk diagnostics of a file that meet a condition, whatever was shown of the file before. `what` is what they should say.
    pub(crate) fn diagnostics_with(
        &mut self,
        path: &Path,
        what: &str,
        is_meant: impl Fn(&[Value]) -> bool,
    ) -> Vec<Value> {
        let deadline = Instant::now() + PATIENCE;
        let mut last = None;
        loop {
            let what = format!("diagnostics of {} with {what} after {last:#?}", path.display());
            let diagnostics = self.diagnostics_until(path, deadline, &what);
            if is_shrunk(&diagnostics) && is_meant(&diagnostics) {
                return diagnostics;
            }
            last = Some(diagnostics);
        }
    }

    /// Waits for the next diagnostics of a file, whatever they say.
    pub(crate) fn next_diagnostics(&mut self, path: &Path) -> Vec<Value> {
        self.diagnostics_until(path, Instant::now() + PATIENCE, &format!("diagnostics of {}", path.display()))
    }

    fn diagnostics_until(&mut self, path: &Path, deadline: Instant, what: &str) -> Vec<Value> {
        let uri = uri(path);
        let mut message = self.wait_until(deadline, what, |message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["uri"] == uri
        });
        match message["params"]["diagnostics"].take() {
            Value::Array(diagnostics) => diagnostics,
            other => panic!("diagnostics are a list, not {other}"),
        }
    }

    /// Waits for a notification.
    pub(crate) fn notification(&mut self, method: &str) -> Value {
        self.wait(method, |message| message["method"] == method)["params"].take()
    }

    /// Waits for the status to be this one.
    pub(crate) fn status(&mut self, state: &str) -> Value {
        self.status_with(|status| status["state"] == state, &format!("status {state}"))
    }

    /// Waits for the status to be like this.
    pub(crate) fn status_with(&mut self, is_meant: impl Fn(&Value) -> bool, what: &str) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.statuses.last().filter(|status| is_meant(status)) {
                return status.clone();
            }
            self.receive(deadline, what);
        }
    }

    /// Waits until the server has the client change something.
    pub(crate) fn edit(&mut self) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.edits.pop_front() {
                Some(edit) => return edit,
                None => self.receive(deadline, "edit"),
            }
        }
    }

    /// Waits until the user is asked something.
    pub(crate) fn question(&mut self) -> String {
        let deadline = Instant::now() + PATIENCE;
        while self.questions.is_empty() {
            self.receive(deadline, "question");
        }
        self.questions.remove(0)
    }

    /// Waits until the server has the client open something.
    pub(crate) fn document(&mut self) -> Value {
        let deadline = Instant::now() + PATIENCE;
        loop {
            match self.shown.pop_front() {
                Some(document) => return document,
                None => self.receive(deadline, "document to open"),
            }
        }
    }

    /// `textDocument/didOpen` with what is on disk.
    pub(crate) fn open(&mut self, path: &Path) -> String {
        let text = std::fs::read_to_string(path).unwrap();
        self.versions.insert(uri(path), 1);
        let document = json!({ "uri": uri(path), "languageId": "solidity", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
        text
    }

    /// `textDocument/didChange`.
    pub(crate) fn change(&mut self, path: &Path, changes: Value) {
        let version = self.versions.get_mut(&uri(path)).unwrap();
        *version += 1;
        let document = json!({ "uri": uri(path), "version": *version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// Writes the file as careful editors do, so that nobody sees half of it, then `textDocument/didSave`.
    pub(crate) fn save(&mut self, path: &Path, text: &str) {
        let whole = path.with_extension("tmp");
        std::fs::write(&whole, text).and_then(|()| std::fs::rename(whole, path)).unwrap();
        self.notify("textDocument/didSave", json!({ "textDocument": { "uri": uri(path) } }));
    }

    /// Writes a file as another program does, which the client has watched.
    pub(crate) fn send_changed(&mut self, path: &Path, text: &str) {
        std::fs::write(path, text).unwrap();
        let changes = json!([{ "uri": uri(path), "type": 2 }]);
        self.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    }

    /// Sends bytes as they are.
    pub(crate) fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        input.write_all(bytes).and_then(|()| input.flush()).unwrap();
    }

    /// The number of the server's process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Drops what came and was not read: for who measures, and does not test what is said.
    pub(crate) fn discard_unread(&mut self) {
        while let Ok(message) = self.messages.try_recv() {
            self.sort(message);
        }
        self.unread.clear();
    }

    /// `shutdown` and `exit`. The pipe to the server stays open: it has to end all the same.
    pub(crate) fn shut_down(mut self) -> String {
        self.request("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        let status = self.wait_for_end();
        assert_eq!(status.code(), Some(0), "exit code");
        self.finish()
    }

    /// The same while findings may still be told: diagnostics that were not read, and those that still come, are dropped.
    pub(crate) fn shut_down_while_fuzzing(mut self) -> String {
        self.is_leaving = true;
        self.unread.clear();
        self.shut_down()
    }

    /// Waits until so many complaints have come.
    pub(crate) fn wait_for_complaints(&mut self, count: usize) {
        let deadline = Instant::now() + PATIENCE;
        while self.complaints.len() < count {
            self.receive(deadline, "complaint");
        }
    }

    /// Waits until the server complained of this, which it does in its own time.
    pub(crate) fn wait_for_complaint(&mut self, words: &str) {
        let deadline = Instant::now() + PATIENCE;
        while !self.complaints.iter().any(|said| said.contains(words)) {
            self.receive(deadline, &format!("complaint of {words}"));
        }
    }

    /// Closes the pipe to the server, as when the editor was killed.
    pub(crate) fn hang_up(mut self) -> String {
        self.input = None;
        let status = self.wait_for_end();
        assert_eq!(status.code(), Some(1), "exit code without shutdown");
        self.finish()
    }

    /// Everything is over: nothing may be left. Gives what the server wrote to its log.
    fn finish(mut self) -> String {
        while let Ok(message) = self.messages.recv_timeout(PATIENCE) {
            self.sort(message);
        }
        assert!(self.unread.is_empty(), "unread: {:#?}", self.unread);
        assert!(self.edits.is_empty(), "edits that nobody asked for: {:#?}", self.edits);
        assert!(self.questions.is_empty(), "asked, and nobody looked: {:#?}", self.questions);
        assert!(self.shown.is_empty(), "opened, and nobody looked: {:#?}", self.shown);
        assert!(self.complaints.is_empty(), "the server complained: {:#?}", self.complaints);
        self.input = None;
        self.log.take().unwrap().join().unwrap()
    }

    /// Waits until the process ends.
    pub(crate) fn wait_for_end(&mut self) -> ExitStatus {
        end_of(&mut self.process)
    }

    /// The first message that is meant, sooner or later.
    fn wait(&mut self, what: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
        self.wait_until(Instant::now() + PATIENCE, what, is_meant)
    }

    fn wait_until(&mut self, deadline: Instant, what: &str, is_meant: impl Fn(&Value) -> bool) -> Value {
        loop {
            if let Some(at) = self.unread.iter().position(&is_meant) {
                return self.unread.remove(at).unwrap();
            }
            self.receive(deadline, what);
        }
    }

    fn receive(&mut self, deadline: Instant, what: &str) {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.messages.recv_timeout(left) {
            Ok(message) => self.sort(message),
            Err(error) => panic!(
                "no {what}: {error}; unread: {:#?}; complaints: {:#?}; status: {:?}",
                self.unread,
                self.complaints,
                self.statuses.last()
            ),
        }
    }

    /// Answers what the server asks, notes what it tells again and again, and keeps everything else to be read.
    fn sort(&mut self, message: Value) {
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
        let Some(method) = message["method"].as_str() else {
            self.unread.push_back(message);
            return;
        };
        if let Some(id) = message.get("id").cloned() {
            self.offer.check_request(method, &message["params"]);
            let answer = match method {
                "workspace/configuration" => json!([self.settings]),
                "workspace/applyEdit" => {
                    self.edits.push_back(message["params"]["edit"].clone());
                    json!({ "applied": true })
                }
                "window/showDocument" => {
                    self.shown.push_back(message["params"].clone());
                    json!({ "success": true })
                }
                "window/showMessageRequest" => {
                    self.questions.push(message["params"]["message"].as_str().unwrap().to_owned());
                    let actions = message["params"]["actions"].as_array().unwrap();
                    let chosen = |title| actions.iter().find(|action| action["title"] == title).unwrap().clone();
                    self.choice.map_or(Value::Null, chosen)
                }
                _ => Value::Null,
            };
            *self.asked.entry(method.to_owned()).or_default() += 1;
            // A server that has ended needs no answer.
            let _ = self.write(&json!({ "jsonrpc": "2.0", "id": id, "result": answer }));
            return;
        }
        self.offer.check_notification(method, &message["params"]);
        match method {
            "bellwether/status" => self.statuses.push(message["params"].clone()),
            "bellwether/coverage" => self.coverages.push(message["params"].clone()),
            "$/progress" => {}
            "window/logMessage" => {
                let text = message["params"]["message"].as_str().unwrap().to_owned();
                if message["params"]["type"].as_u64() <= Some(2) {
                    self.complaints.push(text);
                } else {
                    self.told.push(text);
                }
            }
            _ if self.is_leaving => {}
            _ => self.unread.push_back(message),
        }
    }

    fn send(&mut self, message: &Value) {
        self.write(message).unwrap();
    }

    fn write(&mut self, message: &Value) -> std::io::Result<()> {
        let body = message.to_string();
        let Some(input) = self.input.as_mut() else { return Ok(()) };
        write!(input, "Content-Length: {}\r\n\r\n{body}", body.len())?;
        input.flush()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let ended = self.process.try_wait().is_ok_and(|status| status.is_some());
        let _ = self.process.kill();
        let _ = self.process.wait();
        if std::thread::panicking() {
            self.input = None;
            if let Some(log) = self.log.take().and_then(|log| log.join().ok()) {
                let _ = write!(std::io::stderr(), "--- the server's log:\n{log}---\n");
            }
            return;
        }
        assert!(ended, "a client was dropped without a shutdown");
        assert!(self.unread.is_empty(), "unread: {:#?}", self.unread);
    }
}

/// A file's address.
pub(crate) fn uri(path: &Path) -> String {
    format!("file://{}", path.display())
}

/// Whether no finding among them is still to be told with fewer calls.
pub(crate) fn is_shrunk(diagnostics: &[Value]) -> bool {
    diagnostics
        .iter()
        .filter_map(|said| said["message"].as_str()?.lines().next())
        .all(|words| !words.ends_with(" (not shortened yet)"))
}

fn read_messages(mut output: BufReader<impl Read>, sender: &Sender<Value>) {
    loop {
        let mut header = String::new();
        if output.read_line(&mut header).unwrap() == 0 {
            return;
        }
        // Anything else on standard output is a defect.
        let length = header.strip_prefix("Content-Length: ").and_then(|length| length.trim_end().parse().ok());
        let mut body = vec![0; length.unwrap_or_else(|| panic!("no header: {header:?}"))];
        let mut empty = String::new();
        output.read_line(&mut empty).unwrap();
        assert_eq!(empty, "\r\n");
        output.read_exact(&mut body).unwrap();
        if sender.send(serde_json::from_slice(&body).unwrap()).is_err() {
            return;
        }
    }
}
