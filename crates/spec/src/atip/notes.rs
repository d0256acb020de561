//! What a description says beside its commands: remarks (`x-notes`), words to find it by (`x-tags`) and whole command
//! lines with what they are for (`x-examples`), as bundles have them (AIP-29: `examples`, `tags`, Gotchas).

use serde_json::Value;

use super::model::Extra;

/// A command line and what it is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Goal<'a> {
    /// What it is for.
    pub goal: &'a str,
    /// The command line.
    pub line: &'a str,
}

/// Returns the remarks, each item of a list and each paragraph for itself.
pub fn notes(extra: &Extra) -> Vec<String> {
    let text = extra.get("x-notes").and_then(Value::as_str).unwrap_or_default();
    let mut notes: Vec<String> = Vec::new();
    let mut is_open = false;
    for row in text.lines().map(str::trim) {
        let item = row.strip_prefix("- ").or_else(|| row.strip_prefix("* "));
        match (item, row.is_empty(), notes.last_mut()) {
            (None, true, _) => is_open = false,
            (None, false, Some(last)) if is_open => {
                last.push(' ');
                last.push_str(row);
            }
            (item, _, _) => {
                notes.push(item.unwrap_or(row).to_owned());
                is_open = true;
            }
        }
    }
    notes
}

/// Returns the words that something is found by.
pub fn tags(extra: &Extra) -> impl Iterator<Item = &str> {
    let tags = extra.get("x-tags").and_then(Value::as_array);
    tags.into_iter().flatten().filter_map(Value::as_str)
}

/// Returns whole command lines.
pub fn goals(extra: &Extra) -> impl Iterator<Item = Goal<'_>> {
    let goals = extra.get("x-examples").and_then(Value::as_array);
    goals.into_iter().flatten().filter_map(|example| {
        Some(Goal {
            goal: example.get("goal")?.as_str()?,
            line: example.get("cmd")?.as_str()?,
        })
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn items_and_paragraphs_are_remarks_of_their_own() {
        let check = |text: &str, want: &[&str]| {
            let extra = Extra::from_iter([("x-notes".to_owned(), json!(text))]);
            assert_eq!(notes(&extra), want, "{text:?}");
        };
        check("", &[]);
        check(
            "- one\n  goes on\n- two\n\nthree\nfour",
            &["one goes on", "two", "three four"],
        );
        check("plain\n\n* star", &["plain", "star"]);
    }
}
