//! The members of a world, as they are told to people and to programs: which instances there are, of which contracts, and with
//! which arguments the setup makes them.

use crate::{
    input::{CallTable, Deployment, InstanceId, Origin, Setup, SetupStep, print::display},
    world::{Account, World},
};
use alloy_primitives::Address;

/// What a proxy is called that is of no contract of the build.
const PLAIN_PROXY: &str = "ERC1967Proxy";

/// An instance of a world.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name.
    pub instance: String,
    /// The name of its contract.
    pub contract: String,
    /// The name of the contract that is deployed for it, where that is a proxy.
    pub proxy: Option<String>,
    /// The arguments of its constructor, each with the name of its parameter, in readable form.
    pub arguments: Vec<(String, String)>,
    /// Why it is there: `main`, `argument`, `setter`, `factory`, `setUp`, `address` or `stand-in`.
    pub by: &'static str,
}

/// `token = Token("Token", 18)`, `feed = a stand-in for IPriceFeed`, `pair = Pair, as a call creates it`, and
/// `Vault = Proxy(vault2), a proxy of Vault`.
impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let arguments: Vec<&str> = self.arguments.iter().map(|(_, value)| value.as_str()).collect();
        match self.by {
            "stand-in" if self.contract == "StandIn" => write!(f, "{} = a stand-in", self.instance),
            "stand-in" => write!(f, "{} = a stand-in for {}", self.instance, self.contract),
            "factory" => write!(f, "{} = {}, as a call creates it", self.instance, self.contract),
            "setUp" => write!(f, "{} = {}, as setUp() creates it", self.instance, self.contract),
            _ => write!(f, "{} = {}({}){}", self.instance, self.deployed(), arguments.join(", "), self.behind()),
        }
    }
}

impl Member {
    fn deployed(&self) -> &str {
        self.proxy.as_ref().unwrap_or(&self.contract)
    }

    /// What stands behind a proxy.
    fn behind(&self) -> String {
        self.proxy.as_ref().map(|_| format!(", a proxy of {}", self.contract)).unwrap_or_default()
    }
}

/// The world in one line: `Pool(stakeToken_ = token, feed_ = a stand-in for IPriceFeed)`.
pub(super) fn told(calls: &CallTable, main: &Member) -> String {
    let argument = |(parameter, value): &(String, String)| {
        let stand_in = calls.named(value).map(|id| calls.instance(id));
        let stand_in = stand_in.filter(|instance| instance.origin == Origin::StandIn);
        let value = stand_in.map_or(value.clone(), |instance| format!("a stand-in for {}", instance.contract));
        if parameter.is_empty() { value } else { format!("{parameter} = {value}") }
    };
    let arguments: Vec<String> = main.arguments.iter().map(argument).collect();
    format!("{}({}){}", main.deployed(), arguments.join(", "), main.behind())
}

/// An instance of the world that a setup makes, and the name of the contract that is deployed for it, if that is of the build.
pub(super) fn member(calls: &CallTable, setup: &Setup, id: InstanceId, deployed: Option<&str>) -> Member {
    let instance = calls.instance(id);
    let deployment = setup.deployments().find(|it| it.instance == id);
    let proxy = match instance.origin {
        Origin::Proxy(_) => Some(deployed.unwrap_or(PLAIN_PROXY).to_owned()),
        _ => None,
    };
    Member {
        instance: instance.name.clone(),
        contract: instance.contract.clone(),
        proxy,
        arguments: deployment.map(|it| arguments(calls, it)).unwrap_or_default(),
        by: reason(calls, setup, id),
    }
}

fn arguments(calls: &CallTable, deployment: &Deployment) -> Vec<(String, String)> {
    let inputs = &calls.instance(deployment.instance).interface.constructor.inputs;
    let name = |address: Address| match World::account(address, calls) {
        Account::Actor(actor) => Some(actor.name.to_owned()),
        Account::Instance(id) => Some(calls.instance(id).name.clone()),
        Account::Literal(_) => None,
    };
    let arguments = deployment.arguments.iter().zip(inputs);
    arguments.map(|(value, input)| (input.name.clone(), display(value, &input.ty, &name))).collect()
}

/// Why an instance is there.
fn reason(calls: &CallTable, setup: &Setup, id: InstanceId) -> &'static str {
    let instance = calls.instance(id);
    let is_argument = |deployment: &Deployment| {
        let encoded = deployment.encoded_arguments();
        encoded.chunks(32).any(|word| word.ends_with(instance.address.as_slice()))
    };
    match instance.origin {
        Origin::StandIn => "stand-in",
        Origin::Created => "factory",
        Origin::SetUp => "setUp",
        _ if id == InstanceId::MAIN => "main",
        _ if World::is_at_fixed_address(id, calls) => "address",
        _ if setup.deployments().any(is_argument) => "argument",
        _ => {
            let is_call = |step: &SetupStep| matches!(step, SetupStep::Call(_));
            if setup.steps().iter().any(is_call) { "setter" } else { "argument" }
        }
    }
}
