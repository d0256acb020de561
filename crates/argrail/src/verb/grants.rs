//! `argrail grants`: what is allowed without a question, since when, until when, and whether anybody uses it.

use argrail_acli::{Answer, Envelope, Error};
use argrail_engine::policy::Grant;
use jiff::Timestamp;
use serde_json::{Value, json};

use crate::args::deciding::GrantsArgs;
use crate::deciding::{Office, between};
use crate::foreign::{Table, exact};
use crate::out::{self, Layout, Report};

/// Lists the grants, and returns the exit number.
pub(crate) fn run(args: &GrantsArgs, report: Report) -> u8 {
    let now = Timestamp::now();
    let grants = match attempt(args, now) {
        Ok(grants) => grants,
        Err(error) => return out::refuse(error, report),
    };
    match report {
        Report::Envelope => {
            let list: Vec<Value> = grants.iter().map(|grant| data(grant, now)).collect();
            let answer = Answer::new(json!({"grants": list}));
            out::envelope(&Envelope::new("grants", Ok(answer), None), Layout::Compact)
        }
        Report::Text => out::data(&text(&grants, now)),
    }
}

fn attempt(args: &GrantsArgs, now: Timestamp) -> Result<Vec<Grant>, Error> {
    let office = Office::open()?;
    let mut grants = office.store.grants().map_err(|error| Error::from(&error))?;
    grants.retain(|grant| args.all || grant.holds(now));
    Ok(grants)
}

/// Returns a grant as programs read it.
pub(super) fn data(grant: &Grant, now: Timestamp) -> Value {
    let mut data = json!({
        "id": grant.id,
        "pattern": grant.pattern.to_string(),
        "caller": grant.caller,
        "session": grant.session,
        "request": grant.request,
        "givenBy": grant.given_by,
        "createdAt": grant.created_at.to_string(),
        "expiresAt": grant.expires_at.map(|end| end.to_string()),
        "lastUsedAt": grant.last_used_at.map(|last| last.to_string()),
        "uses": grant.uses,
        "state": state(grant, now),
    });
    if let Some(revoked) = grant.revoked_at {
        data["revokedAt"] = json!(revoked.to_string());
    }
    data
}

/// Says that a grant was given, until when, and how it is taken back.
pub(super) fn given(grant: &Grant) -> String {
    let until = match grant.expires_at {
        Some(end) => format!("until {end:.0}"),
        None => "until it is taken back".to_owned(),
    };
    let pattern = exact(&grant.pattern.to_string());
    let id = &grant.id;
    format!("{id}: given {until}\n  {pattern}\ntake it back with: argrail revoke {id}\n")
}

fn state(grant: &Grant, now: Timestamp) -> &'static str {
    if grant.revoked_at.is_some() {
        "revoked"
    } else if grant.expires_at.is_some_and(|end| end <= now) {
        "expired"
    } else {
        "active"
    }
}

fn text(grants: &[Grant], now: Timestamp) -> String {
    if grants.is_empty() {
        return "no grants; a person gives one with: argrail approve ID --for 1h, or argrail grant PATTERN\n"
            .to_owned();
    }
    let mut table = Table::new(&["ID", "STATE", "CALLER", "USES", "LAST", "LEFT", "PATTERN"]);
    for grant in grants {
        let last = grant.last_used_at.map(|last| between(last, now) + " ago");
        let left = match grant.expires_at {
            Some(end) if grant.holds(now) => between(now, end),
            Some(_) => String::new(),
            None => "no end".to_owned(),
        };
        table.row([
            grant.id.0.as_str(),
            state(grant, now),
            grant.caller.as_deref().unwrap_or("everybody"),
            &grant.uses.to_string(),
            &last.unwrap_or_else(|| "never".to_owned()),
            &left,
            &grant.pattern.to_string(),
        ]);
    }
    table.text()
}
