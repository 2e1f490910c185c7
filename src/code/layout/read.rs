//! Reads the [`Layout`] of a contract of a build. Where what the compiler says and what the sources say does not fit together, there is
//! none: no verdict is better than one on a guess.

use super::{
    model::{Field, Layout},
    types::{Definitions, Type},
};
use crate::compile::{Build, ContractDeclaration, ContractId, SourceId, StructDeclaration, VariableDeclaration};
use alloy_primitives::{U256, U512, keccak256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The formula of ERC-7201, before the name of a namespace.
const FORMULA: &str = "erc7201:";
/// Structs within structs that are followed; chosen by hand.
const MAX_DEPTH: usize = 16;

impl Layout {
    /// The layout of a contract. `None` if the compiler gave none, or something in it is not understood.
    pub fn of(build: &Build, contract: ContractId) -> Option<Self> {
        let compiled = build.contract(contract);
        let said = compiled.storage.as_ref()?;
        let lineage = Lineage::of(build, compiled.source, &compiled.name);
        let mut reader = Reader::of(build, &lineage.sources);
        let mut declared: Vec<(SourceId, &VariableDeclaration)> = lineage.variables().collect();
        let mut layout = Self::default();
        for storage in &said.storage {
            let of_type = said.types.get(&storage.storage_type)?;
            let ty = reader.definitions.read(&of_type.label)?;
            let begin = (U512::from(storage.slot.parse::<U256>().ok()?) << 5) + U512::from(storage.offset as u64);
            let bytes = reader.bytes(&ty, 0)?;
            if bytes != of_type.number_of_bytes.parse::<U512>().ok()? {
                return None;
            }
            // Private variables of two bases may have one name: the one that comes first is the first base's.
            let at = declared.iter().position(|(_, variable)| variable.name == storage.label);
            let found = at.map(|at| declared.remove(at));
            let annotated = |read: fn(&VariableDeclaration) -> &Option<String>| {
                found.and_then(|(_, variable)| read(variable).clone())
            };
            layout.fields.push(Field {
                name: storage.label.clone(),
                ty,
                type_name: of_type.label.clone(),
                begin,
                end: begin + bytes,
                renamed_from: annotated(|variable| &variable.renamed_from),
                retyped_from: annotated(|variable| &variable.retyped_from),
                declaration: found.map(|(source, variable)| (source, variable.span)),
            });
        }
        for (source, definition) in lineage.structs(build) {
            let Some(name) = &definition.namespace else { continue };
            let fields = reader.members(source, definition, U512::from(namespace_slot(name)?) << 5, 0)?;
            layout.namespaces.insert(name.clone(), fields);
        }
        reader.finish(layout)
    }

    /// The layout of a struct, by its name as a source knows it, that begins at a slot: its members are the variables. `None` if something in
    /// it is not understood.
    pub fn of_struct(build: &Build, source: SourceId, name: &str, slot: U256) -> Option<Self> {
        let mut reader = Reader::of(build, &closure(build, source));
        let (of, definition) = *reader.declared.get(name)?;
        let fields = reader.members(of, definition, U512::from(slot) << 5, 0)?;
        // What begins in the last slots may go around.
        if fields.last().is_some_and(|last| last.end > U512::from(32) << 256_usize) {
            return None;
        }
        reader.finish(Self { fields, ..Self::default() })
    }

    /// The transient storage of a contract: its variables follow each other in the order of their declarations. `None` if something in it is
    /// not understood.
    pub fn of_transient(build: &Build, contract: ContractId) -> Option<Self> {
        let compiled = build.contract(contract);
        let lineage = Lineage::of(build, compiled.source, &compiled.name);
        let declared = lineage.contracts.iter().flat_map(|(source, contract)| {
            let variables = contract.transient.iter();
            variables.map(|variable| (*source, variable))
        });
        let mut reader = Reader::of(build, &lineage.sources);
        let fields = reader.place(declared, U512::ZERO, 0)?;
        reader.finish(Self { fields, ..Self::default() })
    }

    /// The contracts that are deployed behind a proxy, as far as something marks them so, each with the sources that it knows.
    pub fn upgradeable(build: &Build) -> Vec<(ContractId, Vec<SourceId>)> {
        let is_own = |id: &ContractId| {
            let contract = build.contract(*id);
            contract.is_deployable() && !build.source(contract.source).foreign && Self::is_upgradeable(build, *id)
        };
        let own = build.contract_ids().filter(is_own);
        own.map(|id| (id, closure(build, build.contract(id).source))).collect()
    }

    /// Whether a contract, or a base of it, is marked as one that is upgraded behind a proxy.
    pub fn is_upgradeable(build: &Build, contract: ContractId) -> bool {
        let compiled = build.contract(contract);
        let lineage = Lineage::of(build, compiled.source, &compiled.name);
        compiled.abi.function("proxiableUUID").is_some()
            || lineage.contracts.iter().any(|(_, contract)| contract.is_upgradeable)
    }
}

/// The first slot of a namespace; `None` for a formula that is not ERC-7201's.
fn namespace_slot(annotation: &str) -> Option<U256> {
    let name = annotation.strip_prefix(FORMULA)?;
    let inner = U256::from_be_bytes(keccak256(name).0).wrapping_sub(U256::from(1));
    Some(U256::from_be_bytes(keccak256(inner.to_be_bytes::<32>()).0) & !U256::from(0xff))
}

/// A contract with its bases, bases first, and the sources that they know, the nearest first.
pub(in crate::code) struct Lineage<'a> {
    pub(in crate::code) contracts: Vec<(SourceId, &'a ContractDeclaration)>,
    pub(in crate::code) sources: Vec<SourceId>,
}

impl<'a> Lineage<'a> {
    pub(in crate::code) fn of(build: &'a Build, source: SourceId, name: &str) -> Self {
        let mut lineage = Self { contracts: Vec::new(), sources: closure(build, source) };
        lineage.add(build, source, name, &mut BTreeSet::new());
        lineage
    }

    fn add(&mut self, build: &'a Build, from: SourceId, name: &str, seen: &mut BTreeSet<(SourceId, String)>) {
        let in_source = |id: &SourceId| {
            let declarations = &build.source(*id).ast.declarations;
            Some((*id, declarations.contracts.iter().find(|contract| contract.name == name)?))
        };
        let near = std::iter::once(&from).chain(&build.source(from).imports).chain(&self.sources);
        let Some((source, contract)) = near.filter_map(in_source).next() else { return };
        if seen.insert((source, name.to_owned())) {
            for base in &contract.bases {
                self.add(build, source, base, seen);
            }
            self.contracts.push((source, contract));
        }
    }

    fn variables(&self) -> impl Iterator<Item = (SourceId, &'a VariableDeclaration)> {
        self.contracts
            .iter()
            .flat_map(|(source, contract)| contract.variables.iter().map(|variable| (*source, variable)))
    }

    /// The structs that its contracts define.
    fn structs(&self, build: &'a Build) -> impl Iterator<Item = (SourceId, &'a StructDeclaration)> {
        self.contracts.iter().flat_map(|(source, contract)| {
            let structs = build.source(*source).ast.declarations.structs.iter();
            let of_contract = |definition: &&StructDeclaration| {
                definition.name.rsplit_once('.').is_some_and(|(of, _)| of == contract.name)
            };
            structs.filter(of_contract).map(|definition| (*source, definition))
        })
    }
}

/// A source and what it imports, directly or not, the nearest first.
fn closure(build: &Build, source: SourceId) -> Vec<SourceId> {
    let (mut found, mut seen, mut queue) = (Vec::new(), BTreeSet::from([source]), VecDeque::from([source]));
    while let Some(id) = queue.pop_front() {
        found.push(id);
        queue.extend(build.source(id).imports.iter().copied().filter(|imported| seen.insert(*imported)));
    }
    found
}

/// Reads types and lays out structs.
struct Reader<'a> {
    definitions: Definitions<'a>,
    declared: BTreeMap<&'a str, (SourceId, &'a StructDeclaration)>,
    /// Those that were laid out.
    structs: BTreeMap<String, Vec<Field>>,
}

