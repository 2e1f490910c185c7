//! Where a file is, as other programs are told: as a path from where the run was started, and as a URI.

/// The path of a file of a project, with forward slashes: relative to where the run was started if the project was given so.
pub(super) fn path(project: &str, file: &str) -> String {
    let project = project.strip_prefix("./").unwrap_or(project).trim_end_matches('/');
    let path = match project {
        _ if is_absolute(file) => file.to_owned(),
        "." | "" => file.to_owned(),
        project => format!("{project}/{file}"),
    };
    // Forms that are read line by line must not be told of other files by a file's name.
    path.replace(char::is_control, "?")
}

/// The same as a URI: a relative reference, or a `file` URI for an absolute path.
pub(super) fn uri(project: &str, file: &str) -> String {
    let path = path(project, file);
    let encoded: String = path.bytes().map(encode).collect();
    match (is_absolute(&path), path.starts_with('/')) {
        (true, true) => format!("file://{encoded}"),
        // A drive's letter.
        (true, false) => format!("file:///{}", encoded.replacen("%3A", ":", 1)),
        (false, _) => encoded,
    }
}

/// Whether a URI is one that needs no base.
pub(super) fn is_absolute_uri(uri: &str) -> bool {
    uri.starts_with("file://")
}

fn is_absolute(path: &str) -> bool {
    path.starts_with('/') || (path.as_bytes().get(1) == Some(&b':') && path.as_bytes()[0].is_ascii_alphabetic())
}

fn encode(byte: u8) -> String {
    match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b'@' | b'+' => {
            char::from(byte).to_string()
        }
        byte => format!("%{byte:02X}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_from_where_the_run_was_started() {
        for (project, file, at, reference) in [
            (".", "src/A.sol", "src/A.sol", "src/A.sol"),
            ("./a/", "src/A.sol", "a/src/A.sol", "a/src/A.sol"),
            ("../b", "A.sol", "../b/A.sol", "../b/A.sol"),
            (".", "my file: caf\u{e9}#1.sol", "my file: caf\u{e9}#1.sol", "my%20file%3A%20caf%C3%A9%231.sol"),
            ("/root", "A.sol", "/root/A.sol", "file:///root/A.sol"),
            (".", "/lib/A.sol", "/lib/A.sol", "file:///lib/A.sol"),
            ("C:/root", "A.sol", "C:/root/A.sol", "file:///C:/root/A.sol"),
            (".", "A\nSF:B.sol", "A?SF:B.sol", "A%3FSF%3AB.sol"),
        ] {
            assert_eq!((path(project, file), uri(project, file)), (at.to_owned(), reference.to_owned()));
        }
    }
}
