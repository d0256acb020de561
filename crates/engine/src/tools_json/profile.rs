//! What a tool of a manifest may touch while nobody has said what it changes: its own directory, to be read.

use argrail_sandbox::policy::{Exec, PathPattern, Policy};

use crate::catalog::ManifestTool;

/// Returns the policy of a tool whose effects are unknown: no network, no write, no secrets.
///
/// It may start programs: most scripts do, and all of them are held by the same policy.
pub fn profile(tool: &ManifestTool) -> Policy {
    Policy::closed()
        .read(PathPattern::tree(&tool.root))
        .exec(Exec::Any)
}
