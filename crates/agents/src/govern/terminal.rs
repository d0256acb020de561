//! Commands that the host runs for an agent: the way of every call, with the words as they come.
//!
//! No shell is started for it: a line that is one command of plain words is that command, and any other is refused with
//! what to send instead.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use argrail_acli::{BoxFuture, Caller, Code, Envelope, Error, Request, Text};
use argrail_engine::audit::Action;
use argrail_engine::call::{Passthrough, Reader, Streams, Words};
use argrail_sandbox::policy::EnvName;
use argrail_sandbox::{Ended, OutputCallback, Stdin};
use tokio::sync::{oneshot, watch};
use tokio::task::AbortHandle;

use super::bounds::{Bounds, shown};
use super::governor::SessionGovernor;
use super::ring::Ring;
use super::{line, sh};
use crate::governor::{Denied, Terminal, TerminalCommand, TerminalExit, TerminalOutput};

/// What sets variables for a command.
const ENV: &str = "env";
/// Variables that decide which programs and settings are found, beside those that make programs load code.
const FOUND_BY: [&str; 4] = ["PATH", "HOME", "SHELL", "TMPDIR"];
/// The most words and variables.
const MANY: usize = 4096;

impl SessionGovernor {
    /// Starts a command.
    pub(super) async fn started(&self, command: TerminalCommand) -> Result<Box<dyn Terminal>, Denied> {
        match self.prepared(&command) {
            Ok((words, caller)) => self.run(words, caller, command.keep).await,
            // What never became a call has no record of its own yet.
            Err(error) => {
                let event = self.event(Action::AgentActed).with("kind", "execute");
                self.closed(event, Err(error))
            }
        }
    }

    fn prepared(&self, command: &TerminalCommand) -> Result<(Vec<String>, Caller), Error> {
        let mut words = plain(&command.words)?;
        if words.len() > MANY || command.variables.len() > MANY {
            let what = Text::new("more than {} words").number(MANY);
            return Err(Error::invalid(what, "Send a shorter command"));
        }
        if !command.variables.is_empty() {
            let mut set = vec![ENV.to_owned()];
            for (name, value) in &command.variables {
                EnvName::parse("env", name).map_err(|refusal| steers(name, &refusal.reason))?;
                if FOUND_BY.contains(&name.as_str()) {
                    return Err(steers(name, "it decides which programs and settings are found"));
                }
                set.push(format!("{name}={value}"));
            }
            set.append(&mut words);
            words = set;
        }
        let mut caller = Caller::clone(&self.whose.caller);
        if let Some(directory) = &command.directory {
            let shop = self.shop()?;
            let bounds = Bounds {
                terms: &self.terms,
                own: shop.own(),
            };
            let spot = bounds.spot(directory)?;
            let inside = caller.roots.iter().any(|root| spot.real.starts_with(root));
            if !inside || !spot.real.is_dir() {
                return Err(elsewhere(directory));
            }
            caller.roots.insert(0, spot.real);
        }
        Ok((words, caller))
    }

    async fn run(
        &self,
        words: Vec<String>,
        caller: Caller,
        keep: Option<usize>,
    ) -> Result<Box<dyn Terminal>, Denied> {
        let cli = self.door.cli()?;
        let ring = Arc::new(Mutex::new(Ring::new(keep)));
        let (tell, started) = oneshot::channel();
        let passthrough = Passthrough::new(Streams {
            stdin: Stdin::Null,
            words: Words::Raw {
                stdout: sink(&ring),
                stderr: sink(&ring),
                reader: Reader::Agent,
            },
        })
        .on_start(Box::new(move || {
            // Whoever does not wait any more does not want to know.
            let _ = tell.send(());
        }));
        let passthrough = Arc::new(match &self.whose.client {
            Some(client) => passthrough.asking(client.as_ref().clone()),
            None => passthrough,
        });
        let mut request = Request::of_words(words, caller);
        request.context = Some(Arc::clone(&passthrough) as _);
        let (ended, exit) = watch::channel(None);
        let (refuse, refused) = oneshot::channel();
        let end = End {
            passthrough: Arc::clone(&passthrough),
            ring: Arc::clone(&ring),
            ended,
        };
        let task = tokio::spawn(async move {
            let mut end = end;
            let envelope = cli.answer(request).await;
            if let Some(error) = end.with(&envelope) {
                let _ = refuse.send(error);
            }
        });
        let running = Running {
            ring,
            exit,
            task: task.abort_handle(),
        };
        tokio::select! {
            biased;
            Ok(()) = started => Ok(Box::new(running)),
            refused = refused => match refused {
                Ok(error) => Err(error),
                // It is over, and it was answered.
                Err(_) => Ok(Box::new(running)),
            },
        }
    }
}

/// The words of a command; one word that is a line for a shell is read as words.
fn plain(words: &[String]) -> Result<Vec<String>, Error> {
    let text = match (words, sh::line(words)) {
        (_, Some(text)) => text,
        ([only], None) if only.contains(|c: char| !is_name(c)) => only,
        ([], None) => {
            return Err(Error::invalid(
                "there is no command",
                "Send the program and its words",
            ));
        }
        (words, None) => return Ok(words.to_vec()),
    };
    let pieces = line::read(text);
    match pieces.as_deref() {
        Some([piece]) => match sh::line(&piece.words) {
            None => Ok(piece.words.clone()),
            Some(_) => Err(shell(text)),
        },
        Some(_) | None => Err(shell(text)),
    }
}

fn is_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '/' | '+' | '@')
}

