//! Inner calls: what is handed on as calldata is often a call of another contract, as in `execute(target, value, data)`, in
//! `multicall(data)`, or in a struct with a target and its data. Lists that belong together, such as targets and their data, are
//! equally long.

use alloy_primitives::Address;
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

use super::calls::CallId;
use super::encode::encode;
use super::generate::Generator;
use super::interface::FunctionKind;
use super::types::{Parameter, Type};
use super::value::{Value, arguments};

/// Of so many calls with bytes, one hands on a call; chosen by hand.
const HANDED_ON: u32 = 4;
/// Of so many calls with several lists, one has lists of equal lengths; chosen by hand.
const EQUALLY_LONG: u32 = 2;
/// Of so many lists of calls, one has the same call several times; chosen by hand. What is paid once may count for each of them.
const REPEATED: u32 = 3;

impl Generator {
    /// Now and then, makes lists among the values equally long, and makes bytes calldata for the address beside them. A call for
    /// which no address is given is one of the instance at `own`.
    pub(super) fn hand_on<R: Rng + ?Sized>(
        &self,
        rng: &mut R,
        parameters: &[Parameter],
        values: &mut [Value],
        own: Address,
    ) {
        if parameters.iter().filter(|parameter| matches!(parameter.ty, Type::Array(_))).count() > 1
            && rng.random_range(0..EQUALLY_LONG) == 0
        {
            self.make_equally_long(rng, parameters, values);
        }
        for (value, parameter) in values.iter_mut().zip(parameters) {
            match (value, &parameter.ty) {
                (Value::Tuple(items), Type::Tuple { fields, .. }) => self.hand_on(rng, fields, items, own),
                (Value::Array(items), Type::Array(inner)) => {
                    let Type::Tuple { fields, .. } = &**inner else { continue };
                    for item in items {
                        let Value::Tuple(items) = item else { continue };
                        self.hand_on(rng, fields, items, own);
                    }
                }
                _ => {}
            }
        }
        let data: Vec<usize> = (0..parameters.len()).filter(|at| is_data(&parameters[*at])).collect();
        let Some(&data) = data.choose(rng) else { return };
        if rng.random_range(0..HANDED_ON) > 0 {
            return;
        }
        // The address that stands nearest before the data is called with it.
        let is_list = matches!(values[data], Value::Array(_));
        let is_target = |at: &usize| match &parameters[*at].ty {
            Type::Array(inner) => is_list && is_address(inner),
            ty => is_address(ty) && !is_list,
        };
        let target = (0..data).rev().find(is_target);
        let count = match &values[data] {
            Value::Array(items) => items.len(),
            _ => 1,
        };
        let is_repeated = count > 1 && rng.random_range(0..REPEATED) == 0;
        let mut first = None;
        for at in 0..count {
            let repeated = first.clone().filter(|_| is_repeated);
            let drawn = repeated.or_else(|| self.inner_call(rng, target.is_none().then_some(own)));
            let Some((address, calldata)) = drawn else { return };
            first.get_or_insert_with(|| (address, calldata.clone()));
            set(&mut values[data], at, Value::Bytes(calldata));
            if let Some(target) = target {
                set(&mut values[target], at, Value::Address(address));
            }
        }
    }

    /// A call of an instance, half of the time of the main one or of that `at` this address, as its address and calldata.
    fn inner_call<R: Rng + ?Sized>(&self, rng: &mut R, at: Option<Address>) -> Option<(Address, Vec<u8>)> {
        let calls = &self.calls;
        let is_possible = |call: &CallId| !calls.is_created(call.target) && !is_fallback(calls.function(*call).kind);
        let possible: Vec<CallId> = calls.state_changing().iter().copied().filter(is_possible).collect();
        let own = at.unwrap_or(calls.main().address);
        let of_own = |call: &&CallId| calls.instance(call.target).address == own;
        let call = if at.is_some() || rng.random() {
            *possible.iter().filter(of_own).collect::<Vec<_>>().choose(rng)?
        } else {
            possible.choose(rng)?
        };
        let function = calls.function(*call);
        let mut calldata = function.selector?.to_vec();
        encode(&arguments(&function.inputs, rng, &self.source()), &mut calldata);
        Some((calls.instance(call.target).address, calldata))
    }

