//! `argrail audit show`: the last records as a table, one in full, or those that come.

use std::io::{self, Write};
use std::os::fd::AsFd;

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::audit::{Filter, Follow, Reader, Which, entries, entry};
use serde_json::{Value, json};

use super::places::places;
use crate::args::audit::AuditShowArgs;
use crate::foreign::Table;
use crate::out::{self, Layout, Report};

/// Shows what fits.
pub(super) fn run(args: &AuditShowArgs, report: Report) -> u8 {
    let shown = match (args.seq, args.follow) {
        (Some(seq), _) => one(seq, report),
        (None, false) => last(args, report),
        (None, true) => follow(args, report),
    };
    shown.unwrap_or_else(|error| out::refuse(error, report))
}

fn filter(args: &AuditShowArgs) -> Filter {
    Filter {
        tool: args.tool.clone(),
        caller: args.caller.clone(),
        action: args.action.clone(),
        since: args.since,
        which: if args.denied { Which::Denied } else { Which::All },
    }
}

fn one(seq: u64, report: Report) -> Result<u8, Error> {
    let found = entry(&places()?.audit(), seq).map_err(|error| Error::from(&error))?;
    Ok(match report {
        Report::Envelope => enveloped(&[found]),
        Report::Text => out::json(&found, Layout::of_stdout()),
    })
}

fn last(args: &AuditShowArgs, report: Report) -> Result<u8, Error> {
    let directory = places()?.audit();
    let found = entries(&directory, &filter(args), args.limit).map_err(|error| Error::from(&error))?;
    Ok(match report {
        Report::Envelope => enveloped(&found),
        Report::Text if found.is_empty() => out::data("Nothing fits.\n"),
        Report::Text => out::data(&table(&found)),
    })
}

fn enveloped(found: &[Value]) -> u8 {
    let answer = Answer::new(json!({"entries": found}));
    out::envelope(&Envelope::new("audit show", Ok(answer), None), Layout::Compact)
}

fn follow(args: &AuditShowArgs, report: Report) -> Result<u8, Error> {
    let directory = places()?.audit();
    let fail = |error: argrail_engine::audit::RecordError| Error::from(&error);
    let mut following = Follow::new(&directory, filter(args)).map_err(fail)?;
    let mut found = entries(&directory, &filter(args), args.limit).map_err(fail)?;
    // What came between the two looks is told by the second.
    found.retain(|entry| following.has_seen(entry));
    let mut heading = Heading::First;
    loop {
        if !found.is_empty() {
            let lines = match report {
                Report::Envelope => found.iter().map(|entry| format!("{entry}\n")).collect(),
                Report::Text => rows(&found, heading),
            };
            heading = Heading::Shown;
            if io::stdout()
                .write_all(lines.as_bytes())
                .and_then(|()| io::stdout().flush())
                .is_err()
            {
                return Ok(0);
            }
        }
        match following.wait(io::stdout().as_fd()).map_err(Error::execution)? {
            Reader::Gone => return Ok(0),
            Reader::There => found = following.fresh().map_err(fail)?,
        }
    }
}

/// Whether the names of the columns are still to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Heading {
    First,
    Shown,
}

fn rows(found: &[Value], heading: Heading) -> String {
    let text = table(found);
    match heading {
        Heading::First => text,
        Heading::Shown => text.lines().skip(1).map(|line| format!("{line}\n")).collect(),
    }
}

fn table(found: &[Value]) -> String {
    let mut table = Table::new(&["seq", "time", "caller", "action", "result", "ms", "command"]);
    for entry in found {
        let text = |place: &str| match entry.pointer(place) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Null) | None => String::new(),
            Some(other) => other.to_string(),
        };
        let command = [
            text("/metadata/command"),
            text("/subject/ref"),
            text("/metadata/problem"),
        ];
        let command = command
            .into_iter()
            .find(|text| !text.is_empty())
            .unwrap_or_default();
        table.row([
            text("/seq").as_str(),
            text("/ts").as_str(),
            text("/actor/id").as_str(),
            text("/action").as_str(),
            result(entry).as_str(),
            text("/metadata/duration_ms").as_str(),
            command.as_str(),
        ]);
    }
    table.text()
}

/// In a word, what came of it.
fn result(entry: &Value) -> String {
    let metadata = entry.get("metadata");
    let field = |name: &str| metadata.and_then(|metadata| metadata.get(name));
    match (
        field("success").and_then(Value::as_bool),
        field("error_code").and_then(Value::as_str),
    ) {
        (Some(true), _) => "ok".to_owned(),
        (_, Some(code)) => code.to_owned(),
        (Some(false), None) => "failed".to_owned(),
        (None, None) => "-".to_owned(),
    }
}
