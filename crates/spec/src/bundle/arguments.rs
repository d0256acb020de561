//! The words of a call after its program: READINGS 24.
//!
//! First the bundle's `bin_args`, or the tool's own in their place. Then the template of the tool, filled; without one
//! the words of the subcommand and `--name value` for every input that was given.

use serde_json::Value;

use super::model::BundleTool;
use super::output_rules::has_flag;
use crate::cli_md::CliMd;
use crate::mcp_tools::option_name;
use crate::template::{
    FillError, Filled, Piece, Place, Template, Values, WordKind, argument, checked_word, kind,
};

impl BundleTool {
    /// Returns all words after the program.
    ///
    /// # Errors
    /// When an input is missing, is no word, or could be taken for an option.
    pub fn argv(&self, cli: &CliMd, input: &Value) -> Result<Vec<String>, FillError> {
        let filled = self.argv_marked(cli, &Values::of_input(input))?;
        Ok(filled.into_iter().map(|word| word.text).collect())
    }

    /// Returns all words after the program, with what makes it print JSON among them, unless that is there already.
    ///
    /// # Errors
    /// As [`argv`](Self::argv) does.
    pub fn json_argv(&self, cli: &CliMd, input: &Value) -> Result<Vec<String>, FillError> {
        self.argv_with(cli, input, &self.json_words(cli))
    }

    /// Returns all words after the program, with those of an option more. They stand before a literal `--`, and not at
    /// all if that option is there already.
    ///
    /// # Errors
    /// As [`argv`](Self::argv) does.
    pub fn argv_with(&self, cli: &CliMd, input: &Value, option: &[String]) -> Result<Vec<String>, FillError> {
        let filled = self.argv_marked(cli, &Values::of_input(input))?;
        let own = cli_words(self, cli).count();
        let is_end = |word: &Filled| word.kind == WordKind::Literal && word.text == "--";
        let end = filled.iter().skip(own).position(is_end);
        let end = end.map_or(filled.len(), |end| own + end);
        let mut argv: Vec<String> = filled.into_iter().map(|word| word.text).collect();
        let before = argv.get(..end).unwrap_or_default();
        if !has_flag(before.iter().map(String::as_str), option) {
            argv.splice(end..end, option.iter().cloned());
        }
        Ok(argv)
    }

    /// Returns all words after the program, each with where it comes from.
    ///
    /// # Errors
    /// As [`argv`](Self::argv) does.
    pub fn argv_marked(&self, cli: &CliMd, values: &Values<'_>) -> Result<Vec<Filled>, FillError> {
        let literal = |text: &str| Filled {
            text: text.to_owned(),
            kind: WordKind::Literal,
        };
        let mut words: Vec<Filled> = cli_words(self, cli).map(literal).collect();
        match self.template()? {
            Some(template) => words.extend(template.fill_marked(values)?),
            None => {
                words.extend(self.words.iter().map(|word| literal(word)));
                words.extend(self.options(values.input.unwrap_or(&Value::Null))?);
            }
        }
        Ok(words)
    }

    /// Returns the words of the call as they are written, placeholders and all: what a record may show.
    pub fn argv_template(&self, cli: &CliMd) -> Vec<String> {
        let own = cli_words(self, cli).map(str::to_owned);
        match self.tool.argv() {
            Some(argv) => own.chain(argv.iter().map(|word| word.value.clone())).collect(),
            None => own.chain(self.words.iter().cloned()).collect(),
        }
    }

    /// Returns the template of the tool, if it has one.
    ///
    /// # Errors
    /// What is wrong with it; never for a bundle that was loaded.
    pub fn template(&self) -> Result<Option<Template>, FillError> {
        let Some(argv) = self.tool.argv() else {
            return Ok(None);
        };
        match Template::parse(argv) {
            Ok(template) => Ok(Some(template)),
            Err(wrong) => match wrong.into_iter().next() {
                Some(wrong) => Err(FillError::Template(wrong)),
                None => Ok(None),
            },
        }
    }

    /// Returns the inputs that a caller may write without a flag, in order.
    pub fn positionals(&self) -> Vec<String> {
        let template = self.template().ok().flatten();
        let names = template.iter().flat_map(Template::positionals);
        names.map(str::to_owned).collect()
    }

    /// Makes options of the inputs, in the order of the schema, others behind.
    fn options(&self, input: &Value) -> Result<Vec<Filled>, FillError> {
        let given = match input {
            Value::Object(given) => given,
            Value::Null => return Ok(Vec::new()),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                return Err(FillError::NoObject { came: kind(input) });
            }
        };
        let declared = self.tool.input_names().unwrap_or_default();
        let others = given.keys().map(String::as_str);
        let others = others.filter(|name| !declared.contains(name));
        let mut words = Vec::new();
        for name in declared.iter().copied().chain(others) {
            if let Some(value) = given.get(name).filter(|value| !value.is_null()) {
                words.extend(option(name, value)?);
            }
        }
        Ok(words)
    }
}

/// Returns the words between the program and everything else.
fn cli_words<'a>(tool: &'a BundleTool, cli: &'a CliMd) -> impl Iterator<Item = &'a str> {
    let own = tool.tool.cli_bin_args.as_ref();
    own.unwrap_or(&cli.bin_args).iter().map(|word| word.as_str())
}

/// Makes the words of one input.
fn option(name: &str, value: &Value) -> Result<Vec<Filled>, FillError> {
    let flag = option_name(name).ok_or_else(|| FillError::NoOption {
        name: name.to_owned(),
    })?;
    let marked = |text: String, kind| Filled { text, kind };
    match value {
        Value::Bool(true) => Ok(vec![marked(flag, WordKind::Option)]),
        Value::Bool(false) => Ok(Vec::new()),
        Value::Array(items) => {
            let mut words = Vec::new();
            for item in items {
                words.extend(pair(&flag, item, name)?);
            }
            Ok(words)
        }
        value => pair(&flag, value, name).map(Vec::from_iter),
    }
}

/// Makes an option and its value. What starts with `-` is attached, so that it is the value and nothing else.
fn pair(flag: &str, value: &Value, name: &str) -> Result<Vec<Filled>, FillError> {
    let marked = |text: String, kind| Filled { text, kind };
    let piece = Piece::of(value, name)?;
    if piece.text.starts_with('-') && !piece.is_number {
        let word = argument(format!("{flag}={}", piece.text), name)?;
        return Ok(vec![marked(word, WordKind::Value)]);
    }
    let word = checked_word(piece, &Place::Behind(flag.to_owned()), name)?;
    Ok(vec![
        marked(flag.to_owned(), WordKind::Option),
        marked(word, WordKind::Value),
    ])
}
