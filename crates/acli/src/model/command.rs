//! One command: its arguments, its subcommands, and what runs when it is called (ACLI §7).

use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::Value;

use super::arg::Arg;
use super::define::{check_made, is_command_name};
use super::style::Style;
use super::wording::Wording;
use crate::envelope::Answer;
use crate::error::Error;
use crate::host::BoxFuture;
use crate::model::Call;

/// Arguments of which at most one may be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exclusive {
    pub(crate) ids: Vec<String>,
    pub(crate) required: bool,
}

/// What answers a command.
#[derive(Clone)]
pub(crate) enum Handler {
    /// A function of the program that built the command.
    Own(Arc<dyn Fn(Call) -> BoxFuture<'static, Result<Answer, Error>> + Send + Sync>),
    /// One of the reserved commands of §6.1.
    Builtin(Builtin),
}

impl Handler {
    fn own<F, Fut, A>(handler: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Error>> + Send + 'static,
        A: Into<Answer>,
    {
        Self::Own(Arc::new(move |call: Call| {
            let answer = handler(call);
            Box::pin(async move { answer.await.map(Into::into) })
        }))
    }
}

/// The reserved commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Builtin {
    Help,
    Schema,
    Version,
}

type Load = Arc<dyn Fn() -> Command + Send + Sync>;

/// Subcommands that are made when a word is none of the others.
struct More {
    load: Box<dyn Fn() -> Vec<Command> + Send + Sync>,
    made: OnceLock<Children>,
}

impl More {
    fn get(&self, name: &str) -> Option<&Command> {
        self.made
            .get_or_init(|| {
                let mut children = Children::default();
                for child in (self.load)()
                    .into_iter()
                    .filter(|child| child.names().all(is_command_name))
                {
                    children.push(if child.is_loaded() { checked(child) } else { child });
                }
                children
            })
            .get(name)
    }
}

/// A command. Cheap to hold: with [`Command::lazy`] its inside is made when somebody looks.
#[derive(Clone)]
pub struct Command {
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: String,
    pub(crate) deprecated: Option<String>,
    pub(crate) hidden: bool,
    pub(crate) wording: Wording,
    detail: Detail,
}

#[derive(Clone)]
enum Detail {
    Ready(Box<Inside>),
    Lazy {
        load: Load,
        made: Arc<OnceLock<Command>>,
    },
}

/// What is only needed once a command is looked into.
#[derive(Clone, Default)]
pub(crate) struct Inside {
    pub(crate) args: Vec<Arg>,
    /// Which argument each spelling belongs to: some tools have hundreds.
    spellings: HashMap<String, usize>,
    /// Whether some option is spelt without a dash, like the `(` of `find`.
    pub(crate) has_bare_options: bool,
    pub(crate) children: Children,
    more: Option<Arc<More>>,
    pub(crate) exclusive: Vec<Exclusive>,
    pub(crate) examples: Vec<String>,
    pub(crate) notes: Vec<String>,
    pub(crate) tags: Vec<String>,
    pub(crate) style: Option<Style>,
    pub(crate) output_schema: Option<Value>,
    pub(crate) permission: Option<String>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) reads_roots: bool,
    pub(crate) handler: Option<Handler>,
    /// What answers subcommands of a group that nobody listed.
    pub(crate) unlisted: Option<Handler>,
}

/// Subcommands in the order they were added, found by name or alias.
#[derive(Clone, Default)]
pub(crate) struct Children {
    list: Vec<Command>,
    index: HashMap<String, usize>,
}

impl Inside {
    /// Whether there is anything below.
    pub(crate) fn has_children(&self) -> bool {
        !self.children.list.is_empty() || self.more.is_some()
    }
}

impl Children {
    pub(crate) fn get(&self, name: &str) -> Option<&Command> {
        self.index.get(name).and_then(|&at| self.list.get(at))
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, Command> {
        self.list.iter()
    }

    fn push(&mut self, command: Command) {
        for name in command.names() {
            // The first owner of a name keeps it; `check_tree` reports the second.
            self.index.entry(name.to_owned()).or_insert(self.list.len());
        }
        self.list.push(command);
    }
}

impl Command {
    /// Starts a command.
    pub fn new(name: impl Into<String>, description: impl Into<String>) -> Self {
        Self::bare(name.into(), description.into(), Detail::Ready(Box::default()))
    }

