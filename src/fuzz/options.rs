//! [`Options`] are the settings of a campaign: how it fuzzes, and which contracts.

use super::{target::Targets, techniques::Techniques};
use crate::{
    compile::{Build, ContractId},
    corpus::{exchange::Exchange, store::CorpusStore},
    harness::{Harness, HarnessKind},
};
use std::{ops::RangeInclusive, path::PathBuf, sync::Arc};

/// The default of [`Options::quiet_after`], in transactions. Chosen by hand.
pub(super) const QUIET_AFTER: u64 = 1_000_000;

/// How to fuzz.
#[derive(Debug, Clone)]
pub struct Options {
    /// The number of threads; at least one is started.
    pub workers: usize,
    /// The seed of all random numbers.
    pub seed: u64,
    /// The total number of transactions, if limited. Shrinking does not count; once they are spent, it takes at most 10 billion
    /// gas more.
    pub executions: Option<u64>,
    /// Whether to stop fuzzing contracts that are quiet.
    pub until_quiet: bool,
    /// A contract is quiet when this many transactions in a row showed nothing new, and when three times as many were run as it
    /// took to see the last new thing. A million by default; a tenth of it is enough where each branch went both ways.
    pub quiet_after: u64,
    /// The contracts to fuzz, as `NAME` or `path.sol:NAME`. Empty means all.
    pub contracts: Vec<String>,
    /// Lines to be reached. If empty, a contract without an earlier build gets the targets of a first build.
    pub targets: Vec<Lines>,
    /// The techniques that are switched on.
    pub techniques: Techniques,
    /// Whether the threads run at the lowest priority. In a shared pool, the pool's setting counts.
    pub background: bool,
    /// Whether only the corpus that is there is replayed, and nothing is fuzzed. It ends with `until_quiet`.
    pub replays_only: bool,
    /// The store that keeps corpus and findings for the next process. Without one, they end with this process.
    pub archive: Option<Arc<CorpusStore>>,
    /// Where what is found is shared with other machines. Without one, it is not shared.
    pub exchange: Option<Arc<dyn Exchange>>,
}

/// Lines of a source.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Lines {
    /// The absolute path of the source.
    pub file: PathBuf,
    /// The lines, counted from 1.
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
            replays_only: false,
            archive: None,
            exchange: None,
        }
    }
}

impl Options {
    /// The targets of a contract: the wanted lines that are part of its code, or those of a first build if no lines are wanted.
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

    /// The contracts of a build that are fuzzed: the project's own ones that can be deployed and that these options name, and of those in its
    /// tests the ones that state something.
    pub fn contracts_of(&self, build: &Build) -> Vec<ContractId> {
        build.contract_ids().filter(|id| self.wants(build, *id)).collect()
    }

    fn wants(&self, build: &Build, id: ContractId) -> bool {
        let contract = build.contract(id);
        let source = build.source(contract.source);
        let states_something = || HarnessKind::of(build, id) != HarnessKind::Contract;
        if !contract.is_deployable() || (source.foreign && !(source.is_test && states_something())) {
            return false;
        }
        self.contracts.is_empty()
            || self.contracts.iter().any(|wanted| match wanted.rsplit_once(':') {
                Some((file, name)) => contract.name == name && (source.name == file || source.path.ends_with(file)),
                None => contract.name == *wanted,
            })
    }
}
