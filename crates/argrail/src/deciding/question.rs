//! One question before a person, line by line: everything is shown, and then a yes is typed, or a code where it is
//! dangerous. Naming a question is no yes to it: the name comes from whoever asks.

use argrail_acli::{Code, Error, Text};
use jiff::Timestamp;

use super::asked::Asked;
use super::authority::at_terminal;
use super::choice::{Choice, Decision};
use super::code;
use super::decide::{decide, find};
use super::office::Office;
use super::person::Person;
use super::sheet::sheet;
use crate::foreign::{Part, Row};

/// Shows what is to be decided, and returns when a person has said yes.
///
/// # Errors
/// When the answer is another, or the terminal is gone.
pub(crate) fn ask_for_yes(person: &mut Person, decision: &Decision, now: Timestamp) -> Result<(), Error> {
    show(person, decision, now)?;
    if !decision.asked.dangers.is_empty() {
        return confirm(person, &decision.asked);
    }
    let words = decision.asked.argv.len();
    let more = match &decision.choice {
        Choice::Grant { .. } => ", and allow more as shown above",
        Choice::Once | Choice::Deny(_) => "",
    };
    let question = format!("Run this, with all its {words} words{more}? Type y for yes:");
    let answer = person.ask(&question).map_err(Error::execution)?;
    match answer.as_str() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(nothing_decided(&decision.asked)),
    }
}

fn show(person: &mut Person, decision: &Decision, now: Timestamp) -> Result<(), Error> {
    let mut rows = sheet(&decision.asked, now);
    rows.extend(grant(&decision.choice));
    rows.push(Row::Blank);
    person.show(&rows).map_err(Error::execution)
}

/// Has a person type what only this screen says.
fn confirm(person: &mut Person, asked: &Asked) -> Result<(), Error> {
    let code =
        code::random().ok_or_else(|| Error::execution("the system gives no random numbers for a code"))?;
    let words = asked.argv.len();
    let question = format!("It is dangerous. To run this, with all its {words} words, type {code}:");
    match person.ask(&question).map_err(Error::execution)? == code {
        true => Ok(()),
        false => Err(nothing_decided(asked)),
    }
}

/// Shows a question to the person who waits for its answer, and keeps their yes.
///
/// # Errors
/// When the answer is another, or it cannot be asked or kept.
pub(crate) fn decide_here(id: &str, person: &mut Person) -> Result<(), Error> {
    let office = Office::open()?;
    let asked = find(&*office.store, id, Timestamp::now())?;
    let decision = Decision {
        asked,
        choice: Choice::Once,
    };
    ask_for_yes(person, &decision, Timestamp::now())?;
    let now = Timestamp::now();
    decide(&office, &decision, &at_terminal(now), now).map(drop)
}

/// What is allowed beside this one call.
fn grant(choice: &Choice) -> Vec<Row> {
    let Choice::Grant {
        scope,
        lives,
        session,
    } = choice
    else {
        return Vec::new();
    };
    let lives = match lives {
        Some(lives) => match jiff::SignedDuration::try_from(*lives) {
            Ok(lives) => format!("for {lives:#}"),
            Err(_) => "for longer than there are dates".to_owned(),
        },
        None => "until it is taken back".to_owned(),
    };
    let lives = match session {
        Some(_) => format!("in this session, {lives} at most"),
        None => lives,
    };
    let item = |mark: &str, part| Row::Item {
        mark: mark.to_owned(),
        parts: vec![part],
    };
    vec![
        Row::Blank,
        Row::Heading("a yes also allows, without a question, what this caller does within".to_owned()),
        item("pattern", Part::Foreign(scope.clone())),
        item("time", Part::Ours(lives)),
    ]
}

fn nothing_decided(asked: &Asked) -> Error {
    Error::new(
        Code::PermissionDenied,
        Text::new("nothing was decided about {}, which goes on waiting").value(&asked.id),
    )
    .hint(Text::new("Say no with: argrail deny {}").value(&asked.id))
    .detail("reason", "denied_by_human")
    .detail("approval", asked.id.as_str())
}
