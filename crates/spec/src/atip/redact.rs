//! Fields that are left out wherever metadata goes (ATIP §5.3), named by JSON pointers.
//!
//! What makes metadata what it is cannot be left out: a pointer to `name` or `atip` does nothing.

use serde_json::Value;

use super::decode::decode;
use super::model::Metadata;
use crate::doc::{Node, is_at_or_below};

/// Returns the metadata without what `pointers` lead to.
pub fn redact(metadata: Metadata, pointers: &[String]) -> Metadata {
    if pointers.is_empty() {
        return metadata;
    }
    let Ok(mut value) = serde_json::to_value(&metadata) else {
        return metadata;
    };
    for pointer in pointers {
        remove(&mut value, pointer);
    }
    // What is left is what was there, so it can be read; if not, nothing is better than what was to stay hidden.
    decode(&Node::plain(&value)).map_or_else(
        |_| Metadata {
            name: metadata.name,
            ..Metadata::default()
        },
        |loaded| loaded.metadata,
    )
}

/// Whether something at `pointer` is left out because of `redacted`.
pub fn is_redacted(pointer: &str, redacted: &[String]) -> bool {
    redacted.iter().any(|one| is_at_or_below(pointer, one))
}

fn remove(value: &mut Value, pointer: &str) {
    let Some((parent, last)) = pointer.rsplit_once('/') else {
        return;
    };
    let key = last.replace("~1", "/").replace("~0", "~");
    if parent.is_empty() && (key == "name" || key == "atip") {
        return;
    }
    match value.pointer_mut(parent) {
        Some(Value::Object(fields)) => {
            fields.shift_remove(&key);
        }
        Some(Value::Array(items)) => {
            let index = key.parse::<usize>().ok().filter(|index| *index < items.len());
            index.map(|index| items.remove(index));
        }
        Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::atip::load;

    #[test]
    fn what_is_redacted_is_gone() {
        let tool = json!({"atip": "0.1", "name": "x", "version": "1", "description": "D",
            "authentication": {"methods": [{"type": "token", "configPath": "/secret/place"}]},
            "x-a/b": 1, "commands": {"run": {"description": "R", "effects": {"filesystem": {"paths": ["/secret"]}}}}});
        let metadata = load(tool.to_string().as_bytes()).unwrap().metadata;
        let check = |pointers: &[&str], gone: &str| {
            let pointers: Vec<String> = pointers.iter().map(|one| (*one).to_owned()).collect();
            let left = serde_json::to_string(&redact(metadata.clone(), &pointers)).unwrap();
            assert!(!left.contains(gone), "{pointers:?}: {left}");
            assert!(left.contains("\"name\":\"x\""), "{left}");
        };
        check(&["/authentication/methods/0/configPath"], "/secret/place");
        check(&["/authentication"], "/secret/place");
        check(&["/commands/run/effects/filesystem/paths"], "[\"/secret\"]");
        check(&["/x-a~1b"], "x-a");
        check(
            &["/name", "/atip", "", "/nowhere/at/all", "x", "/version"],
            "\"version\"",
        );
        assert!(is_redacted("/a/b", &["/x".to_owned(), "/a".to_owned()]));
        assert!(!is_redacted("/ab", &["/a".to_owned()]));
    }
}
