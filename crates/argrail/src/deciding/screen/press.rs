//! What a key does.

use super::super::asked::Asked;
use super::super::choice::{Choice, Decision};
use super::input::Input;
use super::key::Key;
use super::state::{Focus, Mode, State, TIMES};

/// What a key needs to know from outside.
pub(super) struct Tools<'a> {
    /// Says what is wrong with a pattern for a question.
    pub(super) check: &'a dyn Fn(&str, &Asked) -> Result<(), String>,
    /// Makes a code to be typed; nothing without random numbers.
    pub(super) code: &'a dyn Fn() -> Option<String>,
}

/// What is to be done after a key.
#[derive(Debug, PartialEq)]
pub(super) enum Step {
    /// Draw.
    Draw,
    /// Keep this answer.
    Decide(Box<Decision>),
    /// Leave.
    Leave,
}

impl State {
    /// Takes a key.
    pub(super) fn press(&mut self, key: Key, tools: &Tools<'_>) -> Step {
        if key == Key::Interrupt {
            return Step::Leave;
        }
        match std::mem::replace(&mut self.mode, Mode::Browse) {
            Mode::Browse => self.browse(key, tools),
            Mode::Help => Step::Draw,
            Mode::Scope { asked, input, .. } => self.scope(asked, input, key, tools),
            Mode::Time { asked, scope } => self.time(asked, scope, key, tools),
            Mode::Reason { asked, input } => self.reason(asked, input, key),
            Mode::Confirm(decision) => self.confirm(decision, key),
            Mode::Code {
                decision,
                code,
                input,
            } => self.code(decision, code, input, key),
        }
    }

    fn browse(&mut self, key: Key, tools: &Tools<'_>) -> Step {
        self.notice = None;
        match key {
            Key::Char('q') => return Step::Leave,
            Key::Char('?') => self.mode = Mode::Help,
            Key::Escape | Key::Left | Key::Char('h') => self.focus = Focus::List,
            Key::Enter | Key::Right | Key::Char('l') if self.current.is_some() => {
                self.focus = Focus::Details;
            }
            Key::Char(c @ ('a' | 't' | 'p' | 'd')) => {
                self.begin(c);
                self.want_code(tools);
            }
            Key::PageUp => self.scroll = self.scroll.saturating_sub(self.page),
            Key::PageDown | Key::Char(' ') => self.scroll_to(self.scroll + self.page),
            Key::Up | Key::Char('k') => self.step(-1),
            Key::Down | Key::Char('j') => self.step(1),
            Key::Home | Key::Char('g') => self.leap(0),
            Key::End | Key::Char('G') => self.leap(usize::MAX),
            Key::Char(_)
            | Key::Right
            | Key::Enter
            | Key::Backspace
            | Key::Delete
            | Key::EraseWord
            | Key::EraseAll
            | Key::Interrupt => {}
        }
        Step::Draw
    }

    fn step(&mut self, by: isize) {
        match self.focus {
            Focus::List => self.go(by),
            Focus::Details => self.scroll_to(self.scroll.saturating_add_signed(by)),
        }
    }

    fn leap(&mut self, to: usize) {
        match self.focus {
            Focus::List => self.look_at(to.min(self.list.len().saturating_sub(1))),
            Focus::Details => self.scroll_to(to),
        }
    }

    fn scroll_to(&mut self, line: usize) {
        self.scroll = line.min(self.deepest);
    }

    /// Begins an answer to the question that is looked at, if it still waits.
    fn begin(&mut self, key: char) {
        let Some(asked) = self.current.clone().map(Box::new) else {
            return;
        };
        if self.place().is_none() {
            self.notice = Some("this question does not wait any more".to_owned());
            return;
        }
        let suggested = asked.suggest.clone();
        match (key, suggested) {
            ('a', _) => {
                self.mode = Mode::Confirm(Box::new(Decision {
                    asked: *asked,
                    choice: Choice::Once,
                }));
            }
            ('t', Some(scope)) => {
                self.scroll = 0;
                self.mode = Mode::Time { asked, scope };
            }
            ('p' | 't', suggested) => {
                self.mode = Mode::Scope {
                    asked,
                    input: Input::of(suggested.as_deref().unwrap_or_default()),
                    problem: None,
                };
            }
            _ => {
                self.mode = Mode::Reason {
                    asked,
                    input: Input::default(),
                };
            }
        }
    }

