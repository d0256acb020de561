//! Many at once: each thread opens the place for itself, as a process would.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::thread;

use serde_json::json;

use super::super::{Answer, Claim, Head, Kind, Store, StoreError};
use super::sample::{ask, at, grant, no, yes};
use super::suite::{Case, Open};

pub(super) const CASES: &[Case] = &[
    ("one of many takes a yes", one_of_many_takes_a_yes),
    ("one of many is told of the expiry", one_of_many_is_told),
    ("one of many answers counts", one_of_many_answers_counts),
    ("many ask one question", many_ask_one_question),
    ("no update is lost", no_update_is_lost),
    ("no use is lost", no_use_is_lost),
    ("the furthest end wins", the_furthest_end_wins),
];

/// How many are there at once.
const CROWD: usize = 16;

/// Lets everybody do `work` at the same moment, and returns what became of it.
fn all_at_once<T: Send>(
    open: Open<'_>,
    work: impl Fn(&dyn Store, usize) -> Result<T, StoreError> + Sync,
) -> Result<Vec<T>, StoreError> {
    let start = Barrier::new(CROWD);
    thread::scope(|scope| {
        let all: Vec<_> = (0..CROWD)
            .map(|number| {
                let (start, work) = (&start, &work);
                scope.spawn(move || {
                    let store = open();
                    start.wait();
                    work(&*store, number)
                })
            })
            .collect();
        all.into_iter()
            .map(|one| {
                one.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
            .collect()
    })
}

fn one_of_many_takes_a_yes(open: Open<'_>) -> Result<(), StoreError> {
    for round in 0..4 {
        let binding = format!("binding {round}");
        let asked = ask(&*open(), &binding, 0)?;
        open().answer(&asked.id, &yes(1), at(1))?;
        let claims = all_at_once(open, |store, _| store.claim(&binding, at(2)))?;
        let taken = claims.iter().filter(|claim| matches!(claim, Claim::Approved(_)));
        assert_eq!(taken.count(), 1, "{claims:?}");
        let nothing = claims.iter().filter(|claim| matches!(claim, Claim::Nothing));
        assert_eq!(nothing.count(), CROWD - 1, "{claims:?}");
    }
    Ok(())
}

fn one_of_many_is_told(open: Open<'_>) -> Result<(), StoreError> {
    let asked = ask(&*open(), "b", 0)?;
    let claims = all_at_once(open, |store, _| store.claim("b", asked.expires))?;
    let told = claims.iter().filter(|claim| matches!(claim, Claim::Expired(_)));
    assert_eq!(told.count(), 1, "{claims:?}");
    Ok(())
}

fn one_of_many_answers_counts(open: Open<'_>) -> Result<(), StoreError> {
    let asked = ask(&*open(), "b", 0)?;
    let answers = all_at_once(open, |store, number| {
        let ruling = if number % 2 == 0 { yes(1) } else { no(1) };
        store.answer(&asked.id, &ruling, at(1))
    })?;
    let mut states = Vec::new();
    let mut taken = 0;
    for answer in answers {
        match answer {
            Answer::Taken(request) => {
                taken += 1;
                states.push(request.state);
            }
            Answer::TooLate(request) => states.push(request.state),
        }
    }
    assert_eq!(taken, 1);
    states.dedup();
    assert_eq!(states.len(), 1, "everybody sees the one that counts: {states:?}");
    Ok(())
}

fn many_ask_one_question(open: Open<'_>) -> Result<(), StoreError> {
    let asked = all_at_once(open, |store, _| ask(store, "b", 0))?;
    let ids: BTreeSet<_> = asked.iter().map(|request| &request.id).collect();
    assert_eq!(ids.len(), 1);
    let times: BTreeSet<_> = asked.iter().map(|request| request.times).collect();
    assert_eq!(times.len(), CROWD, "each was counted: {times:?}");
    let pending = open().pending(at(1))?;
    assert_eq!(pending.len(), 1);
    Ok(())
}

fn no_update_is_lost(open: Open<'_>) -> Result<(), StoreError> {
    const ROUNDS: u64 = 4;
    all_at_once(open, |store, _| {
        for _ in 0..ROUNDS {
            count(store)?;
        }
        Ok(())
    })?;
    let counted = open().get(Kind::Ledger, "count")?.map(|found| found.body);
    let crowd = u64::try_from(CROWD).unwrap_or_default();
    assert_eq!(counted, Some(json!(crowd * ROUNDS)));
    Ok(())
}

/// Adds one, as often as it takes.
fn count(store: &dyn Store) -> Result<(), StoreError> {
    loop {
        let found = store.get(Kind::Ledger, "count")?;
        let number = found.as_ref().and_then(|found| found.body.as_u64()).unwrap_or(0);
        let seen = found.map(|found| found.revision);
        match store.put(Kind::Ledger, "count", seen, &json!(number + 1), at(0)) {
            Ok(_) => return Ok(()),
            Err(StoreError::Conflict { .. }) => {}
            Err(error) => return Err(error),
        }
    }
}

fn no_use_is_lost(open: Open<'_>) -> Result<(), StoreError> {
    let grant = grant("g-aaaaa", 0, None);
    open().add_grant(&grant)?;
    let held = all_at_once(open, |store, number| {
        if number == CROWD / 2 {
            return store.revoke(&grant.id, at(5)).map(|_| 0);
        }
        let mut used = 0;
        for _ in 0..8 {
            used += u64::from(store.use_grant(&grant.id, at(1))?);
        }
        Ok(used)
    })?;
    let used: Vec<_> = open().grants()?.into_iter().map(|grant| grant.uses).collect();
    assert_eq!(used, [held.into_iter().sum::<u64>()]);
    assert!(!open().use_grant(&grant.id, at(1))?);
    Ok(())
}

fn the_furthest_end_wins(open: Open<'_>) -> Result<(), StoreError> {
    let head = |seq: u64| Head {
        seq,
        hash: format!("{seq:064x}"),
    };
    all_at_once(open, |store, number| {
        let number = u64::try_from(number).unwrap_or_default();
        let crowd = u64::try_from(CROWD).unwrap_or_default();
        let mut last = None;
        for round in 0..16 {
            store.advance("calls", &head(round * crowd + number))?;
            let known = store.head("calls")?.map(|head| head.seq);
            assert!(known >= last, "it went back from {last:?} to {known:?}");
            last = known;
        }
        Ok(())
    })?;
    assert_eq!(open().head("calls")?, Some(head(255)));
    Ok(())
}
