//! A [`Level`] is the severity of an oracle's findings. The oracles and their default levels are not known here: each oracle
//! declares its own (`src/oracle/`).

use super::names::names;

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

#[cfg(test)]
mod tests {
    use super::*;

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
