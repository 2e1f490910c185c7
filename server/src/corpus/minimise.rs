//! `bellwether corpus minimise`: a corpus folder is replayed, the shortest sequences first, and what reaches nothing new is removed.

use super::{projects::CorpusProject, store::open_store};
use crate::output;
use anyhow::{Context, Result, bail};
use bellwether::{
    compile::Build,
    corpus::store::{FORM, Kind},
    fuzz::{Campaign, Event, Options},
    report::counted,
};
use std::{
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
};

#[derive(Debug, clap::Args)]
pub(super) struct Arguments {
    /// The folder, as given to `bellwether fuzz --corpus` or `--join`
    #[arg(value_name = "DIR")]
    corpus: PathBuf,
    /// The project whose corpus it is, or a folder of several [default: the current folder]
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    project: PathBuf,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

/// Runs the command. The sequences are replayed in a copy, so that nothing is written into the folder: it may be one that is shared.
pub(super) fn run(Arguments { corpus, project, trust }: &Arguments) -> Result<()> {
    if !corpus.is_dir() {
        bail!("{}: no such folder; give one that `bellwether fuzz --corpus` wrote", corpus.display());
    }
    let mut nothing = true;
    for project in CorpusProject::all(project, *trust)? {
        let folder = project.kept_in(corpus);
        let before = entries(&folder);
        if before.is_empty() {
            continue;
        }
        nothing = false;
        let kept = minimise(&folder, &before, &project, *trust)?;
        output::line(&format!("{}: {kept} of {} kept", folder.display(), counted(before.len() as u64, "sequence")));
    }
    if nothing {
        output::line(&format!("{}: holds no sequence of {}: nothing to remove", corpus.display(), project.display()));
    }
    Ok(())
}

/// Removes the sequences of a project that reach only what shorter ones reach. Returns how many are left.
fn minimise(folder: &Path, before: &[PathBuf], project: &CorpusProject, trusted: bool) -> Result<usize> {
    let build = project.compile(trusted);
    let copy = tempfile::tempdir().context("a temporary folder for a copy cannot be made")?;
    for entry in before {
        let (from, to) = (folder.join(entry), copy.path().join(entry));
        let copied = std::fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| std::fs::copy(&from, to));
        copied.with_context(|| format!("{}: cannot be copied", from.display()))?;
    }
    replay(copy.path(), project, &build)?;
    let gone: Vec<&PathBuf> = before.iter().filter(|entry| !copy.path().join(entry).exists()).collect();
    for entry in &gone {
        let file = folder.join(entry);
        std::fs::remove_file(&file).with_context(|| format!("{}: cannot be removed", file.display()))?;
    }
    Ok(before.len() - gone.len())
}

/// Replays a corpus folder of a project, which keeps what reaches something.
fn replay(corpus: &Path, project: &CorpusProject, build: &Arc<Build>) -> Result<()> {
    let store = open_store(corpus, &project.name)?;
    let options =
        Options { archive: Some(Arc::new(store)), until_quiet: true, replays_only: true, ..Options::default() };
    let (send, events) = mpsc::channel();
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event))))
        .context("cannot start the threads that fuzz")?;
    campaign.rebase(build, &project.project.config, 1);
    while !matches!(events.recv(), Ok(Event::Quiet { .. }) | Err(_)) {}
    campaign.stop();
    Ok(())
}

/// The files of sequences of a project's corpus, as they are below its folder.
fn entries(corpus: &Path) -> Vec<PathBuf> {
    let inside = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let contracts = inside(corpus.join(FORM));
    let files = contracts.flat_map(|contract| inside(contract.join(Kind::Entry.folder())));
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.filter_map(|file| file.strip_prefix(corpus).ok().map(Path::to_owned)).collect()
}
