//! What the end of a run means to whoever called: its answer, or that it asked a person, tried more than it declared, or
//! found nobody.

use argrail_acli::{Answer, Code, Error, Text};
use argrail_sandbox::{Absence, DenialKind};
use serde_json::{Map, Value, json};

use crate::policy::Approved;
use crate::profile::{Profile, Withheld};
use crate::run::{Kind, Prompt, Ran, Tried, Weight, tried};

/// The answer of a call, with what it was refused meanwhile.
pub(super) fn outcome(
    answer: Result<Answer, Error>,
    ran: &Ran,
    tried: Option<Tried>,
    profile: &Profile,
) -> Result<Answer, Error> {
    if let Some(prompt) = &ran.prompt {
        // It may take no answer for no, and be content. Whoever called it is not.
        return Err(with_words(prompted(prompt), answer));
    }
    if let Some(error) = moved_aside(ran) {
        return Err(with_words(error, answer));
    }
    let Some(tried) = tried else {
        return match absent(ran) {
            Some(error) => Err(with_words(error, answer)),
            None => answer,
        };
    };
    let weight = tried.weight;
    match answer {
        // It failed because of what it tried: that is the thing to know.
        Err(failed) => Err(match weight {
            Weight::Lie | Weight::Undone | Weight::Reason => with_words(refused(tried), Err(failed)),
            Weight::Aside => failed.detail("tried", tried.details),
        }),
        // What came back instead of a host is our own proxy's word, and no page.
        Ok(_) if was_refused_a_host(ran, profile) || found_nobody(ran) => Err(refused(tried)),
        Ok(answer) => match weight {
            Weight::Lie | Weight::Undone => Err(with_words(refused(tried), Ok(answer))),
            Weight::Reason => Ok(answer.message(tried.message).meta("tried", tried.details)),
            Weight::Aside => Ok(answer.meta("tried", tried.details)),
        },
    }
}

/// What a call wrote that nothing may write, and that is therefore not where it was written.
fn moved_aside(ran: &Ran) -> Option<Error> {
    let found = &ran.report.quarantined;
    let first = found.first()?;
    let shown = |path: &std::path::Path| path.to_string_lossy().into_owned();
    let all = found.iter().map(|one| {
        json!({"path": shown(&one.path), "movedTo": one.moved_to.as_deref().map(shown), "why": one.why.to_string()})
    });
    let what = Text::new("Execution failed: {} is protected, and what was written there was moved aside");
    Some(
        Error::new(Code::ExecutionError, what.value(shown(&first.path)))
            .hint("A person has to write such a file: it would run programs later without a question")
            .detail("quarantined", all.collect::<Value>()),
    )
}

/// The same, with what the call was not shown: always if its own words are why, else where that may be why it failed.
pub(super) fn with_withheld(outcome: Result<Answer, Error>, profile: &Profile) -> Result<Answer, Error> {
    let home = profile.anchors.home();
    let list = |withheld: &mut dyn Iterator<Item = &Withheld>| -> Vec<Value> {
        withheld.map(|one| one.to_json(home)).collect()
    };
    let named = list(&mut profile.withheld.iter().filter(|one| one.is_named()));
    match outcome {
        Ok(answer) if named.is_empty() => Ok(answer),
        Ok(answer) => Ok(answer.meta("withheld", named)),
        Err(error) if profile.withheld.is_empty() => Err(error),
        Err(error) => {
            let error = error.detail("withheld", list(&mut profile.withheld.iter()));
            let hint = profile.withheld.iter().find_map(|one| one.hint(home));
            Err(match hint {
                Some(hint) => error.hint(hint),
                None => error,
            })
        }
    }
}

/// The same, with the hooks of git that did not run.
pub(super) fn with_hooks(outcome: Result<Answer, Error>, profile: &Profile) -> Result<Answer, Error> {
    let left_out = &profile.hooks_left_out;
    if left_out.is_empty() {
        return outcome;
    }
    let list: Value = left_out.iter().map(|hook| hook.to_string_lossy()).collect();
    match outcome {
        Ok(answer) => Ok(answer.meta("hooksNotRun", list)),
        Err(error) => Err(error.detail("hooksNotRun", list)),
    }
}

/// What a run failed of that is not its own business. Nothing of its words is in it.
pub(super) fn explained(ran: &Ran, approved: &Approved, profile: &Profile) -> Option<Error> {
    if let Some(prompt) = &ran.prompt {
        return Some(prompted(prompt));
    }
    match tried(&ran.report, approved.facts(), profile) {
        Some(tried) => match tried.weight {
            Weight::Lie | Weight::Undone | Weight::Reason => Some(refused(tried)),
            Weight::Aside => None,
        },
        None => absent(ran),
    }
}

/// Adds the words of the tool, which are nobody's instruction.
fn with_words(error: Error, answer: Result<Answer, Error>) -> Error {
    match answer {
        Ok(answer) => error.detail("output", words_of(&answer)),
        Err(failed) => match failed.get_detail("output") {
            Some(output) => error.detail("output", output.clone()),
            None => error,
        },
    }
}

fn words_of(answer: &Answer) -> Value {
    let mut words = match answer.data() {
        Value::Object(data) => data.clone(),
        data => Map::from_iter([("value".to_owned(), data.clone())]),
    };
    words.insert("untrusted".to_owned(), json!(true));
    Value::Object(words)
}

fn was_refused_a_host(ran: &Ran, profile: &Profile) -> bool {
    let mut denials = ran.report.denials.iter();
    !profile.policy.egress.is_empty()
        && denials.any(|denial| denial.kind == DenialKind::Net && !denial.inferred())
}

/// Whether it reached no host at all, and tried.
fn found_nobody(ran: &Ran) -> bool {
    ran.report.hosts.is_empty() && !ran.report.unreached.is_empty()
}

/// The first host that was not there, where none was.
fn absent(ran: &Ran) -> Option<Error> {
    let first = ran.report.unreached.first().filter(|_| found_nobody(ran))?;
    let (message, hint) = match first.why {
        Absence::NoAddress => (
            "Execution failed: the host {} has no address: its name does not resolve",
            "Check how the name is written, and retry",
        ),
        Absence::NoAnswer => (
            "Execution failed: the host {} does not answer",
            "Check the name and the port, or retry later",
        ),
    };
    let hosts = ran.report.unreached.iter();
    let hosts = hosts.map(|host| json!({"target": host.target, "why": host.why.as_str()}));
    Some(
        Error::new(Code::ExecutionError, Text::new(message).value(&first.target))
            .hint(hint)
            .detail("unreached", hosts.collect::<Value>()),
    )
}

fn prompted(prompt: &Prompt) -> Error {
    let Prompt { kind, advice, .. } = prompt;
    let what = match kind {
        Kind::Rights => {
            Text::new("Execution failed: this command wants more rights, and nothing gets any in a sandbox")
        }
        Kind::Confirm
        | Kind::Password
        | Kind::HostKey
        | Kind::Credentials
        | Kind::Editor
        | Kind::Terminal
        | Kind::Input => {
            Text::new("Execution failed: this command prompts ({}), and nobody is there to answer")
                .word(kind.as_str())
        }
    };
    Error::new(Code::ExecutionError, what)
        .hint(Text::new("{}").word(advice))
        .detail("prompt", kind.as_str())
}

fn refused(tried: Tried) -> Error {
    Error::new(Code::ExecutionError, tried.message)
        .hint(tried.hint)
        .detail("tried", tried.details)
}
