//! Options of several pages: the same is what shares a spelling.

use std::cmp::{Ordering, Reverse};
use std::collections::HashMap;

use crate::atip::Kind;
use crate::help::page::{FoundOption, FoundValue, Takes};

/// How many options are kept.
const OPTIONS: usize = 5_000;

/// Merges options, the surest first.
pub(super) fn merge(mut options: Vec<FoundOption>) -> Vec<FoundOption> {
    options.sort_by(surest_first);
    let mut merged: Vec<FoundOption> = Vec::new();
    let mut homes: HashMap<String, usize> = HashMap::new();
    for mut option in options {
        let mut found: Vec<usize> = option
            .spellings
            .iter()
            .filter_map(|spelling| homes.get(spelling).copied())
            .collect();
        found.sort_unstable();
        found.dedup();
        match found.as_slice() {
            // Surer pages know them as several options: what is new here is one of its own.
            [_, _, ..] => option.spellings.retain(|spelling| !homes.contains_key(spelling)),
            [home] => {
                if let Some(known) = merged.get_mut(*home) {
                    for spelling in &option.spellings {
                        if !homes.contains_key(spelling) {
                            homes.insert(spelling.clone(), *home);
                            known.spellings.push(spelling.clone());
                        }
                    }
                    fill(known, option);
                }
                continue;
            }
            [] => {}
        }
        option.spellings = distinct(option.spellings);
        if !option.spellings.is_empty() && merged.len() < OPTIONS {
            homes.extend(
                option
                    .spellings
                    .iter()
                    .map(|spelling| (spelling.clone(), merged.len())),
            );
            merged.push(option);
        }
    }
    merged.sort_by(|one, other| {
        let key = |option: &FoundOption| (Reverse(option.seen.origin), option.seen.line);
        key(one)
            .cmp(&key(other))
            .then_with(|| one.spellings.cmp(&other.spellings))
    });
    merged
}

/// The order in which pages are believed. Two that are equal in it are equal in all.
fn surest_first(one: &FoundOption, other: &FoundOption) -> Ordering {
    let seen = |option: &FoundOption| {
        (
            Reverse(option.seen.confidence),
            Reverse(option.seen.origin),
            option.seen.line,
        )
    };
    seen(one)
        .cmp(&seen(other))
        .then_with(|| one.spellings.cmp(&other.spellings))
        .then_with(|| one.description.cmp(&other.description))
        .then_with(|| format!("{one:?}").cmp(&format!("{other:?}")))
}

fn distinct(spellings: Vec<String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::with_capacity(spellings.len());
    for spelling in spellings {
        if !kept.contains(&spelling) {
            kept.push(spelling);
        }
    }
    kept
}

/// Adds what `known` does not say.
fn fill(known: &mut FoundOption, other: FoundOption) {
    if known.description.is_empty() {
        known.description = other.description;
    }
    known.default = known.default.take().or(other.default);
    known.variable = known.variable.take().or(other.variable);
    known.repeats |= other.repeats;
    known.deprecated |= other.deprecated;
    known.global |= other.global;
    match (&mut known.takes, other.takes) {
        (Takes::Value(value) | Takes::Perhaps(value), Takes::Value(more) | Takes::Perhaps(more)) => {
            fill_value(value, more);
        }
        // Whether there is a value is for the surer page to say.
        (Takes::Nothing, _) | (Takes::Value(_) | Takes::Perhaps(_), Takes::Nothing) => {}
    }
}

/// Adds what is not known of a value.
pub(super) fn fill_value(known: &mut FoundValue, other: FoundValue) {
    if known.name.is_empty() {
        known.name = other.name;
    }
    if known.kind == Kind::String && known.values.is_empty() {
        known.kind = other.kind;
        known.values = other.values;
    }
}
