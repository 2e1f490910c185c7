//! A [`Plan`] is the content of a test, decided but not yet written: the source of the contract's code, its deployer, the
//! calls with their times, and the failure that the last call must not show.

use super::{
    error::RegressionError,
    layout::Data,
    replay::{CreatedContract, Replayed},
    tokens::pragmas,
    write::{
        Account, Call, CallBack, Code, Creation, Does, Given, Import, Other, Place, Preparation, QUESTION, Reacting,
        Suite, Test,
    },
};
use crate::{
    compile::{Contract, Source},
    evm::Moment,
    finding::{model::Finding, story::wait},
    harness::{Action, Harness},
    input::{
        CallId, Deed, Deployment, FunctionKind, InstanceId, Origin, Reaction, SetupStep, Transaction,
        print::{on_one_line, solidity_literals, solidity_string},
    },
    oracle::{Evidence, Getter},
    project::{Layout, Project, SolcChoice},
    world::{ACTORS, Actor, World},
};
use alloy_json_abi::InternalType;
use alloy_primitives::{Address, hex};
use foundry_compilers::resolver::parse::SolData;
use revm::bytecode::opcode;
use semver::{Version, VersionReq};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::{Component, Path, PathBuf},
};

/// The oldest compiler that tests are written for: the first with both `abicoder v2` and `unicode` strings.
const OLDEST: Version = Version::new(0, 7, 5);

/// Names that the test file uses itself.
const RESERVED: [&str; 50] = [
    "Test",
    "Vm",
    "vm",
    "setUp",
    "target",
    "deployed",
    "success",
    "result",
    "panic",
    "gas",
    "code",
    "abi",
    "_create",
    "_revertsInside",
    "_recordLogs",
    "_hasLoggedFailure",
    "_isFailure",
    "RecordedLog",
    "_says",
    "_sendingInstructions",
    "_shares",
    "RecordedSlot",
    "RecordedSlots",
    "_recordAccesses",
    "_recordedAccesses",
    "_delegatesTo",
    "_destroys",
    "RecordedAccess",
    "chosen",
    "slot",
    "wrapped",
    "kept",
    "snapshot",
    "balance",
    "isPaid",
    "_become",
    "_refuses",
    "_callsBack",
    "_answers",
    "_answersWith",
    "_snapshot",
    "_backTo",
    "first",
    "expected",
    "before",
    "afterwards",
    "askMeanwhile",
    "_told",
    "isSame",
    QUESTION,
];

/// A test, and the parts shared by all tests of the contract.
pub(super) struct Plan {
    pub(super) suite: Suite,
    pub(super) test: Test,
}

