//! What may stand in argrail's own keys.

use crate::doc::{Node, Value};

/// What a value looks like.
#[derive(Debug, Clone, Copy)]
pub(super) enum Shape {
    Truth,
    TruthOr(&'static [&'static str]),
    OneOf(&'static [&'static str]),
    Text,
    Texts,
    TextsOr(&'static str),
    TextByName,
    Object,
    /// Effects or rules, which are looked at by themselves.
    Any,
    /// A text that may be absent on purpose.
    TextOrNull,
}

impl Shape {
    pub(super) fn fits(self, node: &Node) -> bool {
        let is_truth = matches!(node.value, Value::Bool(_));
        let is_text = |node: &Node| node.as_str().is_some();
        let are_texts = || node.as_array().is_some_and(|items| items.iter().all(is_text));
        match self {
            Self::Truth => is_truth,
            Self::TruthOr(words) => is_truth || node.as_str().is_some_and(|word| words.contains(&word)),
            Self::OneOf(words) => node.as_str().is_some_and(|word| words.contains(&word)),
            Self::Text => is_text(node),
            Self::Texts => are_texts(),
            Self::TextsOr(word) => are_texts() || node.as_str() == Some(word),
            Self::TextByName => {
                let object = node.as_object();
                object.is_some_and(|object| object.members.iter().all(|member| is_text(&member.node)))
            }
            Self::Object => node.as_object().is_some(),
            Self::Any => true,
            Self::TextOrNull => is_text(node) || node.value == Value::Null,
        }
    }

    pub(super) fn expected(self) -> String {
        match self {
            Self::Truth => "true or false".to_owned(),
            Self::TruthOr(words) => format!("true, false or {}", words.join(", ")),
            Self::OneOf(words) => words.join(", "),
            Self::Text | Self::TextOrNull => "a string".to_owned(),
            Self::Texts => "a list of strings".to_owned(),
            Self::TextsOr(word) => format!("a list of strings or \"{word}\""),
            Self::TextByName => "an object of strings".to_owned(),
            Self::Object => "an object".to_owned(),
            Self::Any => "anything".to_owned(),
        }
    }
}

/// The values of `x-output`.
pub(super) const FORMATS: &[&str] = &["json", "ndjson", "yaml", "text", "binary"];
/// The meanings of `x-exit`.
pub(super) const EXITS: &[&str] = &[
    "ok",
    "usage_error",
    "auth_required",
    "not_found",
    "timeout",
    "killed",
    "error",
];

/// The keys of `x-grammar`.
pub(super) const GRAMMAR: &[(&str, Shape)] = &[
    (
        "style",
        Shape::OneOf(&["gnu", "posix", "go", "single-dash", "find", "tar", "dd"]),
    ),
    ("abbreviations", Shape::OneOf(&["off", "refused"])),
    ("bundling", Shape::Truth),
    ("attached", Shape::Truth),
    ("shortEquals", Shape::Truth),
    ("negatives", Shape::Truth),
    ("permutation", Shape::Truth),
    ("terminator", Shape::Truth),
    ("oldBundle", Shape::Truth),
    ("keyValue", Shape::Truth),
    ("unknown", Shape::OneOf(&["refuse", "ask"])),
    ("responseFiles", Shape::TextOrNull),
];

/// The keys of one rule of `x-effects`.
pub(super) const RULE: &[(&str, Shape)] = &[
    ("effects", Shape::Object),
    ("value", Shape::Text),
    ("unless", Shape::Texts),
    ("instead", Shape::Truth),
];

/// The keys of effects, as the draft has them.
pub(super) const EFFECTS: &[(&str, Shape)] = &[
    ("filesystem", Shape::Object),
    ("network", Shape::Truth),
    ("subprocess", Shape::Truth),
    ("idempotent", Shape::Truth),
    ("reversible", Shape::Truth),
    ("destructive", Shape::Truth),
    ("creates", Shape::Texts),
    ("modifies", Shape::Texts),
    ("deletes", Shape::Texts),
    ("cost", Shape::Object),
    ("duration", Shape::Object),
    ("interactive", Shape::Object),
    ("x-egress", Shape::Any),
    ("x-reads", Shape::Any),
    ("x-secrets", Shape::Any),
    ("x-exec", Shape::Any),
    ("x-runs", Shape::Any),
    ("x-prints", Shape::Any),
];

/// The keys of `x-prompts`.
pub(super) const PROMPTS: &[(&str, Shape)] = &[("unless", Shape::Texts), ("advice", Shape::Text)];

/// The keys of `x-output`.
pub(super) const OUTPUT: &[(&str, Shape)] = &[("format", Shape::OneOf(FORMATS)), ("json", Shape::Texts)];
