//! The functions, events and errors of a build by what stands for them in calldata, logs and reverts, and the text of what they carry.
//! Whoever is called does not matter: a selector has the same types everywhere.

use crate::{
    compile::Build,
    input::{
        Parameter, Type,
        brief::short,
        encode::decode,
        print::{Names, brief},
    },
};
use alloy_json_abi::{EventParam, Param};
use alloy_primitives::{B256, Bytes, LogData, U256, hex};
use std::collections::HashMap;

/// Bytes of calldata and of results that nobody knows which are shown; chosen by hand.
const MAX_BYTES: usize = 36;

/// A function or an error.
struct Signature {
    name: String,
    inputs: Vec<Parameter>,
    outputs: Vec<Parameter>,
}

/// An event.
struct Event {
    name: String,
    /// Each parameter, and whether it is indexed.
    parameters: Vec<(Parameter, bool)>,
}

/// What is known by its hash.
pub(super) struct Signatures {
    functions: HashMap<[u8; 4], Signature>,
    errors: HashMap<[u8; 4], Signature>,
    events: HashMap<B256, Event>,
}

impl Signatures {
    /// Those of all contracts of a build.
    pub(super) fn of(build: &Build) -> Self {
        let (mut functions, mut errors, mut events) = (HashMap::new(), HashMap::new(), HashMap::new());
        for contract in &build.contracts {
            for function in contract.abi.functions() {
                functions.entry(function.selector().0).or_insert_with(|| Signature {
                    name: function.name.clone(),
                    inputs: parameters(&function.inputs),
                    outputs: parameters(&function.outputs),
                });
            }
            for error in contract.abi.errors() {
                let (name, inputs) = (error.name.clone(), parameters(&error.inputs));
                errors.entry(error.selector().0).or_insert(Signature { name, inputs, outputs: Vec::new() });
            }
            for event in contract.abi.events() {
                let parameters =
                    event.inputs.iter().filter_map(|input| Some((parameter(&plain(input))?, input.indexed)));
                events
                    .entry(event.selector())
                    .or_insert_with(|| Event { name: event.name.clone(), parameters: parameters.collect() });
            }
        }
        Self { functions, errors, events }
    }

    /// A call in readable form: `deposit{value: 1 ether}(5)`. `options` stands between the name and the arguments.
    pub(super) fn call(&self, data: &[u8], options: &str, names: Names<'_>) -> String {
        let known =
            data.split_first_chunk::<4>().and_then(|(selector, rest)| Some((self.functions.get(selector)?, rest)));
        match known {
            Some((function, rest)) => {
                format!("{}{options}({})", function.name, values(&function.inputs, rest, names).join(", "))
            }
            None if data.is_empty() => format!("receive{options}()"),
            None => format!("fallback{options}({})", bytes(data)),
        }
    }

    /// What a call returned; none where it returns nothing.
    pub(super) fn result(&self, data: &[u8], output: &[u8], names: Names<'_>) -> Option<String> {
        let function = data.first_chunk::<4>().and_then(|selector| self.functions.get(selector));
        match function {
            Some(function) if function.outputs.is_empty() => None,
            Some(function) if !output.is_empty() => Some(values(&function.outputs, output, names).join(", ")),
            _ => (!output.is_empty()).then(|| bytes(output)),
        }
    }

    /// The error that a call reverted with, with what it carries; none if it is not one of the build.
    pub(super) fn error(&self, output: &[u8], names: Names<'_>) -> Option<String> {
        let (selector, rest) = output.split_first_chunk::<4>()?;
        let error = self.errors.get(selector)?;
        Some(format!("{}({})", error.name, values(&error.inputs, rest, names).join(", ")))
    }

    /// A log in readable form: `Transfer(from: alice, to: bob, value: 5)`.
    pub(super) fn log(&self, log: &LogData, names: Names<'_>) -> String {
        let known = log.topics().split_first().and_then(|(topic, rest)| Some((self.events.get(topic)?, rest)));
        let Some((event, topics)) = known else {
            let topics = log.topics().iter().map(|topic| short(&topic.to_string()));
            return format!("log({})", topics.chain([bytes(&log.data)]).collect::<Vec<_>>().join(", "));
        };
        let unindexed: Vec<Parameter> =
            event.parameters.iter().filter(|(_, indexed)| !indexed).map(|(parameter, _)| parameter.clone()).collect();
        let mut data = decode(&unindexed, &log.data).into_iter();
        let mut topics = topics.iter();
        let shown = event.parameters.iter().filter_map(|(parameter, indexed)| {
            let value = match indexed {
                false => brief(&data.next()?, &parameter.ty, names),
                true => indexed_value(topics.next()?, parameter, names),
            };
            Some(if parameter.name.is_empty() { value } else { format!("{}: {value}", parameter.name) })
        });
        format!("{}({})", event.name, shown.collect::<Vec<_>>().join(", "))
    }
}

/// The value of an indexed parameter; of one that does not fit into a word, its hash.
fn indexed_value(topic: &B256, parameter: &Parameter, names: Names<'_>) -> String {
    let is_word = !parameter.ty.is_dynamic() && parameter.ty.head_words() == 1;
    let value = is_word.then(|| decode(std::slice::from_ref(parameter), topic.as_slice()).into_iter().next()).flatten();
    value.map_or_else(|| short(&topic.to_string()), |value| brief(&value, &parameter.ty, names))
}

fn values(parameters: &[Parameter], data: &[u8], names: Names<'_>) -> Vec<String> {
    let values = decode(parameters, data);
    values.iter().zip(parameters).map(|(value, parameter)| brief(value, &parameter.ty, names)).collect()
}

/// Bytes of which nobody knows what they mean: a word as a number, others by their beginning.
fn bytes(data: &[u8]) -> String {
    match data.len() {
        32 => short(&U256::from_be_slice(data).to_string()),
        length if length > MAX_BYTES => {
            format!("{}… {length} bytes", hex::encode_prefixed(&data[..MAX_BYTES]))
        }
        _ => hex::encode_prefixed(Bytes::copy_from_slice(data)),
    }
}

fn parameters(params: &[Param]) -> Vec<Parameter> {
    params.iter().filter_map(parameter).collect()
}

fn parameter(param: &Param) -> Option<Parameter> {
    Some(Parameter { name: param.name.clone(), ty: Type::of(param, &|_| None)? })
}

/// The parameter of an event as that of a function.
fn plain(input: &EventParam) -> Param {
    let EventParam { ty, name, components, internal_type, .. } = input.clone();
    Param { ty, name, components, internal_type }
}
