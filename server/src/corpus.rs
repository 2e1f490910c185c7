//! `bellwether corpus`: what is kept of a corpus, and where.

mod export;
mod harnesses;
mod import;
mod left_out;
mod minimise;
mod projects;
mod store;

pub(crate) use store::open_store;

use crate::{
    exchange::{Address, Copied, copy, sync},
    output,
};
use anyhow::{Result, bail};
use bellwether::report::counted;
use clap::Subcommand;
use std::process::ExitCode;

/// Commands about corpora.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Copy both ways, so that each place has what either of them had
    Sync {
        /// A folder, s3://BUCKET/PREFIX (gs://, az://), or nats://HOST:PORT/CAMPAIGN
        #[arg(value_name = "URL")]
        one: Address,
        /// The other place
        #[arg(value_name = "URL")]
        other: Address,
    },
    /// Copy what one or several places have into the last one
    Merge {
        /// The places; the last one is written to
        #[arg(value_name = "URL", num_args = 2.., required = true)]
        places: Vec<Address>,
    },
    /// Remove the sequences of a corpus that reach only what shorter ones reach
    Minimise(minimise::Arguments),
    /// Write a corpus folder in the format of forge, Echidna or Medusa
    Export(export::Arguments),
    /// Add a corpus of forge, Echidna or Medusa to a corpus folder
    Import(import::Arguments),
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    match &arguments.command {
        Command::Sync { one, other } => {
            let (sent, fetched) = sync(one, other)?;
            tell(one, other, &sent);
            tell(other, one, &fetched);
        }
        Command::Merge { places } => {
            let Some((into, from)) = places.split_last() else { bail!("no places; give two or more") };
            for from in from {
                tell(from, into, &copy(from, into)?);
            }
        }
        Command::Minimise(arguments) => minimise::run(arguments)?,
        Command::Export(arguments) => export::run(arguments)?,
        Command::Import(arguments) => import::run(arguments)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn tell(from: &Address, into: &Address, copied: &Copied) {
    let Copied { read, new, .. } = copied;
    output::line(&format!("{from}: {}, {new} of them new in {into}", counted(*read, "record")));
    left_out::tell(from, copied);
}
