//! The log goes to standard error, filtered by `--log`. Warnings and errors for the user also go to the client. Standard output
//! belongs to the protocol. A thread of its own writes to standard error, so that a client that does not read it blocks
//! nothing.

use super::outbox::{Outbox, Outgoing};
use std::{
    fmt::{Debug, Write},
    sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    time::Duration,
};
use tower_lsp_server::ls_types::MessageType;
use tracing::{
    Event, Level, Subscriber,
    field::{Field, Visit},
};
use tracing_subscriber::{
    EnvFilter, Layer,
    layer::{Context, SubscriberExt},
    util::SubscriberInitExt,
};

/// The tracing target of messages that are no warnings but still go to the client.
pub(crate) const TOLD: &str = "bellwether::told";

/// Lines that wait for standard error. Further ones are lost; chosen by hand.
const MAX_LINES: usize = 1_024;

/// Starts logging.
///
/// # Errors
///
/// If the level is none, or there is no thread to write on.
pub(crate) fn start(level: &str, outbox: Outbox) -> anyhow::Result<Log> {
    let filter = EnvFilter::builder()
        .parse(level)
        .map_err(|_| anyhow::anyhow!("--log {level:?} is not a level; give one of error, warn, info, debug, trace"))?;
    let (lines, waiting) = sync_channel(MAX_LINES);
    std::thread::Builder::new().name("log".to_owned()).spawn(move || write(&waiting))?;
    let log = Log { lines: lines.clone() };
    // A standard error that nobody reads any more must not end the server, so that failing to write to it is not told there.
    let stderr = tracing_subscriber::fmt::layer()
        .with_writer(move || LineWriter { lines: lines.clone() })
        .with_ansi(false)
        .log_internal_errors(false);
    tracing_subscriber::registry().with(stderr.with_filter(filter)).with(ToClient { outbox }).try_init()?;
    Ok(log)
}

/// Writes the log to standard error.
pub(crate) struct Log {
    lines: SyncSender<LogEntry>,
}

enum LogEntry {
    Line(Vec<u8>),
    /// Answers when everything before it is written.
    Flush(SyncSender<()>),
}

impl Log {
    /// Waits until everything is written, at most for `patience`: it may be that nothing reads it.
    pub(crate) fn flush(&self, patience: Duration) {
        let (written, told) = sync_channel(1);
        if self.lines.try_send(LogEntry::Flush(written)).is_ok() {
            let _: Result<(), RecvTimeoutError> = told.recv_timeout(patience);
        }
    }
}

/// Takes one line of the log.
struct LineWriter {
    lines: SyncSender<LogEntry>,
}

impl std::io::Write for LineWriter {
    fn write(&mut self, text: &[u8]) -> std::io::Result<usize> {
        // Lost where too many wait already.
        let _ = self.lines.try_send(LogEntry::Line(text.to_owned()));
        Ok(text.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Writes the entries, for as long as the process runs.
fn write(waiting: &Receiver<LogEntry>) {
    use std::io::Write;
    for entry in waiting {
        // Where it cannot be written, there is nobody to tell.
        let _ = match entry {
            LogEntry::Line(text) => std::io::stderr().write_all(&text),
            LogEntry::Flush(written) => {
                let _ = written.send(());
                Ok(())
            }
        };
    }
}

/// Sends warnings and errors of our own to the client.
struct ToClient {
    outbox: Outbox,
}

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let kind = match *metadata.level() {
            // A message of the protocol's own library may be about sending this very message.
            _ if !metadata.target().starts_with("bellwether") => return,
            Level::ERROR => MessageType::ERROR,
            Level::WARN => MessageType::WARNING,
            _ if metadata.target() == TOLD => MessageType::INFO,
            _ => return,
        };
        let mut words = EventText::default();
        event.record(&mut words);
        self.outbox.send(Outgoing::Log(kind, format!("{}{}", words.message, words.fields)));
    }
}

#[derive(Default)]
struct EventText {
    message: String,
    fields: String,
}

impl Visit for EventText {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
