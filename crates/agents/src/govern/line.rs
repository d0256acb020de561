//! A line for a shell, as far as it is nothing but commands of plain words.
//!
//! Understood: quotes, `&&`, `||`, `;`, `|`, line ends, and outputs that are thrown away or joined. Everything else that
//! a shell knows (variables, substitutions, wildcards, files, jobs, keywords) makes it a program, and nothing is told
//! of it. What shells disagree about is left to them: `&>` is a job and a second command to some, and a backslash means
//! more to others where it stands before a letter or between single quotes.

/// How a command follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// It is the first.
    First,
    /// Afterwards, however that ended.
    Then,
    /// If that worked.
    And,
    /// If that failed.
    Or,
    /// It reads what that prints.
    Pipe,
}

/// One command of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    /// How it follows the one before it.
    pub(super) joint: Joint,
    /// Its words; at least one.
    pub(super) words: Vec<String>,
}

/// The longest line that is read.
const LONGEST: usize = 64 * 1024;
/// Words that a shell understands itself where a command begins.
const KEYWORDS: [&str; 20] = [
    "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "esac", "select",
    "function", "time", "coproc", "in", "[[", "]]", "!",
];
/// Where outputs may go without a word: nowhere, or to each other.
const NOWHERE: [&str; 3] = ["/dev/null", "&1", "&2"];

/// Reads a line; nothing if it is more than commands of plain words.
pub(super) fn read(text: &str) -> Option<Vec<Piece>> {
    if text.len() > LONGEST {
        return None;
    }
    let mut reader = Reader {
        rest: text.chars().peekable(),
        pieces: Vec::new(),
        joint: Joint::First,
        words: Vec::new(),
        word: None,
    };
    reader.all()?;
    Some(reader.pieces)
}

struct Reader<'a> {
    rest: std::iter::Peekable<std::str::Chars<'a>>,
    pieces: Vec<Piece>,
    joint: Joint,
    words: Vec<String>,
    word: Option<Part>,
}

/// A word that is being read.
#[derive(Default)]
struct Part {
    text: String,
    /// Whether a quote or a backslash was in it.
    quoted: bool,
}

