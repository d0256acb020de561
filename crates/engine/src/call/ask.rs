//! A person's yes to a call that is fixed: what it holds for is found out, asked for, and held against the call again.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use argrail_acli::{Call, Error};
use argrail_sandbox::Cancel;
use argrail_spec::digest::{Digest, Hasher};
use serde_json::Value;

use super::delivery::Passthrough;
use super::plan::{Frame, Plan};
use super::shop::{Shop, Wait};
use super::tool::Tool;
use crate::consent::{About, Asking, Bound, Fields, NamedFiles, caller_key, shown, snapshots};
use crate::policy::{Approved, Facts, Reason, Refused, Rules};
use crate::run::apart;

/// How long a question lives, and a call of MCP waits for its answer, unless somebody says otherwise.
const LIVES: Duration = Duration::from_secs(10 * 60);
const WAIT: Duration = Duration::from_secs(55);

/// A yes, and what it was a yes to.
pub(super) struct Consented {
    pub(super) approved: Approved,
    seal: Seal,
}

/// What a yes holds for.
struct Seal {
    bound: Arc<Bound>,
    binding: String,
    refused: Refused,
    rules: Rules,
    sandbox: Value,
}

impl Shop {
    /// Asks a person about a plan. The plan then runs with the files that they were asked about.
    ///
    /// # Errors
    /// That nobody has answered yet or in time, or that a person said no.
    pub(super) async fn consent(
        &self,
        plan: &mut Plan,
        tool: &Tool,
        (refused, rules): (Refused, Rules),
        call: &Call,
    ) -> Result<Consented, Error> {
        let line = argrail_acli::join(call.words());
        let mut frame = plan.frame();
        if let Some(raw) = call.context::<Passthrough>() {
            frame.stdin = raw.fixed_input().await?;
        }
        let profile = plan.profile().cloned();
        let (facts, home) = (refused.facts().clone(), self.surroundings.home.clone());
        let sandbox = frame.sandbox.clone();
        let bound = self.unread(frame, tool, &refused, &rules, call);
        let bound = self
            .aside(move |_| {
                let mut bound = bound;
                bound.files = NamedFiles::of(&facts, &bound.directory, &home, profile.as_ref())?;
                Ok::<Bound, Error>(bound)
            })
            .await??;
        let (bound, binding) = self.hashed(bound).await?;
        plan.fix(bound.files.kept());
        let seal = Seal {
            bound: Arc::new(bound),
            binding,
            refused,
            rules,
            sandbox,
        };
        let asking = self.asking(&seal, &seal.binding, &line, call);
        let given = asking.obtain(|| self.shown(&seal, &seal.bound, call)).await?;
        call.note("binding", given.binding());
        let approved = seal.refused.clone().approved(given);
        let approved = approved.map_err(|refused| refused.error(&line))?;
        Ok(Consented { approved, seal })
    }

    /// Holds a yes against the call as it would run now.
    ///
    /// # Errors
    /// `approval_required`, with a new question, when something is not what it was a yes to.
    pub(super) async fn unchanged(&self, consented: Consented, call: &Call) -> Result<Approved, Error> {
        let Consented { approved, seal } = consented;
        let before = Arc::clone(&seal.bound);
        let now = self.aside(move |_| before.now()).await?;
        let (now, binding) = self.hashed(now).await?;
        if binding == seal.binding {
            return Ok(approved);
        }
        let line = argrail_acli::join(call.words());
        let shown = self.shown(&seal, &now, call)?;
        Err(self.asking(&seal, &binding, &line, call).again(shown))
    }

    fn asking<'a>(&'a self, seal: &'a Seal, binding: &str, line: &'a str, call: &'a Call) -> Asking<'a> {
        let config = &self.stock.config;
        Asking {
            store: self.surroundings.store.as_ref(),
            record: &self.surroundings.record,
            notifier: &self.surroundings.notifier,
            call,
            line,
            refused: &seal.refused,
            caller: &seal.bound.caller,
            binding: binding.to_owned(),
            lives: config.approval_timeout.unwrap_or(LIVES),
            wait: match self.surroundings.wait {
                Wait::AsConfigured => config.wait.unwrap_or(WAIT),
                Wait::For(wait) => wait,
            },
        }
    }

