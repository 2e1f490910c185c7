//! What each oracle finds, and what it leaves, of code for three releases of the compiler: a defect and a near miss for each, which differ
//! between releases only as the language does. A release has its own code for checks, fallback functions and calls, and the optimizer
//! and the IR have theirs.

mod support;

use bellwether::{
    compile::Severity,
    project::{Config, Level},
};
use expect_test::{Expect, expect};
use std::{collections::BTreeSet, fmt::Write};
use support::{campaign::fuzz_build, sandbox::Sandbox, slow};

/// Transactions for each contract: the deepest of these defects takes four calls.
const EXECUTIONS: u64 = 4_000;

/// A defect, and what looks like it and is none.
struct Pair {
    /// The name of its row.
    name: &'static str,
    oracle: &'static str,
    /// The declarations of a contract; `//~` ends the lines where the defect must be found.
    defect: &'static str,
    near_miss: &'static str,
    /// Contracts beside it.
    beside: &'static str,
}

const fn pair(name: &'static str, oracle: &'static str, defect: &'static str, near_miss: &'static str) -> Pair {
    Pair { name, oracle, defect, near_miss, beside: "" }
}

const PAIRS: [Pair; 20] = [
    pair(
        "assertion",
        "assertion",
        "uint256 total;
        function add(uint256 x) external { require(x < 100); total += x; }
        function check() external view { assert(total < 150); //~
        }",
        "uint256 total;
        function add(uint256 x) external { require(x < 100 && total + x < 150); total += x; }
        function check() external view { assert(total < 150); }",
    ),
    pair(
        "property",
        "property",
        "uint256 total;
        function add(uint256 x) external { require(x < 100); total += x; }
        function property_small() external view returns (bool) { return total < 150; } //~",
        "uint256 total;
        function add(uint256 x) external { require(x < 100 && total + x < 150); total += x; }
        function property_small() external view returns (bool) { return total < 150; }",
    ),
    pair(
        "compiler-check",
        "compiler-check",
        "uint256 public shares = 10; uint256 assets = 1000;
        function burn(uint256 x) external { require(x <= shares); shares -= x; }
        function price() external view returns (uint256) {
            return assets / shares; } //~",
        "uint256 public shares = 10; uint256 assets = 1000;
        function burn(uint256 x) external { require(x < shares); shares -= x; }
        function price() external view returns (uint256) {
            return assets / shares; }",
    ),
    pair(
        "arbitrary-write",
        "arbitrary-write",
        "uint256 public total;
        function set(uint256 slot, uint256 word) external {
            assembly { sstore(slot, word) } } //~",
        "uint256 public total;
        function set(uint256 slot, uint256 word) external {
            assembly { sstore(add(0x1000, mod(slot, 16)), word) } }",
    ),
    pair(
        "arbitrary-jump",
        "arbitrary-jump",
        "struct Step { function() internal act; }
        uint256 public count;
        function up() internal { count += 1; }
        function run(uint256 offset) external {
            Step memory step = Step(up);
            assembly { mstore(step, add(mload(step), offset)) }
            step.act(); } //~",
        "struct Step { function() internal act; }
        uint256 public count;
        function up() internal { count += 1; }
        function down() internal { count = 0; }
        function run(uint256 which) external {
            Step memory step = Step(which > 7 ? up : down);
            step.act(); }",
    ),
    Pair {
        beside: "contract Adder { uint256 public total; function add(uint256 x) external { total = x % 9; } }",
        ..pair(
            "delegatecall",
            "delegatecall",
            "uint256 public total;
            function run(address code, bytes calldata data) external {
                total = 1;
                (bool ok,) = code.delegatecall(data); //~
                require(ok); }",
            "uint256 public total; Adder private adder = new Adder();
            function run(bytes calldata data) external {
                (bool ok,) = address(adder).delegatecall(data);
                require(ok); }",
        )
    },
    pair(
        "self-destruct",
        "self-destruct",
        "receive() external payable {}
        function close() external {
            selfdestruct(payable(msg.sender)); } //~",
        "address owner = msg.sender;
        receive() external payable {}
        function close() external { require(msg.sender == owner);
            selfdestruct(payable(msg.sender)); }",
    ),
    pair(
        "reentrancy",
        "reentrancy",
        "mapping(address => uint256) public balances;
        function deposit() external payable { balances[msg.sender] += msg.value; }
        function withdraw() external {
            uint256 amount = balances[msg.sender];
            (bool ok,) = msg.sender.call{value: amount}(\"\"); //~
            require(ok);
            balances[msg.sender] = 0; }",
        "mapping(address => uint256) public balances; bool locked;
        function deposit() external payable { balances[msg.sender] += msg.value; }
        function withdraw() external {
            require(!locked);
            locked = true;
            uint256 amount = balances[msg.sender];
            (bool ok,) = msg.sender.call{value: amount}(\"\");
            require(ok);
            balances[msg.sender] = 0;
            locked = false; }",
    ),
    pair(
        "ether-theft",
        "ether-theft",
        "address owner;
        receive() external payable {}
        function init() external { owner = msg.sender; }
        function sweep() external {
            require(msg.sender == owner);
            payable(msg.sender).transfer(address(this).balance); } //~",
        "address owner;
        constructor() { owner = msg.sender; }
        receive() external payable {}
        function sweep() external {
            require(msg.sender == owner);
            payable(msg.sender).transfer(address(this).balance); }",
    ),
    pair(
        "tx.origin",
        "ether-theft",
        "address owner = msg.sender;
        receive() external payable {}
        function sweep() external {
            require(tx.origin == owner);
            payable(msg.sender).transfer(address(this).balance); } //~",
        "address owner = msg.sender;
        receive() external payable {}
        function sweep() external {
            require(tx.origin == owner && msg.sender == owner);
            payable(msg.sender).transfer(address(this).balance); }",
    ),
    pair(
        "front-running",
        "ether-theft",
        "bytes32 hash;
        receive() external payable {}
        function ask(bytes32 to) external { require(hash == 0 && to != 0); hash = to; }
        function answer(uint256 word) external {
            require(keccak256(abi.encode(word)) == hash);
            hash = bytes32(uint256(1));
            payable(msg.sender).transfer(1 wei); } //~",
        "bytes32 hash;
        receive() external payable {}
        function ask(bytes32 to) external { require(hash == 0 && to != 0); hash = to; }
        function answer(uint256 word) external {
            require(keccak256(abi.encode(word, msg.sender)) == hash);
            hash = bytes32(uint256(1));
            payable(msg.sender).transfer(1 wei); }",
    ),
    pair(
        "unchecked-call",
        "unchecked-call",
        "mapping(address => uint256) public balances;
        function deposit() external payable { balances[msg.sender] += msg.value; }
        function withdraw() external {
            uint256 amount = balances[msg.sender];
            balances[msg.sender] = 0;
            payable(msg.sender).send(amount); } //~",
        "mapping(address => uint256) public balances;
        function deposit() external payable { balances[msg.sender] += msg.value; }
        function withdraw() external {
            uint256 amount = balances[msg.sender];
            balances[msg.sender] = 0;
            if (!payable(msg.sender).send(amount)) balances[msg.sender] = amount; }",
    ),
    Pair {
        beside: "contract Shelf { uint256 public items; function put(uint256 x) external { require(x <= 10); items += x; } }",
        ..pair(
            "exception-disorder",
            "exception-disorder",
            "Shelf private shelf = new Shelf(); uint256 public count;
            function put(uint256 x) external {
                address(shelf).call(abi.encodeWithSignature(\"put(uint256)\", x)); //~
                count += 1; }",
            "Shelf private shelf = new Shelf(); uint256 public count;
            function put(uint256 x) external {
                (bool ok,) = address(shelf).call(abi.encodeWithSignature(\"put(uint256)\", x));
                if (ok) count += 1; }",
        )
    },
    Pair {
        beside: "contract Gauge { function read(uint256 mass) external pure returns (uint256) { require(mass > 0); return mass % 997; } }",
        ..pair(
            "requirement",
            "requirement",
            "Gauge private gauge = new Gauge();
            function empty() external view returns (uint256) {
                return gauge.read(0); } //~",
            "Gauge private gauge = new Gauge();
            function weigh(uint256 mass) external view returns (uint256) {
                return gauge.read(mass / 2); }",
        )
    },
    pair(
        "timestamp",
        "timestamp",
        "receive() external payable {}
        function spin() external payable {
            require(msg.value == 1 ether);
            if (block.timestamp % 2 == 0) payable(msg.sender).transfer(2 ether); } //~",
        "uint256 end = block.timestamp + 1 hours; mapping(address => uint256) paid; uint256 public last;
        function pay() external payable { paid[msg.sender] += msg.value; last = block.timestamp; }
        function back() external {
            require(block.timestamp >= end);
            uint256 amount = paid[msg.sender];
            paid[msg.sender] = 0;
            payable(msg.sender).transfer(amount); }",
    ),
    pair(
        "block-number",
        "block-number",
        "receive() external payable {}
        function spin() external payable {
            require(msg.value == 1 ether);
            if (uint256(blockhash(block.number - 1)) % 2 == 0) payable(msg.sender).transfer(2 ether); } //~",
        "uint256 end = block.number + 100; mapping(address => uint256) paid; uint256 public last;
        function pay() external payable { paid[msg.sender] += msg.value; last = block.number; }
        function back() external {
            require(block.number >= end);
            uint256 amount = paid[msg.sender];
            paid[msg.sender] = 0;
            payable(msg.sender).transfer(amount); }",
    ),
    pair(
        "frozen-ether",
        "frozen-ether",
        "mapping(address => uint256) public paid; //~ at the head
        function pay() external payable { paid[msg.sender] += msg.value; }",
        "mapping(address => uint256) public paid;
        function pay() external payable { paid[msg.sender] += msg.value; }
        function back() external {
            uint256 amount = paid[msg.sender];
            paid[msg.sender] = 0;
            payable(msg.sender).transfer(amount); }",
    ),
    pair(
        "overflow",
        "overflow",
        "mapping(address => uint256) public balances;
        function pay() external payable { balances[msg.sender] += msg.value; }
        function spend(uint256 amount) external {
            unchecked { balances[msg.sender] -= amount; //~
            } }
        function close() external { require(balances[msg.sender] == 0); balances[msg.sender] = 1; }",
        "mapping(address => uint256) public balances;
        function pay() external payable { balances[msg.sender] += msg.value; }
        function spend(uint256 amount) external {
            require(amount <= balances[msg.sender]);
            unchecked { balances[msg.sender] -= amount; } }
        function close() external { require(balances[msg.sender] == 0); balances[msg.sender] = 1; }",
    ),
    pair(
        "slot-collision",
        "slot-collision",
        "uint256 public total = 7; address public owner = msg.sender;
        function pause() external {
            assembly { sstore(1, 1) } } //~",
        "uint256 public total = 7; address public owner = msg.sender;
        function pause() external {
            assembly { sstore(0x7e5f4552091a69125d5dfcb7b8c2659029395bdf1234567890abcdef12345678, 1) } }",
    ),
    Pair {
        beside: "contract Counter { uint256 public count; function up() external { count += 1; } }",
        ..pair(
            "layout-collision",
            "layout-collision",
            "address public code; //~
            constructor(address to) { code = to; }
            fallback() external {
                (bool ok,) = code.delegatecall(msg.data);
                require(ok); }",
            "constructor(address to) {
                assembly { sstore(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc, to) } }
            fallback() external {
                address code;
                assembly { code := sload(0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc) }
                (bool ok,) = code.delegatecall(msg.data);
                require(ok); }",
        )
    },
];

/// A text of 0.8 as an older release has it.
fn in_words_of(release: &str, text: &str) -> String {
    let older: &[(&str, &str)] = &[
        ("payable(msg.sender)", "msg.sender"),
        (".call{value: amount}(", ".call.value(amount)("),
        ("receive() external", "function () external"),
        ("fallback() external", "function () external"),
        ("constructor() {", "constructor() public {"),
        ("constructor(address to) {", "constructor(address to) public {"),
        ("unchecked {", "{"),
    ];
    let oldest: &[(&str, &str)] = &[("(bool ok,) =", "bool ok ="), (" calldata ", " ")];
    let words: [&[(&str, &str)]; 2] = match release {
        "0.4.26" => [older, oldest],
        "0.5.17" => [older, &[]],
        _ => [&[], &[]],
    };
    words.into_iter().flatten().fold(text.to_owned(), |text, (new, old)| text.replace(new, old))
}

/// The file of a contract.
fn file(release: &str, pair: &Pair, is_defect: bool) -> String {
    let (name, body) = if is_defect { ("Defect", pair.defect) } else { ("Near", pair.near_miss) };
    let body = in_words_of(release, body);
    format!("pragma solidity {release};\ncontract {name} {{ {body}\n}}\n{}\n", in_words_of(release, pair.beside))
}

/// The lines of a file that are marked. What is told of a contract as a whole is told at its head.
fn marked(text: &str) -> BTreeSet<u32> {
    (1..).zip(text.lines()).filter(|(_, line)| line.contains("//~")).map(|(number, _)| number).collect()
}

/// How a release with these settings does on each pair: `+` where the defect is found and nothing else is, and the near miss is left alone.
/// Else says what went wrong, in lines for below the table.
fn column(release: &str, settings: &str) -> Vec<Result<(), String>> {
    let mut sandbox = Sandbox::new("");
    sandbox.write("foundry.toml", &format!("[profile.default]\n{settings}"));
    let path =
        |pair: &Pair, is_defect: bool| format!("src/{}/{}.sol", pair.name, if is_defect { "Defect" } else { "Near" });
    let files = || PAIRS.iter().flat_map(|pair| [(pair, true), (pair, false)]);
    for (pair, is_defect) in files() {
        sandbox.write(&path(pair, is_defect), &file(release, pair, is_defect));
    }
    let build = sandbox.build();
    let errors = build.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
    let errors: Vec<_> = errors.map(|error| (&error.file, &error.message)).collect();
    assert!(errors.is_empty(), "{release}: {errors:#?}");
    // Each row is about one oracle. Most contracts keep what they are paid.
    let ended = fuzz_build(&build, &Config::default(), 1, EXECUTIONS);
    assert_eq!(ended.errors, [""; 0], "{release}");
    let told = |pair: &Pair, is_defect: bool| -> BTreeSet<(&'static str, u32)> {
        let file = path(pair, is_defect);
        let of_file = ended.findings.iter().filter(|finding| finding.file == file);
        let counts = of_file.filter(|finding| {
            finding.level <= Level::Warning || finding.violation.oracle == pair.oracle && pair.oracle == "frozen-ether"
        });
        counts.map(|finding| (finding.violation.oracle, finding.lines.line)).collect()
    };
    let judge = |pair: &Pair| {
        let wanted: BTreeSet<_> =
            marked(&file(release, pair, true)).into_iter().map(|line| (pair.oracle, line)).collect();
        let (found, near) = (told(pair, true), told(pair, false));
        let mut wrong = String::new();
        wanted.difference(&found).for_each(|(oracle, line)| write!(wrong, " missed {oracle} {line}").unwrap());
        found.difference(&wanted).for_each(|(oracle, line)| write!(wrong, " also {oracle} {line}").unwrap());
        near.iter().for_each(|(oracle, line)| write!(wrong, " false {oracle} {line}").unwrap());
        if wrong.is_empty() { Ok(()) } else { Err(wrong) }
    };
    PAIRS.iter().map(judge).collect()
}

/// Compares how releases do on all pairs. What a cell with `-` misses, or tells wrongly, stands below the table with its line.
fn check(columns: &[(&str, &str, &str)], expected: Expect) {
    let judged: Vec<_> = columns.iter().map(|(_, release, settings)| column(release, settings)).collect();
    let mut table = format!("{:<20}", "");
    columns.iter().for_each(|(head, ..)| write!(table, "{head:>10}").unwrap());
    let mut below = String::new();
    for (row, pair) in PAIRS.iter().enumerate() {
        write!(table, "\n{:<20}", pair.name).unwrap();
        for ((head, ..), column) in columns.iter().zip(&judged) {
            write!(table, "{:>10}", if column[row].is_ok() { "+" } else { "-" }).unwrap();
            if let Err(wrong) = &column[row] {
                write!(below, "\n{} in {head}:{wrong}", pair.name).unwrap();
            }
        }
    }
    expected.assert_eq(&(table + &below + "\n"));
}

#[test]
fn each_oracle_tells_defects_from_near_misses_under_each_release() {
    check(
        &[
            ("0.4", "0.4.26", "optimizer = false"),
            ("0.4 opt", "0.4.26", "optimizer = true"),
            ("0.5", "0.5.17", "optimizer = false"),
            ("0.5 opt", "0.5.17", "optimizer = true"),
            ("0.8", "0.8.37", "optimizer = false"),
            ("0.8 opt", "0.8.37", "optimizer = true"),
        ],
        expect![[r#"
                                       0.4   0.4 opt       0.5   0.5 opt       0.8   0.8 opt
            assertion                    +         +         +         +         +         +
            property                     +         +         +         +         +         +
            compiler-check               +         +         +         +         +         +
            arbitrary-write              +         +         +         +         +         +
            arbitrary-jump               +         +         +         +         +         +
            delegatecall                 +         +         +         +         +         +
            self-destruct                +         +         +         +         +         +
            reentrancy                   +         +         +         +         +         +
            ether-theft                  +         +         +         +         +         +
            tx.origin                    +         +         +         +         +         +
            front-running                +         +         +         +         +         +
            unchecked-call               +         +         +         +         +         +
            exception-disorder           +         +         +         +         +         +
            requirement                  +         +         +         +         +         +
            timestamp                    +         +         +         +         +         +
            block-number                 +         +         +         +         +         +
            frozen-ether                 +         +         +         +         +         +
            overflow                     +         +         +         +         +         +
            slot-collision               +         +         +         +         +         +
            layout-collision             +         +         +         +         +         +
        "#]],
    );
}

/// The IR calls a function variable by a number that it looks up, so that no word leads anywhere else in the code.
#[test]
fn each_oracle_tells_defects_from_near_misses_through_the_ir() {
    if !slow::is_asked() {
        return;
    }
    check(
        &[
            ("ir", "0.8.37", "optimizer = false\nvia_ir = true"),
            ("ir opt", "0.8.37", "optimizer = true\nvia_ir = true"),
        ],
        expect![[r#"
                                        ir    ir opt
            assertion                    +         +
            property                     +         +
            compiler-check               +         +
            arbitrary-write              +         +
            arbitrary-jump               -         -
            delegatecall                 +         +
            self-destruct                +         +
            reentrancy                   +         +
            ether-theft                  +         +
            tx.origin                    +         +
            front-running                -         +
            unchecked-call               +         +
            exception-disorder           +         +
            requirement                  +         +
            timestamp                    +         +
            block-number                 +         +
            frozen-ether                 +         +
            overflow                     +         +
            slot-collision               +         +
            layout-collision             +         +
            arbitrary-jump in ir: missed arbitrary-jump 8
            arbitrary-jump in ir opt: missed arbitrary-jump 8
            front-running in ir: missed ether-theft 8
        "#]],
    );
}
