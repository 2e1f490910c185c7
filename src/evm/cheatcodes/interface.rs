//! Declarations of cheatcodes in Solidity, for tests that declare the ones that they use.

use super::{
    cheatcode::{Cheatcode, Support},
    structs, table,
};
use std::collections::BTreeSet;

/// `interface Vm { … }` with all forms of the cheatcodes of these names, each declaration on its own line. Names of which there is no
/// cheatcode are left out.
pub fn interface(names: &[&str]) -> String {
    let is_wanted = |cheatcode: &&Cheatcode| {
        names.contains(&cheatcode.name()) && !matches!(cheatcode.support, Support::Unsupported(_))
    };
    let wanted: Vec<&Cheatcode> = table::all().filter(is_wanted).collect();
    let types = |cheatcode: &&Cheatcode| [list(parameters(cheatcode)), list(cheatcode.returns)].concat();
    let structs: BTreeSet<String> = wanted.iter().flat_map(types).filter_map(structs::definition).collect();
    let functions = wanted.iter().map(|cheatcode| declaration(cheatcode));
    let lines: Vec<String> = structs.into_iter().chain(functions).map(|line| format!("    {line}\n")).collect();
    format!("interface Vm {{\n{}}}\n", lines.concat())
}

/// The types of a cheatcode's parameters.
fn parameters(cheatcode: &Cheatcode) -> &'static str {
    cheatcode.signature[cheatcode.name().len()..].trim_matches(['(', ')'])
}

/// The types in a list.
fn list(types: &'static str) -> Vec<&'static str> {
    types.split(',').filter(|kind| !kind.is_empty()).collect()
}

/// `function prank(address) external;`
fn declaration(cheatcode: &Cheatcode) -> String {
    let all = |types: &'static str, place: &str| {
        let types = list(types).into_iter().map(|kind| match structs::is_in_memory(kind) {
            true => format!("{} {place}", structs::declared(kind)),
            false => structs::declared(kind).to_owned(),
        });
        types.collect::<Vec<_>>().join(", ")
    };
    let returns = all(cheatcode.returns, "memory");
    let returns = if returns.is_empty() { returns } else { format!(" returns ({returns})") };
    format!("function {}({}) external{returns};", cheatcode.name(), all(parameters(cheatcode), "calldata"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn what_is_asked_for_is_declared() {
        let expected = expect![[r#"
            interface Vm {
                struct Log { bytes32[] topics; bytes data; address emitter; }
                struct Wallet { address addr; uint256 publicKeyX; uint256 publicKeyY; uint256 privateKey; }
                function stopPrank() external;
                function getRecordedLogs() external returns (Log[] memory);
                function createWallet(string calldata) external returns (Wallet memory);
                function createWallet(uint256) external returns (Wallet memory);
                function createWallet(uint256, string calldata) external returns (Wallet memory);
                function isContext(uint8) external returns (bool);
            }
        "#]];
        let names = ["stopPrank", "createWallet", "getRecordedLogs", "isContext", "nothingOfTheKind"];
        expected.assert_eq(&interface(&names));
    }
}
