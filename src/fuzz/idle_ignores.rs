//! [`IdleIgnore`]s are ignores that match no finding although the code that they are about was run. Of code that no session ran,
//! nothing is said. That a defect is gone is not proved by it either: it was not found.

use super::{campaign::Campaign, session::Session};
use crate::{
    code::{Line, Lines},
    compile::{Node, NodeKind, Source, SourceId, Span},
    finding::{IgnoredBy, ignore_comments},
    input::print::grouped,
    project::{CONFIG_FILE, IgnoreRule},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::RangeInclusive,
    path::PathBuf,
};

/// An ignore that matches no finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IdleIgnore {
    /// The file that holds it: a source or `bellwether.toml`.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: u32,
    /// The oracle that found nothing.
    pub oracle: String,
    /// The transactions of the sessions that ran the code in question.
    pub executions: u64,
}

impl std::fmt::Display for IdleIgnore {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "`{}` found nothing to ignore here in {} transactions: remove this, or it hides the next defect",
            self.oracle,
            grouped(&self.executions.to_string(), ',')
        )
    }
}

/// The place of an ignore, and an oracle that it names.
type Key = (PathBuf, u32, String);

/// What is known of the ignores of a campaign.
#[derive(Default)]
struct Tally {
    /// The transactions of sessions that ran the code.
    ran: BTreeMap<Key, u64>,
    /// Those that match a finding.
    matched: BTreeSet<Key>,
}

impl Campaign {
    /// The ignores that match no finding of any session, by file and line.
    pub fn idle_ignores(&self) -> Vec<IdleIgnore> {
        let sessions: Vec<_> = self.sessions().values().cloned().collect();
        let mut tally = Tally::default();
        sessions.iter().for_each(|session| tally.add(session));
        let Tally { ran, matched } = tally;
        let idle = ran.into_iter().filter(|(key, _)| !matched.contains(key));
        idle.map(|((path, line, oracle), executions)| IdleIgnore { path, line, oracle, executions }).collect()
    }
}

impl Tally {
    fn add(&mut self, session: &Session) {
        let build = &session.harness.build;
        let config_file = build.root.join(CONFIG_FILE);
        for finding in session.findings() {
            let oracle = finding.violation.oracle.to_owned();
            match finding.ignored.as_ref().map(|ignored| &ignored.by) {
                Some(IgnoredBy::Comment { line, .. }) => {
                    self.matched.insert((finding.path.clone(), *line, oracle));
                }
                Some(IgnoredBy::Rule { line: Some(line), .. }) => {
                    self.matched.insert((config_file.clone(), *line as u32, oracle));
                }
                Some(IgnoredBy::Rule { line: None, .. }) | None => {}
            }
        }
        let (config, executions) = (session.config(), session.executions());
        if executions == 0 || session.is_undeployable() {
            return;
        }
        let mut ignores: Vec<(Key, SourceId, RangeInclusive<u32>)> = Vec::new();
        for (id, source) in (0..).map(SourceId).zip(&build.sources) {
            for comment in ignore_comments(source).0 {
                let key = |oracle: &&str| (source.path.clone(), comment.line, (*oracle).to_owned());
                ignores.extend(comment.oracles.iter().map(|oracle| (key(oracle), id, comment.lines(source))));
            }
            for rule in config.ignore.iter().flatten() {
                let Some(line) = rule.line else { continue };
                let key = (config_file.clone(), line as u32, rule.oracle.clone());
                ignores.extend(lines_of(rule, source).into_iter().map(|lines| (key.clone(), id, lines)));
            }
        }
        ignores.retain(|((.., oracle), ..)| config.looks_for(oracle));
        if ignores.is_empty() {
            return;
        }
        let reached = reached(session);
        let keys: BTreeSet<Key> = ignores
            .into_iter()
            .filter(|(_, id, lines)| reached.range((*id, *lines.start())..=(*id, *lines.end())).next().is_some())
            .map(|(key, ..)| key)
            .collect();
        for key in keys {
            *self.ran.entry(key).or_default() += executions;
        }
    }
}

/// The lines of a source that a rule is about; none if it is about another source.
fn lines_of(rule: &IgnoreRule, source: &Source) -> Vec<RangeInclusive<u32>> {
    let place = &rule.place;
    if !place.fits_file(&source.name) {
        return Vec::new();
    }
    let is_named = |kinds: &[NodeKind], name: &Option<String>| {
        let of = |node: &&Node| kinds.contains(&node.kind) && name.as_ref() == Some(&node.name);
        source.ast.nodes.iter().filter(of).map(|node| node.span).collect::<Vec<_>>()
    };
    let contracts = is_named(&[NodeKind::Contract], &place.contract);
    let functions = is_named(&[NodeKind::Function, NodeKind::Modifier], &place.function);
    let lines = |span: &Span| source.lines.line(span.start)..=source.lines.line(span.end);
    match (&place.contract, &place.function) {
        (None, None) => vec![1..=u32::MAX],
        (Some(_), None) => contracts.iter().map(lines).collect(),
        (None, Some(_)) => functions.iter().map(lines).collect(),
        (Some(_), Some(_)) => {
            let is_inside = |function: &&Span| contracts.iter().any(|it| it.contains(**function));
            functions.iter().filter(is_inside).map(lines).collect()
        }
    }
}

/// The lines that the session ran.
fn reached(session: &Session) -> BTreeSet<Line> {
    let harness = &session.harness;
    let lines = Lines::of(&harness.build, &harness.programs);
    let mut reached = BTreeSet::new();
    for &id in harness.code() {
        let blocks = harness.programs.get(id).code_blocks();
        for block in blocks.filter(|block| session.coverage.has_block(id, *block)) {
            reached.extend(lines.of_block(id, block));
        }
    }
    reached
}
