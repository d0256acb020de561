//! `argrail diff OLD NEW`: what changed between two metadata files, or two CLI.md, and which version number that calls
//! for.

use std::path::Path;

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use argrail_spec::cli_md::{self, CliMd};
use argrail_spec::diff::{Difference, diff, diff_cli};
use argrail_spec::doc::{Limits, place};
use serde_json::{Value, json};

use crate::args::command_line::DiffArgs;
use crate::foreign::Table;
use crate::metadata_file;
use crate::out::{self, Layout, Report};

/// How much of a value a person is shown.
const SHOWN: usize = 60;
/// What a manifest begins with.
const FENCE: &[u8] = b"---";

/// Compares the files.
pub(crate) fn run(args: &DiffArgs, report: Report) -> u8 {
    let difference = match compared(args, report) {
        Ok(difference) => difference,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let answer = Answer::new(json!(difference));
            out::envelope(&Envelope::new("diff", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&text(&difference)),
    }
}

fn compared(args: &DiffArgs, report: Report) -> Result<Difference, Error> {
    if is_manifest(&args.old) || is_manifest(&args.new) {
        return Ok(diff_cli(&manifest(&args.old)?, &manifest(&args.new)?));
    }
    let old = metadata_file::read(&args.old, report)?;
    let new = metadata_file::read(&args.new, report)?;
    Ok(diff(&old, &new))
}

/// Whether a file has front matter, as a CLI.md does.
fn is_manifest(path: &Path) -> bool {
    let start = metadata_file::bounded(path, FENCE.len()).unwrap_or_default();
    start.starts_with(FENCE)
}

/// Reads a CLI.md.
fn manifest(path: &Path) -> Result<CliMd, Error> {
    let shown = path.to_string_lossy();
    let text = metadata_file::bounded(path, Limits::manifest().bytes).map_err(|error| {
        let what = Text::new("{}: {}").value(&shown).value(error.to_string());
        Error::new(Code::ExecutionError, what)
            .hint(Text::new("Check that {} is a file that you may read").value(&shown))
    })?;
    let loaded = cli_md::load(&text).map_err(|refused| {
        let at = refused.first().map_or(0, |first| first.span.start);
        let at = place(&text, at);
        let what = Text::new("{}:{}:{}: {}")
            .value(&shown)
            .number(at.line)
            .number(at.column)
            .value(refused.to_string());
        Error::new(Code::ExecutionError, what).hint(Text::new("Run: argrail lint {}").value(&shown))
    })?;
    Ok(loaded.manifest)
}

fn text(difference: &Difference) -> String {
    if difference.changes.is_empty() {
        return "no difference\n".to_owned();
    }
    let mut table = Table::new(&["CHANGE", "WHERE", "WHAT"]);
    for change in &difference.changes {
        let values = match (shown(&change.old), shown(&change.new)) {
            (None, None) => String::new(),
            (Some(old), None) => format!(": {old}"),
            (None, Some(new)) => format!(": {new}"),
            (Some(old), Some(new)) => format!(": {old} -> {new}"),
        };
        let what = format!("{}{values}", change.what);
        table.row([change.kind.as_str(), &change.pointer, &what]);
    }
    format!("{}\nversion: {}\n", table.text(), difference.advice.as_str())
}

fn shown(value: &Option<Value>) -> Option<String> {
    let json = value.as_ref()?.to_string();
    if json.chars().count() <= SHOWN {
        return Some(json);
    }
    Some(json.chars().take(SHOWN).chain(['.'; 3]).collect())
}
