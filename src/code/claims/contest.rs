//! [`Contests`] finds the slots that two have, in one program or in two that may run on one storage. Layouts are read only where two are
//! near each other.

use super::{
    owner::{Namespace, ProgramClaims, RawSlot},
    reader::{ClaimReader, Pointer, Statements},
    scope::StatedSlot,
    watch::{SlotRange, SlotWatch},
};
use crate::{
    code::{
        layout::{Field, Layout},
        program::{Program, ProgramId},
    },
    compile::{Build, ContractId},
};
use alloy_primitives::{U256, U512};
use std::{collections::BTreeMap, sync::Arc};

/// Slots that a struct takes at most; chosen by hand. What is further apart keeps apart.
const REACH: u64 = 1 << 20;
/// Bits of a slot that the compiler may give to a variable.
const LOW_BITS: usize = 64;

/// What is looked at while the programs of a build run.
#[derive(Debug, Default)]
pub struct Contests {
    watches: BTreeMap<ProgramId, Arc<SlotWatch>>,
}

/// Looks up the layout of a contract.
type Layouts<'a> = &'a dyn Fn(ContractId) -> Option<Arc<Layout>>;

/// What is kept at a place. Two are the same thing if this is equal: a library may be there in several copies.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Claim {
    /// A struct, with its name, and the names and types of its members.
    Struct(String),
    /// A constant of this name.
    Constant(String),
}

impl Contests {
    /// Reads all programs. `build` has to be the build of these programs.
    pub(in crate::code) fn of<'a>(
        build: &Build,
        programs: impl Iterator<Item = (ProgramId, &'a Arc<Program>)> + Clone,
        layouts: Layouts<'_>,
    ) -> Self {
        let Some(reader) = ClaimReader::of(build) else { return Self::default() };
        let stated = programs.clone().filter_map(|(id, program)| Some((id, program, reader.read(program)?)));
        let stated: Vec<(ProgramId, &Arc<Program>, Statements)> = stated.collect();
        let others = ForeignClaims::of(build, programs.map(|(_, program)| program), &stated);
        let mut contests = Self::default();
        for (id, program, statements) in stated {
            if let Some(watch) = watch(build, layouts, &reader, (program, statements), &others) {
                contests.watches.insert(id, Arc::new(watch));
            }
        }
        contests
    }

    /// What is looked at while a program runs; none if all in it keep apart.
    pub fn of_program(&self, id: ProgramId) -> Option<&Arc<SlotWatch>> {
        self.watches.get(&id)
    }

    /// Whether there is nothing to look at.
    pub fn is_empty(&self) -> bool {
        self.watches.is_empty()
    }

    /// Whether a TSTORE may be one to look at.
    pub fn looks_at_transient(&self) -> bool {
        self.watches.values().any(|watch| watch.looks_at_transient())
    }
}

/// What the programs of a build keep where, for those that run on the storage of another one.
struct ForeignClaims {
    /// By the first slot.
    kept: BTreeMap<U256, Vec<Claim>>,
    /// Whether some program has variables in the first slots and runs other code on them.
    delegates: bool,
}

impl ForeignClaims {
    fn of<'a>(
        build: &Build,
        mut programs: impl Iterator<Item = &'a Arc<Program>>,
        stated: &[(ProgramId, &Arc<Program>, Statements)],
    ) -> Self {
        let mut kept: BTreeMap<U256, Vec<Claim>> = BTreeMap::new();
        for (_, _, statements) in stated {
            for (slot, what) in statements.kept() {
                let there = kept.entry(slot).or_default();
                if !there.contains(&what) {
                    there.push(what);
                }
            }
        }
        let has_variables = |program: &Program| {
            let storage = build.contract(program.contract).storage.as_ref();
            storage.is_some_and(|storage| !storage.storage.is_empty())
        };
        let delegates = programs.any(|program| ClaimReader::delegates(program) && has_variables(program));
        Self { kept, delegates }
    }

    /// Whether another program may keep something else near a slot.
    fn contest(&self, slot: U256, what: &Claim) -> bool {
        let (first, last) = (slot.saturating_sub(U256::from(REACH)), slot.saturating_add(U256::from(REACH)));
        let mut near = self.kept.range(first..=last).flat_map(|(_, kept)| kept);
        (self.delegates && slot.bit_len() <= LOW_BITS) || near.any(|other| other != what)
    }
}

