//! Where a text says that there is more: `--help-all`, "see 'tool help -a'".
//!
//! Only words that ask for help are taken. The text is a stranger's, and whoever follows a lead starts the program with
//! these words.

use super::Page;
use super::Takes;

const MAX_LEADS: usize = 8;

/// What stands for all of the help.
const ALL: [&str; 14] = [
    "--all",
    "-a",
    "advanced",
    "all",
    "commands",
    "everything",
    "extended",
    "extra",
    "flags",
    "full",
    "hidden",
    "long",
    "more",
    "options",
];

/// Adds the leads of a text to its page.
pub(crate) fn add_leads(text: &str, page: &mut Page) {
    let mut leads: Vec<Vec<String>> = Vec::new();
    for option in page
        .options
        .iter()
        .filter(|option| option.takes == Takes::Nothing)
    {
        for spelling in &option.spellings {
            let rest = spelling
                .strip_prefix("--help-")
                .or_else(|| spelling.strip_prefix("-help-"));
            if rest.is_some_and(is_all) {
                push(&mut leads, vec![spelling.clone()]);
            }
        }
    }
    for line in lines_with_help(text) {
        let words: Vec<&str> = line
            .split(' ')
            .map(plain)
            .filter(|word| !word.is_empty())
            .collect();
        for pair in words.windows(2) {
            if let [ask @ ("help" | "--help" | "-h"), what] = pair
                && is_all(what)
                && is_quoted(line, ask, what)
            {
                push(&mut leads, vec![(*ask).to_owned(), (*what).to_owned()]);
            }
        }
        for word in words {
            let rest = word
                .strip_prefix("--help=")
                .or_else(|| word.strip_prefix("--help-"));
            if rest.is_some_and(is_all) {
                push(&mut leads, vec![word.to_owned()]);
            }
        }
    }
    page.leads = leads;
}

/// Returns the lines that speak of help. They are few, so the text is searched as a whole.
fn lines_with_help(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let at = rest.find("help")?;
        let start = rest.get(..at)?.rfind('\n').map_or(0, |end| end + 1);
        let (line, behind) = rest
            .get(start..)?
            .split_once('\n')
            .unwrap_or((rest.get(start..)?, ""));
        rest = behind;
        Some(line)
    })
}

fn push(leads: &mut Vec<Vec<String>>, lead: Vec<String>) {
    if leads.len() < MAX_LEADS && !leads.contains(&lead) {
        leads.push(lead);
    }
}

fn is_all(word: &str) -> bool {
    ALL.binary_search(&word).is_ok()
}

fn plain(word: &str) -> &str {
    word.trim_matches([
        '"', '\'', '`', '.', ',', ';', '(', ')', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}',
    ])
}

/// Whether two words stand side by side at the end of a quotation, so that they are words to type.
fn is_quoted(text: &str, ask: &str, what: &str) -> bool {
    let typed = format!("{ask} {what}");
    text.match_indices(&typed).take(4).any(|(at, _)| {
        let behind = text.get(at + typed.len()..).and_then(|rest| rest.chars().next());
        behind.is_some_and(|c| matches!(c, '"' | '\'' | '`' | '\u{2019}' | '\u{201d}'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::help::{Subject, read_help};

    #[test]
    fn only_words_that_ask_for_help_are_leads() {
        let check = |text: &str, want: &[&[&str]]| {
            let page = read_help(
                text,
                &Subject {
                    name: "kite",
                    path: &[],
                },
            );
            assert_eq!(page.leads, want, "{text:?}");
        };
        check(
            "Options:\n  --help-all  show all\n  --help-line N  one\n",
            &[&["--help-all"]],
        );
        check(
            "See 'kite help -a' and \"kite help flags\".",
            &[&["help", "-a"], &["help", "flags"]],
        );
        check("For more use \"--help all\".", &[&["--help", "all"]]);
        check("Use 'kite --help-all' to list all.", &[&["--help-all"]]);
        check("Use 'kite --help-delete' to lose all.", &[]);
        check("Run `kite help --delete-everything` or 'kite rm -a'.", &[]);
        check("They help all of us.", &[]);
    }

    #[test]
    fn the_words_are_sorted() {
        assert!(ALL.is_sorted());
    }
}
