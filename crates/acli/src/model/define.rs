//! Mistakes in a definition, found when the program starts and not when an agent calls.

use std::collections::HashSet;

use super::arg::{Arg, Repeat};
use super::command::Command;
use super::convert::fits;

/// The names that every ACLI program answers itself (§6.1).
pub(crate) const RESERVED: [&str; 3] = ["help", "schema", "version"];

/// How deep commands may nest.
const DEPTH: usize = 16;

/// A definition that cannot work. `command` is the path to it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DefinitionError {
    /// A name that no command string could hold, or that could be taken for an option.
    #[error(
        "command '{command}': the name holds characters other than letters, digits, '-', '_', '.', '+', ':', '@'"
    )]
    BadName {
        /// The path of the command.
        command: String,
    },
    /// A reserved command may not be replaced.
    #[error("command '{command}' is reserved (help, schema, version)")]
    Reserved {
        /// The name.
        command: String,
    },
    /// Two commands, or two arguments of one command, share a name.
    #[error("command '{command}': '{name}' is defined twice")]
    Twice {
        /// The path of the command.
        command: String,
        /// The name that stands twice.
        name: String,
    },
    /// Positionals in an order that cannot be told apart.
    #[error("command '{command}': more than one positional takes several words")]
    TwoVariadics {
        /// The path of the command.
        command: String,
    },
    /// An exclusive group names an argument that is not there.
    #[error("command '{command}': no argument '{name}' for the exclusive group")]
    NoSuchArgument {
        /// The path of the command.
        command: String,
        /// The missing argument.
        name: String,
    },
    /// An option that is spelt so that no word could ever be it.
    #[error("command '{command}': no word can be spelt '{name}'")]
    BadSpelling {
        /// The path of the command.
        command: String,
        /// The spelling.
        name: String,
    },
    /// A default that is not of the argument's type.
    #[error("command '{command}': the default of '{name}' is not {expected}")]
    BadDefault {
        /// The path of the command.
        command: String,
        /// The argument.
        name: String,
        /// What it should be.
        expected: &'static str,
    },
    /// Nothing to run and nothing below.
    #[error("command '{command}' has neither a handler nor subcommands")]
    Dead {
        /// The path of the command.
        command: String,
    },
    /// Nested too deeply.
    #[error("command '{command}' is nested more than {DEPTH} deep")]
    TooDeep {
        /// The path of the command.
        command: String,
    },
}

/// Checks all commands that are made already; lazy ones are checked when they are.
pub(crate) fn check_tree(root: &Command) -> Result<(), DefinitionError> {
    for child in root.inside().children.iter() {
        if let Some(name) = child.names().find(|name| RESERVED.contains(name)) {
            return Err(DefinitionError::Reserved {
                command: name.to_owned(),
            });
        }
    }
    check_children(root, "", 0)
}

/// Checks a command that was made just now, and what is below it.
pub(super) fn check_made(command: &Command, path: &str) -> Result<(), DefinitionError> {
    check_inside(command, path)?;
    check_children(command, path, 0)
}

fn check_children(parent: &Command, path: &str, depth: usize) -> Result<(), DefinitionError> {
    let mut seen = HashSet::new();
    for child in parent.inside().children.iter() {
        let command = if path.is_empty() {
            child.name.clone()
        } else {
            format!("{path} {}", child.name)
        };
        if depth == DEPTH {
            return Err(DefinitionError::TooDeep { command });
        }
        for name in child.names() {
            if !is_command_name(name) {
                return Err(DefinitionError::BadName { command });
            }
            if !seen.insert(name) {
                return Err(DefinitionError::Twice {
                    command: path.to_owned(),
                    name: name.to_owned(),
                });
            }
        }
        if child.is_loaded() {
            check_inside(child, &command)?;
            check_children(child, &command, depth + 1)?;
        }
    }
    Ok(())
}

