//! Which world a contract gets: what its parameters want is deployed beside it, connected and funded, and what stands in the way
//! of one companion does not stand in the way of the contract.

mod support;

use bellwether::{
    code::Programs,
    finding::told_setup_calls,
    harness::{Checkpoints, Harness},
    input::Sequence,
    project::Config,
    world::Plans,
};
use std::{ops::ControlFlow, path::Path, sync::Arc};
use support::{campaign::fuzz_contracts, sandbox::Sandbox};

/// The contract `C` of a source, with its world.
fn harness(source: &str) -> Harness {
    harness_in(Sandbox::single(source))
}

fn harness_in(mut sandbox: Sandbox) -> Harness {
    let build = sandbox.build();
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", "C").unwrap();
    Harness::new(build, programs, id).unwrap()
}

/// The instances of the world of `C`, one line each, itself first.
fn world(source: &str) -> Vec<String> {
    harness(source).members().iter().map(ToString::to_string).collect()
}

fn strings(items: &[&str]) -> Vec<String> {
    items.iter().map(ToString::to_string).collect()
}

/// The calls of its setup.
fn calls(source: &str) -> Vec<String> {
    told_setup_calls(&harness(source))
}

#[test]
fn parameters_are_given_what_they_want() {
    for (source, expected) in [
        // By the type, by an interface that it has without inheriting it, and by what the source uses an address as.
        ("contract T { } contract C { constructor(T t) {} }", &["C = C(t)", "t = T()"][..]),
        (
            "interface I { function f() external; } contract T { function f() external {} } contract C { constructor(I i) {} }",
            &["C = C(t)", "t = T()"],
        ),
        (
            "interface I { function f() external; } contract T { function f() external {} }
             contract C { address a; constructor(address x) { a = x; } function g() external { I(a).f(); } }",
            &["C = C(t)", "t = T()"],
        ),
        (
            "interface I { function f() external; } contract T { function f() external {} }
             contract B { I i; constructor(address x) { set(x); } function set(address y) internal { i = I(y); } }
             contract C is B { constructor(address z) B(z) {} }",
            &["C = C(t)", "t = T()"],
        ),
        // By `using Safe for I`, the first argument of a function of the library is what stands before the dot.
        (
            "interface I { function f(address to) external; } contract T { function f(address) external {} }
             library Safe { function safely(I i, address to) internal { i.f(to); } }
             contract C { using Safe for I; address owner; constructor(address owner_) { owner = owner_; }
               function g(address i) external { I(i).safely(owner); } }",
            &["C = C(owner)", "t = T()"],
        ),
        // Two of one type are two instances, and in lists and structs they are found, too.
        ("contract T { } contract C { constructor(T a, T b) {} }", &["C = C(t, t2)", "t = T()", "t2 = T()"]),
        (
            "contract T { } contract C { struct S { T t; uint8 n; } constructor(S memory s) {} }",
            &["C = C(C.S({t: t, n: 18}))", "t = T()"],
        ),
        // What nothing implements is stood in for, and a companion has companions.
        (
            "interface I { function f() external view returns (uint256); } contract C { constructor(I i) {} }",
            &["C = C(i)", "i = a stand-in for I"],
        ),
        (
            "contract U { } contract T { constructor(U u) {} } contract C { constructor(T t) {} }",
            &["C = C(t)", "t = T(u)", "u = U()"],
        ),
        // Of functions as of constructors; an address that nobody uses as a contract is somebody's.
        ("contract T { } contract C { function f(T t) external {} }", &["C = C()", "t = T()"]),
        ("contract C { constructor(address a) {} }", &["C = C(owner)"]),
    ] {
        assert_eq!(world(source), expected, "{source}");
    }
}

#[test]
fn parameters_of_old_compilers_are_given_what_they_want() {
    // The ABI of solc 0.4 says `address` of a contract.
    let sandbox = Sandbox::new(
        "//- A.sol\npragma solidity 0.4.26;
        contract T { function f() public view returns (uint256) { return 1; } }
        contract C { uint256 n; constructor(T t) public { n = t.f(); } function g(T[] ts) public { n = ts[0].f(); } }",
    );
    let told: Vec<String> = harness_in(sandbox).members().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["C = C(t)", "t = T()", "t2 = T()"]);
}

