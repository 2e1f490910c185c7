//! A [`ForgeHarness`] is a forge project with the fixtures' contracts and a test for each, and [`Tested`] is what forge says of one.

use crate::{forge::forge_command, support};
use serde_json::Value;
use std::{path::Path, time::Duration};

/// The compiler that the fixtures are compiled with here and there.
const SOLC: &str = "0.8.37";

/// The contracts are compiled as the engine compiles them. Time passes between calls, up to a week; shrinking is left out.
const CONFIGURATION: &str = r#"[profile.default]
src = "src"
test = "test"
libs = []
remappings = ["src/=src/", "safe/=src/channel/lib/safe/src/"]
bytecode_hash = "none"

[profile.default.invariant]
fail_on_revert = false
shrink_run_limit = 0
max_time_delay = 604800
max_block_delay = 50400
"#;

pub struct ForgeHarness {
    folder: tempfile::TempDir,
}

/// A test contract that ran.
pub struct Tested {
    /// Whether any of its tests failed.
    pub failed: bool,
    /// Calls in all its tests.
    pub calls: u64,
    /// How many of them reverted, as far as forge tells.
    pub reverts: u64,
    /// How long its tests took.
    pub took: Duration,
}

impl ForgeHarness {
    /// The project, with these fixtures, compiled.
    pub fn new(fixtures: impl IntoIterator<Item = &'static str>) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        let root = folder.path();
        std::fs::write(root.join("foundry.toml"), CONFIGURATION).expect("the temporary folder is writable");
        for fixture in fixtures {
            copy(&support::fixture(fixture), &root.join("src").join(fixture));
        }
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/forge/solidity"), &root.join("test"));
        Self::compiled(folder)
    }

    /// A project of these test contracts alone, and of the `Base.sol` of the fixture `harness`, which they import; compiled.
    pub fn of_tests(tests: &Path, configuration: &str) -> Self {
        let folder = tempfile::tempdir().expect("the temporary folder is writable");
        std::fs::write(folder.path().join("foundry.toml"), configuration).expect("the temporary folder is writable");
        let folder_of_tests = folder.path().join("test");
        copy(tests, &folder_of_tests);
        let base = support::fixture("harness").join("test/Base.sol");
        std::fs::copy(base, folder_of_tests.join("Base.sol")).expect("the temporary folder is writable");
        Self::compiled(folder)
    }

    fn compiled(folder: tempfile::TempDir) -> Self {
        let harness = Self { folder };
        let output = harness.forge().arg("build").output().expect("forge runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
        harness
    }

    /// Where the project is.
    pub fn root(&self) -> &Path {
        self.folder.path()
    }

    /// Fuzz tests, each with so many runs.
    pub fn fuzz(&self, contract: &str, runs: u64, seed: u64) -> Tested {
        self.test(contract, seed, &[("FOUNDRY_FUZZ_RUNS", runs.to_string())])
    }

    /// An invariant test with so many sequences of so many calls, for no longer than `patience`.
    pub fn invariant(
        &self,
        contract: &str,
        (runs, depth): (u64, u64),
        patience: Option<Duration>,
        seed: u64,
    ) -> Tested {
        let mut settings =
            vec![("FOUNDRY_INVARIANT_RUNS", runs.to_string()), ("FOUNDRY_INVARIANT_DEPTH", depth.to_string())];
        settings.extend(patience.map(|patience| ("FOUNDRY_INVARIANT_TIMEOUT", patience.as_secs().to_string())));
        self.test(contract, seed, &settings)
    }

    /// The tests of a contract, under these settings.
    pub fn test(&self, contract: &str, seed: u64, settings: &[(&str, String)]) -> Tested {
        // What failed before would be run again first.
        let _ = std::fs::remove_dir_all(self.folder.path().join("cache/invariant"));
        let output = self
            .forge()
            .args(["test", "--json", "--threads", "1", "--match-contract", &format!("^{contract}$")])
            .args(["--fuzz-seed", &seed.to_string()])
            .envs(settings.iter().map(|(name, value)| (name, value)))
            .output()
            .expect("forge runs");
        // Beside the results, forge tells at once of each invariant that is broken.
        let stdout = String::from_utf8_lossy(&output.stdout);
        let results = stdout.lines().find(|line| line.contains("\"test_results\"")).unwrap_or_default();
        let suites: Value = serde_json::from_str(results)
            .unwrap_or_else(|error| panic!("{error}: {stdout}{}", String::from_utf8_lossy(&output.stderr)));
        let mut all = Tested { failed: false, calls: 0, reverts: 0, took: Duration::ZERO };
        let suites = suites.as_object().into_iter().flat_map(|suites| suites.values());
        for test in suites.filter_map(|suite| suite["test_results"].as_object()).flat_map(|tests| tests.values()) {
            all.add(test);
        }
        assert!(all.calls > 0, "no calls of {contract}: {}", String::from_utf8_lossy(&output.stdout));
        all
    }

    fn forge(&self) -> std::process::Command {
        forge_command(self.folder.path(), &[SOLC])
    }
}

impl Tested {
    fn add(&mut self, test: &Value) {
        self.failed |= test["status"] != "Success";
        self.took += duration(test["duration"].as_str().expect("forge tells how long a test took"));
        self.calls += test["kind"]["Fuzz"]["runs"].as_u64().unwrap_or(0);
        // Of a test that failed, only these hold numbers.
        let functions = test["kind"]["Invariant"]["metrics"].as_object().into_iter().flatten();
        for (_, function) in functions {
            self.calls += function["calls"].as_u64().unwrap_or(0);
            self.reverts += function["reverts"].as_u64().unwrap_or(0);
        }
    }
}

/// Reads `1s 20ms 483µs 688ns`.
fn duration(text: &str) -> Duration {
    let seconds = text.split_whitespace().map(|part| {
        let unit = part.find(|character: char| !character.is_ascii_digit()).unwrap_or(part.len());
        let number: f64 = part[..unit].parse().expect("a number before the unit");
        let unit = match &part[unit..] {
            "h" => 3_600.0,
            "m" => 60.0,
            "s" => 1.0,
            "ms" => 1e-3,
            "µs" | "us" => 1e-6,
            "ns" => 1e-9,
            other => panic!("a unit of time that is not known: {other}"),
        };
        number * unit
    });
    Duration::from_secs_f64(seconds.sum())
}

/// Copies the Solidity files of a folder.
fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("the temporary folder is writable");
    for entry in std::fs::read_dir(from).expect("the folder is there").flatten() {
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else if path.extension().is_some_and(|extension| extension == "sol") {
            std::fs::copy(path, target).expect("the temporary folder is writable");
        }
    }
}
