//! An [`Exchange`] is where machines share what they found. What is shared is a [`Record`]: a sequence or a finding as the
//! [corpus store](super::store) keeps it, named by the hash of its content. An exchange carries records and believes none of them:
//! whoever receives one runs it before it counts. How records travel is decided outside of the engine.
//!
//! A [`Mailbox`] is the part of an exchange within a process: sessions publish to it and poll from it without waiting, and a thread
//! that knows a protocol carries the records on.

mod interface;
mod mailbox;
mod record;

pub use interface::{Exchange, GoalPart};
pub use mailbox::{Counts, Mailbox};
pub use record::{MAX_RECORD, Record, Refusal, Topic};
