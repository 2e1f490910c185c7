//! What is not copied from one place to another.

use crate::{
    exchange::{Address, Copied},
    output,
};
use bellwether::report::counted;

/// Tells what was not copied, and why.
pub(super) fn tell(from: &Address, Copied { refused, of_other_version, .. }: &Copied) {
    if *refused > 0 {
        output::note(&format!(
            "warning: {from}: {} left out: damaged, or not written by Bellwether",
            counted(*refused, "record")
        ));
    }
    if let Some(of_other_version) = of_other_version {
        output::note(&format!("warning: {from}: {of_other_version}"));
    }
}
