//! `config.json`: what a person allows, and how much.
//!
//! A file that cannot be read, is writable by others or says something we do not understand is a refusal,
//! never an empty configuration. Unknown keys are reported and change nothing.

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use argrail_acli::{Limits, Text};
use serde_json::{Map, Value};

use crate::catalog::file::{self, FileError, Keeper, Links, Reading};
use crate::places::Places;
use crate::strict_json;

/// How the file is read: it decides what agents may do, so nobody else may be able to write it or to put another in
/// its place.
const READING: Reading = Reading {
    keeper: Keeper::Trusted,
    links: Links::Follow,
    limit: strict_json::MAX_BYTES as u64,
};

/// Keys of the file that later parts of argrail read.
const LATER: [&str; 7] = [
    "tools",
    "skip",
    "maxAge",
    "mcpServers",
    "permissionPolicy",
    "delegations",
    "redact",
];

/// What a person has set. The default is what holds without a file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The only commands that may be called, if set.
    pub allow: Option<Vec<String>>,
    /// Commands that may not be called.
    pub deny: Vec<String>,
    /// How often one caller may ask.
    pub rate_limit: Option<RateLimit>,
    /// Directories beside the working directory that path arguments may lead into.
    pub roots: Vec<PathBuf>,
    /// How long one call may take.
    pub call_timeout: Option<Duration>,
    /// What one command string may cost; only ever less than the draft's limits.
    pub limits: Limits,
    /// What was odd about the file, for a person to read.
    pub warnings: Vec<String>,
}

/// So many requests in so much time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// How many.
    pub requests: u32,
    /// In which time.
    pub per: Duration,
}

/// Why a configuration cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is there and cannot be read, or somebody else could have written it.
    #[error(transparent)]
    File(#[from] FileError),
    /// It is not the JSON we know.
    #[error("{}: {problem}", path.display())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// The place and what was expected there.
        problem: String,
    },
}

impl ConfigError {
    /// Returns what a person can do about it.
    pub fn hint(&self) -> Text {
        match self {
            Self::File(error) => error.hint(),
            Self::Invalid { .. } => Text::new("Correct the file; docs/guide.md lists every key"),
        }
    }
}

impl Config {
    /// Reads the configuration file; without one, the default holds.
    ///
    /// # Errors
    /// When the file is there and cannot be read, trusted or understood.
    pub fn load(places: &Places) -> Result<Self, ConfigError> {
        let path = places.config_file();
        let Some(found) = file::read(&path, &READING)? else {
            return Ok(Self::default());
        };
        let text = String::from_utf8(found.bytes)
            .map_err(|error| FileError::io(&path, io::Error::new(io::ErrorKind::InvalidData, error)))?;
        Self::parse(&text, places.home()).map_err(|problem| ConfigError::Invalid { path, problem })
    }

    /// Reads the text of a configuration file. `home` is what `~` means.
    fn parse(text: &str, home: &Path) -> Result<Self, String> {
        if text.len() > strict_json::MAX_BYTES {
            return Err(format!("longer than {} bytes", strict_json::MAX_BYTES));
        }
        let Value::Object(mut object) = strict_json::parse(text).map_err(|error| error.to_string())? else {
            return Err("expected an object".to_owned());
        };
        let mut config = Self {
            allow: take(&mut object, "allow", strings)?,
            deny: take(&mut object, "deny", strings)?.unwrap_or_default(),
            rate_limit: take(&mut object, "rateLimit", rate_limit)?,
            roots: take(&mut object, "roots", |value| roots(value, home))?.unwrap_or_default(),
            call_timeout: take(&mut object, "timeouts", timeouts)?.flatten(),
            limits: take(&mut object, "limits", limits)?.unwrap_or_default(),
            warnings: Vec::new(),
        };
        for key in object.keys() {
            let why = if LATER.contains(&key.as_str()) {
                "not used by this version"
            } else {
                "unknown key"
            };
            config.warnings.push(format!("{why}: {key:?}"));
        }
        Ok(config)
    }
}

/// Takes a key out of the object and reads it; a mistake is told with its key.
fn take<T>(
    object: &mut Map<String, Value>,
    key: &str,
    read: impl FnOnce(&Value) -> Result<T, String>,
) -> Result<Option<T>, String> {
    match object.shift_remove(key) {
        Some(value) => read(&value)
            .map(Some)
            .map_err(|problem| format!("{key}: {problem}")),
        None => Ok(None),
    }
}

/// Reads an object whose every key is known; `read` takes what it knows out of it.
fn closed<T>(
    value: &Value,
    read: impl FnOnce(&mut Map<String, Value>) -> Result<T, String>,
) -> Result<T, String> {
    let mut object = value.as_object().cloned().ok_or("expected an object")?;
    let result = read(&mut object)?;
    match object.keys().next() {
        Some(key) => Err(format!("unknown key {key:?}")),
        None => Ok(result),
    }
}

fn strings(value: &Value) -> Result<Vec<String>, String> {
    let list = value
        .as_array()
        .ok_or("expected a list of commands, such as [\"git push\"]")?;
    let text = |(at, item): (usize, &Value)| match item.as_str().map(str::trim) {
        Some("") | None => Err(format!("[{at}]: expected a command, such as \"git push\"")),
        Some(text) => Ok(text.to_owned()),
    };
    list.iter().enumerate().map(text).collect()
}

