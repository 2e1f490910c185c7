//! What holds for every program: whatever a run entered behind a point was never declared unreachable there, a run that sent ether
//! was never said to send none, and a step in the abstract is the EVM's step.

use super::*;
use proptest::prelude::*;

/// Blocks of a random program.
const BLOCKS: usize = 7;

/// A piece of a block; words that it takes from the stack are there if the block began with a few.
#[derive(Debug, Clone)]
enum Piece {
    Push(u64),
    Label(usize),
    /// Copies two words and puts what an opcode makes of them in place of a third.
    Combine(u8, u8, u8, u8),
    Op(u8),
    Store(u8, u64),
    Load(u64),
    WriteSlot(u8, u64),
    ReadSlot(u64),
    WriteAnySlot(u8, u8),
    Argument(u64),
    Hash(u64),
    /// An opcode with constants for its operands.
    With(u8, Vec<u64>),
    /// Calls itself with a word, or delegates to itself.
    Recurse(bool, u8),
    /// Pays the sender a copied word.
    Pay(u8),
}

/// How a block ends.
#[derive(Debug, Clone)]
enum End {
    Fall,
    Jump(usize),
    /// Jumps if a copied word is what it is compared with.
    Branch(u8, u64, usize),
    BranchOn(u8, usize),
    /// A jump to a label that is computed from constants.
    Computed(usize, u64),
    /// A jump to a label that lies in memory or in storage.
    FromMemory(usize),
    FromSlot(usize),
    /// A jump to the top of the stack.
    ToTop,
    Stop(u8),
}

fn piece() -> impl Strategy<Value = Piece> {
    let small = || prop_oneof![0_u64..4, Just(0x20), Just(0x40), Just(0xffff), Just(u64::MAX)];
    let offset = || prop_oneof![Just(0_u64), Just(0x20), Just(0x40), 0_u64..0x60];
    let depth = || 0_u8..4;
    let binary: Vec<u8> = (opcode::ADD..=opcode::SIGNEXTEND)
        .chain(opcode::LT..=opcode::SAR)
        .filter(|byte| !matches!(*byte, opcode::ADDMOD | opcode::MULMOD | opcode::ISZERO | opcode::NOT))
        .collect();
    let plain = vec![
        opcode::ISZERO,
        opcode::NOT,
        opcode::CALLER,
        opcode::CALLVALUE,
        opcode::CALLDATASIZE,
        opcode::CODESIZE,
        opcode::PC,
        opcode::GAS,
        opcode::MSIZE,
        opcode::RETURNDATASIZE,
        opcode::TIMESTAMP,
        opcode::SELFBALANCE,
        opcode::DUP2,
        opcode::SWAP1,
        opcode::SWAP3,
        opcode::POP,
        opcode::SLOAD,
        opcode::TLOAD,
        opcode::MLOAD,
        opcode::CALLDATALOAD,
    ];
    let taking = vec![
        (opcode::MSTORE8, 2),
        (opcode::CALLDATACOPY, 3),
        (opcode::CODECOPY, 3),
        (opcode::MCOPY, 3),
        (opcode::TSTORE, 2),
        (opcode::TLOAD, 1),
        (opcode::LOG1, 3),
    ];
    prop_oneof![
        1 => small().prop_map(Piece::Push),
        1 => (0..BLOCKS).prop_map(Piece::Label),
        4 => (prop::sample::select(binary), depth(), depth(), depth()).prop_map(|(op, a, b, to)| Piece::Combine(op, a, b, to)),
        2 => prop::sample::select(plain).prop_map(Piece::Op),
        2 => (depth(), offset()).prop_map(|(from, at)| Piece::Store(from, at)),
        1 => offset().prop_map(Piece::Load),
        1 => (depth(), 0_u64..3).prop_map(|(from, slot)| Piece::WriteSlot(from, slot)),
        1 => (0_u64..3).prop_map(Piece::ReadSlot),
        1 => (depth(), depth()).prop_map(|(from, slot)| Piece::WriteAnySlot(from, slot)),
        1 => prop_oneof![Just(0_u64), Just(32), 0_u64..70].prop_map(Piece::Argument),
        1 => prop_oneof![Just(32_u64), Just(64), 0_u64..70].prop_map(Piece::Hash),
        1 => (prop::sample::select(taking), prop::collection::vec(offset(), 3))
            .prop_map(|((op, count), mut operands)| { operands.truncate(count); Piece::With(op, operands) }),
        1 => (any::<bool>(), depth()).prop_map(|(delegates, from)| Piece::Recurse(delegates, from)),
        1 => depth().prop_map(Piece::Pay),
    ]
}

