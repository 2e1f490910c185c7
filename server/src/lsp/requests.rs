//! A request of the protocol that only reads is a function from the newest view to its answer: one file each. It changes nothing, sends
//! nothing, and knows neither the events nor the state.

pub(super) mod code_action;
pub(super) mod execute_command;
pub(super) mod hover;
mod regression_test;
