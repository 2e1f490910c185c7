//! What each technique is for: a contract whose defect is found with it, and not without it, in this many transactions. One seed may be
//! lucky, so what counts is most of several seeds.

mod support;

use bellwether::{
    compile::Build,
    fuzz::{Campaign, Event, Options, Techniques},
    project::Config,
};
use std::sync::{Arc, mpsc};
use support::{campaign::median, sandbox::Sandbox};

/// Transactions of each campaign. Chosen by hand: a few times what it takes with the technique.
const EXECUTIONS: u64 = 20_000;

/// Whether anything is found with this seed without the techniques of these names.
fn finds(build: &Arc<Build>, without: &[&str], seed: u64) -> bool {
    let mut techniques = Techniques::default();
    without.iter().for_each(|name| assert!(techniques.switch_off(name), "{name}"));
    let (send, events) = mpsc::channel();
    let options = Options { workers: 1, seed, executions: Some(EXECUTIONS), techniques, ..Options::default() };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).unwrap();
    campaign.rebase(build, &Config::default(), 1);
    let found = events.iter().find_map(|event| match event {
        Event::Found { .. } => Some(true),
        Event::Quiet { .. } => Some(false),
        _ => None,
    });
    campaign.stop();
    found.unwrap()
}

fn check(without: &[&str], source: &str) {
    let build = Sandbox::single(source).build();
    assert!(median(|seed| finds(&build, &[], seed)), "not found with everything");
    assert!(!median(|seed| finds(&build, without, seed)), "found without {without:?}");
}

#[test]
fn prediction_solves_what_is_compared_with_a_sum() {
    check(
        &["prediction"],
        "contract A { function f(uint256 a, uint256 b) external pure {
            unchecked { if (3 * a + b == 77_777_777_123 && a > b + 4_444_444) { assert(false); } }
        } }",
    );
}

#[test]
fn prediction_follows_a_curve() {
    check(
        &["prediction"],
        "contract A { function f(uint128 x) external pure { unchecked {
            assert(uint256(x) * x * x + x != 1_881_676_371_789_154_860_897_069 + 123_456_789);
        } } }",
    );
}

#[test]
fn prediction_flips_the_bits_that_differ() {
    for source in [
        "contract A { function f(uint256 key) external pure { assert(key ^ 0x5eed_5eed_5eed_5eed != 0xbeef_0004_beef_0004); } }",
        "contract A { function f(int128 key, bytes4 tag) external pure {
            if ((uint256(uint128(key)) << 32) ^ 0x5eed_0000_5eed_0000_5eed == 0xbeef_0003_beef_0000_5eed) {
                assert(tag ^ 0x5eed5eed != 0xbeef0004);
            } } }",
    ] {
        check(&["prediction"], source);
    }
}

#[test]
fn several_numbers_are_solved_together_also_where_they_wrap() {
    check(
        &["prediction"],
        "contract A { function f(uint64 a, uint64 b, uint64 c) external pure { unchecked {
            if (13 * a + 11 * b == 5) { if (a + 7 * b + c == 9_223_372_036_854_775_808) { if (c + 3 * a > 1 << 62) { assert(false); } } }
        } } }",
    );
}

#[test]
fn numbers_that_an_equality_binds_are_moved_together() {
    check(
        &["prediction"],
        "contract A { function f(uint64 a, uint64 b) external pure { unchecked {
            if (3 * a + 3 * b + 197 == 273_000_000_000_587) { assert(3 * a + 13 * b + 694 != 273_000_000_001_154); }
        } } }",
    );
}

#[test]
fn another_state_is_asked_for_where_no_argument_helps() {
    check(
        &["demand-driven"],
        "contract A { uint256 noted; uint256 current;
            function note(uint256 number) external { noted = number; }
            function takeOver() external { current = noted; }
            function look() external view { unchecked { assert(7 * current + 3 != 691_358_024_710); } }
        }",
    );
}

#[test]
fn words_of_the_setup_are_searched_where_no_transaction_helps() {
    for source in [
        // In a slot, in an immutable, and in a call that initializes.
        "contract A { uint256 public cap; constructor(uint128 n) { cap = n; }
           function f() external view { assert(3 * cap + 11 != 1_000_000_000_000_123_457); } }",
        "contract A { uint128 immutable CAP; bool started; constructor(uint128 n) { CAP = n; }
           function start() external { started = true; }
           function f(uint8 x) external view { if (started && x == 7) assert(3 * uint256(CAP) + 11 != 1_000_000_000_000_123_457); } }",
        "contract A { uint256 a; bool done; function initialize(uint128 n) external { require(!done); done = true; a = n; }
           function f() external view { assert(5 * a != 1_000_000_000_000_123_455); } }",
    ] {
        check(&["demand-driven"], source);
    }
}

#[test]
fn what_is_asked_for_is_one_of_several_variables_in_a_slot() {
    check(
        &["demand-driven"],
        "contract A { uint64 a; uint64 b; uint128 c;
            function put(uint64 x, uint64 y) external { a = x; b = y; c = 5; }
            function look() external view { unchecked { assert(7 * uint256(b) + 3 != 691_358_024_710); } }
        }",
    );
}

#[test]
fn a_secret_is_copied_through_its_hash() {
    check(
        &["input-to-state"],
        "contract A { bytes32 hash;
            function lock(bytes calldata secret) external { require(secret.length > 20); hash = keccak256(secret); }
            function guess(string calldata secret) external view { require(bytes(secret).length > 20); assert(keccak256(bytes(secret)) != hash); }
        }",
    );
}
