//! Jumps: calls with other words, which lead somewhere else.

use super::confirmed::Trial;
use crate::{evm::FailureKind, input::Transaction, oracle::violation::Violation, world::is_deployer};
use alloy_primitives::U256;
use std::collections::BTreeSet;

impl Trial<'_> {
    /// Whether the jump where the violation is leads somewhere else if another word is passed, or more ether.
    pub fn moves_jump(&mut self, violation: &Violation) -> bool {
        let Some(last) = &self.last else { return false };
        let transaction = last.transaction.clone();
        let Some(destination) = self.destination(&transaction, violation) else { return false };
        let others = self.others(&transaction, None);
        others.iter().any(|other| self.destination(other, violation).is_some_and(|other| other != destination))
    }

    /// Whether the jump leads somewhere else if the deployer passes other words in these transactions: they put there what was jumped to.
    pub fn is_led_by_deployer(&mut self, attack: &[Transaction], violation: &Violation) -> bool {
        let mut led = vec![attack.to_vec()];
        for index in (0..attack.len()).filter(|index| is_deployer(attack[*index].sender)) {
            led.extend(self.others(&attack[index], None).into_iter().map(|other| {
                let mut led = attack.to_vec();
                led[index] = other;
                led
            }));
        }
        let ended = led.into_iter().filter_map(|transactions| self.end(transactions, violation)?.shown);
        let destinations: BTreeSet<U256> = ended.filter_map(destination).collect();
        destinations.len() > 1
    }

    /// Where the jump leads with another last call.
    fn destination(&mut self, transaction: &Transaction, violation: &Violation) -> Option<U256> {
        let before = self.last.as_ref()?.before.clone();
        let (index, _) = self.run(&before, transaction).into_iter().find(|(_, shown)| shown == violation)?;
        destination(self.executor.observation().failures.get(index)?.kind)
    }
}

fn destination(kind: FailureKind) -> Option<U256> {
    match kind {
        FailureKind::WildJump { to } => Some(to),
        _ => None,
    }
}