/// The world of `C` of a source, and its setup's calls, with these settings in `bellwether.toml`.
fn configured(source: &str, config: &str) -> Result<(Vec<String>, Vec<String>), String> {
    let build = Sandbox::single(source).build();
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", "C").unwrap();
    let (config, warnings) = Config::from_toml(config, Path::new("bellwether.toml"));
    assert!(warnings.is_empty(), "{warnings:?}");
    let harness = Harness::with_config(build, programs, id, &config).map_err(|error| error.to_string())?;
    Ok((harness.members().iter().map(ToString::to_string).collect(), told_setup_calls(&harness)))
}

#[test]
fn a_world_is_made_as_it_is_configured() {
    const SOURCE: &str = "interface I { function price() external view returns (uint256); }
        contract A { function price() external view returns (uint256) { return 1; } }
        contract B { uint256 public price; constructor() { price = 2; } function set(uint256 n) external { price = n; } }
        contract C { I i; address who; uint256 n; constructor(I i_, address other) { i = i_; who = other; }
            function start(uint256 m) external payable { require(msg.value > 0); n = m; } }";
    for (config, expected, calls) in [
        ("", &["C = C(a, owner)", "a = A()"][..], &[][..]),
        ("[world.D]\nparameters.i_ = 'B'", &["C = C(a, owner)", "a = A()"], &[]),
        ("[world.C]\nparameters.i_ = 'B'", &["C = C(b, owner)", "b = B()"], &[]),
        ("[world.C]\nparameters = { i_ = 'A', other = 'B' }", &["C = C(a, b)", "a = A()", "b = B()"], &[]),
        ("[world.C]\nparameters.i_ = 'stand-in'", &["C = C(i, owner)", "i = a stand-in for I"], &[]),
        (
            "[world.C]\nparameters.i_ = 'B'\ncalls = ['b.set(1e3)', 'alice: start{value: 1}(7)']",
            &["C = C(b, owner)", "b = B()"],
            &["b.set(1000)", "alice: start{value: 1 wei}(7)"],
        ),
    ] {
        assert_eq!(configured(SOURCE, config), Ok((strings(expected), strings(calls))), "{config}");
    }
    for (config, expected) in [
        ("parameters.othr = 'B'", "bellwether.toml:2: no function of C has a parameter `othr`; did you mean `other`?"),
        ("parameters.m = 'B'", "bellwether.toml:2: `m` of C is not a contract, but of type `uint256`"),
        (
            "parameters.i_ = 'I'",
            "bellwether.toml:2: `I` for `i_`: the build has no contract of this name that can be deployed",
        ),
        (
            "parameters.other = 'stand-in'",
            "bellwether.toml:2: `other` of C is a plain `address`: what it has to answer is not known; name a contract",
        ),
        ("calls = ['start(7)']", "bellwether.toml:2: `start(7)` ends with revert"),
        ("calls = [\n'b.set(7)']", "bellwether.toml:3: `b.set(7)`: no contract of this world is called `b`"),
    ] {
        assert_eq!(configured(SOURCE, &format!("[world.C]\n{config}")), Err(expected.to_owned()), "{config}");
    }
}

#[test]
fn a_companion_that_cannot_be_deployed_is_replaced() {
    let interface = "interface I { function f() external view returns (uint256); }";
    for (companion, expected) in [
        ("constructor() { revert(\"never\"); }", "i = a stand-in for I"),
        ("constructor() { while (true) {} }", "i = a stand-in for I"),
        ("constructor(uint256 n) { require(n < 5); }", "t = T(4)"),
    ] {
        let source = format!(
            "{interface} contract T {{ {companion} function f() external view returns (uint256) {{ return 1; }} }}
             contract C {{ constructor(I i) {{}} }}"
        );
        let world = world(&source);
        let told = if expected.starts_with('t') { "t = T(" } else { expected };
        assert!(world[1].starts_with(told) && world.len() == 2, "{companion}: {world:?}");
    }
}

