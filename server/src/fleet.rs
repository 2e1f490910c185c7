//! `bellwether fleet`: who shares what they find, and how far they are.

use crate::{
    exchange::{Address, Blocks, Fleet, Growth, GrowthPoint, Machine, SharedFinding, Visitor},
    output::{self, Format},
};
use anyhow::{Result, bail};
use bellwether::report::{counted, rate};
use clap::Subcommand;
use console::Term;
use serde_json::{Value, json};
use std::{
    cmp::Reverse,
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
/// Findings that are listed for people; chosen by hand.
const MAX_FINDINGS: usize = 50;

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<ExitCode> {
    let Command::Status(StatusArguments { address, format, live }) = &arguments.command;
    if *live {
        return watch(address);
    }
    let fleet = Visitor::new(address).look()?;
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
    let mut visitor = Visitor::new(address);
    let mut shown = text(address, &visitor.look()?);
    loop {
        let (rows, columns) = terminal.size();
        let lines = fitted(&shown, usize::from(rows), usize::from(columns));
        terminal.write_line(&lines.join("\n"))?;
        std::thread::sleep(INTERVAL);
        let next =
            visitor.look().map_or_else(|error| format!("{error:#}; trying again"), |fleet| text(address, &fleet));
        terminal.clear_last_lines(lines.len())?;
        shown = next;
    }
}

/// The text as it can be rewritten on a terminal: what is above its first line cannot be cleared.
fn fitted(text: &str, rows: usize, columns: usize) -> Vec<String> {
    let all = text.lines().count();
    let shown = if all < rows { all } else { rows.saturating_sub(2).max(1) };
    let lines = text.lines().take(shown).map(|line| console::truncate_str(line, columns, "…").into_owned());
    let rest = (shown < all).then(|| format!("  … and {}", counted((all - shown) as u64, "more line")));
    lines.chain(rest).collect()
}

/// How all machines that live grew together, from when the first of them began. Of those that fuzz the same contracts, the one that had
/// reached most had what all of them had reached; those that fuzz others add to it. Machines of which only some contracts are the same
/// are left out, since what they share would count twice.
fn growth(fleet: &Fleet) -> Growth {
    let elapsed = elapsed(fleet);
    let mut groups: BTreeMap<BTreeSet<(&str, &str)>, Vec<GrowthPoint>> = BTreeMap::new();
    for (_, machine) in &fleet.machines {
        // What a machine said of itself, it said now, or seconds ago: clocks are not compared.
        let began = elapsed - machine.seconds;
        let later = |point: &GrowthPoint| GrowthPoint { seconds: began.saturating_add(point.seconds), ..*point };
        groups.entry(names(machine)).or_default().extend(machine.growth.points().iter().map(later));
    }
    let most = |points: &[GrowthPoint]| points.iter().map(|point| point.covered).max();
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_by_key(|(_, points)| Reverse(most(points)));
    let mut counted: BTreeSet<(&str, &str)> = BTreeSet::new();
    groups.retain(|(names, _)| {
        let is_apart = counted.is_disjoint(names);
        counted.extend(names.iter().filter(|_| is_apart));
        is_apart
    });
    let groups = groups.into_iter().map(|(_, points)| points).enumerate();
    let mut all: Vec<(usize, GrowthPoint)> =
        groups.flat_map(|(group, points)| points.into_iter().map(move |point| (group, point))).collect();
    all.sort_by_key(|(_, point)| point.seconds);
    let (mut growth, mut reached) = (Growth::default(), BTreeMap::new());
    for (group, point) in all {
        let (covered, findings): &mut (u32, u32) = reached.entry(group).or_default();
        (*covered, *findings) = (point.covered.max(*covered), point.findings.max(*findings));
        let sum = |of: fn(&(u32, u32)) -> u32| reached.values().map(of).fold(0, u32::saturating_add);
        growth.add(GrowthPoint { covered: sum(|it| it.0), findings: sum(|it| it.1), seconds: point.seconds });
    }
    growth
}

/// Seconds since the first of the machines that live began to fuzz.
fn elapsed(fleet: &Fleet) -> u64 {
    fleet.machines.iter().map(|(_, machine)| machine.seconds).max().unwrap_or_default()
}

/// The growth of all machines as a line.
fn curve(fleet: &Fleet) -> Option<String> {
    let (growth, elapsed) = (growth(fleet), elapsed(fleet));
    let points = growth.points();
    let last = points.last()?;
    let at = |second: u64| points.iter().take_while(|point| point.seconds <= second).last().map_or(0, |it| it.covered);
    let bar = |column: u64| {
        let covered = at(elapsed.saturating_mul(column + 1) / COLUMNS);
        let height = u64::from(covered).saturating_mul(8).div_ceil(u64::from(last.covered.max(1)));
        ['▁', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'][height.min(8) as usize]
    };
    let bars: String = (0..COLUMNS).map(bar).collect();
    let branches = if last.covered == 1 { "branch" } else { "branches" };
    let newest = points.iter().find(|point| point.covered == last.covered).unwrap_or(last);
    Some(format!("  {bars} {} {branches} in {elapsed} s, the last after {} s", last.covered, newest.seconds))
}

/// How far all machines together are with each contract, by its file, its name, and the hash of its code: where that differs, it is
/// another contract.
type Contracts<'a> = BTreeMap<(&'a str, &'a str, &'a str), Together>;

/// How far several machines are.
#[derive(Debug, Default)]
struct Together {
    /// Their numbers.
    machines: BTreeSet<u32>,
    executions: u64,
    /// Edges of branches, of the machine that has reached most of them.
    covered: u32,
    known: u32,
    /// The blocks that any of them reached, and how many there are.
    reached: Blocks,
    blocks: u32,
}

impl Together {
    /// Blocks that any of them reached.
    fn reached(&self) -> u32 {
        self.reached.count().min(self.blocks)
    }
}

fn contracts(fleet: &Fleet) -> Contracts<'_> {
    let mut contracts = Contracts::new();
    let all =
        fleet.machines.iter().flat_map(|(number, it)| it.contracts.iter().map(move |contract| (number, contract)));
    for (number, contract) in all {
        let name = (contract.file.as_str(), contract.name.as_str(), contract.code.as_str());
        let together = contracts.entry(name).or_default();
        together.machines.insert(*number);
        together.executions = together.executions.saturating_add(contract.executions);
        together.covered = together.covered.max(contract.covered);
        together.known = together.known.max(contract.known);
        together.reached.add(&contract.reached);
        together.blocks = together.blocks.max(contract.blocks);
    }
    contracts
}

