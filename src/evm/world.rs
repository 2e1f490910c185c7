//! A [`World`] is what a contract finds around it when a session starts: funded accounts with names, a moment in time,
//! and the libraries it is linked to. It is the same for every session of a build.

use super::{Call, Executor, Snapshot, Status, Target};
use crate::{
    code::Programs,
    compile::{Build, ContractId},
};
use alloy_primitives::{Address, Bytes, U256, address};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What an account is there for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Deploys the contract.
    Owner,
    /// Sends transactions.
    Sender,
}

/// Named accounts. None is zero, a precompile or a contract.
const ACCOUNTS: [(&str, Address, Role); 4] = [
    ("owner", address!("0x000000000000000000000000000000000000f00d"), Role::Owner),
    ("alice", address!("0x00000000000000000000000000000000000a11ce"), Role::Sender),
    ("bob", address!("0x0000000000000000000000000000000000000b0b"), Role::Sender),
    ("carol", address!("0x00000000000000000000000000000000000ca401"), Role::Sender),
];

/// Deploys libraries, and nothing else.
const LIBRARIAN: Address = address!("0x000000000000000000000000000000000011b4a4");

/// What every named account owns at the start: a million ether, in wei.
pub const WEALTH: U256 = U256::from_limbs([0x1bce_cced_a100_0000, 0xd3c2, 0, 0]);

/// A point on the chain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// Seconds since the epoch.
    pub timestamp: u64,
    /// Block number.
    pub number: u64,
}

/// Where every session starts: a time and a height of late 2023.
pub const START: Moment = Moment { timestamp: 1_700_000_000, number: 18_500_000 };

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
}

/// Accounts, libraries and the contract's creation code linked to them.
#[derive(Debug)]
pub struct World {
    /// The state before the contract is deployed.
    pub genesis: Snapshot,
    /// The contract's creation code, linked.
    pub creation: Bytes,
    names: BTreeMap<Address, String>,
}

impl World {
    /// The world for one contract of a build.
    pub fn new(build: &Build, programs: &Arc<Programs>, contract: ContractId) -> Result<Self, WorldError> {
        let mut genesis = Snapshot::empty(START);
        for (_, address, _) in ACCOUNTS {
            genesis.fund(address, WEALTH);
        }
        genesis.fund(LIBRARIAN, WEALTH);
        let mut names: BTreeMap<Address, String> =
            ACCOUNTS.iter().map(|(name, address, _)| (*address, (*name).to_owned())).collect();
        let mut linker = Linker { build, programs, addresses: BTreeMap::new() };
        linker.link(contract, &mut genesis, &mut BTreeSet::new())?;
        names.extend(linker.addresses.iter().map(|((_, name), address)| (*address, name.clone())));
        let creation = build.contract(contract).creation.linked(&linker.addresses);
        Ok(Self { genesis, creation, names })
    }

    /// Who deploys.
    pub fn owner() -> Address {
        ACCOUNTS[0].1
    }

    /// Everyone who may send a transaction, the owner included.
    pub fn senders() -> Vec<Address> {
        ACCOUNTS.iter().map(|(_, address, _)| *address).collect()
    }

    /// The name of an account of the world.
    pub fn name(&self, address: Address) -> Option<&str> {
        self.names.get(&address).map(String::as_str)
    }
}

struct Linker<'a> {
    build: &'a Build,
    programs: &'a Arc<Programs>,
    addresses: BTreeMap<(String, String), Address>,
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
            let call = Call { sender: LIBRARIAN, target: Target::Create(code), value: U256::ZERO, moment: START };
            let outcome = executor.run(state, &call);
            match (outcome.status, outcome.created) {
                (Status::Success, Some(address)) => {
                    *state = executor.commit();
                    self.addresses.insert(key, address);
                }
                (status, _) => {
                    return Err(WorldError::Library { name: link.library.clone(), why: format!("{status:?}") });
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_zero_or_a_precompile_and_wealth_is_a_million_ether() {
        for (name, address, _) in ACCOUNTS {
            assert!(U256::from_be_slice(address.as_slice()) > U256::from(0x200), "{name}");
        }
        assert_eq!(WEALTH, U256::from(1_000_000) * U256::from(10).pow(U256::from(18)));
    }
}
