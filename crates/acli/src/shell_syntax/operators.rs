//! What only a shell would understand, refused where no shell reads it.
//!
//! The words of a command stay what ACLI says (§4.2.1: all characters are literal). But whoever writes `rm a && cp b c`
//! without quotes means a shell, and taken literally it removes `b` and `c`. So whatever a shell would read otherwise
//! than as text is refused, with the form that works: one command, or the word in quotes. A shell sees `;`, `&`, `|`, `<`
//! and `>` wherever they stand outside of quotes, also inside of a word (`http://h/?a=1&b=2`, `a|b`, `x>=2`), so each of
//! them counts. `(`, `)` and `!` do not: they are words of `find` and `test`, and alone they do nothing in a shell.
//! Expansions (`$`, `*`, `~`, `` ` ``) are no operators: what becomes of them is a matter of the word that they stand in
//! (see [`expanded_words`](crate::expanded_words)).

use super::expansion::Expansion;
use crate::error::{Code, Error};
use crate::text::Text;
use crate::tokenize::{Limits, Token, is_operator_byte, quote, tokens};

/// What a shell would make of a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShellSyntax {
    /// `;`, `&&`, `||`: the end of a command, and another one.
    Separator,
    /// A line break between two words, which is the same.
    LineBreak,
    /// `&`: a command that is not waited for.
    Background,
    /// `|`, `|&`.
    Pipe,
    /// `>`, `>>`, `<`, `<<EOF`, `2>&1`, `&>`.
    Redirection,
    /// `NAME=value` before the command.
    Assignment,
    /// `#` at the beginning of a word.
    Comment,
    /// A word in whose place others would stand. Never found by [`check_no_shell`].
    Expansion(Expansion),
}

impl ShellSyntax {
    /// Returns what it does in a shell.
    fn does(self) -> &'static str {
        match self {
            Self::Separator => "joins two commands",
            Self::LineBreak => "ends a command",
            Self::Background => "puts a command into the background",
            Self::Pipe => "pipes one command into another",
            Self::Redirection => "redirects input or output",
            Self::Assignment => "sets a variable",
            Self::Comment => "begins a comment",
            Self::Expansion(Expansion::Pattern) => "stands for names of files",
            Self::Expansion(Expansion::Braces) => "stands for several words",
            Self::Expansion(Expansion::Variable) => "stands for the value of a variable",
            Self::Expansion(Expansion::Substitution) => "stands for the output of a command",
            Self::Expansion(Expansion::Home) => "stands for a home directory",
        }
    }

    /// Returns what to do instead.
    fn instead(self) -> &'static str {
        match self {
            Self::Separator | Self::Background | Self::Pipe => "call one command at a time",
            Self::LineBreak => {
                "call one command at a time, or end a line that goes on with a backslash; text of several lines is quoted"
            }
            Self::Redirection => "leave it out: the answer has both output and errors of the command",
            Self::Assignment => "call the command without it",
            Self::Comment => "leave the comment out",
            Self::Expansion(Expansion::Pattern | Expansion::Braces) => "write the names out, one word each",
            Self::Expansion(Expansion::Variable | Expansion::Substitution | Expansion::Home) => {
                "write the name out"
            }
        }
    }
}

/// A command that was written for a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShellSyntaxError {
    /// What a shell would make of it.
    pub syntax: ShellSyntax,
    /// The operator as it was written; of a redirection the whole word.
    pub operator: String,
    /// The word that it stands in.
    pub word: String,
    /// Where it stands, counting characters from 1.
    pub position: usize,
    /// Commands that would be read as they look.
    pub examples: Vec<String>,
}

