//! [`Programs`] holds all code of a build, and recognises it on chain: deployed code differs from compiled code in immutables,
//! library addresses and metadata, and is still the contract of this build.

use super::{
    arithmetic::Arithmetic,
    claims::Contests,
    contract_types::ContractTypes,
    definitions::Definitions,
    embedded::Embedded,
    layout::Layout,
    memo::Memo,
    program::{Program, ProgramId, Stage},
    recognition::Recognition,
};
use crate::compile::{Build, ContractId, ContractKind};
use alloy_primitives::{B256, Bytes, keccak256};
use std::{
    collections::BTreeSet,
    sync::{Arc, OnceLock},
};

/// Ids for each contract: one for each stage.
const STAGES: u32 = 2;

/// The event by which contracts report a failed assertion; a convention of Solidity fuzzers.
const ASSERTION_FAILED: &str = "AssertionFailed";

/// All code of a build.
#[derive(Debug)]
pub struct Programs {
    /// The programs by id; `None` for an id that no contract of this build has.
    list: Vec<Option<Arc<Program>>>,
    /// Byte ranges in which deployed code may differ from the program of the same id.
    loose: Vec<Vec<(usize, usize)>>,
    /// The number of each contract, from which the ids of its programs follow.
    numbers: Vec<u32>,
    /// The first topics of [`ASSERTION_FAILED`], for the parameter lists in use.
    assertion_events: BTreeSet<B256>,
    /// The programs that each program holds as data, found at the first call.
    embedded: OnceLock<Embedded>,
    /// The index for recognition, made at the first call.
    recognition: OnceLock<Recognition>,
    /// The definitions in the sources, read at the first call.
    definitions: OnceLock<Definitions>,
    /// The types of the contracts, read at the first call.
    contract_types: OnceLock<ContractTypes>,
    /// The storage layouts that were asked for.
    layouts: Memo<ContractId, Option<Arc<Layout>>>,
    /// Arithmetic that nobody checks, found at the first call.
    arithmetic: OnceLock<Arc<Arithmetic>>,
    /// The slots that two have, found at the first call.
    contests: OnceLock<Arc<Contests>>,
    /// Whether programs may send ether, as far as it was asked.
    ether_senders: Memo<ProgramId, bool>,
}

impl Programs {
    /// All programs of all contracts with code, numbered in the order of the contracts: for callers that see one build only.
    pub fn of(build: &Build) -> Self {
        Self::numbered(build, (0..build.contracts.len() as u32).collect())
    }

    /// All programs, with a given number for each contract.
    pub(super) fn numbered(build: &Build, numbers: Vec<u32>) -> Self {
        let count = numbers.iter().max().map_or(0, |most| (most + 1) * STAGES) as usize;
        let (mut list, mut loose) = (vec![None; count], vec![Vec::new(); count]);
        // Old compilers do not list the events of libraries in the ABI of the contract that emits them.
        let usual = ["string", "", "uint256", "bytes", "bool"];
        let mut assertion_events: BTreeSet<B256> =
            usual.iter().map(|parameter| keccak256(format!("{ASSERTION_FAILED}({parameter})"))).collect();
        for id in build.contract_ids() {
            let contract = build.contract(id);
            let events = contract.abi.event(ASSERTION_FAILED).into_iter().flatten();
            assertion_events.extend(events.filter(|event| !event.anonymous).map(|event| event.selector()));
            for (stage, bytecode) in [(Stage::Creation, &contract.creation), (Stage::Runtime, &contract.runtime)] {
                let mut ranges: Vec<_> = bytecode.links.iter().map(|link| (link.offset, 20)).collect();
                if stage == Stage::Runtime {
                    ranges.extend(&contract.immutables);
                    if contract.kind == ContractKind::Library {
                        // A library knows its own address: PUSH20 at its start.
                        ranges.push((1, 20));
                    }
                }
                let at = program_id(numbers[id.0 as usize], stage).0 as usize;
                list[at] = Some(Arc::new(Program::new(id, stage, bytecode)));
                loose[at] = ranges;
            }
        }
        Self {
            list,
            loose,
            numbers,
            assertion_events,
            embedded: OnceLock::new(),
            recognition: OnceLock::new(),
            definitions: OnceLock::new(),
            contract_types: OnceLock::new(),
            layouts: Memo::default(),
            arithmetic: OnceLock::new(),
            contests: OnceLock::new(),
            ether_senders: Memo::default(),
        }
    }

