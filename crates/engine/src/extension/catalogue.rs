//! `x-search`, `x-pattern`, `x-intent`, `x-context`: the catalogue for agents. Nothing here runs a tool.
//!
//! The catalogue is opened by each call, so that what people change holds at once, and what no call asks about costs
//! nothing. What may not be used is not told.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

use argrail_acli::{Arg, Call, Caller, Code, Command, Error, Kind, Text, UNCHECKED, Wording};
use argrail_spec::atip::{ExpandError, Pattern, expand, variables};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::intent::intent;
use super::output::output;
use crate::catalog::search::{Found, find_commands};
use crate::catalog::{Catalogue, Known, Shelf, tool_context};
use crate::config::Config;
use crate::output::Keep;
use crate::places::Places;
use crate::recent::recent;

/// How many hits a search has unless more are asked for, and at most.
const HITS: usize = 10;
const MOST_HITS: usize = 50;

/// Says which tools the delegations of a caller leave it (ATIP §4.3): no other is told to it.
pub(crate) type Reachable = Arc<dyn Fn(&Caller, &str) -> bool + Send + Sync>;

/// What the catalogue is opened with.
#[derive(Debug, Clone)]
pub struct Stock {
    /// The user's places.
    pub places: Places,
    /// What the user has set.
    pub config: Config,
    /// The working directory.
    pub directory: PathBuf,
    /// The value of `PATH`.
    pub path: Option<OsString>,
}

impl Stock {
    pub(crate) fn shelf(&self) -> Result<Shelf, Error> {
        let path = self.path.as_deref();
        Shelf::open(self.places.clone(), self.config.clone(), &self.directory, path)
            .map_err(|error| Error::from(&error))
    }
}

pub(super) fn opened(shelf: &Shelf) -> Result<Catalogue<'_>, Error> {
    shelf
        .catalogue(Timestamp::now())
        .map_err(|error| Error::from(&error))
}

/// Tools that a model may be told of.
pub(super) fn usable(catalogue: &Catalogue<'_>) -> Vec<Known> {
    let (tools, _) = catalogue.list();
    tools.into_iter().filter(Known::is_usable).collect()
}

/// Returns the commands, and the one that pages through outputs.
pub(crate) fn commands(stock: Stock, reach: Reachable) -> [Command; 5] {
    let keep = Keep::new(stock.places.outputs());
    let stock = Arc::new(stock);
    [
        search(stock.clone(), Arc::clone(&reach)),
        pattern(stock.clone()),
        intent(stock.clone()),
        context(stock, reach),
        output(keep),
    ]
}

fn search(stock: Arc<Stock>, reach: Reachable) -> Command {
    Command::new("x-search", "Find the command for what you want to do")
        .arg(Arg::positional("words", Kind::String, "What you want to do, in your own words").many())
        .arg(
            Arg::option("--limit", Kind::Integer, "How many hits at most")
                .short('n')
                .default(HITS),
        )
        .example("x-search open a pull request")
        .handler(move |call: Call| {
            let (stock, reach) = (stock.clone(), Arc::clone(&reach));
            async move {
                let words: Vec<String> = call.get("words")?;
                let limit: u64 = call.get("limit")?;
                let limit = usize::try_from(limit).unwrap_or(MOST_HITS).min(MOST_HITS);
                let shelf = stock.shelf()?;
                let catalogue = opened(&shelf)?;
                let mut tools = usable(&catalogue);
                tools.retain(|known| reach(call.caller(), &known.tool.metadata.name));
                let patterns = catalogue.patterns(&tools);
                let hits = find_commands(&tools, &patterns, &words.join(" "), limit);
                Ok(told(&hits))
            }
        })
}

/// The hits, with a mark on those whose words nobody checked.
fn told(hits: &[Found]) -> Value {
    let is_unchecked = |hit: &Found| hit.wording == Wording::Unchecked;
    let row = |hit: &Found| {
        let mut row = json!({"command": hit.command, "description": hit.description, "score": hit.score});
        if let (true, Some(fields)) = (is_unchecked(hit), row.as_object_mut()) {
            fields.insert("unchecked".to_owned(), true.into());
        }
        row
    };
    let rows: Vec<Value> = hits.iter().map(row).collect();
    if hits.iter().any(is_unchecked) {
        json!({"notice": UNCHECKED, "hits": rows})
    } else {
        json!({"hits": rows})
    }
}

