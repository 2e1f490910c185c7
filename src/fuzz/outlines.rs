//! [`Outlines`] keep the [`ProgramOutline`]s of the newest build that was asked about: they follow from its code and sources, and
//! are asked for once a second.

use crate::{
    code::{ProgramId, ProgramOutline, Programs},
    compile::Build,
};
use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
};

/// Outlines by program.
#[derive(Debug, Default)]
pub(super) struct Outlines(Mutex<Known>);

#[derive(Debug, Default)]
struct Known {
    /// The programs of the build.
    of: Option<Arc<Programs>>,
    outlines: HashMap<ProgramId, Arc<ProgramOutline>>,
}

impl Outlines {
    /// The outline of a program of a build, whose programs these are.
    pub(super) fn of(&self, build: &Build, programs: &Arc<Programs>, id: ProgramId) -> Arc<ProgramOutline> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.of.as_ref().is_none_or(|of| !Arc::ptr_eq(of, programs)) {
            *known = Known { of: Some(programs.clone()), outlines: HashMap::new() };
        }
        let outline = || Arc::new(ProgramOutline::of(build, programs, id));
        known.outlines.entry(id).or_insert_with(outline).clone()
    }
}
