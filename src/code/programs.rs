//! [`Programs`] are all the code of a build, and how to recognise it on chain: deployed code differs from compiled code
//! in immutables, library addresses and metadata, and is still the contract of this build (engine.md, "Path id").

use super::{Program, Stage, embedded::embedded};
use crate::compile::{Build, ContractId, ContractKind};
use alloy_primitives::{B256, keccak256};
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

/// The event by which a contract says that an assertion failed, as users of fuzzers have long emitted it.
const ASSERTION_FAILED: &str = "AssertionFailed";

/// Index of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProgramId(pub u32);

/// Code of a build.
#[derive(Debug)]
pub struct Programs {
    list: Vec<Arc<Program>>,
    /// Byte ranges in which deployed code may differ from the program of the same index.
    loose: Vec<Vec<(usize, usize)>>,
    /// First topics of that event, whatever its parameters.
    assertion_events: BTreeSet<B256>,
    /// The programs that each holds as data, found when somebody asks.
    embedded: OnceLock<Vec<Vec<ProgramId>>>,
}

impl Programs {
    /// All programs of all contracts with code: creation and runtime of each, side by side.
    pub fn of(build: &Build) -> Self {
        let (mut list, mut loose) = (Vec::new(), Vec::new());
        // Old compilers do not list the events of libraries in the ABI of the contract that emits them.
        let usual = ["string", "", "uint256", "bytes", "bool"];
        let mut assertion_events: BTreeSet<B256> =
            usual.iter().map(|parameter| keccak256(format!("{ASSERTION_FAILED}({parameter})"))).collect();
        for id in build.contract_ids() {
            let contract = build.contract(id);
            let events = contract.abi.event(ASSERTION_FAILED).into_iter().flatten();
            assertion_events.extend(events.filter(|event| !event.anonymous).map(|event| event.selector()));
            for (stage, bytecode) in [(Stage::Creation, &contract.creation), (Stage::Runtime, &contract.runtime)] {
                list.push(Arc::new(Program::new(id, stage, bytecode)));
                let mut ranges: Vec<_> = bytecode.links.iter().map(|link| (link.offset, 20)).collect();
                if stage == Stage::Runtime {
                    ranges.extend(&contract.immutables);
                    if contract.kind == ContractKind::Library {
                        // A library knows its own address: PUSH20 at its start.
                        ranges.push((1, 20));
                    }
                }
                loose.push(ranges);
            }
        }
        Self { list, loose, assertion_events, embedded: OnceLock::new() }
    }

    /// Whether an event with this first topic says that an assertion failed.
    pub fn is_assertion_event(&self, topic: B256) -> bool {
        self.assertion_events.contains(&topic)
    }

    /// A program by id.
    pub fn get(&self, id: ProgramId) -> &Arc<Program> {
        &self.list[id.0 as usize]
    }

    /// The program of a contract at a stage.
    pub fn id(&self, contract: ContractId, stage: Stage) -> ProgramId {
        ProgramId(contract.0 * 2 + u32::from(stage == Stage::Runtime))
    }

    /// The programs whose code a program holds, such as those of contracts that it creates.
    pub fn embedded(&self, id: ProgramId) -> &[ProgramId] {
        &self.embedded.get_or_init(|| embedded(&self.list))[id.0 as usize]
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the build has no contract.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Byte ranges `(start, length)` in which deployed code may differ from the program: immutables and library addresses.
    pub fn loose(&self, id: ProgramId) -> &[(usize, usize)] {
        &self.loose[id.0 as usize]
    }

    /// All, with ids.
    pub fn iter(&self) -> impl Iterator<Item = (ProgramId, &Arc<Program>)> {
        self.list.iter().enumerate().map(|(index, program)| (ProgramId(index as u32), program))
    }

    /// The programs that `code` may be, the longest first: runtime code as deployed, or init code with constructor
    /// arguments behind it. There are several where contracts have the same code.
    pub fn recognise(&self, code: &[u8], stage: Stage) -> Vec<ProgramId> {
        let mut found: Vec<_> = self
            .iter()
            .filter(|(_, program)| program.stage == stage && !program.code.is_empty())
            .filter(|(_, program)| match stage {
                Stage::Runtime => code.len() == program.code.len(),
                Stage::Creation => code.len() >= program.code.len(),
            })
            .filter(|(id, program)| self.agrees(*id, &program.code, code))
            .collect();
        found.sort_by_key(|(id, program)| (std::cmp::Reverse(program.code.len()), *id));
        found.into_iter().map(|(id, _)| id).collect()
    }

    fn agrees(&self, id: ProgramId, compiled: &[u8], seen: &[u8]) -> bool {
        let loose = &self.loose[id.0 as usize];
        compiled
            .iter()
            .zip(seen)
            .enumerate()
            .all(|(at, (a, b))| a == b || loose.iter().any(|(start, length)| (*start..start + length).contains(&at)))
    }
}
