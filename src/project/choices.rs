//! The values of settings that have a few names to choose from.

use super::names::names;

names! {
    /// When the fuzzer runs.
    pub enum Run {
        /// After every save; the default.
        OnSave = "onSave",
        /// Only when asked to.
        Manual = "manual",
        /// Never.
        Off = "off",
    }
}

names! {
    /// Which of the compiler's own messages are shown.
    pub enum CompilerDiagnostics {
        /// Errors only; the default.
        Errors = "errors",
        /// Warnings and notes too.
        All = "all",
        /// None.
        Off = "off",
    }
}