fn check_inside(command: &Command, path: &str) -> Result<(), DefinitionError> {
    let inside = command.inside();
    let path = || path.to_owned();
    if inside.handler.is_none() && !inside.has_children() {
        return Err(DefinitionError::Dead { command: path() });
    }
    let mut seen = HashSet::new();
    for name in inside.args.iter().flat_map(names_of) {
        if !seen.insert(name) {
            return Err(DefinitionError::Twice {
                command: path(),
                name: name.to_owned(),
            });
        }
    }
    for arg in &inside.args {
        check_arg(arg, path())?;
    }
    let takes_several = |arg: &&Arg| arg.repeat == Repeat::Many && arg.is_mine.is_none();
    let several = || command.positionals().filter(takes_several);
    if several().filter(|arg| !arg.is_last).count() > 1 || several().filter(|arg| arg.is_last).count() > 1 {
        return Err(DefinitionError::TwoVariadics { command: path() });
    }
    for id in inside.exclusive.iter().flat_map(|group| &group.ids) {
        if !inside.args.iter().any(|arg| arg.id.as_ref() == id) {
            return Err(DefinitionError::NoSuchArgument {
                command: path(),
                name: id.clone(),
            });
        }
    }
    Ok(())
}

fn check_arg(arg: &Arg, command: String) -> Result<(), DefinitionError> {
    let spelt_badly = |name: &&String| {
        name.is_empty() || name.contains([' ', '\t', '\n', '\0']) || *name == "--" || *name == "-"
    };
    if let Some(name) = arg.spellings.iter().find(spelt_badly) {
        return Err(DefinitionError::BadSpelling {
            command,
            name: name.clone(),
        });
    }
    if arg
        .default
        .as_ref()
        .is_some_and(|default| !fits(&arg.kind, default))
    {
        let (name, expected) = (arg.shown().to_owned(), arg.kind.expected());
        return Err(DefinitionError::BadDefault {
            command,
            name,
            expected,
        });
    }
    Ok(())
}

fn names_of(arg: &Arg) -> impl Iterator<Item = &str> {
    let spelt = arg
        .spellings
        .iter()
        .map(String::as_str)
        .filter(|spelling| *spelling != arg.name());
    std::iter::once(arg.name()).chain(spelt)
}

/// Real tools are called `7z`, `g++`, `python3.11`, and their commands `apps:info`; nothing that starts with a dash is.
pub(super) fn is_command_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | ':' | '@');
    !name.is_empty() && name.len() <= 255 && !name.starts_with(['-', ':']) && name.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Kind;

    fn problem(command: Command) -> String {
        check_tree(&Command::new("root", "").subcommand(command))
            .unwrap_err()
            .to_string()
    }

    fn runs(name: &str) -> Command {
        Command::new(name, "").handler(|_| async { Ok(serde_json::Value::Null) })
    }

    #[test]
    fn names_of_real_commands_are_taken() {
        for name in ["7z", "g++", "python3.11", "apps:info", "pg:backups:url", "x-y_z"] {
            assert!(is_command_name(name), "{name}");
        }
    }

    #[test]
    fn a_definition_that_cannot_work_is_named() {
        let option = |name: &str| Arg::option(name, Kind::Integer, "");
        let word = |name: &str| Arg::positional(name, Kind::String, "");
        let check = |command: Command, want: &str| {
            let problem = problem(command);
            assert!(problem.contains(want), "{problem}");
        };
        check(runs("help"), "reserved");
        check(runs("x").alias("schema"), "reserved");
        check(runs("a b"), "the name holds");
        check(runs("-x"), "the name holds");
        check(runs(":x"), "the name holds");
        check(Command::new("x", ""), "neither a handler nor subcommands");
        check(
            Command::new("x", "")
                .subcommand(runs("a"))
                .subcommand(runs("b").alias("a")),
            "'a' is defined twice",
        );
        check(
            runs("x").arg(option("--a")).arg(option("--b").alias("--a")),
            "'--a' is defined twice",
        );
        check(
            runs("x").arg(option("--a")).arg(word("a")),
            "'a' is defined twice",
        );
        check(
            runs("x").arg(word("a").many()).arg(word("b").many()),
            "more than one positional",
        );
        check(
            runs("x").arg(option("--a")).exclusive(["a", "b"]),
            "no argument 'b'",
        );
        check(
            runs("x").arg(option("--a").default("ten")),
            "the default of '--a' is not an integer",
        );
        check(runs("x").arg(option("--a b")), "no word can be spelt '--a b'");
        check(runs("x").arg(option("--")), "no word can be spelt '--'");
        let deep = (0..20).fold(runs("leaf"), |below, _| Command::new("n", "").subcommand(below));
        check(deep, "nested more than 16 deep");
    }
}
