//! `tools/NAME.json`: what a tool said, when, and of which executable (ATIP §3.5.2).
//!
//! The checksum is the SHA-256 of the metadata's compact JSON: no blanks between tokens, members in their order, as
//! the file itself holds them. An entry whose checksum is wrong is no entry.

use std::time::Duration;

use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::model::Source;
use crate::atip::{Extra, check_tool_name};
use crate::digest::Digest;
use crate::doc::{Diagnostic, Document, Limits, Node, Severity};
use crate::identity::Identity;
use crate::record::{Record, wrong};

/// The code of complaints.
const INVALID: &str = "cache/invalid";

/// How much is read: the metadata of one tool, and a little around it.
const LIMITS: Limits = Limits {
    bytes: CacheEntry::MAX_BYTES,
    depth: Limits::metadata().depth + 2,
    nodes: Limits::metadata().nodes + 1_000,
};

/// What is remembered of one tool.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct CacheEntry {
    /// The name of the tool.
    pub tool: String,
    /// The version of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The version of the protocol that its metadata speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atip_version: Option<String>,
    /// When it was asked.
    #[schemars(with = "String")]
    pub cached_at: Timestamp,
    /// When it has to be asked again.
    #[schemars(with = "String")]
    pub expires_at: Timestamp,
    /// The digest of the metadata.
    pub checksum: Digest,
    /// The metadata, as it was answered.
    pub metadata: Value,
    /// The executable that answered.
    #[serde(rename = "x-binary", skip_serializing_if = "Option::is_none")]
    pub binary: Option<Stamp>,
    /// How it was asked, where that was not `--agent`.
    #[serde(rename = "x-dialect", skip_serializing_if = "Option::is_none")]
    pub dialect: Option<String>,
    /// The digest of what was said, where `redact` took some of it away.
    #[serde(rename = "x-said", skip_serializing_if = "Option::is_none")]
    pub said: Option<Digest>,
    /// Where the metadata comes from; the registry says the same.
    #[serde(rename = "x-source", skip_serializing_if = "Option::is_none")]
    pub source: Option<Source>,
    /// What no draft defines.
    #[serde(flatten)]
    pub extra: Extra,
}

/// The executable that answered.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Stamp {
    /// Which file it was.
    #[serde(flatten)]
    pub identity: Identity,
    /// Where it lay; `~/` for the home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
}

impl CacheEntry {
    /// The longest file that is read.
    pub const MAX_BYTES: usize = Limits::metadata().bytes + (1 << 16);

    /// Makes the entry of metadata that was got `now` and is good for `max_age`.
    pub fn new(tool: &str, metadata: Value, now: Timestamp, max_age: Duration) -> Self {
        let now = whole_seconds(now);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let atip = metadata.get("atip");
        Self {
            tool: tool.to_owned(),
            version: metadata.get("version").and_then(text),
            atip_version: atip.and_then(|atip| text(atip).or_else(|| text(atip.get("version")?))),
            cached_at: now,
            expires_at: now.saturating_add(max_age).unwrap_or(Timestamp::MAX),
            checksum: checksum(&metadata),
            metadata,
            binary: None,
            dialect: None,
            said: None,
            source: None,
            extra: Extra::new(),
        }
    }

    /// Notes what was said in full, if the entry holds less of it.
    #[must_use]
    pub fn said(mut self, in_full: &Value) -> Self {
        self.said = Some(checksum(in_full)).filter(|said| *said != self.checksum);
        self
    }

    /// Reads the text of an entry, and checks its checksum.
    ///
    /// # Errors
    /// When it is no entry, its name is none, or its metadata is not what was written.
    pub fn load(text: &[u8]) -> Result<Self, Diagnostic> {
        let document = Document::json(text, &LIMITS)?;
        let root = &document.root;
        let mut fields = Record::of(root, INVALID)?;
        let tool = fields.text("tool")?;
        let tool = fields.need("tool", tool)?;
        if let Err(problem) = check_tool_name(&tool) {
            return Err(Diagnostic::new(
                Severity::Error,
                "cache/name",
                root.span,
                problem.to_string(),
            ));
        }
        let version = fields.text("version")?;
        let atip_version = fields.text("atipVersion")?;
        let cached_at = fields.time("cachedAt")?;
        let cached_at = fields.need("cachedAt", cached_at)?;
        let expires_at = fields.time("expiresAt")?;
        let expires_at = fields.need("expiresAt", expires_at)?;
        let checksum = fields.digest("checksum")?;
        let checksum = fields.need("checksum", checksum)?;
        let metadata = fields.node("metadata");
        let metadata = fields.need("metadata", metadata)?;
        if metadata.as_object().is_none() {
            return Err(wrong(INVALID, metadata, "metadata", "an object"));
        }
        let binary = fields.node("x-binary").map(Stamp::decode).transpose()?;
        let dialect = fields.text("x-dialect")?;
        let said = fields.digest("x-said")?;
        let source = fields.read("x-source", "native, shim, inferred or manual", |node| {
            node.as_str().and_then(Source::parse)
        })?;
        Ok(Self {
            tool,
            version,
            atip_version,
            cached_at,
            expires_at,
            checksum,
            metadata: verified(text, metadata, checksum)?,
            binary,
            dialect,
            said,
            source,
            extra: fields.rest(),
        })
    }

