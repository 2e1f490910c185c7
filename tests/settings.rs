//! One table, `SETTINGS`, and every place that repeats it: the manifest of the VS Code extension, its README, and the page of
//! all settings. What the table says is compared here; with `BELLWETHER_UPDATE=1` the files are written anew instead. What only
//! an editor's settings page needs (scopes, a sentence for each choice) is the manifest's own and stays as it is.

use bellwether::{
    oracle::{OracleMeta, SETTINGS},
    project::{Level, Scope, Setting, SettingKind},
};
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

const MANIFEST: &str = "vscode-extension/package.json";
const BEGIN: &str = "<!-- settings: written by `BELLWETHER_UPDATE=1 cargo test --test settings` -->";
const END: &str = "<!-- settings end -->";
const ORACLES_BEGIN: &str = "<!-- oracles: written by `BELLWETHER_UPDATE=1 cargo test --test settings` -->";
const ORACLES_END: &str = "<!-- oracles end -->";

#[test]
fn the_extensions_manifest_declares_the_table() {
    let text = std::fs::read_to_string(path(MANIFEST)).unwrap();
    let mut manifest: Value = serde_json::from_str(&text).unwrap();
    let declared = manifest.pointer_mut("/contributes/configuration/properties").unwrap();
    let properties: Map<String, Value> = SETTINGS
        .iter()
        .enumerate()
        .map(|(order, setting)| {
            let key = format!("bellwether.{}", setting.key);
            let property = property(order, setting, &declared[&key]);
            (key, property)
        })
        .collect();
    *declared = Value::Object(properties);
    same(MANIFEST, &text, &format!("{}\n", serde_json::to_string_pretty(&manifest).unwrap()));
}

#[test]
fn the_documents_hold_the_table() {
    for file in ["docs/settings.md", "vscode-extension/README.md"] {
        holds(file, BEGIN, END, &table(file));
    }
    holds("docs/settings.md", ORACLES_BEGIN, ORACLES_END, &oracles());
}

#[test]
fn something_reads_each_setting() {
    let code = code();
    for setting in SETTINGS.iter().filter(|setting| !setting.key.starts_with("oracles.")) {
        let read = match setting.scope {
            Scope::Everywhere | Scope::User => format!(".{}", snake_case(setting.key)),
            // The client reads its own by name, without the prefix; the library that it uses reads the trace.
            Scope::Editor if setting.key == "trace.server" => continue,
            Scope::Editor => format!("\"{}\"", setting.key),
        };
        assert!(code.contains(&read), "nothing reads `{}` (as `{read}`)", setting.key);
    }
}

/// `budget.seconds` as `budget_seconds`, the name of its field.
fn snake_case(key: &str) -> String {
    let mut name = String::new();
    for letter in key.chars() {
        match letter {
            '.' => name.push('_'),
            upper if upper.is_uppercase() => name.extend(['_', upper.to_ascii_lowercase()]),
            letter => name.push(letter),
        }
    }
    name
}

/// All code but that which only carries settings from their sources to their fields.
fn code() -> String {
    let mut folders: Vec<PathBuf> = ["src", "server/src", "vscode-extension/src"].iter().map(|it| path(it)).collect();
    let mut code = String::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let file = entry.unwrap().path();
            if file.is_dir() && !file.ends_with("project/config") {
                folders.push(file);
            } else if file.is_file() && !file.ends_with("project/config.rs") && !file.ends_with("tests.rs") {
                code += &std::fs::read_to_string(&file).unwrap_or_default();
            }
        }
    }
    code
}

/// Compares what stands between two lines of a file, or writes it.
fn holds(file: &str, begin: &str, end: &str, should: &str) {
    let text = std::fs::read_to_string(path(file)).unwrap();
    let (before, rest) = text.split_once(begin).unwrap_or_else(|| panic!("{file} has no line {begin}"));
    let (_, after) = rest.split_once(end).unwrap_or_else(|| panic!("{file} has no line {end}"));
    same(file, &text, &format!("{before}{begin}\n\n{should}\n{end}{after}"));
}

/// The rows on oracles: what each is about, beside the settings of their levels.
fn oracles() -> String {
    let mut table = "| oracle | | registry | default |\n|---|---|---|---|\n".to_owned();
    for oracle in OracleMeta::all() {
        let OracleMeta { id, title, swc, level, .. } = oracle;
        table += &format!("| [`{id}`](oracles/{id}.md) | {title} | SWC-{swc} | `{level}` |\n");
    }
    table
}

