//! Funding: the calls by which everyone has some of each token of a world, and lets the main instance take it, and those that call it
//! for others. Tokens are minted,
//! moved and approved by their own functions, as whoever may do so does it.

use super::{
    action::Action,
    draft::{Draft, Prepared},
    ground::World,
};
use crate::{
    evm::{Snapshot, Status},
    input::{CallId, EnvStep, Function, InstanceId, Mutability, Transaction, Type, Value},
};
use alloy_primitives::{Address, U256};

/// Tokens of one world of which everybody gets some; chosen by hand.
const MAX_TOKENS: usize = 3;
/// What everybody gets: a thousand, with 18 decimals. Chosen by hand.
const SOME: u128 = 1_000_000_000_000_000_000_000;
/// The ether that is sent where tokens are bought with it: a hundred. Chosen by hand.
const ETHER: u128 = 100_000_000_000_000_000_000;

impl Draft<'_> {
    /// Finds the calls that give everyone some of each token.
    pub(super) fn fund(&mut self, mut state: Snapshot) -> Prepared {
        let table = self.generator.calls.clone();
        let others = (1..table.instances().len() as u16).map(InstanceId).filter(|id| !table.is_created(*id));
        let tokens: Vec<Token> = others.filter_map(|id| self.token(id)).take(MAX_TOKENS).collect();
        let callers = self.companions.callers.iter().map(|id| table.instance(*id).address);
        let spenders: Vec<Address> = [table.main().address].into_iter().chain(callers).collect();
        let mut calls = Vec::new();
        for token in tokens {
            for holder in World::senders() {
                let Some((funding, after)) = self.funding_call(token, holder, &state) else { continue };
                calls.extend(funding);
                state = after;
                for spender in &spenders {
                    let allowance = vec![Value::Address(*spender), Value::Uint(U256::MAX, 256)];
                    let allowance = transaction(token.approve, holder, allowance);
                    let (outcome, after) = self.act(Action::Call(&allowance), &state);
                    if outcome.status == Status::Success {
                        calls.push(allowance);
                        state = after;
                    }
                }
            }
        }
        Prepared { calls, state }
    }

    /// A call after which a holder has tokens, and the state after it. No call where the holder has some already.
    fn funding_call(
        &mut self,
        token: Token,
        holder: Address,
        state: &Snapshot,
    ) -> Option<(Option<Transaction>, Snapshot)> {
        if !self.balance(token, holder, state)?.is_zero() {
            return Some((None, state.clone()));
        }
        for transaction in self.funding_candidates(token.approve.target, holder) {
            let (outcome, after) = self.act(Action::Call(&transaction), state);
            if outcome.status == Status::Success && !self.balance(token, holder, &after)?.is_zero() {
                return Some((Some(transaction), after));
            }
        }
        None
    }

    /// Calls that may give a holder tokens: the deployer mints or sends some, or the holder takes or buys some.
    fn funding_candidates(&self, token: InstanceId, holder: Address) -> Vec<Transaction> {
        let interface = self.generator.calls.instance(token).interface.clone();
        let call = |function: &Function| CallId { target: token, function: function.id };
        let (amount, owner) = (Value::Uint(U256::from(SOME), 256), World::owner());
        let mut candidates = Vec::new();
        for function in interface.functions.iter().filter(|function| function.can_change_state()) {
            let types: Vec<&Type> = function.inputs.iter().map(|input| &input.ty).collect();
            match &types[..] {
                [to, Type::Uint(256)] if to.is_address() && function.name != "approve" => {
                    let arguments = vec![Value::Address(holder), amount.clone()];
                    candidates.push(transaction(call(function), owner, arguments));
                }
                [Type::Uint(256)] => candidates.push(transaction(call(function), holder, vec![amount.clone()])),
                [] if function.mutability == Mutability::Payable => {
                    let value = U256::from(ETHER);
                    candidates.push(Transaction { value, ..transaction(call(function), holder, Vec::new()) });
                }
                _ => {}
            }
        }
        // What mints comes before what moves: the deployer keeps what it has.
        candidates.sort_by_key(|candidate| interface.function(candidate.call.function).name == "transfer");
        candidates
    }

    /// The balance of a holder; none if the token does not tell.
    fn balance(&mut self, token: Token, holder: Address, state: &Snapshot) -> Option<U256> {
        let call = transaction(token.balance_of, holder, vec![Value::Address(holder)]);
        let (outcome, _) = self.act(Action::Call(&call), state);
        let word = outcome.output.first_chunk::<32>().filter(|_| outcome.status == Status::Success)?;
        Some(U256::from_be_bytes(*word))
    }

    /// The functions that make an instance a token (ERC-20).
    fn token(&self, id: InstanceId) -> Option<Token> {
        let interface = &self.generator.calls.instance(id).interface;
        let call = |signature: &str| {
            let function = interface.by_signature(signature)?;
            Some(CallId { target: id, function: function.id })
        };
        call("transferFrom(address,address,uint256)")?;
        Some(Token { approve: call("approve(address,uint256)")?, balance_of: call("balanceOf(address)")? })
    }
}

/// The functions of a token.
#[derive(Clone, Copy)]
struct Token {
    approve: CallId,
    balance_of: CallId,
}

fn transaction(call: CallId, sender: Address, arguments: Vec<Value>) -> Transaction {
    Transaction { call, arguments, sender, value: U256::ZERO, env: EnvStep::default(), at: None, reaction: None }
}