impl Plan {
    /// Plans the test of a finding for the file at `path`.
    pub(super) fn new(path: &Path, finding: &Finding, project: &Project) -> Result<Self, RegressionError> {
        let harness = &*finding.harness;
        let contract = &**harness.compiled();
        let source = &**harness.build.source(contract.source);
        let replay = Replayed::of(finding).ok_or(RegressionError::Gone)?;
        let evidence = match finding.stored {
            Some(stored) => Evidence::Reads(stored),
            None => replay.evidence()?,
        };
        let is_old = contract.solc < Version::new(0, 8, 0);
        let suite = match harness.suite() {
            Some(parent) => inheriting(path, harness, parent),
            None if is_old => {
                check_compiler(project)?;
                of_code(harness, note(project, source))
            }
            None => importing(path, harness, project),
        };
        let alias = alias(&contract.name, &suite.accounts);
        let place = format!("{}:{}", finding.file, finding.lines.line);
        let what = &finding.what;
        let comment = std::iter::once(format!("Finding {}: {what}, {place}.", finding.id));
        let mut writer = Writer { harness, suite: &suite, named: BTreeMap::new(), now: suite.start };
        let (mut before, mut creation, mut after) = (Vec::new(), None, Vec::new());
        let is_created = harness.calls.main().origin == Origin::Created;
        let given = suite.parent.is_some().then(|| given(finding, &suite, evidence));
        if let Some(given) = &given {
            writer.now = moment_after_setup(finding);
            writer.named.extend(given.instances.iter().map(|(name, address)| (*address, name.clone())));
        }
        let made_here = finding.sequence.setup.steps().iter().zip(&replay.created);
        for (step, created) in made_here.filter(|_| given.is_none()) {
            let prepared = match step {
                SetupStep::Deploy(deployment) if deployment.instance == InstanceId::MAIN => {
                    creation = Some(self::creation(&writer, deployment, project, alias.clone()));
                    writer.deployed(InstanceId::MAIN);
                    continue;
                }
                SetupStep::Deploy(deployment) => {
                    let other = other(&writer, deployment, project);
                    writer.deployed(deployment.instance);
                    Preparation::Deploy(other)
                }
                SetupStep::Call(transaction) => Preparation::Call(writer.call(transaction, *created)),
            };
            if creation.is_some() || is_created { after.push(prepared) } else { before.push(prepared) }
        }
        let transactions =
            finding.sequence.transactions.iter().zip(&replay.created[finding.sequence.setup.steps().len()..]);
        let mut calls: Vec<Call> =
            transactions.map(|(transaction, created)| writer.call(transaction, *created)).collect();
        let question = question(&writer, evidence)?;
        if let (Evidence::Tells(_), Some(last), Some((whom, _))) = (evidence, calls.last_mut(), &question) {
            ask_meanwhile(last, whom);
        }
        let answers = |call: CallId| harness.calls.function(call).kind == FunctionKind::Answer;
        let reads_origin = replay.programs.iter().any(|id| harness.programs.get(*id).has_opcode(opcode::ORIGIN));
        let test = Test {
            name: name(finding),
            comment: comment.chain(finding.story.to_text().lines().map(str::to_owned)).collect(),
            before,
            creation,
            given,
            after,
            evidence,
            subject: subject(&writer, evidence, calls.last())?,
            question,
            calls,
            message: format!("{what}: {place}"),
            origin: reads_origin || harness.calls.calls().iter().any(|call| answers(*call)),
        };
        Ok(Self { suite, test })
    }
}

/// The parts of tests that import the contract.
fn importing(path: &Path, harness: &Harness, project: &Project) -> Suite {
    let contract = harness.compiled();
    let source = harness.build.source(contract.source);
    let alias = alias(&contract.name, &accounts(harness));
    Suite {
        pragmas: pragmas_of(source),
        import: Some(Import { alias, path: import_path(path, &source.path) }),
        forge_std: has_forge_std(project, &contract.solc),
        ..of_code(harness, String::new())
    }
}

/// The parts of tests of a contract for an older compiler, which read its code from its artifact.
fn of_code(harness: &Harness, note: String) -> Suite {
    let name = &harness.compiled().name;
    Suite {
        contract: name.clone(),
        name: format!("{name}BellwetherTest"),
        pragmas: vec![format!("solidity >={OLDEST} <0.9.0"), "abicoder v2".to_owned()],
        import: None,
        parent: None,
        forge_std: false,
        start: harness.world.genesis.moment(),
        note,
        accounts: accounts(harness),
    }
}

/// The parts of tests in a contract that inherits the test contract whose `setUp()` makes the world: it has names of its own, so that
/// accounts are addresses.
fn inheriting(path: &Path, harness: &Harness, parent: &Contract) -> Suite {
    let source = harness.build.source(parent.source);
    let contract = &harness.compiled().name;
    Suite {
        name: format!("{contract}In{}BellwetherTest", parent.name),
        pragmas: pragmas_of(source),
        import: Some(Import { alias: parent.name.clone(), path: import_path(path, &source.path) }),
        parent: Some(parent.name.clone()),
        accounts: Vec::new(),
        ..of_code(harness, String::new())
    }
}

fn pragmas_of(source: &Source) -> Vec<String> {
    own_pragmas(&source.text).into_iter().map(|pragma| format!("solidity {pragma}")).collect()
}

