//! argrail's own keys: how words are read, what a flag changes, how a command behaves (`docs/descriptions.md`).
//!
//! Reading them is lenient, so a key that is misspelt says nothing, and nobody notices until a call is judged by the
//! wrong effects. Here it is noticed.

use std::collections::HashSet;

use super::super::findings::Findings;
use super::super::view::{Command, Parameter, Tool};
use super::extension_shapes::{EFFECTS, EXITS, FORMATS, GRAMMAR, OUTPUT, PROMPTS, RULE, Shape};
use crate::atip::{EVERY_WORD, PLACE_SHAPES, PlaceShape};
use crate::doc::fields::{Quoted, came};
use crate::doc::{Node, Object, Value, rules};
use crate::secret_places::{Certainty, Relation, SecretPlace, is_too_wide, secret_places};

/// The most expressions of a file that are compiled.
const MOST_EXPRESSIONS: usize = 200;

rules! {
    UNKNOWN_KEY = "extension/unknown-key", "a key inside one of argrail's own that nobody knows",
        "It says nothing, so the command is judged without it.";
    BAD_VALUE = "extension/bad-value", "a value of one of argrail's own keys that is none of its values",
        "It says nothing, so the command is judged without it.";
    BAD_EXPRESSION = "extension/bad-expression", "a rule whose value is no regular expression",
        "A rule that adds then always applies, and one that relaxes never does.";
    NO_SUCH_NAME = "extension/no-such-name", "a name of an option or argument that the command does not have",
        "What depends on it never happens.";
    SECRET_READ = "extension/secret-read", "x-reads names a place where credentials are kept",
        "It is shown without them, and what needs them fails.";
    WIDE_READ = "extension/wide-read", "a path to read that is as wide as a system or a home",
        "Whatever anybody puts there is shown to the command.";
    => pub(super) RULES
}

/// What a list of paths may name.
#[derive(Debug, Clone, Copy)]
enum Breadth {
    /// Nothing with credentials in it.
    NoSecret,
    /// Anything.
    Any,
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    let mut eye = Eye {
        tool,
        command: None,
        arguments: HashSet::new(),
        findings,
        expressions: 0,
    };
    if let Some(root) = tool.root.as_object() {
        eye.level(root);
    }
    for option in &tool.globals {
        eye.parameter(option);
    }
    for command in &tool.commands {
        eye.command = Some(command);
        let line = tool.line(command).flat_map(|command| &command.arguments);
        eye.arguments = line.map(|argument| argument.name).collect();
        eye.level(command.object);
        for parameter in command.options.iter().chain(&command.arguments) {
            eye.parameter(parameter);
        }
    }
}

struct Eye<'t, 'a, 'f> {
    tool: &'t Tool<'a>,
    command: Option<&'t Command<'a>>,
    /// The names of its arguments.
    arguments: HashSet<&'a str>,
    findings: &'f mut Findings,
    expressions: usize,
}

