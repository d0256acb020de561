//! What holds for any text that is read as help.

use argrail_spec::help::{Subject, clean, read_help, to_metadata};

/// Every spelling stands in the text, the metadata passes the check of metadata, and nothing panics.
pub(crate) fn help(text: &str) {
    let subject = Subject {
        name: "tool",
        path: &[],
    };
    let cleaned = clean(text);
    let page = read_help(text, &subject);
    for option in &page.options {
        assert!(!option.spellings.is_empty());
        for spelling in &option.spellings {
            assert!(stands_in(&cleaned, spelling), "{spelling:?} is invented");
        }
    }
    for command in &page.commands {
        assert!(cleaned.contains(&command.name), "{:?} is invented", command.name);
    }
    let metadata = to_metadata(&subject, &page, &mut |_, _, _, _| {});
    let json = serde_json::to_vec(&metadata).unwrap();
    let outcome = argrail_spec::lint::lint("tool.json", &json, argrail_spec::lint::Strictness::Relaxed);
    let errors: Vec<String> = outcome
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == argrail_spec::doc::Severity::Error)
        .map(|diagnostic| format!("{diagnostic:?}"))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Whether a spelling stands in the text: as it is, with brackets inside (`--[no-]x` is both halves), or as a letter of a
/// bundle.
fn stands_in(text: &str, spelling: &str) -> bool {
    if text.contains(spelling) {
        return true;
    }
    let mut letters = spelling.chars();
    if let (Some('-'), Some(letter), None) = (letters.next(), letters.next(), letters.next()) {
        return text.split('-').skip(1).any(|behind| {
            let word: String = behind.chars().take_while(char::is_ascii_alphanumeric).collect();
            word.contains(letter)
        });
    }
    let text = text.as_bytes();
    (0..text.len()).any(|at| text[at] == b'-' && is_written(&text[at..], spelling.as_bytes(), 40))
}

/// Whether a text begins with a spelling, if what its brackets enclose may be left out.
fn is_written(text: &[u8], spelling: &[u8], steps: usize) -> bool {
    let (Some((first, rest)), true) = (text.split_first(), steps > 0) else {
        return spelling.is_empty();
    };
    if spelling.is_empty() {
        return true;
    }
    let behind = |closing: &[u8]| {
        let end = text.iter().position(|byte| closing.contains(byte));
        end.is_some_and(|end| is_written(&text[end + 1..], spelling, steps - 1))
    };
    match first {
        b'[' | b'(' | b'{' => is_written(rest, spelling, steps - 1) || behind(b"])}|") || behind(b"])}"),
        b']' | b')' | b'}' => is_written(rest, spelling, steps - 1),
        b'|' => behind(b"])}"),
        byte => *byte == spelling[0] && is_written(rest, &spelling[1..], steps),
    }
}
