//! A [`Blueprint`] says what an instance of a world is made of.

use super::stand_in;
use crate::{
    compile::{Build, ContractId},
    input::{InstanceId, Origin},
};
use alloy_primitives::{Address, Bytes, hex};
use std::collections::BTreeMap;

/// The code of a minimal proxy before and after the address of its implementation (EIP-1167).
const MINIMAL_PROXY: [&[u8]; 2] = [&hex!("363d3d373d3d3d363d73"), &hex!("5af43d82803e903d91602b57fd5bf3")];
/// The code that deploys a proxy (ERC-1967), before and after the address of its implementation. It stores the implementation where
/// upgrades look for it, and delegates everything to what is stored there:
///
/// ```text
/// sstore(IMPLEMENTATION, implementation)      // then the rest is returned as code:
/// calldatacopy(0, 0, calldatasize)
/// success := delegatecall(gas, sload(IMPLEMENTATION), 0, calldatasize, 0, 0)
/// returndatacopy(0, 0, returndatasize)
/// if success { return(0, returndatasize) } else { revert(0, returndatasize) }
/// ```
const PROXY_CREATION: [&[u8]; 2] = [
    &hex!("73"),
    &hex!(
        "7f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc5560438060426000396000f3"
        "366000600037600060003660007f360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc545af4"
        "3d600060003e603e573d6000fd5b3d6000f3"
    ),
];

/// What an instance is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blueprint {
    /// A contract of the build.
    Contract(ContractId),
    /// A stand-in for a contract of this type that the build does not have.
    StandIn(String),
    /// A proxy that delegates to an instance.
    Proxy {
        /// The instance.
        implementation: InstanceId,
        /// The contract of that instance.
        contract: ContractId,
        /// The contract of the build that delegates; none for a plain proxy (ERC-1967).
        by: Option<ContractId>,
    },
    /// A contract of the build that runs the code of an instance in its own place.
    Delegator {
        /// The contract.
        contract: ContractId,
        /// The instance whose code it runs.
        implementation: InstanceId,
    },
    /// A contract of the build that another instance creates.
    Created(ContractId),
    /// A contract of the build that the `setUp()` of a test contract creates.
    SetUp(ContractId),
}

impl Blueprint {
    /// The contract that it is used as; none for a stand-in.
    pub fn contract(&self) -> Option<ContractId> {
        match self {
            Self::Contract(contract)
            | Self::Proxy { contract, .. }
            | Self::Delegator { contract, .. }
            | Self::Created(contract)
            | Self::SetUp(contract) => Some(*contract),
            Self::StandIn(_) => None,
        }
    }

    /// The instance whose code it runs in its own place.
    pub(super) fn implementation(&self) -> Option<InstanceId> {
        match self {
            Self::Proxy { implementation, .. } | Self::Delegator { implementation, .. } => Some(*implementation),
            Self::Contract(_) | Self::StandIn(_) | Self::Created(_) | Self::SetUp(_) => None,
        }
    }

    /// The contracts whose code it runs.
    pub fn code(&self) -> impl Iterator<Item = ContractId> {
        let by = match self {
            Self::Proxy { by, .. } => *by,
            _ => None,
        };
        self.contract().into_iter().chain(by)
    }

    /// The contract whose creation code deploys it; none if that is not of the build.
    pub fn deployed(&self) -> Option<ContractId> {
        match self {
            Self::Contract(contract) | Self::Delegator { contract, .. } => Some(*contract),
            Self::Proxy { by, .. } => *by,
            Self::StandIn(_) | Self::Created(_) | Self::SetUp(_) => None,
        }
    }

    /// How such an instance comes to be.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Contract(_) | Self::Delegator { .. } => Origin::Deployed,
            Self::StandIn(_) => Origin::StandIn,
            Self::Proxy { implementation, .. } => Origin::Proxy(*implementation),
            Self::Created(_) => Origin::Created,
            Self::SetUp(_) => Origin::SetUp,
        }
    }

    /// The creation code, linked to the libraries at these addresses.
    pub(super) fn creation(
        &self,
        build: &Build,
        libraries: &BTreeMap<(String, String), Address>,
        address_of: &dyn Fn(InstanceId) -> Address,
    ) -> Bytes {
        match self {
            Self::Contract(contract) | Self::Delegator { contract, .. } | Self::Proxy { by: Some(contract), .. } => {
                build.contract(*contract).creation.linked(libraries)
            }
            Self::StandIn(_) => stand_in::creation(),
            Self::Proxy { implementation, by: None, .. } => proxy_creation(address_of(*implementation)),
            Self::Created(_) | Self::SetUp(_) => Bytes::new(),
        }
    }
}

/// The implementation that a minimal proxy with this code delegates to; none if it is other code.
pub fn minimal_proxy_of(code: &[u8]) -> Option<Address> {
    let rest = code.strip_prefix(MINIMAL_PROXY[0])?;
    (rest.get(20..)? == MINIMAL_PROXY[1]).then(|| Address::from_slice(&rest[..20]))
}

/// The creation code of a proxy for the implementation at an address.
fn proxy_creation(implementation: Address) -> Bytes {
    let [before, after] = PROXY_CREATION;
    [before, implementation.as_slice(), after].concat().into()
}

/// Whether code holds a part of a minimal proxy, and so may clone: compilers and libraries split the rest in several ways.
pub(super) fn holds_minimal_proxy(code: &[u8]) -> bool {
    MINIMAL_PROXY.iter().any(|part| code.windows(part.len()).any(|window| window == *part))
}
