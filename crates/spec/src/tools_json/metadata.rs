//! A tool of a manifest in the words of ATIP: an option for each property of its schema, and `--json` for all at once.
//!
//! What is required is, unless `--json` is there, which stands for all others. The schema is what arguments are held against.
//! No effects are claimed, since a manifest has no word for them.

use serde_json::{Map, Value};

use super::manifest::{Schema, ToolSpec};
use crate::atip::{Atip, Command, Commands, Extra, Kind, Loaded, Metadata, Opt, check_tool_name};
use crate::doc::fields::{Complaints, Quoted};
use crate::doc::{Diagnostic, Severity, Span};
use crate::mcp_tools::{Room, WHOLE, add_dashed, options};

/// The flag that takes all arguments as one JSON object.
pub const JSON_OPTION: &str = "--json";
/// What marks the metadata of a tool that reads JSON from standard input, and what the manifest says of it.
pub const KEY: &str = "x-tools-json";

/// The flag of a property that is itself called `json`.
const OTHER_FLAG: &str = "--arg-json";

/// Returns the metadata of a tool.
///
/// # Errors
/// When a command line cannot begin with its name.
pub fn metadata(spec: &ToolSpec) -> Result<Loaded, Diagnostic> {
    check_tool_name(&spec.name).map_err(|problem| {
        let message = format!("tool {}: {problem}", Quoted(&spec.name));
        Diagnostic::new(Severity::Error, "tools-json/bad-name", Span::default(), message)
            .hint("give the tool a name that can be typed")
    })?;
    let mut complaints = Complaints::default();
    let mut room = Room::of_tool();
    let description = room.prose(spec.description.as_deref().unwrap_or_default());
    let schema = spec.schema.as_ref().map(Schema::value);
    let place = format!("tool {}", Quoted(&spec.name));
    let mut conditions = Extra::new();
    // A property that cannot be a flag can still be given: with `--json`.
    let mut own = options(
        schema.as_ref(),
        &place,
        &mut room,
        &mut conditions,
        &mut complaints,
    )
    .unwrap_or_default();
    own.iter_mut().for_each(rename_json);
    add_dashed(&mut own);
    let whole = whole(&own);
    own.push(whole);
    let mut said = Map::new();
    if let Some(description) = &spec.description {
        said.insert("description".to_owned(), description.as_str().into());
    }
    if let Some(schema) = &spec.schema {
        said.insert("schema".to_owned(), schema.text().into());
    }
    let itself = Command {
        description: description.clone(),
        options: own,
        extra: conditions,
        ..Command::default()
    };
    let metadata = Metadata {
        atip: Atip {
            version: "0.1".to_owned(),
            ..Atip::default()
        },
        name: spec.name.clone(),
        description: match description.is_empty() {
            true => format!("A tool of tools.json: {}", spec.name),
            false => description,
        },
        commands: Commands::from_iter([(String::new(), itself)]),
        extra: Extra::from_iter([
            (KEY.to_owned(), Value::Object(said)),
            ("x-output".to_owned(), "json".into()),
        ]),
        ..Metadata::default()
    };
    Ok(Loaded {
        metadata,
        warnings: complaints.into_list(),
    })
}

/// Leaves `--json` to what stands for all options.
fn rename_json(option: &mut Opt) {
    for flag in option.flags.iter_mut().filter(|flag| *flag == JSON_OPTION) {
        OTHER_FLAG.clone_into(flag);
    }
}

fn whole(others: &[Opt]) -> Opt {
    let is_free = |name: &String| !others.iter().any(|option| option.name == *name);
    let names = std::iter::once("json".to_owned()).chain((0..).map(|n| format!("json-input-{n}")));
    Opt {
        name: names.into_iter().find(is_free).unwrap_or_default(),
        flags: vec![JSON_OPTION.to_owned()],
        kind: Kind::String,
        description:
            "All arguments as one JSON object, handed to the tool as it is, instead of the other options"
                .to_owned(),
        extra: Extra::from_iter([(WHOLE.to_owned(), true.into())]),
        ..Opt::default()
    }
}
