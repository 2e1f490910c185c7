//! Tokens that anyone can take, and such that are paid by design: what is told of each, with its reason.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, token::TOKEN, told};

/// Compares what is told of a contract that knows of a token.
fn check(contract: &str, expected: Expect) {
    expected.assert_eq(&told::findings(&mut Sandbox::single(&format!("{TOKEN}{contract}"))));
}

#[test]
fn a_sweep_that_anyone_may_make_is_a_theft() {
    check(
        "contract Vault {
            Token public immutable token; mapping(address => uint256) public deposits;
            constructor(Token coin) { token = coin; }
            function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); deposits[msg.sender] += amount; }
            function sweep(uint256 amount) external { token.transfer(msg.sender, amount); } }",
        expect![[r#"
            error[ether-theft] 19: anyone can take tokens: deposit(1), sweep(1)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 of `token`.
        "#]],
    );
}

#[test]
fn all_that_others_paid_in_is_a_theft() {
    check(
        "contract Vault {
            Token public immutable token; mapping(address => uint256) public deposits;
            constructor(Token coin) { token = coin; }
            function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); deposits[msg.sender] += amount; }
            function close() external { token.transfer(msg.sender, token.balanceOf(address(this))); } }",
        expect![[r#"
            error[ether-theft] 19: anyone can take tokens: deposit(1), close()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 1 of `token`.
        "#]],
    );
}

#[test]
fn tokens_of_whoever_approved_a_contract_are_taken_through_it() {
    check(
        "contract Payer {
            Token public immutable token; uint256 public paid;
            constructor(Token coin) { token = coin; }
            function pay(address from, address to, uint256 amount) external { token.transferFrom(from, to, amount); paid += amount; } }",
        expect![[r#"
            error[ether-theft] 18: anyone can take tokens: pay(owner, alice, 1)
              Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 of `token`.
        "#]],
    );
}

#[test]
fn a_token_that_asks_for_no_allowance_is_taken_from_its_owners() {
    expect![[r#"
        information[frozen-ether] 3: ether is frozen: buy{value: 1 wei}()
          Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        error[ether-theft] 8: anyone can take tokens: buy{value: 1 wei}(), transferFrom(owner, alice, 1)
          Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 of `loose`.
    "#]].assert_eq(&told::findings(&mut Sandbox::single(
        "contract Loose {
            event Transfer(address indexed from, address indexed to, uint256 amount);
            mapping(address => uint256) public balanceOf;
            function buy() external payable { balanceOf[msg.sender] += msg.value; emit Transfer(address(0), msg.sender, msg.value); }
            function transferFrom(address from, address to, uint256 amount) external {
                balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); } }",
    )));
}

/// What is told of a contract that owes tokens, a part of which somebody can have paid to themselves under this condition.
fn told_of_dues(condition: &str) -> String {
    let dues = format!(
        "contract Dues {{
            Token public immutable token; mapping(address => uint256) public due;
            constructor() {{ token = new Token(); }}
            function open(uint256 amount) external {{ token.transferFrom(msg.sender, address(this), amount); due[msg.sender] += amount; }}
            function divide(address from, uint256 part) external {{ require({condition}part <= due[from]); due[from] -= part; due[msg.sender] += part; }}
            function take() external {{ uint256 amount = due[msg.sender]; due[msg.sender] = 0; token.transfer(msg.sender, amount); }} }}"
    );
    told::findings_of_seed(&mut Sandbox::single(&format!("{TOKEN}{dues}")), 3)
}

/// The contract creates the token itself, and the amount is chosen by an earlier call than the last.
#[test]
fn a_part_of_what_is_due_to_somebody_else_is_taken() {
    expect![[r#"
        error[ether-theft] 20: anyone can take tokens: token.approve(dues, 1), token.mint(owner, 1), open(1), divide(owner, 1), take()
          Every user can do it without a role, without paying anything in or giving anything up, and each takes as much as they choose, here 1 token.
    "#]].assert_eq(&told_of_dues(""));
}

#[test]
fn a_part_of_what_is_due_to_oneself_is_no_theft() {
    expect![[""]].assert_eq(&told_of_dues("msg.sender == from && "));
}

#[test]
fn what_is_paid_by_design_is_no_theft() {
    check(
        "// Everybody gets their own back.
         contract Vault {
            Token public immutable token; mapping(address => uint256) public deposits;
            constructor(Token coin) { token = coin; }
            function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); deposits[msg.sender] += amount; }
            function withdraw(uint256 amount) external { deposits[msg.sender] -= amount; token.transfer(msg.sender, amount); } }
         // What was sent by mistake may be fetched by anybody.
         contract Router {
            Token public immutable token; uint256 public fetched;
            constructor(Token coin) { token = coin; }
            function fetch() external { uint256 amount = token.balanceOf(address(this)); fetched += amount; token.transfer(msg.sender, amount); } }
         // The same of a contract that another one makes.
         contract Maker { Router public router; function make(Token coin) external { router = new Router(coin); } }
         // Two tokens are exchanged.
         contract Exchange {
            Token public immutable one; Token public immutable other;
            constructor(Token a, Token b) { one = a; other = b; }
            function fill(uint256 amount) external { one.transferFrom(msg.sender, address(this), amount); other.transferFrom(msg.sender, address(this), amount); }
            function trade(uint256 amount) external { require(one != other); one.transferFrom(msg.sender, address(this), amount); other.transfer(msg.sender, amount); } }
         // Everybody gets the same gift once.
         contract Gift {
            Token public immutable token; mapping(address => bool) public has;
            constructor(Token coin) { token = coin; }
            function fill(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); }
            function claim() external { require(!has[msg.sender]); has[msg.sender] = true; token.transfer(msg.sender, 5); } }
         // The owner of the tokens says who gets them.
         contract Escrow {
            Token public immutable token; mapping(address => uint256) public due;
            constructor(Token coin) { token = coin; }
            function open(address to, uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); due[to] += amount; }
            function take() external { uint256 amount = due[msg.sender]; due[msg.sender] = 0; token.transfer(msg.sender, amount); } }
         // What is for sale is paid for with ether.
         contract Shop {
            Token public immutable token; mapping(uint256 => uint256) public price; mapping(uint256 => uint256) public amount; mapping(uint256 => address) public seller;
            constructor(Token coin) { token = coin; }
            function offer(uint256 id, uint256 number, uint256 wanted) external { require(seller[id] == address(0));
                seller[id] = msg.sender; price[id] = wanted; amount[id] = number; token.transferFrom(msg.sender, address(this), number); }
            function buy(uint256 id) external payable { require(msg.value == price[id] && seller[id] != address(0));
                uint256 number = amount[id]; amount[id] = 0; (bool paid,) = seller[id].call{value: msg.value}(\"\"); require(paid); token.transfer(msg.sender, number); } }
         // What is borrowed is owed.
         contract Market {
            Token public immutable token; mapping(address => uint256) public debts;
            constructor(Token coin) { token = coin; }
            function supply(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); }
            function borrow(uint256 amount) external { debts[msg.sender] += amount; token.transfer(msg.sender, amount); }
            function repay(uint256 amount) external { debts[msg.sender] -= amount; token.transferFrom(msg.sender, address(this), amount); } }
         // Only the owner sweeps.
         contract Swept {
            Token public immutable token; address public owner = msg.sender;
            constructor(Token coin) { token = coin; }
            function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); }
            function sweep() external { require(msg.sender == owner); token.transfer(msg.sender, token.balanceOf(address(this))); } }",
        expect![[""]],
    );
}
