//! `argrail approvals`: what waits for a person, as a table, as JSON, as a stream, or as a screen to decide on.

use std::io::ErrorKind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use argrail_acli::{Answer, Envelope, Error, Text};
use argrail_engine::audit::Durability;
use argrail_engine::policy::RequestId;
use argrail_engine::store::{Damaged, DamagedKind, Request};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::args::deciding::ApprovalsArgs;
use crate::deciding::token::{self, TokenUse};
use crate::deciding::{
    Asked, Authority, Decision, Desk, Office, Person, between, decide, find, nobody, random_code, read_scope,
    run_screen, sheet_lines, token_made,
};
use crate::foreign::{Table, exact};
use crate::out::{self, Layout, Report};
use crate::runtime::{self, Ended};

/// How often a stream looks for new questions.
const EVERY: Duration = Duration::from_millis(250);

/// How wide a question is shown where there is no terminal.
const USUAL: usize = 100;

/// Shows what waits, and returns the exit number.
pub(crate) fn run(args: &ApprovalsArgs, report: Report) -> u8 {
    let done = match (&args.new_token, &args.id, args.watch, report) {
        (Some(path), _, _, _) => {
            let used = match args.elicitation {
                true => TokenUse::Elicitation,
                false => TokenUse::Verbs,
            };
            new_token(path.as_deref(), used, report)
        }
        (None, Some(id), _, _) => one(id, report),
        (None, None, false, _) => list(report),
        (None, None, true, Report::Envelope) => stream(),
        (None, None, true, Report::Text) => screen(),
    };
    done.unwrap_or_else(|error| out::refuse(error, report))
}

fn list(report: Report) -> Result<u8, Error> {
    let office = Office::open()?;
    let now = Timestamp::now();
    let pending = office.store.pending(now).map_err(|error| Error::from(&error))?;
    let damaged = office.store.damaged(now).map_err(|error| Error::from(&error))?;
    Ok(match report {
        Report::Envelope => {
            let pending: Vec<Value> = pending.iter().map(data).collect();
            let mut answer = json!({"pending": pending});
            if !damaged.is_empty() {
                answer["damaged"] = damaged.iter().map(damage).collect();
            }
            let answer = Answer::new(answer);
            out::envelope(&Envelope::new("approvals", Ok(answer), None), Layout::Compact)
        }
        Report::Text => {
            damaged.iter().for_each(|damaged| out::say(&told_damage(damaged)));
            out::data(&text(&pending, now))
        }
    })
}

fn damage(damaged: &Damaged) -> Value {
    json!({"id": damaged.id, "kind": damaged.kind.as_str(), "problem": damaged.problem})
}

/// Says which entry cannot be read, and what takes it away.
fn told_damage(damaged: &Damaged) -> String {
    let id = exact(&damaged.id);
    let verb = match damaged.kind {
        DamagedKind::Question => "deny",
        DamagedKind::Grant => "revoke",
    };
    format!(
        "a {} in the store cannot be read and answers nothing: {}; take it away with: argrail {verb} {id}",
        damaged.kind.as_str(),
        exact(&damaged.problem)
    )
}

