//! [`WorkBudget`] is what an attempt may still cost: transactions that are run, and steps of the arithmetic that says which ones.
//! Both are counted, so that the same seed always does the same; time is not looked at.

/// What a transaction costs, in steps: a step is about as much as one 256-bit product, and a small call about so many.
const STEPS_PER_TRANSACTION: u64 = 256;

/// Steps that may still be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkBudget {
    left: u64,
}

impl WorkBudget {
    /// As much as so many transactions cost.
    pub fn transactions(count: u64) -> Self {
        Self { left: count.saturating_mul(STEPS_PER_TRANSACTION) }
    }

    /// Whether there is none left.
    pub fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Takes so many steps, or all that are left.
    pub fn spend(&mut self, count: usize) {
        self.left = self.left.saturating_sub(count as u64);
    }

    /// Takes what a transaction costs, or all that is left.
    pub fn spend_transaction(&mut self) {
        self.spend(STEPS_PER_TRANSACTION as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_transactions_come_out_of_one_tank() {
        let mut budget = WorkBudget::transactions(2);
        budget.spend_transaction();
        assert!(!budget.is_spent());
        budget.spend(STEPS_PER_TRANSACTION as usize - 1);
        assert!(!budget.is_spent());
        budget.spend(100);
        assert!(budget.is_spent());
        assert!(WorkBudget::transactions(0).is_spent());
    }
}
