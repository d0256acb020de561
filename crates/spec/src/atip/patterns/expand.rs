//! A pattern with its holes filled: commands for an agent to look at and to call one by one.
//!
//! A value never becomes more than the word its hole stands in, and never an option where the pattern has none.

use std::collections::BTreeMap;

use argrail_acli::{Limits, join, tokenize};
use indexmap::IndexSet;
use serde_json::Value;

use super::super::model::{Kind, Pattern, Variable};
use super::holes::{Holes, Part};

/// One command of a filled pattern.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expanded {
    /// The words.
    pub argv: Vec<String>,
    /// The same as a command string.
    pub command: String,
    /// What it does.
    pub description: String,
}

/// Why a pattern cannot be filled.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ExpandError {
    /// A hole has no value and no default.
    #[error("the variable {name:?} has no value")]
    Missing {
        /// Its name.
        name: String,
    },
    /// A value for something that is no hole.
    #[error("the pattern has no variable {name:?}")]
    Unknown {
        /// The name that was given.
        name: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A value of the wrong type.
    #[error("the variable {name:?} expects {expected}, got {given:?}")]
    WrongType {
        /// Its name.
        name: String,
        /// What it wants.
        expected: String,
        /// What came.
        given: String,
    },
    /// A value that would be read as an option.
    #[error("the value {given:?} of {name:?} begins with '-' and would be read as an option")]
    Dash {
        /// Its name.
        name: String,
        /// What came.
        given: String,
    },
    /// A step that is no command.
    #[error("step {step} is no command: {problem}")]
    NoCommand {
        /// Which step, counted from 1.
        step: usize,
        /// What is wrong.
        problem: String,
    },
}

/// Fills the holes of `pattern` with `values`.
///
/// # Errors
/// When a value is missing, unknown, of the wrong type, or would be read as an option.
pub fn expand(pattern: &Pattern, values: &BTreeMap<String, String>) -> Result<Vec<Expanded>, ExpandError> {
    refuse_unknown(pattern, values)?;
    let steps = pattern.steps.iter().enumerate();
    let filled = steps.map(|(index, step)| {
        let no_command = |problem: String| ExpandError::NoCommand {
            step: index + 1,
            problem,
        };
        let words =
            tokenize(&step.command, &Limits::default()).map_err(|error| no_command(error.to_string()))?;
        if words.is_empty() {
            return Err(no_command("it is empty".to_owned()));
        }
        let argv = words
            .iter()
            .map(|word| fill(word, pattern, values))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Expanded {
            command: join(&argv),
            argv,
            description: step.description.clone(),
        })
    });
    filled.collect()
}

/// Returns the names of all variables: those that the pattern describes, then those that only its steps name.
pub fn variables(pattern: &Pattern) -> IndexSet<&str> {
    let mut known: IndexSet<&str> = pattern.variables.keys().map(String::as_str).collect();
    let steps = pattern.steps.iter();
    known.extend(steps.flat_map(|step| Holes::of(&step.command).names()));
    known
}

fn refuse_unknown(pattern: &Pattern, values: &BTreeMap<String, String>) -> Result<(), ExpandError> {
    let known = variables(pattern);
    match values.keys().find(|name| !known.contains(name.as_str())) {
        Some(name) => Err(ExpandError::Unknown {
            name: name.clone(),
            known: known.into_iter().map(str::to_owned).collect(),
        }),
        None => Ok(()),
    }
}

fn fill(word: &str, pattern: &Pattern, values: &BTreeMap<String, String>) -> Result<String, ExpandError> {
    let mut filled = String::new();
    for part in Holes::of(word) {
        match part {
            Part::Text(text) => filled.push_str(text),
            Part::Hole(name) => {
                let value = value(name, pattern.variables.get(name), values)?;
                if filled.is_empty() && value.starts_with('-') {
                    return Err(ExpandError::Dash {
                        name: name.to_owned(),
                        given: value,
                    });
                }
                filled.push_str(&value);
            }
        }
    }
    Ok(filled)
}

