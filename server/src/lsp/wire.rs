//! The wire is standard input in front of the protocol's codec, which gives up at the first frame that it cannot read. Here each
//! frame is looked at first: one that is malformed is skipped, or answered with an error, and what follows is read all the same.

mod frames;

pub use frames::{Frame, Frames};

use serde_json::json;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};

/// Stands in for a body that cannot be read, so that the client hears of it. See `Server::malformed`.
pub(super) const MALFORMED: &str = "$bellwether/malformed";

/// Passes frames on until the input ends or the client says `exit`.
///
/// # Errors
///
/// If either side cannot be read or written.
pub(super) async fn forward(
    mut input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
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
                Frame::Message { body, method } => (body, method.as_deref() == Some("exit")),
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

#[cfg(test)]
mod tests;
