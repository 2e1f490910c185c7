//! `compiler-check`: a check that the compiler inserted fails (SWC-110): division by zero, an index out of bounds, an
//! enum out of range, `pop` on an empty array, a call of an uninitialised function pointer.

use super::{Cause, Oracle};
use crate::compile::NodeKind;

#[derive(Debug)]
pub(super) struct CompilerCheck;

impl Oracle for CompilerCheck {
    fn name(&self) -> &'static str {
        "compiler-check"
    }

    fn swc(&self) -> &'static str {
        "110"
    }

    fn judges(&self, cause: Cause) -> bool {
        match cause {
            Cause::Panic(code) => matches!(code, 0x12 | 0x21 | 0x31 | 0x32 | 0x51),
            Cause::Invalid(kind) => matches!(
                kind,
                Some(NodeKind::Division | NodeKind::Index | NodeKind::Conversion | NodeKind::Pop | NodeKind::Call)
            ),
            Cause::Event | Cause::Write => false,
        }
    }
}