/// What a test finds that inherits the setup: the contract with the others that are called, and actors without the ether that they have
/// in the world.
fn given(finding: &Finding, suite: &Suite, evidence: Evidence) -> Given {
    let harness = &*finding.harness;
    let transactions = &finding.sequence.transactions;
    let called_back = |transaction: &Transaction| match transaction.reaction.as_ref().map(|reaction| &reaction.deed) {
        Some(Deed::Call(call)) => Some(call.call.target),
        _ => None,
    };
    let called = transactions.iter().flat_map(|transaction| [Some(transaction.call.target), called_back(transaction)]);
    let called: BTreeSet<InstanceId> =
        called.flatten().chain([InstanceId::MAIN]).chain(instance_of(evidence)).collect();
    let instance = |id: InstanceId| {
        let name = instance_name(suite, harness, id);
        // The test contract may have a variable of the instance's own name.
        let name = if id == InstanceId::MAIN || name.ends_with("Instance") { name } else { format!("{name}Instance") };
        (name, harness.calls.instance(id).address)
    };
    let reacts = |transaction: &Transaction| transaction.reaction.as_ref().map(|reaction| reaction.account);
    let acts = |account: Address| {
        transactions.iter().any(|transaction| transaction.sender == account || reacts(transaction) == Some(account))
    };
    let actors = ACTORS.iter().map(|actor| actor.address).filter(|account| acts(*account));
    Given {
        instances: called.into_iter().map(instance).collect(),
        balances: actors.map(|actor| (actor, harness.world.genesis.balance(actor))).collect(),
    }
}

/// The moment at which the setup of a finding ends.
fn moment_after_setup(finding: &Finding) -> Moment {
    let harness = &*finding.harness;
    let (_, state) = harness.set_up(&mut harness.executor(), &finding.sequence.setup, |_| ());
    state.map_or_else(|| harness.world.genesis.moment(), |state| state.moment())
}

/// The call that asks for the variable which the evidence is about.
fn getter(evidence: Evidence) -> Option<Getter> {
    match evidence {
        Evidence::Alters(getter) | Evidence::GainsTokens(getter) | Evidence::Tells(getter) => Some(getter),
        Evidence::Moved { tokens, .. } => tokens,
        _ => None,
    }
}

/// The instance that the evidence is about, other than the contract itself.
fn instance_of(evidence: Evidence) -> Option<InstanceId> {
    match evidence {
        Evidence::Stores(stored) | Evidence::Keeps(stored) => Some(stored.instance),
        Evidence::Shares(instance, _) => Some(instance),
        _ => getter(evidence).map(|getter| getter.instance),
    }
}

/// The account that the evidence is about, as an expression.
fn subject(writer: &Writer<'_>, evidence: Evidence, last: Option<&Call>) -> Result<String, RegressionError> {
    let at = match evidence {
        Evidence::Freezes(_) => return Ok(last.map_or_else(|| "target".to_owned(), |call| call.target.clone())),
        Evidence::Leaves(account, _) => return Ok(writer.name(account).unwrap_or_else(|| account.to_string())),
        _ => instance_of(evidence).unwrap_or(InstanceId::MAIN),
    };
    writer.name(writer.harness.calls.instance(at).address).ok_or(UNKNOWN)
}

/// Whom that call asks, and its calldata.
fn question(writer: &Writer<'_>, evidence: Evidence) -> Result<Option<(String, Data)>, RegressionError> {
    match getter(evidence) {
        Some(getter) => asked(writer, getter).map(Some).ok_or(UNKNOWN),
        None => Ok(None),
    }
}

/// The refusal of a test about a contract whose address it does not know.
const UNKNOWN: RegressionError = RegressionError::NotVisible {
    why: "it shows in a contract that a call creates, and no test knows its address beforehand",
};

fn asked(writer: &Writer<'_>, getter: Getter) -> Option<(String, Data)> {
    let asked = writer.harness.contract_of(getter.instance)?;
    let mut functions = writer.harness.build.contract(asked).abi.functions();
    let function = functions.find(|function| function.selector().0 == getter.selector)?;
    let key = getter.key.map(|key| {
        let account = (key.bit_len() <= 160).then(|| writer.name(Address::from_word(key.into()))).flatten();
        account.unwrap_or_else(|| format!("uint256({key})"))
    });
    let signature = solidity_string(&function.signature());
    let data = Data::Encoded("abi.encodeWithSignature", std::iter::once(signature).chain(key).collect());
    let whom = writer.name(writer.harness.calls.instance(getter.instance).address)?;
    Some((whom, data))
}

/// Has whoever calls back during a call ask by the test, which keeps what it is told.
fn ask_meanwhile(open: &mut Call, whom: &str) {
    let Some(Does::CallBack(call_back)) = open.reaction.as_mut().map(|reaction| &mut reaction.does) else { return };
    let arguments = vec![solidity_string("askMeanwhile(address,bytes)"), whom.to_owned(), QUESTION.to_owned()];
    call_back.target = "address(this)".to_owned();
    call_back.data = Data::Encoded("abi.encodeWithSignature", arguments);
}

