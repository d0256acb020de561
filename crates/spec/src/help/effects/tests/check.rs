//! One estimate, as most tests want it.

use super::super::{Class, Estimate, estimate};
use crate::help::Page;

/// The estimate of a command without options.
pub(super) fn estimated(path: &str, about: &str) -> Estimate {
    let path: Vec<&str> = path.split(' ').collect();
    estimate(&path, &Page::default(), Some(about))
}

#[track_caller]
pub(super) fn check(path: &str, about: &str, want: Class) {
    let found = estimated(path, about);
    assert_eq!(found.class, want, "{path}: {about}\n{:?}", found.reasons);
}
