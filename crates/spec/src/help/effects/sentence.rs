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

/// Words that begin what is said about a thing.
const RELATIVE: &[&str] = &["that", "which", "they", "may"];

/// What is seen elsewhere was started by somebody.
const ELSEWHERE: &[&str] = &["browser", "editor"];

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

/// What cannot be had back if it is denied: "cannot be undone".
const WAYS_BACK: &[&str] = &[
    "undone",
    "recovered",
    "reversed",
    "restored",
    "reverted",
    "recoverable",
    "reversible",
];

/// How far the words that belong to a verb may be from it.
const REACH: usize = 6;

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
    let text = Text::new(text);
    let mut said = Said::default();
    let mut is_denial = false;
    for (at, token) in text.tokens.iter().enumerate() {
        let Some(word) = token.word() else {
            is_denial &= !matches!(token, Token::Stop);
            continue;
        };
        let meaning = text
            .irreversible(word, is_denial)
            .or_else(|| text.meaning(at, word))
            .or_else(|| ELSEWHERE.contains(&word).then_some(Meaning::Doubt));
        is_denial |= NEGATORS.contains(&word);
        if Some(at) == text.first {
            said.head = meaning;
            said.found.extend(text.unknown_company(at).filter(|_| text.shows));
        }
        said.found.extend(meaning.map(|meaning| Evidence {
            meaning,
            place: Place::Description,
            word: word.to_owned(),
            object: text.object(at),
        }));
    }
    said
}

/// A clause may be long: however many words stand between "format" and the disk, it is the disk that is meant.
fn before_disk(tokens: &[Token]) -> Vec<bool> {
    let mut named = false;
    let mut before: Vec<bool> = tokens
        .iter()
        .rev()
        .map(|token| {
            let here = named;
            named = token.word().is_some_and(|word| named || DISKS.contains(&word));
            here
        })
        .collect();
    before.reverse();
    before
}

/// A description, with what is known of it as a whole.
struct Text {
    tokens: Vec<Token>,
    /// Where its first verb stands.
    first: Option<usize>,
    /// Whether that one shows something.
    shows: bool,
    /// Whether that one stands in the third person, or may.
    is_third: bool,
    /// For each place, whether a disk is named behind it before the clause ends.
    before_disk: Vec<bool>,
}

impl Text {
    fn new(text: &str) -> Self {
        let tokens = tokens(text);
        let first = head(&tokens, 0);
        let word = first.and_then(|at| tokens.get(at)?.word());
        let known = word.and_then(verb);
        let meaning = first.and_then(|at| with_particle(&tokens, at));
        let meaning = meaning.or_else(|| known.and_then(|verb| verb.meaning(in_text)));
        Self {
            first,
            shows: meaning == Some(Meaning::Show),
            // Where nothing is known of the sentence, the worse reading counts.
            is_third: known.is_none_or(|verb| verb.form == Form::Third),
            before_disk: before_disk(&tokens),
            tokens,
        }
    }

