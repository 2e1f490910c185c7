//! Ether that anyone can take, and what is paid by design: what is told of each, with its reason.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_file(&format!("pragma solidity ^0.8.0;\n{contract}"), expected);
}

fn check_file(source: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", source);
    expected.assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn anyone_takes_all() {
    check(
        "contract A { function deposit() external payable {}
            function sweep() external { payable(msg.sender).transfer(address(this).balance); } }",
        expect![[r#"
            error[ether-theft] 3: anyone can take ether: deposit{value: 1 wei}(), sweep()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 wei.
        "#]],
    );
}

#[test]
fn whoever_comes_first_becomes_the_owner() {
    check(
        "contract Once { address owner;
            receive() external payable {}
            function claim() external { require(owner == address(0), \"too late\"); owner = msg.sender; }
            function take() external {
                require(msg.sender == owner, \"not the owner\");
                payable(msg.sender).transfer(address(this).balance); } }",
        expect![[r#"
            warning[ether-theft] 7: anyone can take ether: receive{value: 1 wei}(), claim(), take()
              Whichever user comes first can do it without a role, without paying anything in or giving anything up, and takes all that is there, here 1 wei.
        "#]],
    );
}

#[test]
fn anyone_says_how_much() {
    check(
        "contract A { function deposit() external payable {}
            function take(uint256 amount) external { payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            error[ether-theft] 3: anyone can take ether: deposit{value: 1 wei}(), take(1)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 wei.
        "#]],
    );
}

#[test]
fn anyone_becomes_the_owner() {
    check(
        "contract A { address owner; constructor() payable { owner = msg.sender; }
            receive() external payable {}
            function init() external { owner = msg.sender; }
            function sweep() external { require(msg.sender == owner); payable(msg.sender).transfer(address(this).balance); } }",
        expect![[r#"
            error[ether-theft] 5: anyone can take ether: init(), sweep()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 wei.
        "#]],
    );
}

#[test]
fn what_is_paid_by_design_is_no_theft() {
    check(
        "contract Faucet { mapping(address => bool) got;
            receive() external payable {}
            function claim() external { require(!got[msg.sender]); got[msg.sender] = true; payable(msg.sender).transfer(1 ether); } }
        contract Bank { mapping(address => uint256) balances;
            function depositFor(address to) external payable { balances[to] += msg.value; }
            function withdraw(uint256 amount) external { balances[msg.sender] -= amount; payable(msg.sender).transfer(amount); } }
        contract Owned { address owner = msg.sender;
            receive() external payable {}
            function sweep() external { require(msg.sender == owner); payable(msg.sender).transfer(address(this).balance); } }
        contract Bounty { receive() external payable {}
            function solve(uint256 a, uint256 b) external { require(a > 1 && b > 1 && a * b == 8051); payable(msg.sender).transfer(address(this).balance); } }",
        expect![[""]],
    );
}

#[test]
fn what_is_due_to_somebody_else_is_taken() {
    check(
        "contract A { mapping(address => uint256) public due;
            function assign(address heir) external payable { due[heir] += msg.value; }
            function claimFor(address heir) external {
                uint256 amount = due[heir];
                require(amount > 0 && heir != msg.sender);
                due[heir] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            error[ether-theft] 8: anyone can take ether: assign{value: 1 wei}(owner), claimFor(owner)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 wei.
        "#]],
    );
}

#[test]
fn whoever_pays_somebody_their_due_takes_nothing() {
    check(
        "contract A { mapping(address => uint256) public due;
            function assign(address heir) external payable { due[heir] += msg.value; }
            function claimFor(address heir) external {
                uint256 amount = due[heir];
                require(amount > 0);
                due[heir] = 0;
                payable(heir).transfer(amount); } }",
        expect![[""]],
    );
}

#[test]
fn how_much_was_said_before() {
    check(
        "contract A { address to; uint256 value; uint256 votes;
            receive() external payable {}
            function submit(address to_, uint256 value_) external { (to, value, votes) = (to_, value_, 0); }
            function confirm() external { votes++; }
            function execute() external { require(votes > 0); votes = 0; payable(to).transfer(value); } }",
        expect![[r#"
            error[ether-theft] 6: anyone can take ether: receive{value: 1 wei}(), submit(alice, 1), confirm(), execute()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 wei.
        "#]],
    );
}

#[test]
fn all_that_others_paid_in_is_taken() {
    check(
        "contract A { address owner; uint256 collected;
            function init() external { owner = msg.sender; }
            receive() external payable { require(msg.value >= 0.001 ether); collected += msg.value; }
            function collect() external {
                require(msg.sender == owner && collected > 0);
                uint256 amount = collected;
                collected = 0;
                payable(owner).transfer(amount); } }",
        expect![[r#"
            error[ether-theft] 9: anyone can take ether: receive{value: 0.001 ether}(), init(), collect()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 0.001 ether.
        "#]],
    );
}

/// Homes that are booked, of which each booking has a number.
fn homes(kept: &str) -> String {
    format!(
        "contract A {{ struct Booking {{ address guest; uint256 deposit; bool open; }} Booking[] bookings;
            function book() external payable {{
                require(msg.value > 0);
                bookings.push(Booking(msg.sender, msg.value, true)); }}
            function cancel(uint256 id) external {{
                Booking {kept} booking = bookings[id];
                require(booking.guest == msg.sender && booking.open);
                booking.open = false;
                payable(msg.sender).transfer(booking.deposit); }} }}"
    )
}

/// It takes two who book, and what the thief booked is named by its number. Another seed finds it sooner than the first.
fn check_homes(kept: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", &format!("pragma solidity ^0.8.0;\n{}", homes(kept)));
    expected.assert_eq(&told::findings_of_seed(&mut sandbox, 3));
}

#[test]
fn a_copy_of_a_booking_is_closed() {
    check_homes(
        "memory",
        expect![[r#"
            information[compiler-check] 7: index can be out of bounds: cancel(0)
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
            error[ether-theft] 10: anyone can take ether: book{value: 1 wei}(), book{value: 1 wei}(), cancel(1), cancel(1)
              Every user can do it without a role, and each ends with more than they paid in, as much as they choose, without any time passing and in each of the next blocks; in the end they are paid 1 wei.
        "#]],
    );
}

#[test]
fn a_booking_is_closed() {
    check_homes(
        "storage",
        expect![[r#"
        information[compiler-check] 7: index can be out of bounds: cancel(0)
          The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
    "#]],
    );
}

#[test]
fn a_gift_of_one_size_is_no_theft() {
    check(
        "contract A { mapping(address => bool) had;
            receive() external payable {}
            function take() external {
                require(!had[msg.sender]);
                had[msg.sender] = true;
                payable(msg.sender).transfer(1 gwei); } }",
        expect![[""]],
    );
}

#[test]
fn one_payment_is_booked_twice() {
    check(
        "contract A { mapping(address => uint256) public due;
            function pay() public payable { due[msg.sender] += msg.value; }
            function payTwice() external payable { pay(); pay(); }
            function take() external {
                uint256 amount = due[msg.sender];
                due[msg.sender] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            error[ether-theft] 8: anyone can take ether: pay{value: 1 wei}(), payTwice{value: 1 wei}(), take()
              Every user can do it without a role, and each ends with more than they paid in, as much as they choose, without any time passing and in each of the next blocks; in the end they are paid 2 wei.
        "#]],
    );
}

#[test]
fn what_was_had_for_nothing_is_paid_back() {
    check(
        "contract A { mapping(address => uint256) public passes;
            function buy(uint256 quantity) external payable {
                require(quantity > 0 && msg.value == 1 gwei * uint32(quantity));
                passes[msg.sender] += quantity; }
            function refund(uint256 quantity) external {
                require(quantity > 0);
                passes[msg.sender] -= quantity;
                payable(msg.sender).transfer(quantity * 1 gwei); } }",
        expect![[r#"
            warning[overflow] 4: conversion can lose digits: buy{value: 1 gwei}(4294967297)
              4294967297 does not fit into uint32, and 1 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
            error[ether-theft] 9: anyone can take ether: buy{value: 1 gwei}(1), buy{value: 1 gwei}(9223372041149743105), refund(2)
              Every user can do it without a role, and each ends with more than they paid in, as much as they choose, without any time passing and in each of the next blocks; in the end they are paid 2 gwei.
        "#]],
    );
}

#[test]
fn whoever_was_named_by_nobody_takes_what_another_one_was_named_for() {
    check(
        "contract A { struct Deal { address buyer; address seller; uint256 amount; bool open; }
            mapping(uint256 => Deal) public deals; uint256 public count;
            function fund(address seller) external payable {
                require(msg.value > 0 && seller != msg.sender);
                deals[++count] = Deal(msg.sender, seller, msg.value, false); }
            function dispute(uint256 id) external {
                require(msg.sender == deals[id].seller);
                deals[id].open = true; }
            function award(uint256 id, uint256 amount) external {
                require(deals[id].open);
                deals[id].amount -= amount;
                payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            error[ether-theft] 13: anyone can take ether: fund{value: 1 wei}(alice), dispute(1), award(1, 1)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 wei.
        "#]],
    );
}

#[test]
fn what_an_owner_allowed_one_user_after_the_other_is_no_theft() {
    check(
        "contract A { address owner = msg.sender; mapping(address => uint256) public due;
            function deposit() external payable {}
            function owe(address to, uint256 amount) external { require(msg.sender == owner); due[to] += amount; }
            function take(address to, uint256 amount) external {
                require(msg.sender == to);
                due[to] -= amount;
                payable(to).transfer(amount); } }",
        expect![""],
    );
}

#[test]
fn a_payment_that_is_not_booked_is_made_again() {
    check(
        "contract A { mapping(address => uint256) balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw(uint256 amount) external {
                require(amount <= balances[msg.sender]);
                balances[msg.sender] -= amount;
                payable(msg.sender).transfer(amount); }
            function refund() external { payable(msg.sender).transfer(balances[msg.sender]); } }",
        expect![[r#"
            error[ether-theft] 8: anyone can take ether: deposit{value: 1 wei}(), deposit{value: 1 wei}(), refund(), refund()
              Every user can do it without a role, and each ends with more than they paid in, as much as they choose, without any time passing and in each of the next blocks; in the end they are paid 1 wei.
        "#]],
    );
}

#[test]
fn who_invests_first_gets_what_was_donated() {
    check(
        "contract A { mapping(address => uint256) public shares; uint256 public supply;
            receive() external payable {}
            function invest() external payable {
                uint256 before = address(this).balance - msg.value;
                uint256 bought = supply == 0 ? msg.value : msg.value * supply / before;
                shares[msg.sender] += bought;
                supply += bought; }
            function divest() external {
                uint256 sold = shares[msg.sender];
                require(sold > 0);
                uint256 amount = address(this).balance * sold / supply;
                shares[msg.sender] = 0;
                supply -= sold;
                payable(msg.sender).transfer(amount); } }",
        expect![[""]],
    );
}

#[test]
fn whoever_sells_something_is_paid_for_it() {
    check(
        "contract A { struct Lot { address seller; uint256 price; } Lot[] lots; mapping(address => uint256) due; mapping(uint256 => address) public holder;
            function list(uint256 price) external { lots.push(Lot(msg.sender, price)); }
            function buy(uint256 id) external payable {
                require(msg.sender != lots[id].seller && msg.value == lots[id].price && holder[id] == address(0));
                holder[id] = msg.sender;
                due[lots[id].seller] += msg.value; }
            function take() external {
                uint256 amount = due[msg.sender];
                due[msg.sender] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            information[compiler-check] 5: index can be out of bounds: buy(0)
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
        "#]],
    );
}

#[test]
fn what_somebody_paid_in_is_theirs() {
    check(
        "contract A { mapping(address => uint256) public due;
            function pay() public payable { due[msg.sender] += msg.value; }
            function take(uint256 amount) external {
                due[msg.sender] -= amount;
                payable(msg.sender).transfer(amount); } }",
        expect![[""]],
    );
}

#[test]
fn who_sends_a_transaction_is_no_proof_of_who_calls() {
    check(
        "contract Wallet { address owner = msg.sender;
            receive() external payable {}
            function pay(address payable to, uint256 amount) external {
                require(tx.origin == owner, \"not the owner\");
                to.transfer(amount); } }
        contract Bank { mapping(address => uint256) balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function close() external {
                uint256 amount = balances[tx.origin];
                balances[tx.origin] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            warning[ether-theft] 6: anyone whose contract is called can take ether in the name of the caller: receive{value: 1 wei}(), a call of alice (alice, when called, calls pay(alice, 1))
              If owner calls the contract of a user, for whatever reason, that contract makes the call and is paid 1 wei; if somebody else calls it, it is not paid: only `tx.origin` differs.
            warning[ether-theft] 12: anyone whose contract is called can take ether in the name of the caller: deposit{value: 1 wei}(), a call of alice (alice, when called, calls close())
              If owner calls the contract of a user, for whatever reason, that contract makes the call and is paid 1 wei; if somebody else calls it, it is not paid: only `tx.origin` differs.
        "#]],
    );
}

#[test]
fn whoever_sees_an_answer_can_give_it_first() {
    check(
        "contract Quiz { bytes32 hash; bool solved;
            constructor(bytes32 answer) payable { hash = answer; }
            receive() external payable {}
            function solve(string calldata word) external {
                require(!solved && keccak256(bytes(word)) == hash, \"wrong\");
                solved = true;
                payable(msg.sender).transfer(1 ether); } }",
        expect![[r##"
            warning[ether-theft] 8: anyone who sees this call before it is mined can make it first, and take the ether: receive{value: 1 ether}(), solve("#h#1}<\"O^4aa")
              The passed value was known only by its hash until alice passed it. Whoever sees that call before it is mined makes it first and is paid 1 ether; the same call of alice right after it is paid nothing.
        "##]],
    );
}

#[test]
fn an_answer_that_is_its_senders_own_cannot_be_copied() {
    check(
        "contract Bound { bytes32 hash;
            receive() external payable {}
            function ask(bytes32 answer) external { require(hash == 0); hash = answer; }
            function solve(uint256 word) external {
                require(keccak256(abi.encode(word, msg.sender)) == hash, \"wrong\");
                hash = 0;
                payable(msg.sender).transfer(1 ether); } }
        contract Lock { bytes32 hash; address payable receiver;
            receive() external payable {}
            function lock(bytes32 secret, address payable to) external { require(hash == 0); hash = secret; receiver = to; }
            function open(uint256 secret) external {
                require(keccak256(abi.encode(secret)) == hash, \"wrong\");
                hash = 0;
                receiver.transfer(1 ether); } }
        contract Each { bytes32 hash = keccak256(\"please\"); mapping(address => bool) served;
            receive() external payable {}
            function ask(string calldata word) external {
                require(keccak256(bytes(word)) == hash && !served[msg.sender], \"no\");
                served[msg.sender] = true;
                payable(msg.sender).transfer(1 ether); } }
        contract Code { uint256 code = 123456;
            receive() external payable {}
            function open(uint256 word) external {
                require(word == code, \"wrong\");
                code = uint256(blockhash(block.number - 1));
                payable(msg.sender).transfer(1 ether); } }",
        expect![[""]],
    );
}

#[test]
fn who_sends_a_transaction_may_be_asked_for() {
    check(
        "contract Owned { address owner = msg.sender;
            receive() external payable {}
            function pay(address payable to, uint256 amount) external {
                require(msg.sender == owner && tx.origin == msg.sender, \"not the owner\");
                to.transfer(amount); } }
        contract Refund { event Paid(address by);
            receive() external payable {}
            function back() external payable { emit Paid(tx.origin); payable(tx.origin).transfer(msg.value); }
            function gift() external { require(tx.origin != address(0)); payable(msg.sender).transfer(1 wei); } }",
        expect![[""]],
    );
}

/// Wrapped ether, as WETH9 has it and as others do: nobody gets more than was paid in for them, though they are paid whenever they like,
/// and called when their balance is written down already.
#[test]
fn ether_that_is_wrapped_and_unwrapped_stays_everybodys_own() {
    let head = "mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
            event Transfer(address indexed from, address indexed to, uint256 amount);
            function totalSupply() external view returns (uint256) { return address(this).balance; }
            function approve(address to, uint256 amount) external returns (bool) { allowance[msg.sender][to] = amount; return true; }
            function transfer(address to, uint256 amount) external returns (bool) { return transferFrom(msg.sender, to, amount); }
            function transferFrom(address from, address to, uint256 amount) public returns (bool) {
                if (from != msg.sender && allowance[from][msg.sender] != type(uint256).max) allowance[from][msg.sender] -= amount;
                balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); return true; }";
    check(
        &format!(
            "contract Plain {{ {head}
            receive() external payable {{ deposit(); }}
            function deposit() public payable {{ balanceOf[msg.sender] += msg.value; }}
            function withdraw(uint256 amount) external {{ balanceOf[msg.sender] -= amount; payable(msg.sender).transfer(amount); }} }}
         contract Called {{ {head}
            fallback() external payable {{ balanceOf[msg.sender] += msg.value; emit Transfer(address(0), msg.sender, msg.value); }}
            function depositTo(address to) external payable {{ balanceOf[to] += msg.value; emit Transfer(address(0), to, msg.value); }}
            function withdrawTo(address to, uint256 amount) public {{
                balanceOf[msg.sender] -= amount;
                emit Transfer(msg.sender, address(0), amount);
                (bool ok,) = to.call{{value: amount}}(\"\");
                require(ok, \"refused\"); }}
            function withdrawFrom(address from, address to, uint256 amount) external {{
                if (from != msg.sender) allowance[from][msg.sender] -= amount;
                balanceOf[from] -= amount;
                emit Transfer(from, address(0), amount);
                (bool ok,) = to.call{{value: amount}}(\"\");
                require(ok, \"refused\"); }} }}"
        ),
        expect![[""]],
    );
}

#[test]
fn what_somebody_who_is_called_gives_away_is_not_taken() {
    check(
        "contract Units { address immutable gate = msg.sender; mapping(address => uint256) public balanceOf;
            function mint(address to, uint256 amount) external { require(msg.sender == gate); balanceOf[to] += amount; }
            function burn(address from, uint256 amount) external { require(msg.sender == gate); balanceOf[from] -= amount; }
            function transfer(address to, uint256 amount) external { balanceOf[msg.sender] -= amount; balanceOf[to] += amount; } }
         contract Gate { Units public immutable units = new Units();
            function pass() external payable { require(msg.value > 0); units.mint(msg.sender, msg.value); }
            function redeem(uint256 amount) external {
                units.burn(msg.sender, amount);
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok); } }",
        expect![[""]],
    );
}

/// A sale at a price for each item, which pays for items that are given back.
fn sale(pays: &str, back: &str) -> String {
    format!(
        "contract Sale {{ uint256 constant PRICE = 0.01 ether; mapping(address => uint256) public has;
            function buy(uint256 count) external payable {{
                require(count > 0 && count < 4); require(msg.value == {pays}); has[msg.sender] += count; }}
            function refund() external {{ has[msg.sender] -= 1; payable(msg.sender).transfer({back}); }} }}"
    )
}

#[test]
fn several_items_are_sold_for_the_price_of_one_and_paid_for_one_by_one() {
    check(
        &sale("PRICE", "PRICE"),
        expect![[r#"
        error[ether-theft] 5: anyone can take ether: buy{value: 0.01 ether}(1), buy{value: 0.01 ether}(2), refund(), refund()
          Every user can do it without a role, and gets 0.01 ether more than they paid in. The same calls, made again at the same time, bring them as much each time, and nothing that is stored differs afterwards: it is what others paid in.
    "#]],
    );
    check(&sale("PRICE * count", "PRICE"), expect![[""]]);
    check(&sale("PRICE", "PRICE / 3"), expect![[""]]);
}
