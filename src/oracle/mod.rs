//! An [`Oracle`] judges transactions: it reads the record of one and reports defects with their places. It sees facts, and does
//! not know how they came about or what becomes of its verdicts. Each oracle has a file, and a line in the list below
//! (CONTRIBUTING.md, "How to add an oracle").

mod arbitrary_jump;
pub(crate) mod arbitrary_write;
mod assertion;
mod attack;
mod block_number;
mod block_payment;
mod check;
mod checked_arithmetic;
mod compiler_check;
mod delegatecall;
mod ether_theft;
mod evidence;
mod exception_disorder;
mod execution;
mod frozen_ether;
mod getter;
mod interface;
mod layout_change;
mod layout_collision;
mod meta;
mod overflow;
mod place;
mod property;
mod reentrancy;
mod requirement;
mod self_destruct;
mod set;
mod settings;
mod slot_collision;
mod timestamp;
mod trial;
mod unchecked_call;
mod violation;
mod violations;
mod weight;

pub use self::{
    arbitrary_write::SENTINEL_SLOT,
    evidence::{Compared, Evidence, Expected, Getter, Replay, StoredRead, StoredWord},
    execution::Execution,
    interface::{Needs, Oracle, WriteGoal},
    meta::OracleMeta,
    set::OracleSet,
    settings::SETTINGS,
    trial::{
        Arrival, ComparedWord, Difference, Moved, Mover, OutOfOrder, Reentry, Share, StatedComparison, StatedSides,
        StrangerPower, Strangers, Theft, Trial,
    },
    violation::{Cause, Place, PlaceKind, Violation},
    violations::Violations,
    weight::{Grounds, Overwriting, Weight},
};
pub(crate) use self::{
    layout_change::{LAYOUT_CHANGE, is_layout_change, layout_change},
    set::is_stated,
    trial::{LastCall, OpenCall},
};
use crate::project::Config;

/// All oracles, in the order in which they are asked, and in which documents and settings list them.
static ORACLES: &[&dyn Oracle] = &[
    &assertion::Assertion,
    &compiler_check::CompilerCheck,
    &checked_arithmetic::CheckedArithmetic,
    &arbitrary_write::ArbitraryWrite,
    &arbitrary_jump::ArbitraryJump,
    &delegatecall::Delegatecall,
    &self_destruct::SelfDestruct,
    &reentrancy::Reentrancy,
    &ether_theft::EtherTheft,
    &unchecked_call::UncheckedCall,
    &exception_disorder::ExceptionDisorder,
    &requirement::Requirement,
    &frozen_ether::FrozenEther,
    &timestamp::Timestamp,
    &block_number::BlockNumber,
    &layout_collision::LayoutCollision,
    &layout_change::LayoutChange,
    &slot_collision::SlotCollision,
    &overflow::Overflow,
    &property::PropertyHolds,
];

/// All oracles.
pub fn all() -> impl Iterator<Item = &'static dyn Oracle> {
    ORACLES.iter().copied()
}

/// The oracles that `config` does not switch off everywhere.
pub fn enabled(config: &Config) -> impl Iterator<Item = &'static dyn Oracle> {
    all().filter(|oracle| config.looks_for(oracle.meta().id))
}

/// The oracle of this name.
pub fn find(id: &str) -> Option<&'static dyn Oracle> {
    all().find(|oracle| oracle.meta().id == id)
}

impl OracleMeta {
    /// The descriptions of all oracles, in the order in which documents and settings list them.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        all().map(|oracle| oracle.meta())
    }

    /// The description of the oracle with this name.
    #[must_use]
    pub fn of(id: &str) -> Option<&'static Self> {
        Self::all().find(|meta| meta.id == id)
    }

    /// The names of all oracles, in order.
    pub fn ids() -> impl Iterator<Item = &'static str> {
        Self::all().map(|meta| meta.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{code::Programs, compile::Build, project::Level};
    use std::sync::Arc;

    #[test]
    fn nobody_pays_for_what_no_oracle_asks_for() {
        let build = Arc::new(Build::default());
        let programs = Arc::new(Programs::of(&build));
        let instruments = |level| {
            let oracles = [("arbitrary-write".to_owned(), level)].into();
            let config = Config { oracles, ..Config::default() };
            OracleSet::new(build.clone(), programs.clone(), enabled(&config)).instruments().clone()
        };
        let (on, off) = (instruments(Level::Hint), instruments(Level::Off));
        assert_eq!((on.watches.len(), off.watches.len()), (1, 0));
        assert!(
            [on, off].iter().all(|asked| !asked.calls && !asked.storage && !asked.logs && asked.arithmetic.is_none())
        );
    }
}
