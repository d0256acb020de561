//! A page in few lines, to compare with.
//!
//! `-o --output <FILE:file> = x: text` is an option with a value and a default, `[…]` a value that may be left out,
//! `<a|b>` a choice, `+` one that may be repeated, `!` one that has to be given. `$ name, alias: text` is a command,
//! `> FILE` a word without a flag.

use argrail_spec::help::{FoundOption, FoundValue, Page, Takes};

/// Draws a page.
pub(crate) fn sketch(page: &Page) -> String {
    let mut lines = Vec::new();
    if let Some(about) = &page.about {
        lines.push(format!("# {about}"));
    }
    lines.extend(page.options.iter().map(option));
    for command in &page.commands {
        let names = std::iter::once(&command.name).chain(&command.aliases);
        let names: Vec<&str> = names.map(String::as_str).collect();
        lines.push(
            format!("$ {}: {}", names.join(", "), command.description)
                .trim_end()
                .to_owned(),
        );
    }
    for positional in &page.positionals {
        let mark = if positional.required { "> " } else { "> ?" };
        let dots = if positional.variadic { "..." } else { "" };
        let line = format!(
            "{mark}{}{dots}: {}",
            value(&positional.value),
            positional.description
        );
        lines.push(line.trim_end().to_owned());
    }
    lines.join("\n")
}

fn option(option: &FoundOption) -> String {
    let mut line = option.spellings.join(" ");
    match &option.takes {
        Takes::Nothing => {}
        Takes::Perhaps(taken) => line.push_str(&format!(" [{}]", value(taken))),
        Takes::Value(taken) => line.push_str(&format!(" <{}>", value(taken))),
    }
    for (mark, is_set) in [
        (" +", option.repeats),
        (" !", option.required),
        (" (old)", option.deprecated),
        (" (global)", option.global),
    ] {
        if is_set {
            line.push_str(mark);
        }
    }
    if let Some(default) = &option.default {
        line.push_str(&format!(" = {default}"));
    }
    if let Some(variable) = &option.variable {
        line.push_str(&format!(" ${variable}"));
    }
    format!("{line}: {}", option.description).trim_end().to_owned()
}

fn value(value: &FoundValue) -> String {
    if value.values.is_empty() {
        let kind = value.kind.as_str();
        if kind == "string" {
            value.name.clone()
        } else {
            format!("{}:{kind}", value.name)
        }
    } else {
        value.values.join("|")
    }
}