    /// What an answer holds for, without the files among the words.
    fn unread(&self, frame: Frame, tool: &Tool, refused: &Refused, rules: &Rules, call: &Call) -> Bound {
        let delegations = &rules.delegations;
        let delegation = (!delegations.is_empty()).then(|| Digest::of(json_text(delegations)));
        Bound {
            caller: caller_key(call.caller()),
            delegation,
            argv: frame.argv,
            directory: frame.directory,
            program: frame.program,
            inside: inside(refused.facts(), &tool.search),
            files: NamedFiles::default(),
            stdin: frame.stdin,
            variables: frame.variables,
            profile: frame.profile,
            rules: self.version(tool, refused, rules),
        }
    }

    /// The version of everything that a call was judged by: this program, its settings, the description, the reasons.
    fn version(&self, tool: &Tool, refused: &Refused, rules: &Rules) -> Digest {
        let mut fields = Fields(Hasher::default());
        fields.put("argrail", env!("CARGO_PKG_VERSION"));
        fields.put("permissionPolicy", json_text(&rules.permission_policy));
        fields.put("description", json_text(tool.description()));
        let reasons: Vec<Value> = refused.decision().reasons.iter().map(Reason::to_json).collect();
        fields.put("reasons", json_text(&reasons));
        fields.0.finish()
    }

    /// What a person is shown. The bytes of files that the run will see are kept for as long as it is asked.
    fn shown(&self, seal: &Seal, bound: &Bound, call: &Call) -> Result<Value, Error> {
        let about = About {
            refused: &seal.refused,
            rules: &seal.rules,
            sandbox: seal.sandbox.clone(),
            caller_name: call.caller().name.as_deref(),
        };
        let mut kept = bound.files.kept().peekable();
        if kept.peek().is_some() {
            let pending = self.surroundings.store.pending(call.host().now());
            let pending = pending.map_err(|error| Error::from(&error))?;
            let needed = pending.iter().flat_map(|request| snapshots(&request.shown));
            let needed: HashSet<String> = needed.map(str::to_owned).collect();
            self.snapshots.sweep(&needed, SystemTime::now());
        }
        for (_, bytes) in kept {
            let kept = self.snapshots.keep(bytes);
            kept.map_err(|error| Error::execution(&error).hint(error.hint()))?;
        }
        Ok(shown(bound, &about))
    }

    async fn hashed(&self, bound: Bound) -> Result<(Bound, String), Error> {
        self.aside(move |digests| {
            let hash = bound.hash(|path| digests.of(path));
            (bound, hash)
        })
        .await
    }

    /// Looks at files in a thread of its own: they may be long, and others wait for this one.
    async fn aside<T: Send + 'static>(
        &self,
        work: impl FnOnce(&crate::consent::ProgramDigests) -> T + Send + 'static,
    ) -> Result<T, Error> {
        let cancel = Cancel::new().map_err(Error::execution)?;
        let digests = Arc::clone(&self.digests);
        let done = apart(cancel, move || work(&digests)).await;
        done.map_err(|error| Error::execution(&error))
    }
}

/// The programs of the commands inside a call, as they are found along its search path.
fn inside(facts: &Facts, search: &[PathBuf]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for inner in &facts.inner {
        let name = &inner.invoked.tool;
        // One with a path stands among the words.
        if !name.is_empty() && !name.contains('/') {
            let mut all = search.iter().map(|directory| directory.join(name));
            found.extend(all.find(|file| file.is_file()));
        }
        found.extend(inside(inner, search));
    }
    found
}

fn json_text(value: &impl serde::Serialize) -> String {
    // What cannot be written as JSON is not among our types.
    serde_json::to_string(value).unwrap_or_default()
}
