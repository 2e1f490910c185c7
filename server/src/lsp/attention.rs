//! [`Attention`] is what the user works on: the file in the active editor, and the one that changed last. The protocol has no word
//! for the former, so it is taken from what a client asks and tells; a client that names it itself, by `bellwether/activeEditor`,
//! is believed from then on, and nothing is guessed any more.

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
    /// The file; none where no editor is active.
    #[serde(default)]
    uri: Option<Uri>,
}

/// What the user works on.
#[derive(Debug, Default)]
pub(super) struct Attention {
    focus: Focus,
    /// The client names the active editor itself.
    told: bool,
}

impl Attention {
    /// What it comes to.
    pub(super) fn focus(&self) -> &Focus {
        &self.focus
    }

    /// The client names the active editor. One that shows what is no file is none.
    pub(super) fn tell(&mut self, editor: &ActiveEditor) {
        self.told = true;
        self.focus.looked = editor.uri.as_ref().and_then(path_of);
    }

    /// Something was asked or told of a file that only somebody who looks at it asks or tells.
    pub(super) fn notice(&mut self, path: &Path) {
        if !self.told && self.focus.looked.as_deref() != Some(path) {
            self.focus.looked = Some(path.to_owned());
        }
    }

    /// A file was closed: nobody looks at it.
    pub(super) fn closed(&mut self, path: &Path) {
        if !self.told && self.focus.looked.as_deref() == Some(path) {
            self.focus.looked = None;
        }
    }

    /// A file was written.
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
