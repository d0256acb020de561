//! AIP-29, Output conventions: formats, the flag for JSON, what exit codes mean, which stream is which.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use super::rules::EXIT_CODE;
use crate::declare::{AnyText, Decode, List, manifest, name, own, texts, words};
use crate::doc::Spanned;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{CommandLine, Field, TWICE, VALUE};

/// What the draft's own codes mean.
const RESERVED: [(u8, &str); 6] = [
    (0, "ok"),
    (1, "error"),
    (2, "usage_error"),
    (4, "auth_required"),
    (124, "timeout"),
    (137, "killed"),
];

manifest! {
    /// How a program prints.
    #[derive(Default)]
    pub struct Output closed {
        /// What it prints when it is not asked for JSON.
        may default_format: Option<Format>,
        /// What makes it print JSON: one flag or several words.
        may json_flag: Option<CommandLine>,
        /// What the flag wants after it.
        may json_flag_args: Option<Vec<Spanned<String>>> as List<AnyText>,
        /// What its exit codes mean.
        may exit_codes: Option<ExitCodes>,
        /// Where results are printed.
        may stream: Option<Stream>,
        /// Where errors are printed.
        may error_stream: Option<Stream>,
    }
}

words! {
    /// What is printed.
    pub enum Format {
        /// For people.
        Text = "text",
        /// JSON.
        Json = "json",
        /// YAML.
        Yaml = "yaml",
        /// Neither text nor anything else that is read.
        Binary = "binary",
    }

    /// Where it is printed.
    pub enum Stream {
        /// Standard output.
        Stdout = "stdout",
        /// Standard error.
        Stderr = "stderr",
        /// Both.
        Mixed = "mixed",
    }
}

texts! {
    /// What an exit code means.
    ExitMeaning = name("a-z", "a-z0-9_", "a-z0-9_", 2..=64),
        "a word such as \"usage_error\"", "write small letters, digits and '_'";
}

own! {
    ExitCodes: |field, out| exit_codes(field, out);
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

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let meaning = <String as Decode<ExitMeaning>>::schema(generator);
        json_schema!({
            "description": "What each exit code means.",
            "type": "object",
            "propertyNames": {"pattern": "^0*(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$"},
            "additionalProperties": meaning,
        })
    }
}

/// Reads the map. Its names are numbers, quoted or not.
fn exit_codes(field: &Field<'_>, out: &mut Complaints) -> Option<ExitCodes> {
    let object = field.open(out)?;
    let mut codes = BTreeMap::new();
    for (member, value) in object.members() {
        let digits = member.key.bytes().all(|byte| byte.is_ascii_digit());
        let code = member.key.parse::<u8>().ok().filter(|_| digits);
        let meaning = <Spanned<String> as Decode<ExitMeaning>>::decode(&value, out);
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
