use serde_json::json;

use super::*;
use crate::project::rules::PlaceRule;
use crate::project::sample_settings::SETTINGS;

/// Reads TOML; gives the config and the warnings as `line: message`.
fn toml(text: &str) -> (Config, Vec<String>) {
    let (config, warnings) = Config::read_toml(text, Path::new("/p/bellwether.toml"), &SETTINGS);
    assert!(warnings.iter().all(|w| w.file.as_deref() == Some(Path::new("/p/bellwether.toml"))));
    (config, warnings.into_iter().map(|w| format!("{}: {}", w.line.unwrap_or(0), w.message)).collect())
}

fn json(value: serde_json::Value) -> (Config, Vec<String>) {
    let (config, warnings) = Config::read_json(&value, &SETTINGS);
    assert!(warnings.iter().all(|w| w.file.is_none() && w.line.is_none()));
    (config, warnings.into_iter().map(|w| w.message).collect())
}

fn everything() -> Config {
    Config {
        run: Some(Run::Manual),
        workers: Some(3),
        budget_seconds: Some(5),
        pause_on_battery: Some(true),
        memory: Some(512),
        oracles: BTreeMap::from([
            ("assertion".to_owned(), Level::Hint),
            ("checked-arithmetic".to_owned(), Level::Warning),
        ]),
        exclude: Some(vec!["src/mocks/**".to_owned()]),
        include: Some(vec!["examples".to_owned()]),
        code_lens: Some(false),
        inlay_values: Some(true),
        coverage: Some(true),
        compiler_diagnostics: Some(CompilerDiagnostics::All),
        cache: Some("build/bw".into()),
        solc: Some("0.8.28".to_owned()),
        seed: Some(7),
        test_directory: Some("spec".into()),
        exchange: None,
        share_findings: None,
        world: BTreeMap::from([(
            "Pool".to_owned(),
            WorldConfig {
                parameters: BTreeMap::from([("feed_".to_owned(), Written { text: "stand-in".to_owned(), line: None })]),
                calls: vec![Written { text: "Pool.start()".to_owned(), line: None }],
                ..WorldConfig::default()
            },
        )]),
        levels: Some(vec![LevelRule {
            place: PlaceRule { file: Some("src/old".to_owned()), ..PlaceRule::default() },
            oracles: BTreeMap::from([("assertion".to_owned(), Level::Off)]),
        }]),
        ignore: Some(vec![IgnoreRule {
            oracle: "assertion".to_owned(),
            place: PlaceRule {
                file: Some("src/Vault.sol".to_owned()),
                contract: Some("Vault".to_owned()),
                function: Some("skim".to_owned()),
                expression: Some("assert(a == b)".to_owned()),
            },
            reason: "meant".to_owned(),
            line: None,
        }]),
    }
}

/// The same, as it is written in this file.
fn everything_in(file: &Path) -> Config {
    let mut config = everything();
    for world in config.world.values_mut() {
        (world.file, world.line) = (Some(file.to_path_buf()), Some(21));
        world.parameters.values_mut().for_each(|written| written.line = Some(22));
        world.calls.iter_mut().for_each(|written| written.line = Some(23));
    }
    config.ignore.iter_mut().flatten().for_each(|rule| rule.line = Some(27));
    config
}

#[test]
fn toml_sets_everything() {
    let text = r#"
        run = "manual"
        workers = 3
        pauseOnBattery = true
        memory = 512
        exclude = ["src/mocks/**"]
        include = ["examples"]
        codeLens = false
        inlayValues = true
        coverage = true
        compilerDiagnostics = "all"
        cache = "build/bw"
        solc = "0.8.28"
        seed = 7
        budget.seconds = 5
        [oracles]
        assertion = "hint"
        checked-arithmetic = "warning"
        [test]
        directory = "spec"
        [world.Pool]
        parameters.feed_ = "stand-in"
        calls = ["Pool.start()"]
        [[levels]]
        file = "src/old"
        oracles.assertion = "off"
        [[ignore]]
        oracle = "assertion"
        file = "src/Vault.sol"
        contract = "Vault"
        function = "skim"
        expression = "assert(a == b)"
        reason = " meant "
    "#;
    assert_eq!(toml(text), (everything_in(Path::new("/p/bellwether.toml")), vec![]));
}

