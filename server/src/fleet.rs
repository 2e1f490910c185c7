//! `bellwether fleet`: who shares what they find, and how far they are.

use crate::{
    exchange::{Address, Fleet, Machine, visit},
    output::{self, Format},
};
use anyhow::{Result, bail};
use bellwether::report::{counted, rate};
use clap::Subcommand;
use console::Term;
use serde_json::{Value, json};
use std::{
    collections::{BTreeMap, BTreeSet},
    process::ExitCode,
    time::Duration,
};

/// Commands about machines that share what they find.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Show which machines fuzz, how fast, and how far they are
    Status(StatusArguments),
}

#[derive(Debug, clap::Args)]
struct StatusArguments {
    /// Where the machines meet, as given to `bellwether fuzz --join`
    #[arg(value_name = "URL")]
    address: Address,
    /// Write text for people, or one JSON object
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Look again every two seconds, until Ctrl-C
    #[arg(long, conflicts_with = "format")]
    live: bool,
}

/// How often a live status looks again.
const INTERVAL: Duration = Duration::from_secs(2);
/// Columns of a growth curve.
const COLUMNS: u64 = 20;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Command::Status(StatusArguments { address, format, live }) = &arguments.command;
    if *live {
        return watch(address);
    }
    let fleet = visit(address)?;
    output::line(&match format {
        Format::Text => text(address, &fleet),
        Format::Json => serde_json::to_string_pretty(&json(&fleet))?,
    });
    Ok(ExitCode::SUCCESS)
}

/// Rewrites the status on a terminal, again and again. A place that cannot be reached for a while is told, and looked at again.
fn watch(address: &Address) -> Result<ExitCode> {
    let terminal = Term::stdout();
    if !terminal.is_term() {
        bail!("--live: standard output is not a terminal; leave --live out, or use --format json");
    }
    let mut shown = text(address, &visit(address)?);
    loop {
        let columns = usize::from(terminal.size().1);
        let lines: Vec<_> = shown.lines().map(|line| console::truncate_str(line, columns, "…").into_owned()).collect();
        terminal.write_line(&lines.join("\n"))?;
        std::thread::sleep(INTERVAL);
        let next =
            visit(address).map_or_else(|error| format!("{error:#}; trying again"), |fleet| text(address, &fleet));
        terminal.clear_last_lines(lines.len())?;
        shown = next;
    }
}

/// How a fleet grew: the curve of the machine that has reached the most.
fn growth(fleet: &Fleet) -> Option<String> {
    let reached = |machine: &Machine| machine.growth.points().last().map(|point| point.covered);
    let (number, machine) = fleet.machines.iter().max_by_key(|(_, machine)| reached(machine))?;
    let points = machine.growth.points();
    let last = points.last()?;
    let at = |second: u64| points.iter().take_while(|point| point.seconds <= second).last().map_or(0, |it| it.covered);
    let bar = |column: u64| {
        let covered = at(machine.seconds.saturating_mul(column + 1) / COLUMNS);
        let height = u64::from(covered).saturating_mul(8).div_ceil(u64::from(last.covered.max(1)));
        ['▁', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][height.min(8) as usize]
    };
    let curve: String = (0..COLUMNS).map(bar).collect();
    let branches = if last.covered == 1 { "branch" } else { "branches" };
    Some(format!(
        "  {curve} {} {branches} by machine {number} in {} s, the last after {} s",
        last.covered, machine.seconds, last.seconds,
    ))
}

/// How far all machines together are with one contract, by its file and name.
type Contracts<'a> = BTreeMap<(&'a str, &'a str), Together>;

/// How far several machines are.
#[derive(Debug, Default)]
struct Together {
    /// Their numbers.
    machines: BTreeSet<u32>,
    executions: u64,
    covered: u32,
    known: u32,
}

/// Each machine runs what the others send, so the one that has reached most has what they reached together, but for what is on its way.
fn contracts(fleet: &Fleet) -> Contracts<'_> {
    let mut contracts = Contracts::new();
    let all =
        fleet.machines.iter().flat_map(|(number, it)| it.contracts.iter().map(move |contract| (number, contract)));
    for (number, contract) in all {
        let together = contracts.entry((contract.file.as_str(), contract.name.as_str())).or_default();
        together.machines.insert(*number);
        together.executions = together.executions.saturating_add(contract.executions);
        together.covered = together.covered.max(contract.covered);
        together.known = together.known.max(contract.known);
    }
    contracts
}

/// Whether all machines fuzz the same contracts, as far as they have begun.
fn fuzz_the_same(fleet: &Fleet) -> bool {
    let fuzzed = |(_, machine): &(u32, Machine)| -> BTreeSet<(String, String)> {
        machine.contracts.iter().map(|contract| (contract.file.clone(), contract.name.clone())).collect()
    };
    let sets: BTreeSet<_> = fleet.machines.iter().map(fuzzed).filter(|set| !set.is_empty()).collect();
    sets.len() < 2
}

fn per_second(machine: &Machine) -> u64 {
    machine.executions / machine.seconds.max(1)
}

