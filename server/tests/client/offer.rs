//! An [`Offer`] is what a client said in `initialize` that it can do. It panics at whatever a server sends beyond that, be it a
//! request, a field of a diagnostic, or an edit in a form that the client could not apply.

use super::position::Encoding;
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// A client's `initialize`, from `tests/clients/NAME.json`. `_source` in it tells where it is from.
pub(crate) fn profile(name: &str) -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/clients").join(name).with_extension("json");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

pub(crate) struct Offer {
    capabilities: Value,
    /// The commands that the server said that it knows.
    commands: Value,
    /// Whether the client has commands of its own for findings.
    has_finding_commands: bool,
    /// The stage of each progress whose token the server made.
    progress: BTreeMap<String, &'static str>,
}

impl Offer {
    pub(crate) fn new(capabilities: Value, has_finding_commands: bool) -> Self {
        Self { capabilities, commands: json!([]), has_finding_commands, progress: BTreeMap::new() }
    }

    /// Whether something is offered, by its path in the capabilities.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.at(path) == &Value::Bool(true)
    }

    /// Whether something is in a list of the capabilities.
    pub(crate) fn lists(&self, path: &str, item: &Value) -> bool {
        self.at(path).as_array().is_some_and(|list| list.contains(item))
    }

    fn at(&self, path: &str) -> &Value {
        self.capabilities.pointer(path).unwrap_or(&Value::Null)
    }

    fn needs(&self, path: &str, what: &Value) {
        assert!(self.has(path), "the client did not offer {path}, but the server sends {what}");
    }

    /// What the server answers to `initialize`: how columns are counted from then on.
    pub(crate) fn accept(&mut self, answer: &Value) -> Encoding {
        let chosen = &answer["capabilities"]["positionEncoding"];
        let mandatory = chosen.is_null() || chosen == "utf-16";
        assert!(mandatory || self.lists("/general/positionEncodings", chosen), "the client knows no {chosen}");
        self.commands = answer["capabilities"]["executeCommandProvider"]["commands"].clone();
        Encoding::named(chosen.as_str().unwrap_or("utf-16"))
    }

    /// Something that the server asks for.
    pub(crate) fn check_request(&mut self, method: &str, params: &Value) {
        match method {
            "client/registerCapability" => {
                for registration in params["registrations"].as_array().unwrap() {
                    let path = registration["method"].as_str().unwrap();
                    self.needs(&format!("/{path}/dynamicRegistration"), registration);
                    for watcher in registration["registerOptions"]["watchers"].as_array().into_iter().flatten() {
                        let relative = watcher["globPattern"].is_object();
                        assert!(!relative || self.has(&format!("/{path}/relativePatternSupport")), "{watcher}");
                    }
                }
            }
            "window/workDoneProgress/create" => {
                self.needs("/window/workDoneProgress", params);
                let used = self.progress.insert(params["token"].to_string(), "created");
                assert_eq!(used, None, "a token serves once: {params}");
            }
            "workspace/configuration" => self.needs("/workspace/configuration", params),
            "window/showMessageRequest" => {
                assert!(self.at("/window/showMessage").is_object(), "the client shows no questions: {params}");
            }
            "workspace/codeLens/refresh" => self.needs("/workspace/codeLens/refreshSupport", params),
            "workspace/inlayHint/refresh" => self.needs("/workspace/inlayHint/refreshSupport", params),
            "window/showDocument" => self.needs("/window/showDocument/support", params),
            "workspace/applyEdit" => {
                self.needs("/workspace/applyEdit", params);
                self.check_edit(&params["edit"]);
            }
            _ => panic!("the server asks what no client was asked before: {method} {params}"),
        }
    }

    /// Something that the server tells.
    pub(crate) fn check_notification(&mut self, method: &str, params: &Value) {
        match method {
            "$/progress" => {
                let stage = self.progress.get_mut(&params["token"].to_string());
                let stage = stage.unwrap_or_else(|| panic!("nobody made the token of {params}"));
                *stage = match (*stage, params["value"]["kind"].as_str().unwrap()) {
                    ("created", "begin") | ("begun", "report") => "begun",
                    ("begun", "end") => "ended",
                    _ => panic!("a progress that was {stage}: {params}"),
                };
            }
            "textDocument/publishDiagnostics" => {
                params["diagnostics"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .for_each(|diagnostic| self.check_diagnostic(diagnostic));
            }
            "bellwether/status" | "bellwether/coverage" | "window/logMessage" | "window/showMessage" => {}
            _ => panic!("unexpected: {method} {params}"),
        }
    }

    /// The result of a request of the client's.
    pub(crate) fn check_result(&self, method: &str, result: &Value) {
        match method {
            "textDocument/hover" if !result.is_null() => {
                let kind = &result["contents"]["kind"];
                let unasked = self.at("/textDocument/hover/contentFormat").is_null() && kind == "plaintext";
                assert!(unasked || self.lists("/textDocument/hover/contentFormat", kind), "{result}");
            }
            "textDocument/codeLens" => {
                assert!(self.at("/textDocument/codeLens").is_object(), "the client shows no lenses: {result}");
                for lens in result.as_array().into_iter().flatten() {
                    let command = &lens["command"]["command"];
                    let known = self.commands.as_array().is_some_and(|known| known.contains(command));
                    assert!(known || command == "", "the server does not know its own command: {lens}");
                }
            }
            "textDocument/codeAction" => {
                result.as_array().into_iter().flatten().for_each(|action| self.check_action(action));
            }
            _ => {}
        }
    }

    fn check_diagnostic(&self, diagnostic: &Value) {
        for (field, offered) in [
            ("relatedInformation", "relatedInformation"),
            ("codeDescription", "codeDescriptionSupport"),
            ("data", "dataSupport"),
        ] {
            if diagnostic.get(field).is_some() {
                self.needs(&format!("/textDocument/publishDiagnostics/{offered}"), diagnostic);
            }
        }
        for tag in diagnostic["tags"].as_array().into_iter().flatten() {
            assert!(self.lists("/textDocument/publishDiagnostics/tagSupport/valueSet", tag), "{diagnostic}");
        }
    }

    /// Whether somebody carries out a command: the server, or the client itself.
    fn knows(&self, command: &Value) -> bool {
        const OWN: [&str; 2] = ["bellwether.openTrace", "bellwether.copyFinding"];
        let is_own = self.has_finding_commands && OWN.iter().any(|own| command == own);
        is_own || self.commands.as_array().is_some_and(|known| known.contains(command))
    }

    fn check_action(&self, action: &Value) {
        if action["command"].is_string() {
            assert!(self.knows(&action["command"]), "{action}");
            return;
        }
        let support = "/textDocument/codeAction/codeActionLiteralSupport";
        assert!(self.at(support).is_object(), "the client knows only commands: {action}");
        let kinds = self.at(&format!("{support}/codeActionKind/valueSet")).as_array().unwrap();
        assert!(kinds.contains(&action["kind"]), "the client knows no such kind: {action}");
        for (field, offered) in
            [("disabled", "disabledSupport"), ("data", "dataSupport"), ("isPreferred", "isPreferredSupport")]
        {
            if action.get(field).is_some() {
                self.needs(&format!("/textDocument/codeAction/{offered}"), action);
            }
        }
        let does = action.get("edit").is_some() || action.get("command").is_some();
        assert!(action.get("disabled").is_some() != does, "what would it do? {action}");
        if let Some(command) = action.get("command") {
            let known = self.knows(&command["command"]);
            assert!(known && command["title"].is_string(), "nobody knows this command: {action}");
        }
        action["diagnostics"].as_array().into_iter().flatten().for_each(|diagnostic| self.check_diagnostic(diagnostic));
        if let Some(edit) = action.get("edit") {
            self.check_edit(edit);
        }
    }

    fn check_edit(&self, edit: &Value) {
        let able = "/workspace/workspaceEdit";
        if edit.get("changeAnnotations").is_some() {
            assert!(self.at(&format!("{able}/changeAnnotationSupport")).is_object(), "{edit}");
        }
        assert!(edit.get("changes").is_some() != edit.get("documentChanges").is_some(), "one or the other: {edit}");
        let versions = self.has(&format!("{able}/documentChanges"));
        let changes = edit["documentChanges"].as_array().into_iter().flatten();
        for change in changes {
            let operations = format!("{able}/resourceOperations");
            match change.get("kind") {
                Some(kind) => assert!(self.lists(&operations, kind), "the client does no {kind}: {edit}"),
                // A client that knows operations takes the list, since they stand in it.
                None => assert!(versions || self.at(&operations).is_array(), "{edit}"),
            }
            let version = &change["textDocument"]["version"];
            assert!(versions || version.is_null(), "the client knows no versions: {edit}");
        }
    }
}
