//! An [`OracleMeta`] describes an oracle to people: its name, its default level, and a sentence about it. Each oracle declares
//! its own, from which settings, the extension's manifest, the documents and the command line are made. How an oracle judges is
//! not known here.

use crate::project::Level;

/// The description of an oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OracleMeta {
    /// Its name, stable: the same in settings, JSON, documents and ignore files.
    pub id: &'static str,
    /// The key of the setting that holds its level: `oracles.` and the name.
    pub setting: &'static str,
    /// The defect that it finds, in a few words, as a heading.
    pub title: &'static str,
    /// Its entry in the SWC registry, without the prefix: `110`.
    pub swc: &'static str,
    /// The level of its findings unless somebody sets another one.
    pub level: Level,
    /// One sentence for the settings page, the SWC entry included.
    pub description: &'static str,
    /// Its page, in Markdown.
    pub page: &'static str,
}

/// Makes an [`OracleMeta`]; the description is a sentence without its full stop.
macro_rules! oracle_meta {
    (
        id: $id:literal,
        title: $title:literal,
        swc: $swc:literal,
        level: $level:expr,
        description: $description:literal $(,)?
    ) => {
        OracleMeta {
            id: $id,
            setting: concat!("oracles.", $id),
            title: $title,
            swc: $swc,
            level: $level,
            description: concat!($description, " (SWC-", $swc, ")."),
            page: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/oracles/", $id, ".md")),
        }
    };
}
pub(super) use oracle_meta;

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn default_levels() {
        for (oracle, level) in [
            ("assertion", Some(Level::Error)),
            ("compiler-check", Some(Level::Warning)),
            ("checked-arithmetic", Some(Level::Off)),
            ("arbitrary-write", Some(Level::Error)),
            ("assertions", None),
            ("reentrancy", Some(Level::Error)),
            ("timestamp", Some(Level::Warning)),
        ] {
            assert_eq!(OracleMeta::of(oracle).map(|meta| meta.level), level, "{oracle}");
        }
    }

    #[test]
    fn names_are_unique_and_the_sentence_ends_with_the_registry_entry() {
        let mut ids = BTreeSet::new();
        for meta in OracleMeta::all() {
            assert!(ids.insert(meta.id), "{} twice", meta.id);
            assert_eq!(meta.setting, format!("oracles.{}", meta.id));
            assert!(meta.description.ends_with(&format!(" (SWC-{}).", meta.swc)), "{}", meta.description);
        }
    }
}
