//! A [`WorkBudget`] bounds what one attempt may cost: the transactions it runs, and the arithmetic that chooses them. Both are
//! counted in steps and never in time, so that the same seed always does the same.

/// Steps that a small call costs, about. A step is roughly one 256-bit product.
const STEPS_PER_TRANSACTION: u64 = 256;

/// The steps that are left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct WorkBudget {
    left: u64,
}

impl WorkBudget {
    /// A budget of this many transactions.
    pub fn transactions(count: u64) -> Self {
        Self { left: count.saturating_mul(STEPS_PER_TRANSACTION) }
    }

    /// Whether no steps are left.
    pub fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Spends this many steps, or all that are left.
    pub fn spend(&mut self, count: usize) {
        self.left = self.left.saturating_sub(count as u64);
    }

    /// Spends the steps of one transaction, or all that are left.
    pub fn spend_transaction(&mut self) {
        self.spend(STEPS_PER_TRANSACTION as usize);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_and_transactions_share_one_budget() {
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
