//! A [`CallTable`] lists the calls that are possible in one world: its instances, each with an address and an [`Interface`],
//! and their functions. It knows no state and runs nothing.

use alloy_primitives::Address;
use foundry_compilers::artifacts::StorageLayout;
use std::{collections::BTreeSet, sync::Arc};

use super::env::BlockReads;
use super::interface::{Function, FunctionId, Interface};
use super::property::PropertyKind;
use super::value::Fitting;

/// The index of a contract in the [`CallTable`] of its world. It is the same in every build in which the world has the
/// contract.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstanceId(pub u16);

impl InstanceId {
    /// The instance that the world is made for.
    pub const MAIN: Self = Self(0);
}

/// A function of an instance. It is meaningless in another [`CallTable`]; see [`super::Adaptation`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct CallId {
    /// The instance that is called.
    pub target: InstanceId,
    /// The function that is called.
    pub function: FunctionId,
}

impl CallId {
    /// A function of the instance that the world is made for.
    #[must_use]
    pub const fn main(function: FunctionId) -> Self {
        Self { target: InstanceId::MAIN, function }
    }
}

/// A deployed contract of a world.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name in stories, tests and JSON, unique in its world. The main instance is named like its contract.
    pub name: String,
    /// The name of its contract.
    pub contract: String,
    /// Its address. It is known before the deployment, so that two instances can refer to each other.
    pub address: Address,
    /// Its functions.
    pub interface: Arc<Interface>,
    /// The layout of its storage, where the compiler gives one.
    pub layout: Option<Arc<StorageLayout>>,
    /// How it came to be.
    pub origin: Origin,
}

/// How an instance came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A contract of the build was deployed.
    Deployed,
    /// It answers for a contract that the build does not have.
    StandIn,
    /// A proxy was deployed that delegates to this instance.
    Proxy(InstanceId),
    /// Another contract of the world creates it. There can be none of it, and several: a transaction says which one it calls.
    Created,
    /// The `setUp()` of a test contract creates it, always at the same address.
    SetUp,
}

/// The most that may pass before a call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Seconds.
    pub seconds: u64,
    /// Blocks.
    pub blocks: u64,
}

/// A function that states something about a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Property {
    /// The function.
    pub call: CallId,
    /// What it states, and when.
    pub kind: PropertyKind,
}

/// What people say about the calls of a world beyond what its interfaces tell.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallRules {
    /// The functions that state something.
    pub properties: Vec<Property>,
    /// The calls that may be made between the setup and a property; all that may change state if nobody says.
    pub allowed: Option<BTreeSet<CallId>>,
    /// Who calls properties.
    pub caller: Option<Address>,
    /// Who makes the other calls; empty for all actors.
    pub senders: Vec<Address>,
    /// Whether calls come without ether, and without time passing beyond this, as those of Foundry's invariants do.
    pub bare: Option<Delays>,
    /// The most that may pass before a call, where somebody says so.
    pub max_delay: (Option<u64>, Option<u64>),
    /// The wei that a call sends at most, where somebody says so.
    pub max_value: Option<u64>,
    /// The calls of a sequence, where somebody says so.
    pub max_calls: Option<usize>,
    /// Whether a call that reverts breaks every property.
    pub fail_on_revert: bool,
}

/// The calls of a world.
#[derive(Clone, Debug)]
pub struct CallTable {
    /// The words of a block that the code reads. Others are not chosen.
    pub block_reads: BlockReads,
    instances: Vec<Instance>,
    calls: Vec<CallId>,
    state_changing: Vec<CallId>,
    fitting: Fitting,
    rules: CallRules,
}

impl CallTable {
    /// The calls of a world with these instances, the main one first, of which some fit contract types. The code reads these
    /// words of a block.
    ///
    /// # Panics
    ///
    /// Without an instance: a world is made for one.
    #[must_use]
    pub fn new(instances: Vec<Instance>, fitting: Fitting, block_reads: BlockReads) -> Self {
        assert!(!instances.is_empty(), "a world has a main instance");
        let all = |pick: fn(&Interface) -> Vec<FunctionId>| {
            let targets = (0..).map(InstanceId).zip(&instances);
            targets
                .flat_map(|(target, instance)| {
                    pick(&instance.interface).into_iter().map(move |function| CallId { target, function })
                })
                .collect()
        };
        let calls = all(|interface| interface.functions.iter().map(|function| function.id).collect());
        let state_changing = all(|interface| interface.state_changing().to_vec());
        Self { block_reads, instances, calls, state_changing, fitting, rules: CallRules::default() }
    }

    /// The same calls by these rules: of the functions that state something, those that are not about every state are no calls that can
    /// precede others, and those that take nothing are not drawn.
    #[must_use]
    pub fn with_rules(self, rules: CallRules) -> Self {
        let kind = |call: &CallId| rules.properties.iter().find(|property| property.call == *call).map(|it| it.kind);
        let is_allowed = |call: &CallId| rules.allowed.as_ref().is_none_or(|allowed| allowed.contains(call));
        let is_drawn = |call: &CallId| kind(call).map_or_else(|| is_allowed(call), PropertyKind::is_drawn);
        let calls = self.calls.iter().copied().filter(is_drawn).collect();
        let may_precede = |call: &CallId| kind(call).is_none() && is_allowed(call);
        let state_changing = self.state_changing.iter().copied().filter(may_precede).collect();
        Self { calls, state_changing, rules, ..self }
    }

    /// What people say about the calls.
    #[must_use]
    pub const fn rules(&self) -> &CallRules {
        &self.rules
    }

    /// What a function states; none if it is no property.
    #[must_use]
    pub fn property(&self, call: CallId) -> Option<PropertyKind> {
        self.rules.properties.iter().find(|property| property.call == call).map(|property| property.kind)
    }

