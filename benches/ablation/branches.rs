//! Branches of the labelled contracts that are taken both ways with everything on, and without one technique.

use crate::{
    SIGNIFICANT,
    campaign::build,
    without,
    support::{
        report::{line, parallel, probability, say},
        statistics::{a12, mann_whitney, median},
    },
};
use bellwether::{
    compile::Build,
    fuzz::{Campaign, Event, Options, Techniques},
    project::{Config, Project},
};
use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
};

/// Transactions for each contract: what is still missing then is what is hard to reach.
const TRANSACTIONS: u64 = 10_000;
/// Of the labelled contracts, one in so many.
const STEP: usize = 10;

/// One technique on and off.
pub fn comparison(name: &str, seeds: u64) {
    line(&format!("\n### Branches without {name}\n"));
    line(&format!("{TRANSACTIONS} transactions for each contract, seeds 1 to {seeds}.\n"));
    line("| contract | edges | reached, median, on | off | p | A12 |");
    line("|---|---|---|---|---|---|");
    let (mut more, mut less, mut count, mut sums) = (0, 0, 0, [0.0, 0.0]);
    for file in sources() {
        let label = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        say(&format!("{label}: branches without {name}"));
        let folder = tempfile::tempdir().expect("a folder");
        fs::copy(&file, folder.path().join(format!("{label}.sol"))).expect("a copy");
        let project = Project::load(folder.path()).expect("a project");
        let build = build(&project);
        let [on, off] = [Techniques::default(), without(name)].map(|techniques| {
            parallel(seeds as usize, |number| reached(&build, &project.config, techniques, number as u64 + 1))
        });
        let edges = on.first().map_or(0, |(_, known)| *known);
        let [on, off] = [on, off].map(|runs| runs.iter().map(|(covered, _)| f64::from(*covered)).collect::<Vec<_>>());
        // How likely a run with it reaches more.
        let (p, effect) = (mann_whitney(&on, &off), a12(&on, &off));
        let medians = [&on, &off].map(|runs| median(runs.clone()));
        line(&format!("| {label} | {edges} | {} | {} | {} | {effect:.2} |", medians[0], medians[1], probability(p)));
        more += usize::from(p < SIGNIFICANT && effect > 0.5);
        less += usize::from(p < SIGNIFICANT && effect < 0.5);
        count += 1;
        sums = [sums[0] + medians[0], sums[1] + medians[1]];
    }
    line(&format!(
        "\nOf {count} contracts, significantly more edges with {name}: {more}, fewer: {less}. Medians together: {} and {}.",
        sums[0], sums[1]
    ));
}

/// The labelled contracts that are looked at.
fn sources() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/labelled");
    let mut all: Vec<PathBuf> = ["safe", "vulnerable"]
        .into_iter()
        .flat_map(|folder| fs::read_dir(root.join(folder)).expect("labelled contracts"))
        .map(|entry| entry.expect("an entry").path())
        .collect();
    all.sort();
    all.into_iter().step_by(STEP).collect()
}

/// Edges of branches that are reached in all contracts of a project, and all of them.
fn reached(build: &Arc<Build>, config: &Config, techniques: Techniques, seed: u64) -> (u32, u32) {
    let contracts = build.contracts.iter().filter(|contract| contract.is_deployable()).count() as u64;
    let (send, events) = mpsc::channel();
    let options = Options {
        workers: 1,
        seed,
        executions: Some(TRANSACTIONS * contracts),
        until_quiet: true,
        quiet_after: TRANSACTIONS,
        techniques,
        ..Options::default()
    };
    let campaign = Campaign::start(options, Arc::new(move |event| drop(send.send(event)))).expect("threads");
    campaign.rebase(build, config, 1);
    let is_over = |event: &Event| matches!(event, Event::Quiet { .. });
    let _ = events.iter().find(is_over);
    let progress = campaign.progress();
    campaign.stop();
    let sum = |of: fn(&bellwether::fuzz::Progress) -> u32| progress.iter().map(of).sum();
    (sum(|of| of.branches.covered), sum(|of| of.branches.known))
}
