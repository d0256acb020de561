//! The bundles that argrail brings along: one folder of Markdown files each, compiled in.
//!
//! They are CLI bundles as anybody writes them (AIP-29), without programs: a person adds one by its name, and it is then
//! installed, checked and confined like every other. None of them says less about what a command changes than the
//! catalogue does; a test holds them against each other.
//!
//! Adding one is a folder here: `build.rs` packs what it finds.

mod bundle;
mod table;

pub use bundle::ShippedBundle;
pub use table::{shipped_bundle, shipped_bundles};

#[cfg(test)]
mod effects;
#[cfg(test)]
mod tests;
