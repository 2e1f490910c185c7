//! The content of one file: a sequence or a finding as text, and back, for the contract's current interface.

use crate::{
    finding::{Finding, Saved},
    harness::Key,
    input::{Adaptation, BlockReads, CallTable, Fitting, InputError, Instance, Interface, Origin, Sequence},
};
use alloy_primitives::Address;
use serde_json::{Value, json};
use std::{collections::BTreeSet, sync::Arc};

/// A sequence read from a file.
#[derive(Debug, PartialEq)]
pub(in crate::corpus) enum Decoded {
    /// Exactly the sequence that was written.
    Whole(Sequence),
    /// Written for another interface, and adapted to this one.
    Adapted(Sequence),
    /// No call of it exists any more.
    Foreign,
}

/// A finding read from a file.
#[derive(Debug, Clone)]
pub struct KeptFinding {
    /// The saved fields of the finding.
    pub saved: Saved,
    /// Its sequence, reduced to functions that the contract still has; none if it has none of them.
    pub sequence: Option<Sequence>,
}

/// The text of a sequence, one call a line.
pub(in crate::corpus) fn entry(key: &Key, table: &CallTable, sequence: &Sequence) -> String {
    let calls = calls_of(table, sequence);
    let calls: Vec<String> = calls.as_array().into_iter().flatten().map(|call| format!("    {call}")).collect();
    let (contract, file) = (json!(key.name), json!(key.file));
    format!("{{\n  \"contract\": {contract},\n  \"file\": {file},\n  \"sequence\": [\n{}\n  ]\n}}\n", calls.join(",\n"))
}

/// The calls of a sequence, without what is read from elsewhere.
fn calls_of(table: &CallTable, sequence: &Sequence) -> Value {
    let mut calls = sequence.to_json(table);
    for call in calls.as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
        // The contract is named once, and only arguments are read back from the call.
        if call.get("contract").and_then(Value::as_str) == Some(&table.main().name) {
            call.shift_remove("contract");
        }
        call.shift_remove("calldata");
    }
    calls
}

/// The text of a finding.
pub(super) fn finding(finding: &Finding, project: &str) -> String {
    format!("{:#}\n", finding.to_json(project))
}

/// Fields of a finding that are shared with other machines: what replays it, and where it was. The rest tells of the sources, and is made
/// again by the replay.
const SHARED: [&str; 12] = [
    "id",
    "oracle",
    "swc",
    "contract",
    "contract_file",
    "project",
    "suite",
    "suite_file",
    "file",
    "line",
    "executions",
    "seed",
];

/// The text of a finding as it is shared with other machines.
pub(in crate::corpus) fn shared_finding(finding: &Finding) -> String {
    let mut whole = finding.to_json(".");
    let mut shared = serde_json::Map::new();
    for field in SHARED {
        if let Some(value) = whole.get_mut(field) {
            shared.insert(field.to_owned(), value.take());
        }
    }
    if !finding.shrunk {
        shared.insert("shrunk".to_owned(), json!(false));
    }
    shared.insert("sequence".to_owned(), calls_of(&finding.harness.calls, &finding.sequence));
    format!("{:#}\n", Value::Object(shared))
}

/// Reads a sequence.
pub(in crate::corpus) fn read_entry(text: &str, table: &CallTable) -> Result<Decoded, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    decode(&json, table)
}

/// Reads a finding.
pub(in crate::corpus) fn read_finding(text: &str, table: &CallTable) -> Result<KeptFinding, String> {
    let json: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let saved = Saved::read(&json).map_err(|error| error.to_string())?;
    let sequence = match decode(&json, table)? {
        Decoded::Whole(sequence) | Decoded::Adapted(sequence) => Some(sequence),
        Decoded::Foreign => None,
    };
    Ok(KeptFinding { saved, sequence })
}

/// Bytes of the longest signature that is read; chosen by hand. No compiler writes longer or more deeply nested ones.
const MAX_SIGNATURE: usize = 4096;
const MAX_NESTING: usize = 64;

