//! A [`Snapshot`] is the state of a chain at one moment. It is cheap to copy: accounts are shared until one of the copies
//! changes them.

use super::{
    account_state::AccountState,
    cheats::{
        CHEATCODE_ADDRESS, CONSOLE_ADDRESS, CREATE2_FACTORY, CREATE2_FACTORY_CODE, CheatState, DEFAULT_SENDER,
        FAILED_SLOT, TEST_ADDRESS, TEST_BALANCE,
    },
    moment::Moment,
    scripted::Scripted,
    shared_map::SharedMap,
};
use alloy_primitives::{Address, B256, Bytes, KECCAK256_EMPTY, U256};
use revm::{
    bytecode::Bytecode,
    database_interface::Database,
    primitives::{StorageKey, StorageValue},
    state::{AccountInfo, EvmState},
};
use std::{convert::Infallible, sync::Arc};

/// State at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    accounts: SharedMap<Address, Arc<AccountState>>,
    moment: Moment,
    created: Option<Arc<Created>>,
    /// What cheatcodes keep; none where they kept nothing.
    cheats: Option<Arc<CheatState>>,
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
        Self { accounts: SharedMap::default(), moment, created: None, cheats: None }
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

    /// The hash of the code of an account; that of no code if there is none.
    pub fn code_hash(&self, address: Address) -> B256 {
        self.accounts.get(&address).map_or(KECCAK256_EMPTY, |account| account.info.code_hash)
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

    /// Whether one of these slots holds another word in the other state.
    pub fn differs_at(&self, other: &Self, slots: impl IntoIterator<Item = (Address, U256)>) -> bool {
        slots.into_iter().any(|(address, slot)| self.slot(address, slot) != other.slot(address, slot))
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
        self.with_account(address, |account| account.set_code(code.into()))
    }

    /// The same with the account of a person that is a contract.
    pub(super) fn with_scripted(&self, scripted: &Scripted) -> Self {
        self.with_account(scripted.account, |account| {
            account.set_code(scripted.code.clone());
            scripted.storage.iter().for_each(|(slot, word)| account.storage.insert(*slot, *word));
        })
    }

    /// The same with one account changed.
    fn with_account(&self, address: Address, change: impl FnOnce(&mut AccountState)) -> Self {
        let mut accounts = self.accounts.share();
        let mut account = accounts.get(&address).map_or_else(AccountState::default, |account| account.share());
        change(&mut account);
        accounts.insert(address, Arc::new(account));
        Self { accounts, moment: self.moment, created: self.created.clone(), cheats: self.cheats.clone() }
    }

    /// The approximate number of bytes that this holds and `other` does not: shared data counts with `other`.
    pub fn bytes_beside(&self, other: Option<&Self>) -> u64 {
        let shares_cheats = other.and_then(|other| other.cheats.as_ref()).zip(self.cheats.as_ref());
        let is_shared = shares_cheats.is_some_and(|(one, other)| Arc::ptr_eq(one, other));
        let cheats = self.cheats.as_ref().filter(|_| !is_shared).map_or(0, |cheats| cheats.bytes());
        if other.is_some_and(|other| self.accounts.is_same(&other.accounts)) {
            return cheats;
        }
        let accounts = self.accounts.iter().map(|(address, account)| {
            let before = other.and_then(|other| other.accounts.get(address));
            match before {
                Some(before) if Arc::ptr_eq(before, account) => 0,
                _ => account.bytes_beside(before.map(Arc::as_ref)),
            }
        });
        self.accounts.own_bytes() + accounts.sum::<u64>() + cheats
    }

    /// The state that forge's tests begin in: block 1 at second 1, a sender with ether, the cheatcodes' account and the console's, and the
    /// contract that deploys for others by CREATE2. The test contract is deployed from [`DEFAULT_SENDER`] at [`TEST_ADDRESS`].
    pub fn for_tests() -> Self {
        Self::empty(Moment::new(1, 1))
            .with_cheatcodes()
            .with_code(CREATE2_FACTORY, Bytes::from_static(CREATE2_FACTORY_CODE))
            .with_balance(TEST_ADDRESS, TEST_BALANCE)
            .with_account(DEFAULT_SENDER, |account| (account.info.balance, account.info.nonce) = (TEST_BALANCE, 1))
    }

    /// The same with a byte of code at the accounts of cheatcodes and of the console, as callers look for code before they call.
    #[must_use]
    pub fn with_cheatcodes(&self) -> Self {
        let code = Bytes::from_static(&[0]);
        self.with_code(CHEATCODE_ADDRESS, code.clone()).with_code(CONSOLE_ADDRESS, code)
    }

    /// Whether a test noted that it failed.
    pub fn has_failed(&self) -> bool {
        !self.slot(CHEATCODE_ADDRESS, FAILED_SLOT).is_zero()
    }

    /// The name of an account, if a test gave it one.
    pub fn label(&self, address: Address) -> Option<&str> {
        self.cheats.as_ref()?.labels.get(&address).map(String::as_str)
    }

    /// What cheatcodes keep.
    pub(super) fn cheats(&self) -> Option<&Arc<CheatState>> {
        self.cheats.as_ref()
    }

    /// The same with what cheatcodes keep now.
    pub(super) fn with_cheats(mut self, cheats: Option<Arc<CheatState>>) -> Self {
        self.cheats = cheats;
        self
    }

    /// Its accounts, to be kept for a test that goes back to them.
    pub(super) fn accounts(&self) -> &SharedMap<Address, Arc<AccountState>> {
        &self.accounts
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
        Self { accounts, moment, created, cheats: self.cheats.clone() }
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
        Ok(block_hash(number))
    }
}

/// The hash of a block, which nobody made.
pub(crate) fn block_hash(number: u64) -> B256 {
    alloy_primitives::keccak256(number.to_be_bytes())
}