/// `test_regression_`, the oracle, and the function of the last call.
pub(super) fn name(finding: &Finding) -> String {
    let last = finding.sequence.transactions.last();
    let function = last.map_or("constructor", |call| &finding.harness.calls.function(call.call).name);
    format!("test_regression_{}_{function}", finding.violation.oracle.replace('-', "_"))
}

fn accounts(harness: &Harness) -> Vec<Account> {
    let account = |Actor { name, address, .. }: Actor| Account {
        name: name.to_owned(),
        address,
        balance: harness.world.genesis.balance(address),
    };
    ACTORS.into_iter().map(account).collect()
}

/// The contract's own name, unless the test uses that name for something else.
fn alias(name: &str, accounts: &[Account]) -> String {
    let taken = RESERVED.contains(&name) || accounts.iter().any(|account| account.name == name);
    if taken { format!("{name}Subject") } else { name.to_owned() }
}

/// The variable that holds the address of an instance.
fn instance_name(suite: &Suite, harness: &Harness, id: InstanceId) -> String {
    if id == InstanceId::MAIN {
        return "target".to_owned();
    }
    let name = &harness.calls.instance(id).name;
    let taken = RESERVED.contains(&name.as_str()) || suite.accounts.iter().any(|account| account.name == *name);
    if taken { format!("{name}Instance") } else { name.clone() }
}

/// The deployment of another instance. Each has the same address as in the world, so that instances that refer to each other
/// still do.
fn other(writer: &Writer<'_>, deployment: &Deployment, project: &Project) -> Other {
    let Writer { harness, suite, .. } = writer;
    let names = |address| writer.name(address);
    let instance = harness.calls.instance(deployment.instance);
    let literals = solidity_literals(&deployment.arguments, &instance.interface.constructor.inputs, &names);
    let sender = names(deployment.sender).unwrap_or_else(|| deployment.sender.to_string());
    let code = Code::Bytes {
        creation: creation_code(harness, deployment.instance, project),
        arguments: encoded(deployment, literals),
    };
    let note = match instance.origin {
        Origin::Deployed | Origin::Created | Origin::SetUp => None,
        Origin::StandIn => {
            Some(format!("A stand-in for {}. A direct call says what it answers from then on.", instance.contract))
        }
        Origin::Proxy(implementation) => {
            Some(format!("A proxy (ERC-1967) of {}.", instance_name(suite, harness, implementation)))
        }
    };
    let name = instance_name(suite, harness, deployment.instance);
    let creation = Creation { sender, value: deployment.value, code };
    let place = if World::is_at_fixed_address(deployment.instance, &harness.calls) {
        Place::Fixed(instance.address)
    } else {
        Place::Nonce(deployment.instance.0)
    };
    Other { name, note, place, creation }
}

/// The creation code of an instance, as an expression: that of a contract is read from its artifact.
fn creation_code(harness: &Harness, instance: InstanceId, project: &Project) -> String {
    let Some(contract) = harness.deployed_contract(instance) else {
        return format!("hex\"{}\"", hex::encode(harness.world.creation(instance)));
    };
    let contract = harness.build.contract(contract);
    let source = project.relative(&harness.build.source(contract.source).path);
    format!("vm.getCode({})", solidity_string(&format!("{source}:{}", contract.name)))
}

/// The encoded arguments of a deployment, readable where they can be written as literals.
fn encoded(deployment: &Deployment, literals: Option<Vec<String>>) -> Data {
    literals.map_or_else(
        || {
            let mut bytes = Vec::new();
            deployment.encode_into(&mut bytes);
            Data::Raw(bytes)
        },
        |literals| Data::Encoded("abi.encode", literals),
    )
}

