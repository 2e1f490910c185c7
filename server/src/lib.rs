//! `bellwether`: the language server, and the same engine for terminals and CI. All of the executable is here but its `main`, so that
//! what reads the outside world can be tried on its own.

mod committed;
mod completions;
mod corpus;
mod doctor;
mod exchange;
mod fleet;
mod fuzz;
mod lsp;
mod output;
mod replay;
mod repository;
mod roots;
mod seed;
mod trust;
mod user_file;

pub use lsp::wire::{Frame, Frames};

use clap::{CommandFactory, Parser, Subcommand};
use std::process::ExitCode;

/// Fuzzes Solidity while it is being written.
#[derive(Debug, Parser)]
#[command(name = "bellwether", version, about, propagate_version = true)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the language server on standard input and output
    Lsp(lsp::Arguments),
    /// Fuzz a project, or a single file
    Fuzz(Box<fuzz::Arguments>),
    /// Copy, minimise and translate corpora
    Corpus(corpus::Arguments),
    /// Show the machines that share what they find
    Fleet(fleet::Arguments),
    /// Run a saved finding again: exit code 0 if it still fails as reported, 1 if it no longer does
    Replay(replay::Arguments),
    /// Write the regression test of a saved finding
    Test(replay::TestArguments),
    /// Check whether everything that Bellwether needs is there, and say what to do about the rest
    Doctor(doctor::Arguments),
    /// Print completions for a shell
    Completions(completions::Arguments),
}

/// Does what the command line asks for.
pub fn run() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Lsp(arguments) => lsp::run(&arguments),
        Command::Fuzz(arguments) => fuzz::run(&arguments),
        Command::Corpus(arguments) => corpus::run(&arguments),
        Command::Fleet(arguments) => fleet::run(&arguments),
        Command::Replay(arguments) => replay::run(&arguments),
        Command::Test(arguments) => replay::write_test(&arguments),
        Command::Doctor(arguments) => doctor::run(&arguments),
        Command::Completions(arguments) => completions::run(&arguments, Cli::command()),
    };
    result.unwrap_or_else(|error| {
        output::error(&error);
        ExitCode::from(2)
    })
}
