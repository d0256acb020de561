//! The commands that a README shows, as words, so that tests can hold it to them.
//!
//! A command is a line that starts with `$ ` in a `console` or `sh` block. It is read as a POSIX shell
//! would split it; nothing is expanded and nothing is run.

use std::fmt;
use std::iter::Peekable;
use std::path::Path;
use std::str::Chars;

/// One simple command of a README: `a | b && c` makes three.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The line of the file, from 1.
    pub line: usize,
    /// The words, without redirections, comments and leading assignments.
    pub words: Vec<String>,
}

/// A command line that no shell would accept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreadable {
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub reason: &'static str,
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.reason)
    }
}

impl std::error::Error for Unreadable {}

/// Returns the words of each command that `text` shows.
///
/// # Panics
///
/// If a command has an unclosed quote. [`commands`] returns that as an error instead.
pub fn readme_commands(text: &str) -> Vec<Vec<String>> {
    match commands(text) {
        Ok(shown) => shown.into_iter().map(|command| command.words).collect(),
        Err(error) => panic!("unreadable command at {error}"),
    }
}

/// Returns each command that `text` shows, with its line.
///
/// # Errors
///
/// If a command has an unclosed quote or ends in a backslash.
pub fn commands(text: &str) -> Result<Vec<Shown>, Unreadable> {
    let mut shown = Vec::new();
    let mut block = Block::Prose;
    let mut lines = text.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            block = block.fence(info);
        } else if let (Block::Shell, Some(first)) = (block, line.trim_start().strip_prefix("$ ")) {
            let mut command = first.to_owned();
            while command.ends_with('\\') {
                let Some((_, more)) = lines.next() else { break };
                command.pop();
                command.push_str(more.trim_start().trim_start_matches("> "));
            }
            let unreadable = |reason| Unreadable {
                line: index + 1,
                reason,
            };
            let simple = split(&command).map_err(unreadable)?;
            shown.extend(simple.into_iter().map(|words| Shown {
                line: index + 1,
                words,
            }));
        }
    }
    Ok(shown)
}

/// Returns the arguments that `words` hand to argrail, whether it is named, given by its path, or run
/// by cargo; `None` for any other program.
pub fn argrail_arguments(words: &[String]) -> Option<&[String]> {
    let (program, rest) = words.split_first()?;
    if Path::new(program).file_name()? == "argrail" {
        return Some(rest);
    }
    let (verb, rest) = rest.split_first()?;
    if program != "cargo" || !matches!(verb.as_str(), "run" | "r") {
        return None;
    }
    let end = rest.iter().position(|word| word == "--");
    let (cargo, given) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
    let other = cargo.windows(2).any(|pair| match pair {
        [option, value] => match option.as_str() {
            "-p" | "--package" | "--bin" => value != "argrail",
            "--example" => true,
            _ => false,
        },
        _ => false,
    });
    if other {
        None
    } else {
        Some(given.split_first().map_or(given, |(_dashes, args)| args))
    }
}

/// Where a line stands.
#[derive(Clone, Copy)]
enum Block {
    Prose,
    Shell,
    Other,
}

impl Block {
    fn fence(self, info: &str) -> Self {
        match (self, info.split_whitespace().next()) {
            (Self::Prose, Some("console" | "sh")) => Self::Shell,
            (Self::Prose, _) => Self::Other,
            (Self::Shell | Self::Other, _) => Self::Prose,
        }
    }
}

/// Splits one command line into simple commands and their words.
fn split(line: &str) -> Result<Vec<Vec<String>>, &'static str> {
    let mut splitter = Splitter::default();
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => splitter.end_word(),
            '|' | '&' | ';' => splitter.end_command(),
            '>' | '<' => splitter.redirect(&mut chars),
            '#' if splitter.word.is_none() => break,
            '\'' => splitter.single_quoted(&mut chars)?,
            '"' => splitter.double_quoted(&mut chars)?,
            '\\' => splitter.push(chars.next().ok_or("a backslash at the end")?),
            other => splitter.push(other),
        }
    }
    splitter.end_command();
    Ok(splitter.commands)
}

#[derive(Default)]
struct Splitter {
    commands: Vec<Vec<String>>,
    words: Vec<String>,
    word: Option<String>,
    /// The word being read is the target of a redirection.
    redirected: bool,
}

impl Splitter {
    fn push(&mut self, c: char) {
        self.word.get_or_insert_default().push(c);
    }

    fn end_word(&mut self) {
        if let Some(word) = self.word.take() {
            let assignment = self.words.is_empty() && is_assignment(&word);
            if !std::mem::take(&mut self.redirected) && !assignment {
                self.words.push(word);
            }
        }
    }

