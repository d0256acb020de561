//! A whole CLI bundle: `CLI.md` and every file that it names, held against each other.
//!
//! Pure: whoever has files hands over their names and texts ([`Files`]). [`load`] gives a [`Bundle`] or everything that
//! is wrong with it; [`check`] gives both, for lint. Patterns of the sandbox are compared without knowing the real home
//! and workspace (see [`sketch`](crate::sandbox_block::sketch)); whoever runs a tool compares them again, with both.

mod arguments;
mod check;
mod files;
mod identity;
mod intents;
mod model;
mod option_name;
mod output_rules;
mod reading;
mod rules;
mod secrets;
mod template_inputs;
mod tools;

pub use check::{Checked, check, load};
pub use files::Files;
pub use identity::same_identity;
pub use model::{Bundle, BundleIntent, BundleTool};
pub use option_name::option_name;
pub use output_rules::OutputRules;
pub use reading::FileReport;

pub(crate) use rules::RULES;
