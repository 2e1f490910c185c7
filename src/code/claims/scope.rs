//! A [`Scope`] is where an expression stands: it finds the constants that the expression names, in the contract and its bases, in the
//! source, and in what that imports. Names are looked up as they are written: one that an import gives to something else is unknown.

use crate::{
    code::layout::Lineage,
    compile::{Build, ContractDeclaration, SlotConstant, SlotExpression, SlotValue, SourceId, SourceRange},
};
use alloy_primitives::{U256, uint};
use std::{
    cell::RefCell,
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

/// Constants that refer to each other which are followed; chosen by hand.
const MAX_DEPTH: usize = 16;

/// Slots that standards give to what proxies keep, which anybody may name: implementation, admin, beacon and rollback of ERC-1967, the code
/// of ERC-1822, and implementation and admin of ZeppelinOS.
const STANDARD: [U256; 7] = uint!([
    0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc_U256,
    0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103_U256,
    0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50_U256,
    0x4910fdfa16fed3260ed0e7147f7cc6da11a60208b5b9406d12a635614ffd9143_U256,
    0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7_U256,
    0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3_U256,
    0x10d6a54a4754c8869d6886b5f5d7fbfa5b4522237ea5c60d11bc4e7a1ff9390b_U256,
]);

/// A slot that an expression gives, and the constants that it is made of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StatedSlot {
    /// The slot.
    pub slot: U256,
    /// The constant that it is named by, if it is one, or what is computed from one alone.
    pub constant: Option<SourceRange>,
    /// All constants that it is made of.
    roots: BTreeSet<SourceRange>,
}

impl StatedSlot {
    /// Whether a standard says what is kept there, whatever the constant is called.
    pub fn is_standard(&self) -> bool {
        STANDARD.contains(&self.slot)
    }

    /// Whether one of the two is made of the constant that names the other: then they are meant to be related.
    pub fn is_related_to(&self, other: &Self) -> bool {
        let is_made_of =
            |one: &Self, other: &Self| other.constant.is_some_and(|constant| one.roots.contains(&constant));
        is_made_of(self, other) || is_made_of(other, self)
    }
}

/// The names of a build.
pub(super) struct Names<'a> {
    build: &'a Build,
    lineages: RefCell<HashMap<(SourceId, &'a str), Rc<Lineage<'a>>>>,
}

impl<'a> Names<'a> {
    pub(super) fn of(build: &'a Build) -> Self {
        Self { build, lineages: RefCell::default() }
    }

    /// A contract with its bases; none of them outside of contracts.
    pub(super) fn lineage(&self, source: SourceId, contract: &'a str) -> Rc<Lineage<'a>> {
        let mut lineages = self.lineages.borrow_mut();
        let made = || Rc::new(Lineage::of(self.build, source, contract));
        lineages.entry((source, contract)).or_insert_with(made).clone()
    }
}

/// Where an expression stands.
#[derive(Clone)]
pub(super) struct Scope<'n, 'a> {
    names: &'n Names<'a>,
    source: SourceId,
    /// The contract; empty outside of contracts.
    contract: &'a str,
    /// That contract and its bases.
    lexical: Rc<Lineage<'a>>,
    /// The contract that is deployed, with its bases: what it overrides counts.
    deployed: Rc<Lineage<'a>>,
}

impl<'n, 'a> Scope<'n, 'a> {
    pub(super) fn of(names: &'n Names<'a>, source: SourceId, contract: &'a str, deployed: &Rc<Lineage<'a>>) -> Self {
        Self { names, source, contract, lexical: names.lineage(source, contract), deployed: deployed.clone() }
    }

    fn at(&self, source: SourceId, contract: &'a str) -> Self {
        Self::of(self.names, source, contract, &self.deployed)
    }

