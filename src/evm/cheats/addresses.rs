//! The accounts and words that Foundry's tests take for granted.

use alloy_primitives::{Address, U256, address};

/// The account that tests call cheatcodes at: the last 20 bytes of the hash of `hevm cheat code`.
pub const CHEATCODE_ADDRESS: Address = address!("7109709ECfa91a80626fF3989D68f67F5b1DD12D");
/// The account that `console.log` calls: `console.log` as ASCII.
pub const CONSOLE_ADDRESS: Address = address!("000000000000000000636F6e736F6c652e6c6f67");
/// The account that forge deploys test contracts and calls them from.
pub const DEFAULT_SENDER: Address = address!("1804c8AB1F12E6bbf3894d4083f33e07309d1f38");
/// The address of a test contract: the second that [`DEFAULT_SENDER`] creates.
pub const TEST_ADDRESS: Address = address!("7FA9385bE102ac3EAc297483Dd6233D62b3e1496");
/// The contract that deploys for others by CREATE2, at the same address on most chains.
pub const CREATE2_FACTORY: Address = address!("4e59b44847b379578588920cA78FbF26c0B4956C");
/// Its code (`deterministic-deployment-proxy`).
pub(in crate::evm) const CREATE2_FACTORY_CODE: &[u8] = &alloy_primitives::hex!(
    "7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3"
);
/// The slot of [`CHEATCODE_ADDRESS`] that says that a test failed: `failed` as ASCII, at the left.
pub const FAILED_SLOT: U256 = U256::from_be_bytes({
    let (text, mut word, mut at) = (*b"failed", [0; 32], 0);
    while at < text.len() {
        word[at] = text[at];
        at += 1;
    }
    word
});
/// The data with which a run reverts that is not to count, since an assumption of the test does not hold.
pub const ASSUME: &[u8] = b"FOUNDRY::ASSUME";
/// The data with which a test reverts that is to be skipped; a reason may stand behind it.
pub const SKIP: &[u8] = b"FOUNDRY::SKIP";
/// The balance of test contracts and of their sender, in wei: 2^96 - 1.
pub(in crate::evm) const TEST_BALANCE: U256 = U256::from_limbs([u64::MAX, 0xffff_ffff, 0, 0]);
/// `block.gaslimit`, and the gas of a call of a test.
pub const TEST_GAS: u64 = 1 << 30;
