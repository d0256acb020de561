//! Files that agents obey are told in the question as what they are.

use std::os::unix::fs::symlink;

use serde_json::{Value, json};

use super::ground::{asks, call, home, question, work};

#[test]
fn a_question_about_instructions_says_so() {
    let home = home()
        .file("a", "text\n")
        .file("CLAUDE.md", "be good\n")
        .file(".cursor/rules/x.mdc", "rule\n")
        .tool("unknown", "#!/bin/sh\n");
    symlink("CLAUDE.md", home.work().join("link")).unwrap();
    let check = |command: &str, want: &[&str]| {
        let id = asks(&call(&home, command));
        let shown = question(&home, &id).shown;
        let paths: Vec<String> = want
            .iter()
            .map(|name| work(&home).join(name).display().to_string())
            .collect();
        let want = match paths.is_empty() {
            true => Value::Null,
            false => json!(paths),
        };
        assert_eq!(shown["instructions"], want, "{command}");
    };
    check("touch AGENTS.md", &["AGENTS.md"]);
    check("cp a sub/agents.md", &["sub/agents.md"]);
    check(
        "tee .github/copilot-instructions.md",
        &[".github/copilot-instructions.md"],
    );
    check("rm .cursor/rules/x.mdc", &[".cursor/rules/x.mdc"]);
    check("touch link", &["link"]);
    check("unknown --out=GEMINI.md", &["GEMINI.md"]);
    check("touch note", &[]);
    check("sort -o note CLAUDE.md", &[]);
}
