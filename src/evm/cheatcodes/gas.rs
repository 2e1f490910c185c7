//! Cheatcodes on gas. Gas is not what a fuzzer looks at: they do nothing, and measurements are zeros.

use super::{
    arguments::Arguments,
    cheatcode::{Answer, CheatCall, CheatFamily, ignored},
    journal::{nothing, zero},
    returns,
};
use alloy_primitives::U256;

pub(super) const FAMILY: CheatFamily = CheatFamily {
    title: "Gas",
    about: "Gas is metered as usual, and measurements return zeros.",
    cheatcodes: &[
        ignored("pauseGasMetering()", "", nothing, "Nothing is paused."),
        ignored("resumeGasMetering()", "", nothing, ""),
        ignored("resetGasMetering()", "", nothing, ""),
        ignored("lastCallGas()", "Gas", five_zeros, "Zeros."),
        ignored("startSnapshotGas(string)", "", nothing, "Nothing is measured."),
        ignored("startSnapshotGas(string,string)", "", nothing, ""),
        ignored("stopSnapshotGas()", "uint256", zero, "Zero."),
        ignored("stopSnapshotGas(string)", "uint256", zero, ""),
        ignored("stopSnapshotGas(string,string)", "uint256", zero, ""),
        ignored("snapshotGasLastCall(string)", "uint256", zero, "Zero."),
        ignored("snapshotGasLastCall(string,string)", "uint256", zero, ""),
        ignored("snapshotValue(string,uint256)", "", nothing, "No value is recorded."),
        ignored("snapshotValue(string,string,uint256)", "", nothing, ""),
    ],
};

fn five_zeros(_: &mut CheatCall<'_>, _: Arguments<'_>) -> Answer {
    Ok(returns::words(&[U256::ZERO; 5]))
}
