//! `bellwether corpus minimise`: a corpus folder is replayed, the shortest sequences first, and what reaches nothing new is removed.

use super::{compiled::compile, store::open_store};
use crate::output;
use anyhow::{Context, Result, bail};
use bellwether::{
    compile::Build,
    corpus::store::{FORM, Kind},
    fuzz::{Campaign, Event, Options},
    project::Project,
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
    /// The project whose corpus it is [default: the current folder]
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    project: PathBuf,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

/// Runs the command. The sequences are replayed in a copy, so that nothing is written into the folder: it may be one that is shared.
pub(super) fn run(Arguments { corpus, project, trust }: &Arguments) -> Result<()> {
    let before = entries(corpus);
    if before.is_empty() {
        bail!("{}: holds no sequence; give a folder that `bellwether fuzz --corpus` wrote", corpus.display());
    }
    let (project, build) = compile(project, *trust)?;
    let copy = tempfile::tempdir().context("a temporary folder for a copy cannot be made")?;
    for entry in &before {
        let (from, to) = (corpus.join(entry), copy.path().join(entry));
        let copied = std::fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| std::fs::copy(&from, to));
        copied.with_context(|| format!("{}: cannot be copied", from.display()))?;
    }
    replay(copy.path(), &project, &build)?;
    let gone: Vec<&PathBuf> = before.iter().filter(|entry| !copy.path().join(entry).exists()).collect();
    for entry in &gone {
        let file = corpus.join(entry);
        std::fs::remove_file(&file).with_context(|| format!("{}: cannot be removed", file.display()))?;
    }
    let kept = before.len() - gone.len();
    output::line(&format!("{}: {kept} of {} kept", corpus.display(), counted(before.len() as u64, "sequence")));
    Ok(())
}

/// Replays a corpus folder of a project, which keeps what reaches something.
fn replay(corpus: &Path, project: &Project, build: &Arc<Build>) -> Result<()> {
    let store = open_store(corpus, ".")?;
    let options =
        Options { archive: Some(Arc::new(store)), until_quiet: true, replays_only: true, ..Options::default() };
    let (send, events) = mpsc::channel();
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event))))
        .context("cannot start the threads that fuzz")?;
    campaign.rebase(build, &project.config, 1);
    while !matches!(events.recv(), Ok(Event::Quiet { .. }) | Err(_)) {}
    campaign.stop();
    Ok(())
}

/// The files of sequences in a corpus folder, as they are below it.
fn entries(corpus: &Path) -> Vec<PathBuf> {
    let inside = |folder: PathBuf| std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let contracts = inside(corpus.join(FORM));
    let files = contracts.flat_map(|contract| inside(contract.join(Kind::Entry.folder())));
    let files = files.filter(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.filter_map(|file| file.strip_prefix(corpus).ok().map(Path::to_owned)).collect()
}
