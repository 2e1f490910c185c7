//! The JSON form of deployments, transactions and sequences, as corpus entries and FINDING.json hold it. The text
//! arguments are what is read back; `calldata` is there for people and for tools that cannot encode, and is read only
//! where `args` is absent.

use alloy_primitives::{Address, U256, hex};
use serde_json::{Map, Value as Json, json};

use super::calls::{CallId, CallTable, Instance, InstanceId, Origin};
use super::encode::{decode, encode};
use super::env::{BlockWords, EnvStep};
use super::error::InputError;
use super::interface::{Function, FunctionKind};
use super::sequence::Sequence;
use super::setup::{Deployment, Setup, SetupStep};
use super::text;
use super::transaction::{Deed, Reaction, Transaction};
use super::types::Parameter;
use super::value::Value;

impl Transaction {
    /// The JSON form.
    #[must_use]
    pub fn to_json(&self, calls: &CallTable) -> Json {
        let (instance, function) = (calls.instance(self.call.target), calls.function(self.call));
        let calldata = self.calldata(calls);
        let mut json = call(instance, function, &self.arguments, self.sender, self.value, self.env, &calldata);
        if let Some(at) = self.at {
            json["address"] = json!(at.to_string());
        }
        if let Some(reaction) = &self.reaction {
            json["reaction"] = reaction.to_json(calls);
        }
        json
    }

    /// The transaction that a JSON form describes. `value` and the delays are zero where they are absent.
    ///
    /// # Errors
    ///
    /// Names the field that is absent, malformed, or calls what the instance does not have.
    pub fn from_json(json: &Json, calls: &CallTable) -> Result<Self, InputError> {
        let target = target(json, calls)?;
        let signature = string(json, "function")?;
        let function = calls.instance(target).interface.by_signature(signature).ok_or_else(|| {
            InputError::UnknownFunction { field: "function".to_owned(), signature: signature.to_owned() }
        })?;
        let arguments = arguments(json, function)?;
        let (seconds, blocks) = (count(json, "delay_seconds")?, count(json, "delay_blocks")?);
        let env = EnvStep { seconds, blocks, block: block(json)? };
        let call = CallId { target, function: function.id };
        let at = optional(json, "address", address)?;
        let reaction = object(json)?.get("reaction").map(|reaction| Reaction::from_json(reaction, calls));
        let reaction = reaction.transpose()?.map(Box::new);
        Ok(Self { call, arguments, sender: address(json, "sender")?, value: value(json)?, env, at, reaction })
    }
}

impl Reaction {
    /// The JSON form: whose account it is, what it does, its call if it makes one of its own, and its answer if that is chosen.
    fn to_json(&self, calls: &CallTable) -> Json {
        let deed = match &self.deed {
            Deed::Refuse => "refuse",
            Deed::BurnGas => "burn-gas",
            Deed::Bomb => "bomb",
            Deed::Answer => "answer",
            Deed::Repeat => "repeat",
            Deed::Call(_) => "call",
        };
        let mut json = json!({ "account": self.account.to_string(), "deed": deed });
        if let Deed::Call(call) = &self.deed {
            json["call"] = call.to_json(calls);
        }
        if let Some(answer) = self.answer {
            json["answer"] = answer.to_string().into();
        }
        json
    }

    fn from_json(json: &Json, calls: &CallTable) -> Result<Self, InputError> {
        let deed = match string(json, "deed")? {
            "refuse" => Deed::Refuse,
            "burn-gas" => Deed::BurnGas,
            "bomb" => Deed::Bomb,
            "answer" => Deed::Answer,
            "repeat" => Deed::Repeat,
            "call" => {
                let call = object(json)?.get("call").ok_or_else(|| InputError::Missing { field: "call".to_owned() })?;
                Deed::Call(Box::new(Transaction::from_json(call, calls)?))
            }
            other => {
                let found = text::shortened(other);
                return Err(InputError::invalid(
                    "deed",
                    format!("expected refuse, burn-gas, bomb, answer, repeat or call, found `{found}`"),
                ));
            }
        };
        let answer = optional(json, "answer", any_word)?;
        Ok(Self { account: address(json, "account")?, deed, answer })
    }
}

