//! The sections of a page, and what is looked for in each.

use super::line::{Line, Role};

/// What a section is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Topic {
    /// `NAME`: what the command is for.
    Name,
    /// `SYNOPSIS`: how it is called.
    Synopsis,
    /// Where options stand.
    Options,
    /// `COMMANDS`: what is below it.
    Commands,
    /// Anything else that may define options.
    Other,
    /// What defines nothing: examples, variables, authors.
    Silent,
}

/// A section or a part of one.
#[derive(Debug)]
pub(crate) struct Section<'l> {
    /// Its heading.
    pub(crate) title: &'l str,
    /// What it is about.
    pub(crate) topic: Topic,
    /// What stands below the heading.
    pub(crate) lines: &'l [Line],
}

/// Splits a page into its sections. A part of a section that defines nothing defines nothing either.
pub(crate) fn sections(lines: &[Line]) -> Vec<Section<'_>> {
    let mut sections: Vec<Section<'_>> = Vec::new();
    let mut above = Topic::Other;
    let mut start = 0;
    let mut heading: Option<(&str, Topic)> = None;
    for (at, line) in lines.iter().enumerate() {
        let topic = match line.role {
            Role::Section => {
                above = topic(&line.text);
                above
            }
            Role::Subsection => below(above, &line.text),
            Role::Head | Role::Verbatim | Role::Text => continue,
        };
        if let Some((title, topic)) = heading.take() {
            let lines = lines.get(start..at).unwrap_or_default();
            sections.push(Section { title, topic, lines });
        }
        heading = Some((line.text.as_str(), topic));
        start = at.saturating_add(1);
    }
    if let Some((title, topic)) = heading {
        let lines = lines.get(start..).unwrap_or_default();
        sections.push(Section { title, topic, lines });
    }
    sections
}

fn below(above: Topic, title: &str) -> Topic {
    match (above, topic(title)) {
        (Topic::Silent, _) => Topic::Silent,
        // Groups of options have any name: "History", "Version".
        (Topic::Options, Topic::Silent) => {
            let lower = title.to_lowercase();
            let silent = ["example", "environment", "exit"]
                .iter()
                .any(|word| lower.contains(word));
            if silent { Topic::Silent } else { Topic::Options }
        }
        (_, Topic::Silent) => Topic::Silent,
        (Topic::Name | Topic::Synopsis | Topic::Commands | Topic::Options, Topic::Other) => above,
        (Topic::Name | Topic::Synopsis | Topic::Commands | Topic::Options | Topic::Other, own) => own,
    }
}

fn topic(title: &str) -> Topic {
    let lower = title.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    match words.as_slice() {
        ["name"] => return Topic::Name,
        ["synopsis"] | ["usage"] | ["syntax"] => return Topic::Synopsis,
        _ => {}
    }
    if has(&["option", "options", "flag", "flags", "switches"]) {
        return Topic::Options;
    }
    // Words that mean the same wherever they stand, and words that also name a group of options.
    let anywhere = [
        "author",
        "authors",
        "bug",
        "bugs",
        "colophon",
        "copyright",
        "environment",
        "environmental",
        "example",
        "examples",
        "exit",
        "license",
        "see",
    ];
    let alone = [
        "caveats",
        "compatibility",
        "credits",
        "diagnostics",
        "errors",
        "files",
        "history",
        "notes",
        "return",
        "standards",
        "status",
        "variables",
    ];
    if has(&anywhere) || words.len() <= 2 && has(&alone) || words.as_slice() == ["version"] {
        return Topic::Silent;
    }
    if has(&["interactive", "key", "keys", "keyboard"]) {
        return Topic::Other;
    }
    if has(&["command", "commands", "subcommand", "subcommands", "verbs"]) {
        return Topic::Commands;
    }
    Topic::Other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(title: &str, expected: Topic) {
        assert_eq!(topic(title), expected, "{title}");
    }

    #[test]
    fn a_heading_tells_what_is_below() {
        check("NAME", Topic::Name);
        check("Synopsis", Topic::Synopsis);
        check("COMMON OPTIONS", Topic::Options);
        check("DESCRIPTION", Topic::Other);
        check("EXIT STATUS", Topic::Silent);
        check("SEE ALSO", Topic::Silent);
        check("FINDING THE VERSION OF FILES", Topic::Other);
        check("UNIT COMMANDS", Topic::Commands);
        check("ENVIRONMENT VARIABLES", Topic::Silent);
    }
}
