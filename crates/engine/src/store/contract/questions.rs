//! One question: merged, capped, answered once, used once, over in time.

use super::super::{Answer, Asked, Caps, Claim, State, StoreError};
use super::sample::{LIFE, ask, at, grant, new, no, person, yes};
use super::suite::{Case, Open};
use crate::policy::GrantId;
use crate::policy::RequestId;

pub(super) const CASES: &[Case] = &[
    ("a yes is used once", a_yes_is_used_once),
    ("the same question is asked once", the_same_question_is_asked_once),
    (
        "a question answered meanwhile is not asked again",
        an_answered_one_is_found,
    ),
    ("another caller asks for itself", another_caller_asks_for_itself),
    ("too many questions are told", too_many_are_told),
    ("a question that is over makes room", what_is_over_makes_room),
    ("expiry is told once", expiry_is_told_once),
    ("a yes that nobody used expires", an_unused_yes_expires),
    ("a no holds until its question is over", a_no_holds_until_the_end),
    ("the first answer counts", the_first_answer_counts),
    ("an answer to what is over is too late", an_answer_can_be_too_late),
    ("nobody answers what was never asked", unknown_names_are_told),
    (
        "a clock that was ahead prolongs nothing",
        a_clock_that_was_ahead_prolongs_nothing,
    ),
    ("questions are listed in order", questions_are_listed_in_order),
    ("a question is kept", a_question_is_kept),
];

fn a_yes_is_used_once(open: Open<'_>) -> Result<(), StoreError> {
    let (agent, human) = (open(), open());
    assert_eq!(agent.claim("b", at(0))?, Claim::Nothing);
    let asked = ask(&*agent, "b", 0)?;
    assert_eq!((asked.times, &asked.state), (1, &State::Pending));
    assert_eq!(asked.expires, at(LIFE));
    assert_eq!(agent.claim("b", at(1))?, Claim::Pending(asked.clone()));
    let Answer::Taken(answered) = human.answer(&asked.id, &yes(2), at(2))? else {
        return unexpected("the answer came in time");
    };
    assert_eq!(answered.state, State::Approved(person(2)));
    let Claim::Approved(used) = agent.claim("b", at(3))? else {
        return unexpected("there was a yes");
    };
    assert_eq!(used.state, State::Used(person(2)));
    assert_eq!(used.shown, new("b", "local:agent").shown);
    assert_eq!(agent.claim("b", at(4))?, Claim::Nothing);
    assert_eq!(human.claim("b", at(4))?, Claim::Nothing);
    assert_eq!(human.request(&asked.id, at(LIFE * 2))?, Some(used));
    let next = ask(&*agent, "b", 5)?;
    assert_ne!(next.id, asked.id);
    assert_eq!(next.times, 1);
    Ok(())
}

fn the_same_question_is_asked_once(open: Open<'_>) -> Result<(), StoreError> {
    let first = ask(&*open(), "b", 0)?;
    let second = ask(&*open(), "b", LIFE - 1)?;
    assert_eq!((&second.id, second.times), (&first.id, 2));
    assert_eq!(second.expires, first.expires, "it does not live longer for it");
    assert_eq!(open().pending(at(LIFE - 1))?, [second]);
    Ok(())
}

fn an_answered_one_is_found(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    for (binding, ruling) in [("yes", yes(1)), ("no", no(1))] {
        let asked = ask(&*store, binding, 0)?;
        store.answer(&asked.id, &ruling, at(1))?;
        let again = ask(&*store, binding, 2)?;
        assert_eq!((&again.id, again.times), (&asked.id, 2));
        assert_ne!(again.state, State::Pending);
    }
    assert!(matches!(store.claim("yes", at(3))?, Claim::Approved(_)));
    assert!(matches!(store.claim("no", at(3))?, Claim::Denied(_)));
    assert_eq!(store.pending(at(3))?, []);
    Ok(())
}

fn another_caller_asks_for_itself(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let caps = Caps {
        per_caller: 1,
        all: 10,
    };
    let asked = |caller: &str| store.ask(&new("b", caller), caps, at(0));
    let (Asked::Waits(one), Asked::Waits(other)) = (asked("local:one")?, asked("local:other")?) else {
        return unexpected("there was room");
    };
    assert_ne!(one.id, other.id);
    assert_eq!((one.times, other.times), (1, 1));
    Ok(())
}

