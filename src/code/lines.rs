//! [`Lines`] map blocks of code to lines of the source and back. The compiler's source map gives a byte range for each instruction: a
//! range as wide as a function or a contract says nothing of lines, and code of the compiler's own has none. Which of the lines were
//! reached is not known here.

use super::{
    block::{Block, BlockId},
    program::{Program, ProgramId},
    programs::Programs,
};
use crate::compile::{Build, NodeKind, SourceId, Span};
use std::{
    cell::RefCell,
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

/// A line of a source, from 1.
pub type Line = (SourceId, u32);

/// What a range covers exactly, where that is wider than a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Width {
    /// A function or a modifier.
    Function,
    Contract,
}

/// The lines and blocks of a build.
#[derive(Debug)]
pub struct Lines<'a> {
    build: &'a Build,
    programs: &'a Programs,
    /// The functions and contracts of each source, read when a block stands in it: a contract is made of few of a build's sources.
    wide: RefCell<HashMap<SourceId, HashMap<Span, Width>>>,
}

impl<'a> Lines<'a> {
    /// Of a build and its programs.
    pub fn of(build: &'a Build, programs: &'a Programs) -> Self {
        Self { build, programs, wide: RefCell::default() }
    }

    /// The lines on which anything begins that the block does, in order. The heads of functions are among them, those of contracts not.
    pub fn of_block(&self, program: ProgramId, block: BlockId) -> Vec<Line> {
        let ranges = self.ranges(program, block).filter(|range| self.width(*range) != Some(Width::Contract));
        let mut lines: Vec<Line> = ranges.map(|range| self.start(range)).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }

    /// The line that the block stands for: the one that most of its instructions belong to, and the first of equals. None where
    /// the source map tells no more than the function or the contract.
    pub fn main_line(&self, program: ProgramId, block: BlockId) -> Option<Line> {
        let mut votes: BTreeMap<Line, usize> = BTreeMap::new();
        for range in self.ranges(program, block).filter(|range| self.width(*range).is_none()) {
            *votes.entry(self.start(range)).or_default() += 1;
        }
        votes.into_iter().max_by_key(|(line, votes)| (*votes, Reverse(*line))).map(|(line, _)| line)
    }

    /// The first line of the function that the block belongs to, or else of the contract that is compiled.
    pub fn outer_line(&self, program: ProgramId, block: BlockId) -> Line {
        let function = self.ranges(program, block).find(|range| self.width(*range) == Some(Width::Function));
        let contract = self.build.contract(self.programs.get(program).contract);
        self.start(function.unwrap_or((contract.source, contract.span)))
    }

    /// The blocks of each line of a program, in order: those that have the line among [theirs](Self::of_block). Lines without code
    /// are absent.
    pub fn blocks(&self, program: ProgramId) -> BTreeMap<Line, Vec<BlockId>> {
        let mut blocks: BTreeMap<Line, Vec<BlockId>> = BTreeMap::new();
        for block in self.programs.get(program).code_blocks() {
            for line in self.of_block(program, block) {
                blocks.entry(line).or_default().push(block);
            }
        }
        blocks
    }

    /// The ranges of a block's instructions.
    fn ranges(&self, id: ProgramId, block: BlockId) -> impl Iterator<Item = (SourceId, Span)> {
        let program = self.programs.get(id);
        program.instructions_of(program.block(block)).iter().filter_map(|instruction| program.range(instruction.pc))
    }

    fn start(&self, (source, span): (SourceId, Span)) -> Line {
        (source, self.build.source(source).lines.line(span.start))
    }

    /// Whether a range is a whole function or contract.
    fn width(&self, (source, span): (SourceId, Span)) -> Option<Width> {
        let mut wide = self.wide.borrow_mut();
        wide.entry(source).or_insert_with(|| self.widths_in(source)).get(&span).copied()
    }

    fn widths_in(&self, id: SourceId) -> HashMap<Span, Width> {
        let nodes = self.build.source(id).ast.nodes.iter().filter_map(|node| match node.kind {
            NodeKind::Function | NodeKind::Modifier => Some((node.span, Width::Function)),
            NodeKind::Contract => Some((node.span, Width::Contract)),
            _ => None,
        });
        let contracts = self.build.contracts_in(id).map(|contract| (contract.span, Width::Contract));
        nodes.chain(contracts).collect()
    }
}

impl Program {
    /// The range of the source that the instruction at `pc` was made from. None for code of the compiler's own, and for the empty
    /// ranges that some compilers give to such code.
    pub fn range(&self, pc: u32) -> Option<(SourceId, Span)> {
        let element = self.element(pc).filter(|element| !element.span.is_empty())?;
        element.source.map(|source| (source, element.span))
    }

