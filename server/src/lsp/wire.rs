//! The wire is standard input in front of the protocol's codec, which gives up at the first unreadable frame. Each frame is
//! checked here first: a malformed one is skipped, or answered with an error, and the following ones are read all the same.

mod abandoned;
mod frames;

pub(super) use abandoned::abandoned;
pub use frames::{Frame, Frames};

use serde_json::{Value, json};
use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt},
    sync::{Semaphore, mpsc},
};

/// The method that replaces an unreadable body, so that the client gets an error. See `Server::malformed`.
pub(super) const MALFORMED: &str = "$bellwether/malformed";
/// The method that replaces a request that only some servers know. It does not exist, so the request is answered with an error;
/// the protocol's library would leave it unanswered.
const UNKNOWN: &str = "$bellwether/unknown";

/// Bytes of messages that may wait for the codec, which reads no further while the client does not read its answers. As long as the
/// longest frame; chosen by hand.
const MAX_BACKLOG_BYTES: usize = 64 << 20;

/// The queue of messages that were read and not yet taken by the codec. Reading goes on while they wait, so that the end of the
/// input and an `exit` are noticed even if nobody reads the output.
pub(super) fn backlog() -> (Reader, Feeder) {
    let (sender, messages) = mpsc::unbounded_channel();
    let room = Arc::new(Semaphore::new(MAX_BACKLOG_BYTES));
    (Reader { messages: sender, room: room.clone() }, Feeder { messages, room })
}

/// Puts messages into the backlog.
pub(super) struct Reader {
    messages: mpsc::UnboundedSender<Vec<u8>>,
    room: Arc<Semaphore>,
}

/// Hands messages of the backlog to the codec.
pub(super) struct Feeder {
    messages: mpsc::UnboundedReceiver<Vec<u8>>,
    room: Arc<Semaphore>,
}

impl Reader {
    /// Reads messages until the input ends or the client says `exit`. Notes whether it said `shutdown`: one that is followed by an
    /// `exit` at once may be cancelled before anybody else hears of it. Where the backlog is full, nothing is read until there is room,
    /// or `abandoned` says that nobody writes to the input any more.
    ///
    /// # Errors
    ///
    /// If the input cannot be read, or is abandoned with a full backlog.
    pub(super) async fn read(
        self,
        mut input: impl AsyncRead + Unpin,
        shut_down: &AtomicBool,
        abandoned: impl Future<Output = ()>,
    ) -> std::io::Result<()> {
        tokio::pin!(abandoned);
        let mut frames = Frames::default();
        let mut chunk = vec![0; 64 << 10];
        loop {
            let count = input.read(&mut chunk).await?;
            if count == 0 {
                if frames.held() > 0 {
                    tracing::warn!("the input ended in the middle of a message, after {} bytes of it", frames.held());
                }
                return Ok(());
            }
            frames.push(&chunk[..count]);
            while let Some(frame) = frames.next() {
                let Some((body, method)) = message(frame) else { continue };
                if method == "shutdown" {
                    shut_down.store(true, Ordering::SeqCst);
                }
                tokio::select! {
                    biased;
                    () = self.put(body) => {}
                    () = &mut abandoned => {
                        return Err(std::io::Error::other("it ended without reading the server's messages"));
                    }
                }
                if method == "exit" {
                    return Ok(());
                }
            }
        }
    }

    async fn put(&self, body: Vec<u8>) {
        // Neither is ever closed while somebody takes messages; else nobody misses them.
        if let Ok(room) = self.room.acquire_many(weight(&body)).await {
            room.forget();
            let _ = self.messages.send(body);
        }
    }
}

impl Feeder {
    /// Hands on all messages, until the reader has ended and the queue is empty.
    ///
    /// # Errors
    ///
    /// If the codec does not read any more.
    pub(super) async fn feed(mut self, mut codec: impl AsyncWrite + Unpin) -> std::io::Result<()> {
        while let Some(body) = self.messages.recv().await {
            codec.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
            codec.write_all(&body).await?;
            codec.flush().await?;
            self.room.add_permits(weight(&body) as usize);
        }
        Ok(())
    }
}

/// The room that a message takes in the queue, at most all of it.
fn weight(body: &[u8]) -> u32 {
    body.len().min(MAX_BACKLOG_BYTES) as u32
}

/// The message that the codec gets for a frame, and its method.
fn message(frame: Frame) -> Option<(Vec<u8>, String)> {
    match frame {
        Frame::Message { body, method } => {
            let method = method.unwrap_or_default();
            let replacement = match method.as_str() {
                "shutdown" => without_params(&body),
                name if name.starts_with("$/") => stand_in_for_request(&body),
                _ => None,
            };
            Some((replacement.unwrap_or(body), method))
        }
        Frame::Skipped(why) => {
            tracing::warn!("skipped bytes that are not a message: {why}");
            None
        }
        Frame::Unreadable { id, is_json, why } => {
            tracing::warn!("a message cannot be read: {why}");
            let params = json!({ "isJson": is_json, "reason": why });
            let stand_in = json!({ "jsonrpc": "2.0", "id": id, "method": MALFORMED, "params": params });
            Some((stand_in.to_string().into_bytes(), String::new()))
        }
    }
}

/// The replacement of a message that waits for an answer.
fn stand_in_for_request(body: &[u8]) -> Option<Vec<u8>> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let stand_in = json!({ "jsonrpc": "2.0", "id": message.get("id")?, "method": UNKNOWN });
    Some(stand_in.to_string().into_bytes())
}

/// A `shutdown` that came with parameters, without them: it has none, and the protocol's library refuses the empty object of lsp-mode.
fn without_params(body: &[u8]) -> Option<Vec<u8>> {
    let mut message: Value = serde_json::from_slice(body).ok()?;
    message.as_object_mut()?.remove("params")?;
    Some(message.to_string().into_bytes())
}

#[cfg(test)]
mod tests;
