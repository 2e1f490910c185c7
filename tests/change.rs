//! What changes between two builds, as the compiler's own code shows it: each case is a source before and after an edit.
//! `//~` marks the lines whose blocks are changed by it, `//~?` those of which some are.

mod support;

use bellwether::{
    code::{BlockId, Change, Descent, Program, ProgramId, Programs, Stage},
    compile::{Build, ContractId, NodeKind, Severity},
};
use proptest::{prelude::any, test_runner::TestRunner};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
    sync::Arc,
};
use support::{fixture, sandbox::Sandbox};

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

    /// The line where the function begins that this line is in.
    fn function_of(&self, file: &str, line: u32) -> u32 {
        let source = self.build.sources.iter().find(|source| source.name == file).unwrap();
        let functions =
            source.ast.nodes.iter().filter(|node| matches!(node.kind, NodeKind::Function | NodeKind::Modifier));
        let lines = functions.map(|node| (source.lines.line(node.span.start), source.lines.line(node.span.end)));
        lines.filter(|(first, last)| (first..=last).contains(&&line)).map(|(first, _)| first).max().unwrap_or(line)
    }

    fn find(&self, contract: &str) -> ContractId {
        self.build.find_contract("", contract).unwrap()
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

    /// Lines with `//~` that no changed block is for, and changed blocks of the source that are for no such line. Through the
    /// optimized IR, functions are all that the compiler's source map tells apart.
    fn mistakes(&self, pipeline: Pipeline) -> Vec<String> {
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
    fn share(&self, contract: ContractId) -> (usize, usize) {
        let of = [Stage::Creation, Stage::Runtime].map(|stage| {
            let id = self.new.programs.id(contract, stage);
            let program = self.new.programs.get(id);
            let mapped = program.mapped_instructions() as u32;
            let all = program.blocks.iter().filter(|block| block.instructions.start < mapped).count();
            (self.change.changed_in(id).len(), all)
        });
        (of[0].0 + of[1].0, of[0].1 + of[1].1)
    }
}

#[track_caller]
fn check_in(pipelines: &[Pipeline], old: &str, new: &str) {
    for pipeline in pipelines {
        let edit = Edit::of(*pipeline, old, new);
        assert_eq!(edit.mistakes(*pipeline), Vec::<String>::new(), "{pipeline:?}\n{new}");
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
    check(
        VAULT,
        &vault("balances[to] = amount;\n        emit Paid(to, amount);", "emit Paid(to, amount); //~?")
            .replace("i < 3; i++) {", "i < 3; i++) { //~?"),
    );
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
fn another_name_for_a_local_changes_nothing() {
    let new = VAULT.replace("part", "share").replace("uint256 amount) external", "uint256 much) external");
    let new = new.replace("total - amount", "total - much").replace("balances[to] = amount", "balances[to] = much");
    let new = new.replace("emit Paid(to, amount)", "emit Paid(to, much)");
    check_same_in(&PIPELINES, VAULT, &new);
}

#[test]
fn a_function_more_leaves_the_others_alone() {
    let new = vault(
        "    function pay(",
        "    function extra(uint256 x) external { //~?\n        total = x * 77; //~\n    }\n\n    function pay(",
    );
    for pipeline in PIPELINES {
        let edit = Edit::of(pipeline, VAULT, &new);
        assert_eq!(edit.mistakes(pipeline), Vec::<String>::new(), "{pipeline:?}");
        let (changed, all) = edit.share(edit.new.find("Vault"));
        assert!(changed * 6 <= all, "{pipeline:?}: {changed} of {all}");
    }
}

#[test]
fn a_called_function_is_told_from_another_one() {
    let old = "contract A {
    uint256 public total;
    function f(uint256 x) external { total = one(x); }
    function g(uint256 x) external { total = two(x); }
    function one(uint256 x) internal view returns (uint256) { return x + total * 3 + gasleft(); }
    function two(uint256 x) internal view returns (uint256) { return x + total * 5 + gasleft(); }
}";
    check_in(&PIPELINES[..3], old, &old.replace("total = one(x); }", "total = two(x); } //~"));
}

#[test]
fn an_immutable_is_told_from_another_one() {
    let old = "contract A {
    uint256 immutable a;
    uint256 immutable b;
    constructor(uint256 x, uint256 y) { a = x; b = y; }
    function first() external view returns (uint256) {
        return a * 3;
    }
    function second() external view returns (uint256) {
        return b * 5;
    }
}";
    check_in(&PIPELINES[..3], old, &old.replace("a * 3;", "b * 3; //~"));
    // One place more to fill is no change of the constructor.
    check_in(&PIPELINES[..2], old, &old.replace("a * 3;", "a * 3 + a; //~"));
}

const FACTORY: &str = "contract Child {
    uint256 public x;
    function set(uint256 to) external {
        x = to + 1000;
    }
}
contract Factory {
    Child[] public children;
    constructor() { children.push(new Child()); }
    function make() external { children.push(new Child()); }
}
";