/// Reads the field `sequence`, adapted if it was written for another call table.
fn decode(json: &Value, table: &CallTable) -> Result<Decoded, String> {
    let sequence = json.get("sequence").filter(|calls| calls.is_array()).ok_or("no array `sequence`")?;
    let named = |error: InputError| error.within("sequence").to_string();
    let called = Called::of(sequence, table)?;
    if called.is_in(table) {
        return Sequence::from_json(sequence, table).map(Decoded::Whole).map_err(named);
    }
    let was = called.table(table).ok_or("a `function` that is not a signature")?;
    let before = Sequence::from_json(sequence, &was).map_err(named)?;
    let adapted = Adaptation::between(&was, table).sequence(&before);
    let nothing_is_left = adapted.transactions.is_empty() && !before.transactions.is_empty();
    Ok(if nothing_is_left { Decoded::Foreign } else { Decoded::Adapted(adapted) })
}

/// The functions that a sequence calls: the signatures for each instance that it names, the main one first.
struct Called<'a>(Vec<(&'a str, BTreeSet<&'a str>)>);

impl<'a> Called<'a> {
    /// The functions that this sequence calls; a call without an instance name is one of the main instance of `table`.
    fn of(sequence: &'a Value, table: &'a CallTable) -> Result<Self, &'static str> {
        let mut called = vec![(table.main().name.as_str(), BTreeSet::new())];
        let calls = sequence.as_array().map(Vec::as_slice).unwrap_or_default();
        for (at, call) in calls.iter().enumerate() {
            let signature = call.get("function").and_then(Value::as_str);
            let signature = signature.ok_or(if at == 0 {
                "no `function` in `sequence[0]`"
            } else {
                "a call without `function`"
            })?;
            // A contract without other instances may have been renamed.
            let name = call.get("contract").and_then(Value::as_str).filter(|_| table.instances().len() > 1);
            let name = name.unwrap_or(called[0].0);
            match called.iter_mut().find(|(known, _)| *known == name) {
                Some((_, signatures)) => drop(signatures.insert(signature)),
                None => called.push((name, BTreeSet::from([signature]))),
            }
        }
        if calls.is_empty() { Err("an empty `sequence`") } else { Ok(Self(called)) }
    }

    /// Whether a table has all of these functions.
    fn is_in(&self, table: &CallTable) -> bool {
        self.0.iter().all(|(name, signatures)| {
            let Some(id) = table.named(name) else { return false };
            let interface = &table.instance(id).interface;
            signatures.iter().all(|signature| {
                *signature == interface.constructor.signature || interface.by_signature(signature).is_some()
            })
        })
    }

    /// A table with exactly these functions, as far as signatures tell. Its instances have the addresses of the current
    /// ones of the same name.
    fn table(&self, now: &CallTable) -> Option<CallTable> {
        let is_one =
            |signature: &&str| signature.len() <= MAX_SIGNATURE && signature.matches('(').count() <= MAX_NESTING;
        let instance = |(name, signatures): &(&str, BTreeSet<&str>)| {
            let is_constructor = |signature: &&&str| signature.starts_with("constructor(");
            let constructor = signatures.iter().find(is_constructor).unwrap_or(&"constructor()");
            let functions: Vec<&str> = signatures.iter().filter(|it| !is_constructor(it)).copied().collect();
            let all_are = signatures.iter().all(is_one);
            let interface = all_are.then(|| Interface::of_signatures(constructor, &functions)).flatten()?;
            let known = now.named(name).map(|id| now.instance(id));
            let address = known.map_or(Address::ZERO, |instance| instance.address);
            let origin = known.map_or(Origin::Deployed, |instance| instance.origin);
            let (name, contract) = ((*name).to_owned(), (*name).to_owned());
            Some(Instance { name, contract, address, interface: Arc::new(interface), layout: None, origin })
        };
        let instances = self.0.iter().map(instance).collect::<Option<_>>()?;
        Some(CallTable::new(instances, Fitting::new(), BlockReads::default()))
    }
}
