//! Reads what the code of a program says of slots: a placement belongs to a program if an instruction of it comes from the function that
//! the placement stands in.

use super::{
    owner::RawSlot,
    scope::{Names, Scope, StatedSlot},
};
use crate::{
    code::{
        layout::Lineage,
        program::{Program, Stage},
    },
    compile::{Build, ContractDeclaration, Placements, SourceId, SourceRange, Span, WrittenHash},
};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::{
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

/// What a program says, before layouts are looked at.
#[derive(Debug, Default)]
pub(super) struct Statements {
    /// Structs that pointers put somewhere: the name, where, the source that says so, and the declaration.
    pub(super) pointers: Vec<(String, StatedSlot, SourceId, SourceRange)>,
    pub(super) raw: Vec<RawSlot>,
    pub(super) mentioned: BTreeSet<String>,
    pub(super) seeds: Vec<(SourceRange, U256)>,
    pub(super) hands_slots_around: bool,
    /// Whether assembly stores to slots that are computed when it runs, in a function that computes hashes or through a pointer.
    pub(super) computes_slots: bool,
}

/// A function with placements.
struct Function {
    span: Span,
    /// Its contract; empty outside of contracts.
    contract: String,
}

/// Reads the programs of a build.
pub(super) struct ClaimReader<'a> {
    build: &'a Build,
    pub(super) names: Names<'a>,
    /// The functions with placements of each source that has some, in order.
    functions: HashMap<SourceId, Vec<Function>>,
}

impl<'a> ClaimReader<'a> {
    /// None if no source says anything.
    pub(super) fn of(build: &'a Build) -> Option<Self> {
        let mut functions = HashMap::new();
        for (source, id) in build.sources.iter().zip((0..).map(SourceId)) {
            let Placements { pointers, stores, mentions, .. } = &source.ast.placements;
            let spans = pointers.iter().map(|it| it.span).chain(stores.iter().map(|it| it.span));
            let spans = spans.chain(mentions.iter().map(|it| it.span));
            let around = spans.filter_map(|span| source.ast.function_at(span)).map(|node| node.span);
            let around: BTreeSet<Span> = around.collect();
            let function = |span: Span| {
                let contract = source.ast.contract_at(span).map_or(String::new(), |node| node.name.clone());
                Function { span, contract }
            };
            if !around.is_empty() {
                functions.insert(id, around.into_iter().map(function).collect());
            }
        }
        (!functions.is_empty()).then(|| Self { build, names: Names::of(build), functions })
    }

    /// What a program says; none if it says nothing.
    pub(super) fn read(&'a self, program: &Program) -> Option<Statements> {
        let touched = self.touched(program);
        if touched.is_empty() {
            return None;
        }
        let contract = self.build.contract(program.contract);
        let deployed = self.names.lineage(contract.source, &contract.name);
        let mut statements = Statements::default();
        for (source, index) in touched {
            self.add(source, &self.functions[&source][index], &deployed, &mut statements);
        }
        Some(statements)
    }

    /// The functions with placements that instructions of a program come from.
    fn touched(&self, program: &Program) -> BTreeSet<(SourceId, usize)> {
        let mut touched = BTreeSet::new();
        let mut last = None;
        for instruction in &program.instructions[..program.mapped_instructions()] {
            let Some((source, span)) = program.range(instruction.pc) else { continue };
            if last.replace((source, span)) == Some((source, span)) {
                continue;
            }
            let Some(functions) = self.functions.get(&source) else { continue };
            let behind = functions.partition_point(|function| function.span.start <= span.start);
            if let Some(index) = behind.checked_sub(1).filter(|index| functions[*index].span.contains(span)) {
                touched.insert((source, index));
            }
        }
        touched
    }

