//! An [`Observation`] is the record of one transaction: its path, the branches it decided, the state it touched, the calls it
//! made, and where it failed. It holds facts. Oracles decide what they mean.

use super::{call_tree::CallTree, placed_write::PlacedWrite, wrap::Wrap};
use crate::code::{BlockId, Derivation, ProgramId};
use alloy_primitives::{Address, B256, U256};

/// Branches that are kept of one transaction; chosen by hand. Further ones count in the path hash only, so that a loop cannot
/// fill the memory.
pub const MAX_BRANCHES: usize = 8192;
/// Steps of the trace that are kept of one transaction: the length to which the paper bounds its prefixes, in instructions
/// (§5). A block has at least one instruction.
pub const MAX_TRACE: usize = 8192;

/// Comparisons that are kept of one transaction, the latest ones; chosen by hand.
pub(super) const MAX_COMPARISONS: usize = 1024;

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

/// One executed JUMPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Branch {
    /// In which program.
    pub program: ProgramId,
    /// Where.
    pub pc: u32,
    /// Whether it jumped.
    pub taken: bool,
    /// The comparison; `negated` tells whether a true comparison means "not taken".
    pub operator: Operator,
    /// Whether the comparison was turned around before the JUMPI.
    pub negated: bool,
    /// Whether the source contains it: false in the dispatcher and in code that the compiler adds.
    pub in_source: bool,
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

    /// The distance to the other side: never 0, and 1 right next to it (HARVEY §IV-C). It is exact in 256 bits and saturates
    /// where `|left - right| + 1` is 2^256.
    pub fn cost(&self) -> U256 {
        self.operator.cost(self.left, self.right, self.held())
    }
}

impl Operator {
    /// Whether the relation holds between `left` and `right`.
    pub fn holds(self, left: U256, right: U256) -> bool {
        match self {
            Self::Equal => left == right,
            Self::Differ => left != right,
            Self::Less => left < right,
            Self::Greater => left > right,
            Self::SignedLess => by_sign(left) < by_sign(right),
            Self::SignedGreater => by_sign(left) > by_sign(right),
        }
    }

    /// The distance of two words from words with which `holds` gives the other result.
    pub(super) fn cost(self, left: U256, right: U256, held: bool) -> U256 {
        let one = U256::from(1);
        let order = |less: U256, greater: U256| {
            if held { greater.saturating_sub(less) } else { less.saturating_sub(greater).saturating_add(one) }
        };
        match self {
            Self::Equal | Self::Differ if left == right => one,
            Self::Equal | Self::Differ => left.abs_diff(right),
            Self::Less => order(left, right),
            Self::Greater => order(right, left),
            Self::SignedLess => order(by_sign(left), by_sign(right)),
            Self::SignedGreater => order(by_sign(right), by_sign(left)),
        }
    }
}

/// Signed order is unsigned order with the sign bit flipped.
fn by_sign(word: U256) -> U256 {
    word ^ (U256::from(1) << 255)
}

/// The first time that a transaction entered a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockVisit {
    /// In which program.
    pub program: ProgramId,
    /// Which block.
    pub block: BlockId,
}

/// One step of a transaction's trace.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TraceStep {
    /// A frame began: the first one, or that of a call. `None` if its code does not belong to the build.
    Enter(Option<ProgramId>),
    /// The frame entered a block, the first one included.
    Block(BlockId),
    /// The frame ended, and whether it did without failing.
    Leave(bool),
    /// A call returned without a frame of its own, as calls of precompiles and of accounts without code do. The flag tells
    /// whether it succeeded.
    CallWithoutFrame(bool),
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
    /// The word that is stored.
    pub value: U256,
    /// The SSTORE; none in code that is not of the build.
    pub at: Option<(ProgramId, u32)>,
    /// The number of branches before it.
    pub branches: u32,
}

/// The input of a KECCAK256, kept in detailed runs to name slots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preimage {
    /// The hash.
    pub hash: B256,
    /// The input.
    pub bytes: Vec<u8>,
}

/// A payment that cannot be made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unpaid {
    /// Who has too little ether.
    pub payer: Address,
    /// How much more ether it takes, in wei.
    pub missing: U256,
}

/// A comparison that was executed, whatever its result was used for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Comparison {
    /// In which program.
    pub program: ProgramId,
    /// The EQ, LT, GT, SLT, SGT, or what else compares.
    pub pc: u32,
    /// The upper word.
    pub left: U256,
    /// The one below.
    pub right: U256,
}

