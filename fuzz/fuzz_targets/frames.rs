//! The decoder of frames: what comes out does not depend on the pieces in which it came in, a good frame is never lost whatever stands
//! before it, and no more is kept than what came and is not done with. The first byte says how the rest is cut into pieces.

#![no_main]

use bellwether_server::{Frame, Frames};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let Some((cut, input)) = data.split_first() else { return };
    let whole = read(std::iter::once(input));
    assert_eq!(whole, read(input.chunks(usize::from(*cut) + 1)), "in pieces of {}", usize::from(*cut) + 1);
    assert!(whole.1 <= input.len(), "more is kept than came");

    let last = br#"{"jsonrpc":"2.0","id":"the last","method":"the/last"}"#;
    let frame = [format!("Content-Length: {}\r\n\r\n", last.len()).as_bytes(), last].concat();
    let (frames, held) = read([input, &frame]);
    assert_eq!(held, 0, "a frame that is complete is not kept");
    match frames.last() {
        Some(Frame::Message { body, .. }) => assert_eq!(body, last),
        other => panic!("a good frame is lost: {other:?}"),
    }
    // What came before it is read as before, as far as it was read.
    assert!(frames.starts_with(&whole.0));
});

/// What comes out, and how much is kept.
fn read<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Frame>, usize) {
    let mut frames = Frames::default();
    let mut out = Vec::new();
    for piece in pieces {
        frames.push(piece);
        while let Some(frame) = frames.next() {
            out.push(frame);
        }
    }
    (out, frames.held())
}
