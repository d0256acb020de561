//! Words of usage lines that stand for something: all options, a command.

/// Returns a word without brackets and dots.
pub(crate) fn bare(word: &str) -> &str {
    let word = without_dots(word).trim_end_matches(',');
    word.strip_prefix('<')
        .and_then(|rest| rest.split('>').next())
        .unwrap_or(word)
        .trim_matches(['"', '\'', '`'])
}

/// Returns a word without the dots that say it may be repeated.
pub(crate) fn without_dots(mut word: &str) -> &str {
    while let Some(rest) = word.strip_suffix("...").or_else(|| word.strip_suffix("..")) {
        word = rest;
    }
    word
}

/// `-opts`, `--option`: they stand for options.
pub(super) fn is_stand_in(name: &str) -> bool {
    is_options_word(name.trim_start_matches('-')) && name.len() > 3
}

/// Whether a word stands for all options.
pub(crate) fn is_options_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let last = lower.rsplit(['-', '_', ' ', '/']).next().unwrap_or_default();
    matches!(
        last,
        "option" | "options" | "flag" | "flags" | "opts" | "opt" | "switches" | "option(s)" | "flag(s)"
    )
}

/// Whether a word stands for a command of this program.
pub(crate) fn is_command_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "command"
            | "commands"
            | "subcommand"
            | "sub-command"
            | "cmd"
            | "subcmd"
            | "action"
            | "topic"
            | "group"
            | "verb"
    )
}
