//! The real Neovim: the one on PATH, if it is new enough, or else that of Debian's newest packages. Those are unpacked, not
//! installed: nothing of the system changes, and no rights are needed. They are kept between runs:
//!
//! ```text
//! <cache>/
//!   neovim/
//!     usr/bin/nvim, usr/lib/…        the package with all that it depends on, its own libc included
//! ```

use cache::{cache, lock};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

#[path = "cache.rs"]
mod cache;

/// The first release with `vim.lsp.config`.
const OLDEST: (u32, u32) = (0, 11);
/// What helps where it cannot be fetched.
const REMEDY: &str = "put Neovim 0.11 or newer on PATH";

/// A command that starts Neovim.
pub fn neovim() -> Command {
    let installed = || Command::new("nvim");
    if is_new_enough(&mut installed()) {
        return installed();
    }
    let folder = cache().join("neovim");
    let _lock = lock("neovim");
    if !folder.is_dir() {
        fetch(&folder);
    }
    unpacked(&folder)
}

/// The release that a command starts: `NVIM v0.12.4`.
fn is_new_enough(nvim: &mut Command) -> bool {
    let Ok(output) = nvim.arg("--version").output() else { return false };
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.strip_prefix("NVIM v").unwrap_or_default().split('.').map_while(|part| part.parse().ok());
    let release = numbers.next().zip(numbers.next());
    output.status.success() && release.is_some_and(|release| release >= OLDEST)
}

/// Neovim in a folder that is not the system's root: its own loader finds its own libraries, and it is told where its files and its
/// parsers are (it shows a hover's Markdown with one).
fn unpacked(folder: &Path) -> Command {
    let libraries = find(&folder.join("usr/lib"), "ld-linux-").parent().unwrap().to_owned();
    let mut command = Command::new(find(&libraries, "ld-linux-"));
    command.arg("--library-path").arg(&libraries).arg(folder.join("usr/bin/nvim"));
    let parsers = folder.join("usr/lib/nvim");
    command.arg("--cmd").arg(format!("lua vim.opt.runtimepath:append([[{}]])", parsers.display()));
    command.env("VIMRUNTIME", folder.join("usr/share/nvim/runtime"));
    command.env("LUA_CPATH", format!("{}/lua/5.1/?.so;;", libraries.display()));
    command
}

/// The file whose name starts so, in a folder or a folder in it.
fn find(folder: &Path, start: &str) -> PathBuf {
    let entries = |folder: &Path| -> BTreeSet<PathBuf> {
        std::fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path()).collect()
    };
    let is_meant = |path: &PathBuf| path.file_name().unwrap().to_string_lossy().starts_with(start);
    let found = entries(folder).into_iter().flat_map(|path| entries(&path).into_iter().chain([path])).find(is_meant);
    found.unwrap_or_else(|| panic!("no {start}* in {}: remove it, or {REMEDY}", folder.display()))
}

/// Fetches the packages and unpacks them, all or nothing.
fn fetch(folder: &Path) {
    let staging = tempfile::tempdir_in(cache()).unwrap();
    let archives = archives();
    assert!(!archives.is_empty(), "apt knows no archive of Debian to fetch Neovim from: {REMEDY}");
    let mut failures = Vec::new();
    for archive in archives {
        match download(staging.path(), &archive) {
            Ok(packages) => {
                let root = staging.path().join("root");
                packages
                    .iter()
                    .for_each(|package| run(Command::new("dpkg-deb").arg("-x").arg(package).arg(&root)).unwrap());
                assert!(is_new_enough(&mut unpacked(&root)), "the Neovim of {archive} cannot be used: {REMEDY}");
                std::fs::rename(root, folder).unwrap();
                return;
            }
            Err(failure) => failures.push(failure),
        }
    }
    panic!("Neovim cannot be fetched: {REMEDY}\n{}", failures.join("\n"));
}

/// The lines for Debian's newest suite, made of the sources of this machine: from where it fetches, with whose keys.
fn archives() -> BTreeSet<String> {
    let format = "$(REPO_URI)|$(RELEASE)|$(ORIGIN)|$(SIGNED_BY)";
    let output = Command::new("apt-get")
        .args(["indextargets", "--format", format, "Created-By: Packages", "Component: main"])
        .output()
        .unwrap_or_else(|error| panic!("apt-get cannot be started ({error}): {REMEDY}"));
    let text = String::from_utf8_lossy(&output.stdout);
    let archive = |line: &str| {
        let [address, suite, origin, keys] = line.split('|').collect::<Vec<_>>().try_into().ok()?;
        // Before the first `apt-get update` apt does not know the origin. What it does not know it leaves as it is.
        let is_debian = (origin == "Debian" || origin.starts_with('$')) && !suite.contains(['-', '/']);
        let keys = if keys.starts_with('/') { format!("[signed-by={keys}] ") } else { String::new() };
        is_debian.then(|| format!("deb {keys}{address} sid main"))
    };
    text.lines().filter_map(archive).collect()
}

/// Fetches Neovim and what it depends on, with an apt that has a state of its own and believes that nothing is installed.
fn download(folder: &Path, archive: &str) -> Result<Vec<PathBuf>, String> {
    let apt = folder.join("apt");
    for part in ["state/lists/partial", "cache/archives/partial"] {
        std::fs::create_dir_all(apt.join(part)).unwrap();
    }
    let write = |name: &str, text: &str| std::fs::write(apt.join(name), text).unwrap();
    write("status", "");
    write("sources.list", &format!("{archive}\n"));
    let at = apt.display();
    write(
        "apt.conf",
        &format!(
            "Dir::State \"{at}/state\";\n\
             Dir::State::status \"{at}/status\";\n\
             Dir::Cache \"{at}/cache\";\n\
             Dir::Etc::SourceList \"{at}/sources.list\";\n\
             Dir::Etc::SourceParts \"/dev/null\";\n\
             Acquire::Languages \"none\";\n\
             APT::Install-Recommends \"false\";\n\
             APT::Sandbox::User \"root\";\n"
        ),
    );
    let get = || {
        let mut command = Command::new("apt-get");
        command.env("APT_CONFIG", apt.join("apt.conf")).args(["--quiet=2", "--assume-yes"]);
        command
    };
    run(get().arg("update"))?;
    run(get().args(["--download-only", "install", "neovim"]))?;
    let fetched = std::fs::read_dir(apt.join("cache/archives")).unwrap().map(|entry| entry.unwrap().path());
    Ok(fetched.filter(|path| path.extension().is_some_and(|extension| extension == "deb")).collect())
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)))
    }
}
