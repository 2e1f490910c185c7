//! Contracts that are called and fail, calls that go on where nobody meant them to, and ether that nobody sends on.

mod support;

use expect_test::{Expect, expect};
use support::{sandbox::Sandbox, slow, told};

/// Compares what is found in a contract, as level, oracle, line, message and reason.
fn check(contract: &str, expected: Expect) {
    expected.assert_eq(&found("", &format!("pragma solidity ^0.8.20;\n{contract}")));
}

/// What is found in a file that is compiled with these settings.
fn found(settings: &str, source: &str) -> String {
    let mut sandbox = Sandbox::new("");
    sandbox.write("foundry.toml", &format!("[profile.default]\n{settings}"));
    sandbox.write("src/A.sol", source);
    told::findings(&mut sandbox)
}

/// A contract that fails for numbers above ten, and the head of one that calls it.
const CALLED: &str = "contract B { uint256 public total;
    function add(uint256 number) external { require(number <= 10, \"too much\"); total += number; } }
contract A { B private b = new B(); uint256 public count;";

#[test]
fn a_contract_that_fails_goes_unnoticed_however_it_is_compiled() {
    let source = format!(
        "pragma solidity ^0.8.20;\n{CALLED}
        function add(uint256 number) external {{
            address(b).call(abi.encodeCall(b.add, number));
            count++; }} }}"
    );
    let expected = expect![[r#"
        warning[exception-disorder] 6: failure of the called contract goes unnoticed: add(11)
          The called contract fails; with one in its place that returns the same and succeeds, the transaction takes the same path and ends in the same way.
    "#]];
    for settings in ["optimizer = false", "optimizer = true", "via_ir = true", "optimizer = true\nvia_ir = true"] {
        if !settings.contains("via_ir") || slow::is_asked() {
            expected.assert_eq(&found(settings, &source));
        }
    }
}

#[test]
fn a_contract_that_fails_without_a_word_goes_unnoticed() {
    check(
        "contract B { uint256 public total;
            function add(uint256 number) external { require(number <= 10); total += number; } }
        contract A { B private b = new B(); uint256 public count;
            function add(uint256 number) external {
                address(b).call(abi.encodeWithSignature(\"add(uint256)\", number));
                count++; } }",
        expect![[r#"
            warning[exception-disorder] 6: failure of the called contract goes unnoticed: add(11)
              The called contract fails; with one in its place that returns the same and succeeds, the transaction takes the same path and ends in the same way.
        "#]],
    );
}

#[test]
fn a_contract_is_asked_for_something_before_it_fails() {
    check(
        "contract Register { mapping(uint256 => address) public patientOf; mapping(uint256 => uint256) public packs; uint256 public count;
            function prescribe(address patient, uint256 amount) external { patientOf[++count] = patient; packs[count] = amount; }
            function use(uint256 id, uint256 amount) external { require(amount <= packs[id]); packs[id] -= amount; } }
         contract Pharmacy { Register register = new Register(); mapping(address => uint256) public fetched;
            function fetch(uint256 id, uint256 amount) external {
                require(register.patientOf(id) == msg.sender);
                address(register).call(abi.encodeCall(Register.use, (id, amount)));
                fetched[msg.sender] += amount; }
            function checkedFetch(uint256 id, uint256 amount) external {
                require(register.patientOf(id) == msg.sender);
                (bool ok,) = address(register).call(abi.encodeCall(Register.use, (id, amount)));
                require(ok);
                fetched[msg.sender] += amount; } }",
        expect![[r#"
            warning[exception-disorder] 8: failure of the called contract goes unnoticed: register.prescribe(owner, 0), fetch(1, 1)
              The called contract fails; with one in its place that returns the same and succeeds, the transaction takes the same path and ends in the same way.
        "#]],
    );
}

#[test]
fn a_failure_that_is_looked_at_is_no_finding() {
    check(
        &format!(
            "{CALLED} uint256 public failed; event Failed(bool success, bytes reason);
            function require_(uint256 number) external {{
                (bool success,) = address(b).call(abi.encodeCall(b.add, number));
                require(success);
                count++; }}
            function store(uint256 number) external {{
                (bool success,) = address(b).call(abi.encodeCall(b.add, number));
                failed += success ? 0 : 1;
                count++; }}
            function log(uint256 number) external {{
                (bool success, bytes memory reason) = address(b).call(abi.encodeCall(b.add, number));
                emit Failed(success, reason);
                count++; }}
            function return_(uint256 number) external returns (bool success) {{
                (success,) = address(b).call(abi.encodeCall(b.add, number));
                count++; }}
            function compare(uint256 number) external {{
                uint256 before = b.total();
                address(b).call(abi.encodeCall(b.add, number));
                if (b.total() != before) count++; }}
            function attempt(uint256 number) external {{
                try b.add(number) {{}} catch {{}}
                count++; }} }}"
        ),
        expect![[""]],
    );
}

#[test]
fn where_nothing_else_happens_nothing_is_to_be_noticed() {
    check(
        &format!(
            "{CALLED} function add(uint256 number) external {{
                address(b).call(abi.encodeCall(b.add, number)); }} }}"
        ),
        expect![[""]],
    );
}

#[test]
fn a_contract_that_never_fails_is_no_finding() {
    check(
        "contract B { uint256 public total; function add(uint256 number) external { unchecked { total ^= number; } } }
        contract A { B private b = new B(); uint256 public count;
            function add(uint256 number) external {
                address(b).call(abi.encodeCall(b.add, number));
                count++; } }",
        expect![[""]],
    );
}

#[test]
fn ether_moves_where_the_code_goes_on() {
    check(
        "contract A { struct S { function() internal action; } uint256 public count;
            function act() internal { count++; }
            function run() external payable {
                S memory s = S(act);
                assembly { mstore(s, add(mload(s), callvalue())) }
                s.action(); }
            function take() external { payable(msg.sender).transfer(address(this).balance); } }",
        expect![[r#"
            error[arbitrary-jump] 7: call can go on anywhere in the code: run{value: 1 wei}()
              Every user can make the call, and another word in it leads somewhere else in the code.
            error[ether-theft] 8: anyone can take ether: run{value: 21474836320 wei}(), take()
              Every user can do it without a role, without paying anything in or giving anything up, and each takes all that is there, here 21474836320 wei.
        "#]],
    );
}

/// A contract that calls one of two functions, which are written over where the guard lets somebody.
fn chosen_among(variable: &str, guard: &str) -> String {
    format!(
        "contract A {{ uint256 public count; function(uint256) internal[2] private actions;{variable}
            constructor() {{ actions[0] = add; actions[1] = set; }}
            function add(uint256 number) internal {{ count ^= number; }}
            function set(uint256 number) internal {{ count = number; }}
            function run(uint256 index, uint256 number) external {{ require(index < 2); actions[index](number); }}
            function set(uint256 index, uint256 offset) external {{
                require({guard}index < 2);
                assembly {{ sstore(add(actions.slot, index), offset) }} }} }}"
    )
}

