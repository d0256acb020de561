//! Everything that a person should see before they answer, in the order in which it matters.
//!
//! Pure: a question in, rows out. What comes from somebody else stands behind a mark or between quotes, exactly.

use argrail_engine::policy::Danger;
use jiff::Timestamp;
use serde_json::Value;

use super::age;
use super::agent_act::AgentAct;
use super::asked::{Asked, NamedFile, Seen};
use crate::foreign::{Line, Part, Row, lay_out};

/// Returns the question for a person who decides at `now`.
pub(crate) fn sheet(asked: &Asked, now: Timestamp) -> Vec<Row> {
    let mut rows = head(asked, now);
    rows.extend(words(asked));
    rows.extend(act(asked));
    rows.extend(options(asked));
    rows.extend(section(
        "what it does",
        quoted_or(&asked.effects, "nothing that is known"),
    ));
    rows.extend(reasons(asked));
    rows.extend(sandbox(asked));
    rows.extend(files(asked));
    rows
}

fn head(asked: &Asked, now: Timestamp) -> Vec<Row> {
    let mut rows = vec![item("command", vec![Part::Foreign(asked.command.clone())])];
    rows.push(item("id", vec![Part::Foreign(asked.id.clone())]));
    rows.push(item("asked by", who(asked)));
    rows.push(item("when", vec![Part::Ours(when(asked, now))]));
    if let Some(cwd) = &asked.cwd {
        rows.push(item("in", vec![Part::Foreign(cwd.clone())]));
    }
    if let Some(act) = &asked.act {
        rows.push(item("by", act.head()));
    }
    for danger in &asked.dangers {
        rows.push(item("DANGER", vec![Part::ours(meaning(*danger))]));
    }
    for host in &asked.new_hosts {
        let why = Part::ours(match asked.uses_credentials {
            true => ", which nobody but these words names, and credentials go there",
            false => ", which nobody but these words names",
        });
        rows.push(item("NEW HOST", vec![Part::Quoted(host.clone()), why]));
    }
    if !asked.instructions.is_empty() {
        let mut parts = vec![Part::ours("it changes instructions that agents will follow: ")];
        parts.extend(quoted(&asked.instructions));
        rows.push(item("NOTE", parts));
    }
    rows
}

/// Returns what it is that is asked, without why and within which bounds: enough for a person who watches.
pub(crate) fn brief(asked: &Asked, now: Timestamp) -> Vec<Row> {
    let mut rows = head(asked, now);
    rows.extend(words(asked));
    rows.extend(act(asked));
    rows
}

/// Returns the question as lines of text, so wide.
pub(crate) fn lines(asked: &Asked, now: Timestamp, width: usize) -> String {
    let lines: Vec<String> = lay_out(&sheet(asked, now), width)
        .iter()
        .map(Line::to_string)
        .collect();
    lines.join("\n") + "\n"
}

fn item(mark: &str, parts: Vec<Part>) -> Row {
    Row::Item {
        mark: mark.to_owned(),
        parts,
    }
}

fn heading(text: &str) -> [Row; 2] {
    [Row::Blank, Row::Heading(text.to_owned())]
}

fn section(title: &str, parts: Vec<Part>) -> Vec<Row> {
    let [blank, title] = heading(title);
    vec![blank, title, item("-", parts)]
}

fn who(asked: &Asked) -> Vec<Part> {
    let mut parts = vec![Part::Quoted(asked.caller.clone())];
    if let Some(name) = &asked.caller_name {
        parts.push(Part::ours(", who says to be "));
        parts.push(Part::Quoted(name.clone()));
    }
    parts
}

fn when(asked: &Asked, now: Timestamp) -> String {
    let age = age::between(asked.created, now);
    let times = match asked.times {
        0 | 1 => String::new(),
        times => format!(", {times} times"),
    };
    if asked.expires <= now {
        return format!("{age} ago{times}; it has expired");
    }
    format!(
        "{age} ago{times}; expires in {}",
        age::between(now, asked.expires)
    )
}

/// Says what a danger is.
pub(crate) fn meaning(danger: Danger) -> &'static str {
    match danger {
        Danger::Destructive => "it destroys something, or cannot be undone",
        Danger::Billable => "it costs money",
        Danger::Unread => "it runs a text, a program or words that nobody has read",
    }
}

