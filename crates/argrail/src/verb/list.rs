//! `argrail list`: every tool that is known, where its description comes from, and how far it may be used.

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::catalog::project::Offer;
use argrail_engine::catalog::resolve::{Problem, ToolSource};
use argrail_engine::catalog::{Known, ProjectState};
use serde_json::{Map, Value, json};

use crate::args::command_line::ListArgs;
use crate::catalogue::{catalogue, shelf, tell};
use crate::foreign::Table;
use crate::out::{self, Layout, Report};

/// Lists the tools.
pub(crate) fn run(args: &ListArgs, report: Report) -> u8 {
    match listed(args) {
        Ok(listed) => match report {
            Report::Envelope => {
                let answer = Answer::new(data(&listed));
                out::envelope(&Envelope::new("list", Ok(answer), None), Layout::Compact)
            }
            Report::Text => {
                tell(&listed.problems);
                out::data(&text(&listed))
            }
        },
        Err(error) => out::refuse(error, report),
    }
}

/// What there is to list.
struct Listed {
    /// The source that was asked for.
    wanted: Option<ToolSource>,
    tools: Vec<Known>,
    /// What the project offers and nobody accepted. A name that is known is not among them: it is not theirs.
    untrusted: Vec<Offer>,
    /// Why not: `untrusted` or `changed`.
    why: &'static str,
    problems: Vec<Problem>,
}

fn listed(args: &ListArgs) -> Result<Listed, Error> {
    let wanted = args.source.as_deref().map(source).transpose()?;
    let shelf = shelf()?;
    let catalogue = catalogue(&shelf)?;
    let (tools, mut problems) = catalogue.heads();
    problems.splice(0..0, catalogue.sources().problems.iter().cloned());
    problems.extend(catalogue.sources().patterns().problems.iter().cloned());
    problems.extend(tools.iter().flat_map(|known| known.tool.problems.iter().cloned()));
    let fits = |source: ToolSource| wanted.is_none_or(|wanted| wanted == source);
    let is_known = |name: &str| tools.iter().any(|known| known.tool.metadata.name == name);
    let offers = shelf.untrusted().into_iter();
    let untrusted = offers
        .filter(|offer| fits(ToolSource::Project) && !is_known(&offer.name))
        .cloned()
        .collect();
    Ok(Listed {
        wanted,
        untrusted,
        why: match shelf.project() {
            ProjectState::Surveyed(found) => found.trust.as_str(),
            ProjectState::None | ProjectState::Refused(_) => "untrusted",
        },
        tools: tools
            .into_iter()
            .filter(|known| fits(known.tool.source))
            .collect(),
        problems,
    })
}

/// Reads the word of `--source`.
fn source(word: &str) -> Result<ToolSource, Error> {
    ToolSource::named(word).ok_or_else(|| {
        Error::invalid(
            Text::new("there is no source {}").value(word),
            "Use native, shim, inferred, manual, mcp, project, shipped or bundle",
        )
    })
}

fn data(listed: &Listed) -> Value {
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
    let offer = |offer: &Offer| {
        json!({
            "name": offer.name,
            "source": "project",
            "description": "",
            "path": offer.file,
            "trust": listed.why,
            "kind": offer.kind.as_str(),
        })
    };
    let problem =
        |problem: &Problem| json!({"file": problem.path.to_string_lossy(), "message": problem.message});
    let known = listed.tools.iter().map(tool);
    json!({
        "tools": known.chain(listed.untrusted.iter().map(offer)).collect::<Vec<_>>(),
        "problems": listed.problems.iter().map(problem).collect::<Vec<_>>(),
    })
}

fn text(listed: &Listed) -> String {
    if listed.tools.is_empty() && listed.untrusted.is_empty() {
        return match listed.wanted {
            Some(source) => format!(
                "No tool has the source '{}'. Run: argrail list\n",
                source.as_str()
            ),
            None => "No tools are known yet. Run: argrail scan --probe\n".to_owned(),
        };
    }
    let mut table = Table::new(&["tool", "version", "source", "trust", "description"]);
    for known in &listed.tools {
        let metadata = &known.tool.metadata;
        table.row([
            metadata.name.as_str(),
            metadata.version.as_deref().unwrap_or("-"),
            known.tool.source.as_str(),
            known.standing.as_str(),
            metadata.description.as_str(),
        ]);
    }
    for offer in &listed.untrusted {
        let what = format!("{}: {}; run: argrail trust", offer.kind.as_str(), offer.file);
        table.row([offer.name.as_str(), "-", "project", listed.why, &what]);
    }
    table.text()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_can_be_asked_for_and_is_named() {
        let refused = source("nope").unwrap_err();
        let hint = refused.hint_text().unwrap_or_default();
        for known in ToolSource::ALL {
            assert_eq!(source(known.as_str()).unwrap(), known);
            assert!(hint.contains(known.as_str()), "{hint}");
        }
    }
}
