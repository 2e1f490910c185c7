//! `layout-change`: an upgradeable contract whose storage layout does not fit the words that an older build left in it. It judges
//! builds, not transactions: whoever has both compares their layouts, runs the new code on the old storage, and makes the finding.

use super::{
    evidence::{Evidence, Replay},
    execution::Execution,
    interface::{Needs, Oracle},
    meta::{OracleMeta, oracle_meta},
    trial::Trial,
    violation::{Cause, Place, PlaceKind, Violation},
    violations::Violations,
    weight::Weight,
};
use crate::{compile::SourceRange, project::Level};

const META: OracleMeta = oracle_meta! {
    id: "layout-change",
    title: "An upgrade reads what another variable wrote",
    swc: "124",
    level: Level::Error,
    description: "The storage layout of an upgradeable contract changed so that stored words are read as another variable",
};

/// The name of the oracle, for those who judge builds.
pub(crate) const LAYOUT_CHANGE: &str = META.id;

#[derive(Debug)]
pub(super) struct LayoutChange;

/// The violation at the declaration of a variable, or at the name of a contract.
pub(crate) fn layout_change((source, span): SourceRange) -> Violation {
    let place = Place { source, span, kind: PlaceKind::Span };
    Violation { oracle: META.id, place, cause: Cause::Other("layout does not fit what is stored") }
}

/// Whether a violation is about the layouts of two builds, so that no transaction shows it.
pub(crate) fn is_layout_change(violation: &Violation) -> bool {
    violation.oracle == META.id
}

impl Oracle for LayoutChange {
    fn meta(&self) -> &'static OracleMeta {
        &META
    }

    fn needs(&self) -> Needs {
        Needs::default()
    }

    fn after_transaction(&self, _: &Execution<'_>, _: &mut Violations<'_>) {}

    fn weigh(&self, _: &Violation, _: &mut Trial<'_>) -> Option<Weight> {
        None
    }

    fn evidence(&self, _: &Violation, _: &Replay<'_>) -> Result<Evidence, &'static str> {
        Err("no function returns what was stored, in a form that a test can compare")
    }
}
