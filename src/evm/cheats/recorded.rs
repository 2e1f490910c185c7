//! What tests ask to be recorded: [`Accesses`] of storage, and [`RecordedLogs`].

use alloy_primitives::{Address, Log, U256};
use std::collections::BTreeMap;

/// Accesses that are kept; chosen by hand, above what a test looks at.
const MAX_ACCESSES: usize = 1 << 16;
/// Logs that are kept; chosen by hand.
const MAX_LOGS: usize = 1 << 14;
/// Bytes of log data that are kept; chosen by hand.
const MAX_BYTES: usize = 1 << 22;

/// The slots that were read and written since `record()`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evm) struct Accesses {
    /// Whether further ones are recorded.
    pub(in crate::evm) is_on: bool,
    reads: BTreeMap<Address, Vec<U256>>,
    writes: BTreeMap<Address, Vec<U256>>,
    count: usize,
}

impl Accesses {
    /// Forgets what was recorded, and goes on.
    pub(in crate::evm) fn start(&mut self) {
        *self = Self { is_on: true, ..Self::default() };
    }

    /// A slot was read.
    pub(in crate::evm) fn read(&mut self, account: Address, slot: U256) {
        if self.count < MAX_ACCESSES {
            self.count += 1;
            self.reads.entry(account).or_default().push(slot);
        }
    }

    /// A slot was written, which counts as a read of it, too: the EVM looks at what was there.
    pub(in crate::evm) fn write(&mut self, account: Address, slot: U256) {
        self.read(account, slot);
        if self.count < MAX_ACCESSES {
            self.count += 1;
            self.writes.entry(account).or_default().push(slot);
        }
    }

    /// The slots of an account that were read and written, in order.
    pub(in crate::evm) fn of(&self, account: Address) -> [&[U256]; 2] {
        [&self.reads, &self.writes].map(|slots| slots.get(&account).map_or(&[][..], Vec::as_slice))
    }

    pub(super) fn bytes(&self) -> usize {
        self.count * size_of::<U256>()
    }
}

/// The logs that were emitted since `recordLogs()` or since they were last asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evm) struct RecordedLogs {
    /// Whether logs are recorded.
    pub(in crate::evm) is_on: bool,
    logs: Vec<Log>,
    bytes: usize,
}

impl RecordedLogs {
    /// Forgets what was recorded, and goes on.
    pub(in crate::evm) fn start(&mut self) {
        *self = Self { is_on: true, ..Self::default() };
    }

    /// A log was emitted.
    pub(in crate::evm) fn add(&mut self, log: &Log) {
        let bytes = log.data.data.len();
        if self.logs.len() < MAX_LOGS && bytes <= MAX_BYTES - self.bytes {
            self.bytes += bytes;
            self.logs.push(log.clone());
        }
    }

    /// Takes what was recorded.
    pub(in crate::evm) fn take(&mut self) -> Vec<Log> {
        self.bytes = 0;
        std::mem::take(&mut self.logs)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes + self.logs.len() * size_of::<Log>()
    }
}
