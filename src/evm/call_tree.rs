//! A [`CallTree`] is the calls of one transaction, each below the call that made it, with the storage that was touched and the logs that
//! were emitted inside of it. It holds facts about accounts and words; which program ran, and what the facts mean, it does not say.

use alloy_primitives::{Address, Bytes, Log, U256};

/// Calls that are kept of one transaction; chosen by hand, above what any real transaction makes.
const MAX_CALLS: usize = 4096;
/// Reads and writes of storage that are kept of one transaction, over all calls; chosen by hand.
const MAX_ACCESSES: usize = 4096;
/// Logs that are kept of one transaction, over all calls; chosen by hand.
const MAX_LOGS: usize = 4096;
/// Bytes of calldata and log data that are kept of one transaction: a loop can send a megabyte for the gas of a call.
const MAX_BYTES: usize = 1 << 22;

/// How code was called.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    /// CALL, or the transaction itself.
    Call,
    /// CALLCODE
    CallCode,
    /// DELEGATECALL
    Delegate,
    /// STATICCALL
    Static,
    /// CREATE or CREATE2, or the transaction itself.
    Create,
}

/// A read or a write of a slot in the storage of the call's target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StorageAccess {
    /// The slot.
    pub slot: U256,
    /// The word that was stored there; none for a read.
    pub stored: Option<U256>,
}

/// One call of a transaction, or the transaction's own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CallNode {
    /// The call that made it, as an index into [`CallTree::nodes`]; none for the transaction's own, and where that call was not kept.
    pub parent: Option<usize>,
    /// The number of calls around it: 0 for the transaction's own.
    pub depth: u32,
    /// How the code was called.
    pub kind: CallKind,
    /// The account that called.
    pub caller: Address,
    /// The account whose storage and balance the code works on; zero for a creation that could not start.
    pub target: Address,
    /// The account whose code runs: another one than the target for a DELEGATECALL and a CALLCODE.
    pub code: Address,
    /// The value of CALLVALUE, in wei: a DELEGATECALL has that of the call that made it.
    pub value: U256,
    /// Its calldata; empty for a creation, and where the transaction's calls had more data than is kept.
    pub input: Bytes,
    /// Whether it came to its end without failing.
    pub success: bool,
    /// What it reverted with, or in a detailed run what it returned; empty where the transaction's calls had more data than is kept.
    pub output: Bytes,
    /// Its own reads and writes of storage, in order, without those of the calls that it made.
    pub storage: Vec<StorageAccess>,
    /// Its own logs, in order, without those of the calls that it made.
    pub logs: Vec<Log>,
}

impl CallNode {
    /// The first four bytes of the calldata: the function that was called.
    pub fn selector(&self) -> Option<[u8; 4]> {
        self.input.first_chunk().copied()
    }
}

/// Something that happens in a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallEvent {
    /// It makes a call, as an index into [`CallTree::nodes`].
    Call(usize),
    /// It reads or writes a slot, as an index into [`CallNode::storage`].
    Storage(usize),
    /// It emits a log, as an index into [`CallNode::logs`].
    Log(usize),
}

/// The calls of one transaction.
#[derive(Debug, Default)]
pub struct CallTree {
    nodes: Vec<CallNode>,
    /// What happens in which call, in order; empty where that is not kept.
    events: Vec<(usize, CallEvent)>,
    keeps_events: bool,
    accesses: usize,
    logs: usize,
    bytes: usize,
}

impl CallTree {
    /// The calls in the order in which they began, the transaction's own first.
    pub fn nodes(&self) -> &[CallNode] {
        &self.nodes
    }

    /// Whether what a call did lasts: neither it nor any call around it failed.
    pub fn lasts(&self, index: usize) -> bool {
        let mut around = std::iter::successors(Some(index), |index| self.nodes[*index].parent);
        around.all(|index| self.nodes[index].success)
    }

    /// What happens in each call, in order: by the indices of the calls, and only for a detailed run.
    pub fn events(&self) -> Vec<Vec<CallEvent>> {
        let mut events = vec![Vec::new(); self.nodes.len()];
        for (call, event) in &self.events {
            events[*call].push(*event);
        }
        events
    }

    /// Keeps in what order things happen, or not.
    pub(super) fn keep_events(&mut self, keeps_events: bool) {
        self.keeps_events = keeps_events;
    }

    fn note(&mut self, call: usize, event: CallEvent) {
        if self.keeps_events {
            self.events.push((call, event));
        }
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.events.clear();
        (self.accesses, self.logs, self.bytes) = (0, 0, 0);
    }

