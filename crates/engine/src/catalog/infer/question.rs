//! How one command is asked for help, and in which order.
//!
//! `--help` first. `help COMMAND` if the tool advertises a command `help`, and `-h`, only when that was no help: to some
//! programs `help` is the name of a file, and to some `-h` means another thing.

use argrail_spec::help::{Page, Subject, merge_pages};

use super::answer::{Answer, Form, is_empty};
use super::asker::Ask;
use super::heard::{Heard, Silence};
use super::lead;

/// The most leads of one text that are followed.
const LEADS: usize = 6;

/// What was learned about one command.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Learned {
    /// Everything, merged.
    pub(super) page: Page,
    /// The words that were answered with help.
    pub(super) asked: Vec<Vec<String>>,
    /// The way in which it was answered, if it is a command.
    pub(super) way: Option<Way>,
    /// Whether what came was the manual.
    pub(super) manual: bool,
    /// Whether the program says that there is no such command.
    pub(super) denied: bool,
    /// Whether a text says that `help` can be asked about it.
    offers_help: bool,
    /// The text of the first answer, to tell it from others.
    pub(super) text: String,
    /// Usage lines of complaints: no help, but perhaps all there is.
    usage: Vec<(Vec<String>, Page)>,
    /// What went wrong, for a person.
    pub(super) problems: Vec<String>,
    /// Whether it did not end in time.
    pub(super) hung: bool,
    /// Whether somebody stopped it.
    pub(super) interrupted: bool,
}

impl Learned {
    fn finish(mut self, mut pages: Vec<Page>) -> Self {
        if pages.is_empty() {
            for (words, page) in std::mem::take(&mut self.usage) {
                self.asked.push(words);
                pages.push(page);
            }
        }
        self.page = merge_pages(pages);
        self
    }
}

/// Who is asked, and about what.
#[derive(Clone, Copy)]
pub(super) struct Questioner<'q> {
    pub(super) program: &'q dyn Ask,
    pub(super) name: &'q str,
}

/// What is done about a text that says that there is more under `help COMMAND`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pointer {
    /// That is asked, too.
    Follow,
    /// It is the manual, which is read from its file.
    Leave,
}

/// How a command can be asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// `COMMAND --help`.
    Flag,
    /// `help COMMAND`, where the tool says that it has a command `help`.
    Word,
    /// `COMMAND -h`.
    Short,
}

impl Way {
    /// Returns the ways in their order. `help` is one if the tool advertises it.
    pub(super) fn all(advertised: bool) -> Vec<Self> {
        let ways = [Self::Flag, Self::Word, Self::Short];
        ways.into_iter()
            .filter(|way| advertised || *way != Self::Word)
            .collect()
    }

    fn words<'w>(self, path: &[&'w str]) -> Vec<&'w str> {
        let path = path.iter().copied();
        match self {
            Self::Flag => path.chain(["--help"]).collect(),
            Self::Word => std::iter::once("help").chain(path).collect(),
            Self::Short => path.chain(["-h"]).collect(),
        }
    }
}

impl Questioner<'_> {
    /// Asks the tool itself.
    pub(super) fn tool(&self) -> Learned {
        let mut learned = Learned::default();
        let mut pages = Vec::new();
        let (mut leads, first) = self.take(&["--help"], &[], &mut pages, &mut learned);
        if !first.is_some_and(Form::is_help) {
            let (more, second) = self.take(&["-h"], &[], &mut pages, &mut learned);
            leads.extend(more);
            if !second.is_some_and(Form::is_help) && learned.offers_help {
                let (more, _) = self.take(&["help"], &[], &mut pages, &mut learned);
                leads.extend(more);
            }
        }
        leads.retain(|words| lead::is_safe(words) && !is_asked_anyway(words));
        let mut done: Vec<Vec<String>> = Vec::new();
        for words in leads {
            if done.len() >= LEADS || done.contains(&words) || learned.interrupted {
                continue;
            }
            let asked: Vec<&str> = words.iter().map(String::as_str).collect();
            let mut more = Vec::new();
            self.take(&asked, &[], &mut more, &mut learned);
            // It lists more options and commands; what the tool is and how it is written has been said.
            pages.extend(more.into_iter().map(|page| Page {
                options: page.options,
                commands: page.commands,
                ..Page::default()
            }));
            done.push(words);
        }
        learned.finish(pages)
    }

    /// Asks about one command of the tool, in these ways until one is answered with help.
    pub(super) fn command(&self, path: &[&str], ways: &[Way], pointer: Pointer) -> Learned {
        let mut learned = Learned::default();
        let mut pages = Vec::new();
        let mut denials = 0;
        for way in ways {
            let (_, form) = self.take(&way.words(path), path, &mut pages, &mut learned);
            denials += usize::from(form == Some(Form::Denial));
            if form.is_some_and(Form::is_help) {
                learned.way = Some(*way);
            }
            // One that hangs would hang again, and what is no command is none in any way.
            if learned.way.is_some() || denials > 0 || learned.hung || learned.interrupted {
                break;
            }
        }
        let asked = learned.way == Some(Way::Word);
        if pointer == Pointer::Follow && learned.offers_help && learned.way.is_some() && !asked {
            self.take(&Way::Word.words(path), path, &mut pages, &mut learned);
        }
        learned.denied = learned.way.is_none() && denials > 0;
        learned.finish(pages)
    }

    /// Asks one question and keeps what came of it: what the text offers to ask next, and what it was.
    fn take(
        &self,
        words: &[&str],
        path: &[&str],
        pages: &mut Vec<Page>,
        learned: &mut Learned,
    ) -> (Vec<Vec<String>>, Option<Form>) {
        let said = match self.program.ask(words) {
            Heard::Text(said) => said,
            Heard::Silence(silence) => {
                learned.interrupted |= silence == Silence::Interrupted;
                learned.hung |= silence == Silence::TimedOut;
                let told = silence.reason();
                let line = || format!("{} {}", self.name, words.join(" "));
                learned
                    .problems
                    .extend(told.map(|reason| format!("{}: {reason}", line())));
                return (Vec::new(), None);
            }
        };
        let subject = Subject {
            name: self.name,
            path,
        };
        let Answer { mut page, form } = Answer::of(&said, &subject);
        let leads = std::mem::take(&mut page.leads);
        learned.offers_help |= lead::offers_help(&said.text, self.name, path);
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        if form.is_help() {
            learned.asked.push(words);
            learned.manual |= form == Form::Manual;
            if learned.text.is_empty() {
                learned.text = said.text;
            }
            pages.push(page);
        } else if form == Form::Complaint && !is_empty(&page) {
            learned.usage.push((words, page));
        }
        (leads, Some(form))
    }
}

/// Whether these words are asked whatever a text offers.
fn is_asked_anyway(words: &[String]) -> bool {
    matches!(words, [one] if ["--help", "-h", "help"].contains(&one.as_str()))
}
