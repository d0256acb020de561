//! Any bytes are read as serde_json reads them, or refused with a place inside the text.

use argrail_spec::doc::{Document, Limits, Node, Value, place};

/// Checks one text.
pub(crate) fn document(text: &[u8]) {
    let limits = Limits::default();
    let theirs = serde_json::from_slice::<serde_json::Value>(text);
    match Document::json(text, &limits) {
        Ok(document) => {
            assert_eq!(theirs.ok(), Some(document.root.to_json()));
            check_spans(document.text(), &document.root);
        }
        Err(wrong) => {
            // What they accept and we do not is one of our own rules.
            let ours = [
                "doc/duplicate-key",
                "doc/too-deep",
                "doc/too-many",
                "doc/too-large",
            ];
            assert!(theirs.is_err() || ours.contains(&wrong.code), "{wrong:?}");
            assert!(
                wrong.span.start <= wrong.span.end && wrong.span.end <= text.len(),
                "{wrong:?}"
            );
            assert!(wrong.hint.is_some() && wrong.message.len() < 2000, "{wrong:?}");
            let lines = 1 + text.iter().filter(|byte| **byte == b'\n').count();
            assert!((1..=lines).contains(&place(text, wrong.span.start).line));
        }
    }
}

/// Every span cuts out a text that reads as the same value.
fn check_spans(text: &str, node: &Node) {
    let cut = text.get(node.span.start..node.span.end).unwrap_or_default();
    let again = Document::json(cut.as_bytes(), &Limits::default());
    assert_eq!(again.map(|again| again.root.to_json()), Ok(node.to_json()));
    match &node.value {
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        Value::Array(items) => items.iter().for_each(|item| check_spans(text, item)),
        Value::Object(object) => {
            for member in &object.members {
                let name = text
                    .get(member.key_span.start..member.key_span.end)
                    .unwrap_or_default();
                assert_eq!(serde_json::from_str(name).ok(), Some(member.key.clone()));
                check_spans(text, &member.node);
            }
        }
    }
}
