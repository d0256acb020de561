//! What a text is that came back: help, a rendered page of the manual, or a complaint.
//!
//! A complaint may hold a usage line, which is worth reading, but another question is then worth a try, too.

use argrail_spec::help::{Page, Subject, read_help, read_man};

use super::heard::{Exit, Said};

/// How many lines at the start may be a complaint.
const HEAD: usize = 4;
/// What programs call what they do not know, and what it was.
const WRONG: &[&str] = &[
    "unknown",
    "unrecognized",
    "unrecognised",
    "invalid",
    "illegal",
    "unexpected",
    "no such",
    "not a valid",
    "not found",
    "not recognized",
    "is not a ",
    "bad ",
    "unsupported",
    "undefined",
    "not defined",
];
const FLAGS: &[&str] = &[
    "option",
    "flag",
    "switch",
    "parameter",
    "operand",
    "--help",
    "-help",
    " -h",
    "'-h",
    "-- -",
];
const COMMANDS: &[&str] = &["command", "applet", "verb", "topic"];
/// What begins the part of an error that says what to do.
const ADVICE: &[&str] = &[" see ", " run ", " try ", " use ", " for help", " type "];

/// A text, read.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Answer {
    /// What it says.
    pub(super) page: Page,
    /// What it is.
    pub(super) form: Form,
}

/// What a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// Help.
    Help,
    /// A page of the manual, as `man` shows it.
    Manual,
    /// An error about the words that were asked, perhaps with a usage line.
    Complaint,
    /// An error that says that there is no such command.
    Denial,
}

impl Form {
    /// Whether it is what was asked for.
    pub(super) fn is_help(self) -> bool {
        match self {
            Self::Help | Self::Manual => true,
            Self::Complaint | Self::Denial => false,
        }
    }
}

impl Answer {
    /// Reads what the program said about `subject`: the longer of its outputs, and the other one if that is no help.
    pub(super) fn of(said: &Said, subject: &Subject<'_>) -> Self {
        let longer = Self::read(&said.text, said.exit, subject);
        if longer.form.is_help() || said.other.trim().is_empty() {
            return longer;
        }
        let other = Self::read(&said.other, said.exit, subject);
        if other.form.is_help() { other } else { longer }
    }

    fn read(text: &str, exit: Exit, subject: &Subject<'_>) -> Self {
        if is_manual(text) {
            let page = read_man(text, subject);
            let form = if is_empty(&page) {
                Form::Complaint
            } else {
                Form::Manual
            };
            return Self { page, form };
        }
        let page = read_help(text, subject);
        let form = complaint(text, exit).unwrap_or(if is_empty(&page) {
            Form::Complaint
        } else {
            Form::Help
        });
        Self { page, form }
    }
}

/// Whether a page says nothing that one could write on a command line.
pub(super) fn is_empty(page: &Page) -> bool {
    page.options.is_empty() && page.commands.is_empty() && page.positionals.is_empty()
}

/// Says whether a text begins with an error about the words that were asked, and which.
fn complaint(text: &str, exit: Exit) -> Option<Form> {
    if exit == Exit::Content {
        return None;
    }
    let head = text.lines().filter(|line| !line.trim().is_empty()).take(HEAD);
    let has = |line: &str, words: &[&str]| words.iter().any(|word| line.contains(word));
    head.map(str::to_ascii_lowercase).find_map(|line| {
        // Some say how to get help in the same breath.
        let end = ADVICE.iter().filter_map(|word| line.find(word)).min();
        let line = line.get(..end.unwrap_or(line.len())).unwrap_or_default();
        if !has(line, WRONG) {
            return None;
        }
        if has(line, FLAGS) {
            return Some(Form::Complaint);
        }
        has(line, COMMANDS).then_some(Form::Denial)
    })
}

/// Whether a text is a page of the manual, as `man` shows it: `NAME(1)` at both ends of its first line.
fn is_manual(text: &str) -> bool {
    let first = text
        .lines()
        .find(|line| !line.trim().is_empty())
        .unwrap_or_default();
    // Shown in bold, letters are written twice.
    let first: String = argrail_spec::help::clean(first).into_owned();
    let mut words = first.split_whitespace();
    let is_title = |word: &str| {
        word.strip_suffix(')')
            .and_then(|word| word.split_once('('))
            .is_some_and(|(name, section)| {
                !name.is_empty()
                    && section.starts_with(|c: char| c.is_ascii_digit())
                    && section.len() <= 8
                    && section.bytes().all(|byte| byte.is_ascii_alphanumeric())
            })
    };
    match (words.next(), words.next_back()) {
        (Some(first), Some(last)) => is_title(first) && first == last,
        (_, None) | (None, _) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(text: &str, exit: Exit) -> Form {
        let said = Said {
            text: text.to_owned(),
            other: String::new(),
            exit,
        };
        let subject = Subject {
            name: "tool",
            path: &["nope"],
        };
        Answer::of(&said, &subject).form
    }

    #[test]
    fn help_is_told_from_complaints_and_from_the_manual() {
        let help =
            "Usage: tool [OPTIONS] FILE\n\nOptions:\n  -a, --all   Show all\n  -f, --file FILE  Read FILE\n";
        assert_eq!(form(help, Exit::Content), Form::Help);
        // Whoever prints help as an error still prints help.
        assert_eq!(form(help, Exit::Complaining), Form::Help);
        for complaint in [
            "tool: unrecognized option '--help'\n",
            "tool: illegal option -- -\nusage: tool [-ab] [-f file]\n",
            "error: unknown command '--help' for 'tool nope'\n",
            "nope: invalid argument --help\n",
            "No manual entry for tool-nope\n",
            "Error: unknown flag: --help\n\nUsage:\n  tool [flags]\n\nFlags:\n  -a, --all   Show all\n",
        ] {
            assert_eq!(form(complaint, Exit::Complaining), Form::Complaint, "{complaint}");
        }
        for denial in [
            "error: no such command: `nope`\n",
            "tool: 'nope' is not a tool command. See 'tool --help'.\n",
            "Unknown command nope.\n\nUsage: tool [-a]\n",
        ] {
            assert_eq!(form(denial, Exit::Complaining), Form::Denial, "{denial}");
        }
        assert_eq!(form("hello\n", Exit::Content), Form::Complaint);
        // A long warning beside a short text is not the answer.
        let said = Said {
            text: "warning: nothing could be written to the home directory, and that is a long story\n"
                .to_owned(),
            other: help.to_owned(),
            exit: Exit::Content,
        };
        let subject = Subject {
            name: "tool",
            path: &[],
        };
        assert_eq!(Answer::of(&said, &subject).form, Form::Help);
        let page = "TOOL(1)        Tools of ours        TOOL(1)\n\nNAME\n       tool - shows things\n\nSYNOPSIS\n       tool [-a]\n\n\
                    OPTIONS\n       -a, --all\n              Show all.\n";
        assert_eq!(form(page, Exit::Content), Form::Manual);
    }
}
