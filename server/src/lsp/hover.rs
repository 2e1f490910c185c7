//! `textDocument/hover`: on a finding, its counterexample as a person would tell it. Anywhere else nothing: other servers have
//! something to say there.

use super::{diagnostics::Maker, state::State};
use bellwether::finding::Finding;
use std::{fmt::Write, path::Path};
use tower_lsp_server::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

impl State {
    /// What to show at a position.
    pub(super) fn hover(&self, path: &Path, position: Position) -> Option<Hover> {
        let maker = self.maker();
        let here: Vec<(&Finding, Range)> =
            self.findings_in(path).filter(|(_, range)| (range.start..=range.end).contains(&position)).collect();
        let (_, range) = here.first()?;
        let markdown = maker.capabilities.hover_markdown;
        let separator = if markdown { "\n---\n\n" } else { "\n" };
        let texts: Vec<String> = here.iter().map(|(finding, _)| tell(finding, markdown)).collect();
        let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
        let contents = HoverContents::Markup(MarkupContent { kind, value: texts.join(separator) });
        Some(Hover { contents, range: Some(*range) })
    }

    /// The findings of a file that are shown, with where they are now.
    pub(super) fn findings_in<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = (&'a Finding, Range)> {
        let maker: Maker<'a> = self.maker();
        let findings = self.projects.values().flat_map(|project| project.findings());
        findings
            .filter(move |finding| finding.path == path)
            .filter_map(move |finding| Some((&**finding, maker.place(finding)?)))
    }
}

/// The whole finding.
fn tell(finding: &Finding, markdown: bool) -> String {
    let what = finding.violation.cause.describe();
    let (oracle, contract) = (finding.violation.oracle, &finding.contract);
    let how = found(finding);
    let failed = why(finding, markdown);
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = if markdown {
        write!(text, "**{what}** · `{contract}` · {oracle}\n\n{}\n{failed}\n\n*{how}*\n", finding.story.to_markdown())
    } else {
        write!(text, "{what} ({contract}, {oracle})\n\n{}\n{failed}\n{how}\n", finding.story.to_text())
    };
    text
}

/// What fails, and how: `` `assert(total == sum)` fails: panic 0x01. ``
fn why(finding: &Finding, markdown: bool) -> String {
    let source = finding.subject.build.source(finding.violation.source);
    let expression = finding.span.text(&source.text).split_whitespace().collect::<Vec<_>>().join(" ");
    let quote = if markdown { "`" } else { "" };
    let result = finding.story.steps.last().map_or("", |step| step.result.as_str());
    format!("{quote}{expression}{quote} fails: {result}.")
}

/// How it was found: `Found after 41 022 executions, 0.1 s after the build, with seed 7.` The time of an earlier process is
/// not known any more.
fn found(finding: &Finding) -> String {
    let discovery = &finding.discovery;
    let time = match discovery.elapsed.map(|elapsed| (elapsed.as_millis(), elapsed.as_secs_f64())) {
        None => String::new(),
        Some((milliseconds @ 0..1_000, _)) => format!(" {milliseconds} ms after the build,"),
        Some((_, seconds)) => format!(" {seconds:.1} s after the build,"),
    };
    format!("Found after {} executions,{time} with seed {}.", grouped(discovery.executions), discovery.seed)
}

/// Digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_numbers_are_grouped() {
        for (number, text) in
            [(0, "0"), (999, "999"), (1_000, "1\u{202f}000"), (41_022_333, "41\u{202f}022\u{202f}333")]
        {
            assert_eq!(grouped(number), text);
        }
    }
}
