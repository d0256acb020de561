//! From the source of a page to its lines.
//!
//! Macros that the page defines itself are run, as far as they only write: not deep inside each other, and all of them
//! together not beyond a budget.

use super::control::Control;
use super::layout::Layout;
use super::man_macros::{Known, Man};
use super::mdoc::Mdoc;
use super::request::Request;
use crate::help::man::line::Line;

/// How many lines are looked at to tell a source from a rendered page.
const FIRST_LINES: usize = 400;
/// How deep macros of the page may stand inside each other.
const DEPTH: usize = 3;
/// How many lines macros of the page may write.
const EXPANDED: usize = 20_000;
/// How long such a line may be.
const LONGEST: usize = 4_000;

/// Returns whether `text` is the source of a page and not a rendered one.
pub(crate) fn is_source(text: &str) -> bool {
    let mut requests = text.lines().take(FIRST_LINES).filter_map(Request::read);
    requests.any(|request| matches!(request.name, "TH" | "SH" | "Dd" | "Dt" | "Sh" | "so"))
}

/// Returns the file that the page is instead of itself: `.so man1/other.1`.
pub(crate) fn include(text: &str) -> Option<&str> {
    for line in text.lines().take(FIRST_LINES) {
        match Request::read(line) {
            Some(request) if request.name == "so" => {
                return Some(request.rest.trim()).filter(|file| !file.is_empty());
            }
            Some(request) if !request.name.is_empty() => return None,
            Some(_) => {}
            None if line.trim().is_empty() => {}
            None => return None,
        }
    }
    None
}

/// Returns the lines of a page.
pub(crate) fn render(source: &str) -> Vec<Line> {
    let mut requests = source.lines().filter_map(Request::read);
    let mdoc = requests.any(|request| matches!(request.name, "Dt" | "Sh"));
    let mut renderer = Renderer {
        macros: if mdoc {
            Macros::Mdoc(Mdoc::default())
        } else {
            Macros::Man(Man::default())
        },
        control: Control::default(),
        page: Layout::default(),
        left: EXPANDED,
    };
    for (index, line) in source.lines().enumerate() {
        renderer.feed(index.saturating_add(1), line, 0);
    }
    renderer.page.finish()
}

/// The two families of macros.
#[derive(Debug)]
enum Macros {
    Man(Man),
    Mdoc(Mdoc),
}

#[derive(Debug)]
struct Renderer {
    macros: Macros,
    control: Control,
    page: Layout,
    /// How many lines macros may still write.
    left: usize,
}

impl Renderer {
    fn feed(&mut self, number: usize, line: &str, depth: usize) {
        let Some(line) = self.control.counts(line) else {
            return;
        };
        match (Request::read(line), &mut self.macros) {
            (None, Macros::Man(man)) => man.text(number, line, &mut self.page),
            (None, Macros::Mdoc(mdoc)) => mdoc.text(number, line, &mut self.page),
            (Some(request), _) if matches!(request.name, "ds" | "ds1") => {
                self.page.strings.define(request.rest);
            }
            (Some(request), Macros::Mdoc(mdoc)) => mdoc.request(number, &request, &mut self.page),
            (Some(request), Macros::Man(man)) => {
                if man.request(number, &request, &mut self.page) == Known::No {
                    self.own(number, &request, depth);
                }
            }
        }
    }

    /// Runs a macro of the page.
    fn own(&mut self, number: usize, request: &Request<'_>, depth: usize) {
        let Some(body) = self.control.body(request.name).filter(|_| depth < DEPTH) else {
            return;
        };
        let words = request.arguments();
        let lines: Vec<String> = body
            .iter()
            .take(self.left)
            .map(|line| filled(line, &words))
            .collect();
        self.left = self.left.saturating_sub(lines.len());
        for line in lines {
            self.feed(number, &line, depth.saturating_add(1));
        }
    }
}

/// Puts the words of a call into a line of a macro: `\\\\$1`, `\\\\$*`.
fn filled(line: &str, words: &[String]) -> String {
    let mut out = String::new();
    let mut rest = line.chars().peekable();
    while let Some(c) = rest.next() {
        if out.len() > LONGEST {
            break;
        }
        if c != '\\' {
            out.push(c);
            continue;
        }
        // One backslash of two is used up when the macro is read.
        rest.next_if_eq(&'\\');
        if rest.next_if_eq(&'$').is_none() {
            out.push(c);
            continue;
        }
        match rest.next() {
            Some('*' | '@') => out.push_str(&words.join(" ")),
            Some(digit) => {
                let index = digit.to_digit(10).and_then(|digit| usize::try_from(digit).ok());
                let word = index
                    .and_then(|index| index.checked_sub(1))
                    .and_then(|index| words.get(index));
                out.push_str(word.map_or("", String::as_str));
            }
            None => {}
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[(usize, &str)]) {
        let lines = render(source);
        let lines = lines.iter().filter(|line| !line.is_blank());
        let found: Vec<(usize, &str)> = lines.map(|line| (line.indent, line.text.as_str())).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn definitions_stand_in() {
        check(
            ".TH T 1\n.SH OPTIONS\n.TP\n.BR \\-a \", \" \\-\\-all\nShow\nall.\n.TP\n\\fB\\-o\\fIfile\\fR\nWrite.\n.RS\n.PP\nMore.\n.RE",
            &[
                (0, "OPTIONS"),
                (7, "-a, --all"),
                (14, "Show all."),
                (7, "-o<file>"),
                (14, "Write."),
                (14, "More."),
            ],
        );
        check(
            ".Dd x\n.Dt T 1\n.Sh OPTIONS\n.Bl -tag -width x\n.It Fl a , Fl Fl all\nShow\n.Ar all .\n.It Xo\n.Fl b\n.Ar c\n.Xc\nB.\n.El\nEnd.",
            &[
                (0, "OPTIONS"),
                (5, "-a, --all"),
                (13, "Show all."),
                (5, "-b c"),
                (13, "B."),
                (5, "End."),
            ],
        );
    }

    #[test]
    fn a_head_may_go_on_in_the_next_line() {
        check(
            ".SH O\n.TP\n.BI \\-f \" x\\fR, \\fP\"\\c\n.BI \\-\\-file \" x\"\nText.",
            &[(0, "O"), (7, "-f x, --file x"), (14, "Text.")],
        );
    }

    #[test]
    fn macros_of_the_page_write() {
        check(
            ".de OPT\n.TP\n.B \\\\$1\n..\n.SH O\n.OPT \\-a\nText.",
            &[(0, "O"), (7, "-a"), (14, "Text.")],
        );
        check(".de LOOP\n.LOOP\nx\n..\n.SH O\n.LOOP", &[(0, "O"), (7, "x x x")]);
    }

    #[test]
    fn macros_of_the_page_write_no_more_than_their_budget() {
        let body = ".br\nx\n".repeat(500);
        let calls = ".M\n".repeat(1_000);
        let lines = render(&format!(".SH O\n.de M\n{body}..\n{calls}"));
        assert!(lines.len() <= EXPANDED, "{}", lines.len());
    }

    #[test]
    fn a_page_may_be_another() {
        assert_eq!(include(".\\\" comment\n.so man1/other.1\n"), Some("man1/other.1"));
        assert_eq!(include(".TH X 1\n.so man1/other.1\n"), None);
        assert_eq!(include("text"), None);
    }
}