#[test]
fn functions_that_are_chosen_among_are_no_finding() {
    check(
        &chosen_among(" address owner = msg.sender;", "msg.sender == owner && "),
        expect![[r#"
            warning[compiler-check] 6: call of an uninitialised function pointer: set(0, 0), run(0, 0)
              The earlier calls led to it: right after the setup the same call does not fail here, and of 8 calls with other arguments none passes now.
        "#]],
    );
}

#[test]
fn a_function_that_anyone_overwrites_is_a_finding() {
    check(
        &chosen_among("", ""),
        expect![[r#"
            warning[arbitrary-jump] 6: call can go on anywhere in the code: set(0, 1), run(0, 0)
              Every user can make the contract call a function where no function is: what the variable holds was overwritten.
            warning[compiler-check] 6: call of an uninitialised function pointer: set(0, 0), run(0, 0)
              The earlier calls led to it: right after the setup the same call does not fail here, and of 8 calls with other arguments none passes now.
        "#]],
    );
}

#[test]
fn ether_that_somebody_may_send_on_is_not_frozen() {
    check(
        "interface Sink { function fill() external payable; }
        contract Low { receive() external payable {} function go(address to) external { (bool ok,) = to.call{value: 1}(\"\"); require(ok); } }
        contract High { address owner = msg.sender; receive() external payable {}
            function go(Sink to) external { require(msg.sender == owner); to.fill{value: address(this).balance}(); } }
        contract Made { address owner = msg.sender; receive() external payable {}
            function go() external { require(msg.sender == owner); new Born{value: 1}(); } }
        contract Born { address owner = msg.sender; constructor() payable {}
            function go() external { require(msg.sender == owner); payable(owner).transfer(address(this).balance); } }
        contract Run { address owner = msg.sender; receive() external payable {}
            function go(address to) external { require(msg.sender == owner); to.delegatecall(\"\"); } }
        contract Refuse { uint256 public count; function go() external { count++; } }",
        expect![[""]],
    );
}

#[test]
fn ether_is_frozen_where_only_functions_without_ether_are_called() {
    check(
        "interface Token { function transfer(address to, uint256 amount) external returns (bool); }
        contract A { address owner = msg.sender;
            receive() external payable {}
            function go(Token token) external { require(msg.sender == owner); token.transfer(msg.sender, 1); } }",
        expect![[r#"
            information[frozen-ether] 3: ether is frozen: receive{value: 1 wei}()
              Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        "#]],
    );
}

#[test]
fn ether_is_frozen_where_calls_and_creations_never_carry_any() {
    check(
        "library Calls {
            function run(address to, bytes memory data, uint256 value) internal { (bool ok,) = to.call{value: value}(data); require(ok); } }
        contract Part { uint256 public count; function add() external { count++; } }
        contract A { address owner = msg.sender;
            function pay() external payable { require(msg.value > 9); }
            function make() external { new Part(); }
            function go(address to, bytes calldata data) external { require(msg.sender == owner); Calls.run(to, data, 0); } }",
        expect![[r#"
            information[frozen-ether] 5: ether is frozen: pay{value: 10 wei}()
              Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        "#]],
    );
}

#[test]
fn ether_is_frozen_where_no_call_reaches_what_sends_it() {
    let chest = |way_out: &str| {
        format!(
            "contract A {{ bool constant OPEN = false; address payable owner = payable(msg.sender);
            modifier never {{ require(OPEN, \"closed\"); _; }}
            function pay() external payable {{ require(msg.value > 9); }}
            {way_out} }}"
        )
    };
    let sends = "owner.transfer(address(this).balance);";
    for way_out in [
        format!("function take() external never {{ {sends} }}"),
        format!("function take() external {{ if (OPEN) {{ {sends} }} }}"),
        format!("function take(uint8 day) external {{ require(day > 255); {sends} }}"),
        "function end() external never { selfdestruct(owner); }".to_owned(),
        "function run(address to) external never { to.delegatecall(\"\"); }".to_owned(),
    ] {
        check(
            &chest(&way_out),
            expect![[r#"
                information[frozen-ether] 2: ether is frozen: pay{value: 10 wei}()
                  Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
            "#]],
        );
    }
    // What stands in storage, what is paid, and what is passed may be anything.
    for way_out in [
        format!("bool open; function take() external {{ require(open); {sends} }}"),
        format!("function take(uint256 day) external {{ require(day > type(uint256).max - 1); {sends} }}"),
        format!("function take() external payable {{ require(msg.value == 12345 ether); {sends} }}"),
    ] {
        check(&chest(&way_out), expect![[""]]);
    }
}

#[test]
fn ether_is_frozen_where_calls_only_tell_how_much_there_is() {
    check(
        "contract Book { mapping(address => uint256) public noted;
            function note(address who, uint256 value) external { noted[who] = value; } }
         contract A { Book book = new Book();
            function pay() external payable { require(msg.value > 9); book.note(msg.sender, msg.value / 2); } }",
        expect![[r#"
            information[frozen-ether] 4: ether is frozen: pay{value: 10 wei}()
              Anyone can pay ether in, and no way through the contract's code sends any out: none calls or creates a contract with ether, delegates to another one, or destroys the contract.
        "#]],
    );
}

#[test]
fn what_the_caller_can_pass_is_never_always_refused() {
    let shop = "contract Shop { Factory factory = new Factory(); Receiver no = new Receiver(false);
            function open(address a, address b) external { factory.create(a, b); revert(\"closed\"); }
            function share(uint256 part) external { require(part > 99); factory.divide(part / 100 - 1); revert(\"closed\"); }
            function send(Receiver to) external { to.received(); } }";
    check(
        &format!(
            "contract Receiver {{ bool immutable takes; constructor(bool yes) {{ takes = yes; }}
                function received() external view {{ require(takes, \"never\"); }} }}
             contract Factory {{
                function create(address a, address b) external pure {{ require(a != b, \"same\"); require(a != address(0) && b != address(0), \"zero\"); }}
                function divide(uint256 by) external pure returns (uint256) {{ require(by > 0, \"zero\"); return 100 / by; }} }}
             {shop}"
        ),
        expect![[""]],
    );
}

#[test]
fn bytes_that_have_to_be_long_enough_may_be_passed() {
    check(
        "contract Creator { address immutable entry = msg.sender;
            function create(bytes calldata code) external view returns (address) {
                require(msg.sender == entry); return address(bytes20(code[0:20])); } }
         contract Entry { Creator creator = new Creator(); error Found(address);
            function find(bytes calldata code) external view { revert Found(creator.create(code)); }
            function findAll(bytes[] calldata codes) external view { for (uint256 i = 0; i < codes.length; i++) creator.create(codes[i]); revert Found(address(0)); } }",
        expect![[""]],
    );
}

#[test]
fn a_word_that_has_to_be_in_a_range_may_be_passed() {
    check(
        "contract Doses { function volume(uint256 grams, uint256 rate, uint256 strength) external pure returns (uint256) {
                require(grams >= 20 && grams <= 900000);
                require(rate <= 20000);
                require(strength == 2 || strength == 10);
                return grams * rate / strength; } }
         contract Vet { Doses doses = new Doses(); mapping(uint256 => address) public keeper; uint256 public count; uint256 public given;
            function arrive() external { keeper[++count] = msg.sender; }
            function dog(uint256 visit, uint256 grams) external { require(keeper[visit] == msg.sender); given += doses.volume(grams, 4000, 10); }
            function horse(uint256 visit, uint256 grams) external { require(keeper[visit] == msg.sender); given += doses.volume(grams, 2000, 50); } }",
        expect![[r#"
            warning[requirement] 10: called contract always refuses this: arrive(), horse(1, 0)
              Whatever is passed, and whoever sends it, the called contract refuses; it looks at nothing but the call itself, so that no other state makes it accept.
        "#]],
    );
}

#[test]
fn a_word_that_is_always_refused_is_told_whatever_the_caller_looks_at_before() {
    check(
        "contract Book { address desk = msg.sender; mapping(address => uint8) public level;
            function grant(address who, uint8 to) external { require(to >= 1 && to <= 5); level[who] = to; } }
         contract Desk { Book book = new Book(); mapping(address => uint256) public points;
            function play() external { points[msg.sender]++; }
            function start() external { require(points[msg.sender] > 0); book.grant(msg.sender, 0); }
            function finish() external { require(points[msg.sender] > 2); book.grant(msg.sender, 5); } }",
        expect![[r#"
            warning[requirement] 6: called contract always refuses this: play(), start()
              Whatever is passed, and whoever sends it, the called contract refuses; it looks at nothing but the call itself, so that no other state makes it accept.
        "#]],
    );
}

#[test]
fn who_refuses_everything_is_meant_to() {
    check(
        "contract Refusing { error No(); function received(address, uint256) external pure { revert No(); } }
         interface IReceiver { function received(address from, uint256 amount) external; }
         contract Token { mapping(address => uint256) public balanceOf;
            function mint(address to, uint256 amount) external {
                balanceOf[to] += amount;
                if (to.code.length > 0) IReceiver(to).received(msg.sender, amount); } }",
        expect![""],
    );
}

#[test]
fn a_word_that_is_stored_may_be_accepted_one_day() {
    check(
        "contract Book { function grant(uint8 to) external pure { require(to >= 1 && to <= 5); } }
         contract Desk { Book book = new Book(); uint8 level = 9;
            function set(uint8 to) external { require(msg.sender == address(1)); level = to; }
            function start() external view { book.grant(level); } }",
        expect![""],
    );
}

#[test]
fn what_is_rounded_down_to_nothing_may_be_something_one_day() {
    check(
        "contract Vault { function redeem(uint256 shares) external pure { require(shares > 0, \"no shares\"); } }
         contract Wrapper { Vault vault = new Vault(); uint256 inner; uint256 total;
            function deposit(uint256 assets) external { require(assets > 255 && assets < 1e24); inner += assets / 1000; total += assets; }
            function redeem(uint256 shares) external { require(shares > 255 && shares < total); vault.redeem(inner * shares / total); } }",
        expect![""],
    );
}

#[test]
fn what_was_queued_by_anybody_is_passed_on() {
    check(
        "contract Book { function grant(uint8 to) external pure { require(to >= 1 && to <= 5); } }
         contract Desk { Book book = new Book(); mapping(bytes32 => bool) queued;
            function queue(bytes calldata data) external { queued[keccak256(data)] = true; }
            function execute(bytes calldata data) external {
                require(queued[keccak256(data)]);
                (bool ok,) = address(book).call(data);
                require(ok); } }",
        expect![""],
    );
}
