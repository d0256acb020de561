//! A tool of a project's `tools.json`, called by an approved call: JSON in, one line of JSON out.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Answer, Call, Error};
use argrail_sandbox::Cancel;
use argrail_sandbox::policy::{PathPattern, Policy, Protected};
use argrail_spec::atip::OutputFormat;
use argrail_spec::digest::Digest;
use serde_json::json;

use super::intent::{Intent, denials, intend};
use super::plan::{Frame, Read};
use super::secrets::CallSecrets;
use super::shop::Shop;
use super::tool::Tool;
use crate::catalog::ManifestTool;
use crate::output::command_mask::without_fields;
use crate::output::{self, CAP, Collector, Redactor, Secrets};
use crate::policy::{Approved, Basis, Confinement, Facts, Terms};
use crate::profile::{Git, Ground, policy_digest, profile, protected, summary};
use crate::refusal;
use crate::run::{ChildOwner, apart, turn};
use crate::tools_json::{self, Order};

/// How long a tool may take, unless its manifest or somebody else says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// A tool of a manifest that is to run, and in what.
pub(super) struct Plan {
    tool: Arc<ManifestTool>,
    input: Vec<u8>,
    ground: Ground,
    policy: Policy,
    protected: Protected,
    program: PathBuf,
    confinement: Confinement,
}

impl Plan {
    /// Fixes a call with an input that fits the tool's schema.
    ///
    /// # Errors
    /// When its program is not what was accepted, or no sandbox could hold it.
    pub(super) fn of(
        shop: &Shop,
        read: Read<'_>,
        manifest: &Arc<ManifestTool>,
        call: &Call,
    ) -> Result<Self, Error> {
        let mut ground = shop.ground(read.tool, call.caller());
        // A manifest's paths start where the manifest is.
        ground.directory.clone_from(&manifest.root);
        let protected = protected(&ground, Git::Other);
        Ok(Self {
            policy: policy(manifest, read.facts, read.terms, &ground)?,
            program: manifest.program()?,
            tool: Arc::clone(manifest),
            input: read.input,
            confinement: read.terms.confinement,
            ground,
            protected,
        })
    }

    pub(super) fn frame(&self) -> Frame {
        let words = self.tool.spec.command.iter().skip(1).map(OsString::from);
        let variables = tools_json::passed(&self.tool.spec.env_passthrough, &self.ground.environment).keys();
        let names: Vec<&str> = variables.iter().map(String::as_str).collect();
        let mut sandbox = summary(&self.policy, self.confinement, &self.ground.home, &names);
        sandbox["input"] = json!(without_fields(&String::from_utf8_lossy(&self.input)));
        Frame {
            argv: std::iter::once(self.program.clone().into_os_string())
                .chain(words)
                .collect(),
            directory: self.ground.directory.clone(),
            program: Some(self.program.clone()),
            stdin: Digest::of(&self.input),
            variables,
            profile: policy_digest(&self.policy, &self.protected),
            sandbox,
        }
    }
}

/// Runs the tool as it was planned.
///
/// # Errors
/// Why it did not run, or how it failed.
pub(super) async fn run(
    shop: &Shop,
    tool: &Tool,
    plan: Plan,
    approved: &Approved,
    (call, secrets): (&Call, &CallSecrets),
) -> Result<Answer, Error> {
    let Plan {
        tool: manifest,
        input,
        ground,
        policy,
        protected,
        ..
    } = plan;
    let cancel = Cancel::new().map_err(Error::execution)?;
    let switch = cancel.clone();
    let (environment, home) = (ground.environment, ground.home);
    let env_keys = tools_json::passed(&manifest.spec.env_passthrough, &environment).keys();
    let CallSecrets {
        mask,
        output: secrets,
    } = secrets;
    let intent = Intent {
        tool,
        approved,
        argv: call.words().iter().map(OsString::from).collect(),
        program: manifest
            .spec
            .command
            .first()
            .map(|program| manifest.root.join(program)),
        directory: manifest.root.clone(),
        env_keys,
        sandbox: &format!("{policy:?}"),
        mask,
    };
    intend(shop, call, intent).await?.note(call);
    let launcher = shop.surroundings.launcher.clone();
    let timeout = shop.stock.config.call_timeout.unwrap_or(TIMEOUT);
    let output = Collector::new(&output::Plan {
        format: OutputFormat::Json,
        cap: CAP,
        secrets: secrets.clone(),
        keep: &shop.keep,
        account: call.caller().account(),
    });
    let turn = turn(&ChildOwner::of(call.caller())).await;
    let called = apart(cancel, move || {
        let niceness = turn.niceness();
        let _until_it_ended = turn;
        tools_json::call(Order {
            tool: &manifest,
            input,
            environment: &environment,
            timeout,
            policy,
            home: &home,
            protected,
            launcher,
            output,
            cancel: Some(switch),
            niceness,
        })
    });
    let called = called.await.map_err(|error| Error::execution(&error))?;
    let called = called.map_err(|error| error.map_details(|text| redacted(secrets, text)))?;
    call.note("denials", denials(&called.denials, mask));
    let refused = called.refused();
    let answer = Answer::new(called.data).untrusted();
    let answer = match called.rest {
        Some(rest) => answer.message(rest),
        None => answer,
    };
    Ok(match refused {
        Some(refused) => answer.meta("denials", refused),
        None => answer,
    })
}

fn redacted(secrets: &Secrets, text: &str) -> String {
    String::from_utf8_lossy(&Redactor::whole(secrets, text.as_bytes())).into_owned()
}

/// The directory of the manifest to be read, and nothing else, unless a person has said what the tool does.
fn policy(manifest: &ManifestTool, facts: &Facts, terms: Terms, ground: &Ground) -> Result<Policy, Error> {
    let least = tools_json::profile(manifest);
    match facts.basis {
        Basis::Claimed | Basis::Undescribed => Ok(least),
        Basis::Settled => {
            let mut made = profile(facts, terms, &manifest.root, ground)
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
