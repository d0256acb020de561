//! `argrail approve`: a person says yes, once or to more of the kind, and is shown in full what to.

use std::time::Duration;

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use jiff::Timestamp;
use serde_json::json;

use crate::args::{ApproveArgs, Lives};
use crate::deciding::{
    Asked, Authority, Choice, Decided, Decision, Office, acknowledge, decide, find, meaning, read_scope,
};
use crate::foreign::exact;
use crate::out::{self, Layout, Report};
use crate::verb::grants;

/// How long a grant lasts whose pattern was given and whose time was not.
const USUAL: Duration = Duration::from_secs(3600);

/// Asks, keeps the answer, and returns the exit number.
pub(crate) fn run(args: &ApproveArgs, report: Report) -> u8 {
    let decided = match attempt(args) {
        Ok(decided) => decided,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let grant = decided
                .grant
                .as_ref()
                .map(|grant| grants::data(grant, Timestamp::now()));
            let data = json!({"id": decided.id, "approved": true, "grant": grant});
            out::envelope(
                &Envelope::new("approve", Ok(Answer::new(data)), None),
                Layout::Compact,
            )
        }
        Report::Text => out::data(&text(&decided)),
    }
}

fn attempt(args: &ApproveArgs) -> Result<Decided, Error> {
    let office = Office::open()?;
    let mut authority = Authority::obtain(args.token_file.as_deref(), &*office.store)?;
    let asked = find(&*office.store, &args.id, Timestamp::now())?;
    let choice = choice(args, &asked)?;
    if let Choice::Grant { scope, .. } = &choice {
        // A pattern that does not fit is told before anybody is asked.
        read_scope(scope, &asked, &office.home).map_err(|problem| problem.error(scope, &asked))?;
    }
    let decision = Decision { asked, choice };
    match &mut authority {
        Authority::Person(person) => acknowledge(person, &decision, Timestamp::now())?,
        Authority::Token if decision.asked.dangers.is_empty() || args.destructive => {}
        Authority::Token => return Err(dangerous(&decision.asked)),
    }
    let now = Timestamp::now();
    decide(&office, &decision, &authority.approver(now), now)
}

fn choice(args: &ApproveArgs, asked: &Asked) -> Result<Choice, Error> {
    let lives = match args.lives {
        Some(Lives::For(lives)) => Some(lives),
        Some(Lives::Forever) => None,
        None if args.scope.is_some() => Some(USUAL),
        None => return Ok(Choice::Once),
    };
    let scope = args.scope.clone().or_else(|| asked.suggest.clone());
    let scope = scope.ok_or_else(|| {
        Error::invalid(
            Text::new("no pattern can cover what {} asks").value(&asked.id),
            Text::new("Approve it once: argrail approve {}").value(&asked.id),
        )
    })?;
    Ok(Choice::Grant { scope, lives })
}

fn dangerous(asked: &Asked) -> Error {
    let mut what = Text::new("{} is dangerous").value(&asked.id);
    for (index, danger) in asked.dangers.iter().enumerate() {
        what = what.then(
            if index == 0 { ": " } else { ", and " },
            Text::new(meaning(*danger)),
        );
    }
    Error::new(Code::PermissionDenied, what)
        .hint("Read it with 'argrail approvals --json' and add --destructive, or decide at a terminal")
        .detail("reason", "denied_by_policy")
}

fn text(decided: &Decided) -> String {
    let id = exact(&decided.id);
    match &decided.grant {
        None => format!("{id}: approved, once\n"),
        Some(grant) => {
            let until = match grant.expires_at {
                Some(end) => format!("until {end:.0}"),
                None => "until it is taken back".to_owned(),
            };
            let pattern = exact(&grant.pattern.to_string());
            format!(
                "{id}: approved\n{}: given {until}\n  {pattern}\ntake it back with: argrail revoke {}\n",
                grant.id, grant.id
            )
        }
    }
}
