//! Who is paid because of the block that a transaction is in, and what may depend on it.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, token::TOKEN, told};

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
fn the_time_of_a_block_decides_who_wins() {
    check(
        "contract A { constructor() payable {}
            function spin() external payable {
                require(msg.value == 1 ether);
                if (block.timestamp % 7 == 0) payable(msg.sender).transfer(2 ether); } }",
        expect![[r#"
            warning[timestamp] 5: the time of the block decides who is paid here: spin{value: 1 ether}(), spin{value: 1 ether}()
              owner is paid. In a block 1 second later the same call succeeds as well, and owner is not; the proposer of a block chooses its time.
        "#]],
    );
}

#[test]
fn the_randomness_of_a_block_decides_who_wins() {
    check(
        "contract A { constructor() payable {}
            receive() external payable {}
            function spin() external payable {
                require(msg.value == 1 ether);
                uint256 seed = uint256(keccak256(abi.encode(block.prevrandao, block.number, msg.sender)));
                if (seed % 2 == 0) payable(msg.sender).transfer(2 ether); } }",
        expect![[r#"
            warning[block-number] 7: the block decides who is paid here: receive{value: 1 ether}(), spin{value: 1 ether}()
              owner is paid. 4 blocks later the same call succeeds as well, and owner is not; whoever sends the call can know the block's values beforehand.
        "#]],
    );
}

#[test]
fn a_hash_of_the_block_decides_whose_guess_is_right() {
    check(
        "contract A { constructor() payable { require(msg.value == 1 ether); }
            function guess(uint8 n) external payable {
                require(msg.value == 1 ether);
                uint8 answer = uint8(uint256(keccak256(abi.encodePacked(blockhash(block.number - 1), block.timestamp))));
                if (n == answer) payable(msg.sender).transfer(2 ether); } }",
        expect![[r#"
            warning[timestamp] 6: the time of the block decides who is paid here: guess{value: 1 ether}(94)
              owner is paid. In a block 1 second later the same call succeeds as well, and owner is not; the proposer of a block chooses its time.
        "#]],
    );
}

#[test]
fn what_is_earned_with_time_is_no_finding() {
    check(
        "contract A { address payable owner = payable(msg.sender); address payable heir = payable(address(0xa11ce));
            uint256 start = block.timestamp; uint256 total; uint256 paid; bool over;
            function fund() external payable { require(total == 0 && msg.value == 10); total = msg.value; }
            function due() public view returns (uint256) {
                uint256 passed = block.timestamp - start;
                return (passed > 100 ? total : total * passed / 100) - paid; }
            function release() external { uint256 amount = due(); paid += amount; heir.transfer(amount); }
            function revoke() external {
                require(msg.sender == owner && total > 0 && !over);
                over = true;
                uint256 amount = due();
                paid += amount;
                if (amount > 0) heir.transfer(amount);
                if (total > paid) owner.transfer(total - paid); } }",
        expect![[""]],
    );
}

#[test]
fn a_deadline_is_no_finding() {
    check(
        "contract A { uint256 immutable end = block.timestamp + 1 hours; mapping(address => uint256) paid; uint256 public since;
            function pay() external payable { paid[msg.sender] += msg.value; since = block.timestamp; }
            function back() external {
                if (block.timestamp < end) return;
                uint256 amount = paid[msg.sender];
                paid[msg.sender] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[""]],
    );
}

#[test]
fn a_price_that_falls_from_the_start_is_no_finding() {
    check_file(
        "pragma solidity ^0.5.0;
        contract A { uint256 start = now; mapping(address => uint256) public units;
            function price() public view returns (uint256) {
                uint256 elapsed = now - start;
                return elapsed >= 7 days ? 1 ether : 2 ether - 1 ether * elapsed / 7 days; }
            function buy() external payable {
                uint256 cost = price();
                require(msg.value >= cost);
                units[msg.sender]++;
                if (msg.value > cost) msg.sender.transfer(msg.value - cost); } }",
        expect![[""]],
    );
}

#[test]
fn the_time_of_a_block_chooses_one_of_those_who_paid() {
    check(
        "contract A { address payable[] players;
            function enter() external payable { require(msg.value == 1 ether); players.push(payable(msg.sender)); }
            function draw() external {
                require(players.length >= 2);
                address payable winner = players[block.timestamp % players.length];
                delete players;
                winner.transfer(address(this).balance); } }",
        expect![[r#"
            warning[timestamp] 8: the time of the block decides who is paid here: enter{value: 1 ether}(), enter{value: 1 ether}(), draw()
              owner is paid. In a block 1 second later the same call succeeds as well, and owner is not; the proposer of a block chooses its time.
        "#]],
    );
}

/// The table is full only where it has no more seats than there are people.
#[test]
fn the_time_of_a_block_chooses_one_of_those_who_sit_at_a_full_table() {
    check(
        "contract A { uint256 public seats; uint256 public stake; address payable[] internal seated; mapping(address => bool) sits;
            constructor(uint256 seats_, uint256 stake_) {
                require(seats_ >= 2 && seats_ <= 12 && stake_ > 0 && stake_ <= 10 ether); seats = seats_; stake = stake_; }
            function sit() external payable {
                require(seated.length < seats && msg.value == stake && !sits[msg.sender]);
                sits[msg.sender] = true; seated.push(payable(msg.sender)); }
            function spin() external {
                require(seated.length == seats);
                address payable winner = seated[block.timestamp % seats];
                delete seated;
                winner.transfer(stake * seats); } }",
        expect![[r#"
            warning[timestamp] 12: the time of the block decides who is paid here: sit{value: 1 wei}(), sit{value: 1 wei}(), spin()
              owner is paid. In a block 1 second later the same call succeeds as well, and owner is not; the proposer of a block chooses its time.
        "#]],
    );
}

#[test]
fn a_bet_that_was_won_is_no_theft() {
    check(
        "contract A { constructor() payable {} receive() external payable {}
            function bet(uint256 amount) external payable {
                require(msg.value == amount);
                if (uint256(keccak256(abi.encode(block.prevrandao, msg.sender))) % 2 == 0) payable(msg.sender).transfer(2 * amount); } }",
        expect![[r#"
            warning[block-number] 5: the block decides who is paid here: bet{value: 1 wei}(1)
              owner is paid. 2 blocks later the same call succeeds as well, and owner is not; whoever sends the call can know the block's values beforehand.
        "#]],
    );
}

#[test]
fn the_difficulty_of_a_block_before_paris_decides_who_wins() {
    check_file(
        "pragma solidity ^0.5.0;
        contract A { constructor() public payable {}
            function () external payable {}
            function spin() external payable {
                require(msg.value == 1 ether);
                if (uint256(keccak256(abi.encode(block.difficulty))) % 2 == 0) msg.sender.transfer(2 ether); } }",
        expect![[r#"
            warning[block-number] 6: the block decides who is paid here: fallback{value: 1 ether}(0x), spin{value: 1 ether}()
              owner is paid. 2 blocks later the same call succeeds as well, and owner is not; whoever sends the call can know the block's values beforehand.
        "#]],
    );
}

#[test]
fn what_is_only_stored_or_logged_decides_nothing() {
    check(
        "contract A { uint256 public last; uint256 public height; bytes32 public seed; mapping(address => uint256) public due; event Paid(uint256 at, uint256 number);
            function pay() external payable { due[msg.sender] += msg.value; last = block.timestamp; seed = blockhash(block.number - 1); }
            function take() external {
                uint256 amount = due[msg.sender];
                due[msg.sender] = 0;
                height = block.number;
                emit Paid(block.timestamp, block.number);
                payable(msg.sender).transfer(amount); } }",
        expect![[""]],
    );
}

#[test]
fn a_height_after_which_all_are_paid_is_no_finding() {
    check(
        "contract A { uint256 immutable end = block.number + 100; mapping(address => uint256) paid; mapping(address => uint256) since;
            function pay() external payable { require(block.number < end); paid[msg.sender] += msg.value; since[msg.sender] = block.number; }
            function back() external {
                require(block.number >= end || block.number >= since[msg.sender] + 10);
                uint256 amount = paid[msg.sender];
                paid[msg.sender] = 0;
                payable(msg.sender).transfer(amount); } }",
        expect![[""]],
    );
}

/// The block that decides comes after the bet, so that nobody who bets knows it; when somebody settles makes no difference.
#[test]
fn a_block_that_was_named_beforehand_is_no_finding() {
    check(
        "contract A { struct Bet { uint128 amount; uint64 number; bool even; } mapping(address => Bet) public bets; mapping(uint256 => uint256) public drawn;
            constructor() payable {}
            receive() external payable {}
            function bet(bool even) external payable {
                require(msg.value > 0 && msg.value < 1 ether && bets[msg.sender].amount == 0);
                bets[msg.sender] = Bet(uint128(msg.value), uint64(block.number + 2), even); }
            function draw(uint256 number) external {
                require(drawn[number] == 0 && block.number > number && block.number < number + 200);
                drawn[number] = uint256(blockhash(number)) | 1 << 255; }
            function settle() external {
                Bet memory own = bets[msg.sender];
                require(own.amount > 0 && drawn[own.number] > 0);
                delete bets[msg.sender];
                if ((drawn[own.number] % 2 == 0) == own.even) payable(msg.sender).transfer(2 * uint256(own.amount)); } }",
        expect![[""]],
    );
}

#[test]
fn the_time_of_a_block_decides_who_wins_tokens() {
    check(
        &format!(
            "{TOKEN}contract Wheel {{ Token token;
                constructor(Token coin) {{ token = coin; }}
                function spin() external {{
                    token.transferFrom(msg.sender, address(this), 10);
                    if (block.timestamp % 3 == 0) token.transfer(msg.sender, 20); }} }}"
        ),
        expect![[r#"
            warning[timestamp] 18: the time of the block decides who gets tokens here: spin(), spin()
              owner gets tokens. In a block 1 second later the same call succeeds as well, and owner does not; the proposer of a block chooses its time.
        "#]],
    );
}

#[test]
fn the_randomness_of_a_block_decides_who_wins_tokens() {
    check(
        &format!(
            "{TOKEN}contract Wheel {{ Token token;
                constructor(Token coin) {{ token = coin; }}
                function spin() external {{
                    token.transferFrom(msg.sender, address(this), 10);
                    if (uint256(keccak256(abi.encode(block.prevrandao, msg.sender))) % 2 == 0) token.transfer(msg.sender, 20); }} }}"
        ),
        expect![[r#"
            warning[block-number] 18: the block decides who gets tokens here: token.mint(wheel, 10), spin()
              alice gets tokens. 4 blocks later the same call succeeds as well, and alice does not; whoever sends the call can know the block's values beforehand.
        "#]],
    );
}

/// A deadline, wages that grow with time, and a stake that is given back less a fee that falls.
#[test]
fn tokens_that_wait_or_are_earned_are_no_finding() {
    check(
        &format!(
            "{TOKEN}contract Till {{ Token token; uint256 immutable end = block.timestamp + 1 hours; mapping(address => uint256) public paid;
                constructor(Token coin) {{ token = coin; }}
                function pay(uint256 amount) external {{ token.transferFrom(msg.sender, address(this), amount); paid[msg.sender] += amount; }}
                function back() external {{
                    uint256 amount = block.timestamp < end ? 0 : paid[msg.sender];
                    paid[msg.sender] -= amount;
                    token.transfer(msg.sender, amount); }} }}
             contract Wages {{ Token token; uint256 immutable start = block.timestamp; uint256 total; uint256 taken; address worker;
                constructor(Token coin) {{ token = coin; }}
                function open(uint256 amount, address to) external {{
                    require(total == 0); token.transferFrom(msg.sender, address(this), amount); total = amount; worker = to; }}
                function take() external {{
                    uint256 passed = block.timestamp - start;
                    uint256 due = (passed > 100 ? total : total * passed / 100) - taken;
                    taken += due;
                    if (due > 0) token.transfer(worker, due); }} }}
             contract Stakes {{ Token token; mapping(address => uint256) public staked; mapping(address => uint256) public since;
                constructor(Token coin) {{ token = coin; }}
                function stake(uint256 amount) external {{
                    token.transferFrom(msg.sender, address(this), amount); staked[msg.sender] += amount; since[msg.sender] = block.timestamp; }}
                function leave() external {{
                    uint256 amount = staked[msg.sender]; staked[msg.sender] = 0;
                    uint256 held = block.timestamp - since[msg.sender];
                    token.transfer(msg.sender, held > 10 ? amount : amount * (90 + held) / 100); }} }}"
        ),
        expect![[""]],
    );
}
