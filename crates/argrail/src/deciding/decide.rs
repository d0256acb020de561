//! Giving an answer: the store takes it, a grant is made with it, and the record has both.

use std::path::Path;
use std::time::Duration;

use argrail_acli::{Code, Error, Text};
use argrail_engine::audit::{Action, Durability, Event};
use argrail_engine::policy::{ApprovalMeans, Approver, RequestId};
use argrail_engine::policy::{Grant, GrantId, Pattern};
use argrail_engine::store::{
    Answer, Claim, DamagedKind, Request, Ruling, State, Store, StoreError, random_grant_id,
};
use jiff::Timestamp;

use super::asked::Asked;
use super::choice::{Choice, Decision};
use super::office::Office;
use super::{scope, token};
use crate::foreign::exact;

/// What became of an answer.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Decided {
    /// The question.
    pub(crate) id: String,
    /// The grant that was made with it.
    pub(crate) grant: Option<Grant>,
}

impl Decided {
    /// Says what was done, in our words.
    pub(crate) fn told(&self, choice: &Choice) -> String {
        let id = exact(&self.id);
        match (choice, &self.grant) {
            (Choice::Deny(_), _) => format!("{id}: denied"),
            (Choice::Once | Choice::Grant { .. }, None) => format!("{id}: approved, once"),
            (Choice::Once | Choice::Grant { .. }, Some(grant)) => {
                format!("{id}: approved, with the grant {}", grant.id)
            }
        }
    }
}

/// Finds a question that waits, and reads it.
///
/// # Errors
/// When there is none of this name, it is over, or it cannot be shown.
pub(crate) fn find(store: &dyn Store, id: &str, now: Timestamp) -> Result<Asked, Error> {
    let request = waiting(store, id, now)?;
    Asked::read(&request).ok_or_else(|| unreadable(id))
}

/// Finds a question that waits, also one that cannot be shown.
///
/// # Errors
/// When there is none of this name, or it is over.
pub(crate) fn find_any(store: &dyn Store, id: &str, now: Timestamp) -> Result<Asked, Error> {
    let request = waiting(store, id, now)?;
    Ok(Asked::read(&request).unwrap_or_else(|| Asked::named(&request)))
}

fn waiting(store: &dyn Store, id: &str, now: Timestamp) -> Result<Request, Error> {
    let request = named(store, id, now)?;
    match request.state {
        State::Pending => Ok(request),
        State::Approved(_) | State::Used(_) | State::Denied(..) | State::Expired => Err(over(&request)),
    }
}

fn named(store: &dyn Store, id: &str, now: Timestamp) -> Result<Request, Error> {
    let name = RequestId(id.trim().to_lowercase());
    let request = store.request(&name, now).map_err(|error| Error::from(&error))?;
    request.ok_or_else(|| unknown(id))
}

/// Gives the answer.
///
/// # Errors
/// When it cannot be recorded, the pattern does not fit, or the question does not wait any more.
pub(crate) fn decide(
    office: &Office,
    decision: &Decision,
    approver: &Approver,
    now: Timestamp,
) -> Result<Decided, Error> {
    let asked = &decision.asked;
    let record = office.record()?;
    let grant = match &decision.choice {
        Choice::Grant {
            scope,
            lives,
            session,
        } => {
            let pattern = scope::read(scope, asked, &office.home);
            let pattern = pattern.map_err(|problem| problem.error(scope, asked))?;
            // A host that a person knows is known, whoever asks.
            let for_all = pattern.is_for_hosts() && session.is_none();
            Some(Grant {
                caller: (!for_all).then(|| asked.caller.clone()),
                session: session.clone(),
                request: Some(asked.id.clone()),
                ..grant(pattern, *lives, approver, now)?
            })
        }
        Choice::Once | Choice::Deny(_) => None,
    };
    let approver = Approver {
        grant: grant.as_ref().map(|grant| grant.id.clone()),
        ..approver.clone()
    };
    let ruling = match &decision.choice {
        Choice::Once | Choice::Grant { .. } => Ruling::Approve(approver.clone()),
        Choice::Deny(reason) => Ruling::Deny(approver.clone(), reason.clone()),
    };
    let id = RequestId(asked.id.clone());
    let answer = office
        .store
        .answer(&id, &ruling, now)
        .map_err(|error| Error::from(&error))?;
    let binding = match answer {
        Answer::Taken(request) => request.binding,
        Answer::TooLate(request) => return Err(over(&request)),
    };
    let kept = |event: Event| record.append(&event, Durability::Durable).map(drop);
    if let Err(error) = kept(answered(asked, &ruling, &approver)) {
        // What is not in the record was not said: the yes is used up, and nothing runs by it.
        let _ = office.store.claim(&binding, now);
        return Err(Error::from(&error));
    }
    if let Some(grant) = &grant {
        kept(given(grant, &approver)).map_err(|error| Error::from(&error))?;
        office
            .store
            .add_grant(grant)
            .map_err(|error| Error::from(&error))?;
    }
    Ok(Decided {
        id: asked.id.clone(),
        grant,
    })
}

