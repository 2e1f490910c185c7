//! The test of a finding in a test contract: a contract that inherits that one, so that its `setUp()` makes the same world at the same
//! addresses, makes the calls, and then asks the property.

use super::{
    existing::Existing,
    layout::{Lines, comment_line, path_string},
    plan::{data, import_path, name, own_pragmas},
};
use crate::{
    evm::TEST_ADDRESS,
    finding::{confirm::shows, model::Finding, story::wait},
    harness::Harness,
    input::{PropertyKind, Transaction, print::solidity_literals},
    oracle::{self, Evidence, OracleSet},
    project::Project,
};
use std::{fmt::Write, path::Path};

/// The cheatcodes of such a test, under names that no test contract has.
const CHEATCODES: &str = "interface BellwetherVm {
    function prank(address sender, address origin) external;
    function roll(uint256 number) external;
    function warp(uint256 timestamp) external;
}
";

/// The declaration of the cheatcodes in the contract.
const VM: &str =
    "    BellwetherVm private constant BELLWETHER_VM = BellwetherVm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);\n";

/// One test in a contract that inherits a test contract.
pub(super) struct InheritingTest {
    /// The contract that holds it.
    pub(super) contract: String,
    /// The name of its function.
    pub(super) name: String,
    parent: String,
    pragmas: Vec<String>,
    import: String,
    comment: Vec<String>,
    body: String,
}

impl InheritingTest {
    /// The test of a finding in a test contract, for the file at `path`.
    pub(super) fn new(path: &Path, finding: &Finding, project: &Project, evidence: Evidence) -> Self {
        let harness = &*finding.harness;
        let contract = harness.compiled();
        let source = harness.build.source(contract.source);
        let what = format!("{}: {}:{}", finding.what, project.relative(&source.path), finding.lines.line);
        let comment = std::iter::once(format!("Finding {}: {what}.", finding.id));
        Self {
            contract: format!("{}BellwetherTest", contract.name),
            name: name(finding),
            parent: contract.name.clone(),
            pragmas: own_pragmas(&source.text).into_iter().map(|pragma| format!("solidity {pragma}")).collect(),
            import: import_path(path, &source.path),
            comment: comment.chain(finding.story.to_text().lines().map(str::to_owned)).collect(),
            body: body(harness, &called_by_the_test(finding), evidence, &what),
        }
    }

    /// The whole file.
    pub(super) fn file(&self) -> String {
        let mut text = String::from("// SPDX-License-Identifier: UNLICENSED\n");
        for pragma in &self.pragmas {
            let _ = writeln!(text, "pragma {pragma};");
        }
        let _ = writeln!(text, "\nimport {{{}}} from {};\n\n{CHEATCODES}", self.parent, path_string(&self.import));
        let _ = writeln!(
            text,
            "// What Bellwether found in {0}. A test fails as long as its defect is there; the tests of {0} run here once more.",
            self.parent
        );
        let _ = writeln!(text, "contract {} is {} {{\n{VM}\n{}}}", self.contract, self.parent, self.function());
        text
    }

    /// The function.
    pub(super) fn function(&self) -> String {
        let comment: String = self.comment.iter().map(|line| format!("    /// {}\n", comment_line(line))).collect();
        format!(
            "{}    function {}() public {{\n{}    }}\n",
            comment.replace("    /// \n", "    ///\n"),
            self.name,
            self.body
        )
    }

    /// Adds it to a file under a name that is free; none if the file has such a test already.
    pub(super) fn append(&mut self, text: &str) -> Result<Option<(usize, String)>, String> {
        let existing = Existing::read(text, &self.contract)?;
        if let Some(twin) = existing.twin_test(&self.function()) {
            self.name = twin;
            return Ok(None);
        }
        if !existing.declares("BELLWETHER_VM") || !existing.knows(&self.parent, &self.import) {
            return Err(format!("has no contract {} that inherits {}", self.contract, self.parent));
        }
        self.name = existing.free_name(&self.name);
        Ok(Some(existing.insertion(&self.function())))
    }
}

