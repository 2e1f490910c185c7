//! A user's file is one that is not ours alone, such as a test file that somebody edits by hand, or a report at a path that somebody
//! chose. It is read whole or not at all, and replaced whole or not at all. Files of our own cache are not written here.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    path::Path,
};

/// The text of a file, or nothing where there is no file.
///
/// # Errors
///
/// In words that follow the file's name, for every other reason: whoever took such a file for an empty one would replace it.
pub(crate) fn read(path: &Path) -> Result<Option<String>, String> {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(format!("cannot be read ({error})")),
    };
    String::from_utf8(bytes).map(Some).map_err(|error| {
        let line =
            1 + error.as_bytes()[..error.utf8_error().valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        format!("is not UTF-8 (line {line})")
    })
}

/// Writes a file. One that is there keeps its permissions, and a reader sees the old text or the new one. A symbolic link stays one,
/// and what it leads to is written.
///
/// # Errors
///
/// If it cannot be written. Then the old text is still there.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    let Ok(path) = path.canonicalize() else { return std::fs::write(path, text) };
    // A file that is protected from writing must not be replaced either.
    let mut there = File::options().write(true).open(&path)?;
    let old = there.metadata()?;
    if !old.is_file() {
        // A pipe or a terminal: there is nothing to lose.
        return there.write_all(text.as_bytes());
    }
    let folder = path.parent().unwrap_or(Path::new("."));
    let mut new = match tempfile::Builder::new().prefix(".tmp").tempfile_in(folder) {
        Ok(new) => new,
        // The file may be written and its folder may not.
        Err(error) if matches!(error.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem) => {
            return std::fs::write(&path, text);
        }
        Err(error) => return Err(error),
    };
    new.write_all(text.as_bytes())?;
    new.as_file().set_permissions(old.permissions())?;
    new.as_file().sync_all()?;
    match new.persist(&path) {
        Ok(_) => Ok(()),
        // A file that is mounted by itself, as in a container, cannot be renamed over. There was room for the new text.
        Err(error) if error.error.kind() == ErrorKind::ResourceBusy => std::fs::write(&path, text),
        Err(error) => Err(error.error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_file_that_is_not_there_has_no_text() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("A.t.sol");
        assert_eq!(read(&file), Ok(None));
        std::fs::write(&file, "").unwrap();
        assert_eq!(read(&file), Ok(Some(String::new())));
        std::fs::write(&file, b"// one\n// caf\xe9\n").unwrap();
        assert_eq!(read(&file), Err("is not UTF-8 (line 2)".to_owned()));
        let why = read(folder.path()).unwrap_err();
        assert!(why.starts_with("cannot be read ("), "{why}");
    }

    #[test]
    fn a_file_is_written_whether_it_is_there_or_not_and_nothing_stays_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("A.t.sol");
        for text in ["one", "two"] {
            write(&file, text).unwrap();
            assert_eq!(read(&file), Ok(Some(text.to_owned())));
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay_and_a_protected_file_is_not_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("A.t.sol"), folder.path().join("link"));
        std::fs::write(&file, "old").unwrap();
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o640)).unwrap();
        symlink(&file, &link).unwrap();
        write(&link, "new").unwrap();
        assert!(link.is_symlink());
        assert_eq!(read(&file), Ok(Some("new".to_owned())));
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o640);

        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o440)).unwrap();
        // Whoever may do anything may write it too.
        let may = File::options().write(true).open(&file).is_ok();
        assert_eq!(write(&file, "newer").is_ok(), may);
        assert_eq!(read(&file), Ok(Some(if may { "newer" } else { "new" }.to_owned())));
    }
}
