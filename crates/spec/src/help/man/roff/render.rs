//! From the source of a page to its lines.

use super::control::Control;
use super::layout::Layout;
use super::man_macros::{Known, Man};
use super::mdoc::Mdoc;
use super::request::Request;
use crate::help::man::line::Line;

/// How many lines are looked at to tell a source from a rendered page.
const FIRST_LINES: usize = 400;

/// The two families of macros.
#[derive(Debug)]
enum Macros {
    Man(Man),
    Mdoc(Mdoc),
}

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
    let mut macros = if mdoc {
        Macros::Mdoc(Mdoc::default())
    } else {
        Macros::Man(Man::default())
    };
    let mut control = Control::default();
    let mut page = Layout::default();
    for (index, line) in source.lines().enumerate() {
        let Some(line) = control.counts(line) else {
            continue;
        };
        let number = index.saturating_add(1);
        match (Request::read(line), &mut macros) {
            (None, Macros::Man(man)) => man.text(number, line, &mut page),
            (None, Macros::Mdoc(mdoc)) => mdoc.text(number, line, &mut page),
            (Some(request), _) if matches!(request.name, "ds" | "ds1") => {
                page.strings.define(request.rest);
            }
            (Some(request), Macros::Man(man)) => {
                let known = man.request(number, &request, &mut page);
                if known == Known::No && control.defines(request.name) {
                    man.own_macro(number, &request, &mut page);
                }
            }
            (Some(request), Macros::Mdoc(mdoc)) => mdoc.request(number, &request, &mut page),
        }
    }
    page.finish()
}
