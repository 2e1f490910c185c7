//! Generated tests under the real forge: red while the defect is there, green once it is gone, whether the call then
//! succeeds or is refused.

#![cfg(unix)]

mod contracts;
mod oracles;
mod projects;
#[path = "../support/mod.rs"]
mod support;
mod workplace;
mod worlds;
