//! What a session has to say beside its findings: properties that are not called or say nothing, calls that always revert, and the largest
//! values of functions that are to be maximised. Silence about a property then means that it was looked at, and held.

use super::{session::Session, survey::MANY_CALLS};
use crate::{
    evm::Outcome,
    finding::tell,
    harness::{Harness, HarnessKind},
    input::{CallId, PropertyKind},
};
use std::{path::PathBuf, sync::PoisonError};

/// Something to say about a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The file, absolute.
    pub path: PathBuf,
    /// The source's name, relative to the root.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// A sentence.
    pub message: String,
}

impl Session {
    /// What there is to say beside the findings.
    pub(super) fn remarks(&self) -> Vec<Remark> {
        let harness = &self.harness;
        let records = self.shared.call_records.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let rules = harness.calls.rules();
        let mut remarks: Vec<Remark> = Vec::new();
        let mut say = |call: CallId, message: String| {
            if let Some((source, span)) = harness.definition(call) {
                let source = harness.build.source(source);
                let line = source.lines.line(span.start);
                remarks.push(Remark { path: source.path.clone(), file: source.name.clone(), line, message });
            }
        };
        for function in &harness.calls.main().interface.functions {
            if let Some(mistake) = PropertyKind::mistake(function) {
                say(CallId::main(function.id), format!("`{}` is never called: {mistake}", function.name));
            }
        }
        let is_test = harness.kind() == HarnessKind::Test;
        for property in rules.properties.iter().filter(|_| is_test) {
            let function = harness.calls.function(property.call);
            if property.kind.holds_without_revert() && !function.outputs.is_empty() {
                let name = &function.name;
                say(
                    property.call,
                    format!(
                        "the value that `{name}` returns is not checked, only whether it reverts: assert the value"
                    ),
                );
            }
        }
        for (call, record) in &records.0 {
            let name = called(harness, *call);
            let kind = harness.calls.property(*call);
            if let Some((best, sequence)) = &record.best {
                say(
                    *call,
                    format!("the largest value of `{name}` so far is {best}: {}", tell(harness, sequence).calls(", ")),
                );
            } else if kind == Some(PropertyKind::FuzzTest)
                && record.calls >= MANY_CALLS
                && record.given_up == record.calls
            {
                say(*call, format!("`{name}` was never run to its end: `vm.assume` rejected each of its calls"));
            } else if let Some(reverted) = &record.reverted
                && record.lacks_cheatcode
                && kind.is_some()
                && record.succeeded == 0
            {
                say(*call, format!("`{name}` cannot be run: {}", reason(reverted)));
            } else if kind.is_none()
                && (is_test || !rules.properties.is_empty())
                && let Some(reverted) = record.always_reverted(MANY_CALLS)
            {
                let told = self.told(reverted);
                say(*call, format!("every call of `{name}` reverted, the first one with {told}"));
            }
        }
        if is_test && harness.calls.state_changing().is_empty() {
            for property in rules.properties.iter().filter(|property| property.kind == PropertyKind::Invariant) {
                let name = &harness.calls.function(property.call).name;
                say(
                    property.call,
                    format!("`{name}` was checked right after `setUp()` only: there is no contract to call"),
                );
            }
        }
        remarks.sort_by(|a, b| (&a.file, a.line, &a.message).cmp(&(&b.file, b.line, &b.message)));
        remarks
    }
}

impl Session {
    /// How a call ended, with the names of errors.
    pub(super) fn told(&self, outcome: &Outcome) -> String {
        outcome.told_in_words(|selector| self.harness.build.error_name(selector).map(str::to_owned))
    }
}

/// What a call says that reverts, without quotes.
fn reason(outcome: &Outcome) -> String {
    let told = outcome.told(|_| None);
    let text = told.strip_prefix("revert \"").and_then(|text| text.strip_suffix('"'));
    text.map_or(told.clone(), str::to_owned)
}

/// A function with the instance that it is called on.
fn called(harness: &Harness, call: CallId) -> String {
    let name = &harness.calls.function(call).name;
    match harness.calls.property(call) {
        Some(_) => name.clone(),
        None => format!("{}.{name}", harness.calls.instance(call.target).name),
    }
}
