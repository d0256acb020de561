//! The grammar of a usage line: words, brackets, alternatives, dots that repeat.
//!
//! `tool [-ab] [-o FILE] {x|y} <name>...` becomes a tree. Brackets that never close end with the line; nesting is
//! bounded, and what is deeper lies flat.

use crate::help::head::Scanner;

const MAX_DEPTH: usize = 24;
const MAX_TOKENS: usize = 4000;

/// One piece of a usage line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Node<'t> {
    pub(crate) piece: Piece<'t>,
    /// Whether dots follow it.
    pub(crate) repeats: bool,
}

/// What a piece is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Word(&'t str),
    Group(Group<'t>),
}

/// Something in brackets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Group<'t> {
    pub(crate) bracket: Bracket,
    pub(crate) alternatives: Vec<Vec<Node<'t>>>,
    /// Whether alternatives touch their bars: `-a|--all`.
    pub(crate) tight: bool,
}

/// Which brackets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bracket {
    /// `[…]`: may be left out.
    Square,
    /// `(…)` or `{…}`: has to be given.
    Other,
    /// None: the line itself.
    Line,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Token<'t> {
    Open(Bracket),
    Close,
    Bar { tight: bool },
    Dots,
    Word(&'t str),
}

/// Reads a usage line.
pub(crate) fn tree(text: &str) -> Group<'_> {
    let mut open: Vec<Group<'_>> = vec![Group::new(Bracket::Line)];
    let mut flat = 0_usize;
    for token in tokens(text) {
        match token {
            Token::Open(bracket) if open.len() < MAX_DEPTH => open.push(Group::new(bracket)),
            Token::Open(_) => flat += 1,
            Token::Close if flat > 0 => flat -= 1,
            Token::Close => close(&mut open),
            Token::Bar { tight } => {
                if let Some(group) = open.last_mut() {
                    group.tight |= tight;
                    group.alternatives.push(Vec::new());
                }
            }
            Token::Dots => {
                if let Some(node) = open.last_mut().and_then(Group::last_node) {
                    node.repeats = true;
                } else if let Some(group) = open.last_mut() {
                    group.push(Piece::Word("..."));
                }
            }
            Token::Word(word) => {
                if let Some(group) = open.last_mut() {
                    group.push(Piece::Word(word));
                }
            }
        }
    }
    while open.len() > 1 {
        close(&mut open);
    }
    open.pop().unwrap_or_else(|| Group::new(Bracket::Line))
}

fn close<'t>(open: &mut Vec<Group<'t>>) {
    if open.len() < 2 {
        return;
    }
    if let Some(group) = open.pop()
        && let Some(outer) = open.last_mut()
    {
        outer.push(Piece::Group(group));
    }
}

impl<'t> Group<'t> {
    fn new(bracket: Bracket) -> Self {
        Self {
            bracket,
            alternatives: vec![Vec::new()],
            tight: false,
        }
    }

    fn push(&mut self, piece: Piece<'t>) {
        if let Some(last) = self.alternatives.last_mut() {
            last.push(Node {
                piece,
                repeats: false,
            });
        }
    }

    fn last_node(&mut self) -> Option<&mut Node<'t>> {
        self.alternatives.last_mut().and_then(|nodes| nodes.last_mut())
    }
}

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner::new(text);
    let mut tokens = Vec::new();
    while tokens.len() < MAX_TOKENS {
        let spaces = scanner.skip_spaces();
        let Some(c) = scanner.peek() else {
            break;
        };
        let token = match c {
            '[' => bracket(&mut scanner, Token::Open(Bracket::Square)),
            '(' | '{' => bracket(&mut scanner, Token::Open(Bracket::Other)),
            ']' | ')' | '}' => bracket(&mut scanner, Token::Close),
            '|' => {
                scanner.take(1);
                let tight = spaces == 0 && scanner.peek() != Some(' ');
                Token::Bar { tight }
            }
            '.' if scanner.eat("...") => Token::Dots,
            '\u{2026}' => {
                scanner.take(c.len_utf8());
                Token::Dots
            }
            _ => Token::Word(word(&mut scanner)),
        };
        tokens.push(token);
    }
    tokens
}

fn bracket<'t>(scanner: &mut Scanner<'t>, token: Token<'t>) -> Token<'t> {
    scanner.take(1);
    token
}

/// A word, with the brackets inside of it: `FILE[:LINE]`, `--color[=WHEN]`, `<a|b>`.
fn word<'t>(scanner: &mut Scanner<'t>) -> &'t str {
    let whole = scanner.rest();
    let mut ahead = scanner.clone();
    let mut is_first = true;
    while let Some(c) = ahead.peek() {
        let steps = match c {
            ' ' | '|' | ']' | ')' | '}' => break,
            '.' if ahead.is_at("...") && !is_first && !ends_with_equals(whole, &ahead) => break,
            '[' | '(' | '{' if is_first => break,
            '<' | '[' | '(' | '{' => match ahead.peek_enclosed() {
                Some(inside) if c == '<' || !inside.contains(' ') => inside.len() + 2,
                Some(_) if !is_first => break,
                Some(_) | None => 1,
            },
            _ => c.len_utf8(),
        };
        ahead.take(steps);
        is_first = false;
    }
    let length = whole.len() - ahead.rest().len();
    // Something is always read, so that the reader moves on.
    let least = whole.chars().next().map_or(0, char::len_utf8);
    scanner.take(length.max(least))
}

fn ends_with_equals(whole: &str, ahead: &Scanner<'_>) -> bool {
    let read = whole.len() - ahead.rest().len();
    whole.get(..read).is_some_and(|read| read.ends_with('='))
}
