//! `bellwether corpus minimise`: a corpus is replayed, the shortest sequences first, and what reaches nothing new is removed.

use super::{left_out, projects::CorpusProject, store::open_store};
use crate::{
    exchange::{Address, copy, remove},
    output,
};
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
    /// The folder, as given to `bellwether fuzz --corpus`, or a place, as given to `--join`
    #[arg(value_name = "URL")]
    corpus: Address,
    /// The project whose corpus it is, or a folder of several [default: the current folder]
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    project: PathBuf,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

/// Runs the command.
pub(super) fn run(Arguments { corpus, project, trust }: &Arguments) -> Result<()> {
    if let Address::Folder(folder) = corpus {
        if !folder.is_dir() {
            bail!("{corpus}: no such folder; give one that `bellwether fuzz --corpus` or `--join` wrote");
        }
        return minimise_all(folder, project, *trust, &folder.display().to_string()).map(drop);
    }
    let fetched = tempfile::tempdir().context("a temporary folder for a copy cannot be made")?;
    left_out::tell(corpus, &copy(corpus, &Address::Folder(fetched.path().to_owned()))?);
    let gone = minimise_all(fetched.path(), project, *trust, &corpus.to_string())?;
    remove(corpus, &gone)
}

/// Removes sequences from a folder that is called so to the user, of each project that a path means. Returns the files that were removed,
/// as they were below the project's folder.
fn minimise_all(corpus: &Path, project: &PathBuf, trusted: bool, called: &str) -> Result<Vec<PathBuf>> {
    let (mut gone, mut nothing) = (Vec::new(), true);
    for project in CorpusProject::all(project, trusted)? {
        let folder = project.kept_in(corpus);
        let before = entries(&folder);
        if before.is_empty() {
            continue;
        }
        nothing = false;
        let removed = minimise(&folder, &before, &project, trusted)?;
        let kept = before.len() - removed.len();
        let below = folder.strip_prefix(corpus).unwrap_or(&folder);
        let called =
            if below.as_os_str().is_empty() { called.to_owned() } else { format!("{called}/{}", below.display()) };
        output::line(&format!("{called}: {kept} of {} kept", counted(before.len() as u64, "sequence")));
        gone.extend(removed);
    }
    if nothing {
        output::line(&format!("{called}: holds no sequence of {}: nothing to remove", project.display()));
    }
    Ok(gone)
}

/// Removes the sequences of a project that reach only what shorter ones reach, and returns their files. The sequences are replayed in a
/// copy, so that nothing is written into the folder: it may be one that is shared.
fn minimise(folder: &Path, before: &[PathBuf], project: &CorpusProject, trusted: bool) -> Result<Vec<PathBuf>> {
    let build = project.compile(trusted);
    let copy = tempfile::tempdir().context("a temporary folder for a copy cannot be made")?;
    for entry in before {
        let (from, to) = (folder.join(entry), copy.path().join(entry));
        let copied = std::fs::create_dir_all(to.parent().unwrap_or(&to)).and_then(|()| std::fs::copy(&from, to));
        copied.with_context(|| format!("{}: cannot be copied", from.display()))?;
    }
    replay(copy.path(), project, &build)?;
    let gone: Vec<PathBuf> = before.iter().filter(|entry| !copy.path().join(entry).exists()).cloned().collect();
    for entry in &gone {
        let file = folder.join(entry);
        std::fs::remove_file(&file).with_context(|| format!("{}: cannot be removed", file.display()))?;
    }
    Ok(gone)
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
