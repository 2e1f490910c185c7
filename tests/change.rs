//! What changes between two builds, as the compiler's own code shows it: each case is a source before and after an edit.
//! `//~` marks the lines whose blocks are changed by it, `//~?` those of which some are.

mod support;

use bellwether::code::ContractLineage;
use std::collections::BTreeSet;
use support::{
    edit::{Built, Edit, PIPELINES, PRAGMA, Pipeline, pipelines},
    sandbox::Sandbox,
    slow,
};

#[track_caller]
fn check_in(pipelines: &[Pipeline], old: &str, new: &str) {
    for pipeline in pipelines {
        let edit = Edit::of(*pipeline, old, new);
        assert_eq!(edit.mistakes(*pipeline), Vec::<String>::new(), "{pipeline:?}\n{new}");
    }
}

#[track_caller]
fn check(old: &str, new: &str) {
    check_in(pipelines(4), old, new);
}

/// Nothing at all is changed, generated code included.
#[track_caller]
fn check_same_in(pipelines: &[Pipeline], old: &str, new: &str) {
    for pipeline in pipelines {
        let edit = Edit::of(*pipeline, old, new);
        let changed: Vec<_> = edit.change.changed().map(|(id, block)| (edit.new.name(id), block)).collect();
        assert_eq!(changed, [], "{pipeline:?}\n{new}");
    }
}

const VAULT: &str = "
contract Vault {
    event Paid(address indexed to, uint256 amount);
    mapping(address => uint256) public balances;
    uint256 public total;
    uint256 immutable start = block.timestamp;
    address owner;

    modifier onlyOwner() {
        require(msg.sender == owner, \"owner\");
        _;
    }

    constructor(address first) {
        owner = first;
        total = 1;
    }

    function deposit() external payable {
        require(msg.value > 10, \"small\");
        balances[msg.sender] += msg.value;
        total += fee(msg.value);
    }

    function fee(uint256 amount) internal view returns (uint256) {
        uint256 part = amount / 1000;
        if (block.timestamp < start + 5) {
            part = part * 2;
        }
        return part;
    }

    function pay(address to, uint256 amount) external onlyOwner {
        for (uint256 i = 0; i < 3; i++) {
            total = total - amount;
        }
        balances[to] = amount;
        emit Paid(to, amount);
    }

    function sweep(uint256[] calldata amounts) external onlyOwner returns (uint256 sum) {
        for (uint256 i = 0; i < amounts.length; i++) {
            sum += amounts[i];
        }
        total = sum;
    }
}
";

/// The vault with one piece of text replaced.
#[track_caller]
fn vault(from: &str, to: &str) -> String {
    assert_eq!(VAULT.matches(from).count(), 1, "{from}");
    VAULT.replace(from, to)
}

#[test]
fn lines_and_comments_at_the_top_change_nothing() {
    check_same_in(pipelines(4), VAULT, &format!("\n// More.\n\n{}", vault("total = 1;", "/* one */ total = 1; // 1")));
}

#[test]
fn a_constant() {
    check(VAULT, &vault("amount / 1000;", "amount / 1001; //~"));
    check(VAULT, &vault("start + 5) {", "start + 6) { //~"));
    check(VAULT, &vault("total = 1;", "total = 7; //~"));
}

#[test]
fn an_operator() {
    check(VAULT, &vault("part * 2;", "part + 2; //~"));
    check(VAULT, &vault("total - amount;", "total * amount; //~"));
    check(VAULT, &vault("msg.value > 10,", "msg.value < 10, //~\n"));
}

#[test]
fn a_statement_more() {
    check(VAULT, &vault("balances[to] = amount;", "balances[to] = amount;\n        owner = to; //~"));
    check(VAULT, &vault("part = part * 2;", "part = part * 2;\n            part = part / 7; //~"));
}

#[test]
fn a_statement_less() {
    check(
        VAULT,
        &vault("balances[to] = amount;\n        emit Paid(to, amount);", "emit Paid(to, amount); //~?")
            .replace("i < 3; i++) {", "i < 3; i++) { //~?"),
    );
}

#[test]
fn a_modifier_counts_where_it_is_used() {
    let new = vault("msg.sender == owner,", "msg.sender != owner, //~\n");
    check(VAULT, &new);
    let edit = Edit::of(PIPELINES[0], VAULT, &new);
    assert!(edit.change.changed().count() >= 2, "both functions that use it");
}

#[test]
fn functions_in_another_order_are_the_same() {
    let deposit = VAULT.find("    function deposit").unwrap();
    let fee = VAULT.find("    function fee").unwrap();
    let pay = VAULT.find("    function pay").unwrap();
    let (head, tail) = (&VAULT[..deposit], &VAULT[pay..]);
    let new = format!("{head}{}{}{tail}", &VAULT[fee..pay], &VAULT[deposit..fee]);
    check_same_in(&PIPELINES[..2], VAULT, &new);
    check(VAULT, &new);
}

#[test]
fn another_name_for_a_local_changes_nothing() {
    let new = VAULT.replace("part", "share").replace("uint256 amount) external", "uint256 much) external");
    let new = new.replace("total - amount", "total - much").replace("balances[to] = amount", "balances[to] = much");
    let new = new.replace("emit Paid(to, amount)", "emit Paid(to, much)");
    check_same_in(pipelines(4), VAULT, &new);
}

#[test]
fn a_function_more_leaves_the_others_alone() {
    let new = vault(
        "    function pay(",
        "    function extra(uint256 x) external { //~?\n        total = x * 77; //~\n    }\n\n    function pay(",
    );
    for pipeline in pipelines(4) {
        let edit = Edit::of(*pipeline, VAULT, &new);
        assert_eq!(edit.mistakes(*pipeline), Vec::<String>::new(), "{pipeline:?}");
        let (changed, all) = edit.share(edit.new.find("Vault"));
        assert!(changed * 6 <= all, "{pipeline:?}: {changed} of {all}");
    }
}

#[test]
fn a_called_function_is_told_from_another_one() {
    let old = "contract A {
    uint256 public total;
    function f(uint256 x) external { total = one(x); }
    function g(uint256 x) external { total = two(x); }
    function one(uint256 x) internal view returns (uint256) { return x + total * 3 + gasleft(); }
    function two(uint256 x) internal view returns (uint256) { return x + total * 5 + gasleft(); }
}";
    check_in(pipelines(3), old, &old.replace("total = one(x); }", "total = two(x); } //~"));
}

#[test]
fn an_immutable_is_told_from_another_one() {
    let old = "contract A {
    uint256 immutable a;
    uint256 immutable b;
    constructor(uint256 x, uint256 y) { a = x; b = y; }
    function first() external view returns (uint256) {
        return a * 3;
    }
    function second() external view returns (uint256) {
        return b * 5;
    }
}";
    check_in(pipelines(3), old, &old.replace("a * 3;", "b * 3; //~"));
    // One place more to fill is no change of the constructor.
    check_in(&PIPELINES[..2], old, &old.replace("a * 3;", "a * 3 + a; //~"));
}

