//! The verbs of a description: which ones it has, whether they are meant, and what they are done to.
//!
//! A word that is nothing but a verb counts wherever it stands; one that may be a noun counts where verbs stand. A
//! verb that is denied ("does not delete") does not count. Putting one more word into a sentence never takes away what
//! another one says, unless the new word says it itself: a test holds that.

use super::evidence::{Evidence, Place};
use super::lemma::{Form, Verb, verb};
use super::vocabulary::{DISKS, Meaning, PARTICLES, SHAPING, Where};
use super::words::{Token, tokens};

/// Words in front of the first verb: "This command can be used to list …".
const LEAD: &[&str] = &[
    "this",
    "the",
    "a",
    "an",
    "command",
    "commands",
    "subcommand",
    "tool",
    "program",
    "utility",
    "script",
    "application",
    "app",
    "cli",
    "is",
    "are",
    "be",
    "for",
    "to",
    "used",
    "use",
    "uses",
    "useful",
    "allows",
    "allow",
    "lets",
    "helps",
    "you",
    "users",
    "will",
    "can",
    "it",
    "which",
    "that",
    "simple",
    "small",
    "fast",
    "tiny",
    "also",
    "just",
    "optionally",
    "only",
];

/// Words after which a verb stands.
const BEFORE_VERBS: &[&str] = &[
    "and", "or", "then", "to", "also", "by", "for", "can", "will", "may", "must", "should", "you", "it",
    "which", "that", "this", "not", "nor", "command", "they", "instead", "please", "and/or", "scripts",
    "code", "tests",
];

/// Subjects: what follows in the third person is their verb.
const SUBJECTS: &[&str] = &[
    "it", "which", "that", "this", "command", "and", "or", "then", "also", "tool", "program",
];

const BE: &[&str] = &["be", "is", "are", "was", "were", "been", "being", "gets", "get"];

const NEGATORS: &[&str] = &[
    "not", "never", "without", "no", "cannot", "don't", "doesn't", "won't", "can't", "isn't", "aren't",
    "instead", "rather", "avoid", "avoids", "prevent", "prevents", "neither", "dont",
];

/// Words that may stand between a denial and its verb.
const BETWEEN: &[&str] = &[
    "be", "been", "being", "to", "of", "than", "any", "ever", "actually", "from", "also",
];

/// Words in front of what a verb is done to.
const DETERMINERS: &[&str] = &[
    "a",
    "an",
    "the",
    "one",
    "more",
    "all",
    "any",
    "new",
    "existing",
    "given",
    "specified",
    "this",
    "these",
    "your",
    "its",
    "some",
    "multiple",
    "several",
    "unused",
    "local",
    "remote",
    "current",
    "selected",
    "or",
    "of",
    "empty",
    "old",
    "every",
    "each",
    "single",
    "specific",
    "named",
    "another",
    "and",
    "from",
    "my",
    "their",
    "in",
    "on",
    "to",
    "into",
];

/// How far the object of a verb is looked for.
const REACH: usize = 5;

/// What a description says.
#[derive(Debug, Default)]
pub(super) struct Said {
    /// Everything that counts, in order.
    pub(super) found: Vec<Evidence>,
    /// What its first verb says, if it is known.
    pub(super) head: Option<Meaning>,
}

/// Reads a description.
pub(super) fn read(text: &str) -> Said {
    let tokens = tokens(text);
    let mut said = Said::default();
    let first = head(&tokens, 0);
    for (at, token) in tokens.iter().enumerate() {
        let Some(word) = token.word() else { continue };
        let is_head = Some(at) == first || (starts_sentence(&tokens, at) && head(&tokens, at) == Some(at));
        let meaning = irreversible(&tokens, at, word).or_else(|| meaning(&tokens, at, word, is_head));
        if Some(at) == first {
            said.head = meaning;
            said.found.extend(unknown_company(&tokens, at));
        }
        said.found.extend(meaning.map(|meaning| Evidence {
            meaning,
            place: Place::Description,
            word: word.to_owned(),
            object: object(&tokens, at),
        }));
    }
    said
}

/// Returns where the first verb of the sentence stands that begins at `from`, if a verb stands there.
fn head(tokens: &[Token], from: usize) -> Option<usize> {
    let sentence = tokens.get(from..)?;
    // "name - what it does": what is before the dash is no sentence.
    let dash = sentence
        .iter()
        .take(6)
        .position(|token| matches!(token, Token::Dash))
        .map_or(0, |at| at + 1);
    sentence
        .iter()
        .enumerate()
        .skip(dash)
        .find(|(_, token)| !matches!(token, Token::Word(word) if LEAD.contains(&word.as_str()) || is_adverb(word)))
        .filter(|(_, token)| token.word().is_some())
        .map(|(at, _)| from + at)
}

fn starts_sentence(tokens: &[Token], at: usize) -> bool {
    match before(tokens, at) {
        None | Some(Token::Stop | Token::Dash) => true,
        Some(Token::Word(_) | Token::Join) => false,
    }
}

fn before(tokens: &[Token], at: usize) -> Option<&Token> {
    tokens.get(at.checked_sub(1)?)
}

fn word_before(tokens: &[Token], at: usize) -> Option<&str> {
    before(tokens, at).and_then(Token::word)
}

/// "Permanently", "quickly": it tells how. What also tells something else is no mere adverb.
fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") && verb(word).is_none() && word != "apply" && word != "reply"
}

