//! Which words that a help text offers are asked, too: only such that can mean help and nothing else.
//!
//! A text is a stranger's. "See `tool help --delete-everything`" is never tried: each word must be one of a short list,
//! or have the form of a flag for help, and one of them must be a word for help.

/// The most words of a lead.
const MOST: usize = 3;
/// How many places of a text are looked at.
const MENTIONS: usize = 100;
/// The longest word.
const LONGEST: usize = 40;

/// Words for help.
const HELP: &[&str] = &[
    "help",
    "--help",
    "-help",
    "-h",
    "-hh",
    "-H",
    "--longhelp",
    "--long-help",
    "--fullhelp",
    "--full-help",
    "--usage",
];
/// Words that make help say more.
const MORE: &[&str] = &[
    "--all",
    "--full",
    "--long",
    "--verbose",
    "-a",
    "-v",
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
/// What flags for help begin with.
const FORMS: &[&str] = &["--help-", "--help=", "-help-"];

/// Whether these words, after the program's name, can be asked.
pub(super) fn is_safe(words: &[String]) -> bool {
    let known = |word: &String| is_help(word) || MORE.contains(&word.as_str());
    !words.is_empty()
        && words.len() <= MOST
        && words.iter().all(known)
        && words.iter().any(|word| is_help(word))
}

/// Whether a text says that one can write `NAME help COMMAND`, for the command that it is about.
pub(super) fn offers_help(text: &str, name: &str, path: &[&str]) -> bool {
    let line = [name, "help"].into_iter().chain(path.iter().copied());
    let line = line.collect::<Vec<_>>().join(" ");
    let is_inside = |c: char| c.is_alphanumeric() || c == '-' || c == '_' || c == '/';
    text.match_indices(&line).take(MENTIONS).any(|(at, found)| {
        let (before, behind) = text.split_at(at);
        let behind = behind.strip_prefix(found).unwrap_or_default();
        !before.ends_with(is_inside) && !behind.starts_with(is_inside)
    })
}

fn is_help(word: &str) -> bool {
    if HELP.contains(&word) {
        return true;
    }
    let plain = |rest: &str| {
        !rest.is_empty()
            && rest
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    word.len() <= LONGEST
        && FORMS
            .iter()
            .any(|form| word.strip_prefix(form).is_some_and(plain))
}

/// Whether a word can be the name of a command that is asked. It must not be taken for an option, a path or an
/// assignment by anybody.
pub(super) fn is_command(name: &str) -> bool {
    let mut bytes = name.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphanumeric())
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"-_.:+".contains(&byte))
        && name.len() <= LONGEST
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn only_words_for_help_are_asked() {
        for line in [
            "help",
            "help -a",
            "help --all",
            "--help-all",
            "--help all",
            "--help=common",
            "-v --help",
            "--help -v",
            "-hh",
            "-help",
            "help all",
        ] {
            assert!(is_safe(&words(line)), "{line}");
        }
        for line in [
            "",
            "-a",
            "--all",
            "all",
            "help --delete-everything",
            "help ../x",
            "--help-all --force",
            "--help=/etc/passwd",
            "--help-",
            "--help=A",
            "delete all",
            "--helpme",
            "help all all all",
            "help -rf",
            "-rf help",
            "help ;",
        ] {
            assert!(!is_safe(&words(line)), "{line}");
        }
    }

    #[test]
    fn help_about_a_command_is_offered_in_so_many_words() {
        let check = |text: &str, path: &[&str], want: bool| {
            assert_eq!(offers_help(text, "tool", path), want, "{text}")
        };
        check("Run 'tool help build' for details.", &["build"], true);
        check(
            "Run 'tool help remote add' for details.",
            &["remote", "add"],
            true,
        );
        check("Use \"tool help <command>\" for more.", &[], true);
        check("Run 'tool help' for usage.", &[], true);
        check("Run 'tool help builder' for details.", &["build"], false);
        check("Run 'tool help clean' for details.", &["build"], false);
        check("my-tool help build", &["build"], false);
        check("tool helpers build", &[], false);
    }

    #[test]
    fn names_of_commands_are_words_and_nothing_else() {
        for name in [
            "log",
            "remote-add",
            "s3api",
            "list_all",
            "config:get",
            "7z",
            "a.b",
        ] {
            assert!(is_command(name), "{name}");
        }
        for name in [
            "", "-rf", "--all", "a b", "a/b", "../a", "a=b", "@file", "~", "a;b", "é", "$x",
        ] {
            assert!(!is_command(name), "{name:?}");
        }
    }

    proptest! {
        /// Whatever a text offers, what is asked holds no word that could be a path, a value or another's option.
        #[test]
        fn what_is_asked_is_made_of_known_words(given in prop::collection::vec("[ -~]{0,12}|help|--help-all|-a", 0..5)) {
            if is_safe(&given) {
                for word in &given {
                    let known = HELP.contains(&word.as_str()) || MORE.contains(&word.as_str())
                        || FORMS.iter().any(|form| word.starts_with(form));
                    prop_assert!(known, "{word}");
                    prop_assert!(!word.contains('/') && !word.contains(' '));
                }
            }
        }
    }
}