#[test]
fn instances_that_want_each_other_know_each_other() {
    assert_eq!(
        world("contract T { C c; constructor(C c_) { c = c_; } } contract C { T t; constructor(T t_) { t = t_; } }"),
        ["C = C(t)", "t = T(C)"]
    );
}

#[test]
fn the_setup_connects_initializes_and_funds() {
    let token = "contract Token {
        mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
        function mint(address to, uint256 n) external { balanceOf[to] += n; }
        function approve(address to, uint256 n) external returns (bool) { allowance[msg.sender][to] = n; return true; }
        function transferFrom(address from, address to, uint256 n) external returns (bool) {
            allowance[from][msg.sender] -= n; balanceOf[from] -= n; balanceOf[to] += n; return true;
        }
    }";
    for (source, expected) in [
        // A setter, and one that may be called once.
        ("contract T { } contract C { T t; function set(T t_) external { t = t_; } }".to_owned(), &["set(t)"][..]),
        (
            "contract T { } contract C { T t; function set(T t_) external { require(address(t) == address(0)); t = t_; } }".to_owned(),
            &["set(t)"],
        ),
        // What takes a contract and does not keep it connects nothing.
        ("contract T { } contract C { uint256 n; function use(T) external { n++; } }".to_owned(), &[]),
        (
            "contract C { bool done; function initialize() external { require(!done); done = true; } }".to_owned(),
            &["initialize()"],
        ),
        // It can be called again and again, and so the fuzzer does.
        ("contract C { uint256 n; function init() external { n++; } }".to_owned(), &[]),
        (
            format!("{token} contract C {{ constructor(Token t) {{}} }}"),
            &[
                "token.mint(owner, 1e21)",
                "token.approve(c, 2^256 − 1)",
                "token.mint(alice, 1e21)",
                "alice: token.approve(c, 2^256 − 1)",
                "token.mint(bob, 1e21)",
                "bob: token.approve(c, 2^256 − 1)",
                "token.mint(carol, 1e21)",
                "carol: token.approve(c, 2^256 − 1)",
            ],
        ),
    ] {
        assert_eq!(calls(&source), expected, "{source}");
    }
}

#[test]
fn what_is_looked_up_by_name_is_registered() {
    // By a list of names, and copied from there by those who ask.
    let registry = "contract Registry {
        mapping(bytes32 => address) public at; address owner = msg.sender;
        function set(bytes32[] calldata names, address[] calldata all) external {
            require(msg.sender == owner); for (uint256 i; i < names.length; i++) at[names[i]] = all[i];
        }
    }
    interface IFeed { function price() external view returns (uint256); }
    contract PriceFeed { uint256 public price = 3; }";
    let source = format!(
        "{registry} contract C {{
            Registry r; IFeed feed; bytes32 constant FEED = \"PriceFeed\"; constructor(Registry r_) {{ r = r_; }}
            function refresh() external {{ feed = IFeed(r.at(FEED)); }}
            function pay() external view returns (uint256) {{ return feed.price(); }}
        }}"
    );
    assert_eq!(world(&source), ["C = C(registry)", "registry = Registry()", "priceFeed = PriceFeed()"]);
    assert_eq!(calls(&source), ["registry.set([\"PriceFeed\"], [priceFeed])", "refresh()"]);

    // One by one, under a name that is not that of the contract, given on by a getter.
    let source = "interface IFeed { function price() external view returns (uint256); }
        contract Feed { uint256 public price = 3; }
        contract Provider {
            mapping(bytes32 => address) all; address owner = msg.sender; bytes32 private constant FEED = 'FEED';
            function set(bytes32 id, address at) external { require(msg.sender == owner); all[id] = at; }
            function get(bytes32 id) public view returns (address) { return all[id]; }
            function getFeed() external view returns (address) { return get(FEED); }
        }
        contract C { Provider p; constructor(Provider p_) { p = p_; }
            function pay() external view returns (uint256) { return IFeed(p.getFeed()).price(); } }";
    assert_eq!(world(source), ["C = C(provider)", "provider = Provider()", "feed = Feed()"]);
    assert_eq!(calls(source), ["provider.set(\"FEED\", feed)"]);

    // Without a registry nobody is looked up, and who stores an address under a number of his own is none.
    let source = "contract Feed { } contract C { mapping(bytes32 => address) all; bytes32 constant FEED = 'Feed';
        function feed() external view returns (address) { return all[FEED]; } }";
    assert_eq!(world(source), ["C = C()"]);
}

