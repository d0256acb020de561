//! `argrail list`: every tool that is known, where its description comes from, and how far it may be used.

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::catalog::Known;
use argrail_engine::catalog::resolve::Problem;
use serde_json::{Map, Value, json};

use crate::args::ListArgs;
use crate::catalogue::{Ground, tell};
use crate::out::{self, Layout, Report};
use crate::table::Table;

const SOURCES: [&str; 6] = ["native", "shim", "inferred", "manual", "mcp", "project"];

/// Lists the tools.
pub(crate) fn run(args: &ListArgs, report: Report) -> u8 {
    match listed(args) {
        Ok((tools, problems)) => match report {
            Report::Envelope => {
                let answer = Answer::new(data(&tools, &problems));
                out::envelope(&Envelope::new("list", Ok(answer), None), Layout::Compact)
            }
            Report::Text => {
                tell(&problems);
                out::data(&text(&tools))
            }
        },
        Err(error) => out::refuse(error, report),
    }
}

fn listed(args: &ListArgs) -> Result<(Vec<Known>, Vec<Problem>), Error> {
    let wanted = args.source.as_deref();
    if let Some(unknown) = wanted.filter(|source| !SOURCES.contains(source)) {
        let what = Text::new("there is no source {}").value(unknown);
        return Err(Error::invalid(
            what,
            "Use native, shim, inferred, manual, mcp or project",
        ));
    }
    let ground = Ground::new()?;
    let catalogue = ground.catalogue()?;
    let (tools, mut problems) = catalogue.list();
    problems.splice(0..0, catalogue.sources().problems.iter().cloned());
    problems.extend(catalogue.sources().patterns().problems.iter().cloned());
    problems.extend(tools.iter().flat_map(|known| known.tool.problems.iter().cloned()));
    let fits = |known: &Known| wanted.is_none_or(|source| known.tool.source.as_str() == source);
    Ok((tools.into_iter().filter(fits).collect(), problems))
}

fn data(tools: &[Known], problems: &[Problem]) -> Value {
    let tool = |known: &Known| {
        let metadata = &known.tool.metadata;
        let mut row = Map::new();
        row.insert("name".into(), json!(metadata.name));
        row.insert("source".into(), json!(known.tool.source.as_str()));
        if let Some(version) = &metadata.version {
            row.insert("version".into(), json!(version));
        }
        row.insert("description".into(), json!(metadata.description));
        if let Some(path) = &known.tool.path {
            row.insert("path".into(), json!(path.to_string_lossy()));
        }
        row.insert("trust".into(), json!(known.standing.as_str()));
        if known.tool.expired {
            row.insert("expired".into(), json!(true));
        }
        Value::Object(row)
    };
    let problem =
        |problem: &Problem| json!({"file": problem.path.to_string_lossy(), "message": problem.message});
    json!({
        "tools": tools.iter().map(tool).collect::<Vec<_>>(),
        "problems": problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn text(tools: &[Known]) -> String {
    if tools.is_empty() {
        return "No tools are known yet. Run: argrail scan --probe\n".to_owned();
    }
    let mut table = Table::new(&["tool", "version", "source", "trust", "description"]);
    for known in tools {
        let metadata = &known.tool.metadata;
        table.row([
            metadata.name.as_str(),
            metadata.version.as_deref().unwrap_or("-"),
            known.tool.source.as_str(),
            known.standing.as_str(),
            metadata.description.as_str(),
        ]);
    }
    table.text()
}
