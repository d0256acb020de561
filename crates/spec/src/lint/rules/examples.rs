//! Whether the examples are calls of this tool, with flags that it has.

use argrail_acli::{Limits, tokenize};

use super::super::findings::Findings;
use super::super::view::{Command, Tool};
use crate::doc::fields::Quoted;
use crate::doc::{Node, rules};

/// Flags that every tool is taken to have.
const USUAL: [&str; 3] = ["--help", "-h", "--version"];
/// Words of a shell, after which another program is called.
const JOINTS: [&str; 6] = ["|", "||", "&&", ";", "&", ">"];

rules! {
    NOT_WORDS = "consistency/example-words", "an example that cannot be split into words",
        "An agent that repeats it is refused.";
    OTHER_TOOL = "consistency/example-tool", "an example that does not call the tool",
        "An agent that repeats it calls something else.";
    UNKNOWN_FLAG = "consistency/example-flag", "an example with a flag that no option has",
        "Either the option is missing from the description or the example does not work.";
    => pub(super) RULES
}

pub(super) fn check(tool: &Tool<'_>, findings: &mut Findings) {
    for command in &tool.commands {
        let examples = command.object.get("examples").and_then(Node::as_array);
        for node in examples.unwrap_or_default() {
            if let Some(text) = node.as_str() {
                example(tool, node, text, findings);
            }
        }
    }
}

fn example(tool: &Tool<'_>, node: &Node, text: &str, findings: &mut Findings) {
    let words = match tokenize(text, &Limits::default()) {
        Ok(words) => words,
        Err(problem) => {
            let message = format!("an example is no command: {problem}");
            findings.push(NOT_WORDS.warning(node.span, message).hint("close its quotes"));
            return;
        }
    };
    let Some(at) = words.iter().position(|word| word == tool.name) else {
        let message = format!("an example does not call {}", Quoted(tool.name));
        findings.push(
            OTHER_TOOL
                .warning(node.span, message)
                .hint("begin it with the name of the tool"),
        );
        return;
    };
    let after = words.into_iter().skip(at + 1);
    let call: Vec<_> = after
        .take_while(|word| !JOINTS.contains(&word.as_ref()))
        .collect();
    let (command, taken) = tool.find(&call);
    let mut rest = call.iter().skip(taken).peekable();
    while let Some(word) = rest.next() {
        if word == "--" {
            return;
        }
        match judge(tool, command, word) {
            Flag::None => {}
            Flag::WithValue => {
                // Whatever it looks like, it is the value.
                rest.next();
            }
            Flag::Alone => {}
            Flag::Unknown => {
                let message = format!("the example uses {}, which no option has", Quoted(word));
                findings.push(
                    UNKNOWN_FLAG
                        .warning(node.span, message)
                        .hint("describe the option, or mend the example"),
                );
            }
        }
    }
}

/// What a word of an example is.
enum Flag {
    /// No flag.
    None,
    /// A flag whose value is the next word.
    WithValue,
    /// A flag that stands alone, or holds its value.
    Alone,
    /// A flag that is not described.
    Unknown,
}

fn judge(tool: &Tool<'_>, command: Option<&Command<'_>>, word: &str) -> Flag {
    let is_number = word.parse::<f64>().is_ok();
    if !word.starts_with('-') || word == "-" || is_number {
        return Flag::None;
    }
    if let Some(option) = tool.flag(command, word) {
        return if option.takes_value() {
            Flag::WithValue
        } else {
            Flag::Alone
        };
    }
    let known = |flag: &str| tool.flag(command, flag).is_some() || USUAL.contains(&flag);
    if known(word) || word.split_once('=').is_some_and(|(flag, _)| known(flag)) {
        return Flag::Alone;
    }
    let letters = word
        .strip_prefix('-')
        .filter(|rest| !rest.starts_with('-'))
        .unwrap_or_default();
    let mut letters = letters.chars();
    // `-n10` and `-abc`: the first letter must be known, and the rest is its value or more letters.
    let first = letters.next().is_some_and(|letter| known(&format!("-{letter}")));
    if first { Flag::Alone } else { Flag::Unknown }
}