#[test]
fn what_is_expected_at_an_address_is_there() {
    let source = "interface IRegistry { function set(address who) external; }
        contract Registry { mapping(address => bool) public known; function set(address who) external { known[who] = true; } }
        contract C {
            IRegistry constant REGISTRY = IRegistry(0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24);
            constructor() { REGISTRY.set(address(this)); }
        }";
    let harness = harness(source);
    let told: Vec<String> = harness.members().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["C = C()", "registry = Registry()"]);
    let registry = harness.calls.instance(bellwether::input::InstanceId(1));
    assert_eq!(registry.address.to_string(), "0x1820a4B7618BdE71Dce8cdc73aAB6C95905faD24");
    // Where the project has none, it is a stand-in; what the code does not have is not expected.
    let source = "interface IRouter { function fee() external view returns (uint256); }
        library Mainnet { address constant OTHER = 0x7a250d5630B4cF539739dF2C5dAcb4c659F2488D;
            function other() internal pure returns (IRouter) { return IRouter(OTHER); } }
        contract C { address r = 0xE592427A0AEce92De3Edee1F18E0157C05861564;
            function pay() external view returns (uint256) { return IRouter(r).fee(); } }";
    assert_eq!(world(source), ["C = C()", "router = a stand-in for IRouter"]);
    // Neither a precompile nor what stands for ether is a contract of a project.
    let source = "interface IToken { function pay() external; }
        contract C { IToken constant ETH = IToken(0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE);
            function pay(IToken t) external { if (t != ETH && t != IToken(address(2))) t.pay(); } }";
    assert_eq!(world(source), ["C = C()", "token = a stand-in for IToken"]);
}

#[test]
fn a_setter_takes_what_the_getter_is_used_as() {
    let source = "interface IFeed { function price() external view returns (uint256); }
        contract Feed { uint256 public price = 3; }
        contract Provider { address feed; function setFeed(address to) external { feed = to; }
            function getFeed() external view returns (address) { return feed; } }
        contract C { Provider p; constructor(Provider p_, IFeed f) { p = p_; }
            function pay() external view returns (uint256) { return IFeed(p.getFeed()).price(); } }";
    assert_eq!(calls(source), ["provider.setFeed(feed)"]);
}

#[test]
fn what_locks_itself_is_put_behind_a_proxy() {
    let locked = "contract C { bool done; uint256 n; constructor() { done = true; }
        function initialize() external { require(!done); done = true; n = 1; } }";
    assert_eq!(world(locked), ["C = ERC1967Proxy(), a proxy of C", "c2 = C()"]);
    assert_eq!(calls(locked), ["initialize()"]);
    let proxy = |first_call: &str| {
        format!(
            "contract P {{ address at; constructor(address at_, bytes memory data) {{ at = at_; {first_call} }}
               fallback() external {{ (bool ok, ) = at.delegatecall(msg.data); require(ok); }} }}
             contract C {{ address at; bool done; uint256 n; constructor() {{ done = true; }}
               function initialize() external {{ require(!done); done = true; n = 1; }} }}"
        )
    };
    // The project's own, also where that wants to initialize.
    let own = proxy("if (data.length > 0) { (bool ok, ) = at_.delegatecall(data); require(ok); }");
    assert_eq!(
        (world(&own), calls(&own)),
        (strings(&["C = P(c2, 0x), a proxy of C", "c2 = C()"]), strings(&["initialize()"]))
    );
    let strict = proxy("(bool ok, ) = at_.delegatecall(data); require(ok && data.length > 0);");
    assert_eq!(
        (world(&strict), calls(&strict)),
        (strings(&["C = P(c2, 0x8129fc1c), a proxy of C", "c2 = C()"]), strings(&[]))
    );
}

