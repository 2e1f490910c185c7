//! The values on the lines that the last call of a sequence ran: what conditions compared, and what was written, by its name.

use super::{
    compared::Compared,
    decided::Decided,
    slots::Slots,
    story::{CreatedNames, ToldStorage},
};
use crate::{
    compile::{SourceId, Span},
    evm::{Executor, Preimage, Snapshot},
    harness::Harness,
    input::{Sequence, brief::short},
};
use alloy_primitives::{Address, U256};
use std::collections::BTreeMap;

/// Values of one line that are told, the last ones; chosen by hand.
const MAX_VALUES: usize = 4;

/// The values on one line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineValues {
    /// The source.
    pub source: SourceId,
    /// The line, from 1.
    pub line: u32,
    /// What is to be told, in order: `97 <= 100`, `total: 0 → 5`.
    pub values: Vec<String>,
}

/// The values on the lines that the last call of a sequence ran, which is run again for that.
pub(super) fn line_values(harness: &Harness, sequence: &Sequence) -> Vec<LineValues> {
    let mut executor = harness.executor();
    executor.set_detailed(true);
    let (mut created, mut preimages, mut lines) = (CreatedNames::default(), Vec::new(), Lines::default());
    harness.run(&mut executor, sequence, |step| {
        preimages.extend(step.executor.observation().preimages.iter().cloned());
        created.note(harness, step.after);
        if step.left == 0 {
            let written = written(harness, step.executor, step.before, &preimages, &created);
            // A write comes after so many branches, and before the next one.
            let mut written = written.into_iter().peekable();
            for (count, branch) in (0..).zip(&step.executor.observation().branches) {
                while let Some(write) = written.next_if(|write| write.branches <= count) {
                    lines.add_write(write);
                }
                if let Some(decided) = Decided::of(harness, branch) {
                    lines.add_branch(harness, &decided);
                }
            }
            written.for_each(|write| lines.add_write(write));
        }
    });
    lines.told()
}

/// A write, as it is told.
struct Written {
    branches: u32,
    source: SourceId,
    line: u32,
    /// Names, each with the value before and after.
    changes: Vec<(String, String, String)>,
}

/// What the last run wrote, in order.
fn written(
    harness: &Harness,
    executor: &Executor,
    before: &Snapshot,
    preimages: &[Preimage],
    created: &CreatedNames,
) -> Vec<Written> {
    let names = |address: Address| created.account(harness, address);
    let mut now: BTreeMap<(Address, U256), U256> = BTreeMap::new();
    let mut found = Vec::new();
    for write in &executor.observation().writes {
        let key = (write.address, write.slot);
        let was = now.insert(key, write.value).unwrap_or_else(|| before.slot(write.address, write.slot));
        let place = write.at.and_then(|(program, pc)| harness.programs.get(program).range(pc));
        let Some(ToldStorage { kind: Some(_), layout }) = created.storage(harness, write.address) else { continue };
        let Some((source, span)) = place.filter(|_| was != write.value) else { continue };
        let changes = Slots { layout, preimages, name: &names }.describe(write.slot, was, write.value);
        let line = harness.build.source(source).lines.line(span.start);
        found.push(Written { branches: write.branches, source, line, changes });
    }
    found
}

/// What is told of each line. Of one condition or variable the last value counts.
#[derive(Default)]
struct Lines(BTreeMap<(SourceId, u32), Vec<(Subject, String)>>);

/// What a value is of.
#[derive(PartialEq)]
enum Subject {
    Condition(Span),
    Variable(String),
}

impl Lines {
    fn add_branch(&mut self, harness: &Harness, decided: &Decided<'_>) {
        let Decided { source, decision, holds, compared } = decided;
        let told = match compared {
            Some(Compared::Sides([left, right], operator)) => {
                format!("{} {operator} {}", short(&left.value), short(&right.value))
            }
            _ => holds.to_string(),
        };
        let line = harness.build.source(*source).lines.line(decision.condition.start);
        self.add((*source, line), Subject::Condition(decision.condition), told);
    }

    fn add_write(&mut self, write: Written) {
        for (name, before, after) in write.changes {
            let told = format!("{name}: {before} → {after}");
            self.add((write.source, write.line), Subject::Variable(name), told);
        }
    }

    fn add(&mut self, line: (SourceId, u32), subject: Subject, told: String) {
        let values = self.0.entry(line).or_default();
        values.retain(|(known, _)| *known != subject);
        values.push((subject, told));
    }

    fn told(self) -> Vec<LineValues> {
        let told = self.0.into_iter().map(|((source, line), values)| {
            let skipped = values.len().saturating_sub(MAX_VALUES);
            LineValues { source, line, values: values.into_iter().skip(skipped).map(|(_, told)| told).collect() }
        });
        told.collect()
    }
}
