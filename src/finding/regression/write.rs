//! Writes tests as Solidity, formatted like `forge fmt`: a whole file, or the members that one test adds to a contract. The
//! content of the test is decided before, in its plan.

mod evidence;

use super::{
    layout::{Data, Lines, comment_line, grouped, path_string},
    tokens::renamed,
};
use crate::{
    evm::Moment,
    input::print::amount,
    oracle::{Evidence, Expected},
};
use alloy_primitives::{Address, U256};
use std::fmt::Write;

/// Gas given to a call that may burn all of it, and the least gas such a call burns; chosen by hand.
const GAS: (&str, &str) = ("10_000_000", "9_000_000");

/// The variable with what is asked before a call, while it is open, and afterwards.
pub(super) const QUESTION: &str = "question";

/// The statement for a constructor that fails now and did not before: there is nothing to test.
const REFUSED: &str = "return; // The constructor refuses this now.";

/// The statement for a call of the setup that fails now and did not before.
const FAILED: &str = "if (!success) return; // The call fails now.";

/// The parts shared by all tests of one contract.
#[derive(Debug)]
pub(super) struct Suite {
    /// The contract that they test.
    pub(super) contract: String,
    /// The contract that holds them.
    pub(super) name: String,
    /// Lines after the licence.
    pub(super) pragmas: Vec<String>,
    /// The import of the contract, or of the test contract whose world it is in; none if it is for another compiler.
    pub(super) import: Option<Import>,
    /// The test contract that sets the world up, and is inherited for that.
    pub(super) parent: Option<String>,
    /// Whether forge-std is available.
    pub(super) forge_std: bool,
    /// All named accounts.
    pub(super) accounts: Vec<Account>,
    /// The block in which the session starts.
    pub(super) start: Moment,
    /// A note for users about running them.
    pub(super) note: String,
}

/// The import of the tested contract.
#[derive(Debug)]
pub(super) struct Import {
    /// Its name in the test file.
    pub(super) alias: String,
    /// The import path.
    pub(super) path: String,
}

/// A named account.
#[derive(Debug)]
pub(super) struct Account {
    pub(super) name: String,
    pub(super) address: Address,
    pub(super) balance: U256,
}

/// One test.
#[derive(Debug)]
pub(super) struct Test {
    pub(super) name: String,
    /// The id of the finding, and its story.
    pub(super) comment: Vec<String>,
    /// What comes before the deployment of the contract itself.
    pub(super) before: Vec<Preparation>,
    /// The deployment of the contract; none if a call before creates it.
    pub(super) creation: Option<Creation>,
    /// What is there already, where a test contract set the world up.
    pub(super) given: Option<Given>,
    /// What comes between that and the calls.
    pub(super) after: Vec<Preparation>,
    pub(super) calls: Vec<Call>,
    pub(super) evidence: Evidence,
    /// The account that the evidence is about, as an expression.
    pub(super) subject: String,
    /// Whom a test asks for the variable which the evidence is about, and with which calldata.
    pub(super) question: Option<(String, Data)>,
    /// The message of a failure.
    pub(super) message: String,
    /// Whether `tx.origin` matters.
    pub(super) origin: bool,
}

/// What a test finds that inherits the setup of a test contract.
#[derive(Debug)]
pub(super) struct Given {
    /// The contract and the other ones that are called, each as a variable with its address.
    pub(super) instances: Vec<(String, Address)>,
    /// Whom the test contract does not give ether, and how much they have.
    pub(super) balances: Vec<(Address, U256)>,
}

/// A step that makes the world of a test.
#[derive(Debug)]
pub(super) enum Preparation {
    Deploy(Other),
    Call(Call),
}

/// Another instance of the world.
#[derive(Debug)]
pub(super) struct Other {
    /// The variable that holds its address.
    pub(super) name: String,
    /// What it is, where that is no contract of the project.
    pub(super) note: Option<String>,
    pub(super) place: Place,
    pub(super) creation: Creation,
}

impl Other {
    fn is_fixed(&self) -> bool {
        matches!(self.place, Place::Fixed(_))
    }
}

/// Where another instance is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Place {
    /// Where its sender creates it with this nonce.
    Nonce(u16),
    /// At an address that stands in the sources.
    Fixed(Address),
}

