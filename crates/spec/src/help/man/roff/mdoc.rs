//! The macros of mdoc(7) that make lines: sections, lists, displays.

use super::escape::decode;
use super::inline::Inline;
use super::layout::{Fill, Layout};
use super::mdoc_line::{Glue, MdocLine, is_macro};
use super::request::Request;
use crate::help::man::line::Role;

/// The margin of text in a section.
const BASE: usize = 5;
/// How far a body stands in.
const STEP: usize = 8;
/// How deep lists may stand in lists.
const NESTING: usize = 50;

/// What an item of a list starts with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Items {
    /// A head, and a body below it.
    Heads,
    /// A bullet, a number, nothing.
    Marks,
    /// Cells of a table.
    Cells,
}

/// What moves the margin.
#[derive(Debug, Clone, Copy)]
enum Frame {
    /// A list whose heads stand at this margin.
    List(Items, usize),
    /// A display at this margin.
    Display(usize),
}

/// The state of a page that is written in mdoc(7).
#[derive(Debug, Default)]
pub(super) struct Mdoc {
    name: String,
    frames: Vec<Frame>,
    /// How many more are open than are looked at.
    beyond: usize,
    /// A head that goes on over several lines, with its first line.
    open_head: Option<(usize, Inline)>,
    /// In the synopsis every name of the program starts a line.
    synopsis: bool,
    glue: Glue,
}

impl Mdoc {
    /// Writes a line of text.
    pub(super) fn text(&mut self, number: usize, text: &str, page: &mut Layout) {
        if let Some((_, head)) = &mut self.open_head {
            head.push(' ');
            decode(text, &mut page.strings, head);
            return;
        }
        if std::mem::take(&mut self.glue) == Glue::Together {
            page.glue();
        }
        page.text(number, text);
    }

    /// Obeys a macro.
    pub(super) fn request(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        match request.name {
            "Dd" | "Dt" | "Os" | "Sm" | "Bk" | "Ek" | "Rs" | "Re" | "ad" | "hy" | "nh" | "na" => {}
            "Sh" | "Ss" => self.heading(number, request, page),
            "Pp" | "Lp" | "sp" => page.blank(number),
            "br" => page.end_line(),
            "Bl" => self.open_list(request, page),
            "El" => {
                self.close_head(page);
                self.close_frame();
                page.blank(number);
                page.margin(self.margin());
            }
            "It" => self.item(number, request, page),
            "Bd" | "D1" | "Dl" => self.display(number, request, page),
            "Ed" => {
                self.close_frame();
                page.end_line();
                page.fill = Fill::On;
                page.margin(self.margin());
            }
            "Nd" => {
                page.plain(number, "\u{2014}");
                page.text(number, request.rest);
            }
            name if name.starts_with('%') => {}
            name if is_macro(name) => self.inline(number, request, page),
            _ => {}
        }
    }

    fn inline(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        let mut words = vec![request.name.to_owned()];
        words.extend(request.arguments());
        if request.name == "Nm" {
            if self.name.is_empty()
                && let Some(name) = words.get(1)
            {
                self.name.clone_from(name);
            }
            if self.synopsis {
                page.end_line();
            }
        }
        let glued = std::mem::take(&mut self.glue);
        let glue = if let Some((_, head)) = &mut self.open_head {
            write_line(&self.name, glued, &words, &mut page.strings, head)
        } else {
            let (strings, out) = page.running(number);
            write_line(&self.name, glued, &words, strings, out)
        };
        self.glue = glue;
        if request.name == "Xc" || words.iter().any(|word| word == "Xc") {
            self.close_head(page);
        }
    }

    fn heading(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        self.close_head(page);
        let mut text = Inline::default();
        decode(&request.arguments().join(" "), &mut page.strings, &mut text);
        let text = text.take();
        self.frames.clear();
        self.beyond = 0;
        page.blank(number);
        page.fill = Fill::On;
        let section = request.name == "Sh";
        if section {
            self.synopsis = text.eq_ignore_ascii_case("synopsis");
        }
        let (role, indent) = if section {
            (Role::Section, 0)
        } else {
            (Role::Subsection, 3)
        };
        page.line(role, number, indent, &text);
        page.margin(BASE);
    }

