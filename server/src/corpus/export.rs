//! `bellwether corpus export`: a corpus folder as forge, Echidna or Medusa keep theirs, so that they start where we are.

use super::{harnesses::Subject, store::open_store};
use crate::{output, user_file};
use anyhow::{Context, Result, bail};
use bellwether::{
    corpus::{
        formats::{self, Expressed, Inexpressible, write},
        store::CorpusStore,
    },
    harness::Harness,
    input::Sequence,
    report::counted,
};
use clap::ValueEnum;
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The fuzzer that is to read the corpus
    #[arg(value_name = "FUZZER")]
    format: Format,
    /// The corpus folder, as given to `bellwether fuzz --corpus`
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// The folder to write into: the fuzzer's `corpus_dir`, `corpusDir` or `corpusDirectory`. Each of several projects has its own, below it
    #[arg(value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    subject: Subject,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum Format {
    /// Foundry's invariants and tests with arguments
    Forge,
    /// Echidna
    Echidna,
    /// Medusa
    Medusa,
}

/// Runs the command.
pub(super) fn run(Arguments { format, corpus, out, subject }: &Arguments) -> Result<()> {
    if !corpus.is_dir() {
        bail!("{}: no such folder; give one that `bellwether fuzz --corpus` wrote", corpus.display());
    }
    let format = match format {
        Format::Forge => formats::Format::Forge,
        Format::Echidna => formats::Format::Echidna,
        Format::Medusa => formats::Format::Medusa,
    };
    let projects = subject.harnesses()?;
    let alone = projects.len() == 1;
    let mut read = 0;
    for (project, harnesses) in &projects {
        let store = open_store(&project.kept_in(corpus), &project.name)?;
        // Each of several projects has a fuzzer's folder of its own.
        let out = if alone { out.clone() } else { out.join(&project.folder) };
        for harness in harnesses {
            read += export(format, harness, &store, &out)?;
        }
    }
    if read == 0 {
        bail!(
            "{}: holds no sequence for a contract of this project; check the folder, PATH and --contract",
            corpus.display()
        );
    }
    Ok(())
}

/// Writes what is kept of a contract. Returns how many sequences that were.
fn export(format: formats::Format, harness: &Harness, store: &CorpusStore, out: &Path) -> Result<usize> {
    let kept = store.load(&harness.key(), &harness.calls);
    let shown = kept.findings.into_iter().filter_map(|finding| finding.sequence);
    let sequences: Vec<Sequence> = kept.sequences.into_iter().chain(shown).collect();
    let mut refused: BTreeMap<Inexpressible, u64> = BTreeMap::new();
    let mut written = 0;
    for sequence in &sequences {
        match write(format, harness, sequence) {
            Ok(Expressed { files, text }) => {
                written += 1;
                files.iter().try_for_each(|file| put(&out.join(file), &text))?;
            }
            Err(why) => *refused.entry(why).or_default() += 1,
        }
    }
    let name = harness.key().name;
    if written > 0 {
        output::line(&format!("{}: {} for {name}", out.display(), counted(written, "sequence")));
    }
    for (why, count) in refused {
        output::note(&format!("note: {name}: {} left out: {why}", counted(count, "sequence")));
    }
    Ok(sequences.len())
}

/// Writes a file, into folders that are made.
fn put(file: &Path, text: &str) -> Result<()> {
    let folder = file.parent().unwrap_or(file);
    std::fs::create_dir_all(folder)
        .and_then(|()| user_file::write(file, text))
        .with_context(|| format!("{}: cannot be written", file.display()))
}
