//! A tool of a project's `tools.json`, called by an approved call: JSON in, one line of JSON out.

use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Call, Error};
use argrail_sandbox::Cancel;
use argrail_sandbox::policy::{PathPattern, Policy, Protected};

use super::shop::Shop;
use super::tool::Tool;
use crate::policy::{Approved, Basis};
use crate::profile::{Ground, profile};
use crate::refusal;
use crate::run::apart;
use crate::tools_json::{self, ManifestTool, Order};

/// How long a tool may take, unless its manifest or somebody else says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Runs the tool with `input`, which fits its schema.
///
/// # Errors
/// Why it did not run, or how it failed.
pub(super) async fn run(
    shop: &Shop,
    tool: &Tool,
    manifest: &Arc<ManifestTool>,
    input: Vec<u8>,
    approved: &Approved,
    call: &Call,
) -> Result<Answer, Error> {
    let mut ground = shop.ground(tool, call.caller());
    // A manifest's paths start where the manifest is.
    ground.directory.clone_from(&manifest.root);
    let policy = policy(manifest, approved, &ground)?;
    let protected = Protected::standard(&ground.home, &ground.directory)
        .search_path(ground.search.iter().cloned())
        .own(ground.own);
    let cancel = Cancel::new().map_err(Error::execution)?;
    let (manifest, switch) = (Arc::clone(manifest), cancel.clone());
    let (environment, home) = (ground.environment, ground.home);
    let launcher = shop.surroundings.launcher.clone();
    let timeout = shop.stock.config.call_timeout.unwrap_or(TIMEOUT);
    let called = apart(cancel, move || {
        tools_json::call(Order {
            tool: &manifest,
            input,
            environment: &environment,
            timeout,
            policy,
            home: &home,
            protected,
            launcher,
            cancel: Some(switch),
        })
    });
    let called = called.await.map_err(|error| Error::execution(&error))??;
    call.note("decision", approved.decision().verdict.as_str());
    call.note("envKeys", called.env_keys);
    Ok(Answer::new(called.data).untrusted())
}

/// The directory of the manifest to be read, and nothing else, unless a person has said what the tool does.
fn policy(manifest: &ManifestTool, approved: &Approved, ground: &Ground) -> Result<Policy, Error> {
    let least = tools_json::profile(manifest);
    match approved.facts().basis {
        Basis::Claimed | Basis::Undescribed => Ok(least),
        Basis::Settled => {
            let confinement = approved.decision().confinement;
            let mut made = profile(approved.facts(), confinement, &manifest.root, ground)
                .map_err(|refusal| refusal::refused(&refusal))?
                .policy;
            made.read.push(PathPattern::tree(&manifest.root));
            made.exec = least.exec;
            // The draft says which variables there are.
            made.env_pass.clear();
            made.env_set.clear();
            Ok(made)
        }
    }
}
