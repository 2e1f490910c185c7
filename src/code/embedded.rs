//! Which code holds other code: a contract that creates another one carries its creation code as data. It is found by its
//! bytes, so that assembly and `type(C).creationCode` count like `new C()`; who runs it, and whether anybody does, is not known.
//! Programs of the same code are one: what is held is told of the first of them, and they hold nothing of each other.

use super::{Program, ProgramId, Stage, prefixes::Prefixes};
use alloy_primitives::Bytes;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// So many bytes tell where code may begin; shorter code is not looked for.
const HEAD: usize = 16;

/// Which programs hold which, and which are the same.
#[derive(Debug)]
pub(super) struct Embedded {
    /// By id: the first program of the same code.
    first: Vec<ProgramId>,
    /// What the first programs hold.
    held: BTreeMap<ProgramId, Vec<ProgramId>>,
}

impl Embedded {
    /// Of all these; an id that no program has holds nothing.
    pub(super) fn of(list: &[Option<Arc<Program>>]) -> Self {
        let mut firsts: HashMap<(&Bytes, Stage), ProgramId> = HashMap::new();
        let ids = (0..).map(ProgramId).zip(list);
        let first = ids.map(|(id, program)| match program {
            Some(program) if !program.code.is_empty() => *firsts.entry((&program.code, program.stage)).or_insert(id),
            _ => id,
        });
        let first = first.collect();
        let long = || firsts.iter().filter(|((code, _), _)| code.len() >= HEAD);
        let heads: HashSet<&[u8]> = long().map(|((code, _), _)| &code[..HEAD]).collect();
        // Most positions are told by two bytes to be no beginning of anything.
        let mut begins = vec![false; 1 << 16];
        let pair = |code: &[u8]| usize::from(u16::from_be_bytes([code[0], code[1]]));
        heads.iter().for_each(|head| begins[pair(head)] = true);
        let prefixes = Prefixes::of(long().map(|((code, _), id)| ((*code).clone(), *id)).collect());
        let held_by = |(code, id): (&Bytes, ProgramId)| {
            let windows = code.windows(HEAD).enumerate();
            let starts = windows.filter(|(_, window)| begins[pair(window)] && heads.contains(window));
            let mut held: Vec<ProgramId> = starts.flat_map(|(at, _)| prefixes.begin(&code[at..])).collect();
            held.sort_unstable();
            held.dedup();
            held.retain(|other| *other != id);
            held
        };
        let held = firsts.iter().map(|((code, _), id)| (*id, held_by((*code, *id))));
        let held = held.filter(|(_, held)| !held.is_empty()).collect();
        Self { first, held }
    }

    /// The first program of the same code at the same stage, which may be this one.
    pub(super) fn first(&self, id: ProgramId) -> ProgramId {
        self.first[id.0 as usize]
    }

    /// The programs that this one holds, the first of each code, in order.
    pub(super) fn held_by(&self, id: ProgramId) -> &[ProgramId] {
        self.held.get(&self.first(id)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        code::{Programs, Stage},
        compile::{Build, Bytecode, Contract, ContractId, ContractKind, SourceId, Span},
    };
    use std::sync::Arc;

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

    /// What a contract's creation code holds: the contracts and the stages.
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
