//! The interface of oracles: an [`Oracle`] reads what a transaction showed and says what is wrong, and where. Which oracles there are is
//! not known here.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    meta::OracleMeta,
    violation::Violation,
    violations::Violations,
};
use crate::{code::ProgramId, evm::Instruments};
use alloy_primitives::U256;

/// A judge of transactions.
pub trait Oracle: Send + Sync + std::fmt::Debug {
    /// What people see of it: name, title, default level.
    fn meta(&self) -> &'static OracleMeta;

    /// What it looks at. Nobody pays for what no oracle asks for that is switched on.
    fn needs(&self) -> Needs;

    /// Judges a transaction that was just run.
    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>);

    /// Adds what the search should aim at, for having seen a transaction that is kept.
    fn goals(&self, _execution: &Execution<'_>, _goals: &mut Vec<WriteGoal>) {}

    /// How a regression test sees one of its violations, when the sequence is replayed.
    ///
    /// # Errors
    ///
    /// Why a test does not see it, as it follows "because ".
    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str>;
}

/// What an oracle looks at.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// Whether it judges every transaction, and not only those in which something failed.
    pub every_transaction: bool,
    /// The instruments that keep what it reads.
    pub instruments: Instruments,
}

/// A write that the search should move to where an oracle wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteGoal {
    /// The program.
    pub program: ProgramId,
    /// The position of the SSTORE in it.
    pub pc: u32,
    /// How far the slot was from the one that it should be.
    pub distance: U256,
}
