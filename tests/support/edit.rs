//! [`Edit`] is two builds and what changed between them, in one of the [`PIPELINES`] of the compiler.

use super::{sandbox::Sandbox, slow};
use bellwether::{
    code::{BlockId, CodeChange, Program, ProgramId, Programs, Stage},
    compile::{Build, ContractId, NodeKind, Severity},
};
use std::{collections::BTreeSet, sync::Arc};

/// How code is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pipeline {
    pub via_ir: bool,
    pub optimizer: bool,
}

pub const PIPELINES: [Pipeline; 4] = [
    Pipeline { via_ir: false, optimizer: false },
    Pipeline { via_ir: false, optimizer: true },
    Pipeline { via_ir: true, optimizer: false },
    Pipeline { via_ir: true, optimizer: true },
];

/// The first `count` pipelines, without the slow tier only those that do not go through the IR: that takes the compiler many times as long.
#[track_caller]
pub fn pipelines(count: usize) -> &'static [Pipeline] {
    let plain = PIPELINES.iter().filter(|pipeline| !pipeline.via_ir).count();
    &PIPELINES[..if count <= plain || slow::is_asked_for(" through the IR") { count } else { plain }]
}

impl Pipeline {
    pub fn settings(self) -> String {
        format!("[profile.default]\nvia_ir = {}\noptimizer = {}\n", self.via_ir, self.optimizer)
    }
}

/// A build and its code.
#[derive(Clone)]
pub struct Built {
    pub build: Arc<Build>,
    pub programs: Arc<Programs>,
}

impl Built {
    pub fn new(build: Arc<Build>) -> Self {
        let errors: Vec<_> =
            build.diagnostics.iter().filter(|it| it.severity == Severity::Error).map(|it| &it.message).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        Self { programs: Arc::new(Programs::of(&build)), build }
    }

    pub fn change_to(&self, next: &Self) -> CodeChange {
        CodeChange::between((&self.build, &self.programs), (&next.build, &next.programs))
    }

    /// The lines that a block is for: where each of its instructions that belongs to one line begins, with the file.
    pub fn lines(&self, program: &Program, block: BlockId) -> BTreeSet<(String, u32)> {
        let instructions = program.instructions_of(program.block(block)).iter();
        instructions
            .filter_map(|instruction| {
                let element = program.element(instruction.pc)?;
                let source = self.build.source(element.source?);
                let [first, last] = [element.span.start, element.span.end].map(|at| source.lines.line(at));
                let inside = source.ast.function_at(element.span)?;
                (first == last && inside.span != element.span).then(|| (source.name.clone(), first))
            })
            .collect()
    }

    /// The line where the function begins that this line is in.
    pub fn function_of(&self, file: &str, line: u32) -> u32 {
        let source = self.build.sources.iter().find(|source| source.name == file).unwrap();
        let functions =
            source.ast.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Function | NodeKind::Modifier));
        let lines = functions.map(|node| (source.lines.line(node.span.start), source.lines.line(node.span.end)));
        lines.filter(|(first, last)| (first..=last).contains(&&line)).map(|(first, _)| first).max().unwrap_or(line)
    }

    pub fn find(&self, contract: &str) -> ContractId {
        self.build.find_contract("", contract).unwrap()
    }

    pub fn name(&self, id: ProgramId) -> String {
        let program = self.programs.get(id);
        format!("{} {:?}", self.build.contract(program.contract).name, program.stage)
    }
}

/// Compiles both and compares.
pub struct Edit {
    pub old: Built,
    pub new: Built,
    pub change: CodeChange,
}

pub const PRAGMA: &str = "pragma solidity ^0.8.20;";

impl Edit {
    /// Of one file; the text begins with a version, unless it is for the newest compiler.
    pub fn of(pipeline: Pipeline, old: &str, new: &str) -> Self {
        let file = |text: &str| {
            let pragma = if text.contains("pragma") { "" } else { PRAGMA };
            format!("{pragma}{text}")
        };
        let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", pipeline.settings()));
        sandbox.write("src/A.sol", &file(old));
        let old = Built::new(sandbox.build());
        sandbox.write("src/A.sol", &file(new));
        Self::between(old, Built::new(sandbox.build()))
    }

    pub fn between(old: Built, new: Built) -> Self {
        let change = old.change_to(&new);
        Self { old, new, change }
    }

    /// Lines with `//~` that no changed block is for, and changed blocks of the source that are for no such line. Through the
    /// optimized IR, functions are all that the compiler's source map tells apart.
    pub fn mistakes(&self, pipeline: Pipeline) -> Vec<String> {
        let place = |(file, line): (String, u32)| {
            let functions = pipeline.via_ir && pipeline.optimizer;
            let line = if functions { self.new.function_of(&file, line) } else { line };
            (file, line)
        };
        let lines = |mark: fn(&str) -> bool| -> BTreeSet<(String, u32)> {
            let sources = self.new.build.sources.iter();
            let lines = sources.flat_map(|source| {
                let marked = (1..).zip(source.text.lines()).filter(move |(_, text)| mark(text));
                marked.map(|(line, _)| (source.name.clone(), line))
            });
            lines.map(place).collect()
        };
        let (marked, mut missed) =
            (lines(|text| text.contains("//~")), lines(|text| text.contains("//~") && !text.contains("//~?")));
        let mut mistakes = Vec::new();
        if !marked.is_empty() && self.change.changed().next().is_none() {
            mistakes.push("nothing is changed".to_owned());
        }
        for (id, block) in self.change.changed() {
            let program = self.new.programs.get(id);
            let lines: BTreeSet<_> = self.new.lines(program, block).into_iter().map(place).collect();
            if !lines.is_empty() && lines.is_disjoint(&marked) {
                let start = program.block(block).start;
                mistakes.push(format!("changed without reason: {} at {start:#x}, {lines:?}", self.new.name(id)));
            }
            missed.retain(|line| !lines.contains(line));
        }
        mistakes.extend(missed.into_iter().map(|line| format!("not seen: {line:?}")));
        mistakes
    }

    /// Changed blocks of a contract, and all of its blocks.
    pub fn share(&self, contract: ContractId) -> (usize, usize) {
        let of = [Stage::Creation, Stage::Runtime].map(|stage| {
            let id = self.new.programs.id(contract, stage);
            (self.change.changed_in(id).len(), self.new.programs.get(id).code_blocks().len())
        });
        (of[0].0 + of[1].0, of[0].1 + of[1].1)
    }
}