    /// The storage layout of a contract of the build that these are the programs of, if it is known.
    pub fn layout(&self, build: &Build, contract: ContractId) -> Option<Arc<Layout>> {
        self.layouts.get(contract, |contract| Layout::of(build, *contract).map(Arc::new))
    }

    /// Whether an event with this first topic says that an assertion failed.
    pub fn is_assertion_event(&self, topic: B256) -> bool {
        self.assertion_events.contains(&topic)
    }

    /// A program by id.
    ///
    /// # Panics
    ///
    /// If no contract of this build has it.
    pub fn get(&self, id: ProgramId) -> &Arc<Program> {
        self.find(id).expect("an id of this build")
    }

    /// A program by an id that another build gave.
    pub fn find(&self, id: ProgramId) -> Option<&Arc<Program>> {
        self.list.get(id.0 as usize)?.as_ref()
    }

    /// Whether an id belongs to the same code in both, byte for byte, that is recognised in the same way.
    pub fn agree_on(&self, other: &Self, id: ProgramId) -> bool {
        let code =
            |programs: &Self| programs.find(id).map(|program| (program.code.clone(), programs.loose(id).to_vec()));
        code(self) == code(other) && self.assertion_events == other.assertion_events
    }

    /// The program of a contract at a stage.
    pub fn id(&self, contract: ContractId, stage: Stage) -> ProgramId {
        program_id(self.numbers[contract.0 as usize], stage)
    }

    /// The programs whose code a program holds, such as those of contracts that it creates. Of programs with the same code it
    /// lists the [first](Self::first_like).
    pub fn embedded(&self, id: ProgramId) -> &[ProgramId] {
        self.holdings().held_by(id)
    }

    /// The first program of the same code at the same stage. Code is recognised as this one, unless another one is preferred.
    pub fn first_like(&self, id: ProgramId) -> ProgramId {
        self.holdings().first(id)
    }

    fn holdings(&self) -> &Embedded {
        self.embedded.get_or_init(|| Embedded::of(&self.list))
    }

    /// The definitions in the sources of the build. `build` has to be the build of these programs.
    pub fn definitions(&self, build: &Build) -> &Definitions {
        self.definitions.get_or_init(|| Definitions::of(build))
    }

    /// The types of the contracts of the build. `build` has to be the build of these programs.
    pub fn contract_types(&self, build: &Build) -> &ContractTypes {
        self.contract_types.get_or_init(|| ContractTypes::of(build))
    }

    /// The instructions that compute what nobody checks. `build` has to be the build of these programs.
    pub fn arithmetic(&self, build: &Build) -> &Arc<Arithmetic> {
        self.arithmetic.get_or_init(|| Arc::new(Arithmetic::of(build, self.iter())))
    }

    /// The slots that two have. `build` has to be the build of these programs.
    pub fn contests(&self, build: &Build) -> &Arc<Contests> {
        self.contests
            .get_or_init(|| Arc::new(Contests::of(build, self.iter(), &|contract| self.layout(build, contract))))
    }

    /// Whether a program may send ether, which takes an analysis of its code: it is worked out once for all who ask.
    pub fn may_send_ether(&self, id: ProgramId, work_out: impl FnOnce(&ProgramId) -> bool) -> bool {
        self.ether_senders.get(id, work_out)
    }

    /// One more than the last id.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether the build has no contract.
    pub fn is_empty(&self) -> bool {
        self.numbers.is_empty()
    }

    /// Byte ranges `(start, length)` in which deployed code may differ from the program: immutables and library addresses.
    pub fn loose(&self, id: ProgramId) -> &[(usize, usize)] {
        &self.loose[id.0 as usize]
    }

