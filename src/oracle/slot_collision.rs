//! `slot-collision`: a write at a slot that the code chose by itself changes another thing that is kept there (SWC-124): two structs that
//! pointers put at one position, a constant of assembly that is the slot of a variable or of another constant, or a hash by hand that
//! leads to a value of a declared mapping; also in transient storage. It is proven by the write. Who has which slot follows from the
//! sources and the compiler's layout (`code/claims/`).
//!
//! Nothing is claimed where the two are meant to be one: members of one struct, also within another one; the same name and type; a constant
//! that the other one is made of, or that is named after the variable; variables whose slot the code asks for; the slots of ERC-1967. Nor
//! where the caller chooses the slot, which is `arbitrary-write`.

use super::{
    evidence::{Evidence, Getter, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    place::Sought,
    trial::Trial,
    violation::{Cause, Place, PlaceKind, Violation},
    violations::Violations,
    weight::{Grounds, Overwriting, Weight},
};
use crate::{
    code::{OwnerKind, ProgramClaims, ProgramId, Programs, RawSlot, SlotOwner, Stage},
    compile::{Build, MemberWrite, NodeKind, Placements, RawAccess, SourceId, SourceRange},
    evm::{Failure, FailureKind, Instruments, PlacedWrite, Snapshot},
    input::InstanceId,
    project::Level,
};
use alloy_primitives::Address;
use revm::bytecode::opcode;
use std::collections::BTreeSet;

/// Words of an account that are looked at for addresses of code that it runs; chosen by hand.
const MAX_WORDS: usize = 1024;
/// Blocks before a write in which the call is looked for that passes the slot; chosen by hand.
const MAX_WAY_BACK: usize = 12;
/// Letters that a name has at least to be recognised in another one; chosen by hand.
const MIN_NAME: usize = 3;

const META: OracleMeta = oracle_meta! {
    id: "slot-collision",
    title: "Two variables share a storage slot",
    swc: "124",
    level: Level::Error,
    description: "A write to a slot that the code chose by itself changes another variable that is kept there",
};

#[derive(Debug)]
pub(super) struct SlotCollision;

impl Oracle for SlotCollision {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn needs_on(&self, build: &Build, programs: &Programs) -> Needs {
        let contests = programs.contests(build);
        let contests = (!contests.is_empty()).then(|| contests.clone());
        Needs { instruments: Instruments { contests, ..Instruments::default() }, ..Needs::default() }
    }

    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>) {
        let mut told = BTreeSet::new();
        for (index, failure) in execution.observation().failures.iter().enumerate() {
            let FailureKind::PlacedWrite(write) = failure.kind else { continue };
            let code = BuildCode { build: execution.build, programs: execution.programs };
            let sought = Sought { fits: &|kind| kind == NodeKind::Write, made_by_itself: true, narrow: |_, node| node };
            let place = code.place(failure, &write, execution.before());
            let place = place.or_else(|| violations.expression(execution, index, &sought));
            let Some(place) = place.filter(|place| !told.contains(place)) else { continue };
            let met = code.meets(failure, &write, place, execution.before());
            let lasts =
                |met: &Collision| write.is_transient || is_changed(&write, met, execution.before(), execution.after());
            if let Some(met) = met.filter(lasts) {
                told.insert(place);
                violations.add_failure(index, place, Cause::Collision(met.rival.declaration, met.written));
            }
        }
    }

    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight> {
        let shown = trial.shown(violation)?;
        let FailureKind::PlacedWrite(write) = shown.failure.kind else { return None };
        let code = BuildCode { build: &trial.harness().build, programs: &trial.harness().programs };
        let Collision { rival, written } = code.meets(&shown.failure, &write, violation.place, &shown.before)?;
        let (before, after) = match write.is_transient {
            true => (write.before, write.after),
            false => (shown.before.slot(write.account, write.slot), shown.after.slot(write.account, write.slot)),
        };
        // A number that nobody named may be meant.
        let (source, span) = written;
        let is_named = code.build.source(source).ast.declared(span).is_some();
        let most = if is_named { Level::Error } else { Level::Warning };
        let overwriting = Overwriting {
            variable: (rival.declaration, rival.part),
            written,
            write,
            words: [before, after],
            preimages: shown.preimages,
        };
        Some(Weight::at_most(most, Grounds::Overwrites(Box::new(overwriting))))
    }

    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str> {
        let code = BuildCode { build: &replay.harness.build, programs: &replay.harness.programs };
        let shown = replay.failures.iter().find_map(|failure| {
            let FailureKind::PlacedWrite(write) = failure.kind else { return None };
            let met = code.meets(failure, &write, violation.place, &replay.before)?;
            let is_it = violation.cause == Cause::Collision(met.rival.declaration, met.written);
            is_it.then_some((failure, write, met))
        });
        let (failure, write, Collision { rival, written }) = shown.ok_or("nothing is overwritten any more")?;
        if write.is_transient {
            return Err("transient storage is empty again after the call");
        }
        if replay.is_deployment {
            return Err("it happens while the contract is deployed, before anybody can ask for the variable");
        }
        let main = replay.harness.calls.main().address;
        let others = replay.writes.iter().filter(|other| (other.address, other.slot) == (write.account, write.slot));
        let is_this = |at: (ProgramId, u32)| at == (failure.program, failure.pc);
        if write.account != main || others.clone().any(|other| !other.at.is_some_and(is_this)) {
            return Err(
                "the same call writes to the variable in another way as well, or the variable is one of another contract",
            );
        }
        let names = [rival.declaration, written].map(|(source, span)| code.build.source(source).ast.declared(span));
        let [Some((name, _)), own] = names else { return Err("the variable has no name") };
        let getters = Getter::candidates(replay, InstanceId::MAIN, name, own.map(|(name, _)| name));
        getters
            .into_iter()
            .find(|getter| replay.alters(getter))
            .map(Evidence::Alters)
            .ok_or("no function returns the variable that is overwritten, and a test of its slot would stay red where the variable is moved")
    }
}

