//! A [`Reach`] is a set of blocks that can be reached from some point of a program, and of ways out of the program. Goals have
//! the same form, so that one intersection tells whether any is ahead.

use super::calls::Callee;
use crate::code::BlockId;

/// The number of ways out of a program.
const BEYOND: usize = 4;

/// Blocks of one program, and ways out of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Reach {
    bits: Vec<u64>,
    blocks: u32,
}

/// Ways out of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Beyond {
    /// A call of any code, with any input.
    Anybody,
    /// A transfer to any code.
    Transfer,
    /// Anything: a jump to an unknown place, or more than the analysis keeps track of.
    Anything,
    /// Ether that is sent, or may be by other code that is run in the same account.
    Ether,
}

impl Reach {
    /// The empty set, for a program with this many blocks.
    pub(super) fn nothing(blocks: usize) -> Self {
        Self { bits: vec![0; (blocks + BEYOND).div_ceil(64)], blocks: blocks as u32 }
    }

    fn set(&mut self, bit: u32) -> bool {
        let (word, mask) = (&mut self.bits[bit as usize / 64], 1 << (bit % 64));
        let new = *word & mask == 0;
        *word |= mask;
        new
    }

    fn has(&self, bit: u32) -> bool {
        self.bits[bit as usize / 64] & (1 << (bit % 64)) != 0
    }

    pub(super) fn add(&mut self, block: BlockId) {
        self.set(block.0);
    }

    pub(super) fn add_beyond(&mut self, beyond: Beyond) {
        self.set(self.blocks + beyond as u32);
    }

    /// Adds the code that a call may run.
    pub(super) fn add_call(&mut self, callee: Callee) {
        match callee {
            Callee::Nobody => {}
            Callee::Transfer => self.add_beyond(Beyond::Transfer),
            Callee::Anybody => self.add_beyond(Beyond::Anybody),
        }
    }

    pub(super) fn contains(&self, block: BlockId) -> bool {
        self.has(block.0)
    }

    pub(super) fn goes_beyond(&self, beyond: Beyond) -> bool {
        self.has(self.blocks + beyond as u32)
    }

    pub(super) fn meets(&self, other: &Self) -> bool {
        self.bits.iter().zip(&other.bits).any(|(a, b)| a & b != 0)
    }

    /// Adds all of another; true if any of it is new.
    pub(super) fn extend(&mut self, other: &Self) -> bool {
        let mut new = false;
        for (a, b) in self.bits.iter_mut().zip(&other.bits) {
            new |= *b & !*a != 0;
            *a |= b;
        }
        new
    }
}
