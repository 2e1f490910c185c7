//! The VS Code client in a real workbench: VS Code's own server, a headless Chromium, our `.vsix` with this build's server inside. What is
//! done and seen there is written in `tests/vscode/`.

#![cfg(target_os = "linux")]

#[allow(dead_code, unreachable_pub, reason = "each test uses a part")]
#[path = "../../tests/support/forge.rs"]
mod forge;
#[allow(unreachable_pub, reason = "the engine's tests use it too")]
#[path = "../../tests/support/slow.rs"]
mod slow;

use bellwether::compile::default_cache;
use std::{path::Path, process::Command};

#[test]
fn a_day_in_a_real_workbench() {
    if !slow::is_asked() {
        return;
    }
    let compilers = default_cache().join("solc");
    std::fs::create_dir_all(&compilers).unwrap();
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).with_file_name("vscode");
    let day = Command::new("node")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/vscode/day.test.js"))
        .env("BELLWETHER_SERVER", env!("CARGO_BIN_EXE_bellwether"))
        .env("BELLWETHER_COMPILERS", compilers)
        .env("BELLWETHER_FORGE", forge::forge())
        .env("BELLWETHER_SOLC", forge::solc_executable("0.8.37"))
        .env("BELLWETHER_TEST_CACHE", forge::cache())
        .env("BELLWETHER_TEST_OUTPUT", &output)
        .output()
        .unwrap_or_else(|error| panic!("node cannot be started ({error}): install Node 20 or newer"));
    let told = [day.stdout, day.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    assert!(day.status.success(), "pictures and logs of the steps are in {}:\n{}", output.display(), told.join("\n"));
}
