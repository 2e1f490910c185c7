//! The world of a test contract of Foundry: its `setUp()` is run, the contracts that it creates become instances, and the contract itself
//! says what invariants call. What the calls of such a world find is not known here.

mod plan;
mod suite;
mod targets;

pub(super) use plan::plan;
pub use suite::{TestRole, test_role};

use alloy_primitives::{Address, U256, address};

/// Who deploys test contracts, calls `setUp()` and the properties.
pub const CALLER: Address = address!("0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38");
/// The address of the test contract.
pub const TEST_CONTRACT: Address = address!("0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496");
/// The ether of the caller and of the test contract, in wei.
pub const BALANCE: U256 = U256::from_limbs([u64::MAX, 0xffff_ffff, 0, 0]);