const FACTORY: &str = "contract Child {
    uint256 public x;
    function set(uint256 to) external {
        x = to + 1000;
    }
}
contract Factory {
    Child[] public children;
    constructor() { children.push(new Child()); }
    function make() external { children.push(new Child()); }
}
";

#[test]
fn code_inside_of_code_is_not_looked_at_twice() {
    for pipeline in pipelines(4) {
        let edit = Edit::of(*pipeline, FACTORY, &FACTORY.replace("to + 1000;", "to + 3000 * gasleft(); //~"));
        assert_eq!(edit.mistakes(*pipeline), Vec::<String>::new(), "{pipeline:?}");
        assert!(edit.change.is_unchanged(edit.new.find("Factory")), "{pipeline:?}");
        assert!(!edit.change.is_unchanged(edit.new.find("Child")), "{pipeline:?}");
    }
}

#[test]
fn contracts_are_known_by_name_and_then_by_what_they_do() {
    let renamed = FACTORY.replace("Factory", "Works");
    let edit = Edit::of(PIPELINES[0], FACTORY, &renamed);
    let works = edit.new.find("Works");
    assert!(
        matches!(edit.change.origin(works), ContractLineage::Old { contract, .. } if contract == edit.old.find("Factory"))
    );
    assert!(edit.change.is_unchanged(works));
    assert_eq!(edit.change.gone(), []);

    let other = "contract Child {} contract Other { mapping(bytes32 => address) public names; function f(bytes32 n) \
                 external { require(names[n] == address(0)); names[n] = msg.sender; } }";
    let edit = Edit::of(PIPELINES[0], FACTORY, other);
    assert_eq!(edit.change.origin(edit.new.find("Other")), ContractLineage::New);
    assert_eq!(edit.change.gone(), [edit.old.find("Factory")]);
    let (changed, all) = edit.share(edit.new.find("Other"));
    assert_eq!(changed, all);
}

#[test]
fn a_contract_in_another_file_is_the_same() {
    let child = format!("{PRAGMA}\n{}", &FACTORY[..FACTORY.find("contract Factory").unwrap()]);
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", PIPELINES[0].settings()));
    sandbox.write("src/A.sol", &child);
    let old = Built::new(sandbox.build());
    std::fs::remove_file(sandbox.root().join("src/A.sol")).unwrap();
    sandbox.write("src/deep/B.sol", &format!("\n{child}"));
    let edit = Edit::between(old, Built::new(sandbox.build()));
    assert!(edit.change.is_unchanged(edit.new.find("Child")));
}

