//! The releases of solc. The list is part of the program, because there may be no network to ask.

use semver::{Version, VersionReq};

/// `(minor, first patch, last patch)` of every series from 0.4.11, the first with standard JSON.
const SERIES: [(u64, u64, u64); 5] = [(4, 11, 26), (5, 0, 17), (6, 0, 12), (7, 0, 6), (8, 0, 37)];

/// Every known release, oldest first.
pub(super) fn releases() -> impl DoubleEndedIterator<Item = Version> {
    SERIES.into_iter().flat_map(|(minor, first, last)| (first..=last).map(move |patch| Version::new(0, minor, patch)))
}

/// The newest known release that meets every requirement.
pub(super) fn newest(requirements: &[VersionReq]) -> Option<Version> {
    releases().rev().find(|version| requirements.iter().all(|requirement| requirement.matches(version)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_that_meets_all() {
        let newest = |text: &[&str]| {
            newest(&text.iter().map(|text| VersionReq::parse(text).unwrap()).collect::<Vec<_>>()).map(|v| v.to_string())
        };
        assert_eq!(newest(&["^0.4.24"]).as_deref(), Some("0.4.26"));
        assert_eq!(newest(&[">=0.5.0", "<0.7.0"]).as_deref(), Some("0.6.12"));
        assert_eq!(newest(&["=0.8.20", "^0.8.0"]).as_deref(), Some("0.8.20"));
        assert_eq!(newest(&["^0.7.0", "^0.8.0"]), None);
    }
}
