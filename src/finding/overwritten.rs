//! Variables that are written as others, in words.

use super::{
    slots::{Slots, number},
    story::name,
};
use crate::{
    code::{Part, StorageType},
    compile::SourceRange,
    harness::Harness,
    oracle::Overwriting,
};
use alloy_primitives::{Address, B256, I256, U256};

/// What has a slot: `owner` of Vault, slot `POSITION`, or slot `0`.
pub(super) fn owner(harness: &Harness, (source, span): SourceRange) -> String {
    let is_constant = is_constant(harness, (source, span));
    let source = harness.build.source(source);
    match source.ast.declared(span) {
        Some((name, _)) if is_constant => format!("slot `{name}`"),
        Some((name, of)) => format!("`{name}` of {of}"),
        None => {
            let words: Vec<&str> = span.text(&source.text).split_whitespace().collect();
            format!("slot `{}`", words.join(" "))
        }
    }
}

/// One sentence.
pub(super) fn because(harness: &Harness, overwriting: &Overwriting) -> String {
    let Overwriting { variable: (declaration, part), written, write, words: [before, after], preimages } = overwriting;
    let name = |address: Address| name(harness, address);
    let source = harness.build.source(declaration.0);
    let is_constant = is_constant(harness, *declaration);
    let (variable, of) = source.ast.declared(declaration.1).unwrap_or((&part.name, ""));
    // The key of a mapping is known where the compiler tells the layout.
    let id = harness.calls.at(write.account);
    let layout = id.and_then(|id| harness.calls.instance(id).layout.as_deref()).filter(|_| !write.is_transient);
    let is_named = |told: &(String, String, String)| {
        told.0.strip_prefix(variable).is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
    };
    let told = Slots { layout, preimages, name: &name }.describe(write.slot, *before, *after);
    let told = told.into_iter().find(|told| is_named(told) && !is_constant);
    let (variable, before, after) = told.unwrap_or_else(|| {
        let [before, after] = [before, after].map(|word| value(part, *word, &name));
        (part.name.clone(), before, after)
    });
    let kept = match is_constant {
        true => format!("`{variable}` is kept, too"),
        false => format!("`{variable}` of {of} is kept"),
    };
    let slot = match (write.is_transient, write.derivation) {
        (true, _) => Some(format!("transient slot {}", number(write.slot))),
        (false, None) => Some(format!("slot {}", number(write.slot))),
        (false, Some(_)) => None,
    };
    let is_member = !is_constant_or_slot(harness, *written);
    let own = owner(harness, *written);
    let wrote = match (is_member, slot) {
        (true, Some(slot)) => format!("{own} to {slot}, where"),
        (true, None) => format!("{own} where"),
        (false, Some(slot)) if own.replace('`', "") == slot => format!("to {slot}, where"),
        (false, Some(slot)) => format!("to {own}, which is {slot}, where"),
        (false, None) => format!("to {own}, where"),
    };
    format!("The call writes {wrote} {kept}: it was {before} and is {after} now.")
}

/// Whether a constant is declared there.
fn is_constant(harness: &Harness, (source, span): SourceRange) -> bool {
    let constants = &harness.build.source(source).ast.placements.constants;
    constants.iter().any(|constant| constant.span == span)
}

/// Whether it is no variable and no member of a struct.
fn is_constant_or_slot(harness: &Harness, range: SourceRange) -> bool {
    is_constant(harness, range) || harness.build.source(range.0).ast.declared(range.1).is_none()
}

/// What a variable holds, given the word in its slot.
fn value(part: &Part, word: U256, name: &dyn Fn(Address) -> Option<String>) -> String {
    let word = (word & part.mask) >> part.mask.trailing_zeros();
    let address = || {
        let address = Address::from_word(B256::from(word));
        name(address).unwrap_or_else(|| address.to_string())
    };
    match &part.ty {
        StorageType::Contract => address(),
        StorageType::Value(ty, _) if ty.starts_with("address") => address(),
        StorageType::Value(ty, _) if ty == "bool" => (!word.is_zero()).to_string(),
        StorageType::Value(ty, bytes) if ty.starts_with("int") => {
            let unused = 256 - 8 * *bytes as usize;
            I256::from_raw(word << unused).asr(unused).to_string()
        }
        StorageType::Array(_, None) => format!("{} long", number(word)),
        // What assembly keeps has no type.
        StorageType::Value(ty, _) if ty == "bytes32" && word.bit_len() <= 160 => {
            name(Address::from_word(B256::from(word))).unwrap_or_else(|| number(word))
        }
        _ => number(word),
    }
}
