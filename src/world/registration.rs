//! Registrations: the functions by which an address is entered under a name.

use crate::input::{Function, Type};

/// Whether a function takes a name and an address, or a list of each.
pub(super) fn registers(function: &Function) -> bool {
    shape(function).is_some() && function.can_change_state()
}

/// The type of the name, and whether there is a list of each.
pub(super) fn shape(function: &Function) -> Option<(&Type, bool)> {
    let is_name = |ty: &Type| matches!(ty, Type::FixedBytes(32) | Type::String);
    let [name, address] = &function.inputs[..] else { return None };
    match (&name.ty, &address.ty) {
        (Type::Array(name), Type::Array(address)) if is_name(name) && address.is_address() => Some((name, true)),
        (name, address) if is_name(name) && address.is_address() => Some((name, false)),
        _ => None,
    }
}
