//! A [`CostLimit`] is what a run may cost, on one machine or on all that share with it.

use crate::exchange::Price;
use anyhow::{Error, bail};
use std::{str::FromStr, time::Duration};

/// What may be spent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CostLimit {
    /// The amount, in whatever currency.
    pub(crate) amount: f64,
    pub(crate) price: Price,
    /// The time after which this machine alone has cost the amount.
    pub(crate) time: Duration,
}

impl FromStr for CostLimit {
    type Err = Error;

    /// `AMOUNT@PRICE`: the amount, and what an hour of the machine costs, in whatever currency.
    fn from_str(text: &str) -> Result<Self, Error> {
        let numbers =
            text.split_once('@').and_then(|(amount, price)| Some((amount.parse().ok()?, price.parse().ok()?)));
        let limit = |(amount, price): (f64, f64)| {
            let is_sound = amount >= 0.0 && price > 0.0;
            let price = Price(price);
            let time = price.time_for(amount).filter(|_| is_sound)?;
            Some(Self { amount, price, time })
        };
        let Some(limit) = numbers.and_then(limit) else {
            bail!("give what may be spent and what an hour of this machine costs, as in `2.50@0.34`");
        };
        Ok(limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> Option<u64> {
        text.parse::<CostLimit>().ok().map(|limit| limit.time.as_secs())
    }

    #[test]
    fn an_amount_is_the_time_that_it_pays_for() {
        assert_eq!(["2.50@0.50", "1@4", "0@1"].map(seconds), [Some(18_000), Some(900), Some(0)]);
    }

    #[test]
    fn what_is_no_amount_at_a_price_is_refused() {
        let wrong = ["2.50", "@", "2@", "@1", "x@1", "1@0", "1@-1", "-1@1", "NaN@1", "1@NaN", "1e300@1e-300", "1@1@1"];
        assert_eq!(wrong.map(seconds), [None; 12]);
    }
}
