use super::*;
use proptest::prelude::*;
use tower_lsp_server::ls_types::Position;

const PATH: &str = "/p/A.sol";

fn opened(encoding: Encoding, text: &str) -> Documents {
    let mut documents = Documents { encoding, ..Documents::default() };
    documents.open(PATH.into(), "file:///p/A.sol".parse().unwrap(), 1, text.to_owned());
    documents
}

fn change(from: (u32, u32), to: (u32, u32), text: &str) -> TextDocumentContentChangeEvent {
    let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
    TextDocumentContentChangeEvent { range: Some(range), range_length: None, text: text.to_owned() }
}

fn whole(text: &str) -> TextDocumentContentChangeEvent {
    TextDocumentContentChangeEvent { range: None, range_length: None, text: text.to_owned() }
}

fn apply(documents: &mut Documents, changes: &[TextDocumentContentChangeEvent]) {
    let version = documents.get(Path::new(PATH)).unwrap().version + 1;
    assert!(documents.change(Path::new(PATH), version, changes));
}

fn text(documents: &Documents) -> String {
    documents.get(Path::new(PATH)).unwrap().text()
}

#[test]
fn changes_are_made_in_order_and_in_the_clients_columns() {
    for (encoding, before, changes, after) in [
        (Encoding::Utf16, "a\u{1F600}b", vec![change((0, 3), (0, 4), "c")], "a\u{1F600}c"),
        (Encoding::Utf8, "a\u{1F600}b", vec![change((0, 5), (0, 6), "c")], "a\u{1F600}c"),
        (Encoding::Utf32, "a\u{1F600}b", vec![change((0, 2), (0, 3), "c")], "a\u{1F600}c"),
        (Encoding::Utf16, "a\r\nb\r\n", vec![change((0, 9), (1, 0), ";\n")], "a;\nb\r\n"),
        (Encoding::Utf16, "ab", vec![change((0, 1), (0, 1), "x"), change((0, 2), (0, 2), "y")], "axyb"),
        (Encoding::Utf16, "ab", vec![whole("c"), change((0, 1), (0, 1), "d")], "cd"),
        (Encoding::Utf16, "ab", vec![change((0, 2), (0, 0), "!")], "ab!"), // a range that ends before it starts
        (Encoding::Utf16, "", vec![change((5, 5), (6, 6), "a")], "a"),
    ] {
        let mut documents = opened(encoding, before);
        apply(&mut documents, &changes);
        assert_eq!(text(&documents), after, "{encoding:?}: {before:?} with {changes:?}");
    }
}

#[test]
fn a_text_that_is_not_open_cannot_change() {
    assert!(!Documents::default().change(Path::new(PATH), 1, &[whole("a")]));
}

/// The line and column at which `x` of the saved text is shown as true.
fn shown(documents: &Documents, saved: &str) -> Option<(u32, u32)> {
    let range = located(documents, saved, None)?.unedited()?;
    Some((range.start.line, range.start.character))
}

/// Where `x` of the saved text is.
fn located(documents: &Documents, saved: &str, on_disk: Option<&str>) -> Option<TrackedRange> {
    let at = saved.find('x').unwrap() as u32;
    documents.locate(Path::new(PATH), saved, Span::new(at, at + 1), on_disk)
}

const SAVED: &str = "a\n\u{1F600} x\nb\n";

#[test]
fn what_was_found_moves_with_edits_elsewhere_and_is_stale_when_its_line_is_edited() {
    for (changes, found) in [
        (vec![], Some((1, 3))),
        (vec![change((0, 0), (0, 0), "// new\n")], Some((2, 3))),
        (vec![change((0, 0), (1, 0), "")], Some((0, 3))),
        (vec![change((0, 1), (0, 1), "\n\n"), change((4, 0), (4, 0), "c")], Some((3, 3))),
        (vec![change((1, 0), (1, 0), " ")], None),
        (vec![change((1, 0), (1, 0), " "), change((1, 0), (1, 1), "")], Some((1, 3))), // and back
        // And back, beside another edit.
        (vec![change((1, 0), (1, 0), " "), change((0, 0), (0, 0), "\n"), change((2, 0), (2, 1), "")], Some((2, 3))),
        (vec![whole("new\na\n\u{1F600} x\nb\n")], Some((2, 3))),
    ] {
        let mut documents = opened(Encoding::Utf16, SAVED);
        apply(&mut documents, &changes);
        assert_eq!(shown(&documents, SAVED), found, "{changes:?}");
    }
}

#[test]
fn what_is_stale_is_shown_on_what_is_left_of_its_lines() {
    let all = |from: (u32, u32), to: (u32, u32)| {
        let range = Range::new(Position::new(from.0, from.1), Position::new(to.0, to.1));
        Some(TrackedRange { range, edited: true })
    };
    for (changes, stale) in [
        (vec![change((1, 0), (1, 0), "  ")], all((1, 2), (1, 6))),
        (vec![change((1, 3), (1, 4), "y + z")], all((1, 0), (1, 8))),
        (vec![change((1, 3), (1, 4), "y;\nz")], all((1, 0), (1, 5))), // as many lines as before
        (vec![change((1, 0), (2, 0), "  y\n")], all((1, 2), (1, 3))), // the line with its end
        (vec![change((1, 0), (1, 4), "")], None),                     // taken away
        (vec![change((0, 0), (2, 1), "all is new")], None),
    ] {
        let mut documents = opened(Encoding::Utf16, SAVED);
        apply(&mut documents, &changes);
        assert_eq!(located(&documents, SAVED, None), stale, "{changes:?}");
    }
}

