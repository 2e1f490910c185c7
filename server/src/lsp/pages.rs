//! The pages of the oracles, for editors that open what a finding's code leads to. They are part of the executable, so that they fit its
//! version and need no network, and are written to the user's cache folder when the first of them is asked for.

use bellwether::compile::default_cache;
use std::{
    io::{self, Write},
    path::{Path, PathBuf},
    sync::OnceLock,
};
use tower_lsp_server::ls_types::Uri;

/// The pages by their paths below `docs`: those of the oracles, and those that they link to.
const PAGES: &[(&str, &str)] = &[
    ("properties.md", include_str!("../../../docs/properties.md")),
    ("settings.md", include_str!("../../../docs/settings.md")),
    ("oracles/README.md", include_str!("../../../docs/oracles/README.md")),
    ("oracles/arbitrary-jump.md", include_str!("../../../docs/oracles/arbitrary-jump.md")),
    ("oracles/arbitrary-write.md", include_str!("../../../docs/oracles/arbitrary-write.md")),
    ("oracles/assertion.md", include_str!("../../../docs/oracles/assertion.md")),
    ("oracles/block-number.md", include_str!("../../../docs/oracles/block-number.md")),
    ("oracles/checked-arithmetic.md", include_str!("../../../docs/oracles/checked-arithmetic.md")),
    ("oracles/compiler-check.md", include_str!("../../../docs/oracles/compiler-check.md")),
    ("oracles/delegatecall.md", include_str!("../../../docs/oracles/delegatecall.md")),
    ("oracles/ether-theft.md", include_str!("../../../docs/oracles/ether-theft.md")),
    ("oracles/exception-disorder.md", include_str!("../../../docs/oracles/exception-disorder.md")),
    ("oracles/frozen-ether.md", include_str!("../../../docs/oracles/frozen-ether.md")),
    ("oracles/layout-change.md", include_str!("../../../docs/oracles/layout-change.md")),
    ("oracles/layout-collision.md", include_str!("../../../docs/oracles/layout-collision.md")),
    ("oracles/overflow.md", include_str!("../../../docs/oracles/overflow.md")),
    ("oracles/property.md", include_str!("../../../docs/oracles/property.md")),
    ("oracles/reentrancy.md", include_str!("../../../docs/oracles/reentrancy.md")),
    ("oracles/requirement.md", include_str!("../../../docs/oracles/requirement.md")),
    ("oracles/self-destruct.md", include_str!("../../../docs/oracles/self-destruct.md")),
    ("oracles/slot-collision.md", include_str!("../../../docs/oracles/slot-collision.md")),
    ("oracles/timestamp.md", include_str!("../../../docs/oracles/timestamp.md")),
    ("oracles/unchecked-call.md", include_str!("../../../docs/oracles/unchecked-call.md")),
];

/// Where the page of an oracle is; none if there is no such oracle, or if the cache folder cannot be written.
pub(crate) fn of_oracle(oracle: &str) -> Option<Uri> {
    static FOLDER: OnceLock<Option<PathBuf>> = OnceLock::new();
    let page = format!("oracles/{oracle}.md");
    if !PAGES.iter().any(|(path, _)| *path == page) {
        return None;
    }
    let folder = FOLDER.get_or_init(|| {
        let folder = default_cache().join("docs");
        write(&folder).ok().map(|()| folder)
    });
    Uri::from_file_path(folder.as_ref()?.join(page))
}

/// Writes the pages that are not there as they are here. Another process sees a page whole or not at all.
fn write(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder.join("oracles"))?;
    for (path, text) in PAGES {
        let path = folder.join(path);
        if std::fs::read(&path).is_ok_and(|there| there == text.as_bytes()) {
            continue;
        }
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(text.as_bytes())?;
        file.persist(path)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether::oracle;

    #[test]
    fn each_oracle_has_a_page_that_leads_only_to_others() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        for oracle in oracle::all() {
            let page = format!("oracles/{}.md", oracle.meta().id);
            assert!(folder.path().join(&page).is_file(), "{page}");
        }
        for (path, text) in PAGES.iter().filter(|(path, _)| path.starts_with("oracles/")) {
            let links = text.match_indices("](").map(|(at, _)| text[at + 2..].split_once(')').unwrap().0);
            for link in links {
                let file = link.split('#').next().unwrap();
                let target = folder.path().join(path).parent().unwrap().join(file);
                assert!(file.is_empty() || link.contains("://") || target.exists(), "{path}: {link}");
            }
        }
    }

    #[test]
    fn pages_of_another_version_are_replaced() {
        let folder = tempfile::tempdir().unwrap();
        write(folder.path()).unwrap();
        let page = folder.path().join("oracles/overflow.md");
        let text = std::fs::read(&page).unwrap();
        std::fs::write(&page, "of yesterday").unwrap();
        write(folder.path()).unwrap();
        assert_eq!(std::fs::read(&page).unwrap(), text);
    }
}
