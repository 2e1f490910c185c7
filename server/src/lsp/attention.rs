//! [`Attention`] holds the files that the user works on: the file in the active editor, and the one that changed last. The
//! protocol does not tell the former, so it is inferred from the client's requests; once a client reports it by
//! `bellwether/activeEditor`, nothing is inferred any more.

use super::uri::path_of;
use bellwether::fuzz::Focus;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use tower_lsp_server::ls_types::Uri;

/// The notification by which a client names the file in its active editor.
pub(super) const ACTIVE_EDITOR: &str = "bellwether/activeEditor";

/// The parameters of `bellwether/activeEditor`.
#[derive(Debug, Deserialize)]
pub(super) struct ActiveEditor {
    /// The file; `None` if no editor is active.
    #[serde(default)]
    uri: Option<Uri>,
}

/// The files that the user works on.
#[derive(Debug, Default)]
pub(super) struct Attention {
    focus: Focus,
    /// The client names the active editor itself.
    told: bool,
}

impl Attention {
    /// The resulting focus.
    pub(super) fn focus(&self) -> &Focus {
        &self.focus
    }

    /// Notes the active editor, as the client reports it. An editor that shows no file counts as none.
    pub(super) fn tell(&mut self, editor: &ActiveEditor) {
        self.told = true;
        self.focus.looked = editor.uri.as_ref().and_then(path_of);
    }

    /// Notes a message about a file that a client sends only for a file that is looked at.
    pub(super) fn notice(&mut self, path: &Path) {
        if !self.told && self.focus.looked.as_deref() != Some(path) {
            self.focus.looked = Some(path.to_owned());
        }
    }

    /// Notes that a file was closed.
    pub(super) fn closed(&mut self, path: &Path) {
        if !self.told && self.focus.looked.as_deref() == Some(path) {
            self.focus.looked = None;
        }
    }

    /// Notes that a file was written.
    pub(super) fn changed(&mut self, path: PathBuf) {
        self.focus.changed = Some(path);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn looked(attention: &Attention) -> Option<&str> {
        attention.focus().looked.as_deref().and_then(Path::to_str)
    }

    fn tell(attention: &mut Attention, params: Value) {
        attention.tell(&serde_json::from_value(params).unwrap());
    }

    #[test]
    fn it_is_guessed_until_it_is_told() {
        let (a, b) = (Path::new("/p/A.sol"), Path::new("/p/B.sol"));
        let mut attention = Attention::default();
        assert_eq!(looked(&attention), None);
        attention.notice(a);
        attention.notice(b);
        assert_eq!(looked(&attention), Some("/p/B.sol"));
        attention.closed(a);
        assert_eq!(looked(&attention), Some("/p/B.sol"));
        attention.closed(b);
        assert_eq!(looked(&attention), None);

        tell(&mut attention, json!({ "uri": "file:///p/A.sol" }));
        attention.notice(b);
        attention.closed(a);
        assert_eq!(looked(&attention), Some("/p/A.sol"));
        for nothing in [json!({ "uri": null }), json!({ "uri": "untitled:1" }), json!({})] {
            tell(&mut attention, json!({ "uri": "file:///p/A.sol" }));
            tell(&mut attention, nothing);
            assert_eq!(looked(&attention), None);
        }
    }
}
