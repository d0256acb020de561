//! AIP-29, Version detection: a command, where the version stands in what it prints, and which versions will do.

use schemars::JsonSchema;
use serde::Serialize;

use crate::doc::fields::Complaints;
use crate::manifest::{CommandLine, Field, VersionPattern, VersionRange, command_line};

/// How the version is found and judged.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VersionCheck {
    /// What is run.
    pub cmd: CommandLine,
    /// Where the version stands in its output.
    pub parse: VersionPattern,
    /// Which versions will do.
    pub range: VersionRange,
    /// How long it may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 100))]
    pub timeout_ms: Option<u64>,
}

impl VersionCheck {
    /// The time that it may take when nothing is said.
    pub const TIMEOUT_MS: u64 = 5_000;

    /// Returns how long it may take.
    pub fn timeout_ms(&self) -> u64 {
        self.timeout_ms.unwrap_or(Self::TIMEOUT_MS)
    }
}

pub(crate) fn decode(field: &Field<'_>, out: &mut Complaints) -> Option<VersionCheck> {
    let mut object = field.open(out)?;
    let cmd = object
        .need("cmd", out)
        .and_then(|field| command_line(&field, out));
    let parse = object
        .need("parse", out)
        .and_then(|field| field.version_pattern(out));
    let range = object.need("range", out).and_then(|field| field.range(out));
    let timeout = object
        .take("timeout_ms")
        .and_then(|field| field.whole(100..=u64::MAX, out));
    object.shut(out);
    Some(VersionCheck {
        cmd: cmd?,
        parse: parse?,
        range: range?,
        timeout_ms: timeout.map(|timeout| timeout.value),
    })
}