impl From<ShellSyntaxError> for Error {
    fn from(error: ShellSyntaxError) -> Self {
        let position = u64::try_from(error.position).unwrap_or(u64::MAX);
        let what = match error.syntax {
            ShellSyntax::LineBreak => Text::new("Failed to parse command: a line break"),
            ShellSyntax::Separator
            | ShellSyntax::Background
            | ShellSyntax::Pipe
            | ShellSyntax::Redirection
            | ShellSyntax::Assignment
            | ShellSyntax::Comment
            | ShellSyntax::Expansion(_) => Text::new("Failed to parse command: {}").value(&error.operator),
        };
        let message = what.then(
            " ",
            Text::new("at position {} {} in a shell, and there is no shell here")
                .number(position)
                .word(error.syntax.does()),
        );
        let hint = Text::new("Check command syntax: there is no shell; {}").word(error.syntax.instead());
        let hint = match error.syntax {
            ShellSyntax::LineBreak => hint,
            ShellSyntax::Separator
            | ShellSyntax::Background
            | ShellSyntax::Pipe
            | ShellSyntax::Redirection
            | ShellSyntax::Assignment
            | ShellSyntax::Comment
            | ShellSyntax::Expansion(_) => hint.then(
                "; ",
                Text::new("if it is meant literally, quote the word: {}").value(&error.word),
            ),
        };
        Error::new(Code::ParseError, message)
            .hint(hint)
            .examples(error.examples)
            .detail("position", position)
            .detail("reason", "shell_syntax")
    }
}

