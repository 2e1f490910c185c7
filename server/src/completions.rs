//! `bellwether completions`: what a shell needs to complete our commands and options.

use crate::output;
use anyhow::Result;
use clap::Command;
use clap_complete::Shell;
use std::process::ExitCode;

/// Options of `bellwether completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
To install them:
  bash        bellwether completions bash > ~/.local/share/bash-completion/completions/bellwether
  zsh         bellwether completions zsh > ~/.zfunc/_bellwether    (with ~/.zfunc in fpath)
  fish        bellwether completions fish > ~/.config/fish/completions/bellwether.fish
  elvish      bellwether completions elvish >> ~/.config/elvish/rc.elv
  powershell  bellwether completions powershell >> $PROFILE")]
pub(crate) struct Arguments {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Runs the command. The command line is that of the executable.
pub(crate) fn run(arguments: &Arguments, mut command_line: Command) -> Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line, "bellwether", &mut script);
    output::line(String::from_utf8(script)?.trim_end());
    Ok(ExitCode::SUCCESS)
}
