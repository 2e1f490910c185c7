//! Arithmetic that went around, in words: what was computed, and what the exact result changes.

use super::{slots::Slots, story::name};
use crate::{
    compile::{IntegerType, OperationKind},
    evm::{Exact, Wrap},
    harness::Harness,
    input::{InstanceId, brief::short},
    oracle::{Arrival, Difference},
};
use alloy_primitives::{Address, U256, U512};

/// Three sentences.
pub(super) fn because(harness: &Harness, difference: &Difference) -> String {
    let Difference { wrap, arrival, .. } = difference;
    let ty = type_name(wrap.ty);
    let nearest = number(Exact::of(wrap.saturated(), wrap.ty));
    let instead = format!("with {nearest}, the {ty} that is nearest to it,");
    let then = match *arrival {
        Arrival::Refused => {
            format!(
                "With {nearest}, the {ty} that is nearest to it, the same call is refused: only the wrong result lets it through."
            )
        }
        Arrival::AlwaysHolds => {
            format!("It is compared with 0, and no {ty} is below that: the condition holds, whatever is subtracted.")
        }
        Arrival::Stored { address, slot, wrapped, exact } => {
            let (name, exact, wrapped) = variable(harness, difference, address, slot, exact, wrapped);
            format!("`{name}` becomes {wrapped}; {instead} the same call makes it {exact}.")
        }
        Arrival::Paid => format!("Run again {instead} the same call pays another amount."),
        Arrival::Logged => format!("Run again {instead} the same call logs something else."),
        Arrival::Passed => format!("Run again {instead} the same call passes something else to another contract."),
    };
    format!("{} {then} Every user can do it.", computed(wrap))
}

/// The operation with its operands and both results.
fn computed(wrap: &Wrap) -> String {
    let ty = type_name(wrap.ty);
    let result = number(Exact::of(wrap.word(), wrap.ty));
    let [left, right] = wrap.numbers().map(number);
    let sign = match wrap.kind {
        OperationKind::Add => "+",
        OperationKind::Subtract => "-",
        OperationKind::Multiply => "*",
        OperationKind::Power => "**",
        OperationKind::Narrow => return format!("{left} does not fit into {ty}, and {result} is left of it."),
    };
    let exact = wrap.exact();
    let exact = if exact.magnitude == U512::MAX { "more than 2^511".to_owned() } else { number(exact) };
    format!("{} {sign} {} is {exact}, which wraps to {result} in {ty}.", enclosed(left), enclosed(right))
}

/// A number that can stand beside an operator.
fn enclosed(number: String) -> String {
    if number.contains(['-', ' ']) { format!("({number})") } else { number }
}

fn type_name(ty: IntegerType) -> String {
    format!("{}int{}", if ty.signed { "" } else { "u" }, ty.bits)
}

fn number(number: Exact) -> String {
    short(&format!("{}{}", if number.negative { "-" } else { "" }, number.magnitude))
}

/// The variable in a slot, with its values in both runs.
fn variable(
    harness: &Harness,
    difference: &Difference,
    address: Address,
    slot: U256,
    exact: U256,
    wrapped: U256,
) -> (String, String, String) {
    let name = |address: Address| name(harness, address);
    let id = harness.calls.at(address);
    let layout = id.and_then(|id| harness.calls.instance(id).layout.as_deref());
    let named = Slots { layout, preimages: &difference.preimages, name: &name }.describe(slot, exact, wrapped);
    let (variable, exact, wrapped) = named.into_iter().next().unwrap_or_default();
    let owner = match id {
        Some(InstanceId::MAIN) => String::new(),
        _ => format!("{}: ", name(address).unwrap_or_else(|| address.to_string())),
    };
    (format!("{owner}{variable}"), exact, wrapped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(kind: OperationKind, bits: u16, left: U256, right: U256) -> String {
        let ty = IntegerType { bits, signed: false };
        let from = if kind == OperationKind::Narrow { IntegerType { bits: 256, signed: false } } else { ty };
        computed(&Wrap { kind, ty, from, operands: [left, right] })
    }

    #[test]
    fn what_is_computed_is_told_in_numbers() {
        use OperationKind::{Add, Multiply, Narrow, Power, Subtract};
        let word = U256::from::<u64>;
        let half = word(1) << 255;
        for (text, expected) in [
            (told(Multiply, 256, word(2), half), "2 * 2^255 is 2^256, which wraps to 0 in uint256."),
            (told(Subtract, 256, word(0), word(1)), "0 - 1 is -1, which wraps to 2^256 − 1 in uint256."),
            (told(Add, 256, U256::MAX, word(6)), "(2^256 − 1) + 6 is 2^256 + 5, which wraps to 5 in uint256."),
            (told(Add, 8, word(200), word(100)), "200 + 100 is 300, which wraps to 44 in uint8."),
            (told(Power, 256, word(10), word(400)), "10 ** 400 is more than 2^511, which wraps to 0 in uint256."),
            (told(Narrow, 8, word(300), word(0)), "300 does not fit into uint8, and 44 is left of it."),
        ] {
            assert_eq!(text, expected);
        }
    }
}