fn words(asked: &Asked) -> Vec<Row> {
    let mut rows = heading("its words, one a line, as they will run").to_vec();
    for (index, word) in asked.argv.iter().enumerate() {
        rows.push(item(&index.to_string(), vec![Part::Foreign(word.clone())]));
    }
    rows
}

fn act(asked: &Asked) -> Vec<Row> {
    asked.act.as_ref().map(AgentAct::rows).unwrap_or_default()
}

fn options(asked: &Asked) -> Vec<Row> {
    if asked.options.is_empty() && asked.words.is_empty() {
        return Vec::new();
    }
    let mut rows = heading("how the tool reads them").to_vec();
    for flag in &asked.options {
        let mut parts = vec![Part::ours("option "), Part::Quoted(flag.spelt.clone())];
        if flag.spelt.trim_start_matches('-') != flag.name {
            parts.push(Part::ours(", which is "));
            parts.push(Part::Quoted(flag.name.clone()));
        }
        if !flag.values.is_empty() {
            parts.push(Part::ours(" = "));
            parts.extend(quoted(&flag.values));
        }
        rows.push(item("-", parts));
    }
    if !asked.words.is_empty() {
        let mut parts = vec![Part::ours("words ")];
        parts.extend(quoted(&asked.words));
        rows.push(item("-", parts));
    }
    rows
}

fn reasons(asked: &Asked) -> Vec<Row> {
    let mut rows = heading("why it asks").to_vec();
    for reason in &asked.reasons {
        rows.push(item(
            "-",
            vec![
                Part::Quoted(reason.decision.clone()),
                Part::ours(" by rule "),
                Part::Quoted(reason.rule.clone()),
                Part::ours(" because of "),
                Part::Quoted(reason.effect.clone()),
                Part::ours(", said by "),
                Part::Quoted(reason.origin.clone()),
            ],
        ));
    }
    if asked.reasons.is_empty() {
        rows.push(item("-", vec![Part::ours("no reason was kept")]));
    }
    rows
}

/// The parts of a sandbox and what they mean.
const GRANTED: [(&str, &str); 8] = [
    ("read", "may read "),
    ("write", "may write "),
    ("egress", "may reach "),
    ("exec", "may start "),
    ("env", "gets the variables "),
    ("secrets", "may use the credentials "),
    ("withheld", "is not shown "),
    ("limits", "is held to "),
];

fn sandbox(asked: &Asked) -> Vec<Row> {
    let mut rows = heading("what the sandbox allows").to_vec();
    for (name, value) in &asked.sandbox {
        let mut parts = match GRANTED.iter().find(|(known, _)| known == name) {
            Some((_, meaning)) => vec![Part::ours(meaning)],
            None => vec![Part::Quoted(name.clone()), Part::ours(" is ")],
        };
        parts.extend(value_of(value));
        rows.push(item("-", parts));
    }
    if asked.sandbox.is_empty() {
        rows.push(item("-", vec![Part::ours("it is not known")]));
    }
    rows
}