impl Deployment {
    /// The JSON form; `calldata` is the encoded arguments, without the creation code.
    #[must_use]
    pub fn to_json(&self, calls: &CallTable) -> Json {
        let mut calldata = Vec::new();
        encode(&self.arguments, &mut calldata);
        let instance = calls.instance(self.instance);
        let constructor = &instance.interface.constructor;
        call(instance, constructor, &self.arguments, self.sender, self.value, EnvStep::default(), &calldata)
    }

    /// The deployment that a JSON form describes.
    ///
    /// # Errors
    ///
    /// Names the field that is absent or malformed; `function`, if the constructor takes other parameters now.
    pub fn from_json(json: &Json, calls: &CallTable) -> Result<Self, InputError> {
        let instance = target(json, calls)?;
        let constructor = &calls.instance(instance).interface.constructor;
        let signature = string(json, "function")?;
        let expected = &constructor.signature;
        if signature != expected {
            let found = text::shortened(signature);
            return Err(InputError::invalid("function", format!("expected `{expected}`, found `{found}`")));
        }
        let arguments = arguments(json, constructor)?;
        Ok(Self { instance, arguments, sender: address(json, "sender")?, value: value(json)? })
    }
}

/// Marks a call that belongs to the setup.
const SETUP: &str = "setup";

impl SetupStep {
    fn to_json(&self, calls: &CallTable) -> Json {
        match self {
            Self::Deploy(deployment) => deployment.to_json(calls),
            Self::Call(transaction) => {
                let mut json = transaction.to_json(calls);
                json[SETUP] = json!(true);
                json
            }
        }
    }

    /// The step that a JSON form describes; `None` if it is a transaction behind the setup.
    fn from_json(json: &Json, calls: &CallTable) -> Result<Option<Self>, InputError> {
        let is_call = !string(json, "function")?.starts_with("constructor(");
        Ok(match (is_call, json.get(SETUP)) {
            (false, _) => Some(Self::Deploy(Deployment::from_json(json, calls)?)),
            (true, Some(Json::Bool(true))) => Some(Self::Call(Transaction::from_json(json, calls)?)),
            (true, _) => None,
        })
    }
}

impl Sequence {
    /// The JSON form: an array that starts with the steps of the setup, of which calls say `"setup": true`.
    #[must_use]
    pub fn to_json(&self, calls: &CallTable) -> Json {
        let setup = self.setup.steps().iter().map(|step| step.to_json(calls));
        setup.chain(self.transactions.iter().map(|transaction| transaction.to_json(calls))).collect()
    }

    /// The sequence that a JSON form describes.
    ///
    /// # Errors
    ///
    /// Names the call and the field that are wrong, as in `[2].args[0]`.
    pub fn from_json(json: &Json, calls: &CallTable) -> Result<Self, InputError> {
        let all = json.as_array().ok_or_else(|| InputError::invalid("", "expected an array of calls"))?;
        let (mut steps, mut transactions) = (Vec::new(), Vec::new());
        for (at, json) in all.iter().enumerate() {
            let step = if transactions.is_empty() { SetupStep::from_json(json, calls) } else { Ok(None) };
            match step.map_err(|error| error.within(&format!("[{at}]")))? {
                Some(step) => steps.push(step),
                None => transactions
                    .push(Transaction::from_json(json, calls).map_err(|error| error.within(&format!("[{at}]")))?),
            }
        }
        let missing = || InputError::invalid("[0]", format!("expected one deployment of `{}`", calls.main().name));
        let is_made_by_a_call = matches!(calls.main().origin, Origin::Created | Origin::SetUp);
        let is_made = |setup: &Setup| setup.main().is_some() || is_made_by_a_call;
        Ok(Self { setup: Setup::new(steps).filter(is_made).ok_or_else(missing)?, transactions })
    }
}

/// The instance that a call names; the main one where it names none. Where there is only one, that is it: its contract may have
/// been renamed.
fn target(json: &Json, calls: &CallTable) -> Result<InstanceId, InputError> {
    if calls.instances().len() == 1 || object(json)?.get("contract").is_none() {
        return object(json).map(|_| InstanceId::MAIN);
    }
    let name = string(json, "contract")?;
    calls.named(name).ok_or_else(|| {
        let names: Vec<_> = calls.instances().iter().map(|instance| format!("`{}`", instance.name)).collect();
        InputError::invalid(
            "contract",
            format!("expected one of {}, found `{}`", names.join(", "), text::shortened(name)),
        )
    })
}

