//! Whether a program asked somebody something: told from its last words, since nobody can answer it.
//!
//! A pure function over the ends of both outputs and the way it ended. A program that succeeded is believed unless
//! its last words beside its output are a question: what it printed is data, and may look like anything. One that
//! failed is looked through for the words of programs that want a person.

use argrail_sandbox::Ended;

/// The longest line that is taken for a question, in bytes.
const LINE: usize = 512;
/// How much of a question is shown, in characters.
const SAID: usize = 200;

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A yes or no.
    Confirm,
    /// A password or passphrase.
    Password,
    /// Whether an unknown host is to be trusted.
    HostKey,
    /// A user name, or any sign-in.
    Credentials,
    /// A text, in an editor.
    Editor,
    /// A terminal, for whatever it shows there.
    Terminal,
    /// Some other line of input.
    Input,
    /// The rights of another user, which nothing gets in a sandbox.
    Rights,
}

impl Kind {
    /// Returns the word for it in answers.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirm => "confirmation",
            Self::Password => "password",
            Self::HostKey => "host_key",
            Self::Credentials => "credentials",
            Self::Editor => "editor",
            Self::Terminal => "terminal",
            Self::Input => "input",
            Self::Rights => "rights",
        }
    }

    /// Returns what usually helps.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Confirm => {
                "answer in advance: look for --yes, -y, --force or --non-interactive in its help"
            }
            Self::Password => {
                "a person must enter the password, or let the command run without one (sudo -n, a key agent)"
            }
            Self::HostKey => "a person must connect once and accept the key of the host",
            Self::Credentials => {
                "a person must sign in once, or give a token in the variable that the tool reads"
            }
            Self::Editor => "give the text in the command: git commit -m MESSAGE, or --no-edit, or a file",
            Self::Terminal => {
                "use a form of the command that needs no terminal: --batch, or the input as arguments"
            }
            Self::Input => {
                "give every answer as an argument or an option; look for --yes or defaults in its help"
            }
            Self::Rights => {
                "run the program itself, without sudo or su; what needs more rights, a person must run"
            }
        }
    }
}

/// A question that nobody answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// What was asked for.
    pub kind: Kind,
    /// What usually helps. Our own words.
    pub advice: &'static str,
    /// The line that says so. Foreign text.
    pub said: String,
}

/// How a program came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stopped {
    /// By itself, or by somebody who did not look at its words.
    Otherwise,
    /// It was ended because it asked and waited.
    WhileAsking,
}

/// Words of programs that failed for want of a person, in lower case. The first that is found counts.
const WANTS: &[(&str, Kind)] = &[
    ("are you sure you want to continue connecting", Kind::HostKey),
    ("host key verification failed", Kind::HostKey),
    ("could not read username", Kind::Credentials),
    ("could not read password", Kind::Credentials),
    ("terminal prompts disabled", Kind::Credentials),
    ("a password is required", Kind::Password),
    ("a terminal is required to read the password", Kind::Password),
    ("authentication token manipulation error", Kind::Password),
    ("no pinentry", Kind::Password),
    ("pam_start() failed", Kind::Password),
    ("permission denied, please try again", Kind::Password),
    ("problem with the editor", Kind::Editor),
    ("aborting commit due to empty commit message", Kind::Editor),
    ("terminal is dumb, but editor unset", Kind::Editor),
    ("no editor", Kind::Editor),
    ("failed to launch editor", Kind::Editor),
    ("warning: output is not to a terminal", Kind::Terminal),
    ("warning: input is not from a terminal", Kind::Terminal),
    ("error opening terminal", Kind::Terminal),
    ("not a terminal", Kind::Terminal),
    ("not a tty", Kind::Terminal),
    ("non tty", Kind::Terminal),
    ("failed tty get", Kind::Terminal),
    ("no tty present", Kind::Terminal),
    ("/dev/tty", Kind::Terminal),
    ("inappropriate ioctl for device", Kind::Terminal),
    ("terminal is required", Kind::Terminal),
    ("requires a terminal", Kind::Terminal),
    ("requires an interactive terminal", Kind::Terminal),
    ("eof when reading a line", Kind::Input),
    ("stdin is not interactive", Kind::Input),
    ("cannot prompt", Kind::Input),
    ("prompts are disabled", Kind::Input),
    ("non-interactive", Kind::Input),
    ("no new privileges", Kind::Rights),
    ("must be suid", Kind::Rights),
    ("are you root?", Kind::Rights),
];

