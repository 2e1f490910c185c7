//! Compilers that die, hang, are stopped or rest, and projects that share them. The compilers are scripts that do so at will and otherwise
//! run a real one.

#![cfg(target_os = "linux")]

mod support;

use bellwether::{
    compile::{Build, Compiler, Severity, Timeouts, Toolchain},
    project::Project,
};
use std::{
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};
use support::{
    poll::{poll, poll_until},
    sandbox::Sandbox,
};

/// Time enough for a small contract on a busy machine, and short enough to wait for in a test.
const SHORT: Duration = Duration::from_secs(4);

/// A project whose compiler is a script: `does` comes before a real compiler of the newest version is run.
struct Scripted {
    sandbox: Sandbox,
    toolchain: Toolchain,
    compiler: Compiler,
}

impl Scripted {
    fn new(does: &str, limits: Timeouts) -> Self {
        let mut sandbox = Sandbox::single("contract A { uint256 public x; }");
        // Fetches the compiler, if it was never needed before, and writes the script that runs it.
        let real = sandbox.build().contracts[0].solc.clone();
        let packages = sandbox.cache().join("solc");
        let folder = packages.join(format!("{}.{}.{}", real.major, real.minor, real.patch)).join("node_modules/solc");
        let script = format!(
            "#!/bin/sh\ncd '{root}'\nif [ \"$1\" = --version ]; then echo 'Version: {real}'; exit; fi\n{does}\n\
             exec node '{worker}' '{folder}' --standard-json\n",
            root = sandbox.root().display(),
            worker = packages.join("solc_worker.js").display(),
            folder = folder.display(),
        );
        sandbox.write("tools/solc", &script);
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(sandbox.root().join("tools/solc"), executable).unwrap();
        sandbox.write("bellwether.toml", "solc = \"tools/solc\"\n");
        sandbox.write("A.sol", "pragma solidity ^0.8.20;\ncontract A { uint256 public y; }");
        let toolchain = Toolchain::waiting(limits);
        let compiler = Compiler::sharing(&toolchain, &sandbox.cache(), &sandbox.root(), &sandbox.root(), true);
        Self { sandbox, toolchain, compiler }
    }

    fn build(&mut self) -> Build {
        self.compiler.build(&self.sandbox.project())
    }

    fn version(&self) -> String {
        let script = std::fs::read_to_string(self.sandbox.root().join("tools/solc")).unwrap();
        script.split("Version: ").nth(1).unwrap().split('\'').next().unwrap().replace(".g++", ".gcc")
    }

    /// The number of a process that the script wrote into a file.
    fn process(&self, file: &str) -> u32 {
        let text = poll(format_args!("a number in {file}"), || {
            std::fs::read_to_string(self.sandbox.root().join(file)).ok().filter(|text| text.ends_with('\n'))
        });
        text.trim().parse().unwrap()
    }
}

fn short_answers() -> Timeouts {
    Timeouts { answer: SHORT, ..Timeouts::default() }
}

fn runs(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat"));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap().trim_start().starts_with('Z'))
}

fn wait_until_gone(process: u32) {
    poll_until(format_args!("the end of {process}"), || !runs(process));
}

/// Node processes that run a compiler from this cache.
fn workers(cache: &Path) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let is_ours = |process: &u32| {
        let command = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&command).contains(&*cache.to_string_lossy()) && runs(*process)
    };
    numbers.filter(is_ours).collect()
}

fn errors(build: &Build) -> Vec<&str> {
    let errors = build.diagnostics.iter().filter(|said| said.severity == Severity::Error);
    errors.map(|said| said.message.as_str()).collect()
}

#[test]
fn a_compiler_that_dies_is_asked_once_more() {
    let mut scripted = Scripted::new("if [ ! -e died ]; then touch died; kill -9 $$; fi", Timeouts::default());
    let build = scripted.build();
    assert_eq!((errors(&build), build.contracts.len()), (vec![], 1));
    assert!(scripted.sandbox.root().join("died").exists());
}