    fn scope(&mut self, asked: Box<Asked>, mut input: Input, key: Key, tools: &Tools<'_>) -> Step {
        input.press(key);
        let scope = input.text();
        let problem = (tools.check)(&scope, &asked).err();
        match (key, problem) {
            (Key::Escape, _) => {}
            (Key::Enter, None) => {
                self.scroll = 0;
                self.mode = Mode::Time { asked, scope };
            }
            (_, problem) => {
                self.mode = Mode::Scope {
                    asked,
                    input,
                    problem,
                }
            }
        }
        Step::Draw
    }

    fn time(&mut self, asked: Box<Asked>, scope: String, key: Key, tools: &Tools<'_>) -> Step {
        let Key::Char(digit) = key else {
            if key != Key::Escape {
                self.read_on(key);
                self.mode = Mode::Time { asked, scope };
            }
            return Step::Draw;
        };
        let index = digit.to_digit(10).and_then(|digit| digit.checked_sub(1));
        let chosen = index.and_then(|index| TIMES.get(usize::try_from(index).ok()?));
        let Some((_, lives)) = chosen else {
            self.mode = Mode::Time { asked, scope };
            return Step::Draw;
        };
        if let Err(problem) = (tools.check)(&scope, &asked) {
            let input = Input::of(&scope);
            self.mode = Mode::Scope {
                asked,
                input,
                problem: Some(problem),
            };
            return Step::Draw;
        }
        self.mode = Mode::Confirm(Box::new(Decision {
            asked: *asked,
            choice: Choice::Grant {
                scope,
                lives: Some(*lives),
                session: None,
            },
        }));
        self.want_code(tools);
        Step::Draw
    }

    fn reason(&mut self, asked: Box<Asked>, mut input: Input, key: Key) -> Step {
        match key {
            Key::Escape => Step::Draw,
            Key::Enter => {
                let reason = input.text().trim().to_owned();
                let reason = (!reason.is_empty()).then_some(reason);
                Step::Decide(Box::new(Decision {
                    asked: *asked,
                    choice: Choice::Deny(reason),
                }))
            }
            key => {
                input.press(key);
                self.mode = Mode::Reason { asked, input };
                Step::Draw
            }
        }
    }

    fn confirm(&mut self, decision: Box<Decision>, key: Key) -> Step {
        match key {
            Key::Char('y' | 'Y') => return Step::Decide(decision),
            Key::Escape | Key::Char(_) => {}
            key => {
                self.read_on(key);
                self.mode = Mode::Confirm(decision);
            }
        }
        Step::Draw
    }

    /// Keys that move the text are for reading on, also while something is asked.
    fn read_on(&mut self, key: Key) {
        match key {
            Key::Up => self.scroll_to(self.scroll.saturating_sub(1)),
            Key::Down => self.scroll_to(self.scroll + 1),
            Key::PageUp => self.scroll_to(self.scroll.saturating_sub(self.page)),
            Key::PageDown => self.scroll_to(self.scroll + self.page),
            Key::Char(_)
            | Key::Left
            | Key::Right
            | Key::Home
            | Key::End
            | Key::Enter
            | Key::Escape
            | Key::Backspace
            | Key::Delete
            | Key::EraseWord
            | Key::EraseAll
            | Key::Interrupt => {}
        }
    }

    /// Asks for a code instead of a key where the question is dangerous.
    fn want_code(&mut self, tools: &Tools<'_>) {
        match std::mem::replace(&mut self.mode, Mode::Browse) {
            Mode::Confirm(decision) if !decision.asked.dangers.is_empty() => match (tools.code)() {
                Some(code) => {
                    self.mode = Mode::Code {
                        decision,
                        code,
                        input: Input::default(),
                    };
                }
                None => self.notice = Some("the system gives no random numbers for a code".to_owned()),
            },
            other => self.mode = other,
        }
    }

    fn code(&mut self, decision: Box<Decision>, code: String, mut input: Input, key: Key) -> Step {
        match key {
            Key::Escape => return Step::Draw,
            Key::Enter if input.text() == code => return Step::Decide(decision),
            Key::Enter => {
                self.notice = Some("that is not the code; nothing was decided".to_owned());
                return Step::Draw;
            }
            Key::Up | Key::Down | Key::PageUp | Key::PageDown => self.read_on(key),
            key => input.press(key),
        }
        self.mode = Mode::Code {
            decision,
            code,
            input,
        };
        Step::Draw
    }
}
