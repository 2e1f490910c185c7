//! An [`Adaptation`] converts sequences for one call table into sequences for that of a later build. A call follows its
//! instance by name, and its function by signature, or, where that is gone, by the function whose name or parameters fit best.
//! Arguments that do not fit are repaired one by one, and only calls of functions and instances that are gone are dropped. It
//! compares interfaces and knows nothing of what the functions do.

use super::{
    calls::{CallId, CallTable, InstanceId},
    encode::{decode, encode},
    interface::{Function, FunctionId, FunctionKind, Interface},
    leaves::addresses_mut,
    sequence::Sequence,
    setup::{Deployment, Setup, SetupStep},
    transaction::{Deed, Reaction, Transaction},
    types::{Parameter, Type},
    value::Value,
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeMap;

/// The conversion from one call table to another.
#[derive(Debug)]
pub struct Adaptation {
    /// For each instance, its successor; `None` if there is none.
    instances: Vec<Option<(InstanceId, InterfaceAdaptation)>>,
    /// The old and the new address of instances that moved.
    moved: BTreeMap<Address, Address>,
}

impl Adaptation {
    /// Finds the successors. The main instance follows the main instance whatever their names.
    #[must_use]
    pub fn between(from: &CallTable, to: &CallTable) -> Self {
        let mut moved = BTreeMap::new();
        let instances = (0..).map(InstanceId).zip(from.instances()).map(|(id, was)| {
            let id =
                if id == InstanceId::MAIN { id } else { to.named(&was.name).filter(|id| *id != InstanceId::MAIN)? };
            let is = to.instance(id);
            if is.address != was.address {
                moved.insert(was.address, is.address);
            }
            Some((id, InterfaceAdaptation::between(&was.interface, &is.interface)))
        });
        let instances = instances.collect();
        Self { instances, moved }
    }

    /// The converted sequence, without calls whose function or instance is gone.
    #[must_use]
    pub fn sequence(&self, sequence: &Sequence) -> Sequence {
        let step = |step: &SetupStep| match step {
            SetupStep::Deploy(deployment) => self.deployment(deployment).map(SetupStep::Deploy),
            SetupStep::Call(transaction) => self.transaction(transaction).map(SetupStep::Call),
        };
        let setup = Setup::new(sequence.setup.steps().iter().filter_map(step).collect());
        let setup = setup.expect("the main instance is deployed once, as before");
        let transactions =
            sequence.transactions.iter().filter_map(|transaction| self.transaction(transaction)).collect();
        Sequence { setup, transactions }
    }

    /// The converted call; `None` if its function or its instance is gone.
    #[must_use]
    pub fn transaction(&self, transaction: &Transaction) -> Option<Transaction> {
        let Transaction { call, arguments, sender, value, env, at, reaction } = transaction;
        let (target, interfaces) = self.instance(call.target)?;
        let way = interfaces.functions.get(usize::from(call.function.0))?.as_ref()?;
        let (arguments, value) = (self.arguments(way, arguments), way.value(*value));
        let call = CallId { target, function: way.to };
        let reaction = match reaction {
            Some(reaction) => Some(Box::new(self.reaction(reaction)?)),
            None => None,
        };
        Some(Transaction { call, arguments, value, sender: *sender, env: *env, at: *at, reaction })
    }

    fn reaction(&self, reaction: &Reaction) -> Option<Reaction> {
        let deed = match &reaction.deed {
            Deed::Call(call) => Deed::Call(Box::new(self.transaction(call)?)),
            Deed::Refuse | Deed::BurnGas | Deed::Bomb | Deed::Answer | Deed::Repeat => reaction.deed.clone(),
        };
        Some(Reaction { account: reaction.account, deed, answer: reaction.answer })
    }

    fn deployment(&self, deployment: &Deployment) -> Option<Deployment> {
        let Deployment { instance, arguments, sender, value } = deployment;
        let (instance, interfaces) = self.instance(*instance)?;
        let way = &interfaces.constructor;
        let (arguments, value) = (self.arguments(way, arguments), way.value(*value));
        Some(Deployment { instance, arguments, value, sender: *sender })
    }

    fn instance(&self, id: InstanceId) -> Option<(InstanceId, &InterfaceAdaptation)> {
        self.instances.get(usize::from(id.0))?.as_ref().map(|(id, interfaces)| (*id, interfaces))
    }

    fn arguments(&self, way: &FunctionAdaptation, arguments: &[Value]) -> Vec<Value> {
        let mut arguments = way.arguments(arguments);
        if !self.moved.is_empty() {
            for address in arguments.iter_mut().flat_map(addresses_mut) {
                // That of an instance that moved.
                *address = self.moved.get(address).copied().unwrap_or(*address);
            }
        }
        arguments
    }
}

/// The conversion from one interface to another.
#[derive(Debug)]
struct InterfaceAdaptation {
    /// For each function, its successor; `None` if there is none.
    functions: Vec<Option<FunctionAdaptation>>,
    constructor: FunctionAdaptation,
}

/// The conversion of calls from one function to another.
#[derive(Debug)]
struct FunctionAdaptation {
    to: FunctionId,
    arguments: Vec<(Parameter, ArgumentOrigin)>,
    /// Whether the new function refuses ether that the old one took.
    refuses: bool,
}

/// The origin of an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ArgumentOrigin {
    /// The old argument at this index, of the same type.
    Kept(usize),
    /// The old argument at this index, of another type, reinterpreted by its word.
    Read(usize),
    /// No old argument: zero.
    Zero,
}