/// The calls of a finding, made by the test contract itself if they show the same: a handler that pretends to be somebody for several calls
/// cannot do so where somebody pretends to be its caller.
fn called_by_the_test(finding: &Finding) -> Vec<Transaction> {
    let harness = &*finding.harness;
    let mut sequence = finding.sequence.clone();
    for transaction in &mut sequence.transactions {
        if harness.calls.property(transaction.call).is_none() {
            transaction.sender = TEST_ADDRESS;
        }
    }
    let mut oracles = OracleSet::of(&finding.harness, oracle::all());
    let is_shown = shows(harness, &mut harness.executor(), &mut oracles, &sequence, &finding.violation);
    if is_shown { sequence.transactions } else { finding.sequence.transactions.clone() }
}

fn body(harness: &Harness, transactions: &[Transaction], evidence: Evidence, message: &str) -> String {
    let mut body = Lines::default();
    let is_property = |call: &Transaction| harness.calls.property(call.call).is_some();
    let (last, before) = transactions.split_last().map_or((None, transactions), |(last, before)| (Some(last), before));
    let calls = before.iter().chain(last.filter(|last| !is_property(last)));
    let count = calls.clone().count();
    let looks_at_result = matches!(evidence, Evidence::Reverts(_)) && last.is_some_and(|last| !is_property(last));
    if count > 0 {
        body.line("address target;");
        body.line("bool success;");
    }
    if looks_at_result {
        body.line("bytes memory result;");
    }
    for (index, call) in calls.enumerate() {
        let instance = harness.calls.instance(call.call.target);
        let at = call.at.unwrap_or(instance.address);
        if index > 0 {
            body.blank();
        }
        body.line(&format!("// {}{}.{}", waited(call), instance.name, harness.calls.function(call.call).name));
        for (cheatcode, now, more) in
            [("warp", "block.timestamp", call.env.seconds), ("roll", "block.number", call.env.blocks)]
        {
            if more > 0 {
                body.line(&format!("BELLWETHER_VM.{cheatcode}({now} + {more});"));
            }
        }
        if call.sender != TEST_ADDRESS {
            body.line(&format!("BELLWETHER_VM.prank({0}, {0});", call.sender));
        }
        let is_judged = looks_at_result && index + 1 == count;
        let results = if is_judged { "(success, result) =" } else { "(success,) =" };
        body.line(&format!("target = {at};"));
        body.low_level_call(results, "target.call", &data(harness, call, &|_| None));
    }
    match last {
        Some(property) if is_property(property) => ask(harness, property, count > 0, &mut body),
        Some(_) => match evidence {
            Evidence::Reverts(code) => {
                body.line(&format!("bytes memory panic = abi.encodeWithSignature(\"Panic(uint256)\", {code:#04x});"));
                body.require("success || keccak256(result) != keccak256(panic)", message);
            }
            _ => body.require("success", message),
        },
        None => {}
    }
    body.text
}

/// Calls the property, which reverts if it does not hold.
fn ask(harness: &Harness, property: &Transaction, is_separate: bool, body: &mut Lines) {
    let function = harness.calls.function(property.call);
    if is_separate {
        body.blank();
    }
    let fails = harness.calls.property(property.call).is_some_and(PropertyKind::is_of_failure);
    let literals = solidity_literals(&property.arguments, &function.inputs, &|_| None);
    match literals {
        Some(literals) if !fails => body.call(&format!("this.{}", function.name), &literals, ";"),
        _ => {
            let call = data(harness, property, &|_| None);
            let results = if is_separate { "(success,) =" } else { "(bool success,) =" };
            body.low_level_call(results, "address(this).call", &call);
            let holds = if fails { "!success" } else { "success" };
            body.require(holds, &format!("{} does not hold", function.name));
        }
    }
}

fn waited(call: &Transaction) -> String {
    match wait(call) {
        time if time.is_empty() => time,
        time => format!("{time} later: "),
    }
}