/// A grant of a pattern, for everybody.
fn grant(
    pattern: Pattern,
    lives: Option<Duration>,
    approver: &Approver,
    now: Timestamp,
) -> Result<Grant, Error> {
    let expires_at = match lives {
        Some(lives) => {
            let end = now.checked_add(lives).map_err(|_| too_long())?;
            Some(end)
        }
        None => None,
    };
    let id: GrantId = random_grant_id().map_err(|error| Error::from(&error))?;
    Ok(Grant {
        id,
        pattern,
        caller: None,
        session: None,
        request: None,
        given_by: approver.who.clone(),
        created_at: now,
        expires_at,
        revoked_at: None,
        last_used_at: None,
        uses: 0,
    })
}

/// Gives a grant that nobody asked for.
///
/// # Errors
/// When it cannot be recorded or kept.
pub(crate) fn give(
    office: &Office,
    pattern: Pattern,
    lives: Option<Duration>,
    caller: Option<String>,
    approver: &Approver,
) -> Result<Grant, Error> {
    let record = office.record()?;
    let grant = Grant {
        caller,
        ..grant(pattern, lives, approver, approver.at)?
    };
    let kept = record.append(&given(&grant, approver), Durability::Durable);
    kept.map_err(|error| Error::from(&error))?;
    let added = office.store.add_grant(&grant);
    added.map_err(|error| Error::from(&error))?;
    Ok(grant)
}

fn too_long() -> Error {
    Error::invalid(
        Text::new("--for is longer than there are dates"),
        "Write a time such as 1h or 8h, or --for forever",
    )
}

/// Records that a person made a token.
pub(crate) fn token_made(file: &Path, used: token::TokenUse, approver: &Approver) -> Event {
    let name = token::name_of(file);
    Event::new(Action::GrantGiven, &approver.who, "token", Some(&name))
        .role("approver")
        .with("means", means(approver.means))
        .with("use", used.as_str())
}

fn means(means: ApprovalMeans) -> &'static str {
    match means {
        ApprovalMeans::Terminal => "terminal",
        ApprovalMeans::Token => "token",
        ApprovalMeans::Elicitation => "elicitation",
    }
}

fn answered(asked: &Asked, ruling: &Ruling, approver: &Approver) -> Event {
    let action = match ruling {
        Ruling::Approve(_) => Action::ApprovalApproved,
        Ruling::Deny(..) => Action::ApprovalDenied,
    };
    let event = Event::new(action, &approver.who, "approval", Some(&asked.id))
        .role("approver")
        .with("means", means(approver.means))
        .with("caller", asked.caller.as_str())
        .with("command", asked.command.as_str());
    let event = match &approver.grant {
        Some(grant) => event.with("grant", grant.to_string()),
        None => event,
    };
    match ruling {
        Ruling::Deny(_, Some(reason)) => event.with("humanReason", reason.as_str()),
        Ruling::Deny(_, None) | Ruling::Approve(_) => event,
    }
}

fn given(grant: &Grant, approver: &Approver) -> Event {
    let event = Event::new(
        Action::GrantGiven,
        &approver.who,
        "grant",
        Some(&grant.id.to_string()),
    )
    .role("approver")
    .with("means", means(approver.means))
    .with("pattern", grant.pattern.to_string());
    let event = match &grant.caller {
        Some(caller) => event.with("caller", caller.as_str()),
        None => event,
    };
    let event = match &grant.session {
        Some(session) => event.with("session", session.as_str()),
        None => event,
    };
    match grant.expires_at {
        Some(end) => event.with("expiresAt", end.to_string()),
        None => event,
    }
}

/// Takes away an entry of the store that cannot be read, if this is the name of one. It answers nothing from then on, as it
/// did before, and no longer stands in the way of whoever asks the same.
///
/// # Errors
/// When the store or the record cannot be used.
pub(crate) fn discard(
    office: &Office,
    id: &str,
    approver: &Approver,
    now: Timestamp,
) -> Result<Option<Decided>, Error> {
    let name = id.trim().to_lowercase();
    let damaged = office.store.damaged(now).map_err(|error| Error::from(&error))?;
    let Some(damaged) = damaged.into_iter().find(|damaged| damaged.id == name) else {
        return Ok(None);
    };
    let (action, subject) = match damaged.kind {
        DamagedKind::Question => (Action::ApprovalDenied, "approval"),
        DamagedKind::Grant => (Action::GrantRevoked, "grant"),
    };
    let event = Event::new(action, &approver.who, subject, Some(&name))
        .role("approver")
        .with("means", means(approver.means))
        .with("damaged", damaged.problem);
    let kept = office.record()?.append(&event, Durability::Durable);
    kept.map_err(|error| Error::from(&error))?;
    office
        .store
        .discard(&name, now)
        .map_err(|error| Error::from(&error))?;
    Ok(Some(Decided {
        id: name,
        grant: None,
    }))
}

