//! A [`ProgramFingerprint`] is a program without what depends on positions. Each block has a fingerprint of its instructions,
//! in which positions in the code (jump targets, return addresses, offsets and lengths of data) have no number, and a list of
//! the blocks that it refers to. Whether a pushed number is a position follows from its use, never from the number alone. A
//! second fingerprint (`sense.rs`) ignores stack positions too.

use super::{
    functions::{Functions, digest},
    pushed_word::PushedWord,
    sense::Sense,
};
use crate::{
    code::{
        block::Exit,
        instruction::Instruction,
        program::{Program, Stage},
        programs::Programs,
    },
    compile::{Build, Contract, Jump},
};
use alloy_primitives::U256;
use revm::bytecode::opcode;
use std::{
    collections::{BTreeMap, BTreeSet, HashSet},
    hash::Hash,
};

/// Blocks that are searched for the use of one pushed word; chosen by hand.
const MAX_WALK: usize = 24;

/// A program without positions.
pub(super) struct ProgramFingerprint {
    pub(super) blocks: Vec<BlockFingerprint>,
}

/// A block without positions.
pub(super) struct BlockFingerprint {
    /// The digest of its instructions.
    pub(super) content: u64,
    /// The digest of what it does, without stack positions.
    pub(super) sense: u64,
    /// The function that it belongs to.
    pub(super) owner: Option<u64>,
    /// The blocks that it refers to, in order: those that it pushes, then the one that follows. Blocks with the same content
    /// refer to the same number of blocks.
    pub(super) names: Vec<BlockReference>,
}

/// A reference to a block.
#[derive(Clone, Copy)]
pub(super) struct BlockReference {
    pub(super) block: u32,
    pub(super) role: ReferenceKind,
}

/// The role of a block for the block that refers to it. All but the last occur once at most.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReferenceKind {
    /// The block that always follows.
    Next,
    /// The entry of a function that is called.
    Call,
    /// The target of a JUMPI.
    Branch,
    /// Pushed for later: a return address.
    Later,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Token {
    Opcode(u8),
    Push(PushedWord),
    /// Control goes on in the block that follows, by falling through or by a jump to a fixed place.
    Next,
}

/// How a pushed word is used in its block.
#[derive(Clone, Copy, Default)]
struct Use {
    jumps: bool,
    counts: bool,
    left: bool,
}

struct ProgramReader<'a> {
    program: &'a Program,
    mapped: usize,
    /// How many blocks are code: data behind it has no place in the source.
    count: u32,
    /// How wide pushes of positions are: an assembler has one width for all.
    widths: HashSet<u8>,
    holes: BTreeSet<usize>,
    libraries: BTreeMap<usize, u64>,
    /// Pushes, among all instructions, of offsets and lengths of data that is copied; and whether it is one word.
    copies: BTreeMap<usize, bool>,
    /// Numbers that are offsets or lengths of data wherever they are.
    data: BTreeSet<U256>,
}

impl ProgramFingerprint {
    pub(super) fn of(build: &Build, functions: &Functions<'_>, programs: &Programs, program: &Program) -> Self {
        let contract = build.contract(program.contract);
        let reader = ProgramReader::new(build, programs, program);
        let blocks = (0..reader.count as usize)
            .map(|block| reader.form(block, functions.owner(program, contract, block), build));
        Self { blocks: blocks.collect() }
    }
}

/// Whether a number is one that every contract is full of: words, selectors in front of words. It is a length or an offset of
/// data only in the block that uses it as one.
fn is_common(word: U256) -> bool {
    u8::try_from(word).is_ok_and(|word| word <= 32 || matches!(word % 32, 0 | 4))
}

/// The source text of each immutable, in order: equal code with other immutables is not the same.
pub(super) fn immutables(build: &Build, program: &Program) -> Vec<u64> {
    let contract = build.contract(program.contract);
    if program.stage == Stage::Creation {
        return Vec::new();
    }
    contract.immutables.iter().map(|(start, _)| immutable(build, program, start.saturating_sub(1) as u32)).collect()
}

