//! The door: one command string in, one envelope out (ACLI §2.2).
//!
//! The order is the draft's, and each step needs what the one before returned: rate, words, route, guard,
//! values, handler. Every call is recorded, whatever becomes of it.

use std::borrow::Cow;
use std::sync::Arc;
use std::time::Duration;

use crate::audit::{AuditSink, unrecorded};
use crate::bind::{Scan, Surroundings, scan};
use crate::cli::discovery::{self, View};
use crate::envelope::{Answer, Envelope};
use crate::error::Error;
use crate::guard::{Gate, Lists};
use crate::host::{Caller, Host, ProgressSink};
use crate::mask::Mask;
use crate::model::path_text;
use crate::model::{Builtin, Command, DefinitionError, Handler, check_tree};
use crate::model::{Call, Context};
use crate::pause::Pauses;
use crate::race::{caught, run_within};
use crate::rate::{Limited, RateLimit};
use crate::record::{Notes, Record};
use crate::reserved::{HELP, reserved};
use crate::shell_syntax::check_no_shell;
use crate::shell_syntax::{ExpandedWord, expanded_words};
use crate::tokenize::{Limits, Token, join, tokenize, tokens};

/// How long a call may take unless something says otherwise.
const TIMEOUT: Duration = Duration::from_secs(60);

/// One command to answer.
pub struct Request {
    /// The command string; where the words are known already, how they are recorded.
    pub command: String,
    /// The words, if whoever asks has them and not a string. They are taken as they are, without limits.
    pub words: Option<Vec<String>>,
    /// Who asks.
    pub caller: Arc<Caller>,
    /// Where progress goes, if the client wants it.
    pub progress: Option<ProgressSink>,
    /// What the handler of the command gets to see besides: for handlers of the same program.
    pub context: Option<Context>,
}

impl Request {
    /// A request without progress.
    pub fn new(command: impl Into<String>, caller: impl Into<Arc<Caller>>) -> Self {
        Self {
            command: command.into(),
            words: None,
            caller: caller.into(),
            progress: None,
            context: None,
        }
    }

    /// A request of somebody who has words, such as a person at a shell.
    pub fn of_words(words: Vec<String>, caller: impl Into<Arc<Caller>>) -> Self {
        Self {
            words: Some(words.clone()),
            ..Self::new(join(&words), caller)
        }
    }
}

/// A complete command line for agents. Immutable; share it in an [`Arc`].
pub struct Cli {
    pub(crate) root: Command,
    pub(crate) implementation: Implementation,
    pub(crate) lists: Lists,
    host: Arc<dyn Host>,
    audit: Option<Arc<dyn AuditSink>>,
    gate: Option<Arc<dyn Gate>>,
    reach: Option<Reach>,
    mask: Option<Arc<dyn Mask>>,
    rate: Option<Arc<dyn RateLimit>>,
    limits: Limits,
    on_shell_syntax: OnShellSyntax,
    timeout: Duration,
}

/// Says which top-level commands a caller is told of.
type Reach = Arc<dyn Fn(&Caller, &str) -> bool + Send + Sync>;

/// What becomes of words that a shell would read otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OnShellSyntax {
    /// They are text, as §4.2.1 says.
    Literal,
    /// They are refused: see [`check_no_shell`].
    Refuse,
}

/// Who implements the commands, as `version` tells it (§6.4).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implementation {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
}

/// Builds a [`Cli`].
pub struct CliBuilder {
    cli: Cli,
}

impl Cli {
    /// Starts a command line called `name`. `description` is what `help` opens with.
    pub fn builder(name: &str, version: &str, description: &str, host: Arc<dyn Host>) -> CliBuilder {
        let cli = Cli {
            root: Command::new(name, description),
            implementation: Implementation {
                name: name.to_owned(),
                version: version.to_owned(),
            },
            lists: Lists::default(),
            host,
            audit: None,
            gate: None,
            reach: None,
            mask: None,
            rate: None,
            limits: Limits::default(),
            on_shell_syntax: OnShellSyntax::Literal,
            timeout: TIMEOUT,
        };
        CliBuilder { cli }
    }