    fn end_command(&mut self) {
        self.end_word();
        if !self.words.is_empty() {
            self.commands.push(std::mem::take(&mut self.words));
        }
    }

    /// Takes `2>>`, `<` or `>&`, and marks the next word as its target.
    fn redirect(&mut self, chars: &mut Peekable<Chars<'_>>) {
        if self
            .word
            .as_deref()
            .is_some_and(|word| word.chars().all(|c| c.is_ascii_digit()))
        {
            self.word = None;
        }
        self.end_word();
        while chars.next_if(|c| matches!(c, '>' | '<' | '&')).is_some() {}
        self.redirected = true;
    }

    fn single_quoted(&mut self, chars: &mut Peekable<Chars<'_>>) -> Result<(), &'static str> {
        self.word.get_or_insert_default();
        loop {
            match chars.next().ok_or("an unclosed single quote")? {
                '\'' => return Ok(()),
                c => self.push(c),
            }
        }
    }

    fn double_quoted(&mut self, chars: &mut Peekable<Chars<'_>>) -> Result<(), &'static str> {
        self.word.get_or_insert_default();
        loop {
            match chars.next().ok_or("an unclosed double quote")? {
                '"' => return Ok(()),
                '\\' => match chars.next().ok_or("an unclosed double quote")? {
                    c @ ('"' | '\\' | '$' | '`') => self.push(c),
                    c => {
                        self.push('\\');
                        self.push(c);
                    }
                },
                c => self.push(c),
            }
        }
    }
}

fn is_assignment(word: &str) -> bool {
    word.split_once('=').is_some_and(|(name, _)| {
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, commands: &[&[&str]]) {
        let words = split(line).unwrap();
        assert_eq!(words, commands, "of {line}");
    }

    #[test]
    fn a_line_is_split_as_a_shell_splits_it() {
        check("cargo test --workspace", &[&["cargo", "test", "--workspace"]]);
        check("argrail call 'a \"b\" c'", &[&["argrail", "call", "a \"b\" c"]]);
        check(
            r#"echo "a \"b\" \n $x" c\ d '' e""f"#,
            &[&["echo", "a \"b\" \\n $x", "c d", "", "ef"]],
        );
        check("a --x | b && c; d &", &[&["a", "--x"], &["b"], &["c"], &["d"]]);
        check("a > out.txt 2>&1 b <in", &[&["a", "b"]]);
        check("a2>out", &[&["a2"]]);
        check("A=1 B='x y' run C=2 # and so on", &[&["run", "C=2"]]);
        check("a#b '#c'", &[&["a#b", "#c"]]);
        check("  ", &[]);
        assert_eq!(split("a 'b"), Err("an unclosed single quote"));
        assert_eq!(split("a \"b"), Err("an unclosed double quote"));
        assert_eq!(split("a \"b\\"), Err("an unclosed double quote"));
        assert_eq!(split("a \\"), Err("a backslash at the end"));
    }

    #[test]
    fn only_prompts_in_shell_blocks_are_commands() {
        let text = "\
$ not this
```console
$ one a
output
$ two \\
>   b
```

```json
$ nor this
```
  ```sh
  $ three | four
  # five
  ```
";
        let shown = commands(text).unwrap();
        let lines: Vec<_> = shown
            .iter()
            .map(|command| (command.line, command.words.join(" ")))
            .collect();
        assert_eq!(
            lines,
            [
                (3, "one a".into()),
                (5, "two b".into()),
                (13, "three".into()),
                (13, "four".into())
            ]
        );
        assert_eq!(readme_commands(text).concat().join(" "), "one a two b three four");
        assert_eq!(
            commands("```sh\n$ a 'b\n```"),
            Err(Unreadable {
                line: 2,
                reason: "an unclosed single quote"
            })
        );
    }

    #[test]
    fn argrail_is_found_however_it_is_started() {
        fn check(line: &str, arguments: Option<&[&str]>) {
            let words = split(line).unwrap().concat();
            let found =
                argrail_arguments(&words).map(|words| words.iter().map(String::as_str).collect::<Vec<_>>());
            assert_eq!(found.as_deref(), arguments, "of {line}");
        }
        check(
            "argrail serve --http 127.0.0.1:0",
            Some(&["serve", "--http", "127.0.0.1:0"]),
        );
        check("./target/debug/argrail", Some(&[]));
        check("cargo run -- call help", Some(&["call", "help"]));
        check("cargo run -q -p argrail -- call -- x", Some(&["call", "--", "x"]));
        check("cargo run", Some(&[]));
        check("cargo run -p argrail-acli --example calendar -- x", None);
        check("cargo run --example calendar", None);
        check("cargo test --workspace", None);
        check("npx inspector --cli target/debug/argrail serve", None);
    }
}
