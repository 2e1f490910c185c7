//! Cheatcodes on the release of Foundry whose cheatcodes these are like.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, supported},
    error::CheatError,
    returns,
};
use alloy_primitives::{I256, U256};
use semver::Version;
use std::cmp::Ordering;

/// The release that cheatcodes are compared with.
const RELEASE: Version = Version::new(1, 7, 1);

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Versions",
    about: "Cheatcodes behave as those of this release of Foundry.",
    cheatcodes: &[
        supported("getFoundryVersion()", "string", version, "The release: 1.7.1."),
        supported(
            "foundryVersionCmp(string)",
            "int256",
            compare,
            "-1, 0 or 1: the release is older than another one, the same, or newer.",
        ),
        supported(
            "foundryVersionAtLeast(string)",
            "bool",
            at_least,
            "Whether the release is at least as new as another one.",
        ),
    ],
};

fn version(_: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::text(&RELEASE.to_string()))
}

fn order(arguments: Arguments<'_>) -> Result<Ordering, CheatError> {
    let text = arguments.text(0)?;
    let other = Version::parse(&text).map_err(|error| CheatError::new(format!("invalid version {text:?}: {error}")))?;
    Ok(RELEASE.cmp(&other))
}

fn compare(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    let order = match order(arguments)? {
        Ordering::Less => I256::MINUS_ONE,
        Ordering::Equal => I256::ZERO,
        Ordering::Greater => I256::ONE,
    };
    Ok(returns::word(order.into_raw()))
}

fn at_least(_: &mut CheatCall<'_>, arguments: Arguments<'_>) -> Answer {
    Ok(returns::word(U256::from(order(arguments)?.is_ge())))
}
