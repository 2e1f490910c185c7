//! `arbitrary-write`: a word that the caller sends to a slot of the caller's choice (SWC-124). It is proven by a write into
//! a slot that nothing else leads to, [`PROBE`](crate::evm::PROBE): who can reach that one can reach the owner's, too.

use super::{Cause, Oracle};
use crate::project::{self, OracleMeta};

#[derive(Debug)]
pub(super) struct ArbitraryWrite;

impl Oracle for ArbitraryWrite {
    fn meta(&self) -> &'static OracleMeta {
        &project::ARBITRARY_WRITE
    }

    fn judges(&self, cause: Cause) -> bool {
        cause == Cause::Write
    }
}
