//! What a program said when it was asked for help.
//!
//! Help stands on either output and under any exit code, so the longer output is the answer, and the other one if that
//! turns out to be none. What was cut off is no answer: half a text says things that the whole one does not.

use argrail_sandbox::{Ended, Report};

/// The longest text that is taken for help.
const MOST: usize = 2 << 20;

/// An answer, or why there is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Heard {
    /// A text.
    Text(Said),
    /// Nothing, and why.
    Silence(Silence),
}

/// A text that a program wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    /// The longer output.
    pub(super) text: String,
    /// The other one.
    pub(super) other: String,
    /// Whether the program was content.
    pub(super) exit: Exit,
}

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Exit {
    /// With zero.
    Content,
    /// Otherwise.
    Complaining,
}

/// Why there is no answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Silence {
    /// It wrote nothing.
    Empty,
    /// It did not end in time.
    TimedOut,
    /// It wrote without end.
    TooLong,
    /// It could not be started.
    Failed(String),
    /// It was not asked: enough was started, or the time is over.
    Spent,
    /// Somebody stopped it.
    Interrupted,
}

impl Silence {
    /// Returns what a person is told about it; nothing about what is nobody's fault.
    pub(super) fn reason(&self) -> Option<String> {
        match self {
            Self::Empty | Self::Spent | Self::Interrupted => None,
            Self::TimedOut => Some("did not end in time".to_owned()),
            Self::TooLong => Some(format!("wrote more than {MOST} bytes")),
            Self::Failed(reason) => Some(reason.clone()),
        }
    }
}

impl Heard {
    /// Reads what a child's report says.
    pub(super) fn of(report: &Report) -> Self {
        if report.cancelled {
            return Self::Silence(Silence::Interrupted);
        }
        if report.timed_out {
            return Self::Silence(Silence::TimedOut);
        }
        if report.truncated {
            return Self::Silence(Silence::TooLong);
        }
        let exit = match report.ended {
            Ended::Exit(0) => Exit::Content,
            Ended::Exit(_) | Ended::Signal(_) => Exit::Complaining,
        };
        Self::longer(&report.stdout, &report.stderr, exit)
    }

    fn longer(stdout: &[u8], stderr: &[u8], exit: Exit) -> Self {
        let (out, err) = (stdout.trim_ascii(), stderr.trim_ascii());
        let (text, other) = if err.len() > out.len() {
            (stderr, stdout)
        } else {
            (stdout, stderr)
        };
        if text.len() > MOST {
            return Self::Silence(Silence::TooLong);
        }
        if text.trim_ascii().is_empty() {
            return Self::Silence(Silence::Empty);
        }
        let read = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Self::Text(Said {
            text: read(text),
            other: read(other),
            exit,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longer_output_is_the_answer_whatever_the_exit_code() {
        let check = |stdout: &[u8], stderr: &[u8], want: Option<&str>| {
            let heard = Heard::longer(stdout, stderr, Exit::Complaining);
            let got = match &heard {
                Heard::Text(said) => Some(said.text.as_str()),
                Heard::Silence(Silence::Empty | Silence::TooLong) => None,
                Heard::Silence(_) => panic!("{heard:?}"),
            };
            assert_eq!(got, want);
        };
        check(b"usage: x\n", b"", Some("usage: x\n"));
        check(b"", b"usage: x\n", Some("usage: x\n"));
        check(b"usage: x [-a]\n", b"warning\n", Some("usage: x [-a]\n"));
        check(b"\n\n\n\n\n\n\n\n\n\n", b"usage\n", Some("usage\n"));
        check(b"a\xff\n", b"", Some("a\u{fffd}\n"));
        check(b" \n", b"\t", None);
        check(&vec![b'-'; MOST + 1], b"", None);
    }
}
