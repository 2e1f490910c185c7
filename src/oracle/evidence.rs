//! [`Evidence`] is what the caller of a contract can observe of a defect. The fuzzer sees every frame, but a regression test
//! sees only what a call returns and what cheatcodes record. The oracle chooses the evidence; the layers above know how a test
//! checks it.

use crate::{
    evm::{Call, CallNode, Failure, Moment, Outcome, SlotWrite, Snapshot},
    harness::Harness,
    input::{InstanceId, Transaction},
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// The observable sign of a defect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Evidence {
    /// The call reverts with `Panic(code)`.
    Reverts(u64),
    /// A call inside of it does, and the contract hides that. The same call, made alone afterwards, does so again.
    RevertsInside(u64),
    /// It consumes nearly all the gas that it gets, as INVALID does.
    Burns,
    /// It logs `AssertionFailed`.
    Logs,
    /// It writes something into this slot.
    Writes(U256),
    /// It leaves this word, the result of arithmetic that went around.
    Stores(StoredWord),
    /// It leaves this word, which the same calls without re-entry do not.
    Keeps(StoredWord),
    /// It logs this word, the result of arithmetic that went around, or what is computed from it.
    Says(U256),
    /// It leaves an account with so much ether, in wei, because arithmetic went around.
    Leaves(Address, U256),
    /// It pays a contract whose code has so few instructions that may send ether, all of them calls and creations that send none.
    Freezes(usize),
    /// It has other code write this slot of an instance, which the instance's own code uses.
    Shares(InstanceId, U256),
    /// It runs the code of this account by DELEGATECALL or CALLCODE.
    Delegates(Address),
    /// It destroys a contract.
    Destroys,
    /// Users, one or two, have more ether afterwards than they began with.
    Gains(Address, Option<Address>),
    /// It succeeds although whoever is called refuses.
    Unnoticed(Address),
    /// It reverts, although there are calls for it to come through.
    Refused,
    /// In another block it pays somebody else.
    Moved {
        /// The other block.
        moment: Moment,
        /// Who is paid in one of the two only.
        who: Address,
        /// The call that returns their tokens, if they are paid in tokens.
        tokens: Option<Getter>,
    },
    /// It is a property that does not hold.
    Broken(Expected),
    /// What it returns shows that a stored word is read as another variable.
    Reads(StoredRead),
    /// Another call returns something else afterwards: a variable that the call does not name.
    Alters(Getter),
    /// Another call returns something else afterwards: the tokens of a user.
    GainsTokens(Getter),
    /// While it is open, another call returns what it returns neither before nor afterwards.
    Tells(Getter),
}

/// A word in the storage of an instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredWord {
    /// Whose storage.
    pub instance: InstanceId,
    /// Which slot.
    pub slot: U256,
    /// The word.
    pub word: U256,
}

/// A call that returns a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Getter {
    /// Whom it asks.
    pub instance: InstanceId,
    /// The selector of its function.
    pub selector: [u8; 4],
    /// The word that it takes, if it takes one.
    pub key: Option<U256>,
}

/// How a property ends that holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    /// It succeeds.
    Success,
    /// It returns `true`.
    True,
    /// It reverts.
    Revert,
}

/// A word that a test stores before the last call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoredRead {
    /// The slot of the contract.
    pub slot: U256,
    /// The slot with the length of a list that has to have an item.
    pub list: Option<U256>,
    /// The word.
    pub word: U256,
    /// What must hold of the result.
    pub compared: Compared,
}

/// What must hold of the result of a call after a word was stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compared {
    /// It is the same with this word.
    With(U256),
    /// It is this word.
    Output(U256),
}

/// The last call of a finding's sequence (of its setup, if there is no other), run once more in detail.
#[derive(Debug)]
pub struct Replay<'a> {
    /// The contract with its world.
    pub harness: &'a Harness,
    /// Whether the call is the deployment.
    pub is_deployment: bool,
    /// How the call ended.
    pub outcome: Outcome,
    /// The calls in it, its own first.
    pub calls: Vec<CallNode>,
    /// Its failures.
    pub failures: Vec<Failure>,
    /// The words that it stored.
    pub writes: Vec<SlotWrite>,
    /// The state before it.
    pub before: Snapshot,
    /// The state after it.
    pub after: Snapshot,
    /// The call itself.
    pub call: Call,
    /// The same as a transaction; none for the deployment.
    pub transaction: Option<Transaction>,
    /// The slots that contracts' own code read or wrote, in this call and those before it, each with its account.
    pub own_slots: BTreeSet<(Address, U256)>,
}
