//! An [`ArithmeticSite`] is an instruction that computes an [`Operation`] of the source which nobody checks, as far as the source map
//! tells: below 0.8, in `unchecked` blocks and in assembly, and conversions to narrower types. Constructors are left out, since only
//! who deploys runs them.
//!
//! Code through the IR computes in functions of the compiler's own, which map to the whole contract: there the call of such a function
//! tells what it computes. With the optimizer no call is left. Then every instruction of that kind is a site, and where in the called
//! function it belongs is not known.

use super::{
    instruction::Instruction,
    program::{Program, ProgramId, Stage},
};
use crate::compile::{Build, IntegerType, Jump, Operation, OperationKind, SourceId, Span};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use semver::Version;
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    sync::Arc,
};

/// Instructions in a function of the compiler's own that are looked at; chosen by hand. The longest that only computes has half of that.
const MAX_LENGTH: usize = 80;
/// Calls inside of such a function that are followed: what checks a sum calls what cuts a word, and what encodes a call what encodes an
/// argument before that.
const HELPER_DEPTH: u32 = 2;
/// No index.
const NONE: u32 = u32::MAX;

/// An instruction whose result may not fit its type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ArithmeticSite {
    /// What it computes.
    pub kind: OperationKind,
    /// The type of the result.
    pub ty: IntegerType,
    /// The type of what is narrowed; that of the result for all others.
    pub from: IntegerType,
    /// Where in the source; none if all that is known is the function that was called.
    pub place: Option<(SourceId, Span)>,
}

/// The sites of a program.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct ProgramArithmetic {
    /// The index of the site at a byte offset, or [`NONE`].
    at: Vec<u32>,
    sites: Vec<ArithmeticSite>,
}

impl ProgramArithmetic {
    /// The site at a byte offset.
    pub fn site(&self, pc: usize) -> Option<&ArithmeticSite> {
        self.sites.get(*self.at.get(pc)? as usize)
    }
}

/// The sites of all programs of a build.
#[derive(Debug, Default)]
pub struct Arithmetic {
    programs: BTreeMap<ProgramId, Arc<ProgramArithmetic>>,
}

/// Operations by their place.
type Operations<'a> = HashMap<(SourceId, Span), &'a Operation>;
/// What is narrowed as a member of a structure, in the order of the source, by the place of the structure.
type Members<'a> = HashMap<(SourceId, Span), Vec<&'a Operation>>;

/// Constants of a program that are tried as factors at most; chosen by hand: each adds a word for each type to the dictionary.
const MAX_FACTORS: usize = 4;
/// Bits of a factor: prices and units have so many. Chosen by hand.
const FACTOR_BITS: std::ops::RangeInclusive<usize> = 10..=128;

impl ProgramArithmetic {
    /// Words that bring results just past their types, alone or multiplied by one of these constants: `2^16` for a conversion to `uint16`,
    /// and `2^256 / 10^18 + 1` and `2^238` for a product with `10^18`, of which the one wraps to little, and the other to nothing.
    pub fn telling_words<'a>(&self, constants: impl Iterator<Item = &'a U256>) -> BTreeSet<U256> {
        let is_unit = |word: &U256| FACTOR_BITS.contains(&word.bit_len()) && word.trailing_zeros() > 1;
        let factors = constants.copied().filter(is_unit).take(MAX_FACTORS);
        let factors: Vec<U256> = std::iter::once(U256::ONE).chain(factors).collect();
        let mut words = BTreeSet::new();
        for site in &self.sites {
            let bits = match site.kind {
                OperationKind::Narrow => usize::from(site.ty.bits),
                OperationKind::Multiply => usize::from(site.ty.bits.min(256)),
                OperationKind::Add | OperationKind::Subtract | OperationKind::Power => continue,
            };
            for factor in &factors {
                if let Some(place) = bits.checked_sub(factor.trailing_zeros()).filter(|place| *place < 256) {
                    words.insert(U256::ONE << place);
                }
                if bits == 256 {
                    words.insert((U256::MAX / factor).saturating_add(U256::ONE));
                }
            }
        }
        words
    }
}