fn call(
    instance: &Instance,
    function: &Function,
    arguments: &[Value],
    sender: Address,
    value: U256,
    env: EnvStep,
    calldata: &[u8],
) -> Json {
    let mut json = json!({
        "contract": instance.name,
        "function": function.signature,
        "args": arguments.iter().map(text::to_text).collect::<Vec<_>>(),
        "sender": sender.to_string(),
        "value": value.to_string(),
        "delay_seconds": env.seconds,
        "delay_blocks": env.blocks,
        "calldata": hex::encode_prefixed(calldata),
    });
    if instance.name != instance.contract {
        json["target_contract"] = json!(instance.contract);
    }
    let BlockWords { prevrandao, base_fee, coinbase } = env.block;
    if let Some(word) = prevrandao {
        json["prevrandao"] = json!(word.to_string());
    }
    if let Some(fee) = base_fee {
        json["base_fee"] = json!(fee);
    }
    if let Some(address) = coinbase {
        json["coinbase"] = json!(address.to_string());
    }
    json
}

fn object(json: &Json) -> Result<&Map<String, Json>, InputError> {
    json.as_object().ok_or_else(|| InputError::invalid("", "expected an object"))
}

fn string<'a>(json: &'a Json, field: &str) -> Result<&'a str, InputError> {
    let value = object(json)?.get(field).ok_or_else(|| InputError::Missing { field: field.to_owned() })?;
    value.as_str().ok_or_else(|| InputError::invalid(field, "expected a string"))
}

fn count(json: &Json, field: &str) -> Result<u64, InputError> {
    match object(json)?.get(field) {
        None => Ok(0),
        Some(value) => {
            value.as_u64().ok_or_else(|| InputError::invalid(field, "expected a whole number from 0 to 2^64-1"))
        }
    }
}

/// The words of the block; none where the fields are absent.
fn block(json: &Json) -> Result<BlockWords, InputError> {
    Ok(BlockWords {
        prevrandao: optional(json, "prevrandao", any_word)?,
        base_fee: optional(json, "base_fee", count)?,
        coinbase: optional(json, "coinbase", address)?,
    })
}

/// What is read from a field; none where it is absent.
fn optional<T>(
    json: &Json,
    field: &str,
    read: impl FnOnce(&Json, &str) -> Result<T, InputError>,
) -> Result<Option<T>, InputError> {
    object(json)?.get(field).map(|_| read(json, field)).transpose()
}

fn value(json: &Json) -> Result<U256, InputError> {
    match object(json)?.get("value") {
        None => Ok(U256::ZERO),
        Some(_) => word(json, "value", "an amount of wei"),
    }
}

fn any_word(json: &Json, field: &str) -> Result<U256, InputError> {
    word(json, field, "a word")
}

/// A number, as a string or as JSON has numbers.
fn word(json: &Json, field: &str, what: &str) -> Result<U256, InputError> {
    let text = match object(json)?.get(field) {
        Some(Json::Number(number)) => number.to_string(),
        _ => string(json, field)?.to_owned(),
    };
    text::integer(&text)
        .ok_or_else(|| InputError::invalid(field, format!("expected {what}, found `{}`", text::shortened(&text))))
}

fn address(json: &Json, field: &str) -> Result<Address, InputError> {
    let text = string(json, field)?;
    let bytes = text::bytes(text).filter(|bytes| bytes.len() == 20);
    bytes
        .map(|bytes| Address::from_slice(&bytes))
        .ok_or_else(|| InputError::invalid(field, format!("expected an address, found `{}`", text::shortened(text))))
}

fn arguments(json: &Json, function: &Function) -> Result<Vec<Value>, InputError> {
    let Some(args) = object(json)?.get("args") else { return from_calldata(json, function) };
    let args = args.as_array().ok_or_else(|| InputError::invalid("args", "expected an array of strings"))?;
    if args.len() != function.inputs.len() {
        let problem = format!(
            "the number of arguments of `{}` is {}, found {}",
            function.signature,
            function.inputs.len(),
            args.len()
        );
        return Err(InputError::invalid("args", problem));
    }
    let argument = |(i, (arg, parameter)): (usize, (&Json, &Parameter))| {
        let field = format!("args[{i}]");
        let Some(text) = arg.as_str() else {
            return Err(InputError::invalid(field, "expected a string"));
        };
        text::parse(text, &parameter.ty).map_err(|problem| InputError::invalid(field, problem))
    };
    args.iter().zip(&function.inputs).enumerate().map(argument).collect()
}

