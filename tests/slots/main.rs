//! Things that meet in one slot of storage, and near misses: what is meant to be one, what keeps apart, and what the caller chooses.

mod apart;
mod meet;
mod source;
#[path = "../support/mod.rs"]
mod support;

use expect_test::Expect;
use support::{sandbox::Sandbox, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_for("^0.8.20", contract, expected);
}

fn check_for(solc: &str, contract: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", &format!("pragma solidity {solc};\n{contract}"));
    expected.assert_eq(&told::findings(&mut sandbox));
}

/// A library that keeps these members at this position, and gives a pointer to them.
fn library(name: &str, position: &str, members: &str) -> String {
    format!(
        "library {name} {{ struct Data {{ {members} }} bytes32 internal constant POSITION = {position};
            function data() internal pure returns (Data storage d) {{ bytes32 p = POSITION; assembly {{ d.slot := p }} }} }}\n"
    )
}
