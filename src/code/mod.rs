//! `code` reads bytecode as programs of instructions and basic blocks, each with its place in the source. It never runs code.

mod arithmetic;
mod block;
mod change;
mod claims;
mod condition;
mod contract_types;
mod definitions;
mod embedded;
mod instruction;
mod layout;
mod lines;
mod memo;
mod numbering;
mod outline;
mod prefixes;
mod program;
mod programs;
mod recognition;
mod sides;

pub use arithmetic::{Arithmetic, ArithmeticSite, ProgramArithmetic};
pub use block::{Block, BlockId, Exit};
pub use change::{CodeChange, ContractLineage};
pub use claims::{
    Contests, HashedSlot, Namespace, OwnerKind, ProgramClaims, RawSlot, SlotOwner, SlotWatch, StatedSlot, derivation_of,
};
pub use condition::{Conditions, StackEffect, Test, WordOrigin};
pub use contract_types::{ContractTypes, Kept};
pub use definitions::Definitions;
pub use instruction::{Instruction, disassemble};
pub use layout::{
    Change as LayoutChange, ChangeKind, Clash, Derivation, DerivationStep, GetterArgument, Layout, Leaf, Part,
    Type as StorageType,
};
pub use lines::{Line, Lines};
pub use numbering::Numbering;
pub use outline::{FunctionOutline, ProgramOutline};
pub(crate) use program::PANIC_SELECTOR;
pub use program::{Program, ProgramId, Stage};
pub use programs::Programs;
