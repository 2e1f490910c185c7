//! `cheats` is the memory of cheatcodes: [`CheatState`] is kept in a snapshot from one transaction to the next, and [`Cheats`] belongs to
//! the transaction that runs. What the cheatcodes do to the EVM is not known here (`cheatcodes/`).

mod addresses;
mod artifacts;
mod expected_calls;
mod expected_emits;
mod expected_revert;
mod mocks;
mod prank;
mod recorded;
mod running;
mod state;

pub use addresses::{
    ASSUME, CHEATCODE_ADDRESS, CONSOLE_ADDRESS, CREATE2_FACTORY, DEFAULT_SENDER, FAILED_SLOT, SKIP, TEST_ADDRESS,
    TEST_GAS,
};
pub(in crate::evm) use addresses::{CREATE2_FACTORY_CODE, TEST_BALANCE};
pub use artifacts::{Artifacts, BuildArtifacts};
pub(in crate::evm) use expected_calls::{ExpectedCall, ExpectedCreate};
pub(in crate::evm) use expected_emits::{EmitChecks, EmitEnd};
pub(in crate::evm) use expected_revert::{AcceptedRevert, AssumedNoRevert, ExpectedRevert, RevertEnd};
pub(in crate::evm) use mocks::{Mock, MockAnswer};
pub(in crate::evm) use prank::{Broadcast, Prank};
pub(in crate::evm) use running::{Cheats, Deployment, MAX_EXPECTED};
pub(in crate::evm) use state::{CheatState, KeptState, MAX_NAMED};
