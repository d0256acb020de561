//! A page in few words, for tables of cases.

use argrail_spec::help::{FoundOption, Page, Takes};

/// An option: `-o --out VALUE`, with brackets where the value may be left out, and `a|b` where it is chosen.
pub(super) fn option(option: &FoundOption) -> String {
    let spellings = option.spellings.join(" ");
    let value = |value: &argrail_spec::help::FoundValue| {
        if value.values.is_empty() {
            let name = if value.name.is_empty() {
                "?"
            } else {
                value.name.as_str()
            };
            name.to_owned()
        } else {
            value.values.join("|")
        }
    };
    match &option.takes {
        Takes::Nothing => spellings,
        Takes::Value(found) => format!("{spellings} {}", value(found)),
        Takes::Perhaps(found) => format!("{spellings} [{}]", value(found)),
    }
}

/// All options of a page.
pub(super) fn options(page: &Page) -> Vec<String> {
    page.options.iter().map(option).collect()
}

/// The words without a flag: `[file]...`.
pub(super) fn words(page: &Page) -> Vec<String> {
    let shown = page.positionals.iter().map(|word| {
        let name = word.value.name.as_str();
        let name = if word.required {
            name.to_owned()
        } else {
            format!("[{name}]")
        };
        if word.variadic { format!("{name}...") } else { name }
    });
    shown.collect()
}

/// The names of the commands.
pub(super) fn commands(page: &Page) -> Vec<&str> {
    page.commands
        .iter()
        .map(|command| command.name.as_str())
        .collect()
}
