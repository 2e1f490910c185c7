//! A [`World`] is the environment of a contract at the start of a session: funded accounts with names, a moment in time, and
//! the libraries that its instances are linked to. It is the same for every session of a build.

use super::{
    actors::{ACTORS, Actor, CODE_OF_STRANGERS_CONTRACT, INITIAL_BALANCE, STRANGERS_CONTRACT},
    blueprint::Blueprint,
};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
    evm::{Artifacts, BuildArtifacts, Call, CallTarget, DEFAULT_SENDER, Executor, START, Snapshot, Status, TEST_GAS},
    input::{CallTable, InstanceId},
    project::TestConfig,
};
use alloy_primitives::{Address, Bytes, U256, address};
use foundry_compilers::artifacts::EvmVersion;
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// The meaning of an address in a world.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Account {
    /// Somebody who sends transactions.
    Actor(Actor),
    /// A contract of the world.
    Instance(InstanceId),
    /// An address that the world does not know: a library, a contract that a run created, or a number.
    Literal(Address),
}

/// The addresses of libraries, by file and name.
type LibraryAddresses = BTreeMap<(String, String), Address>;

/// The account that deploys libraries, and nothing else.
const LIBRARY_DEPLOYER: Address = address!("0x000000000000000000000000000000000011b4a4");

/// Why a world could not be made.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// A library refuses to be deployed.
    #[error("library {name} cannot be deployed: {why}")]
    Library {
        /// Its name.
        name: String,
        /// How it ended.
        why: String,
    },
    /// A library that has to be linked was not compiled.
    #[error("library {name} of {file} is not part of the build: check the import")]
    Missing {
        /// Its source.
        file: String,
        /// Its name.
        name: String,
    },
    /// It cannot be as a person says that it is to be.
    #[error("{place}: {problem}")]
    Configured {
        /// Where that is said.
        place: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A test contract cannot be set up.
    #[error("{what} fails: {told}{}", at(place))]
    SetUp {
        /// What fails: `setUp()`, or `its constructor`.
        what: String,
        /// How it ends.
        told: String,
        /// The file and the line where it fails, as far as known.
        place: Option<(String, u32)>,
    },
}

/// Where something is, as it follows a sentence.
fn at(place: &Option<(String, u32)>) -> String {
    place.as_ref().map(|(file, line)| format!(", at {file}:{line}")).unwrap_or_default()
}

/// Accounts, libraries and the contract's creation code linked to them.
#[derive(Debug, Clone)]
pub struct World {
    /// The state before the contract is deployed.
    pub genesis: Snapshot,
    /// The creation code of each instance, linked.
    pub creations: Vec<Bytes>,
    /// Accounts without code whose addresses a test contract keeps.
    pub people: Vec<Address>,
    /// The names of libraries, of who calls tests, and of these people.
    names: BTreeMap<Address, String>,
    /// The rules of the EVM.
    version: EvmVersion,
    /// What tests ask for by name; none where contracts cannot use cheatcodes.
    artifacts: Option<Arc<BuildArtifacts>>,
    /// Whether a revert that tests expect may be one of the test itself.
    allows_internal_reverts: bool,
    /// Whether people's own calls cannot cheat, but only the test contract.
    only_tests_cheat: bool,
}

impl World {
    /// The world for these instances.
    ///
    /// # Errors
    ///
    /// If a library that one of them is linked to cannot be deployed.
    pub fn new(build: &Build, programs: &Arc<Programs>, blueprints: &[Blueprint]) -> Result<Self, WorldError> {
        Ok(Self::from_genesis(Snapshot::empty(START), build, programs, blueprints)?.0)
    }

    /// The world for the instances of a test contract, which begins as forge's do: at the first block, with cheatcodes.
    ///
    /// # Errors
    ///
    /// If a library that one of them is linked to cannot be deployed.
    pub fn of_tests(
        build: &Arc<Build>,
        programs: &Arc<Programs>,
        blueprints: &[Blueprint],
        config: TestConfig,
    ) -> Result<Self, WorldError> {
        let (mut world, libraries) = Self::from_genesis(Snapshot::for_tests(), build, programs, blueprints)?;
        world.names.insert(DEFAULT_SENDER, "forge".to_owned());
        let artifacts = BuildArtifacts { build: build.clone(), libraries };
        let allows_internal_reverts = config.allow_internal_expect_revert;
        Ok(Self { artifacts: Some(Arc::new(artifacts)), allows_internal_reverts, ..world })
    }

    /// The same world, with people whom a test contract knows under these names.
    pub(super) fn with_people(mut self, people: impl Iterator<Item = (Address, String)>) -> Self {
        for (address, name) in people {
            self.people.push(address);
            self.names.insert(address, name);
        }
        self
    }

    /// The same world for a contract that the test contract makes: the instances have another order, and what people do there is what they
    /// can do on a chain.
    pub(super) fn of_what_is_made(&self, order: &[usize]) -> Self {
        let creations = order.iter().map(|was| self.creations[*was].clone()).collect();
        Self { creations, only_tests_cheat: true, ..self.clone() }
    }

