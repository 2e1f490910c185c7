//! Registries: contracts of which others ask the addresses of their partners by name, such as `"PriceFeed"`. The setup enters the
//! instances of the world under the names that the sources look up, and lets those who copy what they looked up do so.

use super::{
    action::Action,
    draft::{Draft, Prepared},
    registration::shape,
    wiring::stores,
};
use crate::{
    evm::{Snapshot, Status},
    input::{CallId, FunctionKind, InstanceId, Transaction, Type, Value},
};
use alloy_primitives::{Address, B256, U256};
use std::collections::BTreeSet;

impl Draft<'_> {
    /// Finds the calls that fill the registries of a world, in which all instances are deployed.
    pub(super) fn register(&mut self, mut state: Snapshot) -> Prepared {
        let table = self.generator.calls.clone();
        let kept = self.companions.kept.iter();
        let kept: Vec<(String, Address)> =
            kept.filter_map(|(name, id)| Some((name.clone(), table.instance((*id)?).address))).collect();
        let mut calls = Vec::new();
        if kept.is_empty() {
            return Prepared { calls, state };
        }
        let addresses: Vec<U256> = kept.iter().map(|(_, address)| address.into_word().into()).collect();
        let asked = self.asked_by_name();
        let calls_of_registries = table.state_changing().iter().filter(|call| asked.contains(&call.target));
        let fillings = calls_of_registries.flat_map(|call| self.fillings(*call, &kept));
        for call in fillings.collect::<Vec<_>>() {
            state = self.kept_by(call, state, &addresses, &mut calls);
        }
        if calls.is_empty() {
            return Prepared { calls, state };
        }
        let copies = |call: &&CallId| {
            let function = table.function(**call);
            function.kind == FunctionKind::Function && function.inputs.is_empty()
        };
        for call in table.state_changing().iter().filter(copies) {
            let call = self.plain_call(*call);
            state = self.kept_by(call, state, &addresses, &mut calls);
        }
        Prepared { calls, state }
    }

    /// The instances that others may ask by name: those that look something up, and those that they know.
    fn asked_by_name(&self) -> BTreeSet<InstanceId> {
        let (types, calls) = (self.programs.contract_types(self.build), &self.generator.calls);
        let mut asked = BTreeSet::new();
        for (id, blueprint) in (0..).map(InstanceId).zip(&self.companions.blueprints) {
            let Some(contract) = blueprint.contract() else { continue };
            if types.keys(self.build, contract).is_empty() {
                continue;
            }
            asked.insert(id);
            let interface = &calls.instance(id).interface;
            let inputs =
                interface.functions.iter().chain([&interface.constructor]).flat_map(|function| &function.inputs);
            let known = inputs.flat_map(|input| input.ty.contract_types());
            let addresses = known.filter_map(|name| calls.fitting().get(name)).flatten();
            asked.extend(addresses.filter_map(|address| calls.at(*address)));
        }
        asked
    }

    /// The calls of a function by which it may keep addresses under their names: one for each, or one for all.
    fn fillings(&mut self, call: CallId, kept: &[(String, Address)]) -> Vec<Transaction> {
        let table = self.generator.calls.clone();
        let Some((ty, is_list)) = shape(table.function(call)) else { return Vec::new() };
        let names = kept.iter().map(|(name, _)| match ty {
            Type::String => Value::String(name.clone()),
            _ => Value::FixedBytes(B256::right_padding_from(name.as_bytes()), 32),
        });
        let pairs = names.zip(kept.iter().map(|(_, address)| Value::Address(*address)));
        let lists: Vec<Vec<Value>> = if is_list {
            let (names, addresses) = pairs.unzip();
            vec![vec![Value::Array(names), Value::Array(addresses)]]
        } else {
            pairs.map(|(name, address)| vec![name, address]).collect()
        };
        lists.into_iter().map(|arguments| Transaction { arguments, ..self.plain_call(call) }).collect()
    }

    /// The state after a call that stores one of these addresses where there was nothing, which is added to `calls`. The state
    /// before it, if it does not.
    fn kept_by(
        &mut self,
        call: Transaction,
        state: Snapshot,
        addresses: &[U256],
        calls: &mut Vec<Transaction>,
    ) -> Snapshot {
        let (outcome, after) = self.act(Action::Call(&call), &state);
        if outcome.status != Status::Success || !stores(&state, &after, addresses) {
            return state;
        }
        calls.push(call);
        after
    }
}
