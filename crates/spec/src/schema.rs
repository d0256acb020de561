//! JSON Schema of every format, made from the types that are read into (2020-12).
//!
//! The plain form accepts what argrail can use without complaint about types: the draft's own examples, which leave out
//! some descriptions, among them. The strict form is the draft to the letter: every field that its tables require,
//! only the words that it lists, and no field of anybody's own but `x-*`, `_*` and `$*`.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::acp_md::AcpMd;
use crate::agent_cli_md::AgentCliMd;
use crate::atip::{Metadata, Pattern};
use crate::cli_md::CliMd;
use crate::config::Config;
use crate::driver_md::DriverMd;
use crate::intent_md::IntentMd;
use crate::lint::{FileKind, Strictness};
use crate::registry::{CacheEntry, Registry};
use crate::runner_block::Runner;
use crate::sandbox_block::SandboxBlock;
use crate::secrets_md::SecretsMd;
use crate::tool_md::ToolMd;
use crate::tools_json::Manifest;
use crate::trust::TrustFile;

/// What the tables of ATIP §3.2 require, by the name of the type.
const REQUIRED: [(&str, &[&str]); 5] = [
    ("Metadata", &["atip", "name", "version", "description"]),
    ("Command", &["description"]),
    ("Argument", &["name", "type", "description"]),
    ("Opt", &["name", "flags", "type", "description"]),
    ("AuthMethod", &["type"]),
];

/// The words that the draft lists: type, field, words.
const WORDS: [(&str, &str, &[&str]); 2] = [
    ("Cost", "estimate", &["none", "low", "medium", "high"]),
    (
        "AuthMethod",
        "type",
        &["token", "oauth", "api-key", "certificate", "none"],
    ),
];

/// Returns the schema of a kind of file.
pub fn schema(kind: FileKind, strictness: Strictness) -> Value {
    let mut schema = match kind {
        FileKind::Atip => metadata(),
        FileKind::Patterns => patterns(),
        FileKind::Config => of::<Config>(),
        FileKind::Registry => of::<Registry>(),
        FileKind::Trust => of::<TrustFile>(),
        FileKind::CacheEntry => of::<CacheEntry>(),
        FileKind::ToolsJson => of::<Manifest>(),
        FileKind::Cli => of::<CliMd>(),
        FileKind::Tool => of::<ToolMd>(),
        FileKind::Secrets => of::<SecretsMd>(),
        FileKind::Intent => of::<IntentMd>(),
        FileKind::Runner => of::<Runner>(),
        FileKind::Driver => of::<DriverMd>(),
        FileKind::Sandbox => of::<SandboxBlock>(),
        FileKind::AgentCli => of::<AgentCliMd>(),
        FileKind::Acp => of::<AcpMd>(),
    };
    if is_manifest(kind) {
        refuse_null(&mut schema);
        allow_own(&mut schema);
    }
    let suffix = match strictness {
        Strictness::Relaxed => {
            if matches!(kind, FileKind::Atip | FileKind::Patterns) {
                loosen(&mut schema);
            }
            ""
        }
        Strictness::Strict => {
            tighten(&mut schema);
            ":strict"
        }
    };
    if let Value::Object(object) = &mut schema {
        object.insert(
            "$id".to_owned(),
            format!("urn:argrail:schema:{}{suffix}", kind.as_str()).into(),
        );
        object.insert("title".to_owned(), title(kind).into());
    }
    schema
}

const fn title(kind: FileKind) -> &'static str {
    match kind {
        FileKind::Atip => "ATIP metadata of one tool",
        FileKind::Patterns => "ATIP patterns",
        FileKind::Config => "argrail configuration",
        FileKind::Registry => "ATIP registry of tools",
        FileKind::Trust => "argrail trust settings",
        FileKind::CacheEntry => "ATIP cache entry",
        FileKind::ToolsJson => "tools.json manifest",
        FileKind::Cli => "Front matter of a CLI.md (AIP-29)",
        FileKind::Tool => "Front matter of a TOOL.md (AIP-14)",
        FileKind::Secrets => "Front matter of a SECRETS.md (AIP-19)",
        FileKind::Intent => "Front matter of an INTENT.md (AIP-28)",
        FileKind::Runner => "Runner block (AIP-17)",
        FileKind::Driver => "Front matter of a DRIVER.md (AIP-30)",
        FileKind::Sandbox => "Sandbox block (AIP-29 or AIP-36)",
        FileKind::AgentCli => "Front matter of an AGENT-CLI.md (AIP-45)",
        FileKind::Acp => "Front matter of an ACP.md (AIP-44)",
    }
}

const fn is_manifest(kind: FileKind) -> bool {
    match kind {
        FileKind::Cli
        | FileKind::Tool
        | FileKind::Secrets
        | FileKind::Intent
        | FileKind::Runner
        | FileKind::Driver
        | FileKind::Sandbox
        | FileKind::AgentCli
        | FileKind::Acp => true,
        FileKind::Atip
        | FileKind::Patterns
        | FileKind::Config
        | FileKind::Registry
        | FileKind::Trust
        | FileKind::CacheEntry
        | FileKind::ToolsJson => false,
    }
}

