//! [`Rarity`] counts how often each of several items was seen, and tells which of the present ones are rare (paper, §4.2,
//! definitions 5 and 6): those seen at most 2^i times, where 2^i is the least power of two that is not below the lowest count
//! or 1. Counts between two powers of two form a class; the rare items are those of the lowest class that is not empty, so that
//! no search is needed.

/// Counts of items by their number.
#[derive(Debug)]
pub(super) struct Rarity {
    counts: Vec<u64>,
    present: Vec<bool>,
    /// The number of present items in each class.
    classes: [u32; 65],
    /// The sum of the counts of present items.
    sum: u64,
    /// The number of present items.
    size: u64,
}

impl Default for Rarity {
    fn default() -> Self {
        Self { counts: Vec::new(), present: Vec::new(), classes: [0; 65], sum: 0, size: 0 }
    }
}

/// The class of a count: the exponent of the least power of two that is not below it.
fn class(count: u64) -> usize {
    (u64::BITS - count.saturating_sub(1).leading_zeros()) as usize
}

impl Rarity {
    /// Adds an item, never seen and not present, and returns its number.
    pub(super) fn add(&mut self) -> u32 {
        self.counts.push(0);
        self.present.push(false);
        self.counts.len() as u32 - 1
    }

    /// Reuses the number of an item that is not present for one that was never seen.
    pub(super) fn renew(&mut self, at: u32) {
        debug_assert!(!self.present[at as usize]);
        self.counts[at as usize] = 0;
    }

    /// Counts an item once more.
    pub(super) fn count(&mut self, at: u32) {
        let count = &mut self.counts[at as usize];
        *count += 1;
        if self.present[at as usize] {
            self.sum += 1;
            let (before, now) = (class(*count - 1), class(*count));
            if before != now {
                self.classes[before] -= 1;
                self.classes[now] += 1;
            }
        }
    }

    /// Sets whether an item is present, that is, compared with the others.
    pub(super) fn set_present(&mut self, at: u32, present: bool) {
        let known = &mut self.present[at as usize];
        if *known == present {
            return;
        }
        *known = present;
        let count = self.counts[at as usize];
        let class = &mut self.classes[class(count)];
        if present {
            (*class, self.sum, self.size) = (*class + 1, self.sum + count, self.size + 1);
        } else {
            (*class, self.sum, self.size) = (*class - 1, self.sum - count, self.size - 1);
        }
    }

    /// Whether an item is rare among the present ones.
    pub(super) fn is_rare(&self, at: u32) -> bool {
        let least = self.classes.iter().position(|count| *count > 0);
        self.present[at as usize] && least == Some(class(self.counts[at as usize]))
    }

    /// Whether an item was seen more often than the present ones on average.
    pub(super) fn is_above_mean(&self, at: u32) -> bool {
        self.counts[at as usize] * self.size > self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The cut-off by the paper's definition.
    fn cutoff(counts: impl Iterator<Item = u64>) -> Option<u64> {
        let least = counts.min()?.max(1);
        (0..64).map(|i| 1_u64 << i).find(|power| least <= *power)
    }

    proptest::proptest! {
        #[test]
        fn what_is_rare_is_what_the_paper_says(steps in proptest::collection::vec((0_u32..12, 0_u8..8), 0..400)) {
            let mut rarity = Rarity::default();
            let mut naive: Vec<(u64, bool)> = Vec::new();
            for (at, what) in steps {
                if at as usize >= naive.len() {
                    proptest::prop_assert_eq!(rarity.add() as usize, naive.len());
                    naive.push((0, false));
                    continue;
                }
                let thing = &mut naive[at as usize];
                match what {
                    0 => {
                        thing.1 = !thing.1;
                        rarity.set_present(at, thing.1);
                    }
                    1 if !thing.1 => {
                        thing.0 = 0;
                        rarity.renew(at);
                    }
                    times => for _ in 0..times * times {
                        thing.0 += 1;
                        rarity.count(at);
                    },
                }
                let present = || naive.iter().filter(|(_, present)| *present).map(|(count, _)| *count);
                let cutoff = cutoff(present());
                for (number, (count, is_present)) in (0..).zip(&naive) {
                    let is_rare = *is_present && cutoff.is_some_and(|cutoff| *count <= cutoff);
                    proptest::prop_assert_eq!(rarity.is_rare(number), is_rare);
                    let (sum, size) = (present().sum::<u64>(), present().count() as u64);
                    proptest::prop_assert_eq!(rarity.is_above_mean(number), count * size > sum);
                }
            }
        }
    }

    #[test]
    fn a_lowest_count_that_is_a_power_of_two_is_rare() {
        let mut rarity = Rarity::default();
        for times in [4, 5, 3] {
            let at = rarity.add();
            rarity.set_present(at, true);
            (0..times).for_each(|_| rarity.count(at));
        }
        assert_eq!([0, 1, 2].map(|at| rarity.is_rare(at)), [true, false, true]);
    }
}
