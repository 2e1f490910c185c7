//! What one file says: a sequence or a finding as text, and back, for the interface that the contract has now.

use super::Key;
use crate::{
    finding::{Finding, Saved},
    input::{Adaptation, InputError, Interface, Sequence},
};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A sequence on the interface of another build.
#[derive(Debug, PartialEq)]
pub(super) enum Decoded {
    /// As it was written.
    Whole(Sequence),
    /// For an interface that was another one, adapted to this one.
    Adapted(Sequence),
    /// All of its calls are gone.
    Foreign,
}

/// A finding as it was kept.
#[derive(Debug, Clone)]
pub struct KeptFinding {
    /// What is known of it.
    pub saved: Saved,
    /// Its sequence, as far as the contract still has the functions; none if it has none of them.
    pub sequence: Option<Sequence>,
}

/// A sequence, one call a line.
pub(super) fn entry(key: &Key, interface: &Interface, sequence: &Sequence) -> String {
    let mut calls = sequence.to_json(interface, &key.name);
    for call in calls.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        // Said once, and in one way: what is read back is the arguments.
        call.shift_remove("contract");
        call.shift_remove("calldata");
    }
    let calls: Vec<String> = calls.as_array().into_iter().flatten().map(|call| format!("    {call}")).collect();
    let (contract, file) = (json!(key.name), json!(key.file));
    format!("{{\n  \"contract\": {contract},\n  \"file\": {file},\n  \"sequence\": [\n{}\n  ]\n}}\n", calls.join(",\n"))
}

/// A finding. The id of the build and the time on the clock are left out: what was found with one seed is the same
/// everywhere.
pub(super) fn finding(finding: &Finding, project: &str) -> String {
    let mut json = finding.to_json(project);
    if let Some(fields) = json.as_object_mut() {
        fields.shift_remove("build");
        fields.shift_remove("elapsed_ms");
    }
    format!("{json:#}\n")
}

/// Reads a sequence.
pub(super) fn read_entry(text: &str, interface: &Interface) -> Result<Decoded, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    decode(&json, interface)
}

/// Reads a finding.
pub(super) fn read_finding(text: &str, interface: &Interface) -> Result<KeptFinding, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let saved = Saved::read(&json).map_err(|error| error.to_string())?;
    let sequence = match decode(&json, interface)? {
        Decoded::Whole(sequence) | Decoded::Adapted(sequence) => Some(sequence),
        Decoded::Foreign => None,
    };
    Ok(KeptFinding { saved, sequence })
}

/// Signatures that are longer or nested deeper are no compiler's.
const MAX_SIGNATURE: usize = 4096;
const MAX_NESTING: usize = 64;

/// The field `sequence`. What was written for another interface is adapted to this one.
fn decode(json: &Value, interface: &Interface) -> Result<Decoded, String> {
    let sequence = json.get("sequence").filter(|calls| calls.is_array()).ok_or("no array `sequence`")?;
    let mut signatures = sequence.as_array().into_iter().flatten().map(|call| call.get("function")?.as_str());
    let constructor = signatures.next().ok_or("an empty `sequence`")?.ok_or("no `function` in `sequence[0]`")?;
    let called = signatures.collect::<Option<BTreeSet<&str>>>().ok_or("a call without `function`")?;
    let named = |error: InputError| error.within("sequence").to_string();
    let is_same = constructor == interface.constructor.signature
        && called.iter().all(|signature| interface.by_signature(signature).is_some());
    if is_same {
        return Sequence::from_json(sequence, interface).map(Decoded::Whole).map_err(named);
    }
    let is_one = |signature: &&str| signature.len() <= MAX_SIGNATURE && signature.matches('(').count() <= MAX_NESTING;
    let was = std::iter::once(&constructor)
        .chain(&called)
        .all(is_one)
        .then(|| Interface::of_signatures(constructor, &called));
    let was = was.flatten().ok_or("a `function` that is no signature")?;
    let before = Sequence::from_json(sequence, &was).map_err(named)?;
    let adapted = Adaptation::between(&was, interface).sequence(&before);
    let nothing_is_left = adapted.transactions.is_empty() && !before.transactions.is_empty();
    Ok(if nothing_is_left { Decoded::Foreign } else { Decoded::Adapted(adapted) })
}