impl Arithmetic {
    /// Reads all programs. `build` has to be the build of these programs.
    pub(super) fn of<'a>(build: &Build, programs: impl Iterator<Item = (ProgramId, &'a Arc<Program>)>) -> Self {
        let [mut unchecked, mut all, mut cut, mut sides] = std::array::from_fn(|_| Operations::new());
        let mut members = Members::new();
        for (source, id) in build.sources.iter().zip((0..).map(SourceId)).filter(|(source, _)| !source.foreign) {
            for operation in &source.ast.operations {
                if let Some(place) = operation.within.filter(|_| operation.kind == OperationKind::Narrow) {
                    match operation.is_member {
                        true => members.entry((id, place)).or_default().push(operation),
                        false => drop(cut.insert((id, place), operation)),
                    }
                }
                if let Some(place) = operation.side_of {
                    sides.insert((id, place), operation);
                }
                all.insert((id, operation.span), operation);
                if operation.unchecked {
                    unchecked.insert((id, operation.span), operation);
                }
            }
        }
        let mut found = BTreeMap::new();
        for (id, program) in programs.filter(|(_, program)| program.stage == Stage::Runtime) {
            let contract = build.contract(program.contract);
            let operations = if contract.solc < Version::new(0, 8, 0) { &all } else { &unchecked };
            if operations.is_empty() {
                continue;
            }
            let is_ir = contract.is_through_ir();
            let is_optimized = contract.settings.contains("\"optimizer\":{\"enabled\":true");
            let all_places = || {
                let mut places = cut.clone();
                places.extend(operations.iter().map(|(place, operation)| (*place, *operation)));
                places
            };
            let sites = match (is_ir, is_optimized) {
                (false, _) => {
                    let mut found = cut_by_helpers(program, &sides);
                    found.extend(direct(program, [operations, &cut]));
                    found.extend(cut_as_members(program, &members));
                    found
                }
                (true, false) => called(program, &all_places()),
                (true, true) => loose(program, &all_places(), build),
            };
            if !sites.is_empty() {
                found.insert(id, Arc::new(table(program, sites)));
            }
        }
        Self { programs: found }
    }

    /// The sites of a program; none if it has none.
    pub fn of_program(&self, id: ProgramId) -> Option<&Arc<ProgramArithmetic>> {
        self.programs.get(&id)
    }

    /// Whether there is no site at all.
    pub fn is_empty(&self) -> bool {
        self.programs.is_empty()
    }
}

/// Sites by the index of their instruction.
type Found = BTreeMap<usize, ArithmeticSite>;

fn table(program: &Program, found: Found) -> ProgramArithmetic {
    let mut table = ProgramArithmetic { at: vec![NONE; program.code.len()], sites: Vec::new() };
    for (index, site) in found {
        table.at[program.instructions[index].pc as usize] = table.sites.len() as u32;
        table.sites.push(site);
    }
    table
}

fn site(operation: &Operation, source: SourceId) -> ArithmeticSite {
    let Operation { kind, ty, from, span, .. } = *operation;
    ArithmeticSite { kind, ty, from, place: Some((source, span)) }
}

/// Whether an instruction can compute it: the optimizer subtracts a constant by adding, and multiplies by shifting.
fn computes(instruction: &Instruction, kind: OperationKind, ty: IntegerType) -> bool {
    match kind {
        OperationKind::Add => instruction.opcode == opcode::ADD,
        OperationKind::Subtract => matches!(instruction.opcode, opcode::SUB | opcode::ADD),
        OperationKind::Multiply => matches!(instruction.opcode, opcode::MUL | opcode::SHL),
        OperationKind::Power => matches!(instruction.opcode, opcode::EXP | opcode::SHL),
        OperationKind::Narrow if ty.signed => instruction.opcode == opcode::SIGNEXTEND,
        OperationKind::Narrow => instruction.opcode == opcode::AND,
    }
}

