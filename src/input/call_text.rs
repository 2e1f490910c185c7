//! Calls as people write them in `bellwether.toml`: `alice: pool.deposit{value: 1e18}(token, [1, 2])`. Accounts are named, numbers may
//! have underscores and a power of ten, and everything else is as in the `text` of values. What a stand-in answers from then on is
//! written as `feed.price() returns 7`.

use super::calls::{CallId, CallTable, InstanceId};
use super::env::EnvStep;
use super::interface::FunctionKind;
use super::text;
use super::transaction::Transaction;
use super::types::{Parameter, Type};
use super::value::Value;
use alloy_primitives::{Address, U256};

impl Transaction {
    /// The call that a text describes, sent by `sender` unless the text names another one. Without an instance before the
    /// function it is a call of the main instance. `account` tells the address of whoever is named.
    ///
    /// # Errors
    ///
    /// A description of the mistake and of what was expected, without the place.
    pub fn from_text(
        text: &str,
        calls: &CallTable,
        sender: Address,
        account: &dyn Fn(&str) -> Option<Address>,
    ) -> Result<Self, String> {
        let named = |name: &str| account(name).ok_or_else(|| format!("nobody in this world is called `{name}`"));
        let (text, answers) = match text.split_once(") returns ") {
            Some((call, answers)) => (format!("{call})"), Some(resolved(&format!("({answers})"), &named)?)),
            None => (text.to_owned(), None),
        };
        let open = text.find('(').ok_or("a call is written as `instance.function(arguments)`")?;
        let (head, arguments) = (text[..open].trim(), text[open..].trim());
        if !arguments.ends_with(')') {
            return Err("the arguments of a call end with `)`".to_owned());
        }
        let (callee, value) = match head.split_once('{') {
            None => (head, U256::ZERO),
            Some((callee, options)) => (callee.trim(), ether(options)?),
        };
        let (sender, callee) = match callee.split_once(':') {
            None => (sender, callee),
            Some((name, callee)) => (named(name.trim())?, callee.trim()),
        };
        let (target, function) = match callee.split_once('.') {
            None => (InstanceId::MAIN, callee),
            Some((instance, function)) => {
                let id = calls.named(instance.trim());
                (id.ok_or_else(|| format!("no contract of this world is called `{instance}`"))?, function.trim())
            }
        };
        let arguments = resolved(arguments, &named)?;
        let functions = &calls.instance(target).interface.functions;
        let mut mistake = format!("`{}` has no function `{function}`", calls.instance(target).name);
        for found in functions.iter().filter(|found| found.name == function) {
            let values = match (found.kind == FunctionKind::Answer, &answers) {
                (true, Some(answers)) => answers,
                (false, None) => &arguments,
                (true, None) => return Err(format!("say what the stand-in answers: `{callee}() returns ...`")),
                (false, Some(_)) => return Err(format!("`{callee}` is not a stand-in, and answers by itself")),
            };
            match parse_arguments(values, &found.inputs) {
                Ok(arguments) => {
                    let call = CallId { target, function: found.id };
                    return Ok(Self {
                        call,
                        arguments,
                        sender,
                        value,
                        env: EnvStep::default(),
                        at: None,
                        reaction: None,
                    });
                }
                Err(problem) => mistake = format!("`{}`: {problem}", found.signature),
            }
        }
        Err(mistake)
    }
}

/// The values between parentheses.
fn parse_arguments(text: &str, inputs: &[Parameter]) -> Result<Vec<Value>, String> {
    if inputs.is_empty() {
        let is_empty = text.trim_start_matches('(').trim_end_matches(')').trim().is_empty();
        return if is_empty { Ok(Vec::new()) } else { Err("takes no arguments".to_owned()) };
    }
    match text::parse(text, &Type::Tuple { name: String::new(), fields: inputs.to_vec() })? {
        Value::Tuple(values) => Ok(values),
        _ => Err("takes other arguments".to_owned()),
    }
}

/// The ether of `value: 1e18}`, in wei.
fn ether(options: &str) -> Result<U256, String> {
    let number = options.trim().strip_suffix('}').and_then(|options| options.trim().strip_prefix("value:"));
    let number = number.ok_or("ether is sent with `{value: 1e18}`")?.trim();
    text::integer(&plain_number(number)?).ok_or_else(|| format!("`{number}` is not a number of wei"))
}

