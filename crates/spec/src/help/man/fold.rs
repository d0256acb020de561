//! A letter that a page lists by itself in one place and with its long spelling in another.
//!
//! A summary at the top of a page has `-V`, the section further down `-V; --version`: one option, as long as only one
//! other has that letter and both agree on whether there is a value.

use std::collections::HashMap;

use crate::help::{FoundOption, Takes};

/// Makes one of the two.
pub(crate) fn fold(options: &mut Vec<FoundOption>) {
    // For each spelling, the only option that has others, too.
    let mut homes: HashMap<String, Option<usize>> = HashMap::new();
    for (index, option) in options
        .iter()
        .enumerate()
        .filter(|(_, option)| option.spellings.len() > 1)
    {
        for spelling in &option.spellings {
            let home = homes.entry(spelling.clone()).or_insert(Some(index));
            if *home != Some(index) {
                *home = None;
            }
        }
    }
    let takes_value = |option: &FoundOption| option.takes != Takes::Nothing;
    let mut folded = vec![false; options.len()];
    for (index, dropped) in folded.iter_mut().enumerate() {
        let Some(option) = options.get(index) else {
            continue;
        };
        let [letter] = option.spellings.as_slice() else {
            continue;
        };
        let Some(home) = homes.get(letter).copied().flatten() else {
            continue;
        };
        if options
            .get(home)
            .is_some_and(|other| takes_value(other) == takes_value(option))
        {
            *dropped = true;
            let description = option.description.clone();
            if let Some(other) = options.get_mut(home).filter(|other| other.description.is_empty()) {
                other.description = description;
            }
        }
    }
    let mut folded = folded.into_iter();
    options.retain(|_| !folded.next().unwrap_or(false));
}
