//! A [`Numbering`] gives the contracts of successive builds their numbers, from which the ids of their programs follow. A
//! contract keeps its number whatever else comes and goes, so that facts that are stored under an id stay true in the next
//! build. It knows names and code, and not what is stored under the ids.

use super::programs::Programs;
use crate::compile::Build;
use alloy_primitives::{B256, keccak256};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// The source and the name of a contract.
type QualifiedName = (String, String);

/// The numbers given so far.
#[derive(Debug, Default)]
pub struct Numbering {
    given: BTreeMap<QualifiedName, Given>,
}

#[derive(Debug, Clone, Copy)]
struct Given {
    number: u32,
    /// The hash of the contract's creation code.
    code: B256,
}

impl Numbering {
    /// Numbers the programs of the next build. Contracts of files that do not compile at the moment keep their numbers. A
    /// contract that is gone hands its number to a new one of exactly the same code: it was renamed, or its file was.
    pub fn programs(&mut self, build: &Build) -> Programs {
        let contracts: Vec<(QualifiedName, B256)> = build
            .contract_ids()
            .map(|id| {
                let (file, name) = build.qualified_name(id);
                ((file.to_owned(), name.to_owned()), keccak256(&build.contract(id).creation.code))
            })
            .collect();
        let here: BTreeSet<&QualifiedName> = contracts.iter().map(|(key, _)| key).collect();
        let before = std::mem::take(&mut self.given);
        let (waiting, left): (BTreeMap<_, _>, BTreeMap<_, _>) =
            before.into_iter().partition(|(key, _)| here.contains(key) || build.failed.contains(&key.0));
        let mut gone: BTreeMap<B256, VecDeque<Given>> = BTreeMap::new();
        // An interface has no code, like any other.
        for given in left.into_values().filter(|given| given.code != keccak256([])) {
            gone.entry(given.code).or_default().push_back(given);
        }
        self.given = waiting;
        for (key, code) in &contracts {
            if let Some(given) = self.given.get_mut(key) {
                given.code = *code;
            } else if let Some(given) = gone.get_mut(code).and_then(VecDeque::pop_front) {
                self.given.insert(key.clone(), given);
            }
        }
        let taken: BTreeSet<u32> = self.given.values().map(|given| given.number).collect();
        let mut free = (0..).filter(|number| !taken.contains(number));
        let numbers = contracts.into_iter().map(|(key, code)| {
            let fresh = |free: &mut dyn Iterator<Item = u32>| free.next().unwrap_or(u32::MAX);
            self.given.entry(key).or_insert_with(|| Given { number: fresh(&mut free), code }).number
        });
        Programs::numbered(build, numbers.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        code::program::Stage,
        compile::{Bytecode, Contract, ContractKind, LineIndex, Source, SourceId, Span},
    };
    use std::sync::Arc;

    /// A build of contracts, each with a file of its name and one instruction for code.
    fn build(contracts: &[(&str, u8)], failed: &[&str]) -> Build {
        let mut build = Build { failed: failed.iter().map(|name| (*name).to_owned()).collect(), ..Build::default() };
        for (at, (name, code)) in (0..).zip(contracts) {
            let (text, path) = ("".into(), format!("/{name}").into());
            let (lines, ast) = (LineIndex::new(""), Arc::default());
            let (name_, imports) = ((*name).to_owned(), Vec::new());
            build.sources.push(Arc::new(Source {
                path,
                name: name_,
                text,
                lines,
                imports,
                ast,
                foreign: false,
                is_test: false,
            }));
            let bytecode = || Bytecode { code: vec![*code].into(), ..Bytecode::default() };
            build.contracts.push(Arc::new(Contract {
                name: (*name).to_owned(),
                source: SourceId(at),
                span: Span::default(),
                kind: ContractKind::Contract,
                abi: Default::default(),
                creation: bytecode(),
                runtime: bytecode(),
                immutables: Vec::new(),
                storage: None,
                solc: semver::Version::new(0, 8, 0),
                evm_version: Default::default(),
                settings: "".into(),
            }));
        }
        build
    }

    #[test]
    fn a_contract_keeps_its_number_as_long_as_it_lives() {
        let mut numbering = Numbering::default();
        let mut numbers = |contracts: &[(&str, u8)], failed: &[&str]| -> String {
            let build = build(contracts, failed);
            let programs = numbering.programs(&build);
            let number = |id| programs.id(id, Stage::Creation).0 / 2;
            let each = build.contract_ids().map(|id| format!("{}{}", build.contract(id).name, number(id)));
            each.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(numbers(&[("B", 1), ("D", 2)], &[]), "B0 D1");
        assert_eq!(numbers(&[("A", 3), ("B", 1), ("C", 4), ("D", 2)], &[]), "A2 B0 C3 D1", "others come");
        assert_eq!(numbers(&[("A", 3), ("D", 9)], &["C"]), "A2 D1", "B goes, C does not compile");
        assert_eq!(numbers(&[("A", 3), ("C", 4), ("D", 9), ("E", 5)], &[]), "A2 C3 D1 E0", "C is back, B's is free");
        assert_eq!(numbers(&[("C", 4), ("D", 9), ("E", 5), ("F", 3)], &[]), "C3 D1 E0 F2", "A is called F now");
        assert_eq!(numbers(&[("F", 7)], &[]), "F2");
    }
}
