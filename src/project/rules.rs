//! Rules of a person about findings at some places: an [`IgnoreRule`] says that those of an oracle are meant, and why; a
//! [`LevelRule`] gives oracles another level there. Which findings there are is not known here.

use super::{exclude::Globs, level::Level};
use std::collections::BTreeMap;

/// The names that tell where a finding is, whatever its line is now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceNames<'a> {
    /// The source's name, relative to the root.
    pub file: &'a str,
    /// The contract that declares the code; empty outside of contracts.
    pub contract: &'a str,
    /// The function, modifier or `constructor` around the code; empty outside of functions.
    pub function: &'a str,
    /// The text of the code.
    pub expression: &'a str,
}

/// The places that a rule is about: those that fit all of its fields.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlaceRule {
    /// `file`: a glob pattern from the project's root.
    pub file: Option<String>,
    /// `contract`: the contract that declares the code.
    pub contract: Option<String>,
    /// `function`: the function or modifier around the code.
    pub function: Option<String>,
    /// `expression`: the code itself; white space does not count.
    pub expression: Option<String>,
}

/// An entry of `[[ignore]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IgnoreRule {
    /// `oracle`: the name of the oracle.
    pub oracle: String,
    /// The places.
    pub place: PlaceRule,
    /// `reason`: why these findings are meant.
    pub reason: String,
    /// The line on which it starts, counted from 1; `None` in an editor's settings.
    pub line: Option<usize>,
}

/// An entry of `[[levels]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LevelRule {
    /// The places.
    pub place: PlaceRule,
    /// `oracles`: the levels there, by oracle.
    pub oracles: BTreeMap<String, Level>,
}

impl PlaceRule {
    /// Whether it is about this place.
    pub fn fits(&self, place: &PlaceNames<'_>) -> bool {
        let is = |wanted: &Option<String>, name: &str| wanted.as_ref().is_none_or(|wanted| wanted == name);
        let is_expression = |wanted: &String| without_space(wanted) == without_space(place.expression);
        is(&self.contract, place.contract)
            && is(&self.function, place.function)
            && self.expression.as_ref().is_none_or(is_expression)
            && self.fits_file(place.file)
    }

    /// Whether it is about code of this source.
    pub fn fits_file(&self, name: &str) -> bool {
        self.file.as_ref().is_none_or(|glob| Globs::new(std::slice::from_ref(glob)).matches(name))
    }
}

fn without_space(text: &str) -> String {
    text.split_whitespace().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_fits_where_all_of_its_fields_do() {
        let place =
            PlaceNames { file: "src/a/Vault.sol", contract: "Vault", function: "skim", expression: "assert(a ==\n b)" };
        let rule = |file: &str, contract: &str, function: &str, expression: &str| {
            let set = |text: &str| (!text.is_empty()).then(|| text.to_owned());
            PlaceRule { file: set(file), contract: set(contract), function: set(function), expression: set(expression) }
        };
        for (rule, fits) in [
            (rule("", "", "", ""), true),
            (rule("src", "", "", ""), true),
            (rule("Vault.sol", "Vault", "skim", "assert(a == b)"), true),
            (rule("src/*.sol", "", "", ""), false),
            (rule("", "vault", "", ""), false),
            (rule("", "", "skims", ""), false),
            (rule("", "", "", "a == b"), false),
        ] {
            assert_eq!(rule.fits(&place), fits, "{rule:?}");
        }
    }
}
