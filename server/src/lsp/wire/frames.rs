//! [`Frames`] cuts the received bytes into frames, with these guarantees for any input:
//!
//! - what comes out does not depend on the pieces in which it came in;
//! - a good frame is never lost, whatever stands before it: bytes that are none, headers without a message, or a length that is too
//!   long or too short and reaches into it;
//! - what is kept is at most the one frame that is not yet complete.
//!
//! All of this rests on one fact: a JSON text never holds `Content-Length: <digits>\r\n`, as a line end cannot stand in its strings, and
//! such words cannot stand outside of them. Where this is seen, a frame begins.

use serde::Deserialize;
use serde_json::Value;
use tower_lsp_server::jsonrpc::{Id, Request, Response};

/// The longest body, in bytes; chosen by hand. The protocol sets no bound, but a server must.
const MAX_BODY: usize = 64 << 20;
/// The longest headers, in bytes; chosen by hand.
pub(super) const MAX_HEADERS: usize = 8 << 10;
/// The header with the length of the body.
const LENGTH: &[u8] = b"content-length:";
/// Blanks before the digits of a length by which it is still recognised among other bytes; chosen by hand.
const MAX_BLANKS: usize = 16;
/// Digits of a length, at most: those of 2^64.
const MAX_DIGITS: usize = 20;
/// The longest header that is recognised among other bytes.
const MAX_LENGTH: usize = LENGTH.len() + MAX_BLANKS + MAX_DIGITS + 2;
/// The capacity that is kept for the next frame, in bytes; chosen by hand.
const MAX_RESERVED: usize = 1 << 20;

/// A received frame.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// A request, a notification or a response.
    Message {
        /// The JSON text.
        body: Vec<u8>,
        /// Its method, if it is no response.
        method: Option<String>,
    },
    /// Bytes between frames, or a malformed response, with the reason. Nobody waits for an answer.
    Skipped(String),
    /// A frame whose body is not a message.
    Unreadable {
        /// The id of the request that it was meant to be, if it can be read.
        id: Option<Id>,
        /// Whether it is JSON at least.
        is_json: bool,
        /// The reason why it is not a message.
        why: String,
    },
}

/// Cuts what is received into frames.
#[derive(Debug, Default)]
pub struct Frames {
    received: Vec<u8>,
    /// The number of these bytes that were consumed.
    done: usize,
    at: ReadState,
}

/// The meaning of the next bytes.
#[derive(Debug, Default, Clone, Copy)]
enum ReadState {
    /// The headers of a frame.
    #[default]
    Headers,
    /// The body of a frame, and how much of it is known to hold no other frame.
    Body { length: usize, searched: usize },
    /// The body of a frame that was no message. Another may begin in it.
    BadBody { length: usize },
    /// Anything, until a frame begins.
    Garbage,
}

impl Frames {
    /// Adds received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.received.drain(..self.done);
        self.done = 0;
        if self.received.capacity() > MAX_RESERVED {
            self.received.shrink_to(MAX_RESERVED);
        }
        self.received.extend_from_slice(bytes);
    }

    /// The number of bytes that wait for the rest of their frame.
    pub fn held(&self) -> usize {
        self.received.len() - self.done
    }

    /// The next frame, if it is complete.
    #[allow(clippy::should_implement_trait, reason = "after none there may be more")]
    pub fn next(&mut self) -> Option<Frame> {
        loop {
            let bytes = &self.received[self.done..];
            match self.at {
                ReadState::Headers => {
                    if let Some(frame) = self.headers()? {
                        return Some(frame);
                    }
                }
                ReadState::Body { length, .. } if bytes.len() >= length => return Some(self.body(length)),
                ReadState::Body { length, searched } => {
                    let Some(at) = find_length(&bytes[searched..]) else {
                        let searched = bytes.len().saturating_sub(MAX_LENGTH - 1).max(searched);
                        self.at = ReadState::Body { length, searched };
                        return None;
                    };
                    return Some(self.cut_short(searched + at));
                }
                ReadState::BadBody { length } => {
                    let begins =
                        (length.saturating_sub(MAX_LENGTH)..length).find_map(|at| match length_at(&bytes[at..]) {
                            Recognised::No => None,
                            yes_or_maybe => Some((at, yes_or_maybe)),
                        });
                    match begins {
                        Some((_, Recognised::Maybe)) => return None,
                        Some((at, _)) => self.done += at,
                        None => self.done += length,
                    }
                    self.at = ReadState::Headers;
                }
                ReadState::Garbage => match find_length(bytes) {
                    Some(at) => {
                        self.done += at;
                        self.at = ReadState::Headers;
                    }
                    None => {
                        // One may have begun.
                        self.done += bytes.len().saturating_sub(MAX_LENGTH - 1);
                        return None;
                    }
                },
            }
        }
    }

    /// Reads headers: none while they have no end, else what was skipped, if they are none.
    fn headers(&mut self) -> Option<Option<Frame>> {
        let bytes = &self.received[self.done..];
        let Some(end) = headers_end(bytes) else {
            // With this many bytes it is certain that they have no end.
            return (bytes.len() >= MAX_HEADERS + 3).then(|| Some(self.skip(1, "headers without an end".to_owned())));
        };
        let headers = &bytes[..end];
        let lengths: Vec<usize> = lengths(headers).collect();
        if let Some(last) = lengths.last().copied().filter(|last| lengths.len() > 1 || !begins_line(headers, *last)) {
            self.done += last;
            return Some(Some(Frame::Skipped("a frame begins in the headers of another".to_owned())));
        }
        match content_length(headers) {
            Ok(length) => {
                self.done += end;
                // An empty body is nothing that could be answered.
                self.at = if length == 0 { ReadState::Headers } else { ReadState::Body { length, searched: 0 } };
                Some(None)
            }
            Err(why) => match lengths.last() {
                Some(at) if *at > 0 => {
                    self.done += at;
                    Some(Some(Frame::Skipped(why)))
                }
                _ => Some(Some(self.skip(end, why))),
            },
        }
    }

    /// Drops bytes that are no headers, and whatever else stands before the next frame.
    fn skip(&mut self, count: usize, why: String) -> Frame {
        self.done += count;
        self.at = ReadState::Garbage;
        Frame::Skipped(why)
    }

    /// Reads a body that is all there.
    fn body(&mut self, length: usize) -> Frame {
        let bytes = &self.received[self.done..self.done + length];
        match read(bytes) {
            Ok(method) => {
                let frame = Frame::Message { body: bytes.to_vec(), method };
                self.done += length;
                self.at = ReadState::Headers;
                frame
            }
            Err(frame) => match find_length(bytes) {
                Some(at) => self.cut_short(at),
                None => {
                    self.at = ReadState::BadBody { length };
                    frame
                }
            },
        }
    }

    /// Another frame begins in the body.
    fn cut_short(&mut self, at: usize) -> Frame {
        self.done += at;
        self.at = ReadState::Headers;
        let why = "it is shorter than its length: another one begins in it".to_owned();
        Frame::Unreadable { id: None, is_json: false, why }
    }
}

