//! Arguments, options and their types (ATIP §3.2.3, §3.2.4, §3.2.5).

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use super::Extra;

/// What kind of value it takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// True or false; an option without a value.
    Boolean,
    /// The path of a file.
    File,
    /// The path of a directory.
    Directory,
    /// A URL.
    Url,
    /// One of the values that `enum` lists.
    Enum,
    /// A list of values.
    Array,
}

impl Kind {
    /// Every kind, in the draft's order.
    pub const ALL: [Self; 9] = [
        Self::String,
        Self::Integer,
        Self::Number,
        Self::Boolean,
        Self::File,
        Self::Directory,
        Self::Url,
        Self::Enum,
        Self::Array,
    ];

    /// Returns the draft's word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::File => "file",
            Self::Directory => "directory",
            Self::Url => "url",
            Self::Enum => "enum",
            Self::Array => "array",
        }
    }

    /// Returns the kind that the draft calls so.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// A positional argument.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Argument {
    /// Its name, for display.
    pub name: String,
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// What it stands for.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// Whether it must be given. It must, unless this says no.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// What holds when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// Whether it may be given several times, each a word of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variadic: Option<bool>,
    /// The values it may have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// A regular expression that the value matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The whole JSON Schema of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Argument {
    /// Whether it must be given: so unless it says otherwise or has a default.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(self.default.is_none())
    }
}

/// An option: one or more flags, and a value unless it is boolean.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema, Default)]
#[serde(rename_all = "camelCase")]
pub struct Opt {
    /// Its name, for programs.
    pub name: String,
    /// How it is written: `-o`, `--output`.
    pub flags: Vec<String>,
    /// What kind of value it takes.
    #[serde(rename = "type")]
    pub kind: Kind,
    /// What it controls.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub description: String,
    /// Whether it must be given. It need not, unless this says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub required: Option<bool>,
    /// What holds when it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The values it may have.
    #[serde(rename = "enum", skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<Value>>,
    /// The variable that gives it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_var: Option<String>,
    /// The options, by name, that it cannot stand beside.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub exclusive: Vec<String>,
    /// Whether it may be given several times.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub variadic: Option<bool>,
    /// A regular expression that the value matches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pattern: Option<String>,
    /// The whole JSON Schema of the value.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub schema: Option<Value>,
    /// Everything else.
    #[serde(flatten)]
    pub extra: Extra,
}

impl Opt {
    /// Whether it must be given.
    pub fn is_required(&self) -> bool {
        self.required.unwrap_or(false)
    }
}
