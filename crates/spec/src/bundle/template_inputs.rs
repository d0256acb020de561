//! Whether the words of a call can be made from the inputs of a tool: its template is one, names inputs that there are,
//! treats each as what its schema says, and uses all of them. Without a template, every input can be an option.

use serde_json::Value;

use crate::doc::fields::Quoted;
use crate::doc::{Diagnostic, Span};
use crate::manifest::part_of;
use crate::mcp_tools::option_name;
use crate::template::{Ending, Hole, Source, Template};
use crate::tool_md::{TEMPLATE, ToolMd};

/// Returns what is wrong with the words of a tool. `source` is the text of its manifest.
pub(crate) fn check(tool: &ToolMd, source: &str) -> Vec<Diagnostic> {
    let Some(argv) = tool.argv() else {
        return as_options(tool);
    };
    let place = |word: usize, at: &std::ops::Range<usize>| match argv.get(word) {
        Some(word) => part_of(source, word.span, word, at.clone()),
        None => tool.inputs.span,
    };
    let template = match Template::parse(argv) {
        Ok(template) => template,
        Err(wrong) => {
            let told = wrong.iter().map(|one| {
                let span = place(one.word, &one.at);
                TEMPLATE.error(span, one.to_string()).hint(one.hint())
            });
            return told.collect();
        }
    };
    let mut found = Vec::new();
    for (hole, is_whole) in template.holes() {
        let span = place(hole.word, &hole.at);
        let about = About {
            tool,
            hole,
            is_whole,
            span,
        };
        found.extend(about.check());
    }
    let used: Vec<&str> = template.holes().filter_map(|(hole, _)| hole.input()).collect();
    found.extend(unused(tool, &used));
    found
}

/// One placeholder, held against the schema.
struct About<'a> {
    tool: &'a ToolMd,
    hole: &'a Hole,
    is_whole: bool,
    span: Span,
}

impl About<'_> {
    fn wrong(&self, what: &str, hint: impl Into<String>) -> Diagnostic {
        let message = format!("argv[{}]: {what}", self.hole.word);
        TEMPLATE.error(self.span, message).hint(hint)
    }

    fn check(&self) -> Option<Diagnostic> {
        let steps = match &self.hole.source {
            Source::Input(steps) => steps,
            Source::Context(_) => return None,
            Source::Value => {
                let what = "only persist.cmd of a setup step has a value";
                return Some(self.wrong(what, "write ${input.NAME}"));
            }
        };
        let mut schema: &Value = &self.tool.inputs;
        let mut is_sure = true;
        for (depth, step) in steps.iter().enumerate() {
            let Some(properties) = schema.get("properties").and_then(Value::as_object) else {
                // An object that is given whole may have fields that nobody declares; the inputs themselves are options.
                let is_open = depth > 0 && schema.get("additionalProperties").is_none();
                return (is_bare(schema) && !is_open).then(|| self.undeclared(step, std::iter::empty()));
            };
            let required = schema.get("required").and_then(Value::as_array);
            is_sure &= required.is_some_and(|names| names.iter().any(|name| name == step));
            match properties.get(step) {
                Some(property) => schema = property,
                None => return Some(self.undeclared(step, properties.keys().map(String::as_str))),
            }
        }
        self.kind(schema).or_else(|| self.missing(is_sure))
    }

    fn undeclared<'n>(&self, step: &str, names: impl Iterator<Item = &'n str>) -> Diagnostic {
        let what = format!("expected one of its inputs, got {}", Quoted(step));
        let hint = match argrail_acli::nearest(step, names) {
            Some(near) => format!("did you mean {}?", Quoted(near)),
            None => "add it to inputs.properties".to_owned(),
        };
        self.wrong(&what, hint)
    }

    /// Complains about a value that cannot be what the template makes of it.
    fn kind(&self, schema: &Value) -> Option<Diagnostic> {
        let kind = kind(schema)?;
        let items = schema.get("items").and_then(self::kind);
        match (&self.hole.ending, kind) {
            (Ending::Flag(_), "boolean") => None,
            (Ending::Flag(_), other) => {
                let what = format!(
                    "flag expects true or false, and the input is of type {}",
                    Quoted(other)
                );
                Some(self.wrong(&what, "use optional('--x') for a value"))
            }
            (Ending::Plain | Ending::Optional(_), _) if self.hole.is_json() => None,
            (Ending::Plain | Ending::Optional(_), "object") => {
                Some(self.wrong("an object is no word", "write it as JSON: | json"))
            }
            (Ending::Plain | Ending::Optional(_), "array") if !self.is_whole => {
                let what = "a list cannot stand inside of a word";
                Some(self.wrong(what, "make it a word of its own, or write it as JSON: | json"))
            }
            (Ending::Plain | Ending::Optional(_), "array") if matches!(items, Some("object" | "array")) => {
                Some(self.wrong("an item of the list is no word", "write it as JSON: | json"))
            }
            (Ending::Plain | Ending::Optional(_), _) => None,
        }
    }

    /// Tells about an input that need not be given, and without which no call can be made.
    fn missing(&self, is_sure: bool) -> Option<Diagnostic> {
        let is_needed = self.hole.ending == Ending::Plain && !self.hole.has_default();
        if is_sure || !is_needed {
            return None;
        }
        let name = self.hole.source.given_name();
        let what = format!(
            "argv[{}]: without {}, which is not required, no call can be made",
            self.hole.word,
            Quoted(&name)
        );
        let hint = "add | default('x') or | optional('--x'), or list it in inputs.required";
        Some(TEMPLATE.warning(self.span, what).hint(hint))
    }
}

