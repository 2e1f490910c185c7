//! The compilers that may be tried for a file, the best first. The list follows from its pragmas, the project's configuration
//! and the list of releases alone. Installed compilers do not matter, so that two machines take the same one.

use super::releases::releases;
use semver::{Version, VersionReq};

/// The releases that meet every requirement, in the order in which they are tried: those that the project seems to use itself
/// (`hints`), the newest, and then the newest of each older series, since code for an older series often compiles with no other.
pub(super) fn candidates(requirements: &[VersionReq], hints: &[Version]) -> Vec<Version> {
    let meets = |version: &Version| requirements.iter().all(|requirement| requirement.matches(version));
    let mut candidates: Vec<Version> = Vec::new();
    let hints = hints.iter().filter(|hint| meets(hint));
    let mut series = None;
    let newest =
        releases().rev().filter(|version| meets(version) && series.replace(version.minor) != Some(version.minor));
    for version in hints.cloned().chain(newest) {
        if !candidates.contains(&version) {
            candidates.push(version);
        }
    }
    candidates
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_comes_first_then_the_newest_of_each_older_series() {
        let tried = |requirements: &[&str], hints: &[&str]| {
            let requirements: Vec<_> = requirements.iter().map(|text| VersionReq::parse(text).unwrap()).collect();
            let hints: Vec<_> = hints.iter().map(|text| Version::parse(text).unwrap()).collect();
            let versions = candidates(&requirements, &hints).into_iter().map(|version| version.to_string());
            versions.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(tried(&[">=0.5.0"], &[]), "0.8.37 0.7.6 0.6.12 0.5.17");
        assert_eq!(tried(&[">=0.5.0", "=0.7.6"], &[]), "0.7.6");
        assert_eq!(tried(&["^0.8.4"], &["0.8.19", "0.6.12"]), "0.8.19 0.8.37");
        assert_eq!(tried(&["^0.4.24"], &[]), "0.4.26");
        assert_eq!(tried(&["^0.7.0", "^0.8.0"], &[]), "");
        assert_eq!(tried(&[], &["0.5.16"]), "0.5.16 0.8.37 0.7.6 0.6.12 0.5.17 0.4.26");
    }
}