#[test]
fn what_is_upgraded_through_its_proxy_is_put_behind_one() {
    let source = "contract C { address immutable self = address(this); uint256 n;
        function proxiableUUID() external view returns (bytes32) { require(address(this) == self); return 0; }
        function up() external { require(address(this) != self); n++; } }";
    assert_eq!(world(source), ["C = ERC1967Proxy(), a proxy of C", "c2 = C()"]);
}

#[test]
fn what_works_only_in_the_place_of_others_is_put_behind_a_proxy() {
    let world_of = |function: &str| {
        world(&format!(
            "contract C {{ address immutable self; uint256 immutable most = 3; constructor() {{ self = address(this); }}
               function all(uint8 n) external payable {{ {function} }} }}"
        ))
    };
    let behind_a_proxy = ["C = ERC1967Proxy(), a proxy of C", "c2 = C()"];
    assert_eq!(world_of("require(address(this) != self); n;"), behind_a_proxy);
    // Data is empty at first, so that what is done for each item of it succeeds.
    let items = "contract C { address immutable self; constructor() { self = address(this); }
        function all(bytes calldata items) external { require(address(this) != self);
            for (uint256 at = 0; at < items.length; at += 32) { (bool ok, ) = address(bytes20(items[at:])).call(items[at + 20:]); require(ok); } } }";
    assert_eq!(world(items), behind_a_proxy);
    // Others work by themselves as well, or only there, or nowhere.
    assert_eq!(world_of("require(address(this) != address(0)); n;"), ["C = C()"]);
    assert_eq!(world_of("require(address(this) == self); n;"), ["C = C()"]);
    assert_eq!(world_of("require(address(this) != self && n == 99);"), ["C = C()"]);
    // What keeps something of its own is no code for others.
    let keeps = "contract C { address immutable self; uint256 n = 3; constructor() { self = address(this); }
        function all() external view { require(address(this) != self || n == 0); } }";
    assert_eq!(world(keeps), ["C = C()"]);
}

#[test]
fn whoever_is_to_own_something_is_the_owner_and_no_contract() {
    let source = "contract C { address owner; address code;
        constructor(address code_, address owner_) { require(code_.code.length > 0 && owner_ != address(0)); (code, owner) = (code_, owner_); } }
        contract D { function f() external {} }";
    assert_eq!(world(source), ["C = C(standIn, owner)", "standIn = a stand-in", "d = D()"]);
}

#[test]
fn a_contract_whose_deployer_is_asked_is_made_by_its_factory() {
    let source = "contract F { uint256 public parameter; function make(uint256 n) external returns (C c) {
            require(n > 0 && n < 9); parameter = n; c = new C(); parameter = 0; } }
        contract C { uint256 n; constructor() { n = F(msg.sender).parameter(); require(n > 0); } function f() external {} }";
    assert_eq!(world(source), ["C = C, as a call creates it", "f = F()"]);
    // It may also be asked later.
    let source = "contract F { function fee() external pure returns (uint256) { return 3; }
            function make() external returns (C) { return new C(); } }
        contract C { F f; constructor() { f = F(msg.sender); } function pay() external view returns (uint256) { return f.fee(); } }";
    assert_eq!(world(source), ["C = C, as a call creates it", "f = F()"]);
    // Whoever passes a modifier is not the deployer, wherever it is written.
    let source = "contract F { function fee() external pure returns (uint256) { return 3; }
            function make() external returns (C) { return new C(); } }
        contract C { uint256 n; constructor() { n = 1; } modifier paid() { require(F(msg.sender).fee() > 0); _; }
            function f() external paid {} }";
    assert_eq!(world(source)[0], "C = C()");
    // Where nobody asks it, its deployer is the owner.
    let source = "contract F { function make() external returns (C) { return new C(); } }
        contract C { address owner; constructor() { owner = msg.sender; } function f() external view { require(msg.sender == owner); } }";
    assert_eq!(world(source)[0], "C = C()");
}

