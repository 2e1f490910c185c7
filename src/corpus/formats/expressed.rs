//! Sequences as other fuzzers keep them, in their worlds: there the people and the contract have other addresses.

use super::{
    adoption::DEPLOYER,
    argument::Argument,
    echidna,
    foreign_call::{ForeignCall, Format},
    forge, medusa,
};
use crate::{
    harness::{Harness, HarnessKind},
    input::{FunctionKind, InstanceId, PropertyKind, Sequence, Transaction, Value, addresses_mut},
    world::{is_actor, is_deployer},
};
use alloy_primitives::{Address, U64, address, hex, keccak256};
use serde_json::Value as Json;
use std::{collections::BTreeMap, path::PathBuf};
use thiserror::Error;

/// The people who send in the worlds of Echidna and Medusa, where their configuration does not say.
const SENDERS: [Address; 3] = [
    address!("0x0000000000000000000000000000000000010000"),
    address!("0x0000000000000000000000000000000000020000"),
    DEPLOYER,
];

/// Why a fuzzer cannot keep a sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Error)]
pub enum Inexpressible {
    /// forge knows calls in the world of a test contract alone.
    #[error("the contract is not a test contract, and forge's corpora are those of tests")]
    NoTest,
    /// Echidna and Medusa do not run `setUp()` as forge does.
    #[error("the contract is a test contract of forge")]
    Test,
    /// Echidna gives a constructor no arguments.
    #[error("the contract's constructor takes arguments, and Echidna gives it none")]
    Constructor,
    /// Only calls of the contract itself can be said.
    #[error("other contracts are called than the one that is fuzzed")]
    Elsewhere,
    /// An account that is code.
    #[error("an account that is called reacts")]
    Reaction,
    /// A block with other words.
    #[error("values of a block are set, such as its base fee")]
    Block,
    /// A call with ether.
    #[error("ether is sent, which forge's corpora cannot express")]
    Ether,
    /// More people than there are.
    #[error("there are more senders than the other fuzzer has")]
    People,
    /// A value of a type that is not known there.
    #[error("an argument is a function, which Echidna cannot express")]
    Value,
    /// No call is left of it.
    #[error("there is no call that the other fuzzer makes")]
    Nothing,
}

/// A sequence as a fuzzer keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expressed {
    /// Where it is to be, below the folder of the fuzzer's corpus: with forge at every invariant that it is for.
    pub files: Vec<PathBuf>,
    /// The content of the file.
    pub text: String,
}

/// Expresses a sequence of a harness as a file of a fuzzer's corpus. The file is named by its content, so that the same sequence has the
/// same name every time.
///
/// # Errors
///
/// Why the fuzzer cannot keep it.
pub fn write(format: Format, harness: &Harness, sequence: &Sequence) -> Result<Expressed, Inexpressible> {
    let is_test = harness.kind() == HarnessKind::Test;
    match format {
        Format::Forge if !is_test => return Err(Inexpressible::NoTest),
        Format::Echidna | Format::Medusa if is_test => return Err(Inexpressible::Test),
        Format::Echidna if !harness.interface().constructor.inputs.is_empty() => {
            return Err(Inexpressible::Constructor);
        }
        _ => {}
    }
    let (folders, transactions) = match format {
        Format::Forge => of_test(harness, sequence)?,
        Format::Echidna => (vec![PathBuf::from("coverage")], sequence.transactions.iter().collect()),
        Format::Medusa => (vec![PathBuf::from("call_sequences")], sequence.transactions.iter().collect()),
    };
    let mut people = People::of(format, harness);
    let calls = transactions.into_iter().map(|transaction| call(format, harness, &mut people, transaction));
    let calls = calls.collect::<Result<Vec<Json>, _>>()?;
    if calls.is_empty() {
        return Err(Inexpressible::Nothing);
    }
    let text = format!("{}\n", Json::Array(calls));
    let name = name(format, &text);
    Ok(Expressed { files: folders.into_iter().map(|folder| folder.join(&name)).collect(), text })
}

/// The name of a file, as the fuzzer names its own: a number for Echidna, a UUID and a time for the others.
fn name(format: Format, text: &str) -> String {
    let hash = keccak256(text);
    let digits = hex::encode(hash);
    // The version and the variant of a UUID that is chosen freely.
    let uuid =
        format!("{}-{}-8{}-8{}-{}", &digits[..8], &digits[8..12], &digits[12..15], &digits[15..18], &digits[18..30]);
    match format {
        Format::Forge => format!("{uuid}-0.json"),
        Format::Medusa => format!("0-{uuid}.json"),
        Format::Echidna => format!("{}.txt", U64::from_be_slice(&hash[..8])),
    }
}