/// How lines begin in which a question is followed by the reason why nothing came of it, in lower case.
const BEGUN: &[&str] = &["password: ", "current password: ", "passphrase: "];

/// What a program shows that reads one command after the other.
const READY: &str = ">>>";

/// Words of a program that has a screen in mind and waits for keys, whatever it shows after them.
const SCREEN: &[&str] = &[
    "warning: output is not to a terminal",
    "warning: input is not from a terminal",
];

/// Words that stop at a key.
const KEY: &[&str] = &[
    "press enter",
    "press any key",
    "press return",
    "hit enter",
    "--more--",
];

/// What ssh says of its own accord, and means nothing by.
const IDLE: &[&str] = &["pseudo-terminal will not be allocated"];

/// Ways to ask for yes or no, in lower case.
const YES_OR_NO: &[&str] = &[
    "[y/n]", "(y/n)", "[yes/no]", "(yes/no)", "[y/n/", "(y/n/", "[y|n]", "(y|n)", "y/n?", "(yes/no/",
];

/// Words in a line that asks for something secret, or for somebody's name.
const SECRET: &[&str] = &[
    "password",
    "passphrase",
    "pin for",
    "one-time code",
    "verification code",
];
const SIGN_IN: &[&str] = &["username", "login:", "user name"];

/// Returns what a program asked for, if its last words look like that.
pub fn recognise(stdout: &[u8], stderr: &[u8], ended: Ended, stopped: Stopped) -> Option<Prompt> {
    let failed = ended != Ended::Exit(0) || stopped == Stopped::WhileAsking;
    let found = match failed {
        true => {
            let tails = [stderr, stdout];
            let open = tails.iter().find_map(|tail| asked(tail, loose));
            open.or_else(|| tails.iter().find_map(|tail| wanted(tail)))
        }
        false => asked(stderr, removal).or_else(|| ready(stderr)),
    };
    found.map(|(kind, line)| Prompt {
        kind,
        advice: kind.advice(),
        said: line.trim().chars().take(SAID).collect(),
    })
}

/// What the open line asks for, by plain words, or by what `otherwise` makes of it.
fn asked(tail: &[u8], otherwise: impl Fn(&str) -> Option<Kind>) -> Option<(Kind, String)> {
    let line = open_line(tail)?;
    let kind = question(&line).or_else(|| otherwise(&line))?;
    Some((kind, line))
}

/// Whether a program stands at a question, so that nothing more can come. Strict: whoever is taken for one that asks
/// is ended.
pub(super) fn is_waiting(stdout: &[u8], stderr: &[u8]) -> bool {
    let asks = |tail: &[u8]| open_line(tail).is_some_and(|line| question(&line).is_some());
    let screen = || {
        let said = String::from_utf8_lossy(stderr).to_lowercase();
        SCREEN.iter().any(|words| said.contains(words))
    };
    asks(stdout) || asks(stderr) || (!stderr.is_empty() && screen())
}

/// The last line, if it has not come to its end.
fn open_line(tail: &[u8]) -> Option<String> {
    let start = tail
        .iter()
        .rposition(|byte| matches!(byte, b'\n' | b'\r'))
        .map_or(0, |at| at + 1);
    let line = tail.get(start..).unwrap_or_default();
    let line = line.get(line.len().saturating_sub(LINE)..).unwrap_or_default();
    let line = String::from_utf8_lossy(line).into_owned();
    (!line.trim().is_empty()).then_some(line)
}

/// What an open line asks for, by words that mean nothing else.
fn question(line: &str) -> Option<Kind> {
    let line = line.trim_end().to_lowercase();
    let asks = line.ends_with([':', '?']);
    let has = |list: &[&str]| list.iter().any(|words| line.contains(words));
    if line.contains("continue connecting") {
        return Some(Kind::HostKey);
    }
    if YES_OR_NO.iter().any(|words| {
        line.trim_end_matches([':', '?', '>', ' '])
            .ends_with(words.trim_end_matches('?'))
    }) || (asks && has(YES_OR_NO))
    {
        return Some(Kind::Confirm);
    }
    if has(KEY) {
        return Some(Kind::Input);
    }
    if asks && has(SECRET) {
        return Some(Kind::Password);
    }
    if asks && has(SIGN_IN) {
        return Some(Kind::Credentials);
    }
    None
}