    /// Answers one command. Always returns an envelope; a refusal is an answer too.
    ///
    /// Dropping the future cancels the handler; the call is then recorded as `CANCELLED`.
    pub async fn answer(&self, request: Request) -> Envelope {
        let mut record = self.open_record(&request.command, &request.caller);
        let notes = record.notes();
        if let Err(limited) = self.check_rate(&request.caller, &notes) {
            return record.close_limited(limited);
        }
        let outcome = caught(self.attempt(&request, &mut record.parsed, notes)).await;
        record.close(outcome)
    }

    /// Returns the commands as a tree, for completion and export.
    pub fn root(&self) -> &Command {
        &self.root
    }

    /// Returns the entries of the allow and deny lists that name no command there is.
    pub fn unmatched_rules(&self) -> Vec<String> {
        self.lists.unmatched(&self.root)
    }

    /// Whether the allow and deny lists let these words be called. Words that are no command of ours are not in them.
    pub fn permits(&self, words: &[String]) -> bool {
        let words: Vec<Cow<'_, str>> = words.iter().map(|word| Cow::Borrowed(word.as_str())).collect();
        let path = scan(&self.root, &words).path;
        path.is_empty() || self.lists.permits(&path)
    }

    /// Answers a request that never became a command string.
    pub(crate) fn refuse(&self, caller: &Caller, error: Error) -> Envelope {
        let record = self.open_record("", caller);
        match self.check_rate(caller, &record.notes()) {
            Ok(()) => record.close(Err(error)),
            Err(limited) => record.close_limited(limited),
        }
    }

    fn open_record<'a>(&'a self, command: &'a str, caller: &Caller) -> Record<'a> {
        let (host, audit) = (self.host.as_ref(), self.audit.as_deref());
        Record::open(host, audit, self.mask.clone(), command, caller)
    }

    fn check_record(&self) -> Result<(), Error> {
        let ready = self.audit.as_ref().map_or(Ok(()), |audit| audit.ready());
        ready.map_err(unrecorded)
    }

    fn check_rate(&self, caller: &Caller, notes: &Notes) -> Result<(), Limited> {
        let Some(rate) = &self.rate else { return Ok(()) };
        let admitted = rate.admit(caller, self.host.elapsed())?;
        if admitted.refused_before > 0 {
            notes.add("rate_limited_before", admitted.refused_before.into());
        }
        Ok(())
    }

    async fn attempt(&self, request: &Request, parsed: &mut String, notes: Notes) -> Result<Answer, Error> {
        self.check_record()?;
        match &request.words {
            Some(words) => {
                self.attempt_words((words, Vec::new()), request, parsed, notes)
                    .await
            }
            None => {
                let words = tokens(&request.command, &self.limits)?;
                self.check_shell_syntax(&words, parsed)?;
                let expanded = match self.on_shell_syntax {
                    OnShellSyntax::Literal => Vec::new(),
                    OnShellSyntax::Refuse => expanded_words(&words),
                };
                self.attempt_words((&words, expanded), request, parsed, notes)
                    .await
            }
        }
    }

