//! Arithmetic that goes around, and near misses that are meant that way or that nobody can do.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, slow, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_for("^0.8.0", contract, expected);
}

fn check_for(solc: &str, contract: &str, expected: Expect) {
    let mut sandbox = Sandbox::new("");
    sandbox.write("src/A.sol", &format!("pragma solidity {solc};\n{contract}"));
    expected.assert_eq(&told::findings(&mut sandbox));
}

#[test]
fn a_price_that_is_cut_lets_many_be_had_for_nothing() {
    check(
        "contract A { mapping(address => uint256) public gems;
            function craft(uint256 amount) external payable {
                uint96 cost = uint96(amount * 1e15);
                require(amount > 0 && msg.value >= cost);
                gems[msg.sender] += amount; }
            function leave(uint256 amount) external { gems[msg.sender] -= amount; payable(msg.sender).transfer(amount); } }",
        expect![[r#"
            warning[overflow] 4: conversion can lose digits: craft(2^81)
              ≈2.417e39 does not fit into uint96, and 0 is left of it. With 2^96 − 1, the uint96 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
            error[ether-theft] 7: anyone can take ether: craft{value: 1 wei}(2^81), craft(2^81), leave(1)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 wei.
        "#]],
    );
}

#[test]
fn a_product_of_what_is_passed_lets_a_payment_through() {
    check_for(
        "^0.5.0",
        "contract A { mapping(address => uint256) public sold;
            function buy(uint256 count) external payable {
                require(msg.value == count * 1 ether);
                sold[msg.sender] += count; } }",
        expect![[r#"
            information[frozen-ether] 2: ether is frozen: buy{value: 1 ether}(1)
              Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
            error[overflow] 4: product can wrap around: buy(2^238)
              2^238 * 1e18 is ≈4.417e89, which wraps to 0 in uint256. With 2^256 − 1, the uint256 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
            error[overflow] 5: sum can wrap around: buy(2^249), buy{value: 73786976294838206464 wei}(≈1.149e77)
              2^249 + ≈1.149e77 is ≈1.158e77, which wraps to ≈8.777e73 in uint256. `sold[alice]` becomes ≈8.777e73; with 2^256 − 1, the uint256 that is nearest to it, the same call makes it 2^256 − 1. Every user can do it.
        "#]],
    );
}

#[test]
fn a_difference_is_stored() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function take(uint256 amount) external {
                unchecked { balances[msg.sender] -= amount; } } }",
        expect![[r#"
            error[overflow] 4: difference can wrap around: take(1)
              0 - 1 is -1, which wraps to 2^256 − 1 in uint256. `balances[alice]` becomes 2^256 − 1; with 0, the uint256 that is nearest to it, the same call makes it 0. Every user can do it.
        "#]],
    );
}

#[test]
fn a_count_in_eight_bits_goes_around() {
    check(
        "contract A { uint8 public count; uint64 public other;
            function add(uint8 more) external {
                unchecked { count += more; } } }",
        expect![[r#"
            error[overflow] 4: sum can wrap around: add(1), add(255)
              1 + 255 is 256, which wraps to 0 in uint8. `count` becomes 0; with 255, the uint8 that is nearest to it, the same call makes it 255. Every user can do it.
        "#]],
    );
}

#[test]
fn a_number_is_cut_before_it_is_stored() {
    check(
        "contract A { uint64 public until;
            function wait(uint256 time) external {
                until = uint64(block.timestamp + time); } }",
        expect![[r#"
            warning[overflow] 4: conversion can lose digits: wait(18446744072009551616)
              18446744073709551616 does not fit into uint64, and 0 is left of it. `until` becomes 0; with 18446744073709551615, the uint64 that is nearest to it, the same call makes it 18446744073709551615. Every user can do it.
        "#]],
    );
}

#[test]
fn a_number_is_cut_before_it_becomes_a_member_of_a_structure() {
    for solc in ["^0.5.0", "^0.8.0"] {
        check_for(
            solc,
            "contract A { struct Lot { address seller; uint64 price; bool gone; uint64 until; uint32 kind; }
                Lot[] lots;
                function offer(uint256 price, uint64 until, uint256 kind) external {
                    require(until > 7 && kind < 9);
                    lots.push(Lot(msg.sender,
                        uint64(price), false, until, uint32(kind))); } }",
            expect![[r#"
                warning[overflow] 7: conversion can lose digits: offer(18446744073709551616, 8, 0)
                  18446744073709551616 does not fit into uint64, and 0 is left of it. `lots[0].price` becomes 0; with 18446744073709551615, the uint64 that is nearest to it, the same call makes it 18446744073709551615. Every user can do it.
            "#]],
        );
    }
}

#[test]
fn two_members_are_cut_to_the_same_type() {
    check(
        "contract A { struct Range { uint128 from; uint128 to; }
            mapping(uint256 => Range) ranges;
            function set(uint256 from, uint256 to) external {
                require(from <= type(uint128).max);
                ranges[1] = Range({
                    from: uint128(from),
                    to: uint128(to) }); } }",
        expect![[r#"
            warning[overflow] 8: conversion can lose digits: set(0, 2^128)
              2^128 does not fit into uint128, and 0 is left of it. `ranges[1].to` becomes 0; with 2^128 − 1, the uint128 that is nearest to it, the same call makes it 2^128 − 1. Every user can do it.
        "#]],
    );
}

#[test]
fn a_difference_without_a_sign_is_at_least_zero() {
    for (condition, solc) in
        [("points[msg.sender] - value >= 0", "^0.5.0"), ("0 <= (points[msg.sender] - value)", "^0.6.0")]
    {
        check_for(
            solc,
            &format!(
                "contract A {{ mapping(address => uint256) public points; mapping(address => bool) public done;
                function spend(uint256 value) external {{
                    require({condition});
                    done[msg.sender] = true; }} }}"
            ),
            expect![[r#"
                error[overflow] 4: difference can wrap around: spend(1)
                  0 - 1 is -1, which wraps to 2^256 − 1 in uint256. It is compared with 0, and no uint256 is below that: the condition holds, whatever is subtracted. Every user can do it.
            "#]],
        );
    }
}

#[test]
fn a_difference_with_a_sign_may_be_below_zero() {
    check_for(
        "^0.5.0",
        "contract A { mapping(address => int256) public points; mapping(address => bool) public done;
            function spend(int256 value) external {
                require(value > 0 && value < 1000 && points[msg.sender] - value >= 0);
                done[msg.sender] = true; } }",
        expect![[""]],
    );
}

#[test]
fn a_sum_of_assembly_is_stored() {
    check(
        "contract A { uint256 public total;
            function add(uint256 amount) external { assembly {
                let sum := add(sload(total.slot), amount)
                sstore(total.slot, sum) } } }",
        expect![[r#"
            error[overflow] 4: sum can wrap around: add(1), add(2^256 − 1)
              1 + (2^256 − 1) is 2^256, which wraps to 0 in uint256. `total` becomes 0; with 2^256 − 1, the uint256 that is nearest to it, the same call makes it 2^256 − 1. Every user can do it.
        "#]],
    );
}

#[test]
fn an_amount_that_is_paid_goes_around() {
    check(
        "contract A { receive() external payable {}
            function pay(uint256 count) external payable {
                require(msg.value > 100);
                unchecked { payable(msg.sender).transfer(count * 2); } } }",
        expect![[r#"
            error[ether-theft] 5: anyone can take ether: pay{value: 101 wei}(0), pay{value: 101 wei}(51)
              Every user can do it without a role, and gets 1 wei more than they paid in. The same calls, made again at the same time, bring them as much each time, and nothing that is stored differs afterwards: it is what others paid in.
            error[overflow] 5: product can wrap around: pay{value: 101 wei}(2^255)
              2^255 * 2 is 2^256, which wraps to 0 in uint256. With 2^256 − 1, the uint256 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn only_what_is_logged_goes_around() {
    check(
        "contract A { event Told(uint256 number);
            function tell(uint256 number) external {
                unchecked { emit Told(number + 1); } } }",
        expect![[r#"
            warning[overflow] 4: sum can wrap around: tell(2^256 − 1)
              (2^256 − 1) + 1 is 2^256, which wraps to 0 in uint256. Run again with 2^256 − 1, the uint256 that is nearest to it, the same call logs something else. Every user can do it.
        "#]],
    );
}

#[test]
fn nothing_is_done_with_the_result() {
    check(
        "contract A { uint256 public total;
            function add(uint256 amount) external returns (uint256 sum) {
                unchecked { sum = total + amount; }
                total = 1; } }",
        expect![[""]],
    );
}

#[test]
fn the_result_is_tested() {
    check_for(
        "^0.6.0",
        "contract A { uint256 public total; uint256 public misses; uint8 public small;
            function add(uint256 amount) external {
                uint256 sum = total + amount;
                if (sum < amount) { misses = 1; } else { total = sum; } }
            function twice(uint256 amount) external {
                uint256 product = amount * 2;
                require(product / 2 == amount);
                total = product; }
            function narrow(uint256 amount) external {
                require(uint8(amount) == amount);
                small = uint8(amount); } }",
        expect![[""]],
    );
}

#[test]
fn the_operands_are_tested_before() {
    check_for(
        "^0.7.0",
        "contract A { mapping(address => uint256) public balances;
            constructor() { balances[msg.sender] = 1000; }
            function move(address to, uint256 amount) external {
                require(balances[msg.sender] >= amount);
                balances[msg.sender] -= amount;
                balances[to] += amount; }
            function fill() external { if (balances[msg.sender] == 0) balances[msg.sender] = 10; } }",
        expect![[""]],
    );
}

#[test]
fn only_the_owner_adds() {
    check(
        "contract A { address owner = msg.sender; uint256 public total;
            function add(uint256 amount) external {
                require(msg.sender == owner);
                unchecked { total += amount; } } }",
        expect![[""]],
    );
}

#[test]
fn only_the_owner_hands_out_more_than_anybody_has() {
    check(
        "contract A { address owner = msg.sender; uint256 public grant; mapping(address => uint256) public balances;
            function set(uint256 amount) external { require(msg.sender == owner); grant = amount; }
            function claim() external { balances[msg.sender] = grant; }
            function give(address to, uint256 amount) external {
                require(balances[msg.sender] >= amount);
                balances[msg.sender] -= amount;
                unchecked { balances[to] += amount; } } }",
        expect![[""]],
    );
}

#[test]
fn a_loop_counts_without_checks() {
    check(
        "contract A { uint256 public sum;
            function add(uint256[] calldata numbers) external { unchecked {
                for (uint256 i = 0; i < numbers.length; ++i) sum ^= numbers[i];
                for (uint256 i = numbers.length; i-- > 0;) sum ^= numbers[i] >> 1;
                for (uint256 i = numbers.length - 1; i < numbers.length; --i) sum ^= numbers[i] >> 2; } } }",
        expect![[""]],
    );
}

#[test]
fn hashes_masks_and_parts_of_words() {
    check(
        "contract A { uint256 public seed; uint256 public low; uint128 public right; uint128 public left; uint64 public sum = 7;
            function roll(uint256 salt) external { unchecked { seed = seed * 6364136223846793005 + salt; } }
            function mix(uint256 salt) external { unchecked { seed = uint256(keccak256(abi.encode(salt))) + seed; } }
            function feed(uint64 word) external { unchecked { sum = (sum ^ word) * 1099511628211; } }
            function lowest(uint256 word) external { unchecked { low = word & (~word + 1); } }
            function negate(int256 word) external { unchecked { low = uint256(-word); } }
            function split(uint256 word) external { right = uint128(word); left = uint128(word >> 128); }
            function mark(uint256 index) external { low |= 1 << uint8(index); seed = uint160(index % 1000); } }",
        expect![""],
    );
}

#[test]
fn a_product_of_two_words_is_computed() {
    check(
        "contract A { uint256 public low; uint256 public high;
            function product(uint256 a, uint256 b) external { unchecked {
                uint256 mm = mulmod(a, b, type(uint256).max);
                low = a * b;
                high = mm - low - (mm < low ? 1 : 0); } } }",
        expect![[""]],
    );
}

#[test]
fn prices_are_added_up_for_their_differences() {
    check_for(
        "^0.5.16",
        "contract A { uint256 public accumulator; uint112 public reserve = 1; uint32 public last;
            function sync(uint112 amount) external {
                require(amount > 0);
                uint32 time = uint32(block.timestamp % 2**32);
                uint32 elapsed = time - last;
                accumulator += uint256(reserve) * elapsed;
                reserve = amount;
                last = time; } }",
        expect![[""]],
    );
}

