//! A test for each kind of finding.

use crate::{
    support::{campaign::fuzz_contracts, token::TOKEN},
    workplace::{FOUNDRY, SOLC, Workplace, address, deployed, step, take_twin, write},
};
use alloy_primitives::{B256, U256, keccak256};
use bellwether::{
    finding::{Finding, RegressionError, regression_test},
    oracle::SENTINEL_SLOT,
};
use expect_test::expect;
use serde_json::{Value, json};

#[test]
fn several_findings_of_one_contract_share_a_file() {
    let checks = Workplace::of_fixture("checks");
    let of = |contract, last| checks.finding(contract, deployed([]), [last]);
    let splitter = |last| checks.finding("Splitter", deployed([]), [step("owner", "removeMember()", []), last]);
    let findings = [
        splitter(step("alice", "share(uint256)", ["0"])),
        splitter(step("alice", "left(uint256)", ["0"])),
        splitter(step("alice", "left(uint256)", ["1"])),
        of("Board", step("alice", "scoreAt(uint256)", ["0"])),
        of("Proposal", step("alice", "moveTo(uint8)", ["3"])),
        of("Notebook", step("alice", "undo()", [])),
        of("Calculator", step("alice", "compute(uint256)", ["0"])),
    ];
    checks.check(&findings, &[SOLC], &[], |root| take_twin(&root.join("src"), "Checks"));
    let text = std::fs::read_to_string(checks.project.root.join("test/Splitter.bellwether.t.sol")).unwrap();
    let names: Vec<_> = text
        .split("function test_regression_compiler_check_")
        .skip(1)
        .map(|it| it.split('(').next().unwrap())
        .collect();
    assert_eq!(names, ["share", "left", "left_2"]);
}

#[test]
fn writes_that_reach_any_slot() {
    let wallet = Workplace::of_fixture("wallet");
    // In both the array is the second variable.
    let index = |size: u64| {
        let start = U256::from_be_bytes(keccak256(U256::ONE.to_be_bytes::<32>()).0);
        (SENTINEL_SLOT.wrapping_sub(start) / U256::from(size)).to_string()
    };
    let findings = [
        wallet.finding(
            "BonusWallet",
            deployed([]),
            [step("bob", "removeLast()", []), step("bob", "replace(uint256,uint256)", [&index(1), "7"])],
        ),
        wallet.finding("Cabinet", deployed([]), [step("bob", "put(uint256,uint256)", [&index(2), "7"])]),
        wallet.finding(
            "Preferences",
            deployed([]),
            [step("bob", "set(bytes32,uint256)", [&B256::from(SENTINEL_SLOT).to_string(), "7"])],
        ),
    ];
    wallet.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["BonusWallet", "Cabinet", "Preferences"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn contracts_that_anyone_takes_over() {
    let takeover = Workplace::of_fixture("takeover");
    let alice = address("alice");
    let findings = [
        takeover.finding(
            "Plugins",
            deployed([]),
            // Whoever sends them, the test has one who has no role.
            [step("owner", "use(address)", [&alice]), step("bob", "run(bytes)", ["0x"])],
        ),
        takeover.finding(
            "Till",
            deployed([]),
            [step("bob", "handTo(address)", [&address("bob")]), step("bob", "close(address)", [&alice])],
        ),
        takeover.finding("Kiosk", deployed([]), [step("bob", "serve(address,bytes)", [&alice, "0x"])]),
        takeover.finding(
            "Kiosk",
            deployed([]),
            [step("bob", "serve(address,bytes)", [&address("bob"), "0x"]), step("bob", "giveUp()", [])],
        ),
    ];
    takeover.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Plugins", "Till", "Kiosk"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn payments_that_are_called_back_in_refused_moved_or_taken() {
    let payments = Workplace::of_fixture("payments");
    let bob = address("bob");
    let deposit = || step("bob", "deposit()", []).value("1");
    let join = |player| step(player, "join()", []).value("1000000000");
    let answer = keccak256(U256::from(7).to_be_bytes::<32>()).to_string();
    let findings = [
        payments.finding("Bank", deployed([]), [deposit(), step("bob", "withdraw()", [])]),
        payments.finding("Safe", deployed([]), [deposit(), step("bob", "withdraw()", [])]),
        payments.finding("Fund", deployed([]), [deposit(), step("bob", "withdraw(uint256)", ["1"])]),
        payments.finding(
            "Wages",
            deployed([]),
            [step("carol", "add(address)", [&bob]).value("1"), step("bob", "collect()", [])],
        ),
        payments.finding(
            "Wheel",
            deployed([]).value("1000000000"),
            [step("bob", "turn()", []).value("1000000000").after(4)],
        ),
        payments.finding("Raffle", deployed([]), [join("alice"), join("bob"), step("bob", "draw()", [])]),
        payments.finding(
            "Jar",
            deployed([]),
            [step("carol", "receive()", []).value("5"), step("bob", "setUpJar()", []), step("bob", "empty()", [])],
        ),
        payments.finding("Drop", deployed([]), [step("bob", "take()", []).accepted_by("bob")]),
        payments.finding(
            "Puzzle",
            deployed([&answer]).value("1000000000000000000"),
            [step("bob", "solve(uint256)", ["7"])],
        ),
    ];
    payments.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Bank", "Safe", "Fund", "Wages", "Wheel", "Raffle", "Jar", "Drop", "Puzzle"] {
            take_twin(root, contract);
        }
    });
}

