//! How a secret reaches a program: in a variable, in a file, or put in by the proxy.

use schemars::JsonSchema;
use serde::Serialize;

use super::rules::EXPOSURE;
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, VALUE, is_env_name};

/// One way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Exposure {
    /// In a variable.
    Env(EnvExposure),
    /// In a file.
    File(FileExposure),
    /// By the proxy.
    Substitute(SubstituteExposure),
    /// In a way that nobody here knows. Left out.
    Other(OtherExposure),
}

/// The word `env`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum EnvWord {
    /// It.
    Env,
}

/// In a variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct EnvExposure {
    /// The kind.
    pub kind: EnvWord,
    /// The variable.
    #[schemars(regex(pattern = "^[A-Z_][A-Z0-9_]*$"))]
    pub name: String,
    /// Which part of the secret.
    #[schemars(length(min = 1))]
    pub field: String,
}

/// The word `file`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum FileWord {
    /// It.
    File,
}

/// In a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FileExposure {
    /// The kind.
    pub kind: FileWord,
    /// The file, absolute or in the home.
    #[schemars(length(min = 1))]
    pub path: String,
    /// Which part of the secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(min = 1))]
    pub field: Option<String>,
    /// The mode of the file; 0600 unless told otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0, max = 511))]
    pub mode: Option<u64>,
}

/// The word `egress-substitute`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SubstituteWord {
    /// It.
    EgressSubstitute,
}

/// By the proxy, in the place of a word.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct SubstituteExposure {
    /// The kind.
    pub kind: SubstituteWord,
    /// The word.
    #[schemars(regex(pattern = "^[A-Z_][A-Z0-9_]*$"))]
    pub placeholder_name: String,
    /// Whether it is done unless told otherwise.
    pub allowed_by_default: bool,
    /// Whom it is meant for. A hint.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    #[schemars(inner(length(min = 1)))]
    pub intended_providers: Vec<String>,
}

/// In a way of a later draft.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(transform = no_known_kind)]
pub struct OtherExposure {
    /// The kind.
    pub kind: String,
}

/// Keeps the kinds that are known out of the open form.
fn no_known_kind(schema: &mut schemars::Schema) {
    let kind = serde_json::json!({"type": "string", "not": {"enum": ["env", "file", "egress-substitute"]}});
    if let Some(properties) = schema.get_mut("properties").and_then(|all| all.as_object_mut()) {
        properties.insert("kind".to_owned(), kind);
    }
}

const NAME_HINT: &str = "use capital letters, digits and '_'";

pub(super) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Exposure> {
    let mut object = field.open(out)?;
    let kind_field = object.need("kind", out)?;
    let kind = kind_field.line(64, out)?;
    let exposure = match kind.as_str() {
        "env" => env(&mut object, out).map(Exposure::Env),
        "file" => in_file(&mut object, out).map(Exposure::File),
        "egress-substitute" => substitute(&mut object, out).map(Exposure::Substitute),
        _ => {
            let what = format!("nobody here knows the kind {}, so it is left out", Quoted(&kind));
            out.push(
                kind_field
                    .warn(EXPOSURE, what)
                    .hint("known are env, file and egress-substitute"),
            );
            return Some(Exposure::Other(OtherExposure { kind: kind.value }));
        }
    };
    object.shut(out);
    exposure
}

fn env(object: &mut Closed<'_>, out: &mut Complaints) -> Option<EnvExposure> {
    let name = object
        .need("name", out)
        .and_then(|field| field.shaped(is_env_name, "the name of a variable", NAME_HINT, out));
    let part = object.need("field", out).and_then(|field| field.line(256, out));
    Some(EnvExposure {
        kind: EnvWord::Env,
        name: name?.value,
        field: part?.value,
    })
}

fn in_file(object: &mut Closed<'_>, out: &mut Complaints) -> Option<FileExposure> {
    let path = object.need("path", out).and_then(|field| file(&field, out));
    let part = object.take("field").and_then(|field| field.line(256, out));
    let mode = object.take("mode").and_then(|field| field.whole(0..=511, out));
    Some(FileExposure {
        kind: FileWord::File,
        path: path?,
        field: part.map(|part| part.value),
        mode: mode.map(|mode| mode.value),
    })
}

fn substitute(object: &mut Closed<'_>, out: &mut Complaints) -> Option<SubstituteExposure> {
    let expected = "a word such as \"GH_TOKEN\"";
    let name = object
        .need("placeholderName", out)
        .and_then(|field| field.shaped(is_env_name, expected, NAME_HINT, out));
    let allowed = object
        .need("allowedByDefault", out)
        .and_then(|field| field.truth(out));
    let providers = object
        .take("intendedProviders")
        .and_then(|field| field.list(out, |item, out| item.line(256, out)));
    Some(SubstituteExposure {
        kind: SubstituteWord::EgressSubstitute,
        placeholder_name: name?.value,
        allowed_by_default: allowed?,
        intended_providers: providers
            .unwrap_or_default()
            .into_iter()
            .map(|provider| provider.value)
            .collect(),
    })
}

fn file(field: &Field<'_>, out: &mut Complaints) -> Option<String> {
    let path = field.line(4096, out)?;
    let anchored = path.starts_with('/') || path.starts_with("~/");
    if !anchored || path.split('/').any(|part| part == "..") {
        out.push(
            field
                .refuse(VALUE, "expected an absolute path, or one that starts with ~/")
                .hint("write it without '..'"),
        );
        return None;
    }
    Some(path.value)
}
