//! Commands are the names that `workspace/executeCommand` accepts. A [`Control`] changes what the server does; the others
//! belong to code actions, and have the client do something. The VS Code extension has commands of its own for those of its
//! palette, which share these names.

/// The command that has the client write the regression test of the finding whose id is the argument.
pub(crate) const WRITE_TEST: &str = "bellwether.writeRegressionTest";

/// The command that has the client write the comment that ignores the finding whose id is the argument.
pub(crate) const WRITE_IGNORE: &str = "bellwether.writeIgnoreComment";

/// The command that has the client open the file that is the first argument at the position that is the second.
pub(crate) const SHOW_TEST: &str = "bellwether.showRegressionTest";

/// The command that has the client show the finding whose id is the argument.
pub(crate) const SHOW_FINDING: &str = "bellwether.showFinding";

/// A client's own command that shows the trace of the finding whose id is the argument.
pub(crate) const OPEN_TRACE: &str = "bellwether.openTrace";

/// A client's own command that copies the finding whose id is the argument as JSON.
pub(crate) const COPY_FINDING: &str = "bellwether.copyFinding";

/// A command that changes what the server does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Control {
    /// Fuzzes nothing until `Resume`.
    Pause,
    /// Fuzzes on. In manual mode this is how fuzzing is asked for.
    Resume,
    /// Forgets findings and corpus.
    Clear,
    /// Shows or hides the lines that the last save made worth reaching.
    ShowTargets,
}

impl Control {
    /// All of them, in the order in which they are offered.
    pub(crate) const ALL: [Self; 4] = [Self::Pause, Self::Resume, Self::Clear, Self::ShowTargets];

    /// Its name in the protocol.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Pause => "bellwether.pause",
            Self::Resume => "bellwether.resume",
            Self::Clear => "bellwether.clear",
            Self::ShowTargets => "bellwether.showTargets",
        }
    }

    /// The one of this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|control| control.name() == name)
    }
}
