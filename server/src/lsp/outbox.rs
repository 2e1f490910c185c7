//! The [`Outbox`] is all that the server says of its own accord, in order. The state's thread puts it in without waiting; a task
//! hands it to the client, and what the client answers comes back as an event.

use super::{config::SECTION, event::Event, status::Status};
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender};
use tower_lsp_server::{
    Client,
    ls_types::{
        ConfigurationItem, MessageType, ProgressParams, ProgressParamsValue, ProgressToken, PublishDiagnosticsParams,
        Registration, WorkDoneProgress, WorkspaceEdit, notification,
    },
};

/// How long work waits for the client's settings.
const PATIENCE: Duration = Duration::from_secs(5);

/// Something to say.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Outgoing {
    Diagnostics(PublishDiagnosticsParams),
    Status(Status),
    Log(MessageType, String),
    Show(MessageType, String),
    Register(Vec<Registration>),
    /// Has the client change files.
    ApplyEdit(Box<WorkspaceEdit>),
    /// Asks for settings.
    PullConfiguration,
    /// Asks whether the progress with this number may be shown.
    CreateProgress(u32),
    Progress(u32, WorkDoneProgress),
}

/// Takes what is to be said.
#[derive(Debug, Clone)]
pub(super) struct Outbox {
    sender: UnboundedSender<Outgoing>,
}

impl Outbox {
    /// An outbox, and where [`deliver`] takes from.
    pub(super) fn new() -> (Self, UnboundedReceiver<Outgoing>) {
        let (sender, receiver) = tokio::sync::mpsc::unbounded_channel();
        (Self { sender }, receiver)
    }

    /// Says it, soon.
    pub(super) fn send(&self, outgoing: Outgoing) {
        // Nobody listens any more when the server ends.
        let _ = self.sender.send(outgoing);
    }
}

/// Hands everything to the client until the outbox is gone.
pub(super) async fn deliver(
    mut outgoing: UnboundedReceiver<Outgoing>,
    client: Client,
    events: std::sync::mpsc::Sender<Event>,
) {
    while let Some(outgoing) = outgoing.recv().await {
        match outgoing {
            Outgoing::Diagnostics(params) => client.send_notification::<notification::PublishDiagnostics>(params).await,
            Outgoing::Status(status) => client.send_notification::<super::status::Notification>(status).await,
            Outgoing::Log(level, message) => client.log_message(level, message).await,
            Outgoing::Show(level, message) => client.show_message(level, message).await,
            Outgoing::Progress(number, progress) => {
                let params = ProgressParams { token: token(number), value: ProgressParamsValue::WorkDone(progress) };
                client.send_notification::<notification::Progress>(params).await;
            }
            // A client may take its time to answer; what else there is to say does not wait for that.
            request => drop(tokio::spawn(ask(request, client.clone(), events.clone()))),
        }
    }
}

/// Asks the client, and brings the answer.
async fn ask(request: Outgoing, client: Client, events: std::sync::mpsc::Sender<Event>) {
    let answer = match request {
        Outgoing::Register(registrations) => {
            if let Err(error) = client.register_capability(registrations).await {
                tracing::info!("files are not watched by the client: {error}");
            }
            return;
        }
        Outgoing::ApplyEdit(edit) => {
            let refused = match client.apply_edit(*edit).await {
                Ok(answer) if answer.applied => return,
                Ok(answer) => answer.failure_reason.unwrap_or_else(|| "it does not say why".to_owned()),
                Err(error) => error.to_string(),
            };
            tracing::warn!("the client did not write the test: {refused}");
            return;
        }
        Outgoing::PullConfiguration => {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let answer = tokio::time::timeout(PATIENCE, client.configuration(vec![item])).await;
            let settings = match answer {
                Ok(Ok(settings)) => settings.into_iter().next(),
                Ok(Err(error)) => {
                    tracing::info!("the client gives no settings: {error}");
                    None
                }
                Err(_) => {
                    tracing::warn!(
                        "the client does not answer when it is asked for settings: work begins without them"
                    );
                    None
                }
            };
            Event::Pulled(settings.unwrap_or_default())
        }
        Outgoing::CreateProgress(number) => {
            let allowed = client.create_work_done_progress(token(number)).await.is_ok();
            Event::ProgressAllowed { number, allowed }
        }
        _ => return,
    };
    let _ = events.send(answer);
}

fn token(number: u32) -> ProgressToken {
    ProgressToken::String(format!("bellwether/{number}"))
}
