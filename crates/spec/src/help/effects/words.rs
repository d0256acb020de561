//! Text as words: names taken apart, sentences with their joints. Bounded, and never an error.

/// How much of a text is read.
const MOST_BYTES: usize = 16 * 1024;
/// How many words of it count.
const MOST_WORDS: usize = 2000;

/// One piece of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, in lower case.
    Word(String),
    /// Something that joins: a comma, a slash, a parenthesis.
    Join,
    /// A dash that stands alone: what follows is said anew.
    Dash,
    /// The end of a sentence.
    Stop,
}

impl Token {
    /// Returns the word, if it is one.
    pub(super) fn word(&self) -> Option<&str> {
        match self {
            Self::Word(word) => Some(word),
            Self::Join | Self::Dash | Self::Stop => None,
        }
    }
}

/// Returns the pieces of a description.
pub(super) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut word = String::new();
    for character in bounded(text) {
        if character.is_alphanumeric() || (matches!(character, '-' | '\'' | '_') && !word.is_empty()) {
            word.extend(character.to_lowercase());
            continue;
        }
        close(&mut word, &mut found);
        match character {
            '.' | ';' | '!' | '?' | ':' => found.push(Token::Stop),
            ',' | '/' | '&' | '|' | '+' | '(' | ')' | '[' | ']' => found.push(Token::Join),
            '-' | '–' | '—' => found.push(Token::Dash),
            _ => {}
        }
        if found.len() >= MOST_WORDS {
            return found;
        }
    }
    close(&mut word, &mut found);
    found
}

fn close(word: &mut String, found: &mut Vec<Token>) {
    let whole = std::mem::take(word);
    let trimmed = whole.trim_matches(['-', '\'', '_']);
    if !trimmed.is_empty() {
        found.push(Token::Word(trimmed.to_owned()));
    }
}

/// Returns the parts of a name: `list-buckets`, `list_buckets` and `listBuckets` are `list` and `buckets`.
pub(super) fn parts(name: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut part = String::new();
    let mut was_lower = false;
    for character in bounded(name) {
        let ends = !character.is_alphanumeric() || (character.is_uppercase() && was_lower);
        if ends && !part.is_empty() {
            found.push(std::mem::take(&mut part));
        }
        if character.is_alphanumeric() {
            part.extend(character.to_lowercase());
        }
        was_lower = character.is_lowercase();
        if found.len() >= MOST_WORDS {
            return found;
        }
    }
    if !part.is_empty() {
        found.push(part);
    }
    found
}

fn bounded(text: &str) -> impl Iterator<Item = char> {
    text.char_indices()
        .take_while(|(at, _)| *at < MOST_BYTES)
        .map(|(_, character)| character)
}