fn end() -> impl Strategy<Value = End> {
    let label = || 0..BLOCKS;
    prop_oneof![
        1 => Just(End::Fall),
        1 => label().prop_map(End::Jump),
        4 => (0_u8..4, prop_oneof![0_u64..4, Just(0x20)], label()).prop_map(|(depth, with, to)| End::Branch(depth, with, to)),
        3 => (0_u8..4, label()).prop_map(|(depth, to)| End::BranchOn(depth, to)),
        1 => (label(), 1_u64..50).prop_map(|(to, by)| End::Computed(to, by)),
        1 => label().prop_map(End::FromMemory),
        1 => label().prop_map(End::FromSlot),
        1 => Just(End::ToTop),
        1 => prop::sample::select(vec![opcode::STOP, opcode::RETURN, opcode::REVERT, opcode::INVALID, opcode::SELFDESTRUCT])
            .prop_map(End::Stop),
    ]
}

fn program() -> impl Strategy<Value = Vec<(Vec<Piece>, End)>> {
    prop::collection::vec((prop::collection::vec(piece(), 0..5), end()), BLOCKS)
}

fn name(byte: u8) -> &'static str {
    OpCode::new(byte).expect("an opcode").as_str()
}

/// The program as text.
fn write(blocks: &[(Vec<Piece>, End)]) -> String {
    use std::fmt::Write;
    // What jumps may find on the stack, in memory and in storage.
    let mut text = "0 calldataload 32 calldataload @b1 5 @b2 0x40 mstore @b3 2 sstore\n".to_owned();
    for (index, (pieces, end)) in blocks.iter().enumerate() {
        let _ = write!(text, "b{index}: ");
        for piece in pieces {
            let _ = match piece {
                Piece::Push(word) => write!(text, "{word} "),
                Piece::Label(label) => write!(text, "@b{label} "),
                Piece::Combine(op, a, b, to) => {
                    write!(text, "dup{} dup{} {} swap{} pop ", a + 1, b + 2, name(*op), to + 1)
                }
                Piece::Op(op) => write!(text, "{} ", name(*op)),
                Piece::Store(from, at) => write!(text, "dup{} {at} mstore ", from + 1),
                Piece::Load(at) => write!(text, "{at} mload swap1 pop "),
                Piece::WriteSlot(from, slot) => write!(text, "dup{} {slot} sstore ", from + 1),
                Piece::ReadSlot(slot) => write!(text, "{slot} sload swap2 pop "),
                Piece::WriteAnySlot(from, slot) => write!(text, "dup{} dup{} sstore ", from + 1, slot + 2),
                Piece::Argument(at) => write!(text, "{at} calldataload swap1 pop "),
                Piece::Hash(length) => write!(text, "{length} 0 keccak256 swap1 pop "),
                Piece::With(op, operands) => {
                    for operand in operands {
                        let _ = write!(text, "{operand} ");
                    }
                    write!(text, "{} ", name(*op))
                }
                Piece::Pay(from) => write!(text, "0 0 0 0 dup{} caller 0 call ", from + 5),
                Piece::Recurse(delegates, from) => {
                    let (call, value) = if *delegates { ("delegatecall", "") } else { ("call", "0 ") };
                    write!(text, "dup{} 0 mstore 0x20 0x20 0x40 0 {value}address 0x4000 {call} ", from + 1)
                }
            };
        }
        let _ = match end {
            End::Fall => writeln!(text),
            End::Jump(to) => writeln!(text, "@b{to} jump"),
            End::Branch(depth, with, to) => writeln!(text, "dup{} {with} eq @b{to} jumpi", depth + 1),
            End::BranchOn(depth, to) => writeln!(text, "dup{} @b{to} jumpi", depth + 1),
            End::Computed(to, by) => writeln!(text, "{by} dup1 @b{to} sub add jump"),
            End::FromMemory(to) => writeln!(text, "@b{to} 0x80 mstore 0x80 mload jump"),
            End::FromSlot(to) => writeln!(text, "@b{to} 1 sstore 1 sload jump"),
            End::ToTop => writeln!(text, "jump"),
            End::Stop(op) => writeln!(text, "0 0 {}", name(*op)),
        };
    }
    text
}

