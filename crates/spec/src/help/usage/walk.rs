//! One call, walked from the left to the right: what is an option, what its value, what a word of its own.

use super::read::{Lone, MAX_LONE, Usage, UsageOption, UsageWord};
use super::tree::{Bracket, Group, Node, Piece};
use super::word::{bare, is_command_word, is_options_word, is_stand_in};
use crate::help::head::{Grouped, RawValue, group, is_prose_word, is_single_letter, parse, repeated_letter};
use crate::help::text::is_upper_word;

const MAX_OPTIONS: usize = 5000;
const MAX_WORDS: usize = 64;

/// Where a piece stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Line,
    Group(Bracket),
}

/// A walk through one call.
pub(super) struct Walk<'u> {
    pub(super) usage: &'u mut Usage,
    pub(super) line: usize,
    pub(super) words: Vec<UsageWord>,
    /// Whether options stand in pairs with plain words: `-f file -I name`.
    pub(super) has_pairs: bool,
    /// A word at the end that may be the value of the option before it.
    pub(super) lone: Option<String>,
}

impl Walk<'_> {
    pub(super) fn sequence(&mut self, nodes: &[Node<'_>], place: Place, is_choice: bool) {
        let mut at = 0;
        while let Some(node) = nodes.get(at) {
            at += 1;
            match &node.piece {
                Piece::Word(word) if word.starts_with(['-', '+']) => {
                    let taken = self.option(
                        word,
                        nodes.get(at..).unwrap_or_default(),
                        place,
                        nodes.len() == 1 && !is_choice,
                    );
                    at += taken;
                }
                Piece::Word(word) => self.word(word, node.repeats, place, is_choice),
                Piece::Group(group) => {
                    let known = self.usage.options.len();
                    self.group(group, node.repeats, place, is_choice);
                    if all_options(group) && group.bracket == Bracket::Other {
                        at += self.shared_value(known, nodes.get(at..).unwrap_or_default());
                    }
                }
            }
        }
    }

    /// Reads an option and what belongs to it. Returns how many nodes that were.
    fn option(&mut self, word: &str, behind: &[Node<'_>], place: Place, alone: bool) -> usize {
        let word = word.trim_end_matches([',', ';']);
        let Some(head) = parse(word) else {
            return 0;
        };
        let mut options = group(head);
        let has_value = options.iter().any(|option| option.value.is_some());
        let (value, taken) = match (has_value, plain_value(behind).filter(|_| self.has_pairs)) {
            (true, _) => (None, 0),
            (false, Some(word)) if place == Place::Line => (Some(word), 1),
            (false, _) => value(behind, place),
        };
        for option in &mut options {
            if option.value.is_none() {
                option.value.clone_from(&value);
            }
        }
        let lone = lone_word(behind).filter(|_| place == Place::Line && !has_value && taken == 0);
        if let (Some(word), [option]) = (lone, options.as_slice())
            && self.usage.lone.len() < MAX_LONE
        {
            self.usage.lone.push(Lone {
                option: option.names.clone(),
                word: word.to_owned(),
            });
            self.lone = Some(word.to_owned());
        }
        for option in options {
            self.push(option, alone && taken == 0);
        }
        taken
    }

    /// `(-c | -C) <commit>`: the value behind a choice of options belongs to each.
    fn shared_value(&mut self, since: usize, behind: &[Node<'_>]) -> usize {
        let Some(Piece::Word(word)) = behind.first().map(|node| &node.piece) else {
            return 0;
        };
        if !word.starts_with('<') && !is_upper_word(word) {
            return 0;
        }
        for found in self.usage.options.iter_mut().skip(since) {
            found.option.value.get_or_insert_with(|| RawValue {
                text: (*word).to_owned(),
                optional: false,
            });
        }
        1
    }

    fn push(&mut self, option: Grouped, alone: bool) {
        let is_no_name = |name: &String| is_stand_in(name) || repeated_letter(name).is_some();
        if option.names.iter().any(is_no_name) || self.usage.options.len() > MAX_OPTIONS {
            return;
        }
        self.usage.options.push(UsageOption {
            option,
            line: self.line,
            alone,
        });
    }

    fn group(&mut self, group: &Group<'_>, repeats: bool, place: Place, is_choice: bool) {
        if stands_for_options(group) || is_remark(group) {
            return;
        }
        let options = group
            .alternatives
            .iter()
            .filter(|nodes| begins_option(nodes))
            .count();
        if options > 1 && options == group.alternatives.len() {
            return self.choice_of_options(group);
        }
        if options > 0 {
            // `[-s name | path]` says what the value may be; `(-f FILE | NAME)` and `[NAME | -a]` what else may stand there.
            let mut is_behind_option = false;
            for nodes in &group.alternatives {
                let is_option = begins_option(nodes);
                if is_option || !is_behind_option || group.bracket == Bracket::Other {
                    self.sequence(nodes, Place::Group(group.bracket), group.alternatives.len() > 1);
                }
                is_behind_option |= is_option;
            }
            return;
        }
        if let Some(
            [
                Node {
                    piece: Piece::Group(inner),
                    ..
                },
                behind @ ..,
            ],
        ) = group.alternatives.first().map(Vec::as_slice)
            && inner.bracket == Bracket::Other
            && all_options(inner)
        {
            // `[(-c | -C) <commit>]`, `[(-o|--output=)json|yaml]`: what follows is the value.
            let known = self.usage.options.len();
            self.group(inner, false, Place::Group(group.bracket), true);
            let taken = self.shared_value(known, behind);
            return self.sequence(behind.get(taken.max(1)..).unwrap_or_default(), place, true);
        }
        if let Some(choices) = literal_choices(group) {
            return self.choice_of_words(group, &choices, repeats);
        }
        let is_choice = is_choice || group.alternatives.len() > 1;
        let before = self.words.len();
        for nodes in &group.alternatives {
            self.sequence(nodes, inner(place, group.bracket), is_choice);
        }
        if repeats && let Some(words) = self.words.get_mut(before..) {
            for word in words {
                word.variadic = true;
            }
        }
    }

    /// `[-a|--all]` is one option, `[-v | -q]` are two.
    fn choice_of_options(&mut self, group: &Group<'_>) {
        let place = Place::Group(group.bracket);
        let start = self.usage.options.len();
        for nodes in &group.alternatives {
            self.sequence(nodes, place, true);
        }
        let pair = self.usage.options.get(start..).and_then(|options| match options {
            [first, second, ..] => Some((first.clone(), second.clone(), options.len())),
            _ => None,
        });
        let Some((first, second, count)) = pair else {
            return;
        };
        let (Some(short), Some(long)) = (first.option.names.first(), second.option.names.first()) else {
            return;
        };
        let initial = |name: &str| {
            name.trim_start_matches('-')
                .chars()
                .next()
                .map(|c| c.to_ascii_lowercase())
        };
        let is_pair = is_single_letter(short) && long.starts_with("--");
        let fits =
            initial(short) == initial(long) || count == 2 && group.tight && group.alternatives.len() == 2;
        let is_other_way = short.starts_with("--") && is_single_letter(long) && group.alternatives.len() == 2;
        if is_pair && fits || is_other_way && (group.tight || initial(short) == initial(long)) {
            let merged = UsageOption {
                option: Grouped {
                    names: [first.option.names, second.option.names].concat(),
                    value: first.option.value.or(second.option.value),
                },
                line: first.line,
                alone: false,
            };
            self.usage.options.splice(start..start + 2, [merged]);
        }
    }

    fn choice_of_words(&mut self, group: &Group<'_>, choices: &[&str], repeats: bool) {
        let is_set = choices.len() > 1 && group.bracket == Bracket::Other;
        if is_set && self.usage.choices.is_empty() {
            self.usage.choices = choices.iter().map(|choice| (*choice).to_owned()).collect();
        }
        let name = choices.join("|");
        self.words.push(UsageWord {
            name,
            required: group.bracket == Bracket::Other,
            variadic: repeats,
            line: self.line,
        });
    }

    fn word(&mut self, word: &str, repeats: bool, place: Place, is_choice: bool) {
        let word = word.trim_end_matches([',', ';', ':']);
        let bare = without_suffix(bare(word));
        if bare.is_empty() || bare == "..." || !bare.chars().any(char::is_alphanumeric) {
            if let Some(last) = self.words.last_mut()
                && bare == "..."
            {
                last.variadic = true;
            }
            return;
        }
        if is_options_word(bare) || bare == "or" {
            return;
        }
        if is_command_word(bare) {
            self.usage.wants_command = true;
        }
        let required = !is_choice && !matches!(place, Place::Group(Bracket::Square));
        if let Some(same) = self.words.iter_mut().find(|known| known.name == bare) {
            // `FILE [FILE...]`
            same.variadic = true;
            return;
        }
        if self.words.len() < MAX_WORDS {
            self.words.push(UsageWord {
                name: bare.to_owned(),
                required,
                variadic: repeats || word.ends_with(".."),
                line: self.line,
            });
        }
    }
}

/// `URL[@REV]`, `HOST[:PORT]`: what may follow is no part of the name.
fn without_suffix(name: &str) -> &str {
    let named = name.split_once('[').filter(|(_, suffix)| suffix.ends_with(']'));
    named.map_or(name, |(name, _)| name).trim_end_matches(['=', ':'])
}

/// `[global options]`, `[build flags]`
fn stands_for_options(group: &Group<'_>) -> bool {
    let [nodes] = group.alternatives.as_slice() else {
        return false;
    };
    matches!(nodes.last().map(|node| &node.piece), Some(Piece::Word(word)) if nodes.len() > 1 && is_options_word(bare(word)))
        && !matches!(nodes.first().map(|node| &node.piece), Some(Piece::Word(word)) if word.starts_with('-'))
}

/// `[flags and files in any order]`, `(print this text)`, `[more options; see below]`: a remark in plain words.
fn is_remark(group: &Group<'_>) -> bool {
    let [nodes] = group.alternatives.as_slice() else {
        return false;
    };
    let words: Vec<&str> = nodes
        .iter()
        .filter_map(|node| match node.piece {
            Piece::Word(word) => Some(word.trim_end_matches([',', ';', ':', '.'])),
            Piece::Group(_) => None,
        })
        .collect();
    let is_plain = |word: &&str| word.bytes().all(|byte| byte.is_ascii_lowercase());
    let says = |word: &&str| is_options_word(word) || *word != "or" && is_prose_word(word);
    words.len() > 2 && words.len() == nodes.len() && words.iter().all(is_plain) && words.iter().any(says)
}

fn begins_option(nodes: &[Node<'_>]) -> bool {
    nodes.first().is_some_and(
        |node| matches!(node.piece, Piece::Word(word) if word.starts_with('-') && word.len() > 1),
    )
}

fn all_options(group: &Group<'_>) -> bool {
    group.alternatives.iter().all(|nodes| begins_option(nodes))
}

/// Whether a group holds words only.
pub(super) fn is_words(group: &Group<'_>) -> bool {
    group.alternatives.iter().flatten().all(|node| match &node.piece {
        Piece::Word(word) => !word.starts_with('-'),
        Piece::Group(group) => is_words(group),
    })
}

fn inner(place: Place, bracket: Bracket) -> Place {
    match (place, bracket) {
        (Place::Group(Bracket::Square), _) => place,
        (Place::Line | Place::Group(_), bracket) => Place::Group(bracket),
    }
}

/// Whether a call shows options with plain words behind them, several times: those are values.
pub(super) fn has_pairs(nodes: &[Node<'_>]) -> bool {
    let pairs = nodes.iter().enumerate().filter(|(at, node)| {
        matches!(node.piece, Piece::Word(word) if word.starts_with('-') && word.len() > 1)
            && nodes.get(at + 1..).and_then(plain_value).is_some()
    });
    pairs.count() > 1
}

/// The plain word that follows, if no other word does.
fn plain_value(behind: &[Node<'_>]) -> Option<RawValue> {
    let word = |at: usize| match behind.get(at).map(|node| &node.piece) {
        Some(Piece::Word(word)) if !word.starts_with('-') => Some(*word),
        Some(Piece::Word(_) | Piece::Group(_)) | None => None,
    };
    let plain = word(0).filter(|text| is_plain_word(text) && word(1).is_none())?;
    Some(RawValue {
        text: plain.to_owned(),
        optional: false,
    })
}

fn is_plain_word(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-' || byte == b'_')
}

/// The one plain word that ends a call.
fn lone_word<'t>(behind: &[Node<'t>]) -> Option<&'t str> {
    let [
        Node {
            piece: Piece::Word(word),
            repeats: false,
        },
    ] = behind
    else {
        return None;
    };
    is_plain_word(word).then_some(*word)
}

/// The value that follows an option, and how many nodes it takes.
fn value(behind: &[Node<'_>], place: Place) -> (Option<RawValue>, usize) {
    let none = (None, 0);
    let Some(first) = behind.first() else {
        return none;
    };
    match &first.piece {
        Piece::Word(word) if word.starts_with('-') || *word == "..." => none,
        Piece::Word(word) => {
            let is_named = word.starts_with('<') || is_upper_word(word);
            if place == Place::Line && !is_named {
                return none;
            }
            let words = behind
                .iter()
                .take_while(|node| matches!(node.piece, Piece::Word(word) if !word.starts_with('-')))
                .count();
            // `[--tags TAG [TAG ...]]`
            let more = behind
                .iter()
                .skip(words)
                .take_while(|node| matches!(&node.piece, Piece::Group(group) if is_words(group)))
                .count();
            let taken = if place == Place::Line { 1 } else { words + more };
            let found = RawValue {
                text: (*word).to_owned(),
                optional: false,
            };
            (Some(found), taken)
        }
        Piece::Group(group) => {
            let text = match literal_choices(group) {
                Some(choices) => choices.join("|"),
                None => match group.alternatives.first().map(Vec::as_slice) {
                    Some(
                        [
                            Node {
                                piece: Piece::Word(word),
                                ..
                            },
                        ],
                    ) if !word.starts_with('-') => (*word).to_owned(),
                    Some(_) | None => return none,
                },
            };
            let optional = group.bracket == Bracket::Square;
            if place == Place::Line && (optional || !text.contains('|')) {
                return none;
            }
            (Some(RawValue { text, optional }), 1)
        }
    }
}

/// `{a,b}`, `[a|b]`: words to choose from, all of them literal.
fn literal_choices<'t>(group: &Group<'t>) -> Option<Vec<&'t str>> {
    let mut choices = Vec::new();
    for nodes in &group.alternatives {
        let [node] = nodes.as_slice() else {
            return None;
        };
        let Piece::Word(word) = node.piece else {
            return None;
        };
        choices.extend(word.split(',').filter(|part| !part.is_empty()));
    }
    let is_literal = |word: &&str| {
        word.starts_with(|c: char| c.is_ascii_lowercase() || c.is_ascii_digit())
            && word
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'))
    };
    (choices.len() > 1 && choices.iter().all(is_literal)).then_some(choices)
}
