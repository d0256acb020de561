//! Metadata as the rules look at it: nodes with their places, and which command inherits from which.
//!
//! Built from the document, not from the decoded metadata: a rule must be able to point, and to speak about what
//! decoding left out. Whatever has the wrong type is not here; decoding has complained about it already.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::doc::{Member, Node, Object, Span};

/// The metadata of one tool.
pub(super) struct Tool<'a> {
    /// The root object.
    pub(super) root: &'a Node,
    /// What it is called.
    pub(super) name: &'a str,
    /// The options of every command.
    pub(super) globals: Vec<Parameter<'a>>,
    /// Every command, parents before children.
    pub(super) commands: Vec<Command<'a>>,
    global_flags: HashMap<&'a str, usize>,
    global_names: HashSet<&'a str>,
    children: HashMap<(Option<usize>, &'a str), usize>,
}

/// One command.
pub(super) struct Command<'a> {
    /// Its name and where it stands.
    pub(super) member: &'a Member,
    /// What it says.
    pub(super) object: &'a Object,
    /// The command that it stands in, as an index.
    pub(super) parent: Option<usize>,
    /// Words with a flag.
    pub(super) options: Vec<Parameter<'a>>,
    /// Words without.
    pub(super) arguments: Vec<Parameter<'a>>,
    /// Whether it can be called: nothing is below it.
    pub(super) is_leaf: bool,
    flags: HashMap<&'a str, usize>,
    names: HashSet<&'a str>,
}

/// An argument or an option.
#[derive(Clone)]
pub(super) struct Parameter<'a> {
    /// What it says.
    pub(super) object: &'a Object,
    /// Where it stands.
    pub(super) span: Span,
    /// What it is called.
    pub(super) name: &'a str,
    /// How it is written.
    pub(super) flags: Vec<(&'a str, &'a Node)>,
    /// The word for its type.
    pub(super) kind: Option<&'a str>,
}

impl<'a> Parameter<'a> {
    /// Returns the value of a field.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.object.get(key)
    }

    /// Whether it takes a value, as far as it says.
    pub(super) fn takes_value(&self) -> bool {
        self.kind != Some("boolean")
    }
}

impl<'a> Tool<'a> {
    /// Looks at a document. A part of metadata may lack its name, which is `fallback` then.
    pub(super) fn of(root: &'a Node, fallback: &'a str) -> Option<Self> {
        let object = root.as_object()?;
        let globals = parameters(object, "globalOptions");
        let mut tool = Self {
            root,
            name: object.get("name").and_then(Node::as_str).unwrap_or(fallback),
            global_flags: flags(&globals),
            global_names: names(&globals),
            globals,
            commands: Vec::new(),
            children: HashMap::new(),
        };
        tool.descend(object, None);
        Some(tool)
    }

    fn descend(&mut self, owner: &'a Object, parent: Option<usize>) {
        let children = owner.get("commands").and_then(Node::as_object);
        for member in children.into_iter().flat_map(|children| &children.members) {
            let Some(object) = member.node.as_object() else {
                continue;
            };
            let below = object.get("commands").and_then(Node::as_object);
            let options = parameters(object, "options");
            self.children
                .insert((parent, member.key.as_str()), self.commands.len());
            self.commands.push(Command {
                member,
                object,
                parent,
                flags: flags(&options),
                names: names(&options),
                options,
                arguments: parameters(object, "arguments"),
                is_leaf: below.is_none_or(|below| below.members.is_empty()),
            });
            self.descend(object, Some(self.commands.len() - 1));
        }
    }

    /// Returns the value of a field of the root.
    pub(super) fn get(&self, key: &str) -> Option<&'a Node> {
        self.root.as_object()?.get(key)
    }

    /// Returns the command and those it stands in, from the inside out.
    pub(super) fn line<'t>(&'t self, command: &'t Command<'a>) -> impl Iterator<Item = &'t Command<'a>> {
        std::iter::successors(Some(command), |command| self.commands.get(command.parent?))
    }

    /// Returns the words that call a command, without the tool's own name.
    pub(super) fn words(&self, command: &Command<'a>) -> Vec<&'a str> {
        let mut words: Vec<&str> = self
            .line(command)
            .map(|command| command.member.key.as_str())
            .collect();
        words.retain(|word| !word.is_empty());
        words.reverse();
        words
    }

    /// Returns the whole command line of a command, for messages.
    pub(super) fn title(&self, command: &Command<'a>) -> String {
        let words = self.words(command);
        let all: Vec<&str> = std::iter::once(self.name).chain(words).collect();
        all.join(" ")
    }

    /// Returns the command that the words lead to, and how many of them it took.
    pub(super) fn find(&self, words: &[Cow<'_, str>]) -> (Option<&Command<'a>>, usize) {
        let mut at = None;
        let mut taken = 0;
        for word in words {
            let Some(index) = self.children.get(&(at, word.as_ref())) else {
                break;
            };
            at = Some(*index);
            taken += 1;
        }
        let found = at.or_else(|| self.children.get(&(None, "")).copied());
        (found.and_then(|index| self.commands.get(index)), taken)
    }

    /// Returns the option that a flag means to a command: its own, or the nearest of those around it.
    pub(super) fn flag<'t>(
        &'t self,
        command: Option<&'t Command<'a>>,
        flag: &str,
    ) -> Option<&'t Parameter<'a>> {
        let mut line = command.into_iter().flat_map(|command| self.line(command));
        let near = line.find_map(|command| command.options.get(*command.flags.get(flag)?));
        near.or_else(|| self.globals.get(*self.global_flags.get(flag)?))
    }

    /// Whether a command has or inherits an option of this name.
    pub(super) fn knows_name(&self, command: Option<&Command<'a>>, name: &str) -> bool {
        let mut line = command.into_iter().flat_map(|command| self.line(command));
        self.global_names.contains(name) || line.any(|command| command.names.contains(name))
    }

    /// Returns what is claimed about a command under a key of `effects`: the nearest claim.
    pub(super) fn effect(&self, command: &Command<'a>, key: &str) -> Option<&'a Node> {
        let own = self
            .line(command)
            .filter_map(|command| command.object.get("effects"));
        own.chain(self.get("effects"))
            .find_map(|effects| effects.as_object()?.get(key))
    }
}

fn parameters<'a>(owner: &'a Object, key: &str) -> Vec<Parameter<'a>> {
    let items = owner.get(key).and_then(Node::as_array).unwrap_or_default();
    let parameter = |node: &'a Node| {
        let object = node.as_object()?;
        let text = |key: &str| object.get(key).and_then(Node::as_str);
        let flags = object.get("flags").and_then(Node::as_array).unwrap_or_default();
        Some(Parameter {
            object,
            span: node.span,
            name: text("name").unwrap_or_default(),
            flags: flags
                .iter()
                .filter_map(|flag| Some((flag.as_str()?, flag)))
                .collect(),
            kind: text("type"),
        })
    };
    items.iter().filter_map(parameter).collect()
}

fn flags<'a>(options: &[Parameter<'a>]) -> HashMap<&'a str, usize> {
    let numbered = options.iter().enumerate();
    let flags =
        numbered.flat_map(|(index, option)| option.flags.iter().map(move |(flag, _)| (flag.trim(), index)));
    flags.collect()
}

fn names<'a>(options: &[Parameter<'a>]) -> HashSet<&'a str> {
    options.iter().map(|option| option.name).collect()
}
