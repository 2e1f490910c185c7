//! `search` goes after [`Objective`](crate::corpus::Objective)s: in goes something that runs transactions ([`Runner`]), out come runs that
//! reach what was just missed. It knows no fuzzer, no session and no campaign.
//!
//! The [`queue`] keeps, for each objective, the entries that came closest. An [`attempt`](mod@attempt) runs one of them again with each word moved
//! by a step ([`probe`]), which shows how the operands of its branches move. What one word alone promises is run at once, and often that is
//! all. Else `solve` computes words that reach the objective and leave the branches before it as they are ([`follow`], [`model`]): exact
//! integers first, then sums that wrap, then the secant method where nothing is linear (HARVEY §IV). An equality that moves with the square
//! or the cube of a word is solved by the polynomial through four runs. Where a branch on the way holds only while several words keep their
//! sum, one makes up for each of the others, branch by branch ([`eliminate`]).
//!
//! The first attempt at an objective moves words of the transaction alone. Later ones also put a word in place of another of its kind, start
//! in other kept states, probe words of earlier transactions that changed a slot or the balance that decides, and ask for other states: the
//! same is tried with words of storage, without leaving a trace ([`storage`], HARVEY's aggressive mode, §V), and if that reaches the
//! objective, transactions that were seen to write the slot are aimed at the word that is needed ([`reach`]).
//!
//! An attempt has one budget for what it runs and what it computes, counted in steps and never in time. An objective that was tried in vain
//! waits a quarter longer each time, until an entry comes closer, reaches new code, or a state is kept in which a slot that the last attempt
//! read holds what it never held before.

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
