//! The contracts whose corpora are read and written here.

use super::projects::CorpusProject;
use anyhow::{Result, bail};
use bellwether::{code::Programs, fuzz::Options, harness::Harness};
use std::{path::PathBuf, sync::Arc};

/// The projects whose corpus it is.
#[derive(Debug, clap::Args)]
pub(super) struct Subject {
    /// The project whose corpus it is, or a folder of several [default: the current folder]
    #[arg(value_name = "PATH", default_value = ".", hide_default_value = true)]
    project: PathBuf,
    /// Only these contracts: NAME or path.sol:NAME
    #[arg(long, value_name = "NAME")]
    contract: Vec<String>,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long)]
    trust: bool,
}

impl Subject {
    /// Compiles the projects, and makes the worlds of their contracts. Projects without any are left out.
    pub(super) fn harnesses(&self) -> Result<Vec<(CorpusProject, Vec<Harness>)>> {
        let Self { project: given, contract, trust } = self;
        let mut all = Vec::new();
        for project in CorpusProject::all(given, *trust)? {
            let build = project.compile(*trust);
            if let Some(problem) = build.diagnostics.iter().find(|_| build.has_errors()) {
                let message = &problem.message;
                bail!("{}: the project does not compile: {message}; repair that first", project.name);
            }
            let options = Options { contracts: contract.clone(), ..Options::default() };
            let contracts = options.contracts_of(&build);
            if contracts.is_empty() {
                continue;
            }
            let programs = Arc::new(Programs::of(&build));
            let config = &project.project.config;
            let harness = |id| Harness::with_config(build.clone(), programs.clone(), id, config).ok();
            let harnesses = contracts.into_iter().filter_map(harness).collect();
            all.push((project, harnesses));
        }
        if all.is_empty() {
            bail!("{}: no contract to fuzz here; check PATH and --contract", given.display());
        }
        Ok(all)
    }
}
