//! The interface of oracles. Which oracles there are is not known here.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    meta::OracleMeta,
    trial::Trial,
    violation::Violation,
    violations::Violations,
    weight::Weight,
};
use crate::{
    code::{ProgramId, Programs},
    compile::Build,
    evm::Instruments,
    input::CallTable,
};
use alloy_primitives::U256;

/// A judge of transactions.
pub trait Oracle: Send + Sync + std::fmt::Debug {
    /// Its name, title and default level.
    fn meta(&self) -> &'static OracleMeta;

    /// The facts that it reads. Only facts that an enabled oracle asks for are kept.
    fn needs(&self) -> Needs;

    /// The same on a build, for an oracle that looks at what the build's contracts have.
    fn needs_on(&self, _: &Build, _: &Programs) -> Needs {
        self.needs()
    }

    /// Whether it judges every transaction of a world with these calls, whatever it needs.
    fn judges_all(&self, _: &CallTable) -> bool {
        false
    }

    /// Whether it can find anything in a world with these calls. It is asked nothing there if not.
    fn applies_to(&self, _: &CallTable) -> bool {
        true
    }

    /// Judges the transaction that just ran.
    fn after_transaction(&self, execution: &Execution<'_>, violations: &mut Violations<'_>);

    /// Adds goals for the search, given a transaction that is kept.
    fn goals(&self, _execution: &Execution<'_>, _goals: &mut Vec<WriteGoal>) {}

    /// Weighs one of its violations, once it is confirmed: how serious it is at most, and why it is a defect. A claim that has an
    /// alternative is run against it in the trial. None if nothing is left of the claim then: another sequence may still prove it.
    fn weigh(&self, violation: &Violation, trial: &mut Trial<'_>) -> Option<Weight>;

    /// How a regression test can observe one of its violations when the sequence is replayed.
    ///
    /// # Errors
    ///
    /// Why a test does not see it, as it follows "because ".
    fn evidence(&self, violation: &Violation, replay: &Replay<'_>) -> Result<Evidence, &'static str>;
}

/// The facts that an oracle reads.
#[derive(Debug, Clone, Default)]
pub struct Needs {
    /// Whether it judges every transaction, and not only those in which something failed.
    pub every_transaction: bool,
    /// The instruments that keep what it reads.
    pub instruments: Instruments,
    /// Whether arithmetic is noted that nobody checks and whose result does not fit its type.
    pub arithmetic: bool,
}

/// A write to storage that the search should redirect to another slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteGoal {
    /// The program.
    pub program: ProgramId,
    /// The byte offset of the SSTORE in it.
    pub pc: u32,
    /// The distance of the slot from the slot that it should be.
    pub distance: U256,
}