#[test]
fn who_is_called_back_is_there_and_may_take_tokens() {
    let source = "contract Token {
            mapping(address => uint256) public balanceOf; mapping(address => mapping(address => uint256)) public allowance;
            function approve(address to, uint256 n) external { allowance[msg.sender][to] = n; }
            function mint(address to, uint256 n) external { balanceOf[to] += n; }
            function transferFrom(address from, address to, uint256 n) external {
                allowance[from][msg.sender] -= n; balanceOf[from] -= n; balanceOf[to] += n;
            }
        }
        interface IPayer { function pay(uint256 n) external; }
        contract C { Token public token; uint256 sales; constructor(Token token_) { token = token_; }
            function sell(uint256 n) external {
                uint256 before = token.balanceOf(address(this));
                IPayer(msg.sender).pay(n);
                require(n > 0 && token.balanceOf(address(this)) >= before + n);
                sales++;
                assert(sales < 2);
            } }
        contract Payer { address from;
            function buy(C c, uint256 n) external { from = msg.sender; c.sell(n); }
            function pay(uint256 n) external { C(msg.sender).token().transferFrom(from, msg.sender, n); } }";
    assert_eq!(world(source), ["C = C(token)", "token = Token()", "payer = Payer()"]);
    assert!(calls(source).contains(&"bob: token.approve(payer, 2^256 − 1)".to_owned()));
    assert_eq!(found(source, 20_000), ["assertion can fail: sell(1) (alice, when called, calls payer.buy(c, 1))"]);
    // A stand-in calls nobody, and the main contract is not its own partner.
    let alone = "interface I { function f() external; } contract C { function g() external { I(msg.sender).f(); } function f() external {} }";
    assert_eq!(world(alone), ["C = C()"]);
}

/// The messages of what is found in `C`.
fn found(source: &str, executions: u64) -> Vec<String> {
    let mut sandbox = Sandbox::single(source);
    let ended = fuzz_contracts(&sandbox.build(), &Config::default(), 1, executions, &["C"]);
    assert_eq!(ended.errors, Vec::<String>::new(), "{source}");
    ended.findings.iter().map(|finding| finding.message.clone()).collect()
}

#[test]
fn what_a_run_creates_is_called() {
    let child =
        "contract D { uint256 n; function up() external { n++; } function check() external view { assert(n < 2); } }";
    let of_new = format!("{child} contract C {{ function make() external returns (D) {{ return new D(); }} }}");
    assert_eq!(found(&of_new, 20_000), ["assertion can fail: make(), d.up(), d.up(), d.check()"]);
}

#[test]
fn what_a_constructor_creates_is_called() {
    let source =
        "contract D { uint256 n; function up() external { n++; } function check() external view { assert(n < 2); } }
        contract C { D d = new D(); function f() external {} }";
    assert_eq!(found(source, 20_000), ["assertion can fail: d.up(), d.up(), d.check()"]);
}

#[test]
fn a_factory_may_create_without_end() {
    let source = "contract D { } contract C { D[] all; uint256 n;
        function make() external { for (uint256 i = 0; i < 100; i++) all.push(new D()); n++; }
        function check() external view { assert(n < 2); } }";
    assert_eq!(found(source, 2_000), ["assertion can fail: make(), make(), check()"]);
}

#[test]
fn a_stand_in_answers_what_the_search_solves_for() {
    let source = "interface I { function price() external view returns (uint256); }
        contract C { I i; constructor(I i_) { i = i_; } function check() external view { assert(i.price() * 3 + 7 != 30_000_001); } }";
    assert_eq!(found(source, 20_000), ["assertion can fail: i.price() returns 9999998, check()"]);
}

#[test]
fn a_contract_that_hands_control_to_its_argument_is_fuzzed() {
    let source = "interface I { function back() external; } contract C { uint256 n;
        function go(I i) external { n++; i.back(); assert(n < 3); } }";
    assert_eq!(found(source, 20_000).len(), 1);
}

#[test]
fn a_stand_in_answers_with_a_contract_where_one_is_wanted() {
    let source = "interface I { function implementation() external view returns (address); }
        contract C { address public to; uint256 n;
          constructor(I beacon) { to = beacon.implementation(); require(to.code.length > 0); }
          function up() external { n++; assert(n < 3); } }";
    assert_eq!(found(source, 5_000), ["assertion can fail: up(), up(), up()"]);
}