    fn from_genesis(
        mut genesis: Snapshot,
        build: &Build,
        programs: &Arc<Programs>,
        blueprints: &[Blueprint],
    ) -> Result<(Self, LibraryAddresses), WorldError> {
        for actor in ACTORS {
            genesis = genesis.with_balance(actor.address, INITIAL_BALANCE);
        }
        genesis = genesis.with_balance(LIBRARY_DEPLOYER, INITIAL_BALANCE);
        genesis = genesis.with_code(STRANGERS_CONTRACT, CODE_OF_STRANGERS_CONTRACT.into());
        let mut linker = Linker { build, programs, addresses: BTreeMap::new() };
        for contract in blueprints.iter().flat_map(Blueprint::code) {
            linker.link(contract, &mut genesis, &mut BTreeSet::new())?;
        }
        let names = linker.addresses.iter().map(|((_, name), address)| (*address, name.clone())).collect();
        let creations =
            blueprints.iter().map(|blueprint| blueprint.creation(build, &linker.addresses, &Self::address)).collect();
        let main = blueprints.first().and_then(Blueprint::contract);
        let version = main.map_or_else(EvmVersion::default, |main| build.contract(main).evm_version);
        let (people, artifacts) = (Vec::new(), None);
        let (allows_internal_reverts, only_tests_cheat) = (false, false);
        let world =
            Self { genesis, creations, people, names, version, artifacts, allows_internal_reverts, only_tests_cheat };
        Ok((world, linker.addresses))
    }

    /// An executor with the rules of the EVM version that the main contract was compiled for.
    pub fn executor(&self, programs: &Arc<Programs>) -> Executor {
        let mut executor = Executor::new(programs.clone(), self.version);
        if self.has_cheatcodes() {
            executor.set_cheatcodes(true);
            executor.set_call_gas(TEST_GAS);
            self.prepare(&mut executor);
        }
        executor
    }

    /// Gives tests what they ask for by name, and judges them as their configuration says; does nothing where there are no tests.
    pub fn prepare(&self, executor: &mut Executor) {
        executor.allow_internal_expect_revert(self.allows_internal_reverts);
        executor.limit_cheatcodes_to_tests(self.only_tests_cheat);
        executor.set_artifacts(self.artifacts.clone().map(|artifacts| artifacts as Arc<dyn Artifacts>));
    }

    /// Whether contracts can use cheatcodes, so that states may be reached that no chain can reach.
    pub fn has_cheatcodes(&self) -> bool {
        self.artifacts.is_some()
    }

    /// The address of the deployer.
    pub fn owner() -> Address {
        ACTORS[0].address
    }

    /// Everyone who may send a transaction, the owner included.
    pub fn senders() -> Vec<Address> {
        ACTORS.iter().map(|actor| actor.address).collect()
    }

    /// The address of an instance. It depends on nothing but the index in the call table, so that arguments can name instances
    /// that are deployed later, and stay valid when the setup changes.
    pub fn address(instance: InstanceId) -> Address {
        Self::owner().create(u64::from(instance.0))
    }

    /// Whether an instance is at an address that stands in the sources.
    pub fn is_at_fixed_address(instance: InstanceId, calls: &CallTable) -> bool {
        calls.instance(instance).address != Self::address(instance)
    }

    /// The meaning of an address, given the instances of `calls`.
    pub fn account(address: Address, calls: &CallTable) -> Account {
        let actor = ACTORS.into_iter().find(|actor| actor.address == address).map(Account::Actor);
        let instance = || calls.at(address).map(Account::Instance);
        actor.or_else(instance).unwrap_or(Account::Literal(address))
    }

    /// The creation code of an instance, linked.
    pub fn creation(&self, instance: InstanceId) -> &Bytes {
        &self.creations[usize::from(instance.0)]
    }

    /// The name of the library at this address, of who calls tests, or of somebody whom a test contract knows.
    pub fn name(&self, address: Address) -> Option<&str> {
        self.names.get(&address).map(String::as_str)
    }
}

struct Linker<'a> {
    build: &'a Build,
    programs: &'a Arc<Programs>,
    addresses: LibraryAddresses,
}

impl Linker<'_> {
    /// Deploys the libraries that a contract needs, those that they need first.
    fn link(
        &mut self,
        contract: ContractId,
        state: &mut Snapshot,
        open: &mut BTreeSet<ContractId>,
    ) -> Result<(), WorldError> {
        if !open.insert(contract) {
            return Ok(());
        }
        let compiled = self.build.contract(contract).clone();
        for link in compiled.creation.links.iter().chain(&compiled.runtime.links) {
            let key = (link.file.clone(), link.library.clone());
            if self.addresses.contains_key(&key) {
                continue;
            }
            let missing = || WorldError::Missing { file: link.file.clone(), name: link.library.clone() };
            let library = self.build.find_contract(&link.file, &link.library).ok_or_else(missing)?;
            self.link(library, state, open)?;
            let code = self.build.contract(library).creation.linked(&self.addresses);
            let mut executor = Executor::new(self.programs.clone(), compiled.evm_version);
            let address = LIBRARY_DEPLOYER.create(self.addresses.len() as u64);
            let call = Call {
                sender: LIBRARY_DEPLOYER,
                target: CallTarget::Create(address, code),
                value: U256::ZERO,
                moment: state.moment(),
                scripted: None,
            };
            let outcome = executor.run(state, &call);
            match outcome.status {
                Status::Success => {
                    *state = executor.commit();
                    self.addresses.insert(key, address);
                }
                status => {
                    return Err(WorldError::Library { name: link.library.clone(), why: format!("{status:?}") });
                }
            }
        }
        Ok(())
    }
}