/// Takes a grant back, a yes that nobody has used yet, or the token that was made in a file; returns its name.
///
/// # Errors
/// When there is none of this name, there is nothing to take back, or the record cannot be kept.
pub(crate) fn revoke(
    office: &Office,
    id: &str,
    approver: &Approver,
    now: Timestamp,
) -> Result<String, Error> {
    if let Some(discarded) = discard(office, id, approver, now)? {
        return Ok(discarded.id);
    }
    let record = office.record()?;
    // No grant and no question has a slash in its name.
    let is_file = id.contains('/');
    let name = match is_file {
        true => token::name_of(Path::new(id)),
        false => id.trim().to_lowercase(),
    };
    let event = if is_file {
        if !token::forget(Path::new(id), &*office.store)? {
            return Err(Error::invalid(
                Text::new("no token was made in {}").value(&name),
                "Name the file that argrail approvals --new-token printed",
            ));
        }
        Event::new(Action::GrantRevoked, &approver.who, "token", Some(&name))
    } else if name.starts_with("g-") {
        let grant = office.store.revoke(&GrantId(name.clone()), now);
        grant.map_err(|error| gone(&error, id))?;
        Event::new(Action::GrantRevoked, &approver.who, "grant", Some(&name))
    } else {
        take_back(office, &name, now)?;
        Event::new(Action::ApprovalDenied, &approver.who, "approval", Some(&name)).with("revoked", true)
    };
    let event = event.role("approver").with("means", means(approver.means));
    let kept = record.append(&event, Durability::Durable);
    kept.map_err(|error| Error::from(&error))?;
    Ok(name)
}

/// Uses up a yes, so that nothing can run by it.
fn take_back(office: &Office, id: &str, now: Timestamp) -> Result<(), Error> {
    let request = named(&*office.store, id, now)?;
    match &request.state {
        State::Approved(_) => {}
        State::Pending => {
            return Err(Error::invalid(
                Text::new("the question {} waits: there is no answer to take back").value(id),
                Text::new("Deny it: argrail deny {}").value(id),
            ));
        }
        State::Used(_) | State::Denied(..) | State::Expired => return Err(over(&request)),
    }
    let claim = office.store.claim(&request.binding, now);
    match claim.map_err(|error| Error::from(&error))? {
        Claim::Approved(_) => Ok(()),
        Claim::Denied(request) | Claim::Expired(request) | Claim::Pending(request) => Err(over(&request)),
        Claim::Nothing => Err(over(&named(&*office.store, id, now)?)),
    }
}

fn gone(error: &StoreError, id: &str) -> Error {
    match error {
        StoreError::NotFound { .. } => Error::invalid(
            Text::new("no grant has the name {}").value(id),
            "See which there are: argrail grants --all",
        ),
        other => Error::from(other),
    }
}

fn unknown(id: &str) -> Error {
    Error::invalid(
        Text::new("no question has the name {}").value(id),
        "See what waits: argrail approvals",
    )
}

fn unreadable(id: &str) -> Error {
    Error::execution(format!(
        "what {id:?} asks cannot be shown, so nobody can say yes to it"
    ))
    .hint(Text::new("Deny it: argrail deny {}").value(id))
}

/// Says what became of a question that does not wait any more.
pub(crate) fn over(request: &Request) -> Error {
    let id = request.id.to_string();
    let already = |template: &'static str, who: &str| {
        Error::invalid(
            Text::new(template).value(&id).value(who),
            "See what waits: argrail approvals",
        )
    };
    match &request.state {
        State::Expired => Error::new(
            Code::PermissionDenied,
            Text::new("the question {} has expired").value(&id),
        )
        .hint("Whoever asked has to ask again; see what waits: argrail approvals")
        .detail("reason", "approval_expired")
        .detail("approval", id.as_str()),
        State::Approved(by) => already("the question {} was approved by {} already", &by.who),
        State::Used(by) => already("the question {} was approved by {}, and it ran", &by.who),
        State::Denied(by, _) => already("the question {} was denied by {} already", &by.who),
        State::Pending => already("the question {} was answered by {} just now", "somebody"),
    }
}
