//! An [`Action`] is one call of a sequence, and how it becomes a call of the EVM in a world.

use super::{attacker, ground::World};
use crate::{
    evm::{Call, CallTarget, Executor, Moment, Outcome, Snapshot},
    input::{BlockWords, CallTable, Deployment, EnvStep, SetupStep, Transaction},
};
use alloy_primitives::{Address, Bytes};

/// One call of a sequence: a step of the setup, or a transaction after it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Action<'a> {
    /// An instance is deployed.
    Deploy(&'a Deployment),
    /// An instance is called.
    Call(&'a Transaction),
}

impl<'a> Action<'a> {
    /// The action of a setup step.
    pub fn of(step: &'a SetupStep) -> Self {
        match step {
            SetupStep::Deploy(deployment) => Self::Deploy(deployment),
            SetupStep::Call(transaction) => Self::Call(transaction),
        }
    }

    /// The sender.
    pub fn sender(self) -> Address {
        match self {
            Self::Deploy(deployment) => deployment.sender,
            Self::Call(transaction) => transaction.sender,
        }
    }

    /// The transaction; none for a deployment.
    pub fn transaction(self) -> Option<&'a Transaction> {
        match self {
            Self::Deploy(_) => None,
            Self::Call(transaction) => Some(transaction),
        }
    }
}

impl World {
    /// The call of an action, on a state at `now`.
    pub fn call(&self, calls: &CallTable, action: Action<'_>, now: Moment) -> Call {
        let (target, value, moment, scripted) = match action {
            Action::Deploy(deployment) => {
                let mut code = self.creation(deployment.instance).to_vec();
                deployment.encode_into(&mut code);
                let address = calls.instance(deployment.instance).address;
                (CallTarget::Create(address, code.into()), deployment.value, now, None)
            }
            Action::Call(transaction) => {
                let mut data = Vec::new();
                transaction.encode_into(calls, &mut data);
                let address = transaction.at.unwrap_or_else(|| calls.instance(transaction.call.target).address);
                let scripted =
                    transaction.reaction.as_deref().map(|reaction| attacker::script(reaction, transaction, calls));
                let target = CallTarget::Account(address, Bytes::from(data));
                (target, transaction.value, later(now, transaction.env), scripted.map(Box::new))
            }
        };
        Call { sender: action.sender(), target, value, moment, scripted }
    }

    /// The result of an action on a state, and the state after it: unchanged except for the time if it failed.
    pub fn act(
        &self,
        executor: &mut Executor,
        calls: &CallTable,
        action: Action<'_>,
        state: &Snapshot,
    ) -> (Outcome, Snapshot) {
        let outcome = executor.run(state, &self.call(calls, action, state.moment()));
        // Committing empties the journal, not the observation.
        let after = executor.commit();
        (outcome, after)
    }
}

/// The moment after a step. Without a new block, the block's fields stay as they are.
fn later(now: Moment, env: EnvStep) -> Moment {
    let BlockWords { prevrandao, base_fee, coinbase } = env.block;
    Moment {
        timestamp: now.timestamp.saturating_add(env.seconds),
        number: now.number.saturating_add(env.blocks),
        prevrandao: prevrandao.unwrap_or(now.prevrandao),
        base_fee: base_fee.unwrap_or(now.base_fee),
        coinbase: coinbase.unwrap_or(now.coinbase),
    }
}