#[test]
fn a_compiler_that_dies_again_is_told_with_its_version_and_what_to_do_and_tried_at_the_next_build() {
    let mut scripted = Scripted::new("if [ ! -e well ]; then kill -9 $$; fi", Timeouts::default());
    let build = scripted.build();
    let told = format!(
        "solc {} was killed by signal 9 while it compiled A.sol, and once more when it was started again. If memory is short, close \
         other programs; the next save tries again. Until then the last code that compiled is fuzzed",
        scripted.version()
    );
    assert_eq!(errors(&build), [told]);
    assert_eq!(build.failed.iter().collect::<Vec<_>>(), ["A.sol"]);
    scripted.sandbox.write("well", "");
    let build = scripted.build();
    assert_eq!((errors(&build), build.failed.len()), (vec![], 0));
}

#[test]
fn a_compiler_that_says_nothing_is_ended_with_all_that_it_started_and_told_with_its_file() {
    let hang = "if [ ! -e well ]; then echo $$ > parent; sleep 3600 & echo $! > child; wait; fi";
    let mut scripted = Scripted::new(hang, short_answers());
    let build = scripted.build();
    let told = format!(
        "solc {} gave no answer within 4 s while it compiled A.sol, and was ended. The next save starts it again; until then the last \
         code that compiled is fuzzed",
        scripted.version()
    );
    assert_eq!(errors(&build), [told]);
    for file in ["parent", "child"] {
        wait_until_gone(scripted.process(file));
    }
    scripted.sandbox.write("well", "");
    assert_eq!(errors(&scripted.build()), [] as [&str; 0]);
}

#[test]
fn through_the_ir_contracts_are_compiled_before_tests_so_that_a_test_that_takes_too_long_holds_up_only_itself() {
    let hang = "echo x >> asked; if [ ! -e well ] && [ \"$(wc -l < asked)\" -gt 1 ]; then exec sleep 3600; fi";
    let mut scripted = Scripted::new(hang, short_answers());
    scripted.sandbox.write("foundry.toml", "[profile.default]\nsrc = \".\"\nvia_ir = true\n");
    scripted.sandbox.write(
        "test/A.t.sol",
        "pragma solidity ^0.8.20;\nimport \"../A.sol\";\ncontract ATest { A a = new A(); function test() external {} }",
    );
    let build = scripted.build();
    let names = |build: &Build| build.contracts.iter().map(|contract| contract.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&build), ["A"]);
    assert_eq!(build.failed.iter().collect::<Vec<_>>(), ["test/A.t.sol"]);
    let told = format!(
        "solc {} gave no answer within 4 s while it compiled test/A.t.sol, and was ended. The next save starts it again; until then the \
         last code that compiled is fuzzed",
        scripted.version()
    );
    assert_eq!(errors(&build), [told]);
    scripted.sandbox.write("well", "");
    let build = scripted.build();
    assert_eq!((names(&build).len(), errors(&build)), (2, vec![]));
    assert_eq!(std::fs::read_to_string(scripted.sandbox.root().join("asked")).unwrap(), "x\nx\nx\n", "A.sol once");
}

#[test]
fn a_compiler_that_does_not_tell_its_version_holds_nothing_up_for_each_file() {
    let limits = Timeouts { start: Duration::from_millis(200), ..Timeouts::default() };
    let mut scripted = Scripted::new("", limits);
    let solc = scripted.sandbox.root().join("tools/solc");
    std::fs::write(&solc, "#!/bin/sh\ncd \"$(dirname \"$0\")\"\necho x >> ../asked\nexec sleep 3600\n").unwrap();
    for number in 0..5 {
        scripted.sandbox.write(&format!("B{number}.sol"), "contract B {}");
    }
    let build = scripted.build();
    assert_eq!(build.failed.len(), 6);
    assert!(errors(&build)[0].contains("it did not print its version within 0.2 s"), "{:#?}", errors(&build));
    assert_eq!(std::fs::read_to_string(scripted.sandbox.root().join("asked")).unwrap(), "x\n");
}

#[test]
fn what_hangs_ends_when_everything_is_stopped() {
    let hang = "echo $$ > parent; sleep 3600 & echo $! > child; kill -STOP $$";
    let mut scripted = Scripted::new(hang, Timeouts::default());
    let toolchain = scripted.toolchain.clone();
    let root = scripted.sandbox.root();
    let stop = std::thread::spawn(move || {
        let child = poll("a number in child", || {
            std::fs::read_to_string(root.join("child")).ok().filter(|text| text.ends_with('\n'))
        });
        toolchain.stop();
        child.trim().parse::<u32>().unwrap()
    });
    let build = scripted.build();
    assert_eq!(build.failed.len(), 1);
    wait_until_gone(stop.join().unwrap());
    wait_until_gone(scripted.process("parent"));
}