    fn before(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at.checked_sub(1)?)
    }

    /// Returns the words before a place, the nearest first, as far as one has to look.
    fn words_before(&self, at: usize) -> impl Iterator<Item = &str> {
        let before = self.tokens.get(..at).unwrap_or_default();
        before.iter().rev().take(REACH).map_while(Token::word)
    }

    fn words_after(&self, at: usize) -> impl Iterator<Item = &str> {
        self.tokens.iter().skip(at + 1).take(REACH).map_while(Token::word)
    }

    fn is_head(&self, at: usize) -> bool {
        let starts = match self.before(at) {
            None | Some(Token::Stop | Token::Dash) => true,
            Some(Token::Word(_) | Token::Join) => false,
        };
        Some(at) == self.first || (starts && head(&self.tokens, at) == Some(at))
    }

    fn meaning(&self, at: usize, word: &str) -> Option<Meaning> {
        let known = verb(word);
        if self.denies(at) {
            return None;
        }
        let is_thing = matches!(self.before(at).and_then(Token::word), Some("a" | "an" | "the"));
        let stands = !is_thing && (self.is_head(at) || self.stands_as_verb(at, known.as_ref()));
        if let Some(meaning) = with_particle(&self.tokens, at).filter(|_| stands) {
            return Some(meaning);
        }
        let known = known?;
        let counts = match known.form {
            Form::Base | Form::Ing | Form::Third => known.is_plain() || stands,
            // "List what was built" tells of something; "removed" is still a word to be wary of.
            Form::Past => self.happens(at) && (known.is_plain() || !self.shows),
            Form::Noun => known.is_plain(),
        };
        if !counts {
            return None;
        }
        if self.shapes_a_disk(at, word) {
            return Some(Meaning::Remove);
        }
        known.meaning(in_text)
    }

    /// Whether a word stands where a verb does.
    fn stands_as_verb(&self, at: usize, known: Option<&Verb>) -> bool {
        let is_third = known.is_some_and(|known| known.form == Form::Third);
        match self.before(at) {
            None | Some(Token::Stop | Token::Dash) => true,
            // "Lists and removes", but "List issues and changes".
            Some(Token::Join) => !is_third || self.is_third,
            Some(Token::Word(word)) if is_adverb(word) => true,
            // "Show files that they change": what is shown does something, not the command.
            Some(Token::Word(word)) if RELATIVE.contains(&word.as_str()) => !self.shows,
            Some(Token::Word(word)) => match (is_third, word.as_str()) {
                (true, "and" | "or") => self.is_third,
                (true, word) => SUBJECTS.contains(&word),
                (false, word) => BEFORE_VERBS.contains(&word),
            },
        }
    }

    /// Whether a past form tells what happens: "is deleted".
    fn happens(&self, at: usize) -> bool {
        let is_between = |word: &&str| is_adverb(word) || verb(word).is_some_and(|verb| verb.is_plain());
        let mut words = self.words_before(at).skip_while(is_between);
        words.next().is_some_and(|word| BE.contains(&word))
    }

    /// Whether it is said not to happen: "does not delete", "without removing", "never creates or deletes".
    fn denies(&self, at: usize) -> bool {
        let mut words: Vec<&str> = self.words_before(at).collect();
        words.reverse();
        if words.pop_if(|word| matches!(*word, "or" | "nor")).is_some() {
            words.pop_if(|word| verb(word).is_some());
        }
        let mut last = None;
        while let Some(word) = words.pop() {
            if NEGATORS.contains(&word) {
                return !matches!(last, Some("only" | "just" | "merely"));
            }
            if !BETWEEN.contains(&word) && !word.ends_with("ly") {
                return false;
            }
            last = Some(word);
        }
        false
    }

    /// "Cannot be undone", "not recoverable".
    fn irreversible(&self, word: &str, is_denial: bool) -> Option<Meaning> {
        let way_back = WAYS_BACK.contains(&word);
        (way_back && is_denial).then_some(Meaning::Undo)
    }

    fn shapes_a_disk(&self, at: usize, word: &str) -> bool {
        let is_verb = |verb: &&str| word == *verb || word.strip_suffix('s') == Some(*verb);
        let is_file_system = || {
            let both = self.words_after(at).zip(self.words_after(at).skip(1));
            both.into_iter()
                .any(|pair| matches!(pair, ("file", "system" | "systems")))
        };
        SHAPING.iter().any(is_verb) && (self.before_disk.get(at) == Some(&true) || is_file_system())
    }

    fn object(&self, at: usize) -> Option<String> {
        let mut words = self.words_after(at).skip_while(|word| DETERMINERS.contains(word));
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        let word = words.next()?;
        (word.len() <= 32 && word.bytes().all(is_plain)).then(|| word.to_owned())
    }

    /// "Show or FROB": a verb that nobody knows, beside the first one.
    fn unknown_company(&self, at: usize) -> Option<Evidence> {
        let joins = |token: &&Token| match token {
            Token::Join => true,
            Token::Word(word) => matches!(word.as_str(), "and" | "or" | "then"),
            Token::Dash | Token::Stop => false,
        };
        let has_company = self.tokens.get(at + 1).is_some_and(|token| joins(&token));
        let mut rest = self.tokens.iter().skip(at + 1).skip_while(joins);
        let word = rest.next()?.word()?;
        (has_company && verb(word).is_none()).then(|| Evidence {
            meaning: Meaning::Doubt,
            place: Place::Description,
            word: word.to_owned(),
            object: None,
        })
    }
}

/// What a verb of two words says: "log in", "clean up".
fn with_particle(tokens: &[Token], at: usize) -> Option<Meaning> {
    let word = tokens.get(at)?.word()?;
    let next = tokens.get(at + 1)?.word()?;
    let is_verb = |verb: &str| word == verb || word.strip_suffix('s') == Some(verb);
    PARTICLES
        .iter()
        .find(|(verb, particles, _)| is_verb(verb) && particles.contains(&next))
        .map(|(_, _, meaning)| *meaning)
}

fn in_text(place: Where) -> bool {
    match place {
        Where::Anywhere | Where::Verb | Where::Text => true,
        Where::Name | Where::First | Where::Noun => false,
    }
}

/// Returns where the first verb of the sentence stands that begins at `from`, if a verb stands there.
fn head(tokens: &[Token], from: usize) -> Option<usize> {
    let sentence = tokens.get(from..)?;
    // "name - what it does": what is before the dash is no sentence.
    let dash = sentence
        .iter()
        .take(REACH)
        .position(|token| matches!(token, Token::Dash))
        .map_or(0, |at| at + 1);
    let leads = |token: &Token| {
        token
            .word()
            .is_some_and(|word| LEAD.contains(&word) || is_adverb(word))
    };
    sentence
        .iter()
        .enumerate()
        .skip(dash)
        .find(|(_, token)| !leads(token))
        .filter(|(_, token)| token.word().is_some())
        .map(|(at, _)| from + at)
}

/// "Recursively", "quickly": it tells how. What also tells something else is no mere adverb.
fn is_adverb(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ly") && verb(word).is_none()
}
