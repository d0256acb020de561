//! What is recorded before anything is started, and what is known after it ended. No record, no run.
//!
//! A call that only reads is recorded without waiting for the disk, which would cost as much as the call; one that was
//! asked about, granted or approved by the configuration is on the disk before it starts.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use argrail_acli::{Call, Error, Mask, UserContext, join};
use argrail_sandbox::{Cancel, Denial, Report};
use argrail_spec::digest::Digest;
use serde_json::{Map, Value, json};

use super::shop::Shop;
use super::tool::{Runs, Tool};
use crate::audit::{Action, Durability, Event, Policy};
use crate::consent::Code;
use crate::output::bounded_words;
use crate::output::command_mask::CommandMask;
use crate::policy::{Approved, Confinement, Consent, Verdict};
use crate::run::apart;

/// The most of what was refused, of hosts and of variables.
const LISTED: usize = 64;
/// Rules that let something run which is no plain read.
const ANSWERED: [&str; 2] = ["permissionPolicy.autoApprove", "grant"];

/// Something that is about to be started.
pub(super) struct Intent<'a> {
    /// Whose it is.
    pub(super) tool: &'a Tool,
    /// That it may.
    pub(super) approved: &'a Approved,
    /// The words, as they will run.
    pub(super) argv: Vec<OsString>,
    /// The file that is started, where there is one.
    pub(super) program: Option<PathBuf>,
    /// Where it runs.
    pub(super) directory: PathBuf,
    /// Names of the variables that it gets.
    pub(super) env_keys: Vec<String>,
    /// What it runs in: only its digest is kept.
    pub(super) sandbox: &'a str,
    /// What no record may hold.
    pub(super) mask: &'a CommandMask,
}

/// An intent that was recorded.
#[derive(Debug, Clone)]
pub(super) struct Recorded {
    seq: u64,
    facts: Map<String, Value>,
    sandbox: Map<String, Value>,
}

/// Records that something is about to be started.
///
/// # Errors
/// When it could not be recorded. It must not be started then.
pub(super) async fn intend(shop: &Shop, call: &Call, intent: Intent<'_>) -> Result<Recorded, Error> {
    let chain = Arc::clone(&shop.surroundings.record);
    let durability = durability(intent.approved);
    let sandbox = sandbox(&intent);
    let facts = facts(shop, &intent).map_err(|error| Error::from(&error))?;
    let event = event(shop, call, &intent, &facts, &sandbox);
    let appended = match durability {
        Durability::Soon => chain.append(&event, durability),
        // The disk is waited for elsewhere: other calls go on meanwhile.
        Durability::Durable => {
            let cancel = Cancel::new().map_err(Error::execution)?;
            let appended = apart(cancel, move || chain.append(&event, durability)).await;
            appended.map_err(|error| Error::execution(&error))?
        }
    };
    let seq = appended.map_err(|error| Error::from(&error))?.seq;
    Ok(Recorded { seq, facts, sandbox })
}

impl Recorded {
    /// Has it noted for the record of the call's end.
    pub(super) fn note(&self, call: &Call) {
        call.note("intent", self.seq);
        for (name, value) in &self.facts {
            call.note(name, value.clone());
        }
        call.note("sandbox", self.sandbox.clone());
    }

    /// Notes what is known of a child that ended.
    pub(super) fn ended(&self, call: &Call, report: &Report, mask: &CommandMask) {
        for (name, value) in self.end(report, mask) {
            call.note(name, value);
        }
    }

