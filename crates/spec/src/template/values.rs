//! What a template is filled with.

use serde_json::{Map, Value};

use super::model::Source;

/// What a template is filled with. There is no place for a secret in it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Values<'a> {
    /// The inputs of the tool: an object that fits its schema.
    pub input: Option<&'a Value>,
    /// What the host says about the call.
    pub context: Option<&'a Map<String, Value>>,
    /// What a person gave in a step of the setup.
    pub value: Option<&'a Value>,
}

impl<'a> Values<'a> {
    /// Returns the inputs of a call, and nothing else.
    pub const fn of_input(input: &'a Value) -> Self {
        Self {
            input: Some(input),
            context: None,
            value: None,
        }
    }

    /// Returns what a source has. Null is nothing.
    pub(super) fn get(&self, source: &Source) -> Option<&'a Value> {
        let found = match source {
            Source::Input(steps) => steps
                .iter()
                .try_fold(self.input?, |value, step| value.as_object()?.get(step)),
            Source::Context(steps) => {
                let (first, rest) = steps.split_first()?;
                let value = self.context?.get(first)?;
                rest.iter()
                    .try_fold(value, |value, step| value.as_object()?.get(step))
            }
            Source::Value => self.value,
        };
        found.filter(|value| !value.is_null())
    }
}
