//! The types of parameters that no source declares: any contract, one contract and no other that fits, and a stand-in. Their names
//! are not those of types of Solidity, which have no spaces and are never empty.

/// The type of an address that has to be a contract, where nothing else is known of it.
pub(super) const ANYTHING: &str = "";
/// The type of the address that a proxy delegates to.
pub(super) const IMPLEMENTATION: &str = "the implementation";
/// Starts the type of an address that has to be one contract and no other that fits.
const CONTRACT: &str = "contract ";
/// Starts the type of an address that has to be a stand-in for the type that follows.
const STAND_IN: &str = "stand-in for ";

/// The type of an address that has to be the contract of this name.
pub(super) fn exactly(contract: &str) -> String {
    format!("{CONTRACT}{contract}")
}

/// The only contract that an address of this type may be, if there is just one.
pub(super) fn only_contract(name: &str) -> Option<&str> {
    name.strip_prefix(CONTRACT)
}

/// The type of an address that has to be a stand-in for this type.
pub(super) fn stand_in_for(name: &str) -> String {
    format!("{STAND_IN}{name}")
}

/// The type that a stand-in for an address of this type stands in for.
pub(super) fn declared(name: &str) -> &str {
    name.strip_prefix(STAND_IN).unwrap_or(name)
}
