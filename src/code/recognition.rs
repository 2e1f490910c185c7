//! [`Recognition`] finds the programs that code on chain may be an instance of. Deployed code differs from the program where an
//! immutable or an address was filled in, and init code has arguments behind it. These bytes are zeroed on both sides, so that
//! the rest is looked up in a map instead of being compared with every program.

use super::{
    prefixes::Prefixes,
    program::ProgramId,
    program::{Program, Stage},
};
use alloy_primitives::Bytes;
use std::{collections::BTreeMap, collections::HashMap, sync::Arc};

/// Byte ranges `(start, length)` that may differ.
type Loose = Vec<(usize, usize)>;

/// All programs of a build, by their code.
#[derive(Debug)]
pub(super) struct Recognition {
    /// Deployed code, by length and by the ranges that may differ.
    runtime: BTreeMap<(usize, Loose), HashMap<Bytes, Vec<ProgramId>>>,
    /// Init code, by the ranges that may differ.
    creation: Vec<(Loose, Prefixes<ProgramId>)>,
}

impl Recognition {
    /// Indexes these programs, each with the ranges that may differ. An id without a program is never found.
    pub(super) fn of(list: &[Option<Arc<Program>>], loose: &[Loose]) -> Self {
        let mut runtime: BTreeMap<(usize, Loose), HashMap<Bytes, Vec<ProgramId>>> = BTreeMap::new();
        let mut creation: BTreeMap<Loose, Vec<(Bytes, ProgramId)>> = BTreeMap::new();
        for ((id, program), loose) in (0..).map(ProgramId).zip(list).zip(loose) {
            let Some(program) = program.as_ref().filter(|program| !program.code.is_empty()) else { continue };
            let code = blank(program.code.clone(), loose);
            match program.stage {
                Stage::Runtime => {
                    runtime.entry((code.len(), loose.clone())).or_default().entry(code).or_default().push(id);
                }
                Stage::Creation => creation.entry(loose.clone()).or_default().push((code, id)),
            }
        }
        let creation = creation.into_iter().map(|(loose, codes)| (loose, Prefixes::of(codes))).collect();
        Self { runtime, creation }
    }

    /// The programs that `code` may be, in no order.
    pub(super) fn find(&self, code: &Bytes, stage: Stage) -> Vec<ProgramId> {
        match stage {
            Stage::Runtime => {
                let of_length = self.runtime.range((code.len(), Loose::new())..(code.len() + 1, Loose::new()));
                of_length
                    .filter_map(|((_, loose), codes)| codes.get(&blank(code.clone(), loose)))
                    .flatten()
                    .copied()
                    .collect()
            }
            Stage::Creation => {
                let each = self.creation.iter();
                each.flat_map(|(loose, codes)| codes.begin(&blank(code.clone(), loose)).collect::<Vec<_>>()).collect()
            }
        }
    }
}

/// The code with zeros where it may differ.
fn blank(code: Bytes, loose: &Loose) -> Bytes {
    if loose.is_empty() {
        return code;
    }
    let mut bytes = code.to_vec();
    for (start, length) in loose {
        let end = (start + length).min(bytes.len());
        if let Some(range) = bytes.get_mut(*start..end) {
            range.fill(0);
        }
    }
    bytes.into()
}
