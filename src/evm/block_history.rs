//! A [`BlockHistory`] is the list of blocks that a frame entered lately. It holds the last [`LENGTH`] entries and does not know
//! what the blocks do.

use crate::code::BlockId;

/// Entries that are kept; chosen by hand. Conditions are followed back at most this far (`decide`), and the place of a failure
/// is found in fewer.
const LENGTH: usize = 128;

/// One entry into a block.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct BlockEntry {
    /// The block, by its id in the frame's program.
    pub(super) block: u32,
    /// The recorder's clock at that moment.
    pub(super) clock: u64,
}

/// The latest entries into blocks. Positions count from the start of the frame.
#[derive(Debug)]
pub(super) struct BlockHistory {
    ring: [BlockEntry; LENGTH],
    end: usize,
}

impl BlockHistory {
    pub(super) fn new() -> Self {
        Self { ring: [BlockEntry::default(); LENGTH], end: 0 }
    }

    /// Empties the history, for the next frame.
    pub(super) fn clear(&mut self) {
        self.end = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, entry: BlockEntry) {
        self.ring[self.end % LENGTH] = entry;
        self.end += 1;
    }

    /// The position of the running block, if any was entered.
    pub(super) fn last(&self) -> Option<usize> {
        self.end.checked_sub(1)
    }

    /// An entry, as long as it is kept.
    pub(super) fn get(&self, position: usize) -> Option<BlockEntry> {
        (self.end - position <= LENGTH).then(|| self.ring[position % LENGTH])
    }

    /// The blocks that are kept, the latest last.
    pub(super) fn blocks(&self) -> Vec<BlockId> {
        let known = self.end.saturating_sub(LENGTH)..self.end;
        known.map(|position| BlockId(self.ring[position % LENGTH].block)).collect()
    }
}