fn immutable(build: &Build, program: &Program, pc: u32) -> u64 {
    let text = program
        .element(pc)
        .and_then(|element| Some(element.span.text(&build.source(element.source?).text)))
        .filter(|text| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '.')));
    // The optimizer may know no more than the function: then one is as good as another.
    digest(text)
}

impl<'a> ProgramReader<'a> {
    fn new(build: &Build, programs: &Programs, program: &'a Program) -> Self {
        let contract: &Contract = build.contract(program.contract);
        let bytecode = if program.stage == Stage::Creation { &contract.creation } else { &contract.runtime };
        let mut reader = Self {
            program,
            mapped: program.mapped_instructions(),
            count: program.code_blocks().len() as u32,
            widths: HashSet::new(),
            holes: contract.immutables.iter().map(|(start, _)| *start).collect(),
            libraries: bytecode.links.iter().map(|link| (link.offset, digest(&link.library))).collect(),
            copies: BTreeMap::new(),
            data: BTreeSet::new(),
        };
        for pair in program.instructions[..reader.mapped].windows(2) {
            if matches!(pair[1].opcode, opcode::JUMP | opcode::JUMPI) && reader.target(&pair[0]).is_some() {
                reader.widths.insert(pair[0].immediate);
            }
        }
        if program.stage == Stage::Creation {
            let runtime = &programs.get(programs.id(program.contract, Stage::Runtime)).code;
            reader.data.extend([U256::from(program.code.len()), U256::from(runtime.len())]);
        }
        reader.find_copies();
        reader.data.extend(reader.copies.keys().filter_map(|index| program.instructions[*index].pushed(&program.code)));
        reader.data.retain(|word| !is_common(*word));
        reader
    }

