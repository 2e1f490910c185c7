//! Whoever is called calls back: found where they gain by it, and silent where the same calls one after the other gain as much.

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
fn the_books_are_written_after_the_payment() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                uint256 amount = balances[msg.sender];
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                balances[msg.sender] = 0; } }",
        expect![[r#"
            error[reentrancy] 6: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), withdraw() (alice, when called, calls it again)
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn the_books_are_written_after_the_payment_before_0_8() {
    check_file(
        "pragma solidity ^0.4.24;
         contract A { mapping(address => uint256) public balances;
            function deposit() public payable { balances[msg.sender] += msg.value; }
            function withdraw(uint256 amount) public {
                require(balances[msg.sender] >= amount);
                require(msg.sender.call.value(amount)());
                balances[msg.sender] -= amount; } }",
        expect![[r#"
            error[reentrancy] 6: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), withdraw(1) (alice, when called, calls it again)
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn another_function_is_called_back() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function transfer(address to, uint256 amount) external {
                require(balances[msg.sender] >= amount);
                balances[msg.sender] -= amount;
                balances[to] += amount; }
            bool locked;
            function withdraw() external {
                require(!locked);
                locked = true;
                uint256 amount = balances[msg.sender];
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                balances[msg.sender] = 0;
                locked = false; } }",
        expect![[r#"
            error[reentrancy] 13: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), withdraw() (alice, when called, calls transfer(bob, 1)), withdraw()
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn a_payment_without_gas_beside_the_one_that_is_open_is_not_told() {
    check(
        "contract A { mapping(address => uint256) public balances; mapping(address => uint256) public fees;
            function deposit() external payable { require(msg.value > 9); balances[msg.sender] += msg.value / 2; fees[msg.sender] += msg.value / 2; }
            function withdraw() external {
                uint256 amount = balances[msg.sender];
                uint256 fee = fees[msg.sender];
                fees[msg.sender] = 0;
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                balances[msg.sender] = 0;
                if (fee > 0) payable(msg.sender).transfer(fee); } }",
        expect![[r#"
            error[reentrancy] 8: call can be re-entered for a gain: deposit{value: 10 wei}(), deposit{value: 10 wei}(), withdraw() (alice, when called, calls it again)
              Made one after the other, the same calls leave the attackers with 5 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn a_lock_is_no_finding() {
    check(
        "contract A { mapping(address => uint256) public balances; bool locked;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                require(!locked);
                locked = true;
                uint256 amount = balances[msg.sender];
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok);
                balances[msg.sender] = 0;
                locked = false; } }",
        expect![[""]],
    );
}

#[test]
fn books_that_are_written_first_are_no_finding() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw(uint256 amount) external {
                balances[msg.sender] -= amount;
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn the_gas_of_a_transfer_is_too_little_to_call_back() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                payable(msg.sender).transfer(balances[msg.sender]);
                balances[msg.sender] = 0; } }",
        expect![[""]],
    );
}

/// A vault whose shares another contract keeps, which may be given away while one is paid for them. So many wei are a share.
fn vault(share: &str) -> String {
    format!(
        "contract Shares {{ address vault = msg.sender; mapping(address => uint256) public balanceOf;
            function transfer(address to, uint256 amount) external {{ balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }}
            function mint(address to, uint256 amount) external {{ require(msg.sender == vault); balanceOf[to] += amount; }}
            function burnAll(address from) external {{ require(msg.sender == vault); balanceOf[from] = 0; }} }}
         contract A {{ Shares public shares = new Shares(); bool locked;
            modifier once() {{ require(!locked); locked = true; _; locked = false; }}
            function deposit() external payable once {{ require(msg.value % {share} == 0); shares.mint(msg.sender, msg.value / {share}); }}
            function redeem() external once {{
                uint256 amount = shares.balanceOf(msg.sender) * {share};
                (bool ok,) = msg.sender.call{{value: amount}}(\"\");
                require(ok);
                shares.burnAll(msg.sender); }} }}"
    )
}