impl InterfaceAdaptation {
    fn between(from: &Interface, to: &Interface) -> Self {
        let mut functions: Vec<Option<FunctionAdaptation>> = from
            .functions
            .iter()
            .map(|was| to.by_signature(&was.signature).map(|is| FunctionAdaptation::of(was, is)))
            .collect();
        let is_fresh = |is: &&Function| is.kind == FunctionKind::Function && from.by_signature(&is.signature).is_none();
        let fresh: Vec<&Function> = to.functions.iter().filter(is_fresh).collect();
        // Other parameters: the one of the same name that keeps the most.
        for (was, way) in from.functions.iter().zip(&mut functions).filter(|(_, way)| way.is_none()) {
            let ways = fresh.iter().filter(|is| is.name == was.name).map(|is| FunctionAdaptation::of(was, is));
            *way = ways.max_by_key(|way| (way.kept(), std::cmp::Reverse(way.to)));
        }
        // Another name: the only one that takes the same parameters, and before it was the only one.
        let mut renamed: BTreeMap<&str, (Vec<&Function>, Vec<&Function>)> = BTreeMap::new();
        let gone = from
            .functions
            .iter()
            .zip(&functions)
            .filter(|(was, way)| way.is_none() && was.kind == FunctionKind::Function);
        gone.for_each(|(was, _)| renamed.entry(parameters(was)).or_default().0.push(was));
        let taken: Vec<FunctionId> = functions.iter().flatten().map(|way| way.to).collect();
        let free = fresh.into_iter().filter(|is| !taken.contains(&is.id));
        free.for_each(|is| renamed.entry(parameters(is)).or_default().1.push(is));
        for (was, is) in renamed.values() {
            if let ([was], [is]) = (&was[..], &is[..])
                && was.can_change_state() == is.can_change_state()
            {
                functions[usize::from(was.id.0)] = Some(FunctionAdaptation::of(was, is));
            }
        }
        Self { functions, constructor: FunctionAdaptation::of(&from.constructor, &to.constructor) }
    }
}

impl FunctionAdaptation {
    fn of(was: &Function, is: &Function) -> Self {
        let origins = if parameters(was) == parameters(is) {
            (0..is.inputs.len()).map(ArgumentOrigin::Kept).collect()
        } else {
            origins(&was.inputs, &is.inputs)
        };
        let refuses = was.is_payable() && !is.is_payable();
        Self { to: is.id, arguments: is.inputs.iter().cloned().zip(origins).collect(), refuses }
    }

