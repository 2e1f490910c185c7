//! What people without a role can do to a contract, and near misses that are meant that way.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    check_sources(&[("src/A.sol", &format!("pragma solidity ^0.8.0;\n{contract}"))], expected);
}

fn check_sources(sources: &[(&str, &str)], expected: Expect) {
    let mut sandbox = Sandbox::new("");
    for (path, source) in sources {
        sandbox.write(path, source);
    }
    expected.assert_eq(&told::findings(&mut sandbox));
}

/// The instruction itself is told, and not what was checked before it.
#[test]
fn assembly_runs_code_and_pays() {
    check(
        "contract A { mapping(address => uint256) public balances;
            function deposit() external payable { balances[msg.sender] += msg.value; }
            function withdraw() external {
                uint256 amount = balances[msg.sender];
                require(amount > 0);
                bool ok;
                assembly { ok := call(gas(), caller(), amount, 0, 0, 0, 0) }
                require(ok);
                balances[msg.sender] = 0; } }",
        expect![[r#"
            error[reentrancy] 8: call can be re-entered for a gain: deposit{value: 1 wei}(), deposit{value: 1 wei}(), withdraw() (alice, when called, calls it again)
              Made one after the other, the same calls leave the attackers with 1 wei less: what they call back finds state that is not up to date yet.
        "#]],
    );
    check_sources(
        &[(
            "src/A.sol",
            "pragma solidity ^0.4.24;
        contract A { uint256 public runs;
            function() public payable {}
            function run(address code, bytes data) public {
                require(data.length < 100);
                runs++;
                bool ok;
                assembly {
                    ok := delegatecall(gas, code, add(data, 32), mload(data), 0, 0)
                }
                require(ok); } }",
        )],
        expect![[r#"
            error[delegatecall] 9: delegatecall can run anyone's code: run(owner, 0x)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn code_that_the_caller_passes_is_delegated_to() {
    check(
        "contract A { uint256 public total;
            function run(address code, bytes calldata data) external { (bool ok,) = code.delegatecall(data); require(ok); } }",
        expect![[r#"
            error[delegatecall] 3: delegatecall can run anyone's code: run(owner, 0x)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn code_that_only_an_owner_who_pays_can_set_is_meant_that_way() {
    check(
        "contract A { address owner = msg.sender; address public module; uint256 public total;
            function use(address to) external payable { require(msg.sender == owner && msg.value > 0); module = to; }
            function run(bytes calldata data) external { (bool ok,) = module.delegatecall(data); require(ok); total++; } }",
        expect![[r#""#]],
    );
}

#[test]
fn code_that_anyone_can_set_is_delegated_to() {
    check(
        "contract A { address public module; uint256 public total;
            function use(address to) external { module = to; }
            function run(bytes calldata data) external { (bool ok,) = module.delegatecall(data); require(ok); } }",
        expect![[r#"
            error[delegatecall] 4: delegatecall can run anyone's code: use(alice), run(0x)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn code_that_was_checked_to_be_there_is_delegated_to() {
    check(
        "contract A { uint256 public plugins; mapping(address => bool) public known;
            function install(address plugin) external { require(plugin.code.length > 0); known[plugin] = true; plugins++; }
            function run(address plugin, bytes calldata data) external {
                require(known[plugin]);
                (bool ok,) = plugin.delegatecall(data);
                require(ok); } }",
        expect![[r#"
            error[delegatecall] 6: delegatecall can run anyone's code: run(alice, 0x) (alice, when called, accepts), install(alice), run(alice, 0x)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn the_code_of_a_proxy_is_replaced_by_whoever_took_it_over() {
    check(
        "contract Logic { address public curator; function become() external { curator = msg.sender; } }
        contract A { address public owner = msg.sender; address public code;
            constructor(Logic logic) { code = address(logic); }
            function upgrade(address to) external { require(msg.sender == owner); require(to.code.length > 0); code = to; }
            fallback() external { (bool ok,) = code.delegatecall(msg.data); require(ok); } }",
        expect![[r#"
            error[layout-collision] 3: `owner` of A is written as `curator` of Logic: become()
              A DELEGATECALL ran code that keeps another variable there: one is lost when the other is written. Keep the proxy's variables in slots of ERC-1967, or declare them first in both.
            error[delegatecall] 6: delegatecall can run anyone's code: become(), upgrade(alice) (alice, when called, accepts), become()
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn whoever_a_proxy_is_made_for_may_replace_its_code() {
    check(
        "contract A { address admin; address code;
            constructor(address to, address by) { require(to.code.length > 0); code = to; admin = by; }
            function upgrade(address to) external { require(msg.sender == admin); require(to.code.length > 0); code = to; }
            fallback() external { (bool ok,) = code.delegatecall(msg.data); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn the_owner_chose_the_code_that_the_caller_names_as_well() {
    check(
        "contract A { address owner = msg.sender; address code; mapping(address => bool) public seen;
            function install(address to) external { require(msg.sender == owner && to.code.length > 0); code = to; }
            function run(address one, address two, address three) external {
                (bool ok,) = code.delegatecall(abi.encode(one, two, three)); require(ok && code != address(0)); seen[one] = true; } }",
        expect![[""]],
    );
}

#[test]
fn code_is_delegated_to_in_assembly() {
    check(
        "contract A { uint256 public total;
            function run(address code) external {
                assembly { let ok := delegatecall(gas(), code, 0, 0, 0, 0)
                    if iszero(ok) { revert(0, 0) } } } }",
        expect![[r#"
            error[delegatecall] 4: delegatecall can run anyone's code: run(owner)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
        "#]],
    );
}

#[test]
fn only_the_owner_chooses_the_code() {
    check(
        "contract A { address owner = msg.sender; uint256 public total;
            function run(address code, bytes calldata data) external {
                require(msg.sender == owner); (bool ok,) = code.delegatecall(data); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn only_a_user_who_was_given_a_role_chooses_the_code() {
    check(
        "contract A { address keeper; uint256 public total;
            constructor(address keeper_) { keeper = keeper_; }
            function run(address code, bytes calldata data) external {
                require(msg.sender == keeper); (bool ok,) = code.delegatecall(data); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn the_contract_delegates_to_itself() {
    check(
        "contract A { uint256 public total;
            function add() external { total++; }
            function multicall(bytes[] calldata calls) external {
                for (uint256 i; i < calls.length; i++) { (bool ok,) = address(this).delegatecall(calls[i]); require(ok); } } }",
        expect![[""]],
    );
}

#[test]
fn what_was_delegated_is_always_undone() {
    check(
        "contract A { uint256 public total;
            function simulate(address code, bytes calldata data) external {
                (bool ok, bytes memory result) = code.delegatecall(data);
                revert(string(abi.encode(ok, result))); } }",
        expect![[""]],
    );
}

#[test]
fn only_listed_code_is_delegated_to() {
    check(
        "contract A { mapping(address => bool) listed; address owner = msg.sender; uint256 public total;
            function list(address code) external { require(msg.sender == owner); listed[code] = true; }
            function run(address code, bytes calldata data) external {
                require(listed[code]); (bool ok,) = code.delegatecall(data); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn a_caller_chooses_the_code_of_what_they_create() {
    check(
        "contract Wallet { address code;
            constructor(address code_) { code = code_; (bool ok,) = code.delegatecall(\"\"); require(ok); }
            fallback() external payable { (bool ok,) = code.delegatecall(msg.data); require(ok); } }
         contract A { Wallet[] public wallets;
            function create(address code) external returns (address) {
                wallets.push(new Wallet(code)); return address(wallets[wallets.length - 1]); } }",
        expect![[""]],
    );
}

#[test]
fn a_beacon_that_is_not_known_chooses_the_code() {
    check(
        "interface Beacon { function implementation() external view returns (address); }
         contract A { Beacon beacon; uint256 public total;
            constructor(Beacon beacon_) { beacon = beacon_; }
            fallback() external payable { (bool ok,) = beacon.implementation().delegatecall(msg.data); require(ok); } }",
        expect![[""]],
    );
}

#[test]
fn a_contract_that_only_runs_in_the_place_of_others_runs_what_they_pass() {
    check(
        "contract A { address immutable SELF = address(this);
            function simulate(address code, bytes calldata data) external returns (bool ok) {
                require(address(this) != SELF, \"only by delegatecall\"); (ok,) = code.delegatecall(data); } }",
        expect![[""]],
    );
}

#[test]
fn anyone_destroys_the_contract_and_is_paid() {
    check(
        "contract A { receive() external payable {}
            function close() external { selfdestruct(payable(msg.sender)); } }",
        expect![[r#"
            error[self-destruct] 3: contract can be destroyed by anyone: close()
              Every user can do it without a role, and each chooses who gets the ether.
        "#]],
    );
}

#[test]
fn anyone_becomes_the_owner_and_destroys_the_contract() {
    check(
        "contract A { address owner;
            function claim() external { require(owner == address(0)); owner = msg.sender; }
            function close(address payable to) external { require(msg.sender == owner); selfdestruct(to); } }",
        expect![[r#"
            error[self-destruct] 4: contract can be destroyed by anyone: claim(), close(owner)
              Every user can do it without a role, and each chooses who gets the ether.
        "#]],
    );
}

#[test]
fn what_somebody_else_had_created_is_destroyed_by_anyone() {
    let desk = |check: &str| {
        format!(
            "contract Series {{ address immutable desk = msg.sender; address public immutable writer;
                constructor(address by) payable {{ writer = by; }}
                function retire(address payable rest) external {{ require(msg.sender == desk); selfdestruct(rest); }} }}
            contract Desk {{ Series[] public series;
                function write() external payable {{ require(msg.value > 99); series.push(new Series{{value: msg.value}}(msg.sender)); }}
                function retire(uint256 id, address payable rest) external {{
                    Series done = series[id];
                    {check}
                    done.retire(rest); }} }}"
        )
    };
    check(
        &desk(""),
        expect![[r#"
        error[self-destruct] 4: contract can be destroyed by anyone: write{value: 100 wei}(), retire(0, alice)
          Every user can do it without a role, and each chooses who gets the ether.
        information[compiler-check] 8: index can be out of bounds: retire(0, owner)
          The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
    "#]],
    );
    check(
        &desk("require(done.writer() == msg.sender);"),
        expect![[r#"
            information[compiler-check] 8: index can be out of bounds: retire(0, owner)
              The same call fails in the same way right after the setup: no earlier call led to it, and it is only refused.
        "#]],
    );
}

/// Whoever joins first may be the owner, who may do as they like.
#[test]
fn a_member_has_the_contract_destroy_itself() {
    check(
        "contract A { mapping(address => bool) public isMember; uint256 public dues; uint256 public members; address public chair;
            constructor(uint256 dues_) { dues = dues_; chair = msg.sender; }
            modifier onlyAssembly() { require(msg.sender == address(this)); _; }
            function join() external payable {
                require(msg.value == dues && !isMember[msg.sender]); isMember[msg.sender] = true; members++; }
            function carryOut(bytes calldata data) external {
                require(msg.sender == chair); (bool ok,) = address(this).call(data); require(ok); }
            function callOutside(address target, bytes calldata data) external {
                require(isMember[msg.sender]); (bool ok,) = target.call(data); require(ok); }
            function setChair(address to) external onlyAssembly { chair = to; }
            function dissolve(address payable heir) external onlyAssembly { selfdestruct(heir); } }",
        expect![[r#"
            warning[self-destruct] 12: contract can be destroyed by anyone: join(), callOutside(a, 0xefe9…0000)
              Every user can do it without a role; who gets the ether stays the same.
        "#]],
    );
}

#[test]
fn anyone_destroys_the_contract_for_its_owner() {
    check(
        "contract A { address payable owner = payable(msg.sender);
            function close() external { selfdestruct(owner); } }",
        expect![[r#"
            warning[self-destruct] 3: contract can be destroyed by anyone: close()
              Every user can do it without a role; who gets the ether stays the same.
        "#]],
    );
}

#[test]
fn only_the_owner_destroys_the_contract() {
    check(
        "contract A { address payable owner = payable(msg.sender);
            function give(address payable to) external { require(msg.sender == owner); owner = to; }
            function close() external { require(msg.sender == owner); selfdestruct(owner); } }",
        expect![[""]],
    );
}

#[test]
fn what_was_made_for_one_call_destroys_itself() {
    check(
        "contract Once { constructor(address payable to) payable { selfdestruct(to); } }
         contract A { function pay(address payable to) external payable { new Once{value: msg.value}(to); } }",
        expect![[""]],
    );
}

#[test]
fn only_the_owner_writes_anywhere() {
    check(
        "contract A { address owner = msg.sender;
            function set(bytes32 slot, uint256 word) external { require(msg.sender == owner); assembly { sstore(slot, word) } } }",
        expect![[""]],
    );
}

#[test]
fn old_compilers_have_other_names_for_it() {
    check_sources(
        &[(
            "src/Old.sol",
            "pragma solidity ^0.4.24;
            contract Old { uint256 public total;
                function run(address code, bytes data) public { require(code.callcode(data)); }
                function close() public { suicide(msg.sender); } }",
        )],
        expect![[r#"
            error[delegatecall] 3: delegatecall can run anyone's code: run(owner, 0x)
              The code that runs is what the caller passes: with another address the same calls run other code, and every user can make them. That code can change each variable and take the ether.
            error[self-destruct] 4: contract can be destroyed by anyone: close()
              Every user can do it without a role, and each chooses who gets the ether.
        "#]],
    );
}

/// Whose code runs is known before anybody calls, or is chosen among what the deployer listed.
#[test]
fn libraries_that_never_change_are_delegated_to() {
    check(
        "library Sums { function add(uint256[] storage xs, uint256 x) public { if (xs.length < 10) xs.push(x); } }
         contract Linked { using Sums for uint256[]; uint256[] public xs;
            function add(uint256 x) external { xs.add(x); } }
         contract Code { uint256 public total; function set(uint256 to) external { total = to % 1000; } function clear() external { total = 0; } }
         contract Constant { uint256 public total; address private constant CODE = 0x00000000000000000000000000000000DeaDBeef;
            function run(bytes calldata data) external { total++; (bool ok,) = CODE.delegatecall(data); require(ok); } }
         contract Fixed { uint256 public total; address private immutable code = address(new Code());
            function run(bytes calldata data) external { (bool ok,) = code.delegatecall(data); require(ok); } }
         contract Given { uint256 public total; address private immutable code;
            constructor(Code given) { code = address(given); }
            fallback() external { (bool ok,) = code.delegatecall(msg.data); require(ok); } }
         contract Chosen { uint256 public total; address[] private codes;
            constructor() { codes.push(address(new Code())); codes.push(address(new Code())); }
            function run(uint256 which, bytes calldata data) external { (bool ok,) = codes[which % 2].delegatecall(data); require(ok); } }",
        expect![[""]],
    );
}

/// The place is bounded, hashed with who calls, or a constant.
#[test]
fn what_is_written_lies_in_bounds() {
    check(
        "contract Bounded { uint256[] private scores; mapping(address => uint256) public seat;
            function enlist() external { require(seat[msg.sender] == 0); scores.push(0); seat[msg.sender] = scores.length; }
            function mark(uint256 index, uint256 value) external { require(index < scores.length); scores[index] = value; } }
         contract Masked { uint256 public total;
            function put(uint256 index, uint256 word) external { assembly { sstore(add(0x100, and(index, 0xff)), word) } } }
         contract Hashed { uint256 public total;
            function put(bytes32 key, uint256 word) external {
                bytes32 slot = keccak256(abi.encode(key, msg.sender));
                assembly { sstore(slot, word) } } }
         contract Named { bytes32 private constant SLOT = keccak256(\"named.total\");
            function put(uint256 word) external { bytes32 slot = SLOT; assembly { sstore(slot, word) } } }
         contract Ring { uint256[8] public last; uint256 public next;
            function put(uint256 word) external { unchecked { last[next++ % 8] = word; } } }
         contract Packed { mapping(uint256 => uint256) public words;
            function set(uint256 bit) external { words[bit >> 8] |= 1 << (bit & 255); } }",
        expect![[""]],
    );
}