    /// Returns the text of the file: compact, a newline at the end.
    pub fn emit(&self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        format!("{json}\n")
    }
}

impl Stamp {
    fn decode(node: &Node) -> Result<Self, Diagnostic> {
        let mut fields = Record::of(node, INVALID)?;
        Ok(Self {
            identity: Identity::take(&mut fields)?,
            path: fields.text("path")?,
        })
    }
}

/// Returns the digest of metadata, as it stands in `checksum`.
fn checksum(metadata: &Value) -> Digest {
    Digest::of(metadata.to_string())
}

/// Compares what stands in the file first, byte by byte: reading a number and writing it again may change its spelling.
fn verified(text: &[u8], metadata: &Node, expected: Digest) -> Result<Value, Diagnostic> {
    let raw = text
        .get(metadata.span.start..metadata.span.end)
        .unwrap_or_default();
    let value = metadata.to_json();
    if Digest::of(raw) == expected || checksum(&value) == expected {
        return Ok(value);
    }
    let message = "checksum: the metadata is not what was written";
    Err(Diagnostic::new(
        Severity::Error,
        "cache/checksum",
        metadata.span,
        message,
    ))
}

/// Fractions of a second say nothing here, and other programs may not read them.
fn whole_seconds(time: Timestamp) -> Timestamp {
    Timestamp::from_second(time.as_second()).unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const WEEK: Duration = Duration::from_secs(7 * 24 * 60 * 60);

    fn entry() -> CacheEntry {
        let metadata =
            json!({"atip": "0.1", "name": "gh", "version": "2.45.0", "description": "GitHub", "x": [1.5]});
        let now = "2026-01-05T10:30:00.25Z".parse().unwrap();
        CacheEntry {
            binary: Some(Stamp {
                identity: Identity {
                    device: 1,
                    inode: u64::MAX,
                    size: 3,
                    mtime: -1,
                    ctime: 1_700_000_000_123_456_789,
                },
                path: Some("~/bin/gh".to_owned()),
            }),
            dialect: Some("help-json".to_owned()),
            source: Some(Source::Native),
            ..CacheEntry::new("gh", metadata, now, WEEK)
        }
    }

    #[test]
    fn an_entry_has_the_drafts_form_and_is_read_again() {
        let entry = entry();
        let json: Value = serde_json::from_str(&entry.emit()).unwrap();
        assert_eq!(json["cachedAt"], "2026-01-05T10:30:00Z");
        assert_eq!(json["expiresAt"], "2026-01-12T10:30:00Z");
        assert_eq!(
            (&json["version"], &json["atipVersion"]),
            (&json!("2.45.0"), &json!("0.1"))
        );
        assert_eq!(
            json["checksum"],
            Digest::of(r#"{"atip":"0.1","name":"gh","version":"2.45.0","description":"GitHub","x":[1.5]}"#)
                .to_string()
        );
        assert_eq!(CacheEntry::load(entry.emit().as_bytes()).unwrap(), entry);
        // Laid out by somebody else, it is the same entry.
        assert_eq!(CacheEntry::load(format!("{json:#}").as_bytes()).unwrap(), entry);
    }

    #[test]
    fn the_object_form_of_the_version_is_understood() {
        let now = Timestamp::UNIX_EPOCH;
        let entry = CacheEntry::new("x", json!({"atip": {"version": "0.6"}}), now, WEEK);
        assert_eq!(entry.atip_version.as_deref(), Some("0.6"));
    }

    #[test]
    fn a_changed_entry_is_no_entry() {
        let check = |change: &dyn Fn(&mut Value), want: &str| {
            let mut json: Value = serde_json::from_str(&entry().emit()).unwrap();
            change(&mut json);
            let problem = CacheEntry::load(json.to_string().as_bytes()).unwrap_err();
            assert!(problem.message.contains(want), "{want}: {}", problem.message);
        };
        check(
            &|json| json["metadata"]["description"] = json!("Git"),
            "not what was written",
        );
        check(
            &|json| json["metadata"]["effects"] = json!({"destructive": false}),
            "not what was written",
        );
        check(
            &|json| json["checksum"] = json!("sha256:00"),
            "checksum: expected",
        );
        check(&|json| json["tool"] = json!("../x"), "may not hold '/'");
        check(&|json| json["tool"] = json!(7), "tool: expected a text");
        check(
            &|json| json["expiresAt"] = json!("never"),
            "expiresAt: expected a time",
        );
        check(
            &|json| json["metadata"] = json!([]),
            "metadata: expected an object",
        );
        check(
            &|json| json["x-binary"] = json!({"device": 1}),
            "inode is missing",
        );
        check(
            &|json| {
                json.as_object_mut().unwrap().shift_remove("cachedAt");
            },
            "cachedAt is missing",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<Vec<u8>>()) {
            let _ = CacheEntry::load(&text);
        }

        #[test]
        fn any_metadata_is_read_again(number in any::<f64>(), text in any::<String>(), key in any::<String>()) {
            let metadata = json!({key: [number, text]});
            let entry = CacheEntry::new("x", metadata, Timestamp::UNIX_EPOCH, WEEK);
            let read = CacheEntry::load(entry.emit().as_bytes()).unwrap();
            prop_assert_eq!(read.checksum, entry.checksum);
        }
    }
}