    /// Starts a command whose inside is made by `load` when it is first called or asked about.
    ///
    /// Name, aliases, description and visibility stay those given here.
    pub fn lazy(
        name: impl Into<String>,
        description: impl Into<String>,
        load: impl Fn() -> Command + Send + Sync + 'static,
    ) -> Self {
        let detail = Detail::Lazy {
            load: Arc::new(load),
            made: Arc::default(),
        };
        Self::bare(name.into(), description.into(), detail)
    }

    fn bare(name: String, description: String, detail: Detail) -> Self {
        Self {
            name,
            aliases: Vec::new(),
            description,
            deprecated: None,
            hidden: false,
            wording: Wording::Checked,
            detail,
        }
    }

    /// Says who answers for its description, and for everything below it.
    #[must_use]
    pub fn wording(mut self, wording: Wording) -> Self {
        self.wording = wording;
        self
    }

    /// Adds another name.
    #[must_use]
    pub fn alias(mut self, name: impl Into<String>) -> Self {
        self.aliases.push(name.into());
        self
    }

    /// Adds an option, a flag or a positional.
    #[must_use]
    pub fn arg(self, arg: Arg) -> Self {
        self.with(|inside| {
            inside.has_bare_options |= arg.spellings.iter().any(|spelling| !spelling.starts_with('-'));
            for spelling in &arg.spellings {
                inside
                    .spellings
                    .entry(spelling.clone())
                    .or_insert(inside.args.len());
            }
            inside.args.push(arg);
        })
    }

    /// Adds a subcommand.
    #[must_use]
    pub fn subcommand(self, command: Command) -> Self {
        self.with(|inside| inside.children.push(command))
    }

    /// Adds several subcommands.
    #[must_use]
    pub fn subcommands(self, commands: impl IntoIterator<Item = Command>) -> Self {
        commands.into_iter().fold(self, Self::subcommand)
    }

    /// Adds subcommands that are found by name and neither listed nor suggested.
    ///
    /// `load` makes them, once, when a word is the name of no other subcommand.
    #[must_use]
    pub fn more(self, load: impl Fn() -> Vec<Command> + Send + Sync + 'static) -> Self {
        let more = More {
            load: Box::new(load),
            made: OnceLock::new(),
        };
        self.with(|inside| inside.more = Some(Arc::new(more)))
    }

    /// Allows at most one of these arguments, named as handlers name them.
    #[must_use]
    pub fn exclusive<S: Into<String>>(self, ids: impl IntoIterator<Item = S>) -> Self {
        let ids = ids.into_iter().map(Into::into).collect();
        self.with(|inside| inside.exclusive.push(Exclusive { ids, required: false }))
    }

    /// Wants exactly one of these arguments.
    #[must_use]
    pub fn exactly_one_of<S: Into<String>>(self, ids: impl IntoIterator<Item = S>) -> Self {
        let ids = ids.into_iter().map(Into::into).collect();
        self.with(|inside| inside.exclusive.push(Exclusive { ids, required: true }))
    }

    /// Adds a whole command line that works.
    #[must_use]
    pub fn example(self, example: impl Into<String>) -> Self {
        self.with(|inside| inside.examples.push(example.into()))
    }

    /// Adds something that whoever calls it should know before.
    #[must_use]
    pub fn note(self, note: impl Into<String>) -> Self {
        self.with(|inside| inside.notes.push(note.into()))
    }

    /// Adds a word that it is found by.
    #[must_use]
    pub fn tag(self, tag: impl Into<String>) -> Self {
        self.with(|inside| inside.tags.push(tag.into()))
    }

    /// Sets how this command and those below it are written.
    #[must_use]
    pub fn style(self, style: Style) -> Self {
        self.with(|inside| inside.style = Some(style))
    }

    /// Declares what the answer's `data` looks like, as JSON Schema.
    #[must_use]
    pub fn output_schema(self, schema: Value) -> Self {
        self.with(|inside| inside.output_schema = Some(schema))
    }

    /// Names the permission that a [`Gate`](crate::Gate) must grant.
    #[must_use]
    pub fn permission(self, name: impl Into<String>) -> Self {
        self.with(|inside| inside.permission = Some(name.into()))
    }

    /// Sets how long a call may take, instead of the default.
    #[must_use]
    pub fn timeout(self, timeout: Duration) -> Self {
        self.with(|inside| inside.timeout = Some(timeout))
    }

