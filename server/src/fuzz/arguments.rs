//! What `bellwether fuzz` can be told.

use super::target::Wanted;
use anyhow::{Result, bail};
use bellwether::{
    fuzz::{Configuration, Options, Techniques},
    oracle,
    project::{Config, Level, ORACLES, Project},
};
use clap::{ArgAction, ValueEnum};
use std::{io::IsTerminal, path::PathBuf, thread::available_parallelism};

/// Techniques that are announced and not built yet.
const ABSENT: [&str; 1] = ["snapshots"];

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object, for programs
    Json,
}

/// How progress is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressStyle {
    /// A line that changes on a terminal, nothing elsewhere
    Auto,
    /// One plain line a second
    Plain,
    /// Nothing
    None,
}

/// When colours are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    /// On a terminal
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Options of `bellwether fuzz`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// Folders or .sol files; the current folder if none. A folder that holds several projects means all of them
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Only these contracts
    #[arg(long, value_name = "NAME|FILE.sol:NAME")]
    pub(crate) contract: Vec<String>,
    /// Lookahead targets: lines, or `changed` for what differs from git HEAD. Only contracts that compile one in are fuzzed
    #[arg(long, value_name = "FILE:LINE[-LINE]|changed")]
    target: Vec<String>,
    /// Stop after so many seconds of fuzzing, shared by the contracts; 0 is no limit [default: 60, or no limit with --executions or --until-quiet]
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// Stop after so many transactions executed in all (exact with --workers 1)
    #[arg(long, value_name = "N")]
    pub(crate) executions: Option<u64>,
    /// Stop when nothing new has been found for a while
    #[arg(long)]
    pub(crate) until_quiet: bool,
    /// Stop at the first finding
    #[arg(long)]
    pub(crate) fail_fast: bool,
    /// Threads to fuzz on [default: all cores]
    #[arg(long, value_name = "N")]
    pub(crate) workers: Option<usize>,
    /// Seed of everything that is drawn [default: random, printed]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Switch a technique off
    #[arg(long, value_name = "TECHNIQUE")]
    without: Vec<String>,
    /// The lookahead paper's configuration [default: B]
    #[arg(long, value_name = "A|B|C|D")]
    lookahead_config: Option<String>,
    /// How loudly an oracle speaks: error, warning, information, hint, off
    #[arg(long, value_name = "NAME=LEVEL")]
    oracle: Vec<String>,
    /// Corpus folder: read before, written during
    #[arg(long, value_name = "DIR")]
    corpus: Option<PathBuf>,
    /// How results are written
    #[arg(long, value_enum, default_value = "text")]
    pub(crate) format: Format,
    /// Write results to a file
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write coverage as lcov
    #[arg(long, value_name = "FILE")]
    lcov: Option<PathBuf>,
    /// Write one FINDING.json for each finding into a folder
    #[arg(long, value_name = "DIR")]
    pub(crate) findings: Option<PathBuf>,
    /// The compiler: an executable or a version
    #[arg(long, value_name = "PATH|VERSION")]
    pub(crate) solc: Option<String>,
    /// The EVM version to compile for
    #[arg(long, value_name = "NAME")]
    evm_version: Option<String>,
    /// Print results only
    #[arg(long)]
    quiet: bool,
    /// How progress is shown
    #[arg(long, value_enum, default_value = "auto")]
    progress: ProgressStyle,
    /// When colours are used
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", action = ArgAction::Set)]
    color: When,
}

impl Arguments {
    /// Options that are announced but not there yet are errors that say so: nobody shall believe they did something.
    pub(crate) fn refuse_unknown(&self) -> Result<()> {
        if let Some(technique) = self.without.iter().find(|name| ABSENT.contains(&name.as_str())) {
            bail!("--without {technique}: not built yet, so there is nothing to switch off; leave the option out");
        }
        self.options(0, None)?;
        self.wanted()?;
        let absent = [("--corpus", self.corpus.is_some()), ("--lcov", self.lcov.is_some())];
        if let Some((option, _)) = absent.into_iter().find(|(_, given)| *given) {
            bail!("{option}: not built yet; leave the option out");
        }
        Ok(())
    }

