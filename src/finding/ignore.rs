//! An ignore says that findings of an oracle are meant, and why: a comment beside the code (`// bellwether-ignore assertion: …`),
//! or an entry of `[[ignore]]` in the settings. An ignored finding is still found and proved; it is only told elsewhere.
//!
//! A comment counts for the line that it stands on. One on lines of its own counts for the line of code that follows, or for all
//! of the contract, function or modifier that is declared there. Which oracles find anything there is not known here.

use crate::{
    compile::{Build, Comments, NodeKind, Source, SourceId, Span},
    oracle::{OracleMeta, Violation},
    project::{CONFIG_FILE, Config, IgnoreRule, suggestion},
};
use std::ops::RangeInclusive;

/// What a comment begins with.
const MARK: &str = "bellwether-ignore";
/// The comment as it is written, for messages.
const EXAMPLE: &str = "`// bellwether-ignore assertion: why this is intended`";

/// Why a finding is ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// The reason that a person gave.
    pub reason: String,
    /// Where they did.
    pub by: IgnoredBy,
}

/// Where a person says that findings are ignored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IgnoredBy {
    /// A comment.
    Comment {
        /// The source's name, relative to the root.
        file: String,
        /// Its line, from 1.
        line: u32,
    },
    /// An entry of the setting `ignore`.
    Rule {
        /// Its index in the list.
        index: usize,
        /// Its line in `bellwether.toml`, from 1; `None` in an editor's settings.
        line: Option<usize>,
    },
}

impl Ignored {
    /// The file that says so, relative to the root, and the line in it, from 1; none for an editor's settings.
    pub fn place(&self) -> Option<(&str, u32)> {
        match &self.by {
            IgnoredBy::Comment { file, line } => Some((file, *line)),
            IgnoredBy::Rule { line, .. } => line.map(|line| (CONFIG_FILE, line as u32)),
        }
    }
}

/// A comment that ignores findings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreComment {
    /// The line that it begins on, from 1.
    pub line: u32,
    /// The oracles that it names.
    pub oracles: Vec<&'static str>,
    /// Why their findings are meant.
    pub reason: String,
    scope: CommentScope,
}

/// A comment that ignores nothing, because something is wrong with it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreMistake {
    /// Its line, from 1.
    pub line: u32,
    /// The mistake, and what to do.
    pub message: String,
}

/// The code that a comment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CommentScope {
    /// Whatever stands on this line.
    On(u32),
    /// What begins on this line.
    From(u32),
    /// A declaration.
    Declaration(Span),
}

impl IgnoreComment {
    /// The lines that it is about.
    pub fn lines(&self, source: &Source) -> RangeInclusive<u32> {
        match self.scope {
            CommentScope::On(line) | CommentScope::From(line) => line..=line,
            CommentScope::Declaration(span) => source.lines.line(span.start)..=source.lines.line(span.end),
        }
    }

    fn is_about(&self, source: &Source, span: Span) -> bool {
        let (first, last) = (source.lines.line(span.start), source.lines.line(span.end));
        match self.scope {
            CommentScope::On(line) => (first..=last).contains(&line),
            CommentScope::From(line) => first == line,
            CommentScope::Declaration(declaration) => declaration.contains(span),
        }
    }
}

/// Why a violation is ignored, if it is: by a comment in the source, or else by a rule.
pub(super) fn ignored(build: &Build, violation: &Violation, rules: &[IgnoreRule]) -> Option<Ignored> {
    let source = build.source(violation.place.source);
    let names_it = |comment: &IgnoreComment| {
        comment.oracles.contains(&violation.oracle) && comment.is_about(source, violation.place.span)
    };
    if let Some(comment) = ignore_comments(source).0.into_iter().find(names_it) {
        let by = IgnoredBy::Comment { file: source.name.clone(), line: comment.line };
        return Some(Ignored { reason: comment.reason, by });
    }
    let place = violation.place.names(build);
    let fits = |rule: &IgnoreRule| rule.oracle == violation.oracle && rule.place.fits(&place);
    let index = rules.iter().position(fits)?;
    let IgnoreRule { reason, line, .. } = &rules[index];
    Some(Ignored { reason: reason.clone(), by: IgnoredBy::Rule { index, line: *line } })
}

/// The rules of a configuration.
pub(super) fn rules(config: &Config) -> &[IgnoreRule] {
    config.ignore.as_deref().unwrap_or_default()
}

