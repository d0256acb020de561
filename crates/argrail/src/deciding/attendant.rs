//! The person who watches an agent: its questions, one after the other, on the terminal where its words appear.
//!
//! Lines are read by a thread of their own, so that a question can be taken back while somebody thinks. What was typed
//! before a question stood there answers nothing.

use std::io::{BufRead, Read};
use std::thread;
use std::time::Duration;

use argrail_acli::Error;
use argrail_engine::policy::RequestId;
use argrail_engine::store::State;
use jiff::Timestamp;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::asked::Asked;
use super::authority::at_terminal;
use super::choice::{Choice, Decision};
use super::code;
use super::decide::{decide, find};
use super::office::Office;
use super::person::Person;
use super::sheet::{brief, sheet};
use crate::foreign::{Part, Row};

/// How often it is looked whether somebody has answered elsewhere.
const LOOK: Duration = Duration::from_millis(300);
/// How many lines are kept that nobody asked for.
const TYPED_AHEAD: usize = 16;
/// The longest line that is read.
const LONGEST: u64 = 4096;

/// Somebody who watches.
#[derive(Debug)]
pub(crate) struct Attendant {
    person: Person,
    office: Office,
    lines: Option<mpsc::Receiver<String>>,
}

/// What was typed.
enum Typed {
    Line(String),
    /// Nothing more comes from this terminal.
    Gone,
    /// The question does not wait any more.
    Elsewhere,
}

impl Attendant {
    /// Returns the person, if standard input is a terminal.
    ///
    /// # Errors
    /// When there is no home.
    pub(crate) fn here() -> Result<Option<Self>, Error> {
        let Some(person) = Person::here() else {
            return Ok(None);
        };
        Ok(Some(Self {
            person: person.with_an_agent(),
            office: Office::open()?,
            lines: None,
        }))
    }

    /// Says something in our words.
    pub(crate) fn say(&mut self, text: &str) {
        // A terminal that is gone shows nothing to anybody.
        let _ = self.person.show(&[Row::Heading(text.to_owned())]);
    }

    /// Leaves the line on which a question stands without an answer.
    pub(crate) fn leave(&mut self) {
        let _ = self.person.end_line();
    }

    /// Shows a question and keeps the answer. Without one it goes on waiting.
    ///
    /// # Errors
    /// When it cannot be shown, or the answer cannot be kept.
    pub(crate) async fn ask(&mut self, id: &str) -> Result<(), Error> {
        let Ok(asked) = find(&*self.office.store, id, Timestamp::now()) else {
            return Ok(()); // Somebody was faster.
        };
        let code = code::random()
            .ok_or_else(|| Error::execution("the system gives no random numbers for a code"))?;
        let mut rows = vec![
            Row::Blank,
            Row::Heading("argrail asks: may the agent do this?".to_owned()),
        ];
        rows.extend(brief(&asked, Timestamp::now()));
        rows.push(Row::Blank);
        self.show(&rows)?;
        loop {
            let question = match asked.dangers.is_empty() {
                true => "a allow once, d deny, s show all:".to_owned(),
                false => format!("It is dangerous. {code} allow once, d deny, s show all:"),
            };
            let yes = match asked.dangers.is_empty() {
                true => "a",
                false => code.as_str(),
            };
            match self.typed(&question, &asked).await? {
                Typed::Line(line) if line == yes => return self.decided(&asked, Choice::Once),
                Typed::Line(line) if line == "d" => {
                    let reason = match self
                        .typed("why, for the agent and the record (may be empty):", &asked)
                        .await?
                    {
                        Typed::Line(reason) => Some(reason).filter(|reason| !reason.is_empty()),
                        Typed::Gone => None,
                        Typed::Elsewhere => return self.elsewhere(&asked),
                    };
                    return self.decided(&asked, Choice::Deny(reason));
                }
                Typed::Line(line) if line == "s" => {
                    let mut rows = sheet(&asked, Timestamp::now());
                    rows.push(Row::Blank);
                    self.show(&rows)?;
                }
                Typed::Line(_) => {}
                Typed::Elsewhere => return self.elsewhere(&asked),
                Typed::Gone => {
                    self.say(&format!(
                        "nothing was decided; it waits: argrail approve {}",
                        asked.id
                    ));
                    return Ok(());
                }
            }
        }
    }

    fn decided(&mut self, asked: &Asked, choice: Choice) -> Result<(), Error> {
        let now = Timestamp::now();
        let decision = Decision {
            asked: asked.clone(),
            choice,
        };
        let decided = decide(&self.office, &decision, &at_terminal(now), now)?;
        self.say(&decided.told(&decision.choice));
        Ok(())
    }

    fn elsewhere(&mut self, asked: &Asked) -> Result<(), Error> {
        self.leave();
        let parts = vec![
            Part::Quoted(asked.id.clone()),
            Part::ours(" does not wait any more"),
        ];
        self.show(&[Row::Item {
            mark: "-".to_owned(),
            parts,
        }])
    }

    fn show(&mut self, rows: &[Row]) -> Result<(), Error> {
        self.person.show(rows).map_err(Error::execution)
    }

    /// Asks and waits for a line, for as long as the question itself waits.
    async fn typed(&mut self, question: &str, asked: &Asked) -> Result<Typed, Error> {
        self.lines()?;
        while self.lines.as_mut().is_some_and(|lines| lines.try_recv().is_ok()) {}
        self.person.put(question).map_err(Error::execution)?;
        let id = RequestId(asked.id.clone());
        let Some(lines) = &mut self.lines else {
            return Ok(Typed::Gone);
        };
        loop {
            match tokio::time::timeout(LOOK, lines.recv()).await {
                Ok(Some(line)) => return Ok(Typed::Line(line)),
                Ok(None) => return Ok(Typed::Gone),
                Err(_) => {
                    let request = self.office.store.request(&id, Timestamp::now());
                    let waits = request.is_ok_and(|request| {
                        request.is_some_and(|request| matches!(request.state, State::Pending))
                    });
                    if !waits {
                        return Ok(Typed::Elsewhere);
                    }
                }
            }
        }
    }

    /// Begins to read lines, if nobody does yet.
    fn lines(&mut self) -> Result<(), Error> {
        if self.lines.is_some() {
            return Ok(());
        }
        let (sender, receiver) = mpsc::channel(TYPED_AHEAD);
        let mut typed = self.person.typed().map_err(Error::execution)?;
        // The thread ends with the terminal or with us: nothing can wake it from waiting for a line.
        let reading = move || {
            let mut line = String::new();
            while let Ok(1..) = (&mut typed).take(LONGEST).read_line(&mut line) {
                // What has no room answers nothing.
                if let Err(TrySendError::Closed(_)) = sender.try_send(line.trim().to_owned()) {
                    return;
                }
                line.clear();
            }
        };
        let begun = thread::Builder::new().name("terminal".to_owned()).spawn(reading);
        begun.map_err(Error::execution)?;
        self.lines = Some(receiver);
        Ok(())
    }
}
