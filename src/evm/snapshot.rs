//! A [`Snapshot`] is the state of a chain at one moment. It is cheap to copy: accounts are shared until one of the copies
//! changes them.

use super::{moment::Moment, shared_map::SharedMap};
use alloy_primitives::{Address, B256, Bytes, U256};
use revm::{
    bytecode::Bytecode,
    database_interface::Database,
    primitives::{StorageKey, StorageValue},
    state::{AccountInfo, EvmState},
};
use std::{convert::Infallible, sync::Arc};

/// One account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct AccountState {
    info: AccountInfo,
    storage: SharedMap<U256, U256>,
}

impl AccountState {
    /// A copy to be changed.
    fn share(&self) -> Self {
        Self { info: self.info.clone(), storage: self.storage.share() }
    }

    fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        let shares_storage = other.is_some_and(|other| self.storage.is_same(&other.storage));
        let storage = if shares_storage { 0 } else { self.storage.own_bytes() };
        let same_code = other.is_some_and(|other| other.info.code_hash == self.info.code_hash);
        let code = self.info.code.as_ref().filter(|_| !same_code).map_or(0, Bytecode::len);
        // The jump table of code takes one bit for each of its bytes.
        size_of::<Self>() as u64 + storage + (code + code / 8) as u64
    }
}

/// State at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    accounts: SharedMap<Address, Arc<AccountState>>,
    moment: Moment,
    created: Option<Arc<Created>>,
}

/// A contract that a run created, and those before it.
#[derive(Debug, PartialEq)]
struct Created {
    address: Address,
    earlier: Option<Arc<Self>>,
    count: usize,
}

/// Created contracts that a state lists at most; chosen by hand. A factory may create without end.
const MAX_CREATED: usize = 64;

impl Snapshot {
    /// The empty state at a moment.
    pub fn empty(moment: Moment) -> Self {
        Self { accounts: SharedMap::default(), moment, created: None }
    }

    /// The moment.
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The contracts that runs created and that are still there, the latest first, as far as they are listed.
    pub fn created(&self) -> impl Iterator<Item = Address> {
        let all = std::iter::successors(self.created.as_deref(), |created| created.earlier.as_deref());
        all.map(|created| created.address).filter(|address| self.has_code(*address))
    }

    /// Whether the two list the same created contracts.
    pub fn has_created_the_same(&self, other: &Self) -> bool {
        match (&self.created, &other.created) {
            (Some(own), Some(others)) => Arc::ptr_eq(own, others),
            (own, others) => own.is_none() && others.is_none(),
        }
    }

    /// Whether an account has code.
    pub fn has_code(&self, address: Address) -> bool {
        self.accounts.get(&address).is_some_and(|account| !account.info.is_empty_code_hash())
    }

    /// The code of an account.
    pub fn code(&self, address: Address) -> Bytes {
        let code = self.accounts.get(&address).and_then(|account| account.info.code.as_ref());
        code.map(Bytecode::original_bytes).unwrap_or_default()
    }

    /// The balance of an account, in wei.
    pub fn balance(&self, address: Address) -> U256 {
        self.accounts.get(&address).map_or(U256::ZERO, |account| account.info.balance)
    }

    /// The value of a storage slot.
    pub fn slot(&self, address: Address, slot: U256) -> U256 {
        self.accounts.get(&address).and_then(|account| account.storage.get(&slot).copied()).unwrap_or_default()
    }

    /// The words that an account stores, other than zero, in no order.
    pub fn words(&self, address: Address) -> impl Iterator<Item = U256> {
        self.accounts.get(&address).into_iter().flat_map(|account| account.storage.iter().map(|(_, word)| *word))
    }

    /// Slots that differ between two snapshots: `(address, slot, here, there)`, sorted.
    pub fn changes(&self, other: &Self) -> Vec<(Address, U256, U256, U256)> {
        let mut changes = Vec::new();
        for (address, there) in other.accounts.iter() {
            let here = self.accounts.get(address);
            if here.is_some_and(|here| Arc::ptr_eq(here, there)) {
                continue;
            }
            let slots = there.storage.iter().chain(here.iter().flat_map(|here| here.storage.iter()));
            for (slot, _) in slots {
                let (before, after) = (self.slot(*address, *slot), other.slot(*address, *slot));
                if before != after {
                    changes.push((*address, *slot, before, after));
                }
            }
        }
        changes.sort_unstable();
        changes.dedup();
        changes
    }

