//! The lists of descriptions as one table.

use super::Shipped;
use super::programs::PROGRAMS;
use super::services::SERVICES;

/// Returns what is known of the tool called `name`.
pub fn find(name: &str) -> Option<&'static Shipped> {
    [PROGRAMS, SERVICES].into_iter().find_map(|list| {
        let at = list.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
        list.get(at)
    })
}

/// Returns the names of all tools that are known.
pub fn names() -> impl Iterator<Item = &'static str> {
    PROGRAMS.iter().chain(SERVICES).map(|entry| entry.name)
}
