//! A list as the one value of an option: a JSON array of words.
//!
//! A typed list has commas between its items (ACLI §7.2), which leaves no way to write an item with a comma, an empty
//! one, or none at all. The array can say all of them, so JSON that becomes words is read back as it was.

use std::borrow::Cow;

use serde_json::Value;

use crate::doc::{Document, Limits};

/// How large a list in one word may be.
const LIMITS: Limits = Limits {
    bytes: 1 << 20,
    depth: 2,
    nodes: 100_000,
};

/// Returns the items that a value of a list's option stands for.
pub(crate) fn list_items(text: &str) -> Vec<Cow<'_, str>> {
    match (array_items(text), text) {
        (Some(items), _) => items.into_iter().map(Cow::Owned).collect(),
        (None, "") => Vec::new(),
        (None, text) => text.split(',').map(Cow::Borrowed).collect(),
    }
}

/// Returns the one value that stands for the whole list, unless its items can be given one by one.
pub(crate) fn list_word(items: &[String]) -> Option<String> {
    let is_itself = |item: &String| matches!(list_items(item).as_slice(), [only] if only == item);
    let needs_array = items.is_empty() || !items.iter().all(is_itself);
    needs_array.then(|| Value::from(items).to_string())
}

/// The items of a JSON array of words; what is none has no such meaning.
fn array_items(text: &str) -> Option<Vec<String>> {
    if !text.starts_with('[') {
        return None;
    }
    let document = Document::json(text.as_bytes(), &LIMITS).ok()?;
    let Value::Array(items) = document.root.to_json() else {
        return None;
    };
    let word = |item: Value| match item {
        Value::String(text) => Some(text),
        Value::Number(_) | Value::Bool(_) => Some(item.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    };
    items.into_iter().map(word).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn commas_divide_and_arrays_are_whole() {
        let check = |text: &str, want: &[&str]| assert_eq!(list_items(text), want, "{text:?}");
        check("", &[]);
        check("a", &["a"]);
        check("a,b", &["a", "b"]);
        check("[]", &[]);
        check(r#"["a,b","c",""]"#, &["a,b", "c", ""]);
        check("[1,2.5,true]", &["1", "2.5", "true"]);
        // Not an array of words: as it was typed.
        check("[a,b]", &["[a", "b]"]);
        check("[[1]]", &["[[1]]"]);
        check(r#"["a"] "#, &["a"]);
        check(r#" ["a"]"#, &[r#" ["a"]"#]);
    }

    #[test]
    fn only_what_cannot_be_given_one_by_one_is_an_array() {
        let check = |items: &[&str], want: Option<&str>| {
            let items: Vec<String> = items.iter().map(|item| (*item).to_owned()).collect();
            assert_eq!(list_word(&items).as_deref(), want, "{items:?}");
        };
        check(&["a", "b c", "[x", "{}"], None);
        check(&[], Some("[]"));
        check(&[""], Some(r#"[""]"#));
        check(&["fix: a, b"], Some(r#"["fix: a, b"]"#));
        check(&[r#"["a"]"#], Some(r#"["[\"a\"]"]"#));
    }

    proptest! {
        #[test]
        fn every_list_comes_back(items in prop::collection::vec("[\\[\\],a\" \\\\-]{0,6}", 0..5)) {
            let back: Vec<String> = match list_word(&items) {
                Some(word) => list_items(&word).into_iter().map(Cow::into_owned).collect(),
                None => items.iter().flat_map(|item| list_items(item)).map(Cow::into_owned).collect(),
            };
            prop_assert_eq!(back, items);
        }
    }
}