    /// The ranges of a block's instructions, and whether each is in this source.
    pub fn ranges_in(&self, block: &Block, source: SourceId) -> Vec<(Span, bool)> {
        let ranges = self.instructions_of(block).iter().filter_map(|instruction| self.range(instruction.pc));
        ranges.map(|(of, span)| (span, of == source)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        code::program::Stage,
        compile::{Ast, Bytecode, Contract, ContractId, ContractKind, Jump, LineIndex, Node, Source, SourceElement},
    };
    use revm::bytecode::opcode::{JUMPDEST, PUSH0};
    use std::sync::Arc;

    const TEXT: &str = "\
contract A {
    uint256 x;
    function f()
    {
        x = 1;
        x = 2; x = 3;
    }
    modifier m() { _; }
}";
    const CONTRACT: &str = TEXT;
    const F: &str = "function f()\n    {\n        x = 1;\n        x = 2; x = 3;\n    }";
    const M: &str = "modifier m() { _; }";
    /// Code of the compiler's own.
    const NONE: &str = "none";

    fn span(part: &str) -> Span {
        let start = TEXT.find(part).unwrap();
        Span::new(start as u32, (start + part.len()) as u32)
    }

    /// A build of this contract, whose code has these blocks: for each instruction the text that it was made from.
    fn build(blocks: &[&[&str]]) -> Build {
        let node = |kind, part, name: &str| {
            let name = name.to_owned();
            Node { kind, span: span(part), name, selector: None, declaration: None }
        };
        let nodes = vec![
            node(NodeKind::Contract, CONTRACT, "A"),
            node(NodeKind::Function, F, "f"),
            node(NodeKind::Modifier, M, "m"),
        ];
        let element = |part: &&str| SourceElement {
            source: (*part != NONE).then_some(SourceId(0)),
            span: if *part == NONE { Span::default() } else { span(part) },
            jump: Jump::Regular,
        };
        let code = blocks.iter().flat_map(|block| [vec![JUMPDEST], vec![PUSH0; block.len() - 1]].concat());
        let code = Bytecode {
            code: code.collect::<Vec<u8>>().into(),
            map: blocks.iter().flat_map(|block| block.iter()).map(element).collect(),
            ..Bytecode::default()
        };
        let source = Source {
            path: "/A.sol".into(),
            name: "A.sol".to_owned(),
            text: TEXT.into(),
            lines: LineIndex::new(TEXT),
            imports: Vec::new(),
            ast: Arc::new(Ast { nodes, ..Ast::default() }),
            foreign: false,
            is_test: false,
        };
        let contract = Contract {
            name: "A".to_owned(),
            source: SourceId(0),
            span: span(CONTRACT),
            kind: ContractKind::Contract,
            abi: Default::default(),
            creation: Bytecode::default(),
            runtime: code,
            immutables: Vec::new(),
            storage: None,
            solc: semver::Version::new(0, 8, 0),
            evm_version: Default::default(),
            settings: "".into(),
        };
        Build { sources: vec![Arc::new(source)], contracts: vec![Arc::new(contract)], ..Build::default() }
    }

    #[test]
    fn a_block_has_lines_one_that_it_stands_for_and_what_is_around_them() {
        for (block, all, main, outer) in [
            (vec!["x = 1"], vec![5], Some(5), 1),
            (vec![F, "x = 1"], vec![3, 5], Some(5), 3),
            (vec!["x = 1", "x = 2", "x = 3"], vec![5, 6], Some(6), 1),
            (vec!["x = 2", "x = 1"], vec![5, 6], Some(5), 1), // the first of equals
            (vec![F, F], vec![3], None, 3),
            (vec![M, "_;"], vec![8], Some(8), 8),
            (vec![CONTRACT, CONTRACT, "x = 1"], vec![5], Some(5), 1),
            (vec![CONTRACT], vec![], None, 1),
            (vec![NONE, NONE, "x = 1"], vec![5], Some(5), 1),
            (vec![NONE], vec![], None, 1),
        ] {
            let build = build(&[&block]);
            let programs = Programs::of(&build);
            let (lines, id) = (Lines::of(&build, &programs), programs.id(ContractId(0), Stage::Runtime));
            let of_block: Vec<u32> = lines.of_block(id, BlockId(0)).into_iter().map(|(_, line)| line).collect();
            assert_eq!(of_block, all, "{block:?}");
            assert_eq!(lines.main_line(id, BlockId(0)), main.map(|line| (SourceId(0), line)), "{block:?}");
            assert_eq!(lines.outer_line(id, BlockId(0)), (SourceId(0), outer), "{block:?}");
        }
    }

    #[test]
    fn a_line_has_blocks_and_one_without_code_is_absent() {
        let build = build(&[&[CONTRACT], &[F, "x = 1"], &["x = 1", "x = 2"], &["x = 3"], &[NONE], &["x = 1", "x = 1"]]);
        let programs = Programs::of(&build);
        let of = |stage| Lines::of(&build, &programs).blocks(programs.id(ContractId(0), stage));
        let runtime: Vec<(u32, Vec<u32>)> = of(Stage::Runtime)
            .into_iter()
            .map(|((_, line), blocks)| (line, blocks.into_iter().map(|block| block.0).collect()))
            .collect();
        assert_eq!(runtime, [(3, vec![1]), (5, vec![1, 2, 5]), (6, vec![2, 3])]);
        assert!(of(Stage::Creation).is_empty());
    }
}