/// Why a frame failed, as far as oracles care.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FailureKind {
    /// It reverted with a `Panic(code)` that it made itself, as opposed to one that it passed on from a call.
    Panic(u64),
    /// INVALID.
    Invalid,
    /// It emitted `AssertionFailed`, and no frame around it was reverted.
    Event,
    /// It made a write that the watch of this name looks for ([`WriteWatch`](super::WriteWatch)), and no frame around it was reverted.
    Write(&'static str),
    /// It called an account that has no code, or only that of a [`Scripted`](super::Scripted) account, and no frame around it was
    /// reverted.
    CallOut {
        /// Who calls.
        account: Address,
        /// Who is called.
        to: Address,
        /// Whether ether comes with the call.
        pays: bool,
        /// Whether data comes with it: what is called then is a function.
        speaks: bool,
        /// Whether who is called has gas to do something: `transfer` and `send` give enough for a log.
        may_act: bool,
    },
    /// It moved tokens to the sender of the transaction ([`Instruments::token_moves`](super::Instruments::token_moves)), by a call of the
    /// token or by its event, and no frame around it was reverted.
    TokenMove {
        /// Whose code does it.
        account: Address,
        /// The token.
        token: Address,
        /// Who had it.
        from: Address,
        /// Who gets it.
        to: Address,
    },
    /// It called a contract that failed, and went on ([`Instruments::failed_calls`](super::Instruments::failed_calls)); no frame around it
    /// was reverted.
    FailedCall {
        /// Who calls.
        account: Address,
        /// Who is called.
        to: Address,
        /// Whether ether comes with the call.
        pays: bool,
    },
    /// It called a contract of the build that refused by itself ([`Instruments::refusals`](super::Instruments::refusals)): it reverted,
    /// not with a panic, and nothing that it called in turn had failed.
    Refused {
        /// Who calls.
        account: Address,
        /// Who refuses.
        by: Address,
    },
    /// It jumped to where no block begins ([`Instruments::jumps`](super::Instruments::jumps)).
    WildJump {
        /// The offset in its code.
        to: U256,
    },
    /// It let foreign code work on its storage ([`Instruments::delegates`](super::Instruments::delegates)), and no frame around it was
    /// reverted.
    Delegate {
        /// Whose storage.
        account: Address,
        /// Whose code.
        code: Address,
    },
    /// It destroyed a contract that was there before the transaction, and no frame around it was reverted.
    Destroy {
        /// The contract.
        account: Address,
        /// Who got its ether.
        heir: Address,
    },
    /// It wrote to a slot of another account, in whose place it runs
    /// ([`Instruments::delegated_writes`](super::Instruments::delegated_writes)), and no frame around it was reverted.
    DelegatedWrite {
        /// Whose storage.
        account: Address,
        /// The slot.
        slot: U256,
        /// How the slot was hashed from one that is watched; none if it is one itself.
        derivation: Option<Derivation>,
    },
    /// It called a cheatcode that is not there, which reverted.
    Cheatcode {
        /// The cheatcode; empty if its name is not known.
        name: &'static str,
        /// The first four bytes of the calldata.
        selector: [u8; 4],
    },
    /// It computed what does not fit its type and nobody checks ([`Instruments::arithmetic`](super::Instruments::arithmetic)), and no
    /// frame around it was reverted.
    Wrap(Wrap),
    /// It changed a slot that two have ([`Instruments::contests`](super::Instruments::contests)), and no frame around it was reverted.
    PlacedWrite(PlacedWrite),
}

impl FailureKind {
    /// Whether it counts only if no frame around it was reverted: then what it did lasts.
    pub(super) fn has_to_last(self) -> bool {
        match self {
            Self::Panic(_) | Self::Invalid | Self::WildJump { .. } | Self::Refused { .. } | Self::Cheatcode { .. } => {
                false
            }
            Self::Event
            | Self::Write(_)
            | Self::CallOut { .. }
            | Self::TokenMove { .. }
            | Self::FailedCall { .. }
            | Self::Delegate { .. }
            | Self::Destroy { .. }
            | Self::DelegatedWrite { .. }
            | Self::Wrap(_)
            | Self::PlacedWrite(_) => true,
        }
    }

    /// Whether it is the same at the same instruction: what is computed differs from time to time.
    pub(super) fn is_like(self, other: Self) -> bool {
        match (self, other) {
            (Self::Wrap(_), Self::Wrap(_)) | (Self::WildJump { .. }, Self::WildJump { .. }) => true,
            (Self::PlacedWrite(one), Self::PlacedWrite(other)) => one.is_like(&other),
            // Another value of the same mapping is written in the same way.
            (
                Self::DelegatedWrite { account: one, derivation: Some(derivation), .. },
                Self::DelegatedWrite { account: other, derivation: Some(other_derivation), .. },
            ) => one == other && derivation == other_derivation,
            _ => self == other,
        }
    }

