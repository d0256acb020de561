//! The opposite of an option, where its description names it: "Use `--no-color` to disable".

use super::phrase::Prose;
use super::stems::Stem;

/// What makes the opposite of a name.
const PREFIXES: [&str; 3] = ["--no-", "--skip-", "--disable-"];

/// Returns the spelling that the description names as the opposite of one of `spellings`: `--no-x` of `--x`, and `--x`
/// of `--no-x`.
pub(super) fn opposite(spellings: &[String], prose: Prose<'_>) -> Option<String> {
    if !prose.mentions(&[Stem::Opposite]) {
        return None;
    }
    let says_so = ["disable", "negate", "turn off", "opposite", "revert", "override"]
        .iter()
        .any(|word| prose.lower.contains(word));
    if !says_so {
        return None;
    }
    spellings.iter().find_map(|spelling| {
        let name = spelling.strip_prefix("--")?;
        let undone = PREFIXES.iter().map(|prefix| format!("{prefix}{name}"));
        let undone = undone.filter(|wanted| is_named(wanted, prose.text));
        let done = name.strip_prefix("no-").map(|name| format!("--{name}"));
        let done =
            done.filter(|wanted| behind_disabled(prose).is_some_and(|text| is_named_first(wanted, text)));
        undone.chain(done).find(|wanted| !spellings.contains(wanted))
    })
}

/// What follows "disabled with".
fn behind_disabled<'t>(prose: Prose<'t>) -> Option<&'t str> {
    const PHRASE: &str = "disabled with ";
    let at = prose.lower.find(PHRASE)?;
    let behind = prose.text.get(at + PHRASE.len()..)?;
    Some(behind.strip_prefix("the ").unwrap_or(behind))
}

fn is_named_first(wanted: &str, text: &str) -> bool {
    text.starts_with(wanted) && is_named(wanted, text)
}

/// Whether a spelling stands in a text as a whole word.
fn is_named(wanted: &str, text: &str) -> bool {
    text.match_indices(wanted).take(4).any(|(at, _)| {
        let behind = text.get(at + wanted.len()..).unwrap_or_default();
        let mut behind = behind.chars();
        let next = behind.next();
        // `--x.` ends a sentence, `--x.y` is another word.
        let goes_on = next == Some('.') && behind.next().is_some_and(|c| c.is_ascii_alphanumeric());
        !goes_on && next.is_none_or(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=')))
    })
}
