//! What an awk program does: its tokens, and which of them reach out.
//!
//! Commands are started by `system`, by `|` and by `|&`; files are written by `>` and `>>` behind `print` and `printf`;
//! `@` loads code or calls a function by a name that nobody sees here. A function that is neither awk's own nor the
//! program's is an extension's, and unknown. Where implementations of awk read a text differently, it is unknown.

mod tokens;

use super::Purity;
use tokens::{Token, tokens};

const WRITES: Purity = Purity::Changes("writes a file");
const RUNS: Purity = Purity::Changes("runs a command");
const CONNECTS: Purity = Purity::Changes("opens a connection");

/// Functions of awk, gawk among them, that change nothing outside.
const BUILT_IN: &[&str] = &[
    "and",
    "asort",
    "asorti",
    "atan2",
    "bindtextdomain",
    "close",
    "compl",
    "cos",
    "dcgettext",
    "dcngettext",
    "exp",
    "fflush",
    "gensub",
    "gsub",
    "index",
    "int",
    "isarray",
    "length",
    "log",
    "lshift",
    "match",
    "mkbool",
    "mktime",
    "or",
    "patsplit",
    "rand",
    "rshift",
    "sin",
    "split",
    "sprintf",
    "sqrt",
    "srand",
    "strftime",
    "strtonum",
    "sub",
    "substr",
    "systime",
    "tolower",
    "toupper",
    "typeof",
    "xor",
];

/// Words of the language that may stand before `(`.
const KEYWORDS: &[&str] = &[
    "BEGIN",
    "END",
    "BEGINFILE",
    "ENDFILE",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "in",
    "return",
    "exit",
    "delete",
    "print",
    "printf",
    "getline",
    "next",
    "nextfile",
    "break",
    "continue",
];

/// Returns what the program does.
pub(super) fn judge(text: &str) -> Purity {
    let Some(tokens) = tokens(text) else {
        return Purity::Unknown;
    };
    let own = own_functions(&tokens);
    let mut output = Output::default();
    for (at, token) in tokens.iter().enumerate() {
        let rest = tokens.get(at + 1..).unwrap_or_default();
        let found = match token {
            Token::Word("system") => RUNS,
            Token::Word("getline") => getline(rest),
            Token::Word(name) => call(name, rest, &own),
            Token::Sign("|" | "|&") => RUNS,
            Token::Sign("@") => Purity::Unknown,
            Token::Sign(">" | ">>") if output.is_redirected() => redirected(rest),
            Token::Text(text) if text.contains("/inet") => CONNECTS,
            Token::Sign(_) | Token::Text(_) | Token::Regex | Token::Number | Token::Line => Purity::Pure,
        };
        if found != Purity::Pure {
            return found;
        }
        if !output.step(token) {
            return Purity::Unknown;
        }
    }
    if output.depth == 0 {
        Purity::Pure
    } else {
        Purity::Unknown
    }
}

/// Where `>` is a file and where it is a comparison.
#[derive(Debug, Default)]
struct Output {
    /// Open parentheses.
    depth: usize,
    /// The depth at which a `print` stands whose statement has not ended.
    print: Option<usize>,
}

impl Output {
    fn is_redirected(&self) -> bool {
        self.print.is_some_and(|depth| self.depth <= depth)
    }

    /// Goes over one token; false where a parenthesis closes nothing.
    ///
    /// The end of a line ends no `print`: after a comma it goes on. That takes a comparison in the next line for a
    /// file, which is the safe mistake.
    fn step(&mut self, token: &Token<'_>) -> bool {
        match token {
            Token::Word("print" | "printf") => self.print = Some(self.depth),
            Token::Sign(";" | "{" | "}") => self.print = None,
            Token::Sign("(") => self.depth += 1,
            Token::Sign(")") if self.depth == 0 => return false,
            Token::Sign(")") => self.depth -= 1,
            Token::Word(_) | Token::Sign(_) | Token::Text(_) | Token::Regex | Token::Number | Token::Line => {
            }
        }
        true
    }
}

/// The functions that the program defines itself.
fn own_functions<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    let mut own = Vec::new();
    for pair in tokens.windows(2) {
        if let [Token::Word("function" | "func"), Token::Word(name)] = pair {
            own.push(*name);
        }
    }
    own
}

