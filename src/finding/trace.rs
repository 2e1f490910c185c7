//! The trace of a sequence or a finding: every call with the calls inside of it, what each returned, emitted, read and wrote, and the branch that
//! decided how the last one ended. It is text, since people read it; what it tells is found out by running the sequence once more.

use super::{
    compared::Compared,
    decided::Decided,
    model::Finding,
    signatures::Signatures,
    slots::Slots,
    story::{self, CreatedNames, creation, ending, sender, wait},
};
use crate::{
    evm::{Branch, CHEATCODE_ADDRESS, CallEvent, CallKind, CallNode, CallTree, Outcome, Preimage, Snapshot, Status},
    harness::{Action, Harness, Step},
    input::{
        Sequence,
        brief::short,
        print::{Names, amount},
    },
};
use alloy_primitives::{Address, U256};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// Lines of one call of the sequence that are shown; chosen by hand: more than anybody reads.
const MAX_LINES: usize = 1000;

impl Finding {
    /// What it is, the trace of its calls, which are run again for that, and why it is one.
    pub fn trace(&self) -> String {
        let Self { what, file, lines, violation, id, harness, sequence, because, .. } = self;
        let mut text = format!(
            "{what}\n{file}:{}, {}, finding {id}\n\n{}\n",
            lines.line,
            violation.oracle,
            trace(harness, sequence)
        );
        if let Some(compared) = self.comparison.told() {
            let _ = writeln!(text, "{compared}");
        }
        let _ = writeln!(text, "{because}");
        text
    }
}

/// The trace of a sequence in a world, as lines of plain text.
pub fn trace(harness: &Harness, sequence: &Sequence) -> String {
    let mut executor = harness.executor();
    executor.set_detailed(true);
    let signatures = Signatures::of(&harness.build);
    let (mut created, mut preimages) = (CreatedNames::default(), Vec::new());
    let (mut text, mut number) = (String::new(), 0);
    harness.run(&mut executor, sequence, |step| {
        preimages.extend(step.executor.observation().preimages.iter().cloned());
        created.note(harness, step.after);
        let name = |address: Address| account(harness, &created, address);
        number += 1;
        let observation = step.executor.observation();
        let teller =
            Teller { harness, signatures: &signatures, created: &created, preimages: &preimages, names: &name };
        let told = teller.told(&observation.calls, step.before);
        let _ = writeln!(text, "{number}. {}", headline(harness, step, &name));
        let more = told.len().saturating_sub(MAX_LINES);
        told.iter().take(MAX_LINES).for_each(|line| {
            let _ = writeln!(text, "   {line}");
        });
        if more > 0 {
            let plural = if more == 1 { "" } else { "s" };
            let _ = writeln!(text, "   … {more} more line{plural}");
        }
        for line in &observation.console {
            let _ = writeln!(text, "   console.log: {line}");
        }
        if step.outcome.status != Status::Success
            && let Some(decided) = decided(harness, &observation.branches)
        {
            let _ = writeln!(text, "   {decided}");
        }
    });
    text
}

/// The name of an account, also of one that was created meanwhile.
fn account(harness: &Harness, created: &CreatedNames, address: Address) -> Option<String> {
    let of_tests = (address == CHEATCODE_ADDRESS).then(|| "vm".to_owned());
    of_tests.or_else(|| created.account(harness, address))
}

/// Who does what, and how it ends.
fn headline(harness: &Harness, step: &Step<'_>, names: Names<'_>) -> String {
    let call = match step.action {
        Action::Deploy(deployment) => creation(harness, deployment, names),
        Action::Call(call) => story::call(harness, call, names),
    };
    let wait = step.action.transaction().map(wait).filter(|wait| !wait.is_empty());
    let wait = wait.map(|wait| format!("after {wait}, ")).unwrap_or_default();
    format!("{wait}{}: {call} → {}", sender(names, step.action.sender()), ending(harness, step.outcome))
}

/// The last branch of the source before a call failed: its condition, what that was, and where it stands.
fn decided(harness: &Harness, branches: &[Branch]) -> Option<String> {
    let branch = branches.iter().rfind(|branch| branch.in_source)?;
    let Decided { source, decision, holds, compared } = Decided::of(harness, branch)?;
    let compared = match compared {
        Some(Compared::Sides([left, right], operator)) => {
            format!(" (`{} {operator} {}`)", short(&left.value), short(&right.value))
        }
        Some(Compared::Words([one, other])) => format!(" (compared: {} and {})", short(&one), short(&other)),
        None => String::new(),
    };
    let file = harness.build.source(source);
    let (line, condition) = (file.lines.line(decision.span.start), decision.condition.text(&file.text));
    Some(format!("decided at {}:{line}: `{condition}` was {holds}{compared}", file.name))
}

/// Tells the calls of one transaction.
struct Teller<'a> {
    harness: &'a Harness,
    signatures: &'a Signatures,
    created: &'a CreatedNames,
    preimages: &'a [Preimage],
    names: Names<'a>,
}

/// The words of slots as they are at one moment of a transaction, with those before each change.
struct Words<'a> {
    before: &'a Snapshot,
    now: BTreeMap<(Address, U256), U256>,
    changed: Vec<((Address, U256), U256)>,
}

