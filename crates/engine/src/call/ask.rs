//! A person's yes to a call that is fixed: what it holds for is found out, asked for, and held against the call again.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use argrail_acli::{Call, Error, Text};
use argrail_sandbox::Cancel;
use argrail_spec::digest::{Digest, FieldHasher};
use serde_json::Value;

use super::delivery::Passthrough;
use super::plan::{Frame, Plan};
use super::secrets::CallSecrets;
use super::shop::{Shop, Wait};
use super::tool::Tool;
use crate::audit::RecordError;
use crate::consent::{About, Asking, Bound, NamedFiles, Petition, caller_key, changed, shown, snapshots};
use crate::files::find_program;
use crate::output::command_mask::CommandMask;
use crate::policy::{Approved, CallShape, Facts, Reason, Refused, Rules};
use crate::profile::Profile;
use crate::run::apart;

/// How long a question lives, and a call of MCP waits for its answer, unless somebody says otherwise.
const LIVES: Duration = Duration::from_secs(10 * 60);
const WAIT: Duration = Duration::from_secs(55);
/// The most bytes of one question. A thousand that are over stay in the store.
const MAX_QUESTION_BYTES: usize = 512 * 1024;
/// The most spellings of options that are kept with a question. `git log` has 200, `gcc` some 2,000.
const MAX_KNOWN_OPTIONS: usize = 1_000;

/// What a person is asked about: a plan, or an act.
pub(super) struct Subject {
    /// What is fixed of it.
    pub(super) frame: Frame,
    /// What it runs in, where that is a profile.
    pub(super) profile: Option<Profile>,
    /// The programs of the commands inside it.
    pub(super) inside: Vec<PathBuf>,
    /// What its words were read by.
    pub(super) description: String,
    /// What of it no command has.
    pub(super) act: Option<Beside>,
    /// What nobody is told of it.
    pub(super) mask: CommandMask,
}

