//! For code review tools: SARIF 2.1.0.
//!
//! Every rule that fired is described once and named by its index; columns count characters, and the log says so.

use serde_json::{Value, json};

use super::file::File;
use super::text::word;
use crate::doc::{Diagnostic, Fix, Lines, Rule, Span};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";
/// Bytes that a URI shows as they are; all others are percent-encoded.
const PLAIN: &[u8] = b"-._~/!$&'()*+,;=@";

/// Returns one run over all files. `rules` describes the codes; one that it lacks is still named.
pub fn sarif(files: &[File<'_>], rules: &[Rule], version: &str) -> Value {
    let mut fired: Vec<&'static str> = Vec::new();
    for diagnostic in files.iter().flat_map(|file| file.diagnostics) {
        if !fired.contains(&diagnostic.code) {
            fired.push(diagnostic.code);
        }
    }
    let described: Vec<Value> = fired.iter().map(|code| describe(code, rules)).collect();
    let results: Vec<Value> = files.iter().flat_map(|file| results(file, &fired)).collect();
    json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {"name": "argrail", "version": version, "rules": described}},
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    })
}

fn describe(code: &str, rules: &[Rule]) -> Value {
    match rules.iter().find(|rule| rule.id == code) {
        Some(rule) => json!({
            "id": rule.id,
            "shortDescription": {"text": rule.summary},
            "fullDescription": {"text": rule.why},
        }),
        None => json!({"id": code}),
    }
}

fn results(file: &File<'_>, fired: &[&'static str]) -> Vec<Value> {
    let lines = Lines::of(file.text);
    let artifact = json!({"uri": uri(file.name)});
    let result = |diagnostic: &Diagnostic| {
        let message = match &diagnostic.hint {
            Some(hint) => format!("{}; {hint}", diagnostic.message),
            None => diagnostic.message.clone(),
        };
        let mut result = json!({
            "ruleId": diagnostic.code,
            "ruleIndex": fired.iter().position(|code| *code == diagnostic.code),
            "level": word(diagnostic.severity),
            "message": {"text": message},
            "locations": [{"physicalLocation": {
                "artifactLocation": artifact,
                "region": region(file.text, &lines, diagnostic.span),
            }}],
        });
        if let (Some(fix), Some(object)) = (&diagnostic.fix, result.as_object_mut()) {
            object.insert("fixes".to_owned(), fixes(file.text, &lines, fix, &artifact));
        }
        result
    };
    file.diagnostics.iter().map(result).collect()
}

fn fixes(text: &[u8], lines: &Lines, fix: &Fix, artifact: &Value) -> Value {
    json!([{"artifactChanges": [{
        "artifactLocation": artifact,
        "replacements": [{
            "deletedRegion": region(text, lines, fix.span),
            "insertedContent": {"text": fix.replacement},
        }],
    }]}])
}

fn region(text: &[u8], lines: &Lines, span: Span) -> Value {
    let (start, end) = (lines.place(text, span.start), lines.place(text, span.end));
    json!({
        "startLine": start.line,
        "startColumn": start.column,
        "endLine": end.line,
        "endColumn": end.column,
    })
}

/// Returns a relative reference for a relative name, so that the log fits any checkout.
fn uri(name: &str) -> String {
    let name = name.strip_prefix("./").unwrap_or(name);
    let mut out = String::from(if name.starts_with('/') { "file://" } else { "" });
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || PLAIN.contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::Severity;

    #[test]
    fn names_become_references() {
        let check = |name: &str, want: &str| assert_eq!(uri(name), want);
        check("shims/gh.json", "shims/gh.json");
        check("./gh.json", "gh.json");
        check("a b#ö.json", "a%20b%23%C3%B6.json");
        check("c:x", "c%3Ax");
        check("/srv/gh.json", "file:///srv/gh.json");
    }

    #[test]
    fn a_result_names_its_rule_and_its_region() {
        let rule = Rule {
            id: "x/y",
            summary: "odd things",
            why: "they are odd",
        };
        let odd = |start| {
            Diagnostic::new(
                Severity::Warning,
                "x/y",
                Span {
                    start,
                    end: start + 1,
                },
                "odd",
            )
            .hint("mend it")
            .fix(
                Span {
                    start,
                    end: start + 1,
                },
                "1",
            )
        };
        let other = Diagnostic::new(Severity::Error, "x/z", Span { start: 0, end: 1 }, "bad");
        let file = File {
            name: "a.json",
            kind: "atip",
            text: b"{\n}",
            diagnostics: &[odd(0), other, odd(2)],
        };
        let log = sarif(&[file], &[rule], "1.2.3");
        let run = &log["runs"][0];
        assert_eq!(log["version"], "2.1.0");
        assert_eq!(
            run["tool"]["driver"]["rules"],
            json!([
                {"id": "x/y", "shortDescription": {"text": "odd things"}, "fullDescription": {"text": "they are odd"}},
                {"id": "x/z"},
            ])
        );
        let indices: Vec<_> = run["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|result| &result["ruleIndex"])
            .collect();
        assert_eq!(indices, [0, 1, 0]);
        let last = &run["results"][2];
        assert_eq!(last["level"], "warning");
        assert_eq!(last["message"]["text"], "odd; mend it");
        let region = json!({"startLine": 2, "startColumn": 1, "endLine": 2, "endColumn": 2});
        assert_eq!(last["locations"][0]["physicalLocation"]["region"], region);
        assert_eq!(
            last["locations"][0]["physicalLocation"]["artifactLocation"]["uri"],
            "a.json"
        );
        assert_eq!(
            last["fixes"][0]["artifactChanges"][0]["replacements"][0]["deletedRegion"],
            region
        );
        assert!(run["results"][1].get("fixes").is_none());
    }
}
