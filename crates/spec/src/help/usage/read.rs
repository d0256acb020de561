//! What usage lines say: options, words without a flag, commands to choose from.

use super::collect::Call;
use super::tree::{Bracket, Group, Node, Piece, tree};
use crate::help::Subject;
use crate::help::head::{Grouped, RawValue, group, is_single_letter, parse};
use crate::help::text::{is_placeholder, is_upper_word};

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
    /// Words that are chosen from where a command stands: `{add,remove} ...`.
    pub(crate) choices: Vec<String>,
    /// Whether a command is expected.
    pub(crate) wants_command: bool,
    /// Literal words that calls begin with, and their lines: `tool add NAME`, `tool remove NAME`.
    pub(crate) verbs: Vec<(String, usize)>,
    /// How many calls there are.
    calls: usize,
}

const MAX_ITEMS: usize = 5000;

impl Usage {
    /// Reads one call of the command.
    pub(crate) fn read(&mut self, call: &Call, subject: &Subject<'_>) {
        let root = tree(&call.text);
        self.calls += 1;
        let first = root.alternatives.first().map(|nodes| behind_name(nodes, subject));
        if let Some(verb) = first.and_then(verb) {
            self.verbs.push((verb.to_owned(), call.line));
        }
        let mut walk = Walk {
            usage: self,
            line: call.line,
            words: Vec::new(),
        };
        let alternatives = root.alternatives.len();
        for (index, nodes) in root.alternatives.iter().enumerate() {
            let nodes = if index == 0 {
                behind_name(nodes, subject)
            } else {
                nodes
            };
            walk.sequence(nodes, Place::Line, alternatives > 1);
        }
        let words = walk.words;
        // The first call that has words is the one that is shown; later ones are other ways to say it.
        if self.words.len() < words.len() {
            self.words = words;
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
        };
        for nodes in &root.alternatives {
            walk.sequence(nodes, Place::Line, false);
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
    while word(at).is_some_and(|word| matches!(word, "$" | ">" | "%" | "sudo" | "python" | "python3" | "-m"))
    {
        at += 1;
    }
    if word(at).is_some_and(|word| !word.starts_with(['-', '<'])) {
        at += 1;
    }
    for name in subject.path {
        let is_literal = |word: &str| !word.starts_with(['-', '<']) && !is_upper_word(word) && word.len() > 1;
        if word(at) == Some(name) || word(at).is_some_and(is_literal) && word(at) != Some("...") {
            at += 1;
        }
    }
    nodes.get(at..).unwrap_or_default()
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Line,
    Group(Bracket),
}

struct Walk<'u> {
    usage: &'u mut Usage,
    line: usize,
    words: Vec<UsageWord>,
}

impl Walk<'_> {
    fn sequence(&mut self, nodes: &[Node<'_>], place: Place, is_choice: bool) {
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
                Piece::Group(group) => self.group(group, node.repeats, place, is_choice),
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
        let (value, taken) = if has_value {
            (None, 0)
        } else {
            value(behind, place)
        };
        for option in &mut options {
            if option.value.is_none() {
                option.value.clone_from(&value);
            }
        }
        for option in options {
            self.push(option, alone && taken == 0);
        }
        taken
    }

    fn push(&mut self, option: Grouped, alone: bool) {
        if option.names.iter().any(|name| is_stand_in(name)) || self.usage.options.len() > MAX_ITEMS {
            return;
        }
        self.usage.options.push(UsageOption {
            option,
            line: self.line,
            alone,
        });
    }

    fn group(&mut self, group: &Group<'_>, repeats: bool, place: Place, is_choice: bool) {
        let begins_option = |nodes: &Vec<Node<'_>>| {
            nodes.first().is_some_and(
                |node| matches!(node.piece, Piece::Word(word) if word.starts_with('-') && word.len() > 1),
            )
        };
        if stands_for_options(group) {
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
        let bare = bare(word);
        if bare.is_empty() || bare == "..." || !bare.chars().any(char::is_alphanumeric) {
            if let Some(last) = self.words.last_mut()
                && bare == "..."
            {
                last.variadic = true;
            }
            return;
        }
        if is_options_word(bare) {
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
        if self.words.len() < 64 {
            self.words.push(UsageWord {
                name: bare.to_owned(),
                required,
                variadic: repeats || word.ends_with("..."),
                line: self.line,
            });
        }
    }
}

/// `[global options]`, `[build flags]`
fn stands_for_options(group: &Group<'_>) -> bool {
    let [nodes] = group.alternatives.as_slice() else {
        return false;
    };
    matches!(nodes.last().map(|node| &node.piece), Some(Piece::Word(word)) if nodes.len() > 1 && is_options_word(bare(word)))
        && !matches!(nodes.first().map(|node| &node.piece), Some(Piece::Word(word)) if word.starts_with('-'))
}

fn inner(place: Place, bracket: Bracket) -> Place {
    match (place, bracket) {
        (Place::Group(Bracket::Square), _) => place,
        (Place::Line | Place::Group(_), bracket) => Place::Group(bracket),
    }
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
            let taken = if place == Place::Line { 1 } else { words };
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

/// Returns a word without brackets and dots.
pub(crate) fn bare(word: &str) -> &str {
    let word = word.trim_end_matches("...").trim_end_matches(',');
    word.strip_prefix('<')
        .and_then(|rest| rest.split('>').next())
        .unwrap_or(word)
        .trim_matches(['"', '\'', '`'])
}

/// `-opts`, `--option`: they stand for options.
fn is_stand_in(name: &str) -> bool {
    is_options_word(name.trim_start_matches('-')) && name.len() > 3
}

/// Whether a word stands for all options.
pub(crate) fn is_options_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    let last = lower.rsplit(['-', '_', ' ', '/']).next().unwrap_or_default();
    matches!(
        last,
        "option" | "options" | "flag" | "flags" | "opts" | "opt" | "switches" | "option(s)" | "flag(s)"
    )
}

/// Whether a word stands for a command of this program.
pub(crate) fn is_command_word(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    matches!(
        lower.as_str(),
        "command"
            | "commands"
            | "subcommand"
            | "sub-command"
            | "cmd"
            | "subcmd"
            | "action"
            | "topic"
            | "group"
            | "verb"
    )
}
