//! What the system says of a running server and of the compilers that it started: [`Memory`] and time on the processor. Only
//! Linux says it in files; elsewhere everything is zero.

use std::{path::PathBuf, time::Duration};

/// The kernel counts the processor's time for programs in hundredths of a second on every architecture.
const TICK: Duration = Duration::from_millis(10);

/// Memory that is really there, in megabytes.
#[derive(Default)]
pub(crate) struct Memory {
    /// The server's, now.
    pub(crate) now: f64,
    /// The server's, when it was most.
    pub(crate) most: f64,
    /// Of its compilers, now.
    pub(crate) compilers: f64,
}

impl Memory {
    pub(crate) fn of(process: u32) -> Self {
        let megabytes = |process: u32, field: &str| -> f64 {
            let status = std::fs::read_to_string(folder(process).join("status")).unwrap_or_default();
            let line = status.lines().find_map(|line| line.strip_prefix(field));
            line.and_then(|line| line.trim_matches([':', '\t', ' ', 'k', 'B']).parse::<f64>().ok()).unwrap_or_default()
                / 1024.0
        };
        Self {
            now: megabytes(process, "VmRSS"),
            most: megabytes(process, "VmHWM"),
            compilers: children(process).into_iter().map(|child| megabytes(child, "VmRSS")).sum(),
        }
    }
}

/// Time that the server and its compilers have had, in user and in kernel mode.
pub(crate) fn processor_time(process: u32) -> Duration {
    let ticks = |process: u32| -> u32 {
        let fields = fields(process);
        [11, 12].iter().filter_map(|at| fields.get(*at)?.parse::<u32>().ok()).sum()
    };
    TICK * (ticks(process) + children(process).into_iter().map(ticks).sum::<u32>())
}

fn children(process: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let processes = processes.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    processes.filter(|child| fields(*child).get(1).is_some_and(|parent| *parent == process.to_string())).collect()
}

/// The fields of `/proc/PID/stat` after the name, the only one that may hold spaces: state, parent, …
fn fields(process: u32) -> Vec<String> {
    let stat = std::fs::read_to_string(folder(process).join("stat")).unwrap_or_default();
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    rest.split_whitespace().map(str::to_owned).collect()
}

fn folder(process: u32) -> PathBuf {
    PathBuf::from(format!("/proc/{process}"))
}
