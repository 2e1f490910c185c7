use super::*;

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
        frames.received.extend_from_slice(chunk);
        while let Some(frame) = frames.next() {
            words.push(match frame {
                Frame::Message { method, .. } => method.unwrap_or_else(|| "response".to_owned()),
                Frame::Skipped(_) => "?".to_owned(),
                Frame::Unreadable(_) => "!".to_owned(),
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
    let mut frames = Frames { lost: true, ..Frames::default() };
    for _ in 0..100 {
        frames.received.extend_from_slice(&[b'c'; 10_000]);
        assert_eq!(frames.next(), None);
        assert!(frames.received.len() < 100);
    }
}

#[tokio::test(flavor = "current_thread")]
async fn the_codec_sees_only_whole_messages_and_nothing_after_exit() {
    let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
    let input = format!("garbage\r\n\r\n{}{}{}{}", frame("{"), frame(&request(1)), frame(exit), frame(&request(2)));
    let mut output = Vec::new();
    forward(input.as_bytes(), &mut output).await.unwrap();
    let output = String::from_utf8(output).unwrap();
    let (bad, rest) = output.split_once('}').unwrap();
    assert!(bad.contains(MALFORMED), "{bad}");
    assert!(rest.ends_with(&format!("{}{}", frame(&request(1)), frame(exit))), "{rest}");
}
