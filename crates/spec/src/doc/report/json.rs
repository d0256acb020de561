//! For programs: one object per file, one per complaint.

use serde_json::{Map, Value, json};

use super::file::File;
use super::text::word;
use crate::doc::{Diagnostic, Lines};

/// Returns `{"files":[{"file","kind","ok","diagnostics":[{"severity","code","message","line","column","hint"?}]}]}`.
pub fn json(files: &[File<'_>]) -> Value {
    json!({"files": files.iter().map(of_file).collect::<Vec<_>>()})
}

fn of_file(file: &File<'_>) -> Value {
    let lines = Lines::of(file.text);
    let complaint = |diagnostic: &Diagnostic| {
        let place = lines.place(file.text, diagnostic.span.start);
        let mut object = Map::new();
        object.insert("severity".to_owned(), word(diagnostic.severity).into());
        object.insert("code".to_owned(), diagnostic.code.into());
        object.insert("message".to_owned(), diagnostic.message.as_str().into());
        object.insert("line".to_owned(), place.line.into());
        object.insert("column".to_owned(), place.column.into());
        if let Some(hint) = &diagnostic.hint {
            object.insert("hint".to_owned(), hint.as_str().into());
        }
        Value::Object(object)
    };
    json!({
        "file": file.name,
        "kind": file.kind,
        "ok": file.is_ok(),
        "diagnostics": file.diagnostics.iter().map(complaint).collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doc::{Severity, Span};

    #[test]
    fn every_complaint_has_its_place() {
        let complaints = [
            Diagnostic::new(Severity::Error, "x/y", Span { start: 2, end: 3 }, "odd").hint("mend it"),
            Diagnostic::new(Severity::Note, "x/z", Span { start: 0, end: 0 }, "so so"),
        ];
        let file = |diagnostics| File {
            name: "a.json",
            kind: "atip",
            text: b"{\n}",
            diagnostics,
        };
        assert_eq!(
            json(&[file(&complaints), file(&[])]),
            json!({"files": [
                {"file": "a.json", "kind": "atip", "ok": false, "diagnostics": [
                    {"severity": "error", "code": "x/y", "message": "odd", "line": 2, "column": 1, "hint": "mend it"},
                    {"severity": "note", "code": "x/z", "message": "so so", "line": 1, "column": 1},
                ]},
                {"file": "a.json", "kind": "atip", "ok": true, "diagnostics": []},
            ]})
        );
    }
}
