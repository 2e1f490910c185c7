//! A [`Bill`] says what each machine of a fleet has cost, those that have ended included.

use std::collections::BTreeMap;

/// Machines on a bill, at most; chosen by hand: beyond that, those that cost least are left out.
const MAX_MACHINES: usize = 4096;
/// Bytes of a bill that is read.
pub(super) const MAX_BYTES: usize = 256 << 10;
const MILLIONTHS: f64 = 1e6;

/// What each machine has cost, by its id, in millionths of the currency. A machine's cost only grows, so that bills which were written
/// at the same time can be merged in any order and any number of times.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Bill(BTreeMap<String, u64>);

impl Bill {
    /// Enters what a machine has cost so far.
    pub(super) fn enter(&mut self, id: &str, amount: f64) {
        self.enter_millionths(id, (amount * MILLIONTHS) as u64);
    }

    fn enter_millionths(&mut self, id: &str, cost: u64) {
        let entered = self.0.entry(id.to_owned()).or_default();
        *entered = cost.max(*entered);
    }

    /// Enters all that another bill has.
    pub(super) fn merge(&mut self, other: &Self) {
        other.0.iter().for_each(|(id, cost)| self.enter_millionths(id, *cost));
    }

    /// What all machines together have cost.
    pub(super) fn amount(&self) -> f64 {
        self.0.values().map(|cost| *cost as f64).sum::<f64>() / MILLIONTHS
    }

    /// What all but this machine have cost.
    pub(super) fn amount_without(&self, id: &str) -> f64 {
        self.amount() - self.0.get(id).map_or(0.0, |cost| *cost as f64) / MILLIONTHS
    }

    /// The bill as text.
    pub(super) fn to_text(&self) -> String {
        let mut entries: Vec<(&String, &u64)> = self.0.iter().collect();
        entries.sort_by_key(|(_, cost)| std::cmp::Reverse(**cost));
        entries.truncate(MAX_MACHINES);
        serde_json::to_string(&BTreeMap::from_iter(entries)).unwrap_or_default()
    }

    /// The bill of a text; none if that is not understood.
    pub(super) fn read(content: &[u8]) -> Option<Self> {
        (content.len() <= MAX_BYTES).then(|| serde_json::from_slice(content).ok()).flatten().map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bill() -> impl Strategy<Value = Bill> {
        prop::collection::btree_map("[a-d]", any::<u64>(), 0..4).prop_map(Bill)
    }

    fn merged(bill: &Bill, other: &Bill) -> Bill {
        let mut merged = bill.clone();
        merged.merge(other);
        merged
    }

    proptest! {
        #[test]
        fn bills_can_be_merged_in_any_order_and_any_number_of_times(a in bill(), b in bill(), c in bill()) {
            prop_assert_eq!(merged(&a, &b), merged(&b, &a));
            prop_assert_eq!(merged(&merged(&a, &b), &c), merged(&a, &merged(&b, &c)));
            prop_assert_eq!(merged(&merged(&a, &b), &b), merged(&a, &b));
        }

        #[test]
        fn a_bill_is_read_as_it_was_written(bill in bill()) {
            prop_assert_eq!(Bill::read(bill.to_text().as_bytes()), Some(bill));
        }
    }

    #[test]
    fn what_is_no_bill_is_not_read() {
        let wrong: [&[u8]; 5] = [b"", b"[]", b"{\"a\": -1}", b"{\"a\": 0.5}", &[b' '; MAX_BYTES + 1]];
        assert_eq!(wrong.map(Bill::read), [const { None }; 5]);
    }

    #[test]
    fn a_bill_that_grows_too_long_keeps_what_costs_most() {
        let mut bill = Bill::default();
        (0..5000_u64).for_each(|machine| bill.enter(&format!("{machine:012x}"), machine as f64));
        let read = Bill::read(bill.to_text().as_bytes()).unwrap();
        let dearest: u64 = (5000 - MAX_MACHINES as u64..5000).sum();
        assert_eq!((read.0.len(), read.amount()), (MAX_MACHINES, dearest as f64));
    }
}