impl<'a> Reader<'a> {
    fn of(build: &'a Build, sources: &[SourceId]) -> Self {
        let declarations = || sources.iter().map(|id| (*id, &build.source(*id).ast.declarations));
        let mut declared = BTreeMap::new();
        for (source, declarations) in declarations() {
            for definition in &declarations.structs {
                declared.entry(definition.name.as_str()).or_insert((source, definition));
            }
        }
        let definitions = Definitions::of(declarations().map(|(_, declarations)| declarations));
        Self { definitions, declared, structs: BTreeMap::new() }
    }

    /// The bytes that a variable of this type takes, to the end of its last slot where nothing else may share that.
    fn bytes(&mut self, ty: &Type, depth: usize) -> Option<U512> {
        let slot = U512::from(32);
        match ty {
            Type::Struct(name) => {
                self.lay_out(name, depth)?;
                let end = self.structs.get(name)?.last().map_or(U512::ZERO, |member| member.end);
                Some(end.div_ceil(slot) * slot)
            }
            Type::Array(item, Some(length)) => {
                let length = U512::from(*length);
                match item.packed_bytes() {
                    Some(bytes) => Some(length.div_ceil(U512::from(32 / bytes)) * slot),
                    None => Some(self.bytes(item, depth)? * length),
                }
            }
            other => Some(U512::from(other.packed_bytes().unwrap_or(32))),
        }
    }

