//! [`Imports`] lists which modules of a crate name which others. It reads the text of the files: `use`, and any other path, also within
//! macros and tests. A path leads to the innermost module with a file of its own that it names. No other crate is known here.
//!
//! A crate is a tree, and at each module of it a level: that module's own file, and each module below it with all that is in it. A circle
//! of files is a circle of some level, and so is a circle of folders in which no single file takes part twice.

mod tokens;

use std::{
    collections::{BTreeMap, BTreeSet, VecDeque},
    fmt::{Display, Formatter},
    path::{Path, PathBuf},
};
use tokens::{Token, tokens};

/// A module, by the names from the root of the crate to it.
type Module = Vec<String>;

/// One module names another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Import {
    pub(crate) from: Module,
    pub(crate) to: Module,
    file: PathBuf,
    line: usize,
}

impl Display for Import {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{} names {}", self.file.display(), self.line, self.to.join("::"))
    }
}

/// All imports within a crate.
#[derive(Debug, Default)]
pub(crate) struct Imports {
    all: Vec<Import>,
}

impl Imports {
    /// Reads the files of a crate whose root stands in this folder.
    pub(crate) fn of_crate(folder: &Path) -> Self {
        let (mut files, mut folders) = (Vec::new(), vec![folder.to_owned()]);
        while let Some(inside) = folders.pop() {
            for entry in std::fs::read_dir(inside).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else if path.extension().is_some_and(|extension| extension == "rs") {
                    let text = std::fs::read_to_string(&path).unwrap();
                    files.push((path.strip_prefix(folder).unwrap().to_owned(), text));
                }
            }
        }
        files.sort();
        Self::of_files(&files)
    }

    /// Reads files, each with its path from the folder of the crate's root.
    pub(crate) fn of_files(files: &[(PathBuf, String)]) -> Self {
        let modules: BTreeSet<Module> = files.iter().map(|(path, _)| module_of(path)).collect();
        let read = |(path, text): &(PathBuf, String)| Reader::new(&modules, path).read(&tokens(text));
        Self { all: files.iter().flat_map(read).collect() }
    }

    /// All imports, file by file.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Import> {
        self.all.iter()
    }

    /// The shortest circle of each level, with a line for each import that it is made of.
    pub(crate) fn circles(&self) -> Vec<String> {
        let mut levels: BTreeMap<&[String], Level<'_>> = BTreeMap::new();
        for import in &self.all {
            let shared = import.from.iter().zip(&import.to).take_while(|(one, other)| one == other).count();
            let (from, to) = (import.from.get(shared), import.to.get(shared));
            levels.entry(&import.from[..shared]).or_default().entry(from).or_default().entry(to).or_insert(import);
        }
        levels.values().filter_map(shortest_circle).map(|circle| told(&circle)).collect()
    }
}

/// A circle, with a line for each of its imports.
fn told(circle: &[&Import]) -> String {
    circle.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// What imports what at one level: a module below, or else the level's own file.
type Level<'a> = BTreeMap<Option<&'a String>, BTreeMap<Option<&'a String>, &'a Import>>;

fn shortest_circle<'a>(level: &Level<'a>) -> Option<Vec<&'a Import>> {
    level.keys().filter_map(|start| circle_through(level, *start)).min_by_key(Vec::len)
}

/// The shortest way from one back to itself.
fn circle_through<'a>(level: &Level<'a>, start: Option<&'a String>) -> Option<Vec<&'a Import>> {
    let mut ways = VecDeque::from([(start, Vec::new())]);
    let mut seen = BTreeSet::new();
    while let Some((at, way)) = ways.pop_front() {
        for (to, import) in level.get(&at).into_iter().flatten() {
            let further: Vec<&Import> = way.iter().copied().chain([*import]).collect();
            if *to == start {
                return Some(further);
            }
            if seen.insert(*to) {
                ways.push_back((*to, further));
            }
        }
    }
    None
}

/// The module that a file is.
fn module_of(path: &Path) -> Module {
    let mut module: Module = path.with_extension("").iter().map(|name| name.to_string_lossy().into_owned()).collect();
    let is_root = module.len() == 1 && matches!(module[0].as_str(), "lib" | "main");
    if is_root || module.last().is_some_and(|name| name == "mod") {
        module.pop();
    }
    module
}