fn creation(writer: &Writer<'_>, deployment: &Deployment, project: &Project, alias: String) -> Creation {
    let Writer { harness, suite, .. } = writer;
    let contract = harness.compiled();
    let names = |address| writer.name(address);
    let sender = names(deployment.sender).unwrap_or_else(|| deployment.sender.to_string());
    let literals = solidity_literals(&deployment.arguments, &harness.interface().constructor.inputs, &names);
    let typed = literals.as_ref().and_then(|literals| constructor_arguments(contract, literals));
    let is_proxy = harness.calls.main().origin != Origin::Deployed;
    let code = match (&suite.import, typed) {
        (Some(_), Some(arguments)) if !is_proxy => Code::New { alias, arguments },
        (import, _) => {
            let creation = match import {
                Some(_) if !is_proxy => format!("type({alias}).creationCode"),
                _ => creation_code(harness, deployment.instance, project),
            };
            Code::Bytes { creation, arguments: encoded(deployment, literals) }
        }
    };
    Creation { sender, value: deployment.value, code }
}

/// The arguments as `new` takes them; none if a type cannot be converted from a literal.
fn constructor_arguments(contract: &Contract, literals: &[String]) -> Option<Vec<String>> {
    let inputs = contract.abi.constructor.as_ref().map_or(&[][..], |constructor| &constructor.inputs);
    let pairs = inputs.iter().zip(literals);
    pairs
        .map(|(input, literal)| match input.internal_type.as_ref()? {
            InternalType::AddressPayable(_) => Some(format!("payable({literal})")),
            InternalType::Other { contract: None, ty } if *ty == input.ty => Some(literal.clone()),
            _ => None,
        })
        .collect()
}

/// A test that is being written: which addresses have names by now, and the moment.
struct Writer<'a> {
    harness: &'a Harness,
    suite: &'a Suite,
    named: BTreeMap<Address, String>,
    now: Moment,
}

impl Writer<'_> {
    /// An address as an expression: an account, or an instance that is there by now.
    fn name(&self, address: Address) -> Option<String> {
        let account = || self.suite.accounts.iter().find(|account| account.address == address);
        self.named.get(&address).cloned().or_else(|| account().map(|account| account.name.clone()))
    }

    /// An instance as an expression: its variable, or where a test contract made it, its address.
    fn instance(&self, id: InstanceId) -> String {
        let address = self.harness.calls.instance(id).address;
        match self.named.get(&address) {
            Some(name) => name.clone(),
            None if self.suite.parent.is_some() => address.to_string(),
            None => instance_name(self.suite, self.harness, id),
        }
    }

    /// Names an instance that was deployed.
    fn deployed(&mut self, id: InstanceId) {
        let address = self.harness.calls.instance(id).address;
        self.named.insert(address, instance_name(self.suite, self.harness, id));
    }

    /// A call, which may create and return a contract.
    fn call(&mut self, transaction: &Transaction, created: Option<CreatedContract>) -> Call {
        let names = |address| self.name(address);
        let then = self.harness.call(Action::Call(transaction), self.now).moment;
        let target = match transaction.at {
            Some(at) => names(at).unwrap_or_else(|| at.to_string()),
            None => self.instance(transaction.call.target),
        };
        let call = Call {
            target,
            sender: names(transaction.sender).unwrap_or_else(|| transaction.sender.to_string()),
            value: transaction.value,
            data: data(self.harness, transaction, &names),
            moment: (then != self.now).then(|| (then, wait(transaction))),
            creates: created.map(|created| self.name_of_created(created)),
            reaction: transaction.reaction.as_deref().map(|reaction| Box::new(self.reacting(reaction, transaction))),
        };
        self.now = then;
        if let (Some(created), Some(name)) = (created, &call.creates) {
            self.named.insert(created.address, name.clone());
        }
        call
    }

    /// What somebody does who is called during a transaction.
    fn reacting(&self, reaction: &Reaction, transaction: &Transaction) -> Reacting {
        let names = |address| self.name(address);
        let call = match &reaction.deed {
            Deed::Refuse => Err(Does::Refuse),
            Deed::BurnGas => Err(Does::BurnGas),
            Deed::Bomb => Err(Does::Bomb),
            Deed::Answer => Err(Does::Answer),
            Deed::Repeat => Ok(transaction),
            Deed::Call(call) => Ok(&**call),
        };
        let target = |call: &Transaction| match call.at {
            Some(at) => names(at).unwrap_or_else(|| at.to_string()),
            None => self.instance(call.call.target),
        };
        Reacting {
            answer: reaction.answer,
            account: names(reaction.account).unwrap_or_else(|| reaction.account.to_string()),
            does: call.map_or_else(
                |does| does,
                |call| {
                    let data = data(self.harness, call, &names);
                    Does::CallBack(CallBack { target: target(call), value: call.value, data })
                },
            ),
        }
    }

    /// The variable for a contract that a call creates.
    fn name_of_created(&self, created: CreatedContract) -> String {
        if created.address == self.harness.calls.main().address {
            return instance_name(self.suite, self.harness, InstanceId::MAIN);
        }
        let kind = created.kind.map(|id| instance_name(self.suite, self.harness, id));
        let plain = kind.unwrap_or_else(|| "created".to_owned());
        let numbered = (2..).map(|number| format!("{plain}{number}"));
        let mut names = std::iter::once(plain.clone()).chain(numbered);
        names.find(|name| !self.named.values().any(|taken| taken == name)).unwrap_or(plain)
    }
}