fn too_many_are_told(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let caps = Caps {
        per_caller: 2,
        all: 3,
    };
    let asked = |binding: &str, caller: &str| store.ask(&new(binding, caller), caps, at(0));
    assert!(matches!(asked("1", "a")?, Asked::Waits(_)));
    assert!(matches!(asked("2", "a")?, Asked::Waits(_)));
    assert_eq!(asked("3", "a")?, Asked::Full(caps));
    assert!(matches!(asked("1", "a")?, Asked::Waits(_)), "it waits already");
    let Asked::Waits(third) = asked("3", "b")? else {
        return unexpected("another caller has room");
    };
    assert_eq!(asked("4", "c")?, Asked::Full(caps), "all together are too many");
    store.answer(&third.id, &no(1), at(1))?;
    assert!(
        matches!(asked("4", "c")?, Asked::Waits(_)),
        "what is answered waits no more"
    );
    let none = Caps {
        per_caller: 0,
        all: 0,
    };
    assert_eq!(store.ask(&new("5", "d"), none, at(1))?, Asked::Full(none));
    Ok(())
}

fn what_is_over_makes_room(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let caps = Caps {
        per_caller: 1,
        all: 1,
    };
    let asked = |binding: &str, now: i64| store.ask(&new(binding, "a"), caps, at(now));
    assert!(matches!(asked("1", 0)?, Asked::Waits(_)));
    assert_eq!(asked("2", LIFE - 1)?, Asked::Full(caps));
    assert!(matches!(asked("2", LIFE)?, Asked::Waits(_)));
    Ok(())
}

fn expiry_is_told_once(open: Open<'_>) -> Result<(), StoreError> {
    let (one, other) = (open(), open());
    let asked = ask(&*one, "b", 0)?;
    let seen = |now: i64| {
        one.request(&asked.id, at(now))
            .map(|found| found.map(|found| found.state))
    };
    assert_eq!(seen(LIFE - 1)?, Some(State::Pending));
    assert_eq!(seen(LIFE)?, Some(State::Expired));
    assert_eq!(one.pending(at(LIFE))?, []);
    let Claim::Expired(told) = other.claim("b", at(LIFE))? else {
        return unexpected("nobody answered in time");
    };
    assert_eq!((told.id, told.state), (asked.id.clone(), State::Expired));
    assert_eq!(one.claim("b", at(LIFE))?, Claim::Nothing);
    assert_eq!(other.claim("b", at(LIFE + 1))?, Claim::Nothing);
    assert_eq!(seen(LIFE + 1)?, Some(State::Expired));
    let again = ask(&*one, "b", LIFE + 1)?;
    assert_ne!(again.id, asked.id);
    Ok(())
}

fn an_unused_yes_expires(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let asked = ask(&*store, "b", 0)?;
    store.answer(&asked.id, &yes(LIFE - 1), at(LIFE - 1))?;
    assert!(matches!(store.claim("b", at(LIFE))?, Claim::Expired(_)));
    // Not even for a clock that goes back.
    assert_eq!(store.claim("b", at(1))?, Claim::Nothing);
    Ok(())
}

fn a_clock_that_was_ahead_prolongs_nothing(open: Open<'_>) -> Result<(), StoreError> {
    const AHEAD: i64 = 1_000_000;
    let store = open();
    let used = ask(&*store, "yes", AHEAD)?;
    store.answer(&used.id, &yes(AHEAD), at(AHEAD))?;
    let left = ask(&*store, "left", AHEAD)?;
    store.answer(&left.id, &yes(AHEAD), at(AHEAD))?;
    ask(&*store, "open", AHEAD)?;
    store.add_grant(&grant("g-aaaaa", AHEAD, Some(AHEAD + LIFE)))?;
    store.add_grant(&grant("g-bbbbb", AHEAD, None))?;
    // The clock is set right, a few seconds of which do not matter.
    assert_eq!(store.pending(at(AHEAD - 30))?.len(), 1);
    assert_eq!(store.pending(at(0))?, []);
    let state = store.request(&used.id, at(0))?.map(|found| found.state);
    assert_eq!(state, Some(State::Expired));
    assert!(matches!(store.claim("yes", at(0))?, Claim::Expired(_)));
    assert_ne!(ask(&*store, "open", 0)?.id, left.id);
    // When that time comes, it is over.
    for binding in ["yes", "left"] {
        let claim = store.claim(binding, at(AHEAD + 1))?;
        assert!(!matches!(claim, Claim::Approved(_)), "{binding}: {claim:?}");
    }
    let held = |name: &str| store.use_grant(&GrantId(name.to_owned()), at(AHEAD + 1));
    assert!(!held("g-aaaaa")? && held("g-bbbbb")?);
    Ok(())
}

