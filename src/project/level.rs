//! A [`Level`] is how loudly an oracle speaks, and [`ORACLES`] is the list of their names. What an oracle looks for is not known
//! here, only what it is called and how it is reported when nobody says otherwise.

use super::{names::names, settings::Setting};

names! {
    /// How a violation is shown; `Off` means that it is not looked for. Ordered from the most serious.
    pub enum Level {
        /// A defect.
        Error = "error",
        /// Very likely a defect. With `Error`, what makes `bellwether fuzz` exit with 1.
        Warning = "warning",
        /// Worth knowing.
        Information = "information",
        /// Shown discreetly.
        Hint = "hint",
        /// The oracle does not run.
        Off = "off",
    }
}

/// The names of the oracles: stable, and the same in settings, JSON, documentation and ignore files.
pub const ORACLES: &[&str] = &[
    "assertion",
    "compiler-check",
    "checked-arithmetic",
    "arbitrary-write",
    "layout-collision",
    "slot-collision",
    "layout-change",
    "overflow",
    "unchecked-call",
    "exception-disorder",
    "reentrancy",
    "requirement",
    "arbitrary-jump",
    "timestamp",
    "block-number",
    "delegatecall",
    "frozen-ether",
    "self-destruct",
    "ether-theft",
    "property",
];

/// The level of an oracle that no setting mentions, as the table of settings has it; `None` for a name that is no oracle's.
pub fn default_level(oracle: &str) -> Option<Level> {
    let setting = Setting::of(&format!("oracles.{oracle}"))?;
    setting.default_value().as_str().and_then(Level::from_name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::SETTINGS;

    #[test]
    fn every_oracle_has_a_setting_and_every_such_setting_an_oracle() {
        let in_settings: Vec<_> = SETTINGS.iter().filter_map(|s| s.key.strip_prefix("oracles.")).collect();
        assert_eq!(in_settings, ORACLES);
    }

    #[test]
    fn default_levels() {
        for (oracle, level) in [
            ("assertion", Some(Level::Error)),
            ("compiler-check", Some(Level::Warning)),
            ("checked-arithmetic", Some(Level::Off)),
            ("timestamp", Some(Level::Information)),
            ("block-number", Some(Level::Information)),
            ("frozen-ether", Some(Level::Information)),
            ("layout-collision", Some(Level::Error)),
            ("slot-collision", Some(Level::Error)),
            ("arbitrary-write", Some(Level::Error)),
            ("assertions", None),
        ] {
            assert_eq!(default_level(oracle), level, "{oracle}");
        }
        assert!(ORACLES.iter().all(|oracle| default_level(oracle).is_some()));
    }

    #[test]
    fn names_and_levels_agree_both_ways() {
        for name in Level::NAMES {
            let level = Level::from_name(name).unwrap();
            assert_eq!(level.name(), *name);
            assert_eq!(serde_json::to_value(level).unwrap(), *name);
        }
        assert!(Level::Error < Level::Warning && Level::Hint < Level::Off);
    }
}
