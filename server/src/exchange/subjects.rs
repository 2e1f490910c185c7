//! The subjects of a stream on a NATS server.

use async_nats::jetstream::stream::Stream;
use futures_util::TryStreamExt;

/// The subjects of the messages that a stream has, as far as they match a filter: one question, however many there are.
pub(super) async fn subjects(stream: &Stream, filter: String) -> Result<Vec<String>, String> {
    let told = stream.info_with_subjects(filter).await.map_err(|error| error.to_string())?;
    let told: Vec<(String, usize)> = told.try_collect().await.map_err(|error| error.to_string())?;
    Ok(told.into_iter().map(|(subject, _)| subject).collect())
}
