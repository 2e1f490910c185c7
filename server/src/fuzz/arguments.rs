//! What `bellwether fuzz` can be told.

use super::{cost::CostLimit, wanted::Wanted};
use crate::{exchange::Address, roots::roots};
use anyhow::{Result, anyhow, bail};
use bellwether::{
    fuzz::{Configuration, Options, Techniques},
    oracle::OracleMeta,
    project::{Config, Level, Project, check_glob},
};
use clap::{ArgAction, ValueEnum};
use std::{io::IsTerminal, path::PathBuf, thread::available_parallelism, time::Duration};

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One object, for programs
    Json,
    /// SARIF 2.1.0, for code hosts and editors
    Sarif,
    /// JUnit's XML, for CI servers
    Junit,
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

const WHAT: &str = "What to fuzz";
const HOW_LONG: &str = "How long";
const HOW: &str = "How to fuzz";
const COMPILING: &str = "Compiling";
const RESULTS: &str = "Results";
const SHOWN: &str = "What is shown";

const EXAMPLES: &str = "\
Examples:
  bellwether fuzz                                        the project here, for a minute
  bellwether fuzz src/Vault.sol --until-quiet            one file, until nothing new is found
  bellwether fuzz --target changed --seconds 30          what differs from the last commit
  bellwether fuzz --new-since origin/main                fail only on what this branch adds
  bellwether fuzz --contract Vault --oracle checked-arithmetic=warning
  bellwether fuzz --executions 100000 --workers 1 --seed 1 --format json --out result.json
  bellwether fuzz --format sarif --out bellwether.sarif --lcov lcov.info --html report.html

Exit code: 0 nothing found at level warning or above, 1 something found, 2 nothing that was asked for could be fuzzed,
130 interrupted. What is ignored, or known by --baseline or --new-since, does not count.";

