//! What two samples of runs tell: medians, whether one is faster than the other by more than chance (Mann and Whitney's U),
//! and how often (Vargha and Delaney's A12). Pure functions on numbers; where the numbers come from is not known here.

use std::f64::consts::{FRAC_1_SQRT_2, PI};

/// The middle value; of an even number, the mean of the two in the middle. There has to be one.
pub fn median(values: Vec<f64>) -> f64 {
    quantile(values, 0.5)
}

/// The values below which a quarter and three quarters are.
pub fn quartiles(values: Vec<f64>) -> (f64, f64) {
    (quantile(values.clone(), 0.25), quantile(values, 0.75))
}

/// Between two values, what lies between them in proportion (Hyndman and Fan's seventh definition, as in R and numpy).
fn quantile(mut values: Vec<f64>, share: f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let place = share * (values.len() - 1) as f64;
    let below = place.floor();
    let (low, high) = (values[below as usize], values[place.ceil() as usize]);
    low + (high - low) * (place - below)
}

/// How likely a value of `left` is larger than one of `right`; a tie counts half.
pub fn a12(left: &[f64], right: &[f64]) -> f64 {
    wins(left, right) / (left.len() * right.len()) as f64
}

/// Mann and Whitney's U of `left`: the pairs in which its value is larger, ties half.
fn wins(left: &[f64], right: &[f64]) -> f64 {
    let pairs = left.iter().flat_map(|left| right.iter().map(move |right| left.total_cmp(right)));
    pairs.map(|order| f64::from(order as i8 + 1) / 2.0).sum()
}

/// How likely samples from one distribution differ at least as much as these two do, whichever is the larger: by the
/// normal approximation of U, corrected for ties and for continuity. 1 where all values are the same.
pub fn mann_whitney(left: &[f64], right: &[f64]) -> f64 {
    let (m, n) = (left.len() as f64, right.len() as f64);
    let all = m + n;
    let mut values = [left, right].concat();
    values.sort_by(f64::total_cmp);
    let ties = values.chunk_by(|a, b| a == b).map(|tie| tie.len() as f64);
    let ties: f64 = ties.map(|size| size.powi(3) - size).sum();
    let variance = m * n / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
    if variance <= 0.0 {
        return 1.0;
    }
    let distance = (wins(left, right) - m * n / 2.0).abs() - 0.5;
    erfc(distance.max(0.0) / variance.sqrt() * FRAC_1_SQRT_2)
}

/// The complementary error function of a number that is not negative.
fn erfc(x: f64) -> f64 {
    if x < 2.5 {
        // erf by its series: every term is positive, so that nothing cancels.
        let mut term = 2.0 / PI.sqrt() * x * (-x * x).exp();
        let mut sum = term;
        let mut number = 0.5;
        while term > sum * f64::EPSILON {
            number += 1.0;
            term *= x * x / number;
            sum += term;
        }
        1.0 - sum
    } else {
        // The continued fraction x + (1/2)/(x + 1/(x + (3/2)/(x + …))), from far inside outwards.
        let inner = (1..=60).rev().fold(x, |inner, number| x + f64::from(number) / 2.0 / inner);
        (-x * x).exp() / (PI.sqrt() * inner)
    }
}
