//! Reads what the code of a program says of slots: a placement belongs to a program if an instruction of it comes from the function that
//! the placement stands in. The optimizer keeps one copy of two functions that put pointers at one position; so a placement belongs to it as
//! well if it pushes the position, and an instruction comes from a function that uses the struct.

use super::{
    owner::RawSlot,
    scope::{Names, Scope, StatedSlot},
};
use crate::{
    code::{
        layout::Lineage,
        program::{Program, Stage},
    },
    compile::{
        Build, ContractDeclaration, Node, NodeKind, Placements, SlotCall, SlotParameter, SourceId, SourceRange, Span,
        WrittenHash,
    },
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
    pub(super) pointers: Vec<Pointer>,
    pub(super) raw: Vec<RawSlot>,
    pub(super) mentioned: BTreeSet<String>,
    pub(super) seeds: Vec<(SourceRange, U256)>,
    pub(super) hands_slots_around: bool,
    /// Whether assembly stores to slots that are computed when it runs, in a function that computes hashes or through a pointer.
    pub(super) computes_slots: bool,
}

/// A struct that a pointer puts somewhere.
#[derive(Debug)]
pub(super) struct Pointer {
    /// Its name, with that of its contract.
    pub(super) structure: String,
    pub(super) stated: StatedSlot,
    /// The source that says so.
    pub(super) source: SourceId,
    /// Its name, and the names and types of its members.
    pub(super) members: String,
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
        let parameters = build.sources.iter().flat_map(|source| &source.ast.placements.parameters);
        let takers: BTreeSet<&str> = parameters.map(|parameter| parameter.function.as_str()).collect();
        let pointers = build.sources.iter().flat_map(|source| &source.ast.placements.pointers);
        let placed: BTreeSet<&str> = pointers.map(|pointer| pointer.structure.as_str()).collect();
        for (source, id) in build.sources.iter().zip((0..).map(SourceId)) {
            let Placements { pointers, accesses, mentions, calls, uses, .. } = &source.ast.placements;
            let uses =
                uses.iter().filter(|known| placed.contains(known.structure.as_str())).map(|known| known.function);
            let calls = calls.iter().filter(|call| takers.contains(call.function.as_str())).map(|call| call.span);
            let spans = pointers.iter().map(|it| it.span).chain(accesses.iter().map(|it| it.span));
            let spans = spans.chain(mentions.iter().map(|it| it.span)).chain(calls);
            let around = spans.filter_map(|span| source.ast.function_at(span)).map(|node| node.span);
            let around: BTreeSet<Span> = around.chain(uses).collect();
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
        let contract = self.build.contract(program.contract);
        let deployed = || self.names.lineage(contract.source, &contract.name);
        let mut touched = self.touched(program);
        if program.stage == Stage::Runtime && contract.is_through_ir() {
            touched.extend(self.external(program, &deployed()));
        }
        if touched.is_empty() {
            return None;
        }
        let deployed = deployed();
        let mut statements = Statements::default();
        let mut used = BTreeSet::new();
        for (source, index) in touched {
            let function = &self.functions[&source][index];
            self.add(source, function, &deployed, &mut statements);
            let uses = self.build.source(source).ast.placements.uses.iter();
            used.extend(uses.filter(|known| known.function == function.span).map(|known| known.structure.as_str()));
        }
        self.add_used(&used, program, &deployed, &mut statements);
        Some(statements)
    }

    /// Adds the pointers to structs that a program uses, at positions that it pushes.
    fn add_used(&'a self, used: &BTreeSet<&str>, program: &Program, deployed: &Rc<Lineage<'a>>, to: &mut Statements) {
        for source in &deployed.sources {
            let ast = &self.build.source(*source).ast;
            for pointer in ast.placements.pointers.iter().filter(|pointer| used.contains(pointer.structure.as_str())) {
                let contract = ast.contract_at(pointer.span).map_or("", |node| node.name.as_str());
                let stated = Scope::of(&self.names, *source, contract, deployed).slot(&pointer.slot);
                let is_pushed = |slot: U256| slot.is_zero() || program.constants().contains(&slot);
                if let Some(stated) = stated.filter(|stated| is_pushed(stated.slot)) {
                    self.add_pointer(*source, &pointer.structure, stated, to);
                }
            }
        }
    }

