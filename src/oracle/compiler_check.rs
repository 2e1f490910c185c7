//! `compiler-check`: a check that the compiler inserted fails (SWC-110): division by zero, an index out of bounds, an
//! enum out of range, `pop` on an empty array, a call of an uninitialised function pointer.

use super::{Cause, Oracle};
use crate::{
    compile::NodeKind,
    project::{self, OracleMeta},
};

#[derive(Debug)]
pub(super) struct CompilerCheck;

impl Oracle for CompilerCheck {
    fn meta(&self) -> &'static OracleMeta {
        &project::COMPILER_CHECK
    }

    fn judges(&self, cause: Cause) -> bool {
        match cause {
            Cause::Panic(code) => matches!(code, 0x12 | 0x21 | 0x31 | 0x32 | 0x51),
            // Of what kind a check is may not be known; that it fails is.
            Cause::Invalid(kind) => kind != Some(NodeKind::Assert),
            Cause::Event | Cause::Write => false,
        }
    }
}
