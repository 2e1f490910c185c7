//! The actors: everybody who sends transactions, each with a name, an address and a role.

use crate::evm::TEST_ADDRESS;
use alloy_primitives::{Address, U256, address};

/// The role of an actor. What only the deployer can do does not count as an attack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActorRole {
    /// Deploys the instances, and sends transactions.
    Deployer,
    /// Sends transactions.
    User,
}

/// Somebody who sends transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor {
    /// The name in stories and tests.
    pub name: &'static str,
    /// The address: never zero, a precompile or a contract.
    pub address: Address,
    /// Its role.
    pub role: ActorRole,
}

/// All accounts that send transactions, the deployer first.
pub const ACTORS: [Actor; 4] = [
    Actor { name: "owner", address: address!("0x000000000000000000000000000000000000f00d"), role: ActorRole::Deployer },
    Actor { name: "alice", address: address!("0x00000000000000000000000000000000000a11ce"), role: ActorRole::User },
    Actor { name: "bob", address: address!("0x0000000000000000000000000000000000000b0b"), role: ActorRole::User },
    Actor { name: "carol", address: address!("0x00000000000000000000000000000000000ca401"), role: ActorRole::User },
];

/// The contract of somebody who takes no part: it accepts every call, and does nothing. The code that a stranger tries to have run, and
/// who is to be paid.
pub const STRANGERS_CONTRACT: Address = address!("0x5712a49e72c0d8be41f6093bd52e7c18a0b3f9d4");

/// Its code: `STOP`.
pub(super) const CODE_OF_STRANGERS_CONTRACT: [u8; 1] = [0];

/// Whether this is an account that deploys: the actor, or a test contract.
pub fn is_deployer(account: Address) -> bool {
    account == TEST_ADDRESS || ACTORS.iter().any(|actor| actor.role == ActorRole::Deployer && actor.address == account)
}

/// The accounts of people without a role.
pub fn users() -> impl DoubleEndedIterator<Item = Address> + Clone {
    ACTORS.iter().filter(|actor| actor.role == ActorRole::User).map(|actor| actor.address)
}

/// Whether this is the account of somebody who sends transactions.
pub fn is_actor(account: Address) -> bool {
    ACTORS.iter().any(|actor| actor.address == account)
}

/// The balance of every named account at the start, in wei: a million ether, chosen by hand.
pub const INITIAL_BALANCE: U256 = U256::from_limbs([0x1bce_cced_a100_0000, 0xd3c2, 0, 0]);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_zero_or_a_precompile_and_wealth_is_a_million_ether() {
        for actor in ACTORS {
            assert!(U256::from_be_slice(actor.address.as_slice()) > U256::from(0x200), "{}", actor.name);
        }
        assert_eq!(INITIAL_BALANCE, U256::from(1_000_000) * U256::from(10).pow(U256::from(18)));
    }
}