/// What an open line may ask for, of a program that has ended anyway.
fn loose(line: &str) -> Option<Kind> {
    let is_open = line.ends_with(' ');
    let end = line.trim_end();
    if end.ends_with('?') {
        Some(Kind::Confirm)
    } else if is_open && end.ends_with([':', ')', ']', '>']) {
        Some(Kind::Input)
    } else {
        None
    }
}

/// `rm -i`, `mv -i` and `cp -i` take no answer for no, and are content.
fn removal(line: &str) -> Option<Kind> {
    let asks = [": remove ", ": overwrite ", ": descend into ", ": replace "]
        .iter()
        .any(|words| line.contains(words));
    loose(line).filter(|_| asks)
}

/// A program that was ready for commands, found none, and is content.
fn ready(tail: &[u8]) -> Option<(Kind, String)> {
    let text = String::from_utf8_lossy(tail);
    let last = text.trim_end().lines().next_back()?;
    (last.trim() == READY).then(|| (Kind::Input, last.to_owned()))
}

/// The words of a program that wants a person, and their line.
fn wanted(tail: &[u8]) -> Option<(Kind, String)> {
    let text = String::from_utf8_lossy(tail);
    let is_idle = |lower: &str| IDLE.iter().any(|words| lower.contains(words));
    let lines = text.lines().map(|line| (line, line.to_lowercase()));
    let lines: Vec<(&str, String)> = lines.filter(|(_, lower)| !is_idle(lower)).collect();
    let found = WANTS.iter().find_map(|(words, kind)| {
        let (line, _) = lines.iter().find(|(_, lower)| lower.contains(words))?;
        Some((*kind, (*line).to_owned()))
    });
    let line_that = |kind: Kind, says: &dyn Fn(&str) -> bool| {
        let (line, _) = lines.iter().find(|(_, lower)| says(lower))?;
        Some((kind, (*line).to_owned()))
    };
    found
        .or_else(|| {
            line_that(Kind::Confirm, &|lower| {
                YES_OR_NO.iter().any(|words| lower.contains(words))
            })
        })
        .or_else(|| {
            line_that(Kind::Password, &|lower| {
                BEGUN.iter().any(|words| lower.starts_with(words))
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn programs_that_ask_are_told_from_those_that_do_not() {
        fn check(stdout: &str, stderr: &str, exit: i32, expected: Option<Kind>) {
            let found = recognise(
                stdout.as_bytes(),
                stderr.as_bytes(),
                Ended::Exit(exit),
                Stopped::Otherwise,
            );
            assert_eq!(
                found.as_ref().map(|prompt| prompt.kind),
                expected,
                "{stdout:?} {stderr:?} {exit}"
            );
            assert!(found.is_none_or(|prompt| !prompt.said.is_empty()));
        }
        use Kind::{Confirm, Credentials, Editor, HostKey, Input, Password, Rights, Terminal};
        check("", "rm: remove regular empty file 'x'? ", 0, Some(Confirm));
        check("", "mv: overwrite 'b'? ", 0, Some(Confirm));
        check("Do you want to continue? [Y/n] Abort.\n", "", 1, Some(Confirm));
        check("Proceed (y/n)? ", "", 1, Some(Confirm));
        check("", "Overwrite? [y/N] ", 0, Some(Confirm));
        check("package name: (work) ", "", 1, Some(Input));
        check("package name: (work) ", "npm error canceled\n", 1, Some(Input));
        check(
            "Name: ",
            "Traceback\nEOFError: EOF when reading a line\n",
            1,
            Some(Input),
        );
        check("", "Host key verification failed.\r\n", 255, Some(HostKey));
        check(
            "",
            "Are you sure you want to continue connecting (yes/no/[fingerprint])? ",
            255,
            Some(HostKey),
        );
        check(
            "",
            "fatal: could not read Username for 'https://a.test': terminal prompts disabled\n",
            128,
            Some(Credentials),
        );
        check("", "sudo: a password is required\n", 1, Some(Password));
        check(
            "",
            "sudo: a terminal is required to read the password; either use the -S option\n",
            1,
            Some(Password),
        );
        check(
            "Changing password for user.\nCurrent password: ",
            "",
            10,
            Some(Password),
        );
        check(
            "",
            "passwd: Authentication token manipulation error\n",
            10,
            Some(Password),
        );
        check(
            "",
            "error: there was a problem with the editor 'false'\n",
            1,
            Some(Editor),
        );
        check(
            "",
            "Aborting commit due to empty commit message.\n",
            1,
            Some(Editor),
        );
        check(
            "",
            "Vim: Warning: Output is not to a terminal\n",
            1,
            Some(Terminal),
        );
        check(
            "",
            "gpg: cannot open '/dev/tty': No such device or address\n",
            2,
            Some(Terminal),
        );
        check("", "the input device is not a TTY\n", 1, Some(Terminal));
        check("", "Error opening terminal: dumb.\n", 1, Some(Terminal));
        check("", "passwd: pam_start() failed, error 26\n", 10, Some(Password));
        check("", "Password: su: Authentication failure\n", 1, Some(Password));
        check(
            "",
            "sudo: The \"no new privileges\" flag is set, which prevents sudo from running as root.\n",
            1,
            Some(Rights),
        );
        check(
            "",
            "E: Unable to acquire the lock (/x), are you root?\n",
            100,
            Some(Rights),
        );
        check("", "Python 3\nType \"help\"\n>>> \n", 0, Some(Input));
        check("", ">>> ", 0, Some(Input));
        // What a program that succeeded printed is data.
        check("the last words of a file: Password: ", "", 0, None);
        check("Continue? [y/N] ", "", 0, None);
        check("a file\n>>>\n", "", 0, None);
        check("", ">>>>>>> theirs\n", 0, None);
        check("", "wrong password: too short\n", 1, None);
        // Success is believed, and so are failures about something else.
        check("", "", 0, None);
        check("", "", 1, None);
        check("is it? [y/N]\nyes\n", "", 0, None);
        check("Password: hunter2 is in the list\n", "", 0, None);
        check("total: 5", "", 0, None);
        check("what?", "", 0, None);
        check("", "warning: not a terminal\n", 0, None);
        check("", "fatal: not a git repository\n", 128, None);
        check("", "remote: Permission denied (publickey).\n", 128, None);
        check("50% done", "", 1, None);
        check(
            "",
            "Pseudo-terminal will not be allocated because stdin is not a terminal.\r\nssh: connect: refused\r\n",
            255,
            None,
        );
    }

    #[test]
    fn only_plain_questions_end_a_program_that_runs() {
        for (tail, expected) in [
            ("Password: ", true),
            ("[sudo] password for me: ", true),
            ("Enter passphrase for key '/x': ", true),
            ("Continue? [y/N] ", true),
            ("Continue (y/n): ", true),
            ("Username for 'https://a.test': ", true),
            ("Are you sure you want to continue connecting (yes/no)? ", true),
            ("Password: \n", false),
            ("Downloading: ", false),
            ("Compiling [1/20] ", false),
            ("Checking password strength ... ", false),
            ("really? ", false),
            ("> ", false),
            ("", false),
            ("-- done --\nPress ENTER or type command to continue", true),
        ] {
            assert_eq!(is_waiting(tail.as_bytes(), b""), expected, "{tail:?}");
            assert_eq!(is_waiting(b"some words", tail.as_bytes()), expected, "{tail:?}");
        }
        let screen = b"Vim: Warning: Output is not to a terminal\n";
        assert!(is_waiting(b"\x1b[24;63H1,1\x1b[1;1H", screen));
        assert!(!is_waiting(screen, b""));
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600), exit in 0..3) {
            let found = recognise(&bytes, &bytes, Ended::Exit(exit), Stopped::WhileAsking);
            prop_assert!(found.is_none_or(|prompt| prompt.said.chars().count() <= SAID));
            is_waiting(&bytes, &bytes);
        }
    }
}
