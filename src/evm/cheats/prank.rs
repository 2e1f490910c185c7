//! A [`Prank`] has calls of one account made by another one. Pranks are kept by the depth of the calls that they are about.

use alloy_primitives::Address;

/// Calls of one account that are made by another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evm) struct Prank {
    /// The account whose calls they are.
    pub(in crate::evm) of: Address,
    /// `tx.origin` before the prank.
    pub(in crate::evm) origin_before: Address,
    /// The account that makes them.
    pub(in crate::evm) sender: Address,
    /// `tx.origin` during them; none to leave it as it is.
    pub(in crate::evm) origin: Option<Address>,
    /// The number of calls around them.
    pub(in crate::evm) depth: usize,
    /// Whether it ends with the next call.
    pub(in crate::evm) is_single: bool,
    /// Whether a DELEGATECALL runs in the place of the sender, too.
    pub(in crate::evm) delegates: bool,
    /// Whether a call was made by it.
    pub(in crate::evm) is_used: bool,
}

/// The pranks that are on, at most one for each depth, in the order of their depths. No transaction has more than 1,025 depths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::evm) struct Pranks(Vec<Prank>);

impl Pranks {
    /// The prank that calls at this depth are under: the deepest that began there or further out.
    pub(in crate::evm) fn at(&self, depth: usize) -> Option<&Prank> {
        self.0.iter().rev().find(|prank| prank.depth <= depth)
    }

    /// Puts a prank in the place of the one at its depth.
    pub(in crate::evm) fn set(&mut self, prank: Prank) {
        self.remove(prank.depth);
        let at = self.0.partition_point(|other| other.depth < prank.depth);
        self.0.insert(at, prank);
    }

    /// A call was made by the prank that began at this depth.
    pub(in crate::evm) fn mark_used(&mut self, depth: usize) {
        if let Some(prank) = self.0.iter_mut().find(|prank| prank.depth == depth) {
            prank.is_used = true;
        }
    }

    pub(in crate::evm) fn remove(&mut self, depth: usize) {
        self.0.retain(|prank| prank.depth != depth);
    }

    pub(super) fn bytes(&self) -> usize {
        self.0.len() * size_of::<Prank>()
    }
}

/// Calls of one account that a script would send as transactions of another one. Here they are a prank of sender and origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::evm) struct Broadcast {
    /// The account whose calls they are.
    pub(in crate::evm) of: Address,
    /// `tx.origin` before it.
    pub(in crate::evm) origin_before: Address,
    /// The account that makes them, which is `tx.origin` as well.
    pub(in crate::evm) sender: Address,
    /// The number of calls around them.
    pub(in crate::evm) depth: usize,
    /// Whether it ends with the next call.
    pub(in crate::evm) is_single: bool,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_under_the_innermost_prank_around_it() {
        let prank = |depth, number| Prank {
            of: Address::ZERO,
            origin_before: Address::ZERO,
            sender: Address::repeat_byte(number),
            origin: None,
            depth,
            is_single: false,
            delegates: false,
            is_used: false,
        };
        let mut pranks = Pranks::default();
        for (depth, number) in [(3, 1), (1, 2), (3, 4)] {
            pranks.set(prank(depth, number));
        }
        let senders = |pranks: &Pranks| [0, 1, 2, 3, 9].map(|depth| pranks.at(depth).map(|prank| prank.sender[0]));
        assert_eq!(senders(&pranks), [None, Some(2), Some(2), Some(4), Some(4)]);
        pranks.remove(3);
        assert_eq!(senders(&pranks), [None, Some(2), Some(2), Some(2), Some(2)]);
    }
}