/// Takes `null` out of optional fields: in a manifest, what is not meant is not written.
fn refuse_null(schema: &mut Value) {
    each_type(schema, |_, one| {
        let fields = one.get_mut("properties").and_then(Value::as_object_mut);
        // A tool may say in so many words that it prefers no driver.
        let fields = fields
            .into_iter()
            .flatten()
            .filter(|(name, _)| *name != "default_implementation");
        for (_, field) in fields {
            let Some(field) = field.as_object_mut() else {
                continue;
            };
            if let Some(Value::Array(kinds)) = field.get_mut("type") {
                kinds.retain(|kind| kind != "null");
                if let [kind] = kinds.as_slice() {
                    let kind = kind.clone();
                    field.insert("type".to_owned(), kind);
                }
            }
            if let Some(Value::Array(forms)) = field.get_mut("anyOf") {
                forms.retain(|form| form.get("type") != Some(&json!("null")));
            }
        }
    });
}

/// Lets every object have `x-…` fields, closed as it is.
fn allow_own(schema: &mut Value) {
    each_type(schema, |_, one| {
        if one.get("additionalProperties") == Some(&Value::Bool(false)) {
            one.insert("patternProperties".to_owned(), json!({"^x-": true}));
        }
    });
}

fn generator() -> SchemaGenerator {
    SchemaSettings::draft2020_12().into_generator()
}

fn of<T: JsonSchema>() -> Value {
    generator().into_root_schema_for::<T>().to_value()
}

/// The root object; a shim may say the name and the version of its executable where it describes that.
fn metadata() -> Value {
    let mut schema = of::<Metadata>();
    let in_either = |field: &str| {
        let inside = json!({"required": ["binary"], "properties": {"binary": {"required": [field]}}});
        json!({"anyOf": [{"required": [field]}, inside]})
    };
    if let Value::Object(root) = &mut schema {
        root.insert("required".to_owned(), json!(["atip", "description"]));
        root.insert(
            "allOf".to_owned(),
            json!([in_either("name"), in_either("version")]),
        );
    }
    schema
}

/// One pattern, a list of them, or a list under a name.
fn patterns() -> Value {
    let mut generator = generator();
    let one = generator.subschema_for::<Pattern>().to_value();
    let many = json!({"type": "array", "items": one});
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "oneOf": [
            one,
            many,
            {"type": "object", "required": ["patterns"], "properties": {"patterns": many}},
        ],
        "$defs": generator.take_definitions(true),
    })
}

/// Lets through what is read without complaint beside what is written: a step may be just its command, and a field
/// that is `null` is not there.
fn loosen(schema: &mut Value) {
    if let Some(items) = schema.pointer_mut("/$defs/Pattern/properties/steps/items") {
        *items = json!({"anyOf": [items.take(), {"type": "string"}]});
    }
    each_type(schema, |_, one| {
        let required = one
            .get("required")
            .and_then(Value::as_array)
            .cloned()
            .unwrap_or_default();
        let fields = one.get_mut("properties").and_then(Value::as_object_mut);
        for (name, field) in fields.into_iter().flatten() {
            let kind = field.get("type").filter(|kind| kind.is_string()).cloned();
            if let (Some(kind), Some(field), false) =
                (kind, field.as_object_mut(), required.contains(&json!(name)))
            {
                field.insert("type".to_owned(), json!([kind, "null"]));
            }
        }
    });
}

/// Makes the plain form the strict one.
fn tighten(schema: &mut Value) {
    each_type(schema, tighten_type);
}

/// Visits the root and every definition, each with the name of its type.
fn each_type(schema: &mut Value, visit: impl Fn(&str, &mut Map<String, Value>)) {
    if let Value::Object(root) = schema {
        let name = root
            .get("title")
            .and_then(Value::as_str)
            .unwrap_or_default()
            .to_owned();
        visit(&name, root);
    }
    let types = schema.get_mut("$defs").and_then(Value::as_object_mut);
    for (name, one) in types.into_iter().flatten() {
        if let Value::Object(one) = one {
            visit(name, one);
        }
    }
}

fn tighten_type(name: &str, schema: &mut Map<String, Value>) {
    if let Some((_, fields)) = REQUIRED.iter().find(|(known, _)| *known == name) {
        schema.insert("required".to_owned(), json!(fields));
        // An empty text is as good as none.
        for field in *fields {
            let field = schema
                .get_mut("properties")
                .and_then(|all| all.get_mut(field)?.as_object_mut());
            if let Some(field) = field.filter(|field| field.get("type") == Some(&json!("string"))) {
                field.insert("minLength".to_owned(), 1.into());
            }
        }
    }
    for (_, field, words) in WORDS.iter().filter(|(known, _, _)| *known == name) {
        let field = schema
            .get_mut("properties")
            .and_then(|all| all.get_mut(field)?.as_object_mut());
        if let Some(field) = field {
            field.insert("enum".to_owned(), json!(words));
            field.insert("type".to_owned(), "string".into());
        }
    }
    // Objects with fields of anybody's own have them from `extra`; maps by name have no fields.
    if schema.get("additionalProperties") == Some(&Value::Bool(true)) && schema.contains_key("properties") {
        schema.insert("additionalProperties".to_owned(), false.into());
        schema.insert("patternProperties".to_owned(), json!({"^(x-|_|\\$)": true}));
    }
}
