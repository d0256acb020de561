//! A calendar for agents: the example of ACLI §10.3 as a complete MCP server, kept in a JSON file.
//!
//! ```text
//! cargo run -p argrail-acli --example calendar -- events.json
//! ```
//!
//! An MCP client that starts it sees one tool, `cli`, and finds its way from there: `help`, `help calendar
//! create`, `calendar create --summary Lunch --from 2026-02-02T12:00:00Z --to 2026-02-02T13:00:00Z`,
//! `calendar events --today`. The part that is ACLI is `main` and the three commands; `mcp/stdio.rs` connects
//! them to an MCP library, and the rest of this file is a calendar.
//!
//! Times without an offset are UTC. A bare date as `--to` of a listing includes that day.

#[path = "mcp/stdio.rs"]
mod mcp;

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use argrail_acli::{Answer, Arg, Call, Cli, Code, Command, DateTime, Error, Kind, Text, TokioHost, Typed};
use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::json;

const DAY: SignedDuration = SignedDuration::from_hours(24);

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args_os().nth(1).ok_or("usage: calendar EVENTS.json")?;
    let store = Store::new(file);
    let calendar = Command::new("calendar", "Manage calendar events").subcommands([
        events(store.clone()),
        create(store.clone()),
        delete(store),
    ]);
    let host = Arc::new(TokioHost::default());
    let cli = Cli::builder("calendar", "1.0.0", "A calendar in a file", host)
        .command(calendar)
        .example("calendar events --today")
        .build()?;
    mcp::serve(cli, Vec::new()).await
}

fn events(store: Store) -> Command {
    let max = Arg::option("--max", Kind::Integer, "Maximum number of events to return").short('n');
    Command::new("events", "List calendar events with optional filters")
        .arg(Arg::flag("--today", "Show today's events only"))
        .arg(when("--from", "Start date/time (ISO8601 format)"))
        .arg(when("--to", "End date/time (ISO8601 format)"))
        .arg(
            max.default(10)
                .check("a number from 0 on", |max| matches!(max, Typed::Integer(0..))),
        )
        .exclusive(["today", "from"])
        .exclusive(["today", "to"])
        .example("calendar events --today")
        .example("calendar events --from 2026-02-01 --to 2026-02-07")
        .output_schema(json!({"type": "object", "properties": {"events": {"type": "array"}}}))
        .handler(move |call| list(store.clone(), call))
}

async fn list(store: Store, call: Call) -> Result<Answer, Error> {
    let (from, to) = span(&call)?;
    let max: usize = call.get("max")?;
    let mut events = store.read()?.events;
    events.retain(|event| from.is_none_or(|from| event.end > from) && to.is_none_or(|to| event.start < to));
    events.sort_by_key(|event| event.start);
    events.truncate(max);
    let found = Text::new("Found {} events").number(events.len());
    Ok(Answer::new(json!({ "events": events })).message(found))
}

fn create(store: Store) -> Command {
    Command::new("create", "Create a calendar event")
        .arg(Arg::option("--summary", Kind::String, "What it is").required())
        .arg(when("--from", "Start date/time (ISO8601 format)").required())
        .arg(when("--to", "End date/time (ISO8601 format)").required())
        .example("calendar create --summary Lunch --from 2026-02-02T12:00:00Z --to 2026-02-02T13:00:00Z")
        .handler(move |call| add(store.clone(), call))
}

async fn add(store: Store, call: Call) -> Result<Answer, Error> {
    let (start, end) = (instant(call.get("from")?)?, instant(call.get("to")?)?);
    if end <= start {
        let message = Text::new("Invalid argument: {} is not after {}")
            .value("--to")
            .value("--from");
        return Err(Error::new(Code::ValidationError, message).hint("Pass a --to that is later than --from"));
    }
    let summary = call.get("summary")?;
    let event = store.change(|calendar| {
        calendar.last_id += 1;
        let id = format!("evt_{}", calendar.last_id);
        let event = Event {
            id,
            summary,
            start,
            end,
        };
        calendar.events.push(event.clone());
        Ok(event)
    })?;
    Ok(Answer::new(json!({ "event": event })))
}

