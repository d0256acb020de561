//! May an agent do this? The rules first, then a person, and what is to be recorded of both.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use argrail_acli::{Caller, Error, Host, KnownOnly, Mask, Paused, Text, mask_fields};
use argrail_spec::digest::{Digest, Hasher};
use serde_json::{Map, Value};

use crate::audit::{Durability, Policy};
use crate::call::ask::{Beside, Subject};
use crate::call::intent::{consent_facts, durability};
use crate::call::judge::Judged;
use crate::call::plan::Frame;
use crate::call::secrets::CallSecrets;
use crate::call::shop::Shop;
use crate::consent::{Code, Petition, Through};
use crate::output::bounded_words;
use crate::output::command_mask::CommandMask;
use crate::policy::{Approved, CarriedOut, Facts, Verdict};

/// Something that an agent wants to do, or to have done for it.
#[derive(Debug, Clone)]
pub struct Act {
    /// What is known of it.
    pub facts: Facts,
    /// Who does it once it may be done.
    pub carried_out: CarriedOut,
    /// It in a line, for messages.
    pub line: String,
    /// Its words, as a person sees them.
    pub words: Vec<String>,
    /// Where it happens.
    pub directory: PathBuf,
    /// All that was asked, so that a yes holds for nothing else.
    pub input: Digest,
    /// What will be written, if something is.
    pub content: Option<Arc<[u8]>>,
    /// What it happens in, for people.
    pub sandbox: Value,
    /// What people are shown beside that.
    pub shown: Value,
}

/// Who wants it.
#[derive(Clone)]
pub struct Whose {
    /// The caller.
    pub caller: Arc<Caller>,
    /// The clock.
    pub host: Arc<dyn Host>,
    /// Somebody who can show a question while the store is asked.
    pub client: Option<Arc<Through>>,
}

/// What was decided about an act.
#[derive(Debug)]
pub struct Agreement {
    /// That it may be done, or why not.
    pub outcome: Result<Approved, Error>,
    /// The act in a line, without what nobody is told.
    pub line: String,
    /// What the record says of the decision.
    pub notes: Map<String, Value>,
    /// What policy said, if it came to that.
    pub policy: Option<Policy>,
    /// How safe the record of it has to be before it is done.
    pub durability: Durability,
}

impl Shop {
    /// Decides about an act, and asks a person where that is needed. Nothing is done yet, and nothing recorded but the
    /// question.
    pub async fn agree(&self, act: &Act, whose: &Whose) -> Agreement {
        let CallSecrets { mask, .. } = self.act_secrets(&act.facts);
        let hearing = Hearing {
            act,
            whose,
            notes: Mutex::default(),
        };
        let outcome = match self.noted(&hearing, &mask) {
            Ok(()) => self.heard(&hearing, &mask).await.map_err(taught),
            Err(error) => Err(error),
        };
        let outcome = outcome.map_err(|error| error.masked(&mask));
        let mut notes = hearing.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut verdict = None;
        let mut durable = Durability::Soon;
        if let Ok(approved) = &outcome {
            verdict = Some(approved.decision().verdict);
            durable = durability(approved);
            notes.insert("decision".to_owned(), approved.decision().verdict.as_str().into());
            notes.insert("policyVersion".to_owned(), self.policy_version().into());
            notes.extend(consent_facts(approved));
        }
        let noted = notes.get("decision").and_then(Value::as_str);
        let verdicts = [Verdict::Allow, Verdict::Ask, Verdict::Deny];
        let noted = verdicts
            .into_iter()
            .find(|verdict| Some(verdict.as_str()) == noted);
        let policy = verdict.or(noted).map(|decision| Policy {
            reference: self.policy_version().to_owned(),
            decision,
        });
        let mut notes: Map<String, Value> = notes.into_iter().collect();
        mask_fields(&KnownOnly(&mask), &mut notes);
        Agreement {
            outcome,
            line: mask.mask(&act.line).into_owned(),
            notes,
            policy,
            durability: durable,
        }
    }

    /// Notes the words, as records have them.
    fn noted(&self, hearing: &Hearing<'_>, mask: &CommandMask) -> Result<(), Error> {
        let words: Vec<OsString> = hearing.act.words.iter().map(OsString::from).collect();
        let hash = self
            .surroundings
            .record
            .argv_hash(words.iter().map(OsString::as_os_str));
        let masked = Code::of(&hearing.act.facts).masked(&hearing.act.words, mask);
        hearing.note("argv", bounded_words(masked).into());
        hearing.note("argv_count", words.len().into());
        hearing.note("argvHash", hash.map_err(|error| Error::from(&error))?.into());
        hearing.note("cwd", hearing.act.directory.to_string_lossy().into());
        Ok(())
    }

    async fn heard(&self, hearing: &Hearing<'_>, mask: &CommandMask) -> Result<Approved, Error> {
        let act = hearing.act;
        let (refused, rules) = match self.judge(act.facts.clone(), hearing)? {
            Judged::Approved(approved) => return Ok(*approved),
            Judged::Asks(refused, rules) => (refused, *rules),
        };
        let mut all = Hasher::default();
        all.field(act.input.to_string());
        if let Some(content) = &act.content {
            all.field(content);
        }
        let subject = Subject {
            frame: Frame {
                argv: act.words.iter().map(OsString::from).collect(),
                directory: act.directory.clone(),
                program: None,
                stdin: all.finish(),
                variables: Vec::new(),
                profile: Digest::of(act.sandbox.to_string()),
                sandbox: act.sandbox.clone(),
            },
            profile: None,
            inside: Vec::new(),
            description: act.shown.to_string(),
            act: Some(Beside {
                shown: act.shown.clone(),
                content: act.content.clone(),
            }),
            mask: mask.clone(),
        };
        let consented = self.agreed(subject, (refused, rules), hearing, |_| {}).await?;
        self.unchanged(consented, hearing).await
    }
}

/// An act is no command that `argrail why` could be asked about.
fn taught(error: Error) -> Error {
    let reason = error.get_detail("reason").and_then(Value::as_str);
    match reason {
        Some("denied_by_policy" | "delegation") => error.hint(Text::new(
            "Check your access level: a person can see which rule with: argrail audit show --denied",
        )),
        Some(_) | None => error,
    }
}

/// An act that is judged.
struct Hearing<'a> {
    act: &'a Act,
    whose: &'a Whose,
    notes: Mutex<BTreeMap<String, Value>>,
}

impl Petition for Hearing<'_> {
    fn caller(&self) -> &Caller {
        &self.whose.caller
    }

    fn host(&self) -> &dyn Host {
        self.whose.host.as_ref()
    }

    fn line(&self) -> String {
        self.act.line.clone()
    }

    fn carried_out(&self) -> CarriedOut {
        self.act.carried_out
    }

    fn note(&self, name: &str, value: Value) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        notes.insert(name.to_owned(), value);
    }

    fn pause(&self) -> Option<Paused> {
        None
    }

    fn progress(&self, _done: f64, _total: f64, _message: Text) {}

    fn client(&self) -> Option<&Through> {
        self.whose.client.as_deref()
    }
}
