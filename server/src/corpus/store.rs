//! The corpus in a folder, with its warnings on standard error.

use crate::output;
use anyhow::{Context, Result};
use bellwether::corpus::store::CorpusStore;
use std::path::Path;

/// The corpus in a folder that the user named. `project` is the root as it is written into findings.
pub(crate) fn open_store(folder: &Path, project: &str) -> Result<CorpusStore> {
    let warn = Box::new(|words: &str| output::note(&format!("warning: {words}")));
    CorpusStore::in_folder(folder, project, warn).context("cannot start the thread that writes the corpus")
}