#[test]
fn another_contract_is_called_back() {
    check(
        &vault("1 wei"),
        expect![[r#"
            error[reentrancy] 11: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), redeem() (alice, when called, calls shares.transfer(bob, 1)), redeem()
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

/// Shares are no wei, so that only the books tell how many the caller may give away.
#[test]
fn another_contract_is_called_back_about_all_that_it_keeps() {
    check(
        &vault("1 gwei"),
        expect![[r#"
            error[reentrancy] 11: call can be re-entered for a gain: deposit{value: 1 gwei}(), deposit{value: 1 gwei}(), redeem() (alice, when called, calls shares.transfer(bob, 1)), redeem()
              Made one after the other, the same calls leave the attackers with 1 gwei less: what they call back finds state that is not up to date yet.
        "#]],
    );
}

/// Whoever pays on behalf of `tx.origin` lets everybody do so who is called, whether a call is open or not.
#[test]
fn a_payment_in_the_name_of_who_sent_the_transaction_needs_no_open_call() {
    check(
        "contract Wallet { address owner = msg.sender;
            receive() external payable {}
            function pay(address payable to, uint256 amount) external {
                require(tx.origin == owner, \"not the owner\");
                (bool ok,) = to.call{value: amount}(\"\");
                require(ok); } }",
        expect![[r#"
            warning[ether-theft] 6: anyone whose contract is called can take ether in the name of the caller: receive{value: 1 wei}(), a call of alice (alice, when called, calls pay(alice, 1))
              If owner calls the contract of a user, for whatever reason, that contract makes the call and is paid 1 wei; if somebody else calls it, it is not paid: only `tx.origin` differs.
        "#]],
    );
}

/// A drop of tokens of which everybody gets one, and whose receivers hear of theirs.
fn drop(take: &str) -> String {
    format!(
        "interface Receiver {{ function onERC721Received(address by, address from, uint256 id, bytes calldata data) external returns (bytes4); }}
        contract A {{ mapping(uint256 => address) public ownerOf; mapping(address => uint256) public balanceOf; mapping(address => bool) public served;
            uint256 public next; bool locked;
            function hand(address to) internal {{
                ownerOf[next++] = to;
                balanceOf[to]++;
                if (to.code.length > 0)
                    require(Receiver(to).onERC721Received(msg.sender, address(0), next, \"\") == Receiver.onERC721Received.selector); }}
            {take} }}"
    )
}

#[test]
fn whoever_gets_a_token_asks_for_another_one() {
    check(
        &drop(
            "function take() external { require(!served[msg.sender]); hand(msg.sender); served[msg.sender] = true; }",
        ),
        expect![[r#"
            error[reentrancy] 9: call of a hook can be re-entered for a gain: take() (alice, when called, calls it again)
              No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn who_was_served_is_written_down_first() {
    check(
        &drop(
            "function take() external { require(!served[msg.sender]); served[msg.sender] = true; hand(msg.sender); }",
        ),
        expect![[""]],
    );
}

#[test]
fn a_hook_is_called_behind_a_lock() {
    check(
        &drop(
            "function take() external { require(!served[msg.sender] && !locked); locked = true;
                 hand(msg.sender); served[msg.sender] = true; locked = false; }",
        ),
        expect![[""]],
    );
}

#[test]
fn whoever_gets_a_token_may_have_as_many_as_they_like() {
    check(&drop("function take() external { hand(msg.sender); }"), expect![[""]]);
}

/// A sale of which everybody gets one, and that pays back what was too much.
fn sale(mint: &str) -> String {
    format!(
        "contract A {{ mapping(address => bool) public served; mapping(address => uint256) public balanceOf;
            function pay_back() private {{
                (bool ok,) = msg.sender.call{{value: msg.value - 100}}(\"\");
                require(ok); }}
            function note() private {{ served[msg.sender] = true; balanceOf[msg.sender]++; }}
            function mint() external payable {{ require(!served[msg.sender] && msg.value >= 100); {mint} }} }}"
    )
}

#[test]
fn whoever_is_paid_back_buys_another_one() {
    check(
        &sale("pay_back(); note();"),
        expect![[r#"
        error[reentrancy] 4: payment can be re-entered for a gain: mint{value: 101 wei}() (alice, when called, calls it again)
          No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
    "#]],
    );
}

#[test]
fn who_bought_one_is_written_down_before_they_are_paid_back() {
    check(&sale("note(); pay_back();"), expect![[""]]);
}

/// A house that counts its visitors, and pays back what they paid.
fn visits(visit: &str) -> String {
    format!(
        "contract A {{ uint256 public visits;
            function pay_back() private {{
                (bool ok,) = msg.sender.call{{value: msg.value}}(\"\");
                require(ok); }}
            function visit() external payable {{ {visit} }} }}"
    )
}

#[test]
fn a_visit_gets_lost_and_nobody_gains_by_it() {
    check(
        &visits("uint256 before = visits; pay_back(); visits = before + 1;"),
        expect![[r#"
        information[reentrancy] 4: call can be re-entered while state is not up to date: visit() (alice, when called, calls it again)
          The call back leaves `visits` at 1; made one after the other, the same calls leave it at 2. Nobody gains anything by it here.
    "#]],
    );
}

#[test]
fn a_visit_is_counted_before_or_after_a_payment() {
    check(&visits("visits++; pay_back();"), expect![[""]]);
    check(&visits("pay_back(); visits++;"), expect![[""]]);
}

/// Shares of a reserve that nobody else looks at.
fn reserve(leave: &str) -> String {
    format!(
        "contract A {{ mapping(address => uint256) public shares; uint256 public total; uint256 public reserve; uint256 public lock = 1;
            modifier once() {{ require(lock == 1); lock = 2; _; lock = 1; }}
            function enter() external payable once {{
                shares[msg.sender] += msg.value; total += msg.value; reserve += msg.value; }}
            function pay(uint256 amount) private {{
                (bool ok,) = msg.sender.call{{value: amount}}(\"\");
                require(ok); }}
            function leave(uint256 amount) external once {{
                require(amount > 0 && amount < total);
                uint256 paid = amount * reserve / total;
                shares[msg.sender] -= amount;
                {leave} }}
            function price() external view returns (uint256) {{ return total == 0 ? 0 : reserve * 100 / total; }} }}"
    )
}

#[test]
fn a_price_is_wrong_while_a_call_is_open_and_nobody_asks_for_it() {
    check(
        &reserve("total -= amount; pay(paid); reserve -= paid;"),
        expect![[r#"
        warning[reentrancy] 7: call can be re-entered while state is not up to date: enter{value: 2 wei}(), leave(1) (alice, when called, calls price())
          While the call is open, `price` returns 200; it returns 100 before and after it. Nobody pays by it here; a contract that asks meanwhile would.
    "#]],
    );
}

#[test]
fn a_lock_that_can_be_read_is_no_finding() {
    check(&reserve("total -= amount; reserve -= paid; pay(paid);"), expect![[""]]);
}

#[test]
fn ether_as_a_token_is_no_finding() {
    check(
        "contract A { mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
            receive() external payable { deposit(); }
            function deposit() public payable { balanceOf[msg.sender] += msg.value; }
            function withdraw(uint256 amount) external {
                balanceOf[msg.sender] -= amount;
                (bool ok,) = msg.sender.call{value: amount}(\"\");
                require(ok); }
            function totalSupply() external view returns (uint256) { return address(this).balance; }
            function approve(address to, uint256 amount) external { allowance[msg.sender][to] = amount; }
            function transferFrom(address from, address to, uint256 amount) external {
                if (from != msg.sender) allowance[from][msg.sender] -= amount;
                balanceOf[from] -= amount;
                balanceOf[to] += amount; } }",
        expect![[""]],
    );
}

#[test]
fn a_part_of_what_is_there_is_no_theft() {
    check(
        "contract A { mapping(address => uint256) public shares; uint256 public total;
            receive() external payable {}
            function assets() public view returns (uint256) { return address(this).balance; }
            function deposit() external payable {
                uint256 before = assets() - msg.value;
                uint256 minted = total == 0 || before == 0 ? msg.value : msg.value * total / before;
                require(minted > 0);
                shares[msg.sender] += minted; total += minted; }
            function withdraw(uint256 amount) external {
                require(total > 0);
                uint256 paid = amount * assets() / total;
                shares[msg.sender] -= amount; total -= amount;
                (bool ok,) = msg.sender.call{value: paid}(\"\");
                require(ok); }
            function perShare() external view returns (uint256) { return total == 0 ? 100 : assets() * 100 / total; } }",
        expect![[""]],
    );
}

/// A bank that lends its ether for one call.
fn bank(lend: &str) -> String {
    format!(
        "interface Borrower {{ function onFlashLoan(uint256 amount) external payable; }}
        contract A {{ mapping(address => uint256) public balances; bool locked;
            modifier once() {{ require(!locked); locked = true; _; locked = false; }}
            constructor() payable {{}}
            {lend}
                uint256 before = address(this).balance;
                Borrower(msg.sender).onFlashLoan{{value: amount}}(amount);
                require(address(this).balance >= before); }} }}"
    )
}

#[test]
fn what_is_lent_is_paid_back_as_a_deposit() {
    check(
        &bank(
            "function deposit() external payable { balances[msg.sender] += msg.value; }
            function lend(uint256 amount) external {",
        ),
        expect![[r#"
            error[reentrancy] 9: call of a hook can be re-entered for a gain: deposit{value: 1 wei}(), lend(1) (alice, when called, calls deposit{value: 1 wei}())
              No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn what_is_lent_can_only_be_paid_back() {
    check(
        &bank(
            "function deposit() external payable once { balances[msg.sender] += msg.value; }
            function repay() external payable {}
            function lend(uint256 amount) external once {",
        ),
        expect![[""]],
    );
}

/// A market for tokens whose holders are told before these are moved.
fn market(supply: &str) -> String {
    format!(
        "interface Holder {{ function tokensToSend(uint256 amount) external; }}
        contract A {{ mapping(address => uint256) public tokens; mapping(address => uint256) public supplied;
            function deposit() external payable {{ tokens[msg.sender] += msg.value; }}
            function withdraw(uint256 amount) external {{
                tokens[msg.sender] -= amount; payable(msg.sender).transfer(amount); }}
            function pull(address from, uint256 amount) private {{
                if (from.code.length > 0) Holder(from).tokensToSend(amount);
                tokens[from] -= amount; }}
            function redeem(uint256 amount) external {{
                supplied[msg.sender] -= amount; tokens[msg.sender] += amount; }}
            function supply(uint256 amount) external {{ {supply} }} }}"
    )
}

#[test]
fn what_was_supplied_is_read_before_a_hook_and_written_after_it() {
    check(
        &market(
            "uint256 before = supplied[msg.sender]; pull(msg.sender, amount); supplied[msg.sender] = before + amount;",
        ),
        expect![[r#"
            error[reentrancy] 8: call of a hook can be re-entered for a gain: deposit{value: 1 wei}(), supply(1), supply(1) (alice, when called, calls redeem(1))
              No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn what_was_supplied_is_read_after_a_hook() {
    check(&market("pull(msg.sender, amount); supplied[msg.sender] += amount;"), expect![[""]]);
}

/// A pawnbroker who gives one loan for a bar of gold that is left with it.
fn pawnbroker(take_back: &str) -> String {
    format!(
        "interface Receiver {{ function onReceived(address from, uint256 id) external; }}
        contract Gold {{ uint256 next; mapping(uint256 => address) public owners;
            function mint() external payable {{ require(msg.value == 1 gwei); owners[next++] = msg.sender; }}
            function melt(uint256 id) external {{
                require(owners[id] == msg.sender); delete owners[id]; payable(msg.sender).transfer(1 gwei); }}
            function give(address to, uint256 id) external {{
                require(owners[id] == msg.sender); owners[id] = to;
                if (to.code.length > 0) Receiver(to).onReceived(msg.sender, id); }} }}
        contract Pawnbroker {{ Gold gold; mapping(uint256 => address) left; mapping(address => uint256) bars;
            mapping(address => uint256) debts;
            constructor(Gold gold_) {{ gold = gold_; }}
            function fund() external payable {{}}
            function onReceived(address from, uint256 id) external {{
                require(msg.sender == address(gold)); left[id] = from; bars[from]++; }}
            function borrow() external {{
                require(bars[msg.sender] > 0 && debts[msg.sender] == 0);
                debts[msg.sender] = 1000; payable(msg.sender).transfer(1000); }}
            function repay() external payable {{ require(msg.value == debts[msg.sender]); debts[msg.sender] = 0; }}
            {take_back} }}"
    )
}

#[test]
fn a_loan_is_taken_while_what_it_is_given_for_goes() {
    check(
        &pawnbroker(
            "function take(uint256 id) external {
                require(left[id] == msg.sender && debts[msg.sender] == 0); delete left[id];
                gold.give(msg.sender, id); bars[msg.sender]--; }",
        ),
        expect![[r#"
            error[reentrancy] 9: call of a hook can be re-entered for a gain: mint{value: 1 gwei}(), give(pawnbroker, 0), pawnbroker.fund{value: 1000 wei}(), pawnbroker.take(0) (alice, when called, calls pawnbroker.borrow())
              No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn no_loan_is_given_for_what_goes() {
    check(
        &pawnbroker(
            "function take(uint256 id) external {
                require(left[id] == msg.sender && debts[msg.sender] == 0); delete left[id];
                bars[msg.sender]--; gold.give(msg.sender, id); }",
        ),
        expect![[""]],
    );
}

#[test]
fn an_assertion_that_holds_only_if_nobody_calls_back() {
    check(
        "contract A { uint256 open;
            function visit() external payable {
                require(msg.value > 0);
                open++;
                (bool ok,) = msg.sender.call{value: msg.value}(\"\");
                require(ok);
                assert(open == 1);
                open--; } }",
        expect![[r#"
            error[assertion] 8: assertion can fail: visit{value: 1 wei}() (alice, when called, calls it again)
              An assertion states what always holds, and this sequence breaks it. The same calls made one after the other do not show it: what is called back finds state that is not up to date yet.
        "#]],
    );
}

/// A contract that is right unless somebody makes a second call, with a number that fits, while it lends.
fn lender_with_a_code(settle: &str) -> String {
    format!(
        "contract A {{ bool lends;
            function lend() external {{ lends = true; (bool ok,) = msg.sender.call(\"\"); require(ok); lends = false; }}
            function settle(uint256 code) external {{
                require(lends);
                require(code > 1000);
                require(code * 7 == 5397763);
                {settle} }} }}"
    )
}

#[test]
fn the_words_of_a_call_back_are_searched() {
    check(
        &lender_with_a_code("assert(code == 0); lends = false;"),
        expect![[r#"
        error[assertion] 8: assertion can fail: lend() (alice, when called, calls settle(771109))
          An assertion states what always holds, and this sequence breaks it. The same calls made one after the other do not show it: what is called back finds state that is not up to date yet.
    "#]],
    );
}

#[test]
fn a_call_back_that_is_searched_and_does_no_harm_is_no_finding() {
    check(&lender_with_a_code("assert(code != 0); lends = false;"), expect![[""]]);
}

#[test]
fn the_answer_of_who_is_called_is_searched() {
    check(
        "interface Rate { function rate() external returns (uint256); }
         contract A { function trade() external {
                uint256 rate = Rate(msg.sender).rate();
                require(rate > 1000 && rate < 1000000000);
                require(rate * 7 == 5397763);
                assert(rate == 0); } }",
        expect![[r#"
            error[assertion] 7: assertion can fail: trade() (alice, when called, accepts, and answers 771109)
              An assertion states what always holds.
        "#]],
    );
}

/// A shop that asks for its payment, in tokens, while a call of it is open, and does this before.
fn shop(before: &str) -> String {
    format!(
        "contract Token {{ mapping(address => uint256) public balanceOf;
            function mint() external payable {{ balanceOf[msg.sender] += msg.value; }}
            function transfer(address to, uint256 amount) external {{ balanceOf[msg.sender] -= amount; balanceOf[to] += amount; }}
            function burn(uint256 amount) external {{ balanceOf[msg.sender] -= amount; payable(msg.sender).transfer(amount); }} }}
        interface Buyer {{ function onBuy(uint256 amount) external; }}
        contract A {{ Token public token; mapping(address => uint256) public bought; bool locked;
            constructor(Token token_) payable {{ token = token_; }}
            function buy(uint256 amount) external {{
                require(!locked && amount > 0);
                locked = true;
                uint256 before = token.balanceOf(address(this));
                {before}
                require(token.balanceOf(address(this)) >= before + amount);
                locked = false; }} }}"
    )
}

#[test]
fn who_is_paid_by_a_call_back_is_no_finding() {
    check(&shop("Buyer(msg.sender).onBuy(amount); bought[msg.sender] += amount;"), expect![[""]]);
    check(&shop("(bool ok,) = msg.sender.call{value: amount}(\"\"); require(ok);"), expect![[""]]);
}

/// Vouchers that are paid before they are written off, and that only who knows a number moves.
fn vouchers(close: &str) -> String {
    format!(
        "contract A {{ mapping(address => uint256) public vouchers; bool locked;
            function deposit() external payable {{ vouchers[msg.sender] += msg.value; }}
            function move(address to, uint256 amount, uint256 pin) external {{
                require(pin % 1000003 == 77777);
                vouchers[msg.sender] -= amount;
                vouchers[to] += amount; }}
            function close() external {{
                require(!locked);
                locked = true;
                {close}
                locked = false; }} }}"
    )
}

#[test]
fn a_call_is_made_back_with_words_with_which_it_succeeded() {
    let mut sandbox = Sandbox::new("");
    let close =
        "(bool ok,) = msg.sender.call{value: vouchers[msg.sender]}(\"\"); require(ok); vouchers[msg.sender] = 0;";
    sandbox.write("src/A.sol", &format!("pragma solidity ^0.8.0;\n{}", vouchers(close)));
    expect![[r#"
        error[reentrancy] 11: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), close() (alice, when called, calls move(bob, 1, 2^160 + 29677)), close()
          Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
    "#]].assert_eq(&told::findings_of_seed(&mut sandbox, 2));
}

#[test]
fn what_is_moved_while_it_is_paid_was_written_off() {
    let close = "uint256 amount = vouchers[msg.sender]; vouchers[msg.sender] = 0;
                 (bool ok,) = msg.sender.call{value: amount}(\"\"); require(ok);";
    check(&vouchers(close), expect![[""]]);
}

#[test]
fn a_price_that_is_wrong_while_a_call_is_open() {
    check(
        "contract Pool { mapping(address => uint256) public shares; mapping(address => mapping(address => uint256)) public allowance;
            uint256 public total; uint256 public reserve; bool locked;
            modifier once() { require(!locked); locked = true; _; locked = false; }
            function enter() external payable once { shares[msg.sender] += msg.value; total += msg.value; reserve += msg.value; }
            function leave(uint256 amount) external once {
                uint256 paid = amount * reserve / total;
                shares[msg.sender] -= amount;
                total -= amount;
                (bool ok,) = msg.sender.call{value: paid}(\"\");
                require(ok);
                reserve -= paid; }
            function price() external view returns (uint256) { return reserve * 1e18 / total; }
            function approve(address to, uint256 amount) external { allowance[msg.sender][to] = amount; }
            function transferFrom(address from, address to, uint256 amount) external {
                allowance[from][msg.sender] -= amount; shares[from] -= amount; shares[to] += amount; } }
         contract Desk { Pool public immutable pool;
            constructor(Pool pool_) { pool = pool_; }
            receive() external payable {}
            function sell(uint256 amount) external {
                uint256 paid = amount * pool.price() / 1e18;
                pool.transferFrom(msg.sender, address(this), amount);
                payable(msg.sender).transfer(paid); } }",
        expect![[r#"
            information[compiler-check] 7: division by zero: leave(0)
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
            error[reentrancy] 10: call can be re-entered for a gain: pool.enter{value: 2 wei}(), receive{value: 4 wei}(), pool.approve(desk, 2), pool.leave(1) (alice, when called, calls sell(1))
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
            information[compiler-check] 13: division by zero: price()
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
        "#]],
    );
}

#[test]
fn a_hook_that_has_to_be_answered_before_anybody_is_paid_is_no_finding() {
    check(
        "interface Receiver { function onPayout(address from) external payable returns (bytes4); }
        contract A { mapping(address => uint256) public credit;
            function depositFor(address to) external payable { require(to != address(0)); credit[to] += msg.value; }
            function payTo(Receiver receiver) external {
                uint256 amount = credit[msg.sender];
                require(amount > 0);
                credit[msg.sender] = 0;
                try receiver.onPayout{value: amount}(msg.sender) returns (bytes4 answer) {
                    require(answer == Receiver.onPayout.selector);
                } catch { credit[msg.sender] += amount; } } }",
        expect![[""]],
    );
}

/// A bank that lends to whoever answers as a borrower of ERC-3156 does.
fn lender(condition: &str) -> String {
    format!(
        "interface IBorrower {{ function onFlashLoan(address, uint256) external payable returns (bytes32); }}
        contract A {{ mapping(address => uint256) public balances;
            function deposit() external payable {{ balances[msg.sender] += msg.value; }}
            function lend(uint256 amount) external {{
                {condition}
                uint256 before = address(this).balance;
                bytes32 answer = IBorrower(msg.sender).onFlashLoan{{value: amount}}(msg.sender, amount);
                require(answer == keccak256(\"ERC3156FlashBorrower.onFlashLoan\"), \"no borrower\");
                require(address(this).balance >= before, \"not paid back\"); }} }}"
    )
}

#[test]
fn a_borrower_answers_what_the_lender_wants_and_pays_back_as_a_deposit() {
    check(
        &lender(""),
        expect![[r#"
            error[reentrancy] 8: call of a hook can be re-entered for a gain: deposit{value: 1 wei}(), lend(1) (alice, when called, calls deposit{value: 1 wei}(), and answers 0x4391…8dd9)
              No order of the same calls, with or without one of them, leaves whoever calls back as much ether and as much of all that is kept under their address: what they call back finds state that is not up to date yet.
        "#]],
    );
}

#[test]
fn nobody_with_code_borrows_anything() {
    check(&lender("require(balances[msg.sender] == 0 && msg.sender.code.length == 0);"), expect![[""]]);
}

#[test]
fn a_contract_says_what_it_supports() {
    check(
        "interface IERC165 { function supportsInterface(bytes4 id) external view returns (bool); }
        contract A { address public plugin; uint256 public fee;
            function install() external {
                require(IERC165(msg.sender).supportsInterface(0x12345678), \"no plugin\");
                plugin = msg.sender; }
            function ask() external { require(msg.sender == plugin); fee = 100; assert(fee != 100); } }",
        expect![[r#"
            error[assertion] 7: assertion can fail: install() (alice, when called, accepts, and answers 1), ask()
              An assertion states what always holds.
        "#]],
    );
}
