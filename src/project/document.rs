//! A [`DocumentNode`] is one value of a configuration document that knows the line it stands on: the one shape in which TOML files and
//! an editor's JSON are read. It has no opinion on what the values mean.

use saphyr::{LoadableYamlNode, MarkedYaml, Scalar, YamlData};
use std::{io, path::Path};

use super::regular_file::read_text;

use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

/// A value and its line.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct DocumentNode {
    /// Counted from 1; `None` in JSON that came over the wire.
    pub(super) line: Option<usize>,
    pub(super) value: Value,
}

/// The kinds of value that settings are made of.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Table(Vec<(String, DocumentNode)>),
    List(Vec<DocumentNode>),
    Text(String),
    Integer(i128),
    Boolean(bool),
    /// JSON's `null`: the same as a key that is not there.
    Nothing,
    /// A value of another kind, described in words.
    Other(&'static str),
}

impl DocumentNode {
    /// Reads TOML.
    ///
    /// # Errors
    /// The line of the first mistake, counted from 1, and the parser's message.
    pub(super) fn from_toml(text: &str) -> Result<Self, (usize, String)> {
        match DeTable::parse(text) {
            Ok(table) => Ok(Self { line: Some(1), value: from_table(table.get_ref(), text) }),
            Err(error) => {
                let line = line_of(text, error.span().map_or(0, |span| span.start));
                Err((line, error.message().lines().collect::<Vec<_>>().join("; ")))
            }
        }
    }

    /// Reads YAML, and the first document of several.
    pub(super) fn from_yaml(text: &str) -> Result<Self, (usize, String)> {
        match MarkedYaml::load_from_str(text) {
            Ok(documents) => {
                Ok(documents.first().map_or(Self { line: None, value: Value::Nothing }, Self::from_marked))
            }
            Err(error) => Err((error.marker().line(), error.info().to_owned())),
        }
    }

    fn from_marked(node: &MarkedYaml<'_>) -> Self {
        let value = match &node.data {
            YamlData::Value(Scalar::Null) => Value::Nothing,
            YamlData::Value(Scalar::Boolean(boolean)) => Value::Boolean(*boolean),
            YamlData::Value(Scalar::Integer(integer)) => Value::Integer((*integer).into()),
            YamlData::Value(Scalar::String(text)) => Value::Text(text.clone().into_owned()),
            YamlData::Sequence(items) => Value::List(items.iter().map(Self::from_marked).collect()),
            YamlData::Mapping(entries) => {
                let key = |node: &MarkedYaml<'_>| match Self::from_marked(node).value {
                    Value::Text(text) => Some(text),
                    _ => None,
                };
                let entries = entries.iter().filter_map(|(name, value)| Some((key(name)?, Self::from_marked(value))));
                Value::Table(entries.collect())
            }
            _ => Value::Other("a value of another kind"),
        };
        Self { line: Some(node.span.start.line()), value }
    }

    /// The items of a list; none for any other value.
    pub(super) fn items(&self) -> &[Self] {
        match &self.value {
            Value::List(items) => items,
            _ => &[],
        }
    }

    /// Takes JSON as it is. Numbers such as `2.0`, which some clients send for whole ones, count as whole.
    pub(super) fn from_json(json: &serde_json::Value) -> Self {
        use serde_json::Value as Json;
        let value = match json {
            Json::Null => Value::Nothing,
            Json::Bool(boolean) => Value::Boolean(*boolean),
            Json::Number(number) => whole(number).map_or(Value::Other("a decimal number"), Value::Integer),
            Json::String(text) => Value::Text(text.clone()),
            Json::Array(items) => Value::List(items.iter().map(Self::from_json).collect()),
            Json::Object(entries) => {
                Value::Table(entries.iter().map(|(key, value)| (key.clone(), Self::from_json(value))).collect())
            }
        };
        Self { line: None, value }
    }

    /// The entries of a table in order; none for any other value.
    pub(super) fn entries(&self) -> &[(String, Self)] {
        match &self.value {
            Value::Table(entries) => entries,
            _ => &[],
        }
    }

    /// The value under `key`, if this is a table that has one.
    pub(super) fn get(&self, key: &str) -> Option<&Self> {
        self.entries().iter().find(|(name, _)| name == key).map(|(_, node)| node)
    }

    /// The text, if this is one.
    pub(super) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The whole number, if this is one.
    pub(super) fn integer(&self) -> Option<i128> {
        match self.value {
            Value::Integer(integer) => Some(integer),
            _ => None,
        }
    }

    /// The truth value, if this is one.
    pub(super) fn boolean(&self) -> Option<bool> {
        match self.value {
            Value::Boolean(boolean) => Some(boolean),
            _ => None,
        }
    }

    /// The texts of a list that holds nothing else.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        match &self.value {
            Value::List(items) => items.iter().map(Self::text).collect(),
            _ => None,
        }
    }

    /// The value in words, for messages: `"always"`, `7`, `a list`.
    pub(super) fn describe(&self) -> String {
        match &self.value {
            Value::Table(_) => "a table".to_owned(),
            Value::List(_) => "a list".to_owned(),
            Value::Text(text) => format!("{text:?}"),
            Value::Integer(integer) => integer.to_string(),
            Value::Boolean(boolean) => boolean.to_string(),
            Value::Nothing => "null".to_owned(),
            Value::Other(words) => (*words).to_owned(),
        }
    }
}

