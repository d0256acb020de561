//! The table of bundles, which `build.rs` makes of the folders beside this file.

use super::ShippedBundle;

/// The bundles, sorted by id.
const BUNDLES: &[ShippedBundle] = include!(concat!(env!("OUT_DIR"), "/bundles/table.rs"));

/// Returns every bundle that argrail brings along, sorted by id.
pub fn shipped_bundles() -> &'static [ShippedBundle] {
    BUNDLES
}

/// Returns the bundle with this id or, if there is none, the one about this program.
pub fn shipped_bundle(name: &str) -> Option<&'static ShippedBundle> {
    let by_id = BUNDLES.iter().find(|bundle| bundle.id == name);
    by_id.or_else(|| BUNDLES.iter().find(|bundle| bundle.bin == name))
}
