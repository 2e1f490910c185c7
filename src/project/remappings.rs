//! [`Remappings`] gathers the rules by which import paths are rewritten: from a project's own `remappings.txt`, its
//! `foundry.toml`, the configuration of its libraries, and the names of their folders, in forge's order of precedence. No
//! import is resolved here.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
};

use foundry_compilers::artifacts::remappings::Remapping;

use super::{
    document,
    foundry_toml::{self, FoundryToml},
    paths::{clean, slashed},
    warning::ProjectWarning,
};

/// Levels of dependencies of dependencies that are followed; chosen by hand.
const MAX_DEPENDENCY_DEPTH: usize = 8;

/// Remappings of one root, in the order of precedence.
pub(super) struct Remappings {
    root: PathBuf,
    found: Vec<Remapping>,
}

impl Remappings {
    pub(super) fn new(root: &Path) -> Self {
        Self { root: root.to_path_buf(), found: Vec::new() }
    }

    /// Adds `[context:]prefix=target` below those that are there.
    ///
    /// # Errors
    /// A description of the mistake, and of what to write.
    pub(super) fn add(&mut self, text: &str) -> Result<(), String> {
        match text.trim().parse::<Remapping>() {
            Ok(remapping) if remapping.name.ends_with(".sol") && !remapping.path.trim().ends_with(".sol") => {
                return Err(format!("a file cannot be remapped to a folder: {:?} (it is ignored)", text.trim()));
            }
            Ok(remapping) => self.found.push(self.anchor(remapping)),
            Err(_) => {
                return Err(format!("not a remapping: {:?}; write `prefix/=folder/` (it is ignored)", text.trim()));
            }
        }
        Ok(())
    }

    /// Adds the lines of the root's `remappings.txt`, if there is one.
    pub(super) fn read_text_file(&mut self, warnings: &mut Vec<ProjectWarning>) {
        let file = self.root.join("remappings.txt");
        if !file.is_file() {
            return;
        }
        let mut warn = |line, message| {
            warnings.push(ProjectWarning { file: Some(file.clone()), line, message });
        };
        match document::read(&file) {
            Ok(text) => {
                for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
                    if let Err(message) = self.add(line) {
                        warn(Some(index + 1), message);
                    }
                }
            }
            Err(error) => warn(None, format!("cannot be read: {error}; make it a readable UTF-8 file (it is ignored)")),
        }
    }

    /// Adds the remappings that libraries configure and that their folders suggest, unless an existing one covers them. `own`
    /// are the project's own folders, whose names no library can take.
    pub(super) fn detect(&mut self, libraries: &[PathBuf], own: &[PathBuf]) {
        // Of two candidates for a name, the one nearer to the root wins, as in forge.
        let mut nearest: BTreeMap<(Option<String>, String), Remapping> = BTreeMap::new();
        let mut offer = |candidate: Remapping| {
            let depth = |remapping: &Remapping| Path::new(&remapping.path).components().count();
            let key = (candidate.context.clone(), candidate.name.clone());
            if nearest.get(&key).is_none_or(|present| depth(present) > depth(&candidate)) {
                nearest.insert(key, candidate);
            }
        };
        let mut seen = BTreeSet::new();
        for library in libraries {
            for configured in self.nested(library, MAX_DEPENDENCY_DEPTH, &mut seen) {
                offer(configured);
            }
        }
        for library in libraries.iter().filter(|library| library.is_dir()) {
            let barriers = ["lib/", "src/", "contracts/"];
            for detected in Remapping::find_many(library) {
                if !barriers.contains(&detected.name.as_str()) {
                    offer(self.anchor(detected));
                }
            }
        }
        let own: Vec<String> = own
            .iter()
            .filter_map(|folder| Some(format!("{}/", slashed(folder.strip_prefix(&self.root).ok()?))))
            .collect();
        for candidate in nearest.into_values() {
            let taken = candidate.context.is_none() && own.iter().any(|name| candidate.name.eq_ignore_ascii_case(name));
            if !taken && !self.is_covered(&candidate) {
                self.found.push(candidate);
            }
        }
    }

    /// The remappings, each context and prefix once. Longer contexts and prefixes come first, so that the first match in this
    /// order is the one that solc would choose.
    pub(super) fn finish(self) -> Vec<Remapping> {
        let mut seen = BTreeSet::new();
        let mut kept = self.found;
        kept.retain(|remapping| seen.insert((remapping.context.clone(), remapping.name.clone())));
        let length = |context: &Option<String>| context.as_ref().map_or(0, String::len);
        kept.sort_by_key(|remapping| std::cmp::Reverse((length(&remapping.context), remapping.name.len())));
        kept
    }

    /// Whether a remapping that is there has the candidate's name or a prefix of it.
    fn is_covered(&self, candidate: &Remapping) -> bool {
        self.found.iter().any(|present| {
            present.context == candidate.context
                && if candidate.name.ends_with(".sol") {
                    present.name == candidate.name
                } else {
                    candidate.name.starts_with(&with_slash(&present.name))
                }
        })
    }

    /// The remappings that the libraries in a folder configure, and those of their own libraries.
    fn nested(&self, library: &Path, depth: usize, seen: &mut BTreeSet<PathBuf>) -> Vec<Remapping> {
        let mut found = Vec::new();
        let mut packages: Vec<PathBuf> =
            fs::read_dir(library).into_iter().flatten().flatten().map(|e| e.path()).collect();
        packages.sort();
        for package in packages.iter().filter(|package| package.join(foundry_toml::FILE).is_file()) {
            let is_new = fs::canonicalize(package).is_ok_and(|real| seen.insert(real));
            // A library's mistakes are not the user's: what cannot be read is passed over.
            let (true, Ok(mut toml)) = (is_new, FoundryToml::read(package, None)) else {
                continue;
            };
            let mut own = Self::new(package);
            own.read_text_file(&mut Vec::new());
            let _ = toml.remappings(|text| own.add(text));
            let context = package.strip_prefix(&self.root).map(slashed).ok();
            found.extend(own.finish().into_iter().filter_map(|mut remapping| {
                if let Some(inner) = remapping.context {
                    remapping.context = Some(format!("{}/{inner}", context.as_ref()?));
                }
                Some(remapping)
            }));
            if let (Ok(source), Some(name)) = (toml.source(), package.file_name()) {
                let name = format!("{}/", name.to_string_lossy());
                found.push(Remapping { context: None, name, path: with_slash(&slashed(&source)) });
            }
            if depth > 0 {
                for inner in toml.libraries().unwrap_or_default() {
                    found.extend(self.nested(&inner, depth - 1, seen));
                }
            }
        }
        found
    }

    /// The remapping with an absolute target, a context that counts from the root, and slashes at the ends of folders.
    fn anchor(&self, remapping: Remapping) -> Remapping {
        let target = clean(&self.root.join(remapping.path.trim()));
        let folder = |path: &str| {
            if path.ends_with(".sol") { path.to_owned() } else { with_slash(path) }
        };
        let context = remapping.context.map(|context| {
            let inside = clean(&self.root.join(context.trim()));
            let ends_in_slash = context.ends_with('/');
            let relative = inside.strip_prefix(&self.root).map_or_else(|_| slashed(&inside), slashed);
            if ends_in_slash { with_slash(&relative) } else { relative }
        });
        Remapping {
            context: context.filter(|context| !context.is_empty() && context != "/"),
            name: folder(remapping.name.trim()),
            path: folder(&slashed(&target)),
        }
    }
}

fn with_slash(text: &str) -> String {
    if text.ends_with('/') { text.to_owned() } else { format!("{text}/") }
}

#[cfg(test)]
mod tests;
