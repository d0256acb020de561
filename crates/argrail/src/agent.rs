//! `argrail --agent`: what argrail is, for other hosts that speak ATIP (§3.1).
//!
//! The commands are those of the command line itself; what each changes stands in the table below, and a test fails
//! for a verb that has no row. Nothing is read, written or started: not even a home directory is needed.

use argrail_acli::{Error, Text};
use argrail_spec::atip::{Effects, Filesystem, answer_agent};
use clap::CommandFactory;

use crate::args::command_line::CommandLine;
use crate::out::{self, Report};

/// Prints the metadata if that is asked for, and returns the exit number.
pub(crate) fn answer(words: impl IntoIterator<Item = String>) -> Option<u8> {
    let words: Vec<String> = words.into_iter().collect();
    let report = if words.iter().any(|word| word == "--json") {
        Report::Envelope
    } else {
        Report::Text
    };
    let answer = answer_agent(words, &CommandLine::command(), effects)?;
    Some(match answer {
        Ok(json) => out::data(&format!("{json}\n")),
        Err(error) => {
            let what = Text::new("{}").value(error.to_string());
            out::refuse(Error::invalid(what, "Run: argrail --agent"), report)
        }
    })
}

/// What a verb changes.
#[derive(Clone, Copy)]
enum Touch {
    /// It reads files of the user and nothing else.
    Reads,
    /// It reads, and writes what it was asked to, or what is argrail's own.
    Keeps,
    /// It runs programs, in a sandbox; what these change is theirs.
    Runs,
    /// It listens, and runs programs for whoever connects.
    Serves,
    /// It runs other agents, in a sandbox, which talk to their models.
    Drives,
}

/// One row for each verb.
fn touch(verb: &str) -> Option<Touch> {
    Some(match verb {
        "list" | "show" | "search" | "export" | "diff" | "why" | "grants" => Touch::Reads,
        "lint" | "trust" | "audit" | "approvals" | "approve" | "deny" | "grant" | "revoke" => Touch::Keeps,
        "call" | "run" | "repl" | "sandbox" | "doctor" | "scan" | "infer" | "new" | "add" | "install"
        | "status" => Touch::Runs,
        "serve" => Touch::Serves,
        "agent" => Touch::Drives,
        _ => return None,
    })
}

fn effects(path: &[&str]) -> Option<Effects> {
    let [verb, ..] = path else {
        return None;
    };
    let touch = touch(verb)?;
    let files = |write: bool| Filesystem {
        read: Some(true),
        write: Some(write),
        delete: Some(false),
        ..Filesystem::default()
    };
    Some(match touch {
        Touch::Reads => Effects {
            filesystem: Some(files(false)),
            network: Some(false),
            subprocess: Some(false),
            idempotent: Some(true),
            destructive: Some(false),
            ..Effects::default()
        },
        Touch::Keeps => Effects {
            filesystem: Some(files(true)),
            network: Some(false),
            subprocess: Some(false),
            idempotent: Some(true),
            destructive: Some(false),
            ..Effects::default()
        },
        // Whether a program deletes or destroys something is not for us to say.
        Touch::Runs => Effects {
            filesystem: Some(Filesystem {
                delete: None,
                ..files(true)
            }),
            subprocess: Some(true),
            idempotent: Some(false),
            ..Effects::default()
        },
        Touch::Serves | Touch::Drives => Effects {
            filesystem: Some(Filesystem {
                delete: None,
                ..files(true)
            }),
            network: Some(true),
            subprocess: Some(true),
            idempotent: Some(false),
            ..Effects::default()
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_verb_has_a_row() {
        let command = CommandLine::command();
        let without: Vec<&str> = command
            .get_subcommands()
            .map(clap::Command::get_name)
            .filter(|verb| touch(verb).is_none())
            .collect();
        assert!(
            without.is_empty(),
            "say in agent.rs what these change: {without:?}"
        );
    }
}
