//! [`Capabilities`] is the set of features that this client supports, resolved once into flags, and the answer in which we
//! offer ours. Nothing else reads the client's tree of options.

use super::command::{Control, SHOW_FINDING, SHOW_TEST, WRITE_IGNORE, WRITE_TEST};
use crate::lsp::documents::position::Encoding;
use tower_lsp_server::ls_types::{
    ClientCapabilities, CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CodeLensOptions,
    ExecuteCommandOptions, HoverProviderCapability, InitializeResult, MarkupKind, OneOf, ResourceOperationKind,
    SaveOptions, ServerCapabilities, ServerInfo, TextDocumentSyncKind, TextDocumentSyncOptions,
    TextDocumentSyncSaveOptions, WorkDoneProgressOptions, WorkspaceFoldersServerCapabilities,
    WorkspaceServerCapabilities,
};

/// The features that the client supports.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Capabilities {
    /// The encoding in which it counts columns.
    pub(crate) encoding: Encoding,
    /// Shows the calls below a diagnostic.
    pub(crate) related_information: bool,
    /// Gives a diagnostic's `data` back with it.
    pub(crate) diagnostic_data: bool,
    /// Whether a diagnostic's code may lead to a page.
    pub(crate) code_description: bool,
    /// Renders Markdown in a hover.
    pub(crate) hover_markdown: bool,
    /// Takes code actions with an edit, not only commands.
    pub(crate) code_action_literals: bool,
    /// Shows a code action that cannot be taken now, with why.
    pub(crate) disabled_actions: bool,
    /// Applies an edit that the server sends by itself.
    pub(crate) apply_edit: bool,
    /// Takes edits of versioned documents.
    pub(crate) document_changes: bool,
    /// Creates a file when an edit says so.
    pub(crate) create_file: bool,
    /// Shows lenses.
    pub(crate) code_lens: bool,
    /// Asks for lenses again when it is told to.
    pub(crate) code_lens_refresh: bool,
    /// Shows inlay hints.
    pub(crate) inlay_hints: bool,
    /// Asks for inlay hints again when it is told to.
    pub(crate) inlay_hint_refresh: bool,
    /// Opens a document when it is asked to.
    pub(crate) show_document: bool,
    /// Shows progress that we start.
    pub(crate) progress: bool,
    /// Shows questions with answers to choose from.
    pub(crate) questions: bool,
    /// Watches files for us.
    pub(crate) watched_files: bool,
    /// Answers `workspace/configuration`.
    pub(crate) configuration: bool,
}

impl Capabilities {
    /// Reads the client's capabilities. A feature that is not mentioned is not supported.
    pub(crate) fn resolve(client: &ClientCapabilities) -> Self {
        let text_document = client.text_document.as_ref();
        let workspace = client.workspace.as_ref();
        let offered = client.general.as_ref().and_then(|general| general.position_encodings.as_deref());
        let publish = text_document.and_then(|text| text.publish_diagnostics.as_ref());
        let hover = text_document.and_then(|text| text.hover.as_ref()?.content_format.as_deref());
        let action = text_document.and_then(|text| text.code_action.as_ref());
        let edit = workspace.and_then(|workspace| workspace.workspace_edit.as_ref());
        let operations = edit.and_then(|edit| edit.resource_operations.as_deref()).unwrap_or_default();
        let watching = workspace.and_then(|workspace| workspace.did_change_watched_files.as_ref());
        Self {
            encoding: Encoding::negotiate(offered.unwrap_or_default()),
            related_information: publish.and_then(|publish| publish.related_information).unwrap_or(false),
            diagnostic_data: publish.and_then(|publish| publish.data_support).unwrap_or(false),
            code_description: publish.and_then(|publish| publish.code_description_support).unwrap_or(false),
            hover_markdown: hover.is_some_and(|formats| formats.contains(&MarkupKind::Markdown)),
            code_action_literals: action.is_some_and(|action| action.code_action_literal_support.is_some()),
            disabled_actions: action.and_then(|action| action.disabled_support).unwrap_or(false),
            apply_edit: workspace.and_then(|workspace| workspace.apply_edit).unwrap_or(false),
            document_changes: edit.and_then(|edit| edit.document_changes).unwrap_or(false),
            create_file: operations.contains(&ResourceOperationKind::Create),
            // lsp-mode says only that it asks for lenses again.
            code_lens: text_document.is_some_and(|text| text.code_lens.is_some())
                || workspace.is_some_and(|workspace| workspace.code_lens.is_some()),
            code_lens_refresh: workspace
                .and_then(|workspace| workspace.code_lens.as_ref()?.refresh_support)
                .unwrap_or(false),
            inlay_hints: text_document.is_some_and(|text| text.inlay_hint.is_some()),
            inlay_hint_refresh: workspace
                .and_then(|workspace| workspace.inlay_hint.as_ref()?.refresh_support)
                .unwrap_or(false),
            show_document: client
                .window
                .as_ref()
                .and_then(|window| window.show_document.as_ref())
                .is_some_and(|it| it.support),
            progress: client.window.as_ref().and_then(|window| window.work_done_progress).unwrap_or(false),
            questions: client.window.as_ref().is_some_and(|window| window.show_message.is_some()),
            watched_files: watching.and_then(|watching| watching.dynamic_registration).unwrap_or(false),
            configuration: workspace.and_then(|workspace| workspace.configuration).unwrap_or(false),
        }
    }