/// The deployment of the contract.
#[derive(Debug)]
pub(super) struct Creation {
    /// The sender, as an expression.
    pub(super) sender: String,
    pub(super) value: U256,
    pub(super) code: Code,
}

/// The source of the contract's code.
#[derive(Debug)]
pub(super) enum Code {
    /// `new Alias(arguments)`.
    New { alias: String, arguments: Vec<String> },
    /// An expression of type `bytes`, followed by the encoded arguments.
    Bytes { creation: String, arguments: Data },
}

/// One call after the deployment.
#[derive(Debug)]
pub(super) struct Call {
    /// The sender, as an expression.
    pub(super) sender: String,
    /// The variable that holds the called address.
    pub(super) target: String,
    pub(super) value: U256,
    pub(super) data: Data,
    /// The moment of the call, and the time since the call before in words, if any time passed.
    pub(super) moment: Option<(Moment, String)>,
    /// The variable for the address of the contract that it creates and returns.
    pub(super) creates: Option<String>,
    /// What somebody does who is called during it.
    pub(super) reaction: Option<Box<Reacting>>,
}

/// What somebody does who is called during a call.
#[derive(Debug)]
pub(super) struct Reacting {
    /// Whose account it is, as an expression.
    pub(super) account: String,
    /// What it does.
    pub(super) does: Does,
    /// The word that it answers with, if that is chosen.
    pub(super) answer: Option<U256>,
}

/// What somebody does who is called.
#[derive(Debug)]
pub(super) enum Does {
    /// They refuse.
    Refuse,
    /// They use up all gas.
    BurnGas,
    /// They return as many bytes as gas pays for.
    Bomb,
    /// They accept.
    Answer,
    /// They make a call, once.
    CallBack(CallBack),
}

/// A call that somebody makes who is called.
#[derive(Debug)]
pub(super) struct CallBack {
    /// Whom it calls, as an expression.
    pub(super) target: String,
    pub(super) value: U256,
    pub(super) data: Data,
}

/// A support function that some tests call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Support {
    Create,
    Refuses,
    BurnsGas,
    Bombs,
    Answers,
    CallsBack,
    AnswersWith,
    Store,
    Blocks,
    Record,
    Calls,
    Logs,
    Says,
    Slots,
    Sends,
    Shares,
    Delegates,
    Destroys,
    Asks,
}

impl Suite {
    /// A whole file with one test.
    pub(super) fn file(&self, test: &Test) -> String {
        let mut text = String::from("// SPDX-License-Identifier: UNLICENSED\n");
        for pragma in &self.pragmas {
            let _ = writeln!(text, "pragma {pragma};");
        }
        text.push('\n');
        if self.forge_std {
            text.push_str("import {Test} from \"forge-std/Test.sol\";\n");
        }
        if let Some(Import { alias, path }) = &self.import {
            let imported = self.parent.as_ref().unwrap_or(&self.contract);
            let name = if alias == imported { alias.clone() } else { format!("{imported} as {alias}") };
            let _ = writeln!(text, "import {{{name}}} from {};", path_string(path));
        }
        if self.forge_std || self.import.is_some() {
            text.push('\n');
        }
        let (interface, vm) = if self.parent.is_some() { OWN_VM } else { ("Vm", "vm") };
        if !self.forge_std {
            let _ = writeln!(text, "interface {interface} {{");
            let is_rare = |it: &&&str| ["etch", "getCode", "setNonceUnsafe", "store"].contains(&name_of(it));
            let is_declared = |it: &&&str| self.parent.is_some() || test.uses(name_of(it)) || !is_rare(it);
            for cheatcode in CHEATCODES.iter().filter(is_declared) {
                let _ = writeln!(text, "    function {cheatcode};");
            }
            text.push_str("}\n\n");
        }
        text.push_str(&self.comment());
        let base = match &self.parent {
            Some(parent) => format!(" is {parent}"),
            None if self.forge_std => " is Test".to_owned(),
            None => String::new(),
        };
        let _ = writeln!(text, "contract {}{base} {{", self.name);
        if !self.forge_std {
            let private = if self.parent.is_some() { "private " } else { "" };
            let address = "0x7109709ECfa91a80626fF3989D68f67F5b1DD12D";
            let _ = writeln!(text, "    {interface} {private}constant {vm} = {interface}({address});\n");
        }
        text + &self.members(test, |_| false) + "}\n"
    }

