//! `argrail status`: how far each bundle and each agent is that was added.

use argrail_acli::{Answer, Envelope, Error};
use serde_json::{Value, json};

use super::bring::Workshop;
use super::known::{Known, known};
use super::state::State;
use crate::args::bundle::{HowArgs, StatusArgs};
use crate::foreign::Table;
use crate::out::{self, Layout, Report};

/// Shows it; returns the exit number.
pub(crate) fn run(args: &StatusArgs, report: Report) -> u8 {
    match states(args, report) {
        Ok(states) => match report {
            Report::Envelope => {
                let bundles: Vec<Value> = states.iter().map(State::data).collect();
                let answer = Answer::new(json!({"bundles": bundles}));
                out::envelope(&Envelope::new("status", Ok(answer), None), Layout::Compact)
            }
            Report::Text => out::data(&text(&states)),
        },
        Err(error) => out::refuse(error, report),
    }
}

fn states(args: &StatusArgs, report: Report) -> Result<Vec<State>, Error> {
    let shop = Workshop::open(&HowArgs::default(), report)?;
    let known = known(&shop, &args.ids)?;
    Ok(known
        .iter()
        .map(|Known { subject, .. }| State::of(&shop, subject))
        .collect())
}

fn text(states: &[State]) -> String {
    if states.is_empty() {
        return "no bundle is known; add one with: argrail add NAME\n".to_owned();
    }
    let mut table = Table::new(&["bundle", "installed", "version", "in range", "setup", "auth"]);
    for state in states {
        let cells = state.cells();
        table.row(cells.iter().map(String::as_str));
    }
    table.text()
}
