//! The lenses of a file: what was and was not done, above its contracts and functions. `requests/code_lens.rs` places them,
//! `lens_refresh.rs` has the client ask for them again.

mod words;

use super::project::results::Results;
use bellwether::{
    compile::{Source, Span},
    finding::Finding,
    fuzz::{ContractSurvey, FunctionSurvey},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    path::Path,
};

/// A lens, in the text that was compiled.
#[derive(Debug)]
pub(super) struct Lens<'a> {
    /// The source.
    pub(super) source: &'a Source,
    /// The range above which it is shown.
    pub(super) span: Span,
    /// What it says.
    pub(super) title: String,
    /// The finding that a click shows.
    pub(super) finding: Option<&'a Finding>,
}

/// All lenses of a file; none where they are switched off.
pub(super) fn of_file<'a>(results: &'a Results, path: &Path) -> Vec<Lens<'a>> {
    let config = results.compiled.as_ref().map(|compiled| &compiled.project.config);
    if config.is_none_or(|config| config.code_lens == Some(false)) {
        return Vec::new();
    }
    let findings: Vec<&Finding> = results.findings().map(|finding| &**finding).collect();
    let left_out: Vec<Lens<'_>> = not_fuzzed(results, path).collect();
    let is_left_out = |contract: &ContractSurvey| {
        let harness = &contract.harness;
        let name = harness.build.qualified_name(harness.contract);
        results.not_fuzzed().any(|other| other.build.qualified_name(other.contract) == name)
    };
    let fuzzed = results.survey().contracts.iter().filter(|contract| !is_left_out(contract));
    let contracts = fuzzed.flat_map(|contract| of_contract(contract, path, &findings));
    left_out.into_iter().chain(contracts).chain(of_functions(results, path, &findings)).collect()
}

/// The contracts of a file that are not fuzzed.
fn not_fuzzed<'a>(results: &'a Results, path: &Path) -> impl Iterator<Item = Lens<'a>> {
    let here = results.not_fuzzed().filter(move |contract| contract.source().path == path);
    here.map(|contract| Lens {
        source: contract.source(),
        span: contract.build.name_span(contract.contract),
        title: words::not_fuzzed(&contract.why),
        finding: None,
    })
}

/// The lenses above a contract, if it is in this file.
fn of_contract<'a>(contract: &'a ContractSurvey, path: &Path, findings: &[&'a Finding]) -> Vec<Lens<'a>> {
    let harness = &contract.harness;
    let source: &Source = harness.build.source(harness.compiled().source);
    if source.path != path {
        return Vec::new();
    }
    let span = harness.build.name_span(harness.contract);
    let is_its = |finding: &&&Finding| {
        let of = &finding.harness;
        of.build.qualified_name(of.contract) == harness.build.qualified_name(harness.contract)
            || finding.path == path && harness.compiled().span.contains(finding.span)
    };
    let its: Vec<&Finding> = findings.iter().filter(is_its).copied().collect();
    let title = words::of_contract(contract, its.len());
    let proof = contract.assertions_hold.then(|| words::PROVED.to_owned());
    let lens = |(title, finding)| Lens { source, span, title, finding };
    [(title, its.first().copied())].into_iter().chain(proof.map(|title| (title, None))).map(lens).collect()
}

/// What is known of one function in each contract that has it.
type InContracts<'a> = Vec<(&'a ContractSurvey, &'a FunctionSurvey)>;

/// The lenses above the functions and modifiers of a file that have something to say.
fn of_functions<'a>(results: &'a Results, path: &Path, findings: &[&'a Finding]) -> Vec<Lens<'a>> {
    let mut functions: BTreeMap<Span, (&Source, InContracts<'_>)> = BTreeMap::new();
    for contract in &results.survey().contracts {
        for function in &contract.functions {
            let (source, span) = function.definition;
            let source = contract.harness.build.source(source);
            if source.path == path {
                functions.entry(span).or_insert_with(|| (source, Vec::new())).1.push((contract, function));
            }
        }
    }
    let lens = |(span, (source, surveys)): (Span, (&'a Source, InContracts<'a>))| {
        let is_here = |finding: &&&Finding| finding.path == path && span.contains(finding.span);
        let here: Vec<&Finding> = findings.iter().filter(is_here).copied().collect();
        let title = words::of_function(most_telling(span, source, surveys)?, here.len())?;
        Some(Lens { source, span: head(source, span), title, finding: here.first().copied() })
    };
    functions.into_iter().filter_map(lens).collect()
}

/// Of the contracts that have a function, its own where that is fuzzed, else the one in which most of it was reached.
fn most_telling<'a>(span: Span, source: &Source, surveys: InContracts<'a>) -> Option<&'a FunctionSurvey> {
    let ran = surveys.into_iter().filter(|(contract, _)| contract.executions > 0);
    let rank = |(contract, function): &(&ContractSurvey, &FunctionSurvey)| {
        let compiled = contract.harness.compiled();
        let is_own = contract.harness.build.source(compiled.source).path == source.path && compiled.span.contains(span);
        let succeeded = function.always_reverted.is_none();
        (is_own, function.branches.covered, succeeded, std::cmp::Reverse(function.state))
    };
    ran.max_by_key(rank).map(|(_, function)| function)
}

/// The first line of a definition.
fn head(source: &Source, span: Span) -> Span {
    let line = span.text(&source.text).lines().next().unwrap_or_default().trim_end();
    Span::new(span.start, span.start + line.len() as u32)
}

/// What the lenses of these files say, by file.
pub(super) fn titles<'a>(
    results: impl Iterator<Item = &'a Results> + Clone,
    paths: impl Iterator<Item = &'a Path>,
) -> BTreeMap<&'a Path, BTreeSet<(Span, String)>> {
    let of = |path| {
        let lenses = results.clone().flat_map(move |results| of_file(results, path));
        (path, lenses.map(|lens| (lens.span, lens.title)).collect())
    };
    paths.map(of).collect()
}
