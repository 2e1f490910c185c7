//! A [`Trial`] runs a confirmed sequence otherwise: its last call with other arguments, or on the state right after the setup, or
//! sent by somebody else, or with exact results of arithmetic. It says what happens then; what that means is the oracles' business.

mod again;
mod books;
mod calls_back;
mod checks;
mod confirmed;
mod copied;
mod ended;
mod hooked;
mod in_turn;
mod jump;
mod moved;
mod ordinary;
mod out_of_order;
mod reentry;
mod refusal;
mod refused;
mod shown;
mod stated;
mod strangers;
mod theft;
mod token_theft;
mod trick;
pub(super) mod unbounded;
mod unnoticed;

pub(super) use self::in_turn::orders;
pub(crate) use self::{calls_back::OpenCall, confirmed::LastCall};
pub use self::{
    checks::ComparedWord,
    confirmed::Trial,
    copied::Copied,
    moved::{Moved, Mover},
    out_of_order::OutOfOrder,
    reentry::Reentry,
    stated::{StatedComparison, StatedSides},
    strangers::{StrangerPower, Strangers},
    theft::{Share, Theft},
    trick::Trick,
    unbounded::{Arrival, Difference},
};