    fn add(&'a self, source: SourceId, function: &'a Function, deployed: &Rc<Lineage<'a>>, to: &mut Statements) {
        let scope = Scope::of(&self.names, source, &function.contract, deployed);
        let Placements { pointers, stores, mentions, hashes, .. } = &self.build.source(source).ast.placements;
        let is_inside = |span: Span| function.span.contains(span);
        for pointer in pointers.iter().filter(|pointer| is_inside(pointer.span)) {
            match scope.slot(&pointer.slot) {
                Some(stated) => {
                    let is_known = |(name, known, ..): &(String, StatedSlot, SourceId, SourceRange)| {
                        *name == pointer.structure && known.slot == stated.slot
                    };
                    if let Some(declaration) = self.declaration(source, &pointer.structure)
                        && !to.pointers.iter().any(is_known)
                    {
                        to.pointers.push((pointer.structure.clone(), stated, source, declaration));
                    }
                }
                None => to.computes_slots = true,
            }
        }
        for store in stores.iter().filter(|store| is_inside(store.span)) {
            match scope.slot(&store.slot) {
                Some(stated) => {
                    let is_it = |known: &&mut RawSlot| {
                        (known.stated.slot, known.stated.constant, known.is_transient)
                            == (stated.slot, stated.constant, store.is_transient)
                    };
                    let range = (source, store.span);
                    if let Some(known) = to.raw.iter_mut().find(is_it) {
                        known.stores.push(range);
                    } else {
                        let name = stated.constant.and_then(|constant| self.constant_name(constant));
                        let is_transient = store.is_transient;
                        to.raw.push(RawSlot { stated, name, is_transient, stores: vec![range] });
                    }
                }
                None if hashes.iter().any(|hash| is_inside(hash.span)) => {
                    to.computes_slots = true;
                    let text = function.span.text(&self.build.source(source).text);
                    let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
                    let words: BTreeSet<&str> = text.split(|letter| !is_letter(letter)).collect();
                    let named = scope.constants().into_iter().filter(|(_, name, _)| words.contains(name));
                    to.seeds.extend(named.map(|(range, _, word)| (range, word)));
                }
                None => {}
            }
        }
        for mention in mentions.iter().filter(|mention| is_inside(mention.span)) {
            match &mention.variable {
                Some(variable) => drop(to.mentioned.insert(variable.clone())),
                None => to.hands_slots_around = true,
            }
        }
    }

    /// The declaration of a struct, as a source knows it.
    fn declaration(&self, source: SourceId, structure: &str) -> Option<SourceRange> {
        let sources = &self.names.lineage(source, "").sources;
        sources.iter().find_map(|id| {
            let structs = &self.build.source(*id).ast.declarations.structs;
            Some((*id, structs.iter().find(|known| known.name == structure)?.span))
        })
    }

    fn constant_name(&self, (source, span): SourceRange) -> Option<String> {
        let constants = &self.build.source(source).ast.placements.constants;
        constants.iter().find(|constant| constant.span == span).map(|constant| constant.name.clone())
    }

    /// The variables that the contracts of a lineage declare for transient storage.
    pub(super) fn has_transient(&self, program: &Program) -> bool {
        let contract = self.build.contract(program.contract);
        let lineage = self.names.lineage(contract.source, &contract.name);
        let declares = |(_, contract): &(SourceId, &ContractDeclaration)| !contract.transient.is_empty();
        lineage.contracts.iter().any(declares)
    }

    /// Whether each SSTORE and TSTORE of a program is one that says by itself where it writes. Through the IR, functions of the compiler's
    /// own write, and each may.
    pub(super) fn sites(&self, program: &Program) -> Vec<bool> {
        let is_ir = self.build.contract(program.contract).settings.contains("\"viaIR\":true");
        self.marked(program, &[opcode::SSTORE, opcode::TSTORE], |placements, span| {
            is_ir
                || placements.members.iter().any(|write| write.span.contains(span))
                || placements.stores.iter().any(|store| store.block.contains(span))
        })
    }

    /// Whether each KECCAK256 of a program is one that stands in the source.
    pub(super) fn hashes(&self, program: &Program) -> Vec<bool> {
        self.marked(program, &[opcode::KECCAK256], |placements, span| {
            let is_it = |hash: &WrittenHash| {
                if hash.is_block { hash.span.contains(span) } else { hash.span == span }
            };
            placements.hashes.iter().any(is_it)
        })
    }

    /// Marks instructions by where they come from; one that comes from nowhere has an empty place.
    fn marked(&self, program: &Program, opcodes: &[u8], is_marked: impl Fn(&Placements, Span) -> bool) -> Vec<bool> {
        let (mut marked, nothing) = (vec![false; program.code.len()], Placements::default());
        let instructions = &program.instructions[..program.mapped_instructions()];
        for instruction in instructions.iter().filter(|instruction| opcodes.contains(&instruction.opcode)) {
            let placed = program.range(instruction.pc);
            let placements = placed.map_or(&nothing, |(source, _)| &self.build.source(source).ast.placements);
            let span = placed.map_or(Span::new(u32::MAX, u32::MAX), |(_, span)| span);
            marked[instruction.pc as usize] = is_marked(placements, span);
        }
        marked
    }

    /// Whether a program runs other code in its own place.
    pub(super) fn delegates(program: &Program) -> bool {
        program.stage == Stage::Runtime && program.has_opcode(opcode::DELEGATECALL)
    }
}
