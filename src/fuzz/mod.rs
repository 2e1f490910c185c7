//! `fuzz` is the loop: pick, mutate, run, observe, keep. A [`Session`] fuzzes one contract of one build; a [`Campaign`] runs
//! the sessions of a project on the threads of a [`Pool`] and carries corpus, coverage and findings from build to build.
//!
//! A [`Fuzzer`] is one worker's part of a session. In each step it replays a sequence of an earlier build (`stages/replay.rs`),
//! tries deployments (`stages/deploy.rs`), runs the search within its share (`stages/search.rs`, `share.rs`), or draws another
//! stage by weight. `execute.rs` is the one place where a transaction is judged and kept. While targets of the user or of a
//! change are open, entries are picked by the schedule of the lookahead paper (`schedule.rs`, `steer.rs`).
//!
//! All campaigns of a server share one [`Pool`]: its `dispatcher` hands out slices, by rank first (`turns.rs`: of eight slices
//! five go to contracts of the open file, two to those that import the file that changed last, one to the rest), within a rank
//! to the campaign that had the fewest transactions. `rebase.rs` moves sessions to a new build: findings are replayed; where a
//! contract runs the same code, its session continues; where it does not, its corpus is replayed, adapted to the new interface.

mod baseline;
mod branch_survey;
mod budget;
mod call_records;
mod campaign;
mod confirm;
mod created;
mod dispatcher;
mod event;
mod exchange_handle;
mod execute;
mod findings;
mod fuzzer;
mod guidance;
mod idle_ignores;
mod load;
mod membership;
mod obstacles;
mod options;
mod outlines;
mod oversize;
mod pick;
mod pool;
mod progress;
mod properties;
mod property_reads;
mod queue;
mod rebase;
mod receive;
mod refusal;
mod remarks;
mod rerun;
mod reuse;
mod schedule;
mod session;
mod session_shared;
mod sessions;
mod share;
mod shrink_queue;
mod shrinks;
mod stages;
mod steer;
mod store_handle;
mod survey;
mod target;
mod task;
mod techniques;
mod turns;
mod unanswered;
mod unpaid;
mod unreached;
mod upgrades;
mod waiting;
mod wanted_keys;
mod withdrawals;
mod worker;
mod worlds;

pub use crate::corpus::Share;
pub use branch_survey::{BranchSurvey, BranchSurveys, add_branches};
pub use campaign::Campaign;
pub use event::{Event, EventSink};
pub use fuzzer::Fuzzer;
pub use idle_ignores::IdleIgnore;
pub use options::{Lines, Options};
pub use pool::Pool;
pub use progress::{Progress, TargetReport};
pub use remarks::Remark;
pub use schedule::Configuration;
pub use session::Session;
pub use survey::{AlwaysReverted, BlockState, ContractSurvey, FileSurvey, FunctionSurvey, ProgramSurvey, Survey};
pub use target::{Target, TargetState, Targets};
pub use techniques::Techniques;
pub use turns::Focus;
