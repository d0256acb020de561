//! How one tool of a bundle prints: its own `output` over that of the bundle, field by field, and the draft's defaults.

use std::collections::BTreeMap;

use super::model::BundleTool;
use crate::cli_md::{CliMd, ExitCodes, Format, Output, Stream};

/// How a tool prints.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputRules {
    /// What it prints when it is not asked for JSON.
    pub format: Format,
    /// What makes it print JSON; nothing if there is no way, or no need.
    pub json_words: Vec<String>,
    /// What exit codes mean, those of the draft included.
    pub exit_codes: BTreeMap<u8, String>,
    /// Where results are printed.
    pub stream: Stream,
    /// Where errors are printed.
    pub error_stream: Stream,
}

impl BundleTool {
    /// Returns how the tool prints.
    pub fn output(&self, cli: &CliMd) -> OutputRules {
        let both = [self.tool.output.as_ref(), cli.output.as_ref()];
        let codes = |output: &Output| output.exit_codes.clone();
        let mut exit_codes = ExitCodes::reserved();
        for codes in both.iter().rev().filter_map(|output| codes((*output)?)) {
            exit_codes.extend(codes.iter().map(|(code, meaning)| (code, meaning.value.clone())));
        }
        OutputRules {
            format: first(both, |output| output.default_format).unwrap_or(Format::Text),
            json_words: self.json_words(cli),
            exit_codes,
            stream: first(both, |output| output.stream).unwrap_or(Stream::Stdout),
            error_stream: first(both, |output| output.error_stream).unwrap_or(Stream::Stderr),
        }
    }

    /// Returns the words that make the tool print JSON: none if it does so anyway, has no such words, or has them in
    /// its template already.
    pub fn json_words(&self, cli: &CliMd) -> Vec<String> {
        let words = self.json_flag(cli);
        let both = [self.tool.output.as_ref(), cli.output.as_ref()];
        if first(both, |output| output.default_format) == Some(Format::Json) {
            return Vec::new();
        }
        let template = self.argv_template(cli);
        match has_flag(template.iter().map(String::as_str), &words) {
            true => Vec::new(),
            false => words,
        }
    }

    /// Whether the tool itself says how it is made to print JSON, or has it from its bundle, which says so of all.
    pub fn names_json_flag(&self) -> bool {
        let own = self.tool.output.as_ref();
        own.is_some_and(|own| own.json_flag.is_some())
    }

    /// Returns the flag for JSON with what it wants behind it, whether it is needed or not.
    pub(super) fn json_flag(&self, cli: &CliMd) -> Vec<String> {
        let both = [self.tool.output.as_ref(), cli.output.as_ref()];
        // A tool that has another flag does not want the arguments of the bundle's.
        let own_flag = self.names_json_flag();
        let flag = first(both, |output| output.json_flag.clone());
        let Some(mut words) = flag.and_then(|flag| flag.words()) else {
            return Vec::new();
        };
        let arguments = match own_flag {
            true => self
                .tool
                .output
                .as_ref()
                .and_then(|own| own.json_flag_args.clone()),
            false => first(both, |output| output.json_flag_args.clone()),
        };
        words.extend(arguments.into_iter().flatten().map(|word| word.value));
        words
    }
}

fn first<T>(both: [Option<&Output>; 2], field: impl Fn(&Output) -> Option<T>) -> Option<T> {
    both.into_iter().flatten().find_map(field)
}

/// Whether the flag of these words is among others: as it is, or with something attached.
pub(super) fn has_flag<'a>(mut others: impl Iterator<Item = &'a str>, words: &[String]) -> bool {
    let Some(flag) = words.first() else { return true };
    // `--format=json` is given when `--format` is, whatever it says.
    let name = flag.split_once('=').map_or(flag.as_str(), |(name, _)| name);
    others.any(|word| {
        let rest = word.strip_prefix(name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    })
}
