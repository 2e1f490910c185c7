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
/// The code that deploys a minimal proxy, in front of it.
const MINIMAL_PROXY_CREATION: &[u8] = &hex!("3d602d80600a3d3981f3");

/// What an instance is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blueprint {
    /// A contract of the build.
    Contract(ContractId),
    /// A stand-in for a contract of this type that the build does not have.
    StandIn(String),
    /// A minimal proxy that delegates to an instance, which is of this contract.
    Proxy(InstanceId, ContractId),
    /// A contract of the build that another instance creates.
    Created(ContractId),
}

impl Blueprint {
    /// The contract whose code it runs; none for a stand-in.
    pub fn contract(&self) -> Option<ContractId> {
        match self {
            Self::Contract(contract) | Self::Proxy(_, contract) | Self::Created(contract) => Some(*contract),
            Self::StandIn(_) => None,
        }
    }

    /// How such an instance comes to be.
    pub(super) fn origin(&self) -> Origin {
        match self {
            Self::Contract(_) => Origin::Deployed,
            Self::StandIn(_) => Origin::StandIn,
            Self::Proxy(implementation, _) => Origin::Proxy(*implementation),
            Self::Created(_) => Origin::Created,
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
            Self::Contract(contract) => build.contract(*contract).creation.linked(libraries),
            Self::StandIn(_) => stand_in::creation(),
            Self::Proxy(implementation, _) => proxy_creation(address_of(*implementation)),
            Self::Created(_) => Bytes::new(),
        }
    }
}

/// The implementation that a minimal proxy with this code delegates to; none if it is other code.
pub fn minimal_proxy_of(code: &[u8]) -> Option<Address> {
    let rest = code.strip_prefix(MINIMAL_PROXY[0])?;
    (rest.get(20..)? == MINIMAL_PROXY[1]).then(|| Address::from_slice(&rest[..20]))
}

/// The creation code of a minimal proxy for the implementation at an address.
fn proxy_creation(implementation: Address) -> Bytes {
    let [before, after] = MINIMAL_PROXY;
    [MINIMAL_PROXY_CREATION, before, implementation.as_slice(), after].concat().into()
}

/// Whether code holds a part of a minimal proxy, and so may clone: compilers and libraries split the rest in several ways.
pub(super) fn holds_minimal_proxy(code: &[u8]) -> bool {
    MINIMAL_PROXY.iter().any(|part| code.windows(part.len()).any(|window| window == *part))
}
