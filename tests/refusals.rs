//! Why a constructor refuses, as it is told: how it ends, and which parameters have to be contracts. Each of the contracts cannot be
//! deployed with what is there, and each sentence about a parameter was shown by running.

mod support;

use bellwether::project::Config;
use support::{campaign::fuzz_build, sandbox::Sandbox};

const TOKEN: &str = "interface IToken {
    function decimals() external view returns (uint8);
    function name() external view returns (string memory);
    function isToken() external view returns (bool);
}
library Check {
    error NotAContract(address account);
    function contractAt(address account) internal view { if (account.code.length == 0) revert NotAContract(account); }
}
";

/// The reason that is told of a contract with this constructor.
fn why(constructor: &str) -> String {
    let mut sandbox = Sandbox::single(&format!("{TOKEN}contract C {{ {constructor} function f() external {{}} }}"));
    let ended = fuzz_build(&sandbox.build(), &Config::default(), 1, 100);
    assert_eq!(ended.errors.len(), 1, "{:#?}", ended.errors);
    let told = ended.errors[0].strip_prefix("C: ").unwrap_or_else(|| panic!("{:#?}", ended.errors));
    // How many are tried depends on the gas that they take.
    match told.split_once(" deployments") {
        Some((before, after)) => {
            format!("{}… deployments{after}", before.trim_end_matches(|letter: char| letter.is_ascii_digit()))
        }
        None => told.to_owned(),
    }
}

/// What no address passes.
const NEVER: &str = "require(keccak256(msg.data) == 0, \"never\");";

#[test]
fn a_parameter_that_has_to_be_a_contract_is_one() {
    for constructor in [
        "constructor(address token_) { require(token_.code.length > 0, \"token is not a contract\"); }",
        // The compiler's own checks, of what is there and of what comes back.
        "uint8 d; constructor(address owner, IToken token_) { require(owner != address(0)); d = token_.decimals(); }",
        "constructor(IToken token_) { require(token_.isToken(), \"no token\"); token_.name(); }",
        // What is called on it is known from what was tried.
        "constructor(address token_) { (bool ok, bytes memory word) = token_.staticcall(abi.encodeWithSignature(\"isToken()\"));
            require(ok && abi.decode(word, (bool))); }",
        "constructor(address a, uint256 n, address b) { Check.contractAt(a); Check.contractAt(b); }",
        "struct Feeds { uint256 fee; IToken[2] sides; } constructor(Feeds memory feeds) {
            require(address(feeds.sides[1]).code.length > 0, \"feed\"); }",
        // In order, as pairs of tokens are.
        "constructor(IToken a, IToken b) { require(address(a) < address(b), \"order\"); require(address(b).code.length > 0); }",
    ] {
        let mut sandbox = Sandbox::single(&format!("{TOKEN}contract C {{ {constructor} function f() external {{}} }}"));
        let ended = fuzz_build(&sandbox.build(), &Config::default(), 1, 100);
        assert_eq!(ended.errors, Vec::<String>::new(), "{constructor}");
    }
}

#[test]
fn a_parameter_that_has_to_be_a_contract_is_named() {
    for (constructor, told) in [
        (
            "constructor(address token_) { require(token_.code.length > 0, \"token is not a contract\"); NEVER }",
            "token_ must be a contract: revert \"token is not a contract\"",
        ),
        // An error of a library, and two places that the same check looks at.
        (
            "constructor(address a, uint256 n, address b) { Check.contractAt(a); Check.contractAt(b); NEVER }",
            "a and b must be contracts: revert NotAContract",
        ),
        (
            "struct Feeds { uint256 fee; address[2] sides; } constructor(Feeds memory feeds) {
                require(feeds.sides[1].code.length > 0, \"feed\"); NEVER }",
            "feeds.sides[1] must be a contract: revert \"feed\"",
        ),
    ] {
        assert_eq!(why(&constructor.replace("NEVER", NEVER)), told, "{constructor}");
    }
}

#[test]
fn nothing_is_said_of_a_parameter_that_was_not_shown() {
    for (constructor, told) in [
        ("constructor() { revert(\"never\"); }", "its constructor always fails: revert \"never\""),
        (
            "constructor(uint256 n) { require(n * 0 == 1, \"odd\"); }",
            "its constructor refused all … deployments that were tried: revert \"odd\"",
        ),
        // It looks at the code, and fails for another reason.
        (
            "uint256 size; constructor(IToken token_) { size = address(token_).code.length;
                (bool ok,) = address(token_).call(\"\"); if (ok) size++; require(keccak256(abi.encode(token_)) == 0, \"hash\"); }",
            "its constructor refused all … deployments that were tried: revert \"hash\"",
        ),
        // Code there would only make it fail earlier.
        (
            "constructor(address user) { require(user.code.length == 0, \"no contracts\");
                require(keccak256(abi.encode(user)) == 0, \"hash\"); }",
            "its constructor refused all … deployments that were tried: revert \"hash\"",
        ),
        (
            "constructor(uint256 n) { assembly { mstore(0, shl(224, 0x01020304)) revert(0, 4) } }",
            "its constructor refused all … deployments that were tried: revert with data 0x01020304",
        ),
    ] {
        assert_eq!(why(constructor), told, "{constructor}");
    }
}