#[test]
fn json_sets_everything_in_each_of_its_spellings() {
    let nested = json!({
        "run": "manual", "workers": 3, "pauseOnBattery": true, "memory": 512.0, "exclude": ["src/mocks/**"], "include": ["examples"], "codeLens": false, "inlayValues": true, "coverage": true, "compilerDiagnostics": "all",
        "cache": "build/bw", "solc": "0.8.28", "seed": 7, "budget": { "seconds": 5 },
        "oracles": { "assertion": "hint", "checked-arithmetic": "warning" },
        "test": { "directory": "spec" },
        "world": { "Pool": { "parameters": { "feed_": "stand-in" }, "calls": ["Pool.start()"] } },
        "levels": [{ "file": "src/old", "contract": "", "oracles": { "assertion": "off" } }],
        "ignore": [{ "oracle": "assertion", "file": "src/Vault.sol", "contract": "Vault", "function": "skim",
                     "expression": "assert(a == b)", "reason": "meant" }],
        "server": { "path": "/opt/bellwether", "extraEnv": { "RUST_LOG": "debug" } }, "trace": { "server": "verbose" }
    });
    assert_eq!(json(nested.clone()), (everything(), vec![]));
    assert_eq!(json(json!({ "bellwether": nested })), (everything(), vec![]));

    let flat = json!({
        "bellwether.budget.seconds": 5, "test.directory": "spec", "bellwether.oracles": { "assertion": "hint" },
    });
    let expected = Config {
        budget_seconds: Some(5),
        test_directory: Some("spec".into()),
        oracles: BTreeMap::from([("assertion".to_owned(), Level::Hint)]),
        ..Config::default()
    };
    assert_eq!(json(flat), (expected, vec![]));
}

#[test]
fn whom_to_share_with_is_said_by_the_user_and_not_by_the_project() {
    let settings = json!({ "exchange": "nats://example.org/night", "shareFindings": true });
    let expected = Config {
        exchange: Some("nats://example.org/night".to_owned()),
        share_findings: Some(true),
        ..Config::default()
    };
    assert_eq!(json(settings), (expected, vec![]));
    let (config, warnings) = toml("exchange = \"nats://example.org/night\"\nshareFindings = true\n");
    assert_eq!(config, Config::default());
    assert_eq!(
        warnings,
        [
            "1: `exchange` is read from the editor's settings only: set it there; it is ignored",
            "2: `shareFindings` is read from the editor's settings only: set it there; it is ignored",
        ]
    );
}

#[test]
fn every_setting_of_the_table_reaches_the_config() {
    for setting in SETTINGS.iter().filter(|setting| setting.scope != Scope::Editor) {
        let value = match setting.kind {
            super::super::settings::SettingKind::Boolean => json!(true),
            super::super::settings::SettingKind::Integer { least } => json!(least),
            super::super::settings::SettingKind::Choice(names) => json!(names[0]),
            super::super::settings::SettingKind::Globs => json!(["a/**"]),
            super::super::settings::SettingKind::Texts => json!({ "a": "b" }),
            super::super::settings::SettingKind::Worlds => json!({ "Pool": { "calls": ["Pool.start()"] } }),
            super::super::settings::SettingKind::Ignores => {
                json!([{ "oracle": "assertion", "file": "src", "reason": "meant" }])
            }
            super::super::settings::SettingKind::Levels => {
                json!([{ "file": "src", "oracles": { "assertion": "hint" } }])
            }
            super::super::settings::SettingKind::Text | super::super::settings::SettingKind::Path => json!("x"),
        };
        let (config, warnings) = json(json!({ setting.key: value }));
        assert_ne!(config, Config::default(), "{} is accepted and then forgotten", setting.key);
        assert_eq!(warnings, [] as [&str; 0], "{}", setting.key);
    }
}

