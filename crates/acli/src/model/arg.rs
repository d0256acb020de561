//! One argument of a command: an option with its spellings, or a positional (ACLI §7.4).

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::kind::Kind;
use super::value::Typed;
use super::wording::Wording;

/// How many words of the command line an option takes as its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Takes {
    /// None: a flag.
    Nothing,
    /// One, attached or the next word.
    One,
    /// One if it is attached (`--color=auto`, `-O2`), else none; without it, the value is `true`.
    Attached,
    /// One if it is attached or the next word is `true` or `false`, else none.
    Truth,
    /// That many words.
    Exactly(usize),
    /// All words up to one of these, which is taken too: `find -exec … ;`.
    ///
    /// One that holds a space is several words (`{} +`); an empty one lets the end of the line be the end.
    Until(Vec<String>),
}

/// What a second occurrence of the same option means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeat {
    /// An error.
    Once,
    /// The last one counts.
    Last,
    /// Each adds to a list; for a flag, they are counted. For a positional: it takes several words.
    Many,
}

/// Where an option of a command with subcommands may stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Only before the subcommand: `git -C DIR log`.
    Here,
    /// Before or after it, as one of the subcommand's own.
    Below,
}

/// Which words a positional may be, told from the word alone.
pub(crate) type IsMine = Arc<dyn Fn(&str) -> bool + Send + Sync>;

/// A check beyond the type, with what it expects.
#[derive(Clone)]
pub(crate) struct Check {
    pub(crate) expected: String,
    pub(crate) holds: Arc<dyn Fn(&Typed) -> bool + Send + Sync>,
}

/// One argument. Build it with [`Arg::option`], [`Arg::flag`] or [`Arg::positional`].
#[derive(Clone)]
pub struct Arg {
    pub(crate) id: Arc<str>,
    pub(crate) spellings: Vec<String>,
    pub(crate) kind: Kind,
    pub(crate) takes: Takes,
    pub(crate) repeat: Repeat,
    pub(crate) scope: Scope,
    pub(crate) description: String,
    pub(crate) examples: Vec<String>,
    pub(crate) required: bool,
    pub(crate) default: Option<Value>,
    pub(crate) schema: Option<Value>,
    pub(crate) told_as: Option<Kind>,
    pub(crate) pattern: Option<String>,
    pub(crate) env: Option<String>,
    pub(crate) checks: Vec<Check>,
    pub(crate) deprecated: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) wording: Wording,
    pub(crate) is_last: bool,
    pub(crate) takes_streams: bool,
    pub(crate) is_mine: Option<IsMine>,
    pub(crate) is_whole: bool,
    pub(crate) is_required_by_handler: bool,
    pub(crate) unless: Vec<String>,
}

impl Arg {
    /// An option with a value. `spelling` is what is typed: `--max`, `-name`, `if=`.
    pub fn option(spelling: &str, kind: Kind, description: impl Into<String>) -> Self {
        let takes = if kind == Kind::Flag {
            Takes::Nothing
        } else if kind == Kind::Boolean {
            Takes::Truth
        } else {
            Takes::One
        };
        let repeat = if matches!(kind, Kind::Array(_)) {
            Repeat::Many
        } else {
            Repeat::Once
        };
        let id = spelling.trim_start_matches('-').trim_end_matches('=');
        Self {
            spellings: vec![spelling.to_owned()],
            takes,
            repeat,
            ..Self::bare(id, kind, description.into())
        }
    }

    /// An option whose presence means true.
    pub fn flag(spelling: &str, description: impl Into<String>) -> Self {
        Self::option(spelling, Kind::Flag, description)
    }

    /// A value that is told by its place. Required unless [`Arg::optional`] says otherwise.
    pub fn positional(name: &str, kind: Kind, description: impl Into<String>) -> Self {
        Self {
            required: true,
            ..Self::bare(name, kind, description.into())
        }
    }

    fn bare(id: &str, kind: Kind, description: String) -> Self {
        Self {
            id: id.into(),
            spellings: Vec::new(),
            kind,
            takes: Takes::One,
            repeat: Repeat::Once,
            scope: Scope::Below,
            description,
            examples: Vec::new(),
            required: false,
            default: None,
            schema: None,
            told_as: None,
            pattern: None,
            env: None,
            checks: Vec::new(),
            deprecated: None,
            hidden: false,
            wording: Wording::Checked,
            is_last: false,
            takes_streams: false,
            is_mine: None,
            is_whole: false,
            is_required_by_handler: false,
            unless: Vec::new(),
        }
    }

    /// Adds a short spelling: `'n'` for `-n`.
    #[must_use]
    pub fn short(self, letter: char) -> Self {
        let spelling = format!("-{letter}");
        self.alias(&spelling)
    }

    /// Adds another spelling, dashes included.
    #[must_use]
    pub fn alias(mut self, spelling: &str) -> Self {
        self.spellings.push(spelling.to_owned());
        self
    }

    /// Sets the name that handlers and schemas use, where the spelling is not it.
    #[must_use]
    pub fn id(mut self, id: &str) -> Self {
        self.id = id.into();
        self
    }

