use super::*;
use crate::compile::{Ast, LineIndex};
use serde_json::json;
use std::sync::Arc;

/// A source with a contract from `contract` on and a function from `function` on, to the last brace.
fn source(text: &str) -> Source {
    let node = |word: &str, kind: &str| {
        let start = text.find(word)?;
        let length = text.rfind('}').map_or(text.len(), |end| end + 1) - start;
        Some(json!({ "nodeType": kind, "src": format!("{start}:{length}:0"), "name": "f" }))
    };
    let nodes = [node("contract", "ContractDefinition"), node("function", "FunctionDefinition")];
    Source {
        path: "/p/A.sol".into(),
        name: "A.sol".to_owned(),
        text: text.into(),
        lines: LineIndex::new(text),
        imports: Vec::new(),
        ast: Arc::new(Ast::read(&json!(nodes.into_iter().flatten().collect::<Vec<_>>()))),
        foreign: false,
        is_test: false,
    }
}

/// The comments as `line: oracles: reason`, and the mistakes as `line: message`.
fn comments(text: &str) -> Vec<String> {
    let (found, mistakes) = ignore_comments(&source(text));
    let found = found.iter().map(|it| format!("{}: {}: {}", it.line, it.oracles.join("+"), it.reason));
    found.chain(mistakes.iter().map(|it| format!("{}: {}", it.line, it.message))).collect()
}

#[test]
fn comments_of_every_form_are_read() {
    for (text, read) in [
        ("// bellwether-ignore assertion: meant\nx", "1: assertion: meant"),
        ("x; // bellwether-ignore assertion, compiler-check: a: b", "1: assertion+compiler-check: a: b"),
        ("\n/* bellwether-ignore assertion: meant */ x", "2: assertion: meant"),
        ("/**\n * Notes.\n * bellwether-ignore assertion: meant\n */\nx", "3: assertion: meant"),
        ("/// bellwether-ignore assertion:meant\r\nx", "1: assertion: meant"),
    ] {
        assert_eq!(comments(text), [read], "{text:?}");
    }
    for text in [
        "// see bellwether-ignore assertion: meant",
        "\"// bellwether-ignore assertion: a\"",
        "// bellwether-ignored: x",
    ] {
        assert_eq!(comments(text), [""; 0], "{text:?}");
    }
}

#[test]
fn mistakes_are_told_with_their_remedy() {
    for (text, told) in [
        (
            "// bellwether-ignore assertion\nx",
            "1: this `bellwether-ignore` has no reason, so it ignores nothing: write `// bellwether-ignore assertion: why this is intended`",
        ),
        (
            "\nx; // bellwether-ignore assertion as it is meant",
            "2: this `bellwether-ignore` has no reason, so it ignores nothing: write `// bellwether-ignore assertion: why this is intended`",
        ),
        (
            "// bellwether-ignore assertion: <why this is intended>\nx",
            "1: this `bellwether-ignore` has no reason yet, so it ignores nothing: write it in place of `<why this is intended>`",
        ),
        (
            "// bellwether-ignore: meant\nx",
            "1: this `bellwether-ignore` names no oracle: write `// bellwether-ignore assertion: why this is intended`",
        ),
        (
            "// bellwether-ignore asertion: meant\nx",
            "1: there is no oracle `asertion` to ignore; did you mean `assertion`?",
        ),
        (
            "x\n// bellwether-ignore assertion: meant\n",
            "2: no code follows this `bellwether-ignore`: put it before the code that it is about",
        ),
    ] {
        assert_eq!(comments(text), [told], "{text:?}");
    }
}

#[test]
fn a_comment_is_about_its_line_the_next_line_or_a_declaration() {
    // Whether the comment is about the text `here`.
    for (text, is) in [
        ("a;\nhere; // bellwether-ignore assertion: r\nb;", true),
        ("here; a;\nb; // bellwether-ignore assertion: r", false),
        ("b; // bellwether-ignore assertion: r\nhere;", false),
        ("// bellwether-ignore assertion: r\nhere;", true),
        ("// bellwether-ignore assertion: r\n\n// more\nhere;", true),
        ("// bellwether-ignore assertion: r\nb;\nhere;", false),
        ("here;\n// bellwether-ignore assertion: r\nb;", false),
        ("// bellwether-ignore assertion: r\nfunction f() {\n b;\n here;\n}", true),
        ("// bellwether-ignore assertion: r\n/// Notes.\ncontract A {\n function f() {\n here;\n} }", true),
        ("here; // bellwether-ignore assertion: r\nfunction f() {}", true),
        ("a; // bellwether-ignore assertion: r\nfunction f() { here; }", false),
    ] {
        let source = source(text);
        let at = text.find("here").unwrap() as u32;
        let (found, _) = ignore_comments(&source);
        assert_eq!(found[0].is_about(&source, Span::new(at, at + 4)), is, "{text:?}");
    }
}
