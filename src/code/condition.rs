//! A [`Condition`] says which instruction made the value that a JUMPI tests: found by following values over the stack,
//! also from block to block. Where several paths bring values of different makers, all are candidates, and the one
//! that ran last is meant (engine.md, "Branch record").

use super::{Block, Instruction};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::collections::{BTreeMap, VecDeque};

/// More makers than this for one condition are not told apart.
const MAX_CANDIDATES: usize = 4;
/// Words below this depth are not followed: the EVM itself cannot reach deeper than 16.
const MAX_DEPTH: usize = 48;
/// How often one block may be looked at again before its entry is taken as it is.
const MAX_VISITS: u32 = 64;

/// An instruction that may have made a condition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// Where it stands.
    pub pc: u32,
    /// Its opcode: LT, GT, SLT, SGT, EQ, ISZERO, SUB or XOR.
    pub opcode: u8,
    /// Whether an odd number of ISZERO stands between it and the JUMPI.
    pub negated: bool,
}

/// Makers of the value that one JUMPI tests; empty if unknown, and then the value itself is all there is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Condition {
    /// Sorted by position.
    pub candidates: Vec<Candidate>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Word {
    Unknown,
    Constant(U256),
    Made(Vec<Candidate>),
}

impl Word {
    fn join(&self, other: &Self) -> Self {
        match (self, other) {
            (a, b) if a == b => a.clone(),
            (Self::Made(a), Self::Made(b)) => {
                let mut all: Vec<_> = a.iter().chain(b).copied().collect();
                all.sort_unstable();
                all.dedup();
                let distinct = all.windows(2).all(|pair| pair[0].pc != pair[1].pc);
                if all.len() <= MAX_CANDIDATES && distinct { Self::Made(all) } else { Self::Unknown }
            }
            // A constant on one side (`true` of a short-circuit) leaves the maker of the other side.
            (Self::Made(a), Self::Constant(_)) | (Self::Constant(_), Self::Made(a)) => Self::Made(a.clone()),
            _ => Self::Unknown,
        }
    }
}

/// Stack words known at a point, the top last; below them everything is unknown.
type Stack = Vec<Word>;

fn join(a: &Stack, b: &Stack) -> Stack {
    let depth = a.len().min(b.len());
    a[a.len() - depth..].iter().zip(&b[b.len() - depth..]).map(|(a, b)| a.join(b)).collect()
}

/// The condition of every JUMPI, by its position.
pub(super) fn resolve(code: &[u8], instructions: &[Instruction], blocks: &[Block]) -> BTreeMap<u32, Condition> {
    let by_start: BTreeMap<u32, usize> = blocks.iter().enumerate().map(|(index, block)| (block.start, index)).collect();
    let mut entries: Vec<Option<Stack>> = vec![None; blocks.len()];
    let mut visits = vec![0_u32; blocks.len()];
    let mut conditions = BTreeMap::new();
    let mut queue = VecDeque::new();

    for seed in 0..blocks.len() {
        // Blocks that no known jump reaches are entered with nothing known.
        if entries[seed].is_some() {
            continue;
        }
        entries[seed] = Some(Stack::new());
        queue.push_back(seed);
        while let Some(index) = queue.pop_front() {
            visits[index] += 1;
            let block = &blocks[index];
            let mut stack = entries[index].clone().unwrap_or_default();
            let range = block.instructions.start as usize..block.instructions.end as usize;
            let mut target = None;
            for instruction in &instructions[range] {
                if matches!(instruction.opcode, opcode::JUMP | opcode::JUMPI) {
                    target = Some(stack.last().cloned().unwrap_or(Word::Unknown));
                }
                if instruction.opcode == opcode::JUMPI {
                    let tested = stack.len().checked_sub(2).map(|at| stack[at].clone());
                    let candidates = if let Some(Word::Made(made)) = tested { made } else { Vec::new() };
                    conditions.insert(instruction.pc, Condition { candidates });
                }
                step(code, instruction, &mut stack);
            }
            let mut flow = |next: usize| {
                let joined = entries[next].as_ref().map_or_else(|| stack.clone(), |known| join(known, &stack));
                if entries[next].as_ref() != Some(&joined) && visits[next] < MAX_VISITS {
                    entries[next] = Some(joined);
                    queue.push_back(next);
                }
            };
            if let Some(Word::Constant(target)) = target
                && let Some(next) = u32::try_from(target).ok().and_then(|pc| by_start.get(&pc))
            {
                flow(*next);
            }
            if matches!(block.exit, super::Exit::Fall | super::Exit::Branch) && index + 1 < blocks.len() {
                flow(index + 1);
            }
        }
    }
    conditions
}

