//! Sequences for a contract, of what another fuzzer did to it in a world of its own: there the people and the contract have other
//! addresses.

use super::foreign_call::ForeignCall;
use crate::{
    harness::Harness,
    input::{EnvStep, InstanceId, Sequence, Transaction, addresses_mut, generate::MAX_SECONDS},
    world::users,
};
use alloy_primitives::{Address, address};
use std::collections::{BTreeMap, BTreeSet};

/// Who deploys in the worlds of Echidna and Medusa, where their configuration does not say.
pub(super) const DEPLOYER: Address = address!("0x0000000000000000000000000000000000030000");

/// How calls of another fuzzer's world become transactions of the world of one contract. Senders that are not in this world become
/// people who are, always the same ones.
#[derive(Debug)]
pub struct Adoption<'a> {
    harness: &'a Harness,
    /// The address here of each address there.
    people: BTreeMap<Address, Address>,
}

/// A sequence, and how well it fits; of the contracts of a project, the one that it fits best is the one that it was made for.
#[derive(Debug, Clone, PartialEq)]
pub struct Adopted {
    /// The sequence.
    pub sequence: Sequence,
    /// The rank of its fit.
    pub fit: Fit,
}

/// How well calls fit into a world, the best first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fit {
    /// Calls that no contract of the world takes.
    pub left_out: usize,
    /// Calls of an address where nobody is.
    moved: usize,
    /// Calls of other contracts than the main one.
    beside: usize,
}

impl<'a> Adoption<'a> {
    /// The way from a world in which these people send to that of a harness.
    pub fn new(harness: &'a Harness, senders: &BTreeSet<Address>) -> Self {
        let here = harness.senders();
        let deployer =
            harness.setup.main().map(|deployment| deployment.sender).filter(|deployer| here.contains(deployer));
        let users: Vec<Address> = users().filter(|user| here.contains(user)).collect();
        let others = if users.is_empty() { here.clone() } else { users };
        let strangers = senders.iter().filter(|sender| !here.contains(sender));
        let mut in_turn = others.into_iter().cycle();
        let person = |sender: &Address| {
            let deployer = deployer.filter(|_| *sender == DEPLOYER);
            Some((*sender, deployer.or_else(|| in_turn.next())?))
        };
        Self { harness, people: strangers.filter_map(person).collect() }
    }

    /// The sequence of these calls; none if no contract of this world takes any of them.
    pub fn adopt(&self, calls: &[ForeignCall]) -> Option<Adopted> {
        let mut fit = Fit::default();
        let mut transactions = Vec::new();
        // Time that passes before a call that is left out passes before the next one.
        let mut waited = (0_u64, 0_u64);
        for call in calls {
            waited = (waited.0.saturating_add(call.seconds), waited.1.saturating_add(call.blocks));
            match self.transaction(call, &mut fit) {
                Some(transaction) => {
                    let env = self.step(std::mem::take(&mut waited));
                    transactions.push(Transaction { env, ..transaction });
                }
                None => fit.left_out += 1,
            }
        }
        let sequence = Sequence { setup: self.harness.setup.clone(), transactions };
        (!sequence.transactions.is_empty()).then_some(Adopted { sequence, fit })
    }

    fn transaction(&self, call: &ForeignCall, fit: &mut Fit) -> Option<Transaction> {
        let ForeignCall { sender, target, calldata, value, .. } = call;
        let calls = &self.harness.calls;
        let known = calls.at(*target);
        let takes = |id: &InstanceId| {
            let selector = calldata.first_chunk::<4>();
            selector.is_some_and(|selector| calls.instance(*id).interface.by_selector(*selector).is_some())
        };
        let ids = || (0..).map(InstanceId).take(calls.instances().len());
        let id = known.or_else(|| ids().find(takes)).unwrap_or(InstanceId::MAIN);
        let mut transaction = Transaction::decode(calldata, id, calls).ok()?;
        fit.moved += usize::from(known.is_none());
        fit.beside += usize::from(id != InstanceId::MAIN);
        for address in transaction.arguments.iter_mut().flat_map(addresses_mut) {
            let is_contract = *address == *target && known.is_none();
            *address = if is_contract { calls.instance(id).address } else { self.person(*address) };
        }
        transaction.sender = self.person(*sender);
        if calls.rules().bare.is_none() && calls.function(transaction.call).is_payable() {
            transaction.value = *value;
        }
        Some(transaction)
    }

    /// A step that a chain can take, of at most as much time as this world has.
    fn step(&self, (mut seconds, mut blocks): (u64, u64)) -> EnvStep {
        if let Some(most) = self.harness.calls.rules().bare {
            (seconds, blocks) = (seconds.min(most.seconds), blocks.min(most.blocks));
        }
        if seconds == 0 && blocks == 0 {
            return EnvStep::default();
        }
        let (seconds, blocks) = (seconds.clamp(1, MAX_SECONDS), blocks.clamp(1, MAX_SECONDS / EnvStep::BLOCK_TIME));
        EnvStep { seconds, blocks, ..EnvStep::default() }
    }

    fn person(&self, address: Address) -> Address {
        self.people.get(&address).copied().unwrap_or(address)
    }
}
