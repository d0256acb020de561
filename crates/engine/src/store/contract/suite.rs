//! All cases, and running them.

use super::super::{Store, StoreError};
use super::{crowd, documents, grants, heads, questions};

/// Opens the place of one case once more.
pub type Open<'a> = &'a (dyn Fn() -> Box<dyn Store> + Sync);

/// One case: what it is about, and what it does with a fresh place.
pub(super) type Case = (&'static str, fn(Open<'_>) -> Result<(), StoreError>);

/// Holds a backend against every case.
///
/// `fresh` makes a new, empty place; what it returns opens that place, also many times at once.
///
/// # Panics
/// When the backend does not keep a case, with its name.
pub fn keeps<P>(fresh: impl Fn() -> P)
where
    P: Fn() -> Box<dyn Store> + Sync,
{
    let groups = [
        questions::CASES,
        grants::CASES,
        documents::CASES,
        heads::CASES,
        crowd::CASES,
    ];
    for (name, case) in groups.into_iter().flatten() {
        let place = fresh();
        let done = case(&place);
        assert!(done.is_ok(), "{name}: {done:?}");
    }
}
