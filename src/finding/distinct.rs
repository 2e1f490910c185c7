//! Distinct findings: a defect found through several contracts, such as children of one base, is reported once.

use super::model::Finding;
use crate::{
    oracle::{Cause, PlaceKind},
    project::Level,
};
use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

/// One finding for each place and oracle, ordered by file and line, without those that are switched off.
///
/// Of several for one place, the most serious is kept; of equals the finding of the contract that declares the line, or else that of the contract whose
/// file and name come first; of one contract, that in its own world. A finding located only by its function, as the optimizer may leave it, is dropped if another
/// contract has one for the expression in it that fails in the same way.
pub fn distinct<'a>(findings: impl IntoIterator<Item = &'a Arc<Finding>>) -> Vec<&'a Arc<Finding>> {
    let mut places: BTreeMap<_, Vec<&Arc<Finding>>> = BTreeMap::new();
    for finding in findings.into_iter().filter(|finding| finding.level != Level::Off) {
        let place = (&finding.file, finding.span, finding.violation.oracle);
        places.entry(place).or_default().push(finding);
    }
    fn owner(finding: &Finding) -> (Reverse<bool>, (&str, &str), bool) {
        let harness = &finding.harness;
        (Reverse(is_declared_by(finding)), harness.build.qualified_name(harness.contract), harness.suite().is_some())
    }
    let first = |same: Vec<&'a Arc<Finding>>| {
        same.into_iter().min_by(|one, other| (one.level, owner(one)).cmp(&(other.level, owner(other))))
    };
    let all: Vec<&Arc<Finding>> = places.into_values().filter_map(first).collect();
    let precise: Vec<&Arc<Finding>> = all.iter().copied().filter(|finding| !is_vague(finding)).collect();
    let tells_more = |vague: &Finding| {
        precise.iter().any(|finding| {
            (&finding.file, finding.violation.oracle) == (&vague.file, vague.violation.oracle)
                && finding.harness.contract != vague.harness.contract
                && vague.span.contains(finding.span)
                && (finding.violation.cause == vague.violation.cause || vague.violation.cause == Cause::Invalid(None))
        })
    };
    all.into_iter().filter(|finding| !(is_vague(finding) && tells_more(finding))).collect()
}

/// Whether the failing line belongs to the contract that was fuzzed.
fn is_declared_by(finding: &Finding) -> bool {
    let own = finding.harness.compiled();
    own.source == finding.violation.place.source && own.span.contains(finding.span)
}

/// Whether the place is a whole function.
fn is_vague(finding: &Finding) -> bool {
    finding.violation.place.kind == PlaceKind::Function
}
