//! Plain words: those that a person would try first. An amount is one of which there is enough for everybody, an address is the
//! deployer's, data is empty, and a number is what its name says: a start is now, a period is a day, a fee is small.

use super::ground::World;
use crate::{
    evm::START,
    input::{Generator, Parameter, Type, Value},
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeSet;

/// An amount of tokens of which there is enough for everybody: a million with 18 decimals. Chosen by hand.
const PLENTY: u128 = 1_000_000_000_000_000_000_000_000;
/// A number that is too small for an amount, and what a fee is: one in a hundred if it is told in basis points. Chosen by hand.
const PLAIN_NUMBER: u64 = 100;
/// The decimals of a token.
const DECIMALS: u64 = 18;
/// The length of a list: lists that belong together are equally long. Chosen by hand.
const ITEMS: usize = 2;
/// Seconds of a period; chosen by hand.
const PERIOD: u64 = 86_400;
/// Seconds until something ends; chosen by hand.
const UNTIL_END: u64 = 30 * PERIOD;

/// The words in names of what begins, ends, lasts, is a part of something, or is counted in few.
const STARTS: [&str; 8] = ["start", "starts", "started", "starting", "begin", "begins", "opening", "launch"];
const ENDS: [&str; 13] = [
    "end",
    "ends",
    "ending",
    "closing",
    "deadline",
    "expiry",
    "expiration",
    "expires",
    "finish",
    "until",
    "maturity",
    "release",
    "unlock",
];
const PERIODS: [&str; 11] = [
    "period", "duration", "delay", "interval", "timeout", "window", "cooldown", "cliff", "grace", "lifetime",
    "timelock",
];
const PARTS: [&str; 13] = [
    "fee",
    "fees",
    "bps",
    "bips",
    "percent",
    "percentage",
    "ratio",
    "rate",
    "share",
    "penalty",
    "commission",
    "tax",
    "royalty",
];
const FEW: [&str; 8] = ["threshold", "quorum", "required", "confirmations", "signatures", "id", "version", "index"];
/// The words that tell a moment, by themselves or beside others.
const MOMENTS: [&str; 5] = ["time", "timestamp", "date", "at", "on"];

/// Replaces the words of a value by plain ones.
pub(super) struct Plain<'a> {
    pub(super) generator: &'a Generator,
    /// The instance whose parameters they are.
    pub(super) own: Address,
    /// The instances that were given: each parameter of the same type has another one.
    pub(super) used: BTreeSet<Address>,
}

impl Plain<'_> {
    /// Replaces the words of the values of these parameters.
    pub(super) fn replace_all(&mut self, values: &mut [Value], parameters: &[Parameter]) {
        for (value, parameter) in values.iter_mut().zip(parameters) {
            self.replace(value, &parameter.ty, &parameter.name);
        }
    }

    fn replace(&mut self, value: &mut Value, ty: &Type, name: &str) {
        match (value, ty) {
            (Value::Bool(bit), Type::Bool) => *bit = true,
            (Value::Uint(word, bits), Type::Uint(_)) => {
                let largest = U256::MAX >> (256 - *bits);
                *word = number(name, *bits).filter(|number| *number <= largest).unwrap_or_else(|| by_size(*bits));
            }
            (Value::Address(address), Type::Address) => *address = World::owner(),
            (Value::Address(address), Type::Contract { name, .. }) => {
                let fitting = self.generator.calls.fitting().get(name).map_or(&[][..], Vec::as_slice);
                let others = || fitting.iter().filter(|fits| **fits != self.own);
                let unused = others().find(|fits| !self.used.contains(*fits)).or_else(|| others().next());
                *address = unused.or(fitting.first()).copied().unwrap_or_else(World::owner);
                self.used.insert(*address);
            }
            (Value::Bytes(data), Type::Bytes) => data.clear(),
            (Value::String(text), Type::String) => *text = "Token".to_owned(),
            (Value::Array(items), Type::Array(inner)) => {
                items.resize(ITEMS, inner.zero());
                items.iter_mut().for_each(|item| self.replace(item, inner, name));
                // A list of accounts is one of different people.
                for (item, account) in items.iter_mut().zip(World::senders()).filter(|_| **inner == Type::Address) {
                    *item = Value::Address(account);
                }
            }
            (Value::FixedArray(items), Type::FixedArray(inner, _)) => {
                items.iter_mut().for_each(|item| self.replace(item, inner, name));
            }
            (Value::Tuple(items), Type::Tuple { fields, .. }) => self.replace_all(items, fields),
            _ => {}
        }
    }
}