#[test]
fn inherited_and_library_code_counts_for_every_contract_that_has_it() {
    let base = "pragma solidity ^0.8.20;
library Half {
    function take(uint256 x) internal pure returns (uint256) {
        return x / 2;
    }
}
contract Base {
    uint256 public kept;
    function keep(uint256 x) public {
        kept = Half.take(x);
    }
}
";
    let user = |name: &str| {
        format!(
            "{PRAGMA} import \"./Base.sol\"; contract {name} is Base {{ function only{name}() external {{ kept = 1; }} }}"
        )
    };
    for pipeline in pipelines(4) {
        let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", pipeline.settings()));
        sandbox.write("src/Base.sol", base);
        sandbox.write("src/One.sol", &user("One"));
        sandbox.write("src/Two.sol", &user("Two"));
        let old = Built::new(sandbox.build());
        sandbox.write("src/Base.sol", &base.replace("x / 2;", "x / 4; //~"));
        let edit = Edit::between(old, Built::new(sandbox.build()));
        // Where the optimizer takes the function in, the source map tells of its callers alone.
        if *pipeline != PIPELINES[3] {
            assert_eq!(edit.mistakes(*pipeline), Vec::<String>::new(), "{pipeline:?}");
        }
        for name in ["Base", "One", "Two"] {
            let (changed, all) = edit.share(edit.new.find(name));
            assert!(changed > 0 && changed * 5 <= all, "{pipeline:?} {name}: {changed} of {all}");
        }
    }
}

#[test]
fn other_settings_edit_nothing_and_what_was_edited_meanwhile_is_known_by_its_text() {
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", PIPELINES[0].settings()));
    sandbox.write("src/A.sol", &format!("{PRAGMA}{VAULT}"));
    let old = Built::new(sandbox.build());
    let contract = old.find("Vault");
    for pipeline in &pipelines(4)[1..] {
        sandbox.write("foundry.toml", &pipeline.settings());
        sandbox.write("src/A.sol", &format!("{PRAGMA} // a comment\n{VAULT}"));
        let edit = Edit::between(old.clone(), Built::new(sandbox.build()));
        assert_eq!(edit.change.origin(contract), ContractLineage::Recompiled { contract });
        assert!(edit.change.is_unchanged(contract), "{pipeline:?}");

        sandbox.write("src/A.sol", &format!("{PRAGMA}{}", vault("part * 2;", "part * 3;")));
        let edit = Edit::between(old.clone(), Built::new(sandbox.build()));
        let functions: BTreeSet<_> = edit
            .change
            .changed()
            .flat_map(|(id, block)| edit.new.lines(edit.new.programs.get(id), block))
            .map(|(file, line)| edit.new.function_of(&file, line))
            .collect();
        let fee = VAULT[..VAULT.find("function fee").unwrap()].lines().count() as u32;
        assert!(functions.contains(&fee), "{pipeline:?}: {functions:?}, not {fee}");
        assert!(pipeline.via_ir || functions.len() == 1, "{pipeline:?}: {functions:?}");
    }
}

#[test]
fn compilers_of_old() {
    let between: &[&str] = if slow::is_asked_for(" with 0.5 and 0.6") { &["0.5.17", "0.6.12"] } else { &[] };
    for solc in ["0.4.26", "0.7.6"].iter().chain(between) {
        let old = format!(
            "pragma solidity {solc};
contract Piggy {{
    uint256 public saved;
    address owner;
    event Saved(uint256 coins);
    constructor() public {{
        owner = msg.sender;
    }}
    modifier onlyOwner() {{
        require(msg.sender == owner);
        _;
    }}
    function save(uint256 coins) external onlyOwner {{
        require(coins <= 1000, \"many\");
        saved += coins;
        emit Saved(coins);
    }}
    function missing() external view returns (uint256) {{
        return 5000 - saved;
    }}
}}
"
        );
        let legacy = &PIPELINES[..2];
        check_same_in(legacy, &old, &format!("// moved\n{old}"));
        check_in(legacy, &old, &old.replace("1000,", "1001, //~\n"));
        check_in(legacy, &old, &old.replace("saved += coins;", "saved += coins * 3; //~"));
        check_in(legacy, &old, &old.replace("5000 - saved;", "5000 + saved; //~"));
        check_in(legacy, &old, &old.replace("owner = msg.sender;", "owner = tx.origin; //~"));
    }
}
