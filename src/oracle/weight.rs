//! The [`Weight`] of a violation: how serious it is at most, and why it is a defect. An oracle weighs a violation once, after it was
//! confirmed, by running its last call [otherwise](super::Trial).

use super::evidence::Expected;
use super::trial::{ComparedWord, Difference, Moved, Mover, OutOfOrder, Share, StatedComparison};
use crate::{
    code::Part,
    compile::SourceRange,
    evm::{Outcome, PlacedWrite, Preimage},
    input::Transaction,
    project::Level,
};
use alloy_primitives::{Address, U256};

/// How much a violation weighs.
#[derive(Debug, Clone, PartialEq)]
pub struct Weight {
    /// The most serious level at which it is told, whatever level the oracle has.
    pub most: Level,
    /// Why it is a defect.
    pub grounds: Grounds,
    /// Whether the same calls do not show it if none of them is made while another one is open.
    pub takes_call_back: bool,
    /// The transactions that show it best, if not those of the sequence: those of somebody without a role.
    pub attack: Option<Vec<Transaction>>,
}

/// Why a violation is a defect, or only worth knowing.
#[derive(Debug, Clone, PartialEq)]
pub enum Grounds {
    /// It is one whatever else may happen: a sentence that says why.
    Always(&'static str),
    /// What always holds does not: the comparison that decided had these two sides.
    Compared(ComparedWord, ComparedWord),
    /// What is stated is who calls: the two sides of the comparison, and the account that is accepted.
    RefusesSender {
        /// One of them is the sender.
        sides: [ComparedWord; 2],
        /// Whose call comes past it.
        accepted: Address,
    },
    /// It happens while the world is set up.
    InSetup,
    /// The same call with other arguments, on the same state, comes past the check.
    OtherArguments(Transaction),
    /// The same call right after the setup fails at the same check.
    FromTheStart,
    /// The attackers, who called back while a call was open, have so much more ether, in wei, than with the same calls one after the
    /// other.
    Reentered {
        /// In wei.
        gain: U256,
    },
    /// Whoever is called finds state that is not up to date, and gains nothing by it.
    OutOfOrder(Box<OutOfOrder>),
    /// A user takes ether or tokens, without having paid anything in.
    Taken {
        /// The contract that keeps the tokens; none for ether.
        token: Option<Address>,
        /// How much, in wei or in the token's smallest unit.
        taken: U256,
        /// How much of what is there.
        share: Share,
        /// Whether only the first of the users can do it.
        only_first: bool,
    },
    /// A user takes ether because somebody else calls a contract of theirs, and `tx.origin` is who is asked for.
    Tricked {
        /// How much, in wei.
        taken: U256,
        /// Who calls the contract.
        tricked: Address,
    },
    /// A user takes ether by making the call of somebody else before them, who then gets none.
    Copied {
        /// How much, in wei.
        taken: U256,
        /// Whose call it is.
        author: Address,
    },
    /// In another block the same call pays others.
    Moved {
        /// What is different about the block.
        mover: Mover,
        /// The other block.
        moved: Moved,
    },
    /// Other calls led there: right after the setup the same call does not fail at this check, and none of so many calls with other
    /// arguments comes past it now.
    LedThere {
        /// The number of calls with other arguments that were tried.
        tried: usize,
    },
    /// A property does not hold: how its call ends.
    Broken {
        /// How it would end if it held.
        expected: Expected,
        /// How it ends, with what it returns.
        ended: Outcome,
        /// The comparison that failed, as far as it is known.
        compared: Option<StatedComparison>,
    },
    /// The call ends otherwise with the exact result of arithmetic than with the one that went around.
    Wraps(Box<Difference>),
    /// The call changes a variable that it does not name.
    Overwrites(Box<Overwriting>),
}

/// A variable that is changed by a write which is meant for something else.
#[derive(Debug, Clone, PartialEq)]
pub struct Overwriting {
    /// What is changed: its declaration, and the part of it.
    pub variable: (SourceRange, Part),
    /// As what it is written: the declaration of a member or a constant, or else the slot as it stands in the source.
    pub written: SourceRange,
    /// The write.
    pub write: PlacedWrite,
    /// The words in the slot before and after.
    pub words: [U256; 2],
    /// The hashes that the call computes.
    pub preimages: Vec<Preimage>,
}

impl Weight {
    /// A violation that is one whatever else may happen.
    pub(super) fn always(sentence: &'static str) -> Self {
        Self::at_most(Level::Error, Grounds::Always(sentence))
    }

    /// A violation that is not told at a higher level than this.
    pub(super) fn at_most(most: Level, grounds: Grounds) -> Self {
        Self { most, grounds, takes_call_back: false, attack: None }
    }

    /// The same where it may take somebody who calls back.
    pub(super) fn that_takes_call_back(self, takes_call_back: bool) -> Self {
        Self { takes_call_back, ..self }
    }

    /// The same, shown by other transactions.
    pub(super) fn shown_by(self, attack: Vec<Transaction>) -> Self {
        Self { attack: Some(attack), ..self }
    }
}