/// Fails if the path is cut before it enters a target.
fn is_sound(lookahead: &mut Lookahead, observation: &Observation, targets: &[(ProgramId, BlockId)]) {
    lookahead.set_targets(targets.iter().copied());
    let ahead = lookahead.analyze(observation);
    assert_eq!(lookahead.work().misfits, 0);
    if !ahead.is_cut {
        return;
    }
    let last = ahead.split_points.last().expect("a path is cut at a split point");
    let entered = observation.entered();
    let cut = entered.iter().position(|block| *block == (last.program, last.block)).expect("it was entered");
    for block in &entered[cut..] {
        assert!(!targets.contains(block), "{block:?} was entered behind {last:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn what_a_run_entered_was_never_declared_unreachable(
        blocks in program(),
        inputs in prop::collection::vec((prop_oneof![0_u64..6, Just(0x20)], prop_oneof![0_u64..6, 0_u64..300]), 1..5),
        picks: [prop::sample::Index; 4],
    ) {
        let text = write(&blocks);
        let mut deployed = Deployed::assembled(&text);
        let mut lookahead = Lookahead::new(deployed.programs.clone(), []);
        let rich = U256::from(1_000_000);
        for (a, b) in inputs {
            deployed.state = deployed.state.with_balance(deployed.address, rich);
            deployed.call(&words(&[a, b]));
            let state = deployed.executor.commit();
            prop_assert!(state.balance(deployed.address) == rich || lookahead.may_send_ether(deployed.runtime));
            let observation = deployed.executor.observation();
            let entered = observation.entered();
            for (program, block) in &entered {
                prop_assert!(lookahead.is_reachable(*program, *block));
            }
            for pick in &picks {
                is_sound(&mut lookahead, observation, &[entered[pick.index(entered.len())]]);
            }
            is_sound(&mut lookahead, observation, &entered[entered.len() / 2..]);
            deployed.state = state;
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_500))]

    /// One instruction on words that are constants or calldata: what is known of its result is what the EVM gives, and
    /// of arithmetic on constants all is known.
    #[test]
    fn a_step_is_the_evms(
        byte in (1_u8..=0x5e).prop_filter("one word comes out", |byte| {
            !matches!(*byte, opcode::GAS | opcode::MSIZE)
                && OpCode::new(*byte).is_some_and(|opcode| opcode.info().outputs() == 1)
        }),
        operands in prop::collection::vec((any::<bool>(), operand()), 3),
    ) {
        let count = usize::from(OpCode::new(byte).expect("filtered").info().inputs());
        let (mut text, mut data) = (String::new(), Vec::new());
        for (index, (is_constant, word)) in operands.iter().take(count).enumerate().rev() {
            text += &if *is_constant { format!("0x{word:x} ") } else { format!("{} calldataload ", 32 * index) };
        }
        for (_, word) in &operands {
            data.extend(word.to_be_bytes::<32>());
        }
        text += &format!("{} 0x80 mstore 0x20 0x80 return", name(byte));
        let mut deployed = Deployed::assembled(&text);
        let outcome = deployed.call(&data);
        let mut lookahead = Lookahead::new(deployed.programs.clone(), []);
        let (code, words) = lookahead.code(deployed.runtime);
        let mut state = AbstractState::entry(words);
        let left = step::run(code, words, &mut state, BlockId(0), 0);
        prop_assert_eq!(left, step::Departure::End);
        if outcome.output.len() == 32 {
            let concrete = U256::from_be_slice(&outcome.output);
            let memory::Cell::Holds(word) = state.memory.load(0x80) else { panic!("nothing was stored") };
            let value = state.value(words, word);
            prop_assert!(concrete <= words.bound(word));
            let all_constant = operands.iter().take(count).all(|(is_constant, _)| *is_constant);
            let is_known = count > 0 && all_constant && arithmetic::is_arithmetic(byte);
            prop_assert!(value.is_none_or(|value| value == concrete), "{value:?} is not {concrete}");
            prop_assert!(!is_known || value.is_some());
        }
    }
}

fn operand() -> impl Strategy<Value = U256> {
    prop_oneof![
        (0_u64..70).prop_map(U256::from),
        (0_usize..256).prop_map(|bit| U256::ONE << bit),
        (0_usize..256).prop_map(|bits| U256::MAX >> bits),
        any::<[u64; 4]>().prop_map(U256::from_limbs),
    ]
}
