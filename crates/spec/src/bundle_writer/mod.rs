//! A first bundle for a program: what is known about it, written down as `CLI.md` and `TOOL.md` files (AIP-29).
//!
//! Pure: metadata, what the program said about its version and who installed it go in, names and texts come out. What
//! is written loads and lints; it claims no less than the metadata does. What nobody knows is not invented: the body
//! says what a person has to look at. Nothing is written to a disk here.

mod argv;
mod body;
mod cli;
mod effects;
mod ids;
mod known;
mod sandbox;
mod tool;
mod version;
mod write;
mod yaml;

pub use ids::bundle_id;
pub use known::{Found, Known, SaidVersion};
pub use version::version_in;
pub use write::{Unwritable, write};