    /// Refuses the command without it.
    #[must_use]
    pub fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// Lets a positional be left out.
    #[must_use]
    pub fn optional(mut self) -> Self {
        self.required = false;
        self
    }

    /// Lets it stand several times and collects the values; a positional takes several words.
    #[must_use]
    pub fn many(mut self) -> Self {
        self.repeat = Repeat::Many;
        self
    }

    /// Says what a repetition means.
    #[must_use]
    pub fn repeat(mut self, repeat: Repeat) -> Self {
        self.repeat = repeat;
        self
    }

    /// Says how many words the option takes, where its type does not.
    #[must_use]
    pub fn takes(mut self, takes: Takes) -> Self {
        self.takes = takes;
        self
    }

    /// Says whether the option may follow a subcommand.
    #[must_use]
    pub fn scope(mut self, scope: Scope) -> Self {
        self.scope = scope;
        self
    }

    /// Sets the value a handler sees when nothing was given. Never put into an argv.
    #[must_use]
    pub fn default(mut self, value: impl Into<Value>) -> Self {
        self.default = Some(value.into());
        self.required = false;
        self
    }

    /// Sets the JSON Schema that `schema` shows of it, where that says more than its type does: formats, bounds. Whoever
    /// answers the command holds values against it.
    #[must_use]
    pub fn schema(mut self, schema: Value) -> Self {
        self.schema = Some(schema).filter(Value::is_object);
        self
    }

    /// Sets the type that `help` tells, where whoever answers the command reads more out of a word than the type of the
    /// argument says: a list with commas, a date.
    #[must_use]
    pub fn told_as(mut self, kind: Kind) -> Self {
        self.told_as = Some(kind);
        self
    }

    /// Sets the regular expression that `help` and `schema` show of it. [`Arg::check`] holds values against it.
    #[must_use]
    pub fn pattern(mut self, pattern: &str) -> Self {
        self.pattern = Some(pattern.to_owned());
        self
    }

    /// Reads the value from this environment variable when nothing was typed.
    #[must_use]
    pub fn env(mut self, name: &str) -> Self {
        self.env = Some(name.to_owned());
        self
    }

    /// Adds a value that would be right.
    #[must_use]
    pub fn example(mut self, example: impl Into<String>) -> Self {
        self.examples.push(example.into());
        self
    }

    /// Adds a check; `expected` says what it wants, as in "an even number".
    #[must_use]
    pub fn check(
        mut self,
        expected: impl Into<String>,
        holds: impl Fn(&Typed) -> bool + Send + Sync + 'static,
    ) -> Self {
        self.checks.push(Check {
            expected: expected.into(),
            holds: Arc::new(holds),
        });
        self
    }

    /// Says who answers for its description.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Marks it as on its way out; `instead` says what to use.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Self {
        self.deprecated = Some(instead.into());
        self
    }

    /// Leaves it out of `help` and `schema`.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Says that it stands for all other arguments of its command: with it none of them is required, and none may be
    /// given.
    #[must_use]
    pub fn whole(mut self) -> Self {
        self.is_whole = true;
        self
    }

    /// Leaves it to the handler to refuse a call without it: told as required, and not held to be there. For a handler
    /// that knows another reading of the words.
    #[must_use]
    pub fn required_by_handler(mut self) -> Self {
        self.is_required_by_handler = true;
        self
    }

    /// Says that the positional stands behind `--` only, and that nothing else does.
    #[must_use]
    pub fn last(mut self) -> Self {
        self.is_last = true;
        self
    }

    /// Gives the positional only the words up to the first that it does not hold for: the `A=1 B=2` of `env`.
    ///
    /// Such a one may stand beside another that takes several words.
    #[must_use]
    pub fn takes_while(mut self, holds: impl Fn(&str) -> bool + Send + Sync + 'static) -> Self {
        self.is_mine = Some(Arc::new(holds));
        self
    }

    /// Takes the positional away where one of these options is given: the pattern of `grep`, with `-e`.
    #[must_use]
    pub fn unless(mut self, options: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.unless.extend(options.into_iter().map(Into::into));
        self
    }

    /// Lets a path be `-`, which is then no path, or one of `/dev/null`, `/dev/stdin`, `/dev/stdout`, `/dev/stderr`.
    ///
    /// For arguments that are handed to a child whose streams are not ours.
    #[must_use]
    pub fn takes_streams(mut self) -> Self {
        self.takes_streams = true;
        self
    }

    /// Whether it is told by its place.
    pub fn is_positional(&self) -> bool {
        self.spellings.is_empty()
    }

    /// Returns the name a person reads: the first spelling, or the positional's name.
    pub fn shown(&self) -> &str {
        self.spellings.first().map_or(&self.id, String::as_str)
    }

    /// Returns the name that handlers and schemas use.
    pub fn name(&self) -> &str {
        &self.id
    }

    /// Returns the type of one value.
    pub fn kind(&self) -> &Kind {
        &self.kind
    }
}

impl fmt::Debug for Arg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Arg")
            .field("id", &self.id)
            .field("spellings", &self.spellings)
            .finish_non_exhaustive()
    }
}