/// A project of two files.
fn plain(contract: &str) -> Sandbox {
    let sandbox = Sandbox::single(contract);
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B {}");
    sandbox
}

fn sharing(toolchain: &Toolchain, cache: &Path, sandbox: &Sandbox, trusted: bool) -> Compiler {
    Compiler::sharing(toolchain, cache, &sandbox.root(), &sandbox.root(), trusted)
}

#[test]
fn a_package_that_was_stopped_is_ended_and_starts_afresh() {
    let (sandbox, toolchain) = (plain("contract A {}"), Toolchain::waiting(short_answers()));
    let mut compiler = sharing(&toolchain, &sandbox.cache(), &sandbox, true);
    assert_eq!(errors(&compiler.build(&sandbox.project())), [] as [&str; 0]);
    let [worker] = workers(&sandbox.cache())[..] else { panic!("{:?}", workers(&sandbox.cache())) };
    assert!(Command::new("kill").args(["-STOP", &worker.to_string()]).status().unwrap().success());
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B { uint256 public z; }");
    let build = compiler.build(&sandbox.project());
    let told = errors(&build);
    assert!(told.len() == 1 && told[0].contains("within 4 s while it compiled B.sol, and was ended"), "{told:?}");
    wait_until_gone(worker);
    assert_eq!(errors(&compiler.build(&sandbox.project())), [] as [&str; 0]);
}

#[test]
fn a_package_that_was_killed_while_it_rested_is_started_again() {
    let (sandbox, toolchain) = (plain("contract A {}"), Toolchain::waiting(Timeouts::default()));
    let mut compiler = sharing(&toolchain, &sandbox.cache(), &sandbox, true);
    compiler.build(&sandbox.project());
    let [worker] = workers(&sandbox.cache())[..] else { panic!("{:?}", workers(&sandbox.cache())) };
    assert!(Command::new("kill").args(["-KILL", &worker.to_string()]).status().unwrap().success());
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B { uint256 public z; }");
    assert_eq!(errors(&compiler.build(&sandbox.project())), [] as [&str; 0]);
}

#[test]
fn projects_share_one_process_and_those_that_are_not_trusted_another() {
    let toolchain = Toolchain::waiting(Timeouts::default());
    let sandboxes = ["contract A {}", "contract AA {}", "contract AAA {}"].map(plain);
    let cache = sandboxes[0].cache();
    let mut compilers = Vec::new();
    for (sandbox, trusted, processes) in [(&sandboxes[0], true, 1), (&sandboxes[1], true, 1), (&sandboxes[2], false, 2)]
    {
        let mut compiler = sharing(&toolchain, &cache, sandbox, trusted);
        assert_eq!(errors(&compiler.build(&sandbox.project())), [] as [&str; 0]);
        assert_eq!(workers(&cache).len(), processes);
        compilers.push(compiler);
    }
    drop((compilers, toolchain));
    poll_until("the end of all", || workers(&cache).is_empty());
}

#[test]
fn a_package_that_nobody_asks_ends_and_the_next_build_starts_it_again() {
    let toolchain = Toolchain::waiting(Timeouts { rest: Duration::from_millis(50), ..Timeouts::default() });
    let sandbox = plain("contract A {}");
    let mut compiler = sharing(&toolchain, &sandbox.cache(), &sandbox, true);
    compiler.build(&sandbox.project());
    poll_until("the end of the one that rests", || workers(&sandbox.cache()).is_empty());
    sandbox.write("B.sol", "pragma solidity ^0.8.20;\ncontract B { uint256 public z; }");
    assert_eq!(errors(&compiler.build(&sandbox.project())), [] as [&str; 0]);
    poll_until("the end of the one that rests", || workers(&sandbox.cache()).is_empty());
}

#[test]
fn without_trust_the_next_best_compiler_is_used() {
    let scripted = Scripted::new("touch sprung", Timeouts::default());
    let mut project: Project = scripted.sandbox.project();
    project.distrust("");
    let root = scripted.sandbox.root();
    let sprung: PathBuf = root.join("sprung");
    let mut compiler = Compiler::sharing(&scripted.toolchain, &scripted.sandbox.cache(), &root, &root, false);
    let build = compiler.build(&project);
    assert_eq!((errors(&build), build.contracts.len(), sprung.exists()), (vec![], 1, false));
}