fn a_no_holds_until_the_end(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let asked = ask(&*store, "b", 0)?;
    store.answer(&asked.id, &no(1), at(1))?;
    for now in [1, 2, LIFE - 1] {
        let Claim::Denied(denied) = open().claim("b", at(now))? else {
            return unexpected("the no holds");
        };
        assert_eq!(
            denied.state,
            State::Denied(person(1), Some("not on a \u{1b}[31mFriday".to_owned()))
        );
    }
    assert_eq!(store.claim("b", at(LIFE))?, Claim::Nothing);
    let found = store.request(&asked.id, at(LIFE))?.map(|found| found.state);
    assert!(
        matches!(found, Some(State::Denied(..))),
        "a no stays a no: {found:?}"
    );
    assert_ne!(ask(&*store, "b", LIFE)?.id, asked.id);
    Ok(())
}

fn the_first_answer_counts(open: Open<'_>) -> Result<(), StoreError> {
    let (one, other) = (open(), open());
    let asked = ask(&*one, "b", 0)?;
    assert!(matches!(one.answer(&asked.id, &no(1), at(1))?, Answer::Taken(_)));
    let Answer::TooLate(kept) = other.answer(&asked.id, &yes(2), at(2))? else {
        return unexpected("it was answered");
    };
    assert!(matches!(kept.state, State::Denied(..)));
    assert!(matches!(one.claim("b", at(3))?, Claim::Denied(_)));
    Ok(())
}

fn an_answer_can_be_too_late(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let asked = ask(&*store, "b", 0)?;
    let Answer::TooLate(kept) = store.answer(&asked.id, &yes(LIFE), at(LIFE))? else {
        return unexpected("it was over");
    };
    assert_eq!(kept.state, State::Expired);
    assert!(matches!(store.claim("b", at(LIFE))?, Claim::Expired(_)));
    Ok(())
}

fn unknown_names_are_told(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    let id = RequestId("' OR 1=1 --".to_owned());
    assert_eq!(store.request(&id, at(0))?, None);
    ask(&*store, "b", 0)?;
    let answered = store.answer(&id, &yes(0), at(0));
    assert!(
        matches!(&answered, Err(StoreError::NotFound { what: "request", .. })),
        "{answered:?}"
    );
    assert!(matches!(store.claim("b", at(0))?, Claim::Pending(_)));
    Ok(())
}

fn questions_are_listed_in_order(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    // The order in which they were asked, whatever the clock did.
    for (binding, now) in [("first", 5), ("second", 3), ("third", 9)] {
        ask(&*store, binding, now)?;
    }
    let bindings = |now: i64| {
        let pending = open().pending(at(now));
        pending.map(|pending| {
            pending
                .into_iter()
                .map(|request| request.binding)
                .collect::<Vec<_>>()
        })
    };
    assert_eq!(bindings(9)?, ["first", "second", "third"]);
    assert_eq!(bindings(LIFE + 4)?, ["first", "third"]);
    assert_eq!(bindings(LIFE + 9)?, [""; 0]);
    Ok(())
}

fn a_question_is_kept(open: Open<'_>) -> Result<(), StoreError> {
    let asked = ask(&*open(), "b", 0)?;
    open().answer(&asked.id, &yes(1), at(1))?;
    let kept = open().request(&asked.id, at(2))?;
    assert_eq!(
        kept,
        Some(super::super::Request {
            state: State::Approved(person(1)),
            ..asked
        })
    );
    assert!(matches!(open().claim("b", at(2))?, Claim::Approved(_)));
    assert_eq!(open().claim("b", at(2))?, Claim::Nothing);
    Ok(())
}

/// Fails a case where there is nothing to compare.
fn unexpected(wanted: &str) -> Result<(), StoreError> {
    assert!(wanted.is_empty(), "{wanted}");
    Ok(())
}
