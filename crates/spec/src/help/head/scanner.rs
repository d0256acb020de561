//! A place in a text, and what stands there.

/// How far a closing bracket is looked for.
const MAX_INSIDE: usize = 4096;

/// A place in a text.
#[derive(Clone)]
pub(crate) struct Scanner<'t> {
    rest: &'t str,
}

impl<'t> Scanner<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { rest: text }
    }

    pub(crate) fn rest(&self) -> &'t str {
        self.rest
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest.chars().next()
    }

    /// Returns the character after the next one.
    pub(crate) fn peek_second(&self) -> Option<char> {
        self.rest.chars().nth(1)
    }

    pub(crate) fn is_at(&self, start: &str) -> bool {
        self.rest.starts_with(start)
    }

    /// Steps over `expected`, if it stands here.
    pub(crate) fn eat(&mut self, expected: &str) -> bool {
        match self.rest.strip_prefix(expected) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub(crate) fn skip_spaces(&mut self) -> usize {
        let trimmed = self.rest.trim_start_matches(' ');
        let skipped = self.rest.len() - trimmed.len();
        self.rest = trimmed;
        skipped
    }

    /// Steps over `bytes` bytes and returns them.
    pub(crate) fn take(&mut self, bytes: usize) -> &'t str {
        match self.rest.split_at_checked(bytes) {
            Some((taken, rest)) => {
                self.rest = rest;
                taken
            }
            None => std::mem::take(&mut self.rest),
        }
    }

    pub(crate) fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|c| !accepts(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Returns what the bracket here encloses, and steps behind it.
    pub(crate) fn enclosed(&mut self) -> Option<&'t str> {
        let inside = self.peek_enclosed()?;
        self.take(inside.len() + 2);
        Some(inside)
    }

    /// Returns what the bracket here encloses.
    pub(crate) fn peek_enclosed(&self) -> Option<&'t str> {
        let open = self.peek()?;
        let close = closing(open)?;
        let mut depth = 0_usize;
        for (at, c) in self.rest.char_indices() {
            if at > MAX_INSIDE {
                return None;
            }
            if c == close && (depth == 1 || open == close && at > 0) {
                return self.rest.get(open.len_utf8()..at);
            }
            if c == close {
                depth = depth.saturating_sub(1);
            } else if c == open {
                depth += 1;
            }
        }
        None
    }
}

/// Returns what closes a bracket or a quote.
pub(crate) fn closing(open: char) -> Option<char> {
    match open {
        '[' => Some(']'),
        '(' => Some(')'),
        '{' => Some('}'),
        '<' => Some('>'),
        '\'' | '"' => Some(open),
        _ => None,
    }
}
