//! A [`Project`] is a copy of a fixture, or a few files, in a folder of its own, with a cache of its own. Only the compilers are shared
//! with the user's cache, so that no test fetches one again.

use super::uri;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A copy of `fixtures/NAME`.
    pub(crate) fn fixture(name: &str) -> Self {
        let project = Self::files(&[]);
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name), &project.root());
        project
    }

    /// These files, by their paths from the root.
    pub(crate) fn files(files: &[(&str, &str)]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let project = Self { folder };
        std::fs::create_dir(project.root()).unwrap();
        for (name, text) in files {
            project.write(name, text);
        }
        share_compilers(&project.cache());
        project
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub(crate) fn root(&self) -> PathBuf {
        // Where the system's temporary folder is a link, the server would see another spelling.
        self.folder.path().canonicalize().unwrap().join("project")
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root().join(name)
    }

    pub(crate) fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// Settings for tests: one worker, one seed, this cache.
    pub(crate) fn options(&self) -> Value {
        json!({ "cache": self.cache(), "workers": 1, "seed": 1 })
    }

    /// Makes the changes of a `WorkspaceEdit`, as a client does. Only insertions into new or existing files are known.
    pub(crate) fn apply(&self, edit: &Value) {
        let changes = edit["documentChanges"].as_array().expect("documentChanges");
        for change in changes {
            let path = |uri: &Value| PathBuf::from(uri.as_str().unwrap().strip_prefix("file://").unwrap());
            if change["kind"] == "create" {
                let path = path(&change["uri"]);
                assert!(path.starts_with(self.root()), "{} is outside of the project", path.display());
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                if !path.exists() {
                    std::fs::write(path, "").unwrap();
                }
                continue;
            }
            let path = path(&change["textDocument"]["uri"]);
            let mut text = std::fs::read_to_string(&path).unwrap();
            for edit in change["edits"].as_array().unwrap() {
                assert_eq!(edit["range"]["start"], edit["range"]["end"], "an insertion");
                text.insert_str(offset(&text, &edit["range"]["start"]), edit["newText"].as_str().unwrap());
            }
            std::fs::write(path, text).unwrap();
        }
    }
}

/// The position of the first `needle`, in UTF-16.
pub(crate) fn position(text: &str, needle: &str) -> Value {
    let at = text.find(needle).unwrap_or_else(|| panic!("no {needle:?}"));
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    json!({ "line": line, "character": text[start..at].encode_utf16().count() })
}

/// The change that replaces the first `old` by `new`, and the text after it.
pub(crate) fn replacement(text: &str, old: &str, new: &str) -> (Value, String) {
    let (start, mut end) = (position(text, old), position(text, old));
    assert!(!old.contains('\n'));
    end["character"] = json!(end["character"].as_u64().unwrap() as usize + old.encode_utf16().count());
    (json!([{ "range": { "start": start, "end": end }, "text": new }]), text.replacen(old, new, 1))
}

/// The request parameters for a place in a file.
pub(crate) fn place(path: &Path, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": position })
}

fn offset(text: &str, position: &Value) -> usize {
    let line = position["line"].as_u64().unwrap() as usize;
    let start = text.split_inclusive('\n').take(line).map(str::len).sum::<usize>();
    let mut units = position["character"].as_u64().unwrap() as usize;
    let mut at = start;
    for character in text[start..].chars() {
        if units == 0 {
            break;
        }
        units -= character.len_utf16();
        at += character.len_utf8();
    }
    at
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy(&path, &target);
        } else {
            std::fs::copy(path, target).unwrap();
        }
    }
}

#[cfg(unix)]
fn share_compilers(cache: &Path) {
    let compilers = bellwether::compile::default_cache().join("solc");
    std::fs::create_dir_all(&compilers).unwrap();
    std::fs::create_dir_all(cache).unwrap();
    std::os::unix::fs::symlink(compilers, cache.join("solc")).unwrap();
}

/// Links need rights there; each test fetches its compiler.
#[cfg(not(unix))]
fn share_compilers(_: &Path) {}
