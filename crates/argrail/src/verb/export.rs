//! `argrail export`: tool definitions for a model provider, as JSON on stdout. What is left out is said on stderr.

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_spec::export::{Export, Format, Note, Strictness, export};
use serde_json::{Map, Value, json};

use crate::args::command_line::{ExportArgs, ExportFormat};
use crate::foreign::one_line;
use crate::out::{self, Layout, Report};
use crate::verb::exported::tools;

/// Prints the definitions.
pub(crate) fn run(args: &ExportArgs, report: Report) -> u8 {
    let (format, export) = match exported(args, report) {
        Ok(exported) => exported,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(data(format, export));
            out::envelope(&Envelope::new("export", Ok(answer), None), Layout::Compact)
        }
        Report::Text => {
            for note in &export.notes {
                out::say(&one_line(&said(note)));
            }
            match (Layout::of_stdout(), serde_json::to_string(&export.exact())) {
                // For programs: schemas of manifests are byte for byte what they were.
                (Layout::Compact, Ok(text)) if export.is_exact() => out::data(&(text + "\n")),
                (layout, _) => out::json(&export.tools, layout),
            }
        }
    }
}

fn exported(args: &ExportArgs, report: Report) -> Result<(Format, Export), Error> {
    let format = match args.format {
        ExportFormat::Openai => Format::Openai,
        ExportFormat::Anthropic => Format::Anthropic,
        ExportFormat::Gemini => Format::Gemini,
        ExportFormat::Mcp => Format::Mcp,
        ExportFormat::Atip => Format::Atip,
    };
    if args.strict && !format.has_strict_mode() {
        let what = Text::new("--strict is not for {}").word(format.as_str());
        return Err(Error::invalid(what, "Leave --strict out, or use --format openai"));
    }
    let strictness = if args.strict {
        Strictness::Strict
    } else {
        Strictness::Plain
    };
    let found = tools(&args.tools, &args.files, report)?;
    let mut export = export(&found.tools, format, strictness);
    export.notes.splice(0..0, found.notes);
    Ok((format, export))
}

fn data(format: Format, export: Export) -> Value {
    let names: Map<String, Value> = export
        .names
        .into_iter()
        .map(|(name, target)| (name, json!({"tool": target.tool, "path": target.path})))
        .collect();
    let notes: Vec<Value> = export
        .notes
        .iter()
        .map(|note| json!({"tool": note.tool, "path": note.path, "what": note.what, "name": note.name}))
        .collect();
    json!({"format": format.as_str(), "tools": export.tools, "names": names, "notes": notes})
}

fn said(note: &Note) -> String {
    let command = std::iter::once(&note.tool)
        .chain(&note.path)
        .cloned()
        .collect::<Vec<_>>()
        .join(" ");
    match &note.name {
        Some(name) => format!("{command}: {name:?}: {}", note.what),
        None => format!("{command}: {}", note.what),
    }
}