    /// The number of arguments that stay as they are.
    fn kept(&self) -> usize {
        self.arguments.iter().filter(|(_, origin)| matches!(origin, ArgumentOrigin::Kept(_))).count()
    }

    fn arguments(&self, arguments: &[Value]) -> Vec<Value> {
        let argument = |(parameter, origin): &(Parameter, ArgumentOrigin)| match origin {
            ArgumentOrigin::Kept(at) => arguments.get(*at).filter(|value| parameter.ty.accepts(value)).cloned(),
            ArgumentOrigin::Read(at) => {
                let mut words = Vec::new();
                encode(arguments.get(*at..=*at)?, &mut words);
                decode(std::slice::from_ref(parameter), &words).pop()
            }
            ArgumentOrigin::Zero => None,
        };
        let fitting = self.arguments.iter().map(|it| argument(it).unwrap_or_else(|| it.0.ty.zero()));
        fitting.collect()
    }

    fn value(&self, value: U256) -> U256 {
        if self.refuses { U256::ZERO } else { value }
    }
}

/// The types of a function's parameters, as its signature has them.
fn parameters(function: &Function) -> &str {
    match function.kind {
        // The calldata, which its signature does not show.
        FunctionKind::Fallback => "(bytes)",
        _ => &function.signature[function.name.len()..],
    }
}

/// The origin of the argument of each parameter: one with the same name if possible, else one with the same type.
fn origins(from: &[Parameter], to: &[Parameter]) -> Vec<ArgumentOrigin> {
    let mut origins = vec![ArgumentOrigin::Zero; to.len()];
    let mut used = vec![false; from.len()];
    type Fits = fn((usize, &Parameter), (usize, &Parameter)) -> Option<ArgumentOrigin>;
    let named: Fits = |(at, was), (_, is)| {
        let same = !was.name.is_empty() && was.name == is.name;
        match was.ty == is.ty {
            true if same => Some(ArgumentOrigin::Kept(at)),
            false if same && reads(&was.ty) && reads(&is.ty) => Some(ArgumentOrigin::Read(at)),
            _ => None,
        }
    };
    let in_place: Fits = |(at, was), (place, is)| (was.ty == is.ty && at == place).then_some(ArgumentOrigin::Kept(at));
    let of_type: Fits = |(at, was), (_, is)| (was.ty == is.ty).then_some(ArgumentOrigin::Kept(at));
    for fits in [named, in_place, of_type] {
        for (place, is) in to.iter().enumerate() {
            if origins[place] != ArgumentOrigin::Zero {
                continue;
            }
            let mut free = from.iter().enumerate().filter(|(at, _)| !used[*at]);
            if let Some((at, origin)) = free.find_map(|was| Some((was.0, fits(was, (place, is))?))) {
                (origins[place], used[at]) = (origin, true);
            }
        }
    }
    origins
}

