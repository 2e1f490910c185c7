//! Reads regular files of a workspace, whole and of bounded size. Anything else that a path can lead to (a device, a pipe, a
//! file of the kernel's without an end) could fill the memory or never answer, so it is refused with an error that says which
//! of these it is.

use std::{
    fs::File,
    io::{Error, ErrorKind, Read, Result},
    path::Path,
};

/// The largest file that is read, in MiB. The largest sources and compiled files in use have some megabytes.
pub const MAX_MIB: u64 = 16;

/// Bytes that are read beyond the limit of a file that is too large: some of the kernel's files give whole words only.
const PAGE: u64 = 4096;

/// Reads a regular file of at most [`MAX_MIB`].
///
/// # Errors
///
/// If it cannot be read, is no regular file, or is larger.
pub fn read_bytes(path: &Path) -> Result<Vec<u8>> {
    // Before it is opened: that alone waits for a writer where the path leads to a pipe.
    check_kind(&std::fs::metadata(path)?)?;
    let file = File::open(path)?;
    check_kind(&file.metadata()?)?;
    let limit = MAX_MIB << 20;
    let mut bytes = Vec::new();
    // The size that the system tells is not believed: the kernel's own files have none.
    file.take(limit + PAGE).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > limit {
        return Err(Error::new(ErrorKind::FileTooLarge, format!("it is larger than {MAX_MIB} MiB")));
    }
    Ok(bytes)
}

/// Reads a regular file of at most [`MAX_MIB`] as UTF-8.
///
/// # Errors
///
/// As [`read_bytes`], and if it is not UTF-8.
pub fn read_text(path: &Path) -> Result<String> {
    String::from_utf8(read_bytes(path)?).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::new(ErrorKind::InvalidData, format!("byte {at} is not UTF-8"))
    })
}

fn check_kind(metadata: &std::fs::Metadata) -> Result<()> {
    if metadata.is_file() {
        Ok(())
    } else if metadata.is_dir() {
        Err(Error::new(ErrorKind::IsADirectory, "it is a folder, not a file"))
    } else {
        Err(Error::new(ErrorKind::InvalidInput, "it is a device, a pipe or a socket, not a regular file"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(path: &Path) -> String {
        read_text(path).unwrap_err().to_string()
    }

    #[test]
    fn only_regular_files_of_bounded_size_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::write(at("text"), "contract A {}").unwrap();
        std::fs::write(at("latin"), b"ab\xe9").unwrap();
        File::create(at("sparse")).unwrap().set_len(20 << 30).unwrap();
        assert_eq!(read_text(&at("text")).unwrap(), "contract A {}");
        assert_eq!(refused(&at("latin")), "byte 2 is not UTF-8");
        assert_eq!(refused(&at("sparse")), "it is larger than 16 MiB");
        assert_eq!(refused(folder.path()), "it is a folder, not a file");
        assert_eq!(read_text(&at("none")).unwrap_err().kind(), ErrorKind::NotFound);
    }

    #[cfg(unix)]
    #[test]
    fn a_pipe_and_a_device_are_refused_without_being_opened() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        assert_eq!(refused(&pipe), "it is a device, a pipe or a socket, not a regular file");
        assert_eq!(refused(Path::new("/dev/zero")), "it is a device, a pipe or a socket, not a regular file");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_of_the_kernel_that_tells_no_size_is_read_up_to_the_limit() {
        assert_eq!(refused(Path::new("/proc/self/pagemap")), "it is larger than 16 MiB");
    }
}
