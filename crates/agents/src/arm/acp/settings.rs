//! Mode, model and options of a session, as far as the agent offers them.
//!
//! Agents offer the same thing in two ways: by a method of its own, or as an option of a category. The method is
//! preferred.

use serde_json::{Value, json};

use super::field::{items_of, text_of, texts_of};
use super::hello::Wishes;

/// One thing to be set.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Setting {
    /// What is set, for messages.
    pub(super) what: String,
    pub(super) value: String,
    pub(super) method: &'static str,
    pub(super) params: Value,
}

/// What is set, and what cannot be.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Settings {
    pub(super) to_set: Vec<Setting>,
    pub(super) not_offered: Vec<String>,
}

/// Compares the wishes with what the answer to `session/new` or `session/load` offers.
pub(super) fn settings(wishes: &Wishes, session: &str, answer: &Value) -> Settings {
    let mut settings = Settings::default();
    let mut put = |what: &str, value: &str, found: Option<(&'static str, Value)>| match found {
        Some((method, mut params)) => {
            params["sessionId"] = session.into();
            settings.to_set.push(Setting {
                what: what.to_owned(),
                value: value.to_owned(),
                method,
                params,
            });
        }
        None => settings.not_offered.push(what.to_owned()),
    };
    if let Some(mode) = &wishes.mode {
        let modes = answer.get("modes").unwrap_or(&Value::Null);
        let is_offered = texts_of(modes, "availableModes", "id").any(|id| id == mode);
        let by_method = is_offered.then(|| ("session/set_mode", json!({"modeId": mode})));
        put(
            "mode",
            mode,
            by_method.or_else(|| of_category(answer, "mode", mode)),
        );
    }
    if let Some(model) = &wishes.model {
        let models = answer.get("models").unwrap_or(&Value::Null);
        let is_offered = texts_of(models, "availableModels", "modelId").any(|id| id == model);
        let by_method = is_offered.then(|| ("session/set_model", json!({"modelId": model})));
        put(
            "model",
            model,
            by_method.or_else(|| of_category(answer, "model", model)),
        );
    }
    for (name, value) in &wishes.config {
        let known = items_of(answer, "configOptions")
            .iter()
            .find(|option| text_of(option, "id") == Some(name));
        put(name, value, known.map(|option| set_option(option, name, value)));
    }
    settings
}

/// Finds an option of a category that has this value.
fn of_category(answer: &Value, category: &str, value: &str) -> Option<(&'static str, Value)> {
    let options = items_of(answer, "configOptions").iter();
    let mut of_category = options.filter(|option| text_of(option, "category") == Some(category));
    let option = of_category.find(|option| has_value(option, value))?;
    Some(set_option(option, text_of(option, "id")?, value))
}

/// Values stand in a list, or in groups of lists.
fn has_value(option: &Value, value: &str) -> bool {
    let listed = items_of(option, "options").iter();
    listed
        .flat_map(|entry| std::iter::once(entry).chain(items_of(entry, "options")))
        .any(|entry| text_of(entry, "value") == Some(value))
}

fn set_option(option: &Value, id: &str, value: &str) -> (&'static str, Value) {
    let params = match (text_of(option, "type"), value) {
        (Some("boolean"), "true" | "false") => {
            json!({"configId": id, "type": "boolean", "value": value == "true"})
        }
        (_, _) => json!({"configId": id, "value": value}),
    };
    ("session/set_config_option", params)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session_options::{Carryover, Serves};

    fn wishes(mode: Option<&str>, model: Option<&str>, config: &[(&str, &str)]) -> Wishes {
        Wishes {
            agent: "a@1".into(),
            directory: "/w".into(),
            servers: Vec::new(),
            mode: mode.map(Into::into),
            config: config
                .iter()
                .map(|(name, value)| ((*name).into(), (*value).into()))
                .collect(),
            model: model.map(Into::into),
            sign_in: None,
            resume: None,
            serves: Serves::default(),
            carryover: Carryover::Kept,
        }
    }

    #[test]
    fn what_is_offered_is_set_and_the_rest_is_named() {
        let answer = json!({
            "modes": {"currentModeId": "ask", "availableModes": [{"id": "ask"}, {"id": "code"}]},
            "models": {"availableModels": [{"modelId": "small"}]},
            "configOptions": [
                {"id": "m", "category": "model", "type": "select",
                 "options": [{"group": "g", "options": [{"value": "big"}]}]},
                {"id": "effort", "type": "select", "options": [{"value": "high"}]},
                {"id": "loud", "type": "boolean", "currentValue": false},
            ],
        });
        let check = |wishes: Wishes, methods: &[(&str, Value)], not_offered: &[&str]| {
            let came = settings(&wishes, "s", &answer);
            let set: Vec<(&str, Value)> = came
                .to_set
                .iter()
                .map(|setting| (setting.method, setting.params.clone()))
                .collect();
            assert_eq!(set, methods);
            assert_eq!(came.not_offered, not_offered);
        };
        check(wishes(None, None, &[]), &[], &[]);
        check(
            wishes(
                Some("code"),
                Some("small"),
                &[("effort", "high"), ("loud", "true")],
            ),
            &[
                ("session/set_mode", json!({"modeId": "code", "sessionId": "s"})),
                ("session/set_model", json!({"modelId": "small", "sessionId": "s"})),
                (
                    "session/set_config_option",
                    json!({"configId": "effort", "value": "high", "sessionId": "s"}),
                ),
                (
                    "session/set_config_option",
                    json!({"configId": "loud", "type": "boolean", "value": true, "sessionId": "s"}),
                ),
            ],
            &[],
        );
        check(
            wishes(None, Some("big"), &[]),
            &[(
                "session/set_config_option",
                json!({"configId": "m", "value": "big", "sessionId": "s"}),
            )],
            &[],
        );
        check(
            wishes(Some("yolo"), Some("huge"), &[("x", "y")]),
            &[],
            &["mode", "model", "x"],
        );
    }
}
