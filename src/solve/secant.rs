//! The secant through two points, and the argument at which it crosses a height (HARVEY §IV-B).

use super::integer::Integer;

/// The argument at which the line through `(x0, y0)` and `(x1, y1)` reaches `height`: both roundings if it is no whole number,
/// one if it is, none for a level line. A value that 512 bits do not hold is `None`.
pub fn secant((x0, y0): (Integer, Integer), (x1, y1): (Integer, Integer), height: Integer) -> [Option<Integer>; 2] {
    let run = x1.checked_sub(x0);
    let rise = y1.checked_sub(y0).filter(|rise| !rise.is_zero());
    let (Some(run), Some(rise), Some(way)) = (run, rise, height.checked_sub(y0)) else { return [None; 2] };
    let Some(product) = run.checked_mul(way) else { return [None; 2] };
    let quotient = floor(product, rise);
    let below = x0.checked_add(quotient);
    let exact = (product % rise).is_zero();
    [below, below.filter(|_| !exact).and_then(|below| below.checked_add(Integer::ONE))]
}

/// The quotient, rounded down. The divisor is not 0.
pub(super) fn floor(number: Integer, divisor: Integer) -> Integer {
    let quotient = number / divisor;
    let inexact = !(number % divisor).is_zero();
    if inexact && (number.is_negative() != divisor.is_negative()) { quotient - Integer::ONE } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(x: i64) -> Integer {
        Integer::try_from(x).unwrap()
    }

    proptest::proptest! {
        #[test]
        fn a_line_is_hit_exactly(slope in -50_i64..50, at_zero in -1000_i64..1000, x0 in -99_i64..99, x1 in -99_i64..99, root in -99_i64..99) {
            let line = |x: i64| number(slope * x + at_zero);
            let crossed = secant((number(x0), line(x0)), (number(x1), line(x1)), line(root));
            if slope == 0 || x0 == x1 {
                proptest::prop_assert_eq!(crossed, [None, None]);
            } else {
                proptest::prop_assert_eq!(crossed, [Some(number(root)), None]);
            }
        }

        #[test]
        fn both_roundings_of_what_is_between(x0 in -99_i64..99, step in 1_i64..9, y0 in -99_i64..99, rise in 1_i64..99, height in -99_i64..99) {
            let [below, above] = secant((number(x0), number(y0)), (number(x0 + step), number(y0 + rise)), number(height));
            let exact = x0 as f64 + (step * (height - y0)) as f64 / rise as f64;
            proptest::prop_assert_eq!(below, Some(number(exact.floor() as i64)));
            proptest::prop_assert_eq!(above.unwrap_or(below.unwrap()), number(exact.ceil() as i64));
        }
    }

    #[test]
    fn what_does_not_fit_is_not_predicted() {
        assert_eq!(secant((Integer::MIN, number(1)), (Integer::MAX, number(2)), number(9)), [None, None]);
    }
}