impl Eye<'_, '_, '_> {
    /// What stands at a tool or a command.
    fn level(&mut self, owner: &Object) {
        if let Some(node) = owner.get("x-grammar") {
            self.object("x-grammar", node, GRAMMAR);
        }
        if let Some(effects) = owner.get("effects").and_then(Node::as_object) {
            self.own_keys_of_effects(effects);
            self.names_in(effects);
        }
        self.behaviour(owner);
        if let Some(node) = owner.get("x-exit") {
            self.exits(node);
        }
        if let Some(node) = owner.get("x-env") {
            self.shape("x-env", node, Shape::TextByName);
        }
    }

    /// What stands at an option or an argument.
    fn parameter(&mut self, parameter: &Parameter<'_>) {
        let owner = parameter.object;
        let simple = [
            ("x-before", Shape::Truth),
            ("x-last", Shape::Truth),
            ("x-unless", Shape::Texts),
            ("x-assigns", Shape::Truth),
            ("x-expands", Shape::Truth),
            ("x-command", Shape::TruthOr(&["input"])),
            ("x-program", Shape::Text),
        ];
        for (key, shape) in simple {
            if let Some(node) = owner.get(key) {
                self.shape(key, node, shape);
            }
        }
        self.names(owner.get("x-unless"));
        if let Some(node) = owner.get("x-takes") {
            self.takes(node);
        }
        self.behaviour(owner);
        if let Some(node) = owner.get("x-effects") {
            self.effects(node);
        }
    }

    fn behaviour(&mut self, owner: &Object) {
        if let Some(node) = owner.get("x-prompts") {
            match &node.value {
                Value::Bool(_) => {}
                Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_) => {
                    self.object("x-prompts", node, PROMPTS);
                }
            }
            self.unless(node.as_object());
        }
        if let Some(node) = owner.get("x-output") {
            match node.as_str() {
                Some(_) => self.shape("x-output", node, Shape::OneOf(FORMATS)),
                None => self.object("x-output", node, OUTPUT),
            }
        }
    }

    fn takes(&mut self, node: &Node) {
        let fits = match &node.value {
            Value::String(word) => matches!(word.as_str(), "attached" | "boolean"),
            Value::Number(number) => number.as_u64().is_some_and(|count| count <= 64),
            Value::Object(object) => {
                let ends = object.get("until").and_then(Node::as_array);
                let has_ends = ends
                    .is_some_and(|ends| !ends.is_empty() && ends.iter().all(|end| end.as_str().is_some()));
                has_ends && object.members.len() == 1
            }
            Value::Null | Value::Bool(_) | Value::Array(_) => false,
        };
        if !fits {
            let expected = "\"attached\", \"boolean\", a number up to 64, or {\"until\": [words]}";
            self.bad_value("x-takes", node, expected);
        }
    }

    fn exits(&mut self, node: &Node) {
        let Some(object) = node.as_object() else {
            self.bad_value("x-exit", node, "an object");
            return;
        };
        for member in &object.members {
            if member.key.parse::<i32>().is_err() {
                self.unknown_key("x-exit", &member.key, member.key_span);
            }
            self.shape("x-exit", &member.node, Shape::OneOf(EXITS));
        }
    }

    /// Effects, or a list of rules.
    fn effects(&mut self, node: &Node) {
        match &node.value {
            Value::Array(rules) => rules.iter().for_each(|rule| self.rule(rule)),
            Value::Object(object) if object.get("effects").is_some() => self.rule(node),
            Value::Object(_) => self.added(node),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                self.bad_value("x-effects", node, "effects or a list of rules");
            }
        }
    }

    fn rule(&mut self, node: &Node) {
        self.object("x-effects", node, RULE);
        let Some(rule) = node.as_object() else { return };
        match rule.get("effects") {
            Some(effects) => self.added(effects),
            None => self.bad_value("x-effects", node, "a rule with \"effects\""),
        }
        self.unless(Some(rule));
        if let Some(value) = rule.get("value") {
            self.expression(value);
        }
    }

    /// Effects that no decoder has looked at.
    fn added(&mut self, node: &Node) {
        self.object("x-effects", node, EFFECTS);
        if let Some(effects) = node.as_object() {
            self.own_keys_of_effects(effects);
            self.names_in(effects);
        }
    }

    fn own_keys_of_effects(&mut self, effects: &Object) {
        let keys = [
            ("x-egress", Shape::Texts),
            ("x-destinations", Shape::Texts),
            ("x-reads", Shape::Texts),
            ("x-secrets", Shape::Texts),
            ("x-exec", Shape::TextsOr("any")),
            ("x-runs", Shape::TruthOr(&["workspace-code"])),
            ("x-prints", Shape::OneOf(&["credentials"])),
        ];
        for (key, shape) in keys {
            if let Some(node) = effects.get(key) {
                self.shape(key, node, shape);
            }
        }
        for (key, breadth) in [("x-reads", Breadth::NoSecret), ("x-secrets", Breadth::Any)] {
            for node in effects.get(key).and_then(Node::as_array).unwrap_or_default() {
                self.place(key, node, breadth);
            }
        }
    }

    /// A path that is shown to a call: too wide, or with credentials in it.
    fn place(&mut self, key: &str, node: &Node, breadth: Breadth) {
        let Some(text) = node.as_str() else { return };
        if is_too_wide(text) {
            let message = format!("{key} names all of {}", Quoted(text));
            let hint = "name what the command has to read in it";
            self.findings
                .push(WIDE_READ.warning(node.span, message).hint(hint));
            return;
        }
        let holds = |place: &SecretPlace| match (place.certainty, place.relation_of_text(text)) {
            (_, Relation::Apart) | (Certainty::IfItSaysSo, Relation::Within | Relation::Holds) => false,
            (Certainty::Always, Relation::Within | Relation::Holds) => true,
        };
        let secret = match breadth {
            Breadth::NoSecret => secret_places().find(holds),
            Breadth::Any => None,
        };
        if let Some(place) = secret {
            let message = format!(
                "{key} names {}, and {} are kept in {}",
                Quoted(text),
                place.why,
                Quoted(place.at)
            );
            let hint = "name it in \"x-secrets\", or name the parts that hold none";
            self.findings
                .push(SECRET_READ.warning(node.span, message).hint(hint));
        }
    }

    /// The names behind `arg:`.
    fn names_in(&mut self, effects: &Object) {
        let files = effects.get("filesystem").and_then(Node::as_object);
        let paths = files.and_then(|files| files.get("paths"));
        for list in [paths, effects.get("x-egress")].into_iter().flatten() {
            for node in list.as_array().unwrap_or_default() {
                let parts = node.as_str().into_iter().flat_map(|entry| entry.split('|'));
                for name in parts.filter_map(|part| part.strip_prefix("arg:")) {
                    self.name(name, node);
                }
                let remote = node
                    .as_str()
                    .and_then(|entry| entry.strip_prefix("from:git-remote:"));
                let names = remote.into_iter().flat_map(|names| names.split('|'));
                names.for_each(|name| self.name(name, node));
            }
        }
        let destinations = effects.get("x-destinations").and_then(Node::as_array);
        for node in destinations.unwrap_or_default() {
            let entry = node.as_str().unwrap_or_default();
            if let Some(shape) = entry.strip_prefix(EVERY_WORD) {
                if PlaceShape::named(shape).is_none() {
                    let known = PLACE_SHAPES.map(|(name, _)| format!("{EVERY_WORD}{name}"));
                    self.bad_value("x-destinations", node, &known.join(", "));
                }
            } else if let Some((_, name)) = entry.split_once("arg:") {
                self.name(name, node);
            }
        }
    }

    fn unless(&mut self, owner: Option<&Object>) {
        self.names(owner.and_then(|owner| owner.get("unless")));
    }

    fn names(&mut self, list: Option<&Node>) {
        let names = list.and_then(Node::as_array);
        for node in names.unwrap_or_default() {
            if let Some(name) = node.as_str() {
                self.name(name, node);
            }
        }
    }

    /// A name at the tool itself is that of any command.
    fn name(&mut self, name: &str, node: &Node) {
        let Some(command) = self.command else { return };
        let has_more = command.object.get("commands").is_some();
        let is_known = self.tool.knows_name(Some(command), name) || self.arguments.contains(name);
        if !has_more && !is_known {
            let title = self.tool.title(command);
            let message = format!("{} has no option or argument {}", Quoted(&title), Quoted(name));
            let hint = "use the \"name\" of an option or argument, not its flag";
            self.findings
                .push(NO_SUCH_NAME.warning(node.span, message).hint(hint));
        }
    }

    fn expression(&mut self, node: &Node) {
        let Some(text) = node.as_str() else { return };
        self.expressions += 1;
        if self.expressions > MOST_EXPRESSIONS {
            return;
        }
        if crate::atip::is_broken_expression(text) {
            let message = format!(
                "the value {} is no regular expression that can be used",
                Quoted(text)
            );
            let hint = "expressions are as JavaScript has them, with at most 1000 characters";
            self.findings
                .push(BAD_EXPRESSION.error(node.span, message).hint(hint));
        }
    }

    fn object(&mut self, key: &str, node: &Node, known: &[(&str, Shape)]) {
        let Some(object) = node.as_object() else {
            self.bad_value(key, node, "an object");
            return;
        };
        for member in &object.members {
            match known.iter().find(|(name, _)| *name == member.key) {
                Some((_, shape)) => self.shape(&member.key, &member.node, *shape),
                None if member.key.starts_with("x-") => {}
                None => self.unknown_key(key, &member.key, member.key_span),
            }
        }
    }

    fn shape(&mut self, key: &str, node: &Node, shape: Shape) {
        if !shape.fits(node) {
            self.bad_value(key, node, &shape.expected());
        }
    }

    fn unknown_key(&mut self, owner: &str, key: &str, span: crate::doc::Span) {
        let message = format!("{owner} has no key {}", Quoted(key));
        self.findings.push(
            UNKNOWN_KEY
                .warning(span, message)
                .hint("the keys that there are stand in docs/descriptions.md"),
        );
    }

    fn bad_value(&mut self, key: &str, node: &Node, expected: &str) {
        let message = format!("{}: expected {expected}, got {}", Quoted(key), came(node));
        let hint = "what each key may say stands in docs/descriptions.md";
        self.findings
            .push(BAD_VALUE.warning(node.span, message).hint(hint));
    }
}
