//! [`FileCoverage`] is what a run reached of a file: its lines, functions and branches. Code that should have been fuzzed and was not
//! is in it as well, and was not reached. Lines without code, and files of tests, scripts and dependencies, are not.

use crate::{
    code::{BlockId, ProgramOutline, Programs, Stage},
    compile::{Build, ContractId, SourceId, SourceRange},
    fuzz::{BlockState, BranchSurvey, BranchSurveys, Campaign, Survey, add_branches},
    project::{FileRole, Project},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// What was reached of a file.
#[derive(Debug, Clone)]
pub struct FileCoverage {
    /// The project's root, as the user gave it.
    pub project: String,
    /// The source's name, relative to the root.
    pub file: String,
    /// The text that was compiled.
    pub text: Arc<str>,
    /// The best state of the code on each line that has any, by line, from 1.
    pub lines: BTreeMap<u32, BlockState>,
    /// Its functions and modifiers with code, in the order of the file.
    pub functions: Vec<FunctionCoverage>,
    /// Its branches, in the order of the file.
    pub branches: Vec<BranchCoverage>,
}

/// What was reached of a function or a modifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FunctionCoverage {
    /// Its name with that of its contract: `Vault.deposit`. Functions of the same name have a number behind it from the second on.
    pub name: String,
    /// The line that it begins on, from 1.
    pub line: u32,
    /// Whether any of its code was run.
    pub is_reached: bool,
}

/// What was reached of a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BranchCoverage {
    /// The line that it begins on, from 1.
    pub line: u32,
    /// The ways that it went.
    pub went: BranchSurvey,
}

impl FileCoverage {
    /// How many of its lines with code were reached, and how many there are.
    pub fn line_counts(&self) -> (usize, usize) {
        let reached = self.lines.values().filter(|state| **state == BlockState::Reached).count();
        (reached, self.lines.len())
    }

    /// How many of the ways of its branches were gone, and how many there are.
    pub fn branch_counts(&self) -> (usize, usize) {
        let gone = |branch: &BranchCoverage| usize::from(branch.went.was_true) + usize::from(branch.went.was_false);
        (self.branches.iter().map(gone).sum(), self.branches.len() * 2)
    }

    /// How many of its functions were reached, and how many there are.
    pub fn function_counts(&self) -> (usize, usize) {
        (self.functions.iter().filter(|function| function.is_reached).count(), self.functions.len())
    }
}

/// What is known of the sources of a build.
#[derive(Default)]
struct Reached {
    lines: BTreeMap<(SourceId, u32), BlockState>,
    functions: BTreeMap<SourceRange, bool>,
    branches: BranchSurveys,
}

impl FileCoverage {
    /// What was reached of the own files of a project. `contracts` are those that were to be fuzzed; those that the campaign did not
    /// come to, or all if there was none, are code that was not reached.
    pub(super) fn of_project(
        name: &str,
        project: &Project,
        build: &Arc<Build>,
        contracts: &[ContractId],
        campaign: Option<&Campaign>,
    ) -> Vec<Self> {
        let mut reached = Reached::default();
        let mut surveyed = BTreeSet::new();
        if let Some(campaign) = campaign {
            let survey = campaign.survey();
            surveyed.extend(survey.contracts.iter().map(|contract| contract.harness.contract));
            reached.add_survey(&survey, build);
            reached.branches = campaign.branches(build);
        }
        let rest: Vec<ContractId> = contracts.iter().copied().filter(|id| !surveyed.contains(id)).collect();
        if !rest.is_empty() {
            reached.add_unreached(build, &rest);
        }
        reached.into_files(name, project, build)
    }
}

impl Reached {
    fn add_survey(&mut self, survey: &Survey, build: &Arc<Build>) {
        for program in survey.programs.values().filter(|program| Arc::ptr_eq(&program.build, build)) {
            let state_of = |block: BlockId| program.blocks.get(block.0 as usize).copied();
            self.add_outline(&program.outline, state_of);
        }
    }

    /// Adds the code of contracts of which nothing was run.
    fn add_unreached(&mut self, build: &Build, contracts: &[ContractId]) {
        let programs = Programs::of(build);
        for contract in contracts {
            for id in [Stage::Creation, Stage::Runtime].map(|stage| programs.id(*contract, stage)) {
                self.add_outline(&ProgramOutline::of(build, &programs, id), |_| Some(BlockState::Open));
                add_branches(&mut self.branches, build, programs.get(id), |_, _| false);
            }
        }
    }

    fn add_outline(&mut self, outline: &ProgramOutline, state_of: impl Fn(BlockId) -> Option<BlockState>) {
        for (line, state) in outline.line_states(&state_of) {
            let known = self.lines.entry(line).or_insert(state);
            *known = (*known).min(state);
        }
        for function in &outline.functions {
            let is_reached = function.blocks.iter().any(|block| state_of(*block) == Some(BlockState::Reached));
            *self.functions.entry(function.definition).or_default() |= is_reached;
        }
    }

    /// The files of the project's own contracts, in the order of their names.
    fn into_files(self, name: &str, project: &Project, build: &Build) -> Vec<FileCoverage> {
        let mut files: BTreeMap<SourceId, FileCoverage> = BTreeMap::new();
        for ((id, line), state) in self.lines {
            let source = build.source(id);
            let empty = || FileCoverage {
                project: name.to_owned(),
                file: source.name.clone(),
                text: source.text.clone(),
                lines: BTreeMap::new(),
                functions: Vec::new(),
                branches: Vec::new(),
            };
            files.entry(id).or_insert_with(empty).lines.insert(line, state);
        }
        files.retain(|id, _| project.role(&build.source(*id).path) == FileRole::Contract);
        for ((id, span), is_reached) in self.functions {
            if let Some(file) = files.get_mut(&id) {
                let line = build.source(id).lines.line(span.start);
                file.functions.push(FunctionCoverage { name: function_name(build, (id, span)), line, is_reached });
            }
        }
        for ((id, span), went) in self.branches {
            if let Some(file) = files.get_mut(&id) {
                file.branches.push(BranchCoverage { line: build.source(id).lines.line(span.start), went });
            }
        }
        let mut files: Vec<FileCoverage> = files.into_values().collect();
        files.iter_mut().for_each(|file| number_equal_names(&mut file.functions));
        files
    }
}

/// The name of a function with that of its contract.
fn function_name(build: &Build, (id, span): SourceRange) -> String {
    let ast = &build.source(id).ast;
    let function = ast.function_at(span).map_or("", |node| node.name.as_str());
    match ast.contract_at(span) {
        Some(contract) => format!("{}.{function}", contract.name),
        None => function.to_owned(),
    }
}

/// Makes names differ, as overloaded functions have one.
fn number_equal_names(functions: &mut [FunctionCoverage]) {
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for function in functions {
        let count = seen.entry(function.name.clone()).or_default();
        *count += 1;
        if *count > 1 {
            function.name = format!("{}.{count}", function.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_one_name_are_told_apart() {
        let function = |name: &str| FunctionCoverage { name: name.to_owned(), line: 1, is_reached: false };
        let mut functions = ["A.f", "A.g", "A.f", "A.f"].map(function);
        number_equal_names(&mut functions);
        assert_eq!(functions.map(|function| function.name), ["A.f", "A.g", "A.f.2", "A.f.3"]);
    }
}
