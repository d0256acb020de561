//! Other names of an option, where its description ends with them: `(Alias: --no-config)`, `(inverse: --allow-x)`.

use super::phrase::Prose;
use super::stems::Stem;
use crate::help::head::parse;

const MOST: usize = 4;

const PHRASES: [&str; 4] = ["aka ", "alias: ", "aliases: ", "inverse: "];

/// Returns the spellings that stand in brackets behind such a word. One that is wrapped is none.
pub(super) fn other_names(spellings: &[String], prose: Prose<'_>) -> Vec<String> {
    if !prose.mentions(&[Stem::OtherName]) {
        return Vec::new();
    }
    let mut names: Vec<String> = Vec::new();
    for (at, _) in prose.lower.match_indices(['(', '[']).take(16) {
        let inside = prose.lower.get(at + 1..).unwrap_or_default();
        let Some(phrase) = PHRASES.iter().find(|phrase| inside.starts_with(**phrase)) else {
            continue;
        };
        let list = prose.text.get(at + 1 + phrase.len()..).unwrap_or_default();
        let list = list.split([')', ']']).next().unwrap_or_default();
        let found = list
            .split(", ")
            .take(MOST)
            .map(str::trim)
            .filter(|name| is_spelling(name));
        for name in found {
            let is_known = spellings.iter().chain(&names).any(|known| known == name);
            if !is_known && names.len() < MOST {
                names.push(name.to_owned());
            }
        }
    }
    names
}

/// Whether a word is a spelling and nothing else.
fn is_spelling(word: &str) -> bool {
    let read = parse(word).filter(|_| word.starts_with('-'));
    read.is_some_and(|head| match head.forms.as_slice() {
        [form] => {
            form.value.is_none()
                && form.names.len() == 1
                && form.names.first().is_some_and(|name| name == word)
        }
        _ => false,
    })
}
