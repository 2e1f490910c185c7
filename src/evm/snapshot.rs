//! A [`Snapshot`] is the state of a chain at one moment. It is cheap to copy and to branch from: accounts are shared
//! until one of the copies changes them.

use super::Moment;
use alloy_primitives::{Address, B256, Bytes, U256, map::HashMap};
use revm::{
    bytecode::Bytecode,
    database_interface::Database,
    primitives::{StorageKey, StorageValue},
    state::{AccountInfo, EvmState},
};
use std::{convert::Infallible, sync::Arc};

/// One account.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Account {
    info: AccountInfo,
    storage: Arc<HashMap<U256, U256>>,
}

impl Account {
    fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        let shares_storage = other.is_some_and(|other| Arc::ptr_eq(&self.storage, &other.storage));
        let storage = if shares_storage { 0 } else { table_bytes::<(U256, U256)>(self.storage.capacity()) };
        let same_code = other.is_some_and(|other| other.info.code_hash == self.info.code_hash);
        let code = self.info.code.as_ref().filter(|_| !same_code).map_or(0, Bytecode::len);
        // Code comes with a bit for each of its bytes: where it can be jumped to.
        size_of::<Self>() as u64 + storage + (code + code / 8) as u64
    }
}

/// What a hash table takes: a power of two of places, of which seven in eight may be filled, and a byte beside each.
fn table_bytes<T>(capacity: usize) -> u64 {
    if capacity == 0 { 0 } else { (capacity * 8 / 7).next_power_of_two() as u64 * (size_of::<T>() as u64 + 1) }
}

/// State at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    accounts: Arc<HashMap<Address, Arc<Account>>>,
    moment: Moment,
}

impl Snapshot {
    /// Nothing but a moment.
    pub fn empty(moment: Moment) -> Self {
        Self { accounts: Arc::default(), moment }
    }

    /// When it is.
    pub fn moment(&self) -> Moment {
        self.moment
    }

    /// The balance of an account, in wei.
    pub fn balance(&self, address: Address) -> U256 {
        self.accounts.get(&address).map_or(U256::ZERO, |account| account.info.balance)
    }

    /// The value of a storage slot.
    pub fn slot(&self, address: Address, slot: U256) -> U256 {
        self.accounts.get(&address).and_then(|account| account.storage.get(&slot).copied()).unwrap_or_default()
    }

    /// Slots that differ between two snapshots: `(address, slot, here, there)`, sorted.
    pub fn changes(&self, other: &Self) -> Vec<(Address, U256, U256, U256)> {
        let mut changes = Vec::new();
        for (address, there) in other.accounts.iter() {
            let here = self.accounts.get(address);
            if here.is_some_and(|here| Arc::ptr_eq(here, there)) {
                continue;
            }
            let slots = there.storage.keys().chain(here.iter().flat_map(|here| here.storage.keys()));
            for slot in slots {
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

    /// The same with another word in one slot: a state that no transaction may ever lead to.
    #[must_use]
    pub fn with_slot(&self, address: Address, slot: U256, word: U256) -> Self {
        let mut accounts = self.accounts.clone();
        let account = Arc::make_mut(Arc::make_mut(&mut accounts).entry(address).or_default());
        Arc::make_mut(&mut account.storage).insert(slot, word);
        Self { accounts, moment: self.moment }
    }

    /// The same with another balance in one account.
    #[must_use]
    pub fn with_balance(&self, address: Address, balance: U256) -> Self {
        let mut accounts = self.accounts.clone();
        let account = Arc::make_mut(Arc::make_mut(&mut accounts).entry(address).or_default());
        account.info.balance = balance;
        Self { accounts, moment: self.moment }
    }

    /// The same with this code in one account.
    #[must_use]
    pub fn with_code(&self, address: Address, code: Bytes) -> Self {
        let code = Bytecode::new_raw(code);
        let mut accounts = self.accounts.clone();
        let account = Arc::make_mut(Arc::make_mut(&mut accounts).entry(address).or_default());
        account.info.code_hash = code.hash_slow();
        account.info.code = Some(code);
        Self { accounts, moment: self.moment }
    }

    /// About how many bytes this holds that `other` does not hold too: what both share is counted with the other.
    pub fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        if other.is_some_and(|other| Arc::ptr_eq(&self.accounts, &other.accounts)) {
            return 0;
        }
        let accounts = self.accounts.iter().map(|(address, account)| {
            let before = other.and_then(|other| other.accounts.get(address));
            match before {
                Some(before) if Arc::ptr_eq(before, account) => 0,
                _ => account.bytes_beside(before.map(Arc::as_ref)),
            }
        });
        table_bytes::<(Address, Arc<Account>)>(self.accounts.capacity()) + accounts.sum::<u64>()
    }

    /// The state after what `changes` describes, at `moment`.
    pub(super) fn with(&self, changes: EvmState, moment: Moment) -> Self {
        let mut accounts = self.accounts.clone();
        for (address, change) in changes {
            if !change.is_touched() {
                continue;
            }
            let accounts = Arc::make_mut(&mut accounts);
            if change.is_selfdestructed() {
                accounts.remove(&address);
                continue;
            }
            let account = Arc::make_mut(accounts.entry(address).or_default());
            account.info = change.info;
            if change.status.contains(revm::state::AccountStatus::Created) {
                account.storage = Arc::default();
            }
            let mut changed =
                change.storage.iter().filter(|(_, slot)| slot.present_value != slot.original_value).peekable();
            if changed.peek().is_some() {
                let storage = Arc::make_mut(&mut account.storage);
                for (key, slot) in changed {
                    if slot.present_value.is_zero() {
                        storage.remove(key);
                    } else {
                        storage.insert(*key, slot.present_value);
                    }
                }
            }
        }
        Self { accounts, moment }
    }
}

impl Database for Snapshot {
    type Error = Infallible;

    fn basic(&mut self, address: Address) -> Result<Option<AccountInfo>, Infallible> {
        Ok(self.accounts.get(&address).map(|account| account.info.clone()))
    }

    fn code_by_hash(&mut self, hash: B256) -> Result<Bytecode, Infallible> {
        let account = self.accounts.values().find(|account| account.info.code_hash == hash);
        Ok(account.and_then(|account| account.info.code.clone()).unwrap_or_default())
    }

    fn storage(&mut self, address: Address, slot: StorageKey) -> Result<StorageValue, Infallible> {
        Ok(self.slot(address, slot))
    }

    fn block_hash(&mut self, number: u64) -> Result<B256, Infallible> {
        Ok(alloy_primitives::keccak256(number.to_be_bytes()))
    }
}