/// The instructions that have the place of an operation, or the one at which what is narrowed is cut.
fn direct(program: &Program, operations: [&Operations<'_>; 2]) -> Found {
    let mut found = Found::new();
    for block in &program.blocks {
        let mut narrow: HashMap<Span, usize> = HashMap::new();
        for index in block.instructions.start as usize..block.instructions.end as usize {
            let instruction = &program.instructions[index];
            let Some((source, span)) = program.range(instruction.pc) else { continue };
            let mut there = operations.iter().filter_map(|operations| operations.get(&(source, span)));
            let computed = there.find(|operation| computes(instruction, operation.kind, operation.ty));
            let Some(operation) = computed else { continue };
            // Where a part of a slot is stored, instructions that cut and shift it have the same place: what is computed comes before them,
            // and what is converted is cut after the slot was cleared. What is put in memory is cut once more right away.
            let known = if operation.ty.bits < 256 { narrow.insert(span, index) } else { None };
            match (known, operation.kind) {
                (Some(first), OperationKind::Narrow) if !is_cut_again(program, first, index, operation.ty) => {
                    found.remove(&first);
                }
                (Some(first), _) => {
                    narrow.insert(span, first);
                    continue;
                }
                (None, _) => {}
            }
            found.insert(index, site(operation, source));
        }
    }
    found
}

/// The instructions that cut in the functions which check arithmetic or encode a call, where one of the sides or arguments is narrowed. If
/// several conversions come to the same one, only the way there tells to which it belongs.
fn cut_by_helpers(program: &Program, sides: &Operations<'_>) -> Found {
    let mut found = Found::new();
    for (index, instruction) in program.instructions[..program.mapped_instructions()].iter().enumerate() {
        let enters = program.element(instruction.pc).is_some_and(|element| element.jump == Jump::In);
        let Some(place) = program.range(instruction.pc).filter(|_| enters) else { continue };
        let (Some(operation), Some(entry)) = (sides.get(&place), entered(program, index)) else { continue };
        for at in cuts_in(program, entry, operation.ty, HELPER_DEPTH) {
            let own = site(operation, place.0);
            let known = found.entry(at).or_insert(own);
            known.place = known.place.filter(|_| *known == own);
        }
    }
    found
}

/// The instructions that cut members of structures which are put in memory. Where several are narrowed to a type, they are cut in the
/// order of the source; if more words are cut to it than are narrowed, only the structure is known as the place.
fn cut_as_members(program: &Program, members: &Members<'_>) -> Found {
    let mut cuts: HashMap<((SourceId, Span), u16), Vec<usize>> = HashMap::new();
    for (index, instruction) in program.instructions[..program.mapped_instructions()].iter().enumerate() {
        let place = program.range(instruction.pc).filter(|place| members.contains_key(place));
        if let (Some(place), Some(bits)) = (place, cut_to(program, index)) {
            cuts.entry((place, bits)).or_default().push(index);
        }
    }
    let mut found = Found::new();
    for ((place, bits), cuts) in cuts {
        let own = members[&place].iter().filter(|operation| !operation.ty.signed && operation.ty.bits == bits);
        let own: Vec<&&Operation> = own.collect();
        for (nth, at) in cuts.iter().enumerate() {
            let in_turn = own.get(nth).filter(|_| own.len() == cuts.len());
            let Some(operation) = in_turn.or(own.first()) else { continue };
            let is_known = in_turn.is_some() || own.len() == 1;
            let site = site(operation, place.0);
            found.insert(*at, ArithmeticSite { place: if is_known { site.place } else { Some(place) }, ..site });
        }
    }
    found
}

/// Whether an instruction cuts what another one has just cut to the same type without a sign.
fn is_cut_again(program: &Program, first: usize, again: usize, ty: IntegerType) -> bool {
    let moves = |it: &Instruction| (opcode::PUSH0..=opcode::SWAP16).contains(&it.opcode);
    // What clears a part of a slot has the mask turned around.
    let clears =
        |index: usize| program.instructions[index.saturating_sub(3)..index].iter().any(|it| it.opcode == opcode::NOT);
    let cuts = |index| cut_to(program, index) == Some(ty.bits) && !clears(index);
    !ty.signed && cuts(first) && cuts(again) && program.instructions[first + 1..again].iter().all(moves)
}

/// The bits of the type to which an instruction cuts a word without a sign, if the mask is made right before it.
fn cut_to(program: &Program, index: usize) -> Option<u16> {
    let before = &program.instructions[index.saturating_sub(6)..index];
    let pushed = |instruction: &Instruction| instruction.pushed(&program.code);
    let is_mask = |mask: &U256| !mask.is_zero() && (mask & mask.wrapping_add(U256::ONE)).is_zero();
    let whole = || before.iter().rev().take(3).find_map(|it| pushed(it).filter(is_mask)).map(|mask| mask.bit_len());
    // `(1 << bits) - 1`
    let computed = || {
        before.windows(5).rev().find_map(|made| match made {
            [one, unit, bits, shift, minus]
                if (shift.opcode, minus.opcode) == (opcode::SHL, opcode::SUB)
                    && [one, unit].iter().all(|it| pushed(it) == Some(U256::ONE)) =>
            {
                pushed(bits).and_then(|bits| usize::try_from(bits).ok())
            }
            _ => None,
        })
    };
    let is_cut = program.instructions[index].opcode == opcode::AND;
    is_cut.then(|| computed().or_else(whole)).flatten().and_then(|bits| u16::try_from(bits).ok())
}

/// The index of the instruction to which a jump leads, if it is pushed right before it.
fn entered(program: &Program, jump: usize) -> Option<usize> {
    let target = program.instructions[jump.checked_sub(1)?].pushed(&program.code)?;
    let target = u32::try_from(target).ok()?;
    program.instructions.binary_search_by_key(&target, |instruction| instruction.pc).ok()
}

/// The instructions of a function, and of those that it calls to some depth, that cut words to a type.
fn cuts_in(program: &Program, entry: usize, ty: IntegerType, depth: u32) -> Vec<usize> {
    let mask = U256::MAX >> (256 - usize::from(ty.bits));
    let mut found = Vec::new();
    for (index, instruction) in program.instructions.iter().enumerate().skip(entry).take(MAX_LENGTH) {
        let jump = program.element(instruction.pc).map(|element| element.jump);
        let pushes = |before: &Instruction| before.pushed(&program.code) == Some(mask);
        match instruction.opcode {
            opcode::SIGNEXTEND if ty.signed => found.push(index),
            opcode::AND if !ty.signed && program.instructions[entry..index].iter().rev().take(3).any(pushes) => {
                found.push(index);
            }
            opcode::JUMP if jump == Some(Jump::Out) => break,
            opcode::JUMP if jump == Some(Jump::In) && depth > 0 => {
                let inner = entered(program, index);
                found.extend(inner.into_iter().flat_map(|inner| cuts_in(program, inner, ty, depth - 1)));
            }
            _ => {}
        }
    }
    found
}

/// The instructions in functions that are called from the place of an operation, and in blocks of assembly.
fn called(program: &Program, operations: &Operations<'_>) -> Found {
    let mut found = Found::new();
    let assembly = |source: SourceId, span: Span| {
        let mut inside = operations.iter().filter(|((of, _), known)| {
            *of == source && known.within == Some(span) && known.kind != OperationKind::Narrow
        });
        inside.next().filter(|_| inside.next().is_none()).map(|(_, operation)| *operation)
    };
    for (index, instruction) in program.instructions[..program.mapped_instructions()].iter().enumerate() {
        let Some((source, span)) = program.range(instruction.pc) else { continue };
        let place = (source, span);
        let enters = program.element(instruction.pc).is_some_and(|element| element.jump == Jump::In);
        if let (true, Some(operation)) = (enters, operations.get(&place)) {
            let computed = entered(program, index).and_then(|entry| computed_in(program, entry, operation));
            found.extend(computed.map(|at| (at, site(operation, source))));
        } else if let opcode::ADD | opcode::SUB | opcode::MUL = instruction.opcode
            && let Some(operation) = assembly(source, span).filter(|known| computes(instruction, known.kind, known.ty))
        {
            found.insert(index, site(operation, source));
        }
    }
    found
}

/// The instruction that computes in a function of the compiler's own, if the function does nothing else.
fn computed_in(program: &Program, entry: usize, operation: &Operation) -> Option<usize> {
    let mut computed = None;
    for (index, instruction) in program.instructions.iter().enumerate().skip(entry).take(MAX_LENGTH) {
        match instruction.opcode {
            _ if computes(instruction, operation.kind, operation.ty) => computed = computed.or(Some(index)),
            opcode::JUMP if program.element(instruction.pc).is_some_and(|element| element.jump == Jump::Out) => {
                return computed;
            }
            opcode::JUMP | opcode::JUMPDEST | opcode::POP | opcode::AND | opcode::SIGNEXTEND => {}
            opcode::PUSH0..=opcode::SWAP16 => {}
            _ => return None,
        }
    }
    None
}

/// Every instruction of a kind that some operation of the contract's sources has, where all are words without a sign.
fn loose(program: &Program, operations: &Operations<'_>, build: &Build) -> Found {
    let instructions = &program.instructions[..program.mapped_instructions()];
    let sources: BTreeSet<SourceId> =
        instructions.iter().filter_map(|instruction| program.range(instruction.pc)).map(|(source, _)| source).collect();
    let mut found = Found::new();
    for kind in [OperationKind::Add, OperationKind::Subtract, OperationKind::Multiply] {
        let own = operations.iter().filter(|((source, _), known)| sources.contains(source) && known.kind == kind);
        let is_word = |ty: IntegerType| ty.bits == 256 && !ty.signed;
        let Some(ty) = own.map(|(_, known)| known.ty).find(|ty| is_word(*ty)) else { continue };
        let all = sources.iter().flat_map(|source| &build.source(*source).ast.operations);
        if all.into_iter().any(|known| known.kind == kind && known.ty.signed) {
            continue;
        }
        for (index, instruction) in instructions.iter().enumerate() {
            let fits = match kind {
                OperationKind::Add => instruction.opcode == opcode::ADD,
                OperationKind::Subtract => instruction.opcode == opcode::SUB,
                _ => instruction.opcode == opcode::MUL,
            };
            // The optimizer subtracts a constant by adding what it lacks to zero.
            let before = &instructions[index.saturating_sub(3)..index];
            let is_negative = |word: U256| word.bit(255);
            let negates = |before: &Instruction| {
                before.opcode == opcode::NOT || before.pushed(&program.code).is_some_and(is_negative)
            };
            if fits && !(kind == OperationKind::Add && before.iter().any(negates)) {
                found.insert(index, ArithmeticSite { kind, ty, from: ty, place: None });
            }
        }
    }
    found
}
