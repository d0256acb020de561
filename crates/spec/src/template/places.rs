//! Where each word of a template stands: whether an option could stand there, too.
//!
//! A word that starts with `-` is an option, until the first literal `--`. Nobody here knows whether an option takes a
//! value, so what stands behind one may be its value and may be the next option.

use std::ops::Range;

use super::model::{Ending, Filter, Hole, Lead, Part, Place, Word};
use super::template_error::{Problem, TemplateError};
use crate::doc::Spanned;

/// Puts words at their places, and tells which cannot stand there. `read` holds those that could be read, with their
/// numbers.
pub(super) fn arrange(
    source: &[Spanned<String>],
    read: Vec<(usize, Vec<Part>)>,
) -> (Vec<Word>, Vec<TemplateError>) {
    let mut place = Place::Open;
    let mut words = Vec::new();
    let mut wrong = Vec::new();
    for (index, parts) in read {
        let whole = source.get(index).map_or(0..0, |word| 0..word.len());
        let mut complain = |at: Range<usize>, problem: Problem| {
            wrong.push(TemplateError {
                word: index,
                at,
                span: source.get(index).map(|word| word.span).unwrap_or_default(),
                problem,
            });
        };
        let word = word(parts, &place);
        check(&word, &place, whole, &mut complain);
        place = next(&place, &word);
        words.push(word);
    }
    (words, wrong)
}

fn word(mut parts: Vec<Part>, place: &Place) -> Word {
    if parts.len() == 1 {
        match parts.pop() {
            Some(Part::Text(text)) => return Word::Literal(text),
            Some(Part::Hole(hole)) => return Word::Whole(hole, place.clone()),
            None => return Word::Literal(String::new()),
        }
    }
    let lead = match parts.first() {
        Some(Part::Text(text)) => match is_short(text) && *place != Place::Last {
            true => Lead::Dash(text.clone()),
            false => Lead::Text,
        },
        Some(Part::Hole(_)) | None => Lead::Value(place.clone()),
    };
    Word::Mixed(parts, lead)
}

/// Whether a text is an option of one dash, such as `-n`, to which a value is attached without `=`.
fn is_short(text: &str) -> bool {
    text.starts_with('-') && !text.starts_with("--") && !text.contains('=')
}

/// Whether a text is the beginning of a long option's name.
fn is_long_name(text: &str) -> bool {
    text.starts_with("--") && !text.contains('=')
}

/// Returns the place behind a word.
fn next(place: &Place, word: &Word) -> Place {
    match (place, word) {
        (Place::Last, _) => Place::Last,
        (Place::Open | Place::Behind(_), Word::Literal(text)) if text == "--" => Place::Last,
        (Place::Open | Place::Behind(_), Word::Literal(text)) if awaits(text) => Place::Behind(text.clone()),
        (Place::Open | Place::Behind(_), Word::Literal(_) | Word::Whole(..) | Word::Mixed(..)) => Place::Open,
    }
}

/// Options that no program gives a value, so that what stands behind them stands for itself.
const SWITCHES: [&str; 4] = ["--quiet", "--silent", "--verbose", "--yes"];

/// Whether a word may be an option whose value is the next word.
fn awaits(text: &str) -> bool {
    let is_option = text.starts_with('-') && text.len() > 1 && !text.contains('=');
    is_option && !text.starts_with("--no-") && !SWITCHES.contains(&text)
}

fn check(word: &Word, place: &Place, whole: Range<usize>, complain: &mut impl FnMut(Range<usize>, Problem)) {
    match word {
        Word::Literal(_) => {}
        Word::Whole(hole, place) => check_default(hole, place, complain),
        Word::Mixed(parts, lead) => {
            for part in parts {
                if let Part::Hole(hole) = part {
                    check_inside(hole, complain);
                }
            }
            match (lead, parts.first()) {
                (Lead::Value(place), Some(Part::Hole(hole))) => check_default(hole, place, complain),
                (Lead::Dash(text), _) if text == "-" => complain(whole, Problem::OptionName),
                (Lead::Text, Some(Part::Text(text))) if *place != Place::Last && is_long_name(text) => {
                    complain(whole, Problem::OptionName);
                }
                (Lead::Text | Lead::Dash(_) | Lead::Value(_), _) => {}
            }
        }
    }
}

/// A default is a word of the author's, and still no option.
fn check_default(hole: &Hole, place: &Place, complain: &mut impl FnMut(Range<usize>, Problem)) {
    let is_guarded = match (&hole.ending, place) {
        (Ending::Flag(_), _) => false,
        (Ending::Optional(option), _) => !option.ends_with('='),
        (Ending::Plain, Place::Open | Place::Behind(_)) => true,
        (Ending::Plain, Place::Last) => false,
    };
    let texts = hole.filters.iter().filter_map(|filter| match filter {
        Filter::Default(default) => default.as_str(),
        Filter::Json => None,
    });
    for text in texts.filter(|text| is_guarded && text.starts_with('-')) {
        complain(hole.at.clone(), Problem::DashDefault(text.to_owned()));
    }
}

fn check_inside(hole: &Hole, complain: &mut impl FnMut(Range<usize>, Problem)) {
    match &hole.ending {
        Ending::Plain => {}
        Ending::Optional(_) => complain(hole.at.clone(), Problem::Inside("optional")),
        Ending::Flag(_) => complain(hole.at.clone(), Problem::Inside("flag")),
    }
}
