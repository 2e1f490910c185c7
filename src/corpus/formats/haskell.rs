//! Byte strings as Haskell shows them: in quotes, with names for control characters and decimal numbers for what is no ASCII. Echidna
//! writes `bytes` and `string` in this way.

/// The names of the control characters, by their code.
const CONTROL: [&str; 32] = [
    "NUL", "SOH", "STX", "ETX", "EOT", "ENQ", "ACK", "a", "b", "t", "n", "v", "f", "r", "SO", "SI", "DLE", "DC1",
    "DC2", "DC3", "DC4", "NAK", "SYN", "ETB", "CAN", "EM", "SUB", "ESC", "FS", "GS", "RS", "US",
];
const DELETE: u8 = 127;

/// The text of bytes.
pub(super) fn show(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (at, byte) in bytes.iter().copied().enumerate() {
        let next = bytes.get(at + 1).copied().unwrap_or_default();
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b' '..DELETE => text.push(char::from(byte)),
            DELETE => text.push_str("\\DEL"),
            0..b' ' => {
                let name = CONTROL[usize::from(byte)];
                text.push('\\');
                text.push_str(name);
                // `\SO` and an `H` would be another character.
                if name == "SO" && next == b'H' {
                    text.push_str("\\&");
                }
            }
            _ => {
                text.push_str(&format!("\\{byte}"));
                if next.is_ascii_digit() {
                    text.push_str("\\&");
                }
            }
        }
    }
    text.push('"');
    text
}

/// The bytes of a text; none if it is not one of these.
pub(super) fn read(text: &str) -> Option<Vec<u8>> {
    let mut left = text.strip_prefix('"')?.strip_suffix('"')?;
    let mut bytes = Vec::new();
    while let Some(first) = left.chars().next() {
        left = &left[first.len_utf8()..];
        if first != '\\' {
            bytes.push(u8::try_from(first).ok().filter(|byte| *byte != b'"')?);
            continue;
        }
        let (byte, rest) = escaped(left)?;
        bytes.extend(byte);
        left = rest;
    }
    Some(bytes)
}

/// The byte that an escape behind its `\` means, if it means one, and what comes behind it.
fn escaped(text: &str) -> Option<(Option<u8>, &str)> {
    let digits = text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if digits > 0 {
        return Some((Some(text[..digits].parse().ok()?), &text[digits..]));
    }
    for (sign, byte) in [("&", None), ("\"", Some(b'"')), ("\\", Some(b'\\')), ("DEL", Some(DELETE))] {
        if let Some(rest) = text.strip_prefix(sign) {
            return Some((byte, rest));
        }
    }
    // The longest name counts: `SOH`, not `SO`.
    let named = (0..).zip(CONTROL).filter(|(_, name)| text.starts_with(name));
    let (byte, name) = named.max_by_key(|(_, name)| name.len())?;
    Some((Some(byte), &text[name.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bytes_are_shown_as_haskell_does() {
        assert_eq!(show(b"TEST_STRING"), r#""TEST_STRING""#);
        assert_eq!(show(b"RS#9R\xa8\xb4"), r#""RS#9R\168\180""#);
        assert_eq!(
            show(&[0, 7, 14, b'H', 14, 1, 127, b'"', b'\\', 195, b'1']),
            r#""\NUL\a\SO\&H\SO\SOH\DEL\"\\\195\&1""#
        );
    }

    #[test]
    fn what_is_no_text_is_refused() {
        for text in ["", "\"", "a", r#""\300""#, r#""\q""#, r#""é€""#, r#""a"b""#] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read(bytes in proptest::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(read(&show(&bytes)), Some(bytes));
        }
    }
}
