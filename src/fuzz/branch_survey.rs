//! Which ways the branches of the source went, in the sessions of a campaign. It is asked for once, for a report: the survey, which an
//! editor asks for all the time, counts edges only.

use super::{campaign::Campaign, worlds::Worlds};
use crate::{
    code::Program,
    compile::{Build, SourceRange},
};
use std::{collections::BTreeMap, sync::Arc};

/// The ways that a branch of the source went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BranchSurvey {
    /// Whether it went on with its condition true.
    pub was_true: bool,
    /// Whether it went on with its condition false.
    pub was_false: bool,
}

/// Branches by their places. Code that was compiled into several programs has its branches once.
pub type BranchSurveys = BTreeMap<SourceRange, BranchSurvey>;

impl Campaign {
    /// The branches of all code of a build that the sessions on it may run.
    pub fn branches(&self, build: &Arc<Build>) -> BranchSurveys {
        let sessions = self.sessions().clone();
        let mut surveys = BranchSurveys::new();
        for session in Worlds::of(&sessions).iter().flat_map(|worlds| worlds.sessions()) {
            if Arc::ptr_eq(&session.harness.build, build) {
                for id in session.harness.code() {
                    let program = session.harness.programs.get(*id);
                    add_branches(&mut surveys, build, program, |pc, taken| session.coverage.has_edge(*id, pc, taken));
                }
            }
        }
        surveys
    }
}

/// Adds the branches of a program, with the edges that were reached.
pub fn add_branches(
    surveys: &mut BranchSurveys,
    build: &Build,
    program: &Program,
    has_edge: impl Fn(u32, bool) -> bool,
) {
    for (pc, place) in program.written_branches() {
        let taken_if_true = program.is_taken_if_true(&build.source(place.0).ast, pc, place);
        let survey = surveys.entry(place).or_default();
        survey.was_true |= has_edge(pc, taken_if_true);
        survey.was_false |= has_edge(pc, !taken_if_true);
    }
}
