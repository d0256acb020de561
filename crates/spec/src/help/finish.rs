//! What the usage lines add once the lists are read.
//!
//! A list is surer than a usage line: what a list defines stays as it is, and letters that it defines show which
//! words of a usage line are bundles of letters.

use super::gathered::Gathered;
use super::head::{Grouped, is_single_letter};
use super::list::Lists;
use super::note::{found_value, mark_values, option};
use super::usage::{Style, Usage, UsageOption, UsageWord, bare, is_bundle, is_command_word};
use super::{Confidence, FoundPositional, Origin, Seen};

/// Adds options and words of the usage lines.
pub(crate) fn usage(gathered: &mut Gathered, mut usage: Usage, lists: &Lists<'_>) {
    usage.settle();
    mark_values(&mut gathered.page.options);
    let style = style(gathered, &usage.options);
    let mut unknown = Vec::new();
    for found in usage.options {
        let bundle = found
            .alone
            .then(|| bundle(gathered, &found.option, style))
            .flatten();
        match bundle {
            Some(letters) => {
                let single = |letter: char| Grouped {
                    names: vec![format!("-{letter}")],
                    value: None,
                };
                unknown.extend(letters.chars().map(|letter| (single(letter), found.line)));
            }
            None => unknown.push((found.option, found.line)),
        }
    }
    for (grouped, line) in unknown {
        add(gathered, grouped, line);
    }
    let is_call_of_command = usage
        .words
        .first()
        .is_some_and(|first| usage.verbs.iter().any(|(verb, _)| *verb == first.name));
    if gathered.page.commands.is_empty() || !is_call_of_command {
        words(gathered, &usage.words, lists);
    } else if !usage.without_verb.is_empty() {
        // `tool [FILE]` beside `tool verb PATH`
        words(gathered, &usage.without_verb, lists);
    }
}

fn add(gathered: &mut Gathered, mut grouped: Grouped, line: usize) {
    grouped.names.retain(|name| !gathered.knows(name));
    if grouped.names.is_empty() {
        return;
    }
    gathered.add(option(grouped, false, None, String::new(), mentioned(line)));
}

fn mentioned(line: usize) -> Seen {
    Seen {
        origin: Origin::Help,
        line,
        confidence: Confidence::Mentioned,
    }
}

/// Returns the letters of a bundle.
fn bundle(gathered: &Gathered, option: &Grouped, style: Style) -> Option<String> {
    let [name] = option.names.as_slice() else {
        return None;
    };
    let letters = name
        .strip_prefix('-')
        .filter(|letters| !letters.starts_with('-'))?;
    let is_known = |letter: char| gathered.knows(&format!("-{letter}"));
    let is_own = option.value.is_some() || gathered.knows(name) || is_single_letter(name);
    (!is_own && is_bundle(letters, style, is_known)).then(|| letters.to_owned())
}

fn style(gathered: &Gathered, options: &[UsageOption]) -> Style {
    let is_word = |name: &str| !name.starts_with("--") && !is_single_letter(name);
    let defined = gathered.page.options.iter();
    let mut style = Style {
        words: defined
            .filter(|option| option.spellings.iter().any(|name| is_word(name)))
            .count(),
        ..Style::default()
    };
    for found in options {
        let Some(name) = found.option.names.first() else {
            continue;
        };
        if is_single_letter(name) && found.alone {
            style.single_switches += 1;
        } else if is_single_letter(name) && found.option.value.is_some() {
            style.letters_with_value += 1;
        } else if is_word(name) && found.option.value.is_some() {
            style.words += 1;
        }
    }
    style
}

fn words(gathered: &mut Gathered, words: &[UsageWord], lists: &Lists<'_>) {
    let arguments = &lists.arguments;
    let has_commands = !gathered.page.commands.is_empty();
    let mut behind_command = false;
    for word in words {
        if has_commands {
            let is_choice = word.name.split('|').count() > 1
                && word
                    .name
                    .split('|')
                    .any(|name| gathered.page.commands.iter().any(|command| command.name == name));
            let is_verb = gathered
                .page
                .commands
                .iter()
                .any(|command| command.name == word.name);
            let is_slot = lists.slots.iter().any(|slot| is_same(slot, &word.name));
            let is_choice = is_choice || is_verb || is_slot;
            if is_command_word(&word.name) || is_choice || is_rest(&word.name) {
                behind_command |= is_command_word(&word.name) || is_choice;
                continue;
            }
            if behind_command
                && !arguments
                    .iter()
                    .any(|argument| is_same(&argument.name, &word.name))
            {
                continue;
            }
        }
        let described = arguments
            .iter()
            .find(|argument| is_same(&argument.name, &word.name));
        let line = described.map_or(word.line, |argument| argument.line);
        gathered.page.positionals.push(FoundPositional {
            value: found_value(&word.name),
            required: word.required,
            variadic: word.variadic,
            description: described.map_or_else(String::new, |argument| argument.description.clone()),
            seen: Seen {
                confidence: if described.is_some() {
                    Confidence::Certain
                } else {
                    Confidence::Likely
                },
                ..mentioned(line)
            },
        });
    }
    if words.is_empty() && !has_commands {
        for argument in arguments {
            gathered.page.positionals.push(FoundPositional {
                value: found_value(&argument.name),
                required: false,
                variadic: argument.name.ends_with("..."),
                description: argument.description.clone(),
                seen: Seen {
                    confidence: Confidence::Likely,
                    ..mentioned(argument.line)
                },
            });
        }
    }
}

fn is_same(one: &str, other: &str) -> bool {
    bare(one).eq_ignore_ascii_case(bare(other))
}

/// What stands for the words of a command: `[args...]`.
fn is_rest(name: &str) -> bool {
    matches!(
        name.to_ascii_lowercase().as_str(),
        "arg" | "args" | "argument" | "arguments" | "parameters" | "params"
    )
}
