//! The wire is standard input in front of the protocol's codec, which gives up at the first frame that it cannot read. Here each
//! frame is looked at first: one that is malformed is skipped, or answered with an error, and what follows is read all the same.

mod frames;

pub use frames::{Frame, Frames};

use serde_json::{Value, json};
use std::sync::atomic::{AtomicBool, Ordering};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Stands in for a body that cannot be read, so that the client hears of it. See `Server::malformed`.
pub(super) const MALFORMED: &str = "$bellwether/malformed";
/// Stands in for a request that only some servers know: nobody answers to this name. The protocol's library would leave it unanswered.
const UNKNOWN: &str = "$bellwether/unknown";

/// Passes frames on until the input ends or the client says `exit`. Notes whether it said `shutdown`: one that is followed by an `exit` at
/// once may be cancelled before anybody else hears of it.
///
/// # Errors
///
/// If either side cannot be read or written.
pub(super) async fn forward(
    mut input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
    shut_down: &AtomicBool,
) -> std::io::Result<()> {
    let mut frames = Frames::default();
    let mut chunk = vec![0; 64 << 10];
    loop {
        let count = input.read(&mut chunk).await?;
        if count == 0 {
            if frames.held() > 0 {
                tracing::warn!("the input ended within a message, of which {} bytes came", frames.held());
            }
            return Ok(());
        }
        frames.push(&chunk[..count]);
        while let Some(frame) = frames.next() {
            let (body, exits) = match frame {
                Frame::Message { body, method } => {
                    let method = method.unwrap_or_default();
                    if method == "shutdown" {
                        shut_down.store(true, Ordering::SeqCst);
                    }
                    let unknown = method.starts_with("$/").then(|| stand_in_for_request(&body)).flatten();
                    (unknown.unwrap_or(body), method == "exit")
                }
                Frame::Skipped(why) => {
                    tracing::warn!("skipped what is no message: {why}");
                    continue;
                }
                Frame::Unreadable { id, is_json, why } => {
                    tracing::warn!("a message cannot be read: {why}");
                    let params = json!({ "isJson": is_json, "reason": why });
                    let stand_in = json!({ "jsonrpc": "2.0", "id": id, "method": MALFORMED, "params": params });
                    (stand_in.to_string().into_bytes(), false)
                }
            };
            output.write_all(format!("Content-Length: {}\r\n\r\n", body.len()).as_bytes()).await?;
            output.write_all(&body).await?;
            output.flush().await?;
            if exits {
                return Ok(());
            }
        }
    }
}

/// What takes the place of a message, if that waits for an answer.
fn stand_in_for_request(body: &[u8]) -> Option<Vec<u8>> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let stand_in = json!({ "jsonrpc": "2.0", "id": message.get("id")?, "method": UNKNOWN });
    Some(stand_in.to_string().into_bytes())
}

#[cfg(test)]
mod tests;
