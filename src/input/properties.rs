//! What holds for every type and value, checked on random ones: encoding agrees with alloy, calldata and JSON read
//! back, a mutation changes one place, a word that was set is read.

use alloy_dyn_abi::DynSolType;
use alloy_primitives::{Address, U256};
use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::calls::{CallId, CallTable, InstanceId};
use super::env::{BlockWords, EnvStep};
use super::interface::{FunctionId, Interface};
use super::print::solidity_literal;
use super::sequence::Sequence;
use super::setup::{Deployment, Setup};
use super::transaction::Transaction;
use super::words::{Position, ValuePart, locate, set_word, shape, word, words};
use super::{
    adapt::Adaptation,
    dictionary::Dictionary,
    encode,
    mutate::mutate,
    text,
    types::{Parameter, Type},
    value::{Value, ValueSource},
};

fn any_type() -> impl Strategy<Value = Type> {
    let leaf = prop_oneof![
        Just(Type::Bool),
        Just(Type::Address),
        Just(Type::Function),
        Just(Type::Bytes),
        Just(Type::String),
        (1..=32usize).prop_map(|bytes| Type::Uint(8 * bytes)),
        (1..=32usize).prop_map(|bytes| Type::Int(8 * bytes)),
        (1..=32usize).prop_map(Type::FixedBytes),
        (1..=256u16).prop_map(|members| Type::Enum { name: "Vault.State".to_owned(), members }),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            inner.clone().prop_map(|ty| Type::Array(Box::new(ty))),
            (inner.clone(), 1..4usize).prop_map(|(ty, n)| Type::FixedArray(Box::new(ty), n)),
            prop::collection::vec(inner, 1..4)
                .prop_map(|types| Type::Tuple { name: "Vault.Order".to_owned(), fields: parameters(types) }),
        ]
    })
}

fn parameters(types: Vec<Type>) -> Vec<Parameter> {
    (0..).zip(types).map(|(i, ty): (u32, _)| Parameter { name: format!("p{i}"), ty }).collect()
}

fn world() -> (Dictionary, [Address; 3]) {
    let mut dictionary = Dictionary::from_words([41, 1_000_003, 0xdead_beef_u32].map(U256::from));
    dictionary.insert_string("open sesame");
    dictionary.insert_bytes([1, 2, 3]);
    (dictionary, [0x11, 0x22, 0x33].map(Address::repeat_byte))
}

/// An interface of one function with these parameters, made by hand so that enums and names need no ABI.
fn interface(inputs: Vec<Parameter>) -> CallTable {
    let mut interface = Interface::sample(&["constructor()", "function f()"]);
    let types: Vec<_> = inputs.iter().map(|p| p.ty.to_string()).collect();
    interface.constructor.signature = format!("constructor({})", types.join(","));
    interface.constructor.inputs = inputs.clone();
    interface.functions[0].signature = format!("f({})", types.join(","));
    interface.functions[0].inputs = inputs;
    CallTable::of("Vault", interface)
}

fn draw<R: Rng + RngExt>(types: &[Parameter], rng: &mut R) -> Vec<Value> {
    let (dictionary, accounts) = world();
    super::value::arguments(types, rng, &ValueSource::sample(&dictionary, &accounts))
}

