//! What one option or argument changes when it is given: the rules of `x-effects`.
//!
//! Whatever cannot be told is told against the caller: a rule that adds applies when its expression cannot be asked,
//! and one that takes the place of the command's effects does not.

use serde_json::Value;

use super::super::decode::effects_of;
use super::super::matching::Matching;
use super::super::model::{Effects, Extra};
use super::behaviour::texts;
use super::reader::Voice;

/// One rule.
#[derive(Debug)]
pub(super) struct Rule {
    value: Option<Matching>,
    unless: Vec<String>,
    pub(super) effects: Effects,
    pub(super) mode: Mode,
}

/// What becomes of a rule's effects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// They are added.
    Adds,
    /// They take the place of the command's own.
    Instead,
}

/// What was given where the rule stands.
#[derive(Clone, Copy)]
pub(super) struct Occurrence<'a> {
    pub(super) values: &'a [&'a str],
    /// Whether it was switched off: `--no-x`, `--x=false`.
    pub(super) is_off: bool,
}

impl Rule {
    /// Reads `x-effects`: effects, or a list of rules. Who is not believed cannot make a command better.
    pub(super) fn read(extra: &Extra, voice: Voice) -> Vec<Self> {
        let rules: Vec<Self> = match extra.get("x-effects") {
            Some(Value::Array(rules)) => rules.iter().filter_map(|rule| Self::one(rule, voice)).collect(),
            Some(rule @ Value::Object(said)) if said.contains_key("effects") => {
                Self::one(rule, voice).into_iter().collect()
            }
            Some(effects @ Value::Object(_)) => vec![Self {
                value: None,
                unless: Vec::new(),
                effects: heard(effects_of(effects), voice),
                mode: Mode::Adds,
            }],
            Some(Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) | None => Vec::new(),
        };
        let counts = |rule: &Self| match (rule.mode, voice) {
            (Mode::Adds, _) | (Mode::Instead, Voice::Settled) => true,
            (Mode::Instead, Voice::Claimed) => false,
        };
        rules.into_iter().filter(counts).collect()
    }

    fn one(rule: &Value, voice: Voice) -> Option<Self> {
        let said = rule.as_object()?;
        let instead = said.get("instead") == Some(&Value::Bool(true));
        Some(Self {
            value: said.get("value").and_then(Value::as_str).map(Matching::new),
            unless: texts(said.get("unless")),
            effects: heard(effects_of(said.get("effects")?), voice),
            mode: if instead { Mode::Instead } else { Mode::Adds },
        })
    }

    /// Whether the rule speaks. `is_given` tells whether an option or argument of that name is.
    pub(super) fn applies(&self, given: Occurrence<'_>, is_given: impl Fn(&str) -> bool) -> bool {
        self.matches(given) && !self.unless.iter().any(|name| is_given(name))
    }

    fn matches(&self, given: Occurrence<'_>) -> bool {
        match (self.mode, &self.value) {
            (Mode::Adds, None) => true,
            (Mode::Adds, Some(value)) => given
                .values
                .iter()
                .any(|text| value.is_match(text).unwrap_or(true)),
            (Mode::Instead, None) => !given.is_off,
            // Of `--dry-run=client --dry-run=none` the tool believes one; all must agree.
            (Mode::Instead, Some(value)) => {
                let agrees = |text: &&str| value.is_match(text).unwrap_or(false);
                !given.values.is_empty() && given.values.iter().all(agrees)
            }
        }
    }

    /// Returns the value that made it speak, for people.
    pub(super) fn by<'a>(&self, given: Occurrence<'a>) -> Option<&'a str> {
        let speaks = |text: &&&str| {
            self.value
                .as_ref()
                .is_none_or(|value| value.is_match(text).unwrap_or(true))
        };
        given.values.iter().find(speaks).copied()
    }
}

/// Keys of effects by which only those are heard who settle what holds.
const RELAXING: [&str; 4] = ["x-egress", "x-reads", "x-secrets", "x-exec"];

/// Returns the effects as far as this voice is heard.
pub(super) fn heard(mut effects: Effects, voice: Voice) -> Effects {
    match voice {
        Voice::Settled => {}
        Voice::Claimed => effects.extra.retain(|key, _| !RELAXING.contains(&key.as_str())),
    }
    effects
}
