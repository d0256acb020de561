//! AIP-29, Output conventions: formats, the flag for JSON, what exit codes mean, which stream is which.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::rules::EXIT_CODE;
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{CommandLine, Field, TWICE, VALUE, command_line, texts_or_none};

/// What the draft's own codes mean.
const RESERVED: [(u8, &str); 6] = [
    (0, "ok"),
    (1, "error"),
    (2, "usage_error"),
    (4, "auth_required"),
    (124, "timeout"),
    (137, "killed"),
];
const FORMATS: [(&str, Format); 4] = [
    ("text", Format::Text),
    ("json", Format::Json),
    ("yaml", Format::Yaml),
    ("binary", Format::Binary),
];
const STREAMS: [(&str, Stream); 3] = [
    ("stdout", Stream::Stdout),
    ("stderr", Stream::Stderr),
    ("mixed", Stream::Mixed),
];

/// How a program prints.
#[derive(Debug, Clone, PartialEq, Default, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Output {
    /// What it prints when it is not asked for JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default_format: Option<Format>,
    /// What makes it print JSON: one flag or several words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_flag: Option<CommandLine>,
    /// What the flag wants after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub json_flag_args: Option<Vec<Spanned<String>>>,
    /// What its exit codes mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exit_codes: Option<ExitCodes>,
    /// Where results are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stream: Option<Stream>,
    /// Where errors are printed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error_stream: Option<Stream>,
}

/// What is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// For people.
    Text,
    /// JSON.
    Json,
    /// YAML.
    Yaml,
    /// Neither text nor anything else that is read.
    Binary,
}

/// Where it is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Stream {
    /// Standard output.
    Stdout,
    /// Standard error.
    Stderr,
    /// Both.
    Mixed,
}

/// The meaning of each exit code.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ExitCodes(BTreeMap<u8, Spanned<String>>);

impl ExitCodes {
    /// Returns what a code means, by this map or else by the draft.
    pub fn meaning(&self, code: u8) -> Option<&str> {
        let own = self.0.get(&code).map(|meaning| meaning.as_str());
        own.or_else(|| reserved(code))
    }

    /// Returns what codes mean where nothing is written.
    pub fn reserved() -> BTreeMap<u8, String> {
        let meanings = RESERVED.iter();
        meanings
            .map(|(code, meaning)| (*code, (*meaning).to_owned()))
            .collect()
    }

    /// Returns what is written.
    pub fn iter(&self) -> impl Iterator<Item = (u8, &Spanned<String>)> {
        self.0.iter().map(|(code, meaning)| (*code, meaning))
    }
}

fn reserved(code: u8) -> Option<&'static str> {
    let known = RESERVED.iter().find(|(known, _)| *known == code);
    known.map(|(_, meaning)| *meaning)
}

impl Serialize for ExitCodes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(code, meaning)| (code.to_string(), meaning)))
    }
}

impl JsonSchema for ExitCodes {
    fn schema_name() -> Cow<'static, str> {
        "ExitCodes".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What each exit code means.",
            "type": "object",
            "propertyNames": {"pattern": "^[0-9]{1,3}$"},
            "additionalProperties": {"type": "string", "pattern": "^[a-z][a-z0-9_]+$"},
        })
    }
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Output> {
    let mut object = field.open(out)?;
    let output = Output {
        default_format: object
            .take("default_format")
            .and_then(|field| field.choice(&FORMATS, out)),
        json_flag: object
            .take("json_flag")
            .and_then(|field| command_line(&field, out)),
        json_flag_args: texts_or_none(object.take("json_flag_args"), out),
        exit_codes: object
            .take("exit_codes")
            .and_then(|field| exit_codes(&field, out)),
        stream: object
            .take("stream")
            .and_then(|field| field.choice(&STREAMS, out)),
        error_stream: object
            .take("error_stream")
            .and_then(|field| field.choice(&STREAMS, out)),
    };
    object.shut(out);
    Some(output)
}

/// Reads the map. Its names are numbers, quoted or not.
fn exit_codes(field: &Field<'_>, out: &mut Complaints) -> Option<ExitCodes> {
    let object = field.open(out)?;
    let mut codes = BTreeMap::new();
    for (member, value) in object.members() {
        let digits = member.key.bytes().all(|byte| byte.is_ascii_digit());
        let code = member.key.parse::<u8>().ok().filter(|_| digits);
        let is_meaning = |text: &str| {
            (2..=64).contains(&text.len())
                && text.starts_with(|c: char| c.is_ascii_lowercase())
                && text
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let hint = "write small letters, digits and '_'";
        let meaning = value.shaped(is_meaning, "a word such as \"usage_error\"", hint, out);
        let Some(code) = code else {
            let what = format!(
                "{}: expected an exit code from 0 to 255, got {}",
                field.path,
                Quoted(&member.key)
            );
            out.push(
                VALUE
                    .error(member.key_span, what)
                    .hint("write the number that the program exits with"),
            );
            continue;
        };
        let Some(meaning) = meaning else { continue };
        if let Some(draft) = reserved(code).filter(|draft| *draft != meaning.as_str()) {
            let what = format!(
                "{code} means {} in the draft, not {}",
                Quoted(draft),
                Quoted(&meaning)
            );
            out.push(
                value
                    .warn(EXIT_CODE, what)
                    .hint("give it the draft's meaning if it has that"),
            );
        }
        if codes.insert(code, meaning).is_some() {
            let what = format!("{}: the exit code {code} stands twice", field.path);
            out.push(TWICE.error(member.key_span, what).hint("remove one of the two"));
        }
    }
    Some(ExitCodes(codes))
}
