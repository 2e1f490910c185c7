//! Support: contracts of a project that are tests, mocks, examples and the like. They are fuzzed last, for a small share of
//! the time, which one note of the report mentions.

use super::count::counted;
use crate::{fuzz::Progress, project::Products};

/// The most places that are named; chosen by hand.
const MAX_PLACES: usize = 3;

/// A note that names the contracts with a small share of the time, and how to change that; none if there are none.
pub(super) fn note(project: &str, products: &Products, contracts: &[Progress]) -> Option<String> {
    let mut places: Vec<String> = Vec::new();
    let mut count = 0;
    for contract in contracts.iter().filter(|contract| contract.support) {
        let (file, name) = contract.harness.build.qualified_name(contract.harness.contract);
        count += 1;
        let place = products.support(file, name).unwrap_or(name).to_owned();
        if !places.contains(&place) {
            places.push(place);
        }
    }
    (count > 0).then(|| {
        format!(
            "{project}: {} ({}) got less of the time, as tests and mocks do; `--include` and `--exclude` change that",
            counted(count, "contract"),
            named(&places)
        )
    })
}

/// `contracts/mocks, contracts/test and 4 other places`.
fn named(places: &[String]) -> String {
    match places.len() {
        0..=MAX_PLACES => places.join(", "),
        more => {
            format!("{} and {}", places[..MAX_PLACES].join(", "), counted((more - MAX_PLACES) as u64, "other place"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_places_are_named() {
        let places: Vec<String> = ["mocks", "test", "MockA", "MockB", "MockC"].map(str::to_owned).to_vec();
        assert_eq!(named(&places[..2]), "mocks, test");
        assert_eq!(named(&places[..4]), "mocks, test, MockA and 1 other place");
        assert_eq!(named(&places), "mocks, test, MockA and 2 other places");
    }
}