/// Each kind of operation.
const OPERATIONS: &str = "pragma solidity ^0.8.20;
    contract A { uint256 public total; mapping(address => uint256) public balances; uint128 public left; uint64 public until;
        function add(uint256 amount) external {
            unchecked { total += amount; } }
        function take(uint256 amount) external { unchecked {
            balances[msg.sender] = balances[msg.sender] - amount; } }
        function many(uint256 count, uint256 each) external { unchecked {
            uint256 all = count * each;
            require(all < 1000 && count > 0 && each > 0);
            total = all; } }
        function store(uint256 amount) external { assembly {
            sstore(total.slot, add(sload(total.slot), amount)) } }
        function wait(uint256 time) external {
            until = uint64(block.timestamp + time); } }";

/// What is found of [`OPERATIONS`] with these settings of the compiler.
fn found_when_compiled(optimizer: bool, via_ir: bool) -> String {
    let mut sandbox = Sandbox::new("");
    sandbox.write("foundry.toml", &format!("[profile.default]\noptimizer = {optimizer}\nvia_ir = {via_ir}\n"));
    sandbox.write("src/A.sol", OPERATIONS);
    let found = told::findings(&mut sandbox);
    let heads = found.lines().filter(|line| !line.starts_with(' ')).filter_map(|line| line.rsplit_once(": "));
    let places: Vec<&str> = heads.filter_map(|(head, _)| head.split_once(' ')).map(|(_, place)| place).collect();
    places.join("; ")
}

