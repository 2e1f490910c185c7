//! Which code holds other code: a contract that creates another one carries its creation code as data. It is found by its
//! bytes, so that assembly and `type(C).creationCode` count like `new C()`; who runs it, and whether anybody does, is not known.

use super::{Program, ProgramId};
use std::{collections::HashMap, sync::Arc};

/// So many bytes tell where code may begin; shorter code is not looked for.
const HEAD: usize = 16;

/// The programs that each of these holds, itself apart. An id that no program has holds none.
pub(super) fn embedded(list: &[Option<Arc<Program>>]) -> Vec<Vec<ProgramId>> {
    let mut heads: HashMap<&[u8], Vec<ProgramId>> = HashMap::new();
    // Most positions are told by two bytes to be no beginning of anything.
    let mut begins = vec![false; 1 << 16];
    let pair = |code: &[u8]| usize::from(u16::from_be_bytes([code[0], code[1]]));
    for (program, id) in list.iter().zip((0..).map(ProgramId)) {
        if let Some(head) = program.as_ref().and_then(|program| program.code.get(..HEAD)) {
            heads.entry(head).or_default().push(id);
            begins[pair(head)] = true;
        }
    }
    let held_by = |holder: &Arc<Program>| {
        let mut held: Vec<ProgramId> = Vec::new();
        for (at, window) in holder.code.windows(HEAD).enumerate().filter(|(_, window)| begins[pair(window)]) {
            for id in heads.get(window).into_iter().flatten() {
                let Some(other) = &list[id.0 as usize] else { continue };
                if !Arc::ptr_eq(other, holder) && holder.code[at..].starts_with(&other.code) && !held.contains(id) {
                    held.push(*id);
                }
            }
        }
        held.sort_unstable();
        held
    };
    list.iter().map(|program| program.as_ref().map(held_by).unwrap_or_default()).collect()
}
