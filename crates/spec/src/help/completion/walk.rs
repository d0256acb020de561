//! A walk through a bash or zsh script: simple commands and assignments, with the function and the arms of `case` that
//! they stand in.
//!
//! Not a parser of either shell: what it does not understand it passes over.

use super::words::{Piece, Token, joined};

/// How deep `case` may stand in `case`.
const NESTING: usize = 40;
/// How much of the text of one arm is kept.
const BODY: usize = 4_000;

/// A word of a command.
#[derive(Debug, Clone)]
pub(super) struct Word<'t> {
    /// Its text.
    pub(super) text: String,
    /// Its pieces.
    pub(super) pieces: &'t [Piece],
    /// Its line.
    pub(super) line: usize,
}

/// A `case` that is open.
#[derive(Debug, Default, Clone)]
pub(super) struct Case {
    /// What it looks at: `$prev`.
    pub(super) subject: String,
    /// The patterns of the arm.
    pub(super) patterns: Vec<String>,
    /// The line of the arm.
    pub(super) line: usize,
    /// What the arm does, as words.
    pub(super) body: String,
    in_pattern: bool,
    /// Brackets that are open in a pattern: `@(a|b)`.
    depth: usize,
}

/// Where in the script something stands.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The `case`s around it, the outermost first.
    pub(super) cases: Vec<Case>,
    /// The function.
    pub(super) function: String,
    beyond: usize,
}

