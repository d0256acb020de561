//! The table of descriptions, which `build.rs` makes of the JSON files beside this one.

use super::Shipped;

/// The descriptions, sorted by name.
pub(super) const SHIPPED: &[Shipped] = include!(concat!(env!("OUT_DIR"), "/shipped/table.rs"));

/// Returns what is known of the tool called `name`.
pub fn find(name: &str) -> Option<&'static Shipped> {
    let at = SHIPPED.binary_search_by(|entry| entry.name.cmp(name)).ok()?;
    SHIPPED.get(at)
}

/// Returns the names of all tools that are known, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|entry| entry.name)
}