    /// Refuses a command that was written for a shell before anything of it is judged. Its name is told to the record, so
    /// that what must not be repeated of its words is known.
    fn check_shell_syntax(&self, words: &[Token<'_>], parsed: &mut String) -> Result<(), Error> {
        match self.on_shell_syntax {
            OnShellSyntax::Literal => Ok(()),
            OnShellSyntax::Refuse => check_no_shell(words).map_err(|error| {
                *parsed = path_text(&scan(&self.root, words).path);
                Error::from(error)
            }),
        }
    }

    async fn attempt_words<S: AsRef<str> + Sync>(
        &self,
        (words, expanded): (&[S], Vec<ExpandedWord>),
        request: &Request,
        parsed: &mut String,
        notes: Notes,
    ) -> Result<Answer, Error> {
        let mut scan = scan(&self.root, words);
        *parsed = path_text(&scan.path);
        self.check_guard(&request.caller, &scan.path, parsed, &scan.kept_words())?;
        let view = View::of(self, &request.caller);
        if scan.help {
            self.check_help()?;
            check_told(view, &scan.path)?;
            return discovery::help(view, &scan.path, 1);
        }
        scan.items = scan.items.map_err(|error| view.concealed(error));
        let examples = examples_for(&scan);
        let result = self.run(scan, (words, expanded), request, notes).await;
        result.map_err(|error| {
            if error.has_examples() {
                error
            } else {
                error.examples(examples)
            }
        })
    }

    fn check_guard(
        &self,
        caller: &Caller,
        path: &[&Command],
        text: &str,
        unlisted: &[&str],
    ) -> Result<(), Error> {
        let Some(command) = path.last() else { return Ok(()) };
        // A group is no command to run: it is answered with its subcommands if any of them may run.
        let answers_unlisted = command.inside().unlisted.is_some() && !unlisted.is_empty();
        let runs = command.inside().handler.is_some() || answers_unlisted;
        let passes = if runs {
            self.lists.permits(path)
        } else {
            self.lists.shows(path)
        };
        if !passes || self.lists.denies_unlisted(path, unlisted) {
            return Err(self.denied(text));
        }
        let gate = self.gate.as_ref().filter(|_| runs);
        gate.map_or(Ok(()), |gate| {
            gate.check(caller, text, command.inside().permission.as_deref())
        })
    }

    /// `--help` is another way to write `help`, and denied with it.
    fn check_help(&self) -> Result<(), Error> {
        match self.tells_help() {
            true => Ok(()),
            false => Err(self.denied(HELP)),
        }
    }

    fn tells_help(&self) -> bool {
        self.root
            .find(HELP)
            .is_none_or(|help| self.lists.permits(&[help]))
    }

    /// A refusal by the lists. It does not lead to what they deny.
    fn denied(&self, text: &str) -> Error {
        match self.tells_help() {
            true => Error::denied(text),
            false => Error::denied(text).hint("Check your access level: this command is not allowed here"),
        }
    }

    /// Whether a caller may be told of a top-level command.
    pub(crate) fn reaches(&self, caller: &Caller, command: &Command) -> bool {
        let reach = self.reach.as_ref();
        reach.is_none_or(|reach| reach(caller, command.name()))
    }

    /// The words of a command string.
    pub(crate) fn words<'t>(&self, text: &'t str) -> Option<Vec<Cow<'t, str>>> {
        tokenize(text, &self.limits).ok()
    }

    async fn run<S: AsRef<str> + Sync>(
        &self,
        scan: Scan<'_, '_>,
        (words, expanded): (&[S], Vec<ExpandedWord>),
        request: &Request,
        notes: Notes,
    ) -> Result<Answer, Error> {
        let leaf = scan.path.last().copied();
        let args = scan.bind(Surroundings {
            host: self.host.as_ref(),
            roots: &request.caller.roots,
        })?;
        // A group that binds was called with a subcommand that was handed on.
        let answering = leaf.and_then(|leaf| {
            let inside = leaf.inside();
            Some((leaf, inside.handler.as_ref().or(inside.unlisted.as_ref())?))
        });
        let Some((leaf, handler)) = answering else {
            return Err(Error::execution("nothing answers this command"));
        };
        match handler {
            Handler::Builtin(builtin) => self.discover(*builtin, &args, &request.caller),
            Handler::Own(handler) => {
                let pauses = Pauses::default();
                let call = Call {
                    args,
                    words: words.iter().map(|word| word.as_ref().to_owned()).collect(),
                    expanded,
                    caller: Arc::clone(&request.caller),
                    host: Arc::clone(&self.host),
                    progress: request.progress.clone(),
                    context: request.context.clone(),
                    notes,
                    pauses: pauses.clone(),
                };
                let timeout = leaf.inside().timeout.unwrap_or(self.timeout);
                run_within(timeout, self.host.as_ref(), &pauses, handler(call)).await
            }
        }
    }

    fn discover(&self, builtin: Builtin, args: &crate::Args, caller: &Caller) -> Result<Answer, Error> {
        let view = View::of(self, caller);
        let about = match builtin {
            Builtin::Version => return Ok(discovery::version(view)),
            Builtin::Help => discovery::help,
            Builtin::Schema => discovery::schema,
        };
        let words: Vec<String> = args.get("command")?;
        let path = discovery::find(view, &words)?;
        check_told(view, &path)?;
        self.check_guard(caller, &path, &path_text(&path), &[])?;
        about(view, &path, args.get("page")?)
    }
}

