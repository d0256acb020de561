//! The arguments of a call against a tool's schema, before anything is started.
//!
//! A schema is compiled once. It never looks for another document, its regular expressions have a limit of steps, and
//! one that could take for ever is not used at all: then the tool cannot be called.

use jsonschema::{PatternOptions, Validator};
use serde_json::Value;

use super::argument_error::{ArgumentError, unfit};
use super::expense::{TooMuch, deepest_value};
use super::manifest::Schema;
use crate::doc::{Document, Limits};

/// The most bytes of the arguments of one call.
const MOST_BYTES: usize = 1 << 20;
/// The most steps of one regular expression over one text.
const MOST_STEPS: usize = 100_000;
/// The largest regular expression, compiled.
const LARGEST_PATTERN: usize = 1 << 20;

/// A schema that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Checking against it could take for ever.
    #[error("{0}")]
    TooMuch(#[from] TooMuch),
    /// It is no JSON Schema.
    #[error("it is no JSON Schema: {0}")]
    Invalid(String),
}

/// What the arguments of one tool are held against.
#[derive(Debug)]
pub struct ArgumentCheck {
    validator: Option<Validator>,
    deepest: usize,
}

impl ArgumentCheck {
    /// Compiles a schema. Without one, any object will do.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn new(schema: Option<&Schema>) -> Result<Self, SchemaError> {
        let Some(schema) = schema.map(Schema::value) else {
            return Ok(Self {
                validator: None,
                deepest: Limits::default().depth,
            });
        };
        let deepest = deepest_value(&schema)?;
        let patterns = PatternOptions::fancy_regex()
            .backtrack_limit(MOST_STEPS)
            .size_limit(LARGEST_PATTERN);
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(patterns)
            // Later drafts of JSON Schema take `format` for a remark, unless somebody asks.
            .should_validate_formats(true)
            .build(&schema)
            .map_err(|error| SchemaError::Invalid(error.to_string()))?;
        Ok(Self {
            validator: Some(validator),
            deepest,
        })
    }

    /// Checks the text of a call's arguments and returns what it says.
    ///
    /// # Errors
    /// The first thing that does not fit, with its pointer.
    pub fn check(&self, arguments: &[u8]) -> Result<Value, ArgumentError> {
        let limits = Limits {
            bytes: MOST_BYTES,
            depth: self.deepest,
            ..Limits::default()
        };
        let document = Document::json(arguments, &limits)
            .map_err(|problem| ArgumentError::NotJson { why: problem.message })?;
        let value = document.root.to_json();
        if !value.is_object() {
            return Err(ArgumentError::NotAnObject {
                came: document.root.kind(),
            });
        }
        self.fits(&value)?;
        Ok(value)
    }

    /// Checks arguments that are a value already.
    ///
    /// # Errors
    /// The first thing that does not fit, with its pointer.
    pub fn check_value(&self, arguments: &Value) -> Result<(), ArgumentError> {
        match arguments {
            Value::Object(_) => self.check_any(arguments),
            Value::Null => Err(ArgumentError::NotAnObject { came: "null" }),
            Value::Bool(_) => Err(ArgumentError::NotAnObject { came: "a boolean" }),
            Value::Number(_) => Err(ArgumentError::NotAnObject { came: "a number" }),
            Value::String(_) => Err(ArgumentError::NotAnObject { came: "a string" }),
            Value::Array(_) => Err(ArgumentError::NotAnObject { came: "an array" }),
        }
    }

    /// Checks any value, such as what a tool printed.
    ///
    /// # Errors
    /// The first thing that does not fit, with its pointer.
    pub fn check_any(&self, value: &Value) -> Result<(), ArgumentError> {
        if is_deeper(value, self.deepest) {
            return Err(ArgumentError::NotJson {
                why: format!("it is nested deeper than {}", self.deepest),
            });
        }
        self.fits(value)
    }

    fn fits(&self, value: &Value) -> Result<(), ArgumentError> {
        match &self.validator {
            Some(validator) => validator.validate(value).map_err(|error| unfit(&error)),
            None => Ok(()),
        }
    }
}

