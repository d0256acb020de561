//! Any bytes are a record or are not; what is one is the canonical form of what it says, and its hash is what counts.

use argrail_engine::audit::Line;
use serde_json::Value;

/// Checks one line.
pub(crate) fn record_line(bytes: &[u8]) {
    let Ok(line) = Line::read(bytes) else {
        return;
    };
    let value: Value = serde_json::from_slice(bytes).unwrap();
    assert_eq!(value["seq"].as_u64(), Some(line.seq));
    assert_eq!(value["ts"].as_str(), Some(line.ts));
    assert_eq!(value["action"].as_str(), Some(line.action));
    // Anything that is added anywhere makes it no record, or another one that is not true.
    for at in [0, bytes.len() / 2, bytes.len()] {
        let mut changed = bytes.to_vec();
        changed.insert(at, b' ');
        assert!(!Line::read(&changed).is_ok_and(|line| line.is_true()));
    }
}
