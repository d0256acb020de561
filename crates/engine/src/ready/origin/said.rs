//! What a program says about its version.

use std::path::Path;
use std::time::Duration;

use argrail_sandbox::Cancel;
use argrail_spec::bundle_writer::{SaidVersion, version_in};

use crate::catalog::probe::{Booth, Listen, Question, Settings};
use crate::profile::Grounds;

/// How programs are asked, the most usual first.
const QUESTIONS: [&[&str]; 5] = [
    &["--version"],
    &["version", "--client"],
    &["version"],
    &["-version"],
    &["-V"],
];
/// How long an answer may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// How much of an answer is kept.
const KEPT: usize = 4_000;

/// Asks the program for its version, in the closed sandbox; none if it says nothing that looks like one.
pub fn said_version(program: &Path, settings: &Settings, cancel: &Cancel) -> Option<SaidVersion> {
    let booth = Booth::new(settings, cancel).ok()?;
    let grounds = Grounds::of(program, &settings.home);
    QUESTIONS.iter().find_map(|words| {
        let question = Question {
            words,
            listen: Listen::Both,
            timeout: TIMEOUT,
        };
        let report = booth.ask(program, &grounds, &question).ok()?;
        if report.ended.code() != Some(0) || report.timed_out {
            return None;
        }
        let streams = [report.stdout, report.stderr];
        let mut texts = streams.iter().map(|stream| String::from_utf8_lossy(stream));
        let text = texts.find(|text| version_in(text).is_some())?;
        Some(SaidVersion {
            words: words.iter().map(|word| (*word).to_owned()).collect(),
            text: text.chars().take(KEPT).collect(),
        })
    })
}