    /// Gives all lists the length of the shortest that is not empty: long lists have more words to be right.
    fn make_equally_long<R: Rng + ?Sized>(&self, rng: &mut R, parameters: &[Parameter], values: &mut [Value]) {
        let lengths = values.iter().filter_map(|value| Some(value.as_array()?.len()));
        let Some(length) = lengths.filter(|length| *length > 0).min() else { return };
        for (value, parameter) in values.iter_mut().zip(parameters) {
            if let (Value::Array(items), Type::Array(inner)) = (value, &parameter.ty) {
                items.truncate(length);
                let missing = length - items.len();
                items.extend((0..missing).map(|_| inner.generate(rng, &self.source())));
            }
        }
    }
}

/// Whether bytes, or a list of them, may be calldata. A signature is none.
fn is_data(parameter: &Parameter) -> bool {
    let is_bytes = match &parameter.ty {
        Type::Bytes => true,
        Type::Array(inner) => **inner == Type::Bytes,
        _ => false,
    };
    is_bytes && !parameter.name.to_lowercase().contains("sig")
}

fn is_address(ty: &Type) -> bool {
    matches!(ty, Type::Address | Type::Contract { .. })
}

fn is_fallback(kind: FunctionKind) -> bool {
    kind != FunctionKind::Function
}

/// Sets a value, or an item of a list. A list that is too short stays as it is.
fn set(value: &mut Value, at: usize, new: Value) {
    match value {
        Value::Array(items) => items.get_mut(at).into_iter().for_each(|item| *item = new.clone()),
        value => *value = new,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::input::{CallTable, Transaction};

    /// How many of a hundred drawn transactions are as wanted.
    fn share(signature: &str, wanted: fn(&Generator, &Transaction) -> bool) -> usize {
        let calls = CallTable::sample(&[signature, "function setDelay(uint256 delay)"]);
        let generator = Generator::new(Arc::new(calls), vec![Address::repeat_byte(1)], vec![Address::repeat_byte(1)]);
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let call = generator.calls.calls()[0];
        let drawn: Vec<Transaction> = (0..100).map(|_| generator.transaction(&mut rng, call)).collect();
        drawn.iter().filter(|transaction| wanted(&generator, transaction)).count()
    }

    fn is_call(generator: &Generator, data: &Value) -> bool {
        let function = data.as_bytes().and_then(|bytes| generator.calls.main().interface.dispatch(bytes));
        function.is_some_and(|function| function.kind == FunctionKind::Function)
    }

    #[test]
    fn a_call_is_handed_on_to_the_target_beside_it() {
        let handed_on =
            share("function execute(address target, uint256 value, bytes data)", |generator, transaction| {
                let [Value::Address(target), _, data] = &transaction.arguments[..] else { return false };
                *target == generator.calls.main().address && is_call(generator, data)
            });
        assert!((15..40).contains(&handed_on), "{handed_on} of 100");
    }

    #[test]
    fn a_multicall_calls_its_own_contract() {
        let handed_on = share("function multicall(bytes[] data)", |generator, transaction| {
            let Some(items) = transaction.arguments[0].as_array() else { return false };
            !items.is_empty() && items.iter().all(|data| is_call(generator, data))
        });
        assert!((10..40).contains(&handed_on), "{handed_on} of 100");
    }

    #[test]
    fn a_multicall_makes_one_call_several_times() {
        let repeated = share("function multicall(bytes[] data)", |generator, transaction| {
            let items = transaction.arguments[0].as_array().unwrap_or_default();
            items.len() > 1 && is_call(generator, &items[0]) && items.iter().all(|data| *data == items[0])
        });
        assert!((2..20).contains(&repeated), "{repeated} of 100");
    }

    #[test]
    fn structs_with_a_target_hand_on_calls() {
        let signature = "function batch((address,uint256,bytes)[] calls)";
        let handed_on = share(signature, |generator, transaction| {
            let Some(items) = transaction.arguments[0].as_array() else { return false };
            items.iter().any(|item| item.as_tuple().is_some_and(|fields| is_call(generator, &fields[2])))
        });
        assert!((15..60).contains(&handed_on), "{handed_on} of 100");
    }

    #[test]
    fn a_signature_is_no_call() {
        let is_call = |generator: &Generator, transaction: &Transaction| is_call(generator, &transaction.arguments[0]);
        assert_eq!(share("function permit(bytes signature)", is_call), 0);
    }

    #[test]
    fn lists_that_belong_together_are_equally_long() {
        let equal = share("function pay(address[] to, uint256[] amounts, bool[] flags)", |_, transaction| {
            let mut lengths = transaction.arguments.iter().filter_map(|list| Some(list.as_array()?.len()));
            let first = lengths.next();
            lengths.all(|length| Some(length) == first)
        });
        assert!((50..80).contains(&equal), "{equal} of 100");
    }
}