/// The text with names replaced by addresses, and numbers written out.
fn resolved(text: &str, named: &dyn Fn(&str) -> Result<Address, String>) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '$';
        let length = match first {
            '"' => quoted(rest),
            _ if is_word(first) => rest.find(|letter| !is_word(letter)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let (token, behind) = rest.split_at(length);
        match first {
            '0'..='9' => out += &plain_number(token)?,
            _ if is_word(first) && !matches!(token, "true" | "false") => out += &named(token)?.to_string(),
            _ => out += token,
        }
        rest = behind;
    }
    Ok(out)
}

/// The length of the quoted string that a text starts with.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, letter) in text.char_indices().skip(1) {
        match letter {
            '"' if !is_escaped => return at + 1,
            _ => is_escaped = letter == '\\' && !is_escaped,
        }
    }
    text.len()
}

/// A number without underscores and power of ten: `1_000` as `1000`, `5e18` with eighteen zeros. Hexadecimal stays as it is.
fn plain_number(number: &str) -> Result<String, String> {
    if number.starts_with("0x") {
        return Ok(number.to_owned());
    }
    let plain = number.replace('_', "");
    let Some((digits, power)) = plain.split_once(['e', 'E']) else { return Ok(plain) };
    match power.parse::<usize>() {
        Ok(power) if power < 78 => Ok(format!("{digits}{}", "0".repeat(power))),
        _ => Err(format!("`{number}` is not a number of 256 bits")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::{BlockReads, Fitting, Instance, interface::Interface};
    use std::sync::Arc;

    const ALICE: Address = Address::repeat_byte(1);

    fn read(text: &str) -> Result<String, String> {
        let pool = Interface::sample(&["function deposit(uint256 amount) payable", "function start()"]);
        let token = Interface::sample(&[
            "function mint(address to, uint256 amount)",
            "function mint(address[] to)",
            "function rename(string name, bool twice)",
        ]);
        let feed = Interface::of_signatures("constructor()", &["price() returns (uint256)"]).expect("a signature");
        let instances = [("Pool", pool), ("token", token), ("feed", feed)].map(|(name, interface)| Instance {
            name: name.to_owned(),
            interface: Arc::new(interface),
            ..CallTable::sample(&[]).main().clone()
        });
        let calls = CallTable::new(instances.into(), Fitting::new(), BlockReads::default());
        let account = |name: &str| (name == "alice").then_some(ALICE);
        let call = Transaction::from_text(text, &calls, Address::ZERO, &account)?;
        let arguments: Vec<String> = call.arguments.iter().map(text::to_text).collect();
        let sender = if call.sender == ALICE { "alice" } else { "owner" };
        let signature = &calls.function(call.call).signature;
        Ok(format!("{sender} {} {signature} {} {}", call.call.target.0, call.value, arguments.join(" ")))
    }

    #[test]
    fn calls_are_read_as_people_write_them() {
        let alice = ALICE.to_string();
        for (text, expected) in [
            ("start()", "owner 0 start() 0 ".to_owned()),
            ("Pool.start( )", "owner 0 start() 0 ".to_owned()),
            ("alice: Pool.deposit{value: 1e3}(1_000)", "alice 0 deposit(uint256) 1000 1000".to_owned()),
            ("token.mint(alice, 5e18)", format!("owner 1 mint(address,uint256) 0 {alice} 5000000000000000000")),
            ("token.mint([alice, alice])", format!("owner 1 mint(address[]) 0 [{alice}, {alice}]")),
            ("feed.price() returns 1_0", "owner 2 price() returns (uint256) 0 10".to_owned()),
            (
                "token.rename(\"alice (1) \\\" b\", true)",
                "owner 1 rename(string,bool) 0 alice (1) \" b true".to_owned(),
            ),
        ] {
            assert_eq!(read(text), Ok(expected), "{text}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (text, expected) in [
            ("start", "a call is written as `instance.function(arguments)`"),
            ("start(", "the arguments of a call end with `)`"),
            ("bob: start()", "nobody in this world is called `bob`"),
            ("pot.start()", "no contract of this world is called `pot`"),
            ("Pool.stop()", "`Pool` has no function `stop`"),
            ("Pool.start(1)", "`start()`: takes no arguments"),
            ("token.mint(bob, 1)", "nobody in this world is called `bob`"),
            ("deposit{wei: 1}(1)", "ether is sent with `{value: 1e18}`"),
            ("feed.price(7)", "say what the stand-in answers: `feed.price() returns ...`"),
            ("start() returns 7", "`start` is not a stand-in, and answers by itself"),
            ("deposit(1e99)", "`1e99` is not a number of 256 bits"),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()), "{text}");
        }
    }
}