    /// The same state with another word in one slot. No transaction need be able to reach it.
    #[must_use]
    pub fn with_slot(&self, address: Address, slot: U256, word: U256) -> Self {
        self.with_account(address, |account| account.storage.insert(slot, word))
    }

    /// The same with another balance in one account.
    #[must_use]
    pub fn with_balance(&self, address: Address, balance: U256) -> Self {
        self.with_account(address, |account| account.info.balance = balance)
    }

    /// The same with this code in one account.
    #[must_use]
    pub fn with_code(&self, address: Address, code: Bytes) -> Self {
        let code = Bytecode::new_raw(code);
        self.with_account(address, |account| {
            account.info.code_hash = code.hash_slow();
            account.info.code = Some(code);
        })
    }

    /// The same with one account changed.
    fn with_account(&self, address: Address, change: impl FnOnce(&mut AccountState)) -> Self {
        let mut accounts = self.accounts.share();
        let mut account = accounts.get(&address).map_or_else(AccountState::default, |account| account.share());
        change(&mut account);
        accounts.insert(address, Arc::new(account));
        Self { accounts, moment: self.moment, created: self.created.clone() }
    }

    /// The approximate number of bytes that this holds and `other` does not: shared data counts with `other`.
    pub fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        if other.is_some_and(|other| self.accounts.is_same(&other.accounts)) {
            return 0;
        }
        let accounts = self.accounts.iter().map(|(address, account)| {
            let before = other.and_then(|other| other.accounts.get(address));
            match before {
                Some(before) if Arc::ptr_eq(before, account) => 0,
                _ => account.bytes_beside(before.map(Arc::as_ref)),
            }
        });
        self.accounts.own_bytes() + accounts.sum::<u64>()
    }

    /// The state after what `changes` describes, at `moment`.
    pub(super) fn with(&self, changes: EvmState, moment: Moment) -> Self {
        let mut accounts = self.accounts.share();
        let mut new: Vec<Address> = Vec::new();
        for (address, change) in changes {
            if !change.is_touched() {
                continue;
            }
            if change.is_selfdestructed() {
                accounts.remove(&address);
                continue;
            }
            let mut account = accounts.get(&address).map_or_else(AccountState::default, |account| account.share());
            account.info = change.info;
            if change.status.contains(revm::state::AccountStatus::Created) {
                account.storage = SharedMap::default();
                new.push(address);
            }
            for (key, slot) in change.storage.iter().filter(|(_, slot)| slot.present_value != slot.original_value) {
                if slot.present_value.is_zero() {
                    account.storage.remove(key);
                } else {
                    account.storage.insert(*key, slot.present_value);
                }
            }
            accounts.insert(address, Arc::new(account));
        }
        // The journal is a map.
        new.sort_unstable();
        let mut created = self.created.clone();
        for address in new {
            let count = created.as_ref().map_or(0, |created| created.count) + 1;
            if count <= MAX_CREATED {
                created = Some(Arc::new(Created { address, earlier: created, count }));
            }
        }
        Self { accounts, moment, created }
    }
}

impl Database for Snapshot {
    type Error = Infallible;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Infallible> {
        Ok(self.accounts.get(&address).map(|account| account.info.clone()))
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, Infallible> {
        let account = self.accounts.iter().find(|(_, account)| account.info.code_hash == hash);
        Ok(account.and_then(|(_, account)| account.info.code.clone()).unwrap_or_default())
    }

    fn storage(&mut self, address: Address, slot: StorageKey) -> Result<StorageValue, Infallible> {
        Ok(self.slot(address, slot))
    }

    fn block_hash(&mut self, number: u64) -> Result<B256, Infallible> {
        Ok(alloy_primitives::keccak256(number.to_be_bytes()))
    }
}
