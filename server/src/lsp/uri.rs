//! A URI is a client's name for a document. Only files have a path, and only files are supported.

use std::path::{Path, PathBuf};
use tower_lsp_server::ls_types::Uri;

/// The path of a file; `None` for a document that is not on disk.
pub(super) fn path_of(uri: &Uri) -> Option<PathBuf> {
    let is_file = uri.scheme().as_str().eq_ignore_ascii_case("file");
    is_file.then(|| uri.to_file_path())?.map(|path| Path::new(path.as_ref()).components().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_files_have_paths() {
        for (uri, path) in [
            ("file:///p/A.sol", Some("/p/A.sol")),
            ("file:///p/a%20b/%C3%A9.sol", Some("/p/a b/\u{e9}.sol")),
            ("file:///p//A.sol", Some("/p/A.sol")),
            ("untitled:Untitled-1", None),
            ("git:/p/A.sol?ref", None),
        ] {
            assert_eq!(path_of(&uri.parse().unwrap()), path.map(PathBuf::from), "{uri}");
        }
    }
}
