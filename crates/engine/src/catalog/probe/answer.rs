//! Judging what a program answered: one JSON document with an `atip` field, and nothing else, counts as ATIP.
//!
//! What is no answer at all is passed over, since most programs mean something of their own by such words. What meant
//! to be an answer and is none is told: text around the JSON, a byte order mark, a key that stands twice, a nesting
//! without end, another program's name.

use argrail_sandbox::{Ended, Report};
use argrail_spec::atip::{self, Loaded, Metadata};
use argrail_spec::doc::{Diagnostic, Document, Limits, Node};

use crate::catalog::dialect::{DIALECTS, Dialect, Unreadable};

/// The most that is read of an answer.
pub(super) const MOST: u64 = 4 << 20;

/// What shows that a program meant to answer.
const MARK: &[u8] = b"\"atip\"";

/// How much of a program's own name for itself is shown.
const SHOWN: usize = 80;

/// What an answer is.
#[derive(Debug, Clone, PartialEq)]
pub enum Verdict {
    /// A description.
    Metadata(Box<Metadata>, Vec<Diagnostic>),
    /// Nothing of the kind.
    Nothing,
    /// The description of another program.
    Impostor(String),
    /// An answer that is not what it should be.
    Invalid(String),
    /// Misbehaviour.
    Failed(String),
    /// No answer in time.
    TimedOut,
    /// Somebody stopped the scan.
    Interrupted,
}

/// Judges how the program called `tool` answered in a dialect.
pub fn judge(tool: &str, dialect: &Dialect, report: &Report) -> Verdict {
    if report.cancelled {
        return Verdict::Interrupted;
    }
    if report.timed_out {
        return Verdict::TimedOut;
    }
    if report.truncated {
        return Verdict::Failed(format!("wrote more than {MOST} bytes"));
    }
    let meant = memchr::memmem::find(&report.stdout, MARK).is_some();
    match report.ended {
        Ended::Exit(0) => read(tool, dialect, &report.stdout, meant),
        Ended::Exit(code) if meant => Verdict::Invalid(format!("answered, and then failed with exit {code}")),
        Ended::Exit(_) => Verdict::Nothing,
        Ended::Signal(signal) => Verdict::Failed(format!("ended by signal {signal}")),
    }
}

fn read(tool: &str, dialect: &Dialect, stdout: &[u8], meant: bool) -> Verdict {
    let document = match Document::json(stdout, &Limits::metadata()) {
        Ok(document) => document,
        Err(problem) if meant => return Verdict::Invalid(problem.message),
        Err(_) => return Verdict::Nothing,
    };
    let root = document.root;
    let is_atip = root
        .as_object()
        .is_some_and(|object| object.get("atip").is_some());
    let is_plain = dialect.name == DIALECTS[0].name;
    if !is_atip && !is_plain {
        return match dialect.read(tool, &root.to_json()) {
            Ok(metadata) => Verdict::Metadata(Box::new(metadata), Vec::new()),
            Err(Unreadable::NotADescription) => Verdict::Nothing,
            Err(Unreadable::Impostor { says }) => Verdict::Impostor(says),
        };
    }
    if !is_atip {
        return Verdict::Nothing;
    }
    // Before anything else is made of it: the name is what becomes a file name.
    if let Some(says) = named(&root).filter(|says| *says != tool) {
        return Verdict::Impostor(says.chars().take(SHOWN).collect());
    }
    match atip::decode(&root) {
        Ok(Loaded { metadata, warnings }) if metadata.name == tool => {
            Verdict::Metadata(Box::new(metadata), warnings)
        }
        Ok(Loaded { metadata, .. }) => Verdict::Impostor(metadata.name.chars().take(SHOWN).collect()),
        Err(problem) => Verdict::Invalid(problem.message),
    }
}

fn named(root: &Node) -> Option<&str> {
    root.as_object()?.get("name")?.as_str()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn answer(stdout: &[u8]) -> Verdict {
        let meant = memchr::memmem::find(stdout, MARK).is_some();
        read("tool", &DIALECTS[0], stdout, meant)
    }

    #[test]
    fn only_one_document_of_this_tool_is_an_answer() {
        let good = r#"{"atip":"0.1","name":"tool","version":"1","description":"x"}"#;
        let check = |stdout: &str, want: &str| {
            let verdict = answer(stdout.as_bytes());
            let got = match &verdict {
                Verdict::Metadata(..) => "metadata",
                Verdict::Nothing => "nothing",
                Verdict::Impostor(_) => "impostor",
                Verdict::Invalid(_) => "invalid",
                Verdict::Failed(_) | Verdict::TimedOut | Verdict::Interrupted => "other",
            };
            let shown: String = stdout.chars().take(80).collect();
            assert_eq!(got, want, "{shown}: {verdict:?}");
        };
        check(good, "metadata");
        check(&format!("\n{good}\n"), "metadata");
        check(
            &good.replace("\"0.1\"", r#"{"version":"0.6","features":["partial"]}"#),
            "metadata",
        );
        check(
            &good.replace("}", r#","partial":true,"omitted":{"reason":"size-limited"}}"#),
            "metadata",
        );
        for stdout in [
            "",
            "hello",
            "{}",
            "[]",
            "null",
            r#"{"agent":true}"#,
            r#"{"name":"tool","commands":{}}"#,
        ] {
            check(stdout, "nothing");
        }
        check(&format!("Hello!\n{good}"), "invalid");
        check(&format!("{good}\nbye"), "invalid");
        check(&format!("{good}{good}"), "invalid");
        check(&format!("\u{feff}{good}"), "invalid");
        check(&good.replace("{", r#"{"name":"tool","#), "invalid");
        check(
            &format!(r#"{{"atip":"0.1","name":"tool","x":{}"#, "[".repeat(20_000)),
            "invalid",
        );
        // A later draft is read as far as it is understood, unless it says that we are too old for it.
        check(&good.replace("0.1", "9.9"), "metadata");
        let newer = r#"{"version":"9.9","minAgentVersion":"9.0"}"#;
        check(&good.replace("\"0.1\"", newer), "invalid");
        check(&good.replace("tool", "git"), "impostor");
        check(&good.replace("tool", "../../x"), "impostor");
        check(&good.replace(r#""name":"tool","#, ""), "invalid");
        assert!(matches!(answer(b"\xff{\"atip\":\"0.1\"}"), Verdict::Invalid(_)));
        assert_eq!(answer(b"\xff\xfe"), Verdict::Nothing);
    }

    proptest! {
        /// Whatever it says, no name but the tool's own comes out.
        #[test]
        fn any_bytes_are_judged(bytes in prop::collection::vec(any::<u8>(), 0..200), text in r#"\{?"?(atip|name)?"?:?[ -~]{0,80}"#) {
            for stdout in [&bytes[..], text.as_bytes()] {
                if let Verdict::Metadata(metadata, _) = answer(stdout) {
                    prop_assert_eq!(&metadata.name, "tool");
                }
            }
        }
    }
}