    /// All programs, with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (ProgramId, &Arc<Program>)> + Clone {
        (0..).map(ProgramId).zip(&self.list).filter_map(|(id, program)| Some((id, program.as_ref()?)))
    }

    /// The programs that `code` may be an instance of, the longest first: runtime code as deployed, or init code with
    /// constructor arguments behind it. There are several where contracts have the same code.
    pub fn recognise(&self, code: &[u8], stage: Stage) -> Vec<ProgramId> {
        let recognition = self.recognition.get_or_init(|| Recognition::of(&self.list, &self.loose));
        let mut found = recognition.find(&Bytes::copy_from_slice(code), stage);
        found.sort_by_key(|id| (std::cmp::Reverse(self.get(*id).code.len()), *id));
        found
    }
}

fn program_id(number: u32, stage: Stage) -> ProgramId {
    ProgramId(number * STAGES + u32::from(stage == Stage::Runtime))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Bytecode, Contract, SourceId, Span};

    /// A build of contracts without sources, with these codes.
    fn programs(codes: impl IntoIterator<Item = (Vec<u8>, Vec<u8>)>) -> Programs {
        let contract = |(creation, runtime): (Vec<u8>, Vec<u8>)| Contract {
            name: String::new(),
            source: SourceId(0),
            span: Span::default(),
            kind: ContractKind::Contract,
            abi: Default::default(),
            creation: Bytecode { code: creation.into(), ..Bytecode::default() },
            runtime: Bytecode { code: runtime.into(), ..Bytecode::default() },
            immutables: Vec::new(),
            storage: None,
            solc: semver::Version::new(0, 8, 0),
            evm_version: Default::default(),
            settings: "".into(),
        };
        let contracts = codes.into_iter().map(|codes| Arc::new(contract(codes))).collect();
        Programs::of(&Build { contracts, ..Build::default() })
    }

    /// Runtime code with a number in it, and creation code that holds it. All begin alike.
    fn codes(number: u16) -> (Vec<u8>, Vec<u8>) {
        let runtime = [&[0x60; 40][..], &number.to_be_bytes(), &[0x5b; 20]].concat();
        ([&[0x61; 30][..], &runtime].concat(), runtime)
    }

    /// The contracts and stages that a contract's creation code holds.
    fn held(programs: &Programs, contract: u32) -> Vec<(u32, Stage)> {
        let held = programs.embedded(programs.id(ContractId(contract), Stage::Creation)).iter();
        held.map(|id| (programs.get(*id).contract.0, programs.get(*id).stage)).collect()
    }

    #[test]
    fn programs_of_the_same_code_are_one() {
        let programs = programs((0..500).map(|_| codes(7)));
        for contract in [0, 1, 499] {
            assert_eq!(held(&programs, contract), [(0, Stage::Runtime)], "of {contract}");
            let own = programs.id(ContractId(contract), Stage::Creation);
            assert_eq!(programs.first_like(own), programs.id(ContractId(0), Stage::Creation));
        }
    }

    #[test]
    fn codes_that_begin_alike_are_told_apart() {
        let factory = |numbers: &[u16]| {
            let children: Vec<u8> = numbers.iter().flat_map(|number| codes(*number).0).collect();
            ([&[0x62; 20][..], &children, &[0x5b]].concat(), vec![0x60; 15])
        };
        let contracts = (0..500).map(codes).chain([factory(&[400, 3]), factory(&[])]);
        let programs = programs(contracts);
        assert_eq!(held(&programs, 3), [(3, Stage::Runtime)]);
        let both = |contract| [(contract, Stage::Creation), (contract, Stage::Runtime)];
        assert_eq!(held(&programs, 500), [both(3), both(400)].concat());
        assert_eq!(held(&programs, 501), []);
    }

    #[test]
    fn code_on_chain_is_recognised_among_many_that_begin_alike() {
        let programs = programs((0..500).map(codes).chain([codes(250)]));
        let id = |contract, stage| programs.id(ContractId(contract), stage);
        let (creation, runtime) = codes(250);
        assert_eq!(programs.recognise(&runtime, Stage::Runtime), [250, 500].map(|of| id(of, Stage::Runtime)));
        let with_arguments = [&creation[..], &[0xff; 64]].concat();
        assert_eq!(programs.recognise(&with_arguments, Stage::Creation), [250, 500].map(|of| id(of, Stage::Creation)));
        assert_eq!(programs.recognise(&with_arguments, Stage::Runtime), []);
        assert_eq!(programs.recognise(&codes(501).1, Stage::Runtime), []);
    }
}