/// Who is told what stands in a script.
pub(super) trait Visitor {
    /// A command with its words.
    fn command(&mut self, words: &[Word<'_>], scope: &Scope);
    /// A variable that is set or added to.
    fn assign(&mut self, name: &str, values: &[Word<'_>], scope: &Scope);
    /// The end of an arm.
    fn arm(&mut self, case: &Case, scope: &Scope);
}

/// Walks through a script.
pub(super) fn walk(tokens: &[Token], visitor: &mut impl Visitor) {
    let mut walker = Walker {
        tokens,
        at: 0,
        scope: Scope::default(),
        words: Vec::new(),
        visitor,
    };
    while walker.at < tokens.len() {
        walker.step();
    }
    walker.end_command();
}

struct Walker<'t, 'v, V> {
    tokens: &'t [Token],
    at: usize,
    scope: Scope,
    words: Vec<Word<'t>>,
    visitor: &'v mut V,
}

impl<'t, V: Visitor> Walker<'t, '_, V> {
    fn step(&mut self) {
        let Some(token) = self.tokens.get(self.at) else {
            return;
        };
        self.at = self.at.saturating_add(1);
        if self.scope.cases.last().is_some_and(|case| case.in_pattern) {
            return self.pattern(token);
        }
        match token {
            Token::Newline => self.end_command(),
            Token::Operator(operator) => self.operator(*operator),
            Token::Word(pieces, line) => self.word(pieces, *line),
        }
    }

    fn word(&mut self, pieces: &'t [Piece], line: usize) {
        let text = joined(pieces);
        if self.words.is_empty() {
            match text.as_str() {
                "case" => return self.open_case(),
                "esac" => return self.close_case(),
                "then" | "else" | "do" | "{" | "!" | "}" | "fi" | "done" | "if" | "elif" | "while"
                | "until" | "time" | "local" | "declare" | "typeset" | "export" | "readonly" | "integer" => {
                    return;
                }
                "function" => {
                    if let Some(name) = self.tokens.get(self.at).and_then(Token::word) {
                        self.scope.function = name;
                    }
                    return;
                }
                flags if flags.starts_with('-') => return,
                _ => {}
            }
            if let [Piece::Bare(bare), rest @ ..] = pieces
                && let Some((name, value)) = assigned(bare)
            {
                return self.assignment(name, value, rest, line);
            }
        }
        self.words.push(Word { text, pieces, line });
    }

    fn assignment(&mut self, name: &'t str, value: &str, rest: &'t [Piece], line: usize) {
        let next_is_array = self.tokens.get(self.at).is_some_and(|token| token.is('('));
        if value.is_empty() && rest.is_empty() && next_is_array {
            self.at = self.at.saturating_add(1);
            return self.array(name);
        }
        let text = format!("{value}{}", joined(rest));
        self.visitor.assign(
            name,
            &[Word {
                text,
                pieces: rest,
                line,
            }],
            &self.scope,
        );
    }

    fn array(&mut self, name: &str) {
        let mut items = Vec::new();
        let mut depth = 1_usize;
        while let Some(token) = self.tokens.get(self.at) {
            match token {
                Token::Operator('(') => depth = depth.saturating_add(1),
                Token::Operator(')') => depth = depth.saturating_sub(1),
                Token::Operator(_) | Token::Newline => {}
                Token::Word(pieces, line) => {
                    // What `$(…)` prints is read as a command of its own.
                    if joined(pieces) == "$" {
                        return self.visitor.assign(name, &items, &self.scope);
                    }
                    items.push(Word {
                        text: joined(pieces),
                        pieces,
                        line: *line,
                    });
                }
            }
            self.at = self.at.saturating_add(1);
            if depth == 0 {
                break;
            }
        }
        self.visitor.assign(name, &items, &self.scope);
    }

    fn operator(&mut self, operator: char) {
        let next = self.tokens.get(self.at);
        if operator == '('
            && next.is_some_and(|next| next.is(')'))
            && let [name] = self.words.as_slice()
        {
            self.scope.function.clone_from(&name.text);
            self.words.clear();
            self.at = self.at.saturating_add(1);
            return;
        }
        self.end_command();
        let ends_arm =
            operator == ';' && next.is_some_and(|next| next.is(';') || next.is('&') || next.is('|'));
        if ends_arm {
            self.at = self.at.saturating_add(1);
            self.end_arm();
        }
    }

    fn end_command(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.is_empty() {
            return;
        }
        if let Some(case) = self.scope.cases.last_mut() {
            for word in &words {
                if case.body.len() < BODY {
                    case.body.push_str(&word.text);
                    case.body.push(' ');
                }
            }
        }
        self.visitor.command(&words, &self.scope);
    }

    fn open_case(&mut self) {
        let mut case = Case {
            in_pattern: true,
            ..Case::default()
        };
        while let Some(token) = self.tokens.get(self.at) {
            self.at = self.at.saturating_add(1);
            match token.word() {
                Some(word) if word == "in" => break,
                Some(word) if case.subject.len() < 200 => case.subject.push_str(&word),
                Some(_) => {}
                None if *token == Token::Newline => break,
                None => {}
            }
        }
        if self.scope.cases.len() < NESTING {
            self.scope.cases.push(case);
        } else {
            self.scope.beyond = self.scope.beyond.saturating_add(1);
        }
    }

    fn close_case(&mut self) {
        match self.scope.beyond.checked_sub(1) {
            Some(beyond) => self.scope.beyond = beyond,
            None => {
                self.end_arm();
                self.scope.cases.pop();
            }
        }
    }

    fn end_arm(&mut self) {
        if self.scope.beyond > 0 {
            return;
        }
        let Some(case) = self.scope.cases.last_mut() else {
            return;
        };
        if !case.in_pattern {
            let ended = std::mem::take(case);
            case.subject.clone_from(&ended.subject);
            case.in_pattern = true;
            self.visitor.arm(&ended, &self.scope);
        }
    }

    fn pattern(&mut self, token: &'t Token) {
        let Some(case) = self.scope.cases.last_mut() else {
            return;
        };
        match token {
            Token::Word(pieces, line) => {
                let text = joined(pieces);
                if case.patterns.is_empty() && text == "esac" && case.depth == 0 {
                    return self.close_case();
                }
                case.line = *line;
                if case.depth == 0 && case.patterns.len() < 500 {
                    case.patterns.push(text);
                }
            }
            Token::Operator('(') if !case.patterns.is_empty() => {
                // `@(a|b)`: the shell works it out.
                case.patterns.pop();
                case.depth = case.depth.saturating_add(1);
            }
            Token::Operator(')') => match case.depth.checked_sub(1) {
                Some(depth) => case.depth = depth,
                None => case.in_pattern = false,
            },
            Token::Operator(_) | Token::Newline => {}
        }
    }
}

/// Splits `name=value` and `name+=value`.
fn assigned(word: &str) -> Option<(&str, &str)> {
    let (name, value) = word.split_once('=')?;
    let name = name.strip_suffix('+').unwrap_or(name);
    let shaped = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    shaped.then_some((name, value))
}