/// The calldata, readable where the arguments can be written as literals.
pub(super) fn data(harness: &Harness, transaction: &Transaction, names: &dyn Fn(Address) -> Option<String>) -> Data {
    let function = harness.calls.function(transaction.call);
    let literals = solidity_literals(&transaction.arguments, &function.inputs, names);
    match literals {
        Some(literals) if function.kind == FunctionKind::Answer => {
            let selector = function.selector.map(hex::encode_prefixed).unwrap_or_default();
            Data::Encoded(
                "abi.encodeWithSelector",
                std::iter::once(format!("bytes4({selector})")).chain(literals).collect(),
            )
        }
        Some(literals) if function.kind == FunctionKind::Function => {
            let signature = format!("\"{}\"", function.signature);
            Data::Encoded("abi.encodeWithSignature", std::iter::once(signature).chain(literals).collect())
        }
        _ => Data::Raw(transaction.calldata(&harness.calls)),
    }
}

/// Checks that the compiler is new enough for tests; a contract for an older compiler needs a newer one installed beside
/// it.
fn check_compiler(project: &Project) -> Result<(), RegressionError> {
    // Forge does not read the compiler setting of `bellwether.toml` or of an editor.
    match (&project.compiler.solc, &project.config.solc) {
        (Some(SolcChoice::Version(version)), None) if *version < OLDEST => {
            Err(RegressionError::Compiler { version: version.to_string() })
        }
        _ => Ok(()),
    }
}

/// The source's own pragmas, if they require 0.8 or newer.
pub(super) fn own_pragmas(text: &str) -> Vec<String> {
    let pragmas: Vec<String> = pragmas(text).into_iter().map(on_one_line).collect();
    let requirements: Vec<VersionReq> =
        pragmas.iter().filter_map(|pragma| SolData::parse_version_req(pragma).ok()).collect();
    let older = [Version::new(0, 7, 6), Version::new(0, 6, 12), Version::new(0, 5, 17), Version::new(0, 4, 26)];
    let admits = |version: &Version| requirements.iter().all(|requirement| requirement.matches(version));
    if requirements.len() < pragmas.len() || pragmas.is_empty() || older.iter().any(admits) {
        return vec!["^0.8.0".to_owned()];
    }
    pragmas
}

/// Whether `forge-std/Test.sol` can be imported beside a contract for this compiler.
fn has_forge_std(project: &Project, solc: &Version) -> bool {
    const IMPORT: &str = "forge-std/Test.sol";
    if project.layout == Layout::Hardhat {
        return false;
    }
    let applies = project.remappings.iter().find(|it| it.context.is_none() && IMPORT.starts_with(&it.name));
    let Some(remapping) = applies else { return false };
    let file = PathBuf::from(format!("{}{}", remapping.path, &IMPORT[remapping.name.len()..]));
    let Ok(text) = std::fs::read_to_string(file) else { return false };
    let release = Version::new(solc.major, solc.minor, solc.patch);
    pragmas(&text).iter().all(|pragma| SolData::parse_version_req(pragma).is_ok_and(|it| it.matches(&release)))
}