/// A project with a token, and a contract beside it.
fn beside_token(name: &str, contract: &str) -> Workplace {
    let token = format!("pragma solidity ^0.8.20;\n{TOKEN}");
    let path = format!("src/{name}.sol");
    Workplace::of_files([("foundry.toml", "[profile.default]\n"), ("src/Token.sol", &token), (&path, contract)])
}

#[test]
fn tokens_that_anyone_takes() {
    let vault = "pragma solidity ^0.8.20;
import \"./Token.sol\";
contract Vault {
    Token public immutable token;
    mapping(address => uint256) public deposits;
    constructor(Token coin) { token = coin; }
    function deposit(uint256 amount) external { token.transferFrom(msg.sender, address(this), amount); deposits[msg.sender] += amount; }
    function withdraw(uint256 amount) external { token.transfer(msg.sender, amount); }
}
";
    let bank = beside_token("Vault", vault);
    let found = fuzz_contracts(&bank.build, &bank.project.config, 1, 20_000, &["Vault"]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    assert_eq!(found.iter().map(|finding| &*finding.what).collect::<Vec<_>>(), ["anyone can take tokens"]);
    bank.check(&found, &[SOLC], &[], |root| {
        write(
            &root.join("src/Vault.sol"),
            &vault.replace("{ token.transfer(", "{ deposits[msg.sender] -= amount; token.transfer("),
        );
    });
}

#[test]
fn tokens_that_are_won_by_the_second() {
    let wheel = "pragma solidity ^0.8.20;
import \"./Token.sol\";
contract Wheel {
    Token public immutable token;
    constructor(Token coin) { token = coin; }
    function spin() external {
        token.transferFrom(msg.sender, address(this), 10);
        if (block.timestamp % 3 == 0) token.transfer(msg.sender, 20);
    }
}
";
    let place = beside_token("Wheel", wheel);
    let found = fuzz_contracts(&place.build, &place.project.config, 1, 20_000, &["Wheel"]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    let told: Vec<_> = found.iter().map(|finding| &*finding.what).collect();
    assert_eq!(told, ["the time of the block decides who gets tokens here"]);
    place.check(&found, &[SOLC], &[], |root| {
        write(&root.join("src/Wheel.sol"), &wheel.replace("if (block.timestamp % 3 == 0) ", ""));
    });
}

#[test]
fn tickets_that_are_given_back_twice() {
    let tickets = "pragma solidity ^0.8.20;
contract Tickets {
    mapping(address => uint256) public count;
    mapping(address => uint256) public paid;
    function buy(uint256 n) external payable {
        require(n > 0 && n < 100 && msg.value == n * 100);
        count[msg.sender] += n;
        paid[msg.sender] += msg.value;
    }
    function giveBack(uint256 n) external {
        require(n > 0 && n < 100 && paid[msg.sender] >= n * 100);
        count[msg.sender] -= count[msg.sender] < n ? count[msg.sender] : n;
        payable(msg.sender).transfer(n * 100);
    }
}
";
    let shop = Workplace::of_files([("foundry.toml", "[profile.default]\n"), ("src/Tickets.sol", tickets)]);
    let found = fuzz_contracts(&shop.build, &shop.project.config, 1, 20_000, &["Tickets"]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    assert_eq!(found.iter().map(|finding| &*finding.what).collect::<Vec<_>>(), ["anyone can take ether"]);
    shop.check(&found, &[SOLC], &[], |root| {
        let fixed = tickets.replace(
            "payable(msg.sender).transfer",
            "paid[msg.sender] -= n * 100;\n        payable(msg.sender).transfer",
        );
        write(&root.join("src/Tickets.sol"), &fixed);
    });
}

#[test]
fn a_sale_that_pays_back_before_it_notes_who_bought() {
    let sale = |mint: &str| {
        format!(
            "pragma solidity ^0.8.20;
contract Sale {{
    mapping(address => bool) public served;
    mapping(address => uint256) public balanceOf;
    function payBack() private {{
        (bool ok,) = msg.sender.call{{value: msg.value - 100}}(\"\");
        require(ok);
    }}
    function note() private {{ served[msg.sender] = true; balanceOf[msg.sender]++; }}
    function mint() external payable {{
        require(!served[msg.sender] && msg.value >= 100);
        {mint}
    }}
}}
"
        )
    };
    let shop =
        Workplace::of_files([("foundry.toml", "[profile.default]\n"), ("src/Sale.sol", &*sale("payBack(); note();"))]);
    let found = fuzz_contracts(&shop.build, &shop.project.config, 1, 20_000, &["Sale"]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    assert_eq!(
        found.iter().map(|finding| &*finding.what).collect::<Vec<_>>(),
        ["payment can be re-entered for a gain"]
    );
    shop.check(&found, &[SOLC], &[], |root| write(&root.join("src/Sale.sol"), &sale("note(); payBack();")));
}

#[test]
fn results_that_go_around() {
    let overflow = Workplace::of_fixture("overflow");
    let (alice, carol) = (address("alice"), address("carol"));
    let half = (U256::ONE << 255_usize).to_string();
    let findings = [
        overflow.finding(
            "Coupons",
            deployed([]),
            [step("bob", "hand(address[],uint256)", [&format!("[{alice}, {carol}]"), &half])],
        ),
        overflow.finding(
            "Locker",
            deployed([]),
            [
                step("bob", "put()", []).value("1"),
                step("bob", "lockLonger(uint256)", [&(U256::MAX - U256::from(1_700_000_000)).to_string()]),
            ],
        ),
        overflow.finding("Ledger", deployed([]), [step("bob", "spend(uint256)", ["1"])]),
        overflow.finding("Ledger", deployed([]), [step("bob", "power(uint256)", ["78"])]),
    ];
    overflow.check(&findings, &["0.4.26", "0.5.17", SOLC], &["--contracts", "."], |root| {
        for contract in ["Coupons", "Locker", "Ledger"] {
            take_twin(root, contract);
        }
    });
}

#[test]
fn a_result_that_goes_around_lets_a_payment_through() {
    let shop = "pragma solidity ^0.8.20;
contract Shop {
    mapping(address => uint256) public items;

    function buy(uint256 count) external payable {
        unchecked {
            require(msg.value == count * 1 ether);
        }
        items[msg.sender] += count;
    }
}
";
    let place = Workplace::of_files([FOUNDRY, ("src/Shop.sol", shop)]);
    let count = (U256::ONE << 238_usize).to_string();
    let finding = place.finding("Shop", deployed([]), [step("bob", "buy(uint256)", [&count])]);
    place.check(&[finding], &[SOLC], &[], |root| write(&root.join("src/Shop.sol"), &shop.replace("unchecked", "")));
}

#[test]
fn variables_that_are_written_as_others() {
    let slots = Workplace::of_fixture("slots");
    let found = [
        slots.finding("Vault", deployed([]), [step("alice", "setFee(uint256)", ["7"])]),
        slots.finding("PointLedger", deployed([]), [step("alice", "begin(uint256)", ["5"])]),
        slots.finding("PointLedger", deployed([]), [step("alice", "mark(address)", [&address("bob")])]),
        slots.finding("Switch", deployed([]), [step("alice", "stop()", [])]),
    ];
    slots.check(&found, &[SOLC, "0.5.17"], &["--contracts", "."], |root| {
        ["Vault", "PointLedger", "Switch"].iter().for_each(|name| take_twin(root, name));
    });
    let text = std::fs::read_to_string(slots.project.root.join("test/PointLedger.bellwether.t.sol")).unwrap();
    let calls: Vec<&str> = text.lines().map(str::trim).filter(|line| line.contains("target.")).collect();
    expect![[r#"
        (, bytes memory before) = target.staticcall(abi.encodeWithSignature("keeper()"));
        (success,) = target.call(abi.encodeWithSignature("begin(uint256)", uint256(5)));
        (, bytes memory afterwards) = target.staticcall(abi.encodeWithSignature("keeper()"));
        (, bytes memory before) = target.staticcall(abi.encodeWithSignature("points(address)", bob));
        (success,) = target.call(abi.encodeWithSignature("mark(address)", bob));
        (, bytes memory afterwards) = target.staticcall(abi.encodeWithSignature("points(address)", bob));"#]]
    .assert_eq(&calls.join("\n"));
}

#[test]
fn a_variable_that_is_moved_out_of_the_way_is_not_overwritten_any_more() {
    let stop = "pragma solidity ^0.8.20;
        contract A { address public owner = msg.sender; uint256 private constant STOPPED = 0;
            function stop() external { assembly { sstore(STOPPED, 1) } } }";
    let contract = Workplace::of_files([FOUNDRY, ("src/A.sol", stop)]);
    let finding = contract.finding("A", deployed([]), [step("alice", "stop()", [])]);
    contract.check(&[finding], &[SOLC], &[], |root| {
        write(
            &root.join("src/A.sol"),
            &stop.replace("address public owner", "uint256 private stopped; address public owner"),
        );
    });
}

#[test]
fn contracts_that_fail_and_calls_that_go_on_anywhere() {
    let calls = Workplace::of_fixture("calls");
    let findings = [
        calls.finding("Relay", deployed([]), [step("bob", "send(uint256)", ["11"])]),
        calls.finding("Agent", deployed([]), [step("bob", "hire(uint256)", ["0"])]),
        calls.finding("Menu", deployed([]), [step("bob", "serve(uint256)", ["1"])]),
        calls.finding("Scale", deployed([]), [step("bob", "readEmpty()", [])]),
    ];
    calls.check(&findings, &["0.4.26", SOLC], &["--contracts", "."], |root| {
        for contract in ["Relay", "Agent", "Menu", "Scale"] {
            take_twin(root, contract);
        }
    });
}

const HIDDEN: &str = include_str!("Hidden.sol");

/// Why no test is written for a finding that fuzzing a contract gives.
fn refusal(contract: &str) -> String {
    let place = Workplace::of_files([FOUNDRY, ("src/A.sol", &format!("pragma solidity ^0.8.20;\n{contract}"))]);
    let found = fuzz_contracts(&place.build, &place.project.config, 1, 20_000, &[]).findings;
    let [finding] = &found[..] else { panic!("{}: {}", contract, found.len()) };
    format!("{}: {}", finding.violation.oracle, regression_test(finding, &place.project, None).unwrap_err())
}

#[test]
fn what_no_test_can_see_is_told() {
    let hidden = Workplace::of_files([FOUNDRY, ("src/Hidden.sol", HIDDEN)]);
    let finding = hidden.finding("Hidden", deployed([]), [step("alice", "run(uint256)", ["7"])]);
    let error = regression_test(&finding, &hidden.project, None).unwrap_err();
    assert!(matches!(error, RegressionError::NotVisible { .. }), "{error}");
    let told = refusal(
        "contract A { bool constant OPEN = false; uint256 public count; function pay() external payable { require(msg.value > 9); count++; }
            function take() external { if (OPEN) payable(msg.sender).transfer(address(this).balance); } }",
    );
    expect!["frozen-ether: no test can see this defect from outside: a test sees only that its code has instructions which send ether, and not that no call reaches them; `bellwether replay` still does"].assert_eq(&told);
    // The proxy keeps its variable where nobody can ask for it, and none of its code uses it.
    let told = refusal(
        "contract CounterLogic { uint256 public count; function up() external { count += 1; } }
        contract CounterProxy { uint256 private reserve; address private immutable code;
            constructor(address to) { code = to; }
            fallback() external { (bool ok,) = code.delegatecall(msg.data); require(ok); } }",
    );
    expect![[r#"
        layout-collision: no test can see this defect from outside: no function of the proxy returns its variable, and none of the calls reads or writes it, so that a test of the slot would stay red once the proxy keeps its variable elsewhere; `bellwether replay` still does"#]].assert_eq(&told);
}

/// Fuzzes a contract, sees the tests of what is told of it fail, and pass once the contract is another one.
fn is_shown_until_fixed(told: &str, contract: &str, fixed: &str) {
    let text = |contract: &str| format!("pragma solidity ^0.8.20;\n{contract}");
    let place = Workplace::of_files([FOUNDRY, ("src/A.sol", &text(contract))]);
    let found = fuzz_contracts(&place.build, &place.project.config, 1, 20_000, &[]).findings;
    let found: Vec<Finding> = found.iter().map(|finding| Finding::clone(finding)).collect();
    assert_eq!(found.iter().map(|finding| &*finding.what).collect::<Vec<_>>(), [told], "{contract}");
    place.check(&found, &[SOLC], &[], |root| write(&root.join("src/A.sol"), &text(fixed)));
}

/// A share of a reserve, whose price is read while a share is paid out. `leave` ends that.
fn reserve(leave: &str) -> String {
    format!(
        "contract A {{ mapping(address => uint256) public shares; uint256 public total; uint256 reserve; uint256 private locked = 1;
            modifier once() {{ require(locked == 1); locked = 2; _; locked = 1; }}
            function enter() external payable once {{ shares[msg.sender] += msg.value; total += msg.value; reserve += msg.value; }}
            function pay(uint256 amount) private {{ (bool ok,) = msg.sender.call{{value: amount}}(\"\"); require(ok); }}
            function leave(uint256 amount) external once {{
                require(amount > 0 && amount < total);
                uint256 paid = amount * reserve / total;
                shares[msg.sender] -= amount;
                {leave} }}
            function price() external view returns (uint256) {{ return total == 0 ? 0 : reserve * 100 / total; }}
            function worth(address who) external view returns (uint256) {{ return total == 0 ? 0 : shares[who] * reserve / total; }} }}"
    )
}

#[test]
fn a_function_that_returns_a_wrong_number_while_a_call_is_open() {
    let told = "call can be re-entered while state is not up to date";
    let (early, late) =
        (reserve("total -= amount; pay(paid); reserve -= paid;"), "total -= amount; reserve -= paid; pay(paid);");
    is_shown_until_fixed(told, &early, &reserve(late));
    let of_account =
        |leave: &str| reserve(leave).replace("function price() external view", "function price() private view");
    is_shown_until_fixed(told, &of_account("total -= amount; pay(paid); reserve -= paid;"), &of_account(late));
    // A function that does not answer while a call is open tells nobody anything wrong.
    let locked = early.replace("(uint256) { return", "(uint256) { require(locked == 1); return");
    is_shown_until_fixed(told, &early, &locked);
}

#[test]
fn ether_that_is_frozen() {
    let chest =
        "contract A { uint256 public count; function pay() external payable { require(msg.value > 9); count++; } }";
    let give_back =
        "function take() external { require(count > 0); payable(msg.sender).transfer(address(this).balance); } }";
    is_shown_until_fixed("ether is frozen", chest, &chest.replace("count++; } }", &format!("count++; }} {give_back}")));
    is_shown_until_fixed("ether is frozen", chest, &chest.replace("payable { require(msg.value > 9);", "{"));
    // A call that takes no ether is none that sends it on.
    let noting = "contract Book { uint256 public count; function note() external { count++; } }
        contract A { Book public book = new Book(); function pay() external payable { require(msg.value > 9); book.note(); } }";
    let give_back = format!("book.note(); }} {}", give_back.replace("count", "book.count()"));
    is_shown_until_fixed("ether is frozen", noting, &noting.replace("book.note(); } }", &give_back));
    // Neither is a creation that gives none.
    let making = "contract Book {}
        contract A { Book public book; function pay() external payable { require(msg.value > 9); book = new Book(); } }";
    let take = "function take() external { payable(msg.sender).transfer(address(this).balance); } }";
    is_shown_until_fixed(
        "ether is frozen",
        making,
        &making.replace("new Book(); } }", &format!("new Book(); }} {take}")),
    );
}

#[test]
fn results_that_go_around_where_they_are_logged_or_paid_or_kept_by_another_contract() {
    let checked = |contract: &str| contract.replace("unchecked", "");
    let log = "contract A { event Told(uint256 number);
        function tell(uint256 number) external { unchecked { emit Told(number + 1); } } }";
    is_shown_until_fixed("sum can wrap around", log, &checked(log));
    let pay = "contract A { address payable private immutable shop = payable(msg.sender);
        receive() external payable {}
        function pay(uint256 count) external payable {
            require(msg.value > 100);
            unchecked { shop.transfer(count * 2); } } }";
    is_shown_until_fixed("product can wrap around", pay, &checked(pay));
    let keep = "contract Book { mapping(address => uint256) public points;
            function note(address who, uint256 count) external { points[who] = count; } }
        contract A { Book private immutable book; constructor(Book it) { book = it; }
            function win(uint256 count) external { unchecked { book.note(msg.sender, count * 10); } } }";
    is_shown_until_fixed("product can wrap around", keep, &checked(keep));
}

#[test]
fn proxies_whose_variable_is_written_as_another_one() {
    let proxy = |variable: &str, slot: &str| {
        format!(
            "contract CounterLogic {{ uint256 public count; function up() external {{ count += 1; }} }}
        contract CounterProxy {{ {slot} address {variable} code;
            constructor(address to) {{ code = to; }}
            fallback() external {{ (bool ok,) = code.delegatecall(msg.data); require(ok); }} }}"
        )
    };
    let told = "`code` of CounterProxy is written as `count` of CounterLogic";
    // It is asked for, or else its own code reads it.
    is_shown_until_fixed(told, &proxy("public", ""), &proxy("public", "uint256 private count;"));
    is_shown_until_fixed(told, &proxy("private", ""), &proxy("private", "uint256 private count;"));
    // The proxy creates what it passes calls on to.
    let creating = |slot: &str| {
        let proxy = proxy("public", slot);
        proxy.replace("constructor(address to) { code = to; }", "constructor() { code = address(new CounterLogic()); }")
    };
    is_shown_until_fixed(told, &creating(""), &creating("uint256 private count;"));
}

#[test]
fn a_call_back_that_leaves_what_no_order_of_the_calls_does() {
    let list = |up: &str| {
        format!(
            "contract A {{ uint256 public last; mapping(address => uint256) public visits;
            function visit() external {{ uint256 number = last + 1; {up} visits[msg.sender] += 1; }} }}"
        )
    };
    let ring = "(bool ok,) = msg.sender.call(\"\"); require(ok);";
    let told = "call can be re-entered while state is not up to date";
    is_shown_until_fixed(told, &list(&format!("{ring} last = number;")), &list(&format!("last = number; {ring}")));
}

#[test]
fn an_answer_of_somebody_who_is_called() {
    let desk = "interface Rate { function rate() external returns (uint256); }
        contract A { uint256 public trades;
        function trade() external {
            uint256 rate = Rate(msg.sender).rate();
            require(rate > 1000 && rate < 1000000000 && rate * 7 == 5397763);
            assert(rate == 0);
            trades++; } }";
    is_shown_until_fixed("assertion can fail", desk, &desk.replace("assert(rate == 0);", ""));
}

#[test]
fn checked_arithmetic_that_refuses_a_call() {
    let visits = "pragma solidity ^0.8.20;
contract Visits {
    uint8 public count;

    function enter(uint8 people) external {
        count += people;
    }
}
";
    let place = Workplace::of_files([
        FOUNDRY,
        ("bellwether.toml", "[oracles]\nchecked-arithmetic = \"warning\"\n"),
        ("src/Visits.sol", visits),
    ]);
    let enter = || step("alice", "enter(uint8)", ["200"]);
    let finding = place.finding("Visits", deployed([]), [enter(), enter()]);
    place.check(&[finding], &[SOLC], &[], |root| {
        let guarded = "        require(people <= type(uint8).max - count, \"full\");\n        count";
        write(&root.join("src/Visits.sol"), &visits.replace("        count", guarded));
    });
}

#[test]
fn whoever_reacts_and_whoever_is_tricked() {
    let contracts = "// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Prize {
    uint256 public failed;

    function pay(address payable to) external payable {
        (bool ok,) = to.call{value: msg.value}(\"\");
        if (!ok) failed++;
        assert(failed == 0);
    }
}

contract Race {
    uint256 public left = 1_000_000;

    function run(address to) external {
        uint256 before = gasleft();
        (bool ok,) = to.call{gas: 500_000}(\"\");
        assert(ok || before - gasleft() < 400_000);
    }
}

contract Parcel {
    function get(address to) external {
        (bool ok, bytes memory all) = to.call{gas: 100_000}(\"\");
        assert(!ok || all.length < 10_000);
    }
}

contract Wallet {
    address owner = msg.sender;

    receive() external payable {}

    function pay(address payable to, uint256 amount) external {
        require(tx.origin == owner, \"not the owner\");
        to.transfer(amount);
    }
}
";
    let place = Workplace::of_files([FOUNDRY, ("src/All.sol", contracts)]);
    let call = |contract: &str, function: &str, arguments: Value, reaction: Value| {
        json!([
            { "function": "constructor()", "args": [], "sender": address("owner"), "value": "0" },
            { "contract": contract, "function": function, "args": arguments, "sender": address("owner"), "value": "0",
              "reaction": reaction },
        ])
    };
    let reacts = |contract: &str, function: &str, deed: &str| {
        let reaction = json!({ "account": address("alice"), "deed": deed });
        place.finding_by(&place.harness("", contract), &call(contract, function, json!([address("alice")]), reaction))
    };
    let pay = json!({ "function": "pay(address,uint256)", "args": [address("alice"), "1"], "sender": address("alice"),
        "value": "0" });
    let tricked = json!({ "account": address("alice"), "deed": "call", "call": pay });
    let mut steal = call("Wallet", "pay(address,uint256)", json!([address("alice"), "1"]), tricked);
    steal[1]["address"] = json!(address("alice"));
    let paid = json!({ "function": "receive()", "args": [], "sender": address("owner"), "value": "1" });
    steal.as_array_mut().unwrap().insert(1, paid);
    let findings = [
        reacts("Prize", "pay(address)", "refuse"),
        reacts("Race", "run(address)", "burn-gas"),
        reacts("Parcel", "get(address)", "bomb"),
        place.finding_by(&place.harness("", "Wallet"), &steal),
    ];
    place.check(&findings, &[SOLC], &[], |root| {
        let file = root.join("src/All.sol");
        let text = std::fs::read_to_string(&file).unwrap();
        write(&file, &text.replace("assert(", "require(").replace("tx.origin", "msg.sender"));
    });
}

#[test]
fn items_that_are_sold_for_the_price_of_one_and_paid_for_one_by_one() {
    let sale = "contract A { uint256 constant PRICE = 0.01 ether; mapping(address => uint256) public has;
        function buy(uint256 count) external payable {
            require(count > 0 && count < 4); require(msg.value == PRICE); has[msg.sender] += count; }
        function refund() external { has[msg.sender] -= 1; payable(msg.sender).transfer(PRICE); } }";
    is_shown_until_fixed("anyone can take ether", sale, &sale.replace("== PRICE", "== PRICE * count"));
}