/// The value with the place that a mutation names put back as it was before.
fn undone(mut after: Value, before: &Value, ty: &Type, at: &Position) -> Value {
    let mut before = before.clone();
    let (there, _) = locate(&mut before, ty, &at.path).expect("the path exists before");
    let (here, inner) = locate(&mut after, ty, &at.path).expect("the path exists after");
    match at.part {
        // A length: the common elements are the same, which a cut shows.
        ValuePart::Length => match (&mut *here, &*there) {
            (Value::Array(new), Value::Array(old)) if new.len() > old.len() => new.truncate(old.len()),
            (Value::Array(new), Value::Array(old)) => new.extend_from_slice(&old[new.len()..]),
            (Value::Bytes(new), Value::Bytes(old)) if new.len() > old.len() => new.truncate(old.len()),
            (Value::Bytes(new), Value::Bytes(old)) => new.extend_from_slice(&old[new.len()..]),
            (Value::String(new), Value::String(old)) if new.len() > old.len() => new.truncate(old.len()),
            (Value::String(new), Value::String(old)) => new.push_str(&old[new.len()..]),
            _ => panic!("no length here"),
        },
        ValuePart::Word | ValuePart::Chunk(_) => {
            let part = Position { path: vec![], part: at.part };
            let old = word(there, &part).expect("a word");
            let new = word(here, &part).expect("a word");
            assert_ne!(old, new);
            // Between two valid texts one chunk may not be set on its own bytes; replace it whole there.
            if !set_word(here, inner, &part, old) {
                assert!(matches!(inner, Type::String | Type::Enum { .. }));
                here.clone_from(there);
            }
        }
        ValuePart::Content => here.clone_from(there),
    }
    after
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn generated_values_are_of_their_type(ty in any_type(), seed: u64) {
        let (dictionary, accounts) = world();
        let source = ValueSource::sample(&dictionary, &accounts);
        let value = ty.generate(&mut ChaCha8Rng::seed_from_u64(seed), &source);
        prop_assert!(ty.accepts(&value), "{value:?}");
        prop_assert!(DynSolType::from(&ty).matches(&value));
        prop_assert!(ty.accepts(&ty.zero()));
        let array = matches!(ty, Type::Array(_) | Type::FixedArray(..) | Type::Tuple { .. });
        prop_assert_eq!(solidity_literal(&value, &ty, &|_| None).is_none(), array);
    }

    #[test]
    fn encoding_agrees_with_alloy_and_decodes(types in prop::collection::vec(any_type(), 0..5), seed: u64) {
        let inputs = parameters(types);
        let values = draw(&inputs, &mut ChaCha8Rng::seed_from_u64(seed));
        let mut ours = vec![0xee; 7];
        encode::encode(&values, &mut ours);
        prop_assert_eq!(&ours[7..], Value::Tuple(values.clone()).abi_encode_params());
        prop_assert_eq!(encode::decode(&inputs, &ours[7..]), values.clone());

        let interface = interface(inputs);
        let transaction = Transaction {
            call: CallId::main(FunctionId(0)),
            arguments: values,
            sender: Address::ZERO,
            value: U256::ZERO,
            env: EnvStep::default(),
            at: None,
            reaction: None,
        };
        prop_assert_eq!(Transaction::decode(&transaction.calldata(&interface), InstanceId::MAIN, &interface), Ok(transaction));
    }

    #[test]
    fn any_bytes_decode_to_typed_values(
        types in prop::collection::vec(any_type(), 1..4),
        words in prop::collection::vec(prop_oneof![0..200u64, any::<u64>()], 0..40),
        cut in 0..32usize,
    ) {
        let mut data: Vec<u8> = words.iter().flat_map(|word| U256::from(*word).to_be_bytes::<32>()).collect();
        data.truncate(data.len().saturating_sub(cut));
        let inputs = parameters(types);
        let values = encode::decode(&inputs, &data);
        for (value, input) in values.iter().zip(&inputs) {
            prop_assert!(input.ty.accepts(value), "{value:?}");
        }
        let mut encoded = Vec::new();
        encode::encode(&values, &mut encoded);
        prop_assert_eq!(encode::decode(&inputs, &encoded), values);
    }

    #[test]
    fn json_and_text_read_back(types in prop::collection::vec(any_type(), 0..4), seed: u64) {
        let inputs = parameters(types);
        let interface = interface(inputs.clone());
        let sequence = any_sequence(&interface, seed);
        for (value, input) in sequence.setup.main().unwrap().arguments.iter().zip(&inputs) {
            prop_assert_eq!(text::parse(&text::to_text(value), &input.ty), Ok(value.clone()));
        }
        let json = sequence.to_json(&interface).to_string();
        let json = serde_json::from_str(&json).expect("JSON");
        prop_assert_eq!(Sequence::from_json(&json, &interface), Ok(sequence));
    }

    #[test]
    fn a_mutation_changes_exactly_one_place(ty in any_type(), seed: u64) {
        let (dictionary, accounts) = world();
        let source = ValueSource::sample(&dictionary, &accounts);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut before = ty.generate(&mut rng, &source);
        for _ in 0..20 {
            let mut after = before.clone();
            let at = mutate(&mut after, &ty, &mut rng, &source).expect("a type with several values");
            prop_assert!(ty.accepts(&after), "{after:?}");
            prop_assert_ne!(&after, &before);
            prop_assert_eq!(undone(after.clone(), &before, &ty, &at), before);
            before = after;
        }
    }

    #[test]
    fn a_word_that_was_set_is_read(ty in any_type(), seed: u64) {
        let (dictionary, accounts) = world();
        let source = ValueSource::sample(&dictionary, &accounts);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let value = ty.generate(&mut rng, &source);
        let donor = ty.generate(&mut rng, &source);
        for (at, old) in words(&value, &ty) {
            prop_assert_eq!(word(&value, &at), Some(old));
            prop_assert!(shape(&ty, &at).is_some());
            let random = U256::from_limbs(rng.random());
            for new in [old, U256::ZERO, U256::ONE, U256::MAX, random, word(&donor, &at).unwrap_or(old)] {
                let mut changed = value.clone();
                if set_word(&mut changed, &ty, &at, new) {
                    prop_assert_eq!(word(&changed, &at), Some(new));
                    prop_assert!(ty.accepts(&changed), "{changed:?}");
                    let same = words(&changed, &ty).into_iter().filter(|other| words(&value, &ty).contains(other));
                    // A length brings or takes the words behind it; everything else is one word.
                    if at.part != ValuePart::Length {
                        let expected = words(&value, &ty).len() - usize::from(new != old);
                        prop_assert_eq!(same.count(), expected);
                    }
                } else {
                    prop_assert_eq!(&changed, &value);
                    prop_assert_ne!(new, old);
                }
            }
        }
    }

    #[test]
    fn on_the_same_interface_a_sequence_stays_as_it_is(types in prop::collection::vec(any_type(), 0..4), seed: u64) {
        let interface = interface(parameters(types));
        let sequence = any_sequence(&interface, seed);
        prop_assert_eq!(Adaptation::between(&interface, &interface).sequence(&sequence), sequence);
    }

    #[test]
    fn what_is_adapted_fits_and_keeps_its_order(
        before in prop::collection::vec(any_type(), 0..4),
        after in prop::collection::vec(any_type(), 0..4),
        names in prop::collection::vec(0..5_u32, 4),
        seed: u64,
    ) {
        let mut inputs = parameters(after);
        for (input, name) in inputs.iter_mut().zip(names) {
            input.name = format!("p{name}");
        }
        let (from, to) = (interface(parameters(before)), interface(inputs.clone()));
        let sequence = any_sequence(&from, seed);
        let adapted = Adaptation::between(&from, &to).sequence(&sequence);
        let calls = adapted.transactions.iter().map(|call| &call.arguments).chain([&adapted.setup.main().unwrap().arguments]);
        for arguments in calls {
            prop_assert_eq!(arguments.len(), inputs.len());
            prop_assert!(inputs.iter().zip(arguments).all(|(input, value)| input.ty.accepts(value)), "{arguments:?}");
            let mut encoded = Vec::new();
            encode::encode(arguments, &mut encoded);
            prop_assert_eq!(&encode::decode(&inputs, &encoded), arguments);
        }
        let order = |sequence: &Sequence| sequence.transactions.iter().map(|call| call.env).collect::<Vec<_>>();
        prop_assert_eq!(order(&adapted), order(&sequence), "the function has its name still");
    }
}

