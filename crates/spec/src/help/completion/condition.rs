//! What the condition of a fish completion asks: which command stands on the line.
//!
//! fish has functions for it whose names end alike (`__fish_seen_subcommand_from`, `…_using_command`,
//! `…_needs_command`), whoever wrote them. Any other test keeps the option and makes it less sure.

use super::pages::{Path, is_name};

/// How many commands one condition may name.
const PATHS: usize = 200;

/// What a condition asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Nothing, or only which command it is.
    Nothing,
    /// That no command of this level was given yet, so what comes is one.
    ForCommand,
    /// Something else.
    Other,
}

/// A condition, read.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Condition {
    /// The commands that it holds for.
    pub(super) paths: Vec<Path>,
    /// What else it asks.
    pub(super) asked: Asked,
}

/// Reads a condition.
pub(super) fn condition(text: &str) -> Condition {
    let mut found = Condition {
        paths: vec![Path::new()],
        asked: Asked::Nothing,
    };
    let text = text.replace("&&", ";").replace("||", "; or ").replace('\n', ";");
    for clause in text.split(';') {
        let mut words = clause
            .split_whitespace()
            .map(|word| word.trim_matches(['"', '\'']));
        let mut word = words.next();
        let mut holds = true;
        while let Some(operator @ ("and" | "not" | "!" | "or" | "begin" | "end")) = word {
            // Two ways to the same option: which command it is, is not known any more.
            if operator == "or" {
                found.asked = Asked::Other;
            }
            holds = holds != matches!(operator, "not" | "!");
            word = words.next();
        }
        if let Some(function) = word {
            clause_of(function, holds, words, &mut found);
        }
    }
    found
}

fn clause_of<'w>(function: &str, holds: bool, words: impl Iterator<Item = &'w str>, found: &mut Condition) {
    let names: Vec<&str> = words.take_while(|word| !word.starts_with('-')).collect();
    let names: Vec<&str> = names.into_iter().filter(|word| is_name(word)).collect();
    let needs = [
        "needs_command",
        "needs_subcommand",
        "use_subcommand",
        "no_subcommand",
        "is_first_arg",
        "is_first_token",
    ];
    let using = [
        "seen_subcommand_from",
        "using_command",
        "using_subcommand",
        "seen_subcommand",
        "is_subcommand",
    ];
    let is_any = |ends: &[&str]| ends.iter().any(|end| function.ends_with(end));
    if is_any(&needs) {
        if holds && found.asked == Asked::Nothing {
            found.asked = Asked::ForCommand;
        }
    } else if is_any(&using) && !names.is_empty() {
        if !holds {
            // `not seen a b c`: none of these commands was given, so one of them may come.
            if found.asked == Asked::Nothing {
                found.asked = Asked::ForCommand;
            }
            return;
        }
        if found.asked == Asked::ForCommand {
            found.asked = Asked::Nothing;
        }
        let deeper = found.paths.iter().flat_map(|path| {
            names.iter().map(|name| {
                let mut path = path.clone();
                path.push((*name).to_owned());
                path
            })
        });
        found.paths = deeper.take(PATHS).collect();
    } else {
        found.asked = Asked::Other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, paths: &[&str], asked: Asked) {
        let paths = paths
            .iter()
            .map(|path| path.split_whitespace().map(str::to_owned).collect());
        assert_eq!(
            condition(text),
            Condition {
                paths: paths.collect(),
                asked
            },
            "{text}"
        );
    }

    #[test]
    fn a_condition_names_the_command() {
        check("", &[""], Asked::Nothing);
        check("__fish_use_subcommand", &[""], Asked::ForCommand);
        check("not __fish_seen_subcommand_from add rm", &[""], Asked::ForCommand);
        check(
            "__fish_seen_subcommand_from add rm",
            &["add", "rm"],
            Asked::Nothing,
        );
        check(
            "__fish_x_using_subcommand add; and __fish_seen_subcommand_from y",
            &["add y"],
            Asked::Nothing,
        );
        check(
            "__fish_x_using_subcommand add; and not __fish_seen_subcommand_from y",
            &["add"],
            Asked::ForCommand,
        );
        check("__fish_contains_opt -s x", &[""], Asked::Other);
        check(
            "__fish_seen_subcommand_from add && test -e x",
            &["add"],
            Asked::Other,
        );
        check("__fish_seen_subcommand_from $cmds", &[""], Asked::Other);
    }
}
