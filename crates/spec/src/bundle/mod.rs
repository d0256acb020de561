//! A whole CLI bundle: `CLI.md` and every file that it names, held against each other.
//!
//! Pure: whoever has files hands over their names and texts ([`Files`]). [`load`] gives a [`Bundle`] or everything that
//! is wrong with it; [`check`] gives both, for lint. Patterns of the sandbox are compared without knowing the real home
//! and workspace (see [`sketch`](crate::sandbox_block::sketch)); whoever runs a tool compares them again, with both.

mod arguments;
mod authentication;
mod check;
mod command_words;
mod effects;
mod examples;
mod files;
mod identity;
mod input;
mod intents;
mod metadata;
mod model;
mod output_rules;
mod reading;
mod routing;
mod rules;
mod secrets;
mod sections;
mod template_inputs;
mod tools;
mod value_check;

pub use crate::mcp_tools::option_name;
pub use check::{Checked, check, load};
pub use files::Files;
pub use identity::{Neighbour, same_identity};
pub use input::{input, json_given};
pub use metadata::{JSON_FLAG, KEY, TOOL_KEY, forget_json, metadata};
pub use model::{Bundle, BundleEntry, BundleIntent, BundleTool};
pub use output_rules::OutputRules;
pub use reading::FileReport;
pub use routing::{IntentListing, Routed};
pub use sections::section;
pub use value_check::{InputCheck, OutputCheck};

pub(crate) use reading::{Reading, Root};
pub(crate) use rules::{FOLDER, RULES};
pub(crate) use secrets::read as read_secrets;
pub(crate) use template_inputs::check as check_template;
