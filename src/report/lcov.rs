//! The lcov form of a report: a tracefile, as `lcov`, `genhtml`, editors and services for coverage read it. A run counts no visits:
//! a line, function or way of a branch that was reached has the count 1, one that was not has 0.

use super::{FileCoverage, Problem, ProblemKind, Report, path::path};
use crate::{fuzz::BlockState, input::print::on_one_line};
use std::fmt::Write;

impl Report {
    /// The lcov form: a record for each file with code that was or should have been fuzzed. A file that does not compile has one in
    /// which nothing is reached. Why something was not fuzzed stands in comments.
    pub fn to_lcov(&self) -> String {
        let mut text = String::new();
        for contract in &self.contracts {
            if let Some(reason) = contract.told_not_fuzzed() {
                let _ = writeln!(text, "# not fuzzed: {}: {}", contract.place(), on_one_line(&reason));
            }
        }
        let is_left_out = |problem: &&Problem| problem.kind == ProblemKind::Compiling && !problem.file.is_empty();
        let left_out: Vec<&Problem> = self.errors.iter().filter(is_left_out).collect();
        for problem in &left_out {
            let place = path(&problem.project, &problem.file);
            let _ = writeln!(text, "# not compiled: {place}:{}: {}", problem.line, on_one_line(&problem.message));
        }
        for file in &self.coverage {
            record(&mut text, file);
        }
        for problem in left_out {
            let file = path(&problem.project, &problem.file);
            let _ = writeln!(text, "TN:\nSF:{file}\nDA:{},0\nLF:1\nLH:0\nend_of_record", problem.line.max(1));
        }
        text
    }
}

/// The record of a file.
fn record(text: &mut String, file: &FileCoverage) {
    let _ = writeln!(text, "TN:\nSF:{}", path(&file.project, &file.file));
    for function in &file.functions {
        let _ = writeln!(text, "FN:{},{}", function.line, function.name);
    }
    for function in &file.functions {
        let _ = writeln!(text, "FNDA:{},{}", u8::from(function.is_reached), function.name);
    }
    let (reached, all) = file.function_counts();
    let _ = writeln!(text, "FNF:{all}\nFNH:{reached}");
    for (block, branch) in file.branches.iter().enumerate() {
        let was_decided = branch.went.was_true || branch.went.was_false;
        for (way, gone) in [branch.went.was_true, branch.went.was_false].into_iter().enumerate() {
            // A dash says that the condition was not evaluated at all.
            let taken = if was_decided { u8::from(gone).to_string() } else { "-".to_owned() };
            let _ = writeln!(text, "BRDA:{},{block},{way},{taken}", branch.line);
        }
    }
    let (gone, all) = file.branch_counts();
    let _ = writeln!(text, "BRF:{all}\nBRH:{gone}");
    for (line, state) in &file.lines {
        let _ = writeln!(text, "DA:{line},{}", u8::from(*state == BlockState::Reached));
    }
    let (reached, all) = file.line_counts();
    let _ = writeln!(text, "LF:{all}\nLH:{reached}\nend_of_record");
}