#[test]
fn an_entry_with_a_mistake_ignores_nothing_and_names_its_line() {
    let rule = |lines: &str| toml(&format!("[[ignore]]\nfile = \"src\"\n{lines}"));
    for (lines, told) in [
        (
            "oracle = \"assertion\"",
            "1: an `ignore` entry has no reason: write `reason = \"...\"` that says why these findings are intended; until then they are shown",
        ),
        (
            "reason = \"r\"",
            "1: an `ignore` entry names no oracle: write `oracle = \"assertion\"` or the like; the entry is ignored",
        ),
        ("oracle = \"asertion\"\nreason = \"r\"", "3: there is no oracle `asertion`; did you mean `assertion`?"),
        (
            "oracle = \"assertion\"\nreason = \"r\"\nfuncton = \"f\"",
            "5: unknown key `functon` in `ignore`; did you mean `function`?; the entry is ignored",
        ),
        ("oracle = \"assertion\"\nreason = 7", "4: `ignore.reason` must be a string, not 7; it is ignored"),
    ] {
        assert_eq!(
            rule(lines),
            (Config { ignore: Some(vec![]), ..Config::default() }, vec![told.to_owned()]),
            "{lines}"
        );
    }
    let told = toml("[[ignore]]\noracle = \"assertion\"\nreason = \"r\"").1;
    assert_eq!(
        told,
        [
            "1: an `ignore` entry names no file: write `file = \"src/Vault.sol\"` or another glob pattern; the entry is ignored"
        ]
    );
    let told = toml("[[ignore]]\noracle = \"assertion\"\nreason = \"r\"\nfile = \"src/[\"").1;
    assert!(told[0].starts_with("1: `ignore`: \"src/[\" is not a glob pattern: ") && told.len() == 1, "{told:?}");
    let told = toml("ignore = [\"assertion\"]").1;
    assert_eq!(
        told,
        ["1: `ignore` must be a list of tables, each with `oracle`, `file` and `reason`, not a list; it is ignored"]
    );
}

#[test]
fn levels_say_where_and_which() {
    for (text, told) in [
        (
            "oracles.assertion = \"off\"",
            "1: a `levels` entry names no place: name a `file`, `contract` or `function`, or use `[oracles]` for the whole project; the entry is ignored",
        ),
        (
            "file = \"src\"",
            "1: a `levels` entry sets no level: write `oracles.assertion = \"hint\"` or the like; the entry is ignored",
        ),
    ] {
        assert_eq!(toml(&format!("[[levels]]\n{text}")).1, [told], "{text}");
    }
    let told =
        toml("[[levels]]\nfile = \"src\"\noracles.assertion = \"hint\"\noracles.checked-arithmetic = \"loud\"").1;
    assert_eq!(
        told,
        [
            "4: `levels.oracles.checked-arithmetic` must be one of `error`, `warning`, `information`, `hint`, `off`, not \"loud\"; it is ignored"
        ]
    );
}

#[test]
fn null_and_empty_texts_are_unset() {
    assert_eq!(json(json!(null)), (Config::default(), vec![]));
    assert_eq!(
        json(json!({ "workers": null, "solc": "", "cache": "", "oracles": null, "test": { "directory": null } })),
        (Config::default(), vec![])
    );
}

