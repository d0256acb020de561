//! What undoes an option, where only the text about the option names it: "Disable it again with `--no-x`."
//!
//! Only the exact opposite counts, and only if nobody defines it elsewhere.

use std::collections::HashMap;

use super::line::Line;
use crate::help::gathered::Gathered;
use crate::help::head::Grouped;
use crate::help::note::option;
use crate::help::{Confidence, Origin, Seen};

/// How much of a text is looked at.
const LINES: usize = 400;
/// How many opposites a page may have.
const OPPOSITES: usize = 2_000;

/// Opposites that were found so far, with the line that names each and what it says.
#[derive(Debug, Default)]
pub(crate) struct Negations {
    found: HashMap<String, (usize, String)>,
}

impl Negations {
    /// Looks for the opposites of `names` in the text about them.
    pub(crate) fn look<'n>(&mut self, names: impl Iterator<Item = &'n String>, body: &[Line]) {
        let wanted: Vec<String> = names.filter_map(|name| opposite(name)).collect();
        if wanted.is_empty() || self.found.len() >= OPPOSITES {
            return;
        }
        for line in body.iter().take(LINES).filter(|line| line.text.contains("--")) {
            for word in line.text.split([' ', '(', ')', '"', '\'', '`', ',', ';']) {
                let word = word.trim_end_matches(['.', ':', '!']);
                if wanted.iter().any(|wanted| wanted == word) && !self.found.contains_key(word) {
                    self.found
                        .insert(word.to_owned(), (line.number, line.text.clone()));
                }
            }
        }
    }

    /// Adds those that nobody defines.
    pub(crate) fn finish(self, gathered: &mut Gathered) {
        let mut found: Vec<(String, (usize, String))> = self.found.into_iter().collect();
        found.sort_by(|one, other| (one.1.0, &one.0).cmp(&(other.1.0, &other.0)));
        for (name, (line, text)) in found {
            if !gathered.knows(&name) {
                let grouped = Grouped {
                    names: vec![name],
                    value: None,
                };
                let seen = Seen {
                    origin: Origin::Man,
                    line,
                    confidence: Confidence::Mentioned,
                };
                let mut option = option(grouped, false, None, text, seen);
                option.takes = crate::help::Takes::Nothing;
                gathered.add(option);
            }
        }
    }
}

fn opposite(name: &str) -> Option<String> {
    let bare = name.strip_prefix("--")?;
    Some(match bare.strip_prefix("no-") {
        Some(positive) => format!("--{positive}"),
        None => format!("--no-{bare}"),
    })
}