    /// Whether this many more bytes are kept.
    pub(super) fn has_room_for(&self, bytes: usize) -> bool {
        bytes <= MAX_BYTES - self.bytes
    }

    /// Adds a call that begins. None where no more calls are kept.
    pub(super) fn open(&mut self, call: CallNode) -> Option<usize> {
        if self.nodes.len() >= MAX_CALLS || !self.has_room_for(call.input.len()) {
            return None;
        }
        self.bytes += call.input.len();
        let (index, parent) = (self.nodes.len(), call.parent);
        self.nodes.push(call);
        if let Some(parent) = parent {
            self.note(parent, CallEvent::Call(index));
        }
        Some(index)
    }

    /// Notes how a call ended, and what it returned or reverted with.
    pub(super) fn close(&mut self, index: usize, success: bool, output: &Bytes) {
        self.nodes[index].success = success;
        if (!success || self.keeps_events) && self.has_room_for(output.len()) {
            self.bytes += output.len();
            self.nodes[index].output.clone_from(output);
        }
    }

    pub(super) fn add_access(&mut self, index: usize, access: StorageAccess) {
        if self.accesses < MAX_ACCESSES {
            self.accesses += 1;
            self.nodes[index].storage.push(access);
            self.note(index, CallEvent::Storage(self.nodes[index].storage.len() - 1));
        }
    }

    pub(super) fn add_log(&mut self, index: usize, log: &Log) {
        let bytes = log.data.data.len();
        if self.logs < MAX_LOGS && self.has_room_for(bytes) {
            self.logs += 1;
            self.bytes += bytes;
            self.nodes[index].logs.push(log.clone());
            self.note(index, CallEvent::Log(self.nodes[index].logs.len() - 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloy_primitives::LogData;

    fn call(parent: Option<usize>, input: Bytes) -> CallNode {
        let (caller, target, code) = Default::default();
        CallNode {
            parent,
            depth: parent.map_or(0, |parent| parent as u32 + 1),
            kind: CallKind::Call,
            caller,
            target,
            code,
            value: U256::ZERO,
            input,
            success: false,
            output: Bytes::new(),
            storage: Vec::new(),
            logs: Vec::new(),
        }
    }

    #[test]
    fn what_a_call_did_lasts_unless_a_call_around_it_failed() {
        let mut tree = CallTree::default();
        for (parent, success) in [(None, true), (Some(0), false), (Some(1), true), (Some(0), true)] {
            let index = tree.open(call(parent, Bytes::new())).unwrap();
            tree.close(index, success, &Bytes::new());
        }
        assert_eq!([0, 1, 2, 3].map(|index| tree.lasts(index)), [true, false, false, true]);
    }

    #[test]
    fn what_happens_in_a_call_is_kept_in_order_where_it_is_asked_for() {
        let (log, access) = (Log::default(), StorageAccess { slot: U256::ZERO, stored: None });
        let events = |keeps: bool| {
            let mut tree = CallTree::default();
            tree.keep_events(keeps);
            tree.open(call(None, Bytes::new()));
            tree.add_access(0, access);
            tree.open(call(Some(0), Bytes::new()));
            tree.add_access(1, access);
            tree.add_log(0, &log);
            tree.add_access(0, access);
            tree.events()
        };
        use CallEvent::{Call, Log as Logged, Storage};
        assert_eq!(events(true), [vec![Storage(0), Call(1), Logged(0), Storage(1)], vec![Storage(0)]]);
        assert_eq!(events(false), [vec![], vec![]]);
    }

    #[test]
    fn a_tree_is_bounded() {
        let mut tree = CallTree::default();
        let (log, access) = (Log::default(), StorageAccess { slot: U256::ZERO, stored: None });
        for _ in 0..2 * MAX_CALLS {
            tree.open(call(None, Bytes::new()));
            tree.add_access(0, access);
            tree.add_log(0, &log);
        }
        assert_eq!(tree.nodes().len(), MAX_CALLS);
        assert_eq!((tree.nodes()[0].storage.len(), tree.nodes()[0].logs.len()), (MAX_ACCESSES, MAX_LOGS));

        tree.clear();
        let half = Bytes::from(vec![0; MAX_BYTES / 2 + 1]);
        assert!(tree.open(call(None, half.clone())).is_some());
        assert!(tree.open(call(None, half.clone())).is_none(), "no room for a second half");
        tree.add_log(0, &Log { data: LogData::new_unchecked(Vec::new(), half), ..Log::default() });
        assert_eq!(tree.nodes()[0].logs, []);
    }
}
