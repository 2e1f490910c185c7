//! An oracle as a rule of SARIF, with its page as the help.

use crate::{oracle::OracleMeta, project::Level};
use serde_json::{Value, json};

/// The rule of an oracle.
pub(super) fn rule(oracle: &OracleMeta) -> Value {
    let OracleMeta { id, title, swc, level, description, page, .. } = oracle;
    let page = without_links(page);
    let mut rule = json!({
        "id": id,
        "shortDescription": { "text": format!("{title}.") },
        "fullDescription": { "text": description },
        "helpUri": format!("https://swcregistry.io/docs/SWC-{swc}/"),
        "help": { "text": page, "markdown": page },
        "defaultConfiguration": { "enabled": *level != Level::Off, "level": level_of(*level) },
        "properties": { "tags": ["security", format!("SWC-{swc}")] },
    });
    // A name that says the same as the id is left out (SARIF 2.1.0, 3.49.7).
    let name = name(id);
    if !name.eq_ignore_ascii_case(id) {
        rule["name"] = name.into();
    }
    rule
}

/// A level in the words of SARIF, which knows three.
pub(super) fn level_of(level: Level) -> &'static str {
    match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Information | Level::Hint => "note",
        Level::Off => "none",
    }
}

/// `compiler-check` as `CompilerCheck`.
fn name(id: &str) -> String {
    let word = |word: &str| {
        let (first, rest) = word.split_at(word.len().min(1));
        first.to_uppercase() + rest
    };
    id.split('-').map(word).collect()
}

/// Markdown without its links, which lead to other pages of ours and nowhere from elsewhere.
fn without_links(page: &str) -> String {
    let mut text = String::new();
    let mut rest = page;
    while let Some(middle) = rest.find("](") {
        let (before, after) = (&rest[..middle], &rest[middle + 2..]);
        // Code may call what an index gives: `handlers[i](x)`.
        let is_page = |end: &usize| after[..*end].contains(".md");
        match (before.rfind('['), after.find(')').filter(is_page)) {
            (Some(start), Some(end)) => {
                text.extend([&before[..start], &before[start + 1..]]);
                rest = &after[end + 1..];
            }
            _ => {
                text.push_str(&rest[..middle + 2]);
                rest = after;
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_pages_are_as_viewers_show_them() {
        assert_eq!(name("compiler-check"), "CompilerCheck");
        assert_eq!(without_links("see [one](a.md) and [two `x`](../b.md#c), f[0](1"), "see one and two `x`, f[0](1");
        for oracle in OracleMeta::all() {
            let rule = rule(oracle);
            let help = rule["help"]["markdown"].as_str().unwrap();
            assert!(help.contains("## When to ignore it") && !help.contains(".md"), "{}: {help}", oracle.id);
        }
    }
}
