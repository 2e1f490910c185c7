//! The table of all cheatcodes: the families, in the order in which they are documented, and each cheatcode by its selector.

use super::{
    accounts, assert, assert_near, block,
    cheatcode::{CheatFamily, Cheatcode},
    contracts, env, expect_call, expect_emit, expect_revert, gas, keys, mock, prank, random, record, snapshots,
    structs, text, unsupported, versions,
};
use alloy_primitives::{keccak256, map::HashMap};
use std::sync::LazyLock;

/// All families of cheatcodes.
pub const FAMILIES: &[CheatFamily] = &[
    prank::FAMILY,
    block::FAMILY,
    accounts::FAMILY,
    expect_revert::FAMILY,
    expect_emit::FAMILY,
    expect_call::FAMILY,
    mock::FAMILY,
    record::FAMILY,
    snapshots::FAMILY,
    assert::EQUALITY,
    assert::ORDER,
    assert_near::FAMILY,
    keys::FAMILY,
    contracts::FAMILY,
    text::FAMILY,
    random::FAMILY,
    env::FAMILY,
    gas::FAMILY,
    versions::FAMILY,
    unsupported::FORKS,
    unsupported::FILES,
    unsupported::JSON,
];

/// Each cheatcode by its selector.
static BY_SELECTOR: LazyLock<HashMap<[u8; 4], &'static Cheatcode>> =
    LazyLock::new(|| all().map(|cheatcode| (cheatcode.selector(), cheatcode)).collect());

/// All cheatcodes, family by family.
pub fn all() -> impl Iterator<Item = &'static Cheatcode> {
    FAMILIES.iter().flat_map(|family| family.cheatcodes)
}

/// The cheatcode with this selector.
pub(super) fn find(selector: [u8; 4]) -> Option<&'static Cheatcode> {
    BY_SELECTOR.get(&selector).copied()
}

impl Cheatcode {
    /// The first four bytes of its calldata.
    pub fn selector(&self) -> [u8; 4] {
        let [first, second, third, fourth, ..] = keccak256(structs::expanded(self.signature)).0;
        [first, second, third, fourth]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_cheatcode_stands_in_the_table_once() {
        let mut known: HashMap<[u8; 4], &str> = HashMap::default();
        for cheatcode in all() {
            if let Some(other) = known.insert(cheatcode.selector(), cheatcode.signature) {
                panic!("{} and {other}", cheatcode.signature);
            }
        }
        assert_eq!(find([0xca, 0x66, 0x9f, 0xa7]).map(|prank| prank.signature), Some("prank(address)"));
    }
}
