//! Documents: no update is lost, whoever was faster.

use serde_json::json;

use super::super::{Kind, Revision, StoreError};
use super::sample::at;
use super::suite::{Case, Open};

pub(super) const CASES: &[Case] = &[
    (
        "a document is written over what was seen",
        written_over_what_was_seen,
    ),
    ("a revision is given once", a_revision_is_given_once),
    ("documents are kept by kind and key", kept_by_kind_and_key),
];

fn written_over_what_was_seen(open: Open<'_>) -> Result<(), StoreError> {
    let (one, other) = (open(), open());
    let key = "/srv/pro'ject \u{202e}";
    let put = |seen: Option<Revision>, body: i64| other.put(Kind::Trust, key, seen, &json!(body), at(body));
    assert_eq!(one.get(Kind::Trust, key)?, None);
    let first = put(None, 1)?;
    assert!(is_conflict(&put(None, 2)), "it is there by now");
    let second = put(Some(first), 3)?;
    assert!(second > first);
    assert!(is_conflict(&put(Some(first), 4)), "it changed meanwhile");
    let found = one.get(Kind::Trust, key)?;
    let found = found.map(|found| (found.key, found.revision, found.written, found.body));
    assert_eq!(found, Some((key.to_owned(), second, at(3), json!(3))));
    assert!(is_conflict(&one.remove(Kind::Trust, key, first)));
    one.remove(Kind::Trust, key, second)?;
    assert_eq!(other.get(Kind::Trust, key)?, None);
    assert!(is_conflict(&one.remove(Kind::Trust, key, second)), "it is gone");
    Ok(())
}

fn a_revision_is_given_once(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let first = store.put(Kind::Auth, "k", None, &json!("old"), at(0))?;
    store.remove(Kind::Auth, "k", first)?;
    let second = open().put(Kind::Auth, "k", None, &json!("new"), at(1))?;
    assert_ne!(first, second);
    assert!(is_conflict(&store.put(
        Kind::Auth,
        "k",
        Some(first),
        &json!("stale"),
        at(2)
    )));
    Ok(())
}

fn kept_by_kind_and_key(open: Open<'_>) -> Result<(), StoreError> {
    let body = json!({"z": [1, null, "x\0y"], "a": {"deep": true}});
    for kind in [Kind::Trust, Kind::Ledger, Kind::Auth, Kind::Session] {
        for key in ["b", "a", ""] {
            open().put(kind, key, None, &json!([kind.as_str(), key, body]), at(0))?;
        }
    }
    for kind in [Kind::Trust, Kind::Ledger, Kind::Auth, Kind::Session] {
        let found = open().all(kind)?;
        let keys: Vec<_> = found.iter().map(|found| found.key.as_str()).collect();
        assert_eq!(keys, ["", "a", "b"]);
        for found in found {
            assert_eq!(found.body, json!([kind.as_str(), found.key, body]));
        }
    }
    Ok(())
}

fn is_conflict<T>(done: &Result<T, StoreError>) -> bool {
    matches!(done, Err(StoreError::Conflict { .. }))
}