fn delete(store: Store) -> Command {
    Command::new("delete", "Delete a calendar event")
        .alias("rm")
        .arg(Arg::positional("id", Kind::String, "Event ID"))
        .example("calendar delete evt_1")
        .handler(move |call| remove(store.clone(), call))
}

async fn remove(store: Store, call: Call) -> Result<Answer, Error> {
    let id: &str = call.get("id")?;
    let event = store.change(|calendar| {
        let at = calendar.events.iter().position(|event| event.id == id);
        let missing = || Error::execution(format!("no event {id}")).hint("Run 'calendar events' for the ids");
        at.map(|at| calendar.events.remove(at)).ok_or_else(missing)
    })?;
    Ok(Answer::new(json!({ "deleted": event })))
}

fn when(spelling: &str, description: &str) -> Arg {
    Arg::option(spelling, Kind::DateTime, description).example("2026-02-02T10:00:00Z")
}

/// The span of time that a listing is about.
fn span(call: &Call) -> Result<(Option<Timestamp>, Option<Timestamp>), Error> {
    if call.get("today")? {
        let today = call.host().now().to_zoned(TimeZone::UTC).date();
        let start = midnight(today)?;
        return Ok((Some(start), Some(start + DAY)));
    }
    let from: Option<&DateTime> = call.get("from")?;
    let to: Option<&DateTime> = call.get("to")?;
    let whole_day = |to: &DateTime| {
        if to.as_str().contains('T') {
            SignedDuration::ZERO
        } else {
            DAY
        }
    };
    let to = to.map(|to| Ok::<_, Error>(instant(to)? + whole_day(to)));
    Ok((from.map(instant).transpose()?, to.transpose()?))
}

fn instant(when: &DateTime) -> Result<Timestamp, Error> {
    let utc = || {
        when.civil()
            .to_zoned(TimeZone::UTC)
            .map(|zoned| zoned.timestamp())
    };
    when.instant().map_or_else(utc, Ok).map_err(Error::execution)
}

fn midnight(date: Date) -> Result<Timestamp, Error> {
    let zoned = date.to_zoned(TimeZone::UTC).map_err(Error::execution)?;
    Ok(zoned.timestamp())
}

#[derive(Clone, Serialize, Deserialize)]
struct Event {
    id: String,
    summary: String,
    start: Timestamp,
    end: Timestamp,
}

/// What the file holds. Ids are never used again.
#[derive(Default, Serialize, Deserialize)]
struct Calendar {
    last_id: u64,
    events: Vec<Event>,
}

/// The file. It is replaced as a whole, so a reader sees the old calendar or the new one and nothing
/// between, and changes wait for each other, in this process and in others.
#[derive(Clone)]
struct Store {
    file: PathBuf,
}

impl Store {
    fn new(file: impl Into<PathBuf>) -> Self {
        Self { file: file.into() }
    }

    fn read(&self) -> Result<Calendar, Error> {
        match fs::read(&self.file) {
            Ok(bytes) => serde_json::from_slice(&bytes).map_err(Error::execution),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Calendar::default()),
            Err(error) => Err(Error::execution(error)),
        }
    }

    fn change<T>(&self, change: impl FnOnce(&mut Calendar) -> Result<T, Error>) -> Result<T, Error> {
        let lock = File::create(self.beside("lock")).map_err(Error::execution)?;
        lock.lock().map_err(Error::execution)?;
        let mut calendar = self.read()?;
        let changed = change(&mut calendar)?;
        self.replace(&calendar).map_err(Error::execution)?;
        Ok(changed)
    }

    fn replace(&self, calendar: &Calendar) -> io::Result<()> {
        let new = self.beside("new");
        let mut file = File::create(&new)?;
        file.write_all(&serde_json::to_vec_pretty(calendar)?)?;
        file.sync_all()?;
        fs::rename(&new, &self.file)
    }

    fn beside(&self, extension: &str) -> PathBuf {
        let mut name = self.file.clone().into_os_string();
        name.push(".");
        name.push(extension);
        Path::new(&name).to_owned()
    }
}