#[test]
fn code_inside_of_code_is_not_looked_at_twice() {
    for pipeline in PIPELINES {
        let edit = Edit::of(pipeline, FACTORY, &FACTORY.replace("to + 1000;", "to + 3000 * gasleft(); //~"));
        assert_eq!(edit.mistakes(pipeline), Vec::<String>::new(), "{pipeline:?}");
        assert!(edit.change.is_unchanged(edit.new.find("Factory")), "{pipeline:?}");
        assert!(!edit.change.is_unchanged(edit.new.find("Child")), "{pipeline:?}");
    }
}

#[test]
fn contracts_are_known_by_name_and_then_by_what_they_do() {
    let renamed = FACTORY.replace("Factory", "Works");
    let edit = Edit::of(PIPELINES[0], FACTORY, &renamed);
    let works = edit.new.find("Works");
    assert!(matches!(edit.change.origin(works), Descent::Old { contract, .. } if contract == edit.old.find("Factory")));
    assert!(edit.change.is_unchanged(works));
    assert_eq!(edit.change.gone(), []);

    let other = "contract Child {} contract Other { mapping(bytes32 => address) public names; function f(bytes32 n) \
                 external { require(names[n] == address(0)); names[n] = msg.sender; } }";
    let edit = Edit::of(PIPELINES[0], FACTORY, other);
    assert_eq!(edit.change.origin(edit.new.find("Other")), Descent::New);
    assert_eq!(edit.change.gone(), [edit.old.find("Factory")]);
    let (changed, all) = edit.share(edit.new.find("Other"));
    assert_eq!(changed, all);
}

#[test]
fn a_contract_in_another_file_is_the_same() {
    let child = format!("{PRAGMA}\n{}", &FACTORY[..FACTORY.find("contract Factory").unwrap()]);
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", PIPELINES[0].settings()));
    sandbox.write("src/A.sol", &child);
    let old = Built::new(sandbox.build());
    std::fs::remove_file(sandbox.root().join("src/A.sol")).unwrap();
    sandbox.write("src/deep/B.sol", &format!("\n{child}"));
    let edit = Edit::between(old, Built::new(sandbox.build()));
    assert!(edit.change.is_unchanged(edit.new.find("Child")));
}

#[test]
fn inherited_and_library_code_counts_for_every_contract_that_has_it() {
    let base = "pragma solidity ^0.8.20;
library Half {
    function take(uint256 x) internal pure returns (uint256) {
        return x / 2;
    }
}
contract Base {
    uint256 public kept;
    function keep(uint256 x) public {
        kept = Half.take(x);
    }
}
";
    let user = |name: &str| {
        format!(
            "{PRAGMA} import \"./Base.sol\"; contract {name} is Base {{ function only{name}() external {{ kept = 1; }} }}"
        )
    };
    for pipeline in PIPELINES {
        let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", pipeline.settings()));
        sandbox.write("src/Base.sol", base);
        sandbox.write("src/One.sol", &user("One"));
        sandbox.write("src/Two.sol", &user("Two"));
        let old = Built::new(sandbox.build());
        sandbox.write("src/Base.sol", &base.replace("x / 2;", "x / 4; //~"));
        let edit = Edit::between(old, Built::new(sandbox.build()));
        // Where the optimizer takes the function in, the source map tells of its callers alone.
        if pipeline != PIPELINES[3] {
            assert_eq!(edit.mistakes(pipeline), Vec::<String>::new(), "{pipeline:?}");
        }
        for name in ["Base", "One", "Two"] {
            let (changed, all) = edit.share(edit.new.find(name));
            assert!(changed > 0 && changed * 5 <= all, "{pipeline:?} {name}: {changed} of {all}");
        }
    }
}

#[test]
fn other_settings_edit_nothing_and_what_was_edited_meanwhile_is_known_by_its_text() {
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", PIPELINES[0].settings()));
    sandbox.write("src/A.sol", &format!("{PRAGMA}{VAULT}"));
    let old = Built::new(sandbox.build());
    let contract = old.find("Vault");
    for pipeline in &PIPELINES[1..] {
        sandbox.write("foundry.toml", &pipeline.settings());
        sandbox.write("src/A.sol", &format!("{PRAGMA} // a comment\n{VAULT}"));
        let edit = Edit::between(old.clone(), Built::new(sandbox.build()));
        assert_eq!(edit.change.origin(contract), Descent::Recompiled { contract });
        assert!(edit.change.is_unchanged(contract), "{pipeline:?}");

        sandbox.write("src/A.sol", &format!("{PRAGMA}{}", vault("part * 2;", "part * 3;")));
        let edit = Edit::between(old.clone(), Built::new(sandbox.build()));
        let functions: BTreeSet<_> = edit
            .change
            .changed()
            .flat_map(|(id, block)| edit.new.lines(edit.new.programs.get(id), block))
            .map(|(file, line)| edit.new.function_of(&file, line))
            .collect();
        let fee = VAULT[..VAULT.find("function fee").unwrap()].lines().count() as u32;
        assert!(functions.contains(&fee), "{pipeline:?}: {functions:?}, not {fee}");
        assert!(pipeline.via_ir || functions.len() == 1, "{pipeline:?}: {functions:?}");
    }
}

