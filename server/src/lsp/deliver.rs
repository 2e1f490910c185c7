//! Delivers the messages in the outbox to the client. A task of its own does it for as long as the server runs, and answers of
//! the client come back as events.

use super::{
    client::{
        coverage,
        outbox::{Deliveries, Outgoing, Question},
        settings::SECTION,
        status,
    },
    event::ServerEvent,
    trust,
};
use std::{collections::HashMap, sync::mpsc::Sender, time::Duration};
use tower_lsp_server::{
    Client,
    ls_types::{
        ConfigurationItem, MessageActionItem, MessageType, ProgressParams, ProgressParamsValue, ProgressToken,
        ShowDocumentParams, notification,
    },
};

/// The time that work waits for the client's settings; chosen by hand.
const SETTINGS_TIMEOUT: Duration = Duration::from_secs(5);

/// Sends every message to the client, for as long as the server runs.
pub(crate) async fn deliver(deliveries: Deliveries, client: Client, events: Sender<ServerEvent>) {
    loop {
        match deliveries.next().await {
            Outgoing::Diagnostics(params) => client.send_notification::<notification::PublishDiagnostics>(params).await,
            Outgoing::Status(status) => client.send_notification::<status::Notification>(status).await,
            Outgoing::Coverage(coverage) => client.send_notification::<coverage::Notification>(coverage).await,
            Outgoing::Log(level, message) => client.log_message(level, message).await,
            Outgoing::Show(level, message) => client.show_message(level, message).await,
            Outgoing::Progress(number, progress) => {
                let params = ProgressParams { token: token(number), value: ProgressParamsValue::WorkDone(progress) };
                client.send_notification::<notification::Progress>(params).await;
            }
            // A client may take long to answer; further messages do not wait for that.
            request => drop(tokio::spawn(ask(request, client.clone(), events.clone()))),
        }
    }
}

/// Sends a request to the client, and its answer to the state.
async fn ask(request: Outgoing, client: Client, events: Sender<ServerEvent>) {
    let answer = match request {
        Outgoing::Register(registrations) => {
            if let Err(error) = client.register_capability(registrations).await {
                tracing::info!("the client does not watch files: {error}");
            }
            return;
        }
        Outgoing::ShowDocument(document) => return show(&client, document).await,
        Outgoing::RefreshLenses => {
            if let Err(error) = client.code_lens_refresh().await {
                tracing::debug!("the client does not refresh lenses: {error}");
            }
            return;
        }
        Outgoing::RefreshHints => {
            if let Err(error) = client.inlay_hint_refresh().await {
                tracing::debug!("the client does not refresh inlay hints: {error}");
            }
            return;
        }
        Outgoing::ApplyEdit(edit, document) => {
            let refused = match client.apply_edit(*edit).await {
                Ok(answer) if answer.applied => match document {
                    Some(document) => return show(&client, document).await,
                    None => return,
                },
                Ok(answer) => answer.failure_reason.unwrap_or_else(|| "it does not say why".to_owned()),
                Err(error) => error.to_string(),
            };
            tracing::warn!("the client did not write the test: {refused}");
            return;
        }
        Outgoing::PullConfiguration => {
            let item = ConfigurationItem { scope_uri: None, section: Some(SECTION.to_owned()) };
            let answer = tokio::time::timeout(SETTINGS_TIMEOUT, client.configuration(vec![item])).await;
            let settings = match answer {
                Ok(Ok(settings)) => settings.into_iter().next(),
                Ok(Err(error)) => {
                    tracing::info!("the client gives no settings: {error}");
                    None
                }
                Err(_) => {
                    tracing::warn!("the client does not answer the request for settings: work begins without them");
                    None
                }
            };
            ServerEvent::Pulled(settings.unwrap_or_default())
        }
        Outgoing::CreateProgress(number) => {
            let allowed = client.create_work_done_progress(token(number)).await.is_ok();
            ServerEvent::ProgressAllowed { number, allowed }
        }
        Outgoing::Ask(Question { workspace, words }) => {
            let actions = [trust::YES, trust::NO]
                .map(|title| MessageActionItem { title: title.to_owned(), properties: HashMap::new() });
            let answer = client.show_message_request(MessageType::WARNING, words, Some(actions.into())).await;
            let chosen = answer
                .inspect_err(|error| {
                    tracing::info!("the client does not ask whether the workspace is trusted: {error}");
                })
                .ok()
                .flatten();
            let answer = chosen.filter(|action| action.title == trust::YES || action.title == trust::NO);
            ServerEvent::TrustAnswered { workspace, answer: answer.map(|action| action.title == trust::YES) }
        }
        _ => return,
    };
    let _ = events.send(answer);
}

/// Asks the client to open a document. If it does not, the user still can.
async fn show(client: &Client, document: ShowDocumentParams) {
    if let Err(error) = client.show_document(document).await {
        tracing::info!("the client did not open the test: {error}");
    }
}

fn token(number: u32) -> ProgressToken {
    ProgressToken::String(format!("bellwether/{number}"))
}
