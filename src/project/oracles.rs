//! An [`OracleMeta`] is what people see of an oracle: its name, its default level, and a sentence about it. [`ORACLES`] is the only
//! list of them; settings, the extension's manifest, the documents and the command line are made from it. How an oracle judges is
//! not known here: that is `oracle`, whose tests hold that it has exactly these.

use super::level::Level;

/// What people see of an oracle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OracleMeta {
    /// Its name, stable: the same in settings, JSON, documents and ignore files.
    pub name: &'static str,
    /// The key of the setting that holds its level: `oracles.` and the name.
    pub setting: &'static str,
    /// What it looks for, in a few words, as a heading.
    pub title: &'static str,
    /// Its entry in the SWC registry, without the prefix: `110`.
    pub swc: &'static str,
    /// How its findings are shown when nobody says otherwise.
    pub level: Level,
    /// One sentence for the settings page, the SWC entry included.
    pub description: &'static str,
}

/// Declares one oracle; the description is a sentence without its full stop.
macro_rules! oracle {
    ($(#[$doc:meta])* $id:ident, $name:literal, SWC $swc:literal, $level:ident, $title:literal, $description:literal) => {
        $(#[$doc])*
        pub const $id: OracleMeta = OracleMeta {
            name: $name,
            setting: concat!("oracles.", $name),
            title: $title,
            swc: $swc,
            level: Level::$level,
            description: concat!($description, " (SWC-", $swc, ")."),
        };
    };
}

oracle!(
    /// A failed `assert`.
    ASSERTION, "assertion", SWC "110", Error,
    "Assertion fails",
    "An `assert` fails, or a test library's failure is signalled"
);
oracle!(
    /// A failed check that the compiler inserted.
    COMPILER_CHECK, "compiler-check", SWC "110", Warning,
    "Check of the compiler fails",
    "Division by zero, an index out of bounds, a bad enum value, `pop` on an empty array, a call of a null function"
);
oracle!(
    /// An overflow that checked arithmetic reverts.
    CHECKED_ARITHMETIC, "checked-arithmetic", SWC "101", Off,
    "Checked arithmetic overflows",
    "Checked arithmetic overflows and reverts (Panic 0x11); off by default, since many contracts rely on it as a guard"
);
oracle!(
    /// A write to a slot of the caller's choice.
    ARBITRARY_WRITE, "arbitrary-write", SWC "124", Error,
    "Any storage slot can be written",
    "A caller can write to any storage slot"
);

/// Every oracle, in the order in which documents and settings list them.
pub const ORACLES: &[OracleMeta] = &[ASSERTION, COMPILER_CHECK, CHECKED_ARITHMETIC, ARBITRARY_WRITE];

impl OracleMeta {
    /// The oracle of this name.
    #[must_use]
    pub fn of(name: &str) -> Option<&'static Self> {
        ORACLES.iter().find(|oracle| oracle.name == name)
    }

    /// The names of all oracles, in order.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ORACLES.iter().map(|oracle| oracle.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn default_levels() {
        for (oracle, level) in [
            ("assertion", Some(Level::Error)),
            ("compiler-check", Some(Level::Warning)),
            ("checked-arithmetic", Some(Level::Off)),
            ("arbitrary-write", Some(Level::Error)),
            ("assertions", None),
            ("reentrancy", None),
        ] {
            assert_eq!(OracleMeta::of(oracle).map(|meta| meta.level), level, "{oracle}");
        }
    }

    #[test]
    fn the_sentence_ends_with_the_registry_entry() {
        assert_eq!(ARBITRARY_WRITE.description, "A caller can write to any storage slot (SWC-124).");
        assert_eq!(ARBITRARY_WRITE.setting, "oracles.arbitrary-write");
    }
}
