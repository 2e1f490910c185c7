//! A small table of settings for tests.

use std::sync::LazyLock;

use super::{
    level::Level,
    settings::{Setting, Settings},
};

/// The settings of a program with two oracles.
pub(super) static SETTINGS: LazyLock<Settings> = LazyLock::new(|| {
    Settings::with_levels([
        Setting::level("oracles.assertion", Level::Error, "The first."),
        Setting::level("oracles.checked-arithmetic", Level::Off, "The second."),
    ])
});
