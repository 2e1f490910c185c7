//! An [`Observation`] is what one transaction showed while it ran: its path, the branches it decided, the state it
//! touched, the calls it made, and where it failed. It holds facts; what they mean is for oracles.

use crate::code::{BlockId, ProgramId};
use alloy_primitives::{Address, B256, Bytes, U256};

/// More branches than this are counted in the path id but not kept: loops must not fill memory.
pub const MAX_BRANCHES: usize = 8192;

/// A slot that no contract uses by itself, since nobody knows anything that hashes to it: who makes a contract write there can make it
/// write anywhere (HARVEY §IV-C, memory accesses). The same in every session, so that a sequence shows the same whoever replays it.
pub const PROBE: U256 =
    U256::from_limbs([0x3a0c_9d4e_71b5_f268, 0x86e1_2b7f_c05d_934a, 0xd17a_40f3_9b6c_e825, 0x5c92_e6a8_1f37_0bd4]);

/// The slot next to the probe that a step of a power of two up to eight leads to from `slot`: structures and packed arrays
/// do not come to every slot.
pub fn probe_near(slot: U256) -> U256 {
    let low = U256::from(7);
    (PROBE & !low) | (slot & low)
}

/// How the operands of a branch were compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// `left == right`
    Equal,
    /// `left != right`: SUB or XOR in front of a JUMPI, or a word tested against zero
    Differ,
    /// `left < right`, unsigned
    Less,
    /// `left > right`, unsigned
    Greater,
    /// `left < right`, signed
    SignedLess,
    /// `left > right`, signed
    SignedGreater,
}

/// One JUMPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// In which program.
    pub program: ProgramId,
    /// Where.
    pub pc: u32,
    /// Whether it jumped.
    pub taken: bool,
    /// What was compared; `negated` tells whether a true comparison means "not taken".
    pub operator: Operator,
    /// Whether the comparison was turned around before the JUMPI.
    pub negated: bool,
    /// Left operand.
    pub left: U256,
    /// Right operand.
    pub right: U256,
}

impl Branch {
    /// Whether the comparison held.
    pub fn held(&self) -> bool {
        self.taken != self.negated
    }

    /// How far the other side was: 0 never occurs, 1 is next to it (HARVEY §IV-C; engine.md, "Branch record").
    /// Exact in 256 bits, saturating where `|left - right| + 1` is 2^256.
    pub fn cost(&self) -> U256 {
        // Signed order is unsigned order with the sign bit flipped.
        let flip = |word: U256| -> U256 { word ^ (U256::from(1) << 255) };
        let one = U256::from(1);
        match self.operator {
            Operator::Equal | Operator::Differ => {
                if self.left == self.right {
                    one
                } else {
                    self.left.abs_diff(self.right)
                }
            }
            Operator::Less if self.held() => self.right - self.left,
            Operator::Less => (self.left - self.right).saturating_add(one),
            Operator::Greater if self.held() => self.left - self.right,
            Operator::Greater => (self.right - self.left).saturating_add(one),
            Operator::SignedLess if self.held() => flip(self.right) - flip(self.left),
            Operator::SignedLess => (flip(self.left) - flip(self.right)).saturating_add(one),
            Operator::SignedGreater if self.held() => flip(self.left) - flip(self.right),
            Operator::SignedGreater => (flip(self.right) - flip(self.left)).saturating_add(one),
        }
    }
}

/// The first time that a transaction entered a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockVisit {
    /// In which program.
    pub program: ProgramId,
    /// Which block.
    pub block: BlockId,
}

/// A storage slot that was read or written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SlotAccess {
    /// Whose storage.
    pub address: Address,
    /// Which slot.
    pub slot: U256,
}

/// A word that was stored, whether or not the transaction was reverted later.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SlotWrite {
    /// Whose storage.
    pub address: Address,
    /// Which slot.
    pub slot: U256,
    /// What is stored there.
    pub value: U256,
    /// The SSTORE; none in code that is not of the build.
    pub at: Option<(ProgramId, u32)>,
    /// How many branches came before it.
    pub branches: u32,
}

/// What a KECCAK256 hashed, kept in detailed runs to name slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preimage {
    /// The hash.
    pub hash: B256,
    /// What was hashed.
    pub bytes: Vec<u8>,
}

