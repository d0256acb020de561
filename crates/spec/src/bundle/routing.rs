//! From what a user wants to a tool and its input (AIP-28).

use serde_json::{Map, Value};

use super::intents::target;
use super::model::{Bundle, BundleIntent, BundleTool};
use crate::intent_md::{Implementation, Mapped};

/// Where an intent leads.
#[derive(Debug, Clone, PartialEq)]
pub struct Routed<'b> {
    /// The tool.
    pub tool: &'b BundleTool,
    /// Its input.
    pub input: Value,
}

/// What a list of intents shows, in one language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntentListing {
    /// What programs call it.
    pub id: String,
    /// What stands on a button.
    pub label: String,
    /// What it does.
    pub description: String,
    /// What users say.
    pub phrases: Vec<String>,
    /// What users said.
    pub examples: Vec<String>,
}

impl Bundle {
    /// Returns the intent with this id.
    pub fn intent(&self, id: &str) -> Option<&BundleIntent> {
        self.intents.iter().find(|one| one.intent.id.as_str() == id)
    }

    /// Returns the tool that an intent leads to with what was given, and the input for it; none if no way fits, or the
    /// way is none of ours.
    pub fn route(&self, intent: &BundleIntent, given: &Map<String, Value>) -> Option<Routed<'_>> {
        let sent = intent.intent.sent(given);
        let way = intent.intent.route(&sent)?;
        let tool = target(&intent.path, way.target.tool()?, &self.tools)?;
        Some(Routed {
            tool,
            input: Value::Object(mapped(way, &sent)?),
        })
    }
}

/// Returns the input of the tool: same names unless the way says otherwise. A transform is code, which is not run.
fn mapped(way: &Implementation, sent: &Map<String, Value>) -> Option<Map<String, Value>> {
    let mapping = way.mapping.as_ref();
    let mut input = Map::new();
    for (name, value) in sent {
        let goes = match mapping.and_then(|mapping| mapping.get(name)) {
            Some(Mapped::Name(goes)) => goes,
            Some(Mapped::From(_)) | None => name,
        };
        let is_source = mapping.into_iter().flatten().any(|(to, one)| match one {
            Mapped::From(mapped) => mapped.from == *name && to != name,
            Mapped::Name(_) => false,
        });
        if !is_source {
            input.insert(goes.clone(), value.clone());
        }
    }
    for (to, one) in mapping.into_iter().flatten() {
        match one {
            Mapped::Name(_) => {}
            Mapped::From(mapped) if mapped.transform.is_some() => return None,
            Mapped::From(mapped) => {
                if let Some(value) = sent.get(&mapped.from) {
                    input.insert(to.clone(), value.clone());
                }
            }
        }
    }
    Some(input)
}

impl BundleIntent {
    /// Returns what a list shows, in the language that is nearest to `locale`.
    pub fn listing(&self, locale: &str) -> IntentListing {
        let intent = &self.intent;
        IntentListing {
            id: intent.id.value.clone(),
            label: intent.label.get(locale).to_owned(),
            description: intent.description.get(locale).to_owned(),
            phrases: intent.intent.get(locale).to_vec(),
            examples: intent
                .examples
                .iter()
                .map(|example| example.user.get(locale).to_owned())
                .collect(),
        }
    }
}
