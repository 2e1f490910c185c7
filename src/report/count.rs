//! Counts and rates as a report words them, the same in the result and in progress messages.

use crate::input::print;

/// A number of things: `1 contract`, `12,345 transactions`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", print::grouped(&count.to_string(), ','), if count == 1 { "" } else { "s" })
}

/// A number per second, with three digits at most: `812/s`, `405 k/s`, `1.2 M/s`.
pub fn rate(per_second: u64) -> String {
    match per_second {
        0..1_000 => format!("{per_second}/s"),
        1_000..1_000_000 => format!("{} k/s", per_second / 1_000),
        _ => format!("{:.1} M/s", per_second as f64 / 1e6),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_is_not_many() {
        for (count, text) in [
            (0, "0 transactions"),
            (1, "1 transaction"),
            (999, "999 transactions"),
            (1_000, "1,000 transactions"),
            (12_345_678, "12,345,678 transactions"),
        ] {
            assert_eq!(counted(count, "transaction"), text);
        }
    }

    #[test]
    fn rates_have_three_digits() {
        assert_eq!([0, 999, 405_186, 1_234_567].map(rate), ["0/s", "999/s", "405 k/s", "1.2 M/s"]);
    }
}