fn text(address: &Address, fleet: &Fleet) -> String {
    let all: u64 = fleet.machines.iter().map(|(_, machine)| per_second(machine)).fold(0, u64::saturating_add);
    let mut lines = vec![format!(
        "{address}: {} · {} · {} and {} shared{}",
        counted(fleet.machines.len() as u64, "machine"),
        rate(all),
        counted(fleet.entries, "sequence"),
        counted(fleet.findings, "finding"),
        fleet.cost.map(|cost| format!(" · {cost:.2} spent")).unwrap_or_default(),
    )];
    for (number, machine) in &fleet.machines {
        lines.push(format!(
            "  {number}: {} for {} s · {} ({}) · {} % of them replayed · {}",
            shown(&machine.id),
            machine.seconds,
            counted(machine.executions, "transaction"),
            rate(per_second(machine)),
            percent(machine.replayed, machine.executions),
            counted(machine.findings.len() as u64, "finding"),
        ));
    }
    for ((file, name), together) in contracts(fleet) {
        let Together { machines, executions, covered, known } = together;
        lines.push(format!(
            "  {}:{} · {covered}/{known} branches · {} · {}",
            shown(file),
            shown(name),
            counted(executions, "transaction"),
            counted(machines.len() as u64, "machine"),
        ));
    }
    lines.extend(growth(fleet));
    if !fuzz_the_same(fleet) {
        lines.push("  Not all machines fuzz the same contracts: each divides its work with those that do.".to_owned());
    }
    lines.join("\n")
}

/// With one digit after the point.
fn percent(part: u64, whole: u64) -> String {
    format!("{:.1}", part as f64 * 100.0 / whole.max(1) as f64)
}

/// What another machine said, as a terminal may have it.
fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(200).collect()
}

fn json(fleet: &Fleet) -> Value {
    let machine = |(number, machine): &(u32, Machine)| {
        let mut json = serde_json::to_value(machine).unwrap_or_default();
        json["number"] = json!(number);
        json["executions_per_second"] = json!(per_second(machine));
        json
    };
    let contract = |((file, name), together): ((&str, &str), Together)| {
        let Together { machines, executions, covered, known } = together;
        let branches = json!({ "covered": covered, "known": known });
        let machines = machines.len();
        json!({ "file": file, "name": name, "machines": machines, "executions": executions, "branches": branches })
    };
    json!({
        "machines": fleet.machines.iter().map(machine).collect::<Vec<_>>(),
        "contracts": contracts(fleet).into_iter().map(contract).collect::<Vec<_>>(),
        "shared": { "sequences": fleet.entries, "findings": fleet.findings },
        "cost": fleet.cost,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{Growth, GrowthPoint, MachineContract};

    fn fleet() -> Fleet {
        let contract = |covered| MachineContract {
            name: "Vault".to_owned(),
            file: "src/Vault.sol".to_owned(),
            executions: 500_000,
            covered,
            known: 64,
        };
        let mut growth = Growth::default();
        for (seconds, covered) in [(0, 8), (1, 30), (4, 55), (8, 61)] {
            growth.add(GrowthPoint { seconds, covered, findings: 1 });
        }
        let machine = |id: &str, covered, growth| Machine {
            id: id.to_owned(),
            seconds: 10,
            executions: 500_000,
            replayed: 600,
            contracts: vec![contract(covered)],
            findings: vec!["29a30643673cf355".to_owned()],
            growth,
            ..Machine::default()
        };
        let machines =
            vec![(0, machine("3f2a9c01d4e5", 61, growth)), (2, machine("evil\u{1b}[2J", 60, Growth::default()))];
        Fleet { machines, entries: 40, findings: 2, cost: Some(1.254) }
    }

    #[test]
    fn people_read_who_fuzzes_what_and_nobody_writes_to_their_terminal() {
        let address = "shared".parse().unwrap();
        let lines = [
            "shared: 2 machines · 100 k/s · 40 sequences and 2 findings shared · 1.25 spent",
            "  0: 3f2a9c01d4e5 for 10 s · 500,000 transactions (50 k/s) · 0.1 % of them replayed · 1 finding",
            "  2: evil[2J for 10 s · 500,000 transactions (50 k/s) · 0.1 % of them replayed · 1 finding",
            "  src/Vault.sol:Vault · 61/64 branches · 1,000,000 transactions · 2 machines",
            "  ▂▄▄▄▄▄▄█████████████ 61 branches by machine 0 in 10 s, the last after 8 s",
        ];
        assert_eq!(text(&address, &fleet()), lines.join("\n"));
    }

    #[test]
    fn it_is_told_if_machines_fuzz_different_contracts() {
        let address = "shared".parse().unwrap();
        let mut fleet = fleet();
        fleet.machines[1].1.contracts.clear();
        let words = "Not all machines fuzz the same contracts";
        assert!(!text(&address, &fleet).contains(words), "one has not begun");
        fleet.machines[1].1.contracts =
            vec![MachineContract { name: "Token".to_owned(), ..MachineContract::default() }];
        assert!(text(&address, &fleet).contains(words));
    }

    #[test]
    fn programs_read_the_same() {
        let json = json(&fleet());
        assert_eq!(json["machines"][1]["number"], 2);
        assert_eq!(json["machines"][0]["executions_per_second"], 50_000);
        assert_eq!(json["contracts"][0]["branches"], json!({ "covered": 61, "known": 64 }));
        assert_eq!(json["contracts"][0]["executions"], 1_000_000);
        assert_eq!(json["shared"], json!({ "sequences": 40, "findings": 2 }));
        assert_eq!(json["cost"], 1.254);
    }
}
