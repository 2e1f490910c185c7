//! A [`Pattern`] is one defect that was copied: findings of one oracle and one cause in functions of the same name of several
//! contracts, at the same text. What is only for information is one wherever the text is the same. It is told once, with its places. That
//! the copies mean the same is not known: each is proved by its own finding.

use super::model::Finding;
use crate::{oracle::Cause, project::Level};
use std::{collections::BTreeMap, sync::Arc};

/// A finding, and those of the same code in other contracts.
#[derive(Debug, Clone)]
pub struct Pattern<'a> {
    /// The most serious of them, and the first of equals.
    pub finding: &'a Arc<Finding>,
    /// The others, in the order of files and lines.
    pub copies: Vec<&'a Arc<Finding>>,
}

impl<'a> Pattern<'a> {
    /// The pattern as each file with one of its places tells it: by the first finding there, with all others as its copies.
    pub fn in_each_file(&self) -> Vec<Self> {
        let all = || std::iter::once(&self.finding).chain(&self.copies).copied();
        let mut files: Vec<Self> = Vec::new();
        for finding in all() {
            if files.iter().all(|told| told.finding.path != finding.path) {
                files.push(Self { finding, copies: all().filter(|other| other.id != finding.id).collect() });
            }
        }
        files
    }
}

/// What copies have in common: oracle, cause, function, text without white space, and of equal places in one contract the number.
type Key = (&'static str, Cause, String, String, usize);

/// Findings, each with its place in the order of all.
type Group<'a> = Vec<(usize, &'a Arc<Finding>)>;

/// Groups distinct findings, in the order of those that are told.
pub fn patterns<'a>(findings: impl IntoIterator<Item = &'a Arc<Finding>>) -> Vec<Pattern<'a>> {
    let mut groups: BTreeMap<Key, Group<'_>> = BTreeMap::new();
    let mut seen: BTreeMap<_, usize> = BTreeMap::new();
    for (index, finding) in findings.into_iter().enumerate() {
        let (oracle, cause) = (finding.violation.oracle, finding.violation.cause);
        let place = finding.violation.place.names(&finding.harness.build);
        let text: String = place.expression.split_whitespace().collect();
        // Outside of functions nothing says that equal texts are copies.
        let function = if is_in_function(finding) { place.function.to_owned() } else { finding.id.clone() };
        let key = (oracle, cause, function, text);
        let number = seen.entry((key.clone(), place.file.to_owned(), place.contract.to_owned())).or_default();
        let (oracle, cause, function, text) = key;
        groups.entry((oracle, cause, function, text, *number)).or_default().push((index, finding));
        *number += 1;
    }
    let mut patterns: Vec<(usize, Pattern<'_>)> = of_one_text(groups).filter_map(pattern).collect();
    patterns.sort_by_key(|(index, _)| *index);
    patterns.into_iter().map(|(_, pattern)| pattern).collect()
}

/// The groups, those together that are for information and have oracle, cause and text in common.
fn of_one_text(groups: BTreeMap<Key, Group<'_>>) -> impl Iterator<Item = Group<'_>> {
    let mut together: BTreeMap<_, Group<'_>> = BTreeMap::new();
    for ((oracle, cause, function, text, number), group) in groups {
        let is_for_information =
            group.iter().all(|(_, finding)| finding.level >= Level::Information && is_in_function(finding));
        let (function, number) = if is_for_information { (String::new(), 0) } else { (function, number) };
        together.entry((oracle, cause, text, function, number)).or_default().extend(group);
    }
    together.into_values()
}

fn is_in_function(finding: &Finding) -> bool {
    !finding.violation.place.names(&finding.harness.build).function.is_empty()
}

fn pattern(mut group: Group<'_>) -> Option<(usize, Pattern<'_>)> {
    group.sort_by_key(|(index, _)| *index);
    let &(first, finding) = group.iter().min_by_key(|(index, finding)| (finding.level, *index))?;
    let copies = group.into_iter().filter(|(index, _)| *index != first).map(|(_, finding)| finding).collect();
    Some((first, Pattern { finding, copies }))
}
