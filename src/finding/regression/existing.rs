//! An [`Existing`] is the test file in its current form, perhaps edited by hand: the declarations of its contract, and the
//! place for another test. It changes nothing.

use super::tokens::{Token, tokens};
use std::ops::Range;

/// A test file that exists.
#[derive(Debug)]
pub(super) struct Existing<'a> {
    text: &'a str,
    tokens: Vec<Token<'a>>,
    /// The tokens between the braces of the contract that takes the tests.
    body: Range<usize>,
    inherits: bool,
}

impl<'a> Existing<'a> {
    /// Reads a file. The tests go to the contract of this name, or else to the last one.
    ///
    /// # Errors
    ///
    /// The problem with the file, in words that follow its name.
    pub(super) fn read(text: &'a str, contract: &str) -> Result<Self, &'static str> {
        let tokens = tokens(text);
        let is_contract = |at: &usize| {
            let follows = |word| *at > 0 && tokens[*at - 1].text == word;
            tokens[*at].depth == 0 && tokens[*at].text == "contract" && !follows("abstract") && *at + 1 < tokens.len()
        };
        let contracts: Vec<usize> = (0..tokens.len()).filter(is_contract).collect();
        let named = contracts.iter().find(|at| tokens[**at + 1].text == contract);
        let at = *named.or(contracts.last()).ok_or("has no contract")?;
        let brace = |from: usize, brace: &str| {
            (from..tokens.len()).find(|at| tokens[*at].depth == 0 && tokens[*at].text == brace)
        };
        let open = brace(at, "{").ok_or("has a contract without a body")?;
        let close = brace(open, "}").ok_or("has a brace that is never closed")?;
        let inherits = tokens[at..open].iter().any(|token| token.text == "is");
        Ok(Self { text, tokens, body: open + 1..close, inherits })
    }

    /// Whether the contract itself declares this name.
    pub(super) fn declares(&self, name: &str) -> bool {
        let mut parentheses = 0usize;
        self.tokens[self.body.clone()].iter().filter(|token| token.depth == 1).any(|token| {
            match token.text {
                "(" => parentheses += 1,
                ")" => parentheses = parentheses.saturating_sub(1),
                _ => {}
            }
            parentheses == 0 && token.text == name
        })
    }

    /// Whether the contract may inherit this name.
    pub(super) fn inherits(&self) -> bool {
        self.inherits
    }

    /// Whether this word occurs anywhere in the file.
    pub(super) fn mentions(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token.text == word)
    }

    /// Whether the file can use this name: it imports or declares it, or imports everything of `path`.
    pub(super) fn knows(&self, name: &str, path: &str) -> bool {
        let whole = |import: &&[Token<'_>]| {
            import[0].text == "import" && import[1].is_string() && import[1].text.contains(path)
        };
        self.tokens.iter().any(|token| token.depth <= 1 && token.text == name)
            || self.tokens.windows(2).any(|pair| whole(&pair))
    }

    /// Whether the file declares an interface `Vm` of its own that does not have this cheatcode.
    pub(super) fn lacks(&self, cheatcode: &str) -> bool {
        let declares = |pair: &[Token<'_>]| pair[0].depth == 0 && pair[0].text == "interface" && pair[1].text == "Vm";
        let Some(start) = self.tokens.windows(2).position(declares) else { return false };
        let interface = self.tokens[start..].iter().take_while(|token| token.depth > 0 || token.text != "}");
        !interface
            .clone()
            .zip(interface.skip(1))
            .any(|(before, name)| before.text == "function" && name.text == cheatcode)
    }

    /// Names of the contract's functions whose body is the same as that of `function`, apart from line numbers in messages.
    pub(super) fn twins(&self, function: &str) -> impl Iterator<Item = &str> {
        let wanted = tokens(function);
        self.functions().filter(move |(_, body)| alike(body, body_of(&wanted))).map(|(name, _)| name)
    }

    /// The name of a test with the same body as `function`.
    pub(super) fn twin_test(&self, function: &str) -> Option<String> {
        self.twins(function).find(|name| name.starts_with("test")).map(str::to_owned)
    }

    /// This name, or the first one with a number behind it that the file does not mention.
    pub(super) fn free_name(&self, name: &str) -> String {
        let numbered = (2..).map(|number| format!("{name}_{number}"));
        let mut names = std::iter::once(name.to_owned()).chain(numbered);
        names.find(|name| !self.mentions(name)).unwrap_or_default()
    }

    fn functions(&self) -> impl Iterator<Item = (&str, &[Token<'a>])> {
        let body = &self.tokens[self.body.clone()];
        (1..body.len()).filter(|at| body[at - 1].text == "function" && body[*at].depth == 1).map(|at| {
            let end = body[at..].iter().position(|token| token.depth == 1 && matches!(token.text, "}" | ";"));
            (body[at].text, body_of(&body[at..end.map_or(body.len(), |end| at + end + 1)]))
        })
    }

    /// The offset and text at which new members of the contract are inserted: each begins with its own white space and ends
    /// with a line's end.
    pub(super) fn insertion(&self, members: &str) -> (usize, String) {
        let brace = self.tokens[self.body.end].start;
        let line = self.text[..brace].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let own_line = self.text[line..brace].trim().is_empty();
        let gap = if self.body.is_empty() { "" } else { "\n" };
        let gap = if own_line { gap } else { "\n\n" };
        let text = format!("{gap}{}\n", members.trim_end());
        let text = if self.text.contains("\r\n") { text.replace('\n', "\r\n") } else { text };
        (if own_line { line } else { brace }, text)
    }
}

/// The tokens from the first brace on.
fn body_of<'t, 'a>(function: &'t [Token<'a>]) -> &'t [Token<'a>] {
    let brace = function.iter().position(|token| token.text == "{").unwrap_or(function.len());
    &function[brace..]
}

