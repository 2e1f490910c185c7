//! How a test sees the defect: what it records before the call that shows it, and what it requires afterwards.

use super::{GAS, QUESTION, Support, Test};
use crate::{
    evm::Moment,
    finding::regression::layout::{Data, Lines, grouped},
    input::print::amount,
    oracle::{Compared, Evidence, Expected, StoredRead, StoredWord},
    world::{ACTORS, INITIAL_BALANCE},
};
use alloy_primitives::{Address, U256};

impl Test {
    /// The support functions that look for the defect.
    pub(super) fn evidence_support(&self) -> &'static [Support] {
        match self.evidence {
            Evidence::RevertsInside(_) => &[Support::Record, Support::Calls],
            Evidence::Logs => &[Support::Logs],
            Evidence::Says(_) => &[Support::Logs, Support::Says],
            Evidence::Writes(_) | Evidence::Stores(_) | Evidence::Keeps(_) => &[Support::Slots],
            Evidence::Freezes(_) => &[Support::Sends],
            Evidence::Shares(..) => &[Support::Record, Support::Shares],
            Evidence::Delegates(_) => &[Support::Record, Support::Delegates],
            Evidence::Destroys => &[Support::Record, Support::Destroys],
            Evidence::Moved { .. } => &[Support::Blocks],
            Evidence::Tells(_) => &[Support::Asks],
            Evidence::Reverts(_)
            | Evidence::Burns
            | Evidence::Reads(_)
            | Evidence::Gains(..)
            | Evidence::Leaves(..)
            | Evidence::Refused
            | Evidence::Broken(_)
            | Evidence::Alters(_)
            | Evidence::GainsTokens(_)
            | Evidence::Unnoticed(_) => &[],
        }
    }

    /// Statements before the call that shows the defect.
    pub(super) fn before(&self, body: &mut Lines) {
        match self.evidence {
            Evidence::Reverts(code) | Evidence::RevertsInside(code) => {
                body.line(&format!("bytes memory panic = abi.encodeWithSignature(\"Panic(uint256)\", {code:#04x});"));
            }
            Evidence::Burns => body.line("uint256 gas = gasleft();"),
            Evidence::Logs | Evidence::Says(_) => body.line("_recordLogs();"),
            Evidence::Moved { who, tokens: None, .. } => {
                body.line("uint256 snapshot = _snapshot();");
                body.line(&format!("uint256 balance = {}.balance;", self.account(who)));
            }
            Evidence::Moved { tokens: Some(_), .. } => {
                body.line("uint256 snapshot = _snapshot();");
                self.ask("before", body);
                body.line("uint256 balance = abi.decode(before, (uint256));");
            }
            Evidence::Reads(StoredRead { slot, list, word, .. }) => {
                body.line("// What an older build of the contract stored.");
                list.into_iter().for_each(|list| store(list, U256::from(1), body));
                store(slot, word, body);
            }
            Evidence::Alters(_) => {
                body.line("// A variable that the call does not name.");
                self.ask("before", body);
            }
            Evidence::GainsTokens(_) => {
                body.line("// The tokens of whoever makes the call.");
                self.ask("before", body);
            }
            Evidence::Tells(_) => {
                if let Some((_, Data::Encoded(function, arguments))) = &self.question {
                    body.call(&format!("bytes memory {QUESTION} = {function}"), arguments, ";");
                }
                self.ask("before", body);
            }
            Evidence::Delegates(_)
            | Evidence::Destroys
            | Evidence::Writes(_)
            | Evidence::Stores(_)
            | Evidence::Keeps(_)
            | Evidence::Gains(..)
            | Evidence::Leaves(..)
            | Evidence::Freezes(_)
            | Evidence::Shares(..)
            | Evidence::Refused
            | Evidence::Broken(_)
            | Evidence::Unnoticed(_) => {}
        }
        if self.evidence_support().contains(&Support::Record) && !self.records_all() {
            body.line("_recordAccesses();");
        }
    }

    /// Whether everything is recorded, and not only what the last call does.
    pub(super) fn records_all(&self) -> bool {
        matches!(self.evidence, Evidence::Shares(..))
    }

    /// Statements between the last call and the same once more, if another word makes the difference. Returns whether it does.
    pub(super) fn stores_again(&self, body: &mut Lines) -> bool {
        let Evidence::Reads(StoredRead { slot, compared: Compared::With(word), .. }) = self.evidence else {
            return false;
        };
        body.line("bytes memory first = result;");
        store(slot, word, body);
        true
    }

    /// Statements after the last call.
    pub(super) fn check_call(&self, body: &mut Lines) {
        match self.evidence {
            Evidence::Reverts(_) => body.require("success || keccak256(result) != keccak256(panic)", &self.message),
            Evidence::Burns => body.require(&format!("gas - gasleft() < {}", GAS.1), &self.message),
            Evidence::Reads(StoredRead { compared: Compared::With(_), .. }) => {
                body.require("keccak256(result) == keccak256(first)", &self.message);
            }
            Evidence::Reads(StoredRead { compared: Compared::Output(word), .. }) => {
                body.line(&format!("uint256 expected = {};", literal(word)));
                body.require("keccak256(result) == keccak256(abi.encode(expected))", &self.message);
            }
            _ => self.check(body),
        }
    }

    /// Statements after the deployment; one that reverts is judged where its result is at hand.
    pub(super) fn check_creation(&self, body: &mut Lines) {
        match self.evidence {
            Evidence::Reverts(_) => {}
            // A failed creation leaves its creator 1/64 of the gas.
            Evidence::Burns => body.require("gasleft() > gas / 32", &self.message),
            _ => self.check(body),
        }
    }

    /// Makes the last call once more in another block, where the same account has to be paid.
    fn check_moved(&self, moment: Moment, who: &str, in_tokens: bool, body: &mut Lines) {
        let Some(call) = self.calls.last() else { return };
        let balance = |result: &str, body: &mut Lines| match in_tokens {
            true => {
                self.ask(result, body);
                format!("abi.decode({result}, (uint256))")
            }
            false => format!("{who}.balance"),
        };
        let here = balance("afterwards", body);
        body.line(&format!("bool isPaid = {here} > balance;"));
        body.blank();
        body.line("// The same call in another block.");
        body.line("_backTo(snapshot);");
        body.moment(moment);
        body.block(moment, None);
        self.one_call(call, "success,", "", body);
        let there = balance("elsewhere", body);
        body.require(&format!("({there} > balance) == isPaid"), &self.message);
    }

    /// An account of the world as an expression.
    fn account(&self, address: Address) -> String {
        // A test contract that is inherited may have these names for others.
        let actor = ACTORS.iter().find(|actor| actor.address == address && self.given.is_none());
        actor.map_or_else(|| address.to_string(), |actor| actor.name.to_owned())
    }

    /// Statements after a call or a deployment that was recorded, or that left something behind.
    fn check(&self, body: &mut Lines) {
        match self.evidence {
            Evidence::Reverts(_) | Evidence::Burns => {}
            Evidence::RevertsInside(_) => body.require("!_revertsInside(panic)", &self.message),
            Evidence::Logs => body.require("!_hasLoggedFailure()", &self.message),
            Evidence::Writes(slot) => {
                body.line("// A slot that no variable is in: whoever reaches it reaches any.");
                body.line(&format!("bytes32 slot = {:#066x};", slot));
                body.require("_load(target, slot) == 0", &self.message);
            }
            Evidence::Stores(stored) => {
                self.loads("// What is stored where the result went around.", ("wrapped", stored), body);
            }
            Evidence::Keeps(kept) => {
                self.loads("// What is stored where the call was re-entered.", ("kept", kept), body);
            }
            Evidence::Says(word) => {
                body.line("// What is logged where the result went around.");
                body.line(&format!("bytes32 wrapped = {word:#066x};"));
                body.require("!_says(wrapped)", &self.message);
            }
            Evidence::Leaves(_, wei) => {
                body.line("// What is left where the result went around.");
                let left = grouped(&amount(wei));
                body.require(&format!("{}.balance != {left}", self.subject), &self.message);
            }
            Evidence::Freezes(count) => {
                body.line("// The contract refuses ether, or its code has something that sends it on.");
                let sends = format!("!success || _sendingInstructions({}) > {count}", self.subject);
                body.require(&sends, &self.message);
            }
            Evidence::Shares(_, slot) => {
                body.line("// The slot of a variable that the contract's own code uses.");
                body.line(&format!("bytes32 slot = {slot:#066x};"));
                body.require(&format!("!_shares({}, slot)", self.subject), &self.message);
            }
            Evidence::Delegates(code) => {
                body.line("// Code that the caller chose.");
                body.line(&format!("address chosen = {code};"));
                body.require("!_delegatesTo(chosen)", &self.message);
            }
            Evidence::Destroys => body.require("!_destroys()", &self.message),
            Evidence::Gains(one, other) => {
                let accounts: Vec<String> = std::iter::once(one).chain(other).map(|it| self.account(it)).collect();
                let wealth: Vec<String> = accounts.iter().map(|account| format!("{account}.balance")).collect();
                let most = amount(INITIAL_BALANCE * U256::from(accounts.len()));
                body.line("// What they began with.");
                body.require(&format!("{} <= {}", wealth.join(" + "), grouped(&most)), &self.message);
            }
            Evidence::Unnoticed(_) => body.require("!success", &self.message),
            Evidence::Refused | Evidence::Broken(Expected::Success) => body.require("success", &self.message),
            Evidence::Broken(Expected::Revert) => body.require("!success", &self.message),
            Evidence::Broken(Expected::True) => {
                body.require("success && abi.decode(result, (bool))", &self.message);
            }
            Evidence::Moved { moment, who, tokens } => {
                self.check_moved(moment, &self.account(who), tokens.is_some(), body);
            }
            Evidence::Alters(_) | Evidence::GainsTokens(_) => {
                self.ask("afterwards", body);
                body.require("keccak256(afterwards) == keccak256(before)", &self.message);
            }
            Evidence::Tells(_) => {
                self.ask("afterwards", body);
                body.line(
                    "bool isSame = keccak256(_told) == keccak256(before) || keccak256(_told) == keccak256(afterwards);",
                );
                body.require("_told.length == 0 || isSame", &self.message);
            }
            // Judged where its result is at hand.
            Evidence::Reads(_) => {}
        }
    }

    /// Compares what is stored with what must not be there.
    fn loads(&self, comment: &str, (name, stored): (&str, StoredWord), body: &mut Lines) {
        body.line(comment);
        body.line(&format!("bytes32 slot = {:#066x};", stored.slot));
        body.line(&format!("bytes32 {name} = {:#066x};", stored.word));
        body.require(&format!("_load({}, slot) != {name}", self.subject), &self.message);
    }

    /// Asks a contract for a variable.
    fn ask(&self, result: &str, body: &mut Lines) {
        let variable = Data::Variable(QUESTION);
        if let Some((whom, question)) = &self.question {
            let question = if matches!(self.evidence, Evidence::Tells(_)) { &variable } else { question };
            body.low_level_call(&format!("(, bytes memory {result}) ="), &format!("{whom}.staticcall"), question);
        }
    }
}

/// Puts a word into the storage of the contract.
fn store(slot: U256, word: U256, body: &mut Lines) {
    let words = [slot, word].map(|word| format!("bytes32(uint256({}))", literal(word)));
    body.call("vm.store", &["target".to_owned(), words[0].clone(), words[1].clone()], ";");
}

/// A word as Solidity writes it.
fn literal(word: U256) -> String {
    if word < U256::from(1_000_000_000_u64) { word.to_string() } else { format!("{word:#066x}") }
}
