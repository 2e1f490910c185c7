//! A [`MemoryAccount`] counts the bytes that one session keeps against its bound. Everything kept carries a
//! [`MemoryCharge`], which is subtracted when it is dropped: the count is exact without a walk over the corpus. The
//! [`SharedCorpus`](super::shared::SharedCorpus) decides what is dropped when the bound is exceeded.

use crate::input::{Setup, SetupStep, Transaction, Value};
use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

/// Bytes in a mebibyte.
pub(crate) const MIB: u64 = 1024 * 1024;
/// Bytes that each session may keep, however many sessions share the bound; chosen by hand. Less would leave no useful
/// corpus.
pub(crate) const LEAST: u64 = MIB / 4;

/// The byte count of one session.
#[derive(Debug)]
pub struct MemoryAccount {
    /// Bytes of things that come and go.
    kept: AtomicU64,
    /// Bytes that stay as long as the session does.
    fixed: AtomicU64,
    bound: AtomicU64,
}

impl MemoryAccount {
    /// An account with nothing charged, and without a bound.
    pub fn new() -> Arc<Self> {
        Arc::new(Self { kept: AtomicU64::new(0), fixed: AtomicU64::new(0), bound: AtomicU64::new(u64::MAX) })
    }

    /// The bytes that are kept in all.
    pub fn bytes(&self) -> u64 {
        self.kept.load(Ordering::Relaxed) + self.fixed.load(Ordering::Relaxed)
    }

    pub(crate) fn set_bound(&self, bytes: u64) {
        self.bound.store(bytes.max(LEAST), Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.bytes() > self.bound.load(Ordering::Relaxed)
    }

    /// The bytes left for everything that is not fixed.
    pub(crate) fn room(&self) -> u64 {
        self.bound.load(Ordering::Relaxed).saturating_sub(self.fixed.load(Ordering::Relaxed))
    }

    /// Charges bytes that stay as long as the session does.
    pub(crate) fn charge_fixed(&self, bytes: u64) {
        self.fixed.fetch_add(bytes, Ordering::Relaxed);
    }

    /// Charges fixed bytes, unless fixed bytes already take half of the bound.
    pub(crate) fn charge_fixed_if_light(&self, bytes: u64) -> bool {
        let light = self.fixed.load(Ordering::Relaxed) < self.bound.load(Ordering::Relaxed) / 2;
        if light {
            self.charge_fixed(bytes);
        }
        light
    }

    /// Whether fixed bytes take far more than half of the bound, because they were charged before the bound was lowered.
    pub(crate) fn is_overcharged(&self) -> bool {
        let bound = self.bound.load(Ordering::Relaxed);
        self.fixed.load(Ordering::Relaxed) > bound / 2 + bound / 8
    }

    /// Subtracts fixed bytes that are not kept any more.
    pub(crate) fn refund_fixed(&self, bytes: u64) {
        self.fixed.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Charges bytes for as long as the returned charge lives.
    pub(crate) fn charge(self: &Arc<Self>, bytes: u64) -> MemoryCharge {
        self.kept.fetch_add(bytes, Ordering::Relaxed);
        MemoryCharge { bytes, meter: self.clone() }
    }
}

/// Bytes charged to a [`MemoryAccount`].
#[derive(Debug)]
pub struct MemoryCharge {
    bytes: u64,
    meter: Arc<MemoryAccount>,
}

impl MemoryCharge {
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }
}

impl Drop for MemoryCharge {
    fn drop(&mut self) {
        self.meter.kept.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

/// The approximate size of a transaction, in bytes.
pub(crate) fn of_transaction(transaction: &Transaction) -> u64 {
    size_of::<Transaction>() as u64 + transaction.arguments.iter().map(of_value).sum::<u64>()
}

/// The approximate size of a setup, in bytes.
pub(crate) fn of_setup(setup: &Setup) -> u64 {
    let arguments = |step: &SetupStep| match step {
        SetupStep::Deploy(deployment) => deployment.arguments.iter().map(of_value).sum(),
        SetupStep::Call(transaction) => of_transaction(transaction),
    };
    size_of::<Setup>() as u64
        + setup.steps().iter().map(|step| size_of::<SetupStep>() as u64 + arguments(step)).sum::<u64>()
}

/// The approximate size of a value, in bytes.
pub(crate) fn of_value(value: &Value) -> u64 {
    let beside = match value {
        Value::Bytes(bytes) => bytes.capacity() as u64,
        Value::String(text) => text.capacity() as u64,
        Value::Array(values) | Value::FixedArray(values) | Value::Tuple(values) => values.iter().map(of_value).sum(),
        _ => 0,
    };
    size_of::<Value>() as u64 + beside
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_dropped_is_not_counted_any_more() {
        let meter = MemoryAccount::new();
        meter.set_bound(LEAST);
        let first = meter.charge(LEAST);
        assert!(!meter.is_over());
        let second = meter.charge(1);
        assert!(meter.is_over());
        drop(first);
        assert_eq!((meter.bytes(), second.bytes()), (1, 1));
        assert!(meter.charge_fixed_if_light(LEAST / 2), "nothing was there");
        assert!(!meter.charge_fixed_if_light(8), "half of it is taken");
        assert_eq!(meter.room(), LEAST / 2);
        assert!(!meter.is_overcharged());
        meter.charge_fixed(LEAST / 4);
        assert!(meter.is_overcharged());
        meter.refund_fixed(LEAST / 4);
        meter.refund_fixed(8);
        assert!(meter.charge_fixed_if_light(8), "there is room again");
    }

    #[test]
    fn values_weigh_what_hangs_on_them() {
        let plain = of_value(&Value::Bool(true));
        assert!(of_value(&Value::Bytes(vec![0; 1000])) >= plain + 1000);
        assert_eq!(of_value(&Value::Array(vec![Value::Bool(true); 3])), plain * 4);
    }
}
