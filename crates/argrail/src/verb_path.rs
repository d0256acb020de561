//! Which verb a command line names, in the words that success is answered with: `list`, `agent run`.
//!
//! Errors are told far from where the line was parsed. Arguments are left out: they may hold what nobody should read.

use clap::{Command, CommandFactory};

use crate::args::command_line::CommandLine;

/// Returns the verb of this process.
pub(crate) fn of_process() -> String {
    let words = std::env::args_os().skip(1);
    named(
        &CommandLine::command(),
        words.map(|word| word.to_string_lossy().into_owned()),
    )
}

/// Returns the verbs from the first on. No option that may stand before a verb has a value of its own.
fn named(root: &Command, words: impl IntoIterator<Item = String>) -> String {
    let mut path: Vec<String> = Vec::new();
    let mut at = root;
    for word in words.into_iter().take_while(|word| word != "--") {
        match at.find_subcommand(&word) {
            Some(verb) => {
                path.push(verb.get_name().to_owned());
                at = verb;
            }
            None if word.starts_with('-') => {}
            None => break,
        }
    }
    path.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_verb_is_named_without_its_arguments() {
        let check = |line: &str, want: &str| {
            let words = line.split(' ').map(str::to_owned);
            assert_eq!(named(&CommandLine::command(), words), want, "{line}");
        };
        check("list", "list");
        check("--json list --source x", "list");
        check("agent --json run goose list", "agent run");
        check("show list", "show");
        check("why -- list", "why");
        check("nope list", "");
    }

    #[test]
    fn no_option_before_a_verb_takes_a_value() {
        let line = CommandLine::command();
        let groups = line.get_subcommands().filter(|verb| verb.has_subcommands());
        for command in groups.chain([&line]) {
            let takes = |option: &&clap::Arg| option.get_action().takes_values();
            let with_values: Vec<_> = command.get_opts().filter(takes).collect();
            assert!(with_values.is_empty(), "{}: {with_values:?}", command.get_name());
        }
    }
}