    fn add_pointer(&'a self, source: SourceId, structure: &str, stated: StatedSlot, to: &mut Statements) {
        let is_known = |known: &Pointer| known.structure == structure && known.stated.slot == stated.slot;
        if let Some(members) = self.members(source, structure).filter(|_| !to.pointers.iter().any(is_known)) {
            to.pointers.push(Pointer { structure: structure.to_owned(), stated, source, members });
        }
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

    /// The functions with placements that are called from outside: the optimizer of the IR may leave nothing that comes from them.
    fn external(&self, program: &Program, deployed: &Lineage<'_>) -> Vec<(SourceId, usize)> {
        let contract = self.build.contract(program.contract);
        let selectors = contract.abi.functions().map(|function| function.selector().0);
        let definition = |selector: [u8; 4]| {
            let mut contracts = deployed.contracts.iter().rev();
            contracts.find_map(|(source, contract)| {
                let ast = &self.build.source(*source).ast;
                let of_contract =
                    ast.nodes.iter().find(|node| node.kind == NodeKind::Contract && node.name == contract.name)?;
                let is_it = |node: &&Node| node.selector == Some(selector) && of_contract.span.contains(node.span);
                Some((*source, ast.nodes.iter().find(is_it)?.span))
            })
        };
        let index = |(source, span): SourceRange| {
            let functions = self.functions.get(&source)?;
            Some((source, functions.binary_search_by_key(&span, |function| function.span).ok()?))
        };
        selectors.filter_map(definition).filter_map(index).collect()
    }

    fn add(&'a self, source: SourceId, function: &'a Function, deployed: &Rc<Lineage<'a>>, to: &mut Statements) {
        let scope = Scope::of(&self.names, source, &function.contract, deployed);
        let Placements { pointers, accesses, mentions, hashes, calls, .. } = &self.build.source(source).ast.placements;
        let is_inside = |span: Span| function.span.contains(span);
        for pointer in pointers.iter().filter(|pointer| is_inside(pointer.span)) {
            match scope.slot(&pointer.slot) {
                Some(stated) => self.add_pointer(source, &pointer.structure, stated, to),
                None => to.computes_slots = true,
            }
        }
        let hashing = self.hashing(source, function, hashes);
        for access in accesses.iter().filter(|access| is_inside(access.span)) {
            match scope.slot(&access.slot) {
                // Anybody may name it.
                Some(stated) if stated.is_standard() => {}
                Some(stated) => {
                    let raw = self.raw_slot(to, stated, access.is_transient);
                    raw.is_stored |= access.stores;
                    raw.stores.extend(access.stores.then_some((source, access.span)));
                }
                None if access.stores && !hashing.is_empty() => {
                    to.computes_slots = true;
                    let words: BTreeSet<&str> = hashing.iter().flat_map(|text| words(text)).collect();
                    let named = scope.constants().into_iter().filter(|(_, name, _)| words.contains(name));
                    to.seeds.extend(named.map(|(range, _, word)| (range, word)));
                }
                None => {}
            }
        }
        for call in calls.iter().filter(|call| is_inside(call.span)) {
            for parameter in self.parameters(source, call) {
                let stated = call.arguments.get(parameter.index as usize).and_then(|slot| scope.slot(slot));
                if let Some(stated) = stated.filter(|stated| !stated.is_standard()) {
                    let raw = self.raw_slot(to, stated, parameter.is_transient);
                    raw.is_stored |= parameter.stores;
                    raw.calls.push((source, call.span));
                }
            }
        }
        for mention in mentions.iter().filter(|mention| is_inside(mention.span)) {
            match &mention.variable {
                Some(variable) => drop(to.mentioned.insert(variable.clone())),
                None => to.hands_slots_around = true,
            }
        }
    }

    /// The texts of a function that computes hashes, and of the functions beside it that compute hashes and that it names; none if neither it
    /// nor any of those computes one.
    fn hashing(&self, source: SourceId, function: &Function, hashes: &[WrittenHash]) -> Vec<&'a str> {
        let source = self.build.source(source);
        let own = function.span.text(&source.text);
        let named: BTreeSet<&str> = words(own).collect();
        let is_beside = |node: &&Node| {
            let contract = source.ast.contract_at(node.span).map_or("", |contract| &contract.name);
            node.span == function.span || (contract == function.contract && named.contains(&*node.name))
        };
        let functions = hashes.iter().filter_map(|hash| source.ast.function_at(hash.span)).filter(is_beside);
        let mut texts: Vec<&str> = functions.map(|node| node.span.text(&source.text)).collect();
        if !texts.is_empty() {
            texts.push(own);
        }
        texts
    }

    /// What is known of a slot that assembly uses.
    fn raw_slot<'t>(&self, to: &'t mut Statements, stated: StatedSlot, is_transient: bool) -> &'t mut RawSlot {
        let key = |raw: &RawSlot| (raw.stated.slot, raw.stated.constant, raw.is_transient);
        let wanted = (stated.slot, stated.constant, is_transient);
        let index = to.raw.iter().position(|raw| key(raw) == wanted).unwrap_or_else(|| {
            let name = stated.constant.and_then(|constant| self.constant_name(constant));
            let (stores, calls) = (Vec::new(), Vec::new());
            to.raw.push(RawSlot { stated, name, is_transient, is_stored: false, stores, calls });
            to.raw.len() - 1
        });
        &mut to.raw[index]
    }

    /// The parameters of a function that is called which are slots.
    fn parameters(&'a self, source: SourceId, call: &'a SlotCall) -> impl Iterator<Item = &'a SlotParameter> {
        let sources = self.names.lineage(source, "").sources.clone();
        let all = sources.into_iter().flat_map(|id| &self.build.source(id).ast.placements.parameters);
        all.filter(|parameter| parameter.function == call.function && parameter.count as usize == call.arguments.len())
    }

    /// A struct with the names and types of its members, as a source knows it.
    fn members(&self, source: SourceId, structure: &str) -> Option<String> {
        let sources = &self.names.lineage(source, "").sources;
        let mut structs = sources.iter().flat_map(|id| &self.build.source(*id).ast.declarations.structs);
        let members = &structs.find(|known| known.name == structure)?.members;
        let told = members.iter().map(|member| format!("{} {}", member.ty, member.name));
        Some(std::iter::once(structure.to_owned()).chain(told).collect::<Vec<_>>().join("\n"))
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
    /// own write, and the optimizer keeps one copy of equal code: there each may.
    pub(super) fn sites(&self, program: &Program) -> Vec<bool> {
        let contract = self.build.contract(program.contract);
        let is_any = contract.is_through_ir() || contract.settings.contains("\"optimizer\":{\"enabled\":true");
        self.marked(program, &[opcode::SSTORE, opcode::TSTORE], |placements, span| {
            is_any
                || placements.members.iter().any(|write| write.span.contains(span))
                || placements.accesses.iter().any(|access| access.stores && access.block.contains(span))
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

/// The words of a text of Solidity.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '$'))
}
