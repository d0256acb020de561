//! Which lines of a source count: conditions, definitions of macros, ignored blocks.
//!
//! Conditions are answered as a terminal would (`n` holds, `t` does not); what hangs on registers does not hold.
//! Bodies of macros are kept for [`super::render`], so many lines of them and no more.

use std::collections::HashMap;

use super::request::Request;

/// How many macros of its own a page may have.
const MACROS: usize = 500;
/// How many lines all of them may have.
const BODIES: usize = 5_000;

/// What is left out at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Skip {
    Nothing,
    /// An ignored block, or the body of a macro, up to this request.
    Until(String, Option<String>),
}

/// The state between lines.
#[derive(Debug)]
pub(super) struct Control {
    skip: Skip,
    /// The blocks that are open, and whether each counts.
    blocks: Vec<bool>,
    /// Blocks that opened inside one that does not count.
    dead: usize,
    /// What the last `.ie` was, for its `.el`.
    last: bool,
    macros: HashMap<String, Vec<String>>,
    /// How many lines the bodies have.
    kept: usize,
}

impl Default for Control {
    fn default() -> Self {
        Self {
            skip: Skip::Nothing,
            blocks: Vec::new(),
            dead: 0,
            last: true,
            macros: HashMap::new(),
            kept: 0,
        }
    }
}

impl Control {
    /// Returns the body of a macro that the page defines.
    pub(super) fn body(&self, name: &str) -> Option<&[String]> {
        self.macros.get(name).map(Vec::as_slice)
    }

    /// Returns what of `line` counts, if anything.
    pub(super) fn counts<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        if let Skip::Until(end, name) = &self.skip {
            if Request::read(line).is_some_and(|request| request.name == end.as_str()) {
                self.skip = Skip::Nothing;
            } else if let Some(body) = name.as_ref().and_then(|name| self.macros.get_mut(name))
                && self.kept < BODIES
            {
                self.kept = self.kept.saturating_add(1);
                body.push(line.to_owned());
            }
            return None;
        }
        if self.blocks.last() == Some(&false) {
            self.pass_dead(line);
            return None;
        }
        let closed = line.matches("\\}").count();
        let open_before = self.blocks.len();
        let counted = self.open(line);
        // What closes on the line that opened it, closes that first.
        let opened_dead = self.blocks.len() > open_before && self.blocks.last() == Some(&false);
        for _ in 0..closed {
            self.blocks.pop();
        }
        let counted = if opened_dead { None } else { counted };
        counted.filter(|line| !matches!(*line, ".\\}" | "'\\}" | "\\}"))
    }

    fn pass_dead(&mut self, line: &str) {
        self.dead = self.dead.saturating_add(line.matches("\\{").count());
        for _ in 0..line.matches("\\}").count() {
            match self.dead.checked_sub(1) {
                Some(dead) => self.dead = dead,
                None => drop(self.blocks.pop()),
            }
        }
    }

    /// Takes conditions off the front of a line.
    fn open<'l>(&mut self, line: &'l str) -> Option<&'l str> {
        let mut line = line;
        loop {
            let Some(request) = Request::read(line) else {
                return Some(line);
            };
            let (holds, rest) = match request.name {
                "if" => condition(request.rest),
                "ie" => {
                    let (holds, rest) = condition(request.rest);
                    self.last = holds;
                    (holds, rest)
                }
                "el" => (!self.last, request.rest),
                "de" | "de1" | "dei" | "am" | "am1" | "ig" => {
                    self.define(&request);
                    return None;
                }
                _ => return Some(line),
            };
            let rest = rest.trim_start_matches([' ', '\t']);
            if let Some(block) = rest.strip_prefix("\\{") {
                self.blocks.push(holds);
                line = block.trim_start_matches([' ', '\t']).trim_end_matches('\\');
            } else {
                line = rest;
            }
            if !holds || line.is_empty() {
                return None;
            }
        }
    }

    fn define(&mut self, request: &Request<'_>) {
        let mut words = request.rest.split([' ', '\t']).filter(|word| !word.is_empty());
        let name = (request.name != "ig")
            .then(|| words.next())
            .flatten()
            .map(str::to_owned);
        let end = words.next().filter(|end| !end.starts_with('\\')).unwrap_or(".");
        if let Some(name) = &name
            && self.macros.len() < MACROS
        {
            let adds = request.name.starts_with("am");
            let body = self.macros.entry(name.clone()).or_default();
            if !adds {
                body.clear();
            }
        }
        self.skip = Skip::Until(end.to_owned(), name);
    }
}

