//! Files that the host reads and writes for an agent: where its sandbox may, and through the same rules.

use std::path::Path;
use std::sync::Arc;

use argrail_acli::{Code, Error, Text};
use argrail_engine::audit::{Action, Durability, Event};
use argrail_engine::call::{Act, Agreement, Change, Deed, FileAct, Shop, change};
use argrail_engine::policy::CarriedOut;
use argrail_spec::digest::Digest;
use serde_json::{Value, json};

use super::bounds::{Bounds, shown};
use super::governor::SessionGovernor;
use super::permit::failed;
use super::place;
use crate::governor::{Denied, ReadFile, WriteFile};

/// The most bytes of a file that is read or written.
const LARGEST: u64 = 16 << 20;

impl SessionGovernor {
    /// Reads a file.
    pub(super) async fn read_file(&self, file: ReadFile) -> Result<String, Denied> {
        let event = self.touched(Action::AgentActed, FileAct::Read, &file.path);
        if let Err(limited) = self.admit() {
            return Err(self.limited(event, limited));
        }
        let (event, outcome) = self.looked(event, &file).await;
        let text = self.closed(event, outcome)?;
        Ok(lines(&text, file.line, file.limit))
    }

    async fn looked(&self, event: Event, file: &ReadFile) -> (Event, Result<String, Denied>) {
        let spot = |shop: &Shop| {
            let bounds = Bounds {
                terms: &self.terms,
                own: shop.own(),
            };
            let spot = bounds.spot(&file.path)?;
            bounds.readable(&spot).map(|()| spot)
        };
        let (shop, spot) = match self.shop().and_then(|shop| Ok((Arc::clone(&shop), spot(&shop)?))) {
            Ok(found) => found,
            Err(error) => return (event, Err(error)),
        };
        let act = self.file_act(&shop, FileAct::Read, &spot.real, None);
        let (event, agreed) = decided(event, shop.agree(&act, &self.whose).await);
        if let Err(error) = agreed {
            return (event, Err(error));
        }
        let real = spot.real.clone();
        let read = aside(move || place::read(&real, LARGEST)).await;
        let text = read
            .map_err(|error| unread(&file.path, &error))
            .and_then(|bytes| {
                let bytes = bytes.ok_or_else(|| absent(&file.path))?;
                String::from_utf8(bytes).map_err(|_| no_text(&file.path))
            });
        match text {
            Ok(text) => (event.with("bytes", text.len()), Ok(text)),
            Err(error) => (event, Err(error)),
        }
    }

    /// Writes a file.
    pub(super) async fn write_file(&self, file: WriteFile) -> Result<(), Denied> {
        let event = self.touched(Action::AgentActed, FileAct::Write, &file.path);
        let event = event.with("bytes", file.content.len());
        if let Err(limited) = self.admit() {
            return Err(self.limited(event, limited));
        }
        let (event, outcome) = self.wrote(event, file).await;
        self.closed(event, outcome)
    }

    async fn wrote(&self, event: Event, file: WriteFile) -> (Event, Result<(), Denied>) {
        let (shop, act) = match self.writing(&file).await {
            Ok(found) => found,
            Err(error) => return (event, Err(error)),
        };
        let agreement = shop.agree(&act, &self.whose).await;
        let durability = agreement.durability;
        let (event, agreed) = decided(event, agreement);
        if let Err(error) = agreed {
            return (event, Err(error));
        }
        let mut intent = event.clone();
        intent.action = Action::AgentIntended;
        if let Err(error) = self.append(&intent, durability) {
            return (event, Err(error));
        }
        let path = act.words.get(1).map(std::path::PathBuf::from).unwrap_or_default();
        let content = act.content.clone().unwrap_or_default();
        let done = aside(move || place::write(&path, &content)).await;
        (event, done.map_err(|error| unwritten(&file.path, &error)))
    }

    /// What is to be written, with what it changes.
    async fn writing(&self, file: &WriteFile) -> Result<(Arc<Shop>, Act), Denied> {
        let shop = self.shop()?;
        let bounds = Bounds {
            terms: &self.terms,
            own: shop.own(),
        };
        let spot = bounds.spot(&file.path)?;
        bounds.writable(&spot)?;
        if !u64::try_from(file.content.len()).is_ok_and(|length| length <= LARGEST) {
            let what = Text::new("a file of {} bytes is longer than {}");
            let what = what.number(file.content.len()).number(LARGEST);
            return Err(Error::invalid(what, "Write less at once"));
        }
        let real = spot.real.clone();
        let before = aside(move || place::read(&real, LARGEST)).await;
        let before = before.map_err(|error| unwritten(&file.path, &error))?;
        let content: Arc<[u8]> = file.content.as_bytes().into();
        let mut act = self.file_act(&shop, FileAct::Write, &spot.real, Some(Arc::clone(&content)));
        act.shown["content"] = change(Change {
            before: before.as_deref(),
            after: &content,
        });
        Ok((shop, act))
    }