/// What an act is beside its words.
#[derive(Debug, Clone)]
pub(super) struct Beside {
    /// For people.
    pub(super) shown: Value,
    /// What will be written, for as long as it is asked.
    pub(super) content: Option<Arc<[u8]>>,
}

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
    act: Option<Beside>,
    mask: CommandMask,
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
        (call, secrets): (&Call, &CallSecrets),
    ) -> Result<Consented, Error> {
        let mut frame = plan.frame();
        if let Some(raw) = call.context::<Passthrough>() {
            frame.stdin = raw.fixed_input().await?;
        }
        let subject = Subject {
            frame,
            profile: plan.profile().cloned(),
            inside: inside(refused.facts(), &tool.search),
            description: json_text(tool.description()),
            act: None,
            mask: secrets.mask.clone(),
        };
        self.agreed(subject, (refused, rules), call, |bound| {
            plan.fix(bound.files.kept())
        })
        .await
    }

    /// Asks a person about something that is fixed. `fix` is told of what it is then bound to.
    ///
    /// # Errors
    /// As [`consent`](Self::consent).
    pub(super) async fn agreed(
        &self,
        subject: Subject,
        (refused, rules): (Refused, Rules),
        petition: &dyn Petition,
        fix: impl FnOnce(&Bound),
    ) -> Result<Consented, Error> {
        let line = petition.line();
        let (facts, home) = (refused.facts().clone(), self.surroundings.home.clone());
        let sandbox = subject.frame.sandbox.clone();
        let (profile, act, mask) = (subject.profile.clone(), subject.act.clone(), subject.mask.clone());
        let bound = self.unread(subject, &refused, &rules, petition);
        let bound = self
            .aside(move |_| {
                let mut bound = bound;
                bound.files = NamedFiles::of(&facts, &bound.directory, &home, profile.as_ref())?;
                Ok::<Bound, Error>(bound)
            })
            .await??;
        let (bound, binding) = self.hashed(bound).await?;
        fix(&bound);
        let seal = Seal {
            bound: Arc::new(bound),
            binding,
            refused,
            rules,
            sandbox,
            act,
            mask,
        };
        let asking = self.asking(&seal, &seal.binding, &line, petition);
        let given = asking.obtain(|| self.shown(&seal, &seal.bound, petition)).await?;
        petition.note("binding", given.binding().into());
        let approved = seal.refused.clone().approved(given);
        let approved = approved.map_err(|refused| refused.error(&line))?;
        Ok(Consented { approved, seal })
    }

    /// Holds a yes against the call as it would run now.
    ///
    /// # Errors
    /// `approval_required`, with a new question, when something is not what it was a yes to.
    pub(super) async fn unchanged(
        &self,
        consented: Consented,
        petition: &dyn Petition,
    ) -> Result<Approved, Error> {
        let Consented { approved, seal } = consented;
        let before = Arc::clone(&seal.bound);
        let now = self.aside(move |_| before.now()).await?;
        let (now, binding) = self.hashed(now).await?;
        if binding == seal.binding {
            return Ok(approved);
        }
        let line = petition.line();
        if seal.act.is_some() {
            // What was shown of it is not true any more: whoever asks again shows it anew.
            return Err(changed(&line));
        }
        let shown = self.shown(&seal, &now, petition)?;
        Err(self.asking(&seal, &binding, &line, petition).again(shown))
    }

    fn asking<'a>(
        &'a self,
        seal: &'a Seal,
        binding: &str,
        line: &'a str,
        petition: &'a dyn Petition,
    ) -> Asking<'a> {
        let config = &self.stock.config;
        Asking {
            store: self.surroundings.store.as_ref(),
            record: &self.surroundings.record,
            notifier: &self.surroundings.notifier,
            petition,
            line,
            refused: &seal.refused,
            caller: &seal.bound.caller,
            binding: binding.to_owned(),
            lives: config.approval_timeout.unwrap_or(LIVES),
            wait: match self.surroundings.wait {
                Wait::AsConfigured => config.wait.unwrap_or(WAIT),
                Wait::For(wait) => wait,
            },
            leaving: &self.surroundings.leaving,
        }
    }

    /// What an answer holds for, without the files among the words.
    fn unread(&self, subject: Subject, refused: &Refused, rules: &Rules, petition: &dyn Petition) -> Bound {
        let Subject {
            frame,
            inside,
            description,
            ..
        } = subject;
        let delegations = &rules.delegations;
        let delegation = (!delegations.is_empty()).then(|| Digest::of(json_text(delegations)));
        Bound {
            caller: caller_key(petition.caller()),
            delegation,
            argv: frame.argv,
            directory: frame.directory,
            program: frame.program,
            inside,
            files: NamedFiles::default(),
            stdin: frame.stdin,
            variables: frame.variables,
            profile: frame.profile,
            rules: version(&description, refused, rules),
        }
    }

    /// What a person is shown. The bytes of files that the run will see are kept for as long as it is asked.
    fn shown(&self, seal: &Seal, bound: &Bound, petition: &dyn Petition) -> Result<Value, Error> {
        let about = About {
            refused: &seal.refused,
            rules: &seal.rules,
            sandbox: seal.sandbox.clone(),
            caller_name: petition.caller().name.as_deref(),
            session: &petition.caller().id,
            act: seal.act.as_ref().map(|act| &act.shown),
            mask: &seal.mask,
            known_options: &|call| self.known_options(call),
        };
        let shown = shown(bound, &about);
        let length = json_text(&shown).len();
        if length > MAX_QUESTION_BYTES {
            let what = Text::new("this question has {} bytes, and nobody can be asked about more than {}");
            let what = what.number(length).number(MAX_QUESTION_BYTES);
            return Err(Error::invalid(what, "Do it in several steps"));
        }
        let content = seal.act.as_ref().and_then(|act| act.content.as_ref());
        let kept = bound.files.kept().map(|(_, bytes)| bytes).chain(content);
        let kept: Vec<&Arc<[u8]>> = kept.collect();
        if !kept.is_empty() {
            let pending = self.surroundings.store.pending(petition.host().now());
            let pending = pending.map_err(|error| Error::from(&error))?;
            let needed = pending.iter().flat_map(|request| snapshots(&request.shown));
            let needed: HashSet<String> = needed.map(str::to_owned).collect();
            let more: u64 = kept.iter().map(|bytes| bytes.len() as u64).sum();
            let room = self.snapshots.make_room(more, &needed, SystemTime::now());
            room.map_err(|full| full.error())?;
        }
        for bytes in kept {
            let kept = self.snapshots.keep(bytes);
            kept.map_err(|error| Error::execution(&error).hint(error.hint()))?;
        }
        Ok(shown)
    }

    /// Every spelling of the options that a call can have; nothing where that is not known, or they are too many to be
    /// kept with a question.
    fn known_options(&self, call: &CallShape) -> Option<Vec<String>> {
        let (name, path) = call.command();
        let tool = self.tool(name).ok()?;
        let known = argrail_spec::atip::known_options(tool.description(), path)?;
        (known.len() <= MAX_KNOWN_OPTIONS).then(|| known.into_iter().map(str::to_owned).collect())
    }

    async fn hashed(&self, bound: Bound) -> Result<(Bound, String), Error> {
        let record = Arc::clone(&self.surroundings.record);
        let hashed = self.aside(move |digests| {
            let hash = record.binding_hash(&bound.hash(|path| digests.of(path)))?;
            Ok((bound, hash))
        });
        hashed.await?.map_err(|error: RecordError| Error::from(&error))
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
        found.extend(find_program(name, search));
        found.extend(inside(inner, search));
    }
    found
}

/// The version of everything that it was judged by: this program, its settings, the description, the reasons.
fn version(description: &str, refused: &Refused, rules: &Rules) -> Digest {
    let mut fields = FieldHasher::default();
    fields.put("argrail", env!("CARGO_PKG_VERSION"));
    fields.put("permissionPolicy", json_text(&rules.permission_policy));
    fields.put("description", description);
    let reasons: Vec<Value> = refused.decision().reasons.iter().map(Reason::to_json).collect();
    fields.put("reasons", json_text(&reasons));
    fields.finish()
}

fn json_text(value: &impl serde::Serialize) -> String {
    // What cannot be written as JSON is not among our types.
    serde_json::to_string(value).unwrap_or_default()
}