#[test]
fn compilers_of_old() {
    for solc in ["0.4.26", "0.5.17", "0.6.12", "0.7.6"] {
        let old = format!(
            "pragma solidity {solc};
contract Piggy {{
    uint256 public saved;
    address owner;
    event Saved(uint256 coins);
    constructor() public {{
        owner = msg.sender;
    }}
    modifier onlyOwner() {{
        require(msg.sender == owner);
        _;
    }}
    function save(uint256 coins) external onlyOwner {{
        require(coins <= 1000, \"many\");
        saved += coins;
        emit Saved(coins);
    }}
    function missing() external view returns (uint256) {{
        return 5000 - saved;
    }}
}}
"
        );
        let legacy = &PIPELINES[..2];
        check_same_in(legacy, &old, &format!("// moved\n{old}"));
        check_in(legacy, &old, &old.replace("1000,", "1001, //~\n"));
        check_in(legacy, &old, &old.replace("saved += coins;", "saved += coins * 3; //~"));
        check_in(legacy, &old, &old.replace("5000 - saved;", "5000 + saved; //~"));
        check_in(legacy, &old, &old.replace("owner = msg.sender;", "owner = tx.origin; //~"));
    }
}

/// A small edit of one line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Constant,
    Operator,
    Insert,
    Delete,
}

/// Of which kind, on which line (from 0), and the line afterwards.
type LineEdit = (Kind, usize, String);

/// Every small edit of a text.
fn edits(text: &str) -> Vec<LineEdit> {
    let mut edits = Vec::new();
    let mut inside = false;
    for (number, line) in text.lines().enumerate() {
        let code = line.split("//").next().unwrap();
        let trimmed = code.trim();
        let indent = code.len() - code.trim_start().len();
        if indent == 4 && trimmed.contains(['{', '}']) {
            inside = trimmed.ends_with('{') && (trimmed.starts_with("function") || trimmed.starts_with("constructor"));
            continue;
        }
        if !inside || indent < 8 || code.contains(['"', '\'']) {
            continue;
        }
        for (at, digit) in code.char_indices() {
            let starts = digit.is_ascii_digit() && code[..at].ends_with([' ', '(']);
            let digits: String = code[at..].chars().take_while(char::is_ascii_digit).collect();
            if starts && code[at + digits.len()..].starts_with([' ', ')', ';']) {
                let next = digits.parse::<u64>().unwrap() + 1;
                let rest = &code[at + digits.len()..];
                edits.push((Kind::Constant, number, format!("{}{next}{rest}", &code[..at])));
            }
        }
        for (from, to) in
            [(" + ", " - "), (" - ", " + "), (" < ", " >= "), (" > ", " <= "), (" == ", " != "), (" * ", " / ")]
        {
            if code.matches(from).count() == 1 {
                edits.push((Kind::Operator, number, code.replace(from, to)));
            }
        }
        if trimmed.ends_with(';') && !trimmed.starts_with("return") {
            let pad = &code[..indent];
            let more = "assembly (\"memory-safe\") { if eq(calldatasize(), 54321) { revert(0, 0) } }";
            edits.push((Kind::Insert, number, format!("{pad}{more} {trimmed}")));
            let assignment = [" = ", " += ", " -= "].iter().any(|operator| trimmed.contains(operator));
            if trimmed.starts_with("emit ")
                || assignment && trimmed.split_once('=').unwrap().0.trim().split(' ').count() < 3 && indent == 8
            {
                edits.push((Kind::Delete, number, String::new()));
            }
        }
    }
    edits
}

/// Copies the Solidity files of a fixture; their names in the build, with their texts.
fn copy(folder: &Path, to: &str, sandbox: &Sandbox, files: &mut BTreeMap<String, String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{to}/{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            copy(&path, &name, sandbox, files);
        } else if name.ends_with(".sol") {
            let text = std::fs::read_to_string(&path).unwrap();
            sandbox.write(&name, &text);
            files.insert(name, text);
        }
    }
}

