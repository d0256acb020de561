//! From what somebody wishes to the arguments and variables of the agent: AIP-45, Modes and Options, and `models`.
//!
//! Patches come in the draft's order: `bin_args`, the mode, the options as the manifest lists them, the model. A value
//! fills `{value}` inside of one word and can never add a word; one that the agent would take for an option is refused.
//! Everything is checked before anything is returned.

use argrail_acli::nearest;
use indexmap::IndexMap;

use super::manifest::AgentCliMd;
use super::models::{MAX_MODEL_CHARS, Models};
use super::option::{AgentOption, OptionType};
use super::option_value::OptionValue;
use super::wish_error::WishError;
use crate::doc::Spanned;

/// What stands in a template for the value.
pub(super) const HOLE: &str = "{value}";
/// The option that takes models, where there is one.
const MODEL: &str = "model";
/// The most bytes of one value.
const LONGEST: usize = 16 * 1024;
/// The most bytes of one word or variable, as systems have it.
const LONGEST_WORD: usize = 128 * 1024;
/// The most bytes of all that is filled in.
const LARGEST: usize = 1024 * 1024;

/// What somebody wishes, as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Wishes {
    /// The id of a mode.
    pub mode: Option<String>,
    /// Ids of options and their values.
    pub options: Vec<(String, String)>,
    /// The id of a model.
    pub model: Option<String>,
}

/// How the agent is started.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Launch {
    /// Its arguments, without the program.
    pub args: Vec<String>,
    /// Variables that the mode, the options and the model set.
    pub env: IndexMap<String, String>,
    /// Variables that hold keys of models and come from the caller.
    pub pass: Vec<String>,
    /// Variables that it does not get from the caller. What `env` sets, it gets.
    pub unset: Vec<String>,
    /// The mode, to be told in the session where the agent offers it.
    pub mode: Option<String>,
    /// Options that change neither arguments nor variables, to be told in the session where the agent offers them.
    pub config: Vec<(String, String)>,
    /// The model, to be told in the session; none where arguments or variables say it.
    pub model: Option<String>,
}

impl AgentCliMd {
    /// Returns how the agent is started when somebody wishes this.
    ///
    /// # Errors
    /// The first wish that the manifest does not allow.
    pub fn launch(&self, wishes: &Wishes) -> Result<Launch, WishError> {
        let given = self.given(wishes)?;
        let mut patches = Patches::default();
        patches.add(&self.bin_args);
        if let Some(mode) = &wishes.mode {
            let mode = self.mode(mode)?;
            patches.add(&mode.bin_args_append);
            for (name, value) in &mode.env {
                patches.set(name, value.value.clone());
            }
        }
        let mut config = Vec::new();
        for option in &self.options {
            let value = given.get(option.id.as_str());
            patches.option(option, value)?;
            // The model is told as what it is.
            let in_session = option.is_for_the_session() && option.id.as_str() != MODEL;
            if let Some(value) = value.filter(|_| in_session) {
                config.push((option.id.value.clone(), value.to_string()));
            }
        }
        let model = self.chosen(wishes, &given);
        let told = self.tell(model, &given, &mut patches);
        let keys = self.models.iter().flat_map(Models::keys);
        Ok(Launch {
            args: patches.args,
            env: patches.env,
            pass: keys.map(|name| name.value.clone()).collect(),
            unset: self.env_unset.iter().map(|name| name.value.clone()).collect(),
            mode: wishes.mode.clone(),
            config,
            model: told,
        })
    }

    /// Returns the option that takes models, where there is one.
    pub(super) fn model_option(&self) -> Option<&AgentOption> {
        self.options.iter().find(|option| option.id.as_str() == MODEL)
    }

    fn mode(&self, given: &str) -> Result<&super::mode::AgentMode, WishError> {
        let known = || self.modes.iter().map(|mode| mode.id.as_str());
        let mode = self.modes.iter().find(|mode| mode.id.as_str() == given);
        mode.ok_or_else(|| WishError::UnknownMode {
            given: given.to_owned(),
            nearest: nearest(given, known()).map(str::to_owned),
            known: known().map(str::to_owned).collect(),
        })
    }

    /// Reads the values of options, that of the model among them.
    fn given(&self, wishes: &Wishes) -> Result<IndexMap<&str, OptionValue>, WishError> {
        let mut given = IndexMap::new();
        for (id, text) in &wishes.options {
            let known = || self.options.iter().map(|option| option.id.as_str());
            let option = self.options.iter().find(|option| option.id.as_str() == id);
            let option = option.ok_or_else(|| WishError::UnknownOption {
                given: id.clone(),
                nearest: nearest(id, known()).map(str::to_owned),
                known: known().map(str::to_owned).collect(),
            })?;
            if given.insert(option.id.as_str(), option.read(text)?).is_some() {
                return Err(WishError::Twice { id: id.clone() });
            }
        }
        self.allow(given.get(MODEL).map(ToString::to_string).as_deref())?;
        self.allow(wishes.model.as_deref())?;
        let default = self.models.as_ref().and_then(|models| models.default.as_ref());
        let model = wishes.model.as_deref().or(default.map(|id| id.as_str()));
        if let (Some(model), Some(option)) = (model, self.model_option()) {
            match (given.contains_key(MODEL), &wishes.model) {
                (true, Some(_)) => {
                    return Err(WishError::Twice { id: MODEL.to_owned() });
                }
                (true, None) => {}
                (false, _) => drop(given.insert(option.id.as_str(), option.read(model)?)),
            }
        }
        Ok(given)
    }

