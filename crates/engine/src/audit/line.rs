//! One line of the record, read in one pass: that it is canonical, that it has the shape of AIP-7, and its links.
//!
//! A line is the canonical form of its record and nothing else, so its hash is that of the line without the member
//! `hash`: whoever canonicalises the record by RFC 8785 hashes the same bytes. Never trusts the line: depth, numbers
//! and escapes are checked before anything is believed.

use super::hash::{Hash, hash, unhex};
use super::scan::{Scan, Span};

/// The most bytes of a line. What is longer is no record of ours.
pub const LONGEST: usize = 256 * 1024;

/// What the first record has in the place of the hash before it.
pub(super) const GENESIS: &str = "GENESIS";
pub(super) const SCHEMA: &str = "agentgovernance/v1";
pub(super) const DOCTYPE: &str = "audit-event";
pub(super) const ALGORITHM: &str = "sha256";

/// The members, in their canonical order, and whether each has to be there.
const MEMBERS: [(&str, Needed); 15] = [
    ("$schema", Needed::Always),
    ("action", Needed::Always),
    ("actor", Needed::Always),
    ("doctype", Needed::Always),
    ("hash", Needed::Always),
    ("hashAlg", Needed::Always),
    ("input", Needed::Perhaps),
    ("metadata", Needed::Always),
    ("output", Needed::Perhaps),
    ("policy", Needed::Perhaps),
    ("prevHash", Needed::Always),
    ("seq", Needed::Always),
    ("signatures", Needed::Always),
    ("subject", Needed::Always),
    ("ts", Needed::Always),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Needed {
    Always,
    Perhaps,
}

/// Why a line is no record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineError {
    /// It is longer than any record.
    #[error("it has {0} bytes, and a record has at most {LONGEST}")]
    Long(usize),
    /// It is not canonical JSON.
    #[error("it is not canonical JSON at byte {at}: {what}")]
    Form {
        /// Where.
        at: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// It is JSON and not what AIP-7 describes.
    #[error("it is no audit-event: {0}")]
    Shape(&'static str),
}

/// A line that has the form of a record. Whether its hash fits is another question: [`Line::is_true`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'t> {
    text: &'t str,
    /// Where the member `hash` stands, with the comma after it.
    member: Span,
    /// Its number, from 0.
    pub seq: u64,
    /// When it was written, to the millisecond.
    pub ts: &'t str,
    /// What happened.
    pub action: &'t str,
    pub(super) before: Option<Hash>,
    pub(super) hash: Hash,
}

impl<'t> Line<'t> {
    /// Reads a line, without its newline.
    ///
    /// # Errors
    /// When it is not a record in canonical form.
    pub fn read(bytes: &'t [u8]) -> Result<Self, LineError> {
        if bytes.len() > LONGEST {
            return Err(LineError::Long(bytes.len()));
        }
        let text = std::str::from_utf8(bytes).map_err(|error| LineError::Form {
            at: error.valid_up_to(),
            what: "it is no UTF-8",
        })?;
        let mut scan = Scan::new(text);
        let mut found = [None; MEMBERS.len()];
        let mut member = Span::default();
        let mut next = 0;
        scan.each_member(0, |scan, key| {
            let (name, value) = (unquoted(scan.text_of(key)), scan.value(1)?);
            let ahead = MEMBERS
                .iter()
                .skip(next)
                .position(|(known, _)| Some(*known) == name);
            let at = next + ahead.ok_or(LineError::Shape("it has a member that is not known"))?;
            next = at + 1;
            if name == Some("hash") {
                member = Span {
                    start: key.start,
                    end: value.end + 1,
                };
            }
            if let Some(slot) = found.get_mut(at) {
                *slot = Some(value);
            }
            Ok(())
        })?;
        scan.end()?;
        Self::made(&scan, text, &found, member)
    }

    fn made(
        scan: &Scan<'t>,
        text: &'t str,
        found: &[Option<Span>; MEMBERS.len()],
        member: Span,
    ) -> Result<Self, LineError> {
        let missing = MEMBERS
            .iter()
            .zip(found)
            .any(|((_, needed), span)| *needed == Needed::Always && span.is_none());
        if missing {
            return Err(LineError::Shape("a member is missing"));
        }
        let raw = |name: &str| {
            let at = MEMBERS.iter().position(|(known, _)| *known == name)?;
            found.get(at).copied().flatten().map(|span| scan.text_of(span))
        };
        let word = |name: &str| raw(name).and_then(unquoted).unwrap_or_default();
        if word("$schema") != SCHEMA || word("doctype") != DOCTYPE || word("hashAlg") != ALGORITHM {
            return Err(LineError::Shape("$schema, doctype or hashAlg is another"));
        }
        for name in ["actor", "metadata", "subject"] {
            if !raw(name).is_some_and(|text| text.starts_with('{')) {
                return Err(LineError::Shape("actor, metadata or subject is no object"));
            }
        }
        let before = match word("prevHash") {
            GENESIS => None,
            digits => Some(unhex(digits.as_bytes()).ok_or(LineError::Shape("prevHash is no hash"))?),
        };
        let hash = unhex(word("hash").as_bytes()).ok_or(LineError::Shape("hash is no hash"))?;
        let seq = raw("seq").and_then(|text| text.parse().ok());
        let (action, ts) = (word("action"), word("ts"));
        if !is_action(action) || !is_time(ts) {
            return Err(LineError::Shape("action or ts is not written as it should be"));
        }
        Ok(Self {
            text,
            member,
            seq: seq.ok_or(LineError::Shape("seq is no number from 0"))?,
            ts,
            action,
            before,
            hash,
        })
    }

    /// Whether the hash that the line names is its own.
    pub fn is_true(&self) -> bool {
        let bytes = self.text.as_bytes();
        let (before, after) = (bytes.get(..self.member.start), bytes.get(self.member.end..));
        let parts = [before.unwrap_or_default(), after.unwrap_or_default()];
        hash(&parts) == self.hash
    }

    /// Returns the line itself.
    pub fn text(&self) -> &'t str {
        self.text
    }
}

