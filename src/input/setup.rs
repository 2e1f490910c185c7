//! A [`Setup`] deploys the instances of a world and makes the calls that connect them, before the transactions that are fuzzed.
//! Its words are chosen, mutated and shrunk like any others.

use alloy_primitives::{Address, U256};
use std::{ops::Range, sync::Arc};

use super::calls::{CallId, InstanceId};
use super::encode::encode;
use super::env::EnvStep;
use super::interface::FunctionId;
use super::transaction::Transaction;
use super::value::Value;

/// The call of a constructor.
#[derive(Clone, Debug, PartialEq)]
pub struct Deployment {
    /// The instance that is deployed.
    pub instance: InstanceId,
    /// A value for each parameter of the constructor.
    pub arguments: Vec<Value>,
    /// The deployer.
    pub sender: Address,
    /// The ether sent with it, in wei.
    pub value: U256,
}

impl Deployment {
    /// The encoded constructor arguments.
    #[must_use]
    pub fn encoded_arguments(&self) -> Vec<u8> {
        let mut encoded = Vec::new();
        encode(&self.arguments, &mut encoded);
        encoded
    }

    /// Appends the encoded constructor arguments to `out`, which holds the creation code.
    pub fn encode_into(&self, out: &mut Vec<u8>) {
        encode(&self.arguments, out);
    }
}

/// One step of a setup.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupStep {
    /// An instance is deployed.
    Deploy(Deployment),
    /// A deployed instance is called.
    Call(Transaction),
}

/// The steps that make a world. One of them deploys the main instance, unless a contract of the world creates it.
#[derive(Clone, Debug)]
pub struct Setup {
    /// Shared: a setup is copied with every sequence, and a large one has a hundred steps.
    steps: Arc<Vec<SetupStep>>,
    main: Option<usize>,
}

impl PartialEq for Setup {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.steps, &other.steps) || self.steps == other.steps
    }
}

impl Setup {
    /// A setup of these steps; `None` if more than one of them deploys the main instance.
    #[must_use]
    pub fn new(steps: Vec<SetupStep>) -> Option<Self> {
        let is_main = |step: &SetupStep| matches!(step, SetupStep::Deploy(it) if it.instance == InstanceId::MAIN);
        let found: Vec<usize> = (0..steps.len()).filter(|at| is_main(&steps[*at])).collect();
        (found.len() < 2).then(|| Self { main: found.first().copied(), steps: Arc::new(steps) })
    }

    /// The setup of a world of one instance.
    #[must_use]
    pub fn of(deployment: Deployment) -> Self {
        let main = Deployment { instance: InstanceId::MAIN, ..deployment };
        Self { steps: Arc::new(vec![SetupStep::Deploy(main)]), main: Some(0) }
    }

    /// Every deployment, in order.
    pub fn deployments(&self) -> impl Iterator<Item = &Deployment> {
        self.steps.iter().filter_map(|step| match step {
            SetupStep::Deploy(deployment) => Some(deployment),
            SetupStep::Call(_) => None,
        })
    }

    /// Every deployment, in order, to be changed in all but its instance.
    pub fn deployments_mut(&mut self) -> impl Iterator<Item = &mut Deployment> {
        Arc::make_mut(&mut self.steps).iter_mut().filter_map(|step| match step {
            SetupStep::Deploy(deployment) => Some(deployment),
            SetupStep::Call(_) => None,
        })
    }

    /// The call at a step, to be changed in all but what it calls; none for a deployment.
    pub fn call_mut(&mut self, at: usize) -> Option<&mut Transaction> {
        match Arc::make_mut(&mut self.steps).get_mut(at)? {
            SetupStep::Call(transaction) => Some(transaction),
            SetupStep::Deploy(_) => None,
        }
    }

    /// The call at a step; none for a deployment.
    #[must_use]
    pub fn call(&self, at: usize) -> Option<&Transaction> {
        match self.steps.get(at)? {
            SetupStep::Call(transaction) => Some(transaction),
            SetupStep::Deploy(_) => None,
        }
    }

    /// Every step as a call, so that its words can be read and set as those of a transaction: a deployment is a call of the
    /// constructor.
    #[must_use]
    pub fn as_calls(&self) -> Vec<Transaction> {
        let as_call = |step: &SetupStep| match step {
            SetupStep::Call(transaction) => transaction.clone(),
            SetupStep::Deploy(Deployment { instance, arguments, sender, value }) => Transaction {
                call: CallId { target: *instance, function: FunctionId::CONSTRUCTOR },
                arguments: arguments.clone(),
                sender: *sender,
                value: *value,
                env: EnvStep::default(),
                at: None,
                reaction: None,
            },
        };
        self.steps.iter().map(as_call).collect()
    }

    /// The setup that these calls describe, in the form of [`as_calls`](Self::as_calls): the same steps with other words.
    #[must_use]
    pub fn with_words_of(&self, calls: &[Transaction]) -> Self {
        let with_words = |(step, call): (&SetupStep, &Transaction)| match step {
            SetupStep::Call(_) => SetupStep::Call(call.clone()),
            SetupStep::Deploy(deployment) => SetupStep::Deploy(Deployment {
                arguments: call.arguments.clone(),
                value: call.value,
                ..deployment.clone()
            }),
        };
        Self { steps: Arc::new(self.steps.iter().zip(calls).map(with_words).collect()), main: self.main }
    }

    /// The same without some of its steps; `None` if the main instance is deployed by one of them.
    #[must_use]
    pub fn without(&self, gone: Range<usize>) -> Option<Self> {
        if self.main.is_some_and(|main| gone.contains(&main)) {
            return None;
        }
        let mut steps = self.steps.to_vec();
        steps.drain(gone);
        Self::new(steps)
    }

    /// The steps, in order.
    #[must_use]
    pub fn steps(&self) -> &[SetupStep] {
        &self.steps
    }

    /// The deployment of the main instance; none if a contract of the world creates it.
    #[must_use]
    pub fn main(&self) -> Option<&Deployment> {
        match &self.steps[self.main?] {
            SetupStep::Deploy(main) => Some(main),
            SetupStep::Call(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deploy(instance: u16) -> SetupStep {
        let instance = InstanceId(instance);
        SetupStep::Deploy(Deployment { instance, arguments: Vec::new(), sender: Address::ZERO, value: U256::ZERO })
    }

    #[test]
    fn the_words_of_every_step_can_be_set_as_those_of_a_call() {
        let setup = Setup::new(vec![deploy(1), deploy(0)]).expect("one main instance");
        let mut calls = setup.as_calls();
        assert_eq!(setup.with_words_of(&calls), setup);
        (calls[1].arguments, calls[1].value) = (vec![Value::Bool(true)], U256::from(7));
        let main = setup.with_words_of(&calls).main().cloned().expect("it is deployed");
        assert_eq!((main.arguments, main.value), (vec![Value::Bool(true)], U256::from(7)));
    }

    #[test]
    fn a_setup_deploys_the_main_instance_at_most_once() {
        let main = |steps| Setup::new(steps).map(|setup| setup.main().map(|main| main.instance));
        assert_eq!(main(vec![deploy(1), deploy(0)]), Some(Some(InstanceId::MAIN)));
        assert_eq!(main(vec![deploy(1)]), Some(None), "a contract of the world creates it");
        assert_eq!(main(vec![deploy(0), deploy(0)]), None);
    }
}
