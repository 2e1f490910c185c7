//! `fuzz` is the loop: pick, mutate, run, observe, keep. A [`Session`] fuzzes one contract of one build; a
//! [`Campaign`] runs the sessions of a project on the threads of a [`Pool`] and carries what they learned from build to build.

mod campaign;
mod corpus;
mod coverage;
mod feed;
mod goal;
mod lane;
mod learned;
mod memory;
mod missed;
mod parameter;
mod pool;
mod queue;
mod rebase;
mod recall;
mod refusal;
mod rerun;
#[cfg(test)]
mod sample;
mod schedule;
mod session;
mod shrinks;
mod target;
mod task;
mod techniques;
mod turns;
mod worker;

pub use campaign::{Campaign, Event, Lines, Notice, Options, Progress, Reaching};
pub use corpus::{Entry, State};
pub use coverage::{Coverage, Share};
pub use lane::Lane;
pub use memory::{Meter, Weight};
pub use pool::Pool;
pub use schedule::Configuration;
pub use session::Session;
pub use target::{Target, TargetState, Targets};
pub use techniques::Techniques;
pub use turns::Focus;
