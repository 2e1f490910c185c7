//! A [`Trail`] is the blocks that a transaction came through lately, across its frames.

use crate::code::BlockId;

/// How many blocks back are known.
const LENGTH: usize = 128;

/// One entry into a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Footprint {
    /// The frame's serial number.
    pub(super) frame: u32,
    /// Which block of the frame's program.
    pub(super) block: u32,
    /// The recorder's clock then.
    pub(super) clock: u64,
}

/// The latest entries into blocks. Positions count from the start of the transaction.
#[derive(Debug)]
pub(super) struct Trail {
    ring: [Footprint; LENGTH],
    end: usize,
}

impl Trail {
    pub(super) fn new() -> Self {
        Self { ring: [Footprint::default(); LENGTH], end: 0 }
    }

    /// Forgets the last transaction.
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, footprint: Footprint) {
        self.ring[self.end % LENGTH] = footprint;
        self.end += 1;
    }

    /// Where the next entry will stand.
    pub(super) fn end(&self) -> usize {
        self.end
    }

    /// The latest entry of a frame before `position`, if it is still known.
    pub(super) fn before(&self, position: usize, frame: u32) -> Option<(usize, Footprint)> {
        let oldest = self.end.saturating_sub(LENGTH);
        let mut known = (oldest..position).rev().map(|at| (at, self.ring[at % LENGTH]));
        known.find(|(_, footprint)| footprint.frame == frame)
    }

    /// What the clock showed at a position that is still known.
    pub(super) fn entered(&self, position: usize) -> u64 {
        self.ring[position % LENGTH].clock
    }

    /// The blocks of a frame, the latest last.
    pub(super) fn of(&self, frame: u32) -> Vec<BlockId> {
        let known = (self.end.saturating_sub(LENGTH)..self.end).map(|at| self.ring[at % LENGTH]);
        known.filter(|footprint| footprint.frame == frame).map(|footprint| BlockId(footprint.block)).collect()
    }
}
