//! An [`Account`] is what this machine has cost, and what it knows of the cost of the others.

use super::{bill::Bill, price::Price};
use std::time::{Duration, Instant};

/// What this machine and the others cost.
#[derive(Debug)]
pub(crate) struct Account {
    /// The id of this machine.
    id: String,
    price: Price,
    /// Since when it costs that.
    since: Instant,
    bill: Bill,
    /// When the bill was compared with that of the others last, and how many machines lived then.
    settled: Instant,
    machines: usize,
}

impl Account {
    /// That of a machine which costs so much an hour, since this time.
    pub(crate) fn new(id: String, price: Price, since: Instant) -> Self {
        Self { id, price, since, bill: Bill::default(), settled: since, machines: 1 }
    }

    /// What this machine has cost so far.
    fn own(&self, now: Instant) -> f64 {
        self.price.of(now.saturating_duration_since(self.since))
    }

    /// What all machines together have cost so far. Since they were heard of last, the others are believed to cost as much as this one.
    pub(crate) fn total(&self, now: Instant) -> f64 {
        let running = self.machines.saturating_sub(1) as f64;
        let others = self.bill.amount_without(&self.id);
        others + running * self.price.of(now.saturating_duration_since(self.settled)) + self.own(now)
    }

    /// How long all machines that live can go on until they have cost so much.
    pub(crate) fn time_until(&self, amount: f64, now: Instant) -> Duration {
        let left = (amount - self.total(now)).max(0.0);
        self.price.time_for(left / self.machines.max(1) as f64).unwrap_or(Duration::MAX)
    }

    /// The bill as far as this machine knows it.
    pub(super) fn bill(&mut self, now: Instant) -> Bill {
        let own = self.own(now);
        self.bill.enter(&self.id, own);
        self.bill.clone()
    }

    /// Takes over what the others know, of whom so many live together with this one.
    pub(super) fn settle(&mut self, bill: &Bill, machines: usize, now: Instant) {
        self.bill.merge(bill);
        (self.settled, self.machines) = (now, machines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn a_machine_alone_costs_what_its_time_costs() {
        let start = Instant::now();
        let account = Account::new("a".to_owned(), Price(0.5), start);
        assert_eq!(account.total(start + 3 * HOUR), 1.5);
        assert_eq!(account.time_until(2.0, start + 3 * HOUR), HOUR);
        assert_eq!(account.time_until(1.0, start + 3 * HOUR), Duration::ZERO);
    }

    #[test]
    fn others_count_as_they_were_heard_of_and_as_this_one_since() {
        let start = Instant::now();
        let mut account = Account::new("a".to_owned(), Price(0.5), start);
        let mut bill = account.bill(start + HOUR);
        bill.enter("ended", 2.0);
        bill.enter("b", 0.25);
        account.settle(&bill, 2, start + HOUR);
        assert_eq!(account.total(start + HOUR), 2.75);
        // This one half an hour more, and the one that lives beside it.
        assert_eq!(account.total(start + HOUR + HOUR / 2), 3.25);
        // Two share what is left.
        assert_eq!(account.time_until(3.75, start + HOUR), HOUR);
        // Its own part is not counted twice.
        account.settle(&bill, 1, start + 2 * HOUR);
        assert_eq!(account.total(start + 2 * HOUR), 3.25);
    }
}
