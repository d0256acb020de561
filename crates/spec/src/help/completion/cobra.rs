//! What a program that is built with cobra answers to `__complete`: a word a line, a tab, a text; a directive last.

use super::pages::{Named, Pages};
use crate::help::page::{Confidence, FoundValue, Page, Takes};

/// How much of an answer is read.
const LONGEST: usize = 4 << 20;

/// Reads an answer of `tool __complete …`.
pub fn read_complete_answer(text: &str) -> Page {
    let text = text.get(..text.floor_char_boundary(LONGEST)).unwrap_or_default();
    let mut pages = Pages::default();
    for (index, line) in text.lines().enumerate() {
        let (word, about) = line.split_once('\t').unwrap_or((line, ""));
        let line = index.saturating_add(1);
        if word.starts_with(':') || word.starts_with("_activeHelp_") || word.contains(char::is_whitespace) {
            continue;
        }
        if word.starts_with('-') {
            let bare = word.strip_suffix('=').unwrap_or(word);
            let takes = if bare == word {
                Takes::Nothing
            } else {
                Takes::Value(FoundValue::default())
            };
            let named = Named {
                spellings: vec![bare.to_owned()],
                takes,
                description: about.to_owned(),
                line,
                ..Named::default()
            };
            pages.option(&[], named, Confidence::Certain);
        } else {
            pages.command(&[], word, about, line, Confidence::Certain);
        }
    }
    pages
        .finish()
        .into_iter()
        .next()
        .map(|(_, page)| page)
        .unwrap_or_default()
}
