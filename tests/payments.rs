//! Who is paid, who refuses, and who takes what is not theirs.

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
fn a_payment_that_fails_goes_unnoticed() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                payable(msg.sender).send(amount); } }",
        expect![[r#"
            warning[unchecked-call] 7: failure of this call goes unnoticed: deposit{value: 1 wei}(), withdraw() (owner, when called, refuses)
              If the called account refuses, the transaction takes the same path and ends in the same way as if it had not.
        "#]],
    );
}

#[test]
fn a_payment_whose_failure_is_looked_at_is_no_finding() {
    check(
        "contract A { mapping(address => uint256) public balances; uint256 public failed;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function first() external {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                if (!payable(msg.sender).send(amount)) balances[msg.sender] = amount; }
            function second() external returns (bool ok) {
                uint256 amount = balances[msg.sender];
                balances[msg.sender] = 0;
                (ok,) = msg.sender.call{value: amount}(\"\"); } }",
        expect![[""]],
    );
}

#[test]
fn a_payment_whose_failure_is_returned_is_no_finding() {
    // The owner's script ignores what the function says, which is not the function's doing.
    check(
        "contract A { address owner = msg.sender; event Sent(bool ok);
            receive() external payable {}
            function send(address payable to) external returns (bool ok) {
                require(msg.sender == owner); (ok,) = to.call{value: 1}(\"\"); emit Sent(ok); }
            function run(bytes calldata script) external {
                require(msg.sender == owner); (bool ok,) = address(this).delegatecall(script); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn a_payment_for_which_there_is_no_ether_is_no_finding() {
    check(
        "contract A { uint256 public calls;
            function tip(address payable to) external returns (bool) { calls++; return to.send(1 wei); } }",
        expect![[""]],
    );
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
fn the_time_of_a_block_decides_who_wins() {
    check(
        "contract A { constructor() payable {}
            function spin() external payable {
                require(msg.value == 1 ether);
                if (block.timestamp % 7 == 0) payable(msg.sender).transfer(2 ether); } }",
        expect![[r#"
            warning[timestamp] 5: the time of the block decides who is paid here: spin{value: 1 ether}()
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
fn a_failure_that_is_only_logged_goes_unnoticed() {
    check(
        "contract A { mapping(address => uint256) public due; event Paid(address to, bool success);
            function owe(address to) external payable { require(to != address(0)); due[to] += msg.value; }
            function pay(address to) external {
                uint256 amount = due[to];
                require(amount > 0);
                due[to] = 0;
                (bool success,) = to.call{value: amount}(\"\");
                emit Paid(to, success); } }",
        expect![[r#"
            warning[unchecked-call] 8: failure of this call goes unnoticed: owe{value: 1 wei}(owner), pay(owner) (owner, when called, refuses)
              If the called account refuses, the transaction takes the same path and ends in the same way as if it had not.
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
fn what_a_contract_lacks_is_paid_in_by_somebody_else() {
    check(
        "contract Till {
            function put() external payable { require(msg.value > 0); }
            function out() external {
                payable(msg.sender).transfer(765432.123456789 ether);
                assert(false); } }",
        expect![[r#"
            error[assertion] 6: assertion can fail: put{value: 765432123456789 gwei}(), out()
              An assertion states what always holds, and this sequence breaks it.
        "#]],
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

#[test]
fn what_happens_if_a_payment_fails_is_looked_at() {
    check(
        "contract Prize { uint256 public failed;
            function pay(address payable to) external payable {
                (bool ok,) = to.call{value: msg.value}(\"\");
                if (!ok) failed++;
                assert(failed == 0); } }
        contract Counts { uint256 public failed;
            function back() external payable {
                (bool ok,) = msg.sender.call{value: msg.value}(\"\");
                if (!ok) failed++; }
            function check() external view { assert(failed < 2); } }",
        expect![[r#"
            error[assertion] 6: assertion can fail: pay(prize)
              An assertion states what always holds.
            error[assertion] 11: assertion can fail: back() (alice, when called, refuses), back(), check()
              An assertion states what always holds.
        "#]],
    );
}
