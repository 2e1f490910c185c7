//! Receiving: records of other machines become sequences to be replayed. They are only sequences: one that no fuzzer of this session
//! could have made is refused, and all are judged like those of an earlier day. Nothing else that a record says counts.

use super::{fuzzer::Fuzzer, session::Session};
use crate::{
    corpus::exchange::Refusal,
    harness::Harness,
    input::{Generator, Sequence, SetupStep, Transaction},
};

/// A setup that is received may have this many times the steps of the planned one, and so many more; chosen by hand.
const SETUP_TIMES: usize = 2;
const SETUP_MORE: usize = 8;

impl Fuzzer {
    /// Queues what other machines shared since the last time. Sequences that show a finding which is not known here come first.
    pub(super) fn receive(&mut self) {
        let session = self.session.clone();
        let Some(handle) = &session.exchange else { return };
        self.falls_elsewhere = handle.falls_elsewhere();
        let records = handle.poll();
        if records.is_empty() {
            return;
        }
        let (mut findings, mut entries) = (Vec::new(), Vec::new());
        for record in records {
            let shared = record.read(&session.harness.calls);
            let read = shared.and_then(|shared| {
                match possible(&session.harness, &self.generator, self.max_depth, shared.sequence) {
                    Ok(sequence) => Ok((sequence, shared.finding)),
                    Err(why) => Err(Refusal::NotOurs(why)),
                }
            });
            match read {
                Ok((sequence, None)) => entries.push(sequence),
                Ok((sequence, Some((id, shrunk)))) => {
                    handle.note_finding(&id, shrunk);
                    if !knows(&session, &id) {
                        findings.push(sequence);
                    }
                }
                Err(why) => handle.exchange.refuse(&record, &why),
            }
        }
        session.shared.replays.add(findings, entries);
    }
}

impl Session {
    /// Whether there is something of other machines to be run, even if the contract rests.
    pub(super) fn has_received(&self) -> bool {
        let Some(handle) = &self.exchange else { return false };
        self.shared.replays.len() > 0 || handle.has_record()
    }
}

/// Whether a session has this finding.
fn knows(session: &Session, id: &str) -> bool {
    session.findings().iter().any(|finding| finding.id == id)
}

/// The sequence, if the fuzzers of a session could have made it, which make one call more than lead to a state.
fn possible(
    harness: &Harness,
    generator: &Generator,
    max_depth: usize,
    mut sequence: Sequence,
) -> Result<Sequence, &'static str> {
    if sequence.transactions.len() > max_depth + 1 {
        return Err("makes more calls than a sequence has");
    }
    if harness.has_fixed_setup() {
        // There is one setup, and a person wrote it.
        sequence.setup = harness.setup.clone();
    }
    let (steps, planned) = (sequence.setup.steps(), harness.setup.steps());
    if steps.len() > SETUP_TIMES * planned.len() + SETUP_MORE {
        return Err("has a longer setup than this contract's");
    }
    let is_planned = |step: &SetupStep| planned.iter().any(|planned| sender(planned) == sender(step));
    if !steps.iter().all(|step| is_planned(step) || generator.senders.contains(&sender(step))) {
        return Err("has a setup by somebody who is not in this world");
    }
    let rejected = sequence.transactions.iter().find_map(|transaction| rejected(harness, generator, transaction));
    rejected.map_or(Ok(sequence), Err)
}

fn sender(step: &SetupStep) -> alloy_primitives::Address {
    match step {
        SetupStep::Deploy(deployment) => deployment.sender,
        SetupStep::Call(transaction) => transaction.sender,
    }
}

/// Why no fuzzer would make this call, if so.
fn rejected(harness: &Harness, generator: &Generator, transaction: &Transaction) -> Option<&'static str> {
    // Who calls a property, and when, is decided when it is called.
    if harness.calls.property(transaction.call).is_some() {
        return None;
    }
    let reacting = transaction.reaction.as_ref().map(|reaction| reaction.account);
    if !generator.senders.contains(&transaction.sender) {
        Some("is sent by somebody who is not in this world")
    } else if reacting.is_some_and(|account| !generator.senders.contains(&account)) {
        Some("has code at the account of somebody who is not in this world")
    } else if !generator.allows(transaction) {
        Some("sends more ether, or lets more time pass, than this world has")
    } else {
        None
    }
}
