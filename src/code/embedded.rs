//! [`Embedded`] knows which code holds other code: a contract that creates another one carries its creation code as data. It is
//! found by its bytes, so that assembly and `type(C).creationCode` count like `new C()`. Whether anything ever runs it is not
//! known. Programs with the same code count as the first of them, and do not hold each other.

use super::{
    prefixes::Prefixes,
    program::ProgramId,
    program::{Program, Stage},
};
use alloy_primitives::Bytes;
use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

/// Bytes at the start of code by which it is found; chosen by hand. Shorter code is not looked for.
const HEAD: usize = 16;

/// The programs that each program holds, and the programs that are the same.
#[derive(Debug)]
pub(super) struct Embedded {
    /// By id: the first program of the same code.
    first: Vec<ProgramId>,
    /// The programs that each of the first programs holds.
    held: BTreeMap<ProgramId, Vec<ProgramId>>,
}

impl Embedded {
    /// Finds them among all these programs; an id without a program holds nothing.
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
        // Two bytes are enough to rule out most positions.
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