/// Whether a variable has other bytes after a transaction than before.
fn is_changed(write: &PlacedWrite, met: &Collision, before: &Snapshot, after: &Snapshot) -> bool {
    let word = |state: &Snapshot| state.slot(write.account, write.slot);
    !((word(before) ^ word(after)) & met.rival.part.mask).is_zero()
}

/// Two that have the same bytes of a slot.
struct Collision {
    /// What is overwritten.
    rival: SlotOwner,
    /// As what it is written: the declaration of a member or a constant, or else the slot as it stands there.
    written: SourceRange,
}

/// As what something is written.
enum WriteTarget<'a> {
    /// As what is stored under a constant, or a number.
    Raw(&'a RawSlot),
    /// As a member of a struct.
    Members(Vec<&'a MemberWrite>),
    /// As what a hash leads to that the code computed by itself.
    ByHand,
}

/// The code that runs.
struct BuildCode<'a> {
    build: &'a Build,
    programs: &'a Programs,
}

impl<'a> BuildCode<'a> {
    fn claims(&self, program: ProgramId) -> Option<&'a ProgramClaims> {
        self.programs.contests(self.build).of_program(program).map(|watch| watch.claims())
    }

    /// Where a write comes from, and what was run before it, the latest first. Through the IR a function of the compiler's own writes, and of
    /// equal code the optimizer keeps one copy, so that the write may have the place of another one.
    fn way(&self, failure: &Failure) -> impl Iterator<Item = SourceRange> {
        let program = self.programs.get(failure.program).as_ref();
        let blocks = failure.history.iter().rev().skip(1).take(MAX_WAY_BACK);
        let before = blocks.flat_map(|block| program.instructions_of(program.block(*block)).iter().rev());
        let before = before.map(|instruction| instruction.pc);
        std::iter::once(failure.pc).chain(before).filter_map(|pc| program.range(pc))
    }

    /// The place of a write that says by itself where it is: an `sstore`, a call that passes the slot, or a write to a member of a struct.
    fn place(&self, failure: &Failure, write: &PlacedWrite, before: &Snapshot) -> Option<Place> {
        let owners = self.owners(failure.program, write, before)?;
        let is_stated = |raw: &&RawSlot| {
            let is_slot = (raw.stated.slot, raw.is_transient) == (write.slot, write.is_transient);
            is_slot && write.derivation.is_none()
        };
        let raw: Vec<&RawSlot> = self.claims(failure.program)?.raw.iter().filter(is_stated).collect();
        let found = self.way(failure).find_map(|range| {
            let stores = raw.iter().flat_map(|raw| &raw.stores).filter(|store| self.is_store_at(write, **store, range));
            let calls = raw.iter().flat_map(|raw| &raw.calls).filter(|call| **call == range);
            let members = self.build.source(range.0).ast.placements.members.iter();
            let is_it = |member: &&MemberWrite| {
                let is_owner = |owner: &SlotOwner| owner.is_member(&member.structure, &member.member);
                member.span.contains(range.1) && owners.iter().any(is_owner)
            };
            let members = members.filter(is_it).map(|member| (range.0, member.span));
            stores.chain(calls).copied().chain(members).min_by_key(|at| at.1.len())
        });
        // What computes its slot is known by the instruction alone.
        let computed = || {
            let range = self.way(failure).next()?;
            let stores = self.stores(range.0, write).map(|store| (range.0, store.span));
            stores.filter(|store| self.is_store_at(write, *store, range)).min_by_key(|at| at.1.len())
        };
        let (source, span) = found.or_else(computed)?;
        Some(Place { source, span, kind: PlaceKind::Span })
    }

    /// The writes of assembly of a source, to storage or to transient storage.
    fn stores(&self, source: SourceId, write: &PlacedWrite) -> impl Iterator<Item = &'a RawAccess> {
        let is_transient = write.is_transient;
        let accesses = self.build.source(source).ast.placements.accesses.iter();
        accesses.filter(move |access| access.stores && access.is_transient == is_transient)
    }

    /// Whether code comes from a write of assembly. Through the IR all that is known is the block.
    fn is_store_at(&self, write: &PlacedWrite, store: SourceRange, (source, span): SourceRange) -> bool {
        let is_block = |access: &RawAccess| access.span == store.1 && access.block == span;
        store.0 == source && (store.1.contains(span) || self.stores(source, write).any(is_block))
    }

    /// What has the bytes that a write changes; what the compiler placed comes first.
    fn owners(&self, program: ProgramId, write: &PlacedWrite, before: &Snapshot) -> Option<Vec<SlotOwner>> {
        let claims = self.claims(program)?;
        let mut owners = claims.owners(write.slot, write.derivation.as_ref(), write.is_transient);
        if claims.is_contested_by_others && !write.is_transient {
            owners.extend(self.owners_of_others(program, write, before));
        }
        let mut known = BTreeSet::new();
        owners.retain(|owner| {
            !(owner.part.mask & write.changed()).is_zero() && known.insert((owner.declaration, owner.part.name.clone()))
        });
        Some(owners)
    }

    /// What a write changes that it is not meant for; none if it is meant for what is there, or nobody knows what it is meant for.
    fn meets(&self, failure: &Failure, write: &PlacedWrite, place: Place, before: &Snapshot) -> Option<Collision> {
        let claims = self.claims(failure.program)?;
        let owners = self.owners(failure.program, write, before)?;
        match self.written(claims, place, write)? {
            WriteTarget::Raw(raw) => self.met_by_raw(owners, raw, self.written_slot(place)),
            WriteTarget::Members(writes) => {
                let is_meant =
                    |owner: &&SlotOwner| writes.iter().any(|write| owner.is_member(&write.structure, &write.member));
                let meant: Vec<SlotOwner> = owners.iter().filter(is_meant).cloned().collect();
                match meant.first() {
                    Some(first) => {
                        let written = first.declaration;
                        let rival = owners.into_iter().find(|owner| is_rival(owner, &meant))?;
                        Some(Collision { rival, written })
                    }
                    None if write.by_hand => self.met_by_hand(claims, owners, write, place),
                    None => None,
                }
            }
            WriteTarget::ByHand => self.met_by_hand(claims, owners, write, place),
        }
    }

    fn met_by_hand(
        &self,
        claims: &ProgramClaims,
        owners: Vec<SlotOwner>,
        write: &PlacedWrite,
        place: Place,
    ) -> Option<Collision> {
        if claims.hands_slots_around {
            return None;
        }
        let is_rival = |owner: &SlotOwner| matches!(owner.kind, OwnerKind::Variable { is_mentioned: false });
        let rival = owners.into_iter().find(is_rival)?;
        let root = write.derivation?.root;
        let seed = claims.seeds.iter().find(|(_, word)| *word == root).map(|(range, _)| *range);
        if let Some((source, span)) = seed
            && let Some((name, _)) = self.build.source(source).ast.declared(span)
            && is_named_after(name, &rival.part.name)
        {
            return None;
        }
        let written = seed.unwrap_or_else(|| self.written_slot(place));
        Some(Collision { rival, written })
    }

    /// What a write under a constant or a number changes.
    fn met_by_raw(&self, owners: Vec<SlotOwner>, raw: &RawSlot, written: SourceRange) -> Option<Collision> {
        // What is only loaded under another name may have that name for it elsewhere.
        let is_beside = |declaration: SourceRange| {
            let contract = |(source, span): SourceRange| {
                (source, self.build.source(source).ast.contract_at(span).map(|it| it.span))
            };
            raw.stated.constant.is_some_and(|constant| contract(constant) == contract(declaration))
        };
        let is_rival = |owner: &SlotOwner| match (&owner.kind, &raw.name) {
            (OwnerKind::Variable { is_mentioned }, None) => !is_mentioned,
            (OwnerKind::Variable { is_mentioned }, Some(name)) => {
                !is_mentioned && !is_named_after(name, &owner.part.name)
            }
            // A number may stand for a constant.
            (OwnerKind::Member(_) | OwnerKind::Constant(..), None) => false,
            (OwnerKind::Member(stated), Some(_)) => !stated.is_related_to(&raw.stated),
            (OwnerKind::Constant(stated, is_stored), Some(name)) => {
                (*is_stored || is_beside(owner.declaration))
                    && Some(owner.declaration) != raw.stated.constant
                    && !stated.is_related_to(&raw.stated)
                    && !is_named_after(name, &owner.part.name)
                    && !is_named_after(&owner.part.name, name)
            }
        };
        let rival = owners.into_iter().find(is_rival)?;
        let written = raw.stated.constant.unwrap_or(written);
        Some(Collision { rival, written })
    }

    /// As what a place writes.
    fn written(&self, claims: &'a ProgramClaims, place: Place, write: &PlacedWrite) -> Option<WriteTarget<'a>> {
        let placements = &self.build.source(place.source).ast.placements;
        let is_raw = placements.accesses.iter().any(|access| access.stores && access.span == place.span);
        let is_inside = |(source, span): &SourceRange| *source == place.source && place.span.contains(*span);
        let is_it = |raw: &&RawSlot| {
            raw.stated.slot == write.slot
                && raw.is_transient == write.is_transient
                && write.derivation.is_none()
                && (raw.stores.contains(&(place.source, place.span)) || raw.calls.iter().any(is_inside))
        };
        let mut raw = claims.raw.iter().filter(is_it);
        match (raw.next(), raw.next()) {
            (Some(raw), None) => return Some(WriteTarget::Raw(raw)),
            // Two constants in one expression: which is written is not known.
            (Some(_), Some(_)) => return None,
            (None, _) => {}
        }
        if is_raw {
            return write.by_hand.then_some(WriteTarget::ByHand);
        }
        let members = placements.members.iter().filter(|member| member.span == place.span);
        Some(WriteTarget::Members(members.collect())).filter(|_| !write.is_transient)
    }

    /// The slot as a place has it.
    fn written_slot(&self, place: Place) -> SourceRange {
        let Placements { accesses, members, .. } = &self.build.source(place.source).ast.placements;
        let store =
            accesses.iter().find(|access| access.stores && access.span == place.span).map(|store| store.written);
        let target = || members.iter().find(|member| member.span == place.span).map(|member| member.target);
        (place.source, store.or_else(target).unwrap_or(place.span))
    }

    /// What other programs keep in a slot that run on the same storage: the account's own, and those whose addresses it stores.
    fn owners_of_others(&self, program: ProgramId, write: &PlacedWrite, before: &Snapshot) -> Vec<SlotOwner> {
        let code = before.code(write.account);
        let Some(own) = self.programs.recognise(&code, Stage::Runtime).first().copied() else { return Vec::new() };
        let mut sharing = BTreeSet::from([own]);
        if self.programs.get(own).has_opcode(opcode::DELEGATECALL) {
            for word in before.words(write.account).take(MAX_WORDS) {
                let accounts = word.to_be_bytes::<32>();
                let accounts =
                    accounts.windows(20).map(Address::from_slice).filter(|account| before.has_code(*account));
                let programs = accounts.map(|account| self.programs.recognise(&before.code(account), Stage::Runtime));
                sharing.extend(programs.filter_map(|programs| programs.first().copied()));
            }
        }
        let contract = self.programs.get(program).contract;
        let others = sharing.into_iter().filter(|other| self.programs.get(*other).contract != contract);
        let owners = others.flat_map(|other| {
            let of_layout = || ProgramClaims {
                layout: self.programs.layout(self.build, self.programs.get(other).contract),
                ..ProgramClaims::default()
            };
            let claims = self.claims(other).cloned().unwrap_or_else(of_layout);
            claims.owners(write.slot, write.derivation.as_ref(), write.is_transient)
        });
        owners.collect()
    }
}

