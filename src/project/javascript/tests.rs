use super::{Literal::*, *};

/// The value of `solidity` in a script.
fn solidity(text: &str) -> Literal {
    Script::new(text).property("solidity").map_or(Unknown, |(value, _)| value)
}

fn text(text: &str) -> Literal {
    Text(text.to_owned())
}

#[test]
fn literals_in_every_quote_and_every_export() {
    for script in [
        "module.exports = { solidity: '0.8.28' }",
        "module.exports = { \"solidity\": \"0.8.28\", };",
        "export default { solidity: `0.8.28` }",
        "export default defineConfig({ plugins: [a, b], solidity: '0.8.28' });",
        "const config: HardhatUserConfig = {\n  solidity: \"0.8.28\",\n};\nexport default config;",
        "const config = { solidity: '0.8.28' as const } satisfies HardhatUserConfig",
        "const V = '0.8.28';\nmodule.exports = { solidity: V };",
        "const V: string = '0.8.28'\nmodule.exports = { solidity: V }",
        "const solidity = '0.8.28'; module.exports = { solidity: solidity }",
        "const a = /['\"{]/g; module.exports = { solidity: '0.8.28' }",
    ] {
        assert_eq!(solidity(script), text("0.8.28"), "{script}");
    }
}

#[test]
fn comments_are_not_read() {
    for script in [
        "// { solidity: '0.4.0' }\nmodule.exports = { solidity: '0.8.28' }",
        "/* { solidity: '0.4.0' }\n **/ module.exports = { solidity: /* '0.4.0' */ '0.8.28' }",
        "module.exports = {\n  url: 'https://x', // it's\n  solidity: '0.8.28' }",
        "module.exports = { a: \"/*\", solidity: '0.8.28', b: '*/' }",
    ] {
        assert_eq!(solidity(script), text("0.8.28"), "{script}");
    }
}

#[test]
fn what_is_computed_is_unknown() {
    for script in [
        "module.exports = { solidity: process.env.SOLC || '0.8.28' }",
        "module.exports = { solidity: `0.8.${minor}` }",
        "module.exports = { solidity: '0.8.' + minor }",
        "module.exports = { solidity: version() }",
        "module.exports = { solidity: VERSION }",
        "module.exports = { networks: {} }",
        "'solidity': '0.8.28'",
        "f(x ? solidity : '0.8.28')",
    ] {
        assert_eq!(solidity(script), Unknown, "{script}");
    }
}

#[test]
fn nested_objects_and_lists() {
    let script = "const runs = 1_000;\nmodule.exports = {
        solidity: { version: '0.8.28', settings: { optimizer: { enabled: true, runs }, viaIR: !0, list: [1, 'a', ...b, [f(1, 2)]] } },
    }";
    let value = solidity(script);
    let settings = value.get("settings").unwrap();
    assert_eq!(value.get("version"), Some(&text("0.8.28")));
    assert_eq!(
        settings.get("optimizer"),
        Some(&Object(vec![("enabled".into(), Boolean(true)), ("runs".into(), Number(1000))]))
    );
    assert_eq!(settings.get("viaIR"), Some(&Unknown));
    assert_eq!(settings.get("list"), Some(&List(vec![Number(1), text("a"), Unknown, List(vec![Unknown])])));
}

#[test]
fn the_outermost_property_is_meant() {
    assert_eq!(solidity("x = { tests: { solidity: './t' }, solidity: '0.8.28' }"), text("0.8.28"));
    assert_eq!(solidity("type T = { solidity: string }; x = { solidity: '0.8.28' }"), text("0.8.28"));
}

#[test]
fn properties_know_their_lines() {
    let script = Script::new("/*\n\n*/\nmodule.exports = {\n  a: `\n`,\n  solidity: '0.8.28',\n}");
    assert_eq!(script.property("solidity"), Some((text("0.8.28"), 7)));
}

#[test]
fn broken_and_hostile_scripts_end() {
    for script in [
        "",
        "{",
        "}}}]])",
        "{ solidity: ",
        "{ solidity: {",
        "{ solidity: [,,,",
        "{ solidity: 'unterminated",
        "{ solidity: `unterminated\n\n",
        "/* unterminated",
        "const a = a; x = { solidity: a }",
        "const a = [b, b]; const b = [a, a]; x = { solidity: a }",
        "{ solidity: ) }",
        "\\ { solidity: \u{1f600} }",
    ] {
        let _ = solidity(script);
    }
    let _ = solidity(&"{ solidity: ".repeat(50_000));
    let _ = solidity(&format!("x = {{ solidity: {}", "[".repeat(200_000)));
}
