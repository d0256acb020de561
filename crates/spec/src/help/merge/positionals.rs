//! Words without a flag: their order is one page's, and the others only explain them.

use std::collections::HashMap;

use super::options::fill_value;
use crate::help::page::{Confidence, FoundPositional, FoundValue, Origin};

/// Returns the best list, with what the others know of the same words.
pub(super) fn merge(mut lists: Vec<Vec<FoundPositional>>) -> Vec<FoundPositional> {
    lists.sort_by(|one, other| {
        let by_rank = rank(other).cmp(&rank(one));
        by_rank.then_with(|| format!("{one:?}").cmp(&format!("{other:?}")))
    });
    let mut lists = lists.into_iter();
    let mut merged = lists.next().unwrap_or_default();
    let mut told: HashMap<String, (String, Vec<FoundValue>)> = HashMap::new();
    for other in lists.flatten().filter(|other| !other.value.name.is_empty()) {
        let (description, values) = told.entry(other.value.name.clone()).or_default();
        if description.is_empty() {
            *description = other.description;
        }
        values.push(other.value);
    }
    for positional in &mut merged {
        let Some((description, values)) = told.remove(&positional.value.name) else {
            continue;
        };
        if positional.description.is_empty() {
            positional.description = description;
        }
        for value in values {
            fill_value(&mut positional.value, value);
        }
    }
    merged
}

/// How good a list is: how sure, of what kind of text, how long.
fn rank(list: &[FoundPositional]) -> (Option<Confidence>, Option<Origin>, usize) {
    let confidence = list.iter().map(|positional| positional.seen.confidence).max();
    let origin = list.iter().map(|positional| positional.seen.origin).max();
    (confidence, origin, list.len())
}
