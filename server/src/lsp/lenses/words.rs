//! The words of lenses. A check mark stands only where something ran.

use bellwether::{
    fuzz::{BlockState, ContractSurvey, FunctionSurvey, Share},
    report::counted,
};

/// Above a contract whose assertions are all proved.
pub(super) const PROVED: &str = "proved: no assertion here can fail within this world";

/// Transactions from which on it is told that none of them succeeded; chosen by hand.
const MANY_TRANSACTIONS: u64 = 100;

/// Above a contract that is not fuzzed, with the reason up to its first colon: a note on the contract's name has all of it.
pub(super) fn not_fuzzed(why: &str) -> String {
    let reason = why.split_once(": ").map_or(why, |(reason, _)| reason);
    format!("not fuzzed: {reason}")
}

/// Above a contract with a session, which has this number of findings.
pub(super) fn of_contract(contract: &ContractSurvey, findings: usize) -> String {
    let ContractSurvey { executions, succeeded, given_up, branches, .. } = contract;
    if let Some(why) = given_up.as_deref().filter(|_| findings == 0) {
        return not_fuzzed(why);
    }
    if *executions == 0 && findings == 0 {
        return "not fuzzed yet".to_owned();
    }
    let transactions = match executions {
        1 => "1 transaction".to_owned(),
        several => format!("{} transactions", rounded(*several)),
    };
    let none_succeeded = *succeeded == 0 && *executions >= MANY_TRANSACTIONS;
    let verdict = match (findings, none_succeeded) {
        (0, true) => Some("every call reverted".to_owned()),
        (findings, _) => found(findings),
    };
    joined(verdict, [covered(*branches), Some(transactions)])
}

/// Above a function that has this number of findings; `None` where there is nothing to say.
pub(super) fn of_function(function: &FunctionSurvey, findings: usize) -> Option<String> {
    let covered = covered(function.branches);
    match function.state {
        _ if findings > 0 => Some(joined(found(findings), [covered])),
        BlockState::Unreachable => Some("cannot be reached (proved)".to_owned()),
        BlockState::Open => Some("not reached yet".to_owned()),
        BlockState::Reached if function.always_reverted.is_some() => {
            Some(joined(Some("every call reverted".to_owned()), [covered]))
        }
        BlockState::Reached => covered.map(|covered| joined(None, [Some(covered)])),
    }
}

fn found(findings: usize) -> Option<String> {
    (findings > 0).then(|| format!("✗ {}", counted(findings as u64, "finding")))
}

/// A verdict and what else is known; without a verdict, nothing was found.
fn joined<const N: usize>(verdict: Option<String>, known: [Option<String>; N]) -> String {
    let known = known.into_iter().flatten();
    match verdict {
        Some(verdict) => [verdict].into_iter().chain(known).collect::<Vec<_>>().join(" · "),
        None => format!("✓ {}", known.collect::<Vec<_>>().join(" · ")),
    }
}

/// The share of branches, rounded down: `97 % of branches`; `None` where there are none.
fn covered(share: Share) -> Option<String> {
    (share.known > 0).then(|| format!("{} % of branches", u64::from(share.covered) * 100 / u64::from(share.known)))
}

/// A number with two digits, rounded down: `999`, `1.2 k`, `41 k`, `120 k`, `1.3 M`. It changes seldom once it is large.
fn rounded(number: u64) -> String {
    let (unit, name) = match number {
        0..1_000 => return number.to_string(),
        1_000..1_000_000 => (1_000, "k"),
        1_000_000..1_000_000_000 => (1_000_000, "M"),
        _ => (1_000_000_000, "G"),
    };
    match number / unit {
        whole @ 0..10 => format!("{whole}.{} {name}", number / (unit / 10) % 10),
        whole @ 10..100 => format!("{whole} {name}"),
        whole => format!("{} {name}", whole / 10 * 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bellwether::fuzz::AlwaysReverted;

    fn share(covered: u32, known: u32) -> Share {
        Share { covered, known }
    }

    fn function(state: BlockState, branches: Share, always_reverted: Option<&str>) -> FunctionSurvey {
        let always_reverted =
            always_reverted.map(|first| AlwaysReverted { first: first.to_owned(), at: None, all_there: true });
        FunctionSurvey {
            definition: (bellwether::compile::SourceId(0), Default::default()),
            state,
            branches,
            always_reverted,
        }
    }

    #[test]
    fn a_function_says_what_is_known_of_it() {
        use BlockState::{Open, Reached, Unreachable};
        for (survey, findings, title) in [
            (function(Reached, share(3, 4), None), 0, Some("✓ 75 % of branches")),
            (function(Reached, share(3, 4), None), 1, Some("✗ 1 finding · 75 % of branches")),
            (function(Reached, share(0, 0), None), 2, Some("✗ 2 findings")),
            (function(Reached, share(0, 0), None), 0, None),
            (function(Reached, share(1, 2), Some("revert")), 0, Some("every call reverted · 50 % of branches")),
            (function(Reached, share(1, 2), Some("revert")), 1, Some("✗ 1 finding · 50 % of branches")),
            (function(Open, share(0, 2), None), 0, Some("not reached yet")),
            (function(Unreachable, share(0, 2), None), 0, Some("cannot be reached (proved)")),
        ] {
            assert_eq!(of_function(&survey, findings).as_deref(), title, "{survey:?}");
        }
    }

    #[test]
    fn a_share_is_whole_only_where_nothing_is_left() {
        for (part, words) in [
            (share(199, 200), Some("99 % of branches")),
            (share(200, 200), Some("100 % of branches")),
            (share(0, 7), Some("0 % of branches")),
            (share(0, 0), None),
        ] {
            assert_eq!(covered(part).as_deref(), words);
        }
    }

    #[test]
    fn numbers_have_two_digits() {
        let numbers = [0, 999, 1_000, 1_299, 41_022, 123_456, 999_999, 1_000_000, 45_678_901, 7_800_000_000];
        assert_eq!(
            numbers.map(rounded),
            ["0", "999", "1.0 k", "1.2 k", "41 k", "120 k", "990 k", "1.0 M", "45 M", "7.8 G"]
        );
    }

    #[test]
    fn why_a_contract_is_not_fuzzed_is_told_up_to_the_first_colon() {
        for (why, title) in [
            ("token_ must be a contract: it calls `decimals()` of it", "not fuzzed: token_ must be a contract"),
            ("its constructor always reverts", "not fuzzed: its constructor always reverts"),
        ] {
            assert_eq!(not_fuzzed(why), title);
        }
    }
}