fn meaning(tokens: &[Token], at: usize, word: &str, is_head: bool) -> Option<Meaning> {
    let known = verb(word);
    if denied(tokens, at) {
        return None;
    }
    let stands = is_head || stands_as_verb(tokens, at, known.as_ref());
    if let Some(meaning) = with_particle(tokens, at, word).filter(|_| stands) {
        return Some(meaning);
    }
    let known = known?;
    let counts = match known.form {
        Form::Base | Form::Ing | Form::Third => known.is_plain() || stands,
        Form::Past => happens(tokens, at),
        Form::Noun => known.is_plain(),
    };
    if !counts {
        return None;
    }
    if shapes_a_disk(tokens, at, word) {
        return Some(Meaning::Remove);
    }
    known.meaning(|place| match place {
        Where::Anywhere | Where::Verb | Where::Text => true,
        Where::Name | Where::Noun => false,
    })
}

/// Whether a word stands where a verb does.
fn stands_as_verb(tokens: &[Token], at: usize, known: Option<&Verb>) -> bool {
    let is_third = known.is_some_and(|known| known.form == Form::Third);
    match before(tokens, at) {
        None | Some(Token::Stop | Token::Dash) => true,
        // "Lists and removes", but "List issues and changes".
        Some(Token::Join) => !is_third || head_is_third(tokens),
        Some(Token::Word(word)) if is_adverb(word) => true,
        Some(Token::Word(word)) => match (is_third, word.as_str()) {
            (true, "and" | "or") => head_is_third(tokens),
            (true, word) => SUBJECTS.contains(&word),
            (false, word) => BEFORE_VERBS.contains(&word),
        },
    }
}

fn head_is_third(tokens: &[Token]) -> bool {
    let first = head(tokens, 0).and_then(|at| tokens.get(at)?.word());
    let form = first.and_then(verb).map(|verb| verb.form);
    // Nothing is known of the sentence, so the worse reading counts.
    form.is_none_or(|form| form == Form::Third)
}

/// Whether a past form tells what happens: "is deleted".
fn happens(tokens: &[Token], at: usize) -> bool {
    let mut at = at;
    while let Some(word) = word_before(tokens, at) {
        if BE.contains(&word) {
            return true;
        }
        if !is_adverb(word) && verb(word).is_none_or(|verb| !verb.is_plain()) {
            return false;
        }
        at -= 1;
    }
    false
}

/// Whether it is said not to happen: "does not delete", "without removing", "never creates or deletes".
fn denied(tokens: &[Token], at: usize) -> bool {
    let mut at = at;
    if matches!(word_before(tokens, at), Some("or" | "nor")) {
        at -= 1;
        if word_before(tokens, at).and_then(verb).is_some() {
            at -= 1;
        }
    }
    while let Some(word) = word_before(tokens, at) {
        if NEGATORS.contains(&word) {
            return !matches!(word_at(tokens, at), Some("only" | "just" | "merely"));
        }
        if !BETWEEN.contains(&word) && !is_adverb(word) {
            return false;
        }
        at -= 1;
    }
    false
}

fn word_at(tokens: &[Token], at: usize) -> Option<&str> {
    tokens.get(at).and_then(Token::word)
}

/// "Cannot be undone", "not recoverable".
fn irreversible(tokens: &[Token], at: usize, word: &str) -> Option<Meaning> {
    let way_back = [
        "undone",
        "recovered",
        "reversed",
        "restored",
        "reverted",
        "recoverable",
        "reversible",
    ];
    if !way_back.contains(&word) {
        return None;
    }
    let sentence = tokens.iter().take(at).rev();
    let mut words = sentence
        .take_while(|token| !matches!(token, Token::Stop))
        .filter_map(Token::word);
    words
        .any(|word| NEGATORS.contains(&word))
        .then_some(Meaning::Undo)
}

fn with_particle(tokens: &[Token], at: usize, word: &str) -> Option<Meaning> {
    let next = word_at(tokens, at + 1)?;
    let base = |verb: &str| word == verb || word.strip_suffix('s') == Some(verb);
    PARTICLES
        .iter()
        .find(|(verb, particles, _)| base(verb) && particles.contains(&next))
        .map(|(_, _, meaning)| *meaning)
}

fn shapes_a_disk(tokens: &[Token], at: usize, word: &str) -> bool {
    let shapes = SHAPING
        .iter()
        .any(|verb| word == *verb || word.strip_suffix('s') == Some(*verb));
    shapes && words_after(tokens, at).any(|word| DISKS.contains(&word))
}

fn words_after(tokens: &[Token], at: usize) -> impl Iterator<Item = &str> {
    tokens.iter().skip(at + 1).take(REACH).map_while(Token::word)
}

fn object(tokens: &[Token], at: usize) -> Option<String> {
    let mut words = words_after(tokens, at).skip_while(|word| DETERMINERS.contains(word));
    let word = words.next()?;
    let fits = word.len() <= 32
        && word
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
    fits.then(|| word.to_owned())
}

/// "Show or FROB": a verb that nobody knows, beside the first one.
fn unknown_company(tokens: &[Token], at: usize) -> Option<Evidence> {
    let joins = |token: &Token| match token {
        Token::Join => true,
        Token::Word(word) => matches!(word.as_str(), "and" | "or" | "then"),
        Token::Dash | Token::Stop => false,
    };
    let mut rest = tokens.iter().skip(at + 1).skip_while(|token| joins(token));
    let has_company = tokens.get(at + 1).is_some_and(joins);
    let word = rest.next()?.word()?;
    (has_company && verb(word).is_none()).then(|| Evidence {
        meaning: Meaning::Doubt,
        place: Place::Description,
        word: word.to_owned(),
        object: None,
    })
}