fn shell(line: &str) -> Error {
    let what = Text::new("there is no shell here, and this is more than one command of plain words: {}");
    Error::invalid(
        what.value(line),
        "Send one command at a time, as a program and its words, without pipes, redirections, variables or wildcards",
    )
}

fn steers(name: &str, reason: &str) -> Error {
    let what = Text::new("Permission denied for the variable {}: {}");
    Error::new(Code::PermissionDenied, what.value(name).value(reason))
        .hint("Check your access level: leave it out")
        .detail("reason", "denied_by_policy")
}

fn elsewhere(directory: &Path) -> Error {
    let what = Text::new("Path traversal blocked: {} is no directory of this session");
    Error::new(Code::PathTraversalBlocked, what.value(shown(directory)))
        .hint("Start it in the directory of the session, or below")
}

fn sink(ring: &Arc<Mutex<Ring>>) -> OutputCallback {
    let ring = Arc::clone(ring);
    Box::new(move |bytes| ring.lock().unwrap_or_else(PoisonError::into_inner).push(bytes))
}

/// Tells how a command ended, also when it is given up.
struct End {
    passthrough: Arc<Passthrough>,
    ring: Arc<Mutex<Ring>>,
    ended: watch::Sender<Option<TerminalExit>>,
}

impl End {
    /// Takes the answer; returns why nothing was started.
    fn with(&mut self, envelope: &Envelope) -> Option<Error> {
        let ended = self.passthrough.ended();
        match (envelope.outcome(), ended) {
            (Ok(_), Some(ended)) => self.tell(exit(ended)),
            // One of our own commands, or a tool that is no program: its answer is its output.
            (Ok(answer), None) => {
                self.say(&format!("{}\n", answer.data()));
                self.tell(code(0));
            }
            (Err(error), Some(ended)) => {
                self.say(&format!("argrail: {}: {error}\n", error.code()));
                self.tell(match exit(ended) {
                    TerminalExit { code: Some(0), .. } => code(u32::from(error.exit())),
                    other => other,
                });
            }
            (Err(error), None) => {
                self.say(&format!("argrail: {}: {error}\n", error.code()));
                self.tell(code(u32::from(error.exit())));
                return Some(error.clone());
            }
        }
        None
    }

    fn say(&self, text: &str) {
        let mut ring = self.ring.lock().unwrap_or_else(PoisonError::into_inner);
        ring.push(text.as_bytes());
    }

    fn tell(&self, exit: TerminalExit) {
        self.ended.send_if_modified(|told| match told {
            Some(_) => false,
            None => {
                *told = Some(exit);
                true
            }
        });
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.tell(TerminalExit {
            code: None,
            signal: Some("SIGTERM".to_owned()),
        });
    }
}

fn code(number: u32) -> TerminalExit {
    TerminalExit {
        code: Some(number),
        signal: None,
    }
}

fn exit(ended: Ended) -> TerminalExit {
    match ended {
        Ended::Exit(number) => code(u32::try_from(number).unwrap_or(1)),
        Ended::Signal(number) => TerminalExit {
            code: None,
            signal: Some(signal(number)),
        },
    }
}

fn signal(number: i32) -> String {
    let known = [
        (1, "SIGHUP"),
        (2, "SIGINT"),
        (3, "SIGQUIT"),
        (6, "SIGABRT"),
        (9, "SIGKILL"),
        (11, "SIGSEGV"),
        (13, "SIGPIPE"),
        (15, "SIGTERM"),
    ];
    let found = known.iter().find(|(known, _)| *known == number);
    found.map_or_else(|| format!("signal {number}"), |(_, name)| (*name).to_owned())
}

/// A command that runs, or ran.
struct Running {
    ring: Arc<Mutex<Ring>>,
    exit: watch::Receiver<Option<TerminalExit>>,
    task: AbortHandle,
}

impl Terminal for Running {
    fn output(&self) -> TerminalOutput {
        let (text, truncated) = self.ring.lock().unwrap_or_else(PoisonError::into_inner).text();
        TerminalOutput {
            text,
            truncated,
            exit: self.exit.borrow().clone(),
        }
    }

    fn wait(&self) -> BoxFuture<'_, TerminalExit> {
        let mut exit = self.exit.clone();
        Box::pin(async move {
            let ended = exit.wait_for(Option::is_some).await;
            let ended = ended.ok().and_then(|ended| ended.clone());
            ended.unwrap_or(TerminalExit {
                code: None,
                signal: None,
            })
        })
    }

    fn kill(&self) {
        self.task.abort();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.task.abort();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_read_as_words_or_refused() {
        let check = |words: &[&str], want: Option<&[&str]>| {
            let given: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
            let read = plain(&given).ok();
            let read: Option<Vec<&str>> = read
                .as_ref()
                .map(|read| read.iter().map(String::as_str).collect());
            assert_eq!(read.as_deref(), want, "{words:?}");
        };
        check(&["ls"], Some(&["ls"]));
        check(&["ls", "a b; c"], Some(&["ls", "a b; c"]));
        check(&["git log -n 3"], Some(&["git", "log", "-n", "3"]));
        check(
            &["git log --format='%h %s' 2>&1"],
            Some(&["git", "log", "--format=%h %s"]),
        );
        check(&["bash", "-lc", "cargo test"], Some(&["cargo", "test"]));
        check(&["sh -c 'cargo test'"], None);
        check(&["a && b"], None);
        check(&["a | b"], None);
        check(&["bash", "-c", "echo $HOME"], None);
        check(&["ls *.rs"], None);
        check(&["a > b"], None);
        check(&[""], Some(&[""]));
        check(&[], None);
    }
}
