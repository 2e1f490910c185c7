//! `bellwether corpus import`: what forge, Echidna or Medusa kept becomes part of a corpus folder. Nothing is run: the next session
//! does that, and keeps what reaches something.

use super::{harnesses::Subject, store::open_store};
use crate::output;
use anyhow::{Context, Result, bail};
use bellwether::{
    corpus::{
        formats::{Adopted, Adoption, ForeignCall, read},
        store::CorpusStore,
    },
    harness::Harness,
    project::{MAX_MIB, read_bytes},
    report::counted,
};
use flate2::read::GzDecoder;
use std::{
    collections::{BTreeMap, BTreeSet},
    io::Read,
    path::{Path, PathBuf},
    sync::Arc,
};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// A folder or a file of forge (`corpus_dir`, or `cache/invariant/failures`), Echidna (`corpusDir`) or Medusa (`corpusDirectory`)
    #[arg(value_name = "FROM")]
    from: PathBuf,
    /// The corpus folder, as given to `bellwether fuzz --corpus`
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    #[command(flatten)]
    subject: Subject,
}

/// Runs the command.
pub(super) fn run(Arguments { from, corpus, subject }: &Arguments) -> Result<()> {
    if !from.exists() {
        bail!("{}: no such file or folder; give a corpus of forge, Echidna or Medusa", from.display());
    }
    let mut files = Vec::new();
    collect(from, &mut files).with_context(|| format!("{}: cannot be read", from.display()))?;
    files.sort();
    let sequences: Vec<Vec<ForeignCall>> = files.iter().filter_map(|file| sequence(file)).collect();
    if sequences.is_empty() {
        bail!("{}: holds no calls that forge, Echidna or Medusa wrote; give a corpus of one of them", from.display());
    }
    CorpusStore::check_folder(corpus).with_context(|| format!("{}: cannot be written", corpus.display()))?;
    let projects = subject.harnesses()?;
    let senders: BTreeSet<_> = sequences.iter().flatten().map(|call| call.sender).collect();
    let mut candidates = Vec::new();
    for (project, harnesses) in &projects {
        let store = Arc::new(open_store(&corpus.join(&project.folder), &project.name)?);
        candidates.extend(harnesses.iter().map(|harness| Candidate {
            store: store.clone(),
            harness,
            adoption: Adoption::new(harness, &senders),
        }));
    }
    let mut told = Told::default();
    for calls in &sequences {
        let adopted = candidates.iter().filter_map(|candidate| Some((candidate, candidate.adoption.adopt(calls)?)));
        let adopted: Vec<(&Candidate<'_>, Adopted)> = adopted.collect();
        let best = adopted.iter().map(|(_, adopted)| adopted.fit).min();
        told.nobodys += usize::from(best.is_none());
        for (candidate, Adopted { sequence, fit }) in adopted.iter().filter(|(_, it)| Some(it.fit) == best) {
            let Candidate { store, harness, .. } = candidate;
            store.keep(&harness.key(), &harness.calls, sequence);
            *told.kept.entry(harness.key().name).or_default() += 1;
            told.left_out += fit.left_out;
        }
    }
    candidates.iter().for_each(|candidate| candidate.store.flush());
    told.say(from, corpus);
    Ok(())
}

/// A contract that may take a sequence.
struct Candidate<'a> {
    /// The corpus of its project.
    store: Arc<CorpusStore>,
    harness: &'a Harness,
    adoption: Adoption<'a>,
}

/// What was done.
#[derive(Default)]
struct Told {
    /// Sequences, by contract.
    kept: BTreeMap<String, u64>,
    /// Sequences that no contract takes.
    nobodys: usize,
    /// Calls that no contract takes, in sequences that were kept.
    left_out: usize,
}

impl Told {
    fn say(&self, from: &Path, corpus: &Path) {
        for (contract, kept) in &self.kept {
            output::line(&format!("{}: {} for {contract}", corpus.display(), counted(*kept, "sequence")));
        }
        let warn = |words: String| output::note(&format!("warning: {}: {words}", from.display()));
        if self.nobodys > 0 {
            let sequences = counted(self.nobodys as u64, "sequence");
            warn(format!(
                "{sequences} left out: no contract here has a function that they call; name the project's folder"
            ));
        }
        if self.left_out > 0 {
            let calls = counted(self.left_out as u64, "call");
            warn(format!("{calls} left out of sequences: no contract here has the function that they call"));
        }
    }
}

/// The files of a folder and of those below it that may be some of a corpus.
fn collect(path: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if path.is_dir() {
        for entry in std::fs::read_dir(path)? {
            let entry = entry?;
            if entry.file_type()?.is_symlink() {
                continue;
            }
            collect(&entry.path(), files)?;
        }
    } else {
        files.push(path.to_owned());
    }
    Ok(())
}

/// The calls of a file. forge keeps failures in files without an extension, and Echidna has text for people beside its calls, so that a
/// file which is no JSON is none of ours; one that is, and has something wrong, is told.
fn sequence(file: &Path) -> Option<Vec<ForeignCall>> {
    let warn = |problem: &str| output::note(&format!("warning: {}: left out: {problem}", file.display()));
    let text = text(file).inspect_err(|problem| warn(&problem.to_string())).ok()?;
    if !text.trim_start().starts_with(['[', '{']) {
        return None;
    }
    match read(&text) {
        Ok((_, calls)) => Some(calls),
        Err(problem) => {
            warn(&problem);
            None
        }
    }
}

/// The text of a file, which forge may have compressed.
fn text(file: &Path) -> Result<String> {
    let mut bytes = read_bytes(file)?;
    if file.extension().is_some_and(|extension| extension == "gz") {
        let limit = MAX_MIB << 20;
        let mut unpacked = Vec::new();
        GzDecoder::new(&bytes[..]).take(limit + 1).read_to_end(&mut unpacked)?;
        if unpacked.len() as u64 > limit {
            bail!("it is larger than {MAX_MIB} MiB");
        }
        bytes = unpacked;
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