/// The calls of a sequence that forge makes for one of its tests, and the folders of the tests: those of all invariants for calls of their
/// targets, and that of one test for a call of it.
fn of_test<'a>(
    harness: &Harness,
    sequence: &'a Sequence,
) -> Result<(Vec<PathBuf>, Vec<&'a Transaction>), Inexpressible> {
    let calls = &harness.calls;
    // forge reads this folder, and writes into that of a worker below it.
    let folder = |name: &str| [&harness.compiled().name, name].iter().collect::<PathBuf>();
    let drawn = sequence.transactions.iter().find(|transaction| {
        let property = calls.property(transaction.call);
        matches!(property, Some(PropertyKind::FuzzTest | PropertyKind::FailingFuzzTest))
    });
    if let Some(drawn) = drawn {
        return Ok((vec![folder(&calls.function(drawn.call).name)], vec![drawn]));
    }
    let invariants = calls.rules().properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    let folders = invariants.map(|property| folder(&calls.function(property.call).name)).collect::<Vec<_>>();
    let is_made = |transaction: &&Transaction| calls.property(transaction.call).is_none();
    let made: Vec<&Transaction> = sequence.transactions.iter().filter(is_made).collect();
    if folders.is_empty() || made.is_empty() { Err(Inexpressible::Nothing) } else { Ok((folders, made)) }
}

fn call(
    format: Format,
    harness: &Harness,
    people: &mut People,
    transaction: &Transaction,
) -> Result<Json, Inexpressible> {
    let calls = &harness.calls;
    let (instance, function) = (calls.instance(transaction.call.target), calls.function(transaction.call));
    if transaction.reaction.is_some() {
        return Err(Inexpressible::Reaction);
    }
    if transaction.env.block != Default::default() {
        return Err(Inexpressible::Block);
    }
    let target = match format {
        Format::Forge if !transaction.value.is_zero() => return Err(Inexpressible::Ether),
        Format::Forge => transaction.at.unwrap_or(instance.address),
        _ if transaction.call.target != InstanceId::MAIN => return Err(Inexpressible::Elsewhere),
        Format::Echidna => echidna::TARGET,
        // The first contract that the deployer makes.
        Format::Medusa => DEPLOYER.create(0),
    };
    let mut renamed = transaction.clone();
    if format != Format::Forge {
        for argument in &mut renamed.arguments {
            people.rename(argument, (calls.main().address, target))?;
        }
    }
    let call = ForeignCall {
        sender: people.person(transaction.sender)?,
        target,
        calldata: renamed.calldata(calls),
        value: transaction.value,
        seconds: transaction.env.seconds,
        blocks: transaction.env.blocks,
    };
    let named = renamed.arguments.iter().zip(&function.inputs);
    let arguments: Vec<Argument<'_>> = named.map(|(value, input)| Argument { value, ty: &input.ty }).collect();
    match format {
        Format::Forge => Ok(forge::write(&call)),
        Format::Medusa => {
            let is_named = function.kind == FunctionKind::Function;
            let (signature, arguments) = if is_named { (&*function.signature, arguments) } else { ("", Vec::new()) };
            Ok(medusa::write(&call, signature, &arguments))
        }
        Format::Echidna => echidna::write(&call, &function.name, function.kind, &arguments).ok_or(Inexpressible::Value),
    }
}

/// The people of a sequence in the world of another fuzzer.
struct People {
    /// Whether everybody keeps the address that he has.
    as_here: bool,
    known: BTreeMap<Address, Address>,
}

impl People {
    fn of(format: Format, harness: &Harness) -> Self {
        let as_here = format == Format::Forge || !harness.calls.rules().senders.is_empty();
        Self { as_here, known: BTreeMap::new() }
    }

    /// The address of somebody who sends: the deployer is the deployer, others get the next address that is free.
    fn person(&mut self, here: Address) -> Result<Address, Inexpressible> {
        if self.as_here {
            return Ok(here);
        }
        if let Some(there) = self.known.get(&here) {
            return Ok(*there);
        }
        let is_free = |there: &Address| !self.known.values().any(|taken| taken == there);
        let there = if is_deployer(here) { Some(DEPLOYER) } else { SENDERS.into_iter().find(is_free) };
        let there = there.filter(is_free).ok_or(Inexpressible::People)?;
        self.known.insert(here, there);
        Ok(there)
    }

    /// Replaces the addresses in a value: those of people, and that of the contract.
    fn rename(&mut self, value: &mut Value, (main, target): (Address, Address)) -> Result<(), Inexpressible> {
        for address in addresses_mut(value) {
            if *address == main {
                *address = target;
            } else if is_actor(*address) {
                *address = self.person(*address)?;
            }
        }
        Ok(())
    }
}
