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

/// Whether the letters of a spelling stand in the text in their order, with nothing but brackets between them; a `--no-x`
/// may be one half of `--[no-]x`, and a letter one of a bundle.
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
    // `--[no-]x`, `--colo[u]r`, `--[no]x`: written with brackets, or without what they enclose.
    text.split_whitespace()
        .filter(|word| word.contains(['[', '(', '{']))
        .any(|word| {
            let whole: String = word
                .chars()
                .filter(|c| !matches!(c, '[' | ']' | '(' | ')' | '{' | '}'))
                .collect();
            whole.contains(spelling) || variants(word).iter().any(|variant| variant.contains(spelling))
        })
}

fn variants(word: &str) -> Vec<String> {
    let mut variants = vec![String::new()];
    let mut rest = word;
    for _ in 0..4 {
        let Some(start) = rest.find(['[', '(', '{']) else {
            break;
        };
        let Some(end) = rest[start..].find([']', ')', '}']).map(|end| start + end) else {
            break;
        };
        let choices: Vec<&str> = std::iter::once("")
            .chain(rest[start + 1..end].split('|'))
            .collect();
        variants = variants
            .iter()
            .flat_map(|variant| {
                choices
                    .iter()
                    .map(|choice| format!("{variant}{}{choice}", &rest[..start]))
            })
            .take(64)
            .collect();
        rest = &rest[end + 1..];
    }
    variants
        .iter()
        .map(|variant| format!("{variant}{rest}"))
        .collect()
}
