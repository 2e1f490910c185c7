//! What changes between two builds, as the compiler's own code shows it: each case is a source before and after an edit,
//! and `//~` marks the lines whose blocks are changed by it.

mod support;

use bellwether::{
    code::{BlockId, Change, Origin, Program, ProgramId, Programs},
    compile::{Build, Severity},
};
use std::{collections::BTreeSet, sync::Arc};
use support::sandbox::Sandbox;

/// How code is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Pipeline {
    via_ir: bool,
    optimizer: bool,
}

const PIPELINES: [Pipeline; 4] = [
    Pipeline { via_ir: false, optimizer: false },
    Pipeline { via_ir: false, optimizer: true },
    Pipeline { via_ir: true, optimizer: false },
    Pipeline { via_ir: true, optimizer: true },
];

impl Pipeline {
    fn settings(self) -> String {
        format!("[profile.default]\nvia_ir = {}\noptimizer = {}\n", self.via_ir, self.optimizer)
    }
}

/// A build and its code.
#[derive(Clone)]
struct Built {
    build: Arc<Build>,
    programs: Arc<Programs>,
}

impl Built {
    fn new(build: Arc<Build>) -> Self {
        let errors: Vec<_> =
            build.diagnostics.iter().filter(|it| it.severity == Severity::Error).map(|it| &it.message).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        Self { programs: Arc::new(Programs::of(&build)), build }
    }

    fn change_to(&self, next: &Self) -> Change {
        Change::between((&self.build, &self.programs), (&next.build, &next.programs))
    }