/// `{"requests": 60, "per": "1m"}`, or just the number of requests a minute.
fn rate_limit(value: &Value) -> Result<RateLimit, String> {
    if value.is_number() {
        return Ok(RateLimit {
            requests: requests(value)?,
            per: Duration::from_secs(60),
        });
    }
    closed(value, |object| {
        let requests = take(object, "requests", requests)?;
        let per = take(object, "per", duration)?;
        let (requests, per) = requests
            .zip(per)
            .ok_or("expected {\"requests\": 60, \"per\": \"1m\"}")?;
        Ok(RateLimit { requests, per })
    })
}

fn requests(value: &Value) -> Result<u32, String> {
    let number = value
        .as_u64()
        .and_then(|number| u32::try_from(number).ok())
        .filter(|number| *number > 0);
    number.ok_or_else(|| "expected a number from 1 on".to_owned())
}

fn timeouts(value: &Value) -> Result<Option<Duration>, String> {
    closed(value, |object| take(object, "call", duration))
}

/// A positive span of time as jiff's friendly format or ISO 8601 writes it: `500ms`, `1m`, `PT30S`.
fn duration(value: &Value) -> Result<Duration, String> {
    let expected = || format!("expected a time such as \"30s\" or \"1m\", got {value}");
    let span: jiff::SignedDuration = value
        .as_str()
        .and_then(|text| text.parse().ok())
        .ok_or_else(expected)?;
    Duration::try_from(span)
        .ok()
        .filter(|span| !span.is_zero())
        .ok_or_else(expected)
}

fn roots(value: &Value, home: &Path) -> Result<Vec<PathBuf>, String> {
    let path = |text: String| match text.strip_prefix("~/") {
        Some(rest) => Ok(home.join(rest)),
        None if Path::new(&text).is_absolute() => Ok(PathBuf::from(text)),
        None => Err(format!(
            "expected an absolute path or one that starts with ~/, got {text:?}"
        )),
    };
    strings(value)?.into_iter().map(path).collect()
}

fn limits(value: &Value) -> Result<Limits, String> {
    let most = Limits::default();
    let lower = |most: usize| {
        move |value: &Value| {
            let number = value.as_u64().and_then(|number| usize::try_from(number).ok());
            number
                .filter(|number| (1..=most).contains(number))
                .ok_or_else(|| format!("expected 1 to {most}"))
        }
    };
    closed(value, |object| {
        Ok(Limits {
            command_length: take(object, "commandLength", lower(most.command_length))?
                .unwrap_or(most.command_length),
            argument_count: take(object, "argumentCount", lower(most.argument_count))?
                .unwrap_or(most.argument_count),
            argument_length: take(object, "argumentLength", lower(most.argument_length))?
                .unwrap_or(most.argument_length),
        })
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> Result<Config, String> {
        Config::parse(text, Path::new("/srv/u"))
    }

    #[test]
    fn every_key_is_read() {
        let config = parse(
            r#"{"allow":["x-argrail","git log"],"deny":["git push"],"rateLimit":{"requests":2,"per":"1m"},
               "roots":["~/src","/data"],"timeouts":{"call":"500ms"},"limits":{"argumentCount":10},
               "tools":{},"colour":1}"#,
        )
        .unwrap();
        assert_eq!(config.allow.unwrap(), ["x-argrail", "git log"]);
        assert_eq!(config.deny, ["git push"]);
        assert_eq!(
            config.rate_limit.unwrap(),
            RateLimit {
                requests: 2,
                per: Duration::from_secs(60)
            }
        );
        assert_eq!(
            config.roots,
            [PathBuf::from("/srv/u/src"), PathBuf::from("/data")]
        );
        assert_eq!(config.call_timeout, Some(Duration::from_millis(500)));
        assert_eq!(
            config.limits,
            Limits {
                argument_count: 10,
                ..Limits::default()
            }
        );
        assert_eq!(
            config.warnings,
            [r#"not used by this version: "tools""#, r#"unknown key: "colour""#]
        );
        assert_eq!(parse("{}").unwrap(), Config::default());
        let per_minute = RateLimit {
            requests: 7,
            per: Duration::from_secs(60),
        };
        assert_eq!(parse(r#"{"rateLimit":7}"#).unwrap().rate_limit, Some(per_minute));
    }

    #[test]
    fn what_is_not_understood_is_refused_with_its_place() {
        let check = |text: &str, want: &str| {
            let problem = parse(text).unwrap_err();
            assert!(problem.contains(want), "{text}: {problem}");
        };
        check("", "line 1 column 0");
        check("[]", "expected an object");
        check(r#"{"deny":[],"deny":[]}"#, "stands twice");
        check(r#"{"deny":"git"}"#, "deny: expected a list");
        check(r#"{"allow":[""]}"#, "allow: [0]: expected a command");
        check(
            r#"{"rateLimit":{"requests":0,"per":"1m"}}"#,
            "rateLimit: requests: expected a number from 1",
        );
        check(r#"{"rateLimit":0}"#, "rateLimit: expected a number from 1");
        check(r#"{"rateLimit":{"requests":1}}"#, "rateLimit: expected");
        check(
            r#"{"rateLimit":{"requests":1,"per":"-1m"}}"#,
            "rateLimit: per: expected a time",
        );
        check(
            r#"{"rateLimit":{"requests":1,"per":"1m","burst":3}}"#,
            "unknown key \"burst\"",
        );
        check(r#"{"timeouts":{"call":30}}"#, "timeouts: call: expected a time");
        check(r#"{"roots":["rel"]}"#, "roots: expected an absolute path");
        check(
            r#"{"limits":{"argumentCount":101}}"#,
            "limits: argumentCount: expected 1 to 100",
        );
    }

    proptest! {
        #[test]
        fn any_text_is_answered(text in any::<String>()) {
            let _ = parse(&text);
        }
    }
}
