//! The log goes to standard error, as much of it as `--log` says; and what a user should know of, warnings and errors, to the
//! client as well. Standard output belongs to the protocol.

use super::outbox::{Outbox, Outgoing};
use std::fmt::{Debug, Write};
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

/// The target of what is no warning, but still to be told to the client.
pub(super) const TOLD: &str = "bellwether::told";

/// Starts logging.
///
/// # Errors
///
/// If the level is none.
pub(super) fn start(level: &str, outbox: Outbox) -> anyhow::Result<()> {
    let filter = EnvFilter::builder()
        .parse(level)
        .map_err(|_| anyhow::anyhow!("--log {level:?} is no level: give one of error, warn, info, debug, trace"))?;
    // A standard error that nobody reads any more must not end the server, so that failing to write to it is not told there.
    let stderr =
        tracing_subscriber::fmt::layer().with_writer(std::io::stderr).with_ansi(false).log_internal_errors(false);
    tracing_subscriber::registry().with(stderr.with_filter(filter)).with(ToClient { outbox }).try_init()?;
    Ok(())
}

/// Sends warnings and errors of our own to the client.
struct ToClient {
    outbox: Outbox,
}

impl<S: Subscriber> Layer<S> for ToClient {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let metadata = event.metadata();
        let kind = match *metadata.level() {
            // What the protocol's own library says may be about sending this very message.
            _ if !metadata.target().starts_with("bellwether") => return,
            Level::ERROR => MessageType::ERROR,
            Level::WARN => MessageType::WARNING,
            _ if metadata.target() == TOLD => MessageType::INFO,
            _ => return,
        };
        let mut words = Words::default();
        event.record(&mut words);
        self.outbox.send(Outgoing::Log(kind, format!("{}{}", words.message, words.fields)));
    }
}

#[derive(Default)]
struct Words {
    message: String,
    fields: String,
}

impl Visit for Words {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        // Writing to a string cannot fail.
        let _ = match field.name() {
            "message" => write!(self.message, "{value:?}"),
            name => write!(self.fields, " {name}={value:?}"),
        };
    }
}
