//! A [`Project`] is a copy of a fixture, or a few files, in a folder of its own, with a cache of its own. Only the compilers are shared
//! with the user's cache, so that no test fetches one again.

#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../../tests/support/redact.rs"]
mod redact;

use super::{position::Encoding, uri};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What mends the fixture `vault`: this is to be replaced by that.
pub(crate) const FIX: (&str, &str) =
    ("address(this).balance - totalShares;", "address(this).balance - totalShares - totalQueued;");

pub(crate) struct Project {
    folder: tempfile::TempDir,
}

impl Project {
    /// A copy of `fixtures/NAME`.
    pub(crate) fn fixture(name: &str) -> Self {
        let project = Self::files(&[]);
        project.add_copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures").join(name), "");
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

    /// Copies a folder into the one of this name.
    pub(crate) fn add_copy(&self, folder: &Path, name: &str) {
        copy(folder, &self.path(name));
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

    /// A value as text, folders and what is measured aside, with each range on one line; of text, the text itself.
    pub(crate) fn text_of(&self, value: &Value) -> String {
        let text = match value {
            Value::String(text) => text.clone(),
            value => format!("{:#}\n", with_short_ranges(value)),
        };
        redact::redact(&text, &self.root())
    }

    /// Settings for tests: one worker, one seed, this cache.
    pub(crate) fn options(&self) -> Value {
        json!({ "cache": self.cache(), "workers": 1, "seed": 1 })
    }

    /// Makes the changes of a `WorkspaceEdit`, as a client does that counts in UTF-16.
    pub(crate) fn apply(&self, edit: &Value) {
        self.apply_in(Encoding::Utf16, edit);
    }

    /// Makes the changes of a `WorkspaceEdit`, as a client does. Only insertions into new or existing files are known.
    pub(crate) fn apply_in(&self, encoding: Encoding, edit: &Value) {
        // A file that is not there is made by its first edit, as a buffer without a file is by saving it.
        for change in edit["documentChanges"].as_array().into_iter().flatten() {
            if change["kind"] == "create" {
                self.edit(&change["uri"], |text| text);
            } else {
                self.edit(&change["textDocument"]["uri"], |text| insert(encoding, text, &change["edits"]));
            }
        }
        for (uri, edits) in edit["changes"].as_object().into_iter().flatten() {
            self.edit(&json!(uri), |text| insert(encoding, text, edits));
        }
    }

    fn edit(&self, uri: &Value, change: impl FnOnce(String) -> String) {
        let path = self.path_of(uri);
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, change(text)).unwrap();
    }

    fn path_of(&self, uri: &Value) -> PathBuf {
        let path = PathBuf::from(uri.as_str().unwrap().strip_prefix("file://").unwrap());
        assert!(path.starts_with(self.root()), "{} is outside of the project", path.display());
        path
    }
}

fn insert(encoding: Encoding, mut text: String, edits: &Value) -> String {
    let edits = edits.as_array().unwrap();
    assert!(!edits.is_empty());
    for edit in edits {
        assert_eq!(edit["range"]["start"], edit["range"]["end"], "an insertion");
        text.insert_str(encoding.offset(&text, &edit["range"]["start"]), edit["newText"].as_str().unwrap());
    }
    text
}

/// The value with each range as `line:character-line:character`, from 0.
fn with_short_ranges(value: &Value) -> Value {
    let number = |of: &str| value.pointer(of).and_then(Value::as_u64);
    let range = ["/start/line", "/start/character", "/end/line", "/end/character"].map(number);
    if let [Some(line), Some(character), Some(end_line), Some(end_character)] = range {
        return json!(format!("{line}:{character}-{end_line}:{end_character}"));
    }
    match value {
        Value::Array(items) => items.iter().map(with_short_ranges).collect(),
        Value::Object(fields) => fields.iter().map(|(name, field)| (name.clone(), with_short_ranges(field))).collect(),
        other => other.clone(),
    }
}

/// The position of the first `needle`, in UTF-16.
pub(crate) fn position(text: &str, needle: &str) -> Value {
    Encoding::Utf16.position(text, needle)
}

/// The change that replaces the first `old` by `new`, in UTF-16, and the text after it.
pub(crate) fn replacement(text: &str, old: &str, new: &str) -> (Value, String) {
    Encoding::Utf16.replacement(text, old, new)
}

/// The line (from 0) of a fixture's note.
pub(crate) fn noted_line(text: &str) -> u64 {
    text.lines().position(|line| line.contains("//~ ERROR")).unwrap() as u64
}

/// The request parameters for a place in a file.
pub(crate) fn place(path: &Path, position: &Value) -> Value {
    json!({ "textDocument": { "uri": uri(path) }, "position": position })
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
    fetch_compiler();
    std::fs::create_dir_all(cache).unwrap();
    std::os::unix::fs::symlink(compilers, cache.join("solc")).unwrap();
}

/// Fetches the newest compiler before the first test: a server does not wait for it, and builds twice.
#[cfg(unix)]
fn fetch_compiler() {
    static FETCHED: std::sync::Once = std::sync::Once::new();
    FETCHED.call_once(|| drop(newest_compiler()));
}

/// The newest compiler: its version, and the folder of its package.
#[cfg(unix)]
pub(crate) fn newest_compiler() -> (String, PathBuf) {
    use bellwether::{compile, project};
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.sol"), "pragma solidity ^0.8.20;\ncontract A {}").unwrap();
    let cache = compile::default_cache();
    let mut compiler = compile::Compiler::new(&cache, folder.path(), false);
    let build = compiler.build(&project::Project::load(folder.path()).unwrap());
    let version = &build.contracts[0].solc;
    let package = cache.join("solc").join(format!("{}.{}.{}", version.major, version.minor, version.patch));
    (version.to_string(), package.join("node_modules/solc"))
}

/// Links need rights there; each test fetches its compiler.
#[cfg(not(unix))]
fn share_compilers(_: &Path) {}