impl Edit {
    /// Whether some changed block is for this line of this file: for a place that begins and ends near it, or if that is
    /// `enough`, for one in its function, or for none.
    fn covers(&self, file: &str, line: u32, enough: bool) -> bool {
        let function = self.new.function_of(file, line);
        self.change.changed().any(|(id, block)| {
            let program = self.new.programs.get(id);
            program.instructions_of(program.block(block)).iter().any(|instruction| {
                let Some(element) = program.element(instruction.pc) else { return false };
                let Some(source) = element.source.map(|id| self.new.build.source(id)) else { return false };
                let [first, last] = [element.span.start, element.span.end].map(|at| source.lines.line(at));
                let near = first <= line && line <= last && last - first < 8;
                let within = enough && self.new.function_of(file, first) == function;
                source.name == file && (near || within)
            }) || enough && self.new.lines(program, block).is_empty()
        })
    }
}

/// What one pipeline showed: of each edit that changed code, the changed blocks of each contract in thousandths.
fn random_edits(pipeline: Pipeline, rounds: u32) -> Vec<u64> {
    let mut sandbox = Sandbox::new(&format!("//- foundry.toml\n{}", pipeline.settings()));
    let mut files = BTreeMap::new();
    for name in ["arithmetic", "stateful", "narrow", "auction", "vault", "checks"] {
        copy(&fixture(name), &format!("src/{name}"), &sandbox, &mut files);
    }
    let old = Built::new(sandbox.build());
    let files: Vec<(String, String, Vec<LineEdit>)> = files
        .into_iter()
        .map(|(name, text)| (name, text.clone(), edits(&text)))
        .filter(|(.., edits)| !edits.is_empty())
        .collect();
    let mut runner = TestRunner::deterministic();
    let (mut shares, mut missed) = (Vec::new(), Vec::new());
    let choices = proptest::collection::vec(any::<u32>(), files.len());
    for _ in 0..rounds {
        let tree = proptest::strategy::Strategy::new_tree(&choices, &mut runner).unwrap();
        let choices = proptest::strategy::ValueTree::current(&tree);
        let chosen: Vec<_> = files
            .iter()
            .zip(choices)
            .map(|((name, text, edits), choice)| {
                let (kind, line, new) = &edits[choice as usize % edits.len()];
                let mut lines: Vec<&str> = text.lines().collect();
                lines[*line] = new;
                sandbox.write(name, &lines.join("\n"));
                (name, *kind, *line as u32 + 1, new.trim().to_owned())
            })
            .collect();
        // An edit that does not compile takes its file along, and nothing else.
        let build = sandbox.build();
        let new = Built { programs: Arc::new(Programs::of(&build)), build };
        let edit = Edit::between(old.clone(), new);
        for (file, kind, line, text) in chosen {
            let Some(source) = edit.new.build.sources.iter().position(|source| source.name == *file) else { continue };
            let of_file =
                || edit.new.build.contract_ids().filter(|id| edit.new.build.contract(*id).source.0 == source as u32);
            if of_file().next().is_none() {
                continue;
            }
            let says = format!("{pipeline:?} {file}:{line} {kind:?}: {text}");
            let changed: Vec<_> = of_file().map(|id| edit.share(id)).filter(|(changed, _)| *changed > 0).collect();
            let enough = kind == Kind::Delete || pipeline.via_ir && pipeline.optimizer;
            let same_code = of_file().all(|id| {
                let contract = edit.new.build.contract(id);
                let Descent::Old { contract: before, .. } = edit.change.origin(id) else { return false };
                let before = edit.old.build.contract(before);
                (&contract.creation.code, &contract.runtime.code) == (&before.creation.code, &before.runtime.code)
            });
            if !same_code && (kind != Kind::Delete || changed.is_empty()) && !edit.covers(file, line, enough) {
                missed.push(format!("{says} {changed:?}"));
            }
            for (changed, all) in changed {
                shares.push((changed * 1000 / all) as u64);
            }
        }
        for (name, text, _) in &files {
            sandbox.write(name, text);
        }
    }
    assert_eq!(missed, Vec::<String>::new());
    shares.sort_unstable();
    shares
}

#[test]
fn random_edits_change_what_they_touch_and_little_else() {
    // In thousandths: what the median edit and the worst one may change. Measured: see ARCHITECTURE.md.
    let bounds = [(30, 120), (60, 250), (30, 120), (120, 500)];
    for (pipeline, (usual, most)) in PIPELINES.into_iter().zip(bounds) {
        let shares = random_edits(pipeline, 3);
        let (median, worst) = (shares[shares.len() / 2], shares[shares.len() - 1]);
        let said = format!(
            "{pipeline:?}: of {} edits the median changes {median} of 1000 blocks, the worst {worst}",
            shares.len()
        );
        assert!(shares.len() >= 60 && median <= usual && worst <= most, "{said}");
    }
}