    /// Lays out a struct, once.
    fn lay_out(&mut self, name: &str, depth: usize) -> Option<()> {
        if depth > MAX_DEPTH {
            return None;
        }
        if !self.structs.contains_key(name) {
            let (source, definition) = *self.declared.get(name)?;
            let members = self.members(source, definition, U512::ZERO, depth + 1)?;
            self.structs.insert(name.to_owned(), members);
        }
        Some(())
    }

    /// The members of a struct that begins at a slot.
    fn members(
        &mut self,
        source: SourceId,
        definition: &StructDeclaration,
        start: U512,
        depth: usize,
    ) -> Option<Vec<Field>> {
        self.place(definition.members.iter().map(|member| (source, member)), start, depth)
    }

    /// Places variables one after the other.
    fn place<'d>(
        &mut self,
        declared: impl Iterator<Item = (SourceId, &'d VariableDeclaration)>,
        start: U512,
        depth: usize,
    ) -> Option<Vec<Field>> {
        let (mut fields, mut next) = (Vec::new(), start);
        let slot = U512::from(32);
        for (source, member) in declared {
            let ty = self.definitions.read(&member.ty)?;
            let bytes = self.bytes(&ty, depth)?;
            let fits = ty.packed_bytes().is_some() && next % slot + bytes <= slot;
            let begin = if fits { next } else { next.div_ceil(slot) * slot };
            next = begin + bytes;
            fields.push(Field {
                name: member.name.clone(),
                type_name: member.ty.clone(),
                ty,
                begin,
                end: next,
                renamed_from: member.renamed_from.clone(),
                retyped_from: member.retyped_from.clone(),
                declaration: Some((source, member.span)),
            });
        }
        Some(fields)
    }

    /// The layout with all structs that it refers to.
    fn finish(mut self, mut layout: Layout) -> Option<Layout> {
        self.add_structs_of(&layout)?;
        layout.structs = self.structs;
        Some(layout)
    }

    /// Lays out the structs that are only reached through mappings and lists.
    fn add_structs_of(&mut self, layout: &Layout) -> Option<()> {
        let mut open: Vec<Type> =
            layout.fields.iter().chain(layout.namespaces.values().flatten()).map(|field| field.ty.clone()).collect();
        let mut seen = BTreeSet::new();
        while let Some(ty) = open.pop() {
            match ty {
                Type::Mapping(_, value) => open.push(*value),
                Type::Array(item, _) => open.push(*item),
                Type::Struct(name) => {
                    self.lay_out(&name, 0)?;
                    if seen.insert(name.clone()) {
                        open.extend(self.structs[&name].iter().map(|member| member.ty.clone()));
                    }
                }
                _ => {}
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slot_of_a_namespace_is_that_of_the_standard() {
        // The example of ERC-7201.
        let slot = "0x183a6125c38840424c4a85fa12bab2ab606c4b6d0e7cc73c0c06ba5300eab500".parse().ok();
        assert_eq!(namespace_slot("erc7201:example.main"), slot);
        assert_eq!(namespace_slot("erc9999:example.main"), None);
    }
}
