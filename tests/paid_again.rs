//! Claims that are paid again and again although the thief has a stake, and such that pay once, by what is left, or for something that is
//! written down.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, told};

/// A token that users have some of from the start, and that only its owner mints.
const TOKEN: &str = "contract Token {
    event Transfer(address indexed from, address indexed to, uint256 amount);
    address owner = msg.sender;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;
    function mint(address to, uint256 amount) external { require(msg.sender == owner); balanceOf[to] += amount; emit Transfer(address(0), to, amount); }
    function approve(address spender, uint256 amount) external returns (bool) { allowance[msg.sender][spender] = amount; return true; }
    function transfer(address to, uint256 amount) external returns (bool) { move(msg.sender, to, amount); return true; }
    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount; move(from, to, amount); return true; }
    function move(address from, address to, uint256 amount) private {
        balanceOf[from] -= amount; balanceOf[to] += amount; emit Transfer(from, to, amount); }
}
";

/// What is told of thefts.
fn thefts(source: &str, expected: Expect) {
    let all = told::findings(&mut Sandbox::single(source));
    let mut is_theft = false;
    let lines = all.lines().filter(|line| {
        is_theft = if line.starts_with("  ") { is_theft } else { line.contains("[ether-theft]") };
        is_theft
    });
    expected.assert_eq(&lines.map(|line| format!("{line}\n")).collect::<String>());
}

/// A bonus for whoever locks tokens for a month, given what is asked and what is written down when they claim it.
fn bonus(asked: &str, noted: &str) -> String {
    format!(
        "{TOKEN}contract Bonus {{
    Token public immutable token;
    mapping(address => uint256) public locked; mapping(address => uint256) public until; mapping(address => uint256) public claims;
    constructor(Token coin) {{ token = coin; }}
    function fund(uint256 amount) external {{ token.transferFrom(msg.sender, address(this), amount); }}
    function lock(uint256 amount) external {{
        require(amount >= 10 && locked[msg.sender] == 0);
        token.transferFrom(msg.sender, address(this), amount);
        locked[msg.sender] = amount; until[msg.sender] = block.timestamp + 30 days; }}
    function claim() external {{
        uint256 amount = locked[msg.sender];
        require(amount > 0 && block.timestamp >= until[msg.sender]);
        {asked}
        {noted}
        token.transfer(msg.sender, amount + amount / 10); }}
}}"
    )
}

#[test]
fn a_bonus_that_is_never_crossed_off() {
    thefts(
        &bonus("", ""),
        expect![[r#"
        error[ether-theft] 30: anyone can take tokens: token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), token.mint(bonus, 5), lock(10), claim(), claim(), claim()
          Every user can do it without a role. The same call, made again at the same time, brings them 11 of `token` each time, and nothing that is stored differs afterwards; in the end they have more than they began with.
    "#]],
    );
}

#[test]
fn a_bonus_that_is_crossed_off() {
    thefts(&bonus("", "locked[msg.sender] = 0;"), expect![[""]]);
    thefts(&bonus("require(claims[msg.sender] < 1);", "claims[msg.sender]++;"), expect![[""]]);
}

/// Tickets that can be given back, given what is asked for and what is written down then.
fn tickets(asked: &str, noted: &str) -> String {
    format!(
        "contract Tickets {{
    mapping(address => uint256) public count; mapping(address => uint256) public paid;
    function buy(uint256 n) external payable {{
        require(n > 0 && n < 100 && msg.value == n * 100);
        count[msg.sender] += n; paid[msg.sender] += msg.value; }}
    function giveBack(uint256 n) external {{
        require(n > 0 && n < 100);
        {asked}
        count[msg.sender] -= count[msg.sender] < n ? count[msg.sender] : n;
        {noted}
        payable(msg.sender).transfer(n * 100); }}
}}"
    )
}