/// The text of a string without escapes; one with escapes is nothing that we compare.
fn unquoted(text: &str) -> Option<&str> {
    let inner = text.strip_prefix('"')?.strip_suffix('"')?;
    (!inner.contains('\\')).then_some(inner)
}

/// `^[a-z][a-z0-9._-]*[a-z0-9]$`, at most 128.
fn is_action(text: &str) -> bool {
    let bytes = text.as_bytes();
    let inside = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"._-".contains(byte);
    (2..=128).contains(&bytes.len())
        && bytes.iter().all(inside)
        && bytes.first().is_some_and(u8::is_ascii_lowercase)
        && bytes.last().is_some_and(|byte| byte.is_ascii_alphanumeric())
}

/// `2026-01-02T03:04:05.678Z`: one form, so that times can be compared as text.
fn is_time(text: &str) -> bool {
    const FORM: &[u8; 24] = b"dddd-dd-ddTdd:dd:dd.dddZ";
    text.len() == FORM.len()
        && text.bytes().zip(FORM).all(|(byte, form)| match form {
            b'd' => byte.is_ascii_digit(),
            _ => byte == *form,
        })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Map, Value, json};

    use super::super::event::{Action, Event};
    use super::super::record::{Made, Place};
    use super::*;

    fn made(event: &Event) -> Made {
        let place = Place {
            seq: 7,
            ts: "2026-01-02T03:04:05.678Z".into(),
            before: Some([3; 32]),
        };
        Made::new(event, &place).unwrap()
    }

    fn line() -> String {
        let event = Event::new(Action::CliInvoked, "call", "cli", Some("git log"));
        let event = event
            .with("command", "git log \u{1}\"é\u{1f600}")
            .with("nested", json!({"b": [1, {"a": null}], "a": -3}));
        String::from_utf8(made(&event).line)
            .unwrap()
            .trim_end()
            .to_owned()
    }

    #[test]
    fn what_we_write_is_read_and_its_hash_fits() {
        let text = line();
        let read = Line::read(text.as_bytes()).unwrap();
        assert_eq!(
            (read.seq, read.ts, read.action),
            (7, "2026-01-02T03:04:05.678Z", "cli.invoked")
        );
        assert_eq!(read.before, Some([3; 32]));
        assert!(read.is_true());
    }

    #[test]
    fn the_hash_is_that_of_the_canonical_record_without_its_hash() {
        let text = line();
        let mut value: Map<String, Value> = serde_json::from_str(&text).unwrap();
        let stated = value.shift_remove("hash").unwrap();
        let mut canonical = Vec::new();
        super::super::canonical::object(&mut canonical, &value).unwrap();
        assert_eq!(stated, super::super::hash::hex(&hash(&[&canonical])));
    }

    #[test]
    fn another_spelling_of_the_same_record_is_no_record() {
        let text = line();
        let check = |from: &str, to: &str, why: &str| {
            assert!(text.contains(from), "{from}");
            let error = Line::read(text.replacen(from, to, 1).as_bytes())
                .unwrap_err()
                .to_string();
            assert!(error.contains(why), "{to}: {error}");
        };
        check("\"seq\":7", "\"seq\": 7", "canonical");
        check("\"seq\":7", "\"seq\":07", "canonical");
        check("\"seq\":7", "\"seq\":7.0", "canonical");
        check("\"seq\":7", "\"seq\":-7", "seq");
        check("\"seq\":7", "\"seq\":-0", "canonical");
        check("\"seq\":7", "\"seq\":99999999999999999", "canonical");
        check("\\u0001", "\\u0041", "canonical");
        check("\\u0001", "\\u000A", "canonical");
        check("\\u0001", "\\/", "canonical");
        check("\\u0001", "\u{1}", "canonical");
        check(
            "{\"a\":-3,\"b\":[1,{\"a\":null}]}",
            "{\"b\":1,\"a\":2}",
            "canonical",
        );
        check(
            "{\"a\":-3,\"b\":[1,{\"a\":null}]}",
            "{\"a\":1,\"a\":2}",
            "canonical",
        );
        check("\"signatures\"", "\"signaturez\"", "not known");
        check("\"signatures\":[],", "", "missing");
        check("audit-event", "audit-evenT", "doctype");
        check("cli.invoked", "cli.invoked.", "action");
        check(".678Z", ".678z", "ts");
        check("\"prevHash\":\"03", "\"prevHash\":\"0X", "prevHash");
        let long = text.replacen("git log", &"x".repeat(LONGEST), 1);
        assert!(matches!(Line::read(long.as_bytes()), Err(LineError::Long(_))));
        let deep = text.replacen("-3", &format!("{}{}", "[".repeat(200), "]".repeat(200)), 1);
        assert!(
            Line::read(deep.as_bytes())
                .unwrap_err()
                .to_string()
                .contains("deep")
        );
        assert!(Line::read(format!("{text} ").as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_are_answered(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = Line::read(&bytes);
        }

        #[test]
        fn a_changed_byte_is_no_record_or_not_true(at in 0..1000usize, byte in any::<u8>()) {
            let mut bytes = line().into_bytes();
            let at = at % bytes.len();
            prop_assume!(bytes[at] != byte);
            bytes[at] = byte;
            prop_assert!(!Line::read(&bytes).is_ok_and(|line| line.is_true()));
        }

        #[test]
        fn a_record_of_any_text_is_read(id in any::<String>(), key in any::<String>(), value in any::<String>()) {
            let event = Event::new(Action::AuditNote, &id, "audit", Some(&value)).with(&key, json!({key.clone(): [value]}));
            let made = made(&event);
            let text = made.line.strip_suffix(b"\n").unwrap();
            let read = Line::read(text).unwrap();
            prop_assert!(read.is_true());
            prop_assert_eq!(read.hash, made.hash);
        }
    }
}
