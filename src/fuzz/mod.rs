//! `fuzz` is the loop: pick, mutate, run, observe, keep. A [`Session`] fuzzes one contract of one build; a
//! [`Campaign`] runs the sessions of a project on the threads of a [`Pool`] and carries what they learned from build to build.

mod budget;
mod campaign;
mod execute;
mod fuzzer;
mod guidance;
mod learned;
mod pick;
mod pool;
mod queue;
mod rebase;
mod recall;
mod refusal;
mod schedule;
mod session;
mod share;
mod shrinks;
mod stages;
mod target;
mod task;
mod techniques;
mod turns;
mod worker;

pub use crate::corpus::Share;
pub use campaign::{Campaign, Event, Lines, Notice, Options, Progress, Reaching};
pub use fuzzer::Fuzzer;
pub use pool::Pool;
pub use schedule::Configuration;
pub use session::Session;
pub use target::{Target, TargetState, Targets};
pub use techniques::Techniques;
pub use turns::Focus;
