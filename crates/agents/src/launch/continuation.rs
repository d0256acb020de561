//! How earlier turns reach an agent (AIP-45, Continuation): one of those that its manifest supports, or nothing starts.
//!
//! Only `none` is driven today. An agent that does not support it is not started as if it did.

use argrail_acli::{Code, Error, Text};
use argrail_spec::agent_cli_md::{AgentCliMd, Strategy};

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
    let refuse = |what: Text, hint: Text| {
        let error = Error::new(Code::ValidationError, what).hint(hint);
        Err(error.detail("supported", words.clone()))
    };
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
