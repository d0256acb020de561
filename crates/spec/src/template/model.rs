//! A template that was read.

use std::ops::Range;

use serde_json::Value;

/// The words after a program, with placeholders.
#[derive(Debug, Clone, PartialEq)]
pub struct Template {
    pub(super) words: Vec<Word>,
}

/// One word of a template.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Word {
    /// A word as it is.
    Literal(String),
    /// One placeholder and nothing else: no word, one or several.
    Whole(Hole, Place),
    /// Text with placeholders in it: always one word.
    Mixed(Vec<Part>, Lead),
}

/// A part of a word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Part {
    /// Text as it is.
    Text(String),
    /// A placeholder.
    Hole(Hole),
}

/// What a mixed word begins with.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Lead {
    /// Text that says what the word is: `--base=`, `HEAD~`.
    Text,
    /// An option of one dash that the value is attached to: `-n`. Without a value it would take the next word.
    Dash(String),
    /// A value, at this place.
    Value(Place),
}

/// Where a value stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// Where an option could stand, too.
    Open,
    /// Behind this option, which may or may not take a value.
    Behind(String),
    /// Behind `--`, where nothing is an option.
    Last,
}

/// One placeholder.
#[derive(Debug, Clone, PartialEq)]
pub struct Hole {
    /// What it is about.
    pub source: Source,
    /// What is done to it, in order.
    pub filters: Vec<Filter>,
    /// What becomes of it.
    pub ending: Ending,
    /// Which word of the template it stands in, from 0.
    pub word: usize,
    /// Which bytes of that word it is.
    pub at: Range<usize>,
}

/// What a placeholder is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An input of the tool, and the way into it.
    Input(Vec<String>),
    /// Something that the host says about the call.
    Context(Vec<String>),
    /// What a person gave in a step of the setup.
    Value,
}

/// What is done to a value.
#[derive(Debug, Clone, PartialEq)]
pub enum Filter {
    /// This takes the place of one that is missing.
    Default(Value),
    /// It is written as JSON.
    Json,
}

/// What becomes of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ending {
    /// It stands for itself.
    Plain,
    /// It stands behind this option, and with nothing given neither is there. Behind `--x=` it is attached.
    Optional(String),
    /// True is this word, false is none.
    Flag(String),
}

impl Source {
    /// Returns its name as a template writes it.
    pub fn name(&self) -> String {
        match self {
            Self::Input(steps) => format!("input.{}", steps.join(".")),
            Self::Context(steps) => format!("context.{}", steps.join(".")),
            Self::Value => "value".to_owned(),
        }
    }

    /// Returns what to call it to whoever gives it.
    pub fn given_name(&self) -> String {
        match self {
            Self::Input(steps) => steps.join("."),
            Self::Context(_) | Self::Value => self.name(),
        }
    }
}

impl Hole {
    /// Returns the input that it is about, without the way into it.
    pub fn input(&self) -> Option<&str> {
        match &self.source {
            Source::Input(steps) => steps.first().map(String::as_str),
            Source::Context(_) | Source::Value => None,
        }
    }

    /// Whether something takes the place of a value that is missing.
    pub fn has_default(&self) -> bool {
        self.filters
            .iter()
            .any(|filter| matches!(filter, Filter::Default(_)))
    }

    /// Whether the value is written as JSON.
    pub fn is_json(&self) -> bool {
        self.filters.contains(&Filter::Json)
    }
}

impl Template {
    /// Returns every placeholder, and whether it is a whole word.
    pub fn holes(&self) -> impl Iterator<Item = (&Hole, bool)> {
        self.words.iter().flat_map(|word| {
            let holes: Vec<(&Hole, bool)> = match word {
                Word::Literal(_) => Vec::new(),
                Word::Whole(hole, _) => vec![(hole, true)],
                Word::Mixed(parts, _) => parts
                    .iter()
                    .filter_map(|part| match part {
                        Part::Text(_) => None,
                        Part::Hole(hole) => Some((hole, false)),
                    })
                    .collect(),
            };
            holes
        })
    }

    /// Returns the words that are always there.
    pub fn literals(&self) -> impl Iterator<Item = &str> {
        self.words.iter().filter_map(|word| match word {
            Word::Literal(text) => Some(text.as_str()),
            Word::Whole(..) | Word::Mixed(..) => None,
        })
    }

    /// Returns the inputs that a caller may write without a flag, in order: those that are a whole word which is not
    /// behind an option.
    pub fn positionals(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for word in &self.words {
            let Word::Whole(hole, Place::Open | Place::Last) = word else {
                continue;
            };
            let (Source::Input(steps), Ending::Plain) = (&hole.source, &hole.ending) else {
                continue;
            };
            if let [name] = steps.as_slice()
                && !names.contains(&name.as_str())
            {
                names.push(name);
            }
        }
        names
    }
}
