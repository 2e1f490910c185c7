//! The wire is standard input in front of the protocol's codec, which gives up at the first frame that it cannot read. Here each
//! frame is looked at first: one that is malformed is skipped, or answered with an error, and what follows is read all the same.

use serde::Deserialize;
use serde_json::json;
use std::ops::Range;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tower_lsp_server::jsonrpc::{Request, Response};

/// A frame that claims to be longer is not believed: the protocol sets no bound, a server must.
const MAX_BODY: usize = 64 << 20;
/// Headers that go on for longer are none.
const MAX_HEADERS: usize = 8 << 10;
/// The header that all of a frame depends on.
const LENGTH: &[u8] = b"content-length:";
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
            return Ok(());
        }
        frames.received.extend_from_slice(&chunk[..count]);
        while let Some(frame) = frames.next() {
            let (body, exits) = match frame {
                Frame::Message { body, method } => (body, method.as_deref() == Some("exit")),
                Frame::Skipped(why) => {
                    tracing::warn!("skipped what is no message: {why}");
                    continue;
                }
                Frame::Unreadable(why) => {
                    tracing::warn!("a message cannot be read: {why}");
                    let stand_in =
                        json!({ "jsonrpc": "2.0", "id": null, "method": MALFORMED, "params": { "reason": why } });
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

/// What the codec makes of a body, in the same way.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Response(#[allow(dead_code, reason = "only whether it is one matters")] Response),
    Request(Request),
}

#[derive(Debug, PartialEq, Eq)]
enum Frame {
    /// One that the codec can read; with its method, if it is no response.
    Message { body: Vec<u8>, method: Option<String> },
    /// Bytes between frames.
    Skipped(String),
    /// A frame whose body is no message.
    Unreadable(String),
}

/// Cuts what is received into frames.
#[derive(Debug, Default)]
struct Frames {
    received: Vec<u8>,
    /// Whether the bytes at hand follow something that was no header.
    lost: bool,
}

impl Frames {
    fn next(&mut self) -> Option<Frame> {
        loop {
            if self.lost {
                match find_length(&self.received) {
                    Some(at) => {
                        self.received.drain(..at);
                        self.lost = false;
                    }
                    None => {
                        // A header may have begun.
                        let keep = self.received.len().min(LENGTH.len() + 32);
                        self.received.drain(..self.received.len() - keep);
                        return None;
                    }
                }
            }
            let Some(headers) = headers(&self.received) else {
                return (self.received.len() > MAX_HEADERS).then(|| self.lose(1, "headers without an end".to_owned()));
            };
            let length = match content_length(&self.received[headers.clone()]) {
                Ok(length) => length,
                Err(why) => return Some(self.lose(headers.end, why)),
            };
            let body = headers.end..headers.end + length;
            if self.received.len() < body.end {
                return None;
            }
            if length > 0 {
                return Some(self.take(body));
            }
            self.received.drain(..body.end);
        }
    }

    /// Drops headers that are none, up to `end`, or up to the good one that stands in the middle of them.
    fn lose(&mut self, end: usize, why: String) -> Frame {
        let good = find_length(&self.received).filter(|at| (1..end).contains(at));
        self.received.drain(..good.unwrap_or(end));
        self.lost = true;
        Frame::Skipped(why)
    }

    fn take(&mut self, body: Range<usize>) -> Frame {
        let bytes = &self.received[body.clone()];
        let read = std::str::from_utf8(bytes).map_err(|error| error.to_string()).and_then(|text| {
            serde_json::from_str::<Message>(text).map_err(|error| {
                match serde_json::from_str::<serde::de::IgnoredAny>(text) {
                    Ok(_) => "it is JSON, but neither a request nor a response".to_owned(),
                    Err(_) => error.to_string(),
                }
            })
        });
        match read {
            Ok(message) => {
                let method = match message {
                    Message::Request(request) => Some(request.method().to_owned()),
                    Message::Response(_) => None,
                };
                let frame = Frame::Message { body: bytes.to_vec(), method };
                self.received.drain(..body.end);
                frame
            }
            Err(why) => {
                // A length that was too long has swallowed the beginning of the next frame.
                let next = find_length(&self.received[body.start..]).map(|at| body.start + at);
                self.received.drain(..next.filter(|at| *at < body.end).unwrap_or(body.end));
                Frame::Unreadable(why)
            }
        }
    }
}

/// The range of the headers at the beginning, their empty line included; none while they have no end.
fn headers(bytes: &[u8]) -> Option<Range<usize>> {
    let ends = bytes.windows(4).take(MAX_HEADERS).position(|window| window == b"\r\n\r\n")?;
    Some(0..ends + 4)
}

fn content_length(headers: &[u8]) -> Result<usize, String> {
    let text = String::from_utf8_lossy(headers);
    let mut length = None;
    for line in text.split("\r\n").filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("no header: {:?}", shortened(line)))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            length = Some(value.parse::<usize>().map_err(|_| format!("no length: {:?}", shortened(value)))?);
        }
    }
    match length {
        None => Err("no Content-Length".to_owned()),
        Some(length) if length > MAX_BODY => {
            Err(format!("a message of {length} bytes; {MAX_BODY} are the most that are read"))
        }
        Some(length) => Ok(length),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

/// Where `Content-Length: <digits>\r\n` begins. A line end cannot stand within a JSON text, so this is never found in one.
fn find_length(bytes: &[u8]) -> Option<usize> {
    let is_header = |at: usize| {
        let Some((name, value)) = bytes[at..].split_at_checked(LENGTH.len()) else { return false };
        let digits = value.trim_ascii_start();
        let count = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
        name.eq_ignore_ascii_case(LENGTH) && count > 0 && digits[count..].starts_with(b"\r\n")
    };
    (0..bytes.len()).find(|at| bytes[*at].eq_ignore_ascii_case(&b'c') && is_header(*at))
}

#[cfg(test)]
mod tests;