    /// Checks that a model may be chosen.
    fn allow(&self, model: Option<&str>) -> Result<(), WishError> {
        let Some(model) = model else { return Ok(()) };
        if model.is_empty() || model.chars().count() > MAX_MODEL_CHARS || model.chars().any(char::is_control)
        {
            return Err(WishError::WrongType {
                id: MODEL.to_owned(),
                expected: "the id of a model",
                given: model.to_owned(),
            });
        }
        let allowed = self.models.as_ref().and_then(Models::ids);
        match allowed {
            Some(allowed) if !allowed.contains(&model) => Err(WishError::UnknownModel {
                given: model.to_owned(),
                nearest: nearest(model, allowed.iter().copied()).map(str::to_owned),
                allowed: allowed.into_iter().map(str::to_owned).collect(),
            }),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns the model: the one that is wished, by either way, else the manifest's.
    fn chosen(&self, wishes: &Wishes, given: &IndexMap<&str, OptionValue>) -> Option<String> {
        let default = self.models.as_ref().and_then(|models| models.default.as_ref());
        given
            .get(MODEL)
            .map(ToString::to_string)
            .or_else(|| wishes.model.clone())
            .or_else(|| default.map(|id| id.value.clone()))
    }

    /// Puts the model into its variable, and returns it if the session must tell it.
    fn tell(
        &self,
        model: Option<String>,
        given: &IndexMap<&str, OptionValue>,
        patches: &mut Patches,
    ) -> Option<String> {
        let model = model?;
        let variable = self.models.as_ref().and_then(Models::variable);
        if let Some(variable) = variable {
            patches.set(variable, model);
            return None;
        }
        let by_option = self
            .model_option()
            .is_some_and(|option| given.contains_key(MODEL) && !option.is_for_the_session());
        (!by_option).then_some(model)
    }
}

impl AgentOption {
    /// Reads a value as somebody wrote it.
    ///
    /// # Errors
    /// When the option does not take it.
    pub fn read(&self, text: &str) -> Result<OptionValue, WishError> {
        let id = || self.id.value.clone();
        let wrong = |expected: &'static str| WishError::WrongType {
            id: id(),
            expected,
            given: text.to_owned(),
        };
        if text.contains('\0') {
            return Err(WishError::Unwritable { id: id() });
        }
        if text.len() > LONGEST {
            return Err(WishError::TooLong {
                id: id(),
                most: LONGEST,
            });
        }
        let value = match self.kind.value {
            OptionType::Boolean => match text {
                "true" => OptionValue::Truth(true),
                "false" => OptionValue::Truth(false),
                _ => return Err(wrong("true or false")),
            },
            OptionType::Integer => {
                // Only as it is written out again: no sign of plus, no zeros in front.
                let number = text
                    .parse::<i64>()
                    .ok()
                    .filter(|number| number.to_string() == text);
                OptionValue::Integer(number.ok_or_else(|| wrong("a whole number"))?)
            }
            OptionType::String | OptionType::Enum => OptionValue::Text(text.to_owned()),
        };
        self.accept(&value)?;
        Ok(value)
    }

    /// Whether neither arguments nor variables tell it.
    fn is_for_the_session(&self) -> bool {
        self.bin_args_template.is_empty() && self.bin_args_append_when_true.is_empty() && self.env.is_empty()
    }
}

/// Arguments and variables, as they come together.
#[derive(Default)]
struct Patches {
    args: Vec<String>,
    env: IndexMap<String, String>,
    filled: usize,
}

impl Patches {
    fn add(&mut self, words: &[Spanned<String>]) {
        self.args.extend(words.iter().map(|word| word.value.clone()));
    }

    fn set(&mut self, name: &str, value: String) {
        self.env.insert(name.to_owned(), value);
    }

    /// Applies an option: its flag when it is true, by default too; its templates when it is not the default.
    fn option(&mut self, option: &AgentOption, given: Option<&OptionValue>) -> Result<(), WishError> {
        let default = option.default.as_ref().map(|default| &default.value);
        if given.or(default) == Some(&OptionValue::Truth(true)) {
            self.add(&option.bin_args_append_when_true);
        }
        let Some(value) = given.filter(|value| Some(*value) != default) else {
            return Ok(());
        };
        let text = value.to_string();
        for word in &option.bin_args_template {
            let filled = self.fill(option, word, &text)?;
            // A word of the manifest's own may be an option; a value may not become one.
            let free = option.kind.value == OptionType::String;
            if free && filled.starts_with('-') && !word.starts_with('-') {
                return Err(WishError::LooksLikeAnOption {
                    id: option.id.value.clone(),
                    given: text,
                });
            }
            self.args.push(filled);
        }
        for (name, template) in &option.env {
            let filled = self.fill(option, template, &text)?;
            self.set(name, filled);
        }
        Ok(())
    }

    /// Puts the value into one word.
    fn fill(&mut self, option: &AgentOption, template: &str, value: &str) -> Result<String, WishError> {
        let holes = template.matches(HOLE).count();
        let length = template.len().saturating_add(holes.saturating_mul(value.len()));
        self.filled = self.filled.saturating_add(length);
        if length > LONGEST_WORD || self.filled > LARGEST {
            return Err(WishError::TooLong {
                id: option.id.value.clone(),
                most: LONGEST_WORD,
            });
        }
        Ok(template.replace(HOLE, value))
    }
}
