//! The trace of a finding, as a text that is compared whole.

mod support;

use bellwether::{
    code::Programs,
    finding::trace,
    harness::Harness,
    input::{InstanceId, Sequence, Transaction},
    world::World,
};
use expect_test::expect;
use std::sync::Arc;
use support::sandbox::Sandbox;

const CONTRACTS: &str = "
    interface IHook { function onSent(address from, uint256 amount) external returns (bytes4); }
    contract Token {
        event Sent(address indexed from, address indexed to, uint256 amount);
        error TooMuch(uint256 wanted, uint256 held);
        mapping(address => uint256) public balances;
        constructor() { balances[msg.sender] = 100; }
        function send(address to, uint256 amount) external returns (bool) {
            if (amount > balances[msg.sender]) revert TooMuch(amount, balances[msg.sender]);
            balances[msg.sender] -= amount;
            balances[to] += amount;
            emit Sent(msg.sender, to, amount);
            return true;
        }
    }
    library Half { function half(uint256 amount) external pure returns (uint256) { return amount / 2; } }
    contract Pool {
        Token token; uint128 total; bool open; string note;
        constructor(Token token_) { token = token_; }
        function fund() external payable { total += uint128(msg.value); open = true; }
        function pay(address to, uint256 amount) external {
            try token.send(to, amount) { note = \"paid\"; } catch { note = \"refused\"; }
            total -= uint128(Half.half(amount));
            require(open && total >= 40, \"too little is left\");
        }
    }";

#[test]
fn every_call_is_told_with_those_inside_of_it() {
    let build = Sandbox::single(CONTRACTS).build();
    assert!(build.failed.is_empty(), "{:?}", build.diagnostics);
    let pool = build.find_contract("", "Pool").unwrap();
    let harness = Harness::new(build.clone(), Arc::new(Programs::of(&build)), pool).unwrap();
    let account = |name: &str| {
        let named = ["owner", "alice"].iter().position(|known| *known == name).map(|at| World::senders()[at]);
        let pool = (name == "pool").then(|| World::address(InstanceId::MAIN));
        named.or(pool).or_else(|| harness.calls.named(name).map(World::address))
    };
    let calls = [
        "fund{value: 60}()",
        "alice: pay(alice, 10)",
        "token2.send(pool, 50)",
        "alice: pay(alice, 30)",
        "alice: pay(alice, 20)",
    ];
    let call = |text: &&str| Transaction::from_text(text, &harness.calls, World::owner(), &account).unwrap();
    let sequence = Sequence { setup: harness.setup.clone(), transactions: calls.iter().map(call).collect() };
    expect![[r#"
        1. owner: new Token() → ok
           balances[owner]: 0 → 100
        2. owner: new Token() → ok
           balances[owner]: 0 → 100
        3. owner: new Pool(token2) → ok
           reads token is address(0)
           token: address(0) → token2
        4. owner: fund{value: 60 wei}() → ok
           reads total is 0, open is false
           total: 0 → 60
           open: false → true
        5. alice: pay(alice, 10) → ok
           reads token is token2
           calls token2.send(alice, 10) → revert TooMuch(10, 0)
             reads balances[pool] is 0
           reads note is ""
           note: "" → "refused"
           delegates to Half.half(10) → 5
           reads total is 60, open is true
           total: 60 → 55
        6. owner: token2.send(pool, 50) → ok
           reads balances[owner] is 100
           balances[owner]: 100 → 50
           reads balances[pool] is 0
           balances[pool]: 0 → 50
           emits Sent(from: owner, to: pool, amount: 50)
        7. alice: pay(alice, 30) → ok
           reads token is token2
           calls token2.send(alice, 30) → true
             reads balances[pool] is 50
             balances[pool]: 50 → 20
             reads balances[alice] is 0
             balances[alice]: 0 → 30
             emits Sent(from: pool, to: alice, amount: 30)
           reads note is "refused"
           note: "refused" → "paid"
           delegates to Half.half(30) → 15
           reads total is 55, open is true
           total: 55 → 40
        8. alice: pay(alice, 20) → revert "too little is left"
           reads token is token2
           calls token2.send(alice, 20) → true
             reads balances[pool] is 20
             balances[pool]: 20 → 0
             reads balances[alice] is 30
             balances[alice]: 30 → 50
             emits Sent(from: pool, to: alice, amount: 20)
           reads note is "paid"
           note: stays "paid"
           delegates to Half.half(20) → 10
           reads total is 40, open is true
           total: 40 → 30
           decided at A.sol:26: `open && total >= 40` was false
    "#]]
    .assert_eq(&trace(&harness, &sequence));
}