#[test]
fn mistakes_are_warnings_that_name_key_and_line() {
    for (text, warning) in [
        ("worker = 2", "1: unknown setting `worker`; did you mean `workers`?"),
        ("\n[budget]\nsecond = 2", "3: unknown setting `budget.second`; did you mean `budget.seconds`?"),
        ("threads = 2", "1: unknown setting `threads`"),
        (
            "run = \"onsave\"",
            "1: `run` must be one of `onSave`, `manual`, `off`, not \"onsave\"; did you mean `onSave`?",
        ),
        ("run = true", "1: `run` must be one of `onSave`, `manual`, `off`, not true; it is ignored"),
        ("workers = 0", "1: `workers` must be a whole number, 1 or more, not 0; it is ignored"),
        ("seed = -1", "1: `seed` must be a whole number, 0 or more, not -1; it is ignored"),
        ("memory = 1.5", "1: `memory` must be a whole number, 64 or more, not a decimal number; it is ignored"),
        ("oracles = 'off'", "1: `oracles` must be a table of settings, not \"off\"; it is ignored"),
        (
            "[oracles]\n\nassertions = 'off'",
            "3: there is no oracle `assertions` (`oracles.assertions`); did you mean `assertion`?",
        ),
        ("world = 'Pool'", "1: `world` must be a table with a table for each contract, not \"Pool\"; it is ignored"),
        ("[world.Pool]\ncall = ['f()']", "2: unknown setting `world.Pool.call`; did you mean `calls`?"),
        ("[world.Pool]\ncalls = 'f()'", "2: `world.Pool.calls` must be a list of calls, not \"f()\"; it is ignored"),
        (
            "[world.Pool.parameters]\nfeed_ = 1",
            "2: `world.Pool.parameters.feed_` must be the name of a contract or `stand-in`, not 1; it is ignored",
        ),
        ("exclude = 'src'", "1: `exclude` must be a list of glob patterns, not \"src\"; it is ignored"),
        ("pauseOnBattery = 'yes'", "1: `pauseOnBattery` must be `true` or `false`, not \"yes\"; it is ignored"),
        (
            "[oracles]\nreentrancy = 'error'",
            "2: there is no oracle `reentrancy` (`oracles.reentrancy`); this version has `assertion`, \
             `checked-arithmetic`",
        ),
        ("[test]\nframework = 'hardhat'", "2: unknown setting `test.framework`; it never had an effect, so remove it"),
        (
            "[server]\npath = '/x'",
            "2: `server.path` is read from the editor's settings only: set it there; it is ignored",
        ),
    ] {
        assert_eq!(toml(text), (Config::default(), vec![warning.to_owned()]), "{text}");
    }
}

#[test]
fn one_mistake_spoils_nothing_else() {
    let (config, warnings) = toml("run = 1\nworkers = 2\nexclude = ['a/[', 'b']\nsolc = '^x'\n");
    assert_eq!(config, Config { workers: Some(2), exclude: Some(vec!["b".to_owned()]), ..Config::default() });
    assert_eq!(warnings.len(), 3, "{warnings:?}");
    assert!(warnings[1].starts_with("3: `exclude`: \"a/[\" is not a glob pattern: "), "{warnings:?}");
    assert!(warnings[2].starts_with("4: `solc` "), "{warnings:?}");
}

#[test]
fn broken_toml_is_one_warning() {
    let (config, warnings) = toml("workers = 2\nrun = \nseed =\n");
    assert_eq!(config, Config::default());
    assert_eq!(warnings.len(), 1, "{warnings:?}");
    assert!(warnings[0].starts_with("2: is not valid TOML: "), "{warnings:?}");
}

#[test]
fn settings_that_are_no_object_are_told() {
    assert_eq!(json(json!(7)).1, ["settings must be an object, not 7; they are ignored"]);
}

#[test]
fn the_stronger_settings_win_and_the_others_stay() {
    let weak = Config { workers: Some(1), seed: Some(1), oracles: everything().oracles, ..Config::default() };
    let strong = Config {
        workers: Some(8),
        oracles: BTreeMap::from([("assertion".to_owned(), Level::Off)]),
        ..Config::default()
    };
    let both = weak.overlay(strong);
    assert_eq!((both.workers, both.seed), (Some(8), Some(1)));
    assert_eq!(both.oracles.values().copied().collect::<Vec<_>>(), [Level::Off, Level::Warning]);

    assert_eq!(everything().overlay(Config::default()), everything());
    assert_eq!(Config::default().overlay(everything()), everything());
}

#[test]
fn unset_settings_have_the_defaults_of_the_table() {
    let config = Config::default();
    assert_eq!(config.memory_mib(), 1024);
    assert_eq!(Config { memory: Some(64), ..config }.memory_mib(), 64);
}

#[test]
fn warnings_are_shown_as_compilers_do() {
    let (_, warnings) = Config::read_toml("\nx = 1", Path::new("/p/bellwether.toml"), &SETTINGS);
    assert_eq!(warnings[0].to_string(), "/p/bellwether.toml:2: unknown setting `x`");
    let (_, warnings) = Config::read_json(&json!({ "x": 1 }), &SETTINGS);
    assert_eq!(warnings[0].to_string(), "unknown setting `x`");
}