    /// The same for every account, and wherever it leads: of what kind it is.
    pub fn without_accounts(self) -> Self {
        let (account, code, heir, token, from, to) = Default::default();
        match self {
            Self::CallOut { pays, speaks, may_act, .. } => Self::CallOut { account, to, pays, speaks, may_act },
            Self::TokenMove { .. } => Self::TokenMove { account, token, from, to },
            Self::FailedCall { pays, .. } => Self::FailedCall { account, to, pays },
            Self::Refused { .. } => Self::Refused { account, by: heir },
            Self::WildJump { .. } => Self::WildJump { to: U256::ZERO },
            Self::Delegate { .. } => Self::Delegate { account, code },
            Self::Destroy { .. } => Self::Destroy { account, heir },
            Self::DelegatedWrite { slot, derivation, .. } => {
                let slot = if derivation.is_some() { U256::ZERO } else { slot };
                Self::DelegatedWrite { account, slot, derivation }
            }
            Self::PlacedWrite(_) => Self::PlacedWrite(PlacedWrite::any()),
            Self::Panic(_) | Self::Invalid | Self::Event | Self::Write(_) | Self::Cheatcode { .. } | Self::Wrap(_) => {
                self
            }
        }
    }

    /// The account that it happens to.
    pub fn affected(self) -> Option<Address> {
        match self {
            Self::CallOut { account, .. }
            | Self::TokenMove { account, .. }
            | Self::FailedCall { account, .. }
            | Self::Refused { account, .. }
            | Self::Delegate { account, .. }
            | Self::Destroy { account, .. }
            | Self::DelegatedWrite { account, .. }
            | Self::PlacedWrite(PlacedWrite { account, .. }) => Some(account),
            Self::Panic(_)
            | Self::Invalid
            | Self::Event
            | Self::Write(_)
            | Self::Cheatcode { .. }
            | Self::Wrap(_)
            | Self::WildJump { .. } => None,
        }
    }

    /// The account that decides what happens: whose code runs, or who is paid.
    pub fn decisive(self) -> Option<Address> {
        match self {
            Self::CallOut { to, .. } | Self::TokenMove { to, .. } | Self::FailedCall { to, .. } => Some(to),
            Self::Refused { by, .. } => Some(by),
            Self::Delegate { code, .. } => Some(code),
            Self::Destroy { heir, .. } => Some(heir),
            Self::Panic(_)
            | Self::Invalid
            | Self::Event
            | Self::Write(_)
            | Self::DelegatedWrite { .. }
            | Self::Cheatcode { .. }
            | Self::Wrap(_)
            | Self::PlacedWrite(_)
            | Self::WildJump { .. } => None,
        }
    }
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
    /// Blocks that the frame entered before it failed, the failing one last. Only the latest are kept.
    pub history: Vec<BlockId>,
}

/// The record of one transaction.
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
    /// Its calls; only where an instrument asks for them, and in detailed runs.
    pub calls: CallTree,
    /// Failures, in order.
    pub failures: Vec<Failure>,
    /// Hashes computed; only in detailed runs.
    pub preimages: Vec<Preimage>,
    /// Its first [`MAX_TRACE`] steps; only in detailed runs.
    pub trace: Vec<TraceStep>,
    /// Its latest comparisons, in order; only in detailed runs.
    pub comparisons: std::collections::VecDeque<Comparison>,
    /// What it said to the console, as far as it is kept; only with cheatcodes.
    pub console: Vec<String>,
    /// The first accounts without code that the build's code asked for their code, or called with data; only with
    /// [`Instruments::calls_out`](super::Instruments::calls_out). What was reverted counts.
    pub codeless: Vec<Address>,
    /// The first payment that failed since its payer has too little ether; only with
    /// [`Instruments::calls_out`](super::Instruments::calls_out).
    pub unpaid: Option<Unpaid>,
}

impl Observation {
    /// Blocks of the build's code in the order in which they were entered, each time, as far as the trace goes.
    pub fn entered(&self) -> Vec<(ProgramId, BlockId)> {
        let (mut open, mut entered) = (Vec::new(), Vec::new());
        for step in &self.trace {
            match step {
                TraceStep::Enter(program) => open.push(*program),
                TraceStep::Leave(_) => drop(open.pop()),
                TraceStep::CallWithoutFrame(_) => {}
                TraceStep::Block(block) => {
                    entered.extend(open.last().copied().flatten().map(|program| (program, *block)))
                }
            }
        }
        entered
    }

    /// Whether a cheatcode was called that is not there.
    pub fn lacks_cheatcode(&self) -> bool {
        self.failures.iter().any(|failure| matches!(failure.kind, FailureKind::Cheatcode { .. }))
    }

