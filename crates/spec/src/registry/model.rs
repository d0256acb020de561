//! `registry.json`: which tools are known, and where what is known about each lies (ATIP §3.3.2).

use indexmap::IndexMap;
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::atip::Extra;

/// The version that we write.
pub(super) const VERSION: &str = "0.1";

/// The index of known tools.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Registry {
    /// The version of the format.
    pub version: String,
    /// When it was last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub updated: Option<Timestamp>,
    /// How often it was changed. A reader that has seen this number has seen this registry.
    #[serde(default)]
    pub revision: u64,
    /// The tools, by name.
    pub tools: IndexMap<String, Entry>,
    /// What no draft defines.
    #[serde(flatten)]
    pub extra: Extra,
    /// Entries that were not understood. They are no tools to us, and are written back for whoever wrote them.
    #[serde(skip)]
    #[schemars(skip)]
    pub unread: IndexMap<String, Value>,
}

/// What the index says about one tool. Paths are hints, to be looked at again.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// The executable: absolute, or below the home when it starts with `~/`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The version of the tool.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The version of the protocol that its metadata speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub atip_version: Option<String>,
    /// Where the metadata comes from.
    pub source: Source,
    /// The file of metadata made by hand; relative to the registry's directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shim_path: Option<String>,
    /// When the tool was last looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub last_checked: Option<Timestamp>,
    /// The cache entry; relative to the registry's directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metadata_path: Option<String>,
    /// What no draft defines.
    #[serde(flatten)]
    pub extra: Extra,
}

/// Where metadata comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The tool itself answers `--agent`.
    Native,
    /// A file that somebody wrote about it.
    Shim,
    /// Its help text.
    Inferred,
    /// The user.
    Manual,
}

impl Source {
    /// Every source, in the order of the draft's table.
    pub const ALL: [Self; 4] = [Self::Native, Self::Shim, Self::Inferred, Self::Manual];

    /// Returns the word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Native => "native",
            Self::Shim => "shim",
            Self::Inferred => "inferred",
            Self::Manual => "manual",
        }
    }

    /// Returns the source that this word means.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|source| source.as_str() == word)
    }
}

impl Default for Registry {
    fn default() -> Self {
        Self {
            version: VERSION.to_owned(),
            updated: None,
            revision: 0,
            tools: IndexMap::new(),
            extra: Extra::new(),
            unread: IndexMap::new(),
        }
    }
}

impl Entry {
    /// Returns an entry that says nothing but its source.
    pub fn new(source: Source) -> Self {
        Self {
            path: None,
            version: None,
            atip_version: None,
            source,
            shim_path: None,
            last_checked: None,
            metadata_path: None,
            extra: Extra::new(),
        }
    }
}

impl Registry {
    /// The longest file that is read.
    pub const MAX_BYTES: usize = 32 << 20;

    /// Returns the text of the file: laid out for people, a newline at the end.
    pub fn emit(&self) -> String {
        let mut json = serde_json::to_value(self).unwrap_or_default();
        if let Some(tools) = json.get_mut("tools").and_then(Value::as_object_mut) {
            for (name, entry) in &self.unread {
                // A tool of this name was understood since: it takes the place.
                tools.entry(name.clone()).or_insert_with(|| entry.clone());
            }
        }
        format!("{json:#}\n")
    }
}