fn alike(one: &[Token<'_>], other: &[Token<'_>]) -> bool {
    fn text<'a>(token: &Token<'a>) -> &'a str {
        if token.is_string() {
            token.text.trim_end_matches(|c: char| c.is_ascii_digit() || c == '"')
        } else {
            token.text
        }
    }
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| text(one) == text(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

import {A} from "../src/A.sol"; // } contract Not {
import "../src/B.sol";

interface Vm {
    function prank(address sender) external;
}

abstract contract Base { uint256 constant carol = 1; }

contract ATest {
    Vm constant vm = Vm(address(1));
    /* address constant bob = address(2); */
    address constant alice = address(3);
    string text = "} contract Fake {";

    function test_a(uint256 dave) public {
        uint256 erin = 1;
        if (erin == 1) { require(true, "fails: A.sol:12"); }
    }
}

library Last {}
"#;

    fn read(text: &str) -> Existing<'_> {
        Existing::read(text, "ATest").unwrap()
    }

    #[test]
    fn names_of_the_contract_are_those_at_its_own_level() {
        let file = read(FILE);
        let declared: Vec<_> = ["vm", "alice", "text", "test_a", "bob", "carol", "dave", "erin", "Fake"]
            .into_iter()
            .filter(|name| file.declares(name))
            .collect();
        assert_eq!(declared, ["vm", "alice", "text", "test_a"]);
        assert!(!file.inherits());
        assert!(read("contract ATest is Test {}").inherits());
    }

    #[test]
    fn what_a_test_may_use() {
        let file = read(FILE);
        assert!(file.knows("A", "../src/A.sol") && file.knows("B", "../src/B.sol") && !file.knows("C", "../src/C.sol"));
        assert!(!file.lacks("prank") && file.lacks("getCode"));
        assert!(!read("contract ATest is Test {}").lacks("prank"));
    }

    #[test]
    fn a_twin_may_stand_at_another_line() {
        let file = read(FILE);
        let twin = |text: &str| file.twins(text).next().map(str::to_owned);
        let body = |line: u32| {
            format!("function f() {{ uint256 erin = 1; if (erin == 1) {{ require(true, \"fails: A.sol:{line}\"); }} }}")
        };
        assert_eq!(twin(&body(12)).as_deref(), Some("test_a"));
        assert_eq!(twin(&body(345)).as_deref(), Some("test_a"));
        assert_eq!(twin(&body(12).replace("fails", "failed")), None);
        assert_eq!(twin(&body(12).replace('1', "2")), None);
    }

    fn inserted(text: &str) -> String {
        let (offset, members) = read(text).insertion("    uint256 x;\n");
        format!("{}{members}{}", &text[..offset], &text[offset..])
    }

    #[test]
    fn members_go_before_the_contracts_last_brace() {
        let expected = FILE.replace("    }\n}\n\nlibrary", "    }\n\n    uint256 x;\n}\n\nlibrary");
        assert_ne!(expected, FILE);
        assert_eq!(inserted(FILE), expected);
    }

    #[test]
    fn files_of_any_shape_take_members() {
        let cases = [
            ("contract ATest {\n}", "contract ATest {\n    uint256 x;\n}"),
            ("contract ATest {}", "contract ATest {\n\n    uint256 x;\n}"),
            ("contract ATest { uint256 y; }", "contract ATest { uint256 y; \n\n    uint256 x;\n}"),
            (
                "contract ATest {\r\n    uint256 y;\r\n}\r\n",
                "contract ATest {\r\n    uint256 y;\r\n\r\n    uint256 x;\r\n}\r\n",
            ),
            (
                "contract ATest {\n    uint256 y; // }\n  } contract B {}",
                "contract ATest {\n    uint256 y; // }\n\n    uint256 x;\n  } contract B {}",
            ),
            ("contract B { /* é { */ }", "contract B { /* é { */ \n\n    uint256 x;\n}"),
        ];
        for (text, expected) in cases {
            assert_eq!(inserted(text), expected);
        }
    }

    #[test]
    fn files_that_take_none_say_why() {
        let why = |text: &str| Existing::read(text, "ATest").map(|_| ()).unwrap_err().to_owned();
        assert_eq!(why("// contract A {}\nlibrary L {}"), "has no contract");
        assert_eq!(why("abstract contract A {}"), "has no contract");
        assert_eq!(why("contract"), "has no contract");
        assert_eq!(why("contract ATest"), "has a contract without a body");
        assert_eq!(why("contract ATest { function f() {"), "has a brace that is never closed");
    }
}
