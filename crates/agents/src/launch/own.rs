//! What a manifest says to argrail alone, below `metadata.argrail`: the draft has no field for it.

use argrail_acli::{Error, Text};
use argrail_sandbox::policy::EnvName;
use argrail_spec::agent_cli_md::AgentCliMd;
use indexmap::IndexMap;
use serde_json::Value;

/// Words for argrail.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Own {
    /// `sign_in`: the way to sign in that is taken when the agent asks for one, by the agent's id of it.
    pub(crate) sign_in: Option<String>,
    /// `env`: variables that are always set. An AIP-36 block has no place for them. Modes and options come after.
    pub(crate) env: IndexMap<String, String>,
}

impl Own {
    /// Reads them.
    ///
    /// # Errors
    /// When something is there that is no text, or no variable that may be set.
    pub(crate) fn of(agent: &AgentCliMd) -> Result<Self, Error> {
        let Some(said) = agent.metadata.get("argrail") else {
            return Ok(Self::default());
        };
        let sign_in = match said.get("sign_in") {
            None => None,
            Some(Value::String(id)) => Some(id.clone()),
            Some(_) => return Err(wrong("sign_in", "it is no text")),
        };
        let mut env = IndexMap::new();
        match said.get("env") {
            None => {}
            Some(Value::Object(variables)) => {
                for (name, value) in variables {
                    EnvName::parse_set("env", name).map_err(|refusal| wrong(name, &refusal.reason))?;
                    let text = value.as_str().filter(|text| !text.contains('\0'));
                    let text = text.ok_or_else(|| wrong(name, "its value is no text"))?;
                    env.insert(name.clone(), text.to_owned());
                }
            }
            Some(_) => return Err(wrong("env", "it is no list of variables")),
        }
        Ok(Self { sign_in, env })
    }
}

fn wrong(name: &str, reason: &str) -> Error {
    let what = Text::new("metadata.argrail of the manifest: {}: {}")
        .value(name)
        .value(reason);
    Error::invalid(
        what,
        "Correct metadata.argrail in the manifest; docs/agents.md says what it takes",
    )
}
