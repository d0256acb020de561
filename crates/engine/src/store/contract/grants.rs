//! Grants: kept as they were given, used while they hold, taken back at once.

use super::super::StoreError;
use super::sample::{at, grant};
use super::suite::{Case, Open};
use crate::policy::{Grant, GrantId};

pub(super) const CASES: &[Case] = &[
    ("a grant is used while it holds", a_grant_is_used_while_it_holds),
    ("a grant that is taken back ends at once", taken_back_at_once),
    ("a grant is kept and listed", kept_and_listed),
    ("a name is given once", a_name_is_given_once),
];

fn id(text: &str) -> GrantId {
    GrantId(text.to_owned())
}

fn a_grant_is_used_while_it_holds(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    store.add_grant(&grant("g-aaaaa", 10, Some(20)))?;
    store.add_grant(&grant("g-bbbbb", 10, None))?;
    let held = |name: &str, now: i64| store.use_grant(&id(name), at(now));
    for (now, timed, endless) in [
        (9, false, false),
        (10, true, true),
        (19, true, true),
        (20, false, true),
        (1_000_000, false, true),
    ] {
        assert_eq!(held("g-aaaaa", now)?, timed, "{now}");
        assert_eq!(held("g-bbbbb", now)?, endless, "{now}");
    }
    assert!(!held("g-nobody", 10)?);
    // A clock that goes back does not take back the last use.
    assert!(held("g-bbbbb", 11)?);
    let used: Vec<_> = open()
        .grants()?
        .into_iter()
        .map(|grant| (grant.uses, grant.last_used_at))
        .collect();
    assert_eq!(used, [(2, Some(at(19))), (5, Some(at(1_000_000)))]);
    Ok(())
}

fn taken_back_at_once(open: Open<'_>) -> Result<(), StoreError> {
    let (one, other) = (open(), open());
    one.add_grant(&grant("g-aaaaa", 0, Some(100)))?;
    assert!(one.use_grant(&id("g-aaaaa"), at(1))?);
    let over = other.revoke(&id("g-aaaaa"), at(2))?;
    assert_eq!((over.revoked_at, over.uses), (Some(at(2)), 1));
    assert!(!one.use_grant(&id("g-aaaaa"), at(2))?);
    assert!(!one.use_grant(&id("g-aaaaa"), at(1))?);
    let again = one.revoke(&id("g-aaaaa"), at(50))?;
    assert_eq!(again, over, "it was taken back then and not now");
    let missing = one.revoke(&id("g-nobody"), at(2));
    assert!(
        matches!(&missing, Err(StoreError::NotFound { what: "grant", .. })),
        "{missing:?}"
    );
    Ok(())
}

fn kept_and_listed(open: Open<'_>) -> Result<(), StoreError> {
    assert_eq!(open().grants()?, []);
    let (late, early) = (grant("g-aaaaa", 7, None), grant("g-bbbbb", 3, Some(9)));
    open().add_grant(&late)?;
    open().add_grant(&early)?;
    assert_eq!(open().grants()?, [early.clone(), late.clone()]);
    open().revoke(&early.id, at(5))?;
    let over = Grant {
        revoked_at: Some(at(5)),
        ..early
    };
    assert_eq!(open().grants()?, [over, late]);
    Ok(())
}

fn a_name_is_given_once(open: Open<'_>) -> Result<(), StoreError> {
    let store = open();
    store.add_grant(&grant("g-aaaaa", 0, Some(10)))?;
    let taken = store.add_grant(&grant("g-aaaaa", 5, None));
    assert!(matches!(&taken, Err(StoreError::Conflict { .. })), "{taken:?}");
    assert_eq!(store.grants()?, [grant("g-aaaaa", 0, Some(10))]);
    Ok(())
}