/// Reads one file.
struct Reader<'a> {
    modules: &'a BTreeSet<Module>,
    file: &'a Path,
    /// The module of the file.
    own: Module,
    /// The modules within it in which what is read stands, each with the depth of its braces.
    inline: Vec<(String, usize)>,
}

impl<'a> Reader<'a> {
    fn new(modules: &'a BTreeSet<Module>, file: &'a Path) -> Self {
        Self { modules, file, own: module_of(file), inline: Vec::new() }
    }

    fn read(mut self, tokens: &[Token<'_>]) -> Vec<Import> {
        let (mut imports, mut depth, mut at) = (Vec::new(), 0, 0);
        while at < tokens.len() {
            match tokens[at].text {
                "{" => depth += 1,
                "}" => {
                    depth = usize::saturating_sub(depth, 1);
                    self.inline.retain(|(_, opened)| *opened < depth + 1);
                }
                "mod" if text(tokens, at + 2) == "{" => self.inline.push((tokens[at + 1].text.to_owned(), depth + 1)),
                _ if self.begins_path(tokens, at) => {
                    let line = tokens[at].line;
                    let mut paths = Vec::new();
                    at = read_tree(tokens, at, &[], &mut paths);
                    let targets: BTreeSet<Module> = paths.iter().filter_map(|path| self.resolve(path)).collect();
                    let import = |to| Import { from: self.own.clone(), to, file: self.file.to_owned(), line };
                    imports.extend(targets.into_iter().map(import));
                    continue;
                }
                _ => {}
            }
            at += 1;
        }
        imports
    }

    /// The module in which what is read stands.
    fn here(&self) -> Module {
        self.own.iter().cloned().chain(self.inline.iter().map(|(name, _)| name.clone())).collect()
    }

    /// Whether a path into this crate begins here.
    fn begins_path(&self, tokens: &[Token<'_>], at: usize) -> bool {
        let before = |back: usize| at.checked_sub(back).map_or("", |at| tokens[at].text);
        let is_visibility = before(1) == "in" && before(2) == "(" && before(3) == "pub";
        if text(tokens, at + 1) != "::" || before(1) == "::" || is_visibility {
            return false;
        }
        let name = tokens[at].text;
        let is_child = || {
            let mut child = self.here();
            child.push(name.to_owned());
            self.modules.contains(&child)
        };
        matches!(name, "crate" | "self" | "super") || is_child()
    }

    /// The module with a file that a path leads to, if that is another one.
    fn resolve(&self, path: &[&str]) -> Option<Module> {
        let mut module = if path.first() == Some(&"crate") { Vec::new() } else { self.here() };
        for name in path {
            match *name {
                "crate" | "self" => {}
                "super" => drop(module.pop()),
                name => module.push(name.to_owned()),
            }
        }
        while !self.modules.contains(&module) {
            module.pop()?;
        }
        (module != self.own).then_some(module)
    }
}

fn text<'a>(tokens: &[Token<'a>], at: usize) -> &'a str {
    tokens.get(at).map_or("", |token| token.text)
}

/// Reads all paths that begin with `before` and go on here, as in `a::{b, c::*}`. Where they end.
fn read_tree<'a>(tokens: &[Token<'a>], mut at: usize, before: &[&'a str], paths: &mut Vec<Vec<&'a str>>) -> usize {
    let mut path = before.to_vec();
    loop {
        path.push(text(tokens, at));
        at += 1;
        if text(tokens, at) != "::" {
            paths.push(path);
            return at;
        }
        at += 1;
        if text(tokens, at) == "{" {
            at += 1;
            while !matches!(text(tokens, at), "}" | "") {
                at = read_tree(tokens, at, &path, paths);
                // A new name, and what stands between two paths.
                while !matches!(text(tokens, at), "," | "}" | "") {
                    at += 1;
                }
                at += usize::from(text(tokens, at) == ",");
            }
            return at + 1;
        }
    }
}