/// How code was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// CALL
    Call,
    /// CALLCODE
    CallCode,
    /// DELEGATECALL
    Delegate,
    /// STATICCALL
    Static,
    /// CREATE or CREATE2
    Create,
}

/// A call that the transaction made below its first frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildCall {
    /// How.
    pub kind: CallKind,
    /// Depth of the callee, 1 for the first frame's children.
    pub depth: u32,
    /// Who called.
    pub caller: Address,
    /// Whom; zero for a creation that failed.
    pub target: Address,
    /// With how much, in wei.
    pub value: U256,
    /// Its calldata; only in detailed runs, as long as there is room for it, and none for a creation.
    pub input: Bytes,
    /// Whether it came back without failing.
    pub success: bool,
}

/// Why a frame failed, as far as oracles care.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FailureKind {
    /// It reverted with `Panic(code)` of its own making.
    Panic(u64),
    /// INVALID.
    Invalid,
    /// It emitted `AssertionFailed`, and no frame around it was reverted.
    Event,
    /// It wrote another word than zero into [`PROBE`], or next to it, and no frame around it was reverted.
    Write,
}

/// A failure in a frame of the build's own code, at any depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Failure {
    /// Why.
    pub kind: FailureKind,
    /// In which program.
    pub program: ProgramId,
    /// At which instruction.
    pub pc: u32,
    /// Depth of the frame, 0 for the first.
    pub depth: u32,
    /// The first four bytes of the frame's calldata: which function was called.
    pub selector: Option<[u8; 4]>,
    /// Blocks of the frame that led there, the failing one last; only the latest are kept.
    pub trail: Vec<BlockId>,
}

/// All that one transaction showed.
#[derive(Debug, Default)]
pub struct Observation {
    /// Hash over (program, pc, taken) of every JUMPI, across calls.
    pub path: u64,
    /// Hash over the set of (program, pc, taken), without order and count.
    pub edges: u64,
    /// How many JUMPI were executed.
    pub length: u64,
    /// The first [`MAX_BRANCHES`] of them.
    pub branches: Vec<Branch>,
    /// Blocks in the order of their first entry.
    pub blocks: Vec<BlockVisit>,
    /// Slots read.
    pub reads: Vec<SlotAccess>,
    /// Slots written, reverted writes included.
    pub writes: Vec<SlotWrite>,
    /// Calls, in the order in which they ended.
    pub calls: Vec<ChildCall>,
    /// Failures, in order.
    pub failures: Vec<Failure>,
    /// Hashes computed; only in detailed runs.
    pub preimages: Vec<Preimage>,
}

impl Observation {
    pub(super) fn clear(&mut self) {
        (self.path, self.edges, self.length) = (0, 0, 0);
        self.branches.clear();
        self.blocks.clear();
        self.reads.clear();
        self.writes.clear();
        self.calls.clear();
        self.failures.clear();
        self.preimages.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(operator: Operator, left: U256, right: U256, held: bool) -> Branch {
        Branch { program: ProgramId(0), pc: 0, taken: held, operator, negated: false, left, right }
    }

    #[test]
    fn costs_at_the_edges() {
        let (zero, one, max) = (U256::ZERO, U256::from(1), U256::MAX);
        let minus = |n: u64| U256::ZERO.wrapping_sub(U256::from(n));
        for (operator, left, right, held, cost) in [
            (Operator::Equal, one, one, true, one),
            (Operator::Equal, zero, max, false, max),
            (Operator::Less, U256::from(3), U256::from(10), true, U256::from(7)),
            (Operator::Less, U256::from(10), U256::from(3), false, U256::from(8)),
            (Operator::Less, max, zero, false, max),
            (Operator::Greater, zero, max, false, max),
            (Operator::SignedLess, minus(3), U256::from(4), true, U256::from(7)),
            (Operator::SignedLess, U256::from(4), minus(3), false, U256::from(8)),
            (Operator::SignedGreater, minus(1), zero, false, U256::from(2)),
        ] {
            assert_eq!(branch(operator, left, right, held).cost(), cost, "{operator:?} {left} {right}");
        }
    }
}