impl Reader<'_> {
    fn all(&mut self) -> Option<()> {
        while let Some(c) = self.rest.next() {
            match c {
                ' ' | '\t' => self.end_word(),
                '\n' => self.end_line()?,
                ';' => self.join(Joint::Then)?,
                '&' => self.ampersand()?,
                '|' => match self.rest.next_if_eq(&'|') {
                    Some(_) => self.join(Joint::Or)?,
                    None => self.join(Joint::Pipe)?,
                },
                '>' => self.redirect('>')?,
                '<' => self.redirect('<')?,
                '\'' => self.single()?,
                '"' => self.double()?,
                '\\' => self.escape()?,
                '{' => {
                    self.rest.next_if_eq(&'}')?;
                    self.push("{}");
                }
                '$' | '`' | '(' | ')' | '}' | '*' | '?' | '[' | '!' => return None,
                '~' | '#' | '=' if self.begins(c) => return None,
                c if c.is_control() => return None,
                c => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
        self.end_word();
        match (self.joint, self.words.is_empty()) {
            (_, false) => self.end_piece(),
            (Joint::First | Joint::Then, true) => (!self.pieces.is_empty()).then_some(()),
            (Joint::And | Joint::Or | Joint::Pipe, true) => None,
        }
    }

    /// Whether a sign stands where it may mean more than itself.
    fn begins(&self, c: char) -> bool {
        match &self.word {
            None => true,
            Some(part) => c == '~' && part.text.ends_with(['=', ':']),
        }
    }

    fn push(&mut self, text: &str) {
        self.word.get_or_insert_default().text.push_str(text);
    }

    fn end_word(&mut self) {
        self.words.extend(self.word.take().map(|part| part.text));
    }

    fn end_piece(&mut self) -> Option<()> {
        let words = std::mem::take(&mut self.words);
        let first = words.first()?;
        let name = first.split_once('=').map(|(name, _)| name);
        let assigns = name.is_some_and(|name| {
            let name = name.strip_suffix('+').unwrap_or(name);
            !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        });
        // Some shells reckon with what they are to print as a number, and run what stands in it.
        let reckons = first == "printf" && words.iter().any(|word| word.contains(['$', '`']));
        if assigns || reckons || KEYWORDS.contains(&first.as_str()) {
            return None;
        }
        self.pieces.push(Piece {
            joint: self.joint,
            words,
        });
        Some(())
    }

    fn join(&mut self, joint: Joint) -> Option<()> {
        self.end_word();
        self.end_piece()?;
        self.joint = joint;
        Some(())
    }

    /// Line ends may stand where nothing ends; after `&&` and `|` the line goes on.
    fn end_line(&mut self) -> Option<()> {
        self.end_word();
        match self.words.is_empty() {
            true => Some(()),
            false => self.join(Joint::Then),
        }
    }

    fn ampersand(&mut self) -> Option<()> {
        self.rest.next_if_eq(&'&')?;
        self.join(Joint::And)
    }

    fn redirect(&mut self, sign: char) -> Option<()> {
        let plain = self.word.as_ref().filter(|part| !part.quoted);
        match plain.map(|part| part.text.as_str()) {
            Some("0" | "1" | "2") => self.word = None,
            // A number of another one is no word of the command.
            Some(text) if text.chars().all(|c| c.is_ascii_digit()) => return None,
            Some(_) | None => self.end_word(),
        }
        self.target(sign)
    }

    /// Reads where an output goes, or an input comes from.
    fn target(&mut self, sign: char) -> Option<()> {
        if sign == '>' {
            self.rest.next_if_eq(&'>');
        }
        while self.rest.next_if(|c| matches!(c, ' ' | '\t')).is_some() {}
        let mut target = String::new();
        target.extend(self.rest.next_if_eq(&'&'));
        while let Some(c) = self.rest.next_if(|c| c.is_ascii_alphanumeric() || *c == '/') {
            target.push(c);
        }
        let ends = |c: Option<&char>| c.is_none_or(|c| matches!(c, ' ' | '\t' | '\n' | ';' | '&' | '|'));
        let fits = NOWHERE.contains(&target.as_str()) && (sign == '>' || target == "/dev/null");
        (fits && ends(self.rest.peek())).then_some(())
    }

    fn single(&mut self) -> Option<()> {
        let part = self.word.get_or_insert_default();
        part.quoted = true;
        loop {
            match self.rest.next()? {
                '\'' => return Some(()),
                '\0' => return None,
                '\\' if self.rest.peek().is_some_and(|c| matches!(c, '\'' | '\\')) => return None,
                c => part.text.push(c),
            }
        }
    }

    fn double(&mut self) -> Option<()> {
        let part = self.word.get_or_insert_default();
        part.quoted = true;
        loop {
            match self.rest.next()? {
                '"' => return Some(()),
                '$' | '`' | '!' | '\0' => return None,
                '\\' => match self.rest.next()? {
                    '\n' => {}
                    c @ ('"' | '\\' | '$' | '`') => part.text.push(c),
                    '\0' => return None,
                    c => part.text.extend(['\\', c]),
                },
                c => part.text.push(c),
            }
        }
    }

    fn escape(&mut self) -> Option<()> {
        match self.rest.next()? {
            '\n' => {}
            c if c.is_control() || c.is_alphanumeric() => return None,
            c => {
                let part = self.word.get_or_insert_default();
                part.quoted = true;
                part.text.push(c);
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use argrail_testkit::Home;
    use proptest::prelude::*;

    use super::*;

    fn told(text: &str) -> Option<String> {
        let pieces = read(text)?;
        let one = |piece: &Piece| {
            let joint = match piece.joint {
                Joint::First => "",
                Joint::Then => " ; ",
                Joint::And => " && ",
                Joint::Or => " || ",
                Joint::Pipe => " | ",
            };
            let words: Vec<String> = piece.words.iter().map(|word| format!("<{word}>")).collect();
            format!("{joint}{}", words.concat())
        };
        Some(pieces.iter().map(one).collect())
    }

    /// Lines of plain commands.
    const PLAIN: [(&str, &str); 21] = [
        ("ls", "<ls>"),
        ("  ls -la  ", "<ls><-la>"),
        (
            "git log --format='%h %s' -n 3",
            "<git><log><--format=%h %s><-n><3>",
        ),
        (r#"rg "a b" src"#, "<rg><a b><src>"),
        (r#"echo "a\"b" 'c"d' e\ f"#, r#"<echo><a"b><c"d><e f>"#),
        (r#"rg "\d+\$""#, r"<rg><\d+$>"),
        ("echo ''", "<echo><>"),
        ("a && b || c; d | e", "<a> && <b> || <c> ; <d> | <e>"),
        ("a;\n\nb\n", "<a> ; <b>"),
        ("a &&\n b", "<a> && <b>"),
        ("a 2>&1 | b", "<a> | <b>"),
        ("a >/dev/null 2> /dev/null", "<a>"),
        ("a >/dev/null; b </dev/null", "<a> ; <b>"),
        ("a2>/dev/null", "<a2>"),
        ("git show HEAD~1 HEAD^", "<git><show><HEAD~1><HEAD^>"),
        (
            "find . -name '*.rs' -exec cat {} \\;",
            "<find><.><-name><*.rs><-exec><cat><{}><;>",
        ),
        ("git log --since=2w", "<git><log><--since=2w>"),
        ("a \\\n b", "<a><b>"),
        ("echo a#b", "<echo><a#b>"),
        ("echo größe", "<echo><größe>"),
        ("a;", "<a>"),
    ];

    #[test]
    fn lines_of_plain_commands_are_read() {
        for (text, want) in PLAIN {
            assert_eq!(told(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn everything_else_is_left_to_a_shell() {
        for text in [
            "",
            "   ",
            "\n",
            "ls *.rs",
            "ls ?",
            "ls [a]",
            "echo $HOME",
            "echo \"$HOME\"",
            "echo `id`",
            "echo $(id)",
            "echo \"`id`\"",
            "cat <(id)",
            "cat <<EOF\nx\nEOF",
            "cat < file",
            "echo a > file",
            "echo a >> file",
            "echo a >/dev/null.txt",
            "echo a 2>err",
            "echo a >&3",
            "a &",
            "a & b",
            "a |& b",
            "a &>/dev/null",
            "a &>/dev/null b",
            "a |&>/dev/null b",
            "a 3>/dev/null b",
            "a 10>/dev/null b",
            "a \\x2dx",
            "a 'b\\'' ; c ; '",
            "a 'b\\\\'",
            "printf %d 'x[$(c)]'",
            "a ;; b",
            "; a",
            "a &&",
            "a |",
            "&& a",
            "(a)",
            "{ a; }",
            "echo {a,b}",
            "~/bin/x",
            "ls ~",
            "a --dir=~/x",
            "# a",
            "a # b",
            "A=b c",
            "A+=b c",
            "'A=b' c",
            "if a; then b; fi",
            "time a",
            "! a",
            "[[ a ]]",
            "echo 'a",
            "echo \"a",
            "echo a\\",
            "echo \u{7}",
            "echo a\r",
            "=ls",
            "echo a\0b",
        ] {
            assert_eq!(told(text), None, "{text:?}");
        }
        assert_eq!(told(&"a ".repeat(LONGEST)), None);
    }

    #[test]
    fn a_shell_reads_the_same_words() {
        let home = Home::new();
        // Only what is one command and nothing else: a shell would run the others.
        let alone =
            |text: &str| !text.contains(['>', ';', '|']) && read(text).is_some_and(|all| all.len() == 1);
        for (text, want) in PLAIN.iter().filter(|(text, _)| alone(text)) {
            let script = format!("printf '<%s>' {text}");
            let run = home.run("/bin/sh", &["-c", &script]).to_string();
            assert!(run.contains(&format!("--- stdout\n{want}")), "{text}: {run}");
        }
    }

    proptest! {
        #[test]
        fn quoted_words_are_read_back(words in proptest::collection::vec(r"[ -\[\]-~é]{0,8}", 1..5)) {
            prop_assume!(!words[0].contains('=') && !KEYWORDS.contains(&words[0].as_str()));
            let quoted = words.iter().map(|word| format!("'{}'", word.replace('\'', r"'\''")));
            let line = quoted.collect::<Vec<_>>().join(" ");
            let pieces = read(&line);
            prop_assert_eq!(pieces, Some(vec![Piece { joint: Joint::First, words }]), "{}", line);
        }

        #[test]
        fn any_text_is_read_or_left(text in any::<String>()) {
            if let Some(pieces) = read(&text) {
                prop_assert!(pieces.iter().all(|piece| !piece.words.is_empty()));
            }
        }
    }
}
