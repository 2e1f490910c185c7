//! A [`Trial`] runs a confirmed sequence otherwise: its last call with other arguments, or on the state right after the setup, or
//! sent by somebody else. It says what happens then; what that means is the oracles' business.

mod checks;
mod confirmed;
mod strangers;

pub(crate) use self::confirmed::{Judge, LastCall};
pub use self::{
    confirmed::Trial,
    strangers::{StrangerPower, Strangers},
};