    fn end(&self, report: &Report, mask: &CommandMask) -> [(&'static str, Value); 6] {
        let mut sandbox = self.sandbox.clone();
        sandbox.insert("tier".to_owned(), report.tier.into());
        let times = json!({
            "durationUs": micros(report.duration),
            "userUs": micros(report.user),
            "systemUs": micros(report.system),
        });
        [
            ("exit_code", report.ended.code().into()),
            ("sandbox", sandbox.into()),
            (
                "bytes",
                json!({"stdout": report.stdout_bytes, "stderr": report.stderr_bytes}),
            ),
            ("times", times),
            ("denials", denials(&report.denials, mask)),
            ("hosts", listed(&report.hosts).into()),
        ]
    }

    /// The event that a child of ours ended which nobody called by name.
    pub(super) fn outcome(self, report: &Report, mask: &CommandMask, caller: &str) -> Event {
        let end = self.end(report, mask);
        let mut event = Event::new(Action::CliInvoked, caller, "cli", None);
        event.metadata = self.facts;
        event.metadata.insert("intent".to_owned(), self.seq.into());
        event
            .metadata
            .extend(end.map(|(name, value)| (name.to_owned(), value)));
        event
    }
}

/// What a sandbox refused, as the record has it.
pub(super) fn denials(denials: &[Denial], mask: &CommandMask) -> Value {
    let one = |denial: &Denial| {
        let target = mask.mask_text(&denial.target);
        json!({"kind": denial.kind.as_str(), "target": target, "inferred": denial.inferred()})
    };
    denials.iter().take(LISTED).map(one).collect()
}

fn event(
    shop: &Shop,
    call: &Call,
    intent: &Intent<'_>,
    facts: &Map<String, Value>,
    sandbox: &Map<String, Value>,
) -> Event {
    let invoked = &intent.approved.facts().invoked;
    let parsed = std::iter::once(&intent.tool.name).chain(&invoked.path);
    let parsed = parsed.cloned().collect::<Vec<_>>().join(" ");
    let who = UserContext::of(call.caller());
    let mut event = Event::new(Action::CliIntended, &who.caller, "cli", Some(&parsed)).role("agent");
    event.subject.path = intent
        .program
        .as_ref()
        .map(|path| path.to_string_lossy().into_owned());
    event.policy = Some(Policy {
        reference: shop.policy_version().to_owned(),
        decision: intent.approved.decision().verdict,
    });
    event.metadata.clone_from(facts);
    let line = join(call.words());
    event
        .with("command", intent.mask.mask(&line).into_owned())
        .with("parsed_command", parsed)
        .with("user_context", json!({"caller": who.caller, "name": who.name}))
        .with("sandbox", sandbox.clone())
}

/// What the records of the beginning and of the end both say.
fn facts(shop: &Shop, intent: &Intent<'_>) -> Result<Map<String, Value>, crate::audit::RecordError> {
    let hash = shop
        .surroundings
        .record
        .argv_hash(intent.argv.iter().map(OsString::as_os_str))?;
    let words: Vec<String> = intent.argv.iter().map(|word| text(word)).collect();
    let metadata = &intent.tool.metadata;
    let path = &intent.approved.facts().invoked.path;
    let mut facts = Map::new();
    let mut put = |name: &str, value: Value| facts.insert(name.to_owned(), value);
    let identity = match &intent.tool.runs {
        Runs::Bundle(runs) => runs.held.head.identity(),
        Runs::Program(_) | Runs::Server | Runs::Manifest(_) => {
            cli_id(&intent.tool.name, metadata.version.as_deref())
        }
    };
    put("cli_id", identity.into());
    let known = metadata.version.as_deref().filter(|version| *version != "*");
    if let Some(version) = known {
        put("cli_version", version.into());
    }
    if !path.is_empty() {
        put("subcommand", path.join(" ").into());
    }
    // A record that hides what ran is none.
    let words = Code::of(intent.approved.facts()).masked(&words, intent.mask);
    put("argv", bounded_words(words).into());
    put("argv_count", intent.argv.len().into());
    put("argvHash", hash.into());
    put("cwd", text(intent.directory.as_os_str()).into());
    put("envKeys", listed(&intent.env_keys).into());
    put("policyVersion", shop.policy_version().into());
    put("decision", intent.approved.decision().verdict.as_str().into());
    facts.extend(consent_facts(intent.approved));
    Ok(facts)
}

/// Whose yes it was, for the record.
pub(super) fn consent_facts(approved: &Approved) -> Vec<(String, Value)> {
    let fact = |name: &str, value: Value| (name.to_owned(), value);
    match approved.consent() {
        Consent::Policy => Vec::new(),
        Consent::Grants(grants) => {
            vec![fact("grant", grants.iter().map(ToString::to_string).collect())]
        }
        Consent::Once(request, approver) => vec![
            fact("approval", request.0.as_str().into()),
            fact("approver", json!({"who": approver.who, "means": approver.means})),
        ],
    }
}

fn sandbox(intent: &Intent<'_>) -> Map<String, Value> {
    let confinement = match intent.approved.confinement() {
        Confinement::Effects => "effects",
        Confinement::Closed => "closed",
    };
    let profile = Digest::of(intent.sandbox).to_string();
    let fields = [("confinement", confinement.into()), ("profile", profile.into())];
    fields
        .map(|(name, value): (&str, Value)| (name.to_owned(), value))
        .into_iter()
        .collect()
}

pub(super) fn durability(approved: &Approved) -> Durability {
    let decision = approved.decision();
    let answered = decision
        .reasons
        .iter()
        .any(|reason| ANSWERED.contains(&reason.rule));
    match decision.verdict {
        Verdict::Allow if !answered => Durability::Soon,
        Verdict::Allow | Verdict::Ask | Verdict::Deny => Durability::Durable,
    }
}

/// `gh@2`, or the name alone where nobody says which version it is.
fn cli_id(name: &str, version: Option<&str>) -> String {
    let major = version.and_then(|version| version.trim_start_matches('v').split('.').next());
    let major = major.filter(|major| !major.is_empty() && major.bytes().all(|byte| byte.is_ascii_digit()));
    match major {
        Some(major) => format!("{name}@{major}"),
        None => name.to_owned(),
    }
}

fn listed(names: &[String]) -> Vec<String> {
    names.iter().take(LISTED).cloned().collect()
}

fn text(word: &OsStr) -> String {
    word.to_string_lossy().into_owned()
}

fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_is_named_with_its_major_version() {
        let check = |version: Option<&str>, want: &str| assert_eq!(cli_id("gh", version), want);
        check(None, "gh");
        check(Some("2.43.1"), "gh@2");
        check(Some("v3"), "gh@3");
        check(Some("rolling"), "gh");
        check(Some(""), "gh");
    }
}
