//! The nearest of some known names to one that is not known, for "did you mean" in warnings. It corrects nothing by itself.

/// The known name that differs from `name` least, if it is near enough to have been meant: at most a third of its letters
/// (and at least two) changed, added, removed or swapped with a neighbour. Case does not count.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let letters: Vec<char> = name.to_lowercase().chars().take(64).collect();
    known
        .into_iter()
        .map(|candidate| (distance(&letters, &candidate.to_lowercase().chars().collect::<Vec<_>>()), candidate))
        .filter(|(distance, candidate)| *distance <= (candidate.len() / 3).max(2).min(candidate.len() - 1))
        .min()
        .map(|(_, candidate)| candidate)
}

/// `; did you mean …?`, or nothing: the end of a warning.
pub(crate) fn suggestion<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    nearest(name, known).map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default()
}

/// Optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substituted = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substituted.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood() {
        let known = ["workers", "memory", "run", "budget.seconds", "pauseOnBattery"];
        for (typed, meant) in [
            ("worker", Some("workers")),
            ("wrokers", Some("workers")),
            ("memroy", Some("memory")),
            ("pauseonbatery", Some("pauseOnBattery")),
            ("budget.second", Some("budget.seconds")),
            ("runs", Some("run")),
            ("threads", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, known), meant, "{typed}");
        }
    }
}