/// Words of a block, each there or not.
fn any_block<R: Rng + RngExt>(rng: &mut R) -> BlockWords {
    BlockWords {
        prevrandao: rng.random::<bool>().then(|| U256::from_limbs(rng.random())),
        base_fee: rng.random::<bool>().then(|| rng.random()),
        coinbase: rng.random::<bool>().then(|| Address::repeat_byte(rng.random())),
    }
}

/// A deployment and three calls of its one function.
fn any_sequence(calls: &CallTable, seed: u64) -> Sequence {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let inputs = &calls.main().interface.functions[0].inputs;
    let (instance, sender, value) = (InstanceId::MAIN, Address::ZERO, U256::ZERO);
    let deployment = Deployment { instance, arguments: draw(inputs, &mut rng), sender, value };
    let transactions = (0..3).map(|_| Transaction {
        call: CallId::main(FunctionId(0)),
        arguments: draw(inputs, &mut rng),
        sender: Address::repeat_byte(rng.random()),
        value: U256::from(rng.next_u64()),
        env: EnvStep { seconds: rng.next_u64(), blocks: rng.next_u64(), block: any_block(&mut rng) },
        at: None,
        reaction: None,
    });
    Sequence { transactions: transactions.collect(), setup: Setup::of(deployment) }
}