    /// What the contract is for.
    fn comment(&self) -> String {
        let mut text = match &self.parent {
            Some(parent) => format!(
                "// What Bellwether found in {0} in the world of {parent}. A test fails as long as its defect is there; the tests of {parent} run here once more.\n",
                self.contract
            ),
            None => {
                format!("// What Bellwether found in {}. A test fails as long as its defect is there.\n", self.contract)
            }
        };
        if !self.note.is_empty() {
            let _ = writeln!(text, "// {}", self.note);
        }
        text
    }

    /// The members of the contract for a test, as far as it does not declare them; `declares` tells whether it has a name.
    pub(super) fn members(&self, test: &Test, declares: impl Fn(&str) -> bool) -> String {
        let constants: String = self.accounts.iter().filter(|account| !declares(&account.name)).map(constant).collect();
        let mut members = vec![constants];
        if self.parent.is_none() && !declares("setUp") {
            members.push(self.set_up());
        }
        members.push(self.function(test));
        let support = test.support().into_iter().filter(|it| !declares(it.name()));
        members.extend(support.map(|it| self.with_own_cheatcodes(it.text().to_owned())));
        members.retain(|text| !text.is_empty());
        members.join("\n")
    }

    /// The function of a test.
    pub(super) fn function(&self, test: &Test) -> String {
        self.with_own_cheatcodes(test.function())
    }

    /// A member that calls the cheatcodes under a name that no test contract has, if it is to stand beside those of one.
    fn with_own_cheatcodes(&self, member: String) -> String {
        if self.parent.is_some() { renamed(&member, "vm", OWN_VM.1) } else { member }
    }

    fn set_up(&self) -> String {
        let mut body = Lines::default();
        body.line("vm.chainId(1);");
        body.moment(self.start);
        for account in &self.accounts {
            body.line(&format!("vm.deal({}, {});", account.name, grouped(&amount(account.balance))));
        }
        format!("    function setUp() public {{\n{}    }}\n", body.text)
    }
}

/// The interface of the cheatcodes and its instance, in a contract that inherits a test contract.
const OWN_VM: (&str, &str) = ("BellwetherVm", "BELLWETHER_VM");

/// Cheatcodes of every test; `getCode` and `setNonceUnsafe` only where they are needed. Tests are added to a file only if
/// it declares the cheatcodes they use.
const CHEATCODES: [&str; 13] = [
    "chainId(uint256 id) external",
    "coinbase(address account) external",
    "deal(address account, uint256 balance) external",
    "etch(address account, bytes calldata code) external",
    "fee(uint256 amount) external",
    "getCode(string calldata artifact) external view returns (bytes memory code)",
    "prank(address sender) external",
    "prank(address sender, address origin) external",
    "prevrandao(uint256 word) external",
    "roll(uint256 number) external",
    "setNonceUnsafe(address account, uint64 nonce) external",
    "store(address account, bytes32 slot, bytes32 value) external",
    "warp(uint256 timestamp) external",
];

fn name_of(declaration: &str) -> &str {
    declaration.split('(').next().unwrap_or_default()
}

fn constant(account: &Account) -> String {
    format!("    address constant {} = {};\n", account.name, account.address)
}