    pub(super) fn clear(&mut self) {
        (self.path, self.edges, self.length) = (0, 0, 0);
        self.branches.clear();
        self.blocks.clear();
        self.reads.clear();
        self.writes.clear();
        self.calls.clear();
        self.failures.clear();
        self.preimages.clear();
        self.trace.clear();
        self.comparisons.clear();
        self.console.clear();
        self.codeless.clear();
        self.unpaid = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn branch(operator: Operator, left: U256, right: U256, held: bool) -> Branch {
        Branch { program: ProgramId(0), pc: 0, taken: held, operator, negated: false, in_source: true, left, right }
    }

    #[test]
    fn costs_at_the_edges() {
        use Operator::{Differ, Equal, Greater, Less, SignedGreater, SignedLess};
        let word = U256::from::<u64>;
        let minus = |n: u64| U256::ZERO.wrapping_sub(word(n));
        let (zero, max) = (U256::ZERO, U256::MAX);
        let lowest = word(1) << 255;
        let highest = lowest - word(1);
        for (left, operators, right, held, cost) in [
            (word(1), [Equal, Differ], word(1), [true, false], word(1)),
            (max, [Equal, Differ], max, [true, false], word(1)),
            (zero, [Equal, Differ], max, [false, true], max),
            (lowest, [Equal, Differ], highest, [false, true], word(1)),
            (word(3), [Less, Less], word(10), [true, true], word(7)),
            (word(10), [Less, Less], word(3), [false, false], word(8)),
            (zero, [Less, Greater], zero, [false, false], word(1)),
            (max, [Less, Greater], max, [false, false], word(1)),
            (zero, [Less, Less], max, [true, true], max),
            (zero, [Greater, Greater], max, [false, false], max),
            (zero, [Greater, Greater], minus(2), [false, false], max),
            (max, [Less, Less], zero, [false, false], max),
            (max, [Greater, Greater], zero, [true, true], max),
            (max, [Less, Less], word(1), [false, false], max),
            (max, [Less, Less], word(2), [false, false], minus(2)),
            (minus(3), [SignedLess, SignedLess], word(4), [true, true], word(7)),
            (word(4), [SignedLess, SignedLess], minus(3), [false, false], word(8)),
            (minus(1), [SignedGreater, SignedGreater], zero, [false, false], word(2)),
            (lowest, [SignedLess, SignedGreater], lowest, [false, false], word(1)),
            (lowest, [SignedLess, SignedLess], highest, [true, true], max),
            (lowest, [SignedGreater, SignedGreater], highest, [false, false], max),
            (highest, [SignedGreater, SignedGreater], lowest, [true, true], max),
            (highest, [SignedLess, SignedLess], lowest, [false, false], max),
            (lowest, [SignedLess, SignedLess], minus(1), [true, true], highest),
            (minus(1), [SignedLess, SignedLess], lowest, [false, false], lowest),
            (zero, [SignedGreater, SignedGreater], lowest, [true, true], lowest),
        ] {
            for (operator, held) in operators.into_iter().zip(held) {
                assert_eq!(operator.holds(left, right), held, "{left} {operator:?} {right}");
                assert_eq!(branch(operator, left, right, held).cost(), cost, "{left} {operator:?} {right}");
            }
        }
    }

    proptest::proptest! {
        /// Moving one operand by the cost is the least that turns the comparison around.
        #[test]
        fn a_cost_is_the_least_move_that_flips(
            operator in proptest::sample::select(vec![
                Operator::Equal, Operator::Differ, Operator::Less, Operator::Greater, Operator::SignedLess,
                Operator::SignedGreater,
            ]),
            left in -300_i64..300,
            right in -300_i64..300,
        ) {
            let word = |n: i64| if n < 0 { U256::ZERO.wrapping_sub(U256::from(n.unsigned_abs())) } else { U256::from(n.unsigned_abs()) };
            let signed = matches!(operator, Operator::SignedLess | Operator::SignedGreater);
            let (left, right) = if signed { (left, right) } else { (left + 300, right + 300) };
            let held = operator.holds(word(left), word(right));
            // Nothing is under an unsigned bound of 0: there the bound has to move.
            let flips = |by: i64| [(left - by, right), (left + by, right), (left, right - by), (left, right + by)]
                .into_iter()
                .filter(|(left, right)| signed || (*left >= 0 && *right >= 0))
                .any(|(left, right)| operator.holds(word(left), word(right)) != held);
            let least = (1..=1300).find(|by| flips(*by));
            proptest::prop_assert_eq!(Some(branch(operator, word(left), word(right), held).cost()), least.map(word));
        }
    }
}