fn value(
    name: &str,
    variable: Option<&Variable>,
    values: &BTreeMap<String, String>,
) -> Result<String, ExpandError> {
    let default = || variable.and_then(|variable| variable.default.as_ref()).map(word);
    let given = values.get(name).cloned().or_else(default);
    let given = given.ok_or_else(|| ExpandError::Missing {
        name: name.to_owned(),
    })?;
    let wrong = |expected: String| ExpandError::WrongType {
        name: name.to_owned(),
        expected,
        given: given.clone(),
    };
    let Some(variable) = variable else {
        return Ok(given);
    };
    if let Some(allowed) = &variable.values {
        let words: Vec<String> = allowed.iter().map(word).collect();
        if !words.contains(&given) {
            return Err(wrong(format!("one of {}", words.join(", "))));
        }
    }
    let fits = match variable.kind {
        Kind::Integer => given.parse::<i64>().is_ok(),
        Kind::Number => given.parse::<f64>().is_ok_and(f64::is_finite),
        Kind::Boolean => given == "true" || given == "false",
        Kind::String | Kind::File | Kind::Directory | Kind::Url | Kind::Enum | Kind::Array => true,
    };
    if fits {
        Ok(given)
    } else {
        Err(wrong(format!("a value of type {}", variable.kind.as_str())))
    }
}

/// A JSON value as a word.
fn word(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            value.to_string()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::super::super::model::Step;
    use super::*;

    fn pattern() -> Pattern {
        let step = |command: &str| Step {
            command: command.into(),
            ..Step::default()
        };
        let variable = |kind, default: Option<Value>| Variable {
            kind,
            default,
            ..Variable::default()
        };
        Pattern {
            name: "review".into(),
            steps: vec![
                step("gh pr checkout {number}"),
                step("echo 'by {who}' --to={team} {}"),
            ],
            variables: [
                ("number".to_owned(), variable(Kind::Integer, None)),
                ("team".to_owned(), variable(Kind::String, Some(json!("core")))),
            ]
            .into(),
            ..Pattern::default()
        }
    }

    fn filled(values: &[(&str, &str)]) -> Result<Vec<Vec<String>>, ExpandError> {
        let values = values
            .iter()
            .map(|(name, value)| (name.to_string(), value.to_string()));
        expand(&pattern(), &values.collect()).map(|steps| steps.into_iter().map(|step| step.argv).collect())
    }

    #[test]
    fn values_fill_holes_and_nothing_else() {
        assert_eq!(
            filled(&[("number", "7"), ("who", "a b; $(x)")]).unwrap(),
            [
                vec!["gh", "pr", "checkout", "7"],
                vec!["echo", "by a b; $(x)", "--to=core", "{}"]
            ]
        );
        assert_eq!(
            filled(&[("number", "7")]).unwrap_err().to_string(),
            "the variable \"who\" has no value"
        );
        assert_eq!(
            filled(&[("number", "x"), ("who", "me")]).unwrap_err().to_string(),
            "the variable \"number\" expects a value of type integer, got \"x\""
        );
        assert_eq!(
            filled(&[("number", "-7"), ("who", "me")])
                .unwrap_err()
                .to_string(),
            "the value \"-7\" of \"number\" begins with '-' and would be read as an option"
        );
        assert!(matches!(
            filled(&[("nmber", "7")]),
            Err(ExpandError::Unknown { known, .. }) if known == ["number", "team", "who"]
        ));
    }

    proptest! {
        #[test]
        fn no_value_adds_a_word(who in "\\PC{0,30}") {
            if let Ok(steps) = filled(&[("number", "1"), ("who", &who)]) {
                prop_assert_eq!(steps[1].len(), 4);
                prop_assert_eq!(&steps[1][1], &format!("by {who}"));
            }
        }
    }
}