    /// Whether a code action has to be a command of ours, upon which we have the client apply the edit.
    pub(crate) fn actions_are_commands(self) -> bool {
        self.apply_edit && !self.code_action_literals
    }

    /// The commands that this client may send.
    pub(crate) fn commands(self) -> impl Iterator<Item = &'static str> {
        let write = self.actions_are_commands().then_some([WRITE_TEST, WRITE_IGNORE]).into_iter().flatten();
        let show = self.show_document.then_some([SHOW_TEST, SHOW_FINDING]).into_iter().flatten();
        Control::ALL.map(Control::name).into_iter().chain(write).chain(show)
    }

    /// The answer to `initialize`.
    pub(crate) fn offer(self) -> InitializeResult {
        let sync = TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::SaveOptions(SaveOptions { include_text: Some(false) })),
            ..TextDocumentSyncOptions::default()
        };
        let folders =
            WorkspaceFoldersServerCapabilities { supported: Some(true), change_notifications: Some(OneOf::Left(true)) };
        let capabilities = ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(sync.into()),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
                code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
                work_done_progress_options: WorkDoneProgressOptions::default(),
                resolve_provider: None,
            })),
            code_lens_provider: self.code_lens.then_some(CodeLensOptions { resolve_provider: Some(false) }),
            inlay_hint_provider: self.inlay_hints.then_some(OneOf::Left(true)),
            execute_command_provider: Some(ExecuteCommandOptions {
                commands: self.commands().map(str::to_owned).collect(),
                work_done_progress_options: WorkDoneProgressOptions::default(),
            }),
            workspace: Some(WorkspaceServerCapabilities { workspace_folders: Some(folders), file_operations: None }),
            ..ServerCapabilities::default()
        };
        let version = env!("CARGO_PKG_VERSION").to_owned();
        let info = ServerInfo { name: "bellwether".to_owned(), version: Some(version) };
        InitializeResult { capabilities, server_info: Some(info), ..InitializeResult::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn resolve(client: Value) -> Capabilities {
        Capabilities::resolve(&serde_json::from_value(client).unwrap())
    }

    #[test]
    fn a_client_that_says_nothing_can_nothing() {
        assert_eq!(resolve(json!({})), Capabilities::default());
        assert_eq!(
            resolve(json!({ "textDocument": {}, "workspace": { "workspaceEdit": {} }, "window": {} })),
            Capabilities::default()
        );
    }

    #[test]
    fn each_answer_has_its_own_place() {
        let full = resolve(json!({
            "general": { "positionEncodings": ["utf-16", "utf-8"] },
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true, "dataSupport": true, "codeDescriptionSupport": true },
                "hover": { "contentFormat": ["plaintext", "markdown"] },
                "codeLens": {},
                "inlayHint": {},
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": ["quickfix"] } }, "disabledSupport": true },
            },
            "workspace": {
                "applyEdit": true,
                "workspaceEdit": { "documentChanges": true, "resourceOperations": ["create"] },
                "didChangeWatchedFiles": { "dynamicRegistration": true },
                "configuration": true,
                "codeLens": { "refreshSupport": true },
                "inlayHint": { "refreshSupport": true },
            },
            "window": { "workDoneProgress": true, "showDocument": { "support": true }, "showMessage": {} },
        }));
        let all = Capabilities {
            encoding: Encoding::Utf16,
            related_information: true,
            diagnostic_data: true,
            code_description: true,
            hover_markdown: true,
            code_action_literals: true,
            disabled_actions: true,
            apply_edit: true,
            document_changes: true,
            create_file: true,
            code_lens: true,
            code_lens_refresh: true,
            inlay_hints: true,
            inlay_hint_refresh: true,
            show_document: true,
            progress: true,
            questions: true,
            watched_files: true,
            configuration: true,
        };
        assert_eq!(full, all);
    }
}