/// Whether values of this type are one word, which another type can reinterpret.
fn reads(ty: &Type) -> bool {
    use Type::{Address, Bool, Enum, FixedBytes, Int, Uint};
    matches!(ty, Bool | Address | Uint(_) | Int(_) | FixedBytes(_) | Enum { .. })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::env::EnvStep;

    fn table(items: &[&str]) -> CallTable {
        CallTable::sample(items)
    }

    /// Numbers and addresses for the parameters of a function, each another one.
    fn call(table: &CallTable, name: &str) -> Transaction {
        let function = table.main().interface.functions.iter().find(|function| function.name == name).expect(name);
        let arguments = (7..).zip(&function.inputs).map(|(number, parameter)| match parameter.ty {
            Type::Address => Value::Address(Address::repeat_byte(number)),
            Type::Uint(bits) => Value::Uint(U256::from(number), bits),
            _ => parameter.ty.zero(),
        });
        let arguments = arguments.collect();
        let value = U256::from(if function.is_payable() { 5 } else { 0 });
        Transaction {
            call: CallId::main(function.id),
            arguments,
            sender: Address::ZERO,
            value,
            env: EnvStep::default(),
            at: None,
            reaction: None,
        }
    }

    /// What a call becomes, as text; nothing if its function is gone.
    fn becomes(from: &[&str], name: &str, to: &[&str]) -> String {
        let (from, to) = (table(from), table(to));
        let Some(call) = Adaptation::between(&from, &to).transaction(&call(&from, name)) else { return String::new() };
        let function = to.function(call.call);
        let accepts = function.inputs.iter().zip(&call.arguments).all(|(input, value)| input.ty.accepts(value));
        assert!(accepts && function.inputs.len() == call.arguments.len(), "{call:?}");
        let arguments: Vec<String> = call
            .arguments
            .iter()
            .map(|value| match value {
                Value::Address(address) => format!("@{}", address[0]),
                Value::Uint(number, _) => number.to_string(),
                other => format!("{other:?}"),
            })
            .collect();
        let value = if call.value.is_zero() { String::new() } else { format!("{{{}}}", call.value) };
        format!("{}{value}({})", function.name, arguments.join(", "))
    }

    #[test]
    fn calls_follow_their_function() {
        let put = "function put(uint256 amount, address who)";
        for (to, expected) in [
            (&[put, "function add()"][..], "put(7, @8)"),
            // Other parameters: by name, then by type, and what is new is zero.
            (&["function put(address who, uint256 amount)"], "put(@8, 7)"),
            (&["function put(uint256 a, address b)"], "put(7, @8)"),
            (&["function put(uint128 amount, address who)"], "put(7, @8)"),
            (&["function put(address who)"], "put(@8)"),
            (&["function put(uint256 fee, uint256 amount, address who)"], "put(0, 7, @8)"),
            (&["function put(uint256 fee, uint256 tip)"], "put(7, 0)"),
            (&["function put()"], "put()"),
            // Of several, the one that keeps the most.
            (&["function put(address who, uint8 n)", "function put(uint256 a, uint8 n, address who)"], "put(7, 0, @8)"),
            // Another name.
            (&["function store(uint256 amount, address who)"], "store(7, @8)"),
            (&["function store(uint256 a, address b)", "function keep(uint256 a, address b)"], ""),
            (&["function store(uint256 amount, address who) view"], ""),
            (&["function take()"], ""),
        ] {
            assert_eq!(becomes(&[put, "function other()"], "put", to), expected, "{to:?}");
        }
        let pay = "function pay(uint256 n) payable";
        assert_eq!(becomes(&[pay], "pay", &[pay]), "pay{5}(7)");
        assert_eq!(becomes(&[pay], "pay", &["function pay(uint256 n)"]), "pay(7)", "it takes none any more");
        assert_eq!(becomes(&["receive()"], "receive", &["receive()", put]), "receive{5}()");
        assert_eq!(becomes(&["receive()"], "receive", &["fallback()"]), "");
        let both = ["function f(uint256 n)", "function g(uint256 n)"];
        assert_eq!(becomes(&both, "g", &["function h(uint256 n)"]), "", "which of them it was is not known");
        assert_eq!(becomes(&both, "g", &["function f(uint256 n)", "function h(uint256 n)"]), "h(7)");
    }

    #[test]
    fn a_constructor_with_other_parameters_keeps_what_it_can() {
        let from = table(&["constructor(address owner, uint256 cap)", "function put()", "function take()"]);
        let to = table(&["constructor(uint256 cap, address owner, bool open)", "function put()"]);
        let number = |word: u64| Value::Uint(U256::from(word), 256);
        let owner = Value::Address(Address::repeat_byte(3));
        let arguments = vec![owner.clone(), number(9)];
        let instance = InstanceId::MAIN;
        let setup = Setup::of(Deployment { instance, arguments, sender: Address::ZERO, value: U256::ZERO });
        let transactions = ["put", "take", "put"].map(|name| call(&from, name)).to_vec();
        let adapted = Adaptation::between(&from, &to).sequence(&Sequence { setup, transactions });
        assert_eq!(adapted.setup.main().unwrap().arguments, [number(9), owner, Value::Bool(false)]);
        assert_eq!(adapted.transactions, [call(&to, "put"), call(&to, "put")]);
    }
}