/// The manifest's entry: what the table says, and what else was there.
fn property(order: usize, setting: &Setting, declared: &Value) -> Value {
    let unset = setting.default == "null";
    let mut property = Map::new();
    property.insert("order".to_owned(), json!(order));
    property.insert("scope".to_owned(), declared.get("scope").cloned().unwrap_or_else(|| json!("resource")));
    let mut add = |key: &str, value: Value| drop(property.insert(key.to_owned(), value));
    let (kind, mut default) = (setting.kind, setting.default_value());
    match kind {
        SettingKind::Boolean => add("type", json!("boolean")),
        SettingKind::Integer { least } => {
            add("type", if unset { json!(["integer", "null"]) } else { json!("integer") });
            add("minimum", json!(least));
        }
        SettingKind::Choice(names) if unset => {
            add("type", json!(["string", "null"]));
            add("enum", names.iter().map(|name| json!(name)).chain([Value::Null]).collect());
        }
        SettingKind::Choice(names) => {
            add("type", json!("string"));
            add("enum", json!(names));
        }
        SettingKind::Text | SettingKind::Path => {
            add("type", json!("string"));
            // The settings page shows a field to type in, and an empty one is unset.
            default = json!("");
        }
        SettingKind::Globs => {
            add("type", json!("array"));
            add("items", json!({ "type": "string" }));
        }
        SettingKind::Texts => {
            add("type", json!("object"));
            add("additionalProperties", json!({ "type": "string" }));
        }
        SettingKind::Ignores => {
            add("type", json!("array"));
            add("items", entry(&["oracle", "reason"], &["oracle", "file", "reason"], Map::new()));
        }
        SettingKind::Levels => {
            let levels =
                json!({ "type": "object", "additionalProperties": { "type": "string", "enum": Level::NAMES } });
            let oracles = Map::from_iter([("oracles".to_owned(), levels)]);
            add("type", json!("array"));
            add("items", entry(&[], &["oracles"], oracles));
        }
        SettingKind::Worlds => {
            let texts = json!({ "type": "object", "additionalProperties": { "type": "string" } });
            let calls = json!({ "type": "array", "items": { "type": "string" } });
            let world = json!({
                "type": "object",
                "properties": { "parameters": texts, "calls": calls },
                "additionalProperties": false
            });
            add("type", json!("object"));
            add("additionalProperties", world);
        }
    }
    add("default", default);
    if let Some(sentences) = declared.get("enumDescriptions") {
        add("enumDescriptions", sentences.clone());
    }
    let key = if setting.description.contains('`') { "markdownDescription" } else { "description" };
    add(key, json!(setting.description));
    Value::Object(property)
}

/// The schema of an entry of a list: a place, further texts, and what else it has.
fn entry(texts: &[&str], required: &[&str], mut properties: Map<String, Value>) -> Value {
    for text in ["file", "contract", "function", "expression"].iter().chain(texts) {
        properties.insert((*text).to_owned(), json!({ "type": "string" }));
    }
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// The rows for a document. The extension's readers see the keys as the settings page has them.
fn table(file: &str) -> String {
    let prefix = if file.starts_with("vscode-extension") { "bellwether." } else { "" };
    let mut table = "| setting | value | default | |\n|---|---|---|---|\n".to_owned();
    for setting in SETTINGS.iter() {
        let default = if setting.default == "null" { String::new() } else { format!("`{}`", setting.default) };
        let editor = match setting.scope {
            Scope::Editor if prefix.is_empty() => " Only in VS Code's settings.",
            Scope::User if prefix.is_empty() => " Only in the editor's settings.",
            Scope::Editor | Scope::User | Scope::Everywhere => "",
        };
        let description = setting.description.replace('|', "\\|");
        table += &format!("| `{prefix}{}` | {} | {default} | {description}{editor} |\n", setting.key, setting.kind);
    }
    table
}

fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(file)
}

fn same(file: &str, is: &str, should: &str) {
    if is == should {
        return;
    }
    if std::env::var_os("BELLWETHER_UPDATE").is_some() {
        std::fs::write(path(file), should).unwrap();
        return;
    }
    let differ = is.lines().zip(should.lines()).enumerate().find(|(_, (is, should))| is != should);
    let place = differ.map_or_else(
        || "at its end".to_owned(),
        |(line, (is, should))| format!("in line {}:\n  {is}\nshould be\n  {should}", line + 1),
    );
    panic!("{file} differs from the table of settings {place}\nBELLWETHER_UPDATE=1 writes it anew");
}