fn pattern(stock: Arc<Stock>) -> Command {
    Command::new(
        "x-pattern",
        "Fill in a known way of working; returns its commands and runs none",
    )
    .arg(Arg::positional("name", Kind::String, "The pattern; without it, all are listed").optional())
    .arg(
        Arg::option(
            "--var",
            Kind::String,
            "A variable and its value: NAME=VALUE. May be repeated",
        )
        .many(),
    )
    .example("x-pattern")
    .example("x-pattern review-pr --var number=7")
    .handler(move |call: Call| {
        let stock = stock.clone();
        async move {
            let name: Option<String> = call.get("name")?;
            let given: Vec<String> = call.get::<Option<Vec<String>>>("var")?.unwrap_or_default();
            let shelf = stock.shelf()?;
            let catalogue = opened(&shelf)?;
            let tools = usable(&catalogue);
            let patterns = catalogue.patterns(&tools);
            match name {
                None => Ok(listed(&patterns)),
                Some(name) => filled(&patterns, &name, &given),
            }
        }
    })
}

fn listed(patterns: &[Pattern]) -> Value {
    let row = |pattern: &Pattern| {
        json!({
            "name": pattern.name,
            "description": pattern.description,
            "variables": variables(pattern),
            "tags": pattern.tags,
        })
    };
    json!({"patterns": patterns.iter().map(row).collect::<Vec<_>>()})
}

fn filled(patterns: &[Pattern], name: &str, given: &[String]) -> Result<Value, Error> {
    let Some(pattern) = patterns.iter().find(|pattern| pattern.name == name) else {
        let names = patterns.iter().map(|pattern| pattern.name.as_str());
        let hint = match argrail_acli::nearest(name, names) {
            Some(near) => Text::new("Did you mean {}?").value(near),
            None => Text::new("Run 'x-pattern' for all patterns"),
        };
        let what = Text::new("pattern {} not found").value(name);
        return Err(Error::new(Code::CommandNotFound, what).hint(hint));
    };
    let mut values = BTreeMap::new();
    for pair in given {
        let Some((name, value)) = pair.split_once('=') else {
            let what = Text::new("--var expects NAME=VALUE, got {}").value(pair);
            return Err(Error::invalid(what, "Write --var number=7"));
        };
        values.insert(name.to_owned(), value.to_owned());
    }
    let steps = expand(pattern, &values).map_err(|error| not_filled(&error))?;
    let step = |step: &argrail_spec::atip::Expanded| json!({"command": step.command, "argv": step.argv, "description": step.description});
    Ok(json!({"pattern": pattern.name, "steps": steps.iter().map(step).collect::<Vec<_>>()}))
}

fn not_filled(error: &ExpandError) -> Error {
    let hint = match error {
        ExpandError::Missing { name } => Text::new("Add --var {}=VALUE").value(name),
        ExpandError::Unknown { known, .. } => Text::new("The variables are: {}").value(known.join(", ")),
        ExpandError::WrongType { .. } | ExpandError::Dash { .. } => Text::new("Give another value"),
        ExpandError::NoCommand { .. } => Text::new("Ask a person to correct the pattern"),
    };
    Error::invalid(Text::new("{}").value(error.to_string()), hint)
}

fn context(stock: Arc<Stock>, reach: Reachable) -> Command {
    Command::new(
        "x-context",
        "The tools you have, their state and your last commands, to hand to another agent",
    )
    .example("x-context")
    .handler(move |call: Call| {
        let (stock, reach) = (stock.clone(), Arc::clone(&reach));
        async move {
            let calls = recent(&stock.places.audit(), Some(&call.caller().id));
            let shelf = stock.shelf()?;
            let catalogue = opened(&shelf)?;
            let caller = call.caller();
            Ok(tool_context(&catalogue, &calls, |tool| reach(caller, tool)))
        }
    })
}