    /// The projects that the paths mean.
    pub(crate) fn roots(&self) -> Result<Vec<PathBuf>> {
        let given = if self.paths.is_empty() { vec![PathBuf::from(".")] } else { self.paths.clone() };
        let mut roots = Vec::new();
        for path in given {
            if !path.exists() {
                bail!("{}: no such file or folder; give a project's folder or a .sol file", path.display());
            }
            if path.is_file() {
                if path.extension().is_none_or(|extension| extension != "sol") {
                    bail!("{}: not a .sol file; give a project's folder or a .sol file", path.display());
                }
                roots.push(path);
                continue;
            }
            let inside = Project::projects_under(&std::path::absolute(&path)?);
            if inside.is_empty() {
                roots.push(path);
            } else {
                let base = std::path::absolute(&path)?;
                roots.extend(inside.into_iter().map(|root| path.join(root.strip_prefix(&base).unwrap_or(&root))));
            }
        }
        Ok(roots)
    }

    /// The targets that were given.
    pub(super) fn wanted(&self) -> Result<Vec<Wanted>> {
        self.target.iter().map(|target| target.parse()).collect()
    }

    /// Seconds of fuzzing in all, if limited.
    pub(crate) fn seconds(&self) -> Option<u64> {
        let unlimited = self.executions.is_some() || self.until_quiet;
        self.seconds.or((!unlimited).then_some(60)).filter(|seconds| *seconds > 0)
    }

    /// Threads.
    pub(crate) fn workers(&self) -> usize {
        self.workers.unwrap_or_else(|| available_parallelism().map_or(1, usize::from)).max(1)
    }

    /// How the campaign of one project is to fuzz.
    pub(crate) fn options(&self, seed: u64, executions: Option<u64>) -> Result<Options> {
        let mut techniques = Techniques::default();
        if let Some(name) = &self.lookahead_config {
            let Some(configuration) = Configuration::from_name(name) else {
                bail!(
                    "--lookahead-config {name}: no such configuration; there are {}",
                    Configuration::NAMES.join(", ")
                );
            };
            techniques.lookahead = configuration;
        }
        for name in &self.without {
            if !techniques.switch_off(name) {
                bail!("--without {name}: no such technique; there are {}", Techniques::NAMES.join(", "));
            }
        }
        Ok(Options {
            techniques,
            workers: self.workers(),
            seed,
            executions,
            until_quiet: self.until_quiet,
            contracts: self.contract.clone(),
            targets: Vec::new(),
            background: false,
        })
    }

    /// The settings that were given, to lay over the project's own.
    pub(crate) fn config(&self) -> Result<Config> {
        let mut config =
            Config { seed: self.seed, workers: self.workers, solc: self.solc.clone(), ..Config::default() };
        for setting in &self.oracle {
            let Some((name, level)) = setting.split_once('=') else {
                bail!("--oracle {setting}: write NAME=LEVEL, such as assertion=error");
            };
            if !ORACLES.contains(&name) {
                bail!("--oracle {name}: no such oracle; there are {}", ORACLES.join(", "));
            }
            let Some(level) = Level::from_name(level) else {
                bail!("--oracle {setting}: no such level; there are {}", Level::NAMES.join(", "));
            };
            if oracle::find(name).is_none() && level != Level::Off {
                bail!("--oracle {setting}: this oracle is not built yet; leave the option out");
            }
            config.oracles.insert(name.to_owned(), level);
        }
        Ok(config)
    }

    /// The EVM version that was given.
    pub(crate) fn evm_version(&self) -> Result<Option<bellwether::project::EvmVersion>> {
        self.evm_version
            .as_deref()
            .map(|name| {
                name.parse().map_err(|_| {
                    anyhow::anyhow!("--evm-version {name}: no such version; such as paris, cancun, prague")
                })
            })
            .transpose()
    }

    /// Whether text is coloured.
    pub(crate) fn color(&self) -> bool {
        match self.color {
            When::Always => true,
            When::Never => false,
            When::Auto => {
                std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none() && self.out.is_none()
            }
        }
    }

    /// How progress is shown here.
    pub(crate) fn progress(&self) -> ProgressStyle {
        match self.progress {
            _ if self.quiet => ProgressStyle::None,
            ProgressStyle::Auto if !std::io::stderr().is_terminal() => ProgressStyle::None,
            style => style,
        }
    }
}
