//! The flags of an option as words that can be written: which of them are usable, and which is written.
//!
//! `flags` is foreign text that would become a word of an argv. A flag that holds white space, a value or something
//! invisible is none.

use argrail_acli::{Style, is_invisible};
use indexmap::IndexSet;

use super::model::{Argument, Commands, Metadata, Opt};

/// Returns the usable ones of `flags`, the one to write first.
///
/// A long one says most to a reader of the command, so the longest with two dashes is written, but not a `--no-x` as
/// long as there is another.
pub(crate) fn spellings<'a>(flags: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let usable: IndexSet<&str> = flags.into_iter().filter(|flag| is_usable(flag)).collect();
    let mut usable: Vec<&str> = usable.into_iter().collect();
    let rank = |flag: &str| {
        (
            !flag.starts_with("--"),
            flag.starts_with("--no-"),
            std::cmp::Reverse(flag.len()),
        )
    };
    usable.sort_by_key(|flag| rank(flag));
    usable
}

/// What `find` writes without a dash.
const OPERATORS: [&str; 3] = ["(", ")", "!"];

/// Whether `flag` is an option without a dash.
pub(crate) fn is_operator(flag: &str) -> bool {
    OPERATORS.contains(&flag)
}

/// Whether `flag` is one word that can be an option: `-x`, `--long`, `-name`, the `if=` of `dd`, or the `(` of `find`.
fn is_usable(flag: &str) -> bool {
    let is_odd = |c: char| c.is_whitespace() || is_invisible(c) || matches!(c, '=' | ',' | '[' | '<' | '|');
    match flag.strip_suffix('=') {
        Some(key) if !key.starts_with('-') => !key.is_empty() && !key.contains(is_odd),
        Some(_) | None if is_operator(flag) => true,
        Some(_) | None => {
            let name = flag.trim_start_matches('-');
            flag.starts_with('-') && !name.is_empty() && !flag.starts_with("---") && !flag.contains(is_odd)
        }
    }
}

/// Whether an option stands before the subcommand only. No draft can say so; `x-before` does.
pub(crate) fn stands_before(option: &Opt) -> bool {
    option.extra.get("x-before") == Some(&serde_json::Value::Bool(true))
}

/// Whether an argument stands behind `--` only. No draft can say so; `x-last` does.
pub(crate) fn stands_last(argument: &Argument) -> bool {
    argument.extra.get("x-last") == Some(&serde_json::Value::Bool(true))
}

/// Guesses how a tool's command line is written, from its flags.
///
/// One dash before a whole word means the style of Go's `flag`, which also takes two. Options are looked for behind
/// positionals, too: whether the tool does so is unknown, and an option that is not seen is worse than one too many.
pub(crate) fn style(metadata: &Metadata) -> Style {
    let single = metadata.global_options.iter().any(has_single_dash) || any_single_dash(&metadata.commands);
    if single {
        Style {
            permutation: true,
            ..Style::go()
        }
    } else {
        Style::gnu()
    }
}

fn any_single_dash(commands: &Commands) -> bool {
    commands
        .values()
        .any(|command| command.options.iter().any(has_single_dash) || any_single_dash(&command.commands))
}

fn has_single_dash(option: &Opt) -> bool {
    let is_single = |flag: &String| {
        let mut chars = flag.chars();
        let name = (chars.next(), chars.next());
        is_usable(flag) && matches!(name, (Some('-'), Some(c)) if c != '-') && chars.next().is_some()
    };
    option.flags.iter().any(is_single)
}

#[cfg(test)]
mod tests {
    use argrail_acli::Dashes;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_longest_usable_flag_is_written() {
        let check = |flags: &[&str], want: &[&str]| assert_eq!(spellings(flags.iter().copied()), want);
        check(&["-o", "--output"], &["--output", "-o"]);
        check(&["--out", "--output", "-o", "-o"], &["--output", "--out", "-o"]);
        check(&["--no-color", "--color"], &["--color", "--no-color"]);
        check(&["--no-verify"], &["--no-verify"]);
        check(&["-chdir"], &["-chdir"]);
        check(&["if="], &["if="]);
        check(&["(", "!", "((", "()"], &["(", "!"]);
        check(
            &[
                "-",
                "--",
                "---x",
                "",
                "x",
                "--a b",
                "--a=b",
                "--a=",
                "-o,--output",
                "--x\u{202e}",
            ],
            &[],
        );
    }

    #[test]
    fn a_whole_word_after_one_dash_is_the_style_of_go() {
        let check = |flag: &str, want: Dashes| {
            let option = Opt {
                flags: vec![flag.to_owned()],
                ..Opt::default()
            };
            let metadata = Metadata {
                global_options: vec![option],
                ..Metadata::default()
            };
            assert_eq!(style(&metadata).dashes, want, "{flag}");
        };
        check("-chdir", Dashes::Either);
        check("--chdir", Dashes::Double);
        check("-c", Dashes::Double);
        check("-ß", Dashes::Double);
        check("-a b", Dashes::Double);
    }

    proptest! {
        #[test]
        fn a_spelling_is_one_word_without_a_value(flags in prop::collection::vec("[-=a b,\u{202e}\n]{0,5}", 0..5)) {
            for flag in spellings(flags.iter().map(String::as_str)) {
                let odd = [' ', '\n', '\u{202e}', ','];
                prop_assert!(!flag.contains(odd));
                prop_assert!(flag.starts_with('-') != flag.ends_with('='));
            }
        }
    }
}
