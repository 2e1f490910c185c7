//! A [`Worker`] is a thread of a [`Pool`](super::Pool): it takes tasks, runs each for a slice, and gives it back. A fuzzer that
//! panics is reported and replaced, and the thread continues. A session whose fuzzers panic too often is left alone until the
//! next build; all other sessions and campaigns continue.

use super::{
    dispatcher::{Dispatcher, Slice},
    event::Event,
    fuzzer::Fuzzer,
    membership::{MemberId, Membership},
    shrinks::Shrinks,
    task::{self, Spent, Task, Work},
};
use crate::{code::Programs, evm::Executor, harness::Harness, project::EvmVersion};
use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread::JoinHandle,
};

/// Executors that a thread keeps at most. Each project has its own, and contracts whose files do not compile now need another
/// one. Chosen by hand.
const MAX_EXECUTORS: usize = 16;

/// A thread that fuzzes.
pub(super) struct Worker {
    thread: JoinHandle<()>,
}

impl Worker {
    pub(super) fn start(index: usize, dispatcher: Arc<Dispatcher>, background: bool) -> std::io::Result<Self> {
        let thread = std::thread::Builder::new().name(format!("fuzz-{index}")).spawn(move || {
            if background {
                yield_to_others();
            }
            work(&dispatcher);
        })?;
        Ok(Self { thread })
    }

    pub(super) fn has_ended(&self) -> bool {
        self.thread.is_finished()
    }

    pub(super) fn join(self) {
        // A panic was already reported where it happened.
        let _ = self.thread.join();
    }
}

/// The executors of one thread. They cannot move between threads; fuzzers can.
#[derive(Default)]
pub(super) struct Executors(Vec<Cached>);

/// An executor with its key, and the generation in which it was used last.
struct Cached {
    member: MemberId,
    generation: u64,
    programs: Arc<Programs>,
    version: EvmVersion,
    has_cheatcodes: bool,
    executor: Executor,
}

impl Executors {
    /// The executor for a contract of a campaign. Executors that were not used in this generation are dropped.
    fn of(&mut self, member: MemberId, generation: u64, harness: &Harness) -> &mut Executor {
        self.retain(|of, its| of != member || its == generation);
        let version = harness.compiled().evm_version;
        let has_cheatcodes = harness.world.has_cheatcodes();
        let is_it = |cached: &Cached| {
            (cached.member, cached.version, cached.has_cheatcodes) == (member, version, has_cheatcodes)
                && Arc::ptr_eq(&cached.programs, &harness.programs)
        };
        match self.0.iter().position(is_it) {
            Some(at) => self.0[..=at].rotate_right(1),
            None => {
                let (programs, executor) = (harness.programs.clone(), harness.executor());
                self.0.insert(0, Cached { member, generation, programs, version, has_cheatcodes, executor });
            }
        }
        self.0.truncate(MAX_EXECUTORS);
        let executor = &mut self.0[0].executor;
        executor.prefer(harness.contract);
        harness.world.prepare(executor);
        executor
    }

    /// Keeps the executors whose campaign and generation `keeps` accepts.
    pub(super) fn retain(&mut self, keeps: impl Fn(MemberId, u64) -> bool) {
        self.0.retain(|cached| keeps(cached.member, cached.generation));
    }
}

/// Gives this thread the lowest priority, so that an editor, a build or a game goes first.
fn yield_to_others() {
    if let Err(error) = thread_priority::set_current_thread_priority(thread_priority::ThreadPriority::Min) {
        tracing::debug!(%error, "fuzzing at normal priority");
    }
}

fn work(dispatcher: &Dispatcher) {
    let mut executors = Executors::default();
    while let Some(Slice { membership, mut task, most, rank }) = dispatcher.take(|keeps| executors.retain(keeps)) {
        let (session, generation, fuzzes) = (task.session().clone(), task.generation, task.fuzzes());
        let stop = || membership.halts(generation, fuzzes);
        let ran = catch_unwind(AssertUnwindSafe(|| {
            task.run(executors.of(membership.id, generation, &session.harness), most, &stop)
        }));
        let (task, spent) = match ran {
            Ok(spent) => (Some(task).filter(|_| !spent.done), spent),
            Err(panic) => {
                executors = Executors::default();
                (
                    replace(&membership, task, panic.as_ref()),
                    Spent { transactions: most, all: most, ..Spent::default() },
                )
            }
        };
        let back = task.into_iter().chain(task::shrink(&session)).collect();
        dispatcher.give_back(&membership, back, Some((rank, most, spent)));
    }
}

/// Reports a panic with the data that reproduces it, and returns a task to continue with: a new fuzzer with other random
/// numbers, or shrinking without the finding that panicked, which stays as it is. `None` if the session panics too often.
fn replace(membership: &Membership, task: Task, panic: &(dyn std::any::Any + Send)) -> Option<Task> {
    let session = task.session().clone();
    let words = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "a panic without a message".to_owned());
    let name = &session.harness.compiled().name;
    let doing = match &task.work {
        Work::Fuzz(fuzzer) => {
            // The sequence may be one that cannot be written as JSON; its debug form is reported then.
            let calls = fuzzer.in_flight().map_or_else(String::new, |sequence| {
                let written = || sequence.to_json(&session.harness.calls).to_string();
                catch_unwind(AssertUnwindSafe(written)).unwrap_or_else(|_| format!("{sequence:?}"))
            });
            format!("fuzzer {}, sequence {calls}", task.index)
        }
        Work::Shrink(_) => "shrinking a finding".to_owned(),
    };
    let panics = session.count_panic();
    let follows =
        if !session.is_left_alone() { "its fuzzing continues" } else { "it is not fuzzed until the next build" };
    let report = format!(
        "{words}; build {}, contract {name}, seed {}, {doing}; {follows}",
        session.harness.build.id, session.seed
    );
    membership.tell(Event::Panicked { generation: task.generation, contract: name.clone(), report });
    if session.is_left_alone() {
        return None;
    }
    let (index, generation) = (task.index + panics * 1000, task.generation);
    Some(match task.work {
        Work::Fuzz(_) => Task::fuzz(Fuzzer::new(session, index), index, generation),
        Work::Shrink(_) => Task::shrink(Shrinks::new(session), generation),
    })
}