/// The comments of a build that ignore nothing because of a mistake, by source.
pub fn ignore_mistakes(build: &Build) -> Vec<(SourceId, IgnoreMistake)> {
    let sources = (0..).map(SourceId).zip(&build.sources);
    sources.flat_map(|(id, source)| ignore_comments(source).1.into_iter().map(move |mistake| (id, mistake))).collect()
}

/// The comments of a source that ignore findings, and those that would if there were no mistake in them.
pub fn ignore_comments(source: &Source) -> (Vec<IgnoreComment>, Vec<IgnoreMistake>) {
    let (mut found, mut mistakes) = (Vec::new(), Vec::new());
    let text = &*source.text;
    if !text.contains(MARK) {
        return (found, mistakes);
    }
    let comments = Comments::of(text);
    for comment in comments.spans() {
        for (at, written) in marks(comment.text(text)) {
            let line = source.lines.line(comment.start + at as u32);
            match read(written) {
                Ok((oracles, reason)) => match scope(source, &comments, comment) {
                    Some(scope) => found.push(IgnoreComment { line, oracles, reason, scope }),
                    None => mistakes.push(IgnoreMistake {
                        line,
                        message: format!("no code follows this `{MARK}`: put it before the code that it is about"),
                    }),
                },
                Err(message) => mistakes.push(IgnoreMistake { line, message }),
            }
        }
    }
    (found, mistakes)
}

/// The lines of a comment that begin with the mark, each with its offset and what follows the mark.
fn marks(comment: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_frame = |letter: char| letter.is_whitespace() || matches!(letter, '/' | '*');
    let offset = move |line: &str| line.as_ptr() as usize - comment.as_ptr() as usize;
    comment.lines().filter_map(move |line| {
        let written = line.trim_start_matches(is_frame).strip_prefix(MARK)?;
        let written = written.trim_end().trim_end_matches("*/");
        written.chars().next().is_none_or(|next| next.is_whitespace() || next == ':').then(|| (offset(line), written))
    })
}

/// The oracles and the reason.
fn read(written: &str) -> Result<(Vec<&'static str>, String), String> {
    let (names, reason) = written.split_once(':').unwrap_or((written, ""));
    let mut oracles = Vec::new();
    for name in names.split([',', ' ', '\t']).filter(|name| !name.is_empty()) {
        let Some(meta) = OracleMeta::of(name) else {
            // Words before a colon that is missing are none of oracles.
            if !oracles.is_empty() && !written.contains(':') {
                break;
            }
            let meant = suggestion(name, OracleMeta::ids());
            let all = || format!("; the oracles are {}", OracleMeta::ids().collect::<Vec<_>>().join(", "));
            let hint = if meant.is_empty() { all() } else { meant };
            return Err(format!("there is no oracle `{name}` to ignore{hint}"));
        };
        oracles.push(meta.id);
    }
    if oracles.is_empty() {
        return Err(format!("this `{MARK}` names no oracle: write {EXAMPLE}"));
    }
    match reason.trim() {
        "" => Err(format!("this `{MARK}` has no reason, so it ignores nothing: write {EXAMPLE}")),
        reason if reason.starts_with('<') && reason.ends_with('>') => {
            Err(format!("this `{MARK}` has no reason yet, so it ignores nothing: write it in place of `{reason}`"))
        }
        reason => Ok((oracles, reason.to_owned())),
    }
}

/// The code that a comment is about; `None` if there is none.
fn scope(source: &Source, comments: &Comments, comment: Span) -> Option<CommentScope> {
    let text = &*source.text;
    let line_start = text[..comment.start as usize].rfind('\n').map_or(0, |end| end as u32 + 1);
    if !comments.fill(text, Span::new(line_start, comment.start)) {
        return Some(CommentScope::On(source.lines.line(comment.start)));
    }
    let next = comments.next_code(text, comment.end)?;
    let is_declared = |kind| matches!(kind, NodeKind::Contract | NodeKind::Function | NodeKind::Modifier);
    let declared = source.ast.nodes.iter().find(|node| node.span.start == next && is_declared(node.kind));
    Some(declared.map_or(CommentScope::From(source.lines.line(next)), |node| CommentScope::Declaration(node.span)))
}

#[cfg(test)]
mod tests;
