//! The page that documents the cheatcodes: a table for each family.

use super::{
    cheatcode::{CheatFamily, Cheatcode, Support},
    table::FAMILIES,
};

/// The text of `docs/cheatcodes.md`.
pub fn document() -> String {
    let families: Vec<String> = FAMILIES.iter().map(family).collect();
    format!("{INTRODUCTION}\n{}", families.join("\n"))
}

const INTRODUCTION: &str = "# Cheatcodes

Foundry's tests call functions of the account `0x7109709ECfa91a80626fF3989D68f67F5b1DD12D`, usually by the name `vm`, that change the EVM around
them: who calls, what time it is, what an account holds, what is expected next. Bellwether runs them itself, as Foundry 1.7.1 does. This page
lists all of them. It is written by `BELLWETHER_UPDATE=1 cargo test --test cheatcodes`.

A cheatcode marked *does nothing* can be called and has no effect that a fuzzer could see. One marked *not supported* reverts with a sentence
that names it and says why, and the line that calls it is reported. Nothing outside of the EVM is read, written, run or asked, and no time
passes: the same calls always do the same.

What `console.log` prints is kept with the run.
";

fn family(family: &CheatFamily) -> String {
    let about = if family.about.is_empty() { String::new() } else { format!("{}\n\n", family.about) };
    let mut rows = String::new();
    let mut left = family.cheatcodes;
    while let Some(first) = left.first() {
        let same = |other: &&Cheatcode| other.name() == first.name() && other.support == first.support;
        let (forms, rest) = left.split_at(left.iter().take_while(same).count());
        rows += &row(forms);
        left = rest;
    }
    format!("## {}\n\n{about}| cheatcode | parameters, and what it returns | |\n|---|---|---|\n{rows}", family.title)
}

/// The row of all forms of a cheatcode that stand one behind the other.
fn row(forms: &[Cheatcode]) -> String {
    let Some(first) = forms.first() else { return String::new() };
    let parameters = |form: &Cheatcode| {
        let returns = if form.returns.is_empty() { String::new() } else { format!(" → ({})", form.returns) };
        format!("`{}{returns}`", &form.signature[form.name().len()..]).replace(',', ", ")
    };
    let parameters: Vec<String> = forms.iter().map(parameters).collect();
    let docs: Vec<&str> = forms.iter().map(|form| form.docs).filter(|docs| !docs.is_empty()).collect();
    let docs = docs.join(" ");
    let note = match first.support {
        Support::Supported => docs,
        Support::Ignored => format!("*Does nothing.* {docs}").trim_end().to_owned(),
        Support::Unsupported(reason) => format!("*Not supported:* {reason}."),
    };
    format!("| `{}` | {} | {note} |\n", first.name(), parameters.join("<br>"))
}