    /// The slot that an expression gives; none if it is known only when it runs.
    pub(super) fn slot(&self, expression: &SlotExpression) -> Option<StatedSlot> {
        let mut roots = BTreeSet::new();
        let slot = self.value(expression, &mut roots, 0)?.word()?;
        Some(StatedSlot { slot, constant: self.constant_of(expression, 0), roots })
    }

    /// The constants that the contract, its bases and its sources declare, with their values.
    pub(super) fn constants(&self) -> Vec<(SourceRange, &'a str, U256)> {
        let inside = self.lexical.contracts.iter().map(|(source, contract)| (*source, contract.name.as_str()));
        let outside = self.lexical.sources.iter().map(|source| (*source, ""));
        let declared = inside.chain(outside).flat_map(|(source, contract)| {
            let of_contract = move |constant: &&SlotConstant| constant.contract == contract;
            self.constants_of(source).iter().filter(of_contract).map(move |constant| (source, constant))
        });
        let valued = declared.filter_map(|(source, constant)| {
            let value = self.at(source, &constant.contract).value(&constant.value, &mut BTreeSet::new(), 0)?;
            Some(((source, constant.span), constant.name.as_str(), value.word()?))
        });
        valued.collect()
    }

    fn value(&self, expression: &SlotExpression, roots: &mut BTreeSet<SourceRange>, depth: usize) -> Option<SlotValue> {
        if depth > MAX_DEPTH {
            return None;
        }
        expression.value(&mut |name| {
            let (source, constant) = self.find(name)?;
            roots.insert((source, constant.span));
            self.at(source, &constant.contract).value(&constant.value, roots, depth + 1)
        })
    }

    /// The constant that an expression is, or is computed from alone; of one that only stands for another, that other.
    fn constant_of(&self, expression: &SlotExpression, depth: usize) -> Option<SourceRange> {
        let names: BTreeSet<&str> = expression.names().into_iter().collect();
        let only = names.iter().next().filter(|_| names.len() == 1 && depth <= MAX_DEPTH)?;
        let (source, constant) = self.find(only)?;
        let stands_for_another = matches!(constant.value, SlotExpression::Named(_));
        let other = stands_for_another
            .then(|| self.at(source, &constant.contract).constant_of(&constant.value, depth + 1))
            .flatten();
        Some(other.unwrap_or((source, constant.span)))
    }

    /// The constant of this name, as the code sees it.
    fn find(&self, name: &str) -> Option<(SourceId, &'a SlotConstant)> {
        if let Some((contract, name)) = name.split_once('.') {
            let of_contract = |source: &SourceId| Some((*source, self.constant_in(*source, contract, name)?));
            return self.lexical.sources.iter().find_map(of_contract);
        }
        // A function may be overridden, but not one of a library.
        let is_own = |(source, contract): &(SourceId, &ContractDeclaration)| {
            (*source, contract.name.as_str()) == (self.source, self.contract)
        };
        let may_be_overridden = name.ends_with("()") && self.deployed.contracts.iter().any(is_own);
        let overridden = may_be_overridden.then(|| self.in_lineage(&self.deployed, name)).flatten();
        let of_source = |source: &SourceId| Some((*source, self.constant_in(*source, "", name)?));
        overridden
            .or_else(|| self.in_lineage(&self.lexical, name))
            .or_else(|| self.lexical.sources.iter().find_map(of_source))
    }

    /// The constant of this name in the most derived contract that has one.
    fn in_lineage(&self, lineage: &Lineage<'a>, name: &str) -> Option<(SourceId, &'a SlotConstant)> {
        let mut contracts = lineage.contracts.iter().rev();
        contracts.find_map(|(source, contract)| Some((*source, self.constant_in(*source, &contract.name, name)?)))
    }

    fn constant_in(&self, source: SourceId, contract: &str, name: &str) -> Option<&'a SlotConstant> {
        self.constants_of(source).iter().find(|constant| constant.contract == contract && constant.name == name)
    }

    fn constants_of(&self, source: SourceId) -> &'a [SlotConstant] {
        &self.names.build.source(source).ast.placements.constants
    }
}
