//! Programs on PATH, and their versions. Those in a project that is not trusted are not looked at.

use bellwether::compile::command;
use std::{
    io::Read,
    path::PathBuf,
    process::{Child, Stdio},
    sync::mpsc,
    time::Duration,
};

/// How long a program may take to tell its version; chosen by hand: VS Code's takes a second.
const PATIENCE: Duration = Duration::from_secs(10);

/// The programs on PATH.
#[derive(Debug)]
pub(super) struct Programs {
    /// Not in this folder.
    untrusted: Option<PathBuf>,
}

impl Programs {
    /// The programs on PATH, without those in a folder that is not trusted.
    pub(super) fn outside_of(untrusted: Option<PathBuf>) -> Self {
        Self { untrusted }
    }

    /// What a program says of its version, if there is one of this name: the first line that has a digit.
    pub(super) fn version(&self, name: &str) -> Option<Result<String, String>> {
        let folder = std::env::temp_dir();
        let mut command = command(name, &folder, self.untrusted.as_deref())?;
        command.arg("--version").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let said = command.spawn().map_err(|error| error.to_string()).and_then(output_of);
        Some(said.and_then(|said| {
            let line = said.lines().find(|line| line.contains(|letter: char| letter.is_ascii_digit()));
            line.map(|line| line.trim().to_owned()).ok_or_else(|| "it printed no version".to_owned())
        }))
    }
}

/// What a program writes to standard output until it ends, in time.
fn output_of(mut child: Child) -> Result<String, String> {
    let mut output = child.stdout.take().ok_or("its output cannot be read")?;
    let (send, receive) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let result = output.read_to_end(&mut bytes).map(|_| String::from_utf8_lossy(&bytes).into_owned());
        let _ = send.send(result.map_err(|error| error.to_string()));
    });
    let said = receive.recv_timeout(PATIENCE).unwrap_or_else(|_| Err("it gave no answer".to_owned()));
    // Where it has ended by itself there is nothing to kill.
    let _ = child.kill();
    let _ = child.wait();
    said
}

/// The first number with dots in a text: `NVIM v0.11.2` has 0.11.2.
pub(super) fn number(text: &str) -> Option<Vec<u32>> {
    let start = text.find(|letter: char| letter.is_ascii_digit())?;
    let number: String = text[start..].chars().take_while(|letter| letter.is_ascii_digit() || *letter == '.').collect();
    number.trim_end_matches('.').split('.').map(|part| part.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_numbers_with_dots() {
        for (text, version) in [
            ("NVIM v0.11.2", Some(vec![0, 11, 2])),
            ("v20.1.0", Some(vec![20, 1, 0])),
            ("Version: 0.8.37+commit.f401782d.Linux.g++", Some(vec![0, 8, 37])),
            ("1.", Some(vec![1])),
            ("none", None),
        ] {
            assert_eq!(number(text), version, "{text}");
        }
    }
}
