//! The client is the editor. This module knows its capabilities, its settings and the commands that it may send, and sends
//! messages to it. It knows nothing of projects, and does not read the client's messages.

pub(super) mod capabilities;
pub(super) mod command;
pub(super) mod coverage;
pub(super) mod log;
pub(super) mod outbox;
pub(super) mod progress;
pub(super) mod settings;
pub(super) mod status;
