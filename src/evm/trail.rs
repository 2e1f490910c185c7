//! A [`Trail`] is the blocks that a frame came through lately.

use crate::code::BlockId;

/// How many blocks back are known.
const LENGTH: usize = 128;

/// One entry into a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Footprint {
    /// Which block of the frame's program.
    pub(super) block: u32,
    /// The recorder's clock then.
    pub(super) clock: u64,
}

/// The latest entries into blocks. Positions count from the start of the frame.
#[derive(Debug)]
pub(super) struct Trail {
    ring: [Footprint; LENGTH],
    end: usize,
}

impl Trail {
    pub(super) fn new() -> Self {
        Self { ring: [Footprint::default(); LENGTH], end: 0 }
    }

    /// Forgets the last frame.
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, footprint: Footprint) {
        self.ring[self.end % LENGTH] = footprint;
        self.end += 1;
    }

    /// Where the running block stands, if any was entered.
    pub(super) fn last(&self) -> Option<usize> {
        self.end.checked_sub(1)
    }

    /// An entry, as long as it is known.
    pub(super) fn get(&self, position: usize) -> Option<Footprint> {
        (self.end - position <= LENGTH).then(|| self.ring[position % LENGTH])
    }

    /// The blocks, the latest last.
    pub(super) fn blocks(&self) -> Vec<BlockId> {
        let known = self.end.saturating_sub(LENGTH)..self.end;
        known.map(|position| BlockId(self.ring[position % LENGTH].block)).collect()
    }
}
