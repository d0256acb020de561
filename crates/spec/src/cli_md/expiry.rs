//! How a lost login shows: `exit_code:4` and, in drivers, `http_status:401`, `exception:Name`, `header:NAME:VALUE`.

use std::borrow::Cow;
use std::fmt;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Serialize, Serializer};

use crate::declare::own;
use crate::doc::fields::{Complaints, came};
use crate::manifest::{Field, VALUE};

/// The sign of a lost login.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Detect {
    /// The program exits with this code.
    ExitCode(u8),
    /// An answer has this status.
    HttpStatus(u16),
    /// A library throws this.
    Exception(String),
    /// An answer has this header.
    Header {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
}

/// A text is no such sign: where, and what was expected there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}")]
pub struct NotASignal {
    /// The byte at which it goes wrong.
    pub at: usize,
    /// What was expected there.
    pub expected: &'static str,
}

impl Detect {
    /// Reads a sign.
    ///
    /// # Errors
    /// Where it goes wrong, and what was expected there.
    pub fn parse(text: &str) -> Result<Self, NotASignal> {
        let wrong = |at, expected| NotASignal { at, expected };
        let Some((kind, rest)) = text.split_once(':') else {
            return Err(wrong(
                text.len(),
                "':' after exit_code, http_status, exception or header",
            ));
        };
        let after = kind.len() + 1;
        let digits = !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
        match kind {
            "exit_code" => match rest.parse().ok().filter(|_| digits) {
                Some(code) => Ok(Self::ExitCode(code)),
                None => Err(wrong(after, "an exit code from 0 to 255")),
            },
            "http_status" => match rest
                .parse()
                .ok()
                .filter(|status| digits && (100..=599).contains(status))
            {
                Some(status) => Ok(Self::HttpStatus(status)),
                None => Err(wrong(after, "a status from 100 to 599")),
            },
            "exception" => {
                let plain = |c: char| c.is_alphanumeric() || "_.$:".contains(c);
                if rest.is_empty() || rest.len() > 256 || !rest.chars().all(plain) {
                    return Err(wrong(after, "the name of an exception"));
                }
                Ok(Self::Exception(rest.to_owned()))
            }
            "header" => header(rest).ok_or_else(|| wrong(after, "NAME:VALUE of a header")),
            _ => Err(wrong(0, "exit_code, http_status, exception or header")),
        }
    }
}

fn header(text: &str) -> Option<Detect> {
    let (name, value) = text.split_once(':')?;
    let token = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
    let fits = !name.is_empty() && !value.is_empty() && text.len() <= 512 && name.chars().all(token);
    fits.then(|| Detect::Header {
        name: name.to_owned(),
        value: value.to_owned(),
    })
}

impl fmt::Display for Detect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::ExitCode(code) => write!(f, "exit_code:{code}"),
            Self::HttpStatus(status) => write!(f, "http_status:{status}"),
            Self::Exception(name) => write!(f, "exception:{name}"),
            Self::Header { name, value } => write!(f, "header:{name}:{value}"),
        }
    }
}

impl Serialize for Detect {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl JsonSchema for Detect {
    fn schema_name() -> Cow<'static, str> {
        "Detect".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "The sign of a lost login.",
            "type": "string",
            "pattern": "^(exit_code:[0-9]{1,3}|http_status:[1-5][0-9]{2}|exception:.+|header:[^:]+:.+)$",
        })
    }
}

own! {
    Detect: |field, out| read(field, out);
}

fn read(field: &Field<'_>, out: &mut Complaints) -> Option<Detect> {
    let text = field.line(512, out)?;
    match Detect::parse(&text) {
        Ok(detect) => Some(detect),
        Err(wrong) => {
            let what = format!("{}: {wrong}, got {}", field.path, came(field.node));
            let span = field.part(wrong.at, text.len());
            out.push(VALUE.error(span, what).hint("write it as exit_code:4"));
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_are_read_or_the_place_is_named() {
        let check = |text: &str, want: Result<(), usize>| {
            let came = Detect::parse(text);
            if let Ok(detect) = &came {
                assert_eq!(detect.to_string(), text);
            }
            assert_eq!(came.map(drop).map_err(|wrong| wrong.at), want, "{text}");
        };
        for text in [
            "exit_code:4",
            "http_status:401",
            "exception:a.B",
            "header:X-Auth:no",
        ] {
            check(text, Ok(()));
        }
        check("exit_code", Err(9));
        check("exit_code:", Err(10));
        check("exit_code:256", Err(10));
        check("exit_code:+4", Err(10));
        check("http_status:99", Err(12));
        check("exception:", Err(10));
        check("header:X", Err(7));
        check("stdout:x", Err(0));
        check("", Err(0));
    }
}
