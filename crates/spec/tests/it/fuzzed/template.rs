//! Any lines are the words of a template, or are refused with their places; any JSON fills them, or is refused.
//!
//! The words are lines up to a record separator, behind which stands what is given.

use argrail_spec::doc::Spanned;
use argrail_spec::template::{Template, Values, WordKind};
use serde_json::Value;

/// Checks one text.
pub(crate) fn template(text: &str) {
    let (words, input) = text.split_once('\u{1e}').unwrap_or((text, "{}"));
    let words: Vec<Spanned<String>> = words.lines().map(|word| word.to_owned().into()).collect();
    let template = match Template::parse(&words) {
        Ok(template) => template,
        Err(wrong) => {
            assert!(!wrong.is_empty());
            for one in wrong {
                let word = words.get(one.word).map_or("", |word| word.as_str());
                assert!(word.get(one.at.clone()).is_some(), "{one:?}");
                assert!(one.to_string().len() < 1_000 && !one.hint().is_empty());
            }
            return;
        }
    };
    let input: Value = serde_json::from_str(input).unwrap_or_default();
    let filled = match template.fill_marked(&Values::of_input(&input)) {
        Ok(filled) => filled,
        Err(refused) => {
            assert!(!refused.refusal("tool").to_string().is_empty());
            return;
        }
    };
    let literal = |word: &&argrail_spec::template::Filled| word.kind == WordKind::Literal;
    let came = filled.iter().filter(literal).map(|word| word.text.as_str());
    assert!(came.eq(template.literals()), "literals stay as they are");
    for word in &filled {
        assert!(!word.text.contains('\0'));
    }
    let mut before: Option<&str> = None;
    for word in filled
        .iter()
        .take_while(|word| word.text != "--" || word.kind != WordKind::Literal)
    {
        // A value is an option only with text of the template in front, or as a number behind an option.
        if word.kind == WordKind::Value && word.text.starts_with('-') {
            let is_number =
                word.text.parse::<f64>().is_ok() && before.is_some_and(|before| before.starts_with('-'));
            let is_attached = words.iter().any(|one| one.contains("${") && one.contains('-'));
            assert!(is_number || is_attached, "{word:?}");
        }
        before = Some(&word.text);
    }
}