    fn instructions(&self, block: usize) -> &'a [Instruction] {
        let range = &self.program.blocks[block].instructions;
        &self.program.instructions[range.start as usize..(range.end as usize).min(self.mapped)]
    }

    /// The block at the position that an instruction pushes, if one can jump there.
    fn target(&self, instruction: &Instruction) -> Option<u32> {
        let block = self.program.jump_target(instruction.pushed(&self.program.code)?)?.0;
        (block < self.count).then_some(block)
    }

    /// Finds what is copied from behind the code, also where lengths are pushed before a check that they pass.
    fn find_copies(&mut self) {
        let mut stack: Vec<Option<usize>> = Vec::new();
        let end = U256::from(self.end());
        let number = |index: usize| self.program.instructions[index].pushed(&self.program.code).unwrap_or_default();
        for block in &self.program.blocks[..self.count as usize] {
            for index in block.instructions.start as usize..(block.instructions.end as usize).min(self.mapped) {
                let instruction = &self.program.instructions[index];
                if instruction.opcode == opcode::CODECOPY {
                    let [offset, length] = [2, 3].map(|depth| stack.len().checked_sub(depth).and_then(|at| stack[at]));
                    if let Some(offset) = offset.filter(|offset| number(*offset) >= end) {
                        let is_word = length.is_some_and(|length| number(length) == U256::from(32));
                        self.copies.insert(offset, is_word);
                        self.copies.extend(length.filter(|_| !is_word).map(|length| (length, false)));
                    }
                }
                step(instruction, index, &mut stack, |_, _| {});
            }
            if !matches!(block.exit, Exit::Fall | Exit::Branch) {
                stack.clear();
            }
        }
    }

    /// How the words that a block pushes are used in it, by the index of the push.
    fn uses(&self, block: usize) -> BTreeMap<usize, Use> {
        let mut uses: BTreeMap<usize, Use> = BTreeMap::new();
        let mut stack = Vec::new();
        for (index, instruction) in self.instructions(block).iter().enumerate() {
            step(instruction, index, &mut stack, |push, jumps| {
                let used = uses.entry(push).or_default();
                used.jumps |= jumps;
                used.counts |= !jumps;
            });
        }
        for push in stack.into_iter().flatten() {
            uses.entry(push).or_default().left = true;
        }
        uses
    }

    /// Where the code ends and data begins.
    fn end(&self) -> usize {
        self.program.instructions.get(self.mapped).map_or(self.program.code.len(), |data| data.pc as usize)
    }

    fn form(&self, block: usize, owner: Option<u64>, build: &Build) -> BlockFingerprint {
        let instructions = self.instructions(block);
        let uses = self.uses(block);
        let first = self.program.blocks[block].instructions.start as usize;
        let copied = |index: usize| self.copies.get(&(first + index));
        let data: Vec<U256> = (0..instructions.len())
            .filter(|index| copied(*index).is_some())
            .filter_map(|index| instructions[index].pushed(&self.program.code))
            .collect();
        let exit = self.program.blocks[block].exit;
        let mut tokens: Vec<Token> = Vec::with_capacity(instructions.len());
        let mut sense = Sense::default();
        let mut names = Vec::new();
        let mut next = matches!(exit, Exit::Fall | Exit::Branch).then_some(block as u32 + 1);
        let called = exit == Exit::Jump
            && self.program.element(self.program.blocks[block].last).is_some_and(|element| element.jump == Jump::In);
        for (index, instruction) in instructions.iter().enumerate() {
            // Whether anybody jumps here is said by those who do.
            if instruction.opcode == opcode::JUMPDEST {
                continue;
            }
            let Some(word) = instruction.pushed(&self.program.code) else {
                tokens.push(Token::Opcode(instruction.opcode));
                sense.step(instruction);
                continue;
            };
            let target = self.target(instruction).filter(|_| {
                self.widths.contains(&instruction.immediate) && self.is_position(block, index, word, uses.get(&index))
            });
            if let Some(target) = target {
                if matches!(instructions.get(index + 1), Some(then) if then.opcode == opcode::JUMP) {
                    next = Some(target);
                    break;
                }
                let role = match (uses.get(&index).is_some_and(|used| used.jumps), exit) {
                    (true, Exit::Branch) => ReferenceKind::Branch,
                    (true, Exit::Jump) if called => ReferenceKind::Call,
                    _ => ReferenceKind::Later,
                };
                names.push(BlockReference { block: target, role });
                tokens.push(Token::Push(PushedWord::Block));
                sense.push(PushedWord::Block);
                continue;
            }
            let place = instruction.pc as usize + 1;
            let word = if let Some(library) = self.libraries.get(&place) {
                PushedWord::Library(*library)
            } else if self.program.stage == Stage::Runtime && self.holes.contains(&place) {
                PushedWord::Immutable(immutable(build, self.program, instruction.pc))
            } else if self.fills_hole(instructions, index, word) {
                forget_copy(&mut tokens);
                PushedWord::Hole
            } else if copied(index) == Some(&true) {
                PushedWord::Kept(self.kept(word))
            } else if self.data.contains(&word) || data.contains(&word) {
                PushedWord::Data
            } else {
                PushedWord::Constant(word)
            };
            tokens.push(Token::Push(word));
            sense.push(word);
        }
        if let Some(next) = next.filter(|next| *next < self.count) {
            tokens.push(Token::Next);
            names.push(BlockReference {
                block: next,
                role: if called { ReferenceKind::Call } else { ReferenceKind::Next },
            });
        }
        BlockFingerprint { content: digest(tokens), sense: sense.digest(), owner, names }
    }

    /// Whether the constructor writes an immutable there: `dup2 dup2 push offset add mstore` for each place, without the
    /// first two for the last one.
    fn fills_hole(&self, instructions: &[Instruction], index: usize, word: U256) -> bool {
        self.program.stage == Stage::Creation
            && instructions[index..].iter().skip(1).map(|i| i.opcode).take(2).eq([opcode::ADD, opcode::MSTORE])
            && usize::try_from(word).is_ok_and(|word| self.holes.contains(&word))
    }

    /// The constant at this offset, where the compiler found it cheaper to copy one than to push it.
    fn kept(&self, offset: U256) -> u64 {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        digest(self.program.code.get(start..start.saturating_add(32)))
    }

    /// Whether a word that could be a position is one.
    fn is_position(&self, block: usize, index: usize, word: U256, used: Option<&Use>) -> bool {
        let instruction = &self.instructions(block)[index];
        // Numbers are pushed without zeros before them.
        if instruction.immediate > 1 && word.byte_len() < usize::from(instruction.immediate) {
            return true;
        }
        match used {
            Some(used) if used.jumps => true,
            Some(used) if used.counts => false,
            Some(used) if used.left => {
                // Code after a call stands behind it.
                let behind = self.target(instruction) == Some(block as u32 + 1);
                behind && self.program.blocks[block].exit == Exit::Jump || self.is_jumped_to(block, index)
            }
            _ => false,
        }
    }

    /// Follows a word that is left on the stack to its first use. Where that is too far away, it is a return address.
    fn is_jumped_to(&self, block: usize, push: usize) -> bool {
        // A word is known by where it was pushed, in the whole program.
        let base = |block: usize| self.program.blocks[block].instructions.start as usize;
        let wanted = base(block) + push;
        let mut seen = HashSet::new();
        let mut returned = false;
        let mut todo: Vec<(usize, Vec<Option<usize>>)> = vec![(block, Vec::new())];
        while let Some((block, mut stack)) = todo.pop() {
            // A function that is called twice returns to two places.
            if !seen.insert(digest((block, &stack))) {
                continue;
            }
            if seen.len() > MAX_WALK {
                return true;
            }
            let mut verdict = None;
            let mut target = None;
            for (at, instruction) in self.instructions(block).iter().enumerate() {
                let index = base(block) + at;
                if matches!(instruction.opcode, opcode::JUMP | opcode::JUMPI) {
                    target = stack.last().copied().flatten();
                }
                step(instruction, index, &mut stack, |of, jumps| {
                    if of == wanted {
                        verdict = verdict.or(Some(jumps));
                    }
                });
                if let Some(verdict) = verdict {
                    return verdict;
                }
            }
            if stack.contains(&Some(wanted)) {
                let exit = self.program.blocks[block].exit;
                if matches!(exit, Exit::Fall | Exit::Branch) && block + 1 < self.count as usize {
                    todo.push((block + 1, stack.clone()));
                }
                if let Some(target) = target.and_then(|of| self.target(&self.program.instructions[of])) {
                    todo.push((target as usize, stack));
                } else {
                    returned |= exit == Exit::Jump;
                }
            }
        }
        // A returned word is a number. A word that is never used, as by a call that always reverts, may be anything.
        !returned
    }
}