/// The files and names of what a machine fuzzes.
fn names(machine: &Machine) -> BTreeSet<(&str, &str)> {
    machine.contracts.iter().map(|contract| (contract.file.as_str(), contract.name.as_str())).collect()
}

/// Whether all machines fuzz the same contracts, as far as they have begun.
fn fuzz_the_same(fleet: &Fleet) -> bool {
    let sets: BTreeSet<_> = fleet.machines.iter().map(|(_, it)| names(it)).filter(|set| !set.is_empty()).collect();
    sets.len() < 2
}

/// The findings that were shared, and those that machines have and have not shared yet, each with the numbers of the machines that have it.
fn findings(fleet: &Fleet) -> BTreeMap<SharedFinding, BTreeSet<u32>> {
    let mut machines: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
    for (number, machine) in &fleet.machines {
        for id in &machine.findings {
            machines.entry(id).or_default().insert(*number);
        }
    }
    let mut findings = BTreeMap::new();
    for finding in &fleet.found {
        findings.insert(finding.clone(), machines.get(finding.id.as_str()).cloned().unwrap_or_default());
    }
    let shared: BTreeSet<&str> = fleet.found.iter().map(|finding| finding.id.as_str()).collect();
    for (id, numbers) in machines.into_iter().filter(|(id, _)| !shared.contains(id)) {
        findings.insert(SharedFinding { id: id.to_owned(), ..SharedFinding::default() }, numbers);
    }
    findings
}

