//! An agent that is told to ask nobody: a person says yes to that before it starts, as to any other act.

use std::sync::Arc;

use argrail_acli::{Error, Text, TokioHost};
use argrail_agents::SessionGovernor;
use argrail_agents::launch::Prepared;
use argrail_engine::call::{Act, Deed, Whose};
use argrail_engine::consent::{Client, Through};
use argrail_engine::policy::CarriedOut;
use argrail_spec::digest::Hasher;
use serde_json::json;

/// Returns when somebody has agreed to start it with `word`, for this prompt.
///
/// # Errors
/// That somebody has to be asked, or has said no.
pub(super) async fn agree(
    governor: &SessionGovernor,
    prepared: &Prepared,
    word: &str,
    prompt: &str,
    asker: Arc<dyn Client>,
) -> Result<(), Error> {
    let shop = governor.door().shop();
    let argv = prepared
        .argv()
        .iter()
        .map(|word| word.to_string_lossy().into_owned());
    let words: Vec<String> = argv.collect();
    let mut input = Hasher::default();
    input.field(prompt);
    input.field(word);
    let caller = governor.caller();
    let act = Act {
        facts: shop.deed(&Deed::Unknown(words.clone()), &caller, prepared.agent()),
        carried_out: CarriedOut::ByAgent,
        line: Text::new("start {} without permissions, by {}")
            .value(prepared.agent())
            .value(word)
            .to_string(),
        words,
        directory: prepared.directory().to_owned(),
        input: input.finish(),
        content: None,
        sandbox: prepared.summary(),
        shown: json!({"agent": prepared.agent(), "asksNobody": word}),
    };
    let whose = Whose {
        caller,
        host: Arc::new(TokioHost::default()),
        client: Some(Arc::new(Through::telling(asker))),
    };
    shop.agree(&act, &whose).await.outcome.map(drop)
}