impl CliBuilder {
    /// Adds a top-level command.
    #[must_use]
    pub fn command(mut self, command: Command) -> Self {
        self.cli.root = self.cli.root.subcommand(command);
        self
    }

    /// Adds several.
    #[must_use]
    pub fn commands(self, commands: impl IntoIterator<Item = Command>) -> Self {
        commands.into_iter().fold(self, Self::command)
    }

    /// Adds hidden commands that are made when a word matches no other.
    #[must_use]
    pub fn more(mut self, load: impl Fn() -> Vec<Command> + Send + Sync + 'static) -> Self {
        self.cli.root = self.cli.root.more(load);
        self
    }

    /// Adds a command line that `help` shows.
    #[must_use]
    pub fn example(mut self, example: &str) -> Self {
        self.cli.root = self.cli.root.example(example);
        self
    }

    /// Allows only these commands (`calendar`, `gmail search`) and what is below them.
    #[must_use]
    pub fn allow<S: AsRef<str>>(mut self, commands: impl IntoIterator<Item = S>) -> Self {
        self.cli.lists.allow(commands);
        self
    }

    /// Denies these commands and what is below them.
    #[must_use]
    pub fn deny<S: AsRef<str>>(mut self, commands: impl IntoIterator<Item = S>) -> Self {
        self.cli.lists.deny(commands);
        self
    }

    /// Sets who decides about permissions.
    #[must_use]
    pub fn gate(mut self, gate: Arc<dyn Gate>) -> Self {
        self.cli.gate = Some(gate);
        self
    }

    /// Says which top-level commands a caller is told of; our own must be among them.
    #[must_use]
    pub fn reachable(mut self, reach: impl Fn(&Caller, &str) -> bool + Send + Sync + 'static) -> Self {
        self.cli.reach = Some(Arc::new(reach));
        self
    }

    /// Sets what is not repeated: in records, envelopes and errors.
    #[must_use]
    pub fn mask(mut self, mask: Arc<dyn Mask>) -> Self {
        self.cli.mask = Some(mask);
        self
    }

    /// Sets who counts requests.
    #[must_use]
    pub fn rate_limit(mut self, rate: Arc<dyn RateLimit>) -> Self {
        self.cli.rate = Some(rate);
        self
    }

    /// Sets who keeps the record.
    #[must_use]
    pub fn audit(mut self, audit: Arc<dyn AuditSink>) -> Self {
        self.cli.audit = Some(audit);
        self
    }

    /// Sets how long a call may take.
    #[must_use]
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.cli.timeout = timeout;
        self
    }

    /// Refuses command strings that were written for a shell, such as `a && b` or `a > file`, instead of taking their
    /// operators for text. For command lines whose commands are programs, where the difference does harm. Their handlers
    /// are told of words such as `*.log` ([`Call::expanded_words`]).
    #[must_use]
    pub fn refuse_shell_syntax(mut self) -> Self {
        self.cli.on_shell_syntax = OnShellSyntax::Refuse;
        self
    }

    /// Sets what one command string may cost.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.cli.limits = limits;
        self
    }

    /// Checks the definitions and adds the reserved commands.
    ///
    /// # Errors
    /// The first definition that cannot work.
    pub fn build(mut self) -> Result<Cli, DefinitionError> {
        check_tree(&self.cli.root)?;
        self.cli.root = self.cli.root.subcommands(reserved());
        Ok(self.cli)
    }
}

/// Refuses to tell of what the caller may not reach.
fn check_told(view: View<'_>, path: &[&Command]) -> Result<(), Error> {
    match view.reaches(path) {
        true => Ok(()),
        false => Err(Error::denied(&path_text(path))),
    }
}

fn examples_for<'c>(scan: &Scan<'c, '_>) -> &'c [String] {
    scan.path
        .last()
        .map_or(&[], |command| command.inside().examples.as_slice())
}
