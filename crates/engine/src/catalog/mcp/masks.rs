//! Values of variables and headers in what a server says: it may repeat those that it was given.

use argrail_spec::config::Secret;
use serde_json::Value;

/// What stands in the place of a value.
const HIDDEN: &str = "***";
/// Shorter values are not looked for in what a server says: they would be found everywhere.
const SHORTEST: usize = 4;

/// Values that are masked in what a server says.
#[derive(Debug, Clone, Default)]
pub(super) struct Masks(Vec<Secret>);

impl Masks {
    /// Masks these values, and of a value with a scheme in front (`Bearer …`) the part behind it, too.
    pub(super) fn of<'s>(secrets: impl IntoIterator<Item = &'s Secret>) -> Self {
        let mut values: Vec<String> = Vec::new();
        for secret in secrets {
            values.push(secret.expose().to_owned());
            values.extend(
                secret
                    .expose()
                    .split_once(' ')
                    .map(|(_, rest)| rest.trim().to_owned()),
            );
        }
        values.retain(|value| value.len() >= SHORTEST);
        // The longest first, so that no part of one is left over.
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self(values.into_iter().map(Secret::new).collect())
    }

    /// Returns a text without the values.
    pub(super) fn text(&self, text: &str) -> String {
        let mask = |text: String, secret: &Secret| match text.contains(secret.expose()) {
            true => text.replace(secret.expose(), HIDDEN),
            false => text,
        };
        self.0.iter().fold(text.to_owned(), mask)
    }

    /// Removes the values from all texts of a JSON value, names included.
    pub(super) fn json(&self, value: &mut Value) {
        match value {
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
            Value::String(text) => *text = self.text(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(fields) => {
                if fields.keys().any(|key| self.text(key) != *key) {
                    *fields = std::mem::take(fields)
                        .into_iter()
                        .map(|(key, value)| (self.text(&key), value))
                        .collect();
                }
                fields.values_mut().for_each(|field| self.json(field));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn values_are_shown_to_nobody() {
        let secrets = [
            Secret::new("s3cret"),
            Secret::new("s3cret-and-more"),
            Secret::new("Bearer t0ken"),
            Secret::new("1"),
        ];
        let masks = Masks::of(&secrets);
        assert!(!format!("{masks:?}").contains("s3cret"));
        assert_eq!(masks.text("a s3cret-and-more b s3cret 1"), "a *** b *** 1");
        assert_eq!(
            masks.text("Authorization: Bearer t0ken; t0ken"),
            "Authorization: ***; ***"
        );
        let mut said = json!({"s3cret": ["is s3cret", {"a": "t0ken", "b": 1}]});
        masks.json(&mut said);
        assert_eq!(said, json!({"***": ["is ***", {"a": "***", "b": 1}]}));
    }
}
