//! Whether a pattern that a person writes beforehand can ever cover a call. One that cannot is a mistake, and whoever
//! made it believes that something is allowed which is not.

use argrail_acli::{Error, Text, nearest};
use argrail_spec::atip::{command_shape, known_options};

use super::shop::Shop;
use crate::policy::{OptionPattern, Pattern, Values, WordPatterns};

impl Shop {
    /// Sees that some call could fit the pattern.
    ///
    /// # Errors
    /// What stands in the way, with what would work.
    pub fn check_grantable(&self, pattern: &Pattern) -> Result<(), Error> {
        if pattern.is_for_hosts() {
            return Ok(());
        }
        let tool = self.tool(&pattern.tool)?;
        if tool.is_undescribed() {
            let what = Text::new("nobody describes {}, so no pattern covers its calls").value(&tool.name);
            let hint = Text::new("Learn it first: argrail infer {} --save").value(&tool.name);
            return Err(Error::invalid(what, hint));
        }
        let shape = command_shape(tool.description(), &pattern.command);
        let words = pattern.command.get(shape.depth..).unwrap_or_default();
        let wants_words = !(words.is_empty() && pattern.words == WordPatterns::default());
        let wants_subcommand = wants_words && !shape.takes_words && !shape.subcommands.is_empty();
        if !shape.is_called || wants_subcommand {
            let what = match words.first() {
                Some(word) => Text::new("{} has no subcommand {}").value(&tool.name).value(word),
                None => Text::new("{} needs a subcommand, and no star stands for one").value(&tool.name),
            };
            let near = words
                .first()
                .and_then(|word| nearest(word, shape.subcommands.iter().copied()));
            let hint = match near {
                Some(near) => Text::new("Did you mean {}?").value(near),
                None => Text::new("See its subcommands: argrail show {}").value(&tool.name),
            };
            return Err(Error::invalid(what, hint));
        }
        let path = pattern.command.get(..shape.depth).unwrap_or_default();
        if let Some(known) = known_options(tool.description(), path) {
            check_options(pattern, &known)?;
        }
        let is_program = |option: &&OptionPattern| {
            let spelt = shape
                .program_options
                .iter()
                .any(|known| known.trim_end_matches('=') == option.name);
            spelt && option.values == Values::Any
        };
        if let Some(option) = pattern.options.iter().find(is_program) {
            return Err(exact(&option.name));
        }
        let given = shape.program_options.iter().any(|known| {
            let name = known.trim_end_matches('=');
            pattern.options.iter().any(|option| option.name == name)
        });
        match shape.program_word {
            Some(at) if words.len() <= at && !given => Err(exact("the program of the call")),
            Some(_) | None => Ok(()),
        }
    }
}

/// The text of a program does what it says: each is another call.
fn exact(what: &str) -> Error {
    Error::invalid(
        Text::new("{} is the text of a program, which only its own letters cover").value(what),
        "Write the text itself, or approve such calls one by one",
    )
}

/// Sees that calls can have every option that the pattern names.
fn check_options(pattern: &Pattern, known: &[&str]) -> Result<(), Error> {
    let is_known = |name: &str| {
        let bare = name.replacen("--no-", "--", 1);
        known
            .iter()
            .any(|known| [name, bare.as_str()].contains(&known.trim_end_matches('=')))
    };
    let Some(option) = pattern.options.iter().find(|option| !is_known(&option.name)) else {
        return Ok(());
    };
    let what = Text::new("the command has no option {}").value(&option.name);
    let hint = match nearest(&option.name, known.iter().copied()) {
        Some(near) => Text::new("Did you mean {}?").value(near),
        None => Text::new("See its options: argrail show {}").value(&pattern.tool),
    };
    Err(Error::invalid(what, hint))
}