/// Options of `bellwether fuzz`.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// Folders or .sol files [default: the current folder]. A folder that holds several projects means all of them
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Fuzz only these contracts
    #[arg(long, value_name = "NAME|FILE.sol:NAME", help_heading = WHAT)]
    pub(crate) contract: Vec<String>,
    /// Reach these lines, or `changed`: what differs from git HEAD. Only contracts with code from such a line are fuzzed
    #[arg(long, value_name = "FILE:LINE[-LINE]|changed", help_heading = WHAT)]
    target: Vec<String>,
    /// Give matching tests, mocks, examples and the like a full share of the time, as products have
    #[arg(long, value_name = "GLOB", help_heading = WHAT)]
    include: Vec<String>,
    /// Leave out the contracts of matching files and folders
    #[arg(long, value_name = "GLOB", help_heading = WHAT)]
    exclude: Vec<String>,

    /// Stop after this many seconds of fuzzing, shared by the contracts; 0 is no limit [default: 60, or no limit with
    /// --executions, --until-quiet or --max-cost]
    #[arg(long, value_name = "N", help_heading = HOW_LONG)]
    seconds: Option<u64>,
    /// Stop after this many transactions in all (exact with --workers 1)
    #[arg(long, value_name = "N", help_heading = HOW_LONG)]
    pub(crate) executions: Option<u64>,
    /// Stop when nothing new has been found for a while: when each contract showed nothing new in this many transactions in a row
    /// [default: a million]
    #[arg(long, value_name = "N", num_args = 0..=1, require_equals = true, help_heading = HOW_LONG)]
    until_quiet: Option<Option<u64>>,
    /// Stop when this machine, or all that share by --join together, have cost AMOUNT, at a PRICE per hour
    #[arg(long, value_name = "AMOUNT@PRICE", help_heading = HOW_LONG)]
    pub(crate) max_cost: Option<CostLimit>,
    /// Stop at the first finding of level warning or above
    #[arg(long, help_heading = HOW_LONG)]
    pub(crate) fail_fast: bool,

    #[arg(long, value_name = "NAME=LEVEL", help = oracle_help(), help_heading = HOW)]
    oracle: Vec<String>,
    /// Use this many threads [default: all cores]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) workers: Option<usize>,
    /// Make all random choices from this seed [default: random, printed]
    #[arg(long, value_name = "N", help_heading = HOW)]
    pub(crate) seed: Option<u64>,
    #[arg(long, value_name = "TECHNIQUE", help = technique_help(), help_heading = HOW)]
    without: Vec<String>,
    /// Use a configuration of the lookahead paper [default: B]
    #[arg(long, value_name = "A|B|C|D", help_heading = HOW)]
    lookahead_config: Option<String>,

    /// Compile with this compiler: an executable or a version
    #[arg(long, value_name = "PATH|VERSION", help_heading = COMPILING)]
    pub(crate) solc: Option<String>,
    /// Compile for this EVM version
    #[arg(long, value_name = "NAME", help_heading = COMPILING)]
    evm_version: Option<String>,
    /// Run and use what the project itself names: `solc` as a path, `cache`, and compilers inside the project
    #[arg(long, help_heading = COMPILING)]
    pub(crate) trust: bool,

    /// Write the result in this format
    #[arg(long, value_enum, default_value = "text", help_heading = RESULTS)]
    pub(crate) format: Format,
    /// Write the result to a file
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub(crate) out: Option<PathBuf>,
    /// Write which lines, functions and branches were reached to a file, in the format of lcov
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub(crate) lcov: Option<PathBuf>,
    /// Write an HTML page to a file: findings, contracts, and the sources with what was reached
    #[arg(long, value_name = "FILE", help_heading = RESULTS)]
    pub(crate) html: Option<PathBuf>,
    /// Write each finding to a FINDING.json in a folder, for `bellwether replay` and `bellwether test`
    #[arg(long, value_name = "DIR", help_heading = RESULTS)]
    pub(crate) findings: Option<PathBuf>,
    /// Keep the corpus in a folder, which is read before the run and written during it
    #[arg(long, value_name = "DIR", help_heading = RESULTS)]
    pub(crate) corpus: Option<PathBuf>,
    /// Share corpus and findings with other machines during the run: a folder, s3://BUCKET/PREFIX (gs://, az://), or nats://HOST:PORT/CAMPAIGN
    #[arg(long, value_name = "URL", help_heading = RESULTS)]
    pub(crate) join: Option<Address>,
    /// Do not fail on the findings of an earlier run: a JSON report, or a folder of FINDING.json
    #[arg(long, value_name = "FILE|DIR", help_heading = RESULTS)]
    pub(crate) baseline: Option<PathBuf>,
    /// Do not fail on findings whose place, and whose contract's code, did not change since this git revision
    #[arg(long, value_name = "REV", help_heading = RESULTS)]
    pub(crate) new_since: Option<String>,

    /// Show the result only
    #[arg(long, help_heading = SHOWN)]
    quiet: bool,
    /// Show progress as one line that changes, as plain lines, or not at all
    #[arg(long, value_enum, default_value = "auto", help_heading = SHOWN)]
    progress: ProgressStyle,
    /// Use colours
    #[arg(long, value_enum, value_name = "WHEN", default_value = "auto", action = ArgAction::Set, help_heading = SHOWN)]
    color: When,
}

impl Arguments {
    /// Checks what clap does not: names of techniques, oracles, levels and EVM versions, and the form of targets.
    pub(crate) fn check(&self) -> Result<()> {
        self.options(0, None)?;
        self.wanted()?;
        self.evm_version()?;
        self.config()?;
        self.check_files()
    }