#[test]
fn the_operation_is_known_with_and_without_the_optimizer() {
    for optimizer in [false, true] {
        expect!["4: sum can wrap around; 6: difference can wrap around; 8: product can wrap around; 12: sum can wrap around; 14: conversion can lose digits"]
            .assert_eq(&found_when_compiled(optimizer, false));
    }
}

/// Conversions are masks there, like any other.
#[test]
fn the_operation_is_known_through_the_ir() {
    if !slow::is_asked() {
        return;
    }
    for optimizer in [false, true] {
        expect![
            "4: sum can wrap around; 6: difference can wrap around; 8: product can wrap around; 12: sum can wrap around"
        ]
        .assert_eq(&found_when_compiled(optimizer, true));
    }
}

#[test]
fn counters_of_which_only_differences_count() {
    check(
        "contract A { struct Tick { uint256 outside; uint32 last; } mapping(uint256 => Tick) public ticks; uint256 public total;
            function cross(uint256 tick, uint256 global) external { unchecked {
                ticks[tick].outside = global - ticks[tick].outside; } }
            function elapsed(uint256 tick, uint32 timestamp) external { unchecked {
                total = timestamp - ticks[tick].last;
                ticks[tick].last = timestamp; } }
            function add(uint256 amount) external { unchecked {
                total += amount; // overflow is desired
            } } }",
        expect![""],
    );
}

