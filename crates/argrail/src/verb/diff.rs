//! `argrail diff OLD NEW`: what changed between two metadata files, and which version number that calls for.

use argrail_acli::{Answer, Envelope, Error};
use argrail_spec::diff::{Difference, diff};
use serde_json::{Value, json};

use crate::args::DiffArgs;
use crate::metadata_file;
use crate::out::{self, Layout, Report};
use crate::table::Table;

/// How much of a value a person is shown.
const SHOWN: usize = 60;

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
    let old = metadata_file::read(&args.old, report)?;
    let new = metadata_file::read(&args.new, report)?;
    Ok(diff(&old, &new))
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
            (Some(old), Some(new)) => format!(": {old} → {new}"),
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
    Some(json.chars().take(SHOWN).chain(['…']).collect())
}
