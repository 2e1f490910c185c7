//! A [`Story`] is a sequence as a person would tell it: who called what, with which time and ether in between, what
//! changed, and how the last call failed.

use super::slots::Slots;
use crate::{
    compile::{SourceId, Span},
    evm::{Outcome, Status},
    input::{
        Delay, Sequence, Transaction,
        print::{amount, display, display_call, duration},
    },
    subject::Subject,
};
use alloy_json_abi::Error as AbiError;
use alloy_primitives::{Address, U256};
use std::fmt::Write;

/// As many characters of a revert's reason are told.
const MAX_REASON: usize = 200;

/// A variable that a call changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Its name: `balances[alice]`.
    pub name: String,
    /// Its value before.
    pub before: String,
    /// Its value after.
    pub after: String,
}

/// One call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// As a person reads it: `deposit{value: 1 ether}(5)`.
    pub call: String,
    /// Who sends it.
    pub sender: String,
    /// What passes before it, empty if nothing: `1 day`.
    pub wait: String,
    /// What it changed.
    pub changes: Vec<Change>,
    /// How it ended: `ok`, `panic 0x01`, `revert Unauthorized()`.
    pub result: String,
    /// Where the function is defined.
    pub definition: Option<(SourceId, Span)>,
}

/// A sequence, told.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Story {
    /// The deployment, then each transaction.
    pub steps: Vec<Step>,
}

impl Story {
    /// The calls after the deployment in one line (the deployment itself, if there is no other).
    pub fn calls(&self, separator: &str) -> String {
        let skip = usize::from(self.steps.len() > 1);
        self.steps.iter().skip(skip).map(|step| step.call.as_str()).collect::<Vec<_>>().join(separator)
    }

    /// Numbered lines of plain text, two spaces deep.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let wait = if step.wait.is_empty() { String::new() } else { format!("after {}, ", step.wait) };
            let _ = writeln!(text, "  {}. {wait}{}: {} → {}", number + 1, step.sender, step.call, step.result);
            for change in &step.changes {
                let _ = writeln!(text, "       {}: {} → {}", change.name, change.before, change.after);
            }
        }
        text
    }

    /// The same as Markdown.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        for (number, step) in self.steps.iter().enumerate() {
            let wait = if step.wait.is_empty() { String::new() } else { format!("*{} later*, ", step.wait) };
            let verb = if number == 0 { "deploys" } else { "calls" };
            let _ =
                writeln!(text, "{}. {wait}**{}** {verb} `{}` → {}", number + 1, step.sender, step.call, step.result);
            for change in &step.changes {
                let _ = writeln!(text, "   - `{}`: {} → {}", change.name, change.before, change.after);
            }
        }
        text
    }
}

/// Runs the sequence from a clean world and tells what happens.
pub fn tell(subject: &Subject, sequence: &Sequence) -> Story {
    let mut executor = subject.executor();
    executor.set_detailed(true);
    let mut story = Story::default();
    let mut preimages = Vec::new();
    let own = own_address(subject, sequence);
    let name = |address: Address| name(subject, own, address);
    subject.run(&mut executor, sequence, |step| {
        preimages.extend(step.executor.observation().preimages.iter().cloned());
        let slots = Slots { layout: subject.compiled().storage.as_ref(), preimages: &preimages, name: &name };
        let mut changes = Vec::new();
        for (address, slot, before, after) in step.before.changes(step.after) {
            let named = if Some(address) == own {
                slots.describe(slot, before, after)
            } else {
                Slots { layout: None, ..slots }.describe(slot, before, after)
            };
            let owner = if Some(address) == own {
                String::new()
            } else {
                format!("{}: ", name(address).unwrap_or_else(|| address.to_string()))
            };
            changes.extend(named.into_iter().map(|(name, before, after)| Change {
                name: format!("{owner}{name}"),
                before,
                after,
            }));
        }
        if let Some(own) = own {
            let (before, after) = (step.before.balance(own), step.after.balance(own));
            if before != after {
                changes.push(Change { name: "balance".to_owned(), before: amount(before), after: amount(after) });
            }
        }
        story.steps.push(Step {
            call: step.transaction.map_or_else(
                || deployment(subject, sequence, &name),
                |call| display_call(call, &subject.interface, &name),
            ),
            sender: sender(&name, step.transaction.map_or(sequence.deployment.sender, |call| call.sender)),
            wait: step.transaction.map(wait).unwrap_or_default(),
            changes,
            result: result(subject, step.outcome),
            definition: step.transaction.and_then(|call| subject.definition(call.function)),
        });
    });
    story
}