/// Shows one question in full, also where nobody could answer it.
fn one(id: &str, report: Report) -> Result<u8, Error> {
    let office = Office::open()?;
    let now = Timestamp::now();
    let asked = find(&*office.store, id, now)?;
    let width = Person::here().map_or(USUAL, |person| person.width());
    Ok(match report {
        Report::Envelope => {
            let pending = office.store.pending(now).map_err(|error| Error::from(&error))?;
            let named = pending.iter().find(|request| request.id.0 == asked.id);
            let answer = Answer::new(json!({"pending": named.map(data).as_slice()}));
            out::envelope(&Envelope::new("approvals", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&sheet_lines(&asked, now, width)),
    })
}

/// Returns a question as programs read it: what is shown of it, under what the store knows.
fn data(request: &Request) -> Value {
    let mut data = Map::new();
    data.insert("id".to_owned(), json!(request.id));
    data.insert("caller".to_owned(), json!(request.caller));
    data.insert("createdAt".to_owned(), json!(request.created.to_string()));
    data.insert("expiresAt".to_owned(), json!(request.expires.to_string()));
    data.insert("times".to_owned(), json!(request.times));
    for (name, value) in request.shown.as_object().into_iter().flatten() {
        data.entry(name.as_str()).or_insert_with(|| value.clone());
    }
    Value::Object(data)
}

fn text(pending: &[Request], now: Timestamp) -> String {
    if pending.is_empty() {
        return "nothing waits for a person\n".to_owned();
    }
    let mut table = Table::new(&["ID", "ASKED", "LEFT", "CALLER", "COMMAND", "WHAT IT DOES"]);
    for request in pending {
        let asked = Asked::read(request);
        let (command, effects) = match &asked {
            Some(asked) => (asked.command.clone(), asked.effects.join(", ")),
            None => ("(cannot be shown: deny it)".to_owned(), String::new()),
        };
        table.row([
            request.id.0.as_str(),
            &(between(request.created, now) + " ago"),
            &between(now, request.expires),
            &request.caller,
            &command,
            &effects,
        ]);
    }
    format!(
        "{}\nread one and decide with: argrail approve ID, argrail deny ID, or on one screen: argrail approvals --watch\n",
        table.text()
    )
}

fn new_token(path: Option<&Path>, used: TokenUse, report: Report) -> Result<u8, Error> {
    // Only a person may hand out what answers for a person.
    let person = Person::here().ok_or_else(nobody)?;
    let office = Office::open()?;
    let record = office.record()?;
    let path = match path {
        Some(path) => {
            office.check_hidden(path)?;
            path.to_owned()
        }
        None => office.token_file()?,
    };
    let now = Timestamp::now();
    token::make(&path, used, &*office.store, now)?;
    let made = token_made(&path, used, &Authority::Person(person).approver(now));
    if let Err(error) = record.append(&made, Durability::Durable) {
        // What is not in the record was not handed out.
        token::forget(&path, &*office.store)?;
        let _ = std::fs::remove_file(&path);
        return Err(Error::from(&error));
    }
    let name = path.to_string_lossy();
    Ok(match report {
        Report::Envelope => {
            let answer = Answer::new(json!({"tokenFile": name}));
            out::envelope(&Envelope::new("approvals", Ok(answer), None), Layout::Compact)
        }
        Report::Text => {
            out::say(match used {
                TokenUse::Verbs => "whoever can read this file can approve: keep it where no agent reads",
                TokenUse::Elicitation => {
                    "a client with this token answers for you at: argrail serve --http ADDR --elicitation; give it to no \
                     client that an agent steers"
                }
            });
            out::data(&format!("{}\n", exact(&name)))
        }
    })
}

/// Prints a line for each question that waits, once, until somebody stops it or reads no more.
fn stream() -> Result<u8, Error> {
    let office = Office::open()?;
    let ended = runtime::block_on(async {
        let mut told: Vec<RequestId> = Vec::new();
        loop {
            let pending = office.store.pending(Timestamp::now());
            let pending = pending.map_err(|error| Error::from(&error))?;
            for request in pending.iter().filter(|request| !told.contains(&request.id)) {
                match out::stream(&data(request)) {
                    Ok(()) => {}
                    Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(0),
                    Err(error) => return Err(Error::execution(error)),
                }
            }
            // What does not wait any more does not come back under its name.
            told = pending.into_iter().map(|request| request.id).collect();
            if out::nobody_reads() {
                return Ok(0);
            }
            tokio::time::sleep(EVERY).await;
        }
    })?;
    match ended {
        Ended::Done(done) => done,
        Ended::Interrupted(exit) => Ok(exit),
    }
}

/// Shows the screen until somebody leaves it, or a signal ends it.
fn screen() -> Result<u8, Error> {
    let Some(person) = Person::here() else {
        return Err(Error::invalid(
            Text::new("--watch needs a terminal"),
            "Add --json for one line for each new question, or run it at a terminal",
        ));
    };
    let stop = Arc::new(AtomicBool::new(false));
    let (done, over) = tokio::sync::oneshot::channel();
    let mut thread = None;
    let ended = {
        let stop = Arc::clone(&stop);
        let thread = &mut thread;
        runtime::block_on(async move {
            // Begun once signals are heeded: one that came in between would leave the terminal as it is.
            *thread = Some(std::thread::spawn(move || {
                let _ = done.send(shown(person, &stop));
            }));
            over.await
        })
    };
    stop.store(true, Ordering::Relaxed);
    // It gives the terminal back before it ends.
    if let Some(thread) = thread {
        let _ = thread.join();
    }
    match ended? {
        Ended::Done(Ok(shown)) => shown.map(|()| 0),
        Ended::Done(Err(_)) => Err(Error::execution("the screen ended unexpectedly")),
        Ended::Interrupted(exit) => Ok(exit),
    }
}

fn shown(person: Person, stop: &AtomicBool) -> Result<(), Error> {
    let office = Office::open()?;
    let terminal = person.terminal().try_clone().map_err(Error::execution)?;
    let authority = Authority::Person(person);
    let kept = |decision: &Decision| {
        let now = Timestamp::now();
        decide(&office, decision, &authority.approver(now), now)
    };
    run_screen(&Desk {
        store: &*office.store,
        terminal: &terminal,
        check: &|scope, asked| {
            let read = read_scope(scope, asked, &office.home);
            read.map(drop).map_err(|problem| exact(&problem.to_string()))
        },
        code: &random_code,
        decide: &|decision| match kept(decision) {
            Ok(decided) => decided.told(&decision.choice),
            Err(error) => exact(&error.to_string()),
        },
        stop,
    })
}
