//! Saving what was inferred as a shim that a person reviews and completes (ATIP §9.3).
//!
//! A file that a person wrote is never replaced: only one that says itself that it was generated.

use std::path::PathBuf;

use argrail_spec::atip::{Metadata, check_tool_name};
use argrail_spec::doc::{Document, Limits};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::describe::BY;
use super::request::InferError;
use crate::catalog::StoreError;
use crate::files::atomic::{self, Access, Durability};
use crate::files::untrusted::{self, Keeper, Links, Reading};
use crate::places::Places;

const GENERATED: &str = "_generated";
const SOURCE: &str = "_source";
const REVIEW: &str = "_review";
/// What whoever opens the file should know.
const NOTICE: &str = "Made from help texts. Review it, effects above all, then remove the keys that begin with _ so \
                      that it is never replaced.";
/// The version of a tool that does not tell it, as the draft writes it.
const UNKNOWN: &str = "unknown";

const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Refuse,
    limit: 4 << 20,
};

/// Writes the shim of a tool, and returns where.
///
/// # Errors
/// When a person wrote the file that is there, or nothing can be written.
pub fn save(places: &Places, metadata: &Metadata, now: Timestamp) -> Result<PathBuf, InferError> {
    let name = metadata.name.as_str();
    check_tool_name(name).map_err(|problem| StoreError::Name {
        given: name.to_owned(),
        problem,
    })?;
    let path = places.shims().join(format!("{name}.json"));
    if let Some(found) = untrusted::read(&path, &READING).map_err(StoreError::from)?
        && !is_generated(&found.bytes)
    {
        return Err(InferError::ByHand { path });
    }
    let text = emit(metadata, now);
    atomic::replace(&path, text.as_bytes(), Access::Private, Durability::Synced).map_err(StoreError::from)?;
    Ok(path)
}

/// Whether a file says that it was made, rather than written.
fn is_generated(bytes: &[u8]) -> bool {
    let Ok(document) = Document::json(bytes, &Limits::metadata()) else {
        return false;
    };
    let root = document.root.as_object();
    root.is_some_and(|root| root.get(GENERATED).is_some())
}

fn emit(metadata: &Metadata, now: Timestamp) -> String {
    let mut metadata = metadata.clone();
    metadata.version.get_or_insert_with(|| UNKNOWN.to_owned());
    let seconds = Timestamp::from_second(now.as_second()).unwrap_or(now);
    let head: [(&str, Value); 3] = [
        (GENERATED, json!(seconds.to_string())),
        (SOURCE, json!(format!("{BY}, argrail infer {}", metadata.name))),
        (REVIEW, json!(NOTICE)),
    ];
    for (key, value) in head {
        metadata.extra.insert(key.to_owned(), value);
    }
    let mut text = serde_json::to_string_pretty(&metadata).unwrap_or_default();
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use std::fs;

    use argrail_testkit::Home;

    use super::*;
    use crate::places::testing::places_of;

    fn metadata(description: &str) -> Metadata {
        Metadata {
            name: "tool".to_owned(),
            description: description.to_owned(),
            ..Metadata::default()
        }
    }

    #[test]
    fn a_shim_is_replaced_until_a_person_has_made_it_theirs() {
        let home = Home::new();
        let places = places_of(&home);
        let now = "2026-01-05T10:30:00.5Z".parse().unwrap();
        let path = save(&places, &metadata("one"), now).unwrap();
        let read = || serde_json::from_str::<Value>(&fs::read_to_string(&path).unwrap()).unwrap();
        assert_eq!(read()["_generated"], "2026-01-05T10:30:00Z");
        assert_eq!(read()["version"], "unknown");
        assert!(read()["_source"].as_str().unwrap().contains("argrail infer tool"));
        assert!(read()["_review"].as_str().unwrap().contains("Review it"));
        save(&places, &metadata("two"), now).unwrap();
        assert_eq!(read()["description"], "two");
        let mut theirs = read();
        theirs.as_object_mut().unwrap().remove("_generated");
        for text in [theirs.to_string(), "{".to_owned(), String::new()] {
            fs::write(&path, &text).unwrap();
            let error = save(&places, &metadata("three"), now).unwrap_err();
            assert!(matches!(error, InferError::ByHand { .. }), "{error}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
    }

    #[test]
    fn a_name_that_is_a_path_writes_nothing() {
        let home = Home::new();
        let places = places_of(&home);
        let named = Metadata {
            name: "../x".to_owned(),
            ..metadata("one")
        };
        assert!(save(&places, &named, Timestamp::UNIX_EPOCH).is_err());
        assert!(!places.data().exists());
    }
}
