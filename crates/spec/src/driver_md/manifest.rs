//! A `DRIVER.md`: its fields, and the rules about them. It is open: later drafts add to it.

use serde_json::{Map, Value};

use super::auth::DriverAuth;
use super::health_check::HealthCheck;
use super::implements::Implements;
use super::rules::{KIND, NOT_RUN};
use crate::cli_md::{Install, Requires, VersionCheck};
use crate::declare::{DOTTED_ID, Decode, Line, List, Own, Prose, Set, Tag, manifest, texts};
use crate::doc::Spanned;
use crate::doc::fields::Complaints;
use crate::manifest::{Composable, Field, Loaded, ManifestVersion, Refused};
use crate::runner_block::Runner;
use crate::sandbox_block::{Network, SandboxBlock};
use crate::tool_md::DriverKind;

manifest! {
    /// How tools are run.
    pub struct DriverMd unchecked {
        /// What people call it.
        need name: Spanned<String> as Line<80>,
        /// What programs call it.
        need id: Spanned<String> as DriverId,
        /// What it is for.
        need description: Spanned<String> as Prose<1, 2000>,
        /// The version of this manifest.
        need version: Spanned<ManifestVersion>,
        /// What runs the tools.
        need kind: Spanned<DriverKind> => check_kind,
        /// Which tools.
        need implements: Vec<Implements> as List<Own, 1>,
        /// How it is installed.
        may install: Vec<Install> as List<Own, 1>,
        /// How its version is found and judged.
        may version_check: Option<VersionCheck>,
        /// How one signs in.
        may auth: Option<DriverAuth>,
        /// The process boundary.
        may runner: Option<Composable<Runner>>,
        /// What it may touch.
        may sandbox: Option<Composable<SandboxBlock>>,
        /// Hosts.
        may network: Option<Network>,
        /// Where it may be used; everywhere unless told otherwise.
        may region: Vec<String> as List<Line<128>> => check_unused,
        /// Words that policies match.
        may policy_tags: Vec<String> as List<Line<128>> => check_unused,
        /// How it is known to work.
        may health_check: Option<HealthCheck>,
        /// Which machines it is for.
        may requires: Option<Requires>,
        /// Words to find it by.
        may tags: Vec<Spanned<String>> as Set<Tag>,
        /// Anybody's own.
        may metadata: Map<String, Value>,
    }
}

texts! {
    /// The id of a driver.
    DriverId = DOTTED_ID, "an id such as \"gh.cli\"", "use 2 to 80 small letters, digits, '-' and '.'";
}

/// Reads a `DRIVER.md`.
///
/// # Errors
/// Everything that is wrong with it.
pub fn load(text: &[u8]) -> Result<Loaded<DriverMd>, Refused> {
    crate::manifest::load(text, DriverMd::decode)
}

fn check_kind(kind: &Spanned<DriverKind>, field: &Field<'_>, out: &mut Complaints) {
    if kind.value != DriverKind::Cli {
        let what = "argrail runs programs: of drivers, kind \"cli\" only";
        let hint = "add the server or the tool in another way: argrail add";
        out.push(field.warn(KIND, what).hint(hint));
    }
}

fn check_unused(words: &[String], field: &Field<'_>, out: &mut Complaints) {
    if !words.is_empty() {
        let what = format!("{}: it is kept and matched by nothing here", field.path);
        let hint = "leave it to hosts that know it";
        out.push(NOT_RUN.note(field.span(), what).hint(hint));
    }
}
