//! Compares two layouts as one that is upgraded to the other, by the rules of OpenZeppelin's upgrades-core: the variables of both are
//! aligned so that the least was changed, and each change counts that words which are stored already do not survive. Variables may be
//! appended, gaps may shrink by what is put in front of their end, and a new name or type may be annotated.

use super::{
    model::{Field, Layout},
    types::Type,
};
use std::{cell::RefCell, collections::BTreeSet};

/// A change that stored words do not survive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The namespace whose variables they are; none for the contract's own.
    pub namespace: Option<String>,
    /// What happened.
    pub kind: ChangeKind,
    /// The index of the variable before, as far as it is about one.
    pub before: Option<usize>,
    /// The index of the variable after, as far as it is about one.
    pub after: Option<usize>,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum ChangeKind {
    /// A variable was put where others are.
    Inserted,
    /// A variable is gone.
    Deleted,
    /// A variable has another name and another type.
    Replaced,
    /// A variable has another name.
    Renamed,
    /// A variable has another type.
    Retyped,
    /// A variable is somewhere else.
    Moved,
    /// A namespace is gone.
    NamespaceDeleted,
}

/// A step from one list of items to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// The same variable, or a gap that gave room to what ends where it ended.
    Keep,
    Change(ChangeKind, usize, usize),
    Insert(usize),
    Append,
    Delete(usize),
}

/// What an edit costs: a change that is not nearly the same variable, an insertion and a deletion.
const CHANGE: u32 = 3;
const INSERTION: u32 = 2;
const DELETION: u32 = 2;
/// What a change costs that leaves the variable what it is.
const SMALL_CHANGE: u32 = 1;

impl Layout {
    /// The changes to `after` that stored words do not survive, in order. None is a safe upgrade.
    pub fn changes_to(&self, after: &Self) -> Vec<Change> {
        let comparison = Comparison { before: self, after, open: RefCell::default() };
        let of = |namespace: Option<&String>, before: &[Field], after: &[Field]| {
            let changes = comparison.fields(before, after, true);
            let told = changes.into_iter().map(|(kind, before, after)| Change {
                namespace: namespace.cloned(),
                kind,
                before,
                after,
            });
            told.collect::<Vec<_>>()
        };
        let mut changes = of(None, &self.fields, &after.fields);
        for (name, fields) in &self.namespaces {
            match after.namespaces.get(name) {
                Some(now) => changes.extend(of(Some(name), fields, now)),
                None if fields.is_empty() => {}
                None => changes.push(Change {
                    namespace: Some(name.clone()),
                    kind: ChangeKind::NamespaceDeleted,
                    before: None,
                    after: None,
                }),
            }
        }
        changes
    }

    /// The variables of a namespace, or the contract's own.
    pub fn fields_of(&self, namespace: Option<&str>) -> &[Field] {
        match namespace {
            None => &self.fields,
            Some(name) => self.namespaces.get(name).map_or(&[], Vec::as_slice),
        }
    }

    /// The members of a struct.
    pub(super) fn members(&self, name: &str) -> &[Field] {
        self.structs.get(name).map_or(&[], Vec::as_slice)
    }
}

/// Two layouts that are compared.
struct Comparison<'a> {
    before: &'a Layout,
    after: &'a Layout,
    /// The pairs of structs that are being compared: one that contains itself is taken to be what it is found to be.
    open: RefCell<BTreeSet<(String, String)>>,
}