/// A body, parsed as the codec parses it.
#[derive(Deserialize)]
#[serde(untagged)]
enum Message {
    Response(#[allow(dead_code, reason = "only whether it is one matters")] Response),
    Request(Request),
}

/// The method of a message, if it is no response; or what to say of one that is none.
fn read(body: &[u8]) -> Result<Option<String>, Frame> {
    let unreadable = |why: String| Frame::Unreadable { id: None, is_json: false, why };
    let text = std::str::from_utf8(body).map_err(|error| unreadable(error.to_string()))?;
    match serde_json::from_str::<Message>(text) {
        // The codec takes a missing method for an empty one.
        Ok(Message::Request(request)) if !request.method().is_empty() => return Ok(Some(request.method().to_owned())),
        Ok(Message::Response(_)) => return Ok(None),
        Ok(Message::Request(_)) | Err(_) => {}
    }
    let value: Value = serde_json::from_str(text).map_err(|error| unreadable(error.to_string()))?;
    let why = "it is JSON, but neither a request nor a response".to_owned();
    // A response must not be answered.
    if value.get("method").is_none() && (value.get("result").is_some() || value.get("error").is_some()) {
        return Err(Frame::Skipped(why));
    }
    let id = value.get("id").and_then(|id| serde_json::from_value(id.clone()).ok()).filter(|id| *id != Id::Null);
    Err(Frame::Unreadable { id, is_json: true, why })
}

/// Where the headers at the beginning end, their empty line included; none while they have no end.
fn headers_end(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).take(MAX_HEADERS).position(|window| window == b"\r\n\r\n").map(|at| at + 4)
}

fn content_length(headers: &[u8]) -> Result<usize, String> {
    let text = String::from_utf8_lossy(headers);
    let mut length = None;
    for line in text.split("\r\n").filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("not a header: {:?}", shortened(line)))?;
        if name.trim().eq_ignore_ascii_case("content-length") {
            let value = value.trim();
            let digits = value.bytes().all(|byte| byte.is_ascii_digit()).then_some(value);
            let number = digits.and_then(|digits| digits.parse::<usize>().ok());
            length = Some(number.ok_or_else(|| format!("not a length: {:?}", shortened(value)))?);
        }
    }
    match length {
        None => Err("no Content-Length".to_owned()),
        Some(length) if length > MAX_BODY => {
            Err(format!("a message of {length} bytes, more than the {MAX_BODY} that are read"))
        }
        Some(length) => Ok(length),
    }
}

fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

fn begins_line(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes[..at].ends_with(b"\r\n")
}

/// Whether bytes begin with a length.
enum Recognised {
    Yes,
    No,
    /// They end before that can be told.
    Maybe,
}

/// Whether `Content-Length: <digits>\r\n` stands at the beginning.
fn length_at(bytes: &[u8]) -> Recognised {
    let name = &bytes[..bytes.len().min(LENGTH.len())];
    if !name.eq_ignore_ascii_case(&LENGTH[..name.len()]) {
        return Recognised::No;
    }
    let count = |bytes: &[u8], is: fn(&u8) -> bool| bytes.iter().take_while(|byte| is(byte)).count();
    let rest = &bytes[name.len()..];
    let blanks = count(rest, |byte| matches!(byte, b' ' | b'\t'));
    let digits = count(&rest[blanks..], u8::is_ascii_digit);
    let end = &rest[blanks + digits..];
    if blanks > MAX_BLANKS || digits > MAX_DIGITS {
        return Recognised::No;
    }
    match (digits, end) {
        (_, []) => Recognised::Maybe,
        (1.., [b'\r']) => Recognised::Maybe,
        (1.., [b'\r', b'\n', ..]) => Recognised::Yes,
        _ => Recognised::No,
    }
}

/// Where lengths begin, in order.
fn lengths(bytes: &[u8]) -> impl Iterator<Item = usize> {
    let begins = bytes.iter().enumerate().filter(|(_, byte)| byte.eq_ignore_ascii_case(&b'c'));
    begins.map(|(at, _)| at).filter(|at| matches!(length_at(&bytes[*at..]), Recognised::Yes))
}

/// Where the first length begins.
fn find_length(bytes: &[u8]) -> Option<usize> {
    lengths(bytes).next()
}
