//! An [`EnvStep`] is the change of the chain before a transaction: the time that passes, and the words of the next block.

use alloy_primitives::{Address, U256};

/// The change of the chain before a transaction. On a chain seconds pass exactly when blocks do, and only a new block has other
/// words. Every step that is made here keeps that. A sequence that an older version saved may not; it is read, and run, as it
/// is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct EnvStep {
    /// Seconds that `block.timestamp` grows by.
    pub seconds: u64,
    /// Blocks that `block.number` grows by.
    pub blocks: u64,
    /// The words of the new block. Unset ones are those of the block before.
    pub block: BlockWords,
}

/// Words of a block that its builder, or chance, chooses. `None` where a word stays as it was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BlockWords {
    /// `block.prevrandao`, which older compilers call `block.difficulty`.
    pub prevrandao: Option<U256>,
    /// `block.basefee`, in wei. Transactions here cost nothing whatever it is.
    pub base_fee: Option<u64>,
    /// `block.coinbase`.
    pub coinbase: Option<Address>,
}

/// The words of a block that code reads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BlockReads {
    /// Whether it reads `block.prevrandao`.
    pub prevrandao: bool,
    /// Whether it reads `block.basefee`.
    pub base_fee: bool,
    /// Whether it reads `block.coinbase`.
    pub coinbase: bool,
    /// Whether it reads `block.timestamp`.
    pub timestamp: bool,
    /// Whether it reads `block.number`, or the hash of a block.
    pub number: bool,
}

impl EnvStep {
    /// Seconds between blocks.
    pub const BLOCK_TIME: u64 = 12;

    /// A step of this many seconds, with the blocks that usually pass in them: at least one, since time passes only between
    /// blocks.
    #[must_use]
    pub fn of_seconds(seconds: u64) -> Self {
        let blocks = seconds.saturating_add(Self::BLOCK_TIME / 2) / Self::BLOCK_TIME;
        Self { seconds, blocks: blocks.max(1), ..Self::default() }.with_seconds(seconds)
    }

    /// The same with other seconds. With none of them no block passes; with some at least one.
    #[must_use]
    pub fn with_seconds(self, seconds: u64) -> Self {
        if seconds == 0 { Self::default() } else { Self { seconds, blocks: self.blocks.max(1), ..self } }
    }

    /// The same with other blocks. With none of them no second passes; with some at least one.
    #[must_use]
    pub fn with_blocks(self, blocks: u64) -> Self {
        if blocks == 0 { Self::default() } else { Self { seconds: self.seconds.max(1), blocks, ..self } }
    }

    /// The same with a block of other words, which a block has to pass for.
    #[must_use]
    pub fn with_block(self, block: BlockWords) -> Self {
        Self { seconds: self.seconds.max(1), blocks: self.blocks.max(1), block }
    }

    /// Whether a chain can take this step.
    #[must_use]
    pub fn is_possible(self) -> bool {
        (self.seconds == 0) == (self.blocks == 0) && (self.blocks > 0 || self.block == BlockWords::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(seconds: u64, blocks: u64) -> EnvStep {
        EnvStep { seconds, blocks, block: BlockWords::default() }
    }

    #[test]
    fn steps_count_blocks() {
        let blocks = [0, 5, 6, 12, 86_400].map(|seconds| EnvStep::of_seconds(seconds).blocks);
        assert_eq!(blocks, [0, 1, 1, 1, 7_200]);
    }

    #[test]
    fn seconds_pass_exactly_when_blocks_do() {
        for (before, seconds, after) in [
            (step(0, 0), 5, step(5, 1)),
            (step(24, 2), 5, step(5, 2)),
            (step(24, 2), 0, step(0, 0)),
            (step(7, 0), 8, step(8, 1)),
        ] {
            assert_eq!(before.with_seconds(seconds), after);
        }
        for (before, blocks, after) in [
            (step(0, 0), 5, step(1, 5)),
            (step(24, 2), 5, step(24, 5)),
            (step(24, 2), 0, step(0, 0)),
            (step(0, 7), 8, step(1, 8)),
        ] {
            assert_eq!(before.with_blocks(blocks), after);
        }
        assert_eq!(
            [step(0, 0), step(1, 1), step(5, 0), step(0, 5)].map(EnvStep::is_possible),
            [true, true, false, false]
        );
    }

    #[test]
    fn a_block_with_other_words_is_a_new_one() {
        let block = BlockWords { base_fee: Some(7), ..BlockWords::default() };
        assert_eq!(step(0, 0).with_block(block), EnvStep { block, ..step(1, 1) });
        assert_eq!(step(24, 2).with_block(block), EnvStep { block, ..step(24, 2) });
        assert!(!EnvStep { block, ..step(0, 0) }.is_possible());
        assert_eq!(
            step(24, 2).with_block(block).with_blocks(0),
            step(0, 0),
            "without a block there are no words of it"
        );
    }
}
