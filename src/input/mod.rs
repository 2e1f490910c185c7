//! `input` is everything that the fuzzer can choose: typed ABI values, the transactions that carry them, and sequences of
//! transactions. It generates them, mutates them by exactly one parameter, reads and writes them as 256-bit words, encodes them
//! as calldata, and prints them as JSON, for people and as Solidity.
//!
//! It does not execute anything, does not know what an execution covered, and does not decide which input is tried
//! next or kept. It holds no clock and no random state: every choice is drawn from the generator that the caller hands
//! in, so the same seed gives the same inputs on every machine.

pub mod adapt;
pub mod brief;
mod call_text;
pub mod calls;
mod change_places;
pub mod dictionary;
pub mod encode;
pub mod env;
mod error;
pub mod generate;
mod inner_call;
pub mod interface;
mod json;
mod leaves;
mod made_calls;
pub mod mutate;
mod nudge;
mod number;
pub mod print;
mod property;
pub mod sequence;
pub mod setup;
pub mod text;
mod transaction;
pub mod types;
pub mod value;
pub mod words;

#[cfg(test)]
mod properties;

pub use adapt::Adaptation;
pub use calls::{CallId, CallRules, CallTable, Delays, Instance, InstanceId, Origin, Property};
pub use dictionary::Dictionary;
pub use env::{BlockReads, BlockWords, EnvStep};
pub use error::InputError;
pub use generate::Generator;
pub use interface::{Function, FunctionId, FunctionKind, Interface, Mutability};
pub use leaves::{addresses_mut, replace_text, text as text_of};
pub use made_calls::MadeCalls;
pub use mutate::mutate;
pub use property::PropertyKind;
pub use sequence::Sequence;
pub use setup::{Deployment, Setup, SetupStep};
pub use transaction::{Deed, Field, Reaction, Transaction};
pub use types::{Parameter, Type};
pub use value::{Fitting, Value, ValueSource};
pub use words::{Position, Shape, ValuePart, set_word, words};
