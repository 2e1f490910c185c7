//! The findings of an upgrade: where the storage layout of a contract does not fit the words that an older build of it stored, variable
//! by variable. Each is proved by running the newer code on the older build's storage, or is told as a warning only.

mod proof;

use super::{
    confirm::text_range,
    identity,
    model::{Discovery, Finding},
    story,
};
use crate::{
    code::{ChangeKind, Clash, Layout, LayoutChange},
    compile::SourceRange,
    harness::Harness,
    input::Sequence,
    oracle::layout_change,
    project::Level,
};
use proof::{Proof, Upgrade};
use std::sync::Arc;

/// Other variables that a finding names beside the first; chosen by hand.
const MAX_OTHERS: usize = 6;

/// The last commit in words, as the older build that layouts are compared with.
pub const LAST_COMMIT: &str = "the last commit";

/// The findings of an upgrade from the older build of `before`, which is `since` in words (as in "the last commit"), to `after`. None if
/// either has no layout, or stored words survive.
pub fn upgrade_findings(
    before: &Harness,
    after: &Arc<Harness>,
    since: &str,
    level: Level,
    discovery: Discovery,
) -> Vec<Finding> {
    let layout = |harness: &Harness| Layout::of(&harness.build, harness.contract);
    let (Some(old), Some(new)) = (layout(before), layout(after)) else { return Vec::new() };
    let told = Teller { old, new, after, since, level, discovery };
    let changes = told.old.changes_to(&told.new);
    if changes.is_empty() {
        return Vec::new();
    }
    let mut upgrade = Upgrade::of(before, after);
    grouped(changes).iter().map(|group| told.finding(group, upgrade.as_mut())).collect()
}

/// Changes with what they move: a variable that was put in front of others moves them all.
fn grouped(changes: Vec<LayoutChange>) -> Vec<Vec<LayoutChange>> {
    let mut groups: Vec<Vec<LayoutChange>> = Vec::new();
    for change in changes {
        match groups.last_mut() {
            Some(group) if change.kind == ChangeKind::Moved && group[0].namespace == change.namespace => {
                group.push(change);
            }
            _ => groups.push(vec![change]),
        }
    }
    groups
}

/// What a finding says of one group of changes.
struct Claim {
    at: Option<SourceRange>,
    what: String,
    proof: Option<Proof>,
    /// Whether words of one variable are read as those of another.
    is_other_variable: bool,
}

/// Two layouts of one contract, and what all findings on them have in common.
struct Teller<'a> {
    old: Layout,
    new: Layout,
    after: &'a Arc<Harness>,
    since: &'a str,
    level: Level,
    discovery: Discovery,
}