impl Comparison<'_> {
    /// The unsafe changes from some variables to others, with their indices.
    fn fields(
        &self,
        before: &[Field],
        after: &[Field],
        may_grow: bool,
    ) -> Vec<(ChangeKind, Option<usize>, Option<usize>)> {
        let steps = align(before.len(), after.len(), |i, j| self.field(&before[i], &after[j]));
        let unsafe_step = |step: Step| match step {
            Step::Keep => None,
            Step::Append => (!may_grow).then_some((ChangeKind::Inserted, None, None)),
            Step::Insert(j) => {
                let taken = before.iter().filter(|field| !field.is_gap()).any(|field| field.overlaps(&after[j]));
                taken.then_some((ChangeKind::Inserted, None, Some(j)))
            }
            Step::Delete(i) => Some((ChangeKind::Deleted, Some(i), None)),
            Step::Change(kind, i, j) => Some((kind, Some(i), Some(j))),
        };
        steps.into_iter().filter_map(unsafe_step).collect()
    }

    /// How a variable became another one, and what that costs; `None` if it is the same. A gap may become shorter, or another
    /// variable, if that ends where the gap ended: no change, but not for nothing.
    fn field(&self, before: &Field, after: &Field) -> Option<(Option<ChangeKind>, u32)> {
        let is_annotated = after.renamed_from.as_ref() == Some(&before.name);
        let is_renamed = !is_annotated
            && (after.name != before.name
                || (after.renamed_from.is_some() && after.renamed_from != before.renamed_from));
        let type_change = if is_retyped_from(before, after) { None } else { self.ty(&before.ty, &after.ty, false) };
        let is_moved = before.begin != after.begin || before.end != after.end;
        if after.retyped_from.is_some() && is_moved {
            Some((Some(ChangeKind::Moved), SMALL_CHANGE))
        } else if is_renamed && ends_like_gap(before, after) {
            Some((None, SMALL_CHANGE))
        } else if type_change == Some(TypeChange::ArrayShrunk) && ends_like_gap(before, after) {
            None
        } else if is_renamed && type_change.is_some() {
            Some((Some(ChangeKind::Replaced), CHANGE))
        } else if is_renamed {
            Some((Some(ChangeKind::Renamed), CHANGE))
        } else if type_change.is_some() {
            Some((Some(ChangeKind::Retyped), SMALL_CHANGE))
        } else {
            is_moved.then_some((Some(ChangeKind::Moved), SMALL_CHANGE))
        }
    }

    /// How words of one type are not words of another; `None` if they are.
    fn ty(&self, before: &Type, after: &Type, may_grow: bool) -> Option<TypeChange> {
        let differs = |differs: bool| differs.then_some(TypeChange::Other);
        match (before, after) {
            (Type::Contract, Type::Contract) => None,
            (Type::Contract, Type::Value(name, _)) | (Type::Value(name, _), Type::Contract) => {
                differs(name != "address")
            }
            (Type::Value(one, _), Type::Value(other, _)) | (Type::Bytes(one), Type::Bytes(other)) => {
                differs(one != other)
            }
            (Type::Function { external: one }, Type::Function { external: other }) => differs(one != other),
            (Type::Alias(one), Type::Alias(other)) => differs(one != other),
            (Type::Enum(one), Type::Enum(other)) => differs(!is_enum_grown(one, other)),
            (Type::Struct(one), Type::Struct(other)) => differs(!self.is_same_struct(one, other, may_grow)),
            (Type::Mapping(key, value), Type::Mapping(new_key, new_value)) => {
                // Values of a mapping have room behind them.
                self.ty(key, new_key, false).or_else(|| self.ty(value, new_value, true)).map(|_| TypeChange::Other)
            }
            (Type::Array(item, length), Type::Array(new_item, new_length)) => match (length, new_length) {
                (Some(length), Some(new)) if new < length => Some(TypeChange::ArrayShrunk),
                (Some(length), Some(new)) if new > length && !may_grow => Some(TypeChange::Other),
                (Some(_), None) | (None, Some(_)) => Some(TypeChange::Other),
                _ => self.ty(item, new_item, false).map(|_| TypeChange::Other),
            },
            _ => Some(TypeChange::Other),
        }
    }

    fn is_same_struct(&self, before: &str, after: &str, may_grow: bool) -> bool {
        let pair = (before.to_owned(), after.to_owned());
        if !self.open.borrow_mut().insert(pair.clone()) {
            return true;
        }
        let changes = self.fields(self.before.members(before), self.after.members(after), may_grow);
        self.open.borrow_mut().remove(&pair);
        changes.is_empty()
    }
}

/// How words of one type are not words of another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TypeChange {
    /// A list of fixed length is shorter.
    ArrayShrunk,
    Other,
}

/// Whether the variable before is a gap, and the one after ends where it ended.
fn ends_like_gap(before: &Field, after: &Field) -> bool {
    before.is_gap() && before.end == after.end
}

/// Whether an annotation says that the variable had this type before.
fn is_retyped_from(before: &Field, after: &Field) -> bool {
    let plain = |name: &str| {
        let words = name.split(' ').filter(|word| !matches!(*word, "contract" | "struct" | "enum"));
        let joined = words.collect::<Vec<_>>().join(" ");
        joined.replace("(struct ", "(").replace("(enum ", "(").replace("(contract ", "(")
    };
    after.retyped_from.as_ref().is_some_and(|annotated| plain(annotated) == plain(&before.type_name))
}