/// Whether a schema of an object declares no field, here or elsewhere: nothing could be given for one.
fn is_bare(schema: &Value) -> bool {
    const ELSEWHERE: [&str; 9] = [
        "$ref",
        "$dynamicRef",
        "allOf",
        "anyOf",
        "oneOf",
        "if",
        "patternProperties",
        "dependentSchemas",
        "propertyNames",
    ];
    let open = schema.get("additionalProperties");
    schema.as_object().is_some()
        && kind(schema).is_none_or(|kind| kind == "object")
        && !ELSEWHERE.iter().any(|key| schema.get(key).is_some())
        && open.is_none_or(|open| *open == Value::Bool(false))
}

/// Returns the one type that a schema names, whether or not null will do, too.
fn kind(schema: &Value) -> Option<&str> {
    match schema.get("type")? {
        Value::String(kind) => Some(kind),
        Value::Array(kinds) => {
            let mut left = kinds.iter().filter(|kind| **kind != "null");
            let only = left.next()?.as_str()?;
            left.next().is_none().then_some(only)
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => None,
    }
}

/// Tells about inputs whose values would be lost.
fn unused(tool: &ToolMd, used: &[&str]) -> Vec<Diagnostic> {
    let names = tool.input_names().unwrap_or_default();
    let lost = names.into_iter().filter(|name| !used.contains(name));
    lost.map(|name| {
        let what = format!(
            "inputs: no word of the template uses {}, so its value is lost",
            Quoted(name)
        );
        TEMPLATE
            .warning(tool.inputs.span, what)
            .hint("use it in the template, or take the input out")
    })
    .collect()
}

/// Tells about inputs that cannot be options, for a tool without a template.
fn as_options(tool: &ToolMd) -> Vec<Diagnostic> {
    let properties = tool.inputs.get("properties").and_then(Value::as_object);
    let mut found = Vec::new();
    for (name, schema) in properties.into_iter().flatten() {
        let what = match (option_name(name), kind(schema)) {
            (None, _) => "its name cannot be an option",
            (Some(_), Some("object")) => "an object cannot be the value of an option",
            (Some(_), _) => continue,
        };
        let message = format!("inputs: {} cannot be given: {what}", Quoted(name));
        let hint = "write a template, with metadata.cli.argv";
        found.push(TEMPLATE.warning(tool.inputs.span, message).hint(hint));
    }
    found
}
