//! `argrail approve`: a person is shown a question in full and then says yes, once or to more of the kind.

use std::path::Path;
use std::time::Duration;

use argrail_acli::{Answer, Code, Envelope, Error, Text};
use jiff::Timestamp;
use serde_json::json;

use crate::args::deciding::{ApproveArgs, HostMemory, Lives};
use crate::deciding::{
    Asked, Authority, Choice, Decided, Decision, Office, ask_for_yes, decide, everything_below, find,
    meaning, read_scope,
};
use crate::foreign::exact;
use crate::out::{self, Layout, Report};
use crate::verb::grants;

/// How long a grant lasts whose pattern was given and whose time was not.
const USUAL: Duration = Duration::from_secs(3600);
/// How long a session's hosts are remembered at most: ids of sessions are never used again, and grants pile up.
const SESSION: Duration = Duration::from_secs(24 * 3600);

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
    let choice = choice(args, &asked, &office)?;
    if let Choice::Grant { scope, .. } = &choice {
        // A pattern that does not fit is told before anybody is asked.
        read_scope(scope, &asked, &office.home).map_err(|problem| problem.error(scope, &asked))?;
    }
    let decision = Decision { asked, choice };
    match &mut authority {
        Authority::Person(person) => ask_for_yes(person, &decision, Timestamp::now())?,
        // The token is the person's channel: whoever made it gave it to a program that decides for them.
        Authority::Token if decision.asked.dangers.is_empty() || args.destructive => {}
        Authority::Token => return Err(dangerous(&decision.asked)),
    }
    let now = Timestamp::now();
    decide(&office, &decision, &authority.approver(now), now)
}

fn choice(args: &ApproveArgs, asked: &Asked, office: &Office) -> Result<Choice, Error> {
    if let Some(memory) = args.hosts {
        return hosts(memory, args.lives, asked, office);
    }
    let lives = match args.lives {
        Some(lives) => lives.limit(),
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
    Ok(Choice::Grant {
        scope,
        lives,
        session: None,
    })
}

/// A yes that remembers the new hosts of a question.
fn hosts(memory: HostMemory, lives: Option<Lives>, asked: &Asked, office: &Office) -> Result<Choice, Error> {
    let pattern = asked.hosts_pattern().ok_or_else(|| {
        Error::invalid(
            Text::new("{} names no new host").value(&asked.id),
            Text::new("Approve it once: argrail approve {}").value(&asked.id),
        )
    })?;
    let lives = lives.map(Lives::limit);
    let below = |directory: &Path| format!("{pattern} {}", everything_below(directory));
    Ok(match memory {
        HostMemory::Session => Choice::Grant {
            scope: below(Path::new("/")),
            lives: lives.unwrap_or(Some(SESSION)),
            session: asked.session.clone(),
        },
        HostMemory::Project => Choice::Grant {
            scope: below(&office.project_of(Path::new(asked.cwd.as_deref().unwrap_or("/")))),
            lives: lives.unwrap_or_default(),
            session: None,
        },
        HostMemory::Always => Choice::Grant {
            scope: below(Path::new("/")),
            lives: lives.unwrap_or_default(),
            session: None,
        },
    })
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
        Some(grant) => format!("{id}: approved\n{}", grants::given(grant)),
    }
}