#[test]
fn tickets_are_given_back_that_are_given_back_already() {
    thefts(
        &tickets("require(paid[msg.sender] >= n * 100);", ""),
        expect![[r#"
            error[ether-theft] 13: anyone can take ether: buy{value: 100 wei}(1), buy{value: 100 wei}(1), giveBack(1), giveBack(1)
              Every user can do it without a role. The same call, made again at the same time, brings them 100 wei each time, and nothing that is stored differs afterwards; in the end they have more than they began with.
        "#]],
    );
}

#[test]
fn tickets_are_given_back_once() {
    thefts(&tickets("require(count[msg.sender] >= n);", ""), expect![[""]]);
    thefts(&tickets("require(paid[msg.sender] >= n * 100);", "paid[msg.sender] -= n * 100;"), expect![[""]]);
}

/// Ether that is lent for tokens that are left.
fn loans(noted: &str) -> String {
    format!(
        "{TOKEN}contract Loans {{
    struct Position {{ address owner; uint256 left; uint256 debt; }}
    Token public immutable token; Position[] public positions;
    constructor(Token coin) {{ token = coin; }}
    function fund() external payable {{}}
    function open(uint256 amount) external {{
        require(amount >= 100);
        token.transferFrom(msg.sender, address(this), amount);
        positions.push(Position(msg.sender, amount, 0)); }}
    function borrow(uint256 id) external {{
        Position storage position = positions[id];
        require(position.owner == msg.sender);
        uint256 amount = position.left / 10;
        require(position.debt + amount <= position.left / 2);
        {noted}
        payable(msg.sender).transfer(amount); }}
    function repay(uint256 id) external payable {{ positions[id].debt -= msg.value; }}
    function close(uint256 id) external {{
        Position memory position = positions[id];
        require(position.owner == msg.sender && position.debt == 0);
        delete positions[id]; token.transfer(msg.sender, position.left); }}
}}"
    )
}

#[test]
fn a_debt_is_written_down() {
    thefts(&loans("position.debt += amount;"), expect![[""]]);
}

#[test]
fn shares_are_paid_by_what_is_there() {
    thefts(
        "contract Pool {
    mapping(address => uint256) public shares; uint256 public total;
    receive() external payable {}
    function join() external payable {
        require(msg.value >= 100);
        uint256 before = address(this).balance - msg.value;
        uint256 minted = total == 0 ? msg.value : msg.value * total / before;
        shares[msg.sender] += minted; total += minted; }
    function leave(uint256 amount) external {
        uint256 paid = amount * address(this).balance / total;
        shares[msg.sender] -= amount; total -= amount;
        payable(msg.sender).transfer(paid); }
}",
        expect![[""]],
    );
}

/// Tools, each with a number, that are lent for a deposit, given what giving one back asks.
fn tools(asked: &str) -> String {
    format!(
        "contract Tools {{
    struct Tool {{ address borrower; bool lent; }}
    Tool[4] tools;
    function borrow(uint256 id) external payable {{
        require(id < 4 && !tools[id].lent && msg.value == 5);
        tools[id] = Tool(msg.sender, true); }}
    function giveBack(uint256 id) external {{
        require(id < 4 && tools[id].borrower == msg.sender);
        {asked}
        tools[id].lent = false;
        payable(msg.sender).transfer(5); }}
}}"
    )
}

#[test]
fn a_deposit_that_others_paid_for_what_has_other_numbers() {
    thefts(
        &tools(""),
        expect![[r#"
        error[ether-theft] 13: anyone can take ether: borrow{value: 5 wei}(0), borrow{value: 5 wei}(1), giveBack(1), giveBack(1)
          Every user can do it without a role. The same call, made again at the same time, brings them 5 wei each time, and nothing that is stored differs afterwards; in the end they have more than they began with.
    "#]],
    );
}

#[test]
fn a_deposit_that_is_paid_back_once() {
    thefts(&tools("require(tools[id].lent);"), expect![[""]]);
}