impl Test {
    /// The cheatcodes that it needs, among those that its file declares.
    pub(super) fn cheatcodes(&self) -> impl Iterator<Item = &'static str> {
        CHEATCODES.into_iter().map(name_of).filter(|name| self.uses(name))
    }

    fn uses(&self, cheatcode: &str) -> bool {
        match cheatcode {
            "prank" => true,
            "getCode" => {
                let takes_code = |creation: &Creation| matches!(&creation.code, Code::Bytes { creation, .. } if creation.starts_with("vm.getCode"));
                self.others().map(|other| &other.creation).chain(&self.creation).any(takes_code)
            }
            "setNonceUnsafe" => self.others().any(|other| !other.is_fixed()),
            "etch" => self.others().any(Other::is_fixed),
            "roll" | "warp" => self.calls.iter().any(|call| call.moment.is_some()),
            "store" => matches!(self.evidence, Evidence::Reads(_)),
            "coinbase" => self.says(|moment| !moment.coinbase.is_zero()),
            "fee" => self.says(|moment| moment.base_fee > 0),
            "prevrandao" => self.says(|moment| !moment.prevrandao.is_zero()),
            _ => false,
        }
    }

    /// Whether a call is made in a block with this property.
    fn says(&self, is_such: impl Fn(&Moment) -> bool) -> bool {
        self.calls.iter().filter_map(|call| call.moment.as_ref()).any(|(moment, _)| is_such(moment))
    }

    /// The support functions that it calls.
    pub(super) fn support(&self) -> Vec<Support> {
        let is_code = |creation: &Creation| matches!(creation.code, Code::Bytes { .. });
        let by_code = self.creation.as_ref().is_some_and(is_code) || self.others().any(|other| !other.is_fixed());
        let create = by_code.then_some(Support::Create);
        let reactions = || self.calls.iter().filter_map(|call| call.reaction.as_deref());
        let mut reacts: Vec<Support> = Vec::new();
        for reaction in reactions() {
            let support = match reaction.does {
                Does::Refuse => Support::Refuses,
                Does::BurnGas => Support::BurnsGas,
                Does::Bomb => Support::Bombs,
                Does::Answer => Support::Answers,
                Does::CallBack(_) => Support::CallsBack,
            };
            let answers = reaction.answer.map(|_| Support::AnswersWith);
            for support in std::iter::once(support).chain(answers) {
                if !reacts.contains(&support) {
                    reacts.push(support);
                }
            }
        }
        let store = reactions().next().map(|_| Support::Store);
        let needed = create.into_iter().chain(reacts).chain(store);
        needed.chain(self.evidence_support().iter().copied()).collect()
    }

    /// The text of the function, with its comment.
    fn function(&self) -> String {
        let mut text = String::new();
        for line in &self.comment {
            let _ = writeln!(text, "    //{}", comment_line(line));
        }
        let mut body = Lines::default();
        if self.records_all() {
            body.line("_recordAccesses();");
        }
        if self.prepares_by_calls() {
            body.line("bool success;");
            body.blank();
        }
        if let Some(Given { instances, balances }) = &self.given {
            for (account, balance) in balances {
                body.line(&format!("vm.deal({account}, {});", grouped(&amount(*balance))));
            }
            for (name, address) in instances {
                body.line(&format!("address {name} = {address};"));
            }
        }
        self.prepare(&self.before, &mut body);
        if let Some(creation) = &self.creation {
            if self.uses("setNonceUnsafe") {
                body.line(&format!("vm.setNonceUnsafe({}, 0);", creation.sender));
            }
            if self.calls.is_empty() && self.after.is_empty() {
                self.create_only(creation, &mut body);
            } else {
                self.create(creation, &mut body);
            }
        }
        if !self.after.is_empty() {
            body.blank();
            self.prepare(&self.after, &mut body);
        }
        if !self.calls.is_empty() {
            self.call(&mut body);
        }
        let _ = write!(text, "    function {}() public {{\n{}    }}\n", self.name, body.text);
        text
    }

    /// The other instances.
    fn others(&self) -> impl Iterator<Item = &Other> {
        self.before.iter().chain(&self.after).filter_map(|step| match step {
            Preparation::Deploy(other) => Some(other),
            Preparation::Call(_) => None,
        })
    }

    /// Whether the setup makes calls.
    fn prepares_by_calls(&self) -> bool {
        self.before.iter().chain(&self.after).any(|step| match step {
            Preparation::Call(_) => true,
            Preparation::Deploy(other) => other.is_fixed(),
        })
    }

    /// Makes steps of the setup. Each other instance is a variable of its name.
    fn prepare(&self, steps: &[Preparation], body: &mut Lines) {
        for step in steps {
            let Other { name, note, place, creation: Creation { sender, value, code } } = match step {
                Preparation::Deploy(other) => other,
                Preparation::Call(call) => {
                    self.one_call(call, "success,", "", body);
                    if call.creates.is_none() {
                        body.line(FAILED);
                    }
                    body.blank();
                    continue;
                }
            };
            let Code::Bytes { creation, arguments } = code else { continue };
            if let Some(note) = note {
                body.line(&format!("// {note}"));
            }
            body.code(&format!("{name}Code"), creation, arguments);
            match place {
                Place::Nonce(nonce) => {
                    body.line(&format!("vm.setNonceUnsafe({sender}, {nonce});"));
                    body.line(&self.prank(sender));
                    body.line(&format!("(address {name},) = _create({name}Code, {});", amount(*value)));
                    body.line(&format!("if ({name} == address(0)) {REFUSED}"));
                }
                Place::Fixed(address) => {
                    body.line(&format!("address {name} = {address};"));
                    body.line(&format!("vm.etch({name}, {name}Code);"));
                    body.line(&self.prank(sender));
                    body.line(&format!("(success, {name}Code) = {name}.call{}(\"\");", value_option(*value)));
                    body.line(&format!("if (!success) {REFUSED}"));
                    body.line(&format!("vm.etch({name}, {name}Code);"));
                }
            }
            body.blank();
        }
    }

    /// Makes one call. What it creates is a variable from then on.
    fn one_call(&self, call: &Call, results: &str, gas: &str, body: &mut Lines) {
        if let Some(Reacting { account, does, answer }) = call.reaction.as_deref() {
            match does {
                Does::Refuse => body.line(&format!("_refuses({account});")),
                Does::BurnGas => body.line(&format!("_burnsGas({account});")),
                Does::Bomb => body.line(&format!("_bombs({account});")),
                Does::Answer => body.line(&format!("_answers({account});")),
                Does::CallBack(CallBack { target, value, data }) => {
                    let arguments = [account.clone(), target.clone(), amount(*value), data.expression()];
                    body.call("_callsBack", &arguments, ";");
                }
            }
            if let Some(answer) = answer {
                body.line(&format!("_answersWith({account}, {answer:#066x});"));
            }
        }
        body.line(&self.prank(&call.sender));
        let value = if call.value.is_zero() { String::new() } else { format!("value: {}", amount(call.value)) };
        let options =
            [value.as_str(), gas].into_iter().filter(|option| !option.is_empty()).collect::<Vec<_>>().join(", ");
        let options = if options.is_empty() { options } else { format!("{{{options}}}") };
        let Some(created) = &call.creates else {
            body.low_level_call(&format!("({results}) ="), &format!("{}.call{options}", call.target), &call.data);
            return;
        };
        body.line(&format!("bytes memory {created}Result;"));
        let results = format!("(success, {created}Result) =");
        body.low_level_call(&results, &format!("{}.call{options}", call.target), &call.data);
        body.line(FAILED);
        body.line(&format!("address {created} = abi.decode({created}Result, (address));"));
    }

    fn prank(&self, sender: &str) -> String {
        if self.origin { format!("vm.prank({sender}, {sender});") } else { format!("vm.prank({sender});") }
    }

    /// Deploys the contract as `target`.
    fn create(&self, Creation { sender, value, code }: &Creation, body: &mut Lines) {
        match code {
            Code::New { alias, arguments } if arguments.is_empty() && value.is_zero() => {
                body.line(&self.prank(sender));
                body.line(&format!("address target = address(new {alias}());"));
            }
            Code::New { alias, arguments } => {
                body.line("address target;");
                body.line(&self.prank(sender));
                let head = format!("try new {alias}{}", value_option(*value));
                body.try_call(&head, arguments, &format!("{alias} deployed"));
                body.line("    target = address(deployed);");
                body.line("} catch {");
                body.line(&format!("    {REFUSED}"));
                body.line("}");
            }
            Code::Bytes { creation, arguments } => {
                body.code("code", creation, arguments);
                body.line(&self.prank(sender));
                body.line(&format!("(address target,) = _create(code, {});", amount(*value)));
                body.line(&format!("if (target == address(0)) {REFUSED}"));
            }
        }
    }

    /// Deploys the contract and checks how the deployment ends.
    fn create_only(&self, Creation { sender, value, code }: &Creation, body: &mut Lines) {
        let looks_at_result = matches!(self.evidence, Evidence::Reverts(_));
        self.before(body);
        match code {
            Code::New { alias, arguments } => {
                body.line(&self.prank(sender));
                let head = format!("try new {alias}{}", value_option(*value));
                if looks_at_result {
                    body.call(&head, arguments, " {}");
                    body.line("catch (bytes memory result) {");
                    body.indent = "    ";
                    body.require("keccak256(result) != keccak256(panic)", &self.message);
                    body.indent = "";
                    body.line("}");
                } else {
                    body.call(&head, arguments, " {} catch {}");
                }
            }
            Code::Bytes { creation, arguments } => {
                body.code("code", creation, arguments);
                body.line(&self.prank(sender));
                let result = if looks_at_result { "(address target, bytes memory result) = " } else { "" };
                body.line(&format!("{result}_create(code, {});", amount(*value)));
                if looks_at_result {
                    body.require("target != address(0) || keccak256(result) != keccak256(panic)", &self.message);
                }
            }
        }
        self.check_creation(body);
    }

    /// Makes the calls, and checks how the last one ends.
    fn call(&self, body: &mut Lines) {
        if !self.prepares_by_calls() {
            body.line("bool success;");
        }
        let looks_at_result =
            matches!(self.evidence, Evidence::Reverts(_) | Evidence::Reads(_) | Evidence::Broken(Expected::True));
        if looks_at_result {
            body.line("bytes memory result;");
        }
        let mut block = None;
        for (index, call) in self.calls.iter().enumerate() {
            let is_last = index + 1 == self.calls.len();
            body.blank();
            if let Some((moment, wait)) = &call.moment {
                body.line(&format!("// {} later", one_or_more(wait)));
                body.moment(*moment);
                body.block(*moment, block.replace(*moment));
            }
            if is_last {
                self.before(body);
            }
            let results = if is_last && looks_at_result { "success, result" } else { "success," };
            let gas =
                if is_last && self.evidence == Evidence::Burns { format!("gas: {}", GAS.0) } else { String::new() };
            self.one_call(call, results, &gas, body);
            if is_last && self.stores_again(body) {
                self.one_call(call, results, &gas, body);
            }
        }
        self.check_call(body);
    }
}