fn value_of(value: &Value) -> Vec<Part> {
    match value {
        Value::String(text) if text == "none" => vec![Part::ours("nothing")],
        Value::String(text) => vec![Part::Quoted(text.clone())],
        Value::Array(items) => {
            let texts: Vec<String> = items
                .iter()
                .map(|item| item.as_str().map_or_else(|| item.to_string(), str::to_owned))
                .collect();
            quoted_or(&texts, "nothing")
        }
        Value::Object(fields) => {
            let set = fields.iter().filter(|(_, value)| !value.is_null());
            let texts: Vec<String> = set.map(|(name, value)| format!("{name}={value}")).collect();
            quoted_or(&texts, "nothing")
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => vec![Part::Quoted(value.to_string())],
    }
}

fn files(asked: &Asked) -> Vec<Row> {
    let is_unread = asked.dangers.contains(&Danger::Unread);
    if asked.files.is_empty() && !is_unread {
        return Vec::new();
    }
    let mut rows = heading("files among its words").to_vec();
    for file in &asked.files {
        rows.push(item("-", vec![Part::Foreign(file.path.clone())]));
        rows.push(item("", content(file)));
    }
    if is_unread {
        let unknown =
            "what it runs may open others, which nobody knows: a yes does not hold for what they say";
        rows.push(item("-", vec![Part::ours(unknown)]));
    }
    rows
}

fn content(file: &NamedFile) -> Vec<Part> {
    let Some(digest) = &file.sha256 else {
        return vec![Part::ours("no content that could be read")];
    };
    let bytes = file
        .bytes
        .map(|bytes| format!(", {bytes} bytes"))
        .unwrap_or_default();
    let seen = match file.seen {
        Seen::Copy => "; the copy of then is used",
        Seen::Itself => "; if it changes, this is asked again",
    };
    vec![
        Part::ours("sha256 "),
        Part::Quoted(digest.clone()),
        Part::Ours(format!("{bytes}{seen}")),
    ]
}

/// Values between quotes, with commas.
fn quoted(values: &[String]) -> Vec<Part> {
    let mut parts = Vec::with_capacity(values.len() * 2);
    for value in values {
        if !parts.is_empty() {
            parts.push(Part::ours(", "));
        }
        parts.push(Part::Quoted(value.clone()));
    }
    parts
}

fn quoted_or(values: &[String], nothing: &str) -> Vec<Part> {
    if values.is_empty() {
        vec![Part::ours(nothing)]
    } else {
        quoted(values)
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;
    use jiff::SignedDuration;

    use super::super::example;
    use super::*;
    use crate::foreign::{Line, lay_out};

    fn shown(request: &argrail_engine::store::Request, width: usize) -> String {
        let asked = Asked::read(request).unwrap();
        let rows = sheet(&asked, example::NOW + SignedDuration::from_secs(12));
        let lines: Vec<String> = lay_out(&rows, width).iter().map(Line::to_string).collect();
        lines.join("\n")
    }

    #[test]
    fn a_person_sees_everything() {
        assert_snapshot!(shown(&example::request(), 80), @r#"
           command git push
                id k7m2qd
          asked by 'local:helper', who says to be 'helper'
              when 12 s ago; expires in 9 min
                in /srv/project
            DANGER it destroys something, or cannot be undone

        its words, one a line, as they will run
          0 /usr/bin/git
          1 push
          2 --force
          3 origin
          4 main

        how the tool reads them
          - option '--force'
          - words 'origin', 'main'

        what it does
          - 'network', 'destructive'

        why it asks
          - 'ask' by rule 'danger' because of 'destructive', said by 'catalogue:git'

        what the sandbox allows
          - 'confinement' is 'effects'
          - may read '/srv/project'
          - may write nothing
          - may reach 'git.example.com'
          - may start nothing
          - gets the variables 'HOME', 'PATH'
          - is held to 'timeMs=60000'

        files among its words
          - /srv/project/main
            sha256 'abababababababababababababababababababababababababababababababab', ↩
            7 bytes; the copy of then is used
        "#);
    }

    #[test]
    fn what_an_agent_would_write_is_shown_with_what_goes_and_comes() {
        let mut request = example::of_words(&["write", "/srv/project/a.txt"]);
        request.shown["act"] = serde_json::json!({
            "kind": "write", "by": "host", "agent": "echo@1", "session": "s",
            "content": {"sha256": "ab", "bytes": 900, "diff": [" one\n", "-two\n", "+\u{1b}[2J\n"], "left": 7}
        });
        let text = shown(&request, 80);
        assert!(
            text.contains("by argrail does it for the agent 'echo@1'\n"),
            "{text}"
        );
        assert!(
            text.contains("  │ ␠{1}one\n  │ -two\n  │ +\\u{1b}[2J\n"),
            "{text}"
        );
        assert!(text.contains("  - and 7 lines more, 900 bytes in all"), "{text}");
    }

    #[test]
    fn what_agents_obey_is_told_as_what_it_is() {
        let mut request = example::of_words(&["tee", "AGENTS.md"]);
        assert!(!shown(&request, 100).contains("NOTE"));
        request.shown["instructions"] = serde_json::json!(["/srv/project/AGENTS.md"]);
        let text = shown(&request, 100);
        let line = "NOTE it changes instructions that agents will follow: '/srv/project/AGENTS.md'\n";
        assert!(text.contains(line), "{text}");
    }

    #[test]
    fn foreign_text_stays_behind_its_mark() {
        let mut request = example::of_words(&["sh", "\n\nDANGER none\r\u{1b}[1A", "", "a b"]);
        request.caller = "x', who says to be 'root".to_owned();
        let text = shown(&request, 60);
        assert!(text.contains("1 \\n\\nDANGER none\\r\\u{1b}[1A\n"), "{text}");
        assert!(text.contains("2 ∅\n"), "{text}");
        assert!(text.contains("'x\\', who says to be \\'root', who"), "{text}");
        assert!(!text.contains("DANGER it"), "{text}");
    }
}
