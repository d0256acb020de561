//! The metadata as types. Field names are the draft's; what no draft defines is kept in `extra`.

mod authentication;
mod command;
mod effects;
mod metadata;
mod parameter;
mod partial;
mod pattern;
mod trust;
mod version;

pub use authentication::{AuthMethod, Authentication};
pub use command::{Command, Commands};
pub use effects::{Cost, Duration, Effects, Filesystem, Interactive};
pub use metadata::{Extra, Metadata};
pub use parameter::{Argument, Kind, Opt};
pub use partial::{Filter, Omitted};
pub use pattern::{Pattern, Step, Variable};
pub use trust::{Binary, Trust};
pub use version::{Atip, AtipForm};
