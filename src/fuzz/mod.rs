//! `fuzz` is the loop: pick, mutate, run, observe, keep. A [`Session`] fuzzes one contract of one build; a
//! [`Campaign`] runs the sessions of a project on worker threads and carries what they learned from build to build.

mod campaign;
mod corpus;
mod coverage;
mod feed;
mod goal;
mod lane;
mod memory;
mod missed;
mod parameter;
mod recall;
mod session;
mod techniques;
mod worker;

pub use campaign::{Campaign, Event, Notice, Options, Progress};
pub use corpus::{Entry, State};
pub use coverage::{Coverage, Share};
pub use lane::Lane;
pub use memory::{Meter, Weight};
pub use session::{Carried, Session};
pub use techniques::Techniques;