/// Reads a whole text file, without the byte-order mark that some editors on Windows write.
pub(super) fn read(file: &Path) -> io::Result<String> {
    let text = read_text(file)?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

fn from_table(table: &DeTable<'_>, text: &str) -> Value {
    let mut entries: Vec<_> = table
        .iter()
        .map(|(key, value)| {
            let line = line_of(text, key.span().start);
            (
                key.span().start,
                key.get_ref().to_string(),
                DocumentNode { line: Some(line), value: from_value(value, text) },
            )
        })
        .collect();
    // The file's own order, so that warnings come as a reader meets them.
    entries.sort_by_key(|(offset, ..)| *offset);
    Value::Table(entries.into_iter().map(|(_, key, node)| (key, node)).collect())
}

fn from_value(value: &Spanned<DeValue<'_>>, text: &str) -> Value {
    match value.get_ref() {
        DeValue::Table(table) => from_table(table, text),
        DeValue::Array(items) => Value::List(
            items
                .iter()
                .map(|item| DocumentNode {
                    line: Some(line_of(text, item.span().start)),
                    value: from_value(item, text),
                })
                .collect(),
        ),
        DeValue::String(string) => Value::Text(string.to_string()),
        DeValue::Integer(integer) => i128::from_str_radix(integer.as_str(), integer.radix())
            .map_or(Value::Other("a number too large"), Value::Integer),
        DeValue::Boolean(boolean) => Value::Boolean(*boolean),
        DeValue::Float(_) => Value::Other("a decimal number"),
        DeValue::Datetime(_) => Value::Other("a date"),
    }
}

fn whole(number: &serde_json::Number) -> Option<i128> {
    let integer = number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from));
    // 2^53: beyond it a float no longer says which whole number was meant.
    integer.or_else(|| {
        number.as_f64().filter(|f| f.fract() == 0.0 && f.abs() <= 9_007_199_254_740_992.0).map(|f| f as i128)
    })
}

fn line_of(text: &str, offset: usize) -> usize {
    1 + text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_know_their_lines() {
        let node = DocumentNode::from_toml("a = 1\n\n[t]\nb = [\n  'x',\n  'y',\n]\n").unwrap();
        assert_eq!(node.get("a").unwrap().line, Some(1));
        let list = node.get("t").and_then(|t| t.get("b")).unwrap();
        assert_eq!(list.line, Some(4));
        assert_eq!(list.texts(), Some(vec!["x", "y"]));
        let Value::List(items) = &list.value else { panic!("{list:?}") };
        assert_eq!(items[1].line, Some(6));
    }

    #[test]
    fn entries_keep_the_order_of_the_file() {
        let node = DocumentNode::from_toml("z = 1\na = 2\n[m]\n").unwrap();
        assert_eq!(node.entries().iter().map(|(key, _)| key.as_str()).collect::<Vec<_>>(), ["z", "a", "m"]);
    }

    #[test]
    fn numbers_of_every_base_and_sign() {
        for (text, number) in [("0x10", 16), ("1_000", 1000), ("-3", -3), ("0b11", 3)] {
            let node = DocumentNode::from_toml(&format!("n = {text}")).unwrap();
            assert_eq!(node.get("n").unwrap().integer(), Some(number), "{text}");
        }
        assert_eq!(DocumentNode::from_json(&json!(2.0)).integer(), Some(2));
        assert_eq!(DocumentNode::from_json(&json!(2.5)).integer(), None);
        assert_eq!(DocumentNode::from_json(&json!(u64::MAX)).integer(), Some(i128::from(u64::MAX)));
    }

    #[test]
    fn a_mistake_is_named_by_its_line() {
        let (line, message) = DocumentNode::from_toml("a = 1\n[t\nb = 2\n").unwrap_err();
        assert_eq!(line, 2);
        assert!(!message.is_empty() && !message.contains('\n'), "{message}");
    }
}
