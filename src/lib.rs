//! The engine of Bellwether: a fuzzer for Solidity that knows no editor. Its modules form layers, and each imports only
//! from lower ones (see `ARCHITECTURE.md`).

pub mod code;
pub mod compile;
pub mod corpus;
pub mod evm;
pub mod finding;
pub mod fuzz;
pub mod harness;
pub mod input;
pub mod lookahead;
pub mod oracle;
pub mod project;
pub mod report;
mod search;
pub mod solve;
pub mod tuning;
pub mod world;
