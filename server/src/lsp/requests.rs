//! Requests that only read: each is a function from the newest view to its answer, in a file of its own. It changes nothing,
//! sends nothing, and knows neither the events nor the state.

pub(super) mod code_action;
pub(super) mod code_lens;
pub(super) mod coverage;
pub(super) mod execute_command;
pub(super) mod finding;
pub(super) mod hover;
mod ignore;
pub(super) mod inlay_hint;
mod regression_test;