/// Refuses words that a shell would not read as words.
///
/// ```
/// use argrail_acli::{Limits, check_no_shell, tokens};
/// let check = |line: &str| check_no_shell(&tokens(line, &Limits::default()).unwrap()).is_ok();
/// assert!(check("echo 'a && b' \\; \"<x>\""));
/// assert!(!check("echo a && b"));
/// ```
///
/// # Errors
/// The first of them, with what to write instead.
pub fn check_no_shell(tokens: &[Token<'_>]) -> Result<(), ShellSyntaxError> {
    let found = tokens
        .iter()
        .enumerate()
        .find_map(|(index, token)| Some((index, token, syntax(index, token)?)));
    let Some((index, token, (syntax, at))) = found else {
        return Ok(());
    };
    let rest = token.written.get(at..).unwrap_or_default();
    let run = rest.bytes().take_while(|byte| is_operator_byte(*byte)).count();
    let operator = match syntax {
        ShellSyntax::Separator | ShellSyntax::Background | ShellSyntax::Pipe => rest.get(..run),
        ShellSyntax::Assignment => rest.split_inclusive('=').next(),
        ShellSyntax::Comment => Some("#"),
        ShellSyntax::LineBreak => None,
        ShellSyntax::Redirection | ShellSyntax::Expansion(_) => Some(token.text.as_ref()),
    };
    let before = match syntax {
        ShellSyntax::Redirection | ShellSyntax::Expansion(_) => "",
        ShellSyntax::Separator
        | ShellSyntax::LineBreak
        | ShellSyntax::Background
        | ShellSyntax::Pipe
        | ShellSyntax::Assignment
        | ShellSyntax::Comment => token.written.get(..at).unwrap_or_default(),
    };
    Err(ShellSyntaxError {
        syntax,
        operator: operator.unwrap_or_default().to_owned(),
        word: token.text.clone().into_owned(),
        position: token.position + before.chars().count(),
        examples: examples(tokens, index, syntax),
    })
}

/// Returns what a shell would make of a word, and where in it.
fn syntax(index: usize, token: &Token<'_>) -> Option<(ShellSyntax, usize)> {
    if token.is_on_new_line {
        return Some((ShellSyntax::LineBreak, 0));
    }
    if token.written.starts_with('#') {
        return Some((ShellSyntax::Comment, 0));
    }
    if index == 0 && is_assignment(token.written) {
        return Some((ShellSyntax::Assignment, 0));
    }
    let at = token.bare_operator?;
    let mut rest = token.written.bytes().skip(at);
    let syntax = match (rest.next()?, rest.next()) {
        (b';', _) | (b'&', Some(b'&')) | (b'|', Some(b'|')) => ShellSyntax::Separator,
        (b'&', Some(b'>')) => ShellSyntax::Redirection,
        (b'&', _) => ShellSyntax::Background,
        (b'|', _) => ShellSyntax::Pipe,
        (_, _) => ShellSyntax::Redirection,
    };
    Some((syntax, at))
}

/// Whether a word sets a variable: its name and the `=` are not quoted, so they stand there as they are.
fn is_assignment(written: &str) -> bool {
    let Some((name, _)) = written.split_once('=') else {
        return false;
    };
    let name = name.strip_suffix('+').unwrap_or(name);
    name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Returns commands that could be meant: the two that a separator joins, or the same with its words quoted.
fn examples(tokens: &[Token<'_>], index: usize, syntax: ShellSyntax) -> Vec<String> {
    let written = |tokens: Option<&[Token<'_>]>| -> Vec<String> {
        let tokens = tokens.unwrap_or_default().iter();
        tokens.map(|token| token.written.to_owned()).collect()
    };
    let commands = match syntax {
        ShellSyntax::Separator | ShellSyntax::LineBreak => {
            let (mut first, mut second) = (written(tokens.get(..index)), Vec::new());
            let (before, after) = tokens.get(index).map(parts).unwrap_or_default();
            first.push(before.to_owned());
            second.push(after.to_owned());
            second.extend(written(tokens.get(index + 1..)));
            vec![first, second]
        }
        ShellSyntax::Assignment => vec![written(tokens.get(1..))],
        ShellSyntax::Comment => vec![written(tokens.get(..index))],
        ShellSyntax::Background
        | ShellSyntax::Pipe
        | ShellSyntax::Redirection
        | ShellSyntax::Expansion(_) => {
            let meant = tokens.iter().enumerate().map(|(at, token)| meant(at, token));
            meant.collect::<Option<Vec<_>>>().into_iter().collect()
        }
    };
    let lines = commands.into_iter().map(|mut words| {
        words.retain(|word| !word.is_empty());
        words.join(" ")
    });
    lines.filter(|line| is_plain(line)).collect()
}

/// What stands before a separator in its word, and what stands behind it.
fn parts<'a>(token: &Token<'a>) -> (&'a str, &'a str) {
    match token.bare_operator.filter(|_| !token.is_on_new_line) {
        Some(at) => {
            let (before, rest) = token.written.split_at_checked(at).unwrap_or((token.written, ""));
            (before, rest.trim_start_matches(is_operator_char))
        }
        None => ("", token.written),
    }
}

/// The word as it may be meant: quoted where an operator stands inside of it. One that begins or ends with an operator
/// is meant for a shell.
fn meant(index: usize, token: &Token<'_>) -> Option<String> {
    let Some((_, at)) = syntax(index, token) else {
        return Some(token.written.to_owned());
    };
    let before = token.written.get(..at).unwrap_or_default();
    let is_outside =
        before.bytes().all(|byte| byte.is_ascii_digit()) || token.written.ends_with(is_operator_char);
    (!is_outside).then(|| quote(&token.text))
}

fn is_plain(line: &str) -> bool {
    let tokens = tokens(line, &Limits::default());
    tokens.is_ok_and(|tokens| {
        let mut tokens = tokens.iter().enumerate();
        tokens.all(|(index, token)| syntax(index, token).is_none())
    })
}

fn is_operator_char(c: char) -> bool {
    u8::try_from(c).is_ok_and(is_operator_byte)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::tokenize::join;

    fn checked(line: &str) -> Result<(), ShellSyntaxError> {
        check_no_shell(&tokens(line, &Limits::default()).unwrap())
    }

    #[test]
    fn what_a_shell_would_read_otherwise_is_refused() {
        use ShellSyntax::{Assignment, Background, Comment, LineBreak, Pipe, Redirection, Separator};
        let check = |line: &str, want: (ShellSyntax, &str, usize), examples: &[&str]| {
            let error = checked(line).unwrap_err();
            let came = (error.syntax, error.operator.as_str(), error.position);
            assert_eq!(came, want, "{line}");
            assert_eq!(error.examples, examples, "{line}");
        };
        check(
            "rm -rf dist && cp -r src docs",
            (Separator, "&&", 13),
            &["rm -rf dist", "cp -r src docs"],
        );
        check("a || b", (Separator, "||", 3), &["a", "b"]);
        check("a 'b c'; d \"e\"", (Separator, ";", 8), &["a 'b c'", "d \"e\""]);
        check("a;b", (Separator, ";", 2), &["a", "b"]);
        check("a ;b; c", (Separator, ";", 3), &["a"]);
        check("a;", (Separator, ";", 2), &["a"]);
        check(
            "find . -exec rm {} ;",
            (Separator, ";", 20),
            &["find . -exec rm {}"],
        );
        check("é \"x\"&&y", (Separator, "&&", 6), &["é \"x\"", "y"]);
        check("a\nb c", (LineBreak, "", 3), &["a", "b c"]);
        check("a | b", (Pipe, "|", 3), &[]);
        check("a |& b", (Pipe, "|&", 3), &[]);
        check("rg a|b src", (Pipe, "|", 5), &["rg 'a|b' src"]);
        check("a &", (Background, "&", 3), &[]);
        check("a&", (Background, "&", 2), &[]);
        check(
            "curl http://h/?a=1&b=2 -s",
            (Background, "&", 19),
            &["curl 'http://h/?a=1&b=2' -s"],
        );
        check("echo x >> f", (Redirection, ">>", 8), &[]);
        check("echo x >f", (Redirection, ">f", 8), &[]);
        check("a 2> f", (Redirection, "2>", 3), &[]);
        check("a 2>&1", (Redirection, "2>&1", 3), &[]);
        check("a 2>/dev/null", (Redirection, "2>/dev/null", 3), &[]);
        check("a &> f", (Redirection, "&>", 3), &[]);
        check("a < f", (Redirection, "<", 3), &[]);
        check("cat <<EOF", (Redirection, "<<EOF", 5), &[]);
        check("diff <(a) b", (Redirection, "<(a)", 6), &[]);
        check(
            "pip install x>=2",
            (Redirection, "x>=2", 13),
            &["pip install 'x>=2'"],
        );
        check("A=1 b c", (Assignment, "A=", 1), &["b c"]);
        check("A_b+='x y' b", (Assignment, "A_b+=", 1), &["b"]);
        check("rm -rf dist # old build", (Comment, "#", 13), &["rm -rf dist"]);
    }

    #[test]
    fn words_of_programs_pass() {
        for line in [
            "find . ( -name a -o ! -name b )",
            "test ! -e x",
            "[ a = b ]",
            "find . -exec rm {} \\;",
            "find . -exec rm {} ';'",
            "rg 'a|b' \"x && y\" z\\&",
            "curl 'http://h/?a=1&b=2'",
            "dd if=a of=b",
            "env A=1 b",
            "'A=1' b",
            "A\\=1 b",
            "git log a..b x#y --format=%h",
            "echo $HOME `id` * ~ {a,b} \\#1 '#1'",
            "\ngit \\\n status\n",
            "git commit -m 'one\n\n- two; three'",
        ] {
            assert_eq!(checked(line), Ok(()), "{line}");
        }
    }

    #[test]
    fn a_refusal_says_what_to_write() {
        let error = Error::from(checked("rm -rf dist && cp -r src docs").unwrap_err()).to_json();
        assert_eq!(error["code"], "PARSE_ERROR");
        assert_eq!(
            error["message"],
            "Failed to parse command: '&&' at position 13 joins two commands in a shell, and there is no shell here"
        );
        assert_eq!(
            error["hint"],
            "Check command syntax: there is no shell; call one command at a time; if it is meant literally, quote the word: '&&'"
        );
        assert_eq!(error["reason"], "shell_syntax");
        assert_eq!(error["position"], 13);
        let error = Error::from(checked("a\nb").unwrap_err()).to_json();
        assert_eq!(
            error["message"],
            "Failed to parse command: a line break at position 3 ends a command in a shell, and there is no shell here"
        );
    }

    proptest! {
        #[test]
        fn quoted_words_are_never_refused(given in prop::collection::vec("[a-z;&|<>'\"\\\\ \n#=é()]{0,8}", 1..8)) {
            // Behind a command; in its place `a=b` is no word that needs quotes to be one.
            prop_assert_eq!(checked(&format!("x {}", join(&given))), Ok(()));
        }

        #[test]
        fn any_text_is_judged_and_its_examples_pass(line in "[ab;&|<>'\"\\\\ \n#=é2()]{0,24}") {
            let Ok(read) = tokens(&line, &Limits::default()) else { return Ok(()) };
            let bare = read.iter().any(|token| token.bare_operator.is_some() || token.is_on_new_line);
            match check_no_shell(&read) {
                Ok(()) => prop_assert!(!bare),
                Err(error) => {
                    prop_assert!((1..=line.chars().count()).contains(&error.position));
                    for example in &error.examples {
                        prop_assert_eq!(checked(example), Ok(()), "{} of {}", example, line);
                    }
                }
            }
        }
    }
}