impl Words<'_> {
    fn get(&self, account: Address, slot: U256) -> U256 {
        self.now.get(&(account, slot)).copied().unwrap_or_else(|| self.before.slot(account, slot))
    }

    /// Returns the word before.
    fn set(&mut self, account: Address, slot: U256, word: U256) -> U256 {
        let before = self.get(account, slot);
        self.changed.push(((account, slot), before));
        self.now.insert((account, slot), word);
        before
    }

    /// Takes back all changes but the first so many.
    fn undo(&mut self, kept: usize) {
        while self.changed.len() > kept
            && let Some((at, before)) = self.changed.pop()
        {
            self.now.insert(at, before);
        }
    }
}

impl Teller<'_> {
    /// What happens inside of the transaction, a line each, indented by how deep it is.
    fn told(&self, calls: &CallTree, before: &Snapshot) -> Vec<String> {
        let mut lines = Vec::new();
        if !calls.nodes().is_empty() {
            let mut words = Words { before, now: BTreeMap::new(), changed: Vec::new() };
            self.inside(calls, &calls.events(), 0, &mut words, &mut lines);
        }
        lines
    }

    fn inside(
        &self,
        calls: &CallTree,
        events: &[Vec<CallEvent>],
        index: usize,
        words: &mut Words<'_>,
        lines: &mut Vec<String>,
    ) {
        let node = &calls.nodes()[index];
        let indent = "  ".repeat(node.depth as usize);
        let mut read = BTreeSet::new();
        for event in &events[index] {
            match *event {
                CallEvent::Call(inner) => {
                    let at = lines.len();
                    let kept = words.changed.len();
                    self.inside(calls, events, inner, words, lines);
                    let inner = &calls.nodes()[inner];
                    if !inner.success {
                        words.undo(kept);
                    }
                    lines.insert(at, format!("{indent}{}", self.call(inner)));
                }
                CallEvent::Storage(access) => {
                    let access = node.storage[access];
                    let told = match access.stored {
                        Some(word) => self.written(node, access.slot, words.set(node.target, access.slot, word), word),
                        None if read.insert(access.slot) => {
                            self.read(node, access.slot, words.get(node.target, access.slot))
                        }
                        None => Vec::new(),
                    };
                    lines.extend(told.into_iter().map(|told| format!("{indent}{told}")));
                }
                CallEvent::Log(log) => {
                    lines.push(format!("{indent}emits {}", self.signatures.log(&node.logs[log].data, self.names)));
                }
            }
        }
    }

    /// A call inside of another one, with how it ended.
    fn call(&self, node: &CallNode) -> String {
        let options = match node.kind {
            CallKind::Call if !node.value.is_zero() => format!("{{value: {}}}", short(&amount(node.value))),
            _ => String::new(),
        };
        let called = |verb: &str| {
            let code = sender(self.names, node.code);
            format!("{verb}{code}.{}", self.signatures.call(&node.input, &options, self.names))
        };
        let call = match node.kind {
            CallKind::Call => called("calls "),
            CallKind::Static => called("asks "),
            CallKind::Delegate => called("delegates to "),
            CallKind::CallCode => called("runs the code of "),
            CallKind::Create => format!("creates {}", sender(self.names, node.target)),
        };
        format!("{call} → {}", self.ended(node))
    }

    fn ended(&self, node: &CallNode) -> String {
        if node.success {
            let is_code = node.kind == CallKind::Create;
            let result = (!is_code).then(|| self.signatures.result(&node.input, &node.output, self.names)).flatten();
            return result.unwrap_or_else(|| "ok".to_owned());
        }
        if let Some(error) = self.signatures.error(&node.output, self.names) {
            return format!("revert {error}");
        }
        let outcome =
            Outcome { status: Status::Revert, output: node.output.clone(), created: None, gas: 0, logs: Vec::new() };
        ending(self.harness, &outcome)
    }

    /// A slot that is written; nothing for the scripts of attackers and stand-ins, which the call tells.
    fn written(&self, node: &CallNode, slot: U256, before: U256, after: U256) -> Vec<String> {
        let Some((owner, slots)) = self.slots(node) else { return Vec::new() };
        if before == after {
            return slots
                .held(slot, after)
                .into_iter()
                .map(|(name, value)| format!("{owner}{name}: stays {value}"))
                .collect();
        }
        let changes = slots.describe(slot, before, after).into_iter();
        changes.map(|(name, before, after)| format!("{owner}{name}: {before} → {after}")).collect()
    }

    /// A slot that is read for the first time in this call.
    fn read(&self, node: &CallNode, slot: U256, word: U256) -> Vec<String> {
        let Some((owner, slots)) = self.slots(node) else { return Vec::new() };
        let held: Vec<String> =
            slots.held(slot, word).into_iter().map(|(name, value)| format!("{owner}{name} is {value}")).collect();
        vec![format!("reads {}", held.join(", "))]
    }

    /// The slots of the account that a call works on, and how it is named where that is not whose code runs.
    fn slots(&self, node: &CallNode) -> Option<(String, Slots<'_>)> {
        let layout = self.created.storage(self.harness, node.target)?.layout;
        let owner = match node.code == node.target {
            true => String::new(),
            false => format!("{}: ", sender(self.names, node.target)),
        };
        Some((owner, Slots { layout, preimages: self.preimages, name: self.names }))
    }
}
