use super::{argument::Argument, *};
use crate::input::{CallTable, FunctionKind, InstanceId, Transaction, Type, Value};
use alloy_primitives::{Address, U256, address, hex};
use serde_json::json;

const SENDER: Address = address!("0x0000000000000000000000000000000000010000");

fn call(target: Address, calldata: &[u8], (seconds, blocks): (u64, u64)) -> ForeignCall {
    ForeignCall { sender: SENDER, target, calldata: calldata.to_vec(), value: U256::ZERO, seconds, blocks }
}

#[test]
fn a_file_of_forge_is_read() {
    let target = address!("0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f");
    let text = r#"[{"warp":"0x55","roll":"0x1","sender":"0x0000000000000000000000000000000000010000",
        "target":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0x1b9265b8"}]"#;
    assert_eq!(read(text), Ok((Format::Forge, vec![call(target, &hex!("1b9265b8"), (0x55, 1))])));
    let failure = r#"{"call_sequence":[{"warp":null,"roll":null,"sender":"0x0000000000000000000000000000000000010000",
        "addr":"0x5615deb798bb3e4dfa0139dfa1b3d433cc23b72f","calldata":"0x1b9265b8","func_name":"pay"}],"settings":{}}"#;
    assert_eq!(read(failure), Ok((Format::Forge, vec![call(target, &hex!("1b9265b8"), (0, 0))])));
}

#[test]
fn a_file_of_medusa_is_read() {
    let text = r#"[{"call":{"from":"0x0000000000000000000000000000000000010000",
        "to":"0xa647ff3c36cfab592509e13860ab8c4f28781a66","nonce":0,"value":"0x2a","data":"0xd2282dc5",
        "dataAbiValues":{"methodSignature":"set()","inputValues":[]}},"blockNumberDelay":3,"blockTimestampDelay":40}]"#;
    let read = read(text);
    let target = address!("0xa647ff3c36cfab592509e13860ab8c4f28781a66");
    let expected = ForeignCall { value: U256::from(42), ..call(target, &hex!("d2282dc5"), (40, 3)) };
    assert_eq!(read, Ok((Format::Medusa, vec![expected])));
}

/// A transaction of Echidna with these contents.
fn of_echidna(call: serde_json::Value, seconds: &str) -> serde_json::Value {
    json!({ "call": call, "delay": [seconds, "0x2"], "dst": "0x00a329c0648769A73afAc7F9381E08FB43dBEA72", "gas": 12_500_000,
        "gasprice": "0x0", "src": SENDER.to_string(), "value": "0x0" })
}

#[test]
fn a_file_of_echidna_is_read() {
    let named = json!({ "tag": "SolCall", "contents": ["set", [
        { "tag": "AbiUInt", "contents": [256, "7"] },
        { "tag": "AbiInt", "contents": [8, "-128"] },
        { "tag": "AbiBytes", "contents": [4, "\"\\222\\173\\190\\239\""] },
        { "tag": "AbiString", "contents": "\"TEST\"" },
        { "tag": "AbiArrayDynamic", "contents": [{ "tag": "AbiUIntType", "contents": 8 }, []] },
        { "tag": "AbiTuple", "contents": [{ "tag": "AbiBool", "contents": true }] },
    ]] });
    let raw = json!({ "tag": "SolCalldata", "contents": "\"\\227\\147\\216k\"" });
    let wait = json!({ "tag": "NoCall" });
    let file = json!([of_echidna(named, "0x5"), of_echidna(wait, "0xa"), of_echidna(raw, "0x1")]).to_string();
    let table = CallTable::sample(&["function set(uint256 a, int8 b, bytes4 c, string d, uint8[] e, (bool) f)"]);
    let (format, calls) = read(&file).expect("a file of Echidna");
    assert_eq!(format, Format::Echidna);
    let set = Transaction::decode(&calls[0].calldata, InstanceId::MAIN, &table).expect("a call of `set`");
    let expected = [
        Value::Uint(U256::from(7), 256),
        Value::Int("-128".parse().unwrap(), 8),
        Value::FixedBytes(alloy_primitives::B256::right_padding_from(&hex!("deadbeef")), 4),
        Value::String("TEST".to_owned()),
        Value::Array(Vec::new()),
        Value::Tuple(vec![Value::Bool(true)]),
    ];
    assert_eq!(set.arguments, expected);
    // Nothing is called while time passes; the next call comes later.
    assert_eq!(calls[1], call(echidna::TARGET, &hex!("e393d86b"), (11, 4)));
    assert_eq!(calls.len(), 2);
}

#[test]
fn what_is_no_call_is_told_with_its_place() {
    let tuple = json!({ "tag": "SolCall", "contents": ["set", [{ "tag": "AbiWord", "contents": 1 }]] });
    let cases = [
        ("{}".to_owned(), "no list of calls"),
        ("[]".to_owned(), "an empty list of calls"),
        (r#"[{"a":1}]"#.to_owned(), "no call of forge, Echidna or Medusa at [0]"),
        (r#"[{"calldata":"0x","sender":"0x1","target":"0x2"}]"#.to_owned(), "[0]: no valid address in `sender`"),
        (r#"[{"calldata":"0x"}]"#.to_owned(), "[0]: no `sender`"),
        (r#"[{"call":{"data":"0xg"}}]"#.to_owned(), "[0]: no `from`"),
        (json!([of_echidna(tuple, "0x0")]).to_string(), "[0]: argument 0 of `set` is not a known value"),
        (json!([of_echidna(json!({ "tag": "SolCall" }), "0x0")]).to_string(), "[0]: `SolCall` is not a known call"),
        (
            json!([of_echidna(json!({ "tag": "NoCall" }), "soon")]).to_string(),
            "[0]: no valid pair of numbers in `delay`",
        ),
    ];
    for (text, expected) in cases {
        assert_eq!(read(&text), Err(expected.to_owned()), "{text}");
    }
}

proptest::proptest! {
    /// What is written for Echidna means the same calldata when it is read again.
    #[test]
    fn calls_written_for_echidna_are_read_back(seed: u64) {
        use rand::SeedableRng;
        let mut rng = rand::rngs::SmallRng::seed_from_u64(seed);
        let table = CallTable::sample(&[
            "function f(uint8 a, int24[2] b, (bytes,string[])[] c, bytes3[][2] d, address e, bool g)",
        ]);
        let function = &table.main().interface.functions[0];
        let (dictionary, fitting) = (crate::input::Dictionary::default(), crate::input::Fitting::new());
        let source = crate::input::ValueSource {
            dictionary: &dictionary, accounts: &[SENDER], fitting: &fitting, is_strict: false, is_uniform: false,
        };
        let values: Vec<Value> = function.inputs.iter().map(|input| input.ty.generate(&mut rng, &source)).collect();
        let mut calldata = function.selector.unwrap().to_vec();
        crate::input::encode::encode(&values, &mut calldata);
        let made = call(echidna::TARGET, &calldata, (9, 1));
        let types: Vec<&Type> = function.inputs.iter().map(|input| &input.ty).collect();
        let arguments: Vec<Argument<'_>> =
            values.iter().zip(types).map(|(value, ty)| Argument { value, ty }).collect();
        let written = echidna::write(&made, "f", FunctionKind::Function, &arguments).unwrap();
        let text = serde_json::Value::Array(vec![written]).to_string();
        proptest::prop_assert_eq!(read(&text), Ok((Format::Echidna, vec![made])));
    }
}