    /// Whether a call may change state for the calls after it: properties are only looked at.
    #[must_use]
    pub fn can_change_state(&self, call: CallId) -> bool {
        self.function(call).can_change_state() && self.property(call).is_none()
    }

    /// The same calls, for code that reads these words of a block.
    #[must_use]
    pub fn with_block_reads(self, block_reads: BlockReads) -> Self {
        Self { block_reads, ..self }
    }

    /// The instances that fit each contract type, by their addresses.
    #[must_use]
    pub const fn fitting(&self) -> &Fitting {
        &self.fitting
    }

    /// All instances, the main one first.
    #[must_use]
    pub fn instances(&self) -> &[Instance] {
        &self.instances
    }

    /// The instance that the world is made for.
    #[must_use]
    pub fn main(&self) -> &Instance {
        &self.instances[0]
    }

    /// The instance with this id.
    ///
    /// # Panics
    ///
    /// If the id belongs to another table.
    #[must_use]
    pub fn instance(&self, id: InstanceId) -> &Instance {
        &self.instances[usize::from(id.0)]
    }

    /// Whether an instance has no address before a run creates it.
    #[must_use]
    pub fn is_created(&self, id: InstanceId) -> bool {
        id != InstanceId::MAIN && self.instance(id).origin == Origin::Created
    }

    /// The instance at this address.
    #[must_use]
    pub fn at(&self, address: Address) -> Option<InstanceId> {
        let mut all = (0..).map(InstanceId).zip(&self.instances);
        all.find(|(id, instance)| instance.address == address && !self.is_created(*id)).map(|(id, _)| id)
    }

    /// The calls among `calls`, which are those of one of the table's lists, that go to the main instance.
    #[must_use]
    pub fn of_main<'a>(&self, calls: &'a [CallId]) -> &'a [CallId] {
        &calls[..calls.partition_point(|call| call.target == InstanceId::MAIN)]
    }

    /// The instance of this name.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<InstanceId> {
        (0..).map(InstanceId).zip(&self.instances).find(|(_, instance)| instance.name == name).map(|(id, _)| id)
    }

    /// The function of a call.
    ///
    /// # Panics
    ///
    /// If the call belongs to another table.
    #[must_use]
    pub fn function(&self, call: CallId) -> &Function {
        self.instance(call.target).interface.function(call.function)
    }

    /// Every call, by instance and function.
    #[must_use]
    pub fn calls(&self) -> &[CallId] {
        &self.calls
    }

    /// The calls that may change state: those that can precede the last one of a sequence.
    #[must_use]
    pub fn state_changing(&self) -> &[CallId] {
        &self.state_changing
    }

    /// Whether both allow exactly the same calls, so that a sequence for one is a sequence for the other.
    #[must_use]
    pub fn takes_the_same(&self, other: &Self) -> bool {
        let same = |a: &Instance, b: &Instance| {
            a.address == b.address && a.origin == b.origin && a.interface.takes_the_same(&b.interface)
        };
        self.block_reads == other.block_reads
            && self.rules == other.rules
            && self.fitting == other.fitting
            && self.instances.len() == other.instances.len()
            && self.instances.iter().zip(&other.instances).all(|(a, b)| same(a, b))
    }
}

#[cfg(test)]
impl CallTable {
    /// The calls of a world of one contract, of which only the interface is known.
    pub(crate) fn of(contract: &str, interface: Interface) -> Self {
        let main = Instance {
            name: contract.to_owned(),
            contract: contract.to_owned(),
            address: Address::ZERO,
            interface: Arc::new(interface),
            layout: None,
            origin: Origin::Deployed,
        };
        Self::new(vec![main], Fitting::new(), BlockReads::default())
    }

    /// A world of one contract with these members.
    pub(crate) fn sample(items: &[&str]) -> Self {
        Self::of("Sample", Interface::sample(items))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn instance(name: &str, address: u8, items: &[&str]) -> Instance {
        let interface = Arc::new(Interface::sample(items));
        let (name, contract) = (name.to_owned(), name.to_owned());
        Instance {
            name,
            contract,
            address: Address::repeat_byte(address),
            interface,
            layout: None,
            origin: Origin::Deployed,
        }
    }

    #[test]
    fn calls_are_of_all_instances_the_main_one_first() {
        let table = CallTable::new(
            vec![
                instance("Bank", 1, &["function pay()", "function total() view"]),
                instance("token", 2, &["function mint(address to)"]),
            ],
            Fitting::new(),
            BlockReads::default(),
        );
        let signatures = |calls: &[CallId]| -> Vec<String> {
            let named = |call: &CallId| {
                let name = &table.instance(call.target).name;
                format!("{name}.{}", table.function(*call).signature)
            };
            calls.iter().map(named).collect()
        };
        assert_eq!(signatures(table.calls()), ["Bank.pay()", "Bank.total()", "token.mint(address)"]);
        assert_eq!(signatures(table.state_changing()), ["Bank.pay()", "token.mint(address)"]);
        assert_eq!(table.at(Address::repeat_byte(2)), Some(InstanceId(1)));
        assert_eq!(
            [table.named("Bank"), table.named("token"), table.named("bank")],
            [Some(InstanceId::MAIN), Some(InstanceId(1)), None]
        );
    }

    #[test]
    fn an_instance_elsewhere_takes_other_calls() {
        let table = |address| {
            CallTable::new(vec![instance("Bank", address, &["function pay()"])], Fitting::new(), BlockReads::default())
        };
        assert!(table(1).takes_the_same(&table(1)));
        assert!(!table(1).takes_the_same(&table(2)));
    }
}