    fn file_act(&self, shop: &Shop, how: FileAct, real: &Path, content: Option<Arc<[u8]>>) -> Act {
        let deed = Deed::Files(how, vec![real.to_owned()]);
        let words = vec![how.as_str().to_owned(), shown(real)];
        let sandbox = match how {
            FileAct::Read | FileAct::Search => json!({"by": "argrail", "read": [shown(real)]}),
            FileAct::Write | FileAct::Edit | FileAct::Delete | FileAct::Move => {
                json!({"by": "argrail", "write": [shown(real)]})
            }
        };
        Act {
            facts: shop.deed(&deed, &self.whose.caller, "argrail"),
            carried_out: CarriedOut::Here,
            line: argrail_acli::join(&words),
            directory: self.terms.directory.clone(),
            input: Digest::of(words.join("\0")),
            words,
            content,
            sandbox,
            shown: json!({
                "kind": how.as_str(),
                "by": "host",
                "agent": self.terms.agent,
                "session": self.terms.session,
            }),
        }
    }

    fn touched(&self, action: Action, how: FileAct, path: &Path) -> Event {
        let path = self.told(&shown(path));
        self.event(action)
            .with("kind", how.as_str())
            .with("command", format!("{} {path}", how.as_str()))
            .with("paths", Value::from(vec![path]))
    }

    /// Records what became of it. What cannot be recorded is not handed out.
    pub(super) fn closed<T>(&self, event: Event, outcome: Result<T, Denied>) -> Result<T, Denied> {
        let outcome = outcome.map_err(|error| error.masked(self.door.shop().mask()));
        let event = event.with("success", outcome.is_ok());
        let event = match &outcome {
            Ok(_) => event,
            Err(error) => failed(event, error),
        };
        self.append(&event, Durability::Soon)?;
        outcome
    }
}

/// Adds the decision to what is recorded.
fn decided(mut event: Event, agreement: Agreement) -> (Event, Result<(), Denied>) {
    event.metadata.extend(agreement.notes);
    event.policy = agreement.policy;
    (event, agreement.outcome.map(drop))
}

/// Waits for a disk in a thread of its own.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> std::io::Result<T> + Send + 'static,
) -> std::io::Result<T> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(std::io::Error::other(error)))
}

/// The lines that were asked for, with their ends.
fn lines(text: &str, line: Option<u64>, limit: Option<u64>) -> String {
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    let before = count(line.unwrap_or(1).saturating_sub(1));
    let all = text.split_inclusive('\n').skip(before);
    all.take(limit.map_or(usize::MAX, count)).collect()
}

fn absent(path: &Path) -> Error {
    let what = Text::new("Execution failed: there is no file {}").value(shown(path));
    Error::new(Code::ExecutionError, what).hint("Name a file that is there")
}

fn no_text(path: &Path) -> Error {
    let what = Text::new("Execution failed: {} is not text in UTF-8").value(shown(path));
    Error::new(Code::ExecutionError, what).hint("Look at it with a command, such as 'file' or 'xxd'")
}

fn unread(path: &Path, error: &std::io::Error) -> Error {
    let what = Text::new("Execution failed: {} cannot be read: {}");
    Error::new(
        Code::ExecutionError,
        what.value(shown(path)).value(error.to_string()),
    )
    .hint("Name a regular file of at most 16 MiB")
}

fn unwritten(path: &Path, error: &std::io::Error) -> Error {
    let what = Text::new("Execution failed: {} cannot be written: {}");
    Error::new(
        Code::ExecutionError,
        what.value(shown(path)).value(error.to_string()),
    )
    .hint("Name a regular file, in a directory that may be changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_counted_from_one() {
        let check = |line: Option<u64>, limit: Option<u64>, want: &str| {
            assert_eq!(lines("a\nb\nc", line, limit), want, "{line:?} {limit:?}");
        };
        check(None, None, "a\nb\nc");
        check(Some(0), None, "a\nb\nc");
        check(Some(2), None, "b\nc");
        check(Some(2), Some(1), "b\n");
        check(None, Some(0), "");
        check(Some(9), Some(u64::MAX), "");
    }
}