impl Statements {
    /// What it keeps where, in storage.
    fn kept(&self) -> impl Iterator<Item = (U256, Claim)> {
        let structs = self.pointers.iter().map(|pointer| (pointer.stated.slot, Claim::Struct(pointer.members.clone())));
        structs.chain(self.constants(true))
    }

    /// The constants that it stores under, or only loads.
    fn constants(&self, are_stored: bool) -> impl Iterator<Item = (U256, Claim)> {
        let raw = self.raw.iter().filter(move |raw| raw.is_stored == are_stored && !raw.is_transient);
        raw.filter_map(|raw| Some((raw.stated.slot, Claim::Constant(raw.name.clone()?))))
    }

    /// The slots that it names, in storage.
    fn slots(&self) -> impl Iterator<Item = U256> {
        let raw = self.raw.iter().filter(|raw| !raw.is_transient).map(|raw| raw.stated.slot);
        self.pointers.iter().map(|pointer| pointer.stated.slot).chain(raw)
    }
}

/// A range of slots, and whose it is.
struct Claimed {
    range: SlotRange,
    claimant: Claimant,
}

enum Claimant {
    Variable,
    Struct(StatedSlot),
    Raw(RawSlot),
}

impl Claimed {
    /// The slots that two have, unless they are meant to.
    fn meets(&self, other: &Self) -> Option<SlotRange> {
        let (first, last) = (self.range.0.max(other.range.0), self.range.1.min(other.range.1));
        let is_apart = match (&self.claimant, &other.claimant) {
            (Claimant::Variable, Claimant::Variable) => true,
            (Claimant::Variable | Claimant::Struct(_), Claimant::Struct(_))
            | (Claimant::Struct(_), Claimant::Variable) => false,
            (Claimant::Variable, Claimant::Raw(raw)) | (Claimant::Raw(raw), Claimant::Variable) => !raw.is_stored,
            (Claimant::Struct(stated), Claimant::Raw(raw)) | (Claimant::Raw(raw), Claimant::Struct(stated)) => {
                !raw.is_stored || raw.name.is_none() || raw.stated.is_related_to(stated)
            }
            (Claimant::Raw(one), Claimant::Raw(other)) => {
                let is_stored = one.is_stored || other.is_stored;
                !is_stored || one.name.is_none() || other.name.is_none() || one.stated.is_related_to(&other.stated)
            }
        };
        (first <= last && !is_apart).then_some((first, last))
    }
}

/// The variables of a layout.
fn variables(layout: &Layout) -> impl Iterator<Item = Claimed> {
    let fields = layout.fields.iter().filter(|field| !field.is_gap() && field.end > field.begin);
    fields.map(|field| {
        let slot = |byte: U512| (byte >> 5_usize).to::<U256>();
        Claimed { range: (slot(field.begin), slot(field.end - U512::from(1))), claimant: Claimant::Variable }
    })
}

fn raw(raw: &RawSlot) -> Claimed {
    Claimed { range: (raw.stated.slot, raw.stated.slot), claimant: Claimant::Raw(raw.clone()) }
}

/// The slots that two of them have.
fn contested(claimed: &[Claimed]) -> Vec<SlotRange> {
    let pairs =
        claimed.iter().enumerate().flat_map(|(index, one)| claimed[..index].iter().map(move |other| (one, other)));
    let mut ranges: Vec<SlotRange> = pairs.filter_map(|(one, other)| one.meets(other)).collect();
    ranges.sort_unstable();
    ranges.dedup();
    ranges
}