/// A note for projects without a `foundry.toml`, where forge compiles the imports of tests, and `src` or else `contracts`.
fn note(project: &Project, source: &Source) -> String {
    let usual = ["src", "contracts"].into_iter().map(|name| project.root.join(name)).find(|folder| folder.is_dir());
    if project.layout == Layout::Foundry || usual.is_some_and(|folder| source.path.starts_with(folder)) {
        return String::new();
    }
    let folder = source.path.parent().map(|folder| project.relative(folder)).unwrap_or_default();
    format!("Run them with `forge test --contracts {}`.", if folder.is_empty() { "." } else { &folder })
}

/// The import path from the file at `from` to the file at `to`.
pub(super) fn import_path(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) =
        (from.parent().unwrap_or(from).components().collect(), to.components().collect());
    let shared = from.iter().zip(&to).take_while(|(from, to)| from == to).count();
    let name = |part: &Component<'_>| part.as_os_str().to_string_lossy().into_owned();
    let up = if from.len() == shared { vec![".".to_owned()] } else { vec!["..".to_owned(); from.len() - shared] };
    up.into_iter().chain(to[shared..].iter().map(name)).collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pragmas_are_the_sources_own_if_they_are_for_0_8() {
        let cases = [
            ("pragma solidity ^0.8.20;", vec!["^0.8.20"]),
            ("pragma solidity >=0.8.4\n  <0.9.0; pragma solidity !=0.8.5;", vec!["^0.8.0"]),
            ("pragma solidity >=0.8.4 <0.9.0; pragma solidity ^0.8.10;", vec![">=0.8.4 <0.9.0", "^0.8.10"]),
            ("pragma solidity 0.8.19;", vec!["0.8.19"]),
            ("pragma solidity >=0.6.0;", vec!["^0.8.0"]),
            ("// pragma solidity 0.8.1;\ncontract A {}", vec!["^0.8.0"]),
        ];
        for (text, expected) in cases {
            assert_eq!(own_pragmas(text), expected, "{text}");
        }
    }

    #[test]
    fn imports_are_relative() {
        let path = |from: &str, to: &str| import_path(Path::new(from), Path::new(to));
        assert_eq!(path("/p/test/A.t.sol", "/p/src/A.sol"), "../src/A.sol");
        assert_eq!(path("/p/test/src/A/A.t.sol", "/p/src/A.sol"), "../../../src/A.sol");
        assert_eq!(path("/p/A.t.sol", "/p/A.sol"), "./A.sol");
        assert_eq!(path("/p/A.t.sol", "/p/src/deep/A.sol"), "./src/deep/A.sol");
    }

    #[test]
    fn names_that_the_test_needs_are_left_to_it() {
        let accounts =
            [Account { name: "alice".to_owned(), address: Address::ZERO, balance: alloy_primitives::U256::ZERO }];
        let aliases = ["Vault", "Test", "alice", "result"].map(|name| alias(name, &accounts));
        assert_eq!(aliases, ["Vault", "TestSubject", "aliceSubject", "resultSubject"]);
    }

    #[test]
    fn forge_std_is_taken_where_it_compiles_beside_the_contract() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("lib/forge-std/src/Test.sol");
        let load = || Project::load(root.path()).unwrap();
        std::fs::write(root.path().join("foundry.toml"), "").unwrap();
        assert!(!has_forge_std(&load(), &Version::new(0, 8, 37)));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, "pragma solidity >=0.8.13 <0.9.0;\nabstract contract Test {}\n").unwrap();
        let solc = Version::parse("0.8.37+commit.f401782d").unwrap();
        assert!(has_forge_std(&load(), &solc));
        assert!(!has_forge_std(&load(), &Version::new(0, 8, 10)));
        std::fs::write(root.path().join("foundry.toml"), "[profile.default]\nauto_detect_remappings = false\n")
            .unwrap();
        assert!(!has_forge_std(&load(), &solc), "it cannot be imported");
    }

    #[test]
    fn a_pinned_compiler_may_be_too_old() {
        let root = tempfile::tempdir().unwrap();
        let check = |toml: &str| {
            std::fs::write(root.path().join("foundry.toml"), toml).unwrap();
            check_compiler(&Project::load(root.path()).unwrap())
        };
        assert_eq!(check(""), Ok(()));
        assert_eq!(check("[profile.default]\nsolc = \"0.7.6\"\n"), Ok(()));
        let old = Err(RegressionError::Compiler { version: "0.6.12".to_owned() });
        assert_eq!(check("[profile.default]\nsolc = \"0.6.12\"\n"), old);
    }
}
