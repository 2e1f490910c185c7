//! Test contracts as forge runs them, run by the engine: deployed and set up once for each test.

use super::sandbox::Sandbox;
use alloy_primitives::{U256, keccak256};
use bellwether::{
    code::Programs,
    compile::{Build, ContractId},
    evm::{
        BuildArtifacts, Call, CallTarget, DEFAULT_SENDER, Executor, Outcome, Snapshot, Status, TEST_ADDRESS, TEST_GAS,
    },
};
use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

/// The compiler.
pub const SOLC: &str = "0.8.30";

/// A build of tests.
pub struct Tests {
    pub sandbox: Mutex<Sandbox>,
    pub build: Arc<Build>,
    pub programs: Arc<Programs>,
}

/// Where a test stands: the executor, and the state after `setUp`.
pub struct Ready {
    pub executor: Executor,
    pub state: Snapshot,
}

impl Tests {
    /// Of these files. They stand where contracts stand, since tests of a project are not compiled.
    pub fn of(sources: &[(String, String)]) -> Self {
        let mut tree = format!(
            "//- foundry.toml\n[profile.default]\nsrc = \"src\"\ntest = \"test\"\nlibs = [\"lib\"]\nsolc = \"{SOLC}\"\noffline = true\nbytecode_hash = \"none\"\n"
        );
        for (path, text) in sources {
            tree += &format!("//- {path}\n{text}\n");
        }
        let mut sandbox = Sandbox::new(&tree);
        let build = sandbox.build();
        assert!(!build.has_errors(), "{:#?}", build.diagnostics);
        Self { sandbox: Mutex::new(sandbox), programs: Arc::new(Programs::of(&build)), build }
    }

    /// Of `tests/cheatcodes/`.
    pub fn ours() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cheatcodes");
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        files.retain(|path| path.is_file());
        files.sort();
        let read = |path: &PathBuf| {
            let name = path.file_name().unwrap().to_string_lossy();
            (format!("src/{}", name.replace(".t.sol", ".sol")), std::fs::read_to_string(path).unwrap())
        };
        Self::of(&files.iter().map(read).collect::<Vec<_>>())
    }

    /// One contract of this source.
    pub fn single(source: &str) -> Self {
        let header = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n";
        Self::of(&[("src/A.sol".to_owned(), format!("{header}{source}"))])
    }

    /// The contracts with tests.
    fn contracts(&self) -> impl Iterator<Item = ContractId> {
        let has_tests = |id: &ContractId| !self.tests(*id).is_empty() && self.build.contract(*id).is_deployable();
        self.build.contract_ids().filter(has_tests)
    }

    /// The tests of a contract.
    fn tests(&self, id: ContractId) -> Vec<String> {
        let functions = self.build.contract(id).abi.functions();
        let tests = functions.filter(|function| function.name.starts_with("test") && function.inputs.is_empty());
        tests.map(|function| function.name.clone()).collect()
    }

    /// A test contract, deployed and set up as forge does it.
    pub fn ready(&self, id: ContractId) -> Result<Ready, String> {
        let contract = self.build.contract(id);
        let mut executor = Executor::new(self.programs.clone(), contract.evm_version);
        executor.set_cheatcodes(true);
        executor.set_call_gas(TEST_GAS);
        let artifacts = BuildArtifacts { build: self.build.clone(), libraries: BTreeMap::new() };
        executor.set_artifacts(Some(Arc::new(artifacts)));
        let genesis = Snapshot::for_tests();
        let creation = CallTarget::Create(TEST_ADDRESS, contract.creation.code.clone());
        let outcome = executor.run(&genesis, &call(&genesis, creation));
        if outcome.status != Status::Success {
            return Err(format!("constructor: {}", reason(&outcome)));
        }
        let mut state = executor.commit();
        if contract.abi.function("setUp").is_some() {
            let outcome = executor.run(&state, &call(&state, function("setUp()")));
            if outcome.status != Status::Success {
                return Err(format!("setUp: {}", reason(&outcome)));
            }
            state = executor.commit();
        }
        Ok(Ready { executor, state })
    }

    /// Runs all tests: `Contract::test`, with the reason for which it fails, or nothing.
    pub fn run(&self) -> BTreeMap<String, Option<String>> {
        let mut ended = BTreeMap::new();
        for id in self.contracts() {
            let ready = self.ready(id);
            for test in self.tests(id) {
                let name = format!("{}::{test}", self.build.contract(id).name);
                ended.insert(
                    name,
                    match &ready {
                        Ok(_) => self.ready(id).unwrap().fails(&test),
                        Err(why) => Some(why.clone()),
                    },
                );
            }
        }
        ended
    }
}

impl Ready {
    /// The reason for which a test fails.
    fn fails(&mut self, test: &str) -> Option<String> {
        let outcome = self.call(&format!("{test}()"));
        if outcome.status != Status::Success {
            return Some(reason(&outcome));
        }
        self.executor.after().has_failed().then(String::new)
    }

    /// Calls a function of the test contract.
    pub fn call(&mut self, signature: &str) -> Outcome {
        self.executor.run(&self.state, &call(&self.state, function(signature)))
    }
}

pub fn call(state: &Snapshot, target: CallTarget) -> Call {
    Call { sender: DEFAULT_SENDER, target, value: U256::ZERO, moment: state.moment(), scripted: None }
}

pub fn function(signature: &str) -> CallTarget {
    CallTarget::Account(TEST_ADDRESS, keccak256(signature)[..4].to_vec().into())
}

/// What forge says of a revert.
pub fn reason(outcome: &Outcome) -> String {
    if outcome.output.starts_with(b"FOUNDRY::") {
        return String::from_utf8_lossy(&outcome.output).into_owned();
    }
    let told = outcome.told(|_| None);
    let text = told.strip_prefix("revert \"").and_then(|rest| rest.strip_suffix('"'));
    // Quotes within are escaped.
    text.map_or(told.clone(), |text| text.replace("\\\"", "\""))
}

/// Those that fail.
pub fn failed(ended: &BTreeMap<String, Option<String>>) -> Vec<(String, String)> {
    ended.iter().filter_map(|(test, why)| Some((test.clone(), why.clone()?))).collect()
}
