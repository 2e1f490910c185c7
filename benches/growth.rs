//! What a project costs as it grows: 100, 400, 1,600 and 3,000 small files. For each size the processor time of this process, the
//! compiler's apart, and its memory: for the first build, and for a save of one file.
//!
//! ```text
//! cargo bench --bench growth
//! cargo bench --bench growth -- 100 400
//! ```
//!
//! Processor time is read from the system (`/proc/self/stat`), so this bench runs on Linux only. The compiler is a process of its
//! own and does not count.

use bellwether::{
    compile::{Compiler, default_cache},
    fuzz::{Campaign, Options},
    project::Project,
};
use std::{
    io::Write as _,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

/// The sizes of the curve, in files.
const SIZES: [usize; 4] = [100, 400, 1_600, 3_000];
/// Files in one folder, each of which imports the folder's base and two neighbours.
const FOLDER: usize = 20;

fn main() {
    let named: Vec<usize> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let sizes = if named.is_empty() { &SIZES[..] } else { &named };
    print("| files | first build, own CPU | of it turning to the build | a save, own CPU | a save, wall | memory |");
    print("|---:|---:|---:|---:|---:|---:|");
    for &files in sizes {
        print(&row(files));
    }
}

/// Builds a project of so many files, then saves one of them.
fn row(files: usize) -> String {
    let folder = tempfile::tempdir().expect("a folder for the project");
    let root = folder.path().join("project");
    (0..files).for_each(|number| write(&root, number, 0));
    // Compilers are shared with the user's cache, compiled files are not.
    let (cache, solc) = (folder.path().join("cache"), default_cache().join("solc"));
    std::fs::create_dir_all(&solc).and_then(|()| std::fs::create_dir_all(&cache)).expect("a cache");
    std::os::unix::fs::symlink(solc, cache.join("solc")).expect("a link to the compilers");
    let mut compiler = Compiler::new(&cache, &root, true);
    let campaign = Campaign::start(Options { workers: 1, ..Options::default() }, Arc::new(|_| {})).expect("a thread");
    campaign.set_paused(true);
    let mut build = |generation: u64| {
        let (cpu, wall) = (own_cpu(), Instant::now());
        let project = Project::load(&root).expect("a project");
        let build = Arc::new(compiler.build(&project));
        assert_eq!(build.contracts.len(), files, "{:?}", build.left_out);
        let compiled = own_cpu();
        campaign.rebase(&build, &project.config, generation);
        (own_cpu() - cpu, own_cpu() - compiled, wall.elapsed())
    };
    let (first, turning, _) = build(1);
    write(&root, files / 2, 1);
    let (save, _, wall) = build(2);
    let seconds = |time: Duration| format!("{:.2} s", time.as_secs_f64());
    format!(
        "| {files} | {} | {} | {} | {} | {} MB |",
        seconds(first),
        seconds(turning),
        seconds(save),
        seconds(wall),
        memory()
    )
}

fn print(line: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{line}");
}

/// Writes one small contract. No two have the same code, and every folder has a base that all of its files import.
fn write(root: &Path, number: usize, edit: usize) {
    let (folder, place) = (number / FOLDER, number % FOLDER);
    let at = root.join(format!("src/part{folder}"));
    std::fs::create_dir_all(&at).expect("a folder");
    let text = if place == 0 {
        format!(
            "pragma solidity 0.8.37;\ncontract C{number} {{\n    uint256 internal total;\n    event Moved(uint256 amount);\n    \
             function add(uint256 amount) public virtual {{\n        require(amount < {} , \"large\");\n        total += amount;\n        \
             emit Moved(amount);\n    }}\n}}\n",
            number + 1000 + edit
        )
    } else {
        let base = folder * FOLDER;
        let neighbour = if place > 1 { format!("import \"./C{}.sol\";\n", number - 1) } else { String::new() };
        format!(
            "pragma solidity 0.8.37;\nimport \"./C{base}.sol\";\n{neighbour}contract C{number} is C{base} {{\n    \
             mapping(address => uint256) public held;\n    function take(uint256 amount) external {{\n        \
             require(held[msg.sender] + {} >= amount, \"held\");\n        unchecked {{ held[msg.sender] -= amount; }}\n        \
             assert(amount != {});\n        add(amount);\n    }}\n}}\n",
            number + edit,
            number * 7919
        )
    };
    std::fs::write(at.join(format!("C{number}.sol")), text).expect("a file");
}

/// Processor time that this process has used, children apart.
fn own_cpu() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields: Vec<&str> = stat.rsplit_once(')').map_or("", |(_, rest)| rest).split_whitespace().collect();
    // utime and stime, in hundredths of a second.
    let ticks: u64 = fields[11..13].iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(ticks * 10)
}

/// Resident memory of this process, in MB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
