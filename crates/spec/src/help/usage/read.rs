//! What usage lines say: options, words without a flag, commands to choose from.

use super::collect::Call;
use super::tree::{Bracket, Node, Piece, tree};
use super::walk::{Place, Walk, has_pairs, is_words};
use super::word::{is_command_word, is_options_word};
use crate::help::Subject;
use crate::help::head::{Grouped, RawValue};
use crate::help::text::{is_placeholder, is_upper_word};

/// The most words that are remembered.
const MAX_PLAIN: usize = 1000;
/// The most words that may be values at the end of calls.
pub(super) const MAX_LONE: usize = 64;

/// An option of a usage line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsageOption {
    pub(crate) option: Grouped,
    pub(crate) line: usize,
    /// Whether nothing else stands in its brackets, so that `[-abc]` may be `-a`, `-b` and `-c`.
    pub(crate) alone: bool,
}

/// A word without a flag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct UsageWord {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) variadic: bool,
    pub(crate) line: usize,
}

/// What all usage lines of a page say.
#[derive(Debug, Clone, Default)]
pub(crate) struct Usage {
    pub(crate) options: Vec<UsageOption>,
    pub(crate) words: Vec<UsageWord>,
    /// The words of the calls that begin with no literal word.
    pub(crate) without_verb: Vec<UsageWord>,
    /// Words that are chosen from where a command stands: `{add,remove} ...`.
    pub(crate) choices: Vec<String>,
    /// Whether a command is expected.
    pub(crate) wants_command: bool,
    /// Literal words that calls begin with, and their lines: `tool add NAME`, `tool remove NAME`.
    pub(crate) verbs: Vec<(String, usize)>,
    /// How many calls there are.
    calls: usize,
    /// Words that stand on their own in some call.
    plain: Vec<String>,
    /// `-x word` at the end of calls: a value, or a switch and a word.
    pub(super) lone: Vec<Lone>,
}

/// An option and the plain word behind it, which ends the call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lone {
    pub(super) option: Vec<String>,
    pub(super) word: String,
}

impl Usage {
    /// Reads one call of the command.
    pub(crate) fn read(&mut self, call: &Call, subject: &Subject<'_>) {
        let root = tree(&call.text);
        self.calls += 1;
        let first = root.alternatives.first().map(|nodes| behind_name(nodes, subject));
        let verb = first.and_then(verb);
        if let Some(verb) = verb {
            self.verbs.push((verb.to_owned(), call.line));
        }
        let mut walk = Walk {
            usage: self,
            line: call.line,
            words: Vec::new(),
            has_pairs: root.alternatives.iter().any(|nodes| has_pairs(nodes)),
            lone: None,
        };
        let alternatives = root.alternatives.len();
        for (index, nodes) in root.alternatives.iter().enumerate() {
            // `tool [FILE] | tool COMMAND`
            let is_named = matches!(nodes.first().map(|node| &node.piece), Some(Piece::Word(word)) if *word == subject.name);
            let nodes = if index == 0 || is_named {
                behind_name(nodes, subject)
            } else {
                nodes
            };
            walk.sequence(nodes, Place::Line, alternatives > 1);
        }
        let (words, lone) = (walk.words, walk.lone);
        let others = words.iter().filter(|word| Some(&word.name) != lone.as_ref());
        let room = MAX_PLAIN.saturating_sub(self.plain.len());
        self.plain.extend(others.map(|word| word.name.clone()).take(room));
        if verb.is_none() && self.without_verb.len() < words.len() {
            self.without_verb.clone_from(&words);
        }
        // The first call that has words is the one that is shown; later ones are other ways to say it.
        if self.words.len() < words.len() {
            self.words = words;
        }
    }

    /// Gives options the word that ends their call, if there are other calls and none of them has it.
    pub(crate) fn settle(&mut self) {
        if self.calls < 2 {
            return;
        }
        for Lone { option, word } in std::mem::take(&mut self.lone) {
            if self.plain.contains(&word) {
                continue;
            }
            self.words.retain(|known| known.name != word);
            let found = self.options.iter_mut().find(|found| found.option.names == option);
            if let Some(found) = found.filter(|found| found.option.value.is_none()) {
                found.alone = false;
                found.option.value = Some(RawValue {
                    text: word,
                    optional: false,
                });
            }
        }
    }

    /// Returns the commands that the calls begin with, if they are commands: several, and most of the calls.
    pub(crate) fn commands(&self) -> Vec<(&str, usize)> {
        let mut commands: Vec<(&str, usize)> = Vec::new();
        for (verb, line) in &self.verbs {
            if !commands.iter().any(|(known, _)| known == verb) {
                commands.push((verb, *line));
            }
        }
        let is_most = self.verbs.len() * 2 >= self.calls;
        let clear = commands.iter().filter(|(verb, _)| !is_placeholder(verb)).count();
        if clear > 1 && is_most {
            commands
        } else {
            Vec::new()
        }
    }

    /// Reads options that stand in brackets below a heading, without a call.
    pub(crate) fn read_options(&mut self, call: &Call) {
        let root = tree(&call.text);
        let mut walk = Walk {
            usage: self,
            line: call.line,
            words: Vec::new(),
            has_pairs: false,
            lone: None,
        };
        for nodes in &root.alternatives {
            walk.sequence(nodes, Place::Group(Bracket::Other), false);
        }
    }
}

/// The literal word that a call begins with.
fn verb<'t>(nodes: &[Node<'t>]) -> Option<&'t str> {
    let Some(Node {
        piece: Piece::Word(word),
        repeats: false,
    }) = nodes.first()
    else {
        return None;
    };
    let is_literal = word.len() > 1
        && word.starts_with(|c: char| c.is_ascii_lowercase())
        && word
            .bytes()
            .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        && !is_command_word(word)
        && !is_options_word(word);
    is_literal.then_some(*word)
}

/// Leaves out the program and the command that the page is about.
fn behind_name<'n, 't>(nodes: &'n [Node<'t>], subject: &Subject<'_>) -> &'n [Node<'t>] {
    let word = |at: usize| match nodes.get(at).map(|node| &node.piece) {
        Some(Piece::Word(word)) => Some(*word),
        Some(Piece::Group(_)) | None => None,
    };
    let mut at = 0;
    while word(at).is_some_and(|word| matches!(word, "$" | ">" | "%")) {
        at += 1;
    }
    if word(at).is_some_and(|word| !word.starts_with(['-', '<'])) {
        at += 1;
    }
    for name in subject.path {
        // `tool [global options] command`
        let is_skipped = nodes.get(at).is_some_and(|node| match &node.piece {
            Piece::Word(_) => false,
            Piece::Group(group) => is_words(group),
        });
        if is_skipped && word(at + 1) == Some(name) {
            at += 1;
        }
        let is_literal = |word: &str| !word.starts_with(['-', '<']) && !is_upper_word(word) && word.len() > 1;
        if word(at) == Some(name) || word(at).is_some_and(is_literal) && word(at) != Some("...") {
            at += 1;
        }
    }
    nodes.get(at..).unwrap_or_default()
}
