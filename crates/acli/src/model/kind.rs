//! What an argument's value is: the seven types of ACLI §7.2, and five that real tools need.

use serde_json::{Value, json};

/// The type of an argument.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    String,
    /// A whole number of 64 bits.
    Integer,
    /// A number, decimals included.
    Number,
    /// `true` or `false`; as an option also `--x` and `--no-x`.
    Boolean,
    /// Presence means true.
    Flag,
    /// ISO 8601: a date, or a date with a time.
    DateTime,
    /// Comma-separated values of one type.
    Array(Box<Kind>),
    /// One of a fixed list.
    Enum(Vec<String>),
    /// A path to a file, inside the caller's roots.
    File,
    /// A path to a directory, inside the caller's roots.
    Directory,
    /// An absolute URL.
    Url,
    /// Any JSON text.
    Json,
}

impl Kind {
    /// Returns the type of a comma-separated list of texts.
    pub fn array() -> Self {
        Self::Array(Box::new(Self::String))
    }

    /// Returns the type of one choice among `values`.
    pub fn one_of<S: Into<String>>(values: impl IntoIterator<Item = S>) -> Self {
        Self::Enum(values.into_iter().map(Into::into).collect())
    }

    /// Returns the name that `help` shows.
    pub fn name(&self) -> &'static str {
        match self {
            Self::String => "string",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Flag => "flag",
            Self::DateTime => "datetime",
            Self::Array(_) => "array",
            Self::Enum(_) => "enum",
            Self::File => "file",
            Self::Directory => "directory",
            Self::Url => "url",
            Self::Json => "json",
        }
    }

    /// Returns what a person would be told to pass.
    pub fn expected(&self) -> &'static str {
        match self {
            Self::String => "text",
            Self::Integer => "an integer (e.g., 10, -5)",
            Self::Number => "a number (e.g., 3.14)",
            Self::Boolean => "true or false",
            Self::Flag => "no value",
            Self::DateTime => "an ISO8601 date (e.g., 2026-02-02 or 2026-02-02T10:00:00Z)",
            Self::Array(_) => "a comma-separated list (e.g., a,b,c)",
            Self::Enum(_) => "one of the listed values",
            Self::File => "a path to a file",
            Self::Directory => "a path to a directory",
            Self::Url => "an absolute URL (e.g., https://example.com/x)",
            Self::Json => "JSON (e.g., '{\"a\":1}')",
        }
    }

    /// Whether the value is a path that must stay inside the caller's roots.
    pub fn is_path(&self) -> bool {
        match self {
            Self::File | Self::Directory => true,
            Self::Array(item) => item.is_path(),
            Self::String
            | Self::Integer
            | Self::Number
            | Self::Boolean
            | Self::Flag
            | Self::DateTime
            | Self::Enum(_)
            | Self::Url
            | Self::Json => false,
        }
    }

    /// Returns the JSON Schema of a value, without description or default (§6.3).
    pub fn schema(&self) -> Value {
        match self {
            Self::String => json!({"type": "string"}),
            Self::Integer => json!({"type": "integer"}),
            Self::Number => json!({"type": "number"}),
            Self::Boolean | Self::Flag => json!({"type": "boolean"}),
            Self::DateTime => json!({"type": "string", "format": "date-time"}),
            Self::Array(item) => json!({"type": "array", "items": item.schema()}),
            Self::Enum(values) => json!({"type": "string", "enum": values}),
            Self::File | Self::Directory => json!({"type": "string", "format": "path"}),
            Self::Url => json!({"type": "string", "format": "uri"}),
            Self::Json => json!({}),
        }
    }
}