/// A word: a variable, or a function that is called.
fn call(name: &str, rest: &[Token<'_>], own: &[&str]) -> Purity {
    let is_called = rest.first() == Some(&Token::Sign("("));
    if !is_called || BUILT_IN.contains(&name) || KEYWORDS.contains(&name) || own.contains(&name) {
        return Purity::Pure;
    }
    // A variable before a parenthesis is a concatenation, but only with a blank between, which is gone by now.
    Purity::Unknown
}

/// `getline < FILE`: reading is fine if the name is plain to see.
fn getline(rest: &[Token<'_>]) -> Purity {
    let target = rest.iter().position(|token| {
        matches!(
            token,
            Token::Sign("<" | ";" | "}" | "{" | ")" | "&&" | "||" | ">" | "==") | Token::Line
        )
    });
    let Some(at) = target.filter(|at| rest.get(*at) == Some(&Token::Sign("<"))) else {
        return Purity::Pure;
    };
    if plain_file(rest.get(at + 1..).unwrap_or_default()).is_some() {
        Purity::Pure
    } else {
        Purity::Unknown
    }
}

/// `print > FILE`: the two outputs are no files.
fn redirected(rest: &[Token<'_>]) -> Purity {
    match plain_file(rest) {
        Some("/dev/stdout" | "/dev/stderr") => Purity::Pure,
        Some(_) | None => WRITES,
    }
}

/// The name of a file that is one string and nothing more.
fn plain_file<'t>(rest: &[Token<'t>]) -> Option<&'t str> {
    let (Token::Text(name), behind) = rest.split_first()? else {
        return None;
    };
    let ends = match behind.first() {
        None | Some(Token::Line | Token::Sign(";" | "}" | ")")) => true,
        Some(Token::Sign(_) | Token::Word(_) | Token::Text(_) | Token::Regex | Token::Number) => false,
    };
    ends.then_some(name)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str, want: Purity) {
        assert_eq!(judge(text), want, "{text:?}");
    }

    #[test]
    fn programs_that_only_print_are_pure() {
        for text in [
            "",
            "{print}",
            "{print $1, $NF}",
            "NR==1",
            "/a|b/",
            "/a|b/ && $2 > 5 {n++} END {print n}",
            "$3 > 5 {print $1}",
            "{print ($1 > 5)}",
            "{print \"a > b | c\"}",
            "{print \"system(\\\"id\\\")\"}",
            "# system(\"id\")\n{print}",
            "BEGIN {FS=\":\"} {s += $3 / 2; t = s / 4} END {printf \"%d\\n\", s}",
            "{gsub(/\\//, \"|\"); print}",
            "function f(a) {return a * 2} {print f($1)}",
            "{while ((getline line < \"other\") > 0) n++}",
            "{if ($1 ~ /x|y/) print; else next}",
            "{print > \"/dev/stderr\"}",
            "BEGIN { while (i < 3) i++; print i }",
            "{a[$1]++} END {for (k in a) print k, a[k]}",
            "!seen[$0]++",
            "{ x = length($0) / 2 }",
            "{ print $1 }\n$2 ~ /a|b/ { print }",
            "{print $1\" \"$2$3, .5, 1e3, 0x1f}",
        ] {
            check(text, Purity::Pure);
        }
    }

    #[test]
    fn writing_and_running_is_seen() {
        for text in [
            "BEGIN{system(\"id\")}",
            "BEGIN { system ( \"id\" ) }",
            "{print | \"sh\"}",
            "{print|\"sh\"}",
            "{printf \"x\" | cmd}",
            "BEGIN{\"id\" | getline x}",
            "BEGIN{\"id\" |& getline x}",
            "{ x = a / system(\"id\") / b }",
            "/\"/ { system(\"id\") } /\"/",
            "{ print 1 / 2; system(\"id\") # / }",
            "$1 / 2 > 1 { system(\"id\") }",
            "{ a[1] /2; system(\"id\"); b = 1/ 2 }",
        ] {
            check(text, RUNS);
        }
        for text in [
            "{print > \"out\"}",
            "{print>\"out\"}",
            "{print $1 >> $2}",
            "{printf(\"%s\", $1) > \"out\"}",
            "{print(1)(2) > \"out\"}",
            "{print $1,\n$2 > \"out\"}",
            "{if (1) print > \"out\"}",
            "{print > \"/dev/stderr\" \".txt\"}",
            "(print > \"x\")",
        ] {
            check(text, WRITES);
        }
        check(
            "BEGIN{while ((getline x < \"/inet/tcp/0/h/80\") > 0) print x}",
            CONNECTS,
        );
        check("BEGIN{s = \"/inet/tcp/0/h/80\"}", CONNECTS);
    }

    #[test]
    fn what_cannot_be_read_is_unknown() {
        for text in [
            "@load \"x\"",
            "BEGIN{f=\"system\"; @f(\"id\")}",
            "@include \"x\"",
            "{print \"a}",
            "{print /a}",
            "{print (1}",
            "{print 1)}",
            "BEGIN{chdir(\"/\")}",
            "{getline < $1}",
            "{ x = y++ /\"/; system(\"id\") #\"/ }",
            "{ length /\"/; system(\"id\") #\"/ }",
            "/[/\"]/ { system(\"id\") } #\"/",
            "{print} # x \\\nBEGIN{system(\"id\")}",
            "{print \"a\nb\"}",
            "`id`",
            "BEGIN{x=1system(\"id\")}",
            "{x=$1system(\"id\")}",
            "BEGIN{x=0xasystem(\"id\")}",
            "BEGIN{x=1.5system(\"id\")}",
            "BEGIN{x=.5system(\"id\")}",
            "BEGIN{x=1e5system(\"id\")}",
            "BEGIN{x=1_system(\"id\")}",
            "{print \u{201c}x\u{201d}}",
        ] {
            check(text, Purity::Unknown);
        }
        assert_ne!(judge("{ if (1) /\"/; system(\"id\") #\"/ }"), Purity::Pure);
    }

    proptest! {
        #[test]
        fn a_command_is_never_missed(
            before in prop::collection::vec(prop::sample::select(vec![
                "x = 1", "y = x / 2", "print /a\\/b/", "print \"a\\\"b\"", "n++", "if (x) y = 1", "z = $1 / $2 / $3", "# \"\n",
                "print x ~ /[|\"]/", "split($0, p, /;/)", "t = \"/\"", "while (x-- > 0) y",
            ]), 0..6),
            glue in prop::sample::select(vec!["", "x=1", "x=1.5", "x=$2", "x=0x1f", "x=1e3", "x=\"a\"", "x=$1$2"]),
            bad in prop::sample::select(vec!["system(\"id\")", "print | \"sh\"", "print > \"out\"", "\"id\" | getline"]),
        ) {
            let mut text = "{ ".to_owned();
            for part in &before {
                text.push_str(part);
                text.push_str(if part.ends_with('\n') { "" } else { "; " });
            }
            text.push_str(glue);
            text.push_str(bad);
            text.push_str(" }");
            prop_assert_ne!(judge(&text), Purity::Pure, "{:?}", text);
        }
    }
}
