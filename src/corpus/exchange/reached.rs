//! What a sequence reached first, by names that other processes understand: the hash of a program's code, and byte offsets in it. A
//! machine that has reached all of it runs the sequence after others.

use crate::{
    code::{Program, ProgramId, Programs},
    corpus::{code_part::CodePart, coverage::Coverage},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, fmt::Write};

/// Parts of programs: for the hash of each program, 16 hex digits, its parts with a space between them. A block is named by its byte
/// offset, `40`; an edge by that of its JUMPI, `66+` if it jumps and `66-` if it does not; a write to any slot by that of its SSTORE, `90w`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Reached(BTreeMap<String, String>);

impl Reached {
    /// The names of these parts.
    pub(crate) fn of(parts: &[CodePart], programs: &Programs) -> Self {
        let mut named = BTreeMap::<_, String>::new();
        for part in parts {
            let (CodePart::Edge { program, .. } | CodePart::Block { program, .. } | CodePart::Write { program, .. }) =
                *part;
            let code = programs.get(program);
            let names = named.entry(format!("{:016x}", code.hash())).or_default();
            if !names.is_empty() {
                names.push(' ');
            }
            let _ = match *part {
                CodePart::Block { block, .. } => write!(names, "{}", code.block(block).start),
                CodePart::Edge { pc, taken, .. } => write!(names, "{pc}{}", if taken { '+' } else { '-' }),
                CodePart::Write { pc, .. } => write!(names, "{pc}w"),
            };
        }
        Self(named)
    }

    /// Whether nothing is named.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all of it was reached here. Not if nothing is named, or something that is not understood.
    pub(crate) fn is_in(&self, coverage: &Coverage) -> bool {
        let is_reached = |hash: &str, names: &str| {
            let hash = u64::from_str_radix(hash, 16).ok()?;
            let (id, program) = coverage.reached_program(hash)?;
            let mut parts = names.split(' ').map(|name| part(name, id, program));
            Some(parts.all(|part| part.is_some_and(|part| coverage.has(part))))
        };
        !self.is_empty() && self.0.iter().all(|(hash, names)| is_reached(hash, names) == Some(true))
    }
}

/// The part of a program with this name.
fn part(name: &str, program: ProgramId, code: &Program) -> Option<CodePart> {
    let digits = name.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(name.len());
    let pc: u32 = name[..digits].parse().ok()?;
    // Nothing may be asked about a byte that the code does not have.
    let block = code.block_of(pc)?;
    match &name[digits..] {
        "" => (code.block(block).start == pc).then_some(CodePart::Block { program, block }),
        "+" => Some(CodePart::Edge { program, pc, taken: true }),
        "-" => Some(CodePart::Edge { program, pc, taken: false }),
        "w" => Some(CodePart::Write { program, pc }),
        _ => None,
    }
}
