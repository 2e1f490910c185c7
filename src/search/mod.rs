//! `search` goes after [`Objective`](crate::corpus::Objective)s: in goes something that runs transactions ([`Runner`]), out come runs that
//! reach what was just missed. It computes words from how the operands of branches move (HARVEY §IV), asks for other states (§V), and knows
//! no fuzzer, no session and no campaign.

mod attempt;
mod constraint;
mod eliminate;
mod follow;
mod hashes;
mod knowledge;
mod model;
mod objective_search;
mod preimages;
mod probe;
mod queue;
mod reach;
mod runner;
mod storage;
mod variable;
mod writers;

pub(crate) use attempt::attempt;
pub(crate) use knowledge::{PackedSlots, Search, Switches};
pub(crate) use objective_search::Reached;
pub(crate) use queue::TargetDistance;
pub(crate) use runner::{KeepState, Lent, Runner};