/// A finding in one line.
fn finding_line((finding, machines): (&SharedFinding, &BTreeSet<u32>)) -> String {
    let SharedFinding { file, line, oracle, contract, id } = finding;
    let which = match oracle.is_empty() {
        true => "a finding that is not shared yet".to_owned(),
        false => format!("{} {}:{line} ({})", shown(oracle), shown(file), shown(contract)),
    };
    let had = match machines.len() {
        0 => "no machine that runs has it".to_owned(),
        count => {
            format!("{} it", if count == 1 { "1 machine has".to_owned() } else { format!("{count} machines have") })
        }
    };
    format!("  {which} · {} · {had}", shown(id))
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
    for ((file, name, _), together) in contracts(fleet) {
        let Together { machines, executions, covered, known, blocks, .. } = &together;
        lines.push(format!(
            "  {}:{} · {covered}/{known} branches · {}/{blocks} blocks · {} · {}",
            shown(file),
            shown(name),
            together.reached(),
            counted(*executions, "transaction"),
            counted(machines.len() as u64, "machine"),
        ));
    }
    lines.extend(curve(fleet));
    let findings = findings(fleet);
    lines.extend(findings.iter().take(MAX_FINDINGS).map(finding_line));
    if let Some(more) = findings.len().checked_sub(MAX_FINDINGS).filter(|more| *more > 0) {
        lines.push(format!("  … and {}: --format json lists all", counted(more as u64, "more finding")));
    }
    if !fuzz_the_same(fleet) {
        lines.push("  Not all machines fuzz the same contracts: each divides its work with those that do.".to_owned());
    }
    if let Some(of_other_version) = &fleet.of_other_version {
        lines.push(format!("  warning: {of_other_version}"));
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
    let contract = |((file, name, code), together): ((&str, &str, &str), Together)| {
        let Together { machines, executions, covered, known, blocks, .. } = &together;
        json!({
            "file": file, "name": name, "code": code, "machines": machines.len(), "executions": executions,
            "branches": { "covered": covered, "known": known },
            "blocks": { "covered": together.reached(), "known": blocks },
        })
    };
    let finding = |(finding, machines): (&SharedFinding, &BTreeSet<u32>)| {
        let SharedFinding { file, line, oracle, contract, id } = finding;
        let is_shared = !oracle.is_empty();
        json!({
            "id": id, "oracle": is_shared.then_some(oracle), "contract": is_shared.then_some(contract),
            "file": is_shared.then_some(file), "line": is_shared.then_some(line), "machines": machines,
        })
    };
    json!({
        "machines": fleet.machines.iter().map(machine).collect::<Vec<_>>(),
        "contracts": contracts(fleet).into_iter().map(contract).collect::<Vec<_>>(),
        "growth": growth(fleet),
        "findings": findings(fleet).iter().map(finding).collect::<Vec<_>>(),
        "shared": { "sequences": fleet.entries, "findings": fleet.findings },
        "cost": fleet.cost,
        "warning": fleet.of_other_version,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::{
        MachineContract,
        documented::{documented, fields},
    };

    fn contract(name: &str, reached: &[usize]) -> MachineContract {
        MachineContract {
            name: name.to_owned(),
            file: format!("src/{name}.sol"),
            executions: 500_000,
            covered: reached.len() as u32 * 10,
            known: 64,
            code: "0123456789abcdef".to_owned(),
            blocks: 9,
            reached: Blocks::of((0..9).map(|block| reached.contains(&block))),
        }
    }

    fn grown(points: &[(u64, u32)]) -> Growth {
        let mut growth = Growth::default();
        points.iter().for_each(|(seconds, covered)| {
            growth.add(GrowthPoint { seconds: *seconds, covered: *covered, findings: 1 });
        });
        growth
    }

    fn machine(id: &str, seconds: u64, contract: MachineContract, growth: Growth) -> Machine {
        Machine {
            id: id.to_owned(),
            seconds,
            executions: 500_000,
            replayed: 600,
            contracts: vec![contract],
            findings: vec!["29a30643673cf355".to_owned()],
            growth,
            ..Machine::default()
        }
    }

    fn fleet() -> Fleet {
        let first = machine("3f2a9c01d4e5", 10, contract("Vault", &[0, 1, 2, 5]), grown(&[(0, 8), (1, 30), (8, 40)]));
        let late = machine("evil\u{1b}[2J", 5, contract("Vault", &[0, 1, 2, 3, 8]), grown(&[(0, 8), (1, 30), (2, 50)]));
        let finding = |id: &str, line| SharedFinding {
            file: "src/Vault.sol".to_owned(),
            line,
            oracle: "assertion".to_owned(),
            contract: "Vault".to_owned(),
            id: id.to_owned(),
        };
        Fleet {
            machines: vec![(0, first), (2, late)],
            entries: 40,
            findings: 3,
            found: [finding("94760c5fd09d1a2b", 20), finding("29a30643673cf355", 12)].into(),
            cost: Some(1.254),
            of_other_version: None,
        }
    }

    #[test]
    fn people_read_who_fuzzes_what_and_nobody_writes_to_their_terminal() {
        let address = "shared".parse().unwrap();
        let mut fleet = fleet();
        let lines = [
            "shared: 2 machines · 150 k/s · 40 sequences and 3 findings shared · 1.25 spent",
            "  0: 3f2a9c01d4e5 for 10 s · 500,000 transactions (50 k/s) · 0.1 % of them replayed · 1 finding",
            "  2: evil[2J for 5 s · 500,000 transactions (100 k/s) · 0.1 % of them replayed · 1 finding",
            "  src/Vault.sol:Vault · 50/64 branches · 6/9 blocks · 1,000,000 transactions · 2 machines",
            "  ▂▅▅▅▅▅▅▅▅▅▅▅▅███████ 50 branches in 10 s, the last after 7 s",
            "  assertion src/Vault.sol:12 (Vault) · 29a30643673cf355 · 2 machines have it",
            "  assertion src/Vault.sol:20 (Vault) · 94760c5fd09d1a2b · no machine that runs has it",
        ];
        assert_eq!(text(&address, &fleet), lines.join("\n"));
        fleet.found.clear();
        fleet.machines[1].1.findings.clear();
        fleet.of_other_version = Some("has records in form 2".to_owned());
        let text = text(&address, &fleet);
        let last: Vec<&str> = text.lines().skip(5).collect();
        assert_eq!(
            last,
            [
                "  a finding that is not shared yet · 29a30643673cf355 · 1 machine has it",
                "  warning: has records in form 2"
            ]
        );
    }

    #[test]
    fn it_is_told_if_machines_fuzz_different_contracts() {
        let address = "shared".parse().unwrap();
        let mut fleet = fleet();
        fleet.machines[1].1.contracts.clear();
        let words = "Not all machines fuzz the same contracts";
        assert!(!text(&address, &fleet).contains(words), "one has not begun");
        fleet.machines[1].1.contracts = vec![contract("Token", &[0])];
        assert!(text(&address, &fleet).contains(words));
    }

    #[test]
    fn code_that_differs_is_another_contract() {
        let mut fleet = fleet();
        fleet.machines[1].1.contracts[0].code = "fedcba9876543210".to_owned();
        let counted: Vec<_> = contracts(&fleet).values().map(|it| (it.reached(), it.machines.len())).collect();
        assert_eq!(counted, [(4, 1), (5, 1)]);
    }

    #[test]
    fn machines_grow_together() {
        let grown_together = |machines: Vec<Machine>| -> Vec<(u64, u32)> {
            let machines = (0..).zip(machines).collect();
            let fleet = Fleet { machines, ..fleet() };
            growth(&fleet).points().iter().map(|point| (point.seconds, point.covered)).collect()
        };
        let vault = |seconds, points: &[(u64, u32)]| machine("a", seconds, contract("Vault", &[]), grown(points));
        let token = |seconds, points: &[(u64, u32)]| machine("b", seconds, contract("Token", &[]), grown(points));
        assert_eq!(grown_together(vec![]), []);
        // One that joined ten seconds later has what the other had, and a little more.
        let (first, late) = (vault(30, &[(0, 5), (20, 9)]), vault(20, &[(0, 5), (1, 7), (15, 10)]));
        assert_eq!(grown_together(vec![first.clone(), late]), [(0, 5), (11, 7), (20, 9), (25, 10)]);
        // What others reach of another contract comes on top.
        assert_eq!(grown_together(vec![first.clone(), token(30, &[(3, 2)])]), [(0, 5), (3, 7), (20, 11)]);
        let mut both = vault(30, &[(0, 4)]);
        both.contracts.push(contract("Token", &[]));
        assert_eq!(grown_together(vec![first, both]), [(0, 5), (20, 9)], "the same contract counts once");
    }

    #[test]
    fn what_does_not_fit_a_terminal_is_left_out() {
        assert_eq!(fitted("a\nbcd\nc", 4, 2), ["a", "b…", "c"]);
        assert_eq!(fitted("a\nb\nc\nd", 4, 80), ["a", "b", "  … and 2 more lines"]);
        assert_eq!(fitted("a\nb", 1, 80), ["a", "  … and 1 more line"]);
    }

    #[test]
    fn programs_read_the_same() {
        let json = json(&fleet());
        assert_eq!(json["machines"][1]["number"], 2);
        assert_eq!(json["machines"][0]["executions_per_second"], 50_000);
        assert_eq!(json["contracts"][0]["branches"], json!({ "covered": 50, "known": 64 }));
        assert_eq!(json["contracts"][0]["blocks"], json!({ "covered": 6, "known": 9 }));
        assert_eq!(json["contracts"][0]["executions"], 1_000_000);
        assert_eq!(json["growth"][2], json!({ "seconds": 7, "covered": 50, "findings": 1 }));
        assert_eq!(json["findings"][0]["machines"], json!([0, 2]));
        assert_eq!(json["shared"], json!({ "sequences": 40, "findings": 3 }));
        assert_eq!(json["cost"], 1.254);
    }

    #[test]
    fn the_page_lists_all_that_programs_read() {
        let json = json(&fleet());
        let mut listed = documented("With `--format json`");
        listed.extend(documented("Besides, each machine that fuzzes sends"));
        assert_eq!(listed, fields(&json));
    }
}