/// Takes back the write of an immutable to the place before: how many places it has is said where it is read.
fn forget_copy(tokens: &mut Vec<Token>) {
    const DUP2: Token = Token::Opcode(opcode::DUP2);
    const COPY: [Token; 5] =
        [DUP2, DUP2, Token::Push(PushedWord::Hole), Token::Opcode(opcode::ADD), Token::Opcode(opcode::MSTORE)];
    let end = tokens.len() - if tokens.ends_with(&[DUP2, DUP2]) { 2 } else { 0 };
    if tokens[..end].ends_with(&COPY) {
        tokens.drain(end - COPY.len()..end);
    }
}

/// Applies an instruction to words of which the push is known. `used` is called with the push of each word that it takes, and
/// with whether it jumps there.
fn step(instruction: &Instruction, index: usize, stack: &mut Vec<Option<usize>>, mut used: impl FnMut(usize, bool)) {
    match instruction.opcode {
        opcode::DUP1..=opcode::DUP16 => {
            let depth = usize::from(instruction.opcode - opcode::DUP1) + 1;
            stack.push(stack.len().checked_sub(depth).and_then(|at| stack[at]));
        }
        opcode::SWAP1..=opcode::SWAP16 => {
            let depth = usize::from(instruction.opcode - opcode::SWAP1) + 2;
            if stack.len() < depth {
                stack.splice(0..0, std::iter::repeat_n(None, depth - stack.len()));
            }
            let top = stack.len() - 1;
            stack.swap(top, top + 1 - depth);
        }
        opcode::POP => drop(stack.pop()),
        opcode::PUSH0..=opcode::PUSH32 => stack.push(Some(index)),
        other => {
            for input in 0..instruction.inputs() {
                if let Some(word) = stack.pop().flatten() {
                    used(word, input == 0 && matches!(other, opcode::JUMP | opcode::JUMPI));
                }
            }
            stack.extend(std::iter::repeat_n(None, instruction.outputs()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compile::{Build, Bytecode, Contract, ContractId, ContractKind, SourceElement, Span};
    use revm::bytecode::opcode::*;
    use std::sync::Arc;

    /// The fingerprints of deployed code that is all code.
    fn contents(code: &[u8]) -> Vec<u64> {
        let element = SourceElement { source: None, span: Span::default(), jump: Jump::Regular };
        let runtime = Bytecode { code: code.to_vec().into(), links: Vec::new(), map: vec![element; code.len()] };
        let contract = Contract {
            name: "A".to_owned(),
            source: crate::compile::SourceId(0),
            span: Span::default(),
            kind: ContractKind::Contract,
            abi: Default::default(),
            creation: Bytecode::default(),
            runtime,
            immutables: Vec::new(),
            storage: None,
            solc: semver::Version::new(0, 8, 30),
            evm_version: Default::default(),
            settings: "".into(),
        };
        let build = Build { contracts: vec![Arc::new(contract)], ..Build::default() };
        let programs = Programs::of(&build);
        let program = programs.get(programs.id(ContractId(0), Stage::Runtime));
        let shape = ProgramFingerprint::of(&build, &Functions::of(&build), &programs, program);
        shape.blocks.iter().map(|form| form.content).collect()
    }

    #[test]
    fn a_jump_target_that_moved_is_the_same() {
        let near = [CALLVALUE, PUSH1, 5, JUMPI, STOP, JUMPDEST, STOP];
        let far = [CALLVALUE, PUSH1, 7, JUMPI, POP, POP, STOP, JUMPDEST, STOP];
        assert_eq!(contents(&near)[0], contents(&far)[0]);
        assert_ne!(contents(&near)[1], contents(&far)[1]);
    }

    #[test]
    fn a_number_that_could_be_a_target_stays_a_number() {
        // 6 is where one can jump to, and is added all the same
        let code = |number: u8| [PUSH1, 6, JUMP, STOP, STOP, STOP, JUMPDEST, PUSH1, number, CALLVALUE, ADD, POP, STOP];
        assert_ne!(contents(&code(6)).last(), contents(&code(7)).last());
        assert_eq!(contents(&code(6)).last(), contents(&code(6)).last());
    }

    #[test]
    fn a_return_address_is_found_where_it_is_used() {
        // push return address, call 6; 6: jump back
        let call = [PUSH1, 8, PUSH1, 6, JUMP, STOP, JUMPDEST, JUMP, JUMPDEST, STOP];
        let moved = [PUSH1, 10, PUSH1, 6, JUMP, STOP, JUMPDEST, JUMP, STOP, STOP, JUMPDEST, STOP];
        assert_eq!(contents(&call)[0], contents(&moved)[0]);
        // The same words, but added where the other one returned.
        let number = [PUSH1, 9, PUSH1, 6, JUMP, STOP, JUMPDEST, CALLVALUE, ADD, JUMPDEST, STOP];
        assert_ne!(contents(&call)[0], contents(&number)[0]);
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_have_a_shape(code: Vec<u8>) {
            proptest::prop_assert_eq!(contents(&code), contents(&code));
        }
    }
}
