//! The client is the editor. Here stands what is known of it (what it can do, what its user has set, which commands it may send) and what
//! is said to it. Nothing here knows of projects, and nothing reads its messages.

pub(super) mod capabilities;
pub(super) mod command;
pub(super) mod log;
pub(super) mod outbox;
pub(super) mod progress;
pub(super) mod settings;
pub(super) mod status;
