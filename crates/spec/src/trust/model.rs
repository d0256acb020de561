//! The pins as types, and the text that they are written as.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use jiff::Timestamp;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::atip::Extra;
use crate::digest::Digest;
use crate::identity::Identity;

/// The version that we write.
pub(super) const VERSION: &str = "0.1";

/// What marks a symlink, and a file that may be executed.
const LINK: &str = "link:";
const EXECUTABLE: &str = "+x";

/// What a person trusts.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TrustFile {
    /// The version of the format.
    pub version: String,
    /// How often it was changed.
    #[serde(default)]
    pub revision: u64,
    /// Tools, by name.
    #[serde(default)]
    pub tools: IndexMap<String, ToolPin>,
    /// Projects, by the absolute path of their directory.
    #[serde(default)]
    pub projects: IndexMap<String, ProjectPin>,
    /// What is not ours: kept as it came.
    #[serde(flatten)]
    pub extra: Extra,
}

/// A tool as it was when it was seen first, or accepted.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ToolPin {
    /// How far it is trusted.
    pub trust: ToolTrust,
    /// The executable.
    pub path: String,
    /// The digest of the executable.
    pub binary: Digest,
    /// The digest of its metadata, as it is kept.
    pub metadata: Digest,
    /// The digest of what the tool said, where `redact` took some of it away before it was kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<Digest>,
    /// Which file the executable was, so that it need not be read as long as it is the same.
    pub identity: Identity,
    /// When it was pinned.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// When the executable was last read; `at` where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub checked: Option<Timestamp>,
    /// What is not ours: kept as it came.
    #[serde(flatten)]
    pub extra: Extra,
}

/// How far a tool is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum ToolTrust {
    /// It was there, and nobody was asked.
    FirstUse,
    /// A person said yes.
    Accepted,
    /// A person said no.
    Denied,
}

/// A project as it was when a person accepted it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ProjectPin {
    /// The digest of all that it offers.
    pub digest: Digest,
    /// Each file, by its path in the project.
    pub files: IndexMap<String, FilePin>,
    /// Hosts of its git remotes that the person was shown. Others are strangers', whoever writes them later.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remotes: Vec<String>,
    /// When it was accepted.
    #[schemars(with = "String")]
    pub at: Timestamp,
    /// What is not ours: kept as it came.
    #[serde(flatten)]
    pub extra: Extra,
}

/// One file of a project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FilePin {
    /// `sha256:…`: a file with these bytes.
    Plain(Digest),
    /// `sha256:…+x`: the same, and it may be executed.
    Executable(Digest),
    /// `link:…`: a symlink with this text.
    Link(String),
}

impl ToolTrust {
    /// Every kind, the least first.
    pub const ALL: [Self; 3] = [Self::FirstUse, Self::Accepted, Self::Denied];

    /// Returns the word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FirstUse => "first-use",
            Self::Accepted => "accepted",
            Self::Denied => "denied",
        }
    }

    /// Returns what this word means.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|trust| trust.as_str() == word)
    }
}

impl FilePin {
    /// Reads the text of a pin.
    pub fn parse(text: &str) -> Option<Self> {
        if let Some(target) = text.strip_prefix(LINK) {
            return Some(Self::Link(target.to_owned()));
        }
        match text.strip_suffix(EXECUTABLE) {
            Some(digest) => digest.parse().ok().map(Self::Executable),
            None => text.parse().ok().map(Self::Plain),
        }
    }
}

impl fmt::Display for FilePin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(digest) => write!(f, "{digest}"),
            Self::Executable(digest) => write!(f, "{digest}{EXECUTABLE}"),
            Self::Link(target) => write!(f, "{LINK}{target}"),
        }
    }
}

impl Serialize for FilePin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for FilePin {
    fn schema_name() -> Cow<'static, str> {
        "FilePin".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The digest of a file (+x when it may be executed), or the text of a symlink",
            "type": "string",
            "pattern": "^(sha256:[0-9a-f]{64}(\\+x)?|link:.*)$",
        })
    }
}

impl Default for TrustFile {
    fn default() -> Self {
        Self {
            version: VERSION.to_owned(),
            revision: 0,
            tools: IndexMap::new(),
            projects: IndexMap::new(),
            extra: Extra::new(),
        }
    }
}

impl TrustFile {
    /// The longest file that is read.
    pub const MAX_BYTES: usize = 64 << 20;

    /// Returns the text of the file: laid out for people, a newline at the end.
    pub fn emit(&self) -> String {
        let json = serde_json::to_value(self).unwrap_or_default();
        format!("{json:#}\n")
    }
}
