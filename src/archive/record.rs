//! What one file says: a sequence or a finding as text, and back, for the interface that the contract has now.

use super::Key;
use crate::{
    finding::{Finding, Saved},
    input::{Deployment, InputError, Interface, Sequence, Transaction},
};
use serde_json::{Value, json};

/// A sequence on the interface of another build.
#[derive(Debug, PartialEq)]
pub(super) enum Decoded {
    /// As it was written.
    Whole(Sequence),
    /// Without calls of functions that are gone.
    Part(Sequence),
    /// For another constructor, or all of its calls are gone.
    Foreign,
}

/// A finding as it was kept.
#[derive(Debug, Clone)]
pub struct KeptFinding {
    /// What is known of it.
    pub saved: Saved,
    /// Its sequence, as far as the contract still has the functions; none for another constructor.
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
        Decoded::Whole(sequence) | Decoded::Part(sequence) => Some(sequence),
        Decoded::Foreign => None,
    };
    Ok(KeptFinding { saved, sequence })
}

/// The field `sequence`, call by call.
fn decode(json: &Value, interface: &Interface) -> Result<Decoded, String> {
    let calls = json.get("sequence").and_then(Value::as_array).ok_or("no array `sequence`")?;
    let (first, rest) = calls.split_first().ok_or("an empty `sequence`")?;
    let at = |index: usize| move |error: InputError| error.within(&format!("sequence[{index}]")).to_string();
    let constructor = first.get("function").and_then(Value::as_str);
    if constructor.is_some_and(|signature| signature != interface.constructor.signature) {
        return Ok(Decoded::Foreign);
    }
    let deployment = Deployment::from_json(first, interface).map_err(at(0))?;
    let mut transactions = Vec::new();
    for (index, call) in (1..).zip(rest) {
        match Transaction::from_json(call, interface) {
            Ok(transaction) => transactions.push(transaction),
            Err(InputError::UnknownFunction { .. }) => {}
            Err(error) => return Err(at(index)(error)),
        }
    }
    let left = transactions.len();
    let sequence = Sequence { deployment, transactions };
    Ok(match left {
        _ if left == rest.len() => Decoded::Whole(sequence),
        0 => Decoded::Foreign,
        _ => Decoded::Part(sequence),
    })
}
