//! `textDocument/hover`: on a finding, its counterexample as a story; on the name of a contract that is fuzzed, its world; on a line that
//! was not reached, what stands in the way. Elsewhere there is none, since other servers have their own hovers.

use crate::lsp::{
    coverage::{UnreachedLine, unreached_at},
    documents::TrackedRange,
    view::View,
};
use bellwether::{
    finding::{Finding, told_setup_calls},
    harness::{Harness, Member},
    input::print,
};
use std::{fmt::Write, path::Path};
use tower_lsp_server::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position, Range};

/// The note on a finding that may no longer be true.
const STALE: &str = "Edited since this was found: the next build shows whether it still fails.";

/// The hover at a position.
pub(crate) fn hover(view: &View, path: &Path, position: Position) -> Option<Hover> {
    let is_here = |place: &TrackedRange| (place.range.start..=place.range.end).contains(&position);
    let here: Vec<(&Finding, TrackedRange)> = findings_in(view, path).filter(|(_, place)| is_here(place)).collect();
    let markdown = view.capabilities.hover_markdown;
    let Some((_, TrackedRange { range, .. })) = here.first() else {
        return worlds(view, path, position, markdown).or_else(|| unreached(view, path, position, markdown));
    };
    let separator = if markdown { "\n---\n\n" } else { "\n" };
    // Of several findings each needs its name.
    let is_beside = view.diagnostics_in_hover && view.capabilities.related_information && here.len() == 1;
    let tell = |(finding, place): &(&Finding, TrackedRange)| {
        let told = if is_beside && !place.edited { Told::Beside } else { Told::Whole { edited: place.edited } };
        tell(finding, told, markdown)
    };
    let texts: Vec<String> = here.iter().map(tell).collect();
    Some(shown(markdown, texts.join(separator), *range))
}

fn shown(markdown: bool, value: String, range: Range) -> Hover {
    let kind = if markdown { MarkupKind::Markdown } else { MarkupKind::PlainText };
    Hover { contents: HoverContents::Markup(MarkupContent { kind, value }), range: Some(range) }
}

/// The hover on the name of a contract: the worlds that it is fuzzed in.
fn worlds(view: &View, path: &Path, position: Position, markdown: bool) -> Option<Hover> {
    let fuzzed = view.projects.iter().flat_map(|results| results.fuzzed_in(path, &view.documents));
    let here = fuzzed.filter(|(_, place)| (place.range.start..=place.range.end).contains(&position));
    let (mut text, mut range) = (String::new(), None);
    for (harness, place) in here {
        let start = if range.is_none() { "Fuzzed as" } else { "\nAnd as" };
        tell_world(harness, start, markdown, &mut text);
        range = range.or(Some(place.range));
    }
    range.map(|range| shown(markdown, text, range))
}

/// One world: the contract, the other instances, and the calls that connect them.
fn tell_world(harness: &Harness, start: &str, markdown: bool, text: &mut String) {
    let quote = if markdown { "`" } else { "" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{start} {quote}{}{quote}", harness.told_world());
    let mut list = |title: &str, lines: &[String]| {
        if !lines.is_empty() {
            let _ = writeln!(text, "\n{title}\n");
            for line in lines {
                let _ = writeln!(text, "- {quote}{line}{quote}");
            }
        }
    };
    let others: Vec<String> = harness.members().iter().skip(1).map(Member::to_string).collect();
    list("with", &others);
    list("after", &told_setup_calls(harness));
}

/// The hover on a line that was not reached: what stands in the way.
fn unreached(view: &View, path: &Path, position: Position, markdown: bool) -> Option<Hover> {
    let UnreachedLine { results, line, range } = unreached_at(&view.projects, &view.documents, path, position.line)?;
    let why = results.survey().why_not_reached(path, line)?;
    Some(shown(markdown, if markdown { why } else { why.replace('`', "") }, range))
}

/// The shown findings of a file, with their current places.
fn findings_in<'a>(view: &'a View, path: &'a Path) -> impl Iterator<Item = (&'a Finding, TrackedRange)> {
    let findings = view.projects.iter().flat_map(|results| results.findings().map(move |finding| (results, finding)));
    findings
        .filter(move |(_, finding)| finding.path == path)
        .filter_map(|(results, finding)| Some((&**finding, results.locate(finding, &view.documents)?)))
}

/// How much of a finding is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    /// All of it; its lines may have been edited since.
    Whole { edited: bool },
    /// What its diagnostic does not tell, which the client shows in the same place with its calls.
    Beside,
}

/// A finding: why it is one, with the values that were compared first; the calls, each with what it changed; how it was found.
fn tell(finding: &Finding, told: Told, markdown: bool) -> String {
    let Finding { what, contract, because, story, .. } = finding;
    let mut parts: Vec<String> = Vec::new();
    if told == (Told::Whole { edited: true }) {
        parts.push(if markdown { format!("*{STALE}*") } else { STALE.to_owned() });
    }
    if told != Told::Beside {
        let oracle = finding.violation.oracle;
        parts.push(match markdown {
            true => format!("**{what}** · `{contract}` · {oracle}"),
            false => format!("{what} ({contract}, {oracle})"),
        });
    }
    let compared = finding.comparison.told().filter(|_| told != Told::Beside).map(|compared| format!("{compared}. "));
    let why = compared.unwrap_or_default() + because;
    parts.push(if markdown { why } else { why.replace('`', "") });
    if told != Told::Beside {
        parts.push(if markdown { story.to_markdown() } else { story.to_text() }.trim_end().to_owned());
    }
    let how = found(finding);
    parts.push(if markdown { format!("*{how}*") } else { how });
    parts.join("\n\n") + "\n"
}

/// The origin of a finding: `Found after 41 022 transactions, 0.1 s after the build, with seed 7.` Time in an earlier process is
/// not known. As long as its calls may still become fewer, the text says so.
fn found(finding: &Finding) -> String {
    let discovery = &finding.discovery;
    let time = match discovery.elapsed.map(|elapsed| (elapsed.as_millis(), elapsed.as_secs_f64())) {
        None => String::new(),
        Some((milliseconds @ 0..1_000, _)) => format!(" {milliseconds} ms after the build,"),
        Some((_, seconds)) => format!(" {seconds:.1} s after the build,"),
    };
    let pending = if finding.shrunk { "" } else { " Its calls are not shortened yet." };
    let plural = if discovery.executions == 1 { "" } else { "s" };
    let transactions = grouped(discovery.executions);
    format!("Found after {transactions} transaction{plural},{time} with seed {}.{pending}", discovery.seed)
}

/// The number with narrow spaces between thousands, where no line breaks.
fn grouped(number: u64) -> String {
    print::grouped(&number.to_string(), '\u{202f}')
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