impl Support {
    /// The name of the support function.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Create => "_create",
            Self::Refuses => "_refuses",
            Self::BurnsGas => "_burnsGas",
            Self::Bombs => "_bombs",
            Self::Answers => "_answers",
            Self::CallsBack => "_callsBack",
            Self::AnswersWith => "_answersWith",
            Self::Store => "_become",
            Self::Blocks => "_snapshot",
            Self::Record => "_recordAccesses",
            Self::Calls => "_revertsInside",
            Self::Logs => "_hasLoggedFailure",
            Self::Says => "_says",
            Self::Slots => "_load",
            Self::Sends => "_sendingInstructions",
            Self::Shares => "_shares",
            Self::Delegates => "_delegatesTo",
            Self::Destroys => "_destroys",
            Self::Asks => "askMeanwhile",
        }
    }

    fn text(self) -> &'static str {
        match self {
            Self::Create => include_str!("support/create.sol"),
            Self::Refuses => include_str!("support/refuses.sol"),
            Self::BurnsGas => include_str!("support/burns_gas.sol"),
            Self::Bombs => include_str!("support/bombs.sol"),
            Self::Answers => include_str!("support/answers.sol"),
            Self::CallsBack => include_str!("support/calls_back.sol"),
            Self::AnswersWith => include_str!("support/answers_with.sol"),
            Self::Store => include_str!("support/store.sol"),
            Self::Blocks => include_str!("support/blocks.sol"),
            Self::Record => include_str!("support/record.sol"),
            Self::Calls => include_str!("support/calls.sol"),
            Self::Logs => include_str!("support/logs.sol"),
            Self::Says => include_str!("support/says.sol"),
            Self::Slots => include_str!("support/slots.sol"),
            Self::Sends => include_str!("support/sends.sol"),
            Self::Shares => include_str!("support/shares.sol"),
            Self::Delegates => include_str!("support/delegates.sol"),
            Self::Destroys => include_str!("support/destroys.sol"),
            Self::Asks => include_str!("support/asks.sol"),
        }
    }
}

/// `1 day`, `2 days`.
fn one_or_more(duration: &str) -> &str {
    if duration.starts_with("1 ") { duration.trim_end_matches('s') } else { duration }
}

fn value_option(value: U256) -> String {
    if value.is_zero() { String::new() } else { format!("{{value: {}}}", amount(value)) }
}

#[cfg(test)]
mod tests;
