//! `bellwether lsp`.

use std::process::ExitCode;

/// Options of `bellwether lsp`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// How much to log on standard error: error, warn, info, debug, trace
    #[arg(long, value_name = "LEVEL", default_value = "info")]
    log: String,
}

/// Runs the server until the client ends it.
pub(crate) fn run(_arguments: &Arguments) -> anyhow::Result<ExitCode> {
    anyhow::bail!("the language server is not built in yet")
}
