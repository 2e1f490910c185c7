//! `search` pursues [`Objective`](crate::corpus::Objective)s. It takes something that runs transactions ([`Runner`]) and
//! produces runs that reach an objective that was just missed. It knows no fuzzer, no session and no campaign.
//!
//! The [`queue`] keeps, for each objective, the entries that came closest. An [`attempt`](mod@attempt) replays one of them
//! with each word moved by a step ([`probe`]), which shows how the operands of its branches move. The prediction of a
//! single word is run at once, and often that is enough. Otherwise `solve` computes words that reach the objective and
//! leave the branches before it as they are ([`follow`], [`model`]): exact integers first, then sums that wrap, then the
//! secant method where nothing is linear (HARVEY §IV). An equality that moves with the square or the cube of a word is
//! solved by the polynomial through four runs. Where a branch before the objective holds only while several words keep
//! their sum, one of them compensates for each of the others, branch by branch ([`eliminate`]).
//!
//! The first attempt at an objective moves words of the transaction alone. Later ones also replace a word by another of its
//! kind, start in other kept states, probe words of earlier transactions that changed a slot or the balance that decides,
//! and search for other states: words of storage are moved in the same way, without leaving a trace ([`storage`], HARVEY's
//! aggressive mode, §V). If that reaches the objective, transactions known to write the slot are searched for one that
//! writes the word needed ([`reach`]). Where nothing of that moves a difference, words of the setup may: they are moved in the
//! same way, in a world of their own each ([`setup_words`]).
//!
//! An attempt has one budget for its runs and its arithmetic, counted in steps and never in time. Each failed attempt makes
//! the objective wait a quarter longer, until an entry comes closer, reaches new code, or a state is kept in which a slot
//! that the last attempt read holds a word that it never held before.

mod approach;
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
mod setup_words;
mod storage;
mod variable;
mod writers;

pub(crate) use attempt::attempt;
pub(crate) use knowledge::{PackedSlots, Search, Switches};
pub(crate) use objective_search::Reached;
pub(crate) use queue::TargetDistance;
pub(crate) use runner::{KeepState, Lent, Runner};