/// How a call ended, in the words of the JSON output: `ok`, `panic 0x01`, `revert Reason`, `halt ...`.
pub(crate) fn result(subject: &Subject, outcome: &Outcome) -> String {
    match &outcome.status {
        Status::Success => "ok".to_owned(),
        Status::Refused => "refused: the sender cannot pay".to_owned(),
        Status::Halt(reason) => match reason {
            revm::context::result::HaltReason::InvalidFEOpcode => "invalid".to_owned(),
            revm::context::result::HaltReason::OutOfGas(_) => "out of gas".to_owned(),
            other => format!("halt {other:?}"),
        },
        Status::Revert => {
            let data = outcome.output.as_ref();
            if data.is_empty() {
                return "revert".to_owned();
            }
            match data.split_first_chunk::<4>() {
                Some(([0x4e, 0x48, 0x7b, 0x71], code)) if code.len() == 32 => {
                    format!("panic {:#04x}", U256::from_be_slice(code))
                }
                Some(([0x08, 0xc3, 0x79, 0xa0], message)) => {
                    let decoded = alloy_dyn_abi::DynSolType::String.abi_decode(message);
                    let text = decoded.ok().and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default();
                    format!("revert {:?}", shortened(&text))
                }
                Some((selector, _)) => {
                    let error = subject.compiled().abi.errors().find(|error: &&AbiError| error.selector() == *selector);
                    error.map_or_else(|| "revert".to_owned(), |error| format!("revert {}", error.name))
                }
                None => "revert".to_owned(),
            }
        }
    }
}

/// A reason can be as long as gas allows: a person needs its beginning.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_REASON) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn deployment(subject: &Subject, sequence: &Sequence, name: &dyn Fn(Address) -> Option<String>) -> String {
    let deployment = &sequence.deployment;
    let inputs = subject.interface.constructor.inputs.iter();
    let arguments: Vec<_> =
        deployment.arguments.iter().zip(inputs).map(|(value, input)| display(value, &input.ty, name)).collect();
    let value =
        if deployment.value.is_zero() { String::new() } else { format!("{{value: {}}}", amount(deployment.value)) };
    format!("new {}{value}({})", subject.compiled().name, arguments.join(", "))
}

/// What passes before a call: `2 days`, or nothing.
pub(super) fn wait(call: &Transaction) -> String {
    match (call.delay.seconds, call.delay.blocks) {
        (0, 0) => String::new(),
        // What was made as small as it gets decides nothing; most delays are as long as their blocks usually take.
        (0 | 1, blocks) if blocks > 1 => format!("{blocks} blocks"),
        (seconds, blocks) if blocks <= 1 || Delay::of_seconds(seconds).blocks == blocks => duration(seconds),
        (seconds, blocks) => format!("{} and {blocks} blocks", duration(seconds)),
    }
}

fn own_address(subject: &Subject, sequence: &Sequence) -> Option<Address> {
    let mut executor = subject.executor();
    subject.deploy(&mut executor, &sequence.deployment).1.map(|deployed| deployed.address)
}

fn name(subject: &Subject, own: Option<Address>, address: Address) -> Option<String> {
    if Some(address) == own {
        return Some(subject.compiled().name.to_lowercase());
    }
    subject.world.name(address).map(str::to_owned)
}

fn sender(name: &dyn Fn(Address) -> Option<String>, address: Address) -> String {
    name(address).unwrap_or_else(|| address.to_string())
}
