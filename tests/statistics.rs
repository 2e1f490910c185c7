//! The statistics of the benchmarks, against what others compute: R's documentation, and SciPy 1.17
//! (`mannwhitneyu(…, alternative="two-sided", method="asymptotic")`, `numpy.percentile`).

#[allow(unreachable_pub, reason = "benchmarks use it as a module of theirs")]
#[path = "../benches/support/statistics.rs"]
mod statistics;

use statistics::{a12, mann_whitney, median, quartiles};

/// Two samples, p, and A12 of the first over the second.
fn check(left: &[f64], right: &[f64], p: f64, effect: f64) {
    for (p, value) in [(p, mann_whitney(left, right)), (p, mann_whitney(right, left))] {
        assert!((value - p).abs() <= p * 1e-9, "p of {left:?}, {right:?}: {value:e}, not {p:e}");
    }
    for (effect, value) in [(effect, a12(left, right)), (1.0 - effect, a12(right, left))] {
        assert!((value - effect).abs() < 1e-12, "A12 of {left:?}, {right:?}: {value}, not {effect}");
    }
}

#[test]
fn permeability_of_membranes() {
    // Hollander and Wolfe's example, in R's page on `wilcox.test`: U is 35.
    let term = [0.80, 0.83, 1.89, 1.04, 1.45, 1.38, 1.91, 1.64, 0.73, 1.46];
    let early = [1.15, 0.88, 0.90, 0.74, 1.21];
    check(&term, &early, 0.244_623_605_126_983_33, 0.7);
}

#[test]
fn ages_at_diagnosis() {
    // The example in SciPy's page on `mannwhitneyu`: U is 17.
    check(&[19.0, 22.0, 16.0, 29.0, 24.0], &[20.0, 11.0, 17.0, 12.0], 0.111_346_886_533_141_1, 0.85);
}

#[test]
fn ties_within_and_between() {
    let left = [1.0, 2.0, 2.0, 3.0, 3.0, 3.0, 4.0];
    check(&left, &[2.0, 3.0, 4.0, 4.0, 5.0, 5.0], 0.078_262_429_477_146_17, 8.5 / 42.0);
    let capped = [1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 1000.0, 800.0, 950.0];
    check(&[120.0, 340.0, 90.0, 1000.0, 77.0, 1000.0, 410.0, 65.0], &capped, 0.015_872_857_256_209_544, 0.15625);
}

#[test]
fn nothing_but_one_value() {
    check(&[5.0; 3], &[5.0; 3], 1.0, 0.5);
    check(&[1_000_000.0; 24], &[1_000_000.0; 24], 1.0, 0.5);
}

#[test]
fn samples_of_twenty_four() {
    let numbers = |factor: u32, modulus: u32, shift: u32| -> Vec<f64> {
        (1..=24).map(|number| f64::from(factor * number % modulus + shift)).collect()
    };
    check(&numbers(37, 101, 0), &numbers(53, 97, 60), 1.902_376_124_492_731e-6, 56.5 / 576.0);
    // Nothing in common: as small as p gets.
    check(&numbers(1, 100, 0), &numbers(1, 100, 100), 3.063_664_233_673_17e-9, 0.0);
}

#[test]
fn medians_and_quartiles() {
    for (values, low, middle, high) in [
        (vec![3.0], 3.0, 3.0, 3.0),
        (vec![4.0, 2.0, 3.0, 1.0], 1.75, 2.5, 3.25),
        (vec![41.0, 7.0, 40.0, 15.0, 39.0, 36.0], 20.25, 37.5, 39.75),
        (vec![6.0, 7.0, 15.0, 36.0, 39.0, 40.0, 41.0, 42.0, 43.0, 47.0, 49.0], 25.5, 40.0, 42.5),
    ] {
        assert_eq!(median(values.clone()), middle, "{values:?}");
        assert_eq!(quartiles(values.clone()), (low, high), "{values:?}");
    }
}
