use super::{frames::MAX_HEADERS, *};
use proptest::prelude::*;
use tower_lsp_server::jsonrpc::Id;

fn frame(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

fn request(id: u32) -> String {
    format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"m{id}"}}"#)
}

/// What was seen, a word for each frame: the method of a message, `?` for what was skipped, `!` for what could not be read.
fn seen(chunks: &[&[u8]]) -> Vec<String> {
    let mut frames = Frames::default();
    let mut words = Vec::new();
    for chunk in chunks {
        frames.push(chunk);
        while let Some(frame) = frames.next() {
            words.push(match frame {
                Frame::Message { method, .. } => method.unwrap_or_else(|| "response".to_owned()),
                Frame::Skipped(_) => "?".to_owned(),
                Frame::Unreadable { .. } => "!".to_owned(),
            });
        }
    }
    words
}

#[test]
fn frames_follow_one_another_whatever_stands_between_them() {
    let (one, two) = (frame(&request(1)), frame(&request(2)));
    for (input, words) in [
        (format!("{one}{two}"), "m1 m2"),
        (format!("{one}{}{two}", frame(r#"{"jsonrpc":"2.0","id":1,"result":null}"#)), "m1 response m2"),
        (frame(&request(1)).replace("Content-Length:", "content-length:"), "m1"),
        (
            frame(&request(1))
                .replace("\r\n\r\n", "\r\nContent-Type: application/vscode-jsonrpc; charset=latin1\r\n\r\n"),
            "m1",
        ),
        (format!("{}{two}", frame("")), "m2"),
        // Headers that are none.
        (format!("garbage\r\n\r\n{two}"), "? m2"),
        (format!("garbage{two}"), "? m2"),
        (format!("Content-Length: many\r\n\r\n{two}"), "? m2"),
        (format!("Content-Length: -5\r\n\r\n{two}"), "? m2"),
        (format!("Content-Length: 99999999999999999999999999\r\n\r\n{two}"), "? m2"),
        (format!("Content-Length: 999999999\r\n\r\n{two}"), "? m2"),
        (format!("Content-Type: text\r\n\r\n{}{two}", request(1)), "? m2"),
        (format!("{}{two}", "x".repeat(MAX_HEADERS + 1)), "? m2"),
        // Bodies that are no message.
        (format!("{}{two}", frame("{\"jsonrpc\":")), "! m2"),
        (format!("{}{two}", frame("[]")), "! m2"),
        (format!("{}{two}", frame("7")), "! m2"),
        (format!("{}{two}", frame(r#"{"jsonrpc":"1.0","method":"m"}"#)), "! m2"),
        (format!("{}{two}", frame(&"[".repeat(10_000))), "! m2"),
        // Lengths that are wrong: too long by some bytes of the next frame, and too short.
        (format!("Content-Length: {}\r\n\r\n{}{two}", request(1).len() + 30, request(1)), "! m2"),
        (format!("Content-Length: {}\r\n\r\n{}{two}", request(1).len() - 5, request(1)), "! ? m2"),
    ] {
        assert_eq!(seen(&[input.as_bytes()]).join(" "), words, "{:?}", &input[..input.len().min(200)]);
        let bytes: Vec<&[u8]> = input.as_bytes().chunks(1).collect();
        if input.len() < 1_000 {
            assert_eq!(seen(&bytes).join(" "), words, "byte by byte: {input:?}");
        }
    }
}

#[test]
fn bytes_that_are_not_utf8_are_one_bad_frame() {
    let mut input = b"Content-Length: 4\r\n\r\n\"\xff\xfe\"".to_vec();
    input.extend(frame(&request(2)).into_bytes());
    assert_eq!(seen(&[&input]), ["!", "m2"]);
    let mut input = vec![0xff; 100];
    input.extend(frame(&request(2)).into_bytes());
    assert_eq!(seen(&[&input]), ["?", "m2"]);
}

#[test]
fn a_body_may_speak_of_headers() {
    let body = r#"{"jsonrpc":"2.0","id":1,"method":"m1","params":{"text":"Content-Length: 5\r\n\r\n"}}"#;
    assert_eq!(seen(&[frame(body).as_bytes(), frame(&request(2)).as_bytes()]), ["m1", "m2"]);
}

#[test]
fn nothing_is_kept_of_endless_garbage() {
    let mut frames = Frames::default();
    let mut skipped = 0;
    for _ in 0..100 {
        frames.push(&[b'c'; 10_000]);
        skipped += std::iter::from_fn(|| frames.next()).count();
        assert!(frames.held() < 100);
    }
    assert_eq!(skipped, 1);
}

/// Reads all of this with a codec that takes everything; what it sees, and whether the client said `shutdown`.
async fn forwarded(input: &str) -> (String, bool) {
    let (reader, feeder) = backlog();
    let (mut output, shut_down) = (Vec::new(), AtomicBool::new(false));
    let (read, fed) =
        tokio::join!(reader.read(input.as_bytes(), &shut_down, std::future::pending()), feeder.feed(&mut output));
    read.and(fed).unwrap();
    (String::from_utf8(output).unwrap(), shut_down.into_inner())
}

const SHUTDOWN: &str = r#"{"jsonrpc":"2.0","id":1,"method":"shutdown"}"#;
const EXIT: &str = r#"{"jsonrpc":"2.0","method":"exit"}"#;

#[tokio::test(flavor = "current_thread")]
async fn the_codec_sees_only_whole_messages_and_nothing_after_exit() {
    let input = format!("garbage\r\n\r\n{}{}{}{}", frame("{"), frame(&request(1)), frame(EXIT), frame(&request(2)));
    let (output, shut_down) = forwarded(&input).await;
    assert!(!shut_down);
    let (bad, rest) = output.split_once('}').unwrap();
    assert!(bad.contains(MALFORMED), "{bad}");
    assert!(rest.ends_with(&format!("{}{}", frame(&request(1)), frame(EXIT))), "{rest}");
}

#[tokio::test(flavor = "current_thread")]
async fn the_codec_sees_a_shutdown_without_parameters() {
    for params in ["", r#","params":{}"#, r#","params":null"#] {
        let (output, shut_down) = forwarded(&frame(&SHUTDOWN.replace('}', &format!("{params}}}")))).await;
        assert!(shut_down);
        assert!(output.contains(r#""method":"shutdown""#) && !output.contains("params"), "{output}");
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_end_is_seen_behind_what_the_codec_does_not_take() {
    for (end, says_shutdown) in [(frame(SHUTDOWN) + &frame(EXIT), true), (frame(EXIT), false), (String::new(), false)] {
        let (reader, feeder) = backlog();
        let shut_down = AtomicBool::new(false);
        let input = frame(&request(1)).repeat(20_000) + &end;
        // Nobody reads the other end of this pipe.
        let (pipe, _codec) = tokio::io::duplex(1 << 10);
        let feeding = feeder.feed(pipe);
        tokio::pin!(feeding);
        tokio::select! {
            read = reader.read(input.as_bytes(), &shut_down, std::future::pending()) => read.unwrap(),
            _ = &mut feeding => unreachable!("nobody reads"),
        }
        assert_eq!(shut_down.into_inner(), says_shutdown);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn a_full_backlog_waits_for_the_codec_or_until_the_input_is_abandoned() {
    let long = format!(r#"{{"jsonrpc":"2.0","method":"m","params":"{}"}}"#, "x".repeat(MAX_BACKLOG_BYTES / 2));
    let input = frame(&long).repeat(3) + &frame(EXIT);
    // With a codec that reads, everything goes through.
    let (output, _) = forwarded(&input).await;
    assert_eq!(output.len(), input.len());

    let (reader, _feeder) = backlog();
    let shut_down = AtomicBool::new(false);
    let error = reader.read(input.as_bytes(), &shut_down, std::future::ready(())).await.unwrap_err();
    assert_eq!(error.to_string(), "it ended without reading the server's messages");
}

/// All that comes out, and how much is kept at the end.
fn cut(chunks: &[&[u8]]) -> (Vec<Frame>, usize) {
    let mut frames = Frames::default();
    let mut out = Vec::new();
    for chunk in chunks {
        frames.push(chunk);
        out.extend(std::iter::from_fn(|| frames.next()));
    }
    (out, frames.held())
}

#[test]
fn a_frame_is_found_behind_whatever_reaches_into_it() {
    let good = frame(&request(2));
    for before in [
        "Content-Length: 50\r\n",
        "Content-Length: 50\r\nX",
        "Content-Length: 50\r\n\r",
        "Content-Length: 5",
        "Content-Length: 3\r\n\r\n",
        "Content-Length: 18\r\n\r\n",
        "Content-Length: 1000\r\n\r\n",
        "Content-Length: 60000000\r\n\r\n{\"jsonrpc\"",
        "Content-Length: 2000\r\n\r\nContent-Length: 1000\r\n\r\n",
        "Content-Length:\r\n\r\n",
        "Content-Length: +5\r\n\r\n",
        "content-length : 7\r\n",
        "a: b\r\nno header\r\n",
        "\r\n\r\n\r\n",
    ] {
        let input = format!("{before}{good}");
        assert_eq!(seen(&[input.as_bytes()]).last().map(String::as_str), Some("m2"), "{before:?}");
        let bytes: Vec<&[u8]> = input.as_bytes().chunks(1).collect();
        assert_eq!(cut(&bytes), cut(&[input.as_bytes()]), "{before:?}");
    }
}

#[test]
fn headers_end_at_the_same_byte_however_they_come() {
    for length in MAX_HEADERS - 30..MAX_HEADERS + 30 {
        let input = format!("X: {}\r\n{}", "x".repeat(length - 5), frame(&request(1)));
        let (all, pieces) = (input.as_bytes(), input.as_bytes().chunks(7).collect::<Vec<_>>());
        assert_eq!(cut(&[all]), cut(&pieces), "{length}");
        assert_eq!(seen(&[all]).last().map(String::as_str), Some("m1"), "{length}");
    }
}

#[test]
fn a_request_that_is_none_is_answered_by_its_id_and_a_response_is_not() {
    let one = |body: &str| cut(&[frame(body).as_bytes()]).0.pop();
    for (body, id) in [
        (r#"{"jsonrpc":"2.0","id":7,"method":5}"#, Some(Id::Number(7))),
        (r#"{"jsonrpc":"2.0","id":"seven"}"#, Some(Id::String("seven".to_owned()))),
        (r#"{"jsonrpc":"1.0","id":7,"method":"m"}"#, Some(Id::Number(7))),
        (r#"{"jsonrpc":"2.0","id":[7],"method":"m"}"#, None),
        (r#"{"jsonrpc":"2.0","id":1.5,"method":"m"}"#, None),
        (r#"{"jsonrpc":"2.0","id":null}"#, None),
        (r#"[{"jsonrpc":"2.0","id":7,"method":"m"}]"#, None),
    ] {
        match one(body) {
            Some(Frame::Unreadable { id: found, is_json: true, .. }) => assert_eq!(found, id, "{body}"),
            other => panic!("{body}: {other:?}"),
        }
    }
    for body in [r#"{"jsonrpc":"2.0","id":[],"result":null}"#, r#"{"id":7,"error":5}"#] {
        assert!(matches!(one(body), Some(Frame::Skipped(_))), "{body}");
    }
}

/// Pieces of frames, good and bad ones.
fn any_piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        (0..9u32).prop_map(|id| frame(&request(id)).into_bytes()),
        (0..200usize).prop_map(|length| format!("Content-Length: {length}\r\n\r\n").into_bytes()),
        (0..200usize).prop_map(|length| format!("content-length:{length}\r\n").into_bytes()),
        (0..60usize).prop_map(|cut| frame(&request(1)).into_bytes()[..cut].to_vec()),
        prop::collection::vec(any::<u8>(), 0..20),
        Just(b"\r\n\r\n".to_vec()),
        Just(b"Content-Type: x\r\n".to_vec()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces_do_not_matter_and_good_frames_are_never_lost(
        pieces in prop::collection::vec(any_piece(), 0..12),
        size in 1..40usize,
    ) {
        let mut input = pieces.concat();
        let (whole, held) = cut(&[&input]);
        prop_assert_eq!(cut(&input.chunks(size).collect::<Vec<_>>()), (whole, held));
        prop_assert!(held <= input.len());
        input.extend(frame(&request(77)).into_bytes());
        prop_assert_eq!(seen(&[&input]).pop(), Some("m77".to_owned()));
    }
}
