//! [`Power`] tells whether the machine runs on its battery. It looks at most once a minute, and only while somebody asks:
//! without `pauseOnBattery`, or without anything to fuzz, it costs nothing.

use std::time::{Duration, Instant};

/// The time for which an answer is reused; chosen by hand.
const ANSWER_LIFETIME: Duration = Duration::from_secs(60);

/// The last answer.
#[derive(Debug, Default)]
pub(super) struct Power {
    seen: Option<(Instant, bool)>,
}

impl Power {
    /// Whether the machine runs on its battery. Looks, where the last answer is too old.
    pub(super) fn is_battery(&mut self, now: Instant) -> bool {
        self.ask(now, on_battery)
    }

    fn ask(&mut self, now: Instant, look: impl FnOnce() -> bool) -> bool {
        match self.seen {
            Some((at, battery)) if now < at + ANSWER_LIFETIME => battery,
            _ => self.seen.insert((now, look())).1,
        }
    }

    /// Drops the last answer.
    pub(super) fn forget(&mut self) {
        self.seen = None;
    }

    /// The time at which the answer expires.
    pub(super) fn due(&self) -> Option<Instant> {
        self.seen.map(|(at, _)| at + ANSWER_LIFETIME)
    }
}

#[cfg(target_os = "linux")]
use linux::on_battery;

#[cfg(target_os = "linux")]
mod linux {
    use std::path::{Path, PathBuf};

    /// Reads the kernel's list of power supplies. `SYSFS_PATH` names another place for its file system, as for other programs
    /// that read it.
    pub(super) fn on_battery() -> bool {
        let sys = std::env::var_os("SYSFS_PATH").map_or_else(|| PathBuf::from("/sys"), PathBuf::from);
        supplied_by_battery(&sys.join("class/power_supply"))
    }

    /// Whether a battery of the machine's own is being emptied, and nothing else supplies it.
    pub(super) fn supplied_by_battery(supplies: &Path) -> bool {
        let supplies: Vec<PathBuf> =
            std::fs::read_dir(supplies).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect();
        let says = |supply: &Path, what: &str, value: &str| {
            std::fs::read_to_string(supply.join(what)).is_ok_and(|text| text.trim() == value)
        };
        let is_battery = |supply: &Path| says(supply, "type", "Battery");
        // A mouse has a battery, too.
        let empties = |supply: &Path| says(supply, "status", "Discharging") && !says(supply, "scope", "Device");
        supplies.iter().any(|supply| is_battery(supply) && empties(supply))
            && !supplies.iter().any(|supply| !is_battery(supply) && says(supply, "online", "1"))
    }
}

/// Asks the system for its batteries. A machine without any is not on battery.
#[cfg(not(target_os = "linux"))]
fn on_battery() -> bool {
    use starship_battery::{Manager, State};
    let batteries = Manager::new().and_then(|manager| manager.batteries());
    batteries.is_ok_and(|mut all| all.any(|battery| battery.is_ok_and(|it| it.state() == State::Discharging)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_serves_for_a_minute() {
        let start = Instant::now();
        let mut power = Power::default();
        assert_eq!(power.due(), None, "nobody asked");
        assert!(power.ask(start, || true));
        assert!(power.ask(start + ANSWER_LIFETIME / 2, || unreachable!()));
        assert_eq!(power.due(), Some(start + ANSWER_LIFETIME));
        assert!(!power.ask(start + ANSWER_LIFETIME, || false));
        power.forget();
        assert_eq!(power.due(), None);
        assert!(power.ask(start + ANSWER_LIFETIME, || true));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_battery_that_is_emptied_counts_where_nothing_else_supplies() {
        let battery = |status| vec![("type", "Battery"), ("status", status)];
        let mains = |online| vec![("type", "Mains"), ("online", online)];
        let mouse = vec![("type", "Battery"), ("status", "Discharging"), ("scope", "Device")];
        for (supplies, expected) in [
            (vec![], false),
            (vec![battery("Discharging")], true),
            (vec![battery("Charging"), mains("1")], false),
            (vec![battery("Discharging"), mains("0")], true),
            (vec![battery("Discharging"), mains("1")], false), // a weak charger
            (vec![battery("Full"), battery("Discharging"), mains("0")], true),
            (vec![battery("Unknown")], false),
            (vec![mouse.clone()], false),
            (vec![mouse, mains("1")], false),
        ] {
            let folder = tempfile::tempdir().unwrap();
            for (number, supply) in supplies.iter().enumerate() {
                let path = folder.path().join(format!("supply{number}"));
                std::fs::create_dir(&path).unwrap();
                supply.iter().for_each(|(what, value)| std::fs::write(path.join(what), format!("{value}\n")).unwrap());
            }
            assert_eq!(linux::supplied_by_battery(folder.path()), expected, "{supplies:?}");
        }
        assert!(!linux::supplied_by_battery(std::path::Path::new("/no/such/folder")));
    }
}
