//! Ends of chains: never back.

use super::super::{Head, StoreError};
use super::suite::{Case, Open};

pub(super) const CASES: &[Case] = &[("an end never goes back", never_back)];

fn never_back(open: Open<'_>) -> Result<(), StoreError> {
    let (one, other) = (open(), open());
    let head = |seq: u64, hash: &str| Head {
        seq,
        hash: hash.to_owned(),
    };
    assert_eq!(one.head("calls")?, None);
    for (told, known) in [
        (head(0, "aa"), head(0, "aa")),
        (head(0, "other"), head(0, "aa")),
        (head(7, "bb"), head(7, "bb")),
        (head(6, "cc"), head(7, "bb")),
        (head(7, "dd"), head(7, "bb")),
        (head(8, "ee"), head(8, "ee")),
    ] {
        other.advance("calls", &told)?;
        assert_eq!(one.head("calls")?, Some(known), "after {told:?}");
    }
    assert_eq!(one.head("another")?, None);
    one.advance("another", &head(1, "ff"))?;
    assert_eq!(open().head("calls")?, Some(head(8, "ee")));
    assert_eq!(open().head("another")?, Some(head(1, "ff")));
    Ok(())
}