/// Whether something is kept where a member of a struct is that a write is meant for.
fn is_rival(owner: &SlotOwner, meant: &[SlotOwner]) -> bool {
    let is_apart = |meant: &SlotOwner| {
        let is_related = match (&owner.kind, &meant.kind) {
            (OwnerKind::Constant(one, is_stored), OwnerKind::Member(other)) => !is_stored || one.is_related_to(other),
            _ => false,
        };
        !is_related && owner.declaration != meant.declaration && !owner.part.is_alike(&meant.part)
    };
    meant.iter().all(is_apart)
}

/// Whether a constant is named after a variable, as `OWNER_SLOT` is after `_owner`.
fn is_named_after(constant: &str, variable: &str) -> bool {
    let plain = |name: &str| name.replace('_', "").to_lowercase();
    let variable = plain(variable.split(['.', '[']).next().unwrap_or_default());
    variable.len() >= MIN_NAME && plain(constant).contains(&variable)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_that_are_named_after_variables() {
        for (constant, variable, expected) in [
            ("OWNER_SLOT", "_owner", true),
            ("feeRecipientPosition", "feeRecipient", true),
            ("BALANCES_SEED", "balances[…]", true),
            ("POSITION", "owner", false),
            ("SLOT_A", "a", false),
        ] {
            assert_eq!(is_named_after(constant, variable), expected, "{constant} {variable}");
        }
    }
}