/// Whether a value has more levels than `most`.
fn is_deeper(value: &Value, most: usize) -> bool {
    let mut open = vec![(value, 1_usize)];
    while let Some((value, depth)) = open.pop() {
        let below = depth + 1;
        match value {
            Value::Array(items) => open.extend(items.iter().map(|item| (item, below))),
            Value::Object(fields) => open.extend(fields.values().map(|field| (field, below))),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => continue,
        }
        if depth > most {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn compiled(schema: &str) -> Result<ArgumentCheck, SchemaError> {
        ArgumentCheck::new(Some(&Schema::new(schema).unwrap()))
    }

    #[test]
    fn arguments_are_held_against_the_schema() {
        let schema = r#"{"type":"object","properties":{"timezone":{"type":"string","pattern":"^[A-Z]"},
            "n":{"type":["integer","null"],"minimum":1,"maximum":9},"mode":{"enum":["a","b"]},
            "list":{"type":"array","items":{"type":"number"},"maxItems":2}},
            "required":["timezone"],"additionalProperties":false}"#;
        let checked = compiled(schema).unwrap();
        let check = |arguments: &str, want: Result<(), &str>| {
            let came = checked.check(arguments.as_bytes()).map(drop);
            assert_eq!(
                came.map_err(|error| error.message().to_string()),
                want.map_err(str::to_owned),
                "{arguments}"
            );
        };
        check(r#"{"timezone":"Europe/Helsinki"}"#, Ok(()));
        check(r#" {"timezone":"UTC","n":null,"list":[1,2.5]} "#, Ok(()));
        check(
            "{}",
            Err("'/timezone': expected a value, since it is required, got nothing"),
        );
        check(
            r#"{"timezone":7}"#,
            Err("'/timezone': expected a string, got '7'"),
        );
        check(
            r#"{"timezone":"UTC","n":"x"}"#,
            Err(r#"'/n': expected null or an integer, got '"x"'"#),
        );
        check(
            r#"{"timezone":"UTC","n":0}"#,
            Err("'/n': expected at least '1', got '0'"),
        );
        check(
            r#"{"timezone":"UTC","mode":"c"}"#,
            Err(r#"'/mode': expected one of '"a"', '"b"', got '"c"'"#),
        );
        check(
            r#"{"timezone":"UTC","zone":1}"#,
            Err("'/zone': expected no such property, got '1'"),
        );
        check(
            r#"{"timezone":"UTC","list":[1,"x"]}"#,
            Err(r#"'/list/1': expected a number, got '"x"'"#),
        );
        check(
            r#"{"timezone":"utc"}"#,
            Err(r#"'/timezone': expected what 'pattern' asks for: '^[A-Z]', got '"utc"'"#),
        );
        check("[]", Err("the arguments: expected an object, got an array"));
        check("7", Err("the arguments: expected an object, got a number"));
        assert!(matches!(checked.check(b"{"), Err(ArgumentError::NotJson { .. })));
        assert!(matches!(
            checked.check(br#"{"timezone":"A","timezone":"B"}"#),
            Err(ArgumentError::NotJson { .. })
        ));
    }

    #[test]
    fn formats_are_held() {
        let check = |format: &str, good: &[&str], bad: &[&str]| {
            let schema = format!(r#"{{"properties":{{"a":{{"type":"string","format":"{format}"}}}}}}"#);
            let checked = compiled(&schema).unwrap();
            let fits = |text: &&str| checked.check(format!(r#"{{"a":"{text}"}}"#).as_bytes()).is_ok();
            assert!(good.iter().all(fits) && !bad.iter().any(fits), "{format}");
        };
        check(
            "date-time",
            &["2026-02-02T10:00:00Z"],
            &["yesterday", "2026-02-30T10:00:00Z", "2026-02-02"],
        );
        check("date", &["2026-02-02"], &["2026-02-30", "2.2.2026", ""]);
        check("email", &["a@example.com"], &["nobody", "a@", "@b"]);
        // One that nobody knows says nothing.
        check("colour", &["anything"], &[]);
        let checked = compiled(r#"{"properties":{"a":{"format":"date"}}}"#).unwrap();
        let error = checked.check(br#"{"a":"x"}"#).unwrap_err().message().to_string();
        assert_eq!(
            error,
            r#"'/a': expected what 'format' asks for: 'date', got '"x"'"#
        );
        assert!(checked.check(br#"{"a":7}"#).is_ok(), "only texts have a format");
    }

    #[test]
    fn without_a_schema_any_object_will_do() {
        let checked = ArgumentCheck::new(None).unwrap();
        assert!(checked.check(br#"{"a":[1]}"#).is_ok());
        assert!(checked.check(b"").is_err());
        assert!(checked.check(b"null").is_err());
    }

    #[test]
    fn a_schema_that_cannot_be_used_is_none() {
        let check = |schema: &str| assert!(compiled(schema).is_err(), "{schema}");
        check(r#"{"type":"text"}"#);
        check(r#"{"properties":[]}"#);
        check(r#"{"$ref":"https://x.example/schema.json"}"#);
        check(r#"{"$ref":"file:///etc/hostname"}"#);
        check(r#"{"items":{"pattern":"("}}"#);
        check(r##"{"$ref":"#"}"##);
    }

    #[test]
    fn a_regular_expression_cannot_take_for_ever() {
        let checked = compiled(r#"{"properties":{"a":{"pattern":"^(?=(a+)+$)b"}}}"#).unwrap();
        let arguments = format!(r#"{{"a":"{}!"}}"#, "a".repeat(2_000));
        assert!(checked.check(arguments.as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_judged(text in "[\\[\\]{}\",:a0\\\\ ]{0,40}") {
            let checked = compiled(r#"{"required":["a"]}"#).unwrap();
            if let Ok(value) = checked.check(text.as_bytes()) {
                prop_assert!(value.get("a").is_some());
            }
        }
    }
}