/// Whether members were added at the end of an enum at most, and its values still take as many bytes.
fn is_enum_grown(before: &[String], after: &[String]) -> bool {
    let is_large = |members: &[String]| members.len() > 256;
    after.starts_with(before) && is_large(before) == is_large(after)
}

/// The cheapest steps from a list of so many items to another one. `change` tells how an item becomes another one, and what that
/// costs. What comes beyond the length of the first list costs nothing.
fn align(before: usize, after: usize, change: impl Fn(usize, usize) -> Option<(Option<ChangeKind>, u32)>) -> Vec<Step> {
    let width = after + 1;
    // The cost of coming from the first `i` items to the first `j`, and the last step of it.
    let mut cells: Vec<(u32, Step)> = vec![(0, Step::Keep); (before + 1) * width];
    for i in 0..=before {
        for j in 0..=after {
            let cost = |i: usize, j: usize| cells[i * width + j].0;
            let mut ways: Vec<(u32, Step)> = Vec::with_capacity(3);
            if i > 0 && j > 0 {
                ways.push(match change(i - 1, j - 1) {
                    None => (cost(i - 1, j - 1), Step::Keep),
                    Some((None, price)) => (cost(i - 1, j - 1) + price, Step::Keep),
                    Some((Some(kind), price)) => (cost(i - 1, j - 1) + price, Step::Change(kind, i - 1, j - 1)),
                });
            }
            if j > 0 {
                let is_beyond = j > before;
                let (price, step) = if is_beyond { (0, Step::Append) } else { (INSERTION, Step::Insert(j - 1)) };
                ways.push((cost(i, j - 1) + price, step));
            }
            if i > 0 {
                ways.push((cost(i - 1, j) + DELETION, Step::Delete(i - 1)));
            }
            if let Some(best) = ways.into_iter().min_by_key(|(cost, _)| *cost) {
                cells[i * width + j] = best;
            }
        }
    }
    let (mut i, mut j, mut steps) = (before, after, Vec::new());
    while i > 0 || j > 0 {
        let step = cells[i * width + j].1;
        steps.push(step);
        (i, j) = match step {
            Step::Keep | Step::Change(..) => (i - 1, j - 1),
            Step::Insert(_) | Step::Append => (i, j - 1),
            Step::Delete(_) => (i - 1, j),
        };
    }
    steps.reverse();
    steps
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The steps from one text to another, letter by letter: another letter is another name.
    fn steps(before: &str, after: &str) -> String {
        let (before, after): (Vec<char>, Vec<char>) = (before.chars().collect(), after.chars().collect());
        let change = |i: usize, j: usize| (before[i] != after[j]).then_some((Some(ChangeKind::Renamed), CHANGE));
        let told = align(before.len(), after.len(), change).into_iter().map(|step| match step {
            Step::Keep => '=',
            Step::Change(..) => '~',
            Step::Insert(_) => '+',
            Step::Append => '>',
            Step::Delete(_) => '-',
        });
        told.collect()
    }

    #[test]
    fn the_least_is_changed() {
        for (before, after, expected) in [
            ("abc", "abc", "==="),
            ("ab", "abcd", "==>>"),
            ("abc", "ac", "=-="),
            ("abc", "axbc", "=+=="),
            ("abc", "axc", "=~="),
            ("", "ab", ">>"),
            ("ab", "", "--"),
        ] {
            assert_eq!(steps(before, after), expected, "{before} {after}");
        }
    }

    proptest! {
        #[test]
        fn steps_lead_from_one_to_the_other(before in "[a-d]{0,8}", after in "[a-d]{0,8}") {
            let steps = steps(&before, &after);
            let of = |kinds: &str| steps.chars().filter(|step| kinds.contains(*step)).count();
            prop_assert_eq!((of("=~-"), of("=~+>")), (before.len(), after.len()));
        }

        #[test]
        fn what_is_appended_is_safe_and_costs_nothing(before in "[a-z]{0,8}", more in "[a-z]{0,8}") {
            prop_assert_eq!(steps(&before, &format!("{before}{more}")), "=".repeat(before.len()) + &">".repeat(more.len()));
        }
    }
}
