//! Whether estimates are right, and whether they can be lulled. All tools here are invented.

mod commands;
mod options;
mod properties;
mod tools;

use super::{Class, Estimate, estimate};
use crate::help::Page;

/// The estimate of a command without options.
fn estimated(path: &str, about: &str) -> Estimate {
    let path: Vec<&str> = path.split(' ').collect();
    estimate(&path, &Page::default(), Some(about))
}

#[track_caller]
fn check(path: &str, about: &str, want: Class) {
    let found = estimated(path, about);
    assert_eq!(found.class, want, "{path}: {about}\n{:?}", found.reasons);
}