/// What is looked at while a program runs; none if nothing is.
fn watch<'a>(
    build: &'a Build,
    layouts: Layouts<'_>,
    reader: &'a ClaimReader<'a>,
    (program, statements): (&Program, Statements),
    others: &ForeignClaims,
) -> Option<SlotWatch> {
    let by_others: Vec<U256> =
        statements.kept().filter(|(slot, what)| others.contest(*slot, what)).map(|(slot, _)| slot).collect();
    let is_low = statements.slots().any(|slot| slot.bit_len() <= LOW_BITS);
    let says_where = says_where(build, program);
    let may_derive = statements.computes_slots && !statements.hands_slots_around;
    let stores_transient = statements.raw.iter().any(|raw| raw.is_stored && raw.is_transient);
    if by_others.is_empty() && !is_near(&statements) && !is_low && !says_where && !may_derive && !stores_transient {
        return None;
    }
    let layout = layouts(program.contract);
    let transient = (stores_transient && reader.has_transient(program))
        .then(|| Layout::of_transient(build, program.contract).map(Arc::new))
        .flatten();
    let mut claims = ProgramClaims {
        namespaces: Vec::new(),
        raw: statements.raw,
        layout,
        transient,
        mentioned: statements.mentioned,
        seeds: statements.seeds,
        hands_slots_around: statements.hands_slots_around,
        is_contested_by_others: !by_others.is_empty(),
    };
    let mut claimed: Vec<Claimed> = claims.layout.iter().flat_map(|layout| variables(layout)).collect();
    claimed.extend(claims.raw.iter().filter(|raw| !raw.is_transient).map(raw));
    let mut cross: Vec<SlotRange> = Vec::new();
    for Pointer { structure, stated, source, .. } in statements.pointers {
        let Some(layout) = Layout::of_struct(build, source, &structure, stated.slot) else { continue };
        let last = layout.fields.last().map_or(U512::ZERO, |field| field.end.saturating_sub(U512::from(1)));
        let range = (stated.slot, (last >> 5_usize).to::<U256>().max(stated.slot));
        if by_others.contains(&stated.slot) {
            cross.push(range);
        }
        claimed.push(Claimed { range, claimant: Claimant::Struct(stated.clone()) });
        claims.namespaces.push(Namespace { structure, stated, layout: Arc::new(layout) });
    }
    let is_raw = |slot: &&U256| claims.raw.iter().any(|raw| !raw.is_transient && raw.stated.slot == **slot);
    cross.extend(by_others.iter().filter(is_raw).map(|slot| (*slot, *slot)));
    let mut transient: Vec<Claimed> = claims.transient.iter().flat_map(|layout| variables(layout)).collect();
    transient.extend(claims.raw.iter().filter(|raw| raw.is_transient).map(raw));
    let by_hand = reader.hashes(program);
    let roots = if may_derive && by_hand.contains(&true) { roots(&claims) } else { Vec::new() };
    let mut watch = SlotWatch {
        contested: [contested(&claimed), cross].concat(),
        transient: contested(&transient),
        roots,
        by_hand,
        claims,
        ..SlotWatch::default()
    };
    if watch.contested.is_empty() && watch.transient.is_empty() && watch.roots.is_empty() {
        return None;
    }
    watch.sites = reader.sites(program);
    watch.find_lists();
    Some(watch)
}

/// Whether two of what a program names are near each other.
fn is_near(statements: &Statements) -> bool {
    let mut kept: Vec<(U256, Claim)> = statements.kept().chain(statements.constants(false)).collect();
    kept.sort_unstable();
    kept.windows(2).any(|pair| pair[1].0 - pair[0].0 <= U256::from(REACH) && pair[0].1 != pair[1].1)
}

/// Whether the contract says where its variables begin (`layout at`).
fn says_where(build: &Build, program: &Program) -> bool {
    let storage = build.contract(program.contract).storage.as_ref();
    let slots = storage.into_iter().flat_map(|storage| &storage.storage);
    slots.filter_map(|storage| storage.slot.parse::<U256>().ok()).any(|slot| slot.bit_len() > LOW_BITS)
}

/// The slots of variables that lead to others by a hash, and whose slots the code does not ask for.
fn roots(claims: &ProgramClaims) -> Vec<SlotRange> {
    let Some(layout) = &claims.layout else { return Vec::new() };
    let leads = |field: &&Field| field.ty.may_lead_elsewhere() && !claims.mentioned.contains(&field.name);
    let fields = layout.fields.iter().filter(|field| !field.is_gap()).filter(leads);
    let slot = |byte: U512| (byte >> 5_usize).to::<U256>();
    fields.map(|field| (slot(field.begin), slot(field.end - U512::from(1)))).collect()
}
