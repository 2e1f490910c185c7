//! A project made of text, in a folder of its own, with a cache of its own; compilers are shared with the user's cache.

use bellwether::{
    compile::{Build, Compiler, default_cache},
    project::Project,
};
use std::{path::PathBuf, sync::Arc};

/// A project that is gone when this is dropped.
pub struct Sandbox {
    folder: tempfile::TempDir,
    compiler: Compiler,
}

impl Sandbox {
    /// Makes the files of a text in which `//- path` starts each file.
    pub fn new(tree: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let solc = default_cache().join("solc");
        std::fs::create_dir_all(&solc).unwrap();
        let cache = folder.path().join("cache");
        std::fs::create_dir_all(&cache).unwrap();
        std::os::unix::fs::symlink(solc, cache.join("solc")).unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir_all(&root).unwrap();
        let sandbox = Self { compiler: Compiler::new(&cache, &root, true), folder };
        for file in tree.split("//- ").skip(1) {
            let (path, text) = file.split_once('\n').unwrap();
            sandbox.write(path.trim(), text);
        }
        sandbox
    }

    /// One file, `A.sol`, for the newest compiler.
    pub fn single(contract: &str) -> Self {
        Self::new(&format!("//- A.sol\n// SPDX-License-Identifier: MIT\npragma solidity ^0.8.20;\n{contract}"))
    }

    /// Another compiler on the same cache, as after a restart.
    pub fn restart(&mut self) {
        self.compiler = Compiler::new(&self.cache(), &self.root(), true);
    }

    /// As after a restart in a workspace that nobody trusts.
    pub fn distrust(&mut self) {
        self.compiler = Compiler::new(&self.cache(), &self.root(), false);
    }

    /// The folder of compilers and compiled files.
    pub fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    pub fn root(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn project(&self) -> Project {
        Project::load(&self.root()).unwrap()
    }

    /// Compiles what is there now, but for the tests that a change concerns.
    pub fn build_before_tests(&mut self) -> Arc<Build> {
        let project = self.project();
        Arc::new(self.compiler.build_before_tests(&project))
    }

    /// Compiles what is there now.
    pub fn build(&mut self) -> Arc<Build> {
        let project = self.project();
        Arc::new(self.compiler.build(&project))
    }
}