/// A number for a parameter of which no more is known than its width.
fn by_size(bits: usize) -> U256 {
    match bits {
        8 => U256::from(DECIMALS),
        256 => U256::from(PLENTY),
        _ => U256::from(PLAIN_NUMBER).min(U256::MAX >> (256 - bits)),
    }
}

/// The number that a name asks for.
fn number(name: &str, bits: usize) -> Option<U256> {
    let words = words(name);
    let has = |any: &[&str]| words.iter().any(|word| any.contains(&word.as_str()));
    let last = words.last()?.as_str();
    let is_moment = MOMENTS.contains(&last);
    let is_block = last == "block" || has(&["number"]) && has(&["block"]);
    let number = match () {
        () if has(&PERIODS) => PERIOD,
        () if is_block && has(&STARTS) => START.number,
        () if is_block && has(&ENDS) => START.number + UNTIL_END / 12,
        () if has(&STARTS) && (is_moment || STARTS.contains(&last)) => START.timestamp,
        () if has(&ENDS) && (is_moment || ENDS.contains(&last)) => START.timestamp + UNTIL_END,
        () if matches!(last, "timestamp" | "date") => START.timestamp,
        () if has(&PARTS) => PLAIN_NUMBER,
        () if last == "decimals" => DECIMALS,
        () if FEW.contains(&last) => 1,
        () => return None,
    };
    // A type without room for a moment does not hold one.
    (bits >= 32 || number < 1_000).then(|| U256::from(number))
}

/// The words of a name, in lower case: `_startDate` has `start` and `date`.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut before = ' ';
    for letter in name.chars() {
        if letter.is_ascii_alphabetic() {
            if !before.is_ascii_alphabetic() || (before.is_ascii_lowercase() && letter.is_ascii_uppercase()) {
                words.push(String::new());
            }
            words.last_mut().expect("a word has begun").push(letter.to_ascii_lowercase());
        }
        before = letter;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_what_its_name_says() {
        let told = |name: &str| number(name, 256).map_or_else(|| "an amount".to_owned(), |number| number.to_string());
        for (name, plain) in [
            ("_startDate", "1700000000"),
            ("startTime", "1700000000"),
            ("openingTime", "1700000000"),
            ("start", "1700000000"),
            ("validUntil", "1702592000"),
            ("endTime", "1702592000"),
            ("deadline", "1702592000"),
            ("releaseTime", "1702592000"),
            ("startBlock", "18500000"),
            ("endBlock", "18716000"),
            ("gracePeriodSeconds", "86400"),
            ("minDelay", "86400"),
            ("_cliff", "86400"),
            ("feeBps", "100"),
            ("_rate", "100"),
            ("decimals", "18"),
            ("_threshold", "1"),
            ("marketId", "1"),
            ("startPrice", "an amount"),
            ("amount", "an amount"),
            ("_initialSupply", "an amount"),
            ("startingBalance", "an amount"),
            ("", "an amount"),
        ] {
            assert_eq!(told(name), plain, "{name}");
        }
        assert_eq!(number("start", 16), None, "no room for a moment");
    }

    #[test]
    fn names_have_words() {
        for (name, of) in [("_startDate", "start date"), ("MAX_FEE", "max fee"), ("t0", "t"), ("__", "")] {
            assert_eq!(words(name).join(" "), of);
        }
    }
}
