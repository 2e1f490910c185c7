//! [`Options`] say how a campaign fuzzes, and which contracts.

use super::{target::Targets, techniques::Techniques};
use crate::{
    compile::{Build, ContractId},
    corpus::store::CorpusStore,
    harness::Harness,
};
use std::{ops::RangeInclusive, path::PathBuf, sync::Arc};

/// [`Options::quiet_after`] where nobody says otherwise. Chosen by hand.
pub(super) const QUIET_AFTER: u64 = 1_000_000;

/// How to fuzz.
#[derive(Debug, Clone)]
pub struct Options {
    /// How many threads; at least one is started.
    pub workers: usize,
    /// Seed of everything drawn.
    pub seed: u64,
    /// Transactions in all, if limited. Shrinking what was found does not count; when they are spent, it takes 10 billion gas more
    /// at most.
    pub executions: Option<u64>,
    /// Whether to rest when nothing new is found.
    pub until_quiet: bool,
    /// A contract is quiet when this many transactions in a row showed nothing new; after a long search it takes more, three times
    /// as many in all as it took to see the last new thing. A million by default.
    pub quiet_after: u64,
    /// Only contracts that these name: `NAME` or `path.sol:NAME`. Empty means all.
    pub contracts: Vec<String>,
    /// Lines that are to be reached; where there are none, it is as if nothing had been built before.
    pub targets: Vec<Lines>,
    /// Which techniques are used.
    pub techniques: Techniques,
    /// Whether the threads leave the processor to everybody else who wants it. Of a pool that is shared, the pool says so.
    pub background: bool,
    /// Where corpus and findings are kept for the next process; without one they end with this one.
    pub archive: Option<Arc<CorpusStore>>,
}

/// Lines of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// Its absolute path.
    pub file: PathBuf,
    /// From 1.
    pub lines: RangeInclusive<usize>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            workers: 0,
            seed: 0,
            executions: None,
            until_quiet: false,
            quiet_after: QUIET_AFTER,
            contracts: Vec::new(),
            targets: Vec::new(),
            techniques: Techniques::default(),
            background: false,
            archive: None,
        }
    }
}

impl Options {
    /// What of the wanted lines a contract compiles in.
    pub fn targets_of(&self, harness: &Harness) -> Targets {
        if self.targets.is_empty() {
            return Targets::of_first_build(harness);
        }
        let places = self
            .targets
            .iter()
            .filter_map(|wanted| Some((harness.build.source_at(&wanted.file)?, wanted.lines.clone())));
        Targets::of_places(harness, &places.collect::<Vec<_>>())
    }

    /// The contracts of a build that are fuzzed: those of the project's own that can be deployed and are wanted.
    pub fn contracts_of(&self, build: &Build) -> Vec<ContractId> {
        build.contract_ids().filter(|id| self.wants(build, *id)).collect()
    }

    fn wants(&self, build: &Build, id: ContractId) -> bool {
        let contract = build.contract(id);
        let source = build.source(contract.source);
        if !contract.is_deployable() || source.foreign {
            return false;
        }
        self.contracts.is_empty()
            || self.contracts.iter().any(|wanted| match wanted.rsplit_once(':') {
                Some((file, name)) => contract.name == name && (source.name == file || source.path.ends_with(file)),
                None => contract.name == *wanted,
            })
    }
}
