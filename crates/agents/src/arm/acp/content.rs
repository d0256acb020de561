//! Content as ACP writes it, as plain values.

use argrail_engine::call::{Change, change};
use serde_json::{Value, json};

use super::field::{items_of, text_of};

/// The most files that one question changes.
const DIFFS: usize = 256;

/// Returns the text of a block of content, if it is one of text.
pub(super) fn text(block: &Value) -> Option<&str> {
    match text_of(block, "type") {
        Some("text") | None => text_of(block, "text"),
        Some(_) => None,
    }
}

/// Returns what the content of a tool call says: its text, or the parts of it.
pub(super) fn output(content: &[Value]) -> Option<Value> {
    let mut parts: Vec<Value> = content.iter().filter_map(part).collect();
    let are_texts = parts.iter().all(Value::is_string);
    match parts.len() {
        0 => None,
        1 => parts.pop(),
        _ if are_texts => {
            let texts: Vec<&str> = parts.iter().filter_map(Value::as_str).collect();
            Some(texts.join("\n").into())
        }
        _ => Some(parts.into()),
    }
}

fn part(item: &Value) -> Option<Value> {
    match text_of(item, "type") {
        Some("content") => {
            let block = item.get("content")?;
            match text(block) {
                Some("") => None,
                Some(text) => Some(text.into()),
                None => other_block(block),
            }
        }
        Some("diff") => Some(json!({
            "path": text_of(item, "path"),
            "before": text_of(item, "oldText"),
            "after": text_of(item, "newText"),
        })),
        // A command that runs elsewhere: what it says is heard there.
        Some("terminal") => None,
        Some(_) | None => text(item).filter(|text| !text.is_empty()).map(Into::into),
    }
}

/// Something that is no text: what it is called, without its bytes.
fn other_block(block: &Value) -> Option<Value> {
    let resource = block.get("resource").unwrap_or(block);
    match text_of(resource, "text") {
        Some(text) if !text.is_empty() => Some(text.into()),
        Some(_) | None => Some(json!({
            "type": text_of(block, "type")?,
            "uri": text_of(resource, "uri"),
            "mimeType": text_of(resource, "mimeType"),
        })),
    }
}

/// Returns the files that the content of a tool call changes.
pub(super) fn changed_files(content: &[Value]) -> impl Iterator<Item = &str> {
    let diffs = content
        .iter()
        .filter(|item| text_of(item, "type") == Some("diff"));
    diffs.filter_map(|item| text_of(item, "path"))
}

/// Returns what the content of a tool call changes in files, for agents that say it nowhere else. All of it is known by
/// its digest, and shown as far as it fits.
pub(super) fn changes(content: &[Value]) -> Value {
    let diffs = content
        .iter()
        .filter(|item| text_of(item, "type") == Some("diff"));
    let changes: Vec<Value> = diffs
        .take(DIFFS)
        .map(|item| {
            let change = change(Change {
                before: text_of(item, "oldText").map(str::as_bytes),
                after: text_of(item, "newText").unwrap_or_default().as_bytes(),
            });
            json!({"path": text_of(item, "path"), "change": change})
        })
        .collect();
    match changes.is_empty() {
        true => Value::Null,
        false => json!({"changes": changes}),
    }
}

/// Returns what a running command has written since the last time: some agents say it beside the protocol.
pub(super) fn streamed(update: &Value) -> Option<&str> {
    let meta = update.get("_meta")?;
    let delta = meta
        .get("terminal_output_delta")
        .or_else(|| meta.get("terminal_output"))?;
    delta.as_str().or_else(|| text_of(delta, "data"))
}

/// Returns the paths of the places that a tool call is about.
pub(super) fn places(update: &Value) -> impl Iterator<Item = &str> {
    items_of(update, "locations")
        .iter()
        .filter_map(|place| text_of(place, "path"))
}

/// About how much memory a value takes.
pub(super) fn weight(value: &Value) -> usize {
    const NODE: usize = 48;
    NODE + match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => 0,
        Value::String(text) => text.len(),
        Value::Array(items) => items.iter().map(weight).sum(),
        Value::Object(fields) => fields
            .iter()
            .map(|(key, field)| key.len() + NODE + weight(field))
            .sum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_becomes_plain_values() {
        let check = |content: Value, want: Option<Value>| {
            assert_eq!(output(content.as_array().unwrap()), want, "{content}");
        };
        let text = |text: &str| json!({"type": "content", "content": {"type": "text", "text": text}});
        check(json!([]), None);
        check(json!([text("")]), None);
        check(json!([text("a")]), Some(json!("a")));
        check(json!([text("a"), text("b")]), Some(json!("a\nb")));
        check(
            json!([text("a"), {"type": "diff", "path": "/f", "oldText": null, "newText": "x"}]),
            Some(json!(["a", {"path": "/f", "before": null, "after": "x"}])),
        );
        check(json!([{"type": "terminal", "terminalId": "t"}]), None);
        check(
            json!([{"type": "hologram"}, 7, null, {"text": "bare"}]),
            Some(json!("bare")),
        );
        check(
            json!([{"type": "content", "content": {"type": "image", "data": "AAAA", "mimeType": "image/png"}}]),
            Some(json!({"type": "image", "uri": null, "mimeType": "image/png"})),
        );
        check(
            json!([{"type": "content", "content": {"type": "resource", "resource": {"uri": "file:///a", "text": "in it"}}}]),
            Some(json!("in it")),
        );
    }

    #[test]
    fn changes_of_files_are_told_apart_by_all_of_them() {
        let of = |new: &str| {
            let diff = json!({"type": "diff", "path": "/f", "oldText": "a\n", "newText": new});
            changes(&[json!({"type": "content"}), diff])
        };
        assert_eq!(of("b\n")["changes"][0]["change"]["diff"], json!(["-a\n", "+b\n"]));
        assert_eq!(of("b\n")["changes"][0]["path"], "/f");
        let long = |end: &str| of(&("x\n".repeat(100_000) + end));
        assert_ne!(long("a"), long("b"));
        assert!(long("a").to_string().len() < 64 << 10);
        assert_eq!(changes(&[json!({"type": "terminal"})]), Value::Null);
    }

    #[test]
    fn what_codex_says_beside_the_protocol_is_heard() {
        let check = |update: Value, want: Option<&str>| assert_eq!(streamed(&update), want, "{update}");
        check(json!({}), None);
        check(
            json!({"_meta": {"terminal_output_delta": {"terminal_id": "t", "data": "x\n"}}}),
            Some("x\n"),
        );
        check(json!({"_meta": {"terminal_output": {"data": "y"}}}), Some("y"));
        check(json!({"_meta": {"terminal_output_delta": "z"}}), Some("z"));
        check(json!({"_meta": 7}), None);
    }
}