/// What one instruction does to the known part of the stack.
fn step(code: &[u8], instruction: &Instruction, stack: &mut Stack) {
    let depth = |stack: &Stack, n: usize| stack.len().checked_sub(n).map_or(Word::Unknown, |at| stack[at].clone());
    match instruction.opcode {
        opcode::DUP1..=opcode::DUP16 => {
            let n = usize::from(instruction.opcode - opcode::DUP1) + 1;
            let word = depth(stack, n);
            stack.push(word);
        }
        opcode::SWAP1..=opcode::SWAP16 => {
            let n = usize::from(instruction.opcode - opcode::SWAP1) + 2;
            while stack.len() < n {
                stack.insert(0, Word::Unknown);
            }
            let top = stack.len() - 1;
            stack.swap(top, top + 1 - n);
        }
        opcode::ISZERO => {
            let word = match depth(stack, 1) {
                Word::Made(made) => Word::Made(
                    made.into_iter().map(|candidate| Candidate { negated: !candidate.negated, ..candidate }).collect(),
                ),
                _ => Word::Made(vec![Candidate { pc: instruction.pc, opcode: opcode::ISZERO, negated: false }]),
            };
            stack.pop();
            stack.push(word);
        }
        opcode::LT | opcode::GT | opcode::SLT | opcode::SGT | opcode::EQ | opcode::SUB | opcode::XOR => {
            stack.truncate(stack.len().saturating_sub(2));
            stack.push(Word::Made(vec![Candidate { pc: instruction.pc, opcode: instruction.opcode, negated: false }]));
        }
        _ => {
            let word = instruction.pushed(code).map_or(Word::Unknown, Word::Constant);
            stack.truncate(stack.len().saturating_sub(instruction.inputs()));
            stack.extend((0..instruction.outputs()).map(|_| word.clone()));
        }
    }
    if stack.len() > MAX_DEPTH {
        stack.drain(..stack.len() - MAX_DEPTH);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{block::cut, disassemble};
    use super::*;

    fn conditions(code: &[u8]) -> Vec<(u32, Vec<(u32, bool)>)> {
        let instructions = disassemble(code);
        resolve(code, &instructions, &cut(&instructions))
            .into_iter()
            .map(|(pc, condition)| (pc, condition.candidates.into_iter().map(|c| (c.pc, c.negated)).collect()))
            .collect()
    }

    #[test]
    fn through_iszero_and_duplicates() {
        // calldataload(0) < 5, negated twice, duplicated
        let code = [
            opcode::PUSH0,
            opcode::CALLDATALOAD,
            opcode::PUSH1,
            5,
            opcode::LT,
            opcode::ISZERO,
            opcode::DUP1,
            opcode::ISZERO,
            opcode::PUSH1,
            11,
            opcode::JUMPI,
            opcode::JUMPDEST,
            opcode::STOP,
        ];
        assert_eq!(conditions(&code), [(10, vec![(4, false)])]);
    }

    #[test]
    fn a_condition_made_in_an_earlier_block_on_either_path() {
        // a = (callvalue == 1); if (!a) goto 16; pop; b = (caller < 2); 16: jumpi(b or a)
        let code = [
            opcode::CALLVALUE,
            opcode::PUSH1,
            1,
            opcode::EQ,
            opcode::DUP1,
            opcode::ISZERO,
            opcode::PUSH1,
            14,
            opcode::JUMPI,
            opcode::POP,
            opcode::PUSH1,
            2,
            opcode::CALLER,
            opcode::LT,
            opcode::JUMPDEST,
            opcode::PUSH1,
            18,
            opcode::JUMPI,
            opcode::JUMPDEST,
            opcode::STOP,
        ];
        assert_eq!(conditions(&code), [(8, vec![(3, true)]), (17, vec![(3, false), (13, false)])]);
    }

    #[test]
    fn a_raw_word_has_no_maker() {
        let code = [opcode::PUSH0, opcode::CALLDATALOAD, opcode::PUSH1, 5, opcode::JUMPI, opcode::JUMPDEST];
        assert_eq!(conditions(&code), [(4, vec![])]);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_analysed_without_panic(code: Vec<u8>) {
            conditions(&code);
        }
    }
}