#[test]
fn of_a_text_that_is_not_open_what_is_on_disk_counts() {
    let documents = Documents { encoding: Encoding::Utf16, ..Documents::default() };
    for (on_disk, place) in [
        (SAVED, Some(((1, 3), false))),
        ("a\nmore\n\u{1F600} x\nb\n", Some(((2, 3), false))),
        ("a\n\u{1F600} y\nb\n", Some(((1, 0), true))),
        ("all is new", None),
    ] {
        let located = located(&documents, SAVED, Some(on_disk));
        let start = |place: TrackedRange| ((place.range.start.line, place.range.start.character), place.edited);
        assert_eq!(located.map(start), place, "{on_disk:?}");
    }
}

#[test]
fn edits_far_apart_leave_what_is_between() {
    let mut documents = opened(Encoding::Utf16, SAVED);
    apply(&mut documents, &[change((0, 0), (0, 0), "\n"), change((3, 1), (3, 1), "c")]);
    assert_eq!(shown(&documents, SAVED), Some((2, 3)));
}

#[test]
fn what_was_found_before_the_last_saves_is_still_placed() {
    let mut documents = opened(Encoding::Utf16, SAVED);
    for save in 1..20 {
        // Above and below, so that only the steps tell what is between.
        apply(&mut documents, &[change((0, 0), (0, 0), "\n"), change((save + 2, 0), (save + 2, 0), "c")]);
        let placed = (save < MAX_BASES as u32).then_some((save + 1, 3));
        documents.save(Path::new(PATH));
        assert_eq!(shown(&documents, SAVED), placed, "after {save} saves");
    }
}

#[test]
fn a_text_that_is_not_open_is_as_it_was_compiled() {
    assert_eq!(shown(&Documents::default(), SAVED), Some((1, 3)));
}

#[test]
fn after_very_many_edits_places_are_still_known() {
    let mut documents = opened(Encoding::Utf16, SAVED);
    for _ in 0..MAX_EDITS + 10 {
        apply(&mut documents, &[change((0, 0), (0, 0), "\n")]);
    }
    assert_eq!(shown(&documents, SAVED), Some((1 + MAX_EDITS as u32 + 10, 3)));
}

/// The same change made to a plain string, by another way: through the client's own units.
fn replace(encoding: Encoding, text: &str, from: Position, to: Position, with: &str) -> String {
    let offset = |position: Position| {
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        for at in 0..bytes.len() {
            if bytes[at] == b'\n' || bytes[at] == b'\r' && bytes.get(at + 1) != Some(&b'\n') {
                lines.push(at + 1);
            }
        }
        let Some(start) = lines.get(position.line as usize) else { return text.len() };
        let line = text[*start..].split(['\n', '\r']).next().unwrap();
        let units = |prefix: &str| match encoding {
            Encoding::Utf8 => prefix.len(),
            Encoding::Utf16 => prefix.encode_utf16().count(),
            Encoding::Utf32 => prefix.chars().count(),
        };
        let mut ends = line.char_indices().map(|(at, _)| at).chain([line.len()]);
        start + ends.rfind(|end| units(&line[..*end]) <= position.character as usize).unwrap()
    };
    let (from, to) = (offset(from), offset(to));
    format!("{}{with}{}", &text[..from], &text[to.max(from)..])
}

fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop_oneof![
        Just("a"),
        Just("x"),
        Just("\n"),
        Just("\r\n"),
        Just("\r"),
        Just("\u{e9}"),
        Just("\u{1F600}"),
        Just("\u{2028}")
    ];
    prop::collection::vec(pieces, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn incremental_changes_give_the_same_text_as_whole_ones(
        start in any_text(),
        edits in prop::collection::vec(((0u32..6, 0u32..8), (0u32..6, 0u32..8), any_text()), 0..8),
        encoding in prop_oneof![Just(Encoding::Utf8), Just(Encoding::Utf16), Just(Encoding::Utf32)],
    ) {
        let mut documents = opened(encoding, &start);
        let mut expected = start;
        for (from, to, with) in edits {
            let change = change(from, to, &with);
            let range = change.range.unwrap();
            apply(&mut documents, &[change]);
            expected = replace(encoding, &expected, range.start, range.end, &with);
            prop_assert_eq!(text(&documents), expected.clone());
        }
    }

    /// Wherever a marked line is said to be after edits, it is there, unchanged.
    #[test]
    fn a_place_that_is_told_is_true(
        before in any_text(),
        after in any_text(),
        edits in prop::collection::vec(((0u32..6, 0u32..4), (0u32..6, 0u32..4), any_text()), 0..6),
    ) {
        let start = format!("{before}\n*mark*\n{after}");
        let mut documents = opened(Encoding::Utf16, &start);
        for (from, to, with) in edits {
            apply(&mut documents, &[change(from, to, &with)]);
        }
        let at = start.find("mark").unwrap() as u32;
        let place = documents.locate(Path::new(PATH), &start, Span::new(at, at + 4), None);
        if let Some(range) = place.and_then(TrackedRange::unedited) {
            let now = text(&documents);
            let lines: Vec<&str> = now.split("\r\n").flat_map(|part| part.split(['\n', '\r'])).collect();
            prop_assert_eq!(lines[range.start.line as usize], "*mark*");
            prop_assert_eq!((range.start.character, range.end.character), (1, 5));
        }
    }
}