    /// Says that the handler reads the caller's roots, though no argument is a path.
    #[must_use]
    pub fn reads_roots(self) -> Self {
        self.with(|inside| inside.reads_roots = true)
    }

    /// Sets what runs. The future is dropped when the call is cancelled or times out.
    #[must_use]
    pub fn handler<F, Fut, A>(self, handler: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Error>> + Send + 'static,
        A: Into<Answer>,
    {
        let handler = Handler::own(handler);
        self.with(|inside| inside.handler = Some(handler))
    }

    /// Sets what runs where a group is called with a subcommand that it does not list and that
    /// [`Unknown::Keep`](super::Unknown::Keep) hands on. Without a subcommand a group still is no command.
    #[must_use]
    pub fn unlisted_handler<F, Fut, A>(self, handler: F) -> Self
    where
        F: Fn(Call) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<A, Error>> + Send + 'static,
        A: Into<Answer>,
    {
        let handler = Handler::own(handler);
        self.with(|inside| inside.unlisted = Some(handler))
    }

    pub(crate) fn builtin(self, builtin: Builtin) -> Self {
        self.with(|inside| inside.handler = Some(Handler::Builtin(builtin)))
    }

    /// Marks it as on its way out; `instead` says what to use.
    #[must_use]
    pub fn deprecated(mut self, instead: impl Into<String>) -> Self {
        self.deprecated = Some(instead.into());
        self
    }

    /// Leaves it out of listings. It can still be called.
    #[must_use]
    pub fn hidden(mut self) -> Self {
        self.hidden = true;
        self
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the description.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Returns the visible subcommands.
    pub fn listed(&self) -> impl Iterator<Item = &Command> {
        self.inside().children.iter().filter(|child| !child.hidden)
    }

    /// Returns the subcommand with this name or alias.
    pub fn find(&self, name: &str) -> Option<&Command> {
        let inside = self.inside();
        inside
            .children
            .get(name)
            .or_else(|| inside.more.as_ref()?.get(name))
    }

    /// Returns options and positionals, in the order they were added.
    pub fn args(&self) -> &[Arg] {
        &self.inside().args
    }

    /// Returns the option of this very command that is spelt so, with its spelling.
    pub(crate) fn option(&self, spelling: &str) -> Option<(&Arg, &str)> {
        let inside = self.inside();
        let (spelling, at) = inside.spellings.get_key_value(spelling)?;
        inside.args.get(*at).map(|arg| (arg, spelling.as_str()))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    pub(crate) fn positionals(&self) -> impl Iterator<Item = &Arg> + Clone {
        self.args().iter().filter(|arg| arg.is_positional())
    }

    pub(crate) fn inside(&self) -> &Inside {
        match &self.detail {
            Detail::Ready(inside) => inside,
            Detail::Lazy { load, made } => made.get_or_init(|| sound(load().settled(), &self.name)).inside(),
        }
    }

    /// Whether looking inside costs nothing.
    pub(crate) fn is_loaded(&self) -> bool {
        match &self.detail {
            Detail::Ready(_) => true,
            Detail::Lazy { made, .. } => made.get().is_some(),
        }
    }

    fn with(mut self, change: impl FnOnce(&mut Inside)) -> Self {
        self = self.settled();
        if let Detail::Ready(inside) = &mut self.detail {
            change(inside);
        }
        self
    }

    /// Follows lazy insides until a real one is there.
    fn settled(mut self) -> Self {
        while let Detail::Lazy { load, .. } = &self.detail {
            self.detail = load().detail;
        }
        self
    }
}

/// A whole command that was made late keeps its name, whatever is wrong with its inside.
fn checked(mut command: Command) -> Command {
    let name = command.name.clone();
    let inside = Command::bare(String::new(), String::new(), command.detail);
    command.detail = sound(inside, &name).detail;
    command
}

/// A command that was made late is checked late: one that cannot work answers with the reason.
fn sound(command: Command, name: &str) -> Command {
    match check_made(&command, name) {
        Ok(()) => command,
        Err(problem) => Command::new(name, "").handler(move |_| {
            let broken = Error::execution(&problem);
            async move { Err::<Answer, Error>(broken) }
        }),
    }
}

impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Command")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// The names on the way to a command, as somebody types them.
pub(crate) fn path_text(path: &[&Command]) -> String {
    let mut text = String::new();
    for command in path {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(command.name());
    }
    text
}
