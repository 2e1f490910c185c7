//! `--target`: which lines are to be reached, and which contracts compile them in.

use super::{
    arguments::Arguments,
    changed::{Comparison, changed},
    prepared::Prepared,
    wanted::Wanted,
};
use anyhow::{Result, bail};
use bellwether::{
    code::Programs,
    compile::{Build, Source},
    fuzz::{Lines, Options, Targets},
    harness::Harness,
    project::Config,
};
use std::{ops::RangeInclusive, path::Path, sync::Arc};

/// Tells each project which of its lines are to be reached, and leaves out the contracts that have none of them.
pub(super) fn choose(arguments: &Arguments, mut projects: Vec<Prepared>) -> Result<Vec<Prepared>> {
    let wanted = arguments.wanted()?;
    if wanted.is_empty() {
        return Ok(projects);
    }
    let harnesses: Vec<Vec<Harness>> = projects
        .iter()
        .map(|project| Ok(harnesses(&arguments.options(0, None)?, &project.build, &project.project.config)))
        .collect::<Result<_>>()?;
    for target in wanted {
        match target {
            Wanted::Changed => {
                let comparison = Comparison {
                    revision: "HEAD",
                    option: "--target changed",
                    otherwise: "name lines",
                    trusted: arguments.trust,
                    skips_comments: false,
                };
                for project in &mut projects {
                    let changed = changed(&project.project.root, &comparison)?;
                    let inside = changed.into_iter().filter_map(|(file, lines)| {
                        Some(Lines { file: source_at(&project.build, &file)?.path.clone(), lines })
                    });
                    project.targets.extend(inside);
                }
            }
            Wanted::Lines { file, lines } => line(&file, &lines, &mut projects, &harnesses)?,
        }
    }
    for (project, harnesses) in projects.iter_mut().zip(&harnesses) {
        let options = Options { targets: project.targets.clone(), ..Options::default() };
        let has_any = |harness: &&Harness| !project.targets.is_empty() && !options.targets_of(harness).is_empty();
        let chosen: Vec<String> = harnesses.iter().filter(has_any).map(name).collect();
        project.contracts = chosen.len() as u64;
        project.chosen = Some(chosen);
    }
    Ok(projects)
}

/// The contracts that would be fuzzed. What cannot be linked is told when it is to be.
fn harnesses(options: &Options, build: &Arc<Build>, config: &Config) -> Vec<Harness> {
    let programs = Arc::new(Programs::of(build));
    let ids = options.contracts_of(build).into_iter();
    ids.filter_map(|id| Harness::with_config(build.clone(), programs.clone(), id, config).ok()).collect()
}

fn name(harness: &Harness) -> String {
    let (file, name) = harness.build.qualified_name(harness.contract);
    format!("{file}:{name}")
}

/// Adds lines of a file to the projects that have it.
fn line(file: &str, lines: &RangeInclusive<usize>, projects: &mut [Prepared], all: &[Vec<Harness>]) -> Result<()> {
    let shown = if lines.start() == lines.end() {
        format!("--target {file}:{}", lines.start())
    } else {
        format!("--target {file}:{}-{}", lines.start(), lines.end())
    };
    let (mut found, mut has_code) = (None, false);
    let mut nearest: Vec<u32> = Vec::new();
    for (project, harnesses) in projects.iter_mut().zip(all) {
        let relative = project.project.root.join(file);
        let source = [Path::new(file), &relative].into_iter().find_map(|path| source_at(&project.build, path));
        let Some(source) = source else {
            if project.build.failed.iter().any(|failed| same_file(&project.project.root.join(failed), Path::new(file)))
            {
                bail!("{shown}: the file, or one that it imports, does not compile; repair that first");
            }
            continue;
        };
        let wanted = Lines { file: source.path.clone(), lines: lines.clone() };
        let options = Options { targets: vec![wanted.clone()], ..Options::default() };
        has_code |= harnesses.iter().any(|harness| !options.targets_of(harness).is_empty());
        let other = harnesses.iter().flat_map(|harness| {
            let id = harness.build.source_at(&source.path);
            let targets = id.map(|id| Targets::of_lines(harness, id, 1..=usize::MAX)).unwrap_or_default();
            targets.list().iter().map(|target| target.line).collect::<Vec<_>>()
        });
        nearest.extend(other);
        found = Some(source.name.clone());
        project.targets.push(wanted);
    }
    let Some(name) = found else {
        bail!(
            "{shown}: no project that is fuzzed has this file; give its path from the current folder or from the project's root"
        );
    };
    if has_code {
        return Ok(());
    }
    let distance = |line: &u32| (*line as usize).abs_diff(*lines.start()).min((*line as usize).abs_diff(*lines.end()));
    match nearest.into_iter().min_by_key(distance) {
        Some(near) => bail!("{shown}: no code is compiled from there; the nearest line of {name} with code is {near}"),
        None => {
            bail!("{shown}: no contract that is fuzzed has code from {name}; name another file, or check --contract")
        }
    }
}

fn source_at<'a>(build: &'a Build, path: &Path) -> Option<&'a Arc<Source>> {
    build.sources.iter().find(|source| same_file(&source.path, path))
}

pub(super) fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
