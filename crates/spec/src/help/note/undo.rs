//! The opposite of an option, where its description names it: "Use `--no-color` to disable".

use super::phrase::Prose;
use super::stems::Stem;

/// Returns `--no-x` if the description of `--x` says that it undoes it.
pub(super) fn opposite(spellings: &[String], prose: Prose<'_>) -> Option<String> {
    let (description, lower) = (prose.text, prose.lower);
    if !prose.mentions(&[Stem::No]) {
        return None;
    }
    let says_so = ["disable", "negate", "turn off", "opposite", "revert", "override"]
        .iter()
        .any(|word| lower.contains(word));
    if !says_so {
        return None;
    }
    spellings.iter().find_map(|spelling| {
        let name = spelling.strip_prefix("--")?;
        let wanted = format!("--no-{name}");
        let is_whole = |(at, _): (usize, &str)| {
            let behind = description
                .get(at + wanted.len()..)
                .and_then(|rest| rest.chars().next());
            behind.is_none_or(|c| !(c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '=')))
        };
        let is_named = description.match_indices(&wanted).take(4).any(is_whole);
        (is_named && !spellings.contains(&wanted)).then_some(wanted)
    })
}
