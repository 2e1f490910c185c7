//! What docs/fleet.md lists, beside what is really there.

use serde_json::Value;
use std::collections::BTreeSet;

/// The names of all fields of a value.
pub(crate) fn fields(value: &Value) -> BTreeSet<&str> {
    match value {
        Value::Object(of_value) => {
            of_value.iter().flat_map(|(name, value)| fields(value).into_iter().chain([name.as_str()])).collect()
        }
        Value::Array(values) => values.iter().flat_map(fields).collect(),
        _ => BTreeSet::new(),
    }
}

/// The names in the table that follows these words on the page.
pub(crate) fn documented(before: &str) -> BTreeSet<&'static str> {
    let (_, rest) = include_str!("../../../docs/fleet.md").split_once(before).expect("these words");
    let rows = rest.lines().skip_while(|line| !line.starts_with("| `")).take_while(|line| line.starts_with('|'));
    rows.flat_map(|row| row.split('`').skip(1).step_by(2)).collect()
}
