//! How a secret reaches a program: in a variable, in a file, or put in by the proxy.

use schemars::{Schema, SchemaGenerator, json_schema};
use serde_json::json;

use super::rules::EXPOSURE;
use crate::declare::{Decode, ENV_NAME, Line, List, Variable, Whole, manifest, tagged, texts};
use crate::doc::fields::{Complaints, Quoted};
use crate::manifest::{Closed, Field, VALUE};

tagged! {
    /// One way.
    #[derive(Eq)]
    pub enum Exposure by "kind", else other {
        /// In a variable.
        Env(EnvExposure) = "env",
        /// In a file.
        File(FileExposure) = "file",
        /// By the proxy.
        Substitute(SubstituteExposure) = "egress-substitute",
    }
    also {
        /// In a way that nobody here knows. Left out.
        Other(OtherExposure),
    }
}

manifest! {
    /// In a variable.
    #[derive(Eq)]
    pub struct EnvExposure closed {
        /// The variable.
        need name: String as Variable,
        /// Which part of the secret.
        need field: String as Line<256>,
    }

    /// In a file.
    #[derive(Eq)]
    pub struct FileExposure closed {
        /// The file, absolute or in the home.
        need path: String as AnchoredPath,
        /// Which part of the secret.
        may field: Option<String> as Line<256>,
        /// The mode of the file; 0600 unless told otherwise.
        may mode: Option<u64> as Whole<0, 511>,
    }

    /// By the proxy, in the place of a word.
    #[derive(Eq)]
    pub struct SubstituteExposure closed {
        /// The word.
        need placeholder_name("placeholderName"): String as Placeholder,
        /// Whether it is done unless told otherwise.
        need allowed_by_default("allowedByDefault"): bool,
        /// Whom it is meant for. A hint.
        may intended_providers("intendedProviders"): Vec<String> as List<Line<256>>,
    }

    /// In a way of a later draft.
    #[derive(Eq)]
    pub struct OtherExposure unchecked {
        /// The kind.
        need kind: String as UnknownKind,
    }
}

texts! {
    /// A word that the proxy replaces.
    Placeholder = ENV_NAME, "a word such as \"GH_TOKEN\"", "use capital letters, digits and '_'";
}

fn other(kind: &Field<'_>, object: Closed<'_>, out: &mut Complaints) -> Option<Exposure> {
    let other = OtherExposure::read(object, out)?;
    let what = format!(
        "nobody here knows the kind {}, so it is left out",
        Quoted(&other.kind)
    );
    let hint = "known are env, file and egress-substitute";
    out.push(kind.warn(EXPOSURE, what).hint(hint));
    Some(Exposure::Other(other))
}

/// A path that starts at the root or in the home, and never goes up.
pub(crate) struct AnchoredPath;

impl Decode<AnchoredPath> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        let path = field.line(4096, out)?;
        let anchored = path.starts_with('/') || path.starts_with("~/");
        if !anchored || path.split('/').any(|part| part == "..") {
            let what = "expected an absolute path, or one that starts with ~/";
            out.push(field.refuse(VALUE, what).hint("write it without '..'"));
            return None;
        }
        Some(path.value)
    }

    fn schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "type": "string",
            "maxLength": 4096,
            "pattern": r"^(?!(.*/)?\.\.(/|$))~?/[^\u0000-\u001F\u007F-\u009F]*$",
        })
    }
}

/// A kind that nobody here knows.
pub(crate) struct UnknownKind;

impl Decode<UnknownKind> for String {
    fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<Self> {
        <Self as Decode<Line<64>>>::decode(field, out)
    }

    fn schema(generator: &mut SchemaGenerator) -> Schema {
        let mut schema = <Self as Decode<Line<64>>>::schema(generator);
        let known = json!({"enum": ["env", "file", "egress-substitute"]});
        schema.insert("not".to_owned(), known);
        schema
    }
}