fn from_calldata(json: &Json, function: &Function) -> Result<Vec<Value>, InputError> {
    if object(json)?.get("calldata").is_none() {
        return Err(InputError::Missing { field: "args".to_owned() });
    }
    let calldata = text::bytes(string(json, "calldata")?)
        .ok_or_else(|| InputError::invalid("calldata", "expected bytes as `0x` and pairs of digits"))?;
    match function.kind {
        FunctionKind::Fallback => Ok(vec![Value::Bytes(calldata)]),
        FunctionKind::Constructor | FunctionKind::Receive => Ok(decode(&function.inputs, &calldata)),
        FunctionKind::Function | FunctionKind::Answer => {
            match function.selector.and_then(|selector| calldata.strip_prefix(&selector)) {
                Some(data) => Ok(decode(&function.inputs, data)),
                None => Err(InputError::invalid("calldata", format!("is not a call of `{}`", function.signature))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::interface::Interface;

    fn vault() -> CallTable {
        CallTable::of(
            "Vault",
            Interface::sample(&["constructor(address owner)", "function put(uint8 x, string name) payable"]),
        )
    }

    fn entry() -> Json {
        let alice = "0x00000000000000000000000000000000000A11cE";
        json!([
            {"contract": "Vault", "function": "constructor(address)", "args": [alice], "sender": alice, "value": "0",
             "delay_seconds": 0, "delay_blocks": 0,
             "calldata": "0x00000000000000000000000000000000000000000000000000000000000a11ce"},
            {"contract": "Vault", "function": "put(uint8,string)", "args": ["7", "so \"so\""], "sender": alice,
             "value": "1000000000000000000", "delay_seconds": 24, "delay_blocks": 2,
             "calldata": format!("0x{}{:064x}{:064x}{:064x}{:0<64}",
                                 hex::encode(vault().main().interface.functions[0].selector.expect("a selector")), 7, 64, 7, "736f2022736f22")},
        ])
    }

    #[test]
    fn a_corpus_entry_is_read_and_written() {
        let vault = vault();
        let sequence = Sequence::from_json(&entry(), &vault).expect("a sequence");
        assert_eq!(sequence.transactions[0].env, EnvStep { seconds: 24, blocks: 2, ..EnvStep::default() });
        assert_eq!(sequence.to_json(&vault), entry());
    }

    #[test]
    fn delays_of_older_versions_are_read_as_they_were_saved() {
        let (vault, mut json) = (vault(), entry());
        for (seconds, blocks) in [(5, 0), (0, 3)] {
            json[1]["delay_seconds"] = json!(seconds);
            json[1]["delay_blocks"] = json!(blocks);
            let sequence = Sequence::from_json(&json, &vault).expect("a sequence");
            assert_eq!(sequence.transactions[0].env, EnvStep { seconds, blocks, ..EnvStep::default() });
        }
    }

    #[test]
    fn calldata_serves_where_there_are_no_arguments() {
        let (vault, mut json) = (vault(), entry());
        let sequence = Sequence::from_json(&json, &vault);
        for call in json.as_array_mut().expect("an array") {
            call.as_object_mut().expect("an object").remove("args");
        }
        assert_eq!(Sequence::from_json(&json, &vault), sequence);
    }

    #[test]
    fn errors_name_the_field() {
        let cases: [(&str, Json, &str); 8] = [
            ("args", json!(["256", ""]), "[1].args[0]: expected `uint8`, found `256`"),
            ("args", json!(["1"]), "[1].args: the number of arguments of `put(uint8,string)` is 2, found 1"),
            ("args", json!([1, ""]), "[1].args[0]: expected a string"),
            ("sender", json!("alice"), "[1].sender: expected an address, found `alice`"),
            ("sender", Json::Null, "[1].sender: expected a string"),
            ("value", json!("-1"), "[1].value: expected an amount of wei, found `-1`"),
            ("delay_blocks", json!(-1), "[1].delay_blocks: expected a whole number from 0 to 2^64-1"),
            (
                "function",
                json!("put()"),
                "[1].function: this contract has no function `put()` that can be called; was it renamed or removed?",
            ),
        ];
        for (field, wrong, error) in cases {
            let mut json = entry();
            json[1][field] = wrong;
            assert_eq!(Sequence::from_json(&json, &vault()).map_err(|e| e.to_string()), Err(error.to_owned()));
        }
    }
}
