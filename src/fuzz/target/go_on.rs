//! The same targets on the next build: what is to be reached does not change where code does not, only where it stands.

use super::{Target, Targets, place::Places};
use crate::subject::Subject;
use std::sync::{
    Mutex,
    atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
};

impl Targets {
    /// These, on a build that runs the same code.
    pub(in crate::fuzz) fn go_on(&self, subject: &Subject) -> Self {
        let places = Places::of(subject);
        let list = self.list.iter().map(|target| {
            let line = target.blocks.iter().find_map(|(program, block)| places.line(*program, *block));
            let outer = || target.blocks.first().map(|(program, block)| places.outer(*program, *block));
            let (source, line) = line.or_else(outer).unwrap_or((target.source, target.line));
            Target { source, line, fails: target.fails, blocks: target.blocks.clone() }
        });
        Self {
            list: list.collect(),
            at: self.at.clone(),
            named: self.named,
            states: Mutex::new(self.states()),
            open: AtomicUsize::new(self.open()),
            version: AtomicU64::new(self.version() + 1),
            proved: AtomicBool::new(self.proved.load(Ordering::Relaxed)),
        }
    }
}
