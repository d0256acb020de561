//! What a rule found, and how a test reports it.

use std::fmt;

/// One breach of one rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Finding {
    /// The file, from the repository's root.
    pub(crate) file: String,
    /// The line, from 1.
    pub(crate) line: usize,
    /// The name of the rule, which is the name of its module.
    pub(crate) rule: &'static str,
    /// What is wrong and what to do.
    pub(crate) message: String,
}

impl Finding {
    pub(crate) fn new(rule: &'static str, file: &str, line: usize, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line,
            rule,
            message: message.into(),
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: [{}] {}", self.file, self.line, self.rule, self.message)
    }
}

/// Fails the test if there are findings, and shows all of them.
pub(crate) fn report(findings: &[Finding]) {
    let lines: String = findings.iter().map(|finding| format!("{finding}\n")).collect();
    assert!(findings.is_empty(), "{} finding(s):\n{lines}", findings.len());
}

/// Compares findings with expected `line: words of the message`, in order. For the rules' own tables.
pub(crate) fn assert_findings(findings: &[Finding], expected: &[(usize, &str)], context: &str) {
    let same = findings.len() == expected.len()
        && findings
            .iter()
            .zip(expected)
            .all(|(finding, (line, words))| finding.line == *line && finding.message.contains(words));
    assert!(
        same,
        "for {context:?}\nexpected {expected:#?}\nfound {findings:#?}"
    );
}

#[test]
fn a_finding_says_where_and_what_to_do() {
    let finding = Finding::new("headers", "crates/a/src/b.rs", 1, "start the file with `//!`");
    assert_eq!(
        finding.to_string(),
        "crates/a/src/b.rs:1: [headers] start the file with `//!`"
    );
}

#[test]
#[should_panic(expected = "a:3: [r] m")]
fn a_report_with_findings_fails() {
    report(&[Finding::new("r", "a", 3, "m")]);
}