#[test]
fn it_happens_in_a_call_without_data() {
    check(
        "contract B { uint256 public total;
            fallback() external {
                unchecked { total -= 1; } } }
        contract A { B b = new B();
            function poke() external { (bool ok,) = address(b).call(\"\"); require(ok); } }",
        expect![[r#"
            error[overflow] 4: difference can wrap around: fallback(0x)
              0 - 1 is -1, which wraps to 2^256 − 1 in uint256. `total` becomes 2^256 − 1; with 0, the uint256 that is nearest to it, the same call makes it 0. Every user can do it.
        "#]],
    );
}

#[test]
fn a_library_refuses_the_exact_result_by_an_assertion() {
    check_for(
        "^0.4.24",
        "library SafeMath { function sub(uint256 a, uint256 b) internal pure returns (uint256) { assert(b <= a); return a - b; } }
        contract A { using SafeMath for uint256; mapping(address => uint256) public balances;
            function hand(address one, address other, uint256 each) public {
                uint256 amount = 2 * each;
                balances[msg.sender] = balances[msg.sender].sub(amount);
                balances[one] = each;
                balances[other] = each; } }",
        expect![[r#"
            error[overflow] 5: product can wrap around: hand(owner, owner, 2^255)
              2 * 2^255 is 2^256, which wraps to 0 in uint256. With 2^256 − 1, the uint256 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
            information[assertion] 6: a library's guard can refuse this: hand(owner, owner, 1)
              The caller chose arguments that fail, and is refused: `hand(owner, owner, 0)` passes.
        "#]],
    );
}

#[test]
fn a_product_of_assembly_that_is_a_price() {
    check(
        "contract A { mapping(address => uint256) public berths;
            function quote(uint256 units) public pure returns (uint256 cost) {
                uint256 price = 1 ether;
                assembly { cost := mul(units, price) } }
            function reserve(uint256 units) external payable {
                require(units > 0 && msg.value == quote(units));
                berths[msg.sender] += units; }
            function collect() external { payable(address(1)).transfer(address(this).balance); } }",
        expect![[r#"
            error[overflow] 5: product can wrap around: reserve(2^238)
              2^238 * 1e18 is ≈4.417e89, which wraps to 0 in uint256. With 2^256 − 1, the uint256 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn a_difference_of_assembly_that_is_an_amount() {
    check(
        "contract A { mapping(address => uint256) public balances;
            constructor() { balances[msg.sender] = 1 ether; }
            function give(address to, uint256 amount) external {
                uint256 fee = 1000; uint256 net;
                require(balances[msg.sender] >= amount);
                assembly { net := sub(amount, fee) }
                balances[msg.sender] -= amount;
                balances[to] += net; } }",
        expect![[r#"
            error[overflow] 7: difference can wrap around: give(alice, 0)
              0 - 1000 is -1000, which wraps to 2^256 − 1000 in uint256. `balances[alice]` becomes 2^256 − 1000; with 0, the uint256 that is nearest to it, the same call makes it 0. Every user can do it.
        "#]],
    );
}

#[test]
fn a_difference_of_times_in_assembly_that_is_an_amount() {
    check(
        "contract A { mapping(address => uint256) public left; mapping(address => uint256) until;
            function open() external { until[msg.sender] = block.timestamp + 5; }
            function back() external {
                uint256 end = until[msg.sender]; uint256 time;
                require(end != 0);
                assembly { time := sub(end, timestamp()) }
                left[msg.sender] = time; } }",
        expect![[r#"
            error[overflow] 7: difference can wrap around: open(), back()
              1700000005 - 1700000006 is -1, which wraps to 2^256 − 1 in uint256. `left[alice]` becomes 2^256 − 1; with 0, the uint256 that is nearest to it, the same call makes it 0. Every user can do it.
        "#]],
    );
}

#[test]
fn assembly_moves_about_in_memory() {
    check(
        "contract A { bytes32 public last;
            function keep(bytes memory text, uint256 at) external {
                require(at < text.length);
                uint256 from; uint256 end; uint256 before; uint256 less = type(uint256).max;
                assembly {
                    from := add(text, 32)
                    end := add(from, at)
                    before := sub(end, 1)
                    before := add(before, less)
                    sstore(last.slot, mload(before)) } } }",
        expect![[""]],
    );
}

#[test]
fn what_is_cut_is_a_side_of_arithmetic() {
    check(
        "contract A { mapping(address => uint96) public balances; mapping(address => uint256) public minted;
            function pay() external payable { balances[msg.sender] += uint96(msg.value); }
            function leave(address to, uint256 amount) external {
                balances[msg.sender] -= uint96(amount);
                minted[to] += amount; } }",
        expect![[r#"
            information[frozen-ether] 2: ether is frozen: pay{value: 1 wei}()
              Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
            warning[overflow] 5: conversion can lose digits: leave(owner, 2^96)
              2^96 does not fit into uint96, and 0 is left of it. With 2^96 − 1, the uint96 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn what_is_cut_is_put_in_memory_or_taken_off_something_wider() {
    check(
        "contract A { mapping(address => uint256) public points; mapping(address => uint256) public frames;
            struct Order { address keeper; uint64 frames; uint32 cost; }
            function order(uint64 count) external {
                Order memory placed;
                placed.frames = count;
                placed.cost = uint32(count);
                require(points[msg.sender] >= placed.cost);
                frames[msg.sender] += placed.frames; }
            function take(uint64 count) external {
                uint32 cost = uint32(count);
                points[msg.sender] -= cost;
                frames[msg.sender] += count; } }",
        expect![[r#"
            warning[overflow] 7: conversion can lose digits: order(4294967296)
              4294967296 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
            warning[overflow] 11: conversion can lose digits: take(4294967296)
              4294967296 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

/// A tariff that takes a weight of 32 bits, and who asks it for prices.
const TARIFF: &str =
    "contract Tariff { function quote(uint32 kilos) external pure returns (uint256) { return 5 + uint256(kilos); } }
    contract A { Tariff tariff = new Tariff(); mapping(uint256 => uint256) public booked; uint256 public count;
        function book(uint256 kilos) external payable {
            require(kilos > 0);
            require(msg.value == tariff.quote(uint32(kilos)));
            booked[++count] = kilos; } }";

#[test]
fn what_is_cut_is_passed_to_another_contract() {
    check_for(
        "0.7.6",
        TARIFF,
        expect![[r#"
        information[frozen-ether] 3: ether is frozen: book{value: 5 wei}(2e31)
          Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        warning[overflow] 6: conversion can lose digits: book{value: 5 wei}(2e31)
          2e31 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
    "#]],
    );
    check_for(
        "0.8.37",
        TARIFF,
        expect![[r#"
        information[frozen-ether] 3: ether is frozen: book{value: 5 wei}(2e31)
          Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        warning[overflow] 6: conversion can lose digits: book{value: 5 wei}(2e31)
          2e31 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
    "#]],
    );
}

/// A price for a number of 32 bits, within the contract that asks for it.
fn airtime(guard: &str) -> String {
    format!(
        "contract A {{ mapping(address => uint256) public secondsOf;
        function quote(uint32 count) public pure returns (uint256) {{ uint256 full = uint256(count) * 2; return count >= 600 ? full - full / 10 : full; }}
        function buy(uint256 count) external payable {{
            {guard}
            require(msg.value == quote(uint32(count)));
            secondsOf[msg.sender] = count; }}
        function collect() external {{ payable(address(1)).transfer(address(this).balance); }} }}"
    )
}

#[test]
fn what_is_cut_is_passed_to_a_function_of_the_same_contract() {
    check_for(
        "0.6.12",
        &airtime(""),
        expect![[r#"
        warning[overflow] 6: conversion can lose digits: buy{value: 3613497754 wei}(2.5e20)
          2.5e20 does not fit into uint32, and 2007498752 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
    "#]],
    );
    check_for(
        "0.8.37",
        &airtime(""),
        expect![[r#"
        warning[overflow] 6: conversion can lose digits: buy(4294967296)
          4294967296 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
    "#]],
    );
}

#[test]
fn what_is_passed_to_a_function_fits() {
    check_for("0.6.12", &airtime("require(count < 2**32);"), expect![[""]]);
    check_for("0.8.37", &airtime("require(count < 2**32);"), expect![[""]]);
}

#[test]
fn what_is_cut_in_a_function_that_others_come_to_as_well() {
    check(
        "contract A { mapping(address => uint96) public free; mapping(address => uint96) public bound; uint256 public highest;
            function topUp() external payable { free[msg.sender] += uint96(msg.value); }
            function bid(uint256 credits) external {
                require(credits > highest);
                bind(msg.sender, credits);
                highest = credits; }
            function bind(address who, uint256 credits) internal {
                uint96 part = uint96(credits);
                free[who] -= part;
                bound[who] += part; }
            function leave(uint96 credits) external { free[msg.sender] -= credits; payable(msg.sender).transfer(credits); } }",
        expect![[r#"
            warning[overflow] 9: conversion can lose digits: bid(2^96)
              2^96 does not fit into uint96, and 0 is left of it. With 2^96 − 1, the uint96 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn what_is_cut_is_compared() {
    check(
        "contract A { uint256 public sold;
            function buy(uint256 count) external {
                require(uint32(count) <= 100);
                sold += count; } }",
        expect![[r#"
            warning[overflow] 4: conversion can lose digits: buy(2e31)
              2e31 does not fit into uint32, and 0 is left of it. With 4294967295, the uint32 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn what_is_cut_is_passed_on_or_logged() {
    check(
        "contract A { uint256 public count; event Bought(uint32 count);
            function buy(uint256 amount) external {
                emit Bought(uint32(amount));
                count += half(uint32(amount)); }
            function half(uint32 amount) private pure returns (uint32) { return 100 - amount / 2; } }",
        expect![[""]],
    );
}

#[test]
fn what_is_cut_is_a_price() {
    check(
        "contract A { mapping(address => uint256) public seats;
            function buy(uint256 count) external payable {
                uint16 units = uint16(count);
                require(msg.value == units * 0.01 ether);
                seats[msg.sender] += count; }
            function collect() external { payable(address(1)).transfer(address(this).balance); } }",
        expect![[r#"
            warning[overflow] 4: conversion can lose digits: buy(2e15)
              2e15 does not fit into uint16, and 0 is left of it. With 65535, the uint16 that is nearest to it, the same call is refused: only the wrong result lets it through. Every user can do it.
        "#]],
    );
}

#[test]
fn functions_that_say_so_go_around() {
    check(
        "contract A { uint256 public total;
            function wrapAdd(uint256 a, uint256 b) internal pure returns (uint256) { unchecked { return a + b; } }
            function add(uint256 amount) external { total = wrapAdd(total, amount); } }",
        expect![[""]],
    );
}

#[test]
fn what_is_computed_from_a_hash_may_wrap() {
    check(
        "contract A { uint256 public minted; mapping(uint256 => uint64) public seed;
            function mint() external { seed[++minted] = mix(uint64(uint256(keccak256(abi.encode(msg.sender, minted))))); }
            function mix(uint64 x) internal pure returns (uint64 z) {
                unchecked { z = x + 0x9e3779b97f4a7c15; z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9; } } }",
        expect![[""]],
    );
}
