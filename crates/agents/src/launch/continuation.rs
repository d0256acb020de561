//! How earlier turns reach an agent (AIP-45, Continuation): one of those that its manifest supports, or nothing starts.
//!
//! Only `none` is driven today. An agent that does not support it is not started as if it did.

use argrail_acli::{Error, Text};
use argrail_spec::agent_cli_md::{AgentCliMd, SessionMode, Strategy};

/// Returns what a manifest declares for its sessions and does not get yet, as sentences.
pub fn declared_in_vain(manifest: &AgentCliMd) -> Vec<String> {
    let strategy = manifest.continuation.as_ref().map(|said| said.default.value);
    let strategy = strategy.filter(|one| *one != Strategy::None).map(|one| {
        let word = one.as_str();
        format!("its continuation {word} is not there yet: every turn is a new session, as with none")
    });
    let mode = manifest
        .session
        .as_ref()
        .and_then(|session| session.mode.as_ref());
    let mode = match mode.map(|mode| mode.value) {
        None | Some(SessionMode::Ephemeral) => None,
        Some(SessionMode::Persistent) => Some("persistent"),
        Some(SessionMode::Resumable) => Some("resumable"),
    };
    let mode = mode.map(|word| {
        format!("its session mode {word} is not there yet: the session ends with the turn, as with ephemeral")
    });
    strategy.into_iter().chain(mode).collect()
}

/// Sees that the strategy that somebody wishes, or else the one that a new session is, can be had.
///
/// # Errors
/// `VALIDATION_ERROR` for a word that is no strategy, one that the manifest does not support, and one that argrail does
/// not have yet; `supported` lists those of the manifest.
pub fn check_continuation(manifest: &AgentCliMd, wished: Option<&str>) -> Result<(), Error> {
    let supported: Vec<Strategy> = match &manifest.continuation {
        Some(said) => said.supported.iter().map(|one| one.value).collect(),
        None => vec![Strategy::None],
    };
    let words: Vec<&str> = supported.iter().map(|one| one.as_str()).collect();
    let refuse = |what: Text, hint: Text| Err(Error::invalid(what, hint).detail("supported", words.clone()));
    let word = wished.unwrap_or(Strategy::None.as_str());
    let Some(strategy) = Strategy::named(word) else {
        return refuse(
            Text::new("there is no continuation {}").value(word),
            Text::new("The agent supports: {}").value(words.join(", ")),
        );
    };
    if !supported.contains(&strategy) {
        return refuse(
            Text::new("the agent {} does not support the continuation {}")
                .value(&manifest.id.value)
                .word(strategy.as_str()),
            Text::new("The agent supports: {}").value(words.join(", ")),
        );
    }
    match strategy {
        Strategy::None => Ok(()),
        Strategy::PinnedSession | Strategy::Transcript | Strategy::NativeResume => refuse(
            Text::new("the continuation {}: going on from an earlier session comes later")
                .word(strategy.as_str()),
            "Leave it out, or write --continuation none".into(),
        ),
    }
}
