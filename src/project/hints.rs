//! Hints are releases of the compiler that a project seems to be written for, found where its configuration pins none: the one
//! that its `package.json` installs, the one in its Truffle configuration, and the one that made its old artifacts. Files are
//! read, and nothing is executed.

use super::{
    javascript::{Literal, Script},
    model::Project,
    regular_file::{read_bytes, read_text},
};
use semver::Version;
use serde_json::Value;
use std::path::{Path, PathBuf};

impl Project {
    /// Releases that the project seems to be written for, the best hint first. They need not fit any file's pragma.
    pub fn compiler_hints(&self) -> Vec<Version> {
        let mut hints = self.compiler.listed.clone();
        hints.sort_by(|a, b| b.cmp(a));
        hints.extend(from_package_json(&self.root));
        hints.extend(from_truffle(&self.root));
        hints.extend(from_artifacts(&self.root));
        hints.retain(|version| version.pre.is_empty());
        hints
    }
}

/// The release of a text such as `0.5.16`, `^0.5.16` or `0.5.16+commit.9c3226ce`.
fn release(text: &str) -> Option<Version> {
    let text = text.trim().trim_start_matches(['^', '~', '=', 'v']);
    Version::parse(text.split('+').next()?).ok()
}

fn json(file: &Path) -> Option<Value> {
    serde_json::from_slice(&read_bytes(file).ok()?).ok()
}

fn from_package_json(root: &Path) -> Option<Version> {
    let manifest = json(&root.join("package.json"))?;
    let listed = |table: &str| release(manifest.get(table)?.get("solc")?.as_str()?);
    listed("devDependencies").or_else(|| listed("dependencies"))
}

fn from_truffle(root: &Path) -> Option<Version> {
    let text = ["truffle-config.js", "truffle.js"].iter().find_map(|name| read_text(&root.join(name)).ok())?;
    let (compilers, _) = Script::new(&text).property("compilers")?;
    compilers.get("solc")?.get("version").and_then(Literal::text).and_then(release)
}

/// The release that Hardhat, Truffle and forge record in their artifacts.
fn from_artifacts(root: &Path) -> Option<Version> {
    let of = |folder: &str, path: &[&str]| {
        let mut files: Vec<PathBuf> = root.join(folder).read_dir().ok()?.flatten().map(|entry| entry.path()).collect();
        files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
        let artifact = json(files.iter().min()?)?;
        release(path.iter().try_fold(&artifact, |json, key| json.get(key))?.as_str()?)
    };
    of("artifacts/build-info", &["solcVersion"])
        .or_else(|| of("build/contracts", &["compiler", "version"]))
        .or_else(|| of("out/build-info", &["solcVersion"]))
}

#[cfg(test)]
mod tests {
    use crate::project::{Project, tree::Tree};

    fn hints(text: &str) -> Vec<String> {
        let tree = Tree::new(text);
        Project::load(&tree.path("")).unwrap().compiler_hints().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_project_tells_its_compiler_in_many_places() {
        assert_eq!(hints("//- package.json\n{\"devDependencies\": {\"solc\": \"^0.5.16\"}}"), ["0.5.16"]);
        assert_eq!(
            hints("//- truffle-config.js\nmodule.exports = {compilers: {solc: {version: '0.5.8'}}};"),
            ["0.5.8"]
        );
        assert_eq!(
            hints(
                "//- build/contracts/A.json\n{\"compiler\": {\"name\": \"solc\", \"version\": \"0.4.24+commit.e67f0147\"}}"
            ),
            ["0.4.24"]
        );
        assert_eq!(hints("//- artifacts/build-info/1.json\n{\"solcVersion\": \"0.8.9\"}"), ["0.8.9"]);
        assert_eq!(
            hints(
                "//- hardhat.config.js\nmodule.exports = {solidity: {compilers: [{version: '0.6.12'}, {version: '0.8.4'}]}};"
            ),
            ["0.8.4", "0.6.12"]
        );
        assert_eq!(hints("//- package.json\n{\"devDependencies\": {\"solc\": \"latest\"}}"), [""; 0]);
        assert_eq!(hints("//- package.json\nnot json\n//- truffle-config.js\n("), [""; 0]);
    }
}