/// The world of `C` and its setup's calls, planned for the last build as `plans` has it; and planned anew.
fn planned_again(plans: &Plans, source: &str) -> [Vec<String>; 2] {
    let build = Sandbox::single(source).build();
    let programs = Arc::new(Programs::of(&build));
    let id = build.find_contract("", "C").unwrap();
    let known = Harness::planned_by(plans, build.clone(), programs.clone(), id, &Config::default()).unwrap();
    [known, Harness::new(build, programs, id).unwrap()].map(|harness| {
        let members = harness.members().iter().map(ToString::to_string).collect::<Vec<_>>();
        [members, told_setup_calls(&harness)].concat()
    })
}

#[test]
fn worlds_of_one_build_after_another_are_those_of_each_build() {
    let plans = Plans::default();
    let of = |companion: &str, own: &str| {
        format!(
            "contract T {{ uint256 public n; function f() external returns (uint256) {{ {companion} }} }}
             contract C {{ T public t; uint256 public last;
               function set(T t_) external {{ require(address(t) == address(0)); last = t_.f(); t = t_; {own} }} }}"
        )
    };
    for (companion, own, wired) in [
        ("return ++n;", "", true),
        ("return ++n;", "", true),
        ("return n + 7;", "", true),
        ("revert();", "", false),
        ("return ++n;", "", true),
        ("return ++n;", "last = 9;", true),
        ("return ++n;", "revert();", false),
    ] {
        let [known, anew] = planned_again(&plans, &of(companion, own));
        assert_eq!(known, anew, "{companion} {own}");
        assert_eq!(known.len(), if wired { 3 } else { 2 }, "{known:?}");
    }
}

#[test]
fn a_large_setup_is_kept_as_long_as_it_succeeds() {
    let of = |first: &str, last: &str| {
        let companion = |at: usize| {
            let code = if at == 0 { first } else { last };
            format!("contract T{at} {{ function f{at}() external {{ {code} }} }}")
        };
        let set = |at: usize| format!("T{at} t{at}; function set{at}(T{at} t) external {{ t.f{at}(); t{at} = t; }}");
        let [companions, setters] = [(0..16).map(companion).collect::<String>(), (0..16).map(set).collect::<String>()];
        format!("{companions} contract C {{ {setters} }}")
    };
    let plans = Plans::default();
    let [whole, _] = planned_again(&plans, &of("", ""));
    assert_eq!(whole.len(), 17 + 16, "{whole:?}");
    let [kept, _] = planned_again(&plans, &of("uint256 n = 1; n;", ""));
    assert_eq!(kept, whole);
    let [found, anew] = planned_again(&plans, &of("revert();", ""));
    assert_eq!(found, anew);
    assert_eq!(found.len(), 17 + 15, "{found:?}");
    let [again, _] = planned_again(&plans, &of("revert();", ""));
    assert_eq!(again, found);
    // The longer setup is known from before.
    let [back, _] = planned_again(&plans, &of("", ""));
    assert_eq!(back, whole);
}

#[test]
fn a_setup_whose_state_is_known_is_not_run_again() {
    let harness = harness("contract T { } contract C { constructor(T t) {} }");
    let (_, run) = harness.set_up(&mut harness.executor(), &harness.setup, |_| ());
    let (mut executor, mut checkpoints) = (harness.executor(), Checkpoints::default());
    for _ in 0..2 {
        assert_eq!(harness.state_after(&mut executor, &harness.setup, &mut checkpoints), run);
        assert_eq!(executor.runs(), 2);
    }
    let other = Sequence { setup: harness.setup.clone(), transactions: Vec::new() };
    let _ = harness.run_while(&mut executor, &other, &mut checkpoints, |_| ControlFlow::Continue(()));
    // The last step of a sequence is always run.
    assert_eq!(executor.runs(), 3);
    assert_eq!(harness.state_after(&mut executor, &harness.setup, &mut checkpoints), run);
    assert_eq!(executor.runs(), 3);
}
