//! Distinct findings: one defect that is found through several contracts, such as children of one base, is told once.

use super::model::Finding;
use crate::{
    oracle::{Cause, PlaceKind},
    project::Level,
};
use std::{cmp::Reverse, collections::BTreeMap, sync::Arc};

/// One finding for each place and oracle, in the order of files and lines, without those that are switched off.
///
/// Of several for one place, it is that of the contract that declares the line, or else that of the contract whose file and name come
/// first. A finding that tells no more than the function, as the optimizer may leave it, is left out where another contract tells the
/// expression in it that fails in the same way.
pub fn distinct<'a>(findings: impl IntoIterator<Item = &'a Arc<Finding>>) -> Vec<&'a Arc<Finding>> {
    let mut places: BTreeMap<_, Vec<&Arc<Finding>>> = BTreeMap::new();
    for finding in findings.into_iter().filter(|finding| finding.level != Level::Off) {
        let place = (&finding.file, finding.span, finding.violation.oracle);
        places.entry(place).or_default().push(finding);
    }
    fn owner(finding: &Finding) -> (Reverse<bool>, (&str, &str)) {
        (Reverse(is_declared_by(finding)), finding.harness.build.qualified_name(finding.harness.contract))
    }
    let first = |same: Vec<&'a Arc<Finding>>| same.into_iter().min_by(|one, other| owner(one).cmp(&owner(other)));
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

/// Whether the contract that was fuzzed is the one in which the failing line stands.
fn is_declared_by(finding: &Finding) -> bool {
    let own = finding.harness.compiled();
    own.source == finding.violation.place.source && own.span.contains(finding.span)
}

/// Whether the place is a whole function.
fn is_vague(finding: &Finding) -> bool {
    finding.violation.place.kind == PlaceKind::Function
}
