//! What a dialect is, and all there are.

use argrail_spec::atip::Metadata;
use serde_json::Value;

use super::unreadable::Unreadable;
use super::{agent_help, atip_flag, help_agent, help_json, help_json_flag, opencli, schema};

/// One way to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// What must stand in the program's file, or in the script behind it, before it is asked. ATIP's own flag is
    /// tried without.
    pub literal: &'static str,
    /// The words after the program's name.
    pub words: &'static [&'static str],
}

/// A way in which programs describe themselves.
#[derive(Debug, Clone, Copy)]
pub struct Dialect {
    /// What the registry calls it.
    pub name: &'static str,
    /// The ways to ask, in order.
    pub attempts: &'static [Attempt],
    read: fn(&str, &Value) -> Result<Metadata, Unreadable>,
}

/// All of them, in the order in which they are tried. The first is ATIP itself.
pub const DIALECTS: [Dialect; 7] = [
    atip_flag::DIALECT,
    help_json_flag::DIALECT,
    help_json::DIALECT,
    agent_help::DIALECT,
    help_agent::DIALECT,
    opencli::DIALECT,
    schema::DIALECT,
];

impl Dialect {
    pub(super) const fn new(
        name: &'static str,
        attempts: &'static [Attempt],
        read: fn(&str, &Value) -> Result<Metadata, Unreadable>,
    ) -> Self {
        Self { name, attempts, read }
    }

    /// Reads what the program called `tool` answered, if it is not ATIP already.
    ///
    /// # Errors
    /// When it describes no command line, or that of another program.
    pub fn read(&self, tool: &str, answer: &Value) -> Result<Metadata, Unreadable> {
        (self.read)(tool, answer)
    }
}
