//! [`Placements`] is the part of a syntax tree that says by itself where in storage something is, beside the declarations of state
//! variables: pointers that assembly puts somewhere (`x.slot := POSITION`), what assembly stores and loads, functions that are passed the slot
//! for either, and the constants that these name. It also says which member of which struct a write is about, and where code asks for the slot of a variable. What a name stands for in
//! another source is not known here. Before 0.6 assembly is a text: what it stores has the place of the whole block, and pointers stay where
//! the compiler puts them.

mod read;

use super::{slot_expression::SlotExpression, span::Span};
use serde::{Deserialize, Serialize};

/// The placements of one source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Placements {
    /// Constants, and functions that return one.
    pub constants: Vec<SlotConstant>,
    /// Pointers that assembly puts somewhere.
    pub pointers: Vec<PointerPlacement>,
    /// What assembly stores and loads, other than in the slot of a variable.
    pub accesses: Vec<RawAccess>,
    /// Parameters that are the slot for one of these.
    pub parameters: Vec<SlotParameter>,
    /// Calls that pass a constant which may be a slot.
    pub calls: Vec<SlotCall>,
    /// Writes to members of structs through pointers.
    pub members: Vec<MemberWrite>,
    /// The structs in storage that each function reads or writes members of.
    pub uses: Vec<StructUse>,
    /// Where code asks for the slot of a variable.
    pub mentions: Vec<SlotMention>,
    /// Hashes that the code computes by itself.
    pub hashes: Vec<WrittenHash>,
}

/// A constant, or a function that returns one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotConstant {
    /// Its contract; empty outside of contracts.
    pub contract: String,
    /// Its name; that of a function ends in `()`.
    pub name: String,
    /// The whole declaration.
    pub span: Span,
    /// Its value.
    pub value: SlotExpression,
}

/// A pointer to a struct that assembly puts somewhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PointerPlacement {
    /// The name of the struct, with that of its contract.
    pub structure: String,
    /// Where it is put.
    pub slot: SlotExpression,
    /// The assignment.
    pub span: Span,
}

/// An `sstore`, a `tstore`, an `sload` or a `tload`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawAccess {
    /// The call; before 0.6 the block of assembly.
    pub span: Span,
    /// The block of assembly.
    pub block: Span,
    /// The slot.
    pub slot: SlotExpression,
    /// The slot as it is written, also where a local variable stands for it.
    pub written: Span,
    /// Whether it stores.
    pub stores: bool,
    /// Whether it is in transient storage.
    pub is_transient: bool,
}

/// A parameter that is the slot in which a function stores, loads, or puts a pointer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotParameter {
    /// The name of the function.
    pub function: String,
    /// The number of its parameters.
    pub count: u32,
    /// Which of them it is.
    pub index: u32,
    /// Whether something may be stored there.
    pub stores: bool,
    /// Whether it is in transient storage.
    pub is_transient: bool,
}

/// A call that passes constants.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotCall {
    /// The call.
    pub span: Span,
    /// The name of the function.
    pub function: String,
    /// What it is called on, and what it is passed.
    pub arguments: Vec<SlotExpression>,
}

/// A write to a member of a struct, or to a part of one, through a pointer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberWrite {
    /// The write.
    pub span: Span,
    /// What is written to.
    pub target: Span,
    /// The name of the innermost struct, with that of its contract.
    pub structure: String,
    /// The member.
    pub member: String,
}

/// A function that reads or writes members of a struct in storage.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StructUse {
    /// The function.
    pub function: Span,
    /// The name of the struct, with that of its contract.
    pub structure: String,
}

/// `x.slot` where it is not assigned to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SlotMention {
    /// Where; before 0.6 the block of assembly.
    pub span: Span,
    /// The state variable; none for a parameter or a local variable, which may be any.
    pub variable: Option<String>,
}

/// A hash that the code computes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenHash {
    /// The call, or the block of assembly.
    pub span: Span,
    /// Whether it is a block of assembly, which may compute several.
    pub is_block: bool,
}
