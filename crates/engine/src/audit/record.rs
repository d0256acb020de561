//! From an event to the line that is written: the shape of AIP-7, its place in the chain, its hash.

use jiff::Timestamp;

use super::canonical::{self, NotWhole};
use super::error::RecordError;
use super::event::{Event, decision};
use super::hash::{Hash, hash, hex};
use super::line::{ALGORITHM, DOCTYPE, GENESIS, LONGEST, SCHEMA};

/// Where in the chain a record stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Place {
    /// Its number.
    pub(super) seq: u64,
    /// When it is written.
    pub(super) ts: String,
    /// The hash of the one before; none for the first.
    pub(super) before: Option<Hash>,
}

/// A line, ready to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Made {
    /// With its newline.
    pub(super) line: Vec<u8>,
    pub(super) hash: Hash,
}

impl Made {
    /// Makes the line of an event.
    ///
    /// # Errors
    /// When it holds a number that is not whole, or is too long.
    pub(super) fn new(event: &Event, place: &Place) -> Result<Self, RecordError> {
        let mut text = Vec::with_capacity(2048);
        head(&mut text, event);
        let at = text.len();
        tail(&mut text, event, place)?;
        let hash = hash(&[&text]);
        let member = format!("\"hash\":\"{}\",", hex(&hash));
        text.splice(at..at, member.into_bytes());
        if text.len() > LONGEST {
            return Err(RecordError::Long(text.len()));
        }
        text.push(b'\n');
        Ok(Self { line: text, hash })
    }

    /// Returns the line as text.
    pub(super) fn text(&self) -> &str {
        // Canonical JSON is UTF-8.
        str::from_utf8(&self.line).unwrap_or_default()
    }
}

/// The members before the hash, in their canonical order.
fn head(text: &mut Vec<u8>, event: &Event) {
    let role = event.actor.role.as_deref();
    text.push(b'{');
    word(text, "$schema", SCHEMA);
    word(text, "action", event.action.as_str());
    words(
        text,
        "actor",
        [("id", Some(event.actor.id.as_str())), ("role", role)],
    );
    word(text, "doctype", DOCTYPE);
}

/// The members after it.
fn tail(text: &mut Vec<u8>, event: &Event, place: &Place) -> Result<(), RecordError> {
    word(text, "hashAlg", ALGORITHM);
    name(text, "metadata");
    canonical::object(text, &event.metadata).map_err(not_whole)?;
    text.push(b',');
    if let Some(policy) = &event.policy {
        let decided = Some(decision(policy.decision));
        words(
            text,
            "policy",
            [("decision", decided), ("ref", Some(policy.reference.as_str()))],
        );
    }
    match &place.before {
        Some(before) => word(text, "prevHash", &hex(before)),
        None => word(text, "prevHash", GENESIS),
    }
    name(text, "seq");
    canonical::write(text, &place.seq.into()).map_err(not_whole)?;
    text.extend_from_slice(b",\"signatures\":[],");
    let subject = &event.subject;
    let (path, reference) = (subject.path.as_deref(), subject.reference.as_deref());
    words(
        text,
        "subject",
        [("kind", Some(subject.kind)), ("path", path), ("ref", reference)],
    );
    word(text, "ts", &place.ts);
    // The comma after the last one.
    text.pop();
    text.push(b'}');
    Ok(())
}

fn name(text: &mut Vec<u8>, name: &str) {
    canonical::string(text, name);
    text.push(b':');
}

/// A member that is a string.
fn word(text: &mut Vec<u8>, key: &str, value: &str) {
    name(text, key);
    canonical::string(text, value);
    text.push(b',');
}

/// A member that is an object of strings, in the order of their names; what is not there is left out.
fn words<const N: usize>(text: &mut Vec<u8>, key: &str, fields: [(&str, Option<&str>); N]) {
    name(text, key);
    text.push(b'{');
    let mut some = false;
    for (key, value) in fields {
        if let Some(value) = value {
            word(text, key, value);
            some = true;
        }
    }
    if some {
        text.pop();
    }
    text.extend_from_slice(b"},");
}

fn not_whole(NotWhole(number): NotWhole) -> RecordError {
    RecordError::NotWhole(number)
}

/// A time as records have it: UTC, to the millisecond, always as long.
pub(super) fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::event::{Action, Policy};
    use super::*;
    use crate::policy::Verdict;

    #[test]
    fn a_record_has_the_shape_of_aip_7() {
        let mut event = Event::new(Action::CliInvoked, "call", "cli", Some("git")).role("agent");
        event.policy = Some(Policy {
            reference: "p".into(),
            decision: Verdict::Ask,
        });
        let place = Place {
            seq: 0,
            ts: time(Timestamp::UNIX_EPOCH),
            before: None,
        };
        let made = Made::new(&event.with("n", 3), &place).unwrap();
        let read: Value = serde_json::from_slice(&made.line).unwrap();
        assert_eq!(
            read,
            json!({
                "$schema": "agentgovernance/v1", "doctype": "audit-event", "seq": 0,
                "ts": "1970-01-01T00:00:00.000Z", "actor": {"id": "call", "role": "agent"},
                "action": "cli.invoked", "subject": {"kind": "cli", "ref": "git"},
                "policy": {"ref": "p", "decision": "require-approval"}, "signatures": [],
                "prevHash": "GENESIS", "hash": hex(&made.hash), "hashAlg": "sha256", "metadata": {"n": 3},
            })
        );
    }

    #[test]
    fn what_no_reader_could_check_is_not_written() {
        let place = Place {
            seq: 0,
            ts: time(Timestamp::UNIX_EPOCH),
            before: None,
        };
        let event = Event::new(Action::AuditNote, "x", "audit", None);
        let long = Made::new(&event.clone().with("a", "x".repeat(LONGEST)), &place);
        assert!(matches!(long, Err(RecordError::Long(_))));
        assert!(matches!(
            Made::new(&event.with("a", 0.5), &place),
            Err(RecordError::NotWhole(_))
        ));
    }

    #[test]
    fn a_text_that_looks_like_the_place_of_the_hash_does_not_move_it() {
        let place = Place {
            seq: 0,
            ts: time(Timestamp::UNIX_EPOCH),
            before: None,
        };
        let event = Event::new(Action::AuditNote, "\"doctype\":\"audit-event\",", "audit", None);
        let made = Made::new(&event, &place).unwrap();
        let line = super::super::line::Line::read(made.line.strip_suffix(b"\n").unwrap()).unwrap();
        assert!(line.is_true());
    }
}
