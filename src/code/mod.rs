//! `code` sees bytecode as programs made of instructions and basic blocks, each with its place in the source. It reads
//! code and never runs it.

mod block;
mod change;
mod condition;
mod definitions;
mod embedded;
mod instruction;
mod lines;
mod numbering;
mod prefixes;
mod program;
mod programs;
mod recognition;

pub use block::{Block, BlockId, Exit};
pub use change::{Change, Descent};
pub use condition::{Conditions, Leaves, Origin, Test};
pub use definitions::Definitions;
pub use instruction::{Instruction, disassemble};
pub use lines::{Line, Lines};
pub use numbering::Numbering;
pub(crate) use program::PANIC_SELECTOR;
pub use program::{Program, Stage};
pub use programs::{ProgramId, Programs};