    /// The lines that a block is for: where each of its instructions that belongs to one line begins, with the file.
    fn lines(&self, program: &Program, block: BlockId) -> BTreeSet<(String, u32)> {
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

    fn name(&self, id: ProgramId) -> String {
        let program = self.programs.get(id);
        format!("{} {:?}", self.build.contract(program.contract).name, program.stage)
    }
}

/// Compiles both and compares.
struct Edit {
    old: Built,
    new: Built,
    change: Change,
}

const PRAGMA: &str = "pragma solidity ^0.8.20;";

impl Edit {
    /// Of one file; the text begins with a version, unless it is for the newest compiler.
    fn of(pipeline: Pipeline, old: &str, new: &str) -> Self {
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

    fn between(old: Built, new: Built) -> Self {
        let change = old.change_to(&new);
        Self { old, new, change }
    }

    /// Lines with `//~` that no changed block is for, and changed blocks of the source that are for no such line.
    fn mistakes(&self) -> Vec<String> {
        let marked: BTreeSet<(String, u32)> = self
            .new
            .build
            .sources
            .iter()
            .flat_map(|source| (1..).zip(source.text.lines()).map(|(line, text)| (source.name.clone(), line, text)))
            .filter(|(_, _, text)| text.contains("//~"))
            .map(|(file, line, _)| (file, line))
            .collect();
        let mut missed = marked.clone();
        let mut mistakes = Vec::new();
        for (id, block) in self.change.changed() {
            let program = self.new.programs.get(id);
            let lines = self.new.lines(program, block);
            if !lines.is_empty() && lines.is_disjoint(&marked) {
                let start = program.block(block).start;
                mistakes.push(format!("changed without reason: {} at {start:#x}, lines {lines:?}", self.new.name(id)));
            }
            missed.retain(|line| !lines.contains(line));
        }
        mistakes.extend(missed.into_iter().map(|line| format!("not seen: {line:?}")));
        mistakes
    }

    /// Changed blocks, and blocks.
    fn share(&self) -> (usize, usize) {
        let all = self.new.programs.iter().map(|(_, program)| {
            let mapped = program.mapped_instructions() as u32;
            program.blocks.iter().filter(|block| block.instructions.start < mapped).count()
        });
        (self.change.changed().count(), all.sum())
    }
}

#[track_caller]
fn check_in(pipelines: &[Pipeline], old: &str, new: &str) {
    for pipeline in pipelines {
        let edit = Edit::of(*pipeline, old, new);
        assert_eq!(edit.mistakes(), Vec::<String>::new(), "{pipeline:?}\n{new}");
    }
}

#[track_caller]
fn check(old: &str, new: &str) {
    check_in(&PIPELINES, old, new);
}

/// Nothing at all is changed, generated code included.
#[track_caller]
fn check_same_in(pipelines: &[Pipeline], old: &str, new: &str) {
    for pipeline in pipelines {
        let edit = Edit::of(*pipeline, old, new);
        let changed: Vec<_> = edit.change.changed().map(|(id, block)| (edit.new.name(id), block)).collect();
        assert_eq!(changed, [], "{pipeline:?}\n{new}");
    }
}

const VAULT: &str = "
contract Vault {
    event Paid(address indexed to, uint256 amount);
    mapping(address => uint256) public balances;
    uint256 public total;
    uint256 immutable start = block.timestamp;
    address owner;

    modifier onlyOwner() {
        require(msg.sender == owner, \"owner\");
        _;
    }

    constructor(address first) {
        owner = first;
        total = 1;
    }

    function deposit() external payable {
        require(msg.value > 10, \"small\");
        balances[msg.sender] += msg.value;
        total += fee(msg.value);
    }

    function fee(uint256 amount) internal view returns (uint256) {
        uint256 part = amount / 1000;
        if (block.timestamp < start + 5) {
            part = part * 2;
        }
        return part;
    }

    function pay(address to, uint256 amount) external onlyOwner {
        for (uint256 i = 0; i < 3; i++) {
            total = total - amount;
        }
        balances[to] = amount;
        emit Paid(to, amount);
    }

    function sweep(uint256[] calldata amounts) external onlyOwner returns (uint256 sum) {
        for (uint256 i = 0; i < amounts.length; i++) {
            sum += amounts[i];
        }
        total = sum;
    }
}
";

/// The vault with one piece of text replaced.
#[track_caller]
fn vault(from: &str, to: &str) -> String {
    assert_eq!(VAULT.matches(from).count(), 1, "{from}");
    VAULT.replace(from, to)
}

#[test]
fn lines_and_comments_at_the_top_change_nothing() {
    check_same_in(&PIPELINES, VAULT, &format!("\n// More.\n\n{}", vault("total = 1;", "/* one */ total = 1; // 1")));
}

#[test]
fn a_constant() {
    check(VAULT, &vault("amount / 1000;", "amount / 1001; //~"));
    check(VAULT, &vault("start + 5) {", "start + 6) { //~"));
    check(VAULT, &vault("total = 1;", "total = 7; //~"));
}

#[test]
fn an_operator() {
    check(VAULT, &vault("part * 2;", "part + 2; //~"));
    check(VAULT, &vault("total - amount;", "total * amount; //~"));
    check(VAULT, &vault("msg.value > 10,", "msg.value < 10, //~\n"));
}

#[test]
fn a_statement_more() {
    check(VAULT, &vault("balances[to] = amount;", "balances[to] = amount;\n        owner = to; //~"));
    check(VAULT, &vault("part = part * 2;", "part = part * 2;\n            part = part / 7; //~"));
}

#[test]
fn a_statement_less() {
    check(VAULT, &vault("balances[to] = amount;\n        emit Paid(to, amount);", "emit Paid(to, amount); //~"));
}

#[test]
fn a_modifier_counts_where_it_is_used() {
    let new = vault("msg.sender == owner,", "msg.sender != owner, //~\n");
    check(VAULT, &new);
    let edit = Edit::of(PIPELINES[0], VAULT, &new);
    assert!(edit.change.changed().count() >= 2, "both functions that use it");
}

#[test]
fn functions_in_another_order_are_the_same() {
    let deposit = VAULT.find("    function deposit").unwrap();
    let fee = VAULT.find("    function fee").unwrap();
    let pay = VAULT.find("    function pay").unwrap();
    let (head, tail) = (&VAULT[..deposit], &VAULT[pay..]);
    let new = format!("{head}{}{}{tail}", &VAULT[fee..pay], &VAULT[deposit..fee]);
    check_same_in(&PIPELINES[..2], VAULT, &new);
    check(VAULT, &new);
}

#[test]
fn zz_dump() {
    let edit = Edit::of(PIPELINES[2], VAULT, &vault("balances[to] = amount;\n        emit Paid(to, amount);", "emit Paid(to, amount); //~"));
    let show = |built: &Built, id: ProgramId, block: BlockId| {
        let program = built.programs.get(id);
        let b = program.block(block);
        let text: Vec<String> = program.instructions_of(b).iter().map(|i| {
            let e = program.element(i.pc).unwrap();
            let t: String = e.source.map(|s| e.span.text(&built.build.source(s).text).chars().take(12).collect()).unwrap_or_default();
            format!("{:?}{}[{}]", revm::bytecode::opcode::OpCode::new(i.opcode).map(|o| o.as_str()), i.pushed(&program.code).map(|w| format!(" {w:x}")).unwrap_or_default(), t.replace('\n', " "))
        }).collect();
        format!("#{} {:#x}: {}", block.0, b.start, text.join(" ").replace("Some(", "").replace(')', "").replace('"', ""))
    };
    let id = ProgramId(1);
    let mut used = BTreeSet::new();
    for b in 0..edit.new.programs.get(id).blocks.len() as u32 {
        if let Some((_, o)) = edit.change.old(id, BlockId(b)) { used.insert(o); }
    }
    for (i, b) in edit.change.changed() { if i == id { std::println!("NEW {}", show(&edit.new, i, b)); } }
    let old = edit.old.programs.get(id);
    for b in 0..old.blocks.len() as u32 {
        if !used.contains(&BlockId(b)) && old.blocks[b as usize].instructions.start < old.mapped_instructions() as u32 { std::println!("OLD {}", show(&edit.old, id, BlockId(b))); }
    }
}
