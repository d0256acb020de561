//! From an event to the line that is written: the shape of AIP-7, its place in the chain, its hash.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

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
        let mut text = Vec::with_capacity(1024);
        canonical::object(&mut text, &fields(event, place))
            .map_err(|NotWhole(number)| RecordError::NotWhole(number))?;
        let hash = hash(&[&text]);
        // Where it belongs: after `doctype`, whose value is always the same.
        let doctype = format!("\"doctype\":\"{DOCTYPE}\",");
        let at = memchr::memmem::find(&text, doctype.as_bytes()).map(|at| at + doctype.len());
        let member = format!("\"hash\":\"{}\",", hex(&hash));
        let at = at.ok_or(RecordError::Long(text.len()))?;
        text.splice(at..at, member.into_bytes());
        if text.len() > LONGEST {
            return Err(RecordError::Long(text.len()));
        }
        text.push(b'\n');
        Ok(Self { line: text, hash })
    }
}

fn fields(event: &Event, place: &Place) -> Map<String, Value> {
    let mut actor = Map::new();
    actor.insert("id".into(), event.actor.id.as_str().into());
    if let Some(role) = &event.actor.role {
        actor.insert("role".into(), role.as_str().into());
    }
    let mut subject = Map::new();
    subject.insert("kind".into(), event.subject.kind.into());
    let named = [("ref", &event.subject.reference), ("path", &event.subject.path)];
    for (name, value) in named {
        if let Some(value) = value {
            subject.insert(name.into(), value.as_str().into());
        }
    }
    let mut fields = Map::new();
    fields.insert("$schema".into(), SCHEMA.into());
    fields.insert("doctype".into(), DOCTYPE.into());
    fields.insert("seq".into(), place.seq.into());
    fields.insert("ts".into(), place.ts.as_str().into());
    fields.insert("actor".into(), actor.into());
    fields.insert("action".into(), event.action.as_str().into());
    fields.insert("subject".into(), subject.into());
    if let Some(policy) = &event.policy {
        let said = json!({"ref": policy.reference, "decision": decision(policy.decision)});
        fields.insert("policy".into(), said);
    }
    let before = place.before.as_ref().map_or_else(|| GENESIS.to_owned(), hex);
    fields.insert("signatures".into(), json!([]));
    fields.insert("prevHash".into(), before.into());
    fields.insert("hashAlg".into(), ALGORITHM.into());
    fields.insert("metadata".into(), event.metadata.clone().into());
    fields
}

/// A time as records have it: UTC, to the millisecond, always as long.
pub(super) fn time(at: Timestamp) -> String {
    format!("{at:.3}")
}

#[cfg(test)]
mod tests {
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
