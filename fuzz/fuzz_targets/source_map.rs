//! The reader of source maps: any text gives an empty map or an element for each of its parts, and what was read, written in full or as
//! short as solc writes it, is read as the same.

#![no_main]

use bellwether::compile::{Jump, SourceElement, SourceId, read_source_map};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

/// Files that the map may name.
const FILES: u32 = 16;

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let sources: BTreeMap<u32, SourceId> = (0..FILES).map(|id| (id, SourceId(id))).collect();
    let elements = read_source_map(&text, &sources);
    if elements.is_empty() {
        return;
    }
    assert_eq!(elements.len(), text.matches(';').count() + 1);
    let full: Vec<[String; 4]> = elements.iter().map(fields).collect();
    let written: Vec<String> = full.iter().map(|fields| fields.join(":")).collect();
    assert_eq!(read_source_map(&written.join(";"), &sources), elements, "in full");
    let short: Vec<String> =
        full.iter().enumerate().map(|(at, fields)| shortened(fields, at.checked_sub(1).map(|at| &full[at]))).collect();
    assert_eq!(read_source_map(&short.join(";"), &sources), elements, "as short as can be");
});

fn fields(element: &SourceElement) -> [String; 4] {
    let jump = match element.jump {
        Jump::In => "i",
        Jump::Out => "o",
        Jump::Regular => "-",
    };
    let file = element.source.map_or("-1".to_owned(), |source| source.0.to_string());
    [element.span.start.to_string(), element.span.len().to_string(), file, jump.to_owned()]
}

/// Leaves out what is as in the element before.
fn shortened(fields: &[String; 4], before: Option<&[String; 4]>) -> String {
    let Some(before) = before else { return fields.join(":") };
    let parts: Vec<&str> =
        fields.iter().zip(before).map(|(field, before)| if field == before { "" } else { field.as_str() }).collect();
    parts.join(":").trim_end_matches(':').to_owned()
}
