//! The commands that argrail answers itself, extensions by ACLI §9: `x-argrail` about itself, the others about tools.

mod about;
mod catalogue;
mod doctor;
mod intent;
mod output;
mod path;
mod root;
mod wait;

pub use catalogue::Stock;
pub(crate) use catalogue::{Reachable, commands};
pub(crate) use root::{argrail, is_ours};