    /// Checks that the files of the result have a folder each: after an hour of fuzzing it would be late to say so.
    fn check_files(&self) -> Result<()> {
        let files = [("--out", &self.out), ("--lcov", &self.lcov), ("--html", &self.html)];
        let files: Vec<(&str, &PathBuf)> =
            files.into_iter().filter_map(|(option, file)| Some((option, file.as_ref()?))).collect();
        for (index, (option, file)) in files.iter().enumerate() {
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                bail!("{option} {}: there is no folder {}; make it first", file.display(), folder.display());
            }
            if file.is_dir() {
                bail!("{option} {}: is a folder; give a file", file.display());
            }
            if let Some((other, _)) = files[..index].iter().find(|(_, before)| before == file) {
                bail!("{option} {}: {other} writes to the same file; give another file", file.display());
            }
        }
        Ok(())
    }

    /// Whether it is asked for what was reached of each file.
    pub(crate) fn wants_coverage(&self) -> bool {
        self.lcov.is_some() || self.html.is_some()
    }

    /// The projects that the paths mean.
    pub(crate) fn roots(&self) -> Result<Vec<PathBuf>> {
        if self.paths.is_empty() { roots(&[PathBuf::from(".")]) } else { roots(&self.paths) }
    }

    /// The targets that were given.
    pub(super) fn wanted(&self) -> Result<Vec<Wanted>> {
        self.target.iter().map(|target| target.parse()).collect()
    }

    /// The time to fuzz in all, if limited, where so much went by since the start.
    pub(crate) fn time(&self, gone: Duration) -> Option<Duration> {
        let unlimited = self.executions.is_some() || self.until_quiet.is_some() || self.max_cost.is_some();
        let seconds = self.seconds.or((!unlimited).then_some(60)).filter(|seconds| *seconds > 0);
        let paid_for = self.max_cost.map(|limit| limit.time.saturating_sub(gone));
        seconds.map(Duration::from_secs).into_iter().chain(paid_for).min()
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
                    "--lookahead-config {name}: no such configuration; give one of {}",
                    Configuration::NAMES.join(", ")
                );
            };
            techniques.lookahead = configuration;
        }
        for name in &self.without {
            if !techniques.switch_off(name) {
                bail!("--without {name}: no such technique; give one of {}", Techniques::NAMES.join(", "));
            }
        }
        let defaults = Options::default();
        Ok(Options {
            techniques,
            workers: self.workers(),
            seed,
            executions,
            until_quiet: self.until_quiet.is_some(),
            quiet_after: self.until_quiet.flatten().unwrap_or(defaults.quiet_after),
            contracts: self.contract.clone(),
            ..defaults
        })
    }

    /// The settings that were given, to lay over the project's own.
    pub(crate) fn config(&self) -> Result<Config> {
        let mut config =
            Config { seed: self.seed, workers: self.workers, solc: self.solc.clone(), ..Config::default() };
        for (option, globs) in [("--include", &self.include), ("--exclude", &self.exclude)] {
            for glob in globs {
                check_glob(glob).map_err(|reason| anyhow!("{option} {glob}: not a glob pattern: {reason}"))?;
            }
        }
        for setting in &self.oracle {
            let Some((name, level)) = setting.split_once('=') else {
                bail!("--oracle {setting}: write NAME=LEVEL, such as assertion=error");
            };
            if OracleMeta::of(name).is_none() {
                bail!("--oracle {name}: no such oracle; give one of {}", oracle_names());
            }
            let Some(level) = Level::from_name(level) else {
                bail!("--oracle {setting}: no such level; give one of {}", Level::NAMES.join(", "));
            };
            config.oracles.insert(name.to_owned(), level);
        }
        Ok(config)
    }

    /// Adds the settings that were given to those of a project. Lists of patterns are added to, others go over the project's own.
    pub(crate) fn configure(&self, project: &mut Project) -> Result<()> {
        let joined = |own: &Option<Vec<String>>, more: &[String]| {
            (!more.is_empty()).then(|| own.iter().flatten().chain(more).cloned().collect())
        };
        let include = joined(&project.config.include, &self.include);
        let exclude = joined(&project.config.exclude, &self.exclude);
        project.configure(Config { include, exclude, ..self.config()? });
        if let Some(version) = self.evm_version()? {
            project.compiler.evm_version = Some(version);
        }
        Ok(())
    }

    /// The EVM version that was given.
    pub(crate) fn evm_version(&self) -> Result<Option<bellwether::project::EvmVersion>> {
        self.evm_version
            .as_deref()
            .map(|name| {
                name.parse().map_err(|_| {
                    anyhow!("--evm-version {name}: no such EVM version; give one such as paris, cancun or prague")
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

fn oracle_names() -> String {
    OracleMeta::ids().collect::<Vec<_>>().join(", ")
}

fn oracle_help() -> String {
    format!("Set the level of an oracle's findings. Names: {}. Levels: {}", oracle_names(), Level::NAMES.join(", "))
}

fn technique_help() -> String {
    format!("Switch a technique off: {}", Techniques::NAMES.join(", "))
}