    fn open_list(&mut self, request: &Request<'_>, page: &mut Layout) {
        let words = request.arguments();
        let has = |names: &[&str]| words.iter().any(|word| names.contains(&word.as_str()));
        let items = if has(&["-bullet", "-dash", "-hyphen", "-item", "-enum"]) {
            Items::Marks
        } else if has(&["-column"]) {
            Items::Cells
        } else {
            Items::Heads
        };
        let offset = if has(&["-offset"]) { 6 } else { 0 };
        self.close_head(page);
        self.open_frame(Frame::List(items, self.margin().saturating_add(offset)));
    }

    fn item(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        self.close_head(page);
        let (items, margin) = self.list();
        page.blank(number);
        page.margin(margin);
        match items {
            Items::Heads => {
                let mut words = vec!["No".to_owned()];
                words.extend(request.arguments());
                let mut head = Inline::default();
                let glue = write_line(&self.name, Glue::Apart, &words, &mut page.strings, &mut head);
                self.glue = glue;
                let open = words.iter().any(|word| word == "Xo");
                let closed = words.iter().any(|word| word == "Xc");
                self.open_head = Some((number, head));
                if !open || closed {
                    self.close_head(page);
                }
            }
            Items::Marks => {
                page.plain(number, "\u{2022}");
                page.end_line();
                page.margin(margin.saturating_add(2));
            }
            Items::Cells => {
                let words = request.arguments();
                let (strings, out) = page.running(number);
                write_line(&self.name, Glue::Apart, &words, strings, out);
                page.end_line();
            }
        }
    }

    fn close_head(&mut self, page: &mut Layout) {
        if let Some((number, mut head)) = self.open_head.take() {
            let (_, margin) = self.list();
            page.line(Role::Head, number, margin, &head.take());
            page.margin(self.margin());
            self.glue = Glue::Apart;
        }
    }

    fn display(&mut self, number: usize, request: &Request<'_>, page: &mut Layout) {
        let margin = self.margin().saturating_add(6);
        if request.name == "Bd" {
            let literal = request.rest.contains("-literal") || request.rest.contains("-unfilled");
            page.end_line();
            if literal {
                page.fill = Fill::Off;
            }
            let inset = request.rest.contains("-offset");
            let margin = if inset { margin } else { self.margin() };
            self.open_frame(Frame::Display(margin));
            page.margin(self.margin());
            return;
        }
        page.margin(margin);
        let mut words = vec!["No".to_owned()];
        words.extend(request.arguments());
        let (strings, out) = page.running(number);
        write_line(&self.name, Glue::Apart, &words, strings, out);
        page.margin(self.margin());
    }

    fn open_frame(&mut self, frame: Frame) {
        if self.frames.len() < NESTING {
            self.frames.push(frame);
        } else {
            self.beyond = self.beyond.saturating_add(1);
        }
    }

    fn close_frame(&mut self) {
        match self.beyond.checked_sub(1) {
            Some(beyond) => self.beyond = beyond,
            None => drop(self.frames.pop()),
        }
    }

    /// The innermost list and where its heads stand.
    fn list(&self) -> (Items, usize) {
        let lists = self.frames.iter().rev().find_map(|frame| match frame {
            Frame::List(items, margin) => Some((*items, *margin)),
            Frame::Display(_) => None,
        });
        lists.unwrap_or((Items::Heads, BASE))
    }

    /// The margin of text here.
    fn margin(&self) -> usize {
        match self.frames.last() {
            None => BASE,
            Some(Frame::Display(margin) | Frame::List(Items::Cells, margin)) => *margin,
            Some(Frame::List(Items::Heads, margin)) => margin.saturating_add(STEP),
            Some(Frame::List(Items::Marks, margin)) => margin.saturating_add(2),
        }
    }
}

fn write_line(
    name: &str,
    glue: Glue,
    words: &[String],
    strings: &mut super::escape::Strings,
    out: &mut Inline,
) -> Glue {
    let line = MdocLine::new(name, strings, out);
    match glue {
        Glue::Together => line.glued().write(words),
        Glue::Apart => line.write(words),
    }
}