impl Teller<'_> {
    fn finding(&self, group: &[LayoutChange], upgrade: Option<&mut Upgrade<'_>>) -> Finding {
        let clashes: Vec<Clash> = group.iter().flat_map(|change| self.old.clashes(&self.new, change)).collect();
        let clashes: Vec<Clash> = clashes.into_iter().filter(is_other).collect();
        let kept: Vec<Clash> = group.iter().flat_map(|change| self.old.kept(&self.new, change)).collect();
        let claim = self.claim(group, &clashes, &kept, upgrade);
        let is_only_a_name = group[0].kind == ChangeKind::Renamed && self.is_new_name(&group[0]);
        let most = match &claim.proof {
            Some(_) if !is_only_a_name => Level::Error,
            _ => Level::Warning,
        };
        let harness = self.after;
        let own = (harness.compiled().source, harness.build.name_span(harness.contract));
        let (source, span) = claim.at.unwrap_or(own);
        let violation = layout_change((source, span));
        let file = harness.build.source(source);
        let (transactions, read) = match &claim.proof {
            Some(proof) => (vec![proof.call.clone()], proof.read),
            None => (Vec::new(), None),
        };
        let sequence = Sequence { setup: harness.setup.clone(), transactions };
        let story = story::tell(harness, &sequence);
        let mut finding = Finding {
            id: identity::id(harness, &violation),
            violation,
            level: self.level.max(most),
            most,
            ignored: None,
            because: self.because(group, &claim, &clashes),
            comparison: Default::default(),
            contract: harness.compiled().name.clone(),
            file: file.name.clone(),
            path: file.path.clone(),
            span,
            lines: text_range(harness, source, span),
            message: String::new(),
            what: claim.what,
            discovery: self.discovery,
            sequence,
            passed: Vec::new(),
            line_values: Arc::default(),
            shrunk: true,
            story,
            turning_point: None,
            stored: read,
            harness: harness.clone(),
        };
        finding.message = finding.told(", ");
        finding
    }

    /// The first claim that is proved, or else the first.
    fn claim(
        &self,
        group: &[LayoutChange],
        clashes: &[Clash],
        kept: &[Clash],
        mut upgrade: Option<&mut Upgrade<'_>>,
    ) -> Claim {
        let place = self.place(&group[0], clashes);
        for clash in clashes {
            if let Some(proof) = upgrade.as_mut().and_then(|upgrade| upgrade.reads(clash)) {
                let at = clash.after.declaration;
                return Claim { at, what: reads(clash), proof: Some(proof), is_other_variable: true };
            }
        }
        for clash in kept {
            if let Some(proof) = upgrade.as_mut().and_then(|upgrade| upgrade.differs(clash)) {
                let what = format!("`{}` does not return what it stored before the upgrade", clash.before.name);
                let at = clash.after.declaration;
                return Claim { at, what, proof: Some(proof), is_other_variable: false };
            }
        }
        let what = clashes.first().map_or_else(|| self.change(&group[0]), reads);
        Claim { at: place, what, proof: None, is_other_variable: !clashes.is_empty() }
    }

    /// The declaration that a change is about: of the variable that is new or different, or that is where one was.
    fn place(&self, change: &LayoutChange, clashes: &[Clash]) -> Option<SourceRange> {
        let fields = self.new.fields_of(change.namespace.as_deref());
        let of_field = change.after.and_then(|at| fields[at].declaration);
        of_field.or_else(|| clashes.first().and_then(|clash| clash.after.declaration))
    }

    /// Whether a variable of this name is new, and the one before is gone.
    fn is_new_name(&self, change: &LayoutChange) -> bool {
        let namespace = change.namespace.as_deref();
        let (old, new) = (self.old.fields_of(namespace), self.new.fields_of(namespace));
        let (Some(i), Some(j)) = (change.before, change.after) else { return false };
        !new.iter().any(|field| field.name == old[i].name) && !old.iter().any(|field| field.name == new[j].name)
    }

    /// A change in words.
    fn change(&self, change: &LayoutChange) -> String {
        let namespace = change.namespace.as_deref();
        let before = change.before.map(|at| &self.old.fields_of(namespace)[at]);
        let after = change.after.map(|at| &self.new.fields_of(namespace)[at]);
        match (change.kind, before, after) {
            (ChangeKind::NamespaceDeleted, ..) => {
                format!("nothing reads the namespace `{}` any more", namespace.unwrap_or_default())
            }
            (ChangeKind::Moved, _, Some(field)) => format!("`{}` is not where it was", field.name),
            (ChangeKind::Retyped, Some(before), Some(field)) if before.type_name != field.type_name => {
                format!("`{}` is read as `{}`, but was written as `{}`", field.name, field.type_name, before.type_name)
            }
            (ChangeKind::Retyped, _, Some(field)) => {
                format!("the parts of `{}` (`{}`) are not what was written", field.name, field.type_name)
            }
            (_, Some(before), Some(field)) => format!("`{}` is where `{}` was", field.name, before.name),
            (_, None, Some(field)) => format!("`{}` was put among variables that are stored", field.name),
            (_, Some(before), None) => format!("`{}` is gone, and what it stored stays", before.name),
            (_, None, None) => "the layout changed".to_owned(),
        }
    }

    fn because(&self, group: &[LayoutChange], claim: &Claim, clashes: &[Clash]) -> String {
        let since = self.since;
        let mut text = match &claim.proof {
            Some(proof) if claim.is_other_variable => {
                format!("Run on what {since} stored, {}: the two runs differ in nothing else.", proof.told)
            }
            Some(proof) => format!("Run on what {since} stored, {}.", proof.told),
            None => format!(
                "The layout of {since} differs; no function was found that returns the stored word, so nothing was run to prove it."
            ),
        };
        let others: Vec<String> =
            clashes.iter().map(reads).filter(|other| *other != claim.what).take(MAX_OTHERS).collect();
        if !others.is_empty() {
            text += &format!(" Also: {}.", others.join(", "));
        }
        text + " " + &self.remedy(&group[0])
    }

    /// Whether a variable has another type of the same length, so that an annotation may say that it is meant.
    fn is_as_long(&self, change: &LayoutChange) -> bool {
        let namespace = change.namespace.as_deref();
        let (Some(i), Some(j)) = (change.before, change.after) else { return false };
        let (before, after) = (&self.old.fields_of(namespace)[i], &self.new.fields_of(namespace)[j]);
        before.is_value() && after.is_value() && before.end == after.end
    }

    fn remedy(&self, change: &LayoutChange) -> String {
        let before = change.before.map(|at| &self.old.fields_of(change.namespace.as_deref())[at]);
        match (change.kind, before) {
            (ChangeKind::Renamed, Some(before)) => {
                format!("If the new name is intended, say so above it: `/// @custom:oz-renamed-from {}`.", before.name)
            }
            (ChangeKind::Retyped, Some(before)) if self.is_as_long(change) => {
                let name = &before.type_name;
                format!(
                    "If the new type reads what was written, say so above it: `/// @custom:oz-retyped-from {name}`."
                )
            }
            (ChangeKind::Retyped, _) => {
                "Keep the type of what is stored. Members can be appended to enums, and to structs in mappings."
                    .to_owned()
            }
            (ChangeKind::Deleted | ChangeKind::NamespaceDeleted, _) => {
                "Keep the declarations of what is stored, in their places and with their types.".to_owned()
            }
            _ => "Put new variables behind all others, or where the end of a gap gives them room.".to_owned(),
        }
    }
}

fn reads(clash: &Clash) -> String {
    format!("`{}` now reads what `{}` wrote", clash.after.name, clash.before.name)
}

/// Whether the two are different variables, or parts, and not one with another type.
fn is_other(clash: &Clash) -> bool {
    clash.after.name != clash.before.name
}
