//! Where compilers, compiled files, corpus and findings are kept, whether that can be written, and how much it is.

use super::check::Check;
use bellwether::{compile::cache_folder, project::Project};
use std::{io, path::Path};

/// Checks the folder.
pub(super) fn checks(project: &Project, checks: &mut Vec<Check>) {
    let folder = cache_folder(project);
    let shown = folder.display();
    let check = match try_to_write(&folder) {
        Ok(()) => Check::ok("cache", format!("{shown}, {}", told(size_of(&folder)))),
        Err(error) => Check::problem(
            "cache",
            format!(
                "{shown} cannot be written ({error}): compilers cannot be kept, and what is found is forgotten at the end"
            ),
            "make it writable, or name another folder with XDG_CACHE_HOME or `cache` in bellwether.toml",
        ),
    };
    checks.push(check);
}

/// Writes a file to it that is removed at once.
fn try_to_write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    tempfile::Builder::new().prefix(".tmp").tempfile_in(folder).map(drop)
}

/// The bytes of all files below a folder. Links are not followed.
fn size_of(folder: &Path) -> u64 {
    let (mut bytes, mut folders) = (0, vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.metadata() {
                Ok(metadata) if metadata.is_dir() => folders.push(entry.path()),
                Ok(metadata) => bytes += metadata.len(),
                Err(_) => {}
            }
        }
    }
    bytes
}

/// `12 KiB`, `3.4 MiB`.
fn told(bytes: u64) -> String {
    match bytes {
        0..0x10_0000 => format!("{} KiB", bytes.div_ceil(0x400)),
        0x10_0000..0x4000_0000 => format!("{:.1} MiB", bytes as f64 / f64::from(0x10_0000)),
        _ => format!("{:.1} GiB", bytes as f64 / f64::from(0x4000_0000)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_few_digits() {
        assert_eq!([0, 1, 0x10_0000, 3 << 30].map(told), ["0 KiB", "1 KiB", "1.0 MiB", "3.0 GiB"]);
    }
}
