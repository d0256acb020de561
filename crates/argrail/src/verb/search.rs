//! `argrail search`: from what a person wants to do to the command that does it.

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::catalog::Known;
use argrail_engine::catalog::search::{Found, find_commands};
use serde_json::json;

use crate::args::command_line::SearchArgs;
use crate::catalogue::{catalogue, shelf, tell};
use crate::foreign::Table;
use crate::out::{self, Layout, Report};

/// The most hits that are listed.
const MAX_HITS: usize = 1_000;

/// Searches, and shows what fits.
pub(crate) fn run(args: &SearchArgs, report: Report) -> u8 {
    match hits(args, report) {
        Ok(hits) => match report {
            Report::Envelope => {
                let hit = |hit: &Found| json!({"command": hit.command, "description": hit.description, "score": hit.score});
                let data = json!({"hits": hits.iter().map(hit).collect::<Vec<_>>()});
                out::envelope(
                    &Envelope::new("search", Ok(Answer::new(data)), None),
                    Layout::Compact,
                )
            }
            Report::Text => out::data(&text(&hits)),
        },
        Err(error) => out::refuse(error, report),
    }
}

fn hits(args: &SearchArgs, report: Report) -> Result<Vec<Found>, Error> {
    let shelf = shelf()?;
    let catalogue = catalogue(&shelf)?;
    let (tools, problems) = catalogue.list();
    if report == Report::Text {
        tell(&problems);
    }
    // What may not be used is no answer to what somebody wants to do.
    let tools: Vec<Known> = tools.into_iter().filter(Known::is_usable).collect();
    let patterns = catalogue.patterns(&tools);
    Ok(find_commands(
        &tools,
        &patterns,
        &args.words.join(" "),
        args.limit.min(MAX_HITS),
    ))
}

fn text(hits: &[Found]) -> String {
    if hits.is_empty() {
        return "Nothing fits. Try other words, or: argrail list\n".to_owned();
    }
    let mut table = Table::new(&["command", "description"]);
    for hit in hits {
        table.row([hit.command.as_str(), hit.description.as_str()]);
    }
    table.text()
}