/// Reads a condition and returns whether it holds, and what follows it.
fn condition(text: &str) -> (bool, &str) {
    let bare = text.trim_start_matches(['!', ' ']);
    let negated = text.len().saturating_sub(bare.len()) % 2 == 1 && text.starts_with('!');
    let mut chars = bare.chars();
    let (holds, rest) = match chars.next() {
        Some('n') if is_end(chars.as_str()) => (true, chars.as_str()),
        Some('t' | 'o' | 'e' | 'v') if is_end(chars.as_str()) => (false, chars.as_str()),
        Some(quote @ ('\'' | '"')) => compared(chars.as_str(), quote),
        Some('d' | 'r' | 'c' | 'm' | 'F' | 'S') => (false, after_word(chars.as_str().trim_start())),
        Some(_) => {
            let rest = after_word(bare);
            let word = bare.strip_suffix(rest).unwrap_or(bare);
            (matches!(word, "1" | "\\n(.g" | "\\n[.g]"), rest)
        }
        None => (false, ""),
    };
    (holds != negated, rest)
}

fn is_end(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with([' ', '\t', '\\', '.', '\''])
}

fn after_word(text: &str) -> &str {
    let end = text.find([' ', '\t']).unwrap_or(text.len());
    text.get(end..).unwrap_or_default()
}

fn compared(text: &str, quote: char) -> (bool, &str) {
    let mut parts = text.splitn(3, quote);
    match (parts.next(), parts.next(), parts.next()) {
        (Some(left), Some(right), Some(rest)) => (left == right, rest),
        _ => (false, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &[&str]) {
        let mut control = Control::default();
        let found: Vec<&str> = source.lines().filter_map(|line| control.counts(line)).collect();
        assert_eq!(found, expected, "{source}");
    }

    #[test]
    fn conditions_are_answered_as_on_a_terminal() {
        check(".if n yes\n.if t no\n.if !t also\n.if !n no", &["yes", "also"]);
        check(".ie n .br\n.el .sp\n.ie t a\n.el b", &[".br", "b"]);
        check(".if 'a'a' same\n.if 'a'b' other", &["same"]);
        check(
            ".if \\n(.g groff\n.if \\nF index\n.if (\\n(rF:(\\n(.g==0)) x",
            &["groff"],
        );
        check(".if d name no\n.ie n .if t no\n.if n .if n twice", &["twice"]);
    }

    #[test]
    fn blocks_count_or_do_not() {
        check(".if n \\{\\\n.PP\nkept\n.\\}\nafter", &[".PP", "kept", "after"]);
        check(".if t \\{\\\n.PP\ndropped\n.\\}\nafter", &["after"]);
        check(".if t \\{ x\n.if n \\{ y\n.\\}\nz\n.\\}\nafter", &["after"]);
        check(".ie t \\{ a \\}\n.el \\{ b\n.\\}\nafter", &["b", "after"]);
        check(".if t \\{ a \\}\nafter", &["after"]);
    }

    #[test]
    fn bodies_of_macros_are_put_aside() {
        check(".de XX\n.B \\$1\n..\n.XX a", &[".XX a"]);
        check(".de XX ENDX\n.B\n..\n.ENDX\nafter", &["after"]);
        check(".ig\nhidden\n..\nshown", &["shown"]);
        check(".de XX\nnever closed", &[]);
    }
}
