//! [`Times`] are how long parts of the work took, as the server's own log says.

use std::time::Duration;

/// One number for each build.
#[derive(Default)]
pub(crate) struct Times {
    /// Until the compiler had answered.
    pub(crate) solc: Vec<Duration>,
    /// From the order to the build: reading, compiling, and making a build of what came out.
    pub(crate) build: Vec<Duration>,
    /// Turning the campaign to it: reading the code, replaying findings.
    pub(crate) rebase: Vec<Duration>,
}

impl Times {
    /// Those of a log, but for the first build, which has to load the compiler.
    pub(crate) fn after_the_first_build(log: &str) -> Self {
        let mut times = Self::default();
        for line in log.lines().skip_while(|line| !line.contains(" compiled ")).skip(1) {
            let Some(took) = line.rsplit_once("took=").and_then(|(_, took)| duration(took)) else { continue };
            if line.contains(" solc answered ") {
                times.solc.push(took);
            } else if line.contains(" compiled ") {
                times.build.push(took);
            } else if line.contains(" turned ") && !times.build.is_empty() {
                times.rebase.push(took);
            }
        }
        times
    }

    pub(crate) fn append(&mut self, mut other: Self) {
        self.solc.append(&mut other.solc);
        self.build.append(&mut other.build);
        self.rebase.append(&mut other.rebase);
    }
}

/// As `Debug` writes it.
fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    let unit = text.find(|character: char| character.is_alphabetic() || character == 'µ')?;
    let number: f64 = text[..unit].parse().ok()?;
    let seconds = match &text[unit..] {
        "s" => number,
        "ms" => number / 1e3,
        "µs" => number / 1e6,
        "ns" => number / 1e9,
        _ => return None,
    };
    Some(Duration::from_secs_f64(seconds))
}
